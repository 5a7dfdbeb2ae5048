extension OriginReader {
    /// What a channel's log has above the sequence of its pointer.
    struct Ahead: Sendable {
        /// Entries of publishes that ended before their commit point, ascending.
        var dead: [Int] = []
        /// What has the name of an entry and is none, ascending.
        var foreign: [ForeignEntry] = []
    }

    /// Something at the name of a log entry that no publish recorded.
    struct ForeignEntry: Sendable {
        let sequence: Int
        let place: String
        let problem: String
    }

    /// How far above the one before it an entry may be.
    ///
    /// Packtool leaves no gaps. An entry near the highest sequence would use up the channel.
    static let longestGap = 1_000_000

    /// Reads what a channel's log has above a sequence.
    func entries(above live: Int, of channel: Channel) throws -> Ahead {
        var ahead = Ahead()
        for sequence in try logSequences(channel) where sequence > live {
            if let problem = try problem(ofEntry: sequence, after: ahead.dead.last ?? live, channel)
            {
                ahead.foreign.append(
                    ForeignEntry(
                        sequence: sequence, place: OriginLayout.logEntry(channel, sequence),
                        problem: problem))
            } else {
                ahead.dead.append(sequence)
            }
        }
        return ahead
    }

    private func problem(
        ofEntry sequence: Int, after last: Int, _ channel: Channel
    ) throws -> String? {
        let place = OriginLayout.logEntry(channel, sequence)
        guard let kind = try root.status(place)?.kind else { return "it is gone again" }
        guard kind == .file else { return "it is \(kind.name)" }
        do {
            _ = try logEntry(channel, sequence)
        } catch let error as OriginError {
            if case .invalidPointer(_, let problem) = error { return problem }
            return "\(error)"
        } catch let error as FileSystemError where !error.meansShortage {
            return "\(error)"
        }
        guard sequence - last <= Self.longestGap else {
            return "it is more than \(grouped(Self.longestGap)) above the entry before it"
        }
        return nil
    }

    /// A recorded pointer; `nil` for one that is damaged or cannot be read.
    ///
    /// - Throws: ``FileSystemError`` where that says nothing about the entry.
    func recorded(_ channel: Channel, _ sequence: Int) throws -> Published? {
        do {
            return try logEntry(channel, sequence)
        } catch {
            if let error = error as? FileSystemError, error.meansShortage { throw error }
            return nil
        }
    }

    /// Calls `body` with the pointers that name a release, the newest first and the given channel's before those
    /// of others, until it returns `true`.
    func forEachPointer(
        to version: Version, startingWith first: Channel? = nil,
        _ body: (Published) throws -> Bool
    ) throws {
        guard try isOrigin() else { return }
        let all = try channels()
        let ordered = all.filter { $0 == first } + all.filter { $0 != first }
        for channel in ordered {
            for sequence in try logSequences(channel).reversed() {
                guard let entry = try recorded(channel, sequence),
                    entry.pointer.version == version
                else { continue }
                if try body(entry) { return }
            }
        }
    }
}
