import ArgumentParser
import PackGround
import PackKeys
import PackOrigin
import PackSettings
import PackSigning
import PackTrust

/// `packtool keys init`.
struct KeysInitCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract: "Creates a root key, a release key and the first trust root.",
        usage: "packtool keys init --app <name> [--dir <dir>] [<options>]",
        discussion: """
            A quick setup for one person. root.key controls who may publish: keep it offline. \
            release.key signs releases: store it in CI. Both are encrypted with the same \
            passphrase.

            Example:
              packtool keys init --app shop --dir keys --passphrase-file pass.txt
            """)

    @OptionGroup var app: AppOption

    @Option(
        help: ArgumentHelp(
            "The directory for the files, made if needed.", valueName: "dir"),
        completion: .path)
    var dir: String = "."

    @Option(
        help: ArgumentHelp("Days until the root expires.", valueName: "days"))
    var expiresInDays: Int = Defaults.rootDays

    @Option(
        help: ArgumentHelp(
            "The lowest valid sequence of a channel; repeatable.", valueName: "channel=n"))
    var floor: [String] = []

    @OptionGroup var passphrase: PassphraseOption
    @OptionGroup var output: OutputOptions

    private static let keyFiles = ["root.key", "root.key.pub", "release.key", "release.key.pub"]

    func apply(to settings: inout Configuration) { app.apply(to: &settings) }

    func validate() throws { try checkLifetime(expiresInDays, longest: TrustRoot.longestLifetime) }

    func run(_ console: Console) async throws -> Int32 {
        let settings = try settings(console)
        guard let app = try settings.app() else {
            throw Failure.usageMissing(.app)
        }
        try KeyFile.refuseServed(dir + "/root.key", settings)
        let now = try console.environment.now()
        var made: [String] = []
        let directory = try Directory.openOrCreate(dir, made: &made)
        let rootFile = "1.root.json"
        for name in [rootFile] + Self.keyFiles where try directory.status(name) != nil {
            throw Failure.keyExists(file: directory.display(name))
        }
        var source = Passphrase(file: passphrase.passphraseFile, console.environment)
        defer { source.forget() }
        CoreDumps.refuse()
        let rootKey = try SigningKey(generating: .ed25519)
        let releaseKey = try SigningKey(generating: .ed25519)
        var edit = RootEdit(createdAt: now, expires: now.adding(days: expiresInDays))
        edit.keys = [("root", rootKey.publicKey), ("release", releaseKey.publicKey)]
        edit.roles = [(TrustRoot.rootRole, ["root"], 1), (TrustRoot.releaseRole, ["release"], 1)]
        edit.floors = try floor.map(KeysRootCommand.floor)
        var proposal = try RootProposal(edit.root(after: nil, app: app))
        proposal.add(
            try Signers(keys: [rootKey], commands: []).sign(
                payloadType: TrustRoot.payloadType, payload: proposal.envelope.payload,
                summary: SignRequest.summary(of: proposal.root), accepted: [rootKey.publicKey]))
        let signed = try SignedRoot(proposal.bytes, path: rootFile)
        var isHalfDone = false
        do {
            try KeyFile.write(rootKey, to: directory.display("root.key"), settings, &source)
            isHalfDone = true
            try KeyFile.write(releaseKey, to: directory.display("release.key"), settings, &source)
        } catch {
            // Remove only files written by this run: another run may have created a key at the same
            // time.
            if isHalfDone {
                for name in ["root.key", "root.key.pub"] { try? directory.removeFile(name) }
            }
            Directory.removeUnused(made)
            throw error
        }
        try await ReadableFile.replace(directory.display(rootFile), with: signed.bytes, console)
        if let note = RootText.note(signed.root, by: try console.environment.clientTime()) {
            console.note(note)
        }
        print(signed, rootKey, releaseKey, directory, console)
        return 0
    }

    private func print(
        _ root: SignedRoot, _ rootKey: SigningKey, _ releaseKey: SigningKey,
        _ directory: Directory, _ console: Console
    ) {
        let file = { (name: String) in directory.display(name) }
        if output.json {
            console.print(
                json: .members([
                    "root": .string(file("1.root.json")),
                    "pin": .string("sha256:\(root.digest)@1"),
                    "rootKey": .members([
                        "file": .string(file("root.key")),
                        "keyid": .string(rootKey.publicKey.keyID.description),
                    ]),
                    "releaseKey": .members([
                        "file": .string(file("release.key")),
                        "keyid": .string(releaseKey.publicKey.keyID.description),
                    ]),
                    "expires": .string(root.root.expires.description),
                ]))
            return
        }
        var lines = Lines("created the keys and the first root of app '\(root.root.app)'")
        lines.add("pin", "sha256:\(root.digest)@1, or \(file("1.root.json")) itself: into the app")
        lines.add("hide", "\(file("root.key")): keep it offline, with a backup")
        lines.add("CI", "\(file("release.key")) and its passphrase, as two secrets")
        lines.add("root", "expires \(root.root.expires)")
        lines.add("next", "packtool keys publish \(file("1.root.json")) --to ORIGIN")
        lines.add("", "packtool publish DIR --to ORIGIN --sign-key \(file("release.key"))")
        console.stdout(lines.text)
    }
}

/// The app's name only.
struct AppOption: SettingOptions {
    @Option(name: .setting(.app), help: .setting(.app, "name"))
    var app: String?

    func apply(to settings: inout Configuration) { settings.set(.app, app) }
}
