import PackGround
import PackOrigin
import PackRelease

/// What a change of a channel reads in a distant store while it waits for other answers.
///
/// As with ``PublishPrefetch``, all of it is a hint.
struct ChannelPrefetch: Sendable {
    let request: ChannelRequest
    let store: any WritableStore

    private var reader: OriginReader { OriginReader(store, policy: .recordedInLog) }

    func run() async {
        guard store.readsAtOnce > 1, let current = try? await reader.glance(request.channel)
        else { return }
        async let log: Void = reader.readLogAhead(of: current, withPrevious: false)
        switch request.command {
        case .rollback(nil, _): await readPrevious(of: current)
        case .rollback, .promote: await reader.readPreviousAhead(of: current)
        case .rollout, .pause, .resume, .renew, .close:
            await store.readManifestAhead(of: current)
        }
        await log
    }

    /// Reads what a rollback most likely offers again.
    private func readPrevious(of current: OriginReader.Published) async {
        guard let previous = current.pointer.previous,
            let found = try? await reader.logEntry(request.channel, previous)
        else { return }
        for offer in found.offers {
            async let info: Void = store.readManifestAhead(of: offer)
            if store.hashes?.learnsContents == true {
                await store.readAhead([
                    ObjectReference(
                        OriginLayout.package(offer.pointer.version), offer.pointer.package)
                ])
            }
            await info
        }
    }
}

extension OriginReader {
    /// A channel's pointer, which is not compared with its log entry.
    func glance(_ channel: Channel) async throws -> Published? {
        guard let file = try await pointerFile(channel) else { return nil }
        return try published(file, at: OriginLayout.pointer(channel), of: channel)
    }

    /// Prefetches the log entry of a pointer, which has the same bytes.
    func readLogAhead(of current: Published, withPrevious: Bool) async {
        let pointer = current.pointer
        async let previous: Void = withPrevious ? readPreviousAhead(of: current) : ()
        await store.readAhead(
            OriginLayout.logEntry(pointer.channel, pointer.sequence), limit: Pointer.sizeLimit)
        await previous
    }

    /// Prefetches the log entry of the pointer before this one.
    func readPreviousAhead(of current: Published) async {
        guard let previous = current.pointer.previous else { return }
        await store.readAhead(
            OriginLayout.logEntry(current.pointer.channel, previous), limit: Pointer.sizeLimit)
    }
}

extension WritableStore {
    /// Prefetches a pointer's manifest.
    func readManifestAhead(of current: OriginReader.Published) async {
        // The size is not verified yet.
        guard current.pointer.info.size <= Manifest.sizeLimit else { return }
        await readAhead([current.manifestFile])
    }
}
