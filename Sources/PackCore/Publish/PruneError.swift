package import PackGround

/// Why nothing can be pruned.
///
/// In every case nothing was deleted.
package enum PruneError: Remedied, Equatable {
    /// A publish runs, or ended early not long ago: what it made is needed by nothing yet.
    case underWay(channel: String, place: String)
    /// Another prune of a store without a lock.
    case pruning(place: String)
    /// The directory is a copy of what is served: its pins and intents are elsewhere.
    case isCopy(origin: String)
    /// A channel without a pointer: what is live there is unknown.
    case pointerMissing(place: String)
    case damagedPin(place: String)
    /// A file among a channel's log entries is no pointer: what was live is unknown.
    case damagedEntry(place: String, problem: String)
    /// A log entry or proposal that may be the owner's names a release that cannot be read.
    case unsureEntry(place: String, problem: String)
    case damagedProposal(place: String)
    /// The clock is behind the newest pointer.
    case clockBehind(createdAt: String)

    package var code: String {
        switch self {
        case .underWay: "prune.under-way"
        case .pruning: "prune.pruning"
        case .isCopy: "prune.not-primary"
        case .pointerMissing: "prune.pointer-missing"
        case .damagedPin: "prune.damaged-pin"
        case .damagedEntry: "prune.damaged-entry"
        case .unsureEntry: "prune.unverified-entry"
        case .damagedProposal: "prune.damaged-proposal"
        case .clockBehind: "prune.clock-behind"
        }
    }

    package var description: String {
        switch self {
        case .underWay(let channel, let place):
            "a publish to channel '\(channel)' is running, or was interrupted less than 24 hours ago "
                + "('\(place)')"
        case .pruning(let place):
            "another prune is running, or was interrupted less than an hour ago ('\(place)')"
        case .isCopy(let origin):
            "'\(origin)' has no .packtool directory: it is a copy of an origin, without its pins"
        case .pointerMissing(let place):
            "'\(place)' is missing, so it is not known what is live there"
        case .damagedPin(let place):
            "'\(place)' is not a pin that can be read, so it is not known which release it keeps"
        case .damagedEntry(let place, let problem):
            "'\(place)' is not a valid pointer: \(problem)"
        case .unsureEntry(let place, let problem):
            "'\(place)' names a release that is not whole (\(problem)), and does not prove that it is yours"
        case .damagedProposal(let place):
            "'\(place)' is not a proposed pointer that can be read, so it is not known what it needs"
        case .clockBehind(let createdAt):
            "this machine's clock is before \(createdAt), when a current pointer was made"
        }
    }

    package var unaffected: String? { "every release; nothing was deleted" }

    package var exitCode: ExitCode {
        switch self {
        case .underWay, .pruning: .conflict
        case .isCopy, .clockBehind: .couldNotDo
        case .pointerMissing, .damagedPin, .damagedEntry, .unsureEntry, .damagedProposal:
            .verification
        }
    }

    package var remedy: String {
        switch self {
        case .underWay, .pruning:
            "wait until it has finished; if no packtool works on this origin any more, 'packtool prune ORIGIN "
                + "--abandon' ends the wait"
        case .isCopy: "prune the directory that is published to, then copy it again"
        case .pointerMissing:
            "run 'packtool verify' on the origin and restore the file from a mirror or backup; if you never published "
                + "to the channel, remove its directory"
        case .damagedPin:
            "pin the release again with 'packtool prune --pin', or remove the file"
        case .damagedEntry:
            "restore the file from a mirror or backup; if no copy of the origin has it, it was never a log entry: "
                + "remove it"
        case .unsureEntry:
            "remove the file if it is not yours; otherwise restore from a mirror or backup what it names"
        case .damagedProposal: "remove the file; the proposal has to be made again"
        case .clockBehind: "set the clock"
        }
    }
}
