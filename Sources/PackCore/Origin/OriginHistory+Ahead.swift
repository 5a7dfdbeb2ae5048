import PackGround
package import PackRelease

/// Entries that never went live, and what has the name of an entry and is none.
extension OriginHistory {
    /// What a channel's log has above the sequence of its pointer.
    package struct Ahead: Sendable {
        /// Entries of publishes that ended before their commit point, ascending.
        package var dead: [Int] = []
        /// What has the name of an entry and is none, ascending.
        package var foreign: [ForeignEntry] = []
        /// Entries that the owner's present keys did not sign, ascending.
        package var unvouched: [ForeignEntry] = []
    }

    /// Something at the name of a log entry that no publish recorded.
    package struct ForeignEntry: Sendable {
        package let sequence: Int
        package let path: String
        package let problem: String
    }

    /// How far above the one before it an entry may be.
    ///
    /// Packtool leaves no gaps, except below a floor. An entry near the highest sequence would use up the channel.
    static let longestGap = 1_000_000

    /// Reads what a channel's log has above a sequence.
    ///
    /// - Parameters:
    ///   - floor: the lowest sequence of the next pointer: a gap below it uses up nothing.
    ///   - doubt: says of an entry why nobody vouches for it; `nil` if somebody does. It is asked in ascending order.
    package func entries(
        above live: Int, of channel: Channel, floor: Int = 0,
        doubt: (OriginReader.Published) -> String? = { _ in nil }
    ) async throws -> Ahead {
        var ahead = Ahead()
        for sequence in try await logSequences(channel) where sequence > live {
            let last = max(ahead.dead.last ?? live, floor - 1)
            let entry = { (problem: String) in
                ForeignEntry(
                    sequence: sequence, path: OriginLayout.logEntry(channel, sequence),
                    problem: problem)
            }
            switch try await standing(ofEntry: sequence, after: last, channel, doubt) {
            case .counts: ahead.dead.append(sequence)
            case .foreign(let problem): ahead.foreign.append(entry(problem))
            case .unvouched(let problem): ahead.unvouched.append(entry(problem))
            }
        }
        return ahead
    }

    private enum EntryStanding {
        case counts
        case foreign(String)
        case unvouched(String)
    }

    private func standing(
        ofEntry sequence: Int, after last: Int, _ channel: Channel,
        _ doubt: (OriginReader.Published) -> String?
    ) async throws -> EntryStanding {
        let path = OriginLayout.logEntry(channel, sequence)
        guard let kind = try await store.status(of: path)?.kind else {
            return .foreign("it was removed in the meantime")
        }
        guard kind == .file else { return .foreign("it is \(kind.name)") }
        let entry: OriginReader.Published
        do {
            entry = try await reader.logEntry(channel, sequence)
        } catch let failure as Failure where failure.code.isOf("origin") {
            return .foreign(
                failure.code == .originInvalidPointer ? failure["problem"] : "\(failure)")
        } catch {
            if error.isLocalOrTransient { throw error }
            return .foreign("\(error)")
        }
        if let problem = doubt(entry) { return .unvouched(problem) }
        guard sequence - last <= Self.longestGap else {
            return .foreign(
                "it is more than \(grouped(Self.longestGap)) above the entry before it")
        }
        return .counts
    }

    /// The highest entry of a channel's log that may have been live before the next pointer's floor.
    ///
    /// What cannot be read is none. An entry that a root accepts comes before one that is not signed: that may be from
    /// before the first root only where nothing below it is signed.
    ///
    /// - Parameters:
    ///   - floor: the lowest sequence of the next pointer; 0 for none.
    ///   - isSigned: whether a root accepts an entry; `nil` for an entry that no root can accept.
    package func highestEntry(
        of channel: Channel, below floor: Int, isSigned: (OriginReader.Published) -> Bool?
    ) async throws -> Int? {
        var reachable: [Int] = []
        for sequence in try await logSequences(channel) {
            if floor > 0 {
                guard sequence < floor else { break }
            } else {
                guard sequence - (reachable.last ?? 0) <= Self.longestGap else { break }
            }
            reachable.append(sequence)
        }
        var highestUnsigned: Int?
        var entries = reading(channel, reachable.reversed())
        while let (sequence, outcome) = await entries.next() {
            guard let entry = try outcome.recorded(), let isSigned = isSigned(entry) else {
                continue
            }
            if isSigned { return sequence }
            highestUnsigned = highestUnsigned ?? sequence
        }
        return highestUnsigned
    }
}
