package import PackGround
import PackOrigin

extension Failure.Code {
    package static let channelWouldShrink = Self("channel.would-shrink")
    package static let channelNoEarlierRelease = Self("channel.no-earlier-release")
    package static let channelNeverLive = Self("channel.never-live")
    package static let channelSameChannel = Self("channel.same-channel")
    package static let channelClosed = Self("channel.closed")
    package static let channelClosesDefault = Self("channel.closes-default")
    package static let channelOtherBaseURL = Self("channel.other-base-url")
    package static let channelReleaseDamaged = Self("channel.release-damaged")
    package static let channelPruned = Self("channel.pruned")
    package static let channelNotPinned = Self("channel.not-pinned")
    package static let channelUnauthorized = Self("channel.unauthorized")
}

// After all failures of a change, the channel is unchanged.

extension Failure {
    package static func channelWouldShrink(share: Int, to: Int) -> Failure {
        beforeCommit(
            .channelWouldShrink,
            "the first release is offered to \(share) % of the devices, more than \(to) %")
    }

    package static func channelNoEarlierRelease(channel name: String) -> Failure {
        beforeCommit(
            .channelNoEarlierRelease, "no other release was live on channel '\(name)' before")
    }

    package static func channelNeverLive(name: String, channel: String) -> Failure {
        beforeCommit(
            .channelNeverLive,
            "'\(printable(name.utf8))' was never live on channel '\(channel)'",
            details: ["channel": channel])
    }

    package static func channelSameChannel(channel name: String) -> Failure {
        beforeCommit(
            .channelSameChannel, "'\(name)' is both the source and the target", exitCode: .usage)
    }

    package static func channelClosed(channel name: String, at time: String) -> Failure {
        beforeCommit(.channelClosed, "channel '\(name)' was closed at \(time)")
    }

    /// `info.json` and `site/` follow the channel.
    package static func channelClosesDefault(channel name: String) -> Failure {
        beforeCommit(
            .channelClosesDefault,
            "'\(name)' is the channel that info.json and site/ follow, and that apps use by default"
        )
    }

    package static func channelOtherBaseURL(
        theirs: String, ours: String, channel name: String
    ) -> Failure {
        beforeCommit(
            .channelOtherBaseURL,
            "the release has the base URL \(theirs); channel '\(name)' has \(ours)")
    }

    /// A file of the release is missing or damaged at the origin.
    package static func channelReleaseDamaged(name: String, problem: String) -> Failure {
        beforeCommit(
            .channelReleaseDamaged, "release \(name) cannot be offered: \(problem)",
            exitCode: .verification)
    }

    package static func channelPruned(name: String) -> Failure {
        beforeCommit(.channelPruned, "release \(name) cannot be offered: it was pruned")
    }

    package static func channelNotPinned(name: String, channel: String) -> Failure {
        beforeCommit(
            .channelNotPinned,
            "no release '\(printable(name.utf8))' is pinned on channel '\(channel)'")
    }

    /// The release was offered by a pointer that the owner's current keys did not sign.
    package static func channelUnauthorized(
        release: String, path: String, reason: String
    ) -> Failure {
        beforeCommit(
            .channelUnauthorized,
            "release \(release) cannot be offered: '\(path)', which names it, \(reason)")
    }
}
