/// What every command that changes a channel does around its commit: intent and staging before it, `info.json` and
/// `site/` after it.
struct ChannelUpdate: Sendable {
    let channel: Channel
    let store: any WritableStore
    let history: OriginHistory
    let jobs: Int

    /// Writes the intent, and runs `body` with its own staging.
    func withStaging<Result>(
        of version: Version, at now: Timestamp, _ body: (Staging) async throws -> Result
    ) async throws -> Result {
        let intent = PublishIntent(channel: channel, version: version, startedAt: now)
        guard try await store.create([intent.upload]) == [.made] else {
            throw PublishError.busy(origin: store.address)
        }
        // Last, so that a failure above leaves none; a power cut may lose the staging.
        let staging = try store.makeStaging()
        do {
            return try await body(staging)
        } catch {
            // The staging would only use space; the intent stays until the work is finished.
            try? staging.discard()
            throw error
        }
    }

    // MARK: info.json and site/

    /// `info.json` and `site/`, ready to be brought to a release.
    typealias Following = (follower: SiteFollower, prepared: SiteFollower.Prepared)

    /// The follower to a release; other channels than the default one have none.
    func follower(to manifest: Manifest, at place: String) -> SiteFollower? {
        guard channel == .production else { return nil }
        return SiteFollower(
            release: manifest.release, launch: manifest.launch, manifestPlace: place, store: store,
            jobs: jobs)
    }

    /// The follower to the release of a pointer that every device may have; `nil` if there is none.
    func follower(of published: OriginReader.Published) async throws -> SiteFollower? {
        guard channel == .production, let offer = published.unconditional else { return nil }
        return follower(
            to: try await history.reader.manifest(of: offer), at: offer.manifestPlace)
    }

    func prepare(_ follower: SiteFollower?, in staging: Staging) async throws -> Following? {
        guard let follower else { return nil }
        return (follower, try await follower.prepare(in: staging))
    }

    /// Updates what follows the pointer, and ends the run.
    ///
    /// - Parameter notes: gets what another publisher did meanwhile.
    /// - Throws: ``PublishError/liveButBehind(_:)``.
    func finish(
        _ pointer: Pointer, _ staging: Staging, _ following: Following?, _ notes: inout [String]
    ) async throws {
        if store.guarantee == .createOnly { notes.append(PointerCommit.residue(of: store)) }
        do {
            if let following { try await follow(pointer, following, &notes) }
            try staging.discard()
            try await PublishIntent.clear(of: channel, store)
        } catch {
            let behind = await following?.follower.placesBehind() ?? []
            throw PointerCommit.live(pointer, error, behind: behind)
        }
    }

    /// Brings `info.json` and `site/` to the pointer's release, unless another publish replaces it meanwhile.
    private func follow(
        _ pointer: Pointer, _ following: Following, _ notes: inout [String]
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
        notes.append(note)
    }

    /// Corrects what was written after another publish had already written the same place.
    ///
    /// A store cannot look at the pointer and write to `site/` in one step. So each publish looks again after its
    /// last write, and the last one to look leaves the live release.
    private func followSuccessor(_ newer: OriginReader.Published) async throws {
        var live = newer
        while true {
            guard let follower = try await follower(of: live) else { return }
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
        let live = try await history.reader.pointer(channel)
        return live?.pointer.sequence == pointer.sequence ? nil : live
    }
}
