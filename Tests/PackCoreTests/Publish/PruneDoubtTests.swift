import PackGround
import PackPublish
import PackRelease
import PackVerify
import TestSupport
import Testing

/// `prune` with missing or damaged files or running publishes: it deletes only files known to be
/// unused.
@Suite struct PruneDoubtTests: PrunedShop {
    /// Regression: a first publish to a channel, killed between log entry and pointer, stopped
    /// every prune.
    @Test func aChannelWithoutAPointerKeepsWhatItsLogNames() async throws {
        let (playground, versions) = try await shop(6)
        let beta = try await playground.publish(
            playground.request(
                Self.release(9), channel: "beta", now: Self.time(200), lifetimeDays: nil))
        let pointer = "origin/channels/beta/pointer.json"
        let bytes = try playground.read(pointer)
        try playground.remove(pointer)
        let report = try await prune(playground, at: 300, delay: 0)
        #expect(report.deleted.count > 0 && !playground.exists("origin/releases/\(versions[0])"))
        #expect(report.channels.map(\.channel.description) == ["production"])
        #expect(report.notes.count == 1 && report.notes[0].contains("'beta' has no pointer"))
        // The killed run's uploads are complete for the run that finishes it.
        try playground.write(pointer, bytes)
        try await expectSound(playground)
        #expect(playground.exists("origin/releases/\(beta.version)/package.zip"))
    }

    @Test func doubtDeletesNothing() async throws {
        let (playground, versions) = try await shop(4)
        let damages: [(String, String?, Failure?)] = [
            ("origin/channels/production/pointer.json", "{}", nil),
            ("origin/channels/production/log/2.json", "{}", nil),
            ("origin/releases/\(versions[3])/info.json", "{}", nil),
            ("origin/channels/production/pruned.json", "{}", nil),
            ("origin/.packtool/condemned.json", "{}", nil),
            (
                "origin/.packtool/pins/production.x.json", "{}",
                .pruneDamagedPin(path: "\(playground.origin)/.packtool/pins/production.x.json")
            ),
            (
                "origin/channels/production/pointer.json", nil,
                .prunePointerMissing(
                    path: "\(playground.origin)/channels/production/pointer.json")
            ),
        ]
        for (path, text, expected) in damages {
            let before = playground.exists(path) ? try playground.read(path) : nil
            if before != nil { try playground.remove(path) }
            if let text { try playground.write(path, text) }
            let files = try playground.files("origin")
            let request = request(playground, at: 200, keep: 1, grace: 0, delay: 0)
            let planned = await refusal { try await Pruner.plan(request, on: playground.writable) }
            do {
                _ = try await Pruner.run(request, on: playground.writable)
                Issue.record("\(path) did not stop it")
            } catch {
                #expect(planned == Refusal(error))
                if let expected { #expect(error as? Failure == expected) }
            }
            #expect(try playground.files("origin") == files)
            if text != nil { try playground.remove(path) }
            if let before { try playground.write(path, before) }
        }
        await expectFailure(of: "prune") {
            _ = try await Pruner.run(
                request(playground, at: 100, keep: 1, grace: 0, delay: 0), on: playground.writable)
        }
        _ = try await prune(playground, at: 200, keep: 1, grace: 0, delay: 0)
        try await expectSound(playground)
    }

    @Test func aCopyOfWhatIsServedIsNotPruned() async throws {
        let (playground, _) = try await shop(3)
        try playground.remove("origin/.packtool")
        await #expect(throws: Failure.pruneNotPrimary(origin: playground.origin)) {
            _ = try await Pruner.run(
                request(playground, at: 200, keep: 1, grace: 0, delay: 0), on: playground.writable)
        }
    }

    /// `verify` of a copy knows the pruned files and still reports other losses.
    @Test func aCopyOfAPrunedOriginVerifies() async throws {
        let (playground, versions) = try await shop(4)
        _ = try await prune(playground, at: 200, keep: 2, grace: 0, delay: 0)
        try playground.remove("origin/.packtool")
        try await expectSound(playground)
        try playground.remove("origin/releases/\(versions[2])/package.zip")
        #expect(!(try await playground.verify()).isSound)
    }
}
