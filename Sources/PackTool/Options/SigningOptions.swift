import ArgumentParser
import PackGround
import PackSigning
import PackTrust

/// The source of passphrases.
struct PassphraseOption: ParsableArguments {
    static let help = ArgumentHelp(
        "A file with the passphrase of encrypted keys (default: PACKTOOL_PASSPHRASE, or asked for).",
        valueName: "file")

    @Option(help: help, completion: .path)
    var passphraseFile: String?
}

/// The signing keys and programs.
///
/// A key is never an argument, because others could read it in the process list.
struct SigningOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "A private key to sign with: a file, env:NAME, or - for standard input; repeatable.",
            valueName: "key"), completion: .path)
    var signKey: [String] = []

    @Option(
        help: ArgumentHelp(
            "A program that signs, with its arguments; started without a shell; repeatable.",
            valueName: "command"))
    var signWith: [String] = []

    @Option(help: PassphraseOption.help, completion: .path)
    var passphraseFile: String?

    func validate() throws {
        if signKey.filter({ $0 == "-" }).count > 1 {
            throw ValidationError("--sign-key - reads standard input and can be given once.")
        }
    }

    /// The decrypted keys, and the programs.
    ///
    /// - Parameter inputs: Builds and origins, which must not contain a key: their files are
    ///   public.
    func signers(outside inputs: [OutputInput], _ console: Console) throws -> Signers {
        var source = Passphrase(file: passphraseFile, console.environment)
        defer { source.forget() }
        let names = signKey.compactMap { $0.hasPrefix("env:") ? String($0.dropFirst(4)) : nil }
        let commands = try signWith.map { line in
            try SignCommand(line, hidden: ["PACKTOOL_PASSPHRASE"] + names)
        }
        let keys = try signKey.map {
            try KeyFile.read($0, outside: inputs, &source, console.environment)
        }
        return Signers(
            keys: keys,
            commands: commands.map { command in
                { request in
                    try command.signatures(for: request) { text in
                        console.stderr(
                            Text(
                                lines: String(decoding: text, as: UTF8.self)
                                    .split(separator: "\n").map(String.init)))
                    }
                }
            })
    }
}

/// The trust root of a command.
struct TrustOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The trust root: a file, or sha256:HEX[@VERSION] of the origin's root/VERSION.json.",
            valueName: "root"), completion: .path)
    var trust: String?

    /// The root of ``trust`` for publishing commands, which need the file, not a hash.
    func root() throws -> SignedRoot? {
        switch try pin() {
        case nil: return nil
        case .root(let root): return root
        case .hash:
            throw Failure.invalidArgument(
                kind: "trust root", word: trust ?? "", problem: "is a hash; the file is needed",
                example: "1.root.json")
        }
    }

    func pin() throws -> TrustPin? {
        guard let trust else { return nil }
        let prefix = "sha256:"
        guard trust.hasPrefix(prefix) else {
            return .root(
                try SignedRoot(
                    ReadableFile.read(trust, limit: TrustRoot.sizeLimit), path: trust))
        }
        let parts = trust.dropFirst(prefix.count).split(
            separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
        let version = parts.count == 2 ? Int(parts[1]) : 1
        guard let digest = Digest(String(parts[0])), let version, version >= 1 else {
            throw Failure.invalidArgument(
                kind: "trust root", word: trust,
                problem: "is not sha256: with 64 hexadecimal digits, and @ with a version",
                example: "sha256:a050837d85070582ccf7394b0988847cc312cb88259b894899f6f239cf1791a5@1"
            )
        }
        return .hash(digest, version: version)
    }
}
