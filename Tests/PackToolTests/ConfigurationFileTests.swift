import TestSupport
import Testing

/// `packtool.yaml`: keys match flags, flags take precedence, and paths are relative to the file.
@Suite struct ConfigurationFileTests {
    private func manifest(_ yaml: String, _ arguments: String, in directory: String = ".")
        async throws
        -> Run
    {
        let sandbox = try Sandbox()
        try await sandbox.prepare(
            "build; mkdir -p conf; cat > conf/packtool.yaml <<'END'\n\(yaml)\nEND\ncp conf/packtool.yaml ."
        )
        return try await sandbox.run("packtool manifest \(arguments)")
    }

    @Test func flagsWin() async throws {
        let yaml = "app: shop\nbuild: dist\nbase-url: https://one.example\nscheme: one"
        let plain = try await JSONDocument(manifest(yaml, "").bytes)
        #expect(plain["app"]?.text == "shop")
        #expect(plain["scheme"]?.text == "one")
        let run = try await manifest(yaml, "--app stop --base-url https://two.example --scheme two")
        let document = try JSONDocument(run.bytes)
        #expect(document["app"]?.text == "stop")
        #expect(document["scheme"]?.text == "two")
        #expect(document["files"]?.elements?.first?.text?.hasPrefix("https://two.example/") == true)
    }

    @Test func aWrongWordInTheFileIsNoMatterWhereAFlagWins() async throws {
        let run = try await manifest(
            "app: a/b\nbuild: dist\nbase-url: https://one.example", "--app shop")
        #expect(run.status == 0, "\(run.errors)")
        let wrong = try await manifest("app: a/b\nbuild: dist\nbase-url: https://one.example", "")
        #expect(wrong.status == 64)
        expectMessage(wrong.errors)
    }

    @Test func pathsAreRelativeToTheFile() async throws {
        let run = try await manifest(
            "app: shop\nbuild: ../dist\nbase-url: https://one.example",
            "--config conf/packtool.yaml")
        #expect(run.status == 0, "\(run.errors)")
    }

    @Test func anEmptyFileSaysNothing() async throws {
        let sandbox = try Sandbox()
        for text in ["", "# nothing yet\\n", "---\\n"] {
            try await sandbox.prepare("build; printf '%b' '\(text)' > packtool.yaml")
            #expect(try await sandbox.run("packtool hash dist").status == 0)
        }
    }

    /// Regression: `init` asked for a base URL although one was given.
    @Test(arguments: [false, true]) func regressionInitAsksForWhatIsMissing(isGiven: Bool)
        async throws
    {
        let sandbox = try Sandbox()
        try await sandbox.prepare("build")
        let run = try await sandbox.run(
            "packtool init" + (isGiven ? " --base-url https://cdn.example.com/shop" : ""))
        #expect(run.status == 0)
        #expect((run.output + run.errors).contains("set base-url") == !isGiven)
    }

    /// Regression: `init` ignored a `dist` that is a link and proposed the next directory.
    @Test(arguments: ["built", "built/shop/browser"])
    func initFollowsALinkToTheOutput(path: String) async throws {
        let sandbox = try Sandbox()
        try await sandbox.prepare(
            """
            build; mkdir -p project/public elsewhere/\(path); mv dist/* elsewhere/\(path)
            ln -s ../elsewhere/built project/dist; rmdir dist
            """)
        let run = try await sandbox.run("packtool init project --yes --app shop")
        #expect(run.status == 0, "\(run.errors)")
        let file = try await sandbox.run("cat project/packtool.yaml").output
        let below = path.dropFirst("built".count)
        #expect(file.contains("\nbuild: dist\(below)\n"))
        #expect(file.contains("\nlaunch: index.html\n"))
        #expect(try await sandbox.run("cd project; packtool hash").status == 0)
        // A broken link is not a build output.
        try await sandbox.prepare(
            "rm -r elsewhere project/packtool.yaml; echo x > project/public/index.html")
        #expect(try await sandbox.run("packtool init project --yes --app shop").status == 0)
        #expect(
            try await sandbox.run("cat project/packtool.yaml").output.contains("\nbuild: public\n"))
    }

    /// Regression: `init` chose the first directory with a common name, such as the scripts in
    /// `build`.
    @Test func initPrefersADirectoryWithAPage() async throws {
        let sandbox = try Sandbox()
        try await sandbox.prepare(
            """
            build www; mkdir build; echo 'module.exports = {}' > build/webpack.js; echo '{}' > package.json
            """)
        #expect(try await sandbox.run("packtool init --yes --app shop").status == 0)
        #expect(try await sandbox.run("cat packtool.yaml").output.contains("\nbuild: www\n"))
        // The directory may hold files that the app loads without a page.
        try await sandbox.prepare("rm -r www packtool.yaml")
        #expect(try await sandbox.run("packtool init --yes --app shop").status == 0)
        let file = try await sandbox.run("cat packtool.yaml").output
        #expect(file.contains("\nbuild: build\n"))
        #expect(!file.contains("\nlaunch:"))
    }

    /// A site that links to directories, like those of Gatsby, Astro and Hugo.
    ///
    /// `init` proposes the setting for a handler that opens their `index.html`. Without it, all
    /// these links are one finding; with it, the release is published.
    @Test func initProposesAHandlerThatOpensDirectories() async throws {
        let sandbox = try Sandbox()
        try await sandbox.prepare(
            """
            mkdir -p site/docs site/news
            for page in index docs/index news/index; do
                echo '<!doctype html><meta charset=utf-8><title>a</title><a href="/docs/">d</a><a href="/news/">n</a>' \
                    > site/$page.html
            done
            """)
        let run = try await sandbox.run(
            "packtool init site --app shop --base-url https://a.example")
        #expect(run.status == 0)
        #expect(
            run.output.contains("\nprofile.index-file: directory\n"), "\(run.output)")
        let refused = try await sandbox.run("packtool publish --to cdn --json")
        #expect(refused.status == 1 && refused.code == "check.errors", "\(refused.all)")
        #expect(refused.errors.contains("profile.index-file: directory"), "\(refused.errors)")
        try await sandbox.prepare(
            "sed -i 's/^#profile:$/profile:/; s/^#  index-file:/  index-file:/' packtool.yaml")
        let published = try await sandbox.run("packtool publish --to cdn")
        #expect(published.status == 0, "\(published.all)")
    }

    /// `init` sets a root that fixes most links, although one finding replaces another.
    @Test func aRootThatMendsMostPlacesIsSet() async throws {
        let sandbox = try Sandbox()
        try await sandbox.prepare(
            """
            mkdir site
            for page in index news team; do
                echo '<!doctype html><meta charset=utf-8><title>a</title><script src="/shop/a.js"></script>' \
                    > site/$page.html
            done
            echo '<img alt="" src="/b.png">' >> site/news.html
            touch site/a.js site/b.png
            """)
        let run = try await sandbox.run(
            "packtool init site --yes --app shop --base-url https://a.example")
        #expect(run.output.contains("profile.root: /shop/\n"), "\(run.output)")
    }

    /// `init` writes its file next to the build, and the file refers to the right build.
    @Test(arguments: [
        ("init", "packtool.yaml"), ("init .", "packtool.yaml"), ("init dist", "packtool.yaml"),
        ("init ./dist/", "packtool.yaml"), ("init project", "project/packtool.yaml"),
        ("init --config conf/p.yaml", "conf/p.yaml"),
        ("init dist --config conf/p.yaml", "conf/p.yaml"),
        ("init project --config conf/p.yaml", "conf/p.yaml"),
    ])
    func initWritesBesideTheBuild(arguments: String, file: String) async throws {
        let sandbox = try Sandbox()
        try await sandbox.prepare("build; build project/dist; mkdir conf")
        let run = try await sandbox.run("packtool \(arguments)")
        #expect(run.status == 0, "\(run.errors)")
        #expect(sandbox.exists(file))
        #expect(!sandbox.exists("dist/packtool.yaml"))
        let hash = try await sandbox.run("packtool hash --config \(file)")
        #expect(hash.status == 0, "\(hash.errors)")
        #expect(hash.output == (try await sandbox.run("packtool hash dist").output))
    }

    /// Editors add byte order marks and Windows line endings.
    @Test func editorsLeaveMarks() async throws {
        let sandbox = try Sandbox()
        try await sandbox.prepare(
            "build; printf '\\357\\273\\277app: shop\\r\\nbuild: dist\\r\\n' > packtool.yaml")
        let run = try await sandbox.run("packtool hash")
        #expect(run.status == 0, "\(run.errors)")
    }

    /// Regression: `init --profile capacitor` wrote `scheme: customscheme`, so a correct page
    /// failed the check and the manifest contained `customscheme`.
    @Test func regressionInitWritesOnlyWhatWasGiven() async throws {
        let sandbox = try Sandbox()
        try await sandbox.prepare(
            """
            build
            echo '<!doctype html><title>a</title><img src="capacitor://localhost/assets/a.png">' \
                > dist/index.html
            printf '\\211PNG\\r\\n\\032\\n' > dist/assets/a.png
            packtool init --profile capacitor --app shop --base-url https://a.example
            """)
        let file = String(decoding: try sandbox.read("packtool.yaml"), as: UTF8.self)
        let keys = file.split(separator: "\n").filter { !$0.hasPrefix("#") }
        #expect(
            keys.map(String.init) == [
                "app: shop", "build: dist", "base-url: https://a.example", "launch: index.html",
                "profile: capacitor",
            ])
        let check = try await sandbox.run("packtool check --json")
        #expect(check.status == 0, "\(check.output)\(check.errors)")
        let manifest = try await sandbox.run("packtool manifest")
        #expect(try JSONDocument(manifest.bytes)["scheme"]?.text == "capacitor")
    }

    /// The `check` block applies to `check` and `publish`.
    @Test func theCheckBlockCounts() async throws {
        let sandbox = try Sandbox()
        try await sandbox.prepare(
            """
            build
            echo '<!doctype html><title>a</title><script src="gone.js"></script>' > dist/index.html
            printf 'app: shop\nbase-url: https://a.example\nto: cdn\n' > packtool.yaml
            """)
        #expect(try await sandbox.run("packtool check dist").status == 1)
        #expect(try await sandbox.run("packtool publish dist").status == 1)
        try await sandbox.prepare("echo 'check: {ignore: [missing-file]}' >> packtool.yaml")
        #expect(try await sandbox.run("packtool check dist").status == 0)
        let published = try await sandbox.run("packtool publish dist")
        #expect(published.status == 0, "\(published.errors)")
        // A selected rule runs even if the file ignores it.
        #expect(try await sandbox.run("packtool check dist --select missing-file").status == 1)
    }

    /// The baseline path is relative to the file, and `publish` uses the same baseline as `check`.
    @Test func theBaselineCountsForPublish() async throws {
        let sandbox = try Sandbox()
        try await sandbox.prepare(
            """
            build
            echo '<!doctype html><title>a</title><script src="gone.js"></script>' > dist/index.html
            mkdir conf
            printf 'app: shop\nbase-url: https://a.example\ncheck: {baseline: b.json}\n' \
                > conf/packtool.yaml
            """)
        let config = "--config conf/packtool.yaml"
        let update = try await sandbox.run("packtool check dist \(config) --update-baseline --json")
        #expect(update.status == 0, "\(update.errors)")
        #expect(try JSONDocument(update.bytes)["baseline"]?.text == "conf/b.json")
        #expect(try await sandbox.run("packtool check dist \(config)").status == 0)
        let published = try await sandbox.run("packtool publish dist --to cdn \(config)")
        #expect(published.status == 0, "\(published.errors)")
    }

    /// Regression: three rules mentioned settings that did not exist.
    @Test func regressionLimitsAndTokenAreConfigured() async throws {
        let sandbox = try Sandbox()
        try await sandbox.prepare(
            """
            build
            cat > dist/index.html <<'END'
            <!doctype html><title>a</title>
            <script>s = navigator.userAgent.includes("shopApp") ? "customscheme:" : "https:"</script>
            END
            head -c 3000 /dev/zero > dist/data.bin
            head -c 600 /dev/zero > dist/a.png
            """)
        let found = { (yaml: String) async throws -> Set<String> in
            try await sandbox.prepare("printf '\(yaml)\\n' > packtool.yaml")
            let run = try await sandbox.run("packtool check dist --json")
            let findings = try JSONDocument(run.bytes)["findings"]?.elements ?? []
            return Set(findings.compactMap { $0["rule"]?.text })
        }
        let limits: Set = [
            "large-file", "large-image", "package-too-large", "too-many-files",
            "ua-token-mismatch",
        ]
        #expect(try await found("profile: path-strict").isDisjoint(with: limits))
        #expect(
            try await found(
                "profile: path-strict\\ncheck: {budgets: {file: 2 kB, package: 3 kB, files: 1}, user-agent: ShopApp}"
            ).isSuperset(of: limits))
        #expect(
            try await found("profile: path-strict\\ncheck: {user-agent: shopApp}")
                .isDisjoint(with: limits))
    }
}
