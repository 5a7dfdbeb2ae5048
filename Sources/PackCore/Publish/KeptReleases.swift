import PackFeeds
import PackGround
import PackOrigin
import PackRelease
import PackTrust

/// The files retained by a prune, and the candidates for deletion.
///
/// Each channel retains its log from a lowest sequence on, with all files referenced there.
/// `verify` can then derive the required files from one number (``PruneMark``).
struct KeptReleases: Sendable {
    var needs = Reachability()
    private(set) var channels: [PruneReport.Line] = []
    var pins: [Pin] = []
    /// Versions of the retained releases.
    var kept: Set<Version> = []
    /// Releases referenced only by unauthorized entries or entries below the lowest sequence, each
    /// with
    /// its newest entry.
    var gone: [Version: OriginReader.Published] = [:]
    /// Files of ``gone`` releases possibly still in `site/`.
    var goneSite: [String: [FileDigest]] = [:]
    /// Retained releases' copies for paths of `site/` missing from the current site release: the
    /// file
    /// there can belong to an earlier release.
    var olderSite: [String: [SiteCopy]] = [:]
    /// Paths that `site/` contains or must contain.
    var shown: Set<AssetPath> = []
    /// The files of all feeds.
    private(set) var feeds: Set<String> = []
    var notes: [String] = []

    let request: PruneRequest
    let history: OriginHistory
    /// Manifests referenced only by unauthorized entries or entries below the lowest sequence.
    var goneManifests: [String: OriginReader.Published] = [:]
    /// Entries possibly signed by the owner or not published yet.
    ///
    /// Their files are retained, but they never override the content bound by other entries.
    var unverifiable: [OriginReader.Published] = []
    /// Unauthorized entries.
    ///
    /// Files referenced only by them are deleted.
    private var unauthorized: [OriginReader.Published] = []
    /// Decides for each channel which entries the owner authorized.
    ///
    /// Empty for an origin without a root.
    private(set) var judges: [Channel: LogEntryClassifier] = [:]

    /// Reads an origin.
    ///
    /// Fails if any file that affects retention is unreadable.
    ///
    /// - Throws: ``Failure``; an error of the store.
    static func read(
        _ request: PruneRequest, _ history: OriginHistory
    ) async throws -> KeptReleases {
        var result = try await KeptReleases(
            request: request, history: history, chain: RootChain.read(history.store))
        do {
            for channel in try await history.channels() { try await result.read(channel) }
        } catch let failure as Failure
            where failure.code == .originInvalidPointer
            && !failure["path"].hasSuffix("/pointer.json")
        {
            throw Failure.pruneDamagedEntry(path: failure["path"], problem: failure["problem"])
        }
        try await result.readPins()
        try await result.readProposals()
        result.addRest()
        try await result.readRoots()
        try await result.readKeptManifests()
        try await result.readGoneManifests()
        return result
    }

    /// The trusted roots for log entries; `nil` for an origin without a root.
    let chain: RootChain?

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
        let current = try await history.reader.pointer(channel)
        judges[channel] = chain.map { LogEntryClassifier($0, current: current) }
        guard let current else { return try await readWithoutPointer(channel, sequences) }
        // A forged pointer could make the prune delete required files.
        if let chain {
            _ = try PointerSigning.standing(of: current, chain)
        } else {
            try PointerSigning.checkIsUnsigned(current, history.store)
        }
        let pointer = current.pointer
        // Another run may have created it after this run started, so compare with the latest of the
        // local and the store's time.
        let latest = max(request.now, request.clock(), request.time)
        guard pointer.createdAt.seconds <= latest.seconds else {
            throw Failure.pruneClockBehind(createdAt: pointer.createdAt.description)
        }
        let pruned = try await history.pruneMark(of: channel)?.below ?? 1
        let feeds = try await Feed.present(on: channel, in: history.store)
        self.feeds.formUnion(feeds.flatMap { $0.paths(on: channel) })
        needs.addFeeds(feeds.flatMap { $0.paths(on: channel) })
        let first = try await lowest(of: current, notBelow: pruned, hasFeeds: !feeds.isEmpty)
        var isShown = try await isShown(by: current, feeds)
        if channel == .production { isShown = try await readShown(by: current) && isShown }
        let lowest = isShown ? max(pruned, first) : pruned
        channels.append(
            .init(
                channel: channel, lowest: lowest, current: pointer.sequence, marked: pruned))
        let verdict = judges[channel]?.verdict(of: current) ?? .counts
        if lowest <= pointer.sequence { take(current, verdict) } else { forget(current) }
        var entries = history.reading(channel, sequences.filter { $0 != pointer.sequence })
        while let (sequence, outcome) = await entries.next() {
            try add(sequence, outcome, of: channel, current: pointer.sequence, lowest, pruned)
        }
    }

    /// Reads a channel with log entries but no pointer.
    ///
    /// Its first publish may still be running, so all referenced files are retained.
    ///
    /// - Throws: ``Failure/prunePointerMissing(path:)`` if an entry not known
    ///   to be unauthorized has a predecessor: the channel then had a pointer.
    private mutating func readWithoutPointer(_ channel: Channel, _ sequences: [Int]) async throws {
        var entries = history.reading(channel, sequences)
        while let (_, outcome) = await entries.next() {
            let entry = try outcome.get()
            let verdict = judges[channel]?.verdict(of: entry) ?? .counts
            guard verdict.isForsaken || entry.pointer.previous == nil else {
                throw Failure.prunePointerMissing(
                    path: history.store.display(OriginLayout.pointer(channel)))
            }
            take(entry, verdict)
        }
        if !sequences.isEmpty {
            notes.append(
                "channel '\(channel)' has no pointer, because its first publish did not end: what it uploaded is kept; "
                    + "publish to it again")
        }
    }

    /// The lowest retained sequence.
    ///
    /// Retained are recently replaced pointers, the channel's last releases, and the release in
    /// `info.json` and `site/`.
    ///
    /// A closed channel retains no last releases: its pointer counts as replaced when it was
    /// closed.
    /// Only the verified current pointer determines whether the channel is closed.
    ///
    /// Also records the live entries in the channel's classifier.
    private mutating func lowest(
        of current: OriginReader.Published, notBelow pruned: Int, hasFeeds: Bool
    ) async throws -> Int {
        let pointer = current.pointer
        var judge = judges[pointer.channel]
        let isClosed = pointer.isClosed
        var lowest = isClosed ? pointer.sequence + 1 : pointer.sequence
        var replacedAt = isClosed ? Self.latestStart(of: pointer) : nil
        var versions: Set<Version> = []
        var needsFollowed =
            (pointer.channel == .production || hasFeeds)
            && (isClosed || current.unconditional == nil)
        let (channel, highest) = (pointer.channel, pointer.sequence)
        try await history.forEachLive(channel, upTo: highest, isStrict: true) { sequence, found in
            guard let found, sequence >= pruned else {
                judge?.addEarlier(sequence, found)
                return true
            }
            judge?.addLive(sequence, found)
            let isFresh = replacedAt.map { $0.seconds > request.graceEnd } ?? true
            versions.formUnion(found.pointer.entries.map(\.version))
            let isLast = !isClosed && versions.count <= request.keep
            if isFresh || isLast || needsFollowed { lowest = sequence }
            if found.unconditional != nil { needsFollowed = false }
            replacedAt = Self.latestStart(of: found.pointer)
            // Times come from publishers' clocks, so an older entry can have a later time.
            return false
        }
        judges[channel] = judge
        return lowest
    }

    /// Reads the expected content of `info.json` and `site/`, and returns whether they are current.
    ///
    /// Otherwise they still serve an earlier release, and all releases of the channel are retained.
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

    /// Whether the feeds of a channel show the expected release.
    private mutating func isShown(
        by current: OriginReader.Published, _ feeds: [Feed]
    ) async throws -> Bool {
        guard !feeds.isEmpty, let offer = try await history.followed(by: current) else {
            return true
        }
        let shows = FeedOffer(offer, try await history.reader.manifest(of: offer).release)
        for feed in feeds {
            let path = feed.path(on: current.pointer.channel)
            let document = FileDigest(of: shows.document(of: feed))
            if try await history.store.holds(document, at: path) { continue }
            notes.append(
                "'\(path)' does not show the release of channel '\(current.pointer.channel)' yet, so none of the "
                    + "channel's releases is pruned: publish the release again, then prune")
            return false
        }
        return true
    }

    private mutating func add(
        _ sequence: Int, _ outcome: LogReading.Outcome, of channel: Channel, current: Int,
        _ lowest: Int, _ pruned: Int
    ) throws {
        let judge = judges[channel]
        let path = history.store.display(OriginLayout.logEntry(channel, sequence))
        let entry: OriginReader.Published
        do {
            entry = try outcome.get()
        } catch {
            if error.isLocalOrTransient { throw error }
            let isForeign = error.meansNoPointer && judge?.isForeign(sequence) == true
            if !isForeign, (pruned...current).contains(sequence) { throw error }
            notes.append("'\(path)' is not a pointer of this channel; run 'packtool verify'")
            return
        }
        guard sequence >= pruned else {
            // The live entries below the prune mark are no longer known.
            let isSigned = chain.map { $0.isSigned(entry) } ?? true
            return isSigned ? forget(entry) : unauthorized.append(entry)
        }
        let verdict = judge?.verdict(of: entry) ?? .counts
        switch verdict {
        case .counts, .unverifiable: sequence >= lowest ? take(entry, verdict) : forget(entry)
        case .earlierEpoch: sequence >= lowest ? take(entry, verdict) : unauthorized.append(entry)
        case .unauthorized: take(entry, verdict)
        }
    }

    private mutating func take(
        _ entry: OriginReader.Published, _ verdict: LogEntryClassifier.Verdict
    ) {
        switch verdict {
        case .counts: keep(entry)
        case .unverifiable: unverifiable.append(entry)
        case .earlierEpoch(let reason):
            unauthorized.append(entry)
            notes.append("'\(entry.path)' \(reason): what only it names is not kept")
        case .unauthorized(let reason):
            unauthorized.append(entry)
            notes.append(
                "'\(entry.path)' \(reason) and was never live: what only it names is not kept; run 'packtool verify'"
            )
        }
    }

    /// Records the releases of an entry below the lowest sequence as candidates for deletion.
    private mutating func forget(_ entry: OriginReader.Published) {
        for offer in entry.offers {
            let version = offer.pointer.version
            if gone[version].map({ $0.pointer.sequence < entry.pointer.sequence }) ?? true {
                gone[version] = offer
            }
            goneManifests[offer.manifestPath] = offer
        }
    }

    /// Adds unverifiable and unauthorized entries.
    ///
    /// Call this last: they must not override the content bound by other entries.
    private mutating func addRest() {
        for entry in unverifiable { _ = needs.add(entry, rebinds: false) }
        for offer in unauthorized.flatMap(\.offers) {
            if gone[offer.pointer.version] == nil { gone[offer.pointer.version] = offer }
            if goneManifests[offer.manifestPath] == nil {
                goneManifests[offer.manifestPath] = offer
            }
        }
    }

    mutating func keep(_ published: OriginReader.Published) {
        // `verify` reports conflicting entries; prune keeps the file.
        _ = needs.add(published)
    }

    /// The latest possible start of a pointer: a proposed pointer first waits for signatures.
    static func latestStart(of pointer: Pointer) -> Timestamp {
        pointer.isProposed
            ? pointer.createdAt.adding(days: Pointer.proposalDays) : pointer.createdAt
    }
}
