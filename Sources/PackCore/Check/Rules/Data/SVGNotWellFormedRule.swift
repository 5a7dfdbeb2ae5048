import PackWeb

extension Rule {
    /// An SVG file rejected by XML parsers.
    static let svgNotWellFormed = Rule(
        "svg-not-well-formed", group: .data, level: .always(.warning),
        document: { document, sink in
            guard document.kind == .svg, let fault = XMLFault.first(in: document.bytes.span) else {
                return
            }
            // Webpack may write a module under the name of the image from which it was made.
            let isMarkup = document.bytes.first { $0 > 0x20 } == UInt8(ascii: "<")
            sink.report(
                at: fault.offset..<(fault.offset + 1), fault.message,
                cause: isMarkup || document.bytes.first == 0xEF ? nil : "no markup")
        })
}
