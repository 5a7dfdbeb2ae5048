import PackGround
package import PackOrigin
package import PackRelease

extension Pin {
    /// Records that apps contain a release, with the reasons of an earlier pin of it.
    ///
    /// - Parameter clock: the machine's clock.
    /// - Throws: ``Failure/publishBusy(origin:)``; an error of the store.
    package func record(
        at store: any WritableStore, clock: Timestamp
    ) async throws {
        try await Self.apart(store, channel, version, clock) { _ = try await write(to: store) }
    }

    /// In place of an earlier one: nothing refers to a pin, it is what names the release.
    package func write(to store: any WritableStore) async throws -> Pin {
        var pin = self
        do {
            if let file = try await store.read(path, limit: Self.sizeLimit) {
                pin = keepingReasons(of: try Self.decode(file.bytes))
            }
        } catch  where !error.isLocalOrTransient {
            // A damaged one is replaced.
        }
        _ = try await store.replace(Upload(pin.path, pin.encode()), if: .always)
        return pin
    }

    /// Runs `body` while no prune runs: under the lock, or announced where there is none.
    private static func apart<Result: Sendable>(
        _ store: any WritableStore, _ channel: Channel, _ version: Version, _ clock: Timestamp,
        _ body: () async throws -> Result
    ) async throws -> Result {
        let steps = PointerTransaction(
            channel, of: version, OriginHistory(store, policy: .recordedInLog), store, jobs: 1,
            clock: clock)
        return try await store.alone {
            try await steps.announcing(reading: {}) { try await body() }
        }
    }

    /// Pins the release of a channel that a version or label names.
    ///
    /// - Throws: ``Failure``; an error of the store.
    package static func record(
        _ name: String, of channel: Channel, at store: any WritableStore, now: Timestamp,
        clock: Timestamp, reason: String?
    ) async throws -> Pin {
        let history = OriginHistory(store, policy: .recordedInLog)
        let offer = try await offer(name, of: channel, history)
        let pin = Pin(
            channel: channel, version: offer.pointer.version, createdAt: now, reason: reason)
        return try await apart(store, channel, pin.version, clock) {
            // Under the lock: no prune deletes it meanwhile.
            do {
                _ = try await history.reader.manifest(of: offer)
            } catch {
                if try await history.mayBePruned(offer.pointer) {
                    throw Failure.channelPruned(name: offer.pointer.entry.name)
                }
                throw error
            }
            return try await pin.write(to: store)
        }
    }

    /// Takes a pin of a channel away.
    ///
    /// - Parameter name: a version or label.
    /// - Throws: ``Failure``; an error
    ///   of the store.
    package static func remove(
        _ name: String, of channel: Channel, at store: any WritableStore
    ) async throws -> Pin {
        let history = OriginHistory(store, policy: .recordedInLog)
        var version = Version(name)
        if version == nil {
            version = try await offer(name, of: channel, history).pointer.version
        }
        let pins = try await history.pins(of: channel).pins
        guard let pin = pins.first(where: { $0.version == version }) else {
            throw Failure.channelNotPinned(name: name, channel: channel.description)
        }
        try await store.alone {
            try await store.remove([pin.path])
            // A power cut must not bring it back.
            try await store.flush()
        }
        return pin
    }

    /// The newest offer of a release that was live on a channel.
    private static func offer(
        _ name: String, of channel: Channel, _ history: OriginHistory
    ) async throws -> OriginReader.Published {
        guard try await history.isOrigin() else {
            throw Failure.originNotAnOrigin(path: history.store.address)
        }
        guard let current = try await history.reader.pointer(channel) else {
            throw Failure.originNothingPublished(
                channel: channel.description, origin: history.store.address)
        }
        guard let found = try await history.offer(named: name, before: current) else {
            throw Failure.channelNeverLive(name: name, channel: channel.description)
        }
        return found
    }
}
