import PackGround
import PackProfile

extension Rule {
    /// A missing file named in data.
    static let dataMissingFile = Rule(
        "data-missing-file", group: .data, level: .always(.warning),
        document: { document, sink in
            guard !document.dataPaths.isEmpty else { return }
            let strings = PathStrings(document.dataPaths, in: document.site)
            var seen: Set<[UInt8]> = []
            for item in strings.items where item.isMissing {
                guard let evidence = strings.evidence(for: item),
                    document.resolve(item.path).isMiss, seen.insert(item.path).inserted
                else { continue }
                sink.report(
                    at: item.range, "'\(printable(item.path))' is not in the package",
                    notes: [evidence.note])
            }
        })
}
