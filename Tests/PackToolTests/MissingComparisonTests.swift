import TestSupport
import Testing

/// The first release of a project has no predecessor to compare with.
@Suite struct MissingComparisonTests {
    private static let project = PreparedSandbox(
        """
        printf 'app: shop\\nbase-url: https://cdn.example/shop\\n' > packtool.yaml
        build; mkdir empty; publish dist 1.0
        packtool publish dist --to tested --channel beta --quiet
        (umask 077; echo secret > pass.txt)
        packtool keys init --app shop --dir keys --passphrase-file pass.txt --quiet
        packtool keys publish keys/1.root.json --to keyed --quiet
        """)

    /// Missing files and the expected codes.
    private static let missing = [
        ("gone", "file-system.open"), ("gone/cdn", "file-system.open"),
        ("cdn/gone@1.0", "file-system.open"), ("empty", "build.empty"),
        ("tested", "origin.nothing-published"), ("keyed", "origin.nothing-published"),
    ]

    @Test(arguments: missing) func itIsANoteWhereThatIsAllowed(_ path: String, _ code: String)
        async throws
    {
        for command in [
            "report \(path) dist -o r.html --findings sarif=f.sarif",
            "check dist --against \(path) --save sarif=f.sarif",
        ] {
            let sandbox = try await Self.project.copy()
            let refused = try await sandbox.run("packtool \(command) --json")
            #expect(refused.status == 2, "\(refused.all)")
            #expect(refused.code == code, "\(refused.all)")
            #expect(refused.output.contains("--allow-missing"), "\(refused.all)")
            #expect(!sandbox.exists("f.sarif"))
            let run = try await sandbox.run("packtool \(command) --allow-missing")
            #expect(run.status == 0, "\(run.all)")
            #expect(run.errors.contains("note: ") && run.errors.contains(path), "\(run.all)")
            #expect(sandbox.exists("f.sarif"))
        }
    }

    /// An existing file is compared or reported as invalid.
    @Test(arguments: [
        ("cdn", 0), ("cdn@1.0", 0), ("tested@9.9", 2), ("cdn@9.9", 2), ("pass.txt", 2),
        ("s3:/shop", 64),
    ])
    func nothingElseIsAllowed(_ path: String, _ status: Int32) async throws {
        let sandbox = try await Self.project.copy()
        let command = "report \(path) dist --format json --quiet"
        let without = try await sandbox.run("packtool \(command)")
        let with = try await sandbox.run("packtool \(command) --allow-missing")
        #expect(without.status == status && with.status == status, "\(without.all) \(with.all)")
        #expect(without.errors == with.errors)
    }

    @Test func theFlagNeedsSomethingToCompareWith() async throws {
        let sandbox = try await Self.project.copy()
        for command in ["report dist --format json", "check dist"] {
            let run = try await sandbox.run("packtool \(command) --allow-missing")
            #expect(run.status == 64, "\(run.all)")
        }
        let prefix = try await sandbox.run(
            "packtool report dist --format json --path-prefix web/dist")
        #expect(prefix.status == 64, "\(prefix.all)")
    }

    /// Regression: for a project in a subfolder of its repository, findings had the path `dist/…`.
    @Test func findingsOfAReportNameTheRepositorysPaths() async throws {
        let sandbox = try await Self.project.copy()
        let run = try await sandbox.run(
            """
            echo '<!doctype html><title>A</title><img src=gone.png>' > dist/about.html
            packtool report dist -o r.html --findings github --path-prefix frontend/dist
            """)
        #expect(run.status == 1, "\(run.all)")
        #expect(run.output.contains("::error file=frontend/dist/about.html"), "\(run.all)")
    }
}
