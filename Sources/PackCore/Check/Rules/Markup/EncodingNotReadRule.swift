import PackWeb

extension Rule {
    /// A file in an encoding not supported by the check.
    static let encodingNotRead = Rule(
        "encoding-not-read", group: .markup, level: .always(.warning),
        document: { document, sink in
            guard document.kind != .css,
                let name = document.site.encoding(of: document.index, document.text.source),
                !TranscodedText.canDecode(name)
            else { return }
            sink.report(
                at: document.html?.encoding.range,
                "the file is in '\(name)', which was not checked")
        })
}
