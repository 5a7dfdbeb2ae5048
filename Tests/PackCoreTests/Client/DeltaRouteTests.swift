import PackClient
import PackGround
import PackOrigin
import PackPublish
import PackRelease
import PackSigning
import PackTrust
import TestSupport
import Testing

/// Two consecutive deltas over HTTP, which cannot list a log: the client's requests, and the
/// same result from `explain`.
@Suite struct DeltaRouteTests {
    /// - Parameter noise: The size of a file in every release, which makes the package large. In
    ///   bytes.
    private static func release(_ number: Int, noise: Int = 20_000) -> [String: String] {
        var random = Noise(seed: 31)
        var unchanged = Noise(seed: 32)
        return [
            "index.html": "<!doctype html><script src=main.js></script>",
            "main.js": MinifiedText.bundle(
                &random, functions: 80, shift: number, names: ["lazy.\(number)7654321.js"]),
            "photo.txt": unchanged.bytes(noise / 2).map { String($0, radix: 16) }.joined(),
        ]
    }

    /// A device with the first of several releases, each with a delta from its predecessor.
    private static func behind(
        by releases: Int = 2, noise: Int = 20_000
    ) async throws -> Playground {
        let playground = try Playground()
        for number in 0...releases {
            try await playground.publish(release(number, noise: noise), deltas: 1)
            if number == 0 { try await playground.install() }
        }
        return playground
    }

    private typealias Change =
        @Sendable (ServedTransport.Question, inout ServedTransport.Reply) -> Void

    /// The result of an install over HTTP, and the requested paths.
    private static func install(
        _ playground: Playground, trust: TrustPin? = nil, native: String? = nil,
        change: @escaping Change = { _, _ in }
    ) async throws -> (InstallReport, [String]) {
        var files: [String: [UInt8]] = [:]
        for path in try playground.publicFiles() {
            files[path] = try playground.read("origin/\(path)")
        }
        let transport = ServedTransport(files, change: change)
        let store = HTTPStore(
            try HTTPAddress(ServedTransport.address),
            client: HTTPClient(transport, random: { 0.5 }), scratch: playground.path)
        var request = InstallRequest(
            origin: ServedTransport.address, directory: playground.client,
            channel: .production, now: Playground.now, jobs: 2, trust: trust)
        request.nativeVersion = try native.map { try NativeVersion($0) }
        let report = try await Installer.install(request, from: store)
        return (report, transport.paths)
    }

    private static func explain(_ playground: Playground) async throws -> Explanation {
        let installed = try await playground.reader().logEntry(.production, 1).pointer.version
        return try await Explanation.of(
            ExplainRequest(channel: .production, installed: installed, now: Playground.now),
            at: DirectoryStore.open(playground.origin))
    }

    private static func log(_ sequence: Int) -> String {
        OriginLayout.logEntry(.production, sequence)
    }

    private static let pointer = OriginLayout.pointer(.production)

    @Test func twoReleasesBehind() async throws {
        let playground = try await Self.behind()
        let explanation = try await Self.explain(playground)
        let reader = try playground.reader()
        let between = try await reader.logEntry(.production, 2)
        let last = try await playground.pointer()
        let (report, paths) = try await Self.install(playground)
        #expect(report.installed.route == .delta && report.notes.isEmpty)
        #expect(report.installed.packageHash == last.packageHash)
        #expect(
            paths == [
                Self.pointer, Self.log(2),
                OriginLayout.delta(between.pointer.version, from: between.pointer.deltas[0].from),
                OriginLayout.delta(last.version, from: between.pointer.version),
            ])
        #expect(
            report.fetched.log == UInt64(between.bytes.count))
        #expect(report.fetched.total < last.package.size)
        #expect(explanation.route == .delta && explanation.fetched == report.fetched)
    }

    @Test func oneReleaseBehindReadsNoEntry() async throws {
        let playground = try await Self.behind(by: 1)
        let (report, paths) = try await Self.install(playground)
        #expect(report.installed.route == .delta)
        #expect(paths.count == 2 && !paths.contains { $0.contains("/log/") }, "\(paths)")
    }

    /// Regression: `explain` promised a delta that was missing.
    @Test(arguments: [nil, "short"]) func aDeltaThatIsMissingIsTold(text: String?) async throws {
        let playground = try await Self.behind(by: 1)
        let last = try await playground.pointer()
        let path = "origin/" + OriginLayout.delta(last.version, from: last.deltas[0].from)
        try playground.remove(path)
        if let text { try playground.write(path, text) }
        let explanation = try await Self.explain(playground)
        #expect(explanation.route != .delta && explanation.verdict == .updates)
        let step = try #require(explanation.steps.last)
        #expect(step.what == "delta" && !step.passes)
        #expect(step.finding.contains(text == nil ? "is missing" : "has another size"))
        let (report, _) = try await Self.install(playground)
        #expect(report.installed.route != .delta)
    }

    /// The release between may have been live under any of three pointers; the client requests no
    /// fourth one.
    @Test(arguments: [2, 3]) func throughThreeEntries(changes: Int) async throws {
        let playground = try await Self.behind()
        try await playground.change(.pause(bypasses: false))
        if changes == 3 { try await playground.change(.pause(bypasses: true)) }
        try await playground.change(.resume)
        let explanation = try await Self.explain(playground)
        let (report, paths) = try await Self.install(playground)
        #expect((report.installed.route == .delta) == (changes == 2))
        let newest = 3 + changes
        #expect(
            paths.filter { $0.contains("/log/") } == (1...3).map { Self.log(newest - $0) })
        #expect(explanation.route == report.installed.route)
        #expect(explanation.fetched == report.fetched)
    }

    /// Some apps get the newest release and others the one between, so one pointer has both deltas.
    @Test func thePointerOffersBoth() async throws {
        let playground = try await Self.behind(by: 1)
        var request = try await playground.request(Self.release(2), deltas: 1)
        request.conditions.lowest = .all(.version(try NativeVersion("3.2")))
        try await playground.publish(request)
        let (report, paths) = try await Self.install(playground, native: "4.0")
        #expect(report.installed.route == .delta && report.installed.sequence == 3)
        #expect(!paths.contains { $0.contains("/log/") })
        #expect(paths.count == 3)
    }

    struct Damage: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let change: @Sendable (inout ServedTransport.Reply) -> Void
    }

    static let damages = [
        Damage(testDescription: "missing") { $0.status = 404 },
        Damage(testDescription: "refused") { $0.status = 403 },
        Damage(testDescription: "down") { $0.status = 503 },
        Damage(testDescription: "no JSON") { $0.body = Array("nothing".utf8) },
        Damage(testDescription: "cut") { $0.body.removeLast(100) },
        Damage(testDescription: "a page") { $0.fields["Content-Type"] = "text/html" },
        Damage(testDescription: "compressed") { $0.fields["Content-Encoding"] = "gzip" },
        Damage(testDescription: "endless") { $0.body += [UInt8](repeating: 32, count: 70_000) },
    ]

    @Test(arguments: damages) func anEntryThatCannotBeHad(_ damage: Damage) async throws {
        let playground = try await Self.behind()
        let entry = Self.log(2)
        let (report, paths) = try await Self.install(playground) { question, reply in
            if question.path == entry { damage.change(&reply) }
        }
        #expect(report.installed.route != .delta && report.notes.isEmpty)
        #expect(report.outcome == .updated)
        #expect(paths.contains(entry) && !paths.contains(Self.log(1)))
        #expect(report.fetched.log == 0)
        #expect(report.fetched.deltas == 0)
    }

    /// An entry with the content of another one is not used.
    @Test func anotherEntryInItsPlace() async throws {
        let playground = try await Self.behind()
        try playground.overwrite(
            "origin/\(Self.log(2))", playground.read("origin/\(Self.log(1))"))
        let (report, _) = try await Self.install(playground)
        #expect(report.installed.route != .delta && report.notes.isEmpty)
        #expect(try await Self.explain(playground).route != .delta)
    }

    /// The release between must have the hash from which the pointer's delta starts.
    @Test func anEntryThatLiesAboutTheRelease() async throws {
        let playground = try await Self.behind()
        var pointer = try await playground.reader().logEntry(.production, 2).pointer
        pointer.entry.packageHash = StreamHasher.digest(of: [1])
        try playground.overwrite(
            "origin/\(Self.log(2))",
            Envelope(
                payloadType: Envelope.pointerType, payload: PointerCoding.encode(pointer)
            ).encode())
        let (report, _) = try await Self.install(playground)
        #expect(report.installed.route != .delta && report.fetched.deltas == 0)
    }

    /// The deltas alone are smaller than the package, but not together with the entry.
    @Test func theEntryCounts() async throws {
        let playground = try await Self.behind(noise: 3900)
        let live = try #require(try await playground.reader().pointer(.production))
        let last = live.pointer
        let entry = try await playground.reader().logEntry(.production, 2)
        let second = last.deltas[0].content.size
        let deltas = second + entry.pointer.deltas[0].content.size
        // An entry is assumed to be as large as the pointer.
        try #require(UInt64(live.bytes.count) + second < last.package.size)
        try #require(deltas + UInt64(entry.bytes.count) >= last.package.size)
        let explanation = try await Self.explain(playground)
        let (report, paths) = try await Self.install(playground)
        #expect(report.installed.route != .delta)
        #expect(paths.filter { $0.contains("/log/") } == [Self.log(2)])
        #expect(explanation.fetched == report.fetched)
    }

    /// An entry as large as the pointer would save nothing.
    @Test func aLargeEntryIsNotAskedFor() async throws {
        let playground = try await Self.behind(noise: 10_000)
        try await playground.editPointer { pointer in
            let one = pointer.entry.deltas[0]
            for number in 0..<60 {
                let zeros = String(repeating: "0", count: 18)
                let from = try #require(Version("\(zeros)\(10 + number)"))
                let url = one.content.url.replacing(one.from.description, with: from.description)
                pointer.entry.deltas.append(
                    .init(
                        from: from, fromHash: one.fromHash,
                        content: .init(
                            url: url, sha256: one.content.sha256, size: one.content.size),
                        needs: one.needs))
            }
        }
        let (report, paths) = try await Self.install(playground)
        #expect(report.installed.route != .delta && report.notes.isEmpty)
        #expect(!paths.contains { $0.contains("/log/") })
    }

    /// With a root, an entry counts only if signed by the root's keys.
    @Test(arguments: [100, 101]) func anEntryIsCheckedLikeThePointer(key: Int) async throws {
        let playground = try Playground()
        let file = try TrustLab.file(TrustLab.root(1, keys: [1]), by: [1])
        try playground.write("origin/root/1.json", file)
        let root = try SignedRoot(file, path: "root")
        for number in 0...2 {
            var request = try await playground.request(Self.release(number), deltas: 1)
            request.signers = Signers(keys: [try TrustLab.key(100)], commands: [])
            try await playground.publish(request)
            if number == 0 { _ = try await Self.install(playground, trust: .root(root)) }
        }
        let entry = try await playground.reader().logEntry(.production, 2)
        try playground.overwrite(
            "origin/\(Self.log(2))", TrustLab.envelope(entry.pointer, by: [key]).encode())
        let (report, paths) = try await Self.install(playground)
        #expect((report.installed.route == .delta) == (key == 100))
        #expect(report.notes.isEmpty)
        #expect(paths.filter { $0.contains("/log/") } == [Self.log(2)])
    }
}
