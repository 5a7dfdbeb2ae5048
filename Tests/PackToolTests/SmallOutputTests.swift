import TestSupport
import Testing

/// Manifests, configurations and baselines are written to a temporary file and renamed.
@Suite struct SmallOutputTests {
    static let commands = [
        "manifest dist --app shop --base-url https://a.example -o info.json",
        "init dist --force",
        "check dist --baseline accepted.json --update-baseline",
    ]

    /// After a kill before the rename, the next run removes the temporary file.
    @Test(arguments: commands)
    func regressionAKilledRunsFileStayed(_ command: String) async throws {
        #if os(Linux)
            let sandbox = try Sandbox()
            try await sandbox.prepare("build")
            let whole = "packtool \(command) --quiet"
            try await sandbox.run(whole)
            let before = try sandbox.tree()
            let run = try await sandbox.run(
                "strace -f -o /dev/null -e inject=rename,renameat,renameat2:signal=KILL:when=1 \(whole)"
            )
            #expect(run.status == 137, "\(run.output)\(run.errors)")
            #expect(try sandbox.tree() != before)
            try await sandbox.run(whole)
            #expect(try sandbox.tree() == before)
        #endif
    }
}
