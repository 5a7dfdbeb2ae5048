import ArgumentParser
import PackGround
import PackOrigin
import PackPublish
import PackRelease
import PackSettings
import PackTrust

/// Whether a command waits until clients can see its changes.
struct WaitOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Wait at most this long until the base URL shows the root (default: \(Defaults.rootWait) for a bucket; "
                + "no wait for a directory, which must be copied first).", valueName: "seconds"))
    var wait: Int?

    @Flag(help: "Do not wait until the base URL of a bucket shows the root.")
    var noWait = false

    @OptionGroup var authority: AuthorityOption

    func validate() throws {
        if wait != nil, noWait {
            throw ValidationError("--wait and --no-wait contradict each other; give one.")
        }
        if let wait, !(1...86_400).contains(wait) {
            throw ValidationError("--wait takes 1 to 86400 seconds.")
        }
    }

    /// The maximum waiting time in seconds; `nil` not to wait.
    func limit(for address: OriginAddress) -> Int? {
        if let wait { return wait }
        switch address {
        case .bucket: return noWait ? nil : Defaults.rootWait
        case .directory, .web: return nil
        }
    }

    /// Waits until a base URL serves a root.
    ///
    /// - Throws: ``Failure``.
    func run(
        for root: SignedRoot, at base: BaseURL, limit: Int, _ console: Console
    ) async throws {
        let store = HTTPStore(
            try HTTPAddress(base.description), client: try authority.client(console),
            scratch: console.environment.temporaryDirectory)
        let path = store.display(OriginLayout.root(root.root.version))
        console.note("waiting at most \(counted(limit, "second")) until '\(path)' shows the root")
        try await RootWatch(
            for: root, at: store, limit: limit, seconds: console.environment.monotonicSeconds,
            pause: { try await Task.sleep(for: .seconds($0)) }
        ).run { console.note($0) }
    }
}
