/// What a source map (docs/sources.md#ecma-426) says about its sources.
package struct SourceMapContent: Sendable {
    /// Whether the text of the sources is in it.
    package let hasSources: Bool
    /// `file`: the script or style sheet it belongs to.
    let file: String?
    let sourceRoot: String?
    /// `sources`, up to the requested number.
    let sources: [String]

    /// Reads a source map.
    ///
    /// - Parameter mostSources: how many names of `sources` to keep.
    package init(of source: Span<UInt8>, mostSources: Int = 20) {
        var hasSources = false
        var file: String?
        var root: String?
        var sources: [String] = []
        JSONStrings.walk(
            source, wanted: { $0.count < 4096 || !hasSources }
        ) { string in
            guard !string.isName else { return true }
            let path = string.path
            let text = { String(decoding: string.value, as: UTF8.self) }
            if path == ["file"] { file = text() }
            if path == ["sourceRoot"] { root = text() }
            if path == ["sources", "[]"], sources.count < mostSources { sources.append(text()) }
            if path == ["sourcesContent", "[]"], !string.value.isEmpty { hasSources = true }
            return true
        }
        self.hasSources = hasSources
        self.file = file
        sourceRoot = root
        self.sources = sources
    }
}
