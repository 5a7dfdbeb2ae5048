import ArgumentParser
import PackGround
import PackKeys
import PackOrigin
import PackRelease
import PackSettings
import PackSigning
import PackTrust

/// `packtool keys sign`.
struct KeysSignCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "sign",
        abstract:
            "Adds signatures to a trust root or a proposed pointer, after printing its contents.",
        usage: "packtool keys sign <file> --sign-key <key> [<options>]",
        discussion: """
            A root is signed by its own keys and, with --previous, by keys of the previous root. A \
            pointer written by --propose is signed by the keys of its channel in --trust, your \
            copy of the origin's newest root. The pointer is compared with the live one of --to \
            and the differences are printed. Refuses to sign a pointer that devices would reject \
            or could not recover from.

            Example:
              packtool keys sign 2.json --sign-key root.key --passphrase-file pass.txt

            A pointer:
              packtool keys sign next.json --trust 1.root.json --to cdn --sign-key ben.key
            """)

    @Argument(
        help: ArgumentHelp("The root, or the proposed pointer.", valueName: "file"),
        completion: .path)
    var file: String

    @Option(
        help: ArgumentHelp("The previous root.", valueName: "old.json"), completion: .path)
    var previous: String?

    @OptionGroup var trust: TrustOption
    @OptionGroup var live: LiveOptions
    @OptionGroup var signing: SigningOptions
    @OptionGroup var output: OutputOptions

    func apply(to settings: inout Configuration) { live.apply(to: &settings) }

    func validate() throws {
        if signing.signKey.isEmpty, signing.signWith.isEmpty {
            throw ValidationError("Give a key with --sign-key, or a command with --sign-with.")
        }
    }

    func run(_ console: Console) async throws -> Int32 {
        let settings = try settings(console)
        let bytes = try ReadableFile.read(file, limit: TrustRoot.sizeLimit)
        if let pointer = try await PointerText.read(bytes, file, trust, live, settings, console) {
            return try await sign(pointer, console)
        }
        try refuseTrust(trust)
        try live.refuse(for: file)
        let (proposal, signatures, missing) = try signedRoot(bytes, console)
        try await ReadableFile.replace(file, with: proposal.bytes, console)
        if output.json {
            console.print(
                json: .members([
                    "file": .string(file), "signed": .strings(signatures.map(\.keyID)),
                    "missing": .strings(missing),
                ]))
        } else {
            console.stdout(
                missing.isEmpty
                    ? "signed; enough keys have signed \(file), pin \(RootText.pin(proposal, proposal.bytes))"
                    : "signed; still missing: \(missing.joined(separator: ", "))")
        }
        return 0
    }

    /// Signs a root, after printing its content.
    private func signedRoot(
        _ bytes: [UInt8], _ console: Console
    ) throws -> (root: RootProposal, signatures: [Envelope.Signature], missing: [String]) {
        var proposal = try RootProposal(bytes, path: file)
        let before = try previousRoot()
        if let before { try proposal.root.checkFollows(before, file) }
        if !output.quiet { console.stderr(RootText.text(proposal, bytes, file)) }
        let accepted = proposal.wanted(after: before).compactMap { id in
            (proposal.root.key(id) ?? before?.key(id))?.publicKey
        }
        let signatures = try signing.signers(outside: [], console).sign(
            payloadType: TrustRoot.payloadType, payload: proposal.envelope.payload,
            summary: SignRequest.summary(of: proposal.root), accepted: accepted)
        proposal.add(signatures)
        return (proposal, signatures, KeysCheckCommand.missing(proposal, after: before))
    }

    private func previousRoot() throws -> TrustRoot? {
        guard let previous else { return nil }
        let bytes = try ReadableFile.read(previous, limit: TrustRoot.sizeLimit)
        return try RootProposal(bytes, path: previous).root
    }

    private func sign(_ given: PointerText, _ console: Console) async throws -> Int32 {
        try refusePrevious(previous)
        if !output.quiet { console.stderr(given.text) }
        for note in given.notes { console.note(note) }
        try given.checkRules(console.environment.clientTime())
        if let named = given.proposal.pointer.root, named != given.root.version {
            throw Failure.proposalOtherRoot(
                path: file,
                reason: "names root \(named), but --trust is root \(given.root.version)")
        }
        guard let role = given.root.signers(of: given.proposal.pointer.channel) else {
            throw Failure.trustNoRole(
                channel: given.proposal.pointer.channel.description, version: given.root.version)
        }
        var proposal = given.proposal
        let signatures = try proposal.sign(
            signing.signers(outside: [], console), as: role, of: given.root)
        try await ReadableFile.replace(file, with: proposal.bytes, console)
        let missing = PointerText(proposal: proposal, file: file, root: given.root).missing
        if output.json {
            console.print(
                json: .members([
                    "file": .string(file), "signed": .strings(signatures.map(\.keyID)),
                    "missing": .strings(missing),
                    "changes": given.changes.map { .strings($0) } ?? .null,
                    "notes": .strings(given.notes),
                ]))
        } else {
            console.stdout(
                missing.isEmpty
                    ? "signed \(file); next: 'packtool publish --pointer \(file) --to ORIGIN'"
                    : "signed \(file); still missing: \(missing.joined(separator: ", "))")
        }
        return 0
    }
}

/// Rejects `--trust` for a root file, because it only applies to pointers.
func refuseTrust(_ trust: TrustOption) throws {
    guard let word = trust.trust else { return }
    throw Failure.invalidArgument(
        kind: "option --trust", word: word,
        problem: "names the signers of a pointer, but the file is a root; leave it out",
        example: "--previous 1.json")
}

/// Rejects `--previous` for a pointer file, because it only applies to roots.
func refusePrevious(_ previous: String?) throws {
    guard let previous else { return }
    throw Failure.invalidArgument(
        kind: "option --previous", word: previous,
        problem: "is for a root, and the file is a pointer; leave it out", example: "--trust 1.json"
    )
}
