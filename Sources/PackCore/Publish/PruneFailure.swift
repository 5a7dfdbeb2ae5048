package import PackGround

extension Failure.Code {
    package static let pruneUnderWay = Self("prune.under-way")
    package static let prunePruning = Self("prune.pruning")
    package static let pruneNotPrimary = Self("prune.not-primary")
    package static let prunePointerMissing = Self("prune.pointer-missing")
    package static let pruneDamagedPin = Self("prune.damaged-pin")
    package static let pruneDamagedEntry = Self("prune.damaged-entry")
    package static let pruneUnverifiedEntry = Self("prune.unverified-entry")
    package static let pruneDamagedProposal = Self("prune.damaged-proposal")
    package static let pruneClockBehind = Self("prune.clock-behind")
}

// After all failures of a prune, no file was deleted.

extension Failure {
    private static func prune(
        _ code: Code, _ description: String, exitCode: ExitCode = .verification
    ) -> Failure {
        Failure(
            code, description, unaffected: "every release; nothing was deleted",
            exitCode: exitCode)
    }

    /// A publish is running or was interrupted: no pointer references its files yet.
    package static func pruneUnderWay(channel: String, path: String) -> Failure {
        prune(
            .pruneUnderWay,
            "a publish to channel '\(channel)' is running, or was interrupted less than 24 hours ago "
                + "('\(path)')",
            exitCode: .conflict)
    }

    /// Another prune of a store without a lock.
    package static func prunePruning(path: String) -> Failure {
        prune(
            .prunePruning,
            "another prune is running, or was interrupted less than an hour ago ('\(path)')",
            exitCode: .conflict)
    }

    /// The directory is a served copy, without the pins and intents of the origin.
    package static func pruneNotPrimary(origin: String) -> Failure {
        prune(
            .pruneNotPrimary,
            "'\(origin)' has no .packtool directory: it is a copy of an origin, without its pins",
            exitCode: .couldNotDo)
    }

    /// A channel without a pointer.
    package static func prunePointerMissing(path: String) -> Failure {
        prune(
            .prunePointerMissing, "'\(path)' is missing, so the live release is unknown")
    }

    package static func pruneDamagedPin(path: String) -> Failure {
        prune(
            .pruneDamagedPin, "'\(path)' is not a valid pin, so the pinned release is unknown")
    }

    /// A file among a channel's log entries is not a pointer, so its release is unknown.
    package static func pruneDamagedEntry(path: String, problem: String) -> Failure {
        prune(.pruneDamagedEntry, "'\(path)' is not a valid pointer: \(problem)")
    }

    /// A log entry or proposal that may be the owner's names an unreadable release.
    package static func pruneUnverifiedEntry(path: String, problem: String) -> Failure {
        prune(
            .pruneUnverifiedEntry,
            "'\(path)' names an incomplete release (\(problem)), and it is unknown who wrote it")
    }

    package static func pruneDamagedProposal(path: String) -> Failure {
        prune(
            .pruneDamagedProposal,
            "'\(path)' is not a valid proposed pointer, so the files it needs are unknown")
    }

    package static func pruneClockBehind(createdAt: String) -> Failure {
        prune(
            .pruneClockBehind,
            "this machine's clock is before \(createdAt), when a current pointer was made",
            exitCode: .couldNotDo)
    }
}
