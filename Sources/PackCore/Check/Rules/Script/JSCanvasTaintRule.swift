extension Rule {
    /// A canvas that an image makes unreadable.
    static let jsCanvasTaint = Rule(
        "js-canvas-taint", "a canvas with packaged images cannot be read", group: .script,
        level: .init("warning where images may have another web origin than the page") {
            $0.hasSecurePages || $0.hosts.count > 1 && !$0.client.sendsCORS ? .warning : nil
        },
        explanation: .init(
            what: "Finds toDataURL, toBlob, getImageData and texImage2D, once for each file.",
            why: """
                An image from the custom scheme in an https page, or from another host of the \
                scheme, taints the canvas unless the handler sends Access-Control-Allow-Origin: \
                reading it throws a SecurityError.
                """,
            sources: [.cite(.htmlStandard, "origin-clean flag"), .proof("js-canvas-taint")],
            instead: "Use images from the page's own host, or have the handler send the header.",
            detection: "Calls of these members are reported."),
        examples: [
            .bad("app.js", "c.↓toDataURL()", profile: Example.profile.with(pageOrigin: .https)),
            .good("app.js", "c.toDataURL()"),
        ],
        document: { document, sink in
            sink.reportFirst(document.facts(.canvasRead)) {
                "\($0.fact.detail) throws after an image of another web origin was drawn"
            }
        })
}
