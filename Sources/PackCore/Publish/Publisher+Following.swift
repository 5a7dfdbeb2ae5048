/// What follows a commit: `info.json`, `site/`, and the end of the publish.
extension Publisher {
    typealias Following = (follower: SiteFollower, prepared: SiteFollower.Prepared)

    /// The follower of the default channel; other channels have none.
    func follower(_ launch: AssetPath?) -> SiteFollower? {
        guard request.channel == .production else { return nil }
        return SiteFollower(release: release, launch: launch, store: store, jobs: request.jobs)
    }

    func prepareFollowers(
        _ manifest: Manifest, _ staging: Staging, _ report: inout PublishReport
    ) async throws -> Following? {
        guard let follower = follower(manifest.launch) else { return nil }
        let prepared = try await follower.prepare(in: staging)
        report.count(prepared.site)
        return (follower, prepared)
    }

    /// Updates what follows the pointer, and ends the publish.
    ///
    /// - Throws: ``PublishError/liveButBehind(_:)``.
    func finish(
        _ pointer: Pointer, _ staging: Staging, _ following: Following?,
        _ report: inout PublishReport
    ) async throws {
        do {
            if let following { try await follow(pointer, following, &report) }
            try staging.discard()
            try await PublishIntent.clear(of: request.channel, store)
        } catch {
            let behind = await following?.follower.placesBehind() ?? []
            throw PointerCommit.live(pointer, error, behind: behind)
        }
    }

    /// Brings `info.json` and `site/` to the pointer's release, unless another publish replaces it meanwhile.
    private func follow(
        _ pointer: Pointer, _ following: Following, _ report: inout PublishReport
    ) async throws {
        try await following.follower.follow(following.prepared) {
            try await successor(of: pointer) == nil
        }
        guard let newer = try await successor(of: pointer) else { return }
        var note =
            "another publish has since replaced this release (sequence \(newer.pointer.sequence))"
        do {
            try await followSuccessor(newer)
        } catch {
            note += "; info.json or site/ may show this one until the next publish: \(error)"
        }
        report.notes.append(note)
    }

    /// Corrects what was written after another publish had already written the same place.
    ///
    /// A store cannot look at the pointer and write to `site/` in one step. So each publish looks again after its
    /// last write, and the last one to look leaves the live release.
    private func followSuccessor(_ newer: OriginReader.Published) async throws {
        var live = newer
        while true {
            let manifest = try await history.reader.manifest(of: live)
            let follower = SiteFollower(
                release: manifest.release, launch: manifest.launch, store: store,
                jobs: request.jobs)
            let staging = try store.makeStaging()
            defer { try? staging.discard() }
            let pointer = live.pointer
            try await follower.follow(follower.prepare(in: staging)) {
                try await successor(of: pointer) == nil
            }
            guard let newer = try await successor(of: pointer) else { return }
            live = newer
        }
    }

    /// The channel's pointer if it is no longer the given one.
    private func successor(of pointer: Pointer) async throws -> OriginReader.Published? {
        let live = try await history.reader.pointer(request.channel)
        return live?.pointer.sequence == pointer.sequence ? nil : live
    }
}
