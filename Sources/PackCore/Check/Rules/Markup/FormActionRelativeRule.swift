import PackProfile
import PackURL
import PackWeb

extension Rule {
    /// A form submitted to the handler.
    static let formActionRelative = Rule(
        "form-action-relative", group: .markup,
        level: .init(
            """
            error if the handler answers the requests for pages, and on Android does not leave \
            missing files to the network
            """
        ) { $0.isBoundToPackage ? .error : nil }, fix: .unsafe,
        document: { document, sink in
            let custom = document.profile.canonicalScheme
            for reference in document.references where reference.use == .submission {
                guard let url = reference.resolution.url, document.profile.handles(url),
                    reference.writtenScheme != custom,
                    let element = document.element(of: reference),
                    reference.fault == nil
                else { continue }
                let method = FormScan.method(element, document)
                if method == "dialog" || method == "get" && reference.resolution.file != nil {
                    continue
                }
                sink.report(
                    reference,
                    """
                    '\(reference.text)' is sent to the handler; the form's data is lost
                    """,
                    notes: document.site.hints(for: reference.resolution))
            }
            for (tag, isInNoscript) in FormScan.postsWithoutAction(document) {
                sink.report(
                    at: tag,
                    "without an action, the form is sent to the page's own URL, so to the handler",
                    severity: isInNoscript ? .hint : .warning)
            }
        })
}

private enum FormScan {
    static func method(_ element: HTMLElement, _ document: DocumentContext) -> String {
        let word =
            document.keyword("method", of: element) ?? document.keyword("formmethod", of: element)
        return word ?? "get"
    }

    /// Whether the tag at the start of a text may have the method `post`.
    ///
    /// Reading all tags of a page costs as much as all other rules for it.
    private static func mayPost(_ text: ArraySlice<UInt8>) -> Bool {
        var quote: UInt8?
        var last: UInt8 = 0
        var end = text.startIndex
        while end < text.endIndex, quote != nil || text[end] != UInt8(ascii: ">") {
            let byte = text[end]
            if byte == quote {
                quote = nil
            } else if quote == nil, byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                // Elsewhere it does not begin a value.
                guard last == UInt8(ascii: "=") else { return true }
                quote = byte
            }
            if byte > 0x20 { last = byte }
            end += 1
        }
        return !TextSearch.occurrences(of: Array("post".utf8), in: Array(text[..<end])).isEmpty
    }

    /// Start tags of POST forms without an action.
    static func postsWithoutAction(_ document: DocumentContext) -> [(Range<Int>, Bool)] {
        guard document.html != nil,
            TextSearch.occurrences(of: Array("<form".utf8), in: document.bytes).contains(
                where: { mayPost(document.bytes[$0...]) })
        else { return [] }
        var found: [(Range<Int>, Bool)] = []
        PageTags.visit(document.bytes) { page, reader, token, isInNoscript in
            guard token.name == "form", reader.attributes.first("onsubmit", in: page) == nil,
                reader.attributes.value(of: "method", in: page).map({ String(keyword: $0) })
                    == "post"
            else { return }
            let action = reader.attributes.value(of: "action", in: page)
            if action.map({ $0.allSatisfy { $0 <= 0x20 } }) ?? true {
                found.append((token.range, isInNoscript))
            }
        }
        return found
    }
}
