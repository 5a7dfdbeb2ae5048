import ArgumentParser
import PackGround
import PackKeys
import PackOrigin
import PackRelease
import PackSettings
import PackTrust

/// `packtool keys root`.
struct KeysRootCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "root",
        abstract: "Writes the next trust root, or a first one, unsigned.",
        usage: "packtool keys root [<old.json>] -o <new.json> [<options>]",
        discussion: """
            Keys, roles and floors (the lowest accepted sequences) of the old root stay unless an \
            option changes them. The new root is valid once enough keys of both roots have signed \
            it: 'keys sign', then 'keys publish'.

            Example, a new key, then keys of their own for a channel:
              packtool keys root 1.root.json -o 2.json --key anna=anna.key.pub
              packtool keys root 1.root.json -o 2.json --role release:beta=release
            """)

    @Argument(
        help: ArgumentHelp("The previous root.", valueName: "old.json"), completion: .path)
    var old: String?

    @Option(
        name: [.customShort("o"), .customLong("output")],
        help: ArgumentHelp("The file to write.", valueName: "new.json"), completion: .path)
    var file: String

    @OptionGroup var app: AppOption

    @Option(
        help: ArgumentHelp("A new key and its name; repeatable.", valueName: "name=file.pub"))
    var key: [String] = []

    @Option(
        help: ArgumentHelp(
            "A role (root, release, release:CHANNEL), how many of its keys have to sign (default: 1), and its keys; without keys it goes; repeatable.",
            valueName: "role:n=name,name"))
    var role: [String] = []

    @Option(
        help: ArgumentHelp("A key to remove, by name or ID; repeatable.", valueName: "key"))
    var remove: [String] = []

    @Option(
        help: ArgumentHelp("Days until the root expires.", valueName: "days"))
    var expiresInDays: Int = Defaults.rootDays

    @Flag(help: "Start a new epoch: clients discard the sequences seen so far.")
    var newEpoch = false

    @Option(
        help: ArgumentHelp(
            "The lowest valid sequence of a channel; repeatable.", valueName: "channel=n"))
    var floor: [String] = []

    @OptionGroup var output: OutputOptions

    func apply(to settings: inout Configuration) { app.apply(to: &settings) }

    func validate() throws { try checkLifetime(expiresInDays, longest: TrustRoot.longestLifetime) }

    func run(_ console: Console) async throws -> Int32 {
        let settings = try settings(console)
        let previous = try old.map {
            try RootProposal(ReadableFile.read($0, limit: TrustRoot.sizeLimit), path: $0).root
        }
        guard let app = try previous?.app ?? settings.app() else {
            throw Failure.usageMissing(.app)
        }
        let now = try console.environment.now()
        var edit = RootEdit(createdAt: now, expires: now.adding(days: expiresInDays))
        edit.keys = try key.map(Self.key)
        edit.roles = try role.map(Self.role)
        edit.removed = remove
        edit.isNewEpoch = newEpoch
        edit.floors = try floor.map(Self.floor)
        _ = try OutputLocation.check(
            file, inputs: old.map { [.file($0)] } ?? [], replacing: .proposal)
        // No command can restore lost signatures.
        try KeyFile.refuseRoot(at: file, isSigned: true)
        let proposal = try RootProposal(edit.root(after: previous, app: app))
        try await ReadableFile.replace(file, with: proposal.bytes, console)
        if let note = RootText.note(proposal.root, by: try console.environment.clientTime()) {
            console.note(note)
        }
        let wanted = KeysCheckCommand.missing(proposal, after: previous)
        if output.json {
            console.print(
                json: .members([
                    "file": .string(file), "root": RootText.json(proposal, proposal.bytes),
                    "missing": .strings(wanted),
                ]))
        } else {
            console.stdout(RootText.text(proposal, proposal.bytes, file))
            console.stdout(
                "next: 'packtool keys sign \(file)' by \(wanted.joined(separator: ", "))")
        }
        return 0
    }

    private static func key(_ word: String) throws -> (name: String, key: PublicKey) {
        guard let equals = word.firstIndex(of: "="), equals != word.startIndex else {
            throw Failure.invalidArgument(
                kind: "key", word: word, problem: "is not a name, '=' and a file",
                example: "anna=anna.key.pub")
        }
        let file = String(word[word.index(after: equals)...])
        return (
            String(word[..<equals]),
            try PublicKey(
                pem: ReadableFile.read(file, limit: 16 << 10), path: "'\(file)'")
        )
    }

    private static func role(
        _ word: String
    ) throws(Failure) -> (name: String, keys: [String], threshold: Int) {
        let halves = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard halves.count == 2 else {
            throw Failure.invalidArgument(
                kind: "role", word: word, problem: "is not a role, '=' and names of keys",
                example: "release:production:2=anna,ben")
        }
        let keys = halves[1].split(separator: ",").map(String.init)
        var name = String(halves[0])
        var threshold = 1
        // A number after the last colon is the threshold, so a channel named 2 is written
        // `release:2:1`.
        if let colon = name.lastIndex(of: ":"),
            let number = Int(name[name.index(after: colon)...])
        {
            threshold = number
            name = String(name[..<colon])
        }
        return (name, keys, threshold)
    }

    static func floor(_ word: String) throws(Failure) -> TrustRoot.Floor {
        let halves = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard halves.count == 2, let sequence = Int(halves[1]),
            (1...Pointer.sequenceLimit).contains(sequence)
        else {
            throw Failure.invalidArgument(
                kind: "floor", word: word, problem: "is not a channel, '=' and a sequence",
                example: "production=419")
        }
        return TrustRoot.Floor(channel: try Channel(String(halves[0])), sequence: sequence)
    }
}
