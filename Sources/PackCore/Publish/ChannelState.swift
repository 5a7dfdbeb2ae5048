/// A channel before it gets a new pointer.
struct ChannelState: Sendable {
    /// The channel's current pointer.
    let current: OriginReader.Published?
    /// The sequence of the next pointer.
    ///
    /// A number that an interrupted run used is skipped.
    let nextSequence: Int
    /// The sequence that the next pointer replaces; `nil` for the first one.
    let previous: Int?
    /// What is foreign in the log and does not matter to this run.
    let notes: [String]

    /// A channel of an origin that does not exist yet.
    static let empty = ChannelState(current: nil, nextSequence: 1, previous: nil, notes: [])

    /// - Parameter floor: the lowest sequence that the trust root allows.
    static func read(
        _ channel: Channel, floor: Int = 0, _ store: any WritableStore, _ history: OriginHistory
    ) async throws -> ChannelState {
        let current = try await history.reader.pointer(channel)
        let live = current?.pointer.sequence ?? 0
        let ahead = try await history.entries(above: live, of: channel)
        let highest = ahead.dead.last ?? live
        // A publish that was interrupted before its commit point left an intent. Without one the pointer was there
        // and was lost, and what is recorded went live.
        var isPointerLost = false
        if current == nil, highest > 0 {
            let underWay = try await PublishIntent.channelsUnderWay(store)
            isPointerLost = !underWay.contains(channel.description)
        }
        guard highest < Pointer.sequenceLimit else {
            throw OriginError.invalidPointer(
                place: store.display(OriginLayout.logEntry(channel, highest)),
                problem: "its sequence leaves no higher one")
        }
        var notes = try foreignNotes(ahead, after: highest, store)
        if isPointerLost {
            notes.append(
                "'\(store.display(OriginLayout.pointer(channel)))' is missing, but "
                    + "\(counted(ahead.dead.count, "pointer")) of the channel "
                    + (ahead.dead.count == 1 ? "is" : "are") + " recorded; run 'packtool verify'")
        }
        return ChannelState(
            current: current, nextSequence: max(highest + 1, floor),
            previous: isPointerLost ? highest : current?.pointer.sequence, notes: notes)
    }

    /// Notes about files that have the names of log entries and are none.
    ///
    /// - Throws: ``PublishError/foreign(place:found:needed:)`` for one that the next pointer would go past.
    private static func foreignNotes(
        _ ahead: OriginHistory.Ahead, after highest: Int, _ store: any OriginStore
    ) throws -> [String] {
        // After it the channel's log would have an entry that cannot be verified.
        if let entry = ahead.foreign.first(where: { $0.sequence <= highest + 1 }) {
            throw PublishError.foreign(
                place: store.display(entry.place),
                found: "not a pointer of this channel (\(entry.problem))",
                needed: "a log entry")
        }
        var notes = ahead.foreign.prefix(notesShown).map {
            "'\(store.display($0.place))' is not a pointer of this channel (\($0.problem)); remove it"
        }
        if ahead.foreign.count > notes.count {
            notes.append(
                "\(counted(ahead.foreign.count - notes.count, "more file")) of the channel's log "
                    + "of that kind")
        }
        return notes
    }

    private static let notesShown = 3

    /// What the next pointer gets of its own.
    func stamp(now: Timestamp, expires: Timestamp?, by: String?) -> Pointer.Stamp {
        Pointer.Stamp(
            sequence: nextSequence, previous: previous, createdAt: now, expires: expires, by: by)
    }
}
