import PackGround
import PackProfile
import PackWeb

extension Rule {
    /// An import map address without a file.
    package static let importmapUnresolved = Rule(
        "importmap-unresolved", group: .data, level: .always(.error), fix: .safe,
        document: { document, sink in
            for reference in document.references where reference.kind == .data(.importMap) {
                if !DocumentReader.isAddress(reference.value) {
                    let fixed = Array("./".utf8) + reference.value
                    let isPackaged = document.resolve(fixed).file != nil
                    sink.report(
                        reference,
                        """
                        '\(reference.text)' is not a valid address; it needs a leading './'
                        """,
                        fix: isPackaged
                            ? document.safeFix(
                                reference, to: String(decoding: fixed, as: UTF8.self)) : nil)
                }
            }
        },
        site: { context, sink in
            let hasSystem = context.summaries.contains { !$0.modules.systemLost.isEmpty }
            let systemNames: Set<[UInt8]> =
                hasSystem
                ? context.summaries.reduce(into: []) { $0.formUnion($1.systemNames) } : []
            for page in context.summaries {
                for entry in page.modules.systemLost {
                    sink.report(
                        file: page.index, at: entry.range,
                        "'\(printable(entry.address))' is not in the package",
                        severity: entry.isImported(by: systemNames) ? nil : .hint)
                }
            }
            for page in context.summaries where !page.modules.lost.isEmpty {
                let (_, names, composes) = ModuleWalk.walk(from: page, in: context)
                for entry in page.modules.lost {
                    sink.report(
                        file: page.index, at: entry.range,
                        "'\(printable(entry.address))' is not in the package",
                        severity: entry.isImported(by: names)
                            ? nil : composes ? .warning : .hint)
                }
            }
        })
}
