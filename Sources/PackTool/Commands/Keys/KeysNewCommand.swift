import ArgumentParser
import PackGround
import PackKeys
import PackSigning

/// The algorithm of a new key by its short name.
enum KeyAlgorithm: String, CaseIterable, ExpressibleByArgument {
    case ed25519, p256

    var algorithm: PublicKey.Algorithm {
        switch self {
        case .ed25519: .ed25519
        case .p256: .p256
        }
    }
}

/// `packtool keys new`.
struct KeysNewCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "new",
        abstract: "Creates a key pair: the encrypted FILE, and FILE.pub.",
        usage: "packtool keys new <file> [--algorithm <name>] [<options>]",
        discussion: """
            The private key is PKCS#8 in PEM, encrypted with the passphrase; OpenSSL can read it. \
            Only the owner has access to the file.

            Example:
              packtool keys new ben.key --passphrase-file pass.txt
            """)

    @Argument(help: ArgumentHelp("The private key's file.", valueName: "file"))
    var file: String

    @Option(
        help: ArgumentHelp(
            "ed25519, or p256 for key services.", valueName: "name"))
    var algorithm: KeyAlgorithm = .ed25519

    @OptionGroup var passphrase: PassphraseOption
    @OptionGroup var output: OutputOptions

    func run(_ console: Console) async throws -> Int32 {
        let settings = try settings(console)
        CoreDumps.refuse()
        var source = Passphrase(file: passphrase.passphraseFile, console.environment)
        defer { source.forget() }
        let key = try SigningKey(generating: algorithm.algorithm)
        try KeyFile.write(key, to: file, settings, &source)
        let id = key.publicKey.keyID.description
        if output.json {
            console.print(
                json: .members([
                    "file": .string(file), "public": .string(file + ".pub"),
                    "algorithm": .string(algorithm.algorithm.rawValue), "keyid": .string(id),
                ]))
        } else {
            var lines = Lines("made \(file) and \(file).pub")
            lines.add("keyid", id)
            console.stdout(lines.text)
        }
        return 0
    }
}
