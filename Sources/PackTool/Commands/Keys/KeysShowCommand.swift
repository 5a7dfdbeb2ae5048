import ArgumentParser
import PackGround
import PackKeys
import PackTrust

/// `packtool keys show`.
struct KeysShowCommand: ToolCommand {
    /// The notation of a public key.
    enum Format: String, CaseIterable, ExpressibleByArgument {
        case text, pem, der, raw, hex, swift, kotlin
    }

    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Shows public keys and trust roots.",
        usage: "packtool keys show <file>... [--format <format>] [<options>]",
        discussion: """
            For a root: its keys, roles, floors and expiry, and the hash to pin in an app. For a \
            public key: its ID, or the key in another format.

            Example:
              packtool keys show 1.root.json
              packtool keys show anna.key.pub --format swift
            """)

    @Argument(
        help: ArgumentHelp("A public key (PEM) or a trust root.", valueName: "file"),
        completion: .path)
    var files: [String]

    @Option(help: ArgumentHelp("The output format of a public key.", valueName: "format"))
    var format: Format = .text

    @OptionGroup var output: OutputOptions

    func validate() throws {
        if output.json, format != .text {
            throw ValidationError("--json and --format contradict each other.")
        }
    }

    func run(_ console: Console) async throws -> Int32 {
        _ = try settings(console)
        var values: [JSONValue] = []
        for file in files {
            let bytes = try ReadableFile.read(file, limit: TrustRoot.sizeLimit)
            if bytes.first(where: { $0 > 0x20 }) == UInt8(ascii: "{") {
                let proposal = try RootProposal(bytes, path: file)
                guard format == .text else {
                    throw Failure.keyNotAKey(
                        path: "'\(file)'",
                        problem: "it is a root; --format is only for public keys")
                }
                values.append(RootText.json(proposal, bytes))
                if !output.json { console.print(RootText.text(proposal, bytes, file)) }
            } else {
                let key = try PublicKey(pem: bytes, path: "'\(file)'")
                values.append(Self.json(key, file))
                if !output.json { print(key, file, console) }
            }
        }
        if output.json { console.print(json: .members(["keys": .array(values)])) }
        return 0
    }

    private static func json(_ key: PublicKey, _ file: String) -> JSONValue {
        .members([
            "file": .string(file), "keyid": .string(key.keyID.description),
            "algorithm": .string(key.algorithm.rawValue), "hex": .string(hexadecimal(key.raw)),
        ])
    }

    private func print(_ key: PublicKey, _ file: String, _ console: Console) {
        let bytes = key.raw.map { "0x" + hexadecimal([$0]) }
        switch format {
        case .text:
            var lines = Lines(file)
            lines.add("keyid", key.keyID.description)
            lines.add("algorithm", key.algorithm.rawValue)
            console.print(lines.text)
        case .pem: console.print(bytes: key.pem)
        case .der: console.print(bytes: key.spki)
        case .raw: console.print(bytes: key.raw)
        case .hex: console.print(Text(hexadecimal(key.raw)))
        case .swift:
            console.print(Text("let key: [UInt8] = [\(bytes.joined(separator: ", "))]"))
        case .kotlin:
            // Kotlin's Byte is signed.
            let signed = key.raw.map { String(Int8(bitPattern: $0)) }
            console.print(Text("val key = byteArrayOf(\(signed.joined(separator: ", ")))"))
        }
    }
}
