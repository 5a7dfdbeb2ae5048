import TestSupport
import Testing

/// Forbidden output paths.
@Suite struct OutputLocationTests {
    /// Regression: as root in a container, `-o /dev/null` replaced the device with a file.
    @Test(arguments: ["pipe", "link"])
    func pipesAndDevicesAreNotReplaced(path: String) async throws {
        let sandbox = try Sandbox()
        try await sandbox.prepare(
            "origin; second; mkfifo pipe; ln -s /dev/null link; ln -s out.zip fresh")
        for (command, hint) in [
            ("package dist -o", ""), ("delta dist next -o", ""), ("schema -o", "standard output"),
            ("manifest dist --app shop --base-url https://a.example -o", "standard output"),
            ("report dist -o", "standard output"), ("report dist -o a.html --save", ""),
            ("check dist --save", ""), ("check dist --update-baseline --baseline", ""),
        ] {
            let named = command.hasSuffix("--save") ? "json=\(path)" : path
            let run = try await sandbox.run("packtool \(command) \(named) --json")
            #expect(run.status == 2, "\(command): \(run.all)")
            #expect(run.code == "output.not-a-file", "\(command): \(run.all)")
            #expect(hint.isEmpty || run.output.contains(hint))
        }
        try await sandbox.prepare(
            "test -p pipe; test -L link; test -c /dev/null; packtool package dist -o fresh --quiet; test -f fresh"
        )
    }

    @Test func aPipeAsStandardOutputIsNotReplaced() async throws {
        let sandbox = try Sandbox()
        try await sandbox.prepare("build")
        let run = try await sandbox.run(
            "packtool report dist -o /dev/stdout | cat; test -L /dev/stdout && echo still a link")
        #expect(run.errors.contains("omit the option for standard output"), "\(run.errors)")
        #expect(run.output == "still a link\n")
    }

    @Test func twoOutputsOfOnePlaceAreRefused() async throws {
        let sandbox = try Sandbox()
        try await sandbox.prepare(
            """
            build; build next; echo x >> next/index.html; mkdir d; packtool delta dist next -o d.zip --quiet
            """)
        let before = try sandbox.tree()
        for command in [
            "check dist --save sarif=same.x --save junit=same.x",
            "check dist --save sarif=same.x --save junit=d/../same.x",
            "report dist -o rep.html --save json=./rep.html",
            "report dist -o rep.html --findings sarif=rep.html",
            "report dist -o rep.html --save json=a --findings sarif=a",
            "apply dist d.zip -o out --info out", "apply dist d.zip -o out --info out/info.json",
        ] {
            let run = try await sandbox.run("packtool \(command) --json")
            #expect(run.status == 64, "\(command): \(run.all)")
            #expect(run.code == "output.same-file", "\(command): \(run.all)")
        }
        #expect(try sandbox.tree() == before)
    }

    /// Regression: outputs replaced any existing file.
    @Test func regressionFilesOfTheUserAreNotReplaced() async throws {
        let sandbox = try Sandbox()
        try await sandbox.prepare(
            """
            origin; echo mine > mine; mkdir -p web/channels web/site; echo mine > web/site/index.html; : > empty
            """)
        let before = try sandbox.tree()
        for (command, code) in [
            ("package dist -o mine", "output.foreign"), ("schema -o mine", "output.foreign"),
            ("manifest dist --app shop --base-url https://a.example -o mine", "output.foreign"),
            ("report dist --output mine", "output.foreign"),
            ("check dist --save sarif=mine", "output.foreign"),
            ("check dist --baseline mine --update-baseline", "check.baseline"),
            ("package dist -o cdn/channels/x.zip", "output.inside-origin"),
            (
                "publish dist --to web --app shop --base-url https://a.example --no-check",
                "publish.not-empty"
            ),
        ] {
            let run = try await sandbox.run("packtool \(command) --json")
            #expect(run.status == 2 && run.output.contains(code), "\(command): \(run)")
        }
        #expect(try sandbox.tree() == before)
        // Its own earlier output and empty files are replaced.
        try await sandbox.prepare(
            """
            for n in 1 2; do packtool package dist -o empty --quiet; packtool report dist --output r.html --quiet; done
            """)
    }

    @Test func theBaselineThatIsReadIsNotSavedOver() async throws {
        let sandbox = try Sandbox()
        try await sandbox.prepare(
            "build; packtool check dist --baseline b.json --update-baseline --quiet")
        let run = try await sandbox.run("packtool check dist --baseline b.json --save json=b.json")
        let text = "'b.json' is an input and would be overwritten"
        #expect(run.errors.contains(text), "\(run.errors)")
    }
}
