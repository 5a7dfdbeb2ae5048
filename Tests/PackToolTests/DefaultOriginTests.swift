import TestSupport
import Testing

/// Commands that show, verify or change a channel use the origin in `packtool.yaml` by default.
@Suite struct DefaultOriginTests {
    private static let project = """
        build one; build two; echo two > two/two.js
        printf 'app: shop\\nbase-url: https://cdn.example/shop\\nto: cdn\\n' > packtool.yaml
        packtool publish one --label 1.0 --no-check --quiet; packtool publish two --label 2.0 --no-check --quiet
        mkdir elsewhere
        """

    @Test(arguments: [
        ("status", "status cdn"), ("history", "history cdn"), ("explain", "explain cdn"),
        ("prune", "prune cdn"), ("verify", "verify cdn"),
        ("rollback --dry-run", "rollback cdn --dry-run"),
        ("pause --dry-run", "pause cdn --dry-run"), ("renew --dry-run", "renew cdn --dry-run"),
        (
            "promote --from production --channel beta --dry-run",
            "promote cdn --from production --channel beta --dry-run"
        ),
        ("rollout 50 --shrink --dry-run", "rollout cdn 50 --shrink --dry-run"),
    ])
    func itIsThatOfTheSettings(_ short: String, _ long: String) async throws {
        let sandbox = try Sandbox()
        try await sandbox.prepare(Self.project)
        let moment = ["SOURCE_DATE_EPOCH": "1800000000", "PACKTOOL_CLOCK": "1800000000"]
        let runs = try await [short, long].mapInTurn {
            try await sandbox.run("packtool \($0)", environment: moment)
        }
        let texts = runs.map { $0.all.replacing(/time +[0-9.]+ s/, with: "") }
        #expect(runs[0].status == runs[1].status && runs[0].status != 64, "\(texts[0])")
        #expect(texts[0] == texts[1])
    }

    /// Regression: these commands failed with `missing expected argument '<origin>'`.
    @Test func installAndEmbedTakeItToo() async throws {
        let sandbox = try Sandbox()
        try await sandbox.prepare(Self.project)
        for command in ["install --into phone", "embed -o app"] {
            let run = try await sandbox.run("packtool \(command)")
            #expect(run.status == 0, "\(run.all)")
        }
        #expect(sandbox.exists("phone/current/two.js") && sandbox.exists("app/state.json"))
        let elsewhere = try await sandbox.run(
            "cd elsewhere; packtool install --into phone --config ../packtool.yaml")
        #expect(elsewhere.status == 0, "\(elsewhere.all)")
        let pinned = try await sandbox.run("ls cdn/.packtool/pins")
        #expect(pinned.lines.count == 1, "\(pinned.all)")
    }

    @Test func whatIsGivenCounts() async throws {
        let sandbox = try Sandbox()
        try await sandbox.prepare(Self.project + "\nmv cdn other")
        #expect(try await sandbox.run("packtool rollback other --quiet").status == 0)
        #expect(try await sandbox.run("packtool rollback --quiet").status == 2)
        let status = try await sandbox.run("packtool status other")
        #expect(status.output.contains("1.0"), "\(status.all)")
    }

    @Test func itIsRelativeToItsFile() async throws {
        let sandbox = try Sandbox()
        try await sandbox.prepare(Self.project)
        let run = try await sandbox.run("cd elsewhere; packtool rollback --config ../packtool.yaml")
        #expect(run.status == 0, "\(run.all)")
        let status = try await sandbox.run("packtool status")
        #expect(status.output.contains("1.0") && status.output.contains("origin"), "\(status.all)")
        #expect(status.lines.contains { $0.hasPrefix("  origin") && $0.hasSuffix(" cdn") })
    }

    @Test func withoutOneItIsAskedFor() async throws {
        let sandbox = try Sandbox()
        let commands = [
            "status", "rollback", "prune", "rollout 50", "verify", "verify --build .",
            "install --into phone", "embed -o app",
        ]
        for command in commands {
            let run = try await sandbox.run("packtool \(command) --json")
            #expect(run.status == 64)
            #expect(run.code == "usage.missing-to", "\(run.all)")
        }
        let run = try await sandbox.run("packtool rollout cdn")
        #expect(run.status == 64 && run.errors.contains("takes the share"), "\(run.all)")
    }
}
