import ArgumentParser
import PackOrigin
import PackSettings

/// The options of `verify` for an https address.
struct RemoteVerifyOptions: ParsableArguments {
    @Flag(help: "Read every file of earlier releases, not only a sample (https).")
    var all = false

    @Option(
        help: ArgumentHelp(
            "The number of earlier pointers to read, 0 to 1000 (https; default: \(Defaults.verifiedPointers)).",
            valueName: "count"))
    var depth: Int?

    @Option(
        help: ArgumentHelp(
            "The same origin without the CDN, a directory, bucket or address, to compare with (https).",
            valueName: "origin"), completion: .path)
    var against: String?

    @OptionGroup var authority: AuthorityOption

    func check() throws {
        if let depth, !(0...1000).contains(depth) {
            throw ValidationError("--depth takes 0 to 1000.")
        }
    }

    /// Rejects these options for a directory or manifest.
    func refuse(for origin: String) throws {
        for (flag, isGiven) in [
            ("--all", all), ("--depth", depth != nil), ("--against", against != nil),
        ] where isGiven {
            throw needsAddress(origin, flag)
        }
        try authority.refuse(for: origin)
    }

    func store(_ origin: String, _ console: Console) throws -> HTTPStore {
        HTTPStore(
            try HTTPAddress(origin), client: try authority.client(console),
            scratch: console.environment.temporaryDirectory)
    }

    /// The origin of `--against`.
    func source(_ settings: Settings, _ console: Console) throws -> (any OriginStore)? {
        guard let against else { return nil }
        let store = try OriginOpener(settings: settings, console, authorityFile: authority.caFile)
            .open(OriginAddress(against))
        return store.pastCaches() ?? store
    }
}
