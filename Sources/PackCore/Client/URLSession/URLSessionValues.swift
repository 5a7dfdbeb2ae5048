import Foundation
import PackGround
import PackOrigin

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension URLRequest {
    /// - Throws: ``HTTPFailure`` for an upload, or a URL that Foundation rejects.
    init(_ request: HTTPRequest, userAgent: String) throws {
        guard request.body == nil, request.method == .get || request.method == .head else {
            throw HTTPFailure(.impossible, "this transport only downloads")
        }
        guard var parts = URLComponents(string: request.url), let url = parts.url else {
            throw HTTPFailure(.impossible, "the system rejects the address")
        }
        var headers = [
            HTTPHeader("User-Agent", userAgent),
            // Otherwise the system adds its language and its encodings.
            HTTPHeader("Accept-Language", "*"), HTTPHeader("Accept-Encoding", "identity"),
        ]
        let (user, password) = (parts.user, parts.password)
        if user != nil || password != nil {
            // The system would send them only after an answer 401.
            let credentials = Data("\(user ?? ""):\(password ?? "")".utf8).base64EncodedString()
            headers.append(HTTPHeader("Authorization", "Basic \(credentials)"))
            (parts.user, parts.password) = (nil, nil)
        }
        self.init(url: parts.url ?? url)
        httpMethod = request.method.rawValue
        httpShouldHandleCookies = false
        for header in headers + request.headers {
            setValue(header.value, forHTTPHeaderField: header.name)
        }
    }
}

extension HTTPHead {
    /// Sorts the headers by name.
    ///
    /// The system has joined equal ones by commas.
    init(_ response: HTTPURLResponse) {
        let headers = response.allHeaderFields.compactMap { name, value in
            (name as? String).flatMap { name in
                (value as? String).map { HTTPHeader(name, $0) }
            }
        }
        self.init(
            status: response.statusCode, headers: headers.sorted { $0.name < $1.name })
    }
}

extension HTTPFailure {
    static let tooSlow = HTTPFailure(
        .tooSlow, "no connection in time, or less than 1 KiB/s for too long")

    /// The cause of a session's error.
    ///
    /// - Parameter hasHead: Whether the head of an answer has arrived.
    init(_ error: any Error, hasHead: Bool) {
        let text = (error as NSError).localizedDescription
        var code = (error as? URLError)?.code ?? .unknown
        // On Linux, any error has this code if the first of several addresses was unreachable.
        if hasHead, code == .cannotConnectToHost { code = .unknown }
        let kind = code == .unknown ? Self.kind(ofText: text) : Self.kind(of: code)
        let reason =
            switch code {
            case .cannotFindHost, .dnsLookupFailed: "its host name is not known here"
            case .cannotConnectToHost: "nothing accepts the connection"
            default: kind == .tooSlow ? Self.tooSlow.reason : text
            }
        self.init(kind, printable(reason.utf8.prefix(300)))
    }

    private static func kind(of code: URLError.Code) -> Kind {
        switch code {
        case .cannotFindHost, .dnsLookupFailed, .cannotConnectToHost, .notConnectedToInternet,
            .dataNotAllowed, .internationalRoamingOff, .callIsActive, .secureConnectionFailed:
            .unreachable
        case .serverCertificateUntrusted, .serverCertificateHasBadDate,
            .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid,
            .clientCertificateRejected, .clientCertificateRequired:
            .certificate
        case .timedOut: .tooSlow
        case .badURL, .unsupportedURL, .appTransportSecurityRequiresSecureConnection: .impossible
        default: .interrupted
        }
    }

    /// The kind of an error without a code.
    ///
    /// Foundation on Linux passes on many errors of libcurl as text alone.
    private static func kind(ofText text: String) -> Kind {
        func has(_ part: String) -> Bool { text.contains(part) }
        if has("CONNECT"), has("response 4") { return .proxy }
        if has("certificate"), !has("alert") { return .certificate }
        if has("SSL_connect") || has("TLS connect") || has("resolve proxy")
            || has("Failed to connect")
        {
            return .unreachable
        }
        return .interrupted
    }
}
