import PackGround
package import PackOrigin
package import PackRelease
package import PackTrust

/// Gives a trust root its place at an origin: `root/<version>.json`, created once.
package enum RootPublisher {
    package struct Report: Sendable {
        package let root: SignedRoot
        /// Whether it was there already.
        package let wasPresent: Bool
        /// Notes for the reader that are not failures.
        package let notes: [String]
        /// Where clients get the origin, by a pointer of it.
        package let baseURL: BaseURL?
    }

    /// What the channels say of a root.
    private struct Channels {
        var notes: [String] = []
        var baseURL: BaseURL?
        /// A channel that nobody could publish to any more.
        var blocked: (channel: Channel, sequence: Int)?
    }

    /// Publishes the root that follows the origin's newest one, or the first.
    ///
    /// - Parameters:
    ///   - place: the file that was given, for messages.
    ///   - now: refuses a root that has expired, or was made later.
    ///   - force: publishes a root, too, under which nobody can follow an unsigned pointer.
    /// - Throws: ``Failure``, an error of the store. Nothing was changed.
    package static func publish(
        _ bytes: [UInt8], path: String, to origin: String, now: Timestamp, force: Bool = false
    ) async throws -> Report {
        // Before a directory is made for it.
        _ = try checked(bytes, path, now)
        return try await StoreOpener.write(origin) {
            try await publish(bytes, path: path, on: $0, now: now, force: force)
        }
    }

    /// Publishes to a store instead of a directory.
    ///
    /// - Parameter clock: the machine's clock; `nil` for one that stands at `now`.
    package static func publish(
        _ bytes: [UInt8], path: String, on store: any WritableStore, now: Timestamp,
        clock: (@Sendable () -> Timestamp)? = nil, force: Bool = false
    ) async throws -> Report {
        let given = try checked(bytes, path, now)
        // Before the lock, which makes any directory look like an origin.
        let history = OriginHistory(store, policy: .recordedInLog)
        let isNew = try await store.isEmpty()
        if !isNew, try await !history.isOrigin() {
            throw Failure.publishNotEmpty(origin: store.address)
        }
        return try await store.alone(isNew: isNew) {
            // One that is there already changes nothing that a publisher could miss.
            if try await store.rootFile(given.root.version) == given.bytes {
                return try await publish(given, path, store, history, force, nil)
            }
            try store.checkClock()
            let run = ExclusiveRun(.root, on: store, clock: clock ?? { now })
            return try await run.run {
                let publishers = try await run.others { !RunIntent.isExclusive($0) }
                if let other = publishers.first {
                    throw Failure.publishUnderWay(
                        channel: other.name, path: store.display(other.path))
                }
            } _: {
                try await publish(given, path, store, history, force, run)
            }
        }
    }

    private static func checked(
        _ bytes: [UInt8], _ path: String, _ now: Timestamp
    ) throws -> SignedRoot {
        let given = try SignedRoot(bytes, path: path)
        guard now < given.root.expires else {
            throw Failure.trustRootExpired(
                version: given.root.version, at: given.root.expires.description)
        }
        if let lead = given.root.lead(over: now) {
            throw Failure.trustRootAhead(
                version: given.root.version, createdAt: given.root.createdAt.description,
                lead: lead)
        }
        return given
    }

    private static func publish(
        _ given: SignedRoot, _ path: String, _ store: any WritableStore,
        _ history: OriginHistory, _ force: Bool, _ run: ExclusiveRun?
    ) async throws -> Report {
        let version = given.root.version
        let channels = try await checkChannels(given.root, history)
        let report = { (root: SignedRoot, wasPresent: Bool) in
            Report(
                root: root, wasPresent: wasPresent, notes: channels.notes,
                baseURL: channels.baseURL)
        }
        if let chain = try await RootChain.read(store) {
            let newest = chain.newest.root.version
            if let present = chain.root(version) {
                guard present.bytes == given.bytes else {
                    throw Failure.trustRootDiffers(
                        version: version, problem: "is published already, with other bytes")
                }
                return report(present, true)
            }
            guard version == newest + 1 else {
                throw Failure.trustRootGap(path: path, newest: newest)
            }
            _ = try chain.newest.next(given.bytes, path: path)
        } else if version != 1 {
            throw Failure.trustRootGap(path: path, newest: 0)
        }
        if let blocked = channels.blocked, !force {
            throw Failure.trustFloorTooLow(
                version: version, channel: blocked.channel.description, sequence: blocked.sequence)
        }
        let name = OriginLayout.root(version)
        do {
            if let run {
                guard run.isTimeLeft else {
                    throw Failure.publishIntentExpired(origin: store.address)
                }
                try await run.send(isOver: { $0 is StoreError || $0.meansDenial }) {
                    _ = try await store.create([Upload(name, given.bytes)])
                }
            }
        } catch StoreError.taken {
            throw Failure.trustRootDiffers(
                version: version, problem: "was published meanwhile, with other bytes")
        }
        // Read back: what clients get is what was meant.
        guard try await store.rootFile(version) == given.bytes else {
            throw Failure.trustRootDiffers(
                version: version, problem: "is not what was written to '\(store.display(name))'")
        }
        return report(given, false)
    }

    /// An origin is of one app; a channel's next sequence has to reach its floor.
    private static func checkChannels(
        _ root: TrustRoot, _ history: OriginHistory
    ) async throws -> Channels {
        var found = Channels()
        guard try await history.isOrigin() else { return found }
        for channel in try await history.channels() {
            guard let published = try await history.reader.readablePointer(channel) else {
                continue
            }
            let pointer = published.pointer
            found.baseURL = found.baseURL ?? published.baseURL
            guard pointer.app == root.app else {
                throw Failure.publishOtherApp(
                    origin: history.reader.store.address, theirs: pointer.app.description,
                    ours: root.app.description)
            }
            if let named = pointer.root, named > root.version {
                found.notes.append(
                    "the pointer of channel '\(channel)' names root \(named): put back the roots up to it"
                )
            }
            if pointer.root == nil, pointer.sequence >= root.floor(channel) {
                found.blocked = found.blocked ?? (channel, pointer.sequence)
                found.notes.append(
                    "channel '\(channel)' is at sequence \(pointer.sequence), unsigned; 'publish' refuses "
                        + "to follow it until a root has --floor \(channel)=\(pointer.sequence + 1)"
                )
            } else if pointer.root == nil {
                found.notes.append(
                    "channel '\(channel)' is not signed yet; publish to it with --sign-key before "
                        + "an app trusts this root")
            } else if pointer.sequence < root.floor(channel) {
                found.notes.append(
                    "clients refuse the pointer of channel '\(channel)' from now on: its sequence "
                        + "is \(pointer.sequence), the floor is \(root.floor(channel)); publish to it"
                )
            } else if let named = pointer.root, named < root.version,
                !root.accepts(published)
            {
                found.notes.append(
                    "clients refuse the pointer of channel '\(channel)' from now on: too few of the keys that root "
                        + "\(root.version) names signed it; run 'packtool renew --channel \(channel)' with them"
                )
            }
        }
        return found
    }
}
