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
    package static func proposalInvalid(path: String, problem: String) -> Failure {
        beforeCommit(.proposalInvalid, "'\(path)' is not a proposed pointer: \(problem)")
    }

    /// The channel has changed since the proposal was made.
    package static func proposalOvertaken(
        path: String, channel: String, follows: String, current: String
    ) -> Failure {
        beforeCommit(
            .proposalOvertaken,
            "'\(path)' was made to follow \(follows) of channel '\(channel)', which is now at \(current)",
            exitCode: .conflict)
    }

    package static func proposalTooOld(path: String, createdAt: String) -> Failure {
        beforeCommit(
            .proposalTooOld,
            "'\(path)' was made at \(createdAt); a proposal can go live for "
                + "\(Pointer.proposalDays) days")
    }

    /// The clock is behind the creation time of the proposal.
    package static func proposalClockBehind(path: String, createdAt: String) -> Failure {
        beforeCommit(
            .proposalClockBehind,
            "'\(path)' was made at \(createdAt), which is in the future by this machine's clock")
    }

    package static func proposalExpired(path: String, at time: String) -> Failure {
        beforeCommit(.proposalExpired, "'\(path)' expired at \(time)")
    }

    /// The proposal refers to a root that the origin does not have, or to one of another epoch.
    package static func proposalOtherRoot(path: String, reason: String) -> Failure {
        beforeCommit(.proposalOtherRoot, "'\(path)' \(reason)")
    }

    package static func proposalNotEnough(
        path: String, role: String, have: Int, threshold: Int, missing: [String]
    ) -> Failure {
        beforeCommit(
            .proposalNotEnough,
            "'\(path)' has \(counted(have, "valid signature")) of role '\(role)', which needs "
                + "\(threshold); keys that could sign: \(missing.joined(separator: ", "))",
            exitCode: .verification, details: ["path": path])
    }

    package static func proposalNeedsRoot(path: String, version: Int) -> Failure {
        beforeCommit(
            .proposalNeedsRoot,
            "'\(path)' is a pointer, and root \(version) defines the keys that may sign it",
            exitCode: .usage, details: ["version": "\(version)"])
    }

    /// packtool would not propose this, or devices could not recover from it.
    package static func proposalRefused(path: String, problem: String) -> Failure {
        beforeCommit(
            .proposalRefused, "'\(path)' must not go live: \(problem)", exitCode: .verification)
    }

    /// The proposal's files have another base URL than the channel's.
    package static func proposalIdentityChanged(path: String, from: String, to: String) -> Failure {
        beforeCommit(
            .proposalIdentityChanged,
            "'\(path)' would have devices fetch from '\(to)'; the channel's releases are at '\(from)'",
            exitCode: .verification)
    }
}
