import PackGround

/// A request as sent by a transport, with all headers that affect signatures and caches.
package struct HTTPRequest: Equatable, Sendable {
    package enum Method: String, Sendable {
        case get = "GET"
        case head = "HEAD"
        case put = "PUT"
        case delete = "DELETE"
    }

    package var method: Method
    /// May contain user information and a query, so messages must not show it.
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

/// The name and value of a header.
package struct HTTPHeader: Equatable, Sendable {
    package let name: String
    package let value: String

    package init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}

/// The status and headers of an answer.
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

    /// The file does not exist, or is hidden from this user: buckets answer 403 without permission
    /// to list.
    package var meansMissing: Bool { [403, 404, 410].contains(status) }

    package var isRedirect: Bool { [301, 302, 303, 307, 308].contains(status) }

    /// The declared content length, if it is a number.
    package var length: UInt64? { self["content-length"].flatMap { UInt64($0) } }

    /// Whether caches must keep the bytes unchanged.
    package var forbidsTransforms: Bool {
        self["cache-control"]?.lowercased().contains("no-transform") ?? false
    }

    /// The content encoding, if the body is not the file itself.
    package var encoding: String? {
        guard let encoding = self["content-encoding"]?.lowercased(), !encoding.isEmpty,
            encoding != "identity"
        else { return nil }
        return encoding
    }

    /// The ID by which the server's or CDN's operator finds the request in the logs.
    package var requestName: String? {
        for name in ["x-amz-request-id", "cf-ray", "x-amz-cf-id", "x-request-id", "x-served-by"] {
            if let value = self[name] { return "\(name) \(printable(value.utf8.prefix(100)))" }
        }
        return nil
    }

    /// Whether the media type is that of a page.
    package var isPage: Bool {
        self["content-type"]?.lowercased().hasPrefix("text/html") ?? false
    }
}

/// Receives an answer incrementally, on the transport's thread.
package protocol HTTPSink: AnyObject, Sendable {
    /// The maximum number of content bytes.
    ///
    /// A transport aborts answers whose raw bytes far exceed it, because chunk sizes, headers and
    /// trailers have no limit of their own.
    var limit: UInt64 { get }

    /// Called once for each answer, before its content.
    func begin(_ head: HTTPHead) throws

    /// - Returns: `false` to discard the rest.
    func receive(_ bytes: [UInt8]) throws -> Bool
}

extension HTTPSink {
    /// The maximum number of bytes of an answer with its headers, chunk sizes and trailers.
    package var mostReceived: UInt64 {
        // The overhead of small chunks exceeds an eighth only for small content. libcurl itself
        // accepts headers of 300 KiB.
        let limit = min(limit, 1 << 60)
        return limit + limit / 8 + (320 << 10)
    }
}

/// Sends requests and waits.
///
/// PackCore itself has no such effects.
package protocol HTTPTransport: Sendable {
    /// Sends one request, without redirects and retries.
    ///
    /// - Throws: ``HTTPFailure``; an error of the sink; `CancellationError`.
    func send(_ request: HTTPRequest, to sink: any HTTPSink) async throws -> HTTPHead

    /// - Throws: `CancellationError`.
    func wait(seconds: Double) async throws

    /// Opens connections to the server of the first request before they are needed.
    func openConnections(_ count: Int)

    /// The shortest time to the start of an answer so far, in seconds; `nil` before the first
    /// answer.
    var shortestDelay: Double? { get }
}

extension HTTPTransport {
    package var shortestDelay: Double? { nil }

    package func openConnections(_ count: Int) {}
}
