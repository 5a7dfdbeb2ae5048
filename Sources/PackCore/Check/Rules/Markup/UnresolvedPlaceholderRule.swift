import PackProfile
import PackWeb

extension Rule {
    /// A placeholder that the build should have replaced.
    static let unresolvedPlaceholder = Rule(
        "unresolved-placeholder", group: .markup, level: .always(.error),
        document: { document, sink in
            for reference in document.references {
                guard Placeholder.isReported(reference),
                    let word = Placeholder.of(reference.value, reference.resolution)
                else { continue }
                // A library fills in the names.
                if case .script = reference.kind,
                    let pattern = PathPattern(JavaScriptLiteralShape.pattern(reference.value)),
                    pattern.fits(in: document.site)
                {
                    continue
                }
                sink.report(
                    reference, "the placeholder '\(word)' was not replaced",
                    severity: reference.isRarelyMissed ? .hint : nil, cause: word)
            }
            sink.reportFirst(document.facts(.serverTemplate)) { _ in
                "the script contains a placeholder of a server template, so nothing in it runs"
            }
        })
}
