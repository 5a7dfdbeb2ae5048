import TestSupport
import Testing

/// `--json` prints exactly one document to standard output; `--quiet` prints only results.
@Suite struct JSONOutputTests {
    struct Case: Sendable, CustomStringConvertible {
        let arguments: String
        var given = "origin; second"
        let keys: Set<String>
        /// Whether the command prints a result besides its summary with `--quiet`.
        var hasResult = false
        var description: String { arguments }
    }

    static let release: Set<String> = ["version", "packageHash", "files", "bytes"]
    static let settings = "--app shop --base-url https://cdn.example.com/shop"

    static let cases = [
        Case(arguments: "init", given: "build", keys: ["file", "app", "build", "launch"]),
        Case(arguments: "hash dist", keys: release.union(["excluded"]), hasResult: true),
        Case(arguments: "hash dist --listing", keys: release.union(["assets"]), hasResult: true),
        Case(
            arguments: "manifest dist \(settings)", keys: ["version", "files", "schema", "assets"],
            hasResult: true),
        Case(
            arguments: "manifest dist \(settings) -o info.json", keys: release.union(["manifest"])),
        Case(
            arguments: "package dist -o a.zip",
            keys: release.union(["file", "sha256", "size", "level", "deflated", "stored", "reused"])
        ),
        Case(
            arguments: "publish next \(settings) --to cdn",
            keys: release.union([
                "outcome", "sequence", "channel", "package", "objects", "site", "origin",
            ])),
        Case(
            arguments: "publish next \(settings) --to cdn --dry-run",
            keys: release.union(["outcome", "dryRun"])),
        Case(
            arguments: "verify cdn",
            keys: ["ok", "channels", "releases", "packages", "objects", "failures"]),
        Case(
            arguments: "verify info.json --build dist",
            given: "build; packtool manifest dist \(settings) -o info.json --quiet",
            keys: ["ok", "version", "buildVersion", "missing", "extra", "changed"]),
        Case(
            arguments: "install cdn --into phone",
            keys: release.union(["outcome", "sequence", "channel", "route", "current"])),
        Case(
            arguments: "rollback cdn",
            given: "origin; second; packtool publish next \(settings) --to cdn --quiet",
            keys: [
                "outcome", "operation", "channel", "sequence", "previous", "offers", "changes",
                "notes",
            ]),
        Case(
            arguments: "pause cdn --dry-run",
            keys: ["outcome", "dryRun", "operation", "enabled", "bypass"]),
        Case(arguments: "status cdn", keys: ["origin", "channels"], hasResult: true),
        Case(arguments: "history cdn", keys: ["channel", "pointers"], hasResult: true),
        Case(
            arguments: "explain cdn", keys: ["verdict", "channel", "sequence", "steps", "fetched"],
            hasResult: true),
        Case(
            arguments: "diff dist next",
            keys: ["old", "new", "added", "removed", "changed", "moved"],
            hasResult: true),
        Case(
            arguments: "diff dist next --format json", keys: ["old", "new", "added"],
            hasResult: true),
    ]

    @Test(arguments: cases)
    func oneDocument(_ test: Case) async throws {
        let sandbox = try Sandbox()
        try await sandbox.prepare(test.given + "; touch dist/.DS_Store")
        let run = try await sandbox.run("packtool \(test.arguments) --json")
        #expect(run.status == 0, "\(run.errors)")
        let document = try JSONDocument(run.bytes)
        #expect(
            document.keys.isSuperset(of: test.keys),
            "missing: \(test.keys.subtracting(document.keys))")
        #expect(run.bytes.last == UInt8(ascii: "\n"))
        for line in run.errors.split(separator: "\n") {
            #expect(line.hasPrefix("note: "), "talk that is no note: \(line)")
        }
    }

    @Test(arguments: cases)
    func quietPrintsResultsOnly(_ test: Case) async throws {
        let sandbox = try Sandbox()
        try await sandbox.prepare(test.given + "; touch dist/.DS_Store")
        let run = try await sandbox.run("packtool \(test.arguments) --quiet")
        #expect(run.status == 0)
        #expect(run.errors == "")
        #expect(run.output.isEmpty != test.hasResult, "\(run.output)")
    }

    /// With `--quiet`, findings and errors are still printed, because they are results.
    @Test func quietStillTellsWhatFailed() async throws {
        let sandbox = try Sandbox()
        try await sandbox.prepare("origin; rm cdn/objects/*/app.js")
        let run = try await sandbox.run("packtool verify cdn --quiet")
        #expect(run.status == 1)
        #expect(run.output.contains("FAILED"))
        expectMessage(run.errors)
        let missing = try await sandbox.run("packtool hash nowhere --quiet")
        #expect(missing.output == "")
        expectMessage(missing.errors)
    }

    /// Notes go to standard error, and `--json` includes the same facts in the document.
    @Test func talkStaysOnStandardError() async throws {
        let sandbox = try Sandbox()
        try await sandbox.prepare("origin; touch dist/.DS_Store dist/Thumbs.db")
        let run = try await sandbox.run("packtool hash dist")
        #expect(run.lines.count == 1)
        #expect(run.errors.contains("note: 2 junk entries left out"))
        let quiet = try await sandbox.run("packtool hash dist --json --quiet")
        #expect(quiet.errors == "")
        #expect(try JSONDocument(quiet.bytes)["excluded"]?["junk"]?.elements?.count == 2)
    }
}
