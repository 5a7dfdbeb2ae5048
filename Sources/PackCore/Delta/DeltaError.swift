package import PackDelta
package import PackGround
package import PackRelease

/// The reason why a delta was not created or not applied.
package enum DeltaError: Remedied, Equatable {
    /// A valid archive that is not a delta, probably a package.
    case notADelta(path: String)
    case invalidManifest(place: String, problem: String)
    case invalidStream(place: String, problem: DeltaCodecError)
    case wrongBase(delta: String, needs: String, found: String)
    case wrongResult(delta: String, expected: String, found: String)
    case unexpectedMember(delta: String, name: String)
    case needsTooMuchMemory(delta: String, needs: Int, limit: Int)
    case makesTooMuch(delta: String, bytes: UInt64, limit: UInt64)
    /// The delta's output differs in size from its pointer.
    case otherTree(delta: String, makes: TreeSize, expected: TreeSize)
    case tooMuchWork(delta: String)
    case targetExists(path: String)
    case sameRelease(version: String)
    /// The `info.json` in the delta is not the release's.
    case wrongInfo(delta: String)
    /// The delta has no `info.json`, or one that does not fit its release.
    case noInfo(delta: String)

    package var code: String {
        switch self {
        case .notADelta: "delta.not-a-delta"
        case .invalidManifest: "delta.invalid-manifest"
        case .invalidStream: "delta.invalid-stream"
        case .wrongBase: "delta.wrong-base"
        case .wrongResult: "delta.wrong-result"
        case .unexpectedMember: "delta.unexpected-member"
        case .needsTooMuchMemory: "delta.too-much-memory"
        case .makesTooMuch: "delta.too-much-output"
        case .otherTree: "delta.other-tree"
        case .tooMuchWork: "delta.too-much-work"
        case .targetExists: "delta.target-exists"
        case .sameRelease: "delta.same-release"
        case .wrongInfo: "delta.wrong-info"
        case .noInfo: "delta.no-info"
        }
    }

    package var description: String {
        switch self {
        case .notADelta(let path): "'\(path)' is not a delta: its first member is not delta.json"
        case .invalidManifest(let place, let problem): "'\(place)' is not a valid delta: \(problem)"
        case .invalidStream(let place, let problem):
            "'\(place)' cannot be decoded: \(problem.reason)"
        case .wrongBase(let delta, let needs, let found):
            "'\(delta)' starts from release \(needs), but the base is release \(found)"
        case .wrongResult(let delta, let expected, let found):
            "'\(delta)' should produce release \(expected), but produced \(found)"
        case .unexpectedMember(let delta, let name):
            "'\(delta)' is inconsistent: '\(name)' is missing or not needed"
        case .needsTooMuchMemory(let delta, let needs, let limit):
            """
            '\(delta)' needs \(readableSize(UInt64(needs))) of memory; the limit is \
            \(readableSize(UInt64(limit)))
            """
        case .otherTree(let delta, let makes, let expected):
            "'\(delta)' creates \(makes); its pointer says \(expected)"
        case .makesTooMuch(let delta, let bytes, let limit):
            """
            '\(delta)' creates \(readableSize(bytes)) of files; the limit is \
            \(readableSize(limit))
            """
        case .tooMuchWork(let delta):
            "'\(delta)' takes more work than any delta between releases of this size"
        case .targetExists(let path): "'\(path)' already exists"
        case .sameRelease(let version): "both releases are \(version); there is nothing to change"
        case .wrongInfo(let delta):
            "the info.json that '\(delta)' produces is not that of its release"
        case .noInfo(let delta): "'\(delta)' does not carry the info.json of its release"
        }
    }

    package var unaffected: String? {
        if case .targetExists = self { return "what is there; nothing was written" }
        return "the base; nothing was written"
    }

    package var exitCode: ExitCode {
        switch self {
        case .targetExists, .sameRelease, .needsTooMuchMemory: .couldNotDo
        default: .verification
        }
    }

    package var remedy: String {
        switch self {
        case .invalidManifest, .invalidStream, .wrongResult, .unexpectedMember, .makesTooMuch,
            .otherTree, .tooMuchWork:
            "create or fetch the delta again, or use the package of the new release"
        case .notADelta:
            "name a file that 'packtool delta' wrote; any zip tool unpacks a package"
        case .wrongBase: "give the release that the delta starts from, or install the package"
        case .needsTooMuchMemory: "install the package instead"
        case .targetExists: "name a directory that does not exist yet"
        case .sameRelease: "name two different releases"
        case .wrongInfo: "use the info.json of the origin"
        case .noInfo:
            "use the info.json of the origin, or create the delta with --info info.json"
        }
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
