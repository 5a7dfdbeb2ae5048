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

    /// Start tags of POST forms without an action.
    static func postsWithoutAction(_ document: DocumentContext) -> [(Range<Int>, Bool)] {
        guard document.html != nil,
            TextSearch.occurrences(of: Array("<form".utf8), in: document.bytes).contains(
                where: { mayBePostWithoutAction($0, document.bytes) })
        else { return [] }
        var found: [(Range<Int>, Bool)] = []
        PageTags.visit(document.bytes) { page, reader, token, isInNoscript in
            if isPostWithoutAction(page, reader, token) {
                found.append((token.range, isInNoscript))
            }
        }
        return found
    }

    private static let longestTag = 1024

    /// Whether a tag at an offset is such a start tag, wherever in the page it is.
    ///
    /// Reading all tags of a page takes as long as most other rules together.
    private static func mayBePostWithoutAction(_ offset: Int, _ bytes: [UInt8]) -> Bool {
        let page = bytes.span
        var reader = HTMLReader(range: offset..<min(bytes.count, offset + longestTag))
        guard let token = reader.next(in: page), token.kind == .startTag else { return true }
        return isPostWithoutAction(page, reader, token)
    }

    private static func isPostWithoutAction(
        _ page: Span<UInt8>, _ reader: HTMLReader, _ token: HTMLToken
    ) -> Bool {
        guard token.name == "form", reader.attributes.first("onsubmit", in: page) == nil,
            reader.attributes.value(of: "method", in: page).map({ String(keyword: $0) }) == "post"
        else { return false }
        let action = reader.attributes.value(of: "action", in: page)
        return action.map { $0.allSatisfy { $0 <= 0x20 } } ?? true
    }
}
