import PackProfile
import PackWeb

extension Rule {
    /// A subresource of a page that the handler does not find.
    static let missingFile = Rule(
        "missing-file", group: .lookup, level: .always(.error),
        document: { document, sink in
            var fragments = SVGFragments(document)
            for reference in document.references
            where reference.htmlKind != nil || reference.kind == .data(.xmlStyleSheet) {
                // Web views do not load these.
                if reference.htmlKind == .manifest || reference.htmlKind == .applicationCache {
                    continue
                }
                if fragments.isMissing(reference) {
                    sink.report(
                        reference, "'\(reference.text)' names an element that does not exist there")
                    continue
                }
                guard reference.use.isFetched, reference.isEffective,
                    LookupModel.isPlainMiss(reference, in: document.site)
                else { continue }
                sink.report(
                    reference, LookupModel.missMessage(reference, in: document.site),
                    notes: document.site.hints(for: reference.resolution),
                    cause: document.site.targetName(reference.resolution).map { "file \($0)" })
            }
        })
}
