import PackOrigin
import PackPublish
import PackRelease
import PackVerify
import TestSupport
import Testing

/// Verifies a pruned origin over HTTP.
///
/// `channels/<channel>/pruned.json` identifies the files that may be missing.
@Suite struct HTTPPruneTests {
    private static let mark = "channels/production/pruned.json"

    /// Five releases with one changing and one constant file.
    ///
    /// A prune kept two.
    private static func pruned() async throws -> (Playground, versions: [Version]) {
        let playground = try Playground()
        var versions: [Version] = []
        for number in 1...5 {
            versions.append(
                try await playground.publish(["index.html": "<h1>\(number)</h1>", "b": "same"])
                    .version)
        }
        let request = PruneRequest(
            keep: 2, graceDays: 0, delayHours: 0,
            now: Timestamp(seconds: Playground.now.seconds + 60), jobs: 2)
        _ = try await Pruner.run(request, on: playground.writable)
        return (playground, versions)
    }

    @Test("a prune with the defaults made the nightly verification fail")
    func whatAPruneDeletedIsANote() async throws {
        let (playground, _) = try await Self.pruned()
        let (result, paths) = try await HTTPVerifierTests.verify(
            HTTPVerifierTests.files(playground), playground)
        #expect(result.findings.isEmpty, "\(result.findings)")
        #expect(
            result.notes == [
                "3 earlier releases are no longer complete: channel 'production' was pruned, and files offered "
                    + "only below sequence 4 may be deleted"
            ])
        #expect(result.releases == 2)
        #expect(paths.count { $0 == Self.mark } == 1)
    }

    @Test func theMarkIsOnlyAskedForWhereSomethingIsMissing() async throws {
        let (playground, _) = try await Self.pruned()
        let (_, paths) = try await HTTPVerifierTests.verify(
            HTTPVerifierTests.files(playground), playground, depth: 1)
        #expect(!paths.contains(Self.mark))
    }

    @Test func aCopyWithoutTheMarkIsNotWhole() async throws {
        let (playground, versions) = try await Self.pruned()
        var files = try HTTPVerifierTests.files(playground)
        files[Self.mark] = nil
        let (result, _) = try await HTTPVerifierTests.verify(files, playground)
        #expect(result.findings.map(\.code) == ["http.missing"])
        #expect(
            result.findings.first?.paths
                == versions[..<3].reversed().map { "releases/\($0)/info.json" })
    }

    @Test func theMarkOfTheOriginItselfCounts() async throws {
        let (playground, _) = try await Self.pruned()
        var files = try HTTPVerifierTests.files(playground)
        files[Self.mark] = nil
        let (result, _) = try await HTTPVerifierTests.verify(
            files, playground, source: playground.writable)
        #expect(result.findings.isEmpty, "\(result.findings)")
        #expect(result.notes.count == 1)
    }

    /// Tries each file of the previous release, which the prune kept.
    @Test func aLostFileOfAReleaseThatIsKeptIsAnError() async throws {
        let (playground, versions) = try await Self.pruned()
        let files = try HTTPVerifierTests.files(playground)
        for path in files.keys.sorted() where path.hasPrefix("releases/\(versions[3])/") {
            var other = files
            other[path] = nil
            let (result, _) = try await HTTPVerifierTests.verify(other, playground)
            #expect(result.findings.map(\.code) == ["http.missing"], "\(path)")
            #expect(result.findings.first?.paths == [path])
        }
        let kept = try #require(files.keys.first { $0.hasPrefix("objects/") && $0.hasSuffix("/b") })
        var other = files
        other[kept] = nil
        let (result, _) = try await HTTPVerifierTests.verify(other, playground)
        #expect(result.findings.map(\.paths) == [[kept]])
    }

    /// A CDN may still have a manifest that the server has deleted.
    @Test func aCachedManifestOfADeletedReleaseIsNoReasonToExpectTheRest() async throws {
        let playground = try Playground()
        try await playground.publish(["index.html": "<h1>1</h1>", "b": "same"])
        let before = try HTTPVerifierTests.files(playground)
        for number in 2...4 {
            try await playground.publish(["index.html": "<h1>\(number)</h1>", "b": "same"])
        }
        let request = PruneRequest(
            keep: 2, graceDays: 0, delayHours: 0,
            now: Timestamp(seconds: Playground.now.seconds + 60), jobs: 2)
        _ = try await Pruner.run(request, on: playground.writable)
        var files = try HTTPVerifierTests.files(playground)
        files.merge(before.filter { $0.key.hasSuffix("/info.json") }) { new, _ in new }
        let (result, _) = try await HTTPVerifierTests.verify(files, playground)
        #expect(result.findings.isEmpty, "\(result.findings)")
        #expect(result.notes.count == 1)
        // A file that a kept release also needs does not belong only to a deleted one.
        let kept = try #require(files.keys.first { $0.hasPrefix("objects/") && $0.hasSuffix("/b") })
        files[kept] = nil
        let (lost, _) = try await HTTPVerifierTests.verify(files, playground)
        #expect(lost.findings.map(\.paths) == [[kept]])
    }

    @Test func whatTheCurrentPointerOffersIsNeverTakenForPruned() async throws {
        let (playground, versions) = try await Self.pruned()
        var files = try HTTPVerifierTests.files(playground)
        let mark = String(decoding: try #require(files[Self.mark]), as: UTF8.self)
        let forged = mark.split(separator: "4", maxSplits: 1).joined(separator: "9")
        files[Self.mark] = Array(forged.utf8)
        files["releases/\(versions[4])/package.zip"] = nil
        let (result, _) = try await HTTPVerifierTests.verify(files, playground)
        #expect(result.findings.map(\.code) == ["http.missing"])
    }

    @Test func aMarkThatIsKeptForAYearIsAWarning() async throws {
        let (playground, _) = try await Self.pruned()
        let (result, _) = try await HTTPVerifierTests.verify(
            HTTPVerifierTests.files(playground), playground
        ) { question, reply in
            guard question.path == Self.mark else { return }
            reply.fields["Cache-Control"] = "public, max-age=31536000, immutable"
        }
        #expect(result.isSound && result.findings.map(\.code) == ["http.cached-too-long"])
        #expect(result.findings.first?.paths == [Self.mark])
    }
}
