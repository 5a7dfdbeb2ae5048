package import PackDelta
package import PackGround
package import PackRelease

extension Failure.Code {
    package static let deltaNotADelta = Self("delta.not-a-delta")
    package static let deltaInvalidManifest = Self("delta.invalid-manifest")
    package static let deltaInvalidStream = Self("delta.invalid-stream")
    package static let deltaWrongBase = Self("delta.wrong-base")
    package static let deltaWrongResult = Self("delta.wrong-result")
    package static let deltaUnexpectedMember = Self("delta.unexpected-member")
    package static let deltaTooMuchMemory = Self("delta.too-much-memory")
    package static let deltaTooMuchOutput = Self("delta.too-much-output")
    package static let deltaOtherTree = Self("delta.other-tree")
    package static let deltaTooMuchWork = Self("delta.too-much-work")
    package static let deltaTargetExists = Self("delta.target-exists")
    package static let deltaSameRelease = Self("delta.same-release")
    package static let deltaWrongInfo = Self("delta.wrong-info")
    package static let deltaNoInfo = Self("delta.no-info")
}

/// The reason why a delta was not created or not applied.
extension Failure {
    /// A valid archive that is not a delta, probably a package.
    package static func deltaNotADelta(path: String) -> Failure {
        delta(.deltaNotADelta, "'\(path)' is not a delta: its first member is not delta.json")
    }

    package static func deltaInvalidManifest(path: String, problem: String) -> Failure {
        delta(.deltaInvalidManifest, "'\(path)' is not a valid delta: \(problem)")
    }

    package static func deltaInvalidStream(path: String, problem: DeltaCodecError) -> Failure {
        delta(.deltaInvalidStream, "'\(path)' cannot be decoded: \(problem.reason)")
    }

    package static func deltaWrongBase(delta: String, needs: String, found: String) -> Failure {
        Self.delta(
            .deltaWrongBase,
            "'\(delta)' starts from release \(needs), but the files of the base give \(found): "
                + "it is another release, or a file was changed")
    }

    package static func deltaWrongResult(
        delta: String, expected: String, found: String
    ) -> Failure {
        Self.delta(
            .deltaWrongResult,
            "'\(delta)' should produce release \(expected), but produced \(found)")
    }

    package static func deltaUnexpectedMember(delta: String, name: String) -> Failure {
        Self.delta(
            .deltaUnexpectedMember,
            "'\(delta)' is inconsistent: '\(name)' is missing or not needed")
    }

    /// - Parameters:
    ///   - needs: In bytes.
    ///   - limit: In bytes.
    package static func deltaTooMuchMemory(delta: String, needs: Int, limit: Int) -> Failure {
        Self.delta(
            .deltaTooMuchMemory,
            "'\(delta)' needs \(readableSize(UInt64(needs))) of memory; "
                + "the limit is \(readableSize(UInt64(limit)))", exitCode: .couldNotDo)
    }

    package static func deltaTooMuchOutput(
        delta: String, bytes: UInt64, limit: UInt64
    ) -> Failure {
        Self.delta(
            .deltaTooMuchOutput,
            "'\(delta)' creates \(readableSize(bytes)) of files; the limit is \(readableSize(limit))"
        )
    }

    /// The delta's output differs in size from its pointer.
    package static func deltaOtherTree(
        delta: String, makes: TreeSize, expected: TreeSize
    ) -> Failure {
        Self.delta(
            .deltaOtherTree, "'\(delta)' creates \(makes); its pointer states \(expected)")
    }

    package static func deltaTooMuchWork(delta: String) -> Failure {
        Self.delta(
            .deltaTooMuchWork,
            "'\(delta)' takes more work than any delta between releases of this size")
    }

    package static func deltaTargetExists(path: String) -> Failure {
        delta(
            .deltaTargetExists, "'\(path)' already exists",
            unaffected: "the existing files; nothing was written", exitCode: .couldNotDo)
    }

    package static func deltaSameRelease(version: String) -> Failure {
        delta(
            .deltaSameRelease, "both releases are \(version); there is nothing to change",
            exitCode: .couldNotDo)
    }

    /// The `info.json` in the delta is not the release's.
    package static func deltaWrongInfo(delta: String) -> Failure {
        Self.delta(
            .deltaWrongInfo, "the info.json that '\(delta)' produces is not that of its release")
    }

    /// The delta has no `info.json`, or one that does not fit its release.
    package static func deltaNoInfo(delta: String) -> Failure {
        Self.delta(.deltaNoInfo, "'\(delta)' does not contain the info.json of its release")
    }

    private static func delta(
        _ code: Code, _ description: String,
        unaffected: String = "the base; nothing was written", exitCode: ExitCode = .verification
    ) -> Failure {
        Failure(code, description, unaffected: unaffected, exitCode: exitCode)
    }
}

extension DeltaCodecError {
    /// The end of the sentence "the stream cannot be decoded: …".
    package var reason: String {
        switch self {
        case .invalidHeader: "its header is not of this version"
        case .invalidListing: "its listing is damaged"
        case .tooLarge: "it needs more memory than is allowed"
        case .tooMuchWork: "decoding it would take too long"
        case .invalidContent: "its content is damaged"
        }
    }
}
