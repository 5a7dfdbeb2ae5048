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
            "", answers: "my-shop\\ncapacitor\\nhttps://cdn.example.com/my\\n../cdn\\n")
        #expect(run.output.contains("The app's name ["))
        #expect(run.output.contains("The public URL of the origin"))
        #expect(file.contains("\napp: my-shop\n"))
        #expect(file.contains("\nprofile: capacitor\n"))
        #expect(file.contains("\nbase-url: https://cdn.example.com/my\n"))
        #expect(file.contains("\nto: \"../cdn\"\n"))
        #expect(run.output.contains(" packtool publish\r\n"))
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
        #expect(file.contains("\n#to: "))
    }

    @Test func aWrongOriginIsAskedAgain() async throws {
        let (run, file) = try await initialise(
            "--app shop --profile path-strict",
            answers: "https://b.example\\nhttps://b.example\\ns3://shop-cdn/shop\\n")
        #expect(run.output.components(separatedBy: "Where publish writes it").count == 3)
        #expect(file.contains("\nto: s3://shop-cdn/shop\n"))
    }

    @Test func anOriginInTheBuildIsAskedAgain() async throws {
        let (run, file) = try await initialise(
            "--app shop --profile path-strict",
            answers: "https://b.example\\ndist/cdn\\n..\\n../cdn\\n")
        #expect(run.output.contains("the origin 'dist/cdn' and the build 'dist' contain"))
        #expect(file.contains("\nto: \"../cdn\"\n"))
    }

    @Test func asksForTheHostThatAProfileNeeds() async throws {
        let (run, file) = try await initialise(
            "--app shop", answers: "Intercept\\n\\nshop.example.com\\n\\n")
        #expect(run.output.contains("is empty"))
        #expect(file.contains("\nprofile: intercept\n"))
        #expect(file.contains("\nhost: [shop.example.com]\n"))
    }

    /// Without a terminal, such a profile is refused, as by every other command.
    @Test func writesNoFileThatLacksAHost() async throws {
        let sandbox = try Sandbox()
        try await sandbox.prepare("build")
        let run = try await sandbox.run("packtool init --app shop --profile intercept")
        #expect(run.status == 64)
        #expect(run.errors.contains("give --host HOST"))
        #expect(try await sandbox.run("ls").output == "dist\n")
    }

    @Test func takesAProfileForEachPlatform() async throws {
        let (run, file) = try await initialise(
            "--app shop", answers: "capacitr\\ncapacitor-android, Capacitor\\n\\n")
        #expect(run.output.contains("use a value such as 'capacitor'"))
        #expect(file.contains("\nprofiles: [capacitor-android, capacitor]\n"))
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
        #expect(file.contains("\n# path-strict: "))
    }

    @Test func yesAsksNothing() async throws {
        let (run, file) = try await initialise("--yes", answers: "")
        #expect(!run.output.contains("The app's name"))
        #expect(file.contains("\n#base-url: "))
    }

    /// A page that needs an API, a script of another host, and its fonts.
    private static let online = """
        mkdir dist; echo 'fetch("/api/u"); fetch("/auth/me")' > dist/a.js
        cat > dist/index.html <<'END'
        <!doctype html><meta charset=utf-8><title>a</title>
        <script src="https://cdn.example.net/x.js"></script><script src="a.js"></script>
        <link rel=stylesheet href="https://fonts.example.org/a.css">
        END

        """
    private static let flags = "--app shop --profile path-strict --base-url https://a.example"

    /// One question for each setting, with its reason; Enter is yes.
    @Test(arguments: [
        ("\\n\\n\\n", "[/api/, /auth/]", "[cdn.example.net]"),
        ("n\\ny\\ny\\n", nil, "[cdn.example.net, fonts.example.org]"),
        ("/auth/\\nn\\nn\\n", "[/auth/]", nil),
        ("maybe\\nYes\\nno\\n", "[/api/, /auth/]", nil),
        // The end of the input decides nothing.
        ("", nil, nil),
    ])
    func asksAboutEachProposedSetting(answers: String, api: String?, hosts: String?) async throws {
        let sandbox = try Sandbox()
        try await sandbox.prepare(Self.online)
        let run = try await sandbox.run(
            "printf '\(answers)' | script -qec 'packtool init \(Self.flags)' /dev/null")
        #expect(run.status == 0, "\(run.all)")
        #expect(run.output.contains("  --> a.js:1:8"), "\(run.output)")
        #expect(run.output.contains("  --> index.html:2:14") == !answers.isEmpty)
        #expect(
            run.output.contains(
                "Does the app forward such requests? Sets check.api: [/api/, /auth/] (yes, no, or some of them) [yes]: "
            ), "\(run.output)")
        #expect(run.output.contains("'maybe' is not one of") == answers.hasPrefix("maybe"))
        let file = try await sandbox.run("cat packtool.yaml").output
        #expect(file.contains("\n  api: \(api ?? "")\n") == (api != nil), "\(file)")
        #expect(file.contains("\n  external: \(hosts ?? "")\n") == (hosts != nil), "\(file)")
    }

    /// The third wrong answer ends the command; nothing is written.
    @Test func wrongAnswersWriteNothing() async throws {
        let sandbox = try Sandbox()
        try await sandbox.prepare(Self.online)
        let run = try await sandbox.run(
            "printf 'a\\nb\\nc\\n' | script -qec 'packtool init \(Self.flags)' /dev/null")
        #expect(run.status == 64, "\(run.all)")
        #expect(try await sandbox.run("ls").output == "dist\n")
    }

    /// Without a terminal, proposed settings are comments; `--yes` sets those that end errors.
    @Test func onlyYesSetsWithoutATerminal() async throws {
        let sandbox = try Sandbox()
        try await sandbox.prepare(Self.online)
        try await sandbox.run("packtool init \(Self.flags)")
        var file = try await sandbox.run("cat packtool.yaml").output
        #expect(file.contains("\n#  api: [/api/, /auth/]\n"), "\(file)")
        #expect(file.contains("\n#  external: [cdn.example.net, fonts.example.org]\n"), "\(file)")
        let run = try await sandbox.run("packtool init --force --yes \(Self.flags)")
        #expect(run.output.contains("check.external: cdn.example.net\n"), "\(run.output)")
        file = try await sandbox.run("cat packtool.yaml").output
        #expect(file.contains("\n  api: [/api/, /auth/]\n"), "\(file)")
        #expect(file.contains("\n  external: [cdn.example.net]\n"), "\(file)")
        #expect(try await sandbox.run("packtool publish --to cdn").status == 0)
    }
}
