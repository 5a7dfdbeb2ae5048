import PackGround
import PackOrigin
import PackRelease
import PackTrust

extension ChannelChanger {
    /// What a command makes of a channel.
    struct Target: Sendable {
        let app: AppName
        let operation: Pointer.Operation
        /// What is offered first.
        var entry: Pointer.Entry
        /// What was not offered until now, and has to be proved first.
        var offers: [OriginReader.Published] = []
        /// The change, with the entry's deltas.
        let make: @Sendable (Pointer.Entry) -> Pointer.Change
        /// The manifest of a release that is promoted, to which deltas are made.
        var promoted: (manifest: Manifest, offer: OriginReader.Published)?
        var notes: [String] = []

        var deltas: [Pointer.Delta] { entry.deltas }

        func change(with deltas: [Pointer.Delta]) -> Pointer.Change {
            var entry = entry
            entry.deltas = deltas
            return make(entry)
        }

        /// The entry's deltas and new ones.
        func deltas(with made: DeltaMaker.Outcome) -> [Pointer.Delta] {
            Pointer.deltas(made.deltas.map(\.pointer), deltas)
        }
    }

    /// Reads what the command needs, and refuses what would not do what it seems to.
    func target(_ state: ChannelState) async throws -> Target {
        if case .promote(let promotion) = request.command {
            return try await target(of: promotion, state)
        }
        guard let current = state.replaced else {
            throw Failure.originNothingPublished(
                channel: request.channel.description, origin: store.address)
        }
        let pointer = current.pointer
        try checkClosing(pointer)
        let change: Pointer.Change
        var notes: [String] = []
        switch request.command {
        case .rollback(let name, let isMandatory):
            if name == nil, let live = state.current,
                live.pointer.operation == .rollback, try await steps.isUnfinished(live).isUnfinished
            {
                // Who ran it again wants to finish it, not to go back further.
                change = .renew
                notes.append(
                    "the rollback to \(pointer.entry.name) had not come to its end; run it once more to go back further"
                )
                break
            }
            return try await rollback(current, to: name, isMandatory: isMandatory)
        case .rollout(let share, let shrinks):
            guard share >= pointer.rollout || shrinks else {
                throw Failure.channelWouldShrink(share: pointer.rollout, to: share)
            }
            change = .rollout(share)
            if shrinks, share < 100, pointer.entries.dropFirst().allSatisfy({ $0.rollout < 100 }) {
                notes.append(
                    "the other devices are offered nothing, new installs included; 'packtool rollback' offers them "
                        + "the release before")
            }
        case .pause(let bypasses): change = .pause(bypass: bypasses)
        case .resume: change = .resume
        case .renew, .promote: change = .renew
        case .close: change = .close
        }
        return Target(
            app: pointer.app, operation: change.operation, entry: pointer.entry,
            make: { _ in change }, notes: notes)
    }

    // MARK: Back

    private func rollback(
        _ current: OriginReader.Published, to name: String?, isMandatory: Bool
    ) async throws -> Target {
        let channel = request.channel
        let version = current.pointer.version
        var found: OriginReader.Published?
        var unread: [Int] = []
        var newest = Pointer.sequenceLimit
        try await history.forEachLive(channel, upTo: current.pointer.sequence) {
            guard let pointer = $1?.pointer else {
                unread.append($0)
                return false
            }
            if let name {
                if name == pointer.label || name == pointer.version.description { found = $1 }
            } else if pointer.sequence <= newest {
                if pointer.version != version {
                    found = $1
                } else if pointer.operation == .rollback, let source = pointer.source {
                    // What it went back from must not come again: a second rollback goes further back.
                    newest = source.sequence
                }
            }
            return found != nil
        }
        guard let found else {
            if let name { throw Failure.channelNeverLive(name: name, channel: channel.description) }
            throw Failure.channelNoEarlierRelease(channel: channel.description)
        }
        try checkStanding(found)
        if name != nil, found.pointer.version == version, current.pointer.operation != .rollback {
            return Target(
                app: current.pointer.app, operation: .rollback, entry: current.pointer.entry,
                make: { _ in .renew }, notes: ["\(current.pointer.entry.name) is live already"])
        }
        let source = Pointer.Source(channel: channel, sequence: found.pointer.sequence)
        var notes: [String] = []
        if let first = unread.first {
            notes.append(
                "'\(OriginLayout.logEntry(channel, first))' cannot be read, and may name a later release; run "
                    + "'packtool verify'")
        }
        var offers = found.offers
        for index in offers.indices {
            offers[index] = try await withoutDamagedDeltas(offers[index], &notes)
        }
        // Before an intent is written: what is gone will not come back by itself.
        for offer in offers where try await history.mayBePruned(offer.pointer) {
            _ = try await manifest(of: offer)
        }
        let entries = offers.map(\.pointer.entry)
        // A release that is offered now keeps the share that it has reached.
        let known = current.pointer.entries.first { $0.packageHash == entries[0].packageHash }
        var first = entries[0]
        if let known, known.native == first.native {
            first.rollout = max(first.rollout, known.rollout)
        }
        var others = Array(entries.dropFirst())
        // After '--shrink' an entry for part of the devices can be alone. A rollback is for all of them.
        if first.rollout < 100, others.allSatisfy({ $0.rollout < 100 }) {
            let name = others.last?.name ?? first.name
            if others.isEmpty {
                first.rollout = 100
            } else {
                others[others.count - 1].rollout = 100
            }
            notes.append("\(name) is offered to every device: nothing else would be")
        }
        let rest = others
        if first.rollout < 100 {
            notes.append(
                "\(first.name) is offered to \(first.rollout) % of the devices, as when it was live; 'packtool rollout "
                    + "100' offers it to all")
        }
        return Target(
            app: found.pointer.app, operation: .rollback, entry: first, offers: offers,
            make: { .rollback([$0] + rest, to: source, isMandatory: isMandatory) }, notes: notes)
    }

    /// An emergency must not wait for a delta that clients can do without.
    private func withoutDamagedDeltas(
        _ offer: OriginReader.Published, _ notes: inout [String]
    ) async throws -> OriginReader.Published {
        var pointer = offer.pointer
        for delta in pointer.deltas {
            let path = OriginLayout.delta(pointer.version, from: delta.from)
            if try await store.holds(delta.content.content, at: path) { continue }
            pointer.deltas.removeAll { $0 == delta }
            notes.append(
                "no delta from \(delta.from): '\(store.display(path))' is missing or damaged")
        }
        return offer.saying(pointer)
    }

    /// Refuses to sign what the owner's present keys did not sign for its channel.
    private func checkStanding(_ found: OriginReader.Published) throws {
        guard let signing else { return }
        let standing = try signing.chain.standing(of: found)
        guard standing == .signed else {
            throw Failure.channelUnauthorized(
                release: found.pointer.entry.name, path: found.path,
                reason: standing.reason(newest: signing.root))
        }
    }

    // MARK: From another channel

    private func target(
        of promotion: ChannelRequest.Promotion, _ state: ChannelState
    ) async throws -> Target {
        let channel = request.channel
        guard promotion.source != channel else {
            throw Failure.channelSameChannel(channel: channel.description)
        }
        var notes: [String] = []
        let found = try await source(of: promotion)
        try checkStanding(found)
        let offer = try await withoutDamagedDeltas(found, &notes)
        let current = state.current?.pointer
        if let current { try checkClosing(current) }
        if let current, let base = state.current?.baseURL {
            guard current.app == offer.pointer.app else {
                throw Failure.publishOtherApp(
                    origin: store.address, theirs: offer.pointer.app.description,
                    ours: current.app.description)
            }
            guard base == offer.baseURL else {
                throw Failure.channelOtherBaseURL(
                    theirs: offer.baseURL.description, ours: base.description,
                    channel: channel.description)
            }
        }
        if let current, !current.isClosed, !current.isEnabled, !promotion.conditions.resumes,
            !promotion.staysPaused
        {
            throw Failure.publishPaused(channel: channel.description)
        }
        var entry = offer.pointer.entry
        let known = current?.entries.first { $0.packageHash == entry.packageHash }
        if let share = promotion.conditions.rollout, let known, share < known.rollout {
            throw Failure.publishWouldShrink(
                version: entry.version.description, share: known.rollout, to: share)
        }
        var conditions = promotion.conditions
        // What the release can run on goes with it; the share belongs to the channel.
        let native = conditions.native(after: entry.native)
        try Publisher.checkRanges(native)
        for platform in AppPlatform.allCases {
            let range = native[platform]
            conditions.lowest[platform] = range.lowest.map { .version($0) } ?? .unlimited
            conditions.highest[platform] = range.highest.map { .version($0) } ?? .unlimited
        }
        entry.deltas = Pointer.deltas(entry.deltas, known?.deltas ?? [])
        entry.rolloutSalt = nil
        if current == nil { entry.rollout = 100 }
        if let label = promotion.label {
            try PublishState.checkForm(ofLabel: label)
            entry.label = label
        }
        if let label = entry.label {
            try await PublishState.checkLabel(
                label, of: entry.version, channel, after: current, upTo: state.previous ?? 0,
                history,
                &notes)
        }
        let source = Pointer.Source(
            channel: promotion.source, sequence: found.pointer.sequence)
        let limits = conditions
        let manifest = try await manifest(of: offer)
        return Target(
            app: offer.pointer.app, operation: .promote, entry: entry, offers: [offer],
            make: { .promote($0, limits, from: source) },
            promoted: (manifest, offer), notes: notes)
    }

    private func source(
        of promotion: ChannelRequest.Promotion
    ) async throws -> OriginReader.Published {
        guard let current = try await history.reader.pointer(promotion.source),
            let first = current.offers.first
        else {
            throw Failure.originNothingPublished(
                channel: promotion.source.description, origin: store.address)
        }
        if signing == nil { try PointerSigning.checkIsUnsigned(current, store) }
        guard let name = promotion.release else { return first }
        guard let found = try await history.offer(named: name, before: current) else {
            throw Failure.channelNeverLive(name: name, channel: promotion.source.description)
        }
        return found
    }

    // MARK: Deltas and proof

    /// Makes the deltas from the channel's last releases to a release that is promoted; `nil` where none are wanted.
    func makeDeltas(
        to target: Target, _ state: ChannelState, in directory: Directory
    ) async throws -> DeltaMaker.Outcome? {
        guard case .promote(let promotion) = request.command, let promoted = target.promoted
        else { return nil }
        let pointer = promoted.offer.pointer
        return try await DeltaMaker(
            store: store, history: history, channel: request.channel,
            live: state.current?.pointer.sequence, policy: promotion.deltas,
            baseURL: promoted.offer.baseURL, jobs: request.jobs, sink: request.progress,
            target: .init(
                release: promoted.manifest.release, content: .objects, isPublished: true,
                published: pointer.package,
                packed: .init(.init(pointer.package.size, promoted.manifest, pointer.info)))
        ).make(in: directory)
    }

    /// Gives new deltas their public names.
    func upload(
        _ made: DeltaMaker.Outcome, of target: Target, _ staging: Staging
    ) async throws {
        let uploads = made.uploads(to: target.entry.version, in: staging)
        do {
            _ = try await store.create(uploads)
        } catch StoreError.taken(let path, nil) {
            throw Failure.publishConcurrentUpload(path: store.display(path))
        } catch StoreError.taken(let path, _) {
            throw Failure.publishDamaged(
                path: store.display(path), problem: "its content does not match this release")
        }
    }

    /// Re-reads everything that a device will read of what it was not offered until now.
    func prove(_ target: Target, _ deltas: [Pointer.Delta]) async throws {
        for (index, offer) in target.offers.enumerated() {
            do {
                let manifest = try await history.reader.manifest(of: offer)
                try await ReleaseUploader(
                    release: manifest.release, store: store, jobs: request.jobs,
                    progress: request.progress
                ).prove(manifest, index == 0 ? deltas : [])
            } catch {
                throw try await refusal(of: offer, error)
            }
        }
    }

    private func manifest(of offer: OriginReader.Published) async throws -> Manifest {
        do {
            return try await history.reader.manifest(of: offer)
        } catch {
            throw try await refusal(of: offer, error)
        }
    }

    /// Why a release whose files cannot be used cannot be offered.
    private func refusal(
        of offer: OriginReader.Published, _ error: any Error
    ) async throws -> any Error {
        let name = offer.pointer.entry.name
        if error.isLocalOrTransient { return error }
        if try await history.mayBePruned(offer.pointer) { return Failure.channelPruned(name: name) }
        return Failure.channelReleaseDamaged(name: name, problem: "\(error)")
    }
}
