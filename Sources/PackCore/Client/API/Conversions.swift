import PackGround
import PackOrigin
import PackRelease
import PackTrust

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Public values from those of the client.
extension PackClient.Release {
    init(_ running: AppStart.Running) {
        self.init(running.copy, directory: running.path, isEmbedded: running.place == .embedded)
    }

    init(
        _ copy: InstallState.Copy, _ place: InstallState.Place?, in directory: String,
        embedded: EmbeddedRelease?
    ) {
        if place == .embedded, let embedded {
            self.init(copy, directory: embedded.path, isEmbedded: true)
        } else {
            self.init(
                copy, directory: "\(directory)/\(Installation.treePath(copy.version))",
                isEmbedded: false)
        }
    }

    private init(_ copy: InstallState.Copy, directory: String, isEmbedded: Bool) {
        self.init(
            version: copy.version.description, label: copy.label,
            launchPath: copy.launch?.description, directory: directory, isEmbedded: isEmbedded,
            channel: copy.channel.description)
    }
}

extension PackClient.Start {
    init(_ start: AppStart) {
        let choice: Choice =
            switch start.decision.choice {
            case .web: .web
            case .nothing: .nothing
            case .release: start.running.map { .release(PackClient.Release($0)) } ?? .nothing
            }
        self.init(
            choice: choice, mustUpdate: start.mustUpdate,
            problem: start.problem.map { PackError($0) })
    }
}

extension PackClient.HoldReason {
    /// The reason that a refusal stands for; `nil` if it is a failure.
    init?(_ failure: Failure) {
        switch failure.code {
        case .installBusy: self = .busy
        case .installDisabled: self = .paused
        case .installBypassed: self = .bypassed
        case .installExpired: self = .expired
        case .installClosed: self = .closed
        case .installNotOffered: self = .notOffered
        case .installOverLimit: self = .limits
        default: return nil
        }
    }
}

extension PackClient.Trust {
    private func digest(_ text: String) throws -> Digest {
        guard let digest = Digest(text) else {
            throw Failure.invalidArgument(
                kind: "hash", word: text, problem: "is not 64 hexadecimal digits",
                example: "sha256sum 1.root.json")
        }
        return digest
    }

    func pin() throws -> TrustPin {
        switch self {
        case .root(let bytes): .root(try SignedRoot(bytes, path: "root"))
        case .sha256(let text, let version): .hash(try digest(text), version: version)
        }
    }
}

extension PackClient.Limits {
    func values(isMetered: Bool) -> InstallLimits {
        var values = InstallLimits()
        values.bytes = isMetered ? meteredBytes : nil
        values.spaceToLeave = spaceToLeave
        values.memory = deltaMemory
        values.seconds = deltaSeconds
        return values
    }
}

extension PackError {
    init(_ error: any Error) {
        switch error {
        case let error as PackError: self = error
        case let failure as Failure:
            self.init(code: failure.code.name, description: failure.description)
        case is CancellationError: self.init(code: "cancelled", description: "it was cancelled")
        default: self.init(code: "internal", description: "\(error)")
        }
    }

    /// Runs a piece of work, and turns its error into one of this type.
    static func wrapping<Value>(_ body: () throws -> Value) throws(PackError) -> Value {
        do { return try body() } catch { throw PackError(error) }
    }

    static func withoutTransport(_ origin: String) -> PackError {
        PackError(
            code: "client.no-transport",
            description: "'\(printable(origin.utf8))' needs a transport; see PackClientURLSession")
    }
}

extension PackClock {
    /// The clocks of the system.
    public static let system = PackClock(
        now: { time(nil) },
        monotonicSeconds: {
            // Before the present time is read, because it is set at its first use.
            let begin = PackClock.origin
            let passed = (ContinuousClock.now - begin).components
            return Double(passed.seconds) + Double(passed.attoseconds) * 1e-18
        })

    private static let origin = ContinuousClock.now
}
