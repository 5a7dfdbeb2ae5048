package import PackOrigin
package import PackRelease

/// Which entries of a channel's log are the owner's, at an origin with a trust root.
///
/// Somebody who can write to the storage and has no key can add entries at numbers that are free. No client goes by
/// them, and so nothing that they name has to be there, and nothing that they say of a release counts.
package struct LogEntryClassifier: Sendable {
    /// What an entry is.
    package enum Verdict: Equatable, Sendable {
        /// It was live, or keys of the present epoch signed it.
        case counts
        /// It may be the owner's: what it names is kept, but of what another entry names it says nothing.
        case unverifiable
        /// It was never live, and was signed in an epoch that a root has ended.
        case earlierEpoch(reason: String)
        /// It was never live, and no root of the origin accepts it.
        case unauthorized(reason: String)

        /// Whether nothing that only this entry names is kept.
        package var isForsaken: Bool {
            switch self {
            case .counts, .unverifiable: false
            case .earlierEpoch, .unauthorized: true
            }
        }
    }

    private let chain: RootChain
    /// Whether clients with a root may have the channel's pointer.
    private let isTrusted: Bool
    private let hasPointer: Bool
    /// The sequences that the chain of `previous` reaches.
    private var live: Set<Int> = []
    /// The lowest of them that a root accepts: what is not signed and above it is not from before the first root.
    private var firstSigned: Int?

    /// - Parameter current: the channel's pointer; `nil` where that is missing or cannot be read, so that it is unknown
    ///   what was live.
    package init(_ chain: RootChain, current: OriginReader.Published?) {
        self.chain = chain
        hasPointer = current != nil
        guard let current, let standing = try? chain.standing(of: current) else {
            isTrusted = false
            return
        }
        let floor = chain.newest.root.floor(current.pointer.channel)
        isTrusted = standing != .unsigned || current.pointer.sequence < floor
    }

    /// Reads which entries of a channel were live.
    package static func read(
        _ chain: RootChain, _ channel: Channel, current: OriginReader.Published?,
        _ history: OriginHistory
    ) async throws -> LogEntryClassifier {
        var judge = LogEntryClassifier(chain, current: current)
        guard let current else { return judge }
        try await history.forEachLive(channel, upTo: current.pointer.sequence) { sequence, entry in
            judge.addLive(sequence, entry)
            return false
        }
        return judge
    }

    /// Adds an entry that the chain of `previous` reaches.
    ///
    /// - Parameter entry: `nil` for one that cannot be read.
    package mutating func addLive(_ sequence: Int, _ entry: OriginReader.Published?) {
        live.insert(sequence)
        addEarlier(sequence, entry)
    }

    /// Adds a live entry whose releases may be gone.
    package mutating func addEarlier(_ sequence: Int, _ entry: OriginReader.Published?) {
        if let entry, chain.isSigned(entry) {
            firstSigned = min(firstSigned ?? sequence, sequence)
        }
    }

    package func verdict(of entry: OriginReader.Published) -> Verdict {
        let sequence = entry.pointer.sequence
        let isLive = live.contains(sequence)
        guard let standing = try? chain.standing(of: entry) else {
            // The root that it names may have been lost, or it was signed by another one's keys.
            let named = entry.pointer.root ?? 0
            guard !isLive, named <= chain.newest.root.version, !chain.isSigned(entry) else {
                return .unverifiable
            }
            return .unauthorized(reason: "is signed by no keys that may sign it")
        }
        switch standing {
        case .signed: return .counts
        case .earlierEpoch:
            if isLive { return .counts }
            guard hasPointer else { return .unverifiable }
            return .earlierEpoch(reason: standing.reason(newest: chain.newest.root))
        case .unsigned:
            guard !isAfterSigned(sequence) else {
                return isLive
                    ? .unverifiable
                    : .unauthorized(reason: standing.reason(newest: chain.newest.root))
            }
            return isLive && isTrusted ? .counts : .unverifiable
        }
    }

    /// Whether a file that is no pointer is none of the log: nothing leads to its number, and it is not from before the
    /// first root.
    package func isForeign(_ sequence: Int) -> Bool {
        !live.contains(sequence) && isAfterSigned(sequence)
    }

    private func isAfterSigned(_ sequence: Int) -> Bool {
        firstSigned.map { $0 < sequence } ?? false
    }
}

extension LogEntryClassifier.Verdict {
    /// What to tell of an entry that somebody without a key added; `nil` for any other.
    package func note(at place: String) -> String? {
        guard case .unauthorized(let reason) = self else { return nil }
        return
            "\(place) \(reason) and was never live: it was written with access to the storage and without a key; "
            + "no client uses it; find out who has that access, then remove the file"
    }
}

extension Error {
    /// Whether something that should be a pointer could be read and is none.
    package var meansNoPointer: Bool {
        switch self as? OriginError {
        case .invalidPointer, .urlElsewhere: true
        default: false
        }
    }
}
