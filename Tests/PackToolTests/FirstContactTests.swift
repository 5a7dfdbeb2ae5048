import Foundation
import TestSupport
import Testing

/// A new user's first steps: `init` with common generators, a failing check, a first publish.
@Suite struct FirstContactTests {
    /// A Next.js export without a page at the top level.
    private static let next = """
        mkdir -p dist/404 dist/about dist/_next; echo 1 > dist/_next/a.js
        for page in 404/index 404 about/index; do
            echo '<!doctype html><meta charset=utf-8><title>a</title><script src="/_next/a.js"></script>' > dist/$page.html
        done

        """

    /// Regression: `init` chose `dist/404` and rejected `init dist`.
    @Test(arguments: ["", "dist"])
    func initFindsABuildWithoutAPageAtTheTop(argument: String) async throws {
        let sandbox = try Sandbox()
        try await sandbox.prepare(Self.next)
        let run = try await sandbox.run(
            "packtool init \(argument) --yes --app shop --base-url https://a.example")
        #expect(run.status == 0, "\(run.all)")
        #expect(run.output.contains("launch    about/index.html (the build has no index.html"))
        let file = try await sandbox.run("cat packtool.yaml").output
        #expect(file.contains("\nbuild: dist\n") && file.contains("\nlaunch: about/index.html\n"))
        #expect(try await sandbox.run("packtool publish --to cdn").status == 0)
    }

    /// Regression: for a site under `/website/` without a top-level page, `init` chose the blog and
    /// no root.
    @Test func initFindsTheRootOfASiteUnderAPath() async throws {
        let sandbox = try Sandbox()
        try await sandbox.prepare(
            """
            mkdir -p build/assets build/docs/intro build/blog; echo 1 > build/assets/main.js
            for page in 404 docs/intro/index blog/index; do
                echo '<!doctype html><meta charset=utf-8><title>a</title><script src=/website/assets/main.js></script>' \
                    > build/$page.html
                echo '<a href=/website/docs/intro/>a</a><a href=/website/blog/>b</a><a href=/website/>c</a>' \
                    >> build/$page.html
            done
            """)
        let run = try await sandbox.run("packtool init --yes --app shop")
        #expect(run.output.contains("profile.root: /website/\n"), "\(run.output)")
        #expect(run.output.contains("build output build\n"), "\(run.output)")
        #expect(run.output.contains("launch    blog/index.html ("), "\(run.output)")
    }

    /// Regression: each command proposed its own line, and duplicate keys are an error.
    @Test func whatInitCheckAndPublishProposeCanBePasted() async throws {
        let sandbox = try Sandbox()
        try await sandbox.prepare(
            """
            mkdir -p dist/docs; echo '<!doctype html><meta charset=utf-8><title>d</title>' > dist/docs/index.html
            echo 'fetch("/api/u"); fetch("/auth/me"); fetch("./v1/list"); fetch("v2/me/all")' > dist/a.js
            echo '<!doctype html><meta charset=utf-8><title>a</title><script src="https://cdn.example.net/x.js"></script>' > dist/index.html
            echo '<script src="a.js"></script><a href="/docs/">d</a>' >> dist/index.html
            """)
        let initial = try await sandbox.run(
            "packtool init --app shop --base-url https://a.example")
        let check = try await sandbox.run("packtool check")
        let publish = try await sandbox.run("packtool publish --to cdn")
        #expect(check.status == 1 && publish.status == 1)
        for text in [initial.output, check.output, publish.errors] {
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            let start = try #require(
                lines.firstIndex { $0.hasPrefix("if this is intentional, add to packtool.yaml:") })
            let block = lines[(start + 2)...].prefix { !$0.isEmpty }.joined(separator: "\n")
            #expect(block.contains("\ncheck.api: [/api/, /auth/, /v1/, /v2/]"), "\(text)")
            let pasted = try await sandbox.run(
                "cp packtool.yaml pasted.yaml; cat >> pasted.yaml <<'END'\n\(block)\nEND\n"
                    + "packtool check --config pasted.yaml")
            #expect(pasted.status == 0, "\(pasted.all)")
        }
        // Both print the same line for the same fix.
        let advice = { (text: String) in
            Set(text.matches(of: /(?m)= (fix: .*)$/).map { String($0.1) })
        }
        #expect(!advice(publish.errors).isEmpty)
        #expect(advice(publish.errors).isSubset(of: advice(check.output)), "\(check.output)")
    }

    /// Regression: `init` excluded `index.css.gz` although `index.css` was missing, and `check` did
    /// not report it.
    @Test func initKeepsTheOnlyCopyOfAFile() async throws {
        let sandbox = try Sandbox()
        try await sandbox.prepare(
            """
            mkdir -p shop/dist; cd shop; echo x | tee dist/index.css.gz dist/a.js.gz dist/a.js > /dev/null
            echo '<!doctype html><meta charset=utf-8><title>a</title><link rel=stylesheet href=index.css>' > dist/index.html
            """)
        try await sandbox.run("cd shop && packtool init dist --yes --base-url https://a.example")
        let file = try await sandbox.run("cat shop/packtool.yaml").output
        #expect(file.contains("\nexclude: [\"**/*.js.gz\"]\n"))
        // Regression: the app was named after the directory `dist`.
        #expect(file.contains("\napp: shop\n"))
        let refused = try await sandbox.run("cd shop && packtool publish --to cdn")
        #expect(refused.status == 1)
        #expect(
            refused.errors.contains(
                "= the package has only 'index.css.gz', which no handler decompresses"),
            "\(refused.errors)")
        // There is no proposal, so there is no line to add.
        #expect(refused.errors.contains("help: fix it in the build; 'packtool check' shows"))
        #expect(
            refused.errors.contains(
                "or accept it: 'packtool check --baseline packtool-baseline.json --update-baseline'"
            ), "\(refused.errors)")
        try await sandbox.prepare(
            """
            cd shop; packtool check --baseline packtool-baseline.json --update-baseline
            echo 'check.baseline: packtool-baseline.json' >> packtool.yaml
            """)
        #expect(try await sandbox.run("cd shop && packtool publish --to cdn").status == 0)
    }

    /// Regression: a refused publish checked proposed exclusions without them.
    @Test func aProposedExclusionEndsTheError() async throws {
        let sandbox = try Sandbox()
        try await sandbox.prepare(
            """
            mkdir dist; echo KEY=1 > dist/.env
            echo '<!doctype html><meta charset=utf-8><title>a</title>' > dist/index.html
            printf 'app: shop\nbase-url: https://a.example\nbuild: dist\n' > packtool.yaml
            """)
        let refused = try await sandbox.run("packtool publish --to cdn")
        #expect(refused.status == 1)
        #expect(refused.errors.contains("\nexclude: [/.env]\n"), "\(refused.errors)")
        #expect(!refused.errors.contains("remain"), "\(refused.errors)")
        let run = try await sandbox.run("packtool publish --to cdn --exclude /.env")
        #expect(run.status == 0, "\(run.errors)")
    }

    /// A refused publish proposes the settings for errors that other errors hide.
    @Test func aRefusalProposesAllSettingsAtOnce() async throws {
        let sandbox = try Sandbox()
        try await sandbox.prepare(
            """
            mkdir dist; echo 'fetch("/api/u")' > dist/a.js
            echo '<!doctype html><meta charset=utf-8><title>a</title><script src="/shop/a.js"></script>' > dist/index.html
            printf 'app: shop\nbuild: dist\nbase-url: https://a.example\n' > packtool.yaml
            """)
        let refused = try await sandbox.run("packtool publish --to cdn")
        #expect(refused.status == 1)
        let lines = refused.errors.split(separator: "\n", omittingEmptySubsequences: false)
        let start = try #require(
            lines.firstIndex { $0.hasPrefix("if this is intentional, add to packtool.yaml:") })
        let block = lines[(start + 2)...].prefix { !$0.isEmpty }.joined(separator: "\n")
        #expect(block.contains("profile.root: /shop/") && block.contains("check.api: [/api/]"))
        let pasted = try await sandbox.run(
            "cat >> packtool.yaml <<'END'\n\(block)\nEND\npacktool publish --to cdn")
        #expect(pasted.status == 0, "\(block)\n\(pasted.all)")
    }

    /// The command completed by the error message works unchanged.
    @Test func aFirstPublishNamesAllThatIsMissing() async throws {
        let sandbox = try Sandbox()
        try await sandbox.prepare("build; mkdir -p ../cdn")
        let run = try await sandbox.run("packtool publish --label 1.0.0")
        #expect(run.status == 64)
        #expect(
            run.errors.contains(
                """
                error: the build directory, the app's name, the public URL of the origin and the origin are missing
                """), "\(run.errors)")
        let command = try #require(
            run.errors.split(separator: "\n").first { $0.hasPrefix("  packtool ") })
        let again = try await sandbox.run(
            command.replacing("../cdn/shop", with: "cdn") + " --dry-run")
        #expect(again.status == 0, "\(again.errors)")
    }

    /// Regression: `//host/x.js` was reported as missing, and `check.external` rejected this
    /// notation.
    @Test func protocolRelativeAddressesAreFixed() async throws {
        let sandbox = try Sandbox()
        try await sandbox.prepare(
            """
            build; echo 'check.external: [//cdn.example.net/x.js]' > packtool.yaml
            echo '<script src="//cdn.example.net/x.js"></script>' >> dist/index.html
            """)
        let run = try await sandbox.run("packtool check dist")
        #expect(run.status == 0, "\(run.all)")
        #expect(run.output.contains("warning[protocol-relative-third-party]"), "\(run.output)")
        let fixed = try await sandbox.run("packtool check dist --fix && grep x.js dist/index.html")
        #expect(
            fixed.lines.last == #"<script src="https://cdn.example.net/x.js"></script>"#,
            "\(fixed.all)")
    }
}
