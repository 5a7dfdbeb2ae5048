import PackGround
import PackPublish
import PackRelease
import TestSupport
import Testing

/// Repairs headers that a bucket has lost, for example when it was copied.
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
        let paths = files.keys.filter { !$0.hasPrefix(".packtool/") }.sorted()
        let right = bucket.headers
        #expect(try await repair().outcome == .unchanged)
        for path in paths {
            for header in ["cache-control", "content-type", "x-amz-meta-sha256"] {
                bucket.set(header, nil, of: path)
            }
            bucket.set("content-encoding", "gzip", of: path)
        }
        let planned = try await repair(isPlan: true)
        #expect(planned.repairs.map(\.path).sorted() == paths)
        let report = try await repair()
        #expect(report.outcome == .repaired && report.notes.isEmpty, "\(report.notes)")
        #expect(report.repairs.map(\.path).sorted() == paths)
        #expect(report.repairs.allSatisfy { $0.kind == .headers })
        #expect(bucket.files == files)
        #expect(paths.allSatisfy { bucket.headers[$0] == right[$0] })
        #expect(try await repair().outcome == .unchanged)
    }

    /// An added encoding alone makes devices read other bytes.
    @Test func anEncodingIsRemoved() async throws {
        bucket.set("content-encoding", "gzip", of: "info.json")
        #expect(try await repair().repairs.map(\.path) == ["info.json"])
        #expect(bucket.headers["info.json"]?["content-encoding"] == nil)
    }

    /// A damaged file does not get the headers of an intact one.
    @Test func damageGetsNoHeaders() async throws {
        let sha = StreamHasher.digest(of: Array("go()\n".utf8))
        let path = "objects/\(sha)/main.js"
        bucket.set(path, Array("GO()\n".utf8))
        bucket.set("content-type", "text/html", of: path)
        let report = try await repair()
        #expect(report.notes.contains { $0.contains(path) && $0.contains("damaged") })
        #expect(bucket.headers[path]?["content-type"] == "text/html")
    }
}

/// Repairs a release with missing or damaged files in a bucket.
@Suite struct BucketRepairTests {
    @Test("publish --repair did not restore deltas and manifests", arguments: [true, false])
    func deltasAndManifestsComeBack(hasHashes: Bool) async throws {
        let playground = try Playground()
        let bucket = BucketTransport(hasHashes: hasHashes)
        var versions: [Version] = []
        for number in 1...2 {
            let request = try await playground.request(
                Playground.numbered(number), commit: "c\(number)", deltas: 1)
            versions.append(
                try await Publisher.publish(request, to: bucket.store(playground.path)).version)
        }
        let before = bucket.files
        let delta = OriginLayout.delta(versions[1], from: versions[0])
        let manifest = OriginLayout.manifest(versions[1])
        bucket.set(delta, before[delta]?.map { $0 ^ 1 })
        bucket.set(manifest, nil)
        let damaged = bucket.files
        var request = try await playground.request(Playground.numbered(2))
        request.repairs = true
        let plan = try await Publisher.plan(request, to: bucket.store(playground.path))
        #expect(bucket.files == damaged)
        let report = try await Publisher.publish(request, to: bucket.store(playground.path))
        for repairs in [plan.repairs, report.repairs] {
            #expect(Set(repairs.map(\.path)) == [delta, manifest])
        }
        #expect(bucket.files == before && report.notes.isEmpty, "\(report.notes)")
    }

    @Test("headers of site/ were called damaged, because the manifest of its release was")
    func headersBesideADamagedManifest() async throws {
        let playground = try Playground()
        let bucket = BucketTransport()
        var versions: [Version] = []
        for files in [Playground.first, Playground.second] {
            let request = try await playground.request(files)
            versions.append(
                try await Publisher.publish(request, to: bucket.store(playground.path)).version)
        }
        bucket.set(OriginLayout.manifest(versions[1]), nil)
        var request = try await playground.request(Playground.first)
        request.repairs = true
        let report = try await Publisher.publish(request, to: bucket.store(playground.path))
        #expect(report.repairs.isEmpty && report.notes.count == 1, "\(report.notes)")
        #expect(report.notes[0].contains("were not looked at"), "\(report.notes)")
    }
}
