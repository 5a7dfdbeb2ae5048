package import PackGround

/// The reason why a root or a pointer is not trusted.
package enum TrustError: Remedied, Equatable {
    case invalidRoot(place: String, problem: String)
    case rootDiffers(version: Int, problem: String)
    case cannotFollow(place: String, problem: String)
    /// Roots must be published in order.
    case rootGap(place: String, newest: Int)
    case rootExpired(version: Int, at: String)
    /// The root was made by a clock that was ahead.
    case rootAhead(version: Int, createdAt: String, lead: String)
    case rootMissing(version: Int, newest: Int)
    case badSignature(place: String, role: String, valid: Int, threshold: Int)
    case unsigned(place: String)
    case noRole(channel: String, version: Int)
    case wrongPin(place: String, expected: String, found: String)
    case noRoot(place: String)
    /// The channel has unsigned pointers not below the root's floor, which blocks its publishers.
    case floorTooLow(version: Int, channel: String, sequence: Int)
    /// The origin's newest root does not accept the file, or the origin lost its roots.
    case refusedByRoot(place: String, problem: String)
    /// An installation lost its root.
    case rootLost(place: String, version: Int)

    package var code: String {
        switch self {
        case .invalidRoot: "trust.invalid-root"
        case .rootDiffers: "trust.root-differs"
        case .cannotFollow: "trust.root-cannot-follow"
        case .rootGap: "trust.root-gap"
        case .rootExpired: "trust.root-expired"
        case .rootAhead: "trust.root-ahead"
        case .rootMissing: "trust.root-missing"
        case .badSignature: "trust.bad-signature"
        case .unsigned: "trust.unsigned"
        case .noRole: "trust.no-role"
        case .wrongPin: "trust.wrong-pin"
        case .noRoot: "trust.no-root"
        case .floorTooLow: "trust.floor-too-low"
        case .refusedByRoot: "trust.refused-by-root"
        case .rootLost: "trust.root-lost"
        }
    }

    package var description: String {
        switch self {
        case .invalidRoot(let place, let problem): "'\(place)' is not a trust root: \(problem)"
        case .rootDiffers(let version, let problem): "root \(version) \(problem)"
        case .cannotFollow(let place, let problem):
            "'\(place)' cannot follow the root before it: \(problem)"
        case .rootGap(let place, let newest):
            "'\(place)' cannot be published yet: "
                + (newest > 0
                    ? "the origin's newest root is \(newest)" : "the origin has no root 1")
        case .rootExpired(let version, let time): "root \(version) expired at \(time)"
        case .rootAhead(let version, let createdAt, let lead):
            "root \(version) was made at \(createdAt), \(lead): devices take that for the time, and refuse every "
                + "pointer that expires before"
        case .rootMissing(let version, let newest):
            "the pointer was signed under root \(version), but the newest root to be had is \(newest)"
        case .badSignature(let place, let role, let valid, let threshold):
            "'\(place)' has \(counted(valid, "valid signature")) of role '\(role)'; \(threshold) "
                + (threshold == 1 ? "is needed" : "are needed")
        case .unsigned(let place): "'\(place)' is not signed"
        case .noRole(let channel, let version):
            "root \(version) has no role that signs channel '\(channel)'"
        case .wrongPin(let place, let expected, let found):
            "'\(place)' has the hash \(found), not \(expected)"
        case .noRoot(let place): "there is no trust root at '\(place)'"
        case .floorTooLow(let version, let channel, let sequence):
            "channel '\(channel)' has unsigned pointers up to sequence \(sequence): under root \(version) no key "
                + "could publish to it or roll it back"
        case .refusedByRoot(let place, let problem):
            "clients with this origin's trust root refuse '\(place)': \(problem)"
        case .rootLost(let place, let version):
            "the installation trusted root \(version), and '\(place)' does not have it any more"
        }
    }

    package var unaffected: String? { "the installed and the published releases" }
    package var exitCode: ExitCode { .verification }

    package var remedy: String {
        switch self {
        case .invalidRoot: "check the file; 'packtool keys check FILE' prints its contents"
        case .rootDiffers:
            "compare both with 'packtool keys show'; one of them was not published by the owner"
        case .cannotFollow:
            "run 'packtool keys check FILE --previous OLD' to see who has to sign it"
        case .rootGap(_, let newest):
            "publish root \(newest + 1) first ('packtool keys publish'), then those that follow it, in order"
        case .rootExpired(1, _):
            "make the next root with 'packtool keys root', sign it and publish it; if root 1 was never published, "
                + "make it again ('packtool keys init' with another --dir)"
        case .rootExpired:
            "make the next root with 'packtool keys root', sign it and publish it"
        case .rootAhead:
            "correct this machine's clock if that is wrong; if not, make the root again with a clock that is right "
                + "(no device has it yet)"
        case .rootMissing, .noRoot:
            "publish the root with 'packtool keys publish', or check the path"
        case .badSignature(_, let role, _, _) where role.hasPrefix(TrustRoot.rootRole):
            "have the missing keys sign it with 'packtool keys sign'; 'packtool keys check FILE --previous OLD' "
                + "names them"
        case .badSignature, .unsigned:
            "publish again with the keys of this channel (--sign-key); "
                + "if none of you published, someone else wrote to the origin"
        case .noRole: "name keys for it: 'packtool keys root --role release:1=NAME'"
        case .wrongPin: "check the pin; it names another root"
        case .floorTooLow(1, let channel, let sequence):
            "make root 1 again with --floor \(channel)=\(sequence + 1) ('packtool keys init' with another --dir); or "
                + "publish it with --force, and then a next root that has the floor"
        case .floorTooLow(_, let channel, let sequence):
            "make the root with --floor \(channel)=\(sequence + 1) ('keys init' and 'keys root' take it); --force "
                + "publishes it nevertheless"
        case .refusedByRoot:
            "if you did not publish it, someone else wrote to the origin: restore the pointer from its log, and 'root/'; if "
                + "you did, sign it with the channel's keys ('packtool renew' or 'packtool publish' with --sign-key)"
        case .rootLost: "name the root with --trust, or install into an empty directory"
        }
    }
}
