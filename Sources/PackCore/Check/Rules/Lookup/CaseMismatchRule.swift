import PackGround
import PackProfile

extension Rule {
    /// A reference whose letter case differs from the file's name.
    static let caseMismatch = Rule(
        "case-mismatch", group: .lookup, level: .always(.error), fix: .safe,
        document: misses { cause, reference, document in
            guard case .letterCase(let file) = cause else { return nil }
            let path = document.site.path(file)
            return FaultReport(
                message: "the file is named '\(printable(path.bytes))'",
                meant: ReferenceAddress.of(path, insteadOf: reference, in: document.site))
        })
}
