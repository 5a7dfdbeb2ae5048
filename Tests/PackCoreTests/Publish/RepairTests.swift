import PackCore
import TestSupport
import Testing

/// `publish --repair`: what a published release has lost comes back from its build, and no pointer changes.
@Suite(.eachStore) struct RepairTests {
    private let playground: Playground

    init() throws { playground = try Playground() }

    private static let script =
        "objects/\(StreamHasher.digest(of: Array("go()\n".utf8)))/main.js"

    private func repair(_ files: [String: String]) async throws -> PublishReport {
        var request = try await playground.request(files)
        request.repairs = true
        let before = try playground.publicContent()
        let plan = try await playground.plan(request)
        #expect(try playground.publicContent() == before)
        let report = try await playground.publish(request)
        #expect(plan.outcome == report.outcome)
        #expect(Set(plan.repairs.map(\.place)) == Set(report.repairs.map(\.place)))
        return report
    }

    private func lose(_ place: String, _ how: String) throws {
        let bytes = try playground.read("origin/\(place)")
        try playground.remove("origin/\(place)")
        switch how {
        case "cut": try playground.write("origin/\(place)", bytes.dropLast())
        case "flipped": try playground.write("origin/\(place)", bytes.map { $0 ^ 1 })
        default: break
        }
    }

    @Test(arguments: ["gone", "cut", "flipped"])
    func whatIsLostComesBack(_ how: String) async throws {
        let version = try await playground.publish(Playground.first).version
        let before = try playground.publicContent()
        let lost = [
            Self.script, OriginLayout.package(version), "info.json", "site/static/main.js",
        ]
        for place in lost {
            try lose(place, how)
            let report = try await repair(Playground.first)
            #expect(report.outcome == .repaired && report.repairs.map(\.place) == [place])
            #expect(try playground.publicContent() == before)
        }
        for place in lost { try lose(place, how) }
        #expect(try await repair(Playground.first).repairs.count == lost.count)
        #expect(try playground.publicContent() == before)
        #expect(try await playground.verify().isSound)
        #expect(try await repair(Playground.first).outcome == .unchanged)
    }

    /// The package of a release that a rollback is to return to.
    @Test func aReleaseThatIsNotLiveIsRestored() async throws {
        let first = try await playground.publish(Playground.first)
        try await playground.publish(Playground.second)
        let before = try playground.publicContent()
        let lost = [OriginLayout.package(first.version), Self.script]
        for place in lost { try lose(place, "flipped") }
        let report = try await repair(Playground.first)
        #expect(Set(report.repairs.map(\.place)) == Set(lost) && report.sequence == 1)
        #expect(try playground.publicContent() == before)
        _ = try await playground.change(.rollback(to: nil, isMandatory: true))
        #expect(try await playground.verify().isSound)
    }

    @Test func anotherBuildIsRefused() async throws {
        try await playground.publish(Playground.first)
        let before = try playground.publicContent()
        var request = try await playground.request(Playground.second)
        request.repairs = true
        let other = request
        let error = await #expect(throws: PublishError.self) {
            try await playground.publish(other)
        }
        #expect(error?.code == "publish.not-published")
        #expect(try playground.publicContent() == before)
    }

    /// The same release, packed at another level: the pointer binds the bytes that were published.
    @Test func aPackageWithOtherBytesIsNotPutBack() async throws {
        let version = try await playground.publish(Playground.first).version
        try lose(OriginLayout.package(version), "gone")
        var request = try await playground.request(Playground.first)
        request.repairs = true
        request.level = .max
        let other = request
        let error = await #expect(throws: PublishError.self) {
            try await playground.publish(other)
        }
        #expect(error?.remedy.contains("--level") == true)
        #expect(!playground.exists("origin/\(OriginLayout.package(version))"))
    }
}

/// The headers of a bucket, which a copy of it can lose.
@Suite struct HeaderRepairTests {
    private let playground: Playground
    private let bucket = BucketTransport()

    init() async throws {
        playground = try Playground()
        for files in [Playground.first, Playground.second] {
            _ = try await Publisher.publish(
                playground.request(files), to: bucket.store(playground.path))
        }
    }

    private func repair(isPlan: Bool = false) async throws -> PublishReport {
        var request = try await playground.request(Playground.second)
        request.repairs = true
        let store = try bucket.store(playground.path)
        return isPlan
            ? try await Publisher.plan(request, to: store)
            : try await Publisher.publish(request, to: store)
    }

    @Test("no command repaired the headers that verify found wrong in a bucket")
    func headersComeBack() async throws {
        let files = bucket.files
        let places = files.keys.filter { !$0.hasPrefix(".packtool/") }.sorted()
        let right = bucket.headers
        #expect(try await repair().outcome == .unchanged)
        for place in places {
            for header in ["cache-control", "content-type", "x-amz-meta-sha256"] {
                bucket.set(header, nil, of: place)
            }
            bucket.set("content-encoding", "gzip", of: place)
        }
        let planned = try await repair(isPlan: true)
        #expect(planned.repairs.map(\.place).sorted() == places)
        let report = try await repair()
        #expect(report.outcome == .repaired && report.notes.isEmpty, "\(report.notes)")
        #expect(report.repairs.map(\.place).sorted() == places)
        #expect(report.repairs.allSatisfy { $0.kind == .headers })
        #expect(bucket.files == files)
        #expect(places.allSatisfy { bucket.headers[$0] == right[$0] })
        #expect(try await repair().outcome == .unchanged)
    }

    /// An encoding alone, which makes devices read other bytes.
    @Test func anEncodingIsRemoved() async throws {
        bucket.set("content-encoding", "gzip", of: "info.json")
        #expect(try await repair().repairs.map(\.place) == ["info.json"])
        #expect(bucket.headers["info.json"]?["content-encoding"] == nil)
    }

    /// A file that is damaged does not get the headers of a whole one.
    @Test func damageGetsNoHeaders() async throws {
        let sha = StreamHasher.digest(of: Array("go()\n".utf8))
        let place = "objects/\(sha)/main.js"
        bucket.set(place, Array("GO()\n".utf8))
        bucket.set("content-type", "text/html", of: place)
        let report = try await repair()
        #expect(report.notes.contains { $0.contains(place) && $0.contains("damaged") })
        #expect(bucket.headers[place]?["content-type"] == "text/html")
    }
}
