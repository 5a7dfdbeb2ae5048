import PackGround

/// A request as a transport sends it: everything that is signed or cached by is stated here.
package struct HTTPRequest: Equatable, Sendable {
    package enum Method: String, Sendable {
        case get = "GET"
        case head = "HEAD"
        case put = "PUT"
        case delete = "DELETE"
    }

    package var method: Method
    /// May contain user information and a query: it is never shown as it is.
    package var url: String
    package var headers: [HTTPHeader]
    package var body: HTTPBody?

    package init(
        _ method: Method = .get, _ url: String, headers: [HTTPHeader] = [], body: HTTPBody? = nil
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
    }
}

/// A header's name and value.
package struct HTTPHeader: Equatable, Sendable {
    package let name: String
    package let value: String

    package init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}

/// Status and headers of an answer.
package struct HTTPHead: Equatable, Sendable {
    package let status: Int
    package let headers: [HTTPHeader]

    package init(status: Int, headers: [HTTPHeader]) {
        self.status = status
        self.headers = headers
    }

    /// The value of a header's first occurrence.
    package subscript(_ name: String) -> String? {
        let wanted = name.lowercased()
        return headers.first { $0.name.lowercased() == wanted }?.value
    }

    package var isSuccess: Bool { (200...299).contains(status) }

    /// Nothing is at the place, for everybody or for this user; buckets without the right to list answer 403.
    package var meansMissing: Bool { [403, 404, 410].contains(status) }

    package var isRedirect: Bool { [301, 302, 303, 307, 308].contains(status) }

    /// The content length that is stated, where it is a number.
    package var length: UInt64? { self["content-length"].flatMap { UInt64($0) } }

    /// Whether caches on the way must leave the bytes as they are.
    package var forbidsTransforms: Bool {
        self["cache-control"]?.lowercased().contains("no-transform") ?? false
    }

    /// The content encoding, where the body is not the file itself.
    package var encoding: String? {
        guard let encoding = self["content-encoding"]?.lowercased(), !encoding.isEmpty,
            encoding != "identity"
        else { return nil }
        return encoding
    }

    /// What the operator of a server or CDN needs to find the request in the logs.
    package var requestName: String? {
        for name in ["x-amz-request-id", "cf-ray", "x-amz-cf-id", "x-request-id", "x-served-by"] {
            if let value = self[name] { return "\(name) \(printable(value.utf8.prefix(100)))" }
        }
        return nil
    }

    /// The media type says that it is a page.
    package var isPage: Bool {
        self["content-type"]?.lowercased().hasPrefix("text/html") ?? false
    }
}

/// Gets an answer as it arrives, on the transport's own thread.
package protocol HTTPSink: AnyObject, Sendable {
    /// The most bytes of content that it takes.
    ///
    /// A transport ends an answer whose bytes on the wire exceed it by far: chunk sizes, headers and trailers have no
    /// end of their own.
    var limit: UInt64 { get }

    /// Called once for each answer, before its content.
    func begin(_ head: HTTPHead) throws

    /// - Returns: `false` if the rest is not wanted.
    func receive(_ bytes: [UInt8]) throws -> Bool
}

/// Sends requests and waits: the effect that PackCore does not have itself.
package protocol HTTPTransport: Sendable {
    /// Sends one request, without following a redirect or repeating anything.
    ///
    /// - Throws: ``HTTPFailure``; what the sink throws; `CancellationError`.
    func send(_ request: HTTPRequest, to sink: any HTTPSink) async throws -> HTTPHead

    /// - Throws: `CancellationError`.
    func wait(seconds: Double) async throws

    /// The shortest time so far, in seconds, until an answer began; `nil` before the first.
    var shortestDelay: Double? { get }
}

extension HTTPTransport {
    package var shortestDelay: Double? { nil }
}

/// Why a transport has no complete answer.
package struct HTTPFailure: Error, Equatable {
    package enum Kind: Equatable, Sendable {
        /// No connection: the name, the host or the proxy.
        case unreachable
        /// The proxy does not let the request pass.
        case proxy
        /// The server did not prove who it is.
        case certificate
        /// Slower than the transport accepts.
        case tooSlow
        /// The connection ended early, or the answer is no HTTP.
        case interrupted
        /// More bytes arrived than the file and its headers can have.
        case flood
        /// This machine or its libcurl cannot do it.
        case impossible
    }

    package let kind: Kind
    package let reason: String

    package init(_ kind: Kind, _ reason: String) {
        self.kind = kind
        self.reason = reason
    }

    package static let proxyRemedy =
        "have the host allowed there, put user and password into https_proxy (407), or name the host in no_proxy"

    package static let floodRemedy =
        "check the address; its server, or a proxy on the way, does not send what was asked for"

    package var mayPass: Bool { ![.certificate, .impossible, .proxy, .flood].contains(kind) }
}
