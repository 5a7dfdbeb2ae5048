import PackGround
import PackOrigin
import PackRelease
import PackS3
import PackSettings

/// Opens origins of all kinds.
struct OriginOpener {
    let settings: Settings
    let console: Console
    /// Certificates to trust instead of the system's.
    let authorityFile: String?

    init(settings: Settings, _ console: Console, authorityFile: String? = nil) {
        self.settings = settings
        self.console = console
        self.authorityFile = authorityFile
    }

    /// Opens an existing origin for reading.
    ///
    /// - Throws: ``Failure`` for an invalid address; ``Failure``; an error of the
    ///   store.
    func open(_ address: OriginAddress) throws -> any OriginStore {
        switch address {
        case .directory, .bucket: return try list(address)
        case .web(let text):
            let transport = try AuthorityOption.transport(authorityFile: authorityFile, console)
            return HTTPStore(
                try HTTPAddress(text),
                client: HTTPClient(transport, random: { Double.random(in: 0...1) }),
                scratch: console.environment.temporaryDirectory)
        }
    }

    /// Opens an existing origin with listings.
    ///
    /// - Parameter readBack: With `.all`, a remote store asks for each file. Otherwise its listing
    ///   answers whether a file exists, which takes fewer requests.
    /// - Throws: ``Failure``, also for the address of a web server; an error of the store.
    func list(
        _ address: OriginAddress, _ readBack: ReadBack = .all
    ) throws -> any ListingStore {
        switch address {
        case .bucket(let text): try Bucket.store(text, settings, readBack: readBack, console)
        case .directory(let text), .web(let text): try StoreOpener.list(existingOrigin(text))
        }
    }

    /// The remote store to publish to.
    ///
    /// - Returns: `nil` for a directory, which a publish may have to create.
    func writable(
        _ address: OriginAddress, _ safety: UnsafeStoreOption, _ proof: ReadBackOption? = nil,
        cache: String? = nil
    ) throws -> (any WritableStore)? {
        switch address {
        case .directory, .web: nil
        case .bucket(let text):
            try Bucket.store(
                text, settings, for: .publishing, cache: cache, readBack: proof?.readBack,
                isUnsafe: safety.noConditionalWrites, console)
        }
    }
}

extension OriginOpener {
    /// Tests the conditional writes of a bucket, which may be empty.
    ///
    /// - Returns: `nil` for an origin that is no bucket.
    func tryConditions(_ address: OriginAddress) async throws -> StoreConditions? {
        switch address {
        case .directory, .web: nil
        case .bucket(let text):
            try await Bucket.store(text, settings, for: .publishing, console).tryConditions()
        }
    }
}

/// The directory of an existing origin.
///
/// - Throws: ``Failure`` for one of its releases.
func existingOrigin(_ text: String) throws -> String {
    if let found = try OriginRelease.findDirectory(text), found.name != nil {
        throw Failure.inputRelease(text, origin: found.path)
    }
    return try localOrigin(text)
}

extension Failure.Code {
    static let inputRelease = Self("input.release")
    static let inputOrigin = Self("input.origin")
    static let inputInstallation = Self("input.installation")
    static let inputRemote = Self("input.remote")
}

extension Failure {
    /// A release, such as `cdn@1.0`, given to a command that requires an origin.
    static func inputRelease(_ text: String, origin: String) -> Failure {
        Failure(
            .inputRelease, "'\(text)' names one release, not an origin", exitCode: .usage,
            details: ["origin": origin])
    }

    /// An origin given to a command that requires a build.
    static func inputOrigin(path: String) -> Failure {
        Failure(.inputOrigin, "'\(path)' is an origin, not a build", exitCode: .usage)
    }

    /// An installation given to a command that requires a build.
    static func inputInstallation(path: String, current: String) -> Failure {
        Failure(
            .inputInstallation, "'\(path)' is an installation, not a build", exitCode: .usage,
            details: ["current": current])
    }

    /// A network address given to a command that requires local files.
    static func inputRemote(address: String) -> Failure {
        Failure(
            .inputRemote,
            "'\(address)' is \(OriginAddress(address).kind), "
                + "not a build or a package on this machine",
            exitCode: .usage, details: ["address": address])
    }
}

/// Distinguishes the directory of a build from other inputs.
enum BuildDirectory {
    /// Rejects a directory written by `publish` or `install`.
    ///
    /// - Throws: ``Failure/inputOrigin(path:)``, ``Failure/inputInstallation(path:current:)``,
    ///   ``Failure/inputNothingInstalled(path:)``.
    static func check(_ path: String) throws {
        if try isOrigin(path) { throw Failure.inputOrigin(path: path) }
        if let release = try InstalledRelease.find(path) {
            throw Failure.inputInstallation(path: path, current: release.path)
        }
    }

    /// Whether a directory is an origin, which cannot be a build.
    static func isOrigin(_ path: String) throws -> Bool {
        guard let directory = try Directory.openIfPresent(path) else { return false }
        // A build may contain a directory 'channels'.
        let folders = [OriginLayout.workspace, OriginLayout.channels, OriginLayout.objects]
        return try folders.allSatisfy { try directory.status($0)?.kind == .directory }
    }

    /// Rejects the address of a bucket or web server.
    static func refuseRemote(_ text: String) throws(Failure) {
        if OriginAddress(text).isRemote { throw .inputRemote(address: withoutSecrets(text)) }
    }
}
