import PackGround
package import PackRelease

/// What an origin has besides its current pointers: channels, logs, and the releases they name.
///
/// It lists files, so it needs a store that can.
package struct OriginHistory: Sendable {
    package let reader: OriginReader
    package let store: any ListingStore

    /// - Parameter keepsManifest: Whether its reader keeps the manifest read last.
    package init(
        _ store: any ListingStore, policy: any PointerPolicy, keepsManifest: Bool = false
    ) {
        self.store = store
        reader = OriginReader(store, policy: policy, keepsManifest: keepsManifest)
    }

    /// Whether the store is an origin, with or without a published release.
    ///
    /// A folder called `channels` is not enough: a project of the user may have one.
    package func isOrigin() async throws -> Bool {
        if try await store.isFolder(OriginLayout.channels) {
            for name in try await store.names(in: OriginLayout.channels) {
                guard let channel = try? Channel(name) else { continue }
                let names = try await store.names(in: OriginLayout.channel(channel))
                if names.contains("pointer.json") { return true }
                if names.contains("log"), try await !logSequences(channel).isEmpty { return true }
            }
        }
        if try await store.isFolder(OriginLayout.workspace) { return true }
        // A root can come first: its keys sign the first pointer.
        return try await store.status(of: OriginLayout.root(1))?.kind == .file
    }

    /// The channels that have a directory, sorted.
    ///
    /// - Throws: ``Failure/originNotAnOrigin(path:)``.
    package func channels() async throws -> [Channel] {
        guard try await isOrigin() else { throw Failure.originNotAnOrigin(path: store.address) }
        return try await store.names(in: OriginLayout.channels).compactMap { try? Channel($0) }
    }

    /// The channels that a command is changing, or was when it was interrupted.
    func channelsUnderWay() async throws -> Set<String> {
        try await RunIntent.channelsUnderWay(store)
    }

    /// The sequences of a channel's log, ascending.
    package func logSequences(_ channel: Channel) async throws -> [Int] {
        try await store.names(in: OriginLayout.log(channel)).compactMap { name in
            guard name.hasSuffix(".json"), let number = Int(name.dropLast(5)),
                (1...Pointer.sequenceLimit).contains(number),
                "\(number).json" == name
            else { return nil }
            return number
        }.sorted()
    }

    /// Calls `body` with the pointers of a channel that were live, the newest first, until it returns `true`.
    ///
    /// Each pointer names the one that it replaced. An entry that is named by none was recorded by a publish that ended
    /// before its commit point. Below an entry that cannot be read, whose pointer is `nil`, every one counts.
    ///
    /// - Parameters:
    ///   - highest: The sequence of the newest one.
    ///   - isStrict: whether an entry that cannot be read ends the walk with an error.
    package func forEachLive(
        _ channel: Channel, upTo highest: Int, isStrict: Bool = false,
        _ body: (_ sequence: Int, _ published: OriginReader.Published?) async throws -> Bool
    ) async throws {
        var next = highest
        var entries = reading(channel, try await logSequences(channel).reversed())
        while let (sequence, outcome) = await entries.next(where: { $0 <= next }) {
            let published = isStrict ? try outcome.get() : try outcome.recorded()
            if try await body(sequence, published) { return }
            next = sequence - 1
            guard let pointer = published?.pointer, pointer.operation != nil else { continue }
            // The first pointer of a channel replaced none.
            next = pointer.previous ?? 0
        }
    }

    /// What `info.json` and `site/` show: if a pointer offers nothing to every device, what one before it did.
    package func followed(
        by current: OriginReader.Published
    ) async throws -> OriginReader.Published? {
        if let offer = current.unconditional { return offer }
        var found: OriginReader.Published?
        let pointer = current.pointer
        try await forEachLive(pointer.channel, upTo: pointer.sequence) { _, published in
            found = published?.unconditional
            return found != nil
        }
        return found
    }

    // MARK: Releases

    /// Calls `body` with the pointers that name a release, the newest first and the given channel's before those
    /// of others, until it returns `true`.
    package func forEachPointer(
        to version: Version, startingWith first: Channel? = nil,
        _ body: (OriginReader.Published) throws -> Bool
    ) async throws {
        for channel in try await channels(startingWith: first) {
            var entries = reading(channel, try await logSequences(channel).reversed())
            while let (_, outcome) = await entries.next() {
                guard let entry = try outcome.recorded() else { continue }
                for offer in entry.offers where offer.pointer.version == version {
                    if try body(offer) { return }
                }
            }
        }
    }

    private func channels(startingWith first: Channel?) async throws -> [Channel] {
        guard try await isOrigin() else { return [] }
        let all = try await channels()
        return all.filter { $0 == first } + all.filter { $0 != first }
    }

    /// The newest pointer that offered a release and was live; where there is none, the newest log entry that names it.
    ///
    /// Anybody who can write to the storage can add an entry, but none to what was live.
    package func pointer(
        to version: Version, startingWith channel: Channel? = nil
    ) async throws -> OriginReader.Published? {
        for channel in try await channels(startingWith: channel) {
            if let live = try await offer(on: channel, where: { $0.version == version }) {
                return live
            }
        }
        var found: OriginReader.Published?
        try await forEachPointer(to: version, startingWith: channel) {
            found = $0
            return true
        }
        return found
    }

    /// The newest offer of a kind that was live on a channel.
    func offer(
        on channel: Channel, where isWanted: (Pointer) -> Bool
    ) async throws -> OriginReader.Published? {
        // A damaged pointer says nothing of what went live.
        let current = try await reader.readablePointer(channel)
        return try await offer(
            on: channel, upTo: current?.pointer.sequence ?? Pointer.sequenceLimit, where: isWanted)
    }

    private func offer(
        on channel: Channel, upTo highest: Int, where isWanted: (Pointer) -> Bool
    ) async throws -> OriginReader.Published? {
        var found: OriginReader.Published?
        try await forEachLive(channel, upTo: highest) { _, published in
            found = published?.offers.first { isWanted($0.pointer) }
            return found != nil
        }
        return found
    }

    /// The newest offer of a release that was live on a channel.
    ///
    /// - Parameters:
    ///   - name: a version or label.
    ///   - current: the channel's pointer, which counts, too.
    package func offer(
        named name: String, before current: OriginReader.Published
    ) async throws -> OriginReader.Published? {
        try await offer(on: current.pointer.channel, upTo: current.pointer.sequence) {
            name == $0.label || name == $0.version.description
        }
    }

    /// The manifest of the release that a version or a label names.
    ///
    /// - Throws: ``Failure``, an error of the store.
    package func manifest(named name: String) async throws -> Manifest {
        try await manifest(offered: offer(named: name))
    }

    /// The manifest of an offer of the log.
    ///
    /// - Throws: ``Failure``, an error of the store.
    package func manifest(offered found: OriginReader.Published) async throws -> Manifest {
        do {
            return try await reader.manifest(of: found)
        } catch let failure as Failure where failure.code == .originMissing {
            guard try await mayBePruned(found.pointer) else { throw failure }
            throw Failure.originPruned(name: found.pointer.entry.name, origin: store.address)
        }
    }

    /// The offer of the release that a version or a label names; of several with one label the last one that went
    /// live.
    ///
    /// - Throws: ``Failure``, an error of the store.
    package func offer(named name: String) async throws -> OriginReader.Published {
        if let version = Version(name) {
            if let published = try await pointer(to: version) { return published }
            throw Failure.originNoSuchRelease(version: name, origin: store.address)
        }
        for channel in try await channels() {
            if let found = try await offer(on: channel, where: { $0.label == name }) {
                return found
            }
        }
        throw Failure.originNoSuchRelease(version: name, origin: store.address)
    }
}
