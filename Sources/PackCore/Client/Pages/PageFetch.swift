import PackProfile
import PackURL

/// A request to the network for a page, to be sent by the adapter.
///
/// The adapter sends exactly these headers and, if ``sendsCookies``, a `Cookie` header for ``url``
/// (``PageCookie``). It follows no redirect itself, stores `Set-Cookie` of every answer to ``url``,
/// and passes each answer to ``received(_:)``.
public struct PageFetch: Sendable {
    /// An https URL without a fragment.
    public let url: String
    public let method: String
    public let headers: [PageHeader]
    /// Whether the body of the page's request is sent.
    public let sendsBody: Bool
    /// Whether cookies are sent and stored.
    ///
    /// They are not if another site's page sent the request, or a redirect led to another host.
    public let sendsCookies: Bool

    let address: URLRecord
    let source: PageSource
    let scheme: String
    let isMainDocument: Bool
    let redirects: Int

    /// Headers of one connection, or set by the adapter.
    private static let notPassedOn: Set<String> = [
        "accept-encoding", "connection", "content-length", "cookie", "host", "keep-alive", "origin",
        "proxy-authorization", "proxy-connection", "referer", "te", "trailer", "transfer-encoding",
        "upgrade",
    ]

    init(_ route: PageSources.Route, _ address: URLRecord, scheme: String) {
        let request = route.request
        var headers = request.headers.without(Self.notPassedOn)
        // The server sees the request as one of its own https page.
        for name in ["Origin", "Referer"] {
            guard let value = request.headers.value(of: name.lowercased()) else { continue }
            if let own = Self.networkValue(value, route) {
                let text = name == "Origin" ? Self.origin(of: own) : own.href
                headers.append(PageHeader(name, text))
            } else if name == "Origin" {
                headers.append(PageHeader(name, value))
            }
        }
        self.init(
            address: address, method: request.method, headers: headers,
            sendsBody: request.hasBody, sendsCookies: Self.isOwn(request, route),
            source: route.source, scheme: scheme, isMainDocument: request.isMainDocument,
            redirects: 0)
    }

    private init(
        address: URLRecord, method: String, headers: [PageHeader], sendsBody: Bool,
        sendsCookies: Bool, source: PageSource, scheme: String, isMainDocument: Bool, redirects: Int
    ) {
        var address = address
        address.fragment = nil
        url = address.href
        self.address = address
        self.method = method
        self.headers = headers
        self.sendsBody = sendsBody
        self.sendsCookies = sendsCookies
        self.source = source
        self.scheme = scheme
        self.isMainDocument = isMainDocument
        self.redirects = redirects
    }

    /// The https URL of a URL with the source's scheme and host.
    private static func networkValue(_ text: String, _ route: PageSources.Route) -> URLRecord? {
        guard let url = URLRecord.parse(text), url.scheme == route.url.scheme,
            url.host?.inLowerCase == route.url.host?.inLowerCase
        else { return nil }
        return route.source.networkURL(of: url, route.profile) ?? route.source.networkURL
    }

    private static func origin(of url: URLRecord) -> String {
        let port = url.port.map { ":\($0)" } ?? ""
        return "https://\(String(decoding: url.host?.serialized ?? [], as: UTF8.self))\(port)"
    }

    /// Whether a page of this app sent the request: otherwise cookies would let another site act
    /// for the user.
    private static func isOwn(_ request: PageRequest, _ route: PageSources.Route) -> Bool {
        if let origin = request.headers.value(of: "origin"), networkValue(origin, route) == nil {
            return false
        }
        guard !request.isMainDocument, let page = request.page else { return true }
        guard let url = URLRecord.parse(page) else { return false }
        return url.scheme == route.url.scheme
    }

    /// Whether the web view has dropped the body, as WebKit does with files and blobs.
    ///
    /// A server could accept an upload without content as complete.
    static func hasLostBody(_ request: PageRequest) -> Bool {
        !request.hasBody && ["POST", "PUT", "PATCH"].contains(request.method)
            && request.headers.value(of: "content-type") != nil
    }

    // MARK: Answers of the network

    /// The next step after the head of an answer.
    public enum Step: Sendable {
        /// Pass this head and the body on to the page.
        case deliver(PageHead)
        /// Discard the body and send this request instead.
        case follow(PageFetch)
        /// Discard the body and answer with this.
        case answer(PageAnswer)
        /// Discard the body and fail.
        case fail(PageError)
    }

    private static let redirectLimit = 20

    /// Decides what follows an answer to ``url``.
    ///
    /// - Parameter head: The answer, whose body the transport decodes.
    public func received(_ head: PageHead) -> Step {
        guard [301, 302, 303, 307, 308].contains(head.status),
            let location = head.headers.value(of: "location")
        else { return .deliver(delivered(head)) }
        guard redirects < Self.redirectLimit else {
            return .fail(PageError("redirects", "more than \(Self.redirectLimit) redirects"))
        }
        guard let target = URLRecord.parse(location, base: address) else {
            return .fail(PageError("redirect", "the redirect of \(url) is not a URL"))
        }
        let becomesGET =
            head.status == 303 && !["GET", "HEAD"].contains(method)
            || [301, 302].contains(head.status) && method == "POST"
        if isMainDocument, becomesGET || method == "GET" { return .answer(opening(target)) }
        guard target.scheme.elementsEqual("https".utf8) else {
            return .fail(PageError("redirect", "the redirect of \(url) does not lead to https"))
        }
        return .follow(redirected(to: target, becomesGET: becomesGET))
    }

    /// The head without the headers handled by the transport.
    private func delivered(_ head: PageHead) -> PageHead {
        var dropped: Set<String> = [
            "connection", "content-encoding", "keep-alive", "set-cookie", "set-cookie2",
            "transfer-encoding",
        ]
        if head.headers.value(of: "content-encoding") != nil { dropped.insert("content-length") }
        return PageHead(status: head.status, headers: head.headers.without(dropped))
    }

    private func redirected(to target: URLRecord, becomesGET: Bool) -> PageFetch {
        var dropped: Set<String> = []
        if becomesGET {
            dropped = ["content-encoding", "content-language", "content-location", "content-type"]
        }
        let leavesHost = target.host != address.host || target.port != address.port
        if leavesHost { dropped.insert("authorization") }
        return PageFetch(
            address: target, method: becomesGET ? "GET" : method,
            headers: headers.without(dropped), sendsBody: sendsBody && !becomesGET,
            sendsCookies: sendsCookies && !leavesHost, source: source, scheme: scheme,
            isMainDocument: isMainDocument, redirects: redirects + 1)
    }

    /// A page for opening the target of a redirect.
    ///
    /// A scheme handler cannot redirect: with the target's content under the old URL, the page's
    /// relative references would miss.
    private func opening(_ target: URLRecord) -> PageAnswer {
        let url = (source.pageURL(of: target, scheme: scheme) ?? target).href
        var escaped = ""
        for character in url.unicodeScalars {
            switch character {
            case "&": escaped += "&amp;"
            case "\"": escaped += "&quot;"
            case "<": escaped += "&lt;"
            default: escaped.unicodeScalars.append(character)
            }
        }
        let refresh = "<meta http-equiv=\"refresh\" content=\"0;url=\(escaped)\">"
        return PageAnswer(
            200, "<!doctype html><meta charset=\"utf-8\">\(refresh)",
            type: "text/html; charset=utf-8",
            isHead: false)
    }
}
