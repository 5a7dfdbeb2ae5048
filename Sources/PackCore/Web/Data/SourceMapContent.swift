/// The sources of a source map (docs/sources.md#ecma-426).
package struct SourceMapContent: Sendable {
    /// Whether it contains the text of the sources.
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
