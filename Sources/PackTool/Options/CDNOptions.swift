import ArgumentParser
import PackOrigin
import PackRelease
import PackSettings
import PackVerify

/// Whether a publish verifies the release as clients receive it.
struct CDNOptions: ParsableArguments {
    @Flag(
        help:
            "After publishing, verify the release at --base-url as clients read it; exit code 1 if it is wrong."
    )
    var verifyCDN = false

    @Option(
        help: ArgumentHelp(
            "The time to wait until caches show the new pointer, 0 to 3600 (default: \(Defaults.cdnWait)).",
            valueName: "seconds"))
    var cdnWait: Int?

    /// - Parameter isLive: Whether the run makes a release available to clients.
    func check(isLive: Bool) throws {
        if verifyCDN, !isLive {
            throw ValidationError(
                "--verify-cdn reads the live release; omit --dry-run and --propose.")
        }
        guard let cdnWait else { return }
        guard (0...3600).contains(cdnWait) else {
            throw ValidationError("--cdn-wait takes 0 to 3600.")
        }
        guard verifyCDN else { throw ValidationError("--cdn-wait is for --verify-cdn.") }
    }

    /// Reads the published release as clients receive it.
    ///
    /// - Parameters:
    ///   - sequence: The sequence number of the pointer to wait for.
    ///   - source: The origin itself, with the expected content.
    func verification(
        of baseURL: BaseURL, _ channel: Channel, _ sequence: Int, now: Timestamp,
        source: any OriginStore, webOrigins: [String], _ console: Console
    ) async throws -> Verification {
        let transport = try AuthorityOption.transport(console)
        let store = HTTPStore(
            try HTTPAddress(baseURL.description),
            client: HTTPClient(transport, random: { Double.random(in: 0...1) }),
            scratch: console.environment.temporaryDirectory)
        return try await TemporaryDirectory.with(console) { scratch in
            var request = HTTPVerifier.Request(
                channel: channel, now: now, jobs: try console.environment.jobs(), scratch: scratch)
            request.depth = 0
            request.isSample = true
            request.patience = cdnWait ?? Defaults.cdnWait
            request.source = source
            request.webOrigins = webOrigins
            request.progress = console.progress
            return try await HTTPVerifier(store, request, random: { Double.random(in: 0...1) })
                .verify(after: sequence)
        }
    }
}
