import PackClient
import PackGround
import PackOrigin
import PackRelease
import TestSupport
import Testing

/// The requests of an installation over HTTP, without deltas.
@Suite struct HTTPInstallTests {
    private let playground: Playground

    init() throws { playground = try Playground() }

    private static let pointer = OriginLayout.pointer(.production)

    /// Installs from a server that gives each file an `ETag`, and answers `If-None-Match`.
    private func install(
        now: Timestamp = Playground.now, without missing: String = "-", parts: Bool = false
    ) async throws -> (report: InstallReport, paths: [String]) {
        var files: [String: [UInt8]] = [:]
        for path in try playground.publicFiles() where !path.hasSuffix(missing) {
            files[path] = try playground.read("origin/\(path)")
        }
        let transport = ServedTransport(files) { question, reply in
            guard reply.status == 200 else { return }
            let tag = "\"\(StreamHasher.digest(of: reply.body))\""
            reply.fields["ETag"] = tag
            if question.fields["if-none-match"] == tag {
                reply.status = 304
                reply.body = []
            }
        }
        let store = HTTPStore(
            try HTTPAddress(ServedTransport.address),
            client: HTTPClient(transport, random: { 0.5 }),
            parts: parts ? Installer.partsPath(in: playground.client) : nil,
            scratch: playground.path)
        let request = InstallRequest(
            origin: ServedTransport.address, directory: playground.client, channel: .production,
            now: now, jobs: 2)
        return (try await Installer.install(request, from: store), transport.paths)
    }

    @Test func anInstallationIsTwoRequests() async throws {
        let published = try await playground.publish(Playground.first)
        let (report, paths) = try await install(without: "info.json")
        #expect(report.outcome == .installed && report.notes.isEmpty)
        #expect(paths == [Self.pointer, OriginLayout.package(published.version)])
    }

    @Test func nothingNewIsOneConfirmedRequest() async throws {
        try await playground.publish(Playground.first)
        #expect(try await install().report.fetched.pointer > 0)
        let state = try playground.read("client/state.json")
        let (report, paths) = try await install()
        #expect(report.outcome == .unchanged && paths == [Self.pointer])
        #expect(report.fetched.total == 0)
        #expect(try playground.read("client/state.json") == state)
        // Once a day it is fetched.
        let later = Playground.now.adding(days: 1)
        #expect(try await install(now: later).report.fetched.pointer > 0)
        #expect(
            try await install(now: Timestamp(seconds: later.seconds + 23 * 3600)).report.fetched
                .pointer == 0)
        // A confirmed pointer is checked like a fetched one.
        let expired = try #require(try await playground.pointer().expires)
        _ = try await install(now: Timestamp(seconds: expired.seconds - 3600))
        await expectFailure(of: "install") { try await install(now: expired) }
        try await playground.publish(Playground.second)
        let (update, _) = try await install()
        #expect(update.outcome == .updated && update.fetched.pointer > 0)
    }

    @Test(arguments: [
        ("\"tag\": \"\\\"", "\"tag\": \"x"), ("\"bytes\": \"", "\"bytes\": \"-"),
    ])
    func aDamagedAnswerIsFetchedAgain(_ old: String, _ new: String) async throws {
        try await playground.publish(Playground.first)
        _ = try await install()
        let state = try playground.text("client/state.json")
        let damaged = state.replacing(old, with: new)
        try #require(damaged != state)
        try playground.overwrite("client/state.json", Array(damaged.utf8))
        let (report, _) = try await install()
        #expect(report.outcome == .unchanged && report.fetched.pointer > 0)
        #expect(try playground.text("client/state.json") == state)
    }

    @Test func aLaunchPageThatIsMissingIsRefused() async throws {
        try await playground.publish(Playground.first)
        try await playground.editPointer { $0.entry.launch = try AssetPath("start.html") }
        await expectFailure(of: "origin") { try await install() }
        #expect(!playground.exists("client/current"))
        try await playground.editPointer { $0.entry.launch = try AssetPath("index.html") }
        try playground.remove("client")
        #expect(try await install().report.outcome == .installed)
    }

    /// Regression: downloads of large files in parallel removed each other's partial files.
    @Test func withoutAPackageAllFilesAreFetchedAtOnce() async throws {
        var dice = Noise(seed: 5)
        var files = Playground.first
        for number in 0..<6 {
            files["large-\(number).txt"] =
                dice.bytes(200_000).map { String($0, radix: 16) }.joined()
        }
        let published = try await playground.publish(files)
        let (report, paths) = try await install(without: "package.zip", parts: true)
        #expect(report.outcome == .installed)
        #expect(report.notes.count == 1 && report.notes[0].contains("single files"))
        #expect(report.installed.packageHash == published.packageHash)
        #expect(report.fetched.files == report.bytes && report.fetched.info > 0)
        #expect(paths.contains(OriginLayout.manifest(published.version)))
        #expect(!playground.exists("client/.parts"))
    }
}
