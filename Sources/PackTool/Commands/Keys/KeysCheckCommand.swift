import ArgumentParser
import PackGround
import PackSettings
import PackTrust

/// `packtool keys check`.
struct KeysCheckCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Lists the signatures of a trust root or proposed pointer, and the missing ones.",
        usage: "packtool keys check <file> [--previous <old.json>] [<options>]",
        discussion: """
            Exit code 1 if clients would refuse the file. A root is also compared with --previous. \
            A pointer needs --trust, your copy of the origin's newest root, and is compared with \
            the live pointer of --to.

            Example:
              packtool keys check 1.root.json

            A pointer:
              packtool keys check next.json --trust 1.root.json --to cdn
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
    @OptionGroup var output: OutputOptions

    func apply(to settings: inout Configuration) { live.apply(to: &settings) }

    func run(_ console: Console) async throws -> Int32 {
        let settings = try settings(console)
        let bytes = try ReadableFile.read(file, limit: TrustRoot.sizeLimit)
        if let pointer = try await PointerText.read(bytes, file, trust, live, settings, console) {
            return try check(pointer, console)
        }
        try refuseTrust(trust)
        try live.refuse(for: file)
        let proposal = try RootProposal(bytes, path: file)
        let before = try previous.map {
            try RootProposal(ReadableFile.read($0, limit: TrustRoot.sizeLimit), path: $0).root
        }
        var problems: [String] = []
        do {
            try before.map { try proposal.root.checkFollows($0, file) }
        } catch {
            problems.append("\(error)")
        }
        let now = try console.environment.clientTime()
        if proposal.root.expires <= now {
            problems.append("it expired at \(proposal.root.expires)")
        }
        if let lead = proposal.root.lead(over: now) {
            problems.append(
                "it was made at \(proposal.root.createdAt), \(lead): devices would use that as the current time"
            )
        }
        let missing = Self.missing(proposal, after: before)
        if before == nil, proposal.root.version > 1 {
            console.note(
                "the keys of the previous root were not checked; name it with --previous")
        }
        if output.json {
            console.print(
                json: .members([
                    "ok": .bool(problems.isEmpty && missing.isEmpty),
                    "root": RootText.json(proposal, bytes), "missing": .strings(missing),
                    "problems": .strings(problems),
                ]))
        } else {
            console.print(RootText.text(proposal, bytes, file))
        }
        if problems.isEmpty, missing.isEmpty { return 0 }
        for problem in problems { console.stderr("error: \(problem)") }
        if !missing.isEmpty {
            console.stderr("error: signatures are missing: \(missing.joined(separator: ", "))")
        }
        console.stderr("help: sign it with 'packtool keys sign \(file)'")
        return ExitCode.verification.rawValue
    }

    private func check(_ pointer: PointerText, _ console: Console) throws -> Int32 {
        try refusePrevious(previous)
        for note in pointer.notes { console.note(note) }
        var problems: [String] = []
        do {
            try pointer.checkRules(console.environment.clientTime())
        } catch let error where error.isFailure(of: "proposal") {
            problems.append("\(error)")
        }
        let missing = pointer.missing
        if output.json {
            console.print(
                json: .members([
                    "ok": .bool(problems.isEmpty && missing.isEmpty), "pointer": pointer.json,
                    "missing": .strings(missing), "problems": .strings(problems),
                ]))
        } else {
            console.print(pointer.text)
        }
        if problems.isEmpty, missing.isEmpty { return 0 }
        for problem in problems { console.stderr("error: \(problem)") }
        if !missing.isEmpty {
            console.stderr("error: signatures are missing: \(missing.joined(separator: ", "))")
        }
        console.stderr("help: sign it with 'packtool keys sign \(file) --trust ROOT'")
        return ExitCode.verification.rawValue
    }

    /// The missing signatures for each threshold: `1 of anna (a05083…), ben (d3…) for root 2`.
    static func missing(_ proposal: RootProposal, after previous: TrustRoot?) -> [String] {
        var missing: [String] = []
        for root in [previous, proposal.root].compactMap({ $0 }) {
            guard let role = root.role(TrustRoot.rootRole) else { continue }
            let signed = root.signers(of: proposal.envelope, as: role)
            guard signed.count < role.threshold else { continue }
            let others = role.keys.filter { !signed.contains($0) }.map(root.shownKey)
            missing.append(
                "\(role.threshold - signed.count) of \(others.joined(separator: ", ")) "
                    + "for root \(root.version)")
        }
        return missing
    }
}
