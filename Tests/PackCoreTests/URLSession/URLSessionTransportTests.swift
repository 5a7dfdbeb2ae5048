import Foundation
import PackClientURLSession
import PackGround
import PackOrigin
import TestSupport
import Testing

/// The transport of apps, beside that of the command line.
@Suite struct URLSessionTransportTests {
    // MARK: Answers

    @Test(arguments: RawAnswer.all, Engine.allCases)
    func understands(_ answer: RawAnswer, _ engine: Engine) async throws {
        let server = try RawServer(answer.bytes)
        let found = try await engine.transport().outcome(HTTPRequest(.get, server.url()))
        #expect(found == answer.expected(of: engine))
    }

    @Test(arguments: Engine.allCases) func readsHeaders(_ engine: Engine) async throws {
        let server = try RawServer(
            Array(
                """
                HTTP/1.1 206 Partial Content\r\nETag: "a"\r\ncontent-range: bytes 5-6/7\r\n\
                CONTENT-LENGTH: 2\r\nCache-Control: public, no-transform\r\nX-Request-ID: é\r\n\r\nhi
                """.utf8))
        let head = try await engine.transport().send(
            HTTPRequest(.get, server.url()), to: TestSink())
        #expect(head.status == 206)
        #expect(head["etag"] == "\"a\"")
        #expect(head["Content-Range"] == "bytes 5-6/7")
        #expect(head.length == 2)
        #expect(head.forbidsTransforms)
        #expect(head["x-request-id"] == "é")
    }

    @Test(arguments: Engine.allCases) func aHeadRequestHasNoContent(_ engine: Engine) async throws {
        let server = try RawServer(Array("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n".utf8))
        let sink = TestSink()
        let head = try await engine.transport().send(HTTPRequest(.head, server.url()), to: sink)
        #expect(head.length == 9)
        #expect(sink.text.isEmpty)
        #expect(sink.heads.withLock { $0 } == [head])
    }

    // MARK: Requests

    private func lines(_ request: String) -> Set<String> {
        Set(request.split(separator: "\r\n").map(String.init))
    }

    @Test func sendsWhatItIsGiven() async throws {
        let server = try RawServer(Array("HTTP/1.1 304 X\r\n\r\n".utf8))
        let url = server.url("/a%20b/c?t=1").replacingOccurrences(of: "://", with: "://me:p%20w@")
        let request = HTTPRequest(
            .get, url,
            headers: [
                HTTPHeader("Accept-Encoding", "gzip"), HTTPHeader("Range", "bytes=5-"),
                HTTPHeader("If-None-Match", "W/\"x\""),
            ])
        _ = try await Engine.urlSession.transport().send(request, to: TestSink())
        var found = lines(server.requests.withLock { $0[0] })
        // Until Swift 6.4.
        found.remove("Connection: keep-alive")
        #expect(
            found == [
                "GET /a%20b/c?t=1 HTTP/1.1", "Host: 127.0.0.1:\(server.port)", "Accept: */*",
                "Accept-Encoding: gzip", "Accept-Language: *", "User-Agent: test/1",
                "Authorization: Basic bWU6cCB3", "Range: bytes=5-", "If-None-Match: W/\"x\"",
            ])
    }

    @Test func remembersNothing() async throws {
        let server = try RawServer { connection in
            connection.send(
                "HTTP/1.1 200 OK\r\nSet-Cookie: a=b\r\nETag: \"x\"\r\nCache-Control: max-age=600\r\n"
                    + "Content-Length: 2\r\n\r\nhi")
        }
        let transport = try Engine.urlSession.transport()
        for _ in 0..<3 {
            _ = try await transport.send(HTTPRequest(.get, server.url()), to: TestSink())
        }
        let requests = server.requests.withLock { $0 }
        #expect(requests.count == 3)
        #expect(Set(requests.map(lines)).count == 1)
        #expect(requests[2].contains("Accept-Encoding: identity"))
        #expect(!requests[2].contains("Cookie"))
    }

    @Test func refusesWhatItCannotSend() async throws {
        let transport = try Engine.urlSession.transport()
        for request in [
            HTTPRequest(.put, "http://127.0.0.1/", body: HTTPBody([1])),
            HTTPRequest(.delete, "http://127.0.0.1/"), HTTPRequest(.get, ""),
            HTTPRequest(.get, "file:///etc/passwd"),
        ] {
            #expect(try await transport.outcome(request) == Outcome(failure: .impossible))
        }
    }

    // MARK: Failures

    @Test(
        arguments: [
            ("http://127.0.0.1:9/", .unreachable), ("http://nowhere.invalid/", .unreachable),
            ("https://127.0.0.1:9/", .unreachable),
        ] as [(String, HTTPFailure.Kind)], Engine.allCases)
    func namesFailures(_ failing: (String, HTTPFailure.Kind), _ engine: Engine) async throws {
        let transport = try engine.transport()
        // Regression: the second request to an unknown host failed in another way.
        for _ in 0..<2 {
            let found = try await transport.outcome(HTTPRequest(.get, failing.0))
            #expect(found == Outcome(failure: failing.1))
        }
    }

    /// "localhost" is also the address ::1, which nothing accepts.
    @Test(arguments: Engine.allCases) func aLostConnectionWasReachable(_ engine: Engine)
        async throws
    {
        let server = try RawServer(Array("HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\nhi".utf8))
        let found = try await engine.transport().outcome(
            HTTPRequest(.get, "http://localhost:\(server.port)/"))
        #expect(found == Outcome(failure: .interrupted))
    }

    @Test(arguments: Engine.allCases) func aSlowAnswerEnds(_ engine: Engine) async throws {
        let mute = try RawServer { connection in
            connection.waitForEnd()
            return false
        }
        let dripping = try RawServer { connection in
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n")
            while connection.send("a") { usleep(500_000) }
            return false
        }
        let flowing = try RawServer { connection in
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 40000\r\n\r\n")
            for _ in 0..<40 where connection.send([UInt8](repeating: 97, count: 1000)) {
                usleep(100_000)
            }
            return true
        }
        let transport = try engine.transport(patience: 2)
        async let first = transport.outcome(HTTPRequest(.get, mute.url()))
        async let second = transport.outcome(HTTPRequest(.get, dripping.url()))
        async let third = transport.outcome(HTTPRequest(.get, flowing.url()))
        #expect(try await first == Outcome(failure: .tooSlow))
        #expect(try await second == Outcome(failure: .tooSlow))
        #expect(try await third.status == 200)
    }

    // MARK: The sink

    @Test(arguments: Engine.allCases) func theSinkDecides(_ engine: Engine) async throws {
        let server = try RawServer { connection in
            connection.send("HTTP/1.1 200 OK\r\n\r\n")
            while connection.send([UInt8](repeating: 97, count: 10_000)) {}
            return false
        }
        let transport = try engine.transport()
        let satisfied = TestSink { $0 < 100_000 }
        let head = try await transport.send(HTTPRequest(.get, server.url()), to: satisfied)
        #expect(head.status == 200)
        #expect(satisfied.bytes.withLock { $0.count } < 400_000)
        await #expect(throws: TestSink.Refusal()) {
            _ = try await transport.send(
                HTTPRequest(.get, server.url()), to: TestSink { _ in throw TestSink.Refusal() })
        }
        await #expect(throws: HTTPFailure.self) {
            _ = try await transport.send(
                HTTPRequest(.get, server.url()), to: TestSink(limit: 100_000))
        }
        try await eventually { server.closed.withLock { $0 } == 3 }
    }

    @Test(arguments: Engine.allCases) func waitsForTheSink(_ engine: Engine) async throws {
        let sent = Locked(0)
        let waiting = Locked<Int?>(nil)
        let server = try RawServer { connection in
            connection.send("HTTP/1.1 200 OK\r\n\r\n")
            let piece = [UInt8](repeating: 97, count: 65_536)
            while waiting.withLock({ $0 == nil }), connection.send(piece) {
                sent.withLock { $0 += piece.count }
            }
            connection.waitForEnd()
            return false
        }
        // Reads a few megabytes a second. It measures on its own thread: on a busy machine, this
        // test may have to wait for minutes until it can continue.
        let first = Locked<ContinuousClock.Instant?>(nil)
        let sink = TestSink(limit: 1 << 30) { total in
            usleep(2000)
            let begun = first.withLock { first in
                first = first ?? .now
                return first
            }
            if let begun, begun.duration(to: .now) > .seconds(2) {
                let buffered = sent.withLock { $0 } - total
                waiting.withLock { $0 = $0 ?? buffered }
            }
            return true
        }
        let transport = try engine.transport(patience: 3600)
        let transfer = Task { try await transport.send(HTTPRequest(.get, server.url()), to: sink) }
        for _ in 0..<1000 where waiting.withLock({ $0 == nil }) {
            try await Task.sleep(for: .milliseconds(50))
        }
        // The buffers of the system.
        #expect(try #require(waiting.withLock { $0 }) < 16 << 20)
        transfer.cancel()
        await #expect(throws: CancellationError.self) { try await transfer.value }
        try await eventually { server.closed.withLock { $0 } == 1 }
    }

    // MARK: Ends

    @Test(arguments: Engine.allCases) func canBeCancelledAtAnyTime(_ engine: Engine) async throws {
        let server = try RawServer { connection in
            connection.send("HTTP/1.1 302 X\r\nLocation: /y\r\nContent-Length: 2\r\n\r\nhi")
        }
        let transport = try engine.transport()
        for delay in 0..<(Soak.isLong ? 20_000 : 200) {
            let transfer = Task { try await transport.outcome(HTTPRequest(.get, server.url())) }
            try await Task.sleep(for: .microseconds(delay % 200 * 10))
            transfer.cancel()
            switch await transfer.result {
            case .success(let outcome): #expect(outcome == Outcome(status: 302, text: "hi"))
            case .failure(let error): #expect(error is CancellationError)
            }
        }
    }

    @Test func manyTransfersAtOnce() async throws {
        let server = try RawServer { connection in
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 50000\r\n\r\n")
                && connection.send([UInt8](repeating: 97, count: 50_000))
        }
        let transport = try Engine.urlSession.transport()
        try await withThrowingTaskGroup { group in
            for number in 0..<200 {
                group.addTask {
                    try await transport.outcome(HTTPRequest(.get, server.url("/\(number)")))
                }
            }
            for try await outcome in group {
                #expect(outcome.status == 200)
                #expect(outcome.text.utf8.count == 50_000)
            }
        }
        #expect(server.requests.withLock { $0.count } == 200)
    }

    @Test func closesItsConnections() async throws {
        let server = try RawServer { connection in
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi")
        }
        var transport: (any HTTPTransport)? = try Engine.urlSession.transport()
        _ = try await transport?.outcome(HTTPRequest(.get, server.url()))
        #expect(server.closed.withLock { $0 } == 0)
        transport = nil
        try await eventually { server.closed.withLock { $0 } == 1 }
    }

    /// Waits up to five seconds for a condition.
    private func eventually(_ condition: () -> Bool) async throws {
        for _ in 0..<100 where !condition() { try await Task.sleep(for: .milliseconds(50)) }
        #expect(condition())
    }
}
