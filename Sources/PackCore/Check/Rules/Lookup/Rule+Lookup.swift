import PackProfile
import PackURL

extension Rule {
    /// Reports the failed requests for which `describe` returns a finding.
    ///
    /// Links are included in packaged pages, because the handler opens them.
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

extension DocumentContext {
    /// The severity of a missing file or service if the handler leaves it to the network, so that it
    /// is only missing offline; `nil` for other handlers.
    func severityOnline(_ path: some Collection<UInt8>) -> Severity? {
        guard !profile.isBoundToPackage else { return nil }
        let name = path.prefix { !"?#".utf8.contains($0) }
            .split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).last
        let parts = name?.split(separator: UInt8(ascii: ".")) ?? []
        guard parts.count > 1, let ending = parts.last else { return .hint }
        let isOfServer = ["php", "aspx", "asp", "jsp", "do", "cgi", "action"].contains {
            $0.utf8.elementsEqual(ending)
        }
        return isOfServer ? .hint : .warning
    }
}

extension LookupModel {
    /// Whether a reference makes the handler open a file: subresources always, links in
    /// packaged pages unless they point into the same page.
    static func isOpened(_ reference: Reference, _ document: DocumentContext) -> Bool {
        if reference.use.isFetched { return true }
        guard reference.use == .navigation, document.profile.hasPackagedPages else { return false }
        guard let url = reference.resolution.url, url.fragment != nil,
            url.path == document.url?.path
        else { return true }
        var plain = url
        plain.fragment = nil
        return plain != document.url
    }
}
