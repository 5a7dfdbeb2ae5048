import PackWeb

extension Rule {
    /// A canvas that an image closes.
    static let jsCanvasTaint = Rule(
        "js-canvas-taint", "a canvas with packaged images cannot be read", group: .script,
        level: .init("warning where images can be of another origin than the page") {
            $0.hasSecurePages || $0.hosts.count > 1 && !$0.client.sendsCORS ? .warning : nil
        },
        explanation: .init(
            what: """
                Finds toDataURL, toBlob, getImageData and texImage2D, once for each file.
                """,
            why: """
                An image from the custom scheme in an https page, or from another host of the \
                scheme, taints the canvas unless the handler sends Access-Control-Allow-Origin: \
                reading it throws SecurityError.
                """,
            source: "HTML 4.12.5 (origin-clean flag)",
            instead: """
                Use images of the page's own host, or let the handler send the header.
                """,
            detection: "Calls of these members."),
        examples: [
            .bad("app.js", "c.↓toDataURL()", profile: Example.profile.with(pageOrigin: .https)),
            .good("app.js", "c.toDataURL()"),
        ],
        document: { document, sink in
            sink.reportFirst(document.facts(.canvasRead)) {
                "\($0.fact.detail) throws once an image of another origin was drawn"
            }
        })
}
