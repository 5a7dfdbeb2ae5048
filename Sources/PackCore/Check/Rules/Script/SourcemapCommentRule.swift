import PackGround
import PackProfile
import PackWeb

extension Rule {
    /// A comment with the URL of a source map.
    static let sourcemapComment = Rule(
        "sourcemap-comment", group: .script, level: .always(.hint), fix: .safe,
        document: { document, sink in
            for reference in document.scriptReferences(.sourceMap) where reference.resolution.isMiss
            {
                sink.report(
                    reference, "'\(reference.text)' is not in the package",
                    fix: Fix(
                        .safe, "remove the URL",
                        edits: [ByteEdit(reference.range, Array("data:,".utf8))]),
                    cause: namesOwnMap(reference, document) ? "maps" : nil)
            }
        })

    /// Whether the map is named after the script, as by bundlers.
    ///
    /// Then all maps are missing, and their names may be pure content hashes, which no baseline
    /// could recognize.
    private static func namesOwnMap(_ reference: Reference, _ document: DocumentContext) -> Bool {
        let path = reference.value.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        let name = path.split(separator: UInt8(ascii: "/")).last ?? []
        return name.elementsEqual(document.path.fileName + ".map".utf8)
    }
}
