/// What a source map (docs/sources.md#ecma-426) says about its sources.
package struct SourceMapContent: Sendable {
    /// Whether the text of the sources is in it.
    package let hasSources: Bool

    /// Reads a source map.
    package init(of source: Span<UInt8>) {
        var hasSources = false
        JSONStrings.walk(
            source, wanted: { $0.count < 4096 || !hasSources }
        ) { string in
            guard !string.isName else { return true }
            if string.path == ["sourcesContent", "[]"], !string.value.isEmpty { hasSources = true }
            return true
        }
        self.hasSources = hasSources
    }
}
