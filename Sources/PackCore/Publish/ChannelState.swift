import PackGround
import PackOrigin
import PackRelease
import PackTrust

/// A channel before it gets a new pointer.
struct ChannelState: Sendable {
    /// The channel's current pointer, if the next one may go by what it says.
    let current: OriginReader.Published?
    /// The pointer that the next one replaces: ``current``, or one from before a new epoch of the keys.
    let replaced: OriginReader.Published?
    /// The sequence of the next pointer.
    ///
    /// A number that an interrupted run used is skipped.
    let nextSequence: Int
    /// The sequence that the next pointer replaces; `nil` for the first one.
    let previous: Int?
    /// Whether ``current`` is mandatory because of a rollback.
    let isAfterRollback: Bool
    /// What is foreign in the log and does not matter to this run.
    let notes: [String]

    /// - Parameters:
    ///   - signing: If the origin has a trust root: only entries signed by its current keys count, so that a stolen key
    ///     cannot use up the sequences.
    ///   - run: The run that reads it, whose intent does not count.
    static func read(
        _ channel: Channel, signing: PointerSigning?, _ run: RunState,
        _ store: any WritableStore, _ history: OriginHistory
    ) async throws -> ChannelState {
        let replaced = try await history.reader.pointer(channel)
        if signing == nil { try PointerSigning.checkIsUnsigned(replaced, store) }
        let floor = signing?.root.floor(channel) ?? 0
        var notes = signing?.warning.map { [$0] } ?? []
        var current = replaced
        if let replaced, let reason = signing?.reasonNotToCount(replaced) {
            current = nil
            notes.append("'\(replaced.path)' \(reason): the new pointer keeps nothing of it")
        }
        var live = current?.pointer.sequence ?? 0
        let isStale = replaced != nil && current == nil
        if isStale, let chain = signing?.chain {
            live =
                try await history.highestEntry(of: channel, below: floor) { entry in
                    chain.mayBeOfLog(entry)
                } ?? 0
        }
        var doubt = signing.map { LogDoubt($0, isAfterSigned: replaced?.pointer.root != nil) }
        let ahead = try await history.entries(above: live, of: channel, floor: floor) { entry in
            doubt?.reasonNotToCount(entry)
        }
        let highest = ahead.dead.last ?? live
        // A publish that was interrupted before its commit point left an intent. Without one the pointer was there
        // and was lost, and what is recorded went live.
        var isPointerLost = false
        if replaced == nil, highest > 0 {
            let underWay = try await RunIntent.channelsUnderWay(store, except: run.intent.path)
            isPointerLost = !underWay.contains(channel.description)
        }
        let next = firstFree(after: max(highest, floor - 1), ahead.unvouched)
        guard next <= Pointer.sequenceLimit else {
            throw Failure.originInvalidPointer(
                path: store.display(OriginLayout.logEntry(channel, next - 1)),
                problem: "its sequence leaves no higher one")
        }
        notes += try foreignNotes(ahead, next: next, store)
        if isPointerLost {
            try await checkLost(channel, highest, store, history)
            notes.append(
                "'\(store.display(OriginLayout.pointer(channel)))' is missing, but "
                    + "\(counted(ahead.dead.count, "pointer")) of the channel "
                    + (ahead.dead.count == 1 ? "is" : "are") + " recorded; run 'packtool verify'")
        }
        var previous = current?.pointer.sequence
        if isPointerLost || isStale { previous = highest > 0 ? highest : nil }
        return ChannelState(
            current: current, replaced: replaced,
            nextSequence: next, previous: previous,
            isAfterRollback: try await isAfterRollback(current, history), notes: notes)
    }

    /// Refuses to follow a lost pointer with conditions, which the next one would drop.
    ///
    /// - Parameter sequence: The newest one in the log.
    /// - Throws: ``Failure/originInvalidPointer(path:problem:)``.
    private static func checkLost(
        _ channel: Channel, _ sequence: Int, _ store: any OriginStore, _ history: OriginHistory
    ) async throws {
        guard let lost = try await history.reader.recorded(channel, sequence)?.pointer else {
            return
        }
        let effects = [
            (lost.isClosed, "closes the channel"), (!lost.isEnabled, "pauses the channel"),
            (lost.isMandatory, "is mandatory"),
            (!lost.entry.isUnconditional, "is not for every device"),
        ]
        guard let effect = effects.first(where: \.0)?.1 else { return }
        throw Failure.originInvalidPointer(
            path: store.display(OriginLayout.pointer(channel)),
            problem: "it is missing, and the newest pointer of its log, "
                + "'\(store.display(OriginLayout.logEntry(channel, sequence)))', \(effect)")
    }

    /// The first number that is free: what others wrote with a stolen key, or with none, is in nobody's way.
    private static func firstFree(after highest: Int, _ taken: [OriginHistory.ForeignEntry]) -> Int
    {
        var next = highest + 1
        for entry in taken where entry.sequence == next { next += 1 }
        return next
    }

    /// Whether a pointer is mandatory since a rollback, which a pause or a share may have followed.
    private static func isAfterRollback(
        _ current: OriginReader.Published?, _ history: OriginHistory
    ) async throws -> Bool {
        guard let pointer = current?.pointer, pointer.isMandatory,
            let since = pointer.mandatorySequence, since < pointer.sequence
        else { return false }
        let entry = try await history.reader.recorded(pointer.channel, since)
        return entry?.pointer.operation == .rollback
    }

    /// Notes about files that have the names of log entries and are none.
    ///
    /// - Throws: ``Failure/publishForeignFile(path:found:needed:)`` for one that has the next pointer's number,
    ///   ``Failure/publishForeignEntry(path:problem:next:)`` for one that the next pointer would go past.
    private static func foreignNotes(
        _ ahead: OriginHistory.Ahead, next: Int, _ store: any OriginStore
    ) throws -> [String] {
        // After it the channel's log would have an entry that cannot be verified.
        if let entry = ahead.foreign.first(where: { $0.sequence <= next }) {
            let path = store.display(entry.path)
            guard entry.sequence == next else {
                throw Failure.publishForeignEntry(path: path, problem: entry.problem, next: next)
            }
            throw Failure.publishForeignFile(
                path: path, found: "not a pointer of this channel (\(entry.problem))",
                needed: "a log entry")
        }
        var notes = ahead.foreign.prefix(notesShown).map {
            "'\(store.display($0.path))' is not a pointer of this channel (\($0.problem)); remove it"
        }
        if ahead.foreign.count > notes.count {
            notes.append(
                "\(counted(ahead.foreign.count - notes.count, "more file")) of the channel's log "
                    + "of that kind")
        }
        return notes
    }

    private static let notesShown = 3

    /// Whether a next pointer leaves something to devices that the one before it offered.
    func keepsSomething(_ next: Pointer) -> Bool {
        if replaced != nil, current == nil { return !next.entry.isUnconditional }
        return !next.fallbacks.isEmpty
    }

    /// What the next pointer gets of its own.
    func stamp(now: Timestamp, expires: Timestamp?, by: String?) -> Pointer.Stamp {
        Pointer.Stamp(
            sequence: nextSequence, previous: previous, createdAt: now, expires: expires, by: by,
            isAfterRollback: isAfterRollback)
    }
}
