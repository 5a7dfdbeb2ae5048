import PackWeb

extension Rule {
    /// A page that does not declare its encoding.
    static let missingCharset = Rule(
        "missing-charset", "the page does not declare its encoding", group: .markup,
        level: .always(.error), fix: .safe,
        explanation: .init(
            what:
                """
                Finds pages without a byte order mark and without `<meta charset>` in their \
                head or their first 1024 bytes.
                """,
            why: """
                A server declares the encoding in a header; the seed003 handler sends none. The \
                web view guesses, and non-ASCII characters may be displayed wrong.
                """,
            sources: [
                .cite(.s003, "textEncodingName:nil"),
                .cite(.htmlStandard, "encoding sniffing algorithm"),
                .cite(.encodingStandard, "names and labels"), .proof("missing-charset"),
            ],
            instead: "Write `<meta charset=\"utf-8\">` first in `head`.",
            detection: """
                The standard's prescan is applied, and as in WebKit to the whole head; an \
                ASCII-only page is a hint.
                """),
        examples: [
            .bad(
                "index.html", "<!doctype html><html><head><title>caf\u{E9}</title></head></html>",
                silent: [.byteOrderMark], except: [.comment, .string]),
            .bad(
                "index.html", "<!doctype html><html><head><title>x</title></head></html>",
                "ASCII only: a hint", silent: [.byteOrderMark], except: [.comment, .string]),
            .bad(
                "index.html", "<head><meta charset=\"↓utf8mb4\"><title>caf\u{E9}</title></head>",
                "no such encoding", silent: [.byteOrderMark], except: [.comment, .string]),
            .good(
                "index.html",
                "<!doctype html><html><head><meta charset=\"utf-8\"><title>caf\u{E9}</title></head></html>"
            ),
            .good(
                "index.html",
                "<head><!--\(String(repeating: "x", count: 1100))--><meta charset=\"utf-8\"><title>caf\u{E9}</title></head>",
                "late, but in the head"),
            .bad(
                "index.html",
                "<body><!--\(String(repeating: "x", count: 1100))-->↓<meta charset=\"utf-8\">caf\u{E9}",
                "after the head", silent: [.byteOrderMark], except: [.comment, .string]),
            .good(
                "part.html", "<p>caf</p>", "a fragment that a script inserts, not a page"),
        ],
        document: { document, sink in
            guard document.kind == .html, let html = document.html,
                html.encoding.source == .undeclared, MissingCharset.isPage(document),
                // In a frame it is read like the page around it.
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
            let fix = MissingCharset.fix(document, isUTF8: late == nil)
            sink.report(
                at: late,
                late == nil
                    ? "the page does not declare its encoding"
                    : "this declaration is after the head and the first 1024 bytes, where browsers do not look",
                fix: fix, severity: isASCII ? .hint : nil)
        })
}

private enum MissingCharset {
    /// Whether the file is a page and not a fragment that a script inserts.
    static func isPage(_ document: DocumentContext) -> Bool {
        if document.html?.doctype != nil || isUTF16(document.bytes) { return true }
        return ["<html", "<head", "<body"].contains {
            !TextSearch.occurrences(of: Array($0.utf8), in: document.bytes).isEmpty
        }
    }

    /// UTF-16 without a byte order mark, which no declaration can say.
    private static func isUTF16(_ bytes: [UInt8]) -> Bool {
        let start = bytes.prefix(2)
        return start.elementsEqual([0x3C, 0]) || start.elementsEqual([0, 0x3C])
    }

    /// The declaration after `<head>`, where the bytes are UTF-8.
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
