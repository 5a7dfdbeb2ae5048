import Foundation
import TestSupport
import Testing

/// The questions of `init` on a terminal provided by `script`.
@Suite struct InitQuestionsTests {
    private func initialise(_ flags: String, answers: String) async throws -> (
        run: Run, file: String
    ) {
        let sandbox = try Sandbox()
        try await sandbox.prepare("build")
        let run = try await sandbox.run(
            "printf '\(answers)' | script -qec 'packtool init \(flags)' /dev/null")
        return (run, try await sandbox.run("cat packtool.yaml").output)
    }

    @Test func takesTheAnswers() async throws {
        let (run, file) = try await initialise(
            "", answers: "my-shop\\ncapacitor\\nhttps://cdn.example.com/my\\n")
        #expect(run.output.contains("The app's name ["))
        #expect(run.output.contains("The public URL of the origin"))
        #expect(file.contains("\napp: my-shop\n"))
        #expect(file.contains("\nprofile: capacitor\n"))
        #expect(file.contains("\nbase-url: https://cdn.example.com/my\n"))
    }

    @Test func anEmptyAnswerTakesTheDefault() async throws {
        let (run, file) = try await initialise("--app shop", answers: "\\n\\n")
        #expect(!run.output.contains("The app's name"))
        #expect(file.contains("\napp: shop\n"))
        #expect(file.contains("\nprofile: path-strict\n"))
        #expect(file.contains("\n#base-url: "))
    }

    @Test func aWrongAnswerIsAskedAgain() async throws {
        let (run, file) = try await initialise(
            "--app shop --profile path-strict", answers: "ftp://x\\nhttps://b.example\\n")
        #expect(run.output.components(separatedBy: "The public URL").count == 3)
        #expect(file.contains("\nbase-url: https://b.example\n"))
    }

    /// The question about the profile explains the profiles.
    @Test func asksForTheStartPageOfABuildWithoutIndex() async throws {
        let sandbox = try Sandbox()
        try await sandbox.prepare(
            "mkdir dist; for p in 404 about cart; do echo '<!doctype html><p>' > dist/$p.html; done"
        )
        let run = try await sandbox.run(
            """
            printf 'index.html\\ncart.html\\n\\n\\n' | script -qec 'packtool init --app shop' /dev/null
            """)
        #expect(run.output.contains("(about.html, cart.html, 404.html) [about.html]"))
        #expect(run.output.contains("'index.html' is not a page of the build"))
        #expect(run.output.contains("  capacitor          Capacitor 4 or later"))
        let file = try await sandbox.run("cat packtool.yaml").output
        #expect(file.contains("\nlaunch: cart.html\n"))
        #expect(file.contains("\n# capacitor: Capacitor 4 or later.\n"))
    }

    @Test func yesAsksNothing() async throws {
        let (run, file) = try await initialise("--yes", answers: "")
        #expect(!run.output.contains("The app's name"))
        #expect(file.contains("\n#base-url: "))
    }
}
