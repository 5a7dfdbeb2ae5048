import PackGround
import PackOrigin
import PackVerify
import TestSupport
import Testing

/// How a verification over HTTP distinguishes two causes with similar symptoms.
@Suite struct HTTPCauseTests {
    private static let pointer = "channels/production/pointer.json"

    /// The server itself, without the CDN.
    private static func server(
        _ files: [String: [UInt8]], _ playground: Playground
    ) throws -> HTTPStore {
        HTTPStore(
            try HTTPAddress(ServedTransport.address),
            client: HTTPClient(ServedTransport(files) { _, _ in }, random: { 0.5 }),
            scratch: playground.path)
    }

    // MARK: A server without read access

    @Test("a CDN that answers 403 for everything was reported as 'nothing is published'")
    func theStatusOfAPointerIsSaid() async throws {
        let playground = try await HTTPVerifierTests.origin()
        let files = try HTTPVerifierTests.files(playground)
        for status in [403, 404, 410] {
            let error = await #expect(throws: Failure.self) {
                try await HTTPVerifierTests.verify(files, playground) { _, reply in
                    reply = .init(status: status, fields: [:], body: [])
                }
            }
            #expect(error?.code.name == "origin.nothing-published")
            #expect(error?.description.contains("is answered with \(status)") == true)
            #expect(error?["answer"].isEmpty == false)
        }
    }

    @Test func aPointerThatTheOriginHasIsMissing() async throws {
        let playground = try await HTTPVerifierTests.origin()
        let files = try HTTPVerifierTests.files(playground)
        let (result, _) = try await HTTPVerifierTests.verify(
            files, playground, source: playground.writable
        ) { _, reply in reply = .init(status: 403, fields: [:], body: []) }
        let finding = try #require(result.findings.first)
        #expect(result.findings.count == 1 && finding.code == "http.missing")
        #expect(finding.problem == "is answered with 403")
        #expect(finding.paths == [Self.pointer])
        #expect(finding.remedy == "let the CDN read the bucket, or check the path")
    }

    // MARK: A cache that ignores queries

    /// A cache with only the path in its key, which returns the previous release without cache
    /// headers.
    private static func pathOnlyCache(_ older: [String: [UInt8]]) -> HTTPVerifierTests.Change {
        { question, reply in
            if reply.status == 200, let old = older[question.path] { reply.body = old }
        }
    }

    private static func twoReleases() async throws -> (
        Playground, older: [String: [UInt8]], files: [String: [UInt8]]
    ) {
        let playground = try Playground()
        try await playground.publish(["index.html": "<h1>1</h1>", "a.js": "one"], label: "1.0")
        let older = try HTTPVerifierTests.files(playground)
        try await playground.publish(["index.html": "<h1>2</h1>", "a.js": "two"])
        return (playground, older, try HTTPVerifierTests.files(playground))
    }

    @Test("a stale cache without the query in its key was reported as a server that is behind")
    func aPointerThatTheServerHasIsStale() async throws {
        let (playground, older, files) = try await Self.twoReleases()
        let change = Self.pathOnlyCache(older)
        let (stale, _) = try await HTTPVerifierTests.verify(
            files, playground, source: Self.server(files, playground), change: change)
        #expect(stale.findings.map(\.code) == ["http.stale"])
        #expect(
            stale.findings.first?.problem
                == "has sequence 1 with and without a query, and 2 in 'https://cdn.example.com/shop', "
                + "published 3,600 seconds ago")
        // A directory does not show the server's state, so both causes are listed.
        let (behind, _) = try await HTTPVerifierTests.verify(
            files, playground, source: playground.writable, change: change)
        #expect(behind.findings.map(\.code) == ["http.outdated"])
        #expect(behind.findings.first?.problem.contains("past the caches") == false)
        let remedy = try #require(behind.findings.first?.remedy)
        #expect(remedy.contains("copy the origin") && remedy.contains("purge"))
    }

    @Test func aPageThatTheServerHasIsStale() async throws {
        let (playground, older, files) = try await Self.twoReleases()
        for part in ["site/index.html", "info.json"] {
            let change: HTTPVerifierTests.Change = { question, reply in
                if question.path == part, let old = older[part] { reply.body = old }
            }
            let (stale, _) = try await HTTPVerifierTests.verify(
                files, playground, source: Self.server(files, playground), change: change)
            #expect(stale.findings.map(\.code) == ["http.stale"], "\(part)")
            let (behind, _) = try await HTTPVerifierTests.verify(
                files, playground, source: playground.writable, change: change)
            #expect(behind.findings.map(\.code) == ["http.outdated"], "\(part)")
            #expect(behind.findings.first?.remedy.contains("purge") == true)
            // The server itself has the old file.
            let (old, _) = try await HTTPVerifierTests.verify(
                files, playground,
                source: Self.server(files.merging(older) { _, old in old }, playground),
                change: change)
            #expect(old.findings.map(\.code).contains("http.outdated"), "\(part)")
        }
    }

    /// If the answers with and without a query differ, the query bypassed the cache.
    @Test func aServerThatIsBehindIsNotCalledStale() async throws {
        let playground = try Playground()
        try await playground.publish(["index.html": "<h1>1</h1>"])
        let first = try playground.read("origin/\(Self.pointer)")
        try await playground.publish(["index.html": "<h1>2</h1>"])
        let second = try playground.read("origin/\(Self.pointer)")
        let served = try HTTPVerifierTests.files(playground)
        try await playground.publish(["index.html": "<h1>3</h1>"])
        let source = try Self.server(HTTPVerifierTests.files(playground), playground)
        let (result, _) = try await HTTPVerifierTests.verify(served, playground, source: source) {
            question, reply in
            if question.path == Self.pointer { reply.body = question.isFresh ? second : first }
        }
        #expect(Set(result.findings.map(\.code)) == ["http.outdated", "http.stale"])
    }

    // MARK: Another history

    @Test("another origin of the app was reported as a server that is behind")
    func anotherHistoryIsNotToBeCopied() async throws {
        let served = try await HTTPVerifierTests.origin()
        let files = try HTTPVerifierTests.files(served)
        let other = try Playground()
        for number in 1...3 {
            try await other.publish(["index.html": "<h1>other \(number)</h1>"])
            if number == 1 { continue }
            // With a higher sequence, and with the same one.
            let (result, _) = try await HTTPVerifierTests.verify(
                files, served, source: other.writable)
            let finding = try #require(result.findings.first)
            #expect(result.findings.count == 1 && finding.code == "http.differs")
            #expect(finding.problem.contains("different histories"))
            #expect(finding.remedy.hasPrefix("do not copy"))
        }
        // The server's files do not come from an origin whose log lacks the entry.
        try other.remove("origin/channels/production/log/2.json")
        let (result, _) = try await HTTPVerifierTests.verify(files, served, source: other.writable)
        #expect(result.findings.map(\.code) == ["http.differs"])
        #expect(result.findings.first?.problem.contains("has no entry") == true)
    }

    // MARK: Redirects to http

    @Test("a redirect from https to http was three failures, with a random name in one of them")
    func aRedirectToHTTPIsOneFinding() async throws {
        let playground = try await HTTPVerifierTests.origin()
        let files = try HTTPVerifierTests.files(playground)
        let (result, _) = try await HTTPVerifierTests.verify(files, playground) { question, reply in
            reply.status = 301
            reply.fields["Location"] = "http://cdn.example.com/shop/\(question.path)"
        }
        let finding = try #require(result.findings.first)
        #expect(result.findings.count == 1 && finding.code == "http.redirect")
        #expect(
            finding.problem
                == "is redirected to 'http://cdn.example.com': from https to unencrypted http")
        #expect(finding.remedy.contains("the address that the files have themselves"))
        #expect(finding.paths == [Self.pointer, "objects/<random name>"])
        // A single file, redirected to an address without a host.
        let (one, _) = try await HTTPVerifierTests.verify(files, playground) { question, reply in
            guard question.path.hasSuffix("a.js"), question.path.hasPrefix("objects/") else {
                return
            }
            reply.status = 302
            reply.fields["Location"] = "mailto:me@example.com"
        }
        #expect(one.findings.map(\.code) == ["http.redirect"])
    }
}
