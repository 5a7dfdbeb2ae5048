import ArgumentParser
import PackGround
import PackOrigin
import PackSettings
import PackTrust

/// The live pointer to compare with a proposed one.
struct LiveOptions: SettingOptions {
    @Option(
        help: ArgumentHelp(
            """
            The origin whose live pointer the proposal is compared with: a directory, an https:// URL or \
            s3://bucket/prefix (default: 'to' of packtool.yaml).
            """,
            valueName: "origin"), completion: .path)
    var to: String?

    @Option(
        help: ArgumentHelp(
            "A saved copy of the channel's pointer.json instead, for a machine without a network.",
            valueName: "file"), completion: .path)
    var live: String?

    @Flag(help: "Accept a changed base URL.")
    var allowIdentityChange = false

    @OptionGroup var origins: OriginOptions

    func apply(to settings: inout Configuration) {
        settings.set(.to, to)
        origins.apply(to: &settings)
    }

    func validate() throws {
        if to != nil, live != nil {
            throw ValidationError("--live is instead of an origin; leave out --to.")
        }
    }

    /// Rejects these options for a trust root.
    func refuse(for root: String) throws {
        let given = [
            ("--to", to != nil), ("--live", live != nil),
            ("--allow-identity-change", allowIdentityChange),
        ]
        guard let (name, _) = given.first(where: \.1) else { return }
        throw Failure.invalidArgument(
            kind: "option", word: name,
            problem: "is for a proposed pointer, and '\(root)' is a root; leave it out",
            example: "--previous 1.json")
    }

    /// The base of the comparison; `nil` if none is named, or if the one from the settings cannot
    /// be read.
    ///
    /// - Returns: The base, or a note with the reason.
    func base(
        for proposal: PointerProposal, root: SignedRoot, _ settings: Settings,
        _ console: Console
    ) async throws -> (base: ProposalBase?, note: String?) {
        if let live {
            return (
                try ProposalBase.read(
                    ReadableFile.read(live, limit: Pointer.sizeLimit), path: live, for: proposal,
                    root: root), nil
            )
        }
        guard let address = try? settings.origin() else {
            return (nil, "no origin is named")
        }
        let opener = try origins.opener(settings, for: [address], console)
        do {
            return (
                try await ProposalBase.read(
                    for: proposal, at: opener.open(OriginAddress(address)),
                    root: root),
                nil
            )
        } catch {
            // An origin from packtool.yaml may be unreachable here, but one with an unauthorized
            // pointer is an error.
            guard to == nil, !error.isFailure(of: "trust", "proposal") else { throw error }
            return (nil, "'\(withoutSecrets(address))' cannot be read: \(error)")
        }
    }
}
