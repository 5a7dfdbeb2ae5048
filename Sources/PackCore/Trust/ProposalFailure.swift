package import PackGround
import PackOrigin

extension Failure.Code {
    package static let proposalInvalid = Self("proposal.invalid")
    package static let proposalOvertaken = Self("proposal.overtaken")
    package static let proposalTooOld = Self("proposal.too-old")
    package static let proposalClockBehind = Self("proposal.clock-behind")
    package static let proposalExpired = Self("proposal.expired")
    package static let proposalOtherRoot = Self("proposal.other-root")
    package static let proposalNotEnough = Self("proposal.not-enough")
    package static let proposalNeedsRoot = Self("proposal.needs-root")
    package static let proposalRefused = Self("proposal.refused")
    package static let proposalIdentityChanged = Self("proposal.identity-changed")
}

// A failed proposal leaves the channel unchanged.

extension Failure {
    package static func proposalInvalid(place: String, problem: String) -> Failure {
        beforeCommit(.proposalInvalid, "'\(place)' is not a proposed pointer: \(problem)")
    }

    /// The channel has changed since the proposal was made.
    package static func proposalOvertaken(
        place: String, channel: String, follows: String, current: String
    ) -> Failure {
        beforeCommit(
            .proposalOvertaken,
            "'\(place)' was made to follow \(follows) of channel '\(channel)', which is now at \(current)",
            exitCode: .conflict)
    }

    package static func proposalTooOld(place: String, createdAt: String) -> Failure {
        beforeCommit(
            .proposalTooOld,
            "'\(place)' was made at \(createdAt); a proposal can go live for "
                + "\(Pointer.proposalDays) days")
    }

    /// The clock is behind the creation time of the proposal.
    package static func proposalClockBehind(place: String, createdAt: String) -> Failure {
        beforeCommit(
            .proposalClockBehind,
            "'\(place)' was made at \(createdAt), which is in the future by this machine's clock")
    }

    package static func proposalExpired(place: String, at time: String) -> Failure {
        beforeCommit(.proposalExpired, "'\(place)' expired at \(time)")
    }

    /// The proposal refers to a root that the origin does not have, or to one of another epoch.
    package static func proposalOtherRoot(place: String, reason: String) -> Failure {
        beforeCommit(.proposalOtherRoot, "'\(place)' \(reason)")
    }

    package static func proposalNotEnough(
        place: String, role: String, have: Int, threshold: Int, missing: [String]
    ) -> Failure {
        beforeCommit(
            .proposalNotEnough,
            "'\(place)' has \(counted(have, "valid signature")) of role '\(role)', which needs "
                + "\(threshold); keys that could sign: \(missing.joined(separator: ", "))",
            exitCode: .verification, details: ["place": place])
    }

    package static func proposalNeedsRoot(place: String, version: Int) -> Failure {
        beforeCommit(
            .proposalNeedsRoot,
            "'\(place)' is a pointer, and root \(version) defines the keys that may sign it",
            exitCode: .usage, details: ["version": "\(version)"])
    }

    /// packtool would not propose this, or devices could not recover from it.
    package static func proposalRefused(place: String, problem: String) -> Failure {
        beforeCommit(
            .proposalRefused, "'\(place)' must not go live: \(problem)", exitCode: .verification)
    }

    /// The proposal's files have another base URL than the channel's.
    package static func proposalIdentityChanged(place: String, from: String, to: String) -> Failure
    {
        beforeCommit(
            .proposalIdentityChanged,
            "'\(place)' would have devices fetch from '\(to)'; the channel's releases are at '\(from)'",
            exitCode: .verification)
    }
}
