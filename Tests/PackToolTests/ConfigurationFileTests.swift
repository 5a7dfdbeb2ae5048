import TestSupport
import Testing

/// `packtool.yaml`: every key is a flag's name, flags win, paths are relative to the file.
@Suite struct ConfigurationFileTests {
    private func manifest(_ yaml: String, _ arguments: String, in directory: String = ".") throws
        -> Run
    {
        let sandbox = try Sandbox()
        try sandbox.prepare(
            "build; mkdir -p conf; cat > conf/packtool.yaml <<'END'\n\(yaml)\nEND\ncp conf/packtool.yaml ."
        )
        return try sandbox.run("packtool manifest \(arguments)")
    }

    @Test func flagsWin() throws {
        let yaml = "app: shop\nbuild: dist\nbase-url: https://one.example\nscheme: one"
        let plain = try JSONDocument(manifest(yaml, "").bytes)
        #expect(plain["app"]?.text == "shop")
        #expect(plain["scheme"]?.text == "one")
        let run = try manifest(yaml, "--app stop --base-url https://two.example --scheme two")
        let document = try JSONDocument(run.bytes)
        #expect(document["app"]?.text == "stop")
        #expect(document["scheme"]?.text == "two")
        #expect(document["files"]?.elements?.first?.text?.hasPrefix("https://two.example/") == true)
    }

    @Test func aWrongWordInTheFileIsNoMatterWhereAFlagWins() throws {
        let run = try manifest("app: a/b\nbuild: dist\nbase-url: https://one.example", "--app shop")
        #expect(run.status == 0, "\(run.errors)")
        let wrong = try manifest("app: a/b\nbuild: dist\nbase-url: https://one.example", "")
        #expect(wrong.status == 64)
        expectMessage(wrong.errors)
    }

    @Test func pathsAreRelativeToTheFile() throws {
        let run = try manifest(
            "app: shop\nbuild: ../dist\nbase-url: https://one.example",
            "--config conf/packtool.yaml")
        #expect(run.status == 0, "\(run.errors)")
    }

    @Test func anEmptyFileSaysNothing() throws {
        let sandbox = try Sandbox()
        for text in ["", "# nothing yet\\n", "---\\n"] {
            try sandbox.prepare("build; printf '%b' '\(text)' > packtool.yaml")
            #expect(try sandbox.run("packtool hash dist").status == 0)
        }
    }

    /// Regression: `init` asked for the base URL that it had been given.
    @Test(arguments: [false, true]) func regressionInitAsksForWhatIsMissing(isGiven: Bool) throws {
        let sandbox = try Sandbox()
        try sandbox.prepare("build")
        let run = try sandbox.run(
            "packtool init" + (isGiven ? " --base-url https://cdn.example.com/shop" : ""))
        #expect(run.status == 0)
        #expect((run.output + run.errors).contains("set base-url") == !isGiven)
    }

    /// `init` writes beside the build, wherever it is called from; what it wrote names the right build.
    @Test(arguments: [
        ("init", "packtool.yaml"), ("init .", "packtool.yaml"), ("init dist", "packtool.yaml"),
        ("init ./dist/", "packtool.yaml"), ("init project", "project/packtool.yaml"),
        ("init --config conf/p.yaml", "conf/p.yaml"),
        ("init dist --config conf/p.yaml", "conf/p.yaml"),
        ("init project --config conf/p.yaml", "conf/p.yaml"),
    ])
    func initWritesBesideTheBuild(arguments: String, file: String) throws {
        let sandbox = try Sandbox()
        try sandbox.prepare("build; build project/dist; mkdir conf")
        let run = try sandbox.run("packtool \(arguments)")
        #expect(run.status == 0, "\(run.errors)")
        #expect(sandbox.exists(file))
        #expect(!sandbox.exists("dist/packtool.yaml"))
        let hash = try sandbox.run("packtool hash --config \(file)")
        #expect(hash.status == 0, "\(hash.errors)")
        #expect(hash.output == (try sandbox.run("packtool hash dist").output))
    }

    /// A byte order mark and Windows line ends come from editors, not from intent.
    @Test func editorsLeaveMarks() throws {
        let sandbox = try Sandbox()
        try sandbox.prepare(
            "build; printf '\\357\\273\\277app: shop\\r\\nbuild: dist\\r\\n' > packtool.yaml")
        let run = try sandbox.run("packtool hash")
        #expect(run.status == 0, "\(run.errors)")
    }
}
