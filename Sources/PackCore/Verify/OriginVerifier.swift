package import PackGround
package import PackOrigin
import PackRelease
package import PackTrust

/// Re-reads and re-hashes everything that a client could reach at an origin: every pointer and log entry
/// of every channel, every manifest and package they name, every object, `info.json` and `site/`.
package struct OriginVerifier: Sendable {
    let store: any ListingStore
    let history: OriginHistory
    let jobs: Int
    let pin: TrustPin?
    let progress: ProgressSink?

    /// Verifies the origin at an address.
    ///
    /// What is wrong is collected, not thrown.
    ///
    /// - Throws: ``OriginError/notAnOrigin(path:)``,
    ///   ``OriginError/nothingPublished(channel:origin:answer:)``, ``FileSystemError`` where the directory
    ///   itself cannot be read.
    package static func verify(
        _ origin: String, now: Timestamp, jobs: Int, trust: TrustPin? = nil,
        progress: ProgressSink? = nil
    ) async throws -> OriginVerification {
        try await verify(
            StoreOpener.list(origin), now: now, jobs: jobs, trust: trust, progress: progress)
    }

    /// Verifies an origin.
    package static func verify(
        _ store: any ListingStore, now: Timestamp, jobs: Int, trust: TrustPin? = nil,
        progress: ProgressSink? = nil
    ) async throws -> OriginVerification {
        let verifier = OriginVerifier(
            store: store, history: OriginHistory(store, policy: .recordedInLog), jobs: jobs,
            pin: trust, progress: progress)
        var attempt = 1
        while true {
            let moment = try await Moment(verifier)
            let result = try await verifier.verify(now: now)
            if result.failures.isEmpty || attempt == Self.attempts { return result }
            // Parts of two releases do not match: a publish that ran in the meantime is not damage.
            if try await Moment(verifier) == moment { return result }
            attempt += 1
        }
    }

    private static let attempts = 5

    var trust: TrustCheck { TrustCheck(store: store, pin: pin) }

    /// What every publish changes: intents and pointers.
    private struct Moment: Equatable {
        let intents: [String]
        let pointers: [[UInt8]?]
        /// What a prune writes before it deletes anything.
        let marks: [PruneMark?]

        init(_ verifier: OriginVerifier) async throws {
            intents = try await verifier.store.names(in: OriginLayout.intents)
            var pointers: [[UInt8]?] = []
            var marks: [PruneMark?] = []
            for channel in try await verifier.history.channels() {
                marks.append(try? await verifier.history.pruneMark(of: channel))
                let place = OriginLayout.pointer(channel)
                pointers.append(
                    try? await verifier.store.read(place, limit: Pointer.sizeLimit)?.bytes)
            }
            self.pointers = pointers
            self.marks = marks
        }
    }

    private func verify(now: Timestamp) async throws -> OriginVerification {
        var run = Run()
        // Read first, so that a publish that starts later does not make this run look interrupted.
        run.underWay = try await PublishIntent.channelsUnderWay(store)
        try await trust.readRoots(&run, now: now)
        try await readChannels(&run, now: now)
        run.result.notes += run.entryNotes.sentences
        try await readPins(&run)
        run.recordDoubtful()
        guard !run.result.channels.isEmpty || !run.result.failures.isEmpty else {
            throw OriginError.nothingPublished(channel: nil, origin: store.address)
        }
        try await checkReleases(&run)
        try await checkDeltas(&run)
        try await checkObjects(&run)
        try await checkFollowers(&run)
        checkHeaders(&run)
        try await findOrphans(&run)
        return run.result
    }

    /// What one verification has learned so far.
    struct Run {
        var result = OriginVerification()
        /// Channels with an intent: a publish is at work or was interrupted.
        var underWay: Set<String> = []
        /// The origin's trust roots; `nil` for an unsigned origin.
        var chain: RootChain?
        /// The channels' pointers.
        var currents: [Channel: OriginReader.Published] = [:]
        /// Who says which entries of a channel are the owner's, once that was asked.
        var judges: [Channel: LogEntryClassifier] = [:]
        /// Entries that may be the owner's: they say nothing of what others name.
        var unverifiable: [OriginReader.Published] = []
        /// The lowest sequence of each channel whose releases have to be whole.
        var lowestWhole: [Channel: Int] = [:]
        /// What the pointers and log entries need.
        var needs = Reachability()
        /// What `info.json` and `site/` show: the release of the default channel that every device may have.
        var production: Pointer.Entry?
        /// The manifest of that release.
        var current: Manifest?
        /// What only sequences from before a prune may name, by the places of the manifests: some may wait for a later
        /// prune to delete them.
        var pruned: [String: OriginReader.Published] = [:]
        var entryNotes = EntryNotes()
        /// Whether something that refers to files could not be read: what only it names looks like an orphan.
        var isIncomplete = false
        /// Whether the origin has roots that cannot be read.
        var hasDamagedRoots = false
        /// Whether something names a root, or is signed, and the origin has no root.
        var hasLostRoots = false

        mutating func fail(_ place: String, _ problem: String) {
            result.failures.append(.init(place: place, problem: problem))
        }

        mutating func fail(_ place: String, _ error: any Error) {
            fail(place, "\(error)")
        }

        /// Notes that what refers to files could not be read.
        mutating func failToRead(_ place: String, _ error: any Error) {
            failToRead(place, "\(error)")
        }

        mutating func failToRead(_ place: String, _ problem: String) {
            isIncomplete = true
            fail(place, problem)
        }

        /// Two pointers to one release must bind it to the same bytes.
        mutating func record(_ published: OriginReader.Published) {
            for problem in needs.add(published) { fail(published.place, problem) }
        }

        /// Records the entries that say nothing of what others name, when all others have been read.
        mutating func recordDoubtful() {
            for published in unverifiable {
                for problem in needs.add(published, rebinds: false) {
                    fail(published.place, problem)
                }
            }
        }
    }

    // MARK: Pointers

    private func readChannels(_ run: inout Run, now: Timestamp) async throws {
        for channel in try await history.channels() {
            let sequences = try await history.logSequences(channel)
            let place = OriginLayout.pointer(channel)
            run.needs.addPointer(of: channel)
            var current: OriginReader.Published?
            do {
                current = try await history.reader.pointer(channel)
            } catch {
                if error.isLocalOrTransient { throw error }
                run.failToRead(place, error)
            }
            run.currents[channel] = current
            let foreign = try await readLog(of: channel, sequences, current, &run)
            noteGaps(
                in: sequences, below: current?.pointer.sequence ?? sequences.last ?? 0, channel,
                &run)
            guard let current else {
                if !run.result.failures.contains(where: { $0.place == place }),
                    !run.underWay.contains(channel.description),
                    let problem = OriginHistory.missingPointer(sequences)
                {
                    run.failToRead(place, problem)
                }
                continue
            }
            let pointer = current.pointer
            // A prune deletes what only a closed channel had.
            let isWhole =
                !pointer.isClosed || pointer.sequence >= run.lowestWhole[channel] ?? 1
            let verdict = try await verdict(of: current, &run)
            if !isWhole {
                run.take(current, verdict, isWhole: false)
            } else if verdict == .counts {
                run.record(current)
            } else {
                run.unverifiable.append(current)
            }
            trust.checkSigners(current, isCurrent: true, &run)
            trust.noteExpiry(pointer, now: now, &run)
            if channel == .production {
                run.production = try await history.followed(by: current)?.pointer.entry
            }
            if let expires = pointer.expires, expires <= now {
                run.fail(
                    current.place,
                    "expired at \(expires), and clients refuse it: run 'packtool renew'")
            }
            run.result.channels.append(
                .init(
                    channel: channel, version: pointer.version, sequence: pointer.sequence,
                    label: pointer.label, expires: pointer.expires,
                    recorded: sequences.count - foreign))
        }
    }

    // MARK: Objects

    private func checkObjects(_ run: inout Run) async throws {
        let list = run.needs.objectContents
        let counter = ProgressCounter(
            phase: .verifying, total: list.clampedSum { $0.content.size }, sink: progress)
        let states = try await store.check(list, jobs: jobs, counter: counter)
        for (object, state) in zip(list, states) {
            if let problem = state.problem {
                run.fail(object.place, problem)
            } else {
                run.result.objects.add(object.content.size)
            }
        }
    }
}
