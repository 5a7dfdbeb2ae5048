import PackGround
import PackProfile

extension Rule {
    /// A request in a frame without the page's web origin.
    static let frameOrigin = Rule(
        "frame-origin", group: .security,
        level: .init("error if the handler sends no CORS headers") {
            $0.client.sendsCORS ? nil : .error
        },
        site: { context, sink in
            var seen: Set<Int> = []
            for summary in context.summaries {
                for link in summary.links
                where link.traits.contains(.opaqueOrigin) && link.isFromPackage
                    && !link.traits.contains(.inTemplate) && seen.insert(link.target).inserted
                {
                    let page = context.site.path(summary.index)
                    for request in context.summary(of: link.target)?.corsRequests ?? [] {
                        sink.report(
                            file: link.target, at: request.range,
                            """
                            '\(request.text)' is refused in a frame with 'sandbox' and without \
                            'allow-same-origin'
                            """,
                            notes: ["the frame is in '\(printable(page.bytes))'"],
                            severity: request.isSpare ? .warning : nil)
                    }
                }
            }
        })
}
