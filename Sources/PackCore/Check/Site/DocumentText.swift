package import PackWeb

/// The text of a file as decoded by the web view, in UTF-8.
///
/// Rules work with offsets in the decoded text; findings and edits are mapped back to the file
/// here.
package struct DocumentText: Sendable {
    /// The bytes of the file.
    package let source: [UInt8]
    /// `nil` if the file is read without transcoding.
    package let transcoded: TranscodedText?

    init(_ source: [UInt8], encoding: String? = nil) {
        self.source = source
        transcoded = encoding.flatMap { TranscodedText(source, encoding: $0) }
    }

    /// The text in UTF-8.
    package var bytes: [UInt8] { transcoded?.bytes ?? source }

    /// Maps a range of the text to the file.
    package func sourceRange(of range: Range<Int>) -> Range<Int> {
        transcoded?.sourceRange(of: range) ?? range
    }
}

extension SiteIndex {
    /// Decodes a document with its declared encoding, or the one inherited from a page.
    package func text(of index: Int, _ bytes: [UInt8]) -> DocumentText {
        DocumentText(bytes, encoding: encoding(of: index, bytes))
    }

    /// The encoding according to the Encoding standard, if declared; data is always UTF-8.
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
