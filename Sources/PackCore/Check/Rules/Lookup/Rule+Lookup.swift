import PackProfile
import PackURL

extension Rule {
    /// Reports the failed requests for which `describe` returns a finding.
    ///
    /// Links are included in pages loaded over the custom scheme, because the handler opens them.
    static func misses(
        _ describe:
            @escaping @Sendable (LookupModel.Cause, Reference, DocumentContext) -> FaultReport?
    ) -> @Sendable (DocumentContext, inout FindingSink) -> Void {
        { document, sink in
            for reference in document.references where reference.isEffective {
                guard reference.resolution.isMiss, LookupModel.isOpened(reference, document),
                    reference.fault == nil
                else { continue }
                let cause = reference.miss(in: document.site).cause
                guard let report = describe(cause, reference, document) else { continue }
                sink.report(
                    reference, report.message,
                    notes: document.site.hints(for: reference.resolution),
                    fix: report.meant.flatMap { document.fix(report.safety, reference, to: $0) },
                    cause: report.cause, setting: report.setting)
            }
        }
    }
}

extension LookupModel {
    /// Whether a reference makes the handler open a file: subresources always, links in
    /// custom-scheme pages unless they point into the same page.
    static func isOpened(_ reference: Reference, _ document: DocumentContext) -> Bool {
        if reference.use.isFetched { return true }
        guard reference.use == .navigation, document.profile.hasCustomPages else { return false }
        guard let url = reference.resolution.url, url.fragment != nil,
            url.path == document.url?.path
        else { return true }
        var plain = url
        plain.fragment = nil
        return plain != document.url
    }
}
