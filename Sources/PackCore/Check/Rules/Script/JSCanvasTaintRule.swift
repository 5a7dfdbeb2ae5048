import PackProfile
import PackWeb

extension Rule {
    /// A canvas made unreadable by an image.
    static let jsCanvasTaint = Rule(
        "js-canvas-taint", group: .script,
        level: .init("warning if images may have another web origin than the page") {
            $0.hasSecurePages || $0.hosts.count > 1 && !$0.client.sendsCORS ? .warning : nil
        },
        document: { document, sink in
            sink.reportFirst(document.facts(.canvasRead)) {
                "\($0.fact.detail) throws after an image of another web origin was drawn"
            }
        })
}
