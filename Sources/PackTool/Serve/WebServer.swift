import FlyingFox
import FlyingSocks
import Foundation
package import PackCore

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Where a server listens.
package struct ListenAddress: Sendable, CustomStringConvertible {
    /// An IPv4 or IPv6 address, without brackets.
    package let host: String
    package let port: UInt16

    package var description: String { "\(host.contains(":") ? "[\(host)]" : host):\(port)" }

    package var isLoopback: Bool { host.hasPrefix("127.") || host == "::1" }

    /// Every address of this machine.
    package var isAny: Bool { host == "0.0.0.0" || host == "::" }

    /// - Throws: ``InvalidWord``.
    package init(_ text: String) throws(InvalidWord) {
        let fail = { (problem: String) in
            InvalidWord(
                kind: "address to listen at", word: text, problem: problem,
                example: "127.0.0.1:8080")
        }
        guard let colon = text.lastIndex(of: ":") else { throw fail("has no port") }
        let digits = text[text.index(after: colon)...]
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let port = UInt16(digits)
        else { throw fail("does not end with a port from 0 to 65535") }
        var host = String(text[..<colon])
        if host == "localhost" { host = "127.0.0.1" }
        if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
        let isKnown =
            host.contains(":")
            ? (try? sockaddr_in6.inet6(ip6: host, port: port)) != nil
            : (try? sockaddr_in.inet(ip4: host, port: port)) != nil
        guard isKnown else { throw fail("does not begin with an IP address") }
        self.host = host
        self.port = port
    }

    private init(host: String, port: UInt16) {
        self.host = host
        self.port = port
    }

    /// The same host with the port that was taken.
    func with(port: UInt16) -> ListenAddress { ListenAddress(host: host, port: port) }
}

/// Answers HTTP requests until it is cancelled.
package struct WebServer: Sendable {
    package typealias Answer = @Sendable (ServeRequest) async throws -> ServeAnswer

    private let address: ListenAddress
    private let pace: Pace?
    private let answer: Answer

    /// - Parameters:
    ///   - fault: what is done to the content of answers.
    ///   - answer: called for several requests at once.
    package init(
        _ address: ListenAddress, fault: ServeFault? = nil, answer: @escaping Answer
    ) {
        self.address = address
        self.answer = answer
        pace =
            switch fault {
            case .slow: .slow
            case .cut: .cut
            default: nil
            }
    }

    /// Listens and answers.
    ///
    /// - Parameter ready: called once with the address that is listened at.
    /// - Throws: ``ServeError``; `CancellationError`.
    package func run(ready: @escaping @Sendable (ListenAddress) async throws -> Void) async throws {
        let server = HTTPServer(
            config: try configuration(),
            handler: ClosureHTTPHandler { request in
                await respond(
                    request.method.rawValue, request.target.rawValue, request.headers)
            })
        do {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await server.run() }
                group.addTask {
                    try await server.waitUntilListening()
                    var own = address
                    switch await server.listeningAddress {
                    case .ip4(_, let port), .ip6(_, let port): own = address.with(port: port)
                    default: break
                    }
                    try await ready(own)
                }
                // The server ends only by a failure, which ends the other task, too.
                while try await group.next() != nil {}
            }
        } catch let error as SocketError {
            guard case .failed(_, _, let message) = error else {
                throw ServeError(address: address, reason: "\(error)")
            }
            throw ServeError(address: address, reason: message)
        }
    }

    private func configuration() throws -> HTTPServer.Configuration {
        // A socket that is busy or forbidden is our own error, not a line of the server's log.
        if address.host.contains(":") {
            return HTTPServer.Configuration(
                address: try sockaddr_in6.inet6(ip6: address.host, port: address.port),
                logger: .disabled)
        }
        return HTTPServer.Configuration(
            address: try sockaddr_in.inet(ip4: address.host, port: address.port),
            logger: .disabled)
    }

    private func respond(
        _ method: String, _ target: String, _ received: HTTPHeaders
    ) async -> HTTPResponse {
        var fields: [String: String] = [:]
        for (name, value) in received { fields[name.rawValue.lowercased()] = value }
        let request = ServeRequest(method: method, target: target, fields: fields)
        let answer: ServeAnswer
        do {
            answer = try await self.answer(request)
        } catch {
            return HTTPResponse(statusCode: .internalServerError)
        }
        var headers = HTTPHeaders()
        for field in answer.fields { headers[.init(field.name)] = field.value }
        headers[.contentLength] = "\(answer.length)"
        return HTTPResponse(
            statusCode: HTTPStatusCode(answer.status, phrase: Self.phrase(answer.status)),
            headers: headers, body: method == "HEAD" ? HTTPBodySequence() : body(answer.body))
    }

    private func body(_ body: ServeAnswer.Body) -> HTTPBodySequence {
        switch body {
        case .none: HTTPBodySequence()
        case .bytes(let bytes): HTTPBodySequence(data: Data(bytes))
        case .file(let file, let offset, let count):
            HTTPBodySequence(
                from: FileContent(file: file, offset: offset, count: count, pace: pace),
                count: Int(clamping: count), suggestedBufferSize: FileContent.pieceSize)
        }
    }

    private static func phrase(_ status: Int) -> String {
        switch status {
        case 200: "OK"
        case 206: "Partial Content"
        case 302: "Found"
        case 304: "Not Modified"
        case 404: "Not Found"
        case 405: "Method Not Allowed"
        case 416: "Range Not Satisfiable"
        default: "Error"
        }
    }
}

/// The server could not begin.
package struct ServeError: Remedied {
    let address: ListenAddress
    let reason: String

    package var code: String { "serve.address" }
    package var description: String { "cannot listen at \(address): \(reason)" }
    package var remedy: String { "stop what uses the port, or choose another with --listen" }
}
