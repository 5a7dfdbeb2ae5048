import Foundation
import TestSupport
import Testing

/// Text from third parties is escaped before it reaches a terminal or log: it cannot set colours,
/// reverse text or start a line.
@Suite struct ForeignTextTests {
    private static let evil = "\u{1B}]0;x\u{7}\u{1B}[2J\u{9B}31m\r\nerror: FAKE\u{202E}\u{2028}FAKE"

    /// Expects no terminal control sequences and no injected lines.
    private func expectHarmless(
        _ run: Run, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let bad = (run.output + run.errors).unicodeScalars.filter {
            switch $0.value {
            case 0x0A: false
            case 0..<0x20, 0x7F..<0xA0, 0x61C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069:
                true
            default: false
            }
        }
        #expect(bad.isEmpty, "\(run.output)\(run.errors)", sourceLocation: sourceLocation)
        // GitHub Actions executes `##[` anywhere in a log line and `::` at its start.
        #expect(!(run.output + run.errors).contains("##["), sourceLocation: sourceLocation)
        for line in (run.output + run.errors).split(whereSeparator: \.isNewline) {
            #expect(!line.contains(/^\s*::stop/), sourceLocation: sourceLocation)
            #expect(!line.hasPrefix("error: FAKE"), sourceLocation: sourceLocation)
            #expect(!line.hasPrefix("FAKE"), sourceLocation: sourceLocation)
        }
    }

    @Test("a label of another publisher", arguments: ["", " --json"])
    func label(_ json: String) async throws {
        let sandbox = try Sandbox()
        try await sandbox.prepare("origin; installed")
        try await setPointer(in: sandbox, "label", Self.evil)
        for command in ["install cdn --into other", "install cdn --into phone", "verify cdn"] {
            let run = try await sandbox.run("packtool \(command)\(json)")
            expectHarmless(run)
            if !json.isEmpty {
                let document = try #require(try? JSONDocument(run.bytes), "\(run.output)")
                let label = document["label"] ?? document["channels"]?.elements?.first?["label"]
                if run.status == 0 { #expect(label?.text == Self.evil) }
            }
        }
    }

    @Test("names at an origin", arguments: ["", " --json"])
    func names(_ json: String) async throws {
        let sandbox = try Sandbox()
        try await sandbox.prepare("origin")
        for path in ["site/", "objects/", ".packtool/intents/", "channels/production/log/"] {
            let name = Self.evil.replacingOccurrences(of: "/", with: "-")
            let path = "\(sandbox.path)/cdn/\(path)"
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true)
            _ = FileManager.default.createFile(atPath: path + name, contents: Data())
        }
        expectHarmless(try await sandbox.run("packtool verify cdn\(json)"))
    }

    @Test(
        "every field of a pointer", arguments: ["app", "channel", "version", "expires", "schema"])
    func pointer(_ field: String) async throws {
        let sandbox = try Sandbox()
        try await sandbox.prepare("origin")
        try await setPointer(in: sandbox, field, Self.evil)
        for command in ["install cdn --into phone", "verify cdn", "verify cdn --json"] {
            let run = try await sandbox.run("packtool \(command)")
            #expect(run.status == 1)
            expectHarmless(run)
        }
    }

    @Test(
        "names and pages of a build",
        arguments: ["text", "json", "github", "markdown", "junit", "sarif"])
    func build(_ format: String) async throws {
        let sandbox = try Sandbox()
        try await sandbox.prepare("build")
        let page = "<!doctype html><title>x</title><script src=\"/\(Self.evil).js\"></script>"
        // Valid names that must still be escaped in output.
        let names = [
            "index.html", "\u{202E}lmth.html", "a\u{2028}FAKE.html", "##[stop-commands]x.html",
            "::stop-commands::x.html", "[x](1).html",
        ]
        for name in names {
            try Data(page.utf8).write(to: URL(fileURLWithPath: "\(sandbox.path)/dist/\(name)"))
        }
        let run = try await sandbox.run(
            "packtool check dist --profile basename-cache --format \(format)")
        #expect(run.status == 1)
        expectHarmless(run)
        // Viewers of SARIF render links in messages.
        if format == "sarif" { #expect(!run.output.contains("](")) }
        expectHarmless(try await sandbox.run("packtool check dist --dump-urls"))
        try await sandbox.prepare("build old")
        for command in ["diff old dist", "simulate old dist", "hash dist --json"] {
            expectHarmless(try await sandbox.run("packtool \(command)"))
        }
    }

    @Test(
        "arguments",
        arguments: [
            "hash \"$E\"", "--foo\"$E\"", "pub\"$E\"", "hash dist \"$E\"", "hash dist --app \"$E\"",
            "package dist -o x --level \"$E\"", "package dist -o \"nowhere/$E\"",
            "install dist --into \"$E\"", "delta --from \"$E\" --at dist dist -o u.zip",
            "publish dist --to cdn --base-url https://a.example --app \"$E\"",
            "publish dist --to cdn --base-url \"https://$E\" --app shop",
            "rules \"$E\"", "check dist --select \"$E\"", "hash dist --config \"$E\"",
            "resolve dist \"$E\"",
        ])
    func argument(_ arguments: String) async throws {
        let sandbox = try Sandbox()
        try await sandbox.prepare("build")
        for json in ["", " --json"] {
            let run = try await sandbox.run(
                "packtool \(arguments)\(json)", environment: ["E": Self.evil])
            expectHarmless(run)
        }
    }

    @Test("a control character in packtool.yaml is named by its key")
    func configuration() async throws {
        let sandbox = try Sandbox()
        try await sandbox.prepare(#"build; printf 'app: "a\\x1b[31mFAKE"\n' > packtool.yaml"#)
        let run = try await sandbox.run("packtool check dist")
        #expect(run.status == 2)
        #expect(run.errors.contains("packtool.yaml:1: 'app'"))
        expectHarmless(run)
    }

    /// Changes one value of a pointer and of its log entry.
    private func setPointer(in sandbox: Sandbox, _ field: String, _ value: String) async throws {
        let run = try await sandbox.run(
            """
            python3 - <<'END'
            import base64, json, os
            place = "cdn/channels/production/"
            envelope = json.load(open(place + "pointer.json"))
            pointer = json.loads(base64.b64decode(envelope["payload"]))
            pointer["sequence"] += 1
            pointer[os.environ["FIELD"]] = os.environ["VALUE"]
            envelope["payload"] = base64.b64encode(json.dumps(pointer).encode()).decode()
            for name in "pointer.json", f"log/{pointer['sequence']}.json":
                open(place + name, "w").write(json.dumps(envelope))
            END
            """, environment: ["FIELD": field, "VALUE": value])
        try #require(run.status == 0, "\(run.errors)")
    }
}
