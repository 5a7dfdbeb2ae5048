import PackGround
import PackProfile
import PackWeb

extension Rule {
    /// A comment that names a source map.
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

    /// Whether the map is named after the script, as bundlers name it: then all maps were left out of the
    /// build, and their names may be content hashes alone, which no baseline could recognize.
    private static func namesOwnMap(_ reference: Reference, _ document: DocumentContext) -> Bool {
        let path = reference.value.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        let name = path.split(separator: UInt8(ascii: "/")).last ?? []
        return name.elementsEqual(document.path.fileName + ".map".utf8)
    }
}
