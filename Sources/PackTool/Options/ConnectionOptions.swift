import ArgumentParser
import PackGround
import PackNet
import PackOrigin
import PackSettings

/// The connection to an origin on a web server, and its mirrors.
struct ConnectionOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Another https:// address of the same origin; repeatable.", valueName: "url"))
    var mirror: [String] = []

    @OptionGroup var authority: AuthorityOption

    /// Rejects these options for directories.
    func refuse(for origin: String) throws {
        if !mirror.isEmpty { throw needsAddress(origin, "--mirror") }
        try authority.refuse(for: origin)
    }

    /// The store of an http or https address.
    ///
    /// - Parameter parts: The directory in which partial files are kept for a later run.
    func store(_ origin: String, parts: String? = nil, _ console: Console) throws -> HTTPStore {
        HTTPStore(
            try HTTPAddress(origin), mirrors: try mirror.map { try HTTPAddress($0) },
            client: try authority.client(console), parts: parts,
            scratch: console.environment.temporaryDirectory)
    }
}

/// The certificate authorities to trust.
struct AuthorityOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Certificates to trust instead of the system's, as PEM (default: SSL_CERT_FILE).",
            valueName: "file"), completion: .path)
    var caFile: String?

    func refuse(for origin: String) throws {
        if caFile != nil { throw needsAddress(origin, "--ca-file") }
    }

    func client(_ console: Console) throws -> HTTPClient {
        HTTPClient(try transport(console), random: { Double.random(in: 0...1) })
    }

    func transport(_ console: Console) throws -> any HTTPTransport {
        try Self.transport(authorityFile: caFile, console)
    }

    /// - Parameter authorityFile: Certificates to trust instead of those of `SSL_CERT_FILE`, or the
    ///   system's.
    static func transport(
        authorityFile: String? = nil, earlyConnections: Int = 0, _ console: Console
    ) throws -> any HTTPTransport {
        var settings = CurlTransport.Settings(agent: "packtool/\(toolVersion)")
        settings.authorityFile = authorityFile ?? console.environment.variable("SSL_CERT_FILE")
        settings.earlyConnections = earlyConnections
        // The errors of libcurl do not name an unreadable file.
        if let file = settings.authorityFile { _ = try ReadableFile.read(file, limit: 16 << 20) }
        if let seconds = try console.environment.networkPatience() {
            settings.connectTimeout = seconds
            settings.patience = seconds
        }
        return console.observing(try console.environment.makeTransport(settings))
    }
}

/// The error for a flag that only applies to https addresses.
func needsAddress(_ origin: String, _ flag: String) -> Failure {
    Failure.invalidArgument(
        kind: "origin", word: origin,
        problem:
            "is \(OriginAddress(origin).kind); \(flag) is for an https address",
        example: "https://cdn.example.com/shop")
}
