import PackGround
package import PackOrigin
package import PackRelease

/// Classifies the entries of a channel's log by their signatures, at an origin with a trust root.
///
/// An attacker with write access to the storage but no key can add entries at free sequence
/// numbers. Clients ignore these entries, so their files need not exist, and their statements about
/// a release are ignored.
package struct LogEntryClassifier: Sendable {
    /// The class of an entry.
    package enum Verdict: Equatable, Sendable {
        /// The entry was live, or keys of the current epoch signed it.
        case counts
        /// The entry may be the owner's: its own files are kept, but it does not affect files of
        /// other entries.
        case unverifiable
        /// The entry was never live, and was signed in an epoch that a root has ended.
        case earlierEpoch(reason: String)
        /// The entry was never live, and no root of the origin accepts it.
        case unauthorized(reason: String)

        /// Whether files referenced only by this entry may be deleted.
        package var isForsaken: Bool {
            switch self {
            case .counts, .unverifiable: false
            case .earlierEpoch, .unauthorized: true
            }
        }
    }

    private let chain: RootChain
    /// Whether clients with a root may have the channel's current pointer.
    private let isTrusted: Bool
    private let hasPointer: Bool
    /// The sequences in the chain of `previous`.
    private var live: Set<Int> = []
    /// The lowest sequence in the chain that a root accepts: unsigned entries above it are not
    /// older than the first root.
    private var firstSigned: Int?

    /// Creates a classifier without entries.
    ///
    /// - Parameter current: The channel's pointer; `nil` if it is missing or cannot be read, so
    ///   that the live entries are unknown.
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

    /// Reads the entries of a channel that were live.
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

    /// Adds an entry in the chain of `previous`.
    ///
    /// - Parameter entry: `nil` if it cannot be read.
    package mutating func addLive(_ sequence: Int, _ entry: OriginReader.Published?) {
        live.insert(sequence)
        addEarlier(sequence, entry)
    }

    /// Adds a live entry whose releases may have been pruned.
    package mutating func addEarlier(_ sequence: Int, _ entry: OriginReader.Published?) {
        if let entry, chain.isSigned(entry) {
            firstSigned = min(firstSigned ?? sequence, sequence)
        }
    }

    /// Classifies an entry of the log.
    package func verdict(of entry: OriginReader.Published) -> Verdict {
        let sequence = entry.pointer.sequence
        let isLive = live.contains(sequence)
        guard let standing = try? chain.standing(of: entry) else {
            // The root of its version may have been lost, or keys of another root may have signed
            // it.
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

    /// Whether a file that is not a pointer can be excluded from the log.
    ///
    /// That is, nothing refers to its number, and it is not older than the first root.
    package func isForeign(_ sequence: Int) -> Bool {
        !live.contains(sequence) && isAfterSigned(sequence)
    }

    private func isAfterSigned(_ sequence: Int) -> Bool {
        firstSigned.map { $0 < sequence } ?? false
    }
}

extension LogEntryClassifier.Verdict {
    /// A warning about an entry added without a key; `nil` for other entries.
    package func note(at path: String) -> String? {
        guard case .unauthorized(let reason) = self else { return nil }
        return
            "\(path) \(reason) and was never live: it was written with access to the storage and without a key; "
            + "no client uses it; find out who has that access, then remove the file"
    }
}

extension Error {
    /// Whether the error means that a file was read but is not a pointer.
    package var meansNoPointer: Bool {
        switch (self as? Failure)?.code {
        case .originInvalidPointer, .originURLElsewhere: true
        default: false
        }
    }
}
