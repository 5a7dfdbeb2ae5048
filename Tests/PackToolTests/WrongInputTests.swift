import TestSupport
import Testing

/// Every user error gives the right exit code and a message of three parts, without crashes or
/// leftover files.
@Suite struct WrongInputTests {
    @Test(arguments: WrongInput.all)
    func endsWell(_ input: WrongInput) async throws {
        let sandbox = try Sandbox()
        try await sandbox.prepare(input.prepare)
        let before = try sandbox.tree()

        let run = try await start(input, in: sandbox)
        #expect(run.status == input.status, "\(run.errors)")
        expectMessage(run.errors)
        for word in input.says { #expect(run.errors.contains(word), "'\(word)' in: \(run.errors)") }
        if input.code != nil { #expect(run.output == "", "a result beside an error") }
        #expect(!run.errors.contains("HIDDEN"), "a secret")

        let json = try await start(input, in: sandbox, adding: ["--json"])
        #expect(json.status == input.status)
        expectMessage(json.errors)
        let document = try #require(
            try? JSONDocument(json.bytes), "one JSON document: \(json.output)")
        if let code = input.code {
            let error = try #require(document["error"], "\(json.output)")
            #expect(error["code"]?.text?.hasPrefix(code) == true, "\(json.output)")
            #expect(error["message"]?.text?.isEmpty == false)
            #expect(error["help"]?.text?.isEmpty == false)
        } else {
            #expect(document["ok"]?.flag == false)
        }

        #expect(!(json.errors + json.output).contains("HIDDEN"), "a secret")

        let after = try sandbox.tree()
        let isAllowed = { (line: String) in
            input.leaves.map { line.contains("work/" + $0) } ?? false
        }
        let new = after.filter { !before.contains($0) && !isAllowed($0) }
        #expect(new == [], "left behind")
        #expect(before.filter { !after.contains($0) && !isAllowed($0) } == [], "gone or changed")
        try Snapshot.expect(shown(input, run), matches: input.name, of: "errors")
    }

    /// Starts the binary only if the case needs another user, a lock or shell syntax.
    private func start(
        _ input: WrongInput, in sandbox: Sandbox, adding more: [String] = []
    ) async throws -> Run {
        let variables = input.prefix.split(separator: " ").map { $0.split(separator: "=") }
        if let words = Sandbox.words(of: input.arguments), variables.allSatisfy({ $0.count == 2 }) {
            return await sandbox.packtool(
                words + more,
                environment: Dictionary(
                    variables.map { (String($0[0]), String($0[1])) }, uniquingKeysWith: { $1 }))
        }
        let prefix = input.prefix == "UNPRIVILEGED" ? Fixtures.unprivileged : input.prefix
        let line = (["packtool", input.arguments] + more).joined(separator: " ")
        return try await sandbox.run(Fixtures.prelude + "\(prefix) \(line)")
    }

    /// The output, with variable parts replaced.
    private func shown(_ input: WrongInput, _ run: Run) -> String {
        let prefix =
            input.prefix.isEmpty || input.prefix == "UNPRIVILEGED" ? "" : input.prefix + " "
        let text =
            "$ \(prefix)packtool \(input.arguments)\n" + run.output + run.errors
            + "exit \(run.status)"
        return text.replacing(/in [0-9a-f]{32}/, with: "in UNIQUE")
            .replacing(/\.[0-9a-f]{16,}\.packtool/, with: ".UNIQUE.packtool")
            .replacing(/time      [0-9.]+ s/, with: "time      0.00 s")
            .replacing(/expires [0-9TZ:-]+/, with: "expires TIME")
            .replacing(/is already [0-9]+-[0-9TZ:-]+/, with: "is already TIME")
            .replacing(/before [0-9]+-[0-9TZ:-]+/, with: "before TIME")
            .replacing(/expired at [0-9TZ:-]+/, with: "expired at TIME")
            .replacing(/closed at [0-9TZ:-]+/, with: "closed at TIME")
    }
}

/// Expects the error, the next step and readable lines, and no crash.
func expectMessage(_ errors: String, sourceLocation: SourceLocation = #_sourceLocation) {
    let lines = errors.split(separator: "\n")
    #expect(
        lines.count { $0.hasPrefix("error: ") } == 1, "one error: line in: \(errors)",
        sourceLocation: sourceLocation)
    #expect(
        lines.count { $0.hasPrefix("help: ") } == 1, "one help: line in: \(errors)",
        sourceLocation: sourceLocation)
    for trace in [
        "Fatal error", "Crash", "stack dump", "Trace/BPT", "internal", "fault of packtool",
        "Swift/",
    ] {
        #expect(!errors.contains(trace), "\(errors)", sourceLocation: sourceLocation)
    }
}
