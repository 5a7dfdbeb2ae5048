package import PackGround

/// Why a channel cannot be changed as it was asked to.
///
/// In every case the channel stays as it was.
package enum ChannelError: Remedied, Equatable {
    case wouldShrink(share: Int, to: Int)
    case noEarlierRelease(channel: String)
    case neverLive(name: String, channel: String)
    case sameChannel(channel: String)
    case closed(channel: String, at: String)
    /// `info.json` and `site/` follow it.
    case closesDefault(channel: String)
    case otherBaseURL(theirs: String, ours: String, channel: String)
    /// What the change needs is missing or damaged at the origin.
    case releaseDamaged(name: String, problem: String)
    case pruned(name: String)
    case notPinned(name: String, channel: String)
    /// The release was offered by a pointer that the owner's present keys did not sign.
    case notOurs(release: String, place: String, reason: String)

    package var code: String {
        switch self {
        case .wouldShrink: "channel.would-shrink"
        case .noEarlierRelease: "channel.no-earlier-release"
        case .neverLive: "channel.never-live"
        case .sameChannel: "channel.same-channel"
        case .closed: "channel.closed"
        case .closesDefault: "channel.closes-default"
        case .otherBaseURL: "channel.other-base-url"
        case .releaseDamaged: "channel.release-damaged"
        case .pruned: "channel.pruned"
        case .notPinned: "channel.not-pinned"
        case .notOurs: "channel.unauthorized"
        }
    }

    package var description: String {
        switch self {
        case .wouldShrink(let share, let to):
            "the first release is offered to \(share) % of the devices, more than \(to) %"
        case .noEarlierRelease(let channel):
            "no other release was live on channel '\(channel)' before"
        case .neverLive(let name, let channel):
            "'\(printable(name.utf8))' was never live on channel '\(channel)'"
        case .sameChannel(let channel): "'\(channel)' is both the source and the target"
        case .closed(let channel, let time): "channel '\(channel)' was closed at \(time)"
        case .closesDefault(let channel):
            "'\(channel)' is the channel that info.json and site/ follow, and that apps use by default"
        case .otherBaseURL(let theirs, let ours, let channel):
            "the release has the base URL \(theirs); channel '\(channel)' has \(ours)"
        case .releaseDamaged(let name, let problem):
            "release \(name) cannot be offered: \(problem)"
        case .pruned(let name): "release \(name) cannot be offered: it was pruned"
        case .notPinned(let name, let channel):
            "no release '\(printable(name.utf8))' is pinned on channel '\(channel)'"
        case .notOurs(let release, let place, let reason):
            "release \(release) cannot be offered: '\(place)', which names it, \(reason)"
        }
    }

    package var unaffected: String? { "the live release and its clients" }

    package var exitCode: ExitCode {
        switch self {
        case .sameChannel: .usage
        case .releaseDamaged: .verification
        default: .couldNotDo
        }
    }

    package var remedy: String {
        switch self {
        case .wouldShrink:
            "add --shrink: no further device gets it beyond the lower share, and devices that have it keep it; to take it "
                + "away, run 'packtool rollback'"
        case .noEarlierRelease: "publish a build, or run 'packtool pause'"
        case .neverLive(_, let channel):
            "name a version or label that 'packtool history --channel \(channel)' lists"
        case .sameChannel: "give another channel with --from or --channel"
        case .closed:
            "publish to another --channel; if this one is to be used again, add --reopen to 'packtool publish' or "
                + "'packtool promote'"
        case .closesDefault:
            "name another channel; to end all updates of the app, add --default-channel"
        case .otherBaseURL:
            "publish the build to both channels with the same --base-url ('packtool publish --allow-identity-change')"
        case .releaseDamaged:
            "restore it from the build of that release with 'packtool publish BUILD --repair', or from a mirror or "
                + "backup; or name another release"
        case .pruned:
            "publish its build again, or name a later release ('packtool history' lists them)"
        case .notPinned: "run 'packtool prune', which lists the pins; or name another --channel"
        case .notOurs: "publish its build again: 'packtool publish' with --sign-key"
        }
    }
}
