import PackWeb

extension Rule {
    /// A page that does not say how it is encoded.
    static let missingCharset = Rule(
        "missing-charset", "the page does not say how it is encoded", group: .markup,
        level: .always(.error), fix: .safe,
        explanation: .init(
            what:
                "Finds pages without byte order mark and without meta charset in their first 1024 bytes.",
            why: """
                A server says it in a header; the handler of the seed sends none. The web view guesses, \
                and every letter outside ASCII can come out wrong.
                """,
            source: "S003 (textEncodingName:nil); HTML standard, encoding sniffing algorithm",
            instead: "Write <meta charset=\"utf-8\"> first in head.",
            detection: "The standard's prescan; a page of ASCII alone is a warning."),
        examples: [
            .bad(
                "index.html", "<!doctype html><html><head><title>caf\u{E9}</title></head></html>",
                silent: [.byteOrderMark], except: [.comment, .string]),
            .bad(
                "index.html", "<!doctype html><html><head><title>x</title></head></html>",
                "ASCII alone: a warning", silent: [.byteOrderMark], except: [.comment, .string]),
            .bad(
                "index.html", "<head><meta charset=\"↓utf8mb4\"><title>caf\u{E9}</title></head>",
                "no such encoding", silent: [.byteOrderMark], except: [.comment, .string]),
            .good(
                "index.html",
                "<!doctype html><html><head><meta charset=\"utf-8\"><title>caf\u{E9}</title></head></html>"
            ),
            .good(
                "part.html", "<p>caf</p>", "a fragment for scripts: no page of its own"),
        ],
        document: { document, sink in
            guard document.kind == .html, let html = document.html,
                html.encoding.source == .undeclared, MissingCharset.isPage(document)
            else { return }
            let isASCII = document.bytes.allSatisfy { $0 < 0x80 }
            let late = html.encodingDeclarations.first.map { html.elements[$0].tag }
            if let label = html.encoding.unknownLabel {
                sink.report(
                    at: label,
                    "there is no encoding '\(printable(document.bytes[label]))'",
                    severity: isASCII ? .warning : nil)
                return
            }
            let fix = MissingCharset.fix(document, isUTF8: late == nil)
            sink.report(
                at: late,
                late == nil
                    ? "nothing says how this page is encoded"
                    : "this comes after the first 1024 bytes, where nobody looks",
                fix: fix, severity: isASCII ? .warning : nil)
        })
}

private enum MissingCharset {
    /// Whether the file is a page and not a piece of one that scripts insert.
    static func isPage(_ document: DocumentContext) -> Bool {
        if document.html?.doctype != nil { return true }
        return ["<html", "<head", "<body"].contains {
            !TextSearch.occurrences(of: Array($0.utf8), in: document.bytes).isEmpty
        }
    }

    /// The declaration behind `<head>`, where the bytes are UTF-8.
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
