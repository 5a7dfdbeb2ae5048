/// Everything that a prune leaves alone, and what it knows of the rest.
///
/// Of each channel the log from a lowest sequence on is kept with all that its entries name, so that `verify` can tell
/// what has to be there by one number (``PruneMark``).
struct KeptReleases: Sendable {
    private(set) var needs = Reachability()
    private(set) var channels: [PruneReport.Line] = []
    private(set) var pins: [Pin] = []
    /// Releases that stay, by their versions.
    private(set) var kept: Set<Version> = []
    /// Releases that only entries below the lowest sequence name, each with the newest one.
    private(set) var gone: [Version: OriginReader.Published] = [:]
    /// What files of those releases `site/` may have.
    private(set) var goneSite: [String: [FileDigest]] = [:]
    /// What kept releases gave those places of `site/` that the release shown there does not have: the file that is
    /// there can be of an earlier release.
    private(set) var olderSite: [String: [SiteCopy]] = [:]
    /// What `site/` shows, or has to.
    private var shown: Set<AssetPath> = []
    private(set) var notes: [String] = []

    private let request: PruneRequest
    private let history: OriginHistory
    /// Manifests that only entries below the lowest sequence name.
    private var goneManifests: [String: OriginReader.Published] = [:]

    /// Reads an origin.
    ///
    /// Nothing that decides what is kept may be unreadable.
    ///
    /// - Throws: ``PruneError``, ``OriginError``, ``ManifestError``; an error of the store.
    static func read(
        _ request: PruneRequest, _ history: OriginHistory
    ) async throws -> KeptReleases {
        var result = try await KeptReleases(
            request: request, history: history, chain: RootChain.read(history.store))
        for channel in try await history.channels() { try await result.read(channel) }
        try await result.readPins()
        try await result.readProposals()
        try await result.readRoots()
        try await result.readKeptManifests()
        try await result.readGoneManifests()
        return result
    }

    /// Whose signatures say which entries are the owner's; `nil` for an origin without a root.
    private let chain: RootChain?

    private init(request: PruneRequest, history: OriginHistory, chain: RootChain?) {
        self.chain = chain
        self.request = request
        self.history = history
    }

    // MARK: Channels

    private mutating func read(_ channel: Channel) async throws {
        let sequences = try await history.logSequences(channel)
        needs.addPointer(of: channel)
        needs.addPruneMark(of: channel)
        for sequence in sequences { needs.addLogEntry(sequence, of: channel) }
        guard let current = try await history.reader.pointer(channel) else {
            return try await readWithoutPointer(channel, sequences)
        }
        let pointer = current.pointer
        // Another run can have made it since this one began, by a clock as right as this machine's or the store's.
        let latest = max(request.now, request.clock(), request.time)
        guard pointer.createdAt.seconds <= latest.seconds else {
            throw PruneError.clockBehind(createdAt: pointer.createdAt.description)
        }
        let pruned = try await history.pruneMark(of: channel)?.below ?? 1
        let line = try await line(of: current, notBelow: pruned)
        let isShown = channel == .production ? try await readShown(by: current) : true
        let lowest = isShown ? max(pruned, line.lowest) : pruned
        channels.append(
            .init(
                channel: channel, lowest: lowest, current: pointer.sequence, marked: pruned))
        keep(current)
        for sequence in sequences where sequence != pointer.sequence {
            try await add(
                sequence, of: channel, current: pointer.sequence, lowest, pruned,
                wasLive: line.live.contains(sequence))
        }
    }

    /// A channel whose first publishes ended between log entry and pointer: one of them may still run, so all that they
    /// name is kept.
    ///
    /// - Throws: ``PruneError/pointerMissing(place:)`` where an entry continues another: there was a pointer once.
    private mutating func readWithoutPointer(_ channel: Channel, _ sequences: [Int]) async throws {
        for sequence in sequences {
            let entry = try await history.reader.logEntry(channel, sequence)
            guard entry.pointer.previous == nil else {
                throw PruneError.pointerMissing(
                    place: history.store.display(OriginLayout.pointer(channel)))
            }
            keep(entry)
        }
        if !sequences.isEmpty {
            notes.append(
                "channel '\(channel)' has no pointer, because its first publish did not end: what it uploaded is kept; "
                    + "publish to it again")
        }
    }

    /// The lowest sequence of the pointers that stay: those that were replaced a short time ago, the channel's last
    /// releases, and what `info.json` and `site/` show; and which ones were live.
    private func line(
        of current: OriginReader.Published, notBelow pruned: Int
    ) async throws -> (lowest: Int, live: Set<Int>) {
        var live: Set<Int> = []
        let pointer = current.pointer
        var lowest = pointer.sequence
        var replacedAt: Timestamp?
        var versions: Set<Version> = []
        var needsFollowed = pointer.channel == .production && current.unconditional == nil
        let (channel, highest) = (pointer.channel, pointer.sequence)
        try await history.forEachLive(channel, upTo: highest, isStrict: true) { sequence, found in
            guard let found, sequence >= pruned else { return true }
            live.insert(sequence)
            let isFresh = replacedAt.map { $0.seconds > request.graceEnd } ?? true
            versions.formUnion(found.pointer.entries.map(\.version))
            let isLast = versions.count <= request.keep
            if isFresh || isLast || needsFollowed { lowest = sequence }
            if found.unconditional != nil { needsFollowed = false }
            replacedAt = Self.latestStart(of: found.pointer)
            // Times are what publishers' clocks said: an older entry can be the fresher one.
            return false
        }
        return (lowest, live)
    }

    /// Learns what `info.json` and `site/` have to show, and says whether they do.
    ///
    /// As long as they do not, something earlier is still served there, and every release of the channel stays.
    private mutating func readShown(by current: OriginReader.Published) async throws -> Bool {
        guard let offer = try await history.followed(by: current) else { return true }
        let manifest = try await history.reader.manifest(of: offer)
        shown = Set(manifest.release.assets.map(\.path))
        let info = offer.pointer.info.content
        var isShown = try await history.store.holds(info, at: OriginLayout.info)
        let copies = manifest.release.assets.map(SiteCopy.init)
        for state in try await history.store.compare(copies, jobs: request.jobs) {
            if case .unreadable(let error) = state { throw error }
            if !state.isCurrent { isShown = false }
        }
        if !isShown {
            notes.append(
                "info.json and site/ do not show the release of channel '\(current.pointer.channel)' yet, so none of "
                    + "the channel's releases is pruned: a publish was interrupted, or a file is damaged; publish the "
                    + "release again, then prune")
        }
        return isShown
    }

    /// Why an entry that never was live is none of the owner's; `nil` if it may be.
    private func doubt(_ entry: OriginReader.Published) -> String? {
        guard let chain, case .earlierEpoch? = try? chain.standing(of: entry) else { return nil }
        return RootChain.Standing.earlierEpoch(root: entry.pointer.root ?? 0)
            .reason(newest: chain.newest.root)
    }

    private mutating func add(
        _ sequence: Int, of channel: Channel, current: Int, _ lowest: Int, _ pruned: Int,
        wasLive: Bool
    ) async throws {
        let entry: OriginReader.Published
        do {
            entry = try await history.reader.logEntry(channel, sequence)
        } catch {
            if error.meansShortage || (pruned...current).contains(sequence) { throw error }
            notes.append(
                "'\(history.store.display(OriginLayout.logEntry(channel, sequence)))' is not a pointer of this "
                    + "channel; run 'packtool verify'")
            return
        }
        if sequence >= lowest {
            guard !wasLive, let reason = doubt(entry) else { return keep(entry) }
            notes.append("'\(entry.place)' \(reason): what only it names is not kept")
        }
        for offer in entry.offers {
            let version = offer.pointer.version
            if gone[version].map({ $0.pointer.sequence < sequence }) ?? true {
                gone[version] = offer
            }
            goneManifests[offer.manifestPlace] = offer
        }
    }

    private mutating func keep(_ published: OriginReader.Published) {
        // What two entries say differently of a place is for `verify` to tell; the place stays.
        _ = needs.add(published)
    }

    /// When a pointer went live at the latest: one that was proposed waited for signatures.
    private static func latestStart(of pointer: Pointer) -> Timestamp {
        pointer.isProposed
            ? pointer.createdAt.adding(days: Pointer.proposalDays) : pointer.createdAt
    }

    // MARK: Pins and roots

    /// Keeps what a proposed pointer names as long as it can go live.
    private mutating func readProposals() async throws {
        let store = history.store
        for name in try await store.names(in: OriginLayout.proposals) {
            let place = "\(OriginLayout.proposals)/\(name)"
            guard let file = try await store.read(place, limit: Pointer.sizeLimit) else { continue }
            do {
                let channel = try PointerProposal(file.bytes).pointer.channel
                let proposal = try history.reader.published(file, at: place, of: channel)
                let end = Self.latestStart(of: proposal.pointer)
                if request.time.seconds <= end.seconds { keep(proposal) }
            } catch {
                if error.meansShortage { throw error }
                throw PruneError.damagedProposal(place: store.display(place))
            }
        }
    }

    private mutating func readPins() async throws {
        let (pins, damaged) = try await history.pins()
        if let place = damaged.first {
            throw PruneError.damagedPin(place: history.store.display(place))
        }
        for pin in pins {
            if let offer = try await history.offer(of: pin) {
                keep(offer)
                self.pins.append(pin)
            } else {
                notes.append(
                    "'\(history.store.display(pin.place))' pins a release that no log entry names")
            }
        }
    }

    private mutating func readRoots() async throws {
        for name in try await history.store.names(in: OriginLayout.roots)
        where name.hasSuffix(".json") {
            if let version = Int(name.dropLast(5)) { needs.addRoot(version) }
        }
    }

    // MARK: Manifests

    private mutating func readKeptManifests() async throws {
        for (_, published) in needs.manifests.sorted(by: { $0.key < $1.key }) {
            needs.add(try await history.reader.manifest(of: published).release)
            kept.insert(published.pointer.version)
        }
        needs.addFollowers()
        for (path, assets) in needs.site where !shown.contains(path) {
            olderSite[OriginLayout.site(path)] = assets.map(SiteCopy.init)
        }
        gone = gone.filter { !kept.contains($0.key) }
    }

    /// Learns which files of `site/` came from releases that go; a manifest that is not there says nothing.
    private mutating func readGoneManifests() async throws {
        for (place, published) in goneManifests where needs.manifests[place] == nil {
            let release: Release
            do {
                release = try await history.reader.manifest(of: published).release
            } catch {
                guard error is OriginError || error is ManifestError || error.meansAnotherContent
                else { throw error }
                continue
            }
            for asset in release.assets {
                let site = OriginLayout.site(asset.path)
                if needs.contains(site) { continue }
                if goneSite[site]?.contains(asset.content) != true {
                    goneSite[site, default: []].append(asset.content)
                }
            }
        }
    }
}
