import PackGround
import PackOrigin
import PackRelease
import PackS3
import PackSettings

/// Opens origins of all kinds by their addresses; no other code of the command line distinguishes
/// the kinds.
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

    /// Whether an address is on the network.
    static func isRemote(_ address: String) -> Bool {
        HTTPAddress.isHTTP(address) || S3Address.isS3(address)
    }

    /// Opens an existing origin for reading.
    ///
    /// - Throws: ``InvalidArgument`` for an invalid address; ``NotAnOrigin``; an error of the
    ///   store.
    func open(_ address: String) throws -> any OriginStore {
        if S3Address.isS3(address) { return try Bucket.store(address, settings, console) }
        if HTTPAddress.isHTTP(address) {
            let transport = try AuthorityOption.transport(
                authorityFile: authorityFile ?? console.environment.variable("SSL_CERT_FILE"),
                console)
            return HTTPStore(
                try HTTPAddress(address),
                client: HTTPClient(transport, random: { Double.random(in: 0...1) }),
                scratch: console.environment.temporaryDirectory)
        }
        return try StoreOpener.list(existingOrigin(address))
    }
}

/// The directory of an existing origin.
///
/// - Throws: ``InvalidArgument``; ``NotAnOrigin`` for one of its releases.
func existingOrigin(_ text: String) throws -> String {
    if let found = try OriginRelease.findDirectory(text), found.name != nil {
        throw NotAnOrigin(text: text, origin: found.path)
    }
    return try localOrigin(text)
}

/// A release, such as `cdn@1.0`, given to a command that requires an origin.
struct NotAnOrigin: Remedied {
    let text: String
    let origin: String

    var code: String { "input.release" }
    var description: String { "'\(text)' names one release, not an origin" }
    var unaffected: String? { nil }
    var remedy: String {
        "name the origin, '\(origin)'; 'packtool status \(origin)' lists the offers of its channels"
    }
    var exitCode: ExitCode { .usage }
}

/// An origin or an installation given to a command that requires a build.
struct NotABuild: Remedied {
    let path: String
    /// The current release of an installation.
    var installed: String?

    /// - Throws: ``NotABuild`` for a directory written by `publish` or `install`;
    ///   ``NothingInstalled``.
    static func refuse(_ path: String) throws {
        if try isOrigin(path) { throw NotABuild(path: path) }
        if let release = try InstalledRelease.find(path) {
            throw NotABuild(path: path, installed: release.path)
        }
    }

    /// Whether a directory is an origin, which cannot be a build.
    static func isOrigin(_ path: String) throws -> Bool {
        guard let directory = try Directory.openIfPresent(path) else { return false }
        // A build may contain a directory 'channels'.
        let folders = [OriginLayout.workspace, OriginLayout.channels, OriginLayout.objects]
        return try folders.allSatisfy { try directory.status($0)?.kind == .directory }
    }

    var code: String { installed == nil ? "input.origin" : "input.installation" }
    var description: String {
        "'\(path)' is an \(installed == nil ? "origin" : "installation"), not a build"
    }
    var unaffected: String? { nil }
    var remedy: String {
        installed.map { "name the build output's directory, or the installed files: '\($0)'" }
            ?? "name the build output's directory, or a release's package"
    }
    var exitCode: ExitCode { .usage }
}

/// A network address given to a command that requires local files.
struct NotOnThisMachine: Remedied {
    let address: String

    /// - Throws: ``NotOnThisMachine`` for the address of a bucket or web server.
    static func refuse(_ text: String) throws {
        if OriginOpener.isRemote(text) { throw NotOnThisMachine(address: withoutSecrets(text)) }
    }

    var code: String { "input.remote" }
    var description: String {
        "'\(address)' is \(S3Address.isS3(address) ? "a bucket" : "a web address"), "
            + "not a build or a package on this machine"
    }
    var unaffected: String? { nil }
    var remedy: String {
        "install it first: 'packtool install \(address) --into DIR'; then name DIR/current"
    }
    var exitCode: ExitCode { .usage }
}
