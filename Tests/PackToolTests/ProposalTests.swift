import Foundation
import TestSupport
import Testing

/// The proposals of `check`, its fixes and `init` are correct when applied.
@Suite struct ProposalTests {
    /// An empty launch page would show nothing to every user.
    @Test func anEmptyLaunchPageIsAnError() async throws {
        let sandbox = try Sandbox()
        try await sandbox.prepare("build; : > dist/index.html")
        let run = try await sandbox.run("packtool check dist --select zero-byte-file")
        #expect(run.status == 1)
        #expect(run.output.contains("error[zero-byte-file]: the page is empty"))
    }

    /// With another base, a root-relative URL refers to another file.
    @Test func fixesKeepTheFormOfTheURL() async throws {
        let sandbox = try Sandbox()
        try await sandbox.prepare(
            """
            mkdir -p dist/css dist/docs dist/sub; echo 'a{}' > dist/css/a.css; echo '<p>' > dist/docs/index.html
            echo 'export {}' > dist/sub/vendor.js; echo 'import "./Vendor.js"' > dist/sub/app.js
            cat > dist/index.html <<'END'
            <!doctype html><meta charset=utf-8>
            <link rel=stylesheet href="css/A.css?v=1"><link rel=stylesheet href="/css/A.css">
            <a href="docs/">d</a><a href="./">h</a><a href=".">i</a>
            END
            cat > dist/sub/page.html <<'END'
            <!doctype html><meta charset=utf-8><link rel=stylesheet href="../CSS/a.css"><a href="../docs/">x</a>
            END
            """)
        let run = try await sandbox.run("packtool check dist --fix")
        #expect(run.errors.contains(" fixes in "), "\(run.errors)")
        #expect(!run.errors.contains("content hash"))
        let page = try await sandbox.run("cat dist/index.html").output
        for url in [
            "\"css/a.css?v=1\"", "\"/css/a.css\"", "\"docs/index.html\"", "\"./index.html\"",
        ] {
            #expect(page.contains(url), "\(page)")
        }
        #expect(!page.contains("\"/index.html\""))
        let deeper = try await sandbox.run("cat dist/sub/page.html dist/sub/app.js").output
        #expect(deeper.contains("\"../css/a.css\"") && deeper.contains("\"../docs/index.html\""))
        #expect(deeper.contains("import \"./vendor.js\""))
    }

    @Test func theNoteAboutHashesIsForNamesWithOne() async throws {
        let sandbox = try Sandbox()
        try await sandbox.prepare(
            """
            mkdir dist; echo 'a{}' > dist/a.css; echo '<!doctype html><meta charset=utf-8><p>' > dist/index.html
            echo '@import "A.css";' > dist/main-c609e010.css
            """)
        let run = try await sandbox.run("packtool check dist --fix")
        #expect(run.errors.contains("; content hashes in the names"))
    }

    /// A proposed line can be pasted into any file.
    @Test func aProposedLineIsAccepted() async throws {
        let sandbox = try Sandbox()
        try await sandbox.prepare(
            """
            build; echo 'fetch("/api/u")' > dist/assets/app.js
            echo 'check: {ignore: [js-api-cors]}' > packtool.yaml
            """)
        let select = "--select js-relative-ajax"
        let before = try await sandbox.run("packtool check dist \(select)")
        let lines = before.output.split(separator: "\n")
        let setting = try #require(lines.first { $0.hasPrefix("check.api:") })
        #expect(setting == "check.api: [/api/]")
        try await sandbox.prepare("echo '\(setting)' >> packtool.yaml")
        let after = try await sandbox.run("packtool check dist \(select)")
        #expect(after.status == 0, "\(after.errors)")
    }

    /// Regression: with a root, the setting for a relative request forwarded the whole package.
    @Test func aServiceBelowTheRootIsNotTheRoot() async throws {
        let sandbox = try Sandbox()
        try await sandbox.prepare(
            """
            mkdir -p dist/assets; echo 'fetch("api/u")' > dist/assets/app.js
            echo '<!doctype html><meta charset=utf-8><script src=/shop/assets/app.js></script>' > dist/index.html
            printf 'profile:\n  base: path-strict\n  root: /shop/\n' > packtool.yaml
            """)
        let run = try await sandbox.run("packtool check dist --select js-relative-ajax")
        let lines = run.output.split(separator: "\n")
        #expect(lines.contains("check.api: [/shop/api/]"), "\(run.output)")
    }

    /// A build for another root is one finding, not a list of API calls.
    @Test func aBuildForAnotherRootProposesTheRootOnly() async throws {
        let sandbox = try Sandbox()
        try await sandbox.prepare(
            """
            mkdir -p dist/assets; echo '{}' > dist/assets/data.json; echo '1' > dist/assets/w.js
            echo 'fetch("/shop/assets/data.json");fetch("/shop/assets/data.json?v=1");new Worker(new URL("/shop/assets/w.js",import.meta.url))' > dist/assets/app.js
            echo '<!doctype html><meta charset=utf-8><script type=module src=/shop/assets/app.js></script>' > dist/index.html
            """)
        let run = try await sandbox.run(
            "packtool check dist --select root-mismatch --select js-worker --select js-relative-ajax"
        )
        #expect(run.output.contains("profile.root: /shop/"))
        #expect(!run.output.contains("check.api"), "\(run.output)")
        #expect(!run.output.contains("js-worker"))
    }

    /// The scripts assume a root, but the launch page's URLs are relative, so no root fits both.
    @Test func initProposesNoRootWithWhichTheLaunchPageIsBlank() async throws {
        let sandbox = try Sandbox()
        try await sandbox.prepare(
            """
            mkdir -p dist/static; echo 1 > dist/static/main.js
            for i in 1 2 3 4 5; do echo 1 > dist/static/$i.png; echo "<img src=/app/static/$i.png>"; done > pages
            (echo '<!doctype html><meta charset=utf-8>'; cat pages; echo '<script src="app/static/main.js"></script>') > dist/index.html
            (echo '<!doctype html><meta charset=utf-8>'; cat pages) > dist/about.html
            """)
        try await sandbox.prepare("packtool init --yes --app shop")
        #expect(try await !sandbox.run("cat packtool.yaml").output.contains("\n  root: /app/"))
        try await sandbox.prepare(
            "sed -i 's|\"app/static/main.js|\"/app/static/main.js|' dist/index.html; packtool init --yes --app shop --force"
        )
        #expect(try await sandbox.run("cat packtool.yaml").output.contains("\n  root: /app/"))
    }

    @Test func messagesSayWhatIsMeant() async throws {
        let sandbox = try Sandbox()
        try await sandbox.prepare(
            """
            mkdir -p dist/img dist/IMG; echo x > 'dist/img/c#.png'; echo x > 'dist/img/q?.png'
            echo x > dist/IMG/y.png; echo x > dist/img/x.png; echo x > dist/img/z.png
            echo '<!doctype html><meta charset=utf-8><img src="img/c#.png"><img src="img/q?.png">' > dist/index.html
            echo '<!doctype html><base href="https://www.example.com/app/">' > dist/base.html
            """)
        let run = try await sandbox.run(
            "packtool check dist --limit 0 --select missing-file --select base-conflict --select case-collision"
        )
        #expect(run.output.contains("write '#' as '%23'"), "\(run.output)")
        #expect(run.output.contains("write '?' as '%3F'"))
        #expect(run.output.contains("resolves to 'https://www.example.com'"))
        #expect(run.output.components(separatedBy: "error[case-collision]").count == 2)
        let launch = try await sandbox.run(
            "packtool check dist --launch /index.html --select entry-missing")
        #expect(launch.output.contains("did you mean 'index.html'?"))
    }

    @Test func linksOfAMenuAreOneFinding() async throws {
        let sandbox = try Sandbox()
        try await sandbox.prepare(
            """
            mkdir dist; for p in index about help; do
            echo '<!doctype html><meta charset=utf-8><a href=https://www.example.com/about.html>a</a><a href=http://www.example.com/help.html>b</a>' > dist/$p.html
            done
            """)
        let run = try await sandbox.run(
            "packtool check dist --host www.example.com --select nav-leaves-package --select nav-http"
        )
        #expect(run.output.contains("5 more places"), "\(run.output)")
        #expect(run.output.hasPrefix("no errors, 1 warning\n"))
    }

    /// A proposal must not cause an error in the same check.
    @Test func pagesOverHTTPSGetNoFixThatIsAnError() async throws {
        let sandbox = try Sandbox()
        try await sandbox.prepare("build")
        let flags = "--page-origin https --select not-from-package --select external-subresource"
        let run = try await sandbox.run("packtool check dist \(flags) --host shop.example.com")
        #expect(run.output.contains("warning[not-from-package]"))
        #expect(!run.output.contains("customscheme://"), "\(run.output)")
        #expect(run.output.contains("'page-origin: custom'"))
        let unnamed = try await sandbox.run("packtool check dist \(flags)")
        #expect(unnamed.output.contains("set 'host'"), "\(unnamed.output)")
        #expect(!unnamed.output.contains("check.external:"), "\(unnamed.output)")
    }
}
