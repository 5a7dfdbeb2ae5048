import PackGround
import PackOrigin
import PackRelease
import PackTrust

/// Everything that a prune leaves alone, and what it knows of the rest.
///
/// Of each channel the log from a lowest sequence on is kept with all that its entries name, so that `verify` can tell
/// what has to be there by one number (``PruneMark``).
struct KeptReleases: Sendable {
    var needs = Reachability()
    private(set) var channels: [PruneReport.Line] = []
    var pins: [Pin] = []
    /// Releases that stay, by their versions.
    var kept: Set<Version> = []
    /// Releases that only entries below the lowest sequence name, each with the newest one.
    var gone: [Version: OriginReader.Published] = [:]
    /// What files of those releases `site/` may have.
    var goneSite: [String: [FileDigest]] = [:]
    /// What kept releases gave those places of `site/` that the release shown there does not have: the file that is
    /// there can be of an earlier release.
    var olderSite: [String: [SiteCopy]] = [:]
    /// What `site/` shows, or has to.
    var shown: Set<AssetPath> = []
    var notes: [String] = []

    let request: PruneRequest
    let history: OriginHistory
    /// Manifests that only entries below the lowest sequence name.
    var goneManifests: [String: OriginReader.Published] = [:]
    /// What may be the owner's, or is not published yet: it is kept, and says nothing of what others name.
    var unverifiable: [OriginReader.Published] = []
    /// Entries that nobody vouches for: what only they name goes.
    private var unauthorized: [OriginReader.Published] = []
    /// Who says which entries of a channel are the owner's, at an origin with a root.
    private(set) var judges: [Channel: LogEntryClassifier] = [:]

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
        do {
            for channel in try await history.channels() { try await result.read(channel) }
        } catch OriginError.invalidPointer(let place, let problem)
            where !place.hasSuffix("/pointer.json")
        {
            throw PruneError.damagedEntry(place: place, problem: problem)
        }
        try await result.readPins()
        try await result.readProposals()
        result.addRest()
        try await result.readRoots()
        try await result.readKeptManifests()
        try await result.readGoneManifests()
        return result
    }

    /// Whose signatures say which entries are the owner's; `nil` for an origin without a root.
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
        // Who replaced it could have the prune delete what is needed.
        if let chain {
            _ = try PointerSigning.standing(of: current, chain)
        } else {
            try PointerSigning.checkIsUnsigned(current, history.store)
        }
        let pointer = current.pointer
        // Another run can have made it since this one began, by a clock as right as this machine's or the store's.
        let latest = max(request.now, request.clock(), request.time)
        guard pointer.createdAt.seconds <= latest.seconds else {
            throw PruneError.clockBehind(createdAt: pointer.createdAt.description)
        }
        let pruned = try await history.pruneMark(of: channel)?.below ?? 1
        let first = try await lowest(of: current, notBelow: pruned)
        let isShown = channel == .production ? try await readShown(by: current) : true
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

    /// A channel whose first publishes ended between log entry and pointer: one of them may still run, so all that they
    /// name is kept.
    ///
    /// - Throws: ``PruneError/pointerMissing(place:)`` where an entry continues another: there was a pointer once.
    private mutating func readWithoutPointer(_ channel: Channel, _ sequences: [Int]) async throws {
        var entries = history.reading(channel, sequences)
        while let (_, outcome) = await entries.next() {
            let entry = try outcome.get()
            let verdict = judges[channel]?.verdict(of: entry) ?? .counts
            guard verdict.isForsaken || entry.pointer.previous == nil else {
                throw PruneError.pointerMissing(
                    place: history.store.display(OriginLayout.pointer(channel)))
            }
            take(entry, verdict)
        }
        if !sequences.isEmpty {
            notes.append(
                "channel '\(channel)' has no pointer, because its first publish did not end: what it uploaded is kept; "
                    + "publish to it again")
        }
    }

    /// The lowest sequence of the pointers that stay: those that were replaced a short time ago, the channel's last
    /// releases, and what `info.json` and `site/` show.
    ///
    /// A closed channel has no last releases: its pointer counts as replaced when it was closed. Only the pointer itself,
    /// which was verified, says that the channel is closed.
    ///
    /// The channel's judge learns which ones were live.
    private mutating func lowest(
        of current: OriginReader.Published, notBelow pruned: Int
    ) async throws -> Int {
        let pointer = current.pointer
        var judge = judges[pointer.channel]
        let isClosed = pointer.isClosed
        var lowest = isClosed ? pointer.sequence + 1 : pointer.sequence
        var replacedAt = isClosed ? Self.latestStart(of: pointer) : nil
        var versions: Set<Version> = []
        var needsFollowed =
            pointer.channel == .production && (isClosed || current.unconditional == nil)
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
            // Times are what publishers' clocks said: an older entry can be the fresher one.
            return false
        }
        judges[channel] = judge
        return lowest
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

    private mutating func add(
        _ sequence: Int, _ outcome: LogReading.Outcome, of channel: Channel, current: Int,
        _ lowest: Int, _ pruned: Int
    ) throws {
        let judge = judges[channel]
        let place = history.store.display(OriginLayout.logEntry(channel, sequence))
        let entry: OriginReader.Published
        do {
            entry = try outcome.get()
        } catch {
            if error.isLocalOrTransient { throw error }
            let isForeign = error.meansNoPointer && judge?.isForeign(sequence) == true
            if !isForeign, (pruned...current).contains(sequence) { throw error }
            notes.append("'\(place)' is not a pointer of this channel; run 'packtool verify'")
            return
        }
        guard sequence >= pruned else {
            // What was live there is not known any more.
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
            notes.append("'\(entry.place)' \(reason): what only it names is not kept")
        case .unauthorized(let reason):
            unauthorized.append(entry)
            notes.append(
                "'\(entry.place)' \(reason) and was never live: what only it names is not kept; run 'packtool verify'"
            )
        }
    }

    /// Notes what only entries below the lowest sequence name.
    private mutating func forget(_ entry: OriginReader.Published) {
        for offer in entry.offers {
            let version = offer.pointer.version
            if gone[version].map({ $0.pointer.sequence < entry.pointer.sequence }) ?? true {
                gone[version] = offer
            }
            goneManifests[offer.manifestPlace] = offer
        }
    }

    /// Adds what does not say what is at a place that another entry names, when all others have been read.
    private mutating func addRest() {
        for entry in unverifiable { _ = needs.add(entry, rebinds: false) }
        for offer in unauthorized.flatMap(\.offers) {
            if gone[offer.pointer.version] == nil { gone[offer.pointer.version] = offer }
            if goneManifests[offer.manifestPlace] == nil {
                goneManifests[offer.manifestPlace] = offer
            }
        }
    }

    mutating func keep(_ published: OriginReader.Published) {
        // What two entries say differently of a place is for `verify` to tell; the place stays.
        _ = needs.add(published)
    }

    /// When a pointer went live at the latest: one that was proposed waited for signatures.
    static func latestStart(of pointer: Pointer) -> Timestamp {
        pointer.isProposed
            ? pointer.createdAt.adding(days: Pointer.proposalDays) : pointer.createdAt
    }
}
