package import PackGround
package import PackOrigin
import PackRelease
package import PackTrust

/// Reads and hashes every file of an origin in a directory or bucket that a client could reach: all
/// pointers and log entries, their manifests and packages, all objects, `info.json` and `site/`.
package struct OriginVerifier: AuditSource {
    let store: any ListingStore
    let history: OriginHistory
    let jobs: Int
    let pin: TrustPin?
    let progress: ProgressSink?
    let now: Timestamp

    /// Verifies the origin at an address and collects all problems as findings.
    ///
    /// - Throws: ``Failure/originNotAnOrigin(path:)``,
    ///   ``Failure/originNothingPublished(channel:origin:answer:)``, ``Failure`` if the
    ///   directory itself cannot be read.
    package static func verify(
        _ origin: String, now: Timestamp, jobs: Int, trust: TrustPin? = nil,
        progress: ProgressSink? = nil
    ) async throws -> Verification {
        try await verify(
            StoreOpener.list(origin), now: now, jobs: jobs, trust: trust, progress: progress)
    }

    /// Verifies the origin in a store.
    package static func verify(
        _ store: any ListingStore, now: Timestamp, jobs: Int, trust: TrustPin? = nil,
        progress: ProgressSink? = nil
    ) async throws -> Verification {
        let verifier = OriginVerifier(
            store: store, history: OriginHistory(store, policy: .recordedInLog), jobs: jobs,
            pin: trust, progress: progress, now: now)
        var attempt = 1
        while true {
            let moment = try await Moment(verifier)
            let run = try await verifier.audit()
            if run.failures.isEmpty || attempt == Self.attempts { return verifier.result(of: run) }
            // A publish during the audit can mix two releases; retry.
            if try await Moment(verifier) == moment { return verifier.result(of: run) }
            attempt += 1
        }
    }

    private static let attempts = 5

    /// The state of intents and pointers, which every publish changes.
    private struct Moment: Equatable {
        let intents: [String]
        let pointers: [[UInt8]?]
        /// A prune writes its mark before it deletes files.
        let marks: [PruneMark?]

        init(_ verifier: OriginVerifier) async throws {
            intents = try await verifier.store.names(in: OriginLayout.intents)
            var pointers: [[UInt8]?] = []
            var marks: [PruneMark?] = []
            for channel in try await verifier.history.channels() {
                marks.append(try? await verifier.history.pruneMark(of: channel))
                let path = OriginLayout.pointer(channel)
                pointers.append(
                    try? await verifier.store.read(path, limit: Pointer.sizeLimit)?.bytes)
            }
            self.pointers = pointers
            self.marks = marks
        }
    }

    private func result(of run: AuditRun) -> Verification {
        var result = run.result
        result.releases = run.needs.releases.count
        result.failures = run.failures
        result.findings =
            run.failures.map { AuditFinding(failure: $0) } + run.findings.sorted
        return result
    }

    // MARK: Pointers

    func readPointers(_ run: inout AuditRun) async throws {
        // Read intents first: a publish that starts later must not count as interrupted.
        run.underWay = try await RunIntent.channelsUnderWay(store)
        let trust = TrustCheck(store: store, pin: pin)
        try await trust.readRoots(&run, now: now)
        for channel in try await history.channels() { try await read(channel, trust, &run) }
        run.result.notes += run.entryNotes.sentences
        try await readPins(&run)
        // Added last, because they must not change the expected hashes of verified entries.
        for published in run.unverifiable { run.record(published, rebinds: false) }
        guard !run.result.channels.isEmpty || !run.failures.isEmpty else {
            throw Failure.originNothingPublished(channel: nil, origin: store.address)
        }
        for (_, offer) in run.needs.manifests.sorted(by: { $0.key < $1.key }) {
            // A corrected release has two manifests of the same files.
            let last = run.releases.count - 1
            if last >= 0, run.releases[last].offers[0].pointer.version == offer.pointer.version {
                run.releases[last].offers.append(offer)
            } else {
                run.releases.append(AuditedRelease(offers: [offer]))
            }
        }
    }

    private func read(
        _ channel: Channel, _ trust: TrustCheck, _ run: inout AuditRun
    ) async throws {
        let sequences = try await history.logSequences(channel)
        let path = OriginLayout.pointer(channel)
        run.needs.addPointer(of: channel)
        var current: OriginReader.Published?
        var isDamaged = false
        do {
            current = try await history.reader.pointer(channel)
        } catch {
            if error.isLocalOrTransient { throw error }
            run.failToRead(path, error)
            isDamaged = true
        }
        run.currents[channel] = current
        let foreign = try await readLog(of: channel, sequences, current, trust, &run)
        noteGaps(
            in: sequences, below: current?.pointer.sequence ?? sequences.last ?? 0, channel, &run)
        guard let current else {
            if !isDamaged, !run.underWay.contains(channel.description),
                let problem = OriginHistory.missingPointer(sequences)
            {
                run.failToRead(path, problem)
            }
            return
        }
        let pointer = current.pointer
        // A prune may delete the files of a closed channel.
        let isWhole =
            !pointer.isClosed || pointer.sequence >= run.lowestWhole[channel] ?? 1
        run.take(
            current, try await verdict(of: current, &run), isWhole: isWhole, isCurrent: true)
        trust.checkSigners(current, isCurrent: true, &run)
        trust.noteExpiry(pointer, now: now, &run)
        if channel == .production { run.followed = try await history.followed(by: current) }
        if let expires = pointer.expires, expires <= now {
            run.fail(
                current.path,
                "expired at \(expires), and clients refuse it: run 'packtool renew'", .trust)
        }
        run.result.channels.append(.init(pointer, recorded: sequences.count - foreign))
    }

    // MARK: The log

    /// Reads a channel's log entries.
    ///
    /// - Returns: The number of files that are not entries.
    private func readLog(
        of channel: Channel, _ sequences: [Int], _ current: OriginReader.Published?,
        _ trust: TrustCheck, _ run: inout AuditRun
    ) async throws -> Int {
        // Without a pointer, it is unknown which entries are newer.
        var foreign: Set<Int> = []
        if let current {
            let ahead = try await history.entries(
                above: current.pointer.sequence, of: channel,
                floor: run.chain?.newest.root.floor(channel) ?? 0)
            note(ahead.foreign, &run)
            foreign = Set(ahead.foreign.map(\.sequence))
        }
        let whole = try await lowestWhole(channel, &run)
        run.lowestWhole[channel] = whole
        var entries = history.reading(channel, sequences.filter { !foreign.contains($0) })
        while let (sequence, outcome) = await entries.next() {
            let path = OriginLayout.logEntry(channel, sequence)
            do {
                let entry = try outcome.get()
                let verdict = try await verdict(of: entry, &run)
                if let note = verdict.note(at: path) {
                    run.note(note)
                    foreign.insert(sequence)
                    continue
                }
                run.take(entry, verdict, isWhole: sequence >= whole)
                if sequence != current?.pointer.sequence {
                    trust.checkSigners(entry, isCurrent: false, &run)
                }
                // A publish reserved the sequence but ended before its commit point.
                if let current, sequence > current.pointer.sequence {
                    let why =
                        run.chain == nil
                        ? "" : ": a run was interrupted, or an earlier pointer was restored"
                    run.note("\(path) was recorded but was never live\(why)")
                }
            } catch {
                if error.isLocalOrTransient { throw error }
                if error.meansNoPointer, let chain = run.chain,
                    try await judge(channel, chain, &run).isForeign(sequence)
                {
                    run.note(
                        "\(path) is not a pointer of this channel, and no pointer leads to it; remove the file"
                    )
                    foreign.insert(sequence)
                    continue
                }
                run.failToRead(path, error)
            }
            run.needs.addLogEntry(sequence, of: channel)
        }
        return foreign.count
    }

    /// Adds notes for files above the pointer's sequence that have the name of a log entry but are
    /// none.
    ///
    /// These are not failures, because clients do not read them. A publish that reaches such a
    /// sequence stops with an error.
    private func note(_ foreign: [OriginHistory.ForeignEntry], _ run: inout AuditRun) {
        for entry in foreign.prefix(Self.foreignShown) {
            run.note(
                "\(entry.path) is not a pointer of this channel (\(entry.problem)); remove it")
        }
        if foreign.count > Self.foreignShown {
            run.note("\(counted(foreign.count - Self.foreignShown, "more file")) of that kind")
        }
    }

    private static let foreignShown = 8

    /// Adds a note for sequences missing in a channel's log.
    ///
    /// Gaps are allowed (`docs/formats.md`), and clients do not read these entries. But packtool
    /// never leaves gaps, so the entries were deleted, and files that only they referenced are now
    /// orphans.
    private func noteGaps(
        in sequences: [Int], below highest: Int, _ channel: Channel, _ run: inout AuditRun
    ) {
        let gaps = Self.gaps(in: sequences, below: highest)
        guard !gaps.isEmpty else { return }
        let isOne = gaps.count == 1 && gaps[0].count == 1
        run.note(
            "\(OriginLayout.log(channel)) has no entry for \(isOne ? "sequence" : "sequences") "
                + "\(Stretches(gaps)); files that only \(isOne ? "it" : "they") named count as orphans"
        )
    }

    /// The gaps between 1 and `highest`.
    ///
    /// - Parameter sequences: In ascending order, each at least 1.
    package static func gaps(in sequences: [Int], below highest: Int) -> [ClosedRange<Int>] {
        var gaps: [ClosedRange<Int>] = []
        var expected = 1
        for sequence in sequences where sequence <= highest {
            if sequence > expected { gaps.append(expected...(sequence - 1)) }
            expected = sequence + 1
        }
        // A missing entry of the pointer itself is reported separately.
        if expected < highest { gaps.append(expected...(highest - 1)) }
        return gaps
    }

    // MARK: Pruned releases and pins

    /// The lowest sequence of a channel whose releases must be complete.
    private func lowestWhole(_ channel: Channel, _ run: inout AuditRun) async throws -> Int {
        run.needs.addPruneMark(of: channel)
        do {
            guard let mark = try await history.pruneMark(of: channel) else { return 1 }
            run.note(
                "channel '\(channel)' was pruned: files offered only below sequence \(mark.below) may be deleted"
            )
            return mark.below
        } catch {
            if error.isLocalOrTransient { throw error }
            run.fail(OriginLayout.pruneMark(channel), error)
            return 1
        }
    }

    /// Classifies an entry by its signatures.
    ///
    /// Without a root, every entry counts.
    private func verdict(
        of entry: OriginReader.Published, _ run: inout AuditRun
    ) async throws -> LogEntryClassifier.Verdict {
        guard let chain = run.chain else { return .counts }
        // Most entries are signed, so the log need not be read.
        if (try? chain.standing(of: entry)) == .signed { return .counts }
        return try await judge(entry.pointer.channel, chain, &run).verdict(of: entry)
    }

    private func judge(
        _ channel: Channel, _ chain: RootChain, _ run: inout AuditRun
    ) async throws -> LogEntryClassifier {
        if let known = run.judges[channel] { return known }
        let judge = try await LogEntryClassifier.read(
            chain, channel, current: run.currents[channel], history)
        run.judges[channel] = judge
        return judge
    }

    /// Adds the releases pinned for apps, which a prune keeps.
    private func readPins(_ run: inout AuditRun) async throws {
        let (pins, damaged) = try await history.pins()
        for path in damaged { run.fail(path, "is not a pin that can be read") }
        for pin in pins {
            if let offer = try await offer(of: pin, &run) {
                run.record(offer)
            } else {
                run.note("\(pin.path) pins a release that no log entry names; remove it")
            }
        }
    }

    /// The newest offer of a pinned release that counts, or the newest of all.
    private func offer(of pin: Pin, _ run: inout AuditRun) async throws -> OriginReader.Published? {
        let chain = run.chain
        let offers = try await history.offers(of: pin) { entry in
            chain.map { (try? $0.standing(of: entry)) == .signed } ?? true
        }
        for offer in offers where try await verdict(of: offer, &run) == .counts { return offer }
        return offers.first
    }
}

extension AuditRun {
    /// Records a pointer or log entry according to its verdict.
    ///
    /// - Parameter isWhole: Whether its files must exist, because no prune may have deleted them.
    fileprivate mutating func take(
        _ entry: OriginReader.Published, _ verdict: LogEntryClassifier.Verdict, isWhole: Bool,
        isCurrent: Bool = false
    ) {
        if isWhole, isCurrent || !verdict.isForsaken {
            return verdict == .counts ? record(entry) : unverifiable.append(entry)
        }
        for offer in entry.offers
        where verdict == .counts || pruned[offer.manifestPath] == nil {
            pruned[offer.manifestPath] = offer
        }
    }
}
