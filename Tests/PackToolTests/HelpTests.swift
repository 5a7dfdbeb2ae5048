import ArgumentParser
import TestSupport
import Testing

@testable import PackCommands

/// The help is complete, fits a terminal and is correct.
@Suite struct HelpTests {
    private static let all = PackTool.configuration.subcommands.filter {
        $0.configuration.shouldDisplay
    }
    static let commands = all.map { $0._commandName }

    /// Every command that runs, also if the help does not list it.
    static let runnable = PackTool.configuration.subcommands.flatMap { command in
        let inner = command.configuration.subcommands
        return inner.isEmpty
            ? [command._commandName] : inner.map { "\(command._commandName) \($0._commandName)" }
    }

    /// Commands with subcommands.
    static let nested = all.flatMap { group in
        group.configuration.subcommands.map { "\(group._commandName) \($0._commandName)" }
    }

    @Test func namesEveryCommand() async throws {
        let run = try await Sandbox().run("packtool --help")
        #expect(run.status == 0)
        #expect(run.errors == "")
        let list = run.lines.drop { $0 != "SUBCOMMANDS:" }.filter {
            $0.hasPrefix("  ") && !$0.hasPrefix("   ")
        }
        let named = list.compactMap { $0.split(separator: " ").first.map(String.init) }.filter {
            $0 != "See"
        }
        #expect(named == Self.commands)
        try Snapshot.expect(run.output, matches: "packtool", of: "help")
    }

    @Test(arguments: commands + nested)
    func ofACommand(_ command: String) async throws {
        let sandbox = try Sandbox()
        let run = try await sandbox.run("packtool \(command) --help")
        #expect(run.status == 0)
        #expect(run.errors == "")
        for flag in ["--json", "--quiet", "--config"] { #expect(run.output.contains(flag)) }
        #expect(!HelpExample.all(in: run.output).isEmpty, "no example")
        for line in run.lines {
            #expect(line.count <= 80, "wider than a terminal: \(line)")
        }
        try Snapshot.expect(run.output, matches: command.replacing(" ", with: "-"), of: "help")
    }

    @Test(arguments: ["hash", "keys new", "channel close"])
    func theOtherFormsAreTheSame(_ command: String) async throws {
        let sandbox = try Sandbox()
        for form in ["help \(command)", "\(command) -h"] {
            #expect(try await sandbox.run("packtool \(form)").output == Self.help(command))
        }
    }

    /// The recorded help, because formatting it takes 0.5 s in a debug build.
    static func help(_ command: String) throws -> String {
        let hidden = PackTool.configuration.subcommands.first {
            $0._commandName == command && !$0.configuration.shouldDisplay
        }
        if let hidden { return PackTool.helpMessage(for: hidden) }
        return try #require(
            try Snapshot.recorded(command.replacing(" ", with: "-"), of: "help"), "\(command)")
    }

    private static let project = PreparedSandbox(HelpExample.project)

    /// Every example runs unchanged with the binary, in a project with the files it uses.
    @Test(arguments: ["packtool"] + commands + nested)
    func examplesRun(_ command: String) async throws {
        let examples = try HelpExample.all(in: Self.help(command))
        #expect(!examples.isEmpty)
        for example in examples {
            let sandbox = try await Self.project.copy()
            if example.hasPrefix("packtool init") { try await sandbox.prepare("rm packtool.yaml") }
            if example.hasPrefix("packtool rollout") {
                try await sandbox.prepare(HelpExample.canary)
            }
            if example.hasPrefix("packtool channel close") {
                try await sandbox.prepare(HelpExample.preview)
            }
            if example.contains("keys/1.root.json") {
                try await sandbox.prepare("mkdir keys; cp 1.root.json keys")
            }
            if example.contains(" signed ") { try await sandbox.prepare(HelpExample.signed) }
            let run = try sandbox.start(HelpExample.ending(example))
            if example.contains(/packtool (verify|install|diff) https:/) {
                // This server does not exist; Tests/Rigs/Remote uses real ones.
                #expect(run.status == 2, "\(example)\n\(run.errors)")
                #expect(run.errors.contains("cdn.example.com"))
                continue
            }
            if example.contains("--engine") || example.hasPrefix("packtool open"),
                run.status == 2
            {
                // Tests/Rigs/Engine runs them with an engine and a display.
                #expect(
                    run.errors.contains("libwebkit2gtk-4.1-0") || run.errors.contains("xvfb-run"))
                continue
            }
            #expect(run.status == 0, "\(example)\n\(run.errors)")
            #expect(run.output != "")
        }
    }
}

/// The example lines of a help text.
enum HelpExample {
    /// The lines that start with `packtool` below a line that starts with `Example`.
    static func all(in help: String) -> [String] {
        var isExample = false
        var examples: [String] = []
        for line in help.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("Example") {
                isExample = true
            } else if line.hasPrefix("  packtool ") {
                if isExample { examples.append(String(line.dropFirst(2))) }
            } else {
                isExample = false
            }
        }
        return examples
    }

    /// The examples of a command that need no shell, without the program's name.
    static func lines(of command: String) -> [String] {
        let help = (try? HelpTests.help(command)) ?? ""
        return all(in: help).filter { Sandbox.words(of: $0) != nil && $0.hasPrefix(name + command) }
            .map { String($0.dropFirst(name.count)) }
    }

    private static let name = "packtool "

    /// A release for some of the devices.
    static let canary = """
        echo new > dist/new.txt
        packtool publish dist --to cdn --rollout 10 --no-check --quiet
        """

    /// A channel for a pull request.
    static let preview = "packtool publish dist --to cdn --channel pr-17 --no-check --quiet"

    /// An origin with a trust root.
    static let signed = """
        packtool keys publish 1.root.json --to signed --quiet
        packtool publish dist --to signed --sign-key release.key --passphrase-file pass.txt --quiet
        """

    /// Stops the server after it has printed its address.
    static func ending(_ example: String) -> String {
        guard example.hasPrefix("packtool serve") else { return example }
        // The port in the example may be in use on this machine.
        return """
            \(example.replacing(" --listen 0.0.0.0:8080", with: "")) --listen 127.0.0.1:0 > said 2>&1 &
            for try in $(seq 300); do grep -q http: said && break; sleep 0.1; done
            cat said; grep -q http: said; listens=$?; kill -TERM $!; wait $!
            test $? = 0 -a $listens = 0
            """
    }

    /// A project with all files used in the examples.
    static let project = """
        build; build dist-before; echo 'body { margin: 1px }' > dist-before/assets/app.css
        cat > packtool.yaml <<'END'
        app: shop
        build: dist
        base-url: https://example.com/shop
        END
        packtool package dist-before -o shop-before.zip --level max --quiet
        packtool manifest dist -o info.json --quiet
        packtool publish dist-before --to cdn --label 1.0 --quiet
        packtool delta dist-before dist -o update.zip --quiet
        packtool publish dist --to cdn --quiet
        packtool publish dist --to cdn --channel beta --quiet
        packtool install cdn --into phone --quiet; packtool embed cdn -o offline --no-pin --quiet
        (umask 077; echo secret > pass.txt)
        packtool keys init --app shop --dir old --passphrase-file pass.txt --floor production=9 --floor beta=9 --quiet
        packtool keys new anna.key --passphrase-file pass.txt --quiet
        rm anna.key; mv old/1.root.json old/root.key old/release.key .; rm -r old
        packtool keys root 1.root.json -o 2.json --quiet
        """
}
