import PackGround
import PackProfile
import PackWeb

extension Rule {
    /// A page without a declared encoding.
    static let missingCharset = Rule(
        "missing-charset", group: .markup,
        level: .init("error, on Android a warning, or a hint for a page in UTF-8") {
            $0.platform == .android ? .warning : .error
        }, fix: .safe,
        document: { document, sink in
            guard document.kind == .html, let html = document.html,
                html.encoding.source == .undeclared, MissingCharset.isPage(document),
                // A framed page inherits the encoding of the outer page.
                document.site.encoding(of: document.index, document.text.source) == nil
            else { return }
            let isASCII = document.bytes.allSatisfy { $0 < 0x80 && $0 > 0 }
            let late = html.encodingDeclarations.first.map { html.elements[$0].tag }
            if let label = html.encoding.unknownLabel {
                sink.report(
                    at: label,
                    "'\(printable(document.bytes[within: label]))' is not a known encoding",
                    severity: isASCII ? .hint : nil)
                return
            }
            // The default of an Android WebView is UTF-8.
            let isRead =
                document.profile.platform == .android
                && String(validating: document.bytes, as: UTF8.self) != nil
            let fix = MissingCharset.fix(document, isUTF8: late == nil)
            sink.report(
                at: late,
                late == nil
                    ? "the page does not declare its encoding"
                    : "this declaration is after the head and the first 1024 bytes, so browsers ignore it",
                fix: fix, severity: isASCII || isRead ? .hint : nil)
        })
}

private enum MissingCharset {
    /// Whether the file is a page, not a fragment inserted by a script.
    static func isPage(_ document: DocumentContext) -> Bool {
        if document.html?.doctype != nil || isUTF16(document.bytes) { return true }
        return ["<html", "<head", "<body"].contains {
            !TextSearch.occurrences(of: Array($0.utf8), in: document.bytes).isEmpty
        }
    }

    /// UTF-16 without a byte order mark, which no declaration can express.
    private static func isUTF16(_ bytes: [UInt8]) -> Bool {
        let start = bytes.prefix(2)
        return start.elementsEqual([0x3C, 0]) || start.elementsEqual([0, 0x3C])
    }

    /// Inserts the declaration after `<head>` if the bytes are UTF-8.
    static func fix(_ document: DocumentContext, isUTF8: Bool) -> Fix? {
        guard isUTF8, String(validating: document.bytes, as: UTF8.self) != nil else { return nil }
        var position: Int?
        PageTags.visit(document.bytes) { _, _, token, _ in
            if position == nil, token.name == "head" { position = token.range.upperBound }
        }
        guard let position, position < HTMLEncoding.prescanLength - 64 else { return nil }
        return Fix(
            .safe, "insert <meta charset=\"utf-8\">",
            edits: [ByteEdit(position..<position, "<meta charset=\"utf-8\">")])
    }
}
