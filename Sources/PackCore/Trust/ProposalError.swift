package import PackGround
import PackOrigin

/// The reason why a proposed pointer cannot be signed or go live.
///
/// The channel is unchanged in every case.
package enum ProposalError: Remedied, Equatable {
    case invalid(place: String, problem: String)
    /// The channel has changed since the proposal was made.
    case overtaken(place: String, channel: String, follows: String, current: String)
    case tooOld(place: String, createdAt: String)
    case fromTheFuture(place: String, createdAt: String)
    case expired(place: String, at: String)
    /// The proposal refers to a root that the origin does not have, or to one of another epoch.
    case otherRoot(place: String, reason: String)
    case notEnough(place: String, role: String, have: Int, threshold: Int, missing: [String])
    case needsRoot(place: String, version: Int)
    /// packtool would not propose this, or devices could not recover from it.
    case refused(place: String, problem: String)
    /// The proposal's files have another base URL than the channel's.
    case moves(place: String, from: String, to: String)

    package var code: String {
        switch self {
        case .invalid: "proposal.invalid"
        case .overtaken: "proposal.overtaken"
        case .tooOld: "proposal.too-old"
        case .fromTheFuture: "proposal.clock-behind"
        case .expired: "proposal.expired"
        case .otherRoot: "proposal.other-root"
        case .notEnough: "proposal.not-enough"
        case .needsRoot: "proposal.needs-root"
        case .refused: "proposal.refused"
        case .moves: "proposal.identity-changed"
        }
    }

    package var description: String {
        switch self {
        case .invalid(let place, let problem): "'\(place)' is not a proposed pointer: \(problem)"
        case .overtaken(let place, let channel, let follows, let current):
            "'\(place)' was made to follow \(follows) of channel '\(channel)', which is at \(current) now"
        case .tooOld(let place, let createdAt):
            "'\(place)' was made at \(createdAt); a proposal can go live for "
                + "\(Pointer.proposalDays) days"
        case .fromTheFuture(let place, let createdAt):
            "'\(place)' was made at \(createdAt), which is still to come by this machine's clock"
        case .expired(let place, let time): "'\(place)' expired at \(time)"
        case .otherRoot(let place, let reason): "'\(place)' \(reason)"
        case .notEnough(let place, let role, let have, let threshold, let missing):
            "'\(place)' has \(counted(have, "valid signature")) of role '\(role)', which needs "
                + "\(threshold); keys that could sign: \(missing.joined(separator: ", "))"
        case .needsRoot(let place, let version):
            "'\(place)' is a pointer: which keys may sign it, root \(version) says"
        case .refused(let place, let problem): "'\(place)' must not go live: \(problem)"
        case .moves(let place, let from, let to):
            "'\(place)' would have devices fetch from '\(to)'; the channel's releases are at '\(from)'"
        }
    }

    package var unaffected: String? { "the live release and its clients" }

    package var exitCode: ExitCode {
        switch self {
        case .overtaken: .conflict
        case .notEnough, .refused, .moves: .verification
        case .needsRoot: .usage
        default: .couldNotDo
        }
    }

    package var remedy: String {
        switch self {
        case .invalid: "name a file that a command with --propose wrote"
        case .overtaken:
            "run 'packtool history' to see the new pointers, then propose the change again"
        case .tooOld, .expired, .otherRoot: "run the command with --propose again"
        case .fromTheFuture: "correct the clock of this machine, or of the one that proposed it"
        case .notEnough(let place, _, _, _, _):
            "have it signed: 'packtool keys sign \(place) --trust ROOT --sign-key KEY'"
        case .refused:
            "do not sign it; ask who proposed it how it was made, and have it proposed again"
        case .moves:
            "if the base URL was changed on purpose, add --allow-identity-change; if not, do not sign it"
        case .needsRoot(_, let version):
            "add --trust with your copy of the origin's root/\(version).json"
        }
    }
}
