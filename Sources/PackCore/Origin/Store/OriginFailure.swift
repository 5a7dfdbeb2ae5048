package import PackGround

extension Failure.Code {
    package static let originNotAnOrigin = Self("origin.not-an-origin")
    package static let originNothingPublished = Self("origin.nothing-published")
    package static let originNoSuchRelease = Self("origin.no-such-release")
    package static let originPruned = Self("origin.pruned")
    package static let originInvalidPointer = Self("origin.invalid-pointer")
    package static let originLogDiffers = Self("origin.log-differs")
    package static let originLogMissing = Self("origin.log-missing")
    package static let originURLElsewhere = Self("origin.url-elsewhere")
    package static let originMissing = Self("origin.missing")
    package static let originDiffers = Self("origin.differs")
}

/// A missing or incorrect file of an origin.
extension Failure {
    /// A failure of a publish, a proposal or a change of a channel before its commit point.
    package static func beforeCommit(
        _ code: Code, _ description: String, exitCode: ExitCode = .couldNotDo,
        details: [String: String] = [:]
    ) -> Failure {
        Failure(
            code, description, unaffected: "the live release and its clients", exitCode: exitCode,
            details: details)
    }

    package static func originNotAnOrigin(path: String) -> Failure {
        Failure(.originNotAnOrigin, "'\(path)' is not an origin: it has no channels")
    }

    /// - Parameters:
    ///   - channel: `nil` if no channel exists.
    ///   - answer: The response of a web server that denies the pointer's existence.
    package static func originNothingPublished(
        channel: String?, origin: String, answer: String? = nil
    ) -> Failure {
        Failure(
            .originNothingPublished,
            "nothing is published \(channel.map { "on channel '\($0)' " } ?? "")at '\(origin)'"
                + (answer.map { ": \($0)" } ?? ""),
            details: ["channel": channel ?? "", "answer": answer ?? ""])
    }

    package static func originNoSuchRelease(version: String, origin: String) -> Failure {
        Failure(
            .originNoSuchRelease, "'\(origin)' has no release '\(printable(version.utf8))'")
    }

    /// A release whose files were deleted by a prune.
    package static func originPruned(name: String, origin: String) -> Failure {
        Failure(.originPruned, "release \(name) is no longer at '\(origin)': it was pruned")
    }

    package static func originInvalidPointer(path: String, problem: String) -> Failure {
        damaged(
            .originInvalidPointer, "'\(path)' is not a valid pointer: \(problem)",
            ["path": path, "problem": problem])
    }

    package static func originLogDiffers(path: String) -> Failure {
        damaged(
            .originLogDiffers, "'\(path)' differs from the pointer in its channel's log")
    }

    package static func originLogMissing(path: String) -> Failure {
        damaged(.originLogMissing, "'\(path)' is not in its channel's log")
    }

    package static func originURLElsewhere(url: String, path: String) -> Failure {
        damaged(
            .originURLElsewhere,
            "'\(path)' names the URL '\(printable(url.utf8))', which is outside this origin")
    }

    package static func originMissing(path: String) -> Failure {
        damaged(.originMissing, "'\(path)' is missing", ["path": path])
    }

    package static func originDiffers(path: String, problem: String) -> Failure {
        damaged(.originDiffers, "'\(path)' \(problem)", ["path": path])
    }

    private static func damaged(
        _ code: Code, _ description: String, _ details: [String: String] = [:]
    ) -> Failure {
        Failure(code, description, exitCode: .verification, details: details)
    }
}
