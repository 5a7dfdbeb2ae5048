import PackGround
import PackProfile

extension Rule {
    /// A reference whose Unicode normal form differs from the file's name.
    static let unicodeNormalization = Rule(
        "unicode-normalization", group: .lookup, level: .always(.error), fix: .unsafe,
        document: misses { cause, reference, document in
            guard case .normalization(let file) = cause else { return nil }
            let path = document.site.path(file)
            return FaultReport(
                message: "the file '\(printable(path.bytes))' is in another Unicode normal form",
                meant: ReferenceAddress.of(path, insteadOf: reference, in: document.site),
                safety: .unsafe)
        },
        site: { context, sink in
            for (index, file) in context.site.files.enumerated()
            where file.path.portabilityProblem == .notComposed {
                sink.report(file: index, "the name is not in Unicode normal form C")
            }
        })
}
