import ArgumentParser
import Foundation
import PackSettings
import TestSupport
import Testing

@testable import PackCommands

/// Every flag has an effect or is rejected, and flags for settings use the name of their key in
/// `packtool.yaml`.
@Suite struct FlagTests {
    /// A command as described by `--experimental-dump-help`.
    private struct Command: Decodable {
        struct Argument: Decodable {
            struct Name: Decodable {
                let kind: String
                let name: String
            }

            let kind: String
            let isOptional: Bool
            let shouldDisplay: Bool
            let names: [Name]?
            let allValues: [String]?

            var flag: String? { names?.first { $0.kind == "long" }?.name }
        }

        let commandName: String
        let arguments: [Argument]?
        let subcommands: [Command]?

        var flags: [String] { (arguments ?? []).compactMap(\.flag) }

        /// The arguments required by the command.
        var required: String {
            (arguments ?? []).filter { !$0.isOptional }.map {
                $0.flag.map { "--\($0) x" } ?? "x"
            }
            .joined(separator: " ")
        }
    }

    private struct Dump: Decodable {
        let command: Command
    }

    private static func commands() throws -> [Command] { try described.get() }

    private static let described = Result {
        let dump = try JSONDecoder().decode(Dump.self, from: Data(PackTool._dumpHelp().utf8))
        return (dump.command.subcommands ?? []).filter { $0.commandName != "help" }
    }

    @Test func noCommandHidesAFlag() throws {
        let commands = try Self.commands()
        for command in commands {
            for argument in command.arguments ?? [] where argument.flag != nil {
                #expect(argument.shouldDisplay, "\(command.commandName) \(argument.flag ?? "")")
            }
        }
    }

    /// README: the keys of `packtool.yaml` match the flags.
    @Test func keysAndFlagsAreOneList() throws {
        let flags = try Set(Self.commands().flatMap(\.flags))
        let settings = Set(SettingKey.allCases.compactMap(\.flag))
        #expect(settings.subtracting(flags) == [])
        for key in SettingKey.allCases {
            guard let flag = key.flag else { continue }
            let isCount = key == .deltasCount
            #expect(
                flag == key.name || isCount && flag == SettingKey.deltas.name
                    || key == .deltasFrom && flag == "delta-from"
                    || key == .feeds && flag == "feed")
        }
        // In reverse, every top-level key without a flag is a block.
        for key in SettingKey.keys(under: nil) where key.flag == nil {
            // `--profile` is repeatable.
            #expect(!SettingKey.keys(under: key).isEmpty || key == .profiles, "\(key) has no flag")
        }
    }

    /// A flag sets the setting of its name; a flag with another name sets none.
    @Test(arguments: FlagEffectTests.all)
    func aFlagSetsItsSetting(_ test: FlagEffectTests.Case) throws {
        guard let with = Self.settings(test.description), let before = Self.settings(test.line)
        else { return }
        let changed = SettingKey.allCases.filter { with[$0] != before[$0] }
            .map { $0.flag ?? $0.rawValue }
        let flags = Set(SettingKey.allCases.compactMap(\.flag))
        let given = test.flag.split(separator: " ").filter { $0.hasPrefix("--") }
            .map { Self.setting(of: String($0.dropFirst(2)), test.command) }
        #expect(Set(changed) == Set(given.filter(flags.contains)), "\(test)")
    }

    /// The name of the setting that a flag sets; for other flags, the flag.
    private static func setting(of flag: String, _ command: String) -> String {
        command == "simulate" && flag == "client" ? "profile" : flag
    }

    /// The settings in a command line; `nil` if it needs a shell or another flag.
    private static func settings(_ line: String) -> Configuration? {
        guard let words = Sandbox.words(of: line),
            let command = CommandLineParser.named(words) as? any ToolCommand
        else { return nil }
        var settings = Configuration()
        command.apply(to: &settings)
        return settings
    }

    /// Help and shell completion list the allowed values of a setting.
    @Test func helpListsTheChoices() async throws {
        for command in try Self.commands() {
            for argument in command.arguments ?? [] {
                guard let flag = argument.flag else { continue }
                let name = Self.setting(of: flag, command.commandName)
                guard let key = SettingKey.allCases.first(where: { $0.flag == name }),
                    let choices = key.form.choices
                else { continue }
                #expect(argument.allValues == choices, "\(command.commandName) --\(flag)")
            }
        }
        let script = try await Sandbox().run("packtool --generate-completion-script bash").output
        #expect(script.contains("basename-cache"))
    }

    /// Runs every command with every flag it does not have: exit code 64, the flag's name, and a
    /// hint.
    ///
    /// `make test` tries a sample, because reading a command line takes 0.1 s in a debug build.
    @Test func aFlagThatACommandDoesNotUseIsRefused() async throws {
        let commands = try Self.commands()
        let takesValue = Dictionary(
            commands.flatMap { $0.arguments ?? [] }.compactMap { argument in
                argument.flag.map { ($0, argument.kind == "option") }
            }, uniquingKeysWith: { $0 || $1 })
        var cases: [(command: Command, flag: String)] = []
        for command in commands {
            for flag in takesValue.keys.sorted() where !command.flags.contains(flag) {
                cases.append((command, flag))
            }
        }
        #expect(cases.count > 300)
        let sandbox = try Sandbox()
        for (command, flag) in Soak.sample(cases, 20) {
            let value = takesValue[flag] == true ? " x" : ""
            let run = try await sandbox.run(
                "packtool \(command.commandName) \(command.required) --\(flag)\(value)")
            let answer = run.errors
            let what: Comment = "packtool \(command.commandName) --\(flag): \(answer)"
            #expect(run.status == 64, what)
            #expect(answer.contains("--\(flag)"), what)
            #expect(answer.contains("\nhelp: "), what)
            if commands.contains(where: { $0.commandName != "resolve" && $0.flags.contains(flag) })
            {
                #expect(
                    answer.contains("'packtool \(command.commandName)' does not use --\(flag)"),
                    what)
            }
        }
    }

    /// The flags that `publish` uses in each of its modes.
    private static let ofEachMode: Set<String> = [
        "cache", "config", "dry-run", "endpoint", "help", "json", "no-conditional-writes",
        "passphrase-file", "quiet", "region", "sign-key", "sign-with", "to", "trust", "verbose",
        "verify-all", "version",
    ]

    /// A mode that publishes no build refuses the flags of one.
    @Test(arguments: [
        ("--pointer p.json", ["allow-identity-change", "feed", "trust-sizes"]),
        (
            "dist --repair",
            [
                "app", "base-url", "channel", "commit", "exclude", "host", "launch", "level",
                "no-cache", "no-check", "page-origin", "profile", "require-origin", "scheme",
            ]
        ),
    ]) func modesOfPublishRefuseTheFlagsOfAnOffer(_ mode: String, _ used: [String]) async throws {
        let sandbox = try Sandbox()
        try await sandbox.prepare("build")
        let publish = try #require(try Self.commands().first { $0.commandName == "publish" })
        var accepted: Set<String> = []
        for argument in publish.arguments ?? [] {
            guard let flag = argument.flag, !mode.contains("--\(flag)") else { continue }
            let value = argument.kind == "option" ? " \(argument.allValues?.first ?? "1")" : ""
            let run = try await sandbox.run(
                "packtool publish \(mode) --to cdn --\(flag)\(value)")
            let isRefused = run.status == 64 && run.errors.contains("unchanged; leave out ")
            if !isRefused { accepted.insert(flag) }
        }
        #expect(accepted == Self.ofEachMode.union(used))
    }

    /// Contradictory flags.
    @Test(arguments: [
        "check dist --format sarif --json", "check dist --format text --json",
        "diff dist dist --format text --json", "check dist --dump-urls --format sarif",
        "check dist --dump-urls --hints", "check dist --dump-urls --update-baseline --baseline b",
        "check dist --update-baseline --baseline b --format json", "rules --markdown --json",
        "rules missing-file --markdown", "rules --markdown --profile capacitor",
        "publish dist --to cdn --cache a --no-cache",
        "publish dist --to cdn --deltas 2 --delta-from 11111111111111111111",
        "rewrite dist -o app --reverse --dual", "rewrite dist -o app --reverse --host a.example",
        "rewrite dist -o app --dual --form custom",
        "rewrite dist -o app --dual --page-origin custom", "nosuch --help", "help nosuch",
        "nosuch --version",
    ]) func contradictions(_ arguments: String) async throws {
        let sandbox = try Sandbox()
        try await sandbox.prepare("build")
        let run = try await sandbox.run("packtool \(arguments)")
        #expect(run.status == 64, "\(run.output)\(run.errors)")
        expectMessage(run.errors)
    }

    /// A command ignores settings it does not need, even if their values are invalid.
    @Test func keysThatACommandDoesNotNeedAreNotUsed() async throws {
        let sandbox = try Sandbox()
        try await sandbox.prepare(
            """
            build
            printf 'app: a/b\\nbase-url: ftp://x\\nchannel: Beta\\nscheme: https\\nto: s3://x\\n' \
                > packtool.yaml
            """)
        for command in ["hash dist", "package dist -o a.zip", "rules", "diff dist dist"] {
            let run = try await sandbox.run("packtool \(command)")
            #expect(run.status == 0, "\(command): \(run.errors)")
        }
    }
}
