import PackGround
import PackOrigin
import TestSupport
import Testing

/// The requests to a web server, their retries, and the handling of answers.
@Suite struct HTTPStoreTests {
    private let path = "channels/production/pointer.json"

    // MARK: Repeating

    @Test func repeatsWhatMayPassAndWaitsLonger() async throws {
        let transport = ScriptedTransport([
            .reply(503), .fail(.interrupted), .fail(.unreachable), .reply(200, [], [1, 2]),
        ])
        let stored = try await transport.store().read(path, limit: 10)
        #expect(stored?.bytes == [1, 2])
        #expect(transport.waits == [0.2, 0.4, 0.8])
        #expect(transport.urls == [String](repeating: "https://a.example/shop/\(path)", count: 4))
        #expect(transport.requests[0].headers == [HTTPHeader("Accept-Encoding", "identity")])
    }

    @Test(arguments: [(400, 1), (401, 1), (418, 1), (408, 6), (429, 6), (500, 6), (504, 6)])
    func repeatsNoOtherStatus(_ status: Int, _ requests: Int) async throws {
        let transport = ScriptedTransport([.reply(status)])
        await expectFailure(of: "http") {
            try await transport.store().read(path, limit: 10)
        }
        #expect(transport.requests.count == requests)
    }

    @Test func aCertificateIsNotTriedAgain() async throws {
        let transport = ScriptedTransport([.fail(.certificate)])
        await #expect(
            throws: Failure.httpFailed(
                path: "https://a.example/shop/\(path)", .certificate, reason: "as scripted")
        ) { try await transport.store().read(path, limit: 10) }
        #expect(transport.requests.count == 1)
    }

    @Test(arguments: [("7", 7.0), ("600", 60.0), ("0", 0.2), ("-5", 0.2), ("tomorrow", 0.2)])
    func retryAfterIsKeptUpToAMinute(_ demand: String, _ wait: Double) async throws {
        let transport = ScriptedTransport([
            .reply(429, [HTTPHeader("retry-after", demand)]), .reply(404),
        ])
        #expect(try await transport.store().read(path, limit: 10) == nil)
        #expect(transport.waits == [wait])
    }

    @Test func aRunHasOneBudget() async throws {
        let transport = ScriptedTransport([.fail(.unreachable)])
        let store = try transport.store(budget: 7)
        await expectFailure(of: "http") { try await store.read(path, limit: 10) }
        #expect(transport.requests.count == 6)
        await expectFailure(of: "http") { try await store.read(path, limit: 10) }
        // One request more for the call, and the two retries left.
        #expect(transport.requests.count == 9)
    }

    // MARK: Confirming

    private static func tagged(_ tag: String) -> [HTTPHeader] { [HTTPHeader("ETag", tag)] }

    @Test(arguments: ["\"a\"", "W/\"a,b\"", "\"\""])
    func anAnswerIsConfirmed(_ tag: String) async throws {
        let transport = ScriptedTransport([.reply(200, Self.tagged(tag), [1, 2]), .reply(304)])
        let store = try transport.store()
        let first = try #require(try await store.read(path, limit: 10))
        #expect(!first.isConfirmed)
        let answer = try #require(first.answer)
        let second = try await store.read(path, limit: 10, confirming: answer)
        #expect(second?.bytes == [1, 2] && second?.isConfirmed == true)
        #expect(second?.answer == answer && second?.revision == first.revision)
        #expect(transport.requests[0].headers.count == 1)
        #expect(transport.requests[1].headers.last == HTTPHeader("If-None-Match", tag))
    }

    @Test func aChangedFileIsSent() async throws {
        let transport = ScriptedTransport([
            .reply(200, Self.tagged("\"a\""), [1]), .reply(200, Self.tagged("\"b\""), [2]),
        ])
        let store = try transport.store()
        let answer = try await store.read(path, limit: 10)?.answer
        let second = try await store.read(path, limit: 10, confirming: answer)
        #expect(second?.bytes == [2] && second?.isConfirmed == false)
        #expect(second?.answer?.tag == "\"b\"")
    }

    /// Another file, another server, and a request past all caches are not confirmed.
    @Test func onlyTheSameFileIsConfirmed() async throws {
        let transport = ScriptedTransport([.reply(200, Self.tagged("\"a\""), [1])])
        let store = try transport.store()
        let answer = try await store.read(path, limit: 10)?.answer
        _ = try await store.read("info.json", limit: 10, confirming: answer)
        _ = try await transport.store("https://b.example/shop")
            .read(path, limit: 10, confirming: answer)
        _ = try await store.pastCaches()?.read(path, limit: 10, confirming: answer)
        #expect(transport.requests.count == 4)
        #expect(transport.requests.allSatisfy { $0.headers.count == 1 })
    }

    @Test(arguments: ["a", "\"", "w/\"a\"", "\"a\"b", "\"a b\"", "\"\u{7f}\"", "\"ä\""])
    func anotherTagIsNotKept(_ tag: String) async throws {
        let transport = ScriptedTransport([.reply(200, Self.tagged(tag), [1])])
        #expect(try await transport.store().read(path, limit: 10)?.answer == nil)
    }

    /// Regression: a confirmation with another tag was accepted.
    @Test(arguments: [("\"b\"", 3), ("W/\"a\"", 2), (" \"a\"", 2)])
    func aConfirmationHasTheTag(_ tag: String, _ requests: Int) async throws {
        let transport = ScriptedTransport([
            .reply(200, Self.tagged("\"a\""), [1]), .reply(304, Self.tagged(tag)),
            .reply(200, Self.tagged("\"b\""), [2]),
        ])
        let store = try transport.store()
        let answer = try await store.read(path, limit: 10)?.answer
        let second = try await store.read(path, limit: 10, confirming: answer)
        #expect(second?.bytes == (requests == 3 ? [2] : [1]))
        #expect(transport.requests.count == requests)
        #expect(requests == 2 || transport.requests[2].headers.count == 1)
    }

    @Test func anUnaskedConfirmationIsAnError() async throws {
        let transport = ScriptedTransport([.reply(304)])
        await expectFailure(of: "http") { try await transport.store().read(path, limit: 10) }
    }

    // MARK: Redirects

    @Test(arguments: [
        ("/other/p", "https://a.example/other/p"), ("https://b.example/p", "https://b.example/p"),
        ("//b.example/p#x", "https://b.example/p"),
    ])
    func followsRedirects(_ location: String, _ url: String) async throws {
        let transport = ScriptedTransport([
            .reply(302, [HTTPHeader("Location", location)]), .reply(200, [], [1]),
        ])
        #expect(try await transport.store().read(path, limit: 10)?.bytes == [1])
        #expect(transport.urls.last == url)
    }

    @Test(arguments: [
        "http://a.example/p", "file:///etc/passwd", "", "https://", "ftp://a.example/",
    ])
    func refusesRedirects(_ location: String) async throws {
        let transport = ScriptedTransport([.reply(302, [HTTPHeader("Location", location)])])
        await expectFailure(of: "http") {
            try await transport.store().read(path, limit: 10)
        }
        #expect(transport.requests.count == 1)
    }

    @Test func followsThreeRedirects() async throws {
        let transport = ScriptedTransport([.reply(301, [HTTPHeader("Location", "/x")])])
        await expectFailure(of: "http") {
            try await transport.store().read(path, limit: 10)
        }
        #expect(transport.requests.count == 4)
    }

    @Test func aPasswordStaysAtItsHost() async throws {
        let transport = ScriptedTransport([
            .reply(302, [HTTPHeader("Location", "/x")]),
            .reply(302, [HTTPHeader("Location", "https://b.example/x")]), .reply(200, [], [1]),
        ])
        _ = try await transport.store("https://me:pw@a.example/shop").read(path, limit: 10)
        #expect(
            transport.urls == [
                "https://me:pw@a.example/shop/\(path)", "https://me:pw@a.example/x",
                "https://b.example/x",
            ])
    }

    // MARK: Answers

    @Test func namesWhatIsNoFile() async throws {
        let shown = "https://a.example/shop/\(path)"
        let ray = HTTPHeader("CF-Ray", "8f-FRA")
        let page = [HTTPHeader("Content-Type", "Text/HTML; charset=utf-8"), ray]
        let cases: [(ScriptedTransport.Answer, Failure)] = [
            (.reply(200, page, [60]), .httpPageForFile(path: shown, request: "cf-ray 8f-FRA")),
            (
                .reply(200, [HTTPHeader("Content-Encoding", "gzip"), ray], [1]),
                .httpTransformed(path: shown, encoding: "gzip", request: "cf-ray 8f-FRA")
            ),
            (
                .reply(200, [], [UInt8](repeating: 0, count: 11)),
                .httpTooLarge(path: shown, limit: 10, request: nil)
            ),
            (.reply(400, [ray]), .httpStatus(path: shown, status: 400, request: "cf-ray 8f-FRA")),
        ]
        for (answer, error) in cases {
            await #expect(throws: error) {
                try await ScriptedTransport([answer]).store().read(path, limit: 10)
            }
        }
        for status in [403, 404, 410] {
            let nothing = try await ScriptedTransport([.reply(status)]).store().read(
                path, limit: 10)
            #expect(nothing == nil)
        }
    }

    @Test func secretsAreNotShown() throws {
        let store = try ScriptedTransport([.reply(404)])
            .store("https://me:pw@a.example/shop/?token=geheim")
        #expect(store.address == "https://…@a.example/shop?token=…")
        #expect(store.display("a b") == "https://…@a.example/shop/a%20b?token=…")
    }

    @Test(arguments: [
        "http://user:word@127.example.com/shop",
        "ftp://a.example", "https://", "https:///", "http://me:pw@a.example", "https://a/#x",
    ])
    func refusesAddresses(_ text: String) {
        expectFailure(of: "usage") { try HTTPAddress(text) }
    }
}
