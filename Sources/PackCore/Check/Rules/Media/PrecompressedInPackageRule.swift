import PackGround
import PackProfile

extension Rule {
    /// `.gz` and `.br` copies of files.
    static let precompressedInPackage = Rule(
        "precompressed-in-package", group: .media, level: .always(.warning),
        site: { context, sink in
            let inner: Set<String> = ContentSignature.text.union([
                "txt", "xml", "wasm", "ttf", "otf", "ico",
            ])
            for (index, file) in context.site.files.enumerated() {
                let ending = file.path.fileEnding
                guard SiteIndex.compressedEndings.contains(ending),
                    let base = try? AssetPath(
                        Array(file.path.bytes.dropLast(ending.utf8.count + 1))),
                    inner.contains(base.fileEnding)
                else { continue }
                sink.report(
                    file: index,
                    """
                    no handler sends Content-Encoding, so this copy cannot be used
                    """, cause: "copies",
                    // Do not propose to exclude the only copy: a page may need its content.
                    setting: context.site.listing.index(of: base.bytes) == nil
                        ? nil
                        : SettingProposal(
                            "exclude", adding: ["**/*.\(base.fileEnding).\(ending)"]))
            }
        })
}
