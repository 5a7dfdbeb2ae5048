import ArgumentParser
import PackCore

/// `packtool keys sign`.
struct KeysSignCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "sign",
        abstract: "Adds signatures to a trust root, after printing what it says.",
        usage: "packtool keys sign <file> --sign-key <key> [<options>]",
        discussion: """
            Keys of the root itself can sign it, and with --previous keys of the root before it.

            Example:
              packtool keys sign 2.json --sign-key root.key --passphrase-file pass.txt
            """)

    @Argument(help: ArgumentHelp("The root.", valueName: "file"), completion: .path)
    var file: String

    @Option(
        help: ArgumentHelp("The root that it follows.", valueName: "old.json"), completion: .path)
    var previous: String?

    @OptionGroup var signing: SigningOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if signing.signKey.isEmpty, signing.signWith.isEmpty {
            throw ValidationError("Give a key with --sign-key, or a command with --sign-with.")
        }
    }

    func run(_ console: Console) async throws -> Int32 {
        _ = try settings()
        let bytes = try ReadableFile.read(file, limit: TrustRoot.sizeLimit)
        var proposal = try RootProposal(bytes, place: file)
        let before = try previous.map {
            try RootProposal(ReadableFile.read($0, limit: TrustRoot.sizeLimit), place: $0).root
        }
        try before.map { try proposal.root.checkFollows($0, file) }
        // What is signed is said first, whoever signs it.
        if !output.quiet { console.talk(RootText.text(proposal, bytes, file)) }
        let accepted = proposal.wanted(after: before).compactMap { id in
            (proposal.root.key(id) ?? before?.key(id))?.publicKey
        }
        let signatures = try signing.signers(outside: [], console).sign(
            payloadType: TrustRoot.payloadType, payload: proposal.envelope.payload,
            summary: SignRequest.summary(of: proposal.root), accepted: accepted)
        proposal.add(signatures)
        try await ReadableFile.replace(file, with: proposal.bytes)
        let missing = KeysCheckCommand.missing(proposal, after: before)
        if output.json {
            console.print(
                json: .members([
                    "file": .string(file), "signed": .strings(signatures.map(\.keyID)),
                    "missing": .strings(missing),
                ]))
        } else {
            console.say(
                missing.isEmpty
                    ? "signed; enough keys have signed \(file)"
                    : "signed; still missing: \(missing.joined(separator: ", "))")
        }
        return 0
    }
}
