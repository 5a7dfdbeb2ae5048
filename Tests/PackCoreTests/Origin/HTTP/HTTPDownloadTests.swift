import PackGround
import PackOrigin
import TestSupport
import Testing

/// Downloads of files with a known hash: any address, resumed after interruptions, and never with
/// wrong bytes.
@Suite struct HTTPDownloadTests {
    private let bytes = [UInt8](0..<200)
    private let folder: TemporaryFolder
    private let directory: Directory

    init() throws {
        folder = try TemporaryFolder.make()
        directory = try Directory.open(folder.path)
    }

    private var content: ObjectReference {
        ObjectReference(
            "releases/x/package.zip",
            FileDigest(sha256: StreamHasher.digest(of: bytes), size: UInt64(bytes.count)))
    }

    private func fetch(_ transport: ScriptedTransport, mirrors: [String] = []) async throws {
        try await transport.store(mirrors: mirrors).fetch(content, into: directory, as: "p.zip")
        #expect(try directory.readFile("p.zip", limit: 1000) == bytes)
        #expect(try directory.names() == [Array("p.zip".utf8)])
    }

    private func ranges(_ transport: ScriptedTransport) -> [String?] {
        transport.requests.map { $0.headers.first { $0.name == "Range" }?.value }
    }

    @Test func continuesWhereItStopped() async throws {
        let transport = ScriptedTransport([
            .cut(Array(bytes[..<70]), length: 200),
            .reply(206, [HTTPHeader("Content-Range", "bytes 70-199/200")], Array(bytes[70...])),
        ])
        try await fetch(transport)
        #expect(ranges(transport) == [nil, "bytes=70-"])
    }

    @Test func startsOverWhereTheServerDoes() async throws {
        let transport = ScriptedTransport([
            .cut(Array(bytes[..<70]), length: 200), .reply(200, [], bytes),
        ])
        try await fetch(transport)
    }

    @Test(arguments: ["bytes 69-199/200", "bytes 70-199/201", "bytes 70-198/200", "", "70-199/200"])
    func anotherRangeIsNotUsed(_ range: String) async throws {
        let transport = ScriptedTransport([
            .cut(Array(bytes[..<70]), length: 200),
            .reply(206, [HTTPHeader("Content-Range", range)], Array(bytes[70...])),
            .reply(200, [], bytes),
        ])
        try await fetch(transport)
        #expect(ranges(transport) == [nil, "bytes=70-", nil])
    }

    @Test func wrongBytesAreAskedForPastTheCache() async throws {
        var wrong = bytes
        wrong[3] ^= 1
        let transport = ScriptedTransport([.reply(200, [], wrong), .reply(200, [], bytes)])
        try await fetch(transport)
        #expect(transport.urls[0] == "https://a.example/shop/releases/x/package.zip")
        #expect(
            transport.urls[1].hasPrefix(
                "https://a.example/shop/releases/x/package.zip?packtool="))
    }

    @Test(arguments: [0, 1, 2, 3, 4])
    func aMirrorWithWrongBytesIsStruck(_ kind: Int) async throws {
        let wrong: ScriptedTransport.Answer =
            switch kind {
            case 0: .reply(200, [], bytes.dropLast() + [0])
            case 1: .reply(200, [], bytes + [0])
            case 2: .reply(200, [], bytes.dropLast())
            case 3: .reply(200, [HTTPHeader("Content-Length", "7")], bytes)
            default: .reply(200, [HTTPHeader("Content-Encoding", "br")], bytes)
            }
        let transport = ScriptedTransport([wrong, wrong, .reply(200, [], bytes)])
        let store = try transport.store(mirrors: ["https://b.example"])
        try await store.fetch(content, into: directory, as: "p.zip")
        try await store.fetch(content, into: directory, as: "q.zip")
        #expect(
            transport.urls.suffix(2) == [
                "https://b.example/releases/x/package.zip",
                "https://b.example/releases/x/package.zip",
            ])
        #expect(store.notes.count == 1)
        #expect(store.notes[0].hasPrefix("'https://a.example/shop' was not asked again: '"))
    }

    @Test func saysWhatIsWrong() async throws {
        let missing = ScriptedTransport([.reply(404)])
        await #expect(
            throws: Failure.originMissing(path: "https://a.example/shop/releases/x/package.zip")
        ) { try await fetch(missing) }
        let wrong = ScriptedTransport([.reply(200, [], [1])])
        await expectFailure(of: "origin") { try await fetch(wrong) }
        #expect(try directory.names() == [])
    }

    @Test func comparesWhatIsThere() async throws {
        let cases: [(ScriptedTransport.Answer, String?)] = [
            (.reply(200, [], bytes), nil), (.reply(404), "is missing"),
            (.reply(200, [], bytes + [0, 0]), "does not have the size in its manifest"),
            (.reply(200, [], bytes.dropLast()), "does not have the size in its manifest"),
            (.reply(200, [], bytes.dropLast() + [0]), "does not match its manifest"),
        ]
        for (answer, problem) in cases {
            let store = try ScriptedTransport([answer]).store()
            let state = try await store.check([content], jobs: 1, counter: nil)[0]
            #expect(state.problem == problem)
        }
    }
}
