package import PackWeb

/// The text of a file as the web view reads it: decoded to UTF-8 where it is in another encoding.
///
/// All positions that rules see are those of the decoded text; findings and edits are brought back to the
/// bytes of the file here.
package struct DocumentText: Sendable {
    /// The bytes of the file.
    package let source: [UInt8]
    /// `nil` where the bytes of the file are read as they are.
    package let transcoded: TranscodedText?

    init(_ source: [UInt8], encoding: String? = nil) {
        self.source = source
        transcoded = encoding.flatMap { TranscodedText(source, encoding: $0) }
    }

    /// In UTF-8.
    package var bytes: [UInt8] { transcoded?.bytes ?? source }

    /// The bytes of the file for some bytes of the text.
    package func sourceRange(of range: Range<Int>) -> Range<Int> {
        transcoded?.sourceRange(of: range) ?? range
    }
}

extension SiteIndex {
    /// The text of a document: in the encoding that the file declares, or inherits from a page.
    package func text(of index: Int, _ bytes: [UInt8]) -> DocumentText {
        DocumentText(bytes, encoding: encoding(of: index, bytes))
    }

    /// The encoding by the Encoding standard, where one is declared; data is always UTF-8.
    func encoding(of index: Int, _ bytes: [UInt8]) -> String? {
        switch files[index].kind {
        case .html:
            HTMLEncoding(of: bytes.span).name ?? inheritedEncodings.encoding(of: index)
        case .svg: HTMLEncoding(of: bytes.span).name
        case .css:
            CSSEncoding.detect(
                bytes.span, environmentLabel: inheritedEncodings.encoding(of: index)
            ).name
        case .script:
            HTMLEncoding.byteOrderMark(bytes.span)?.name
                ?? inheritedEncodings.encoding(of: index)
        default: nil
        }
    }
}
