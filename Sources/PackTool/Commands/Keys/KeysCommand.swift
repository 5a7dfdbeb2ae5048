import ArgumentParser
import PackGround

/// `packtool keys`: keys and trust roots.
struct KeysCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys",
        abstract: "Creates keys and trust roots, signs and publishes roots.",
        usage: "packtool keys <command> [<options>]",
        discussion: """
            With keys, write access to the CDN is not enough to publish to the app: it accepts \
            only pointers signed by keys of its trust root. See docs/trust.md for the threat model \
            and for storing keys.

            Example, the keys of one person and the first root:
              packtool keys init --app shop --dir keys --passphrase-file pass.txt
              packtool keys show keys/1.root.json
            """,
        subcommands: [
            KeysInitCommand.self, KeysNewCommand.self, KeysShowCommand.self, KeysRootCommand.self,
            KeysSignCommand.self, KeysCheckCommand.self, KeysPublishCommand.self,
        ])

    @OptionGroup var output: OutputOptions

    func run(_ console: Console) async throws -> Int32 {
        throw Failure.missingCommand(
            .usageKeysCommand, group: "keys",
            commands: Self.configuration.subcommands.map { $0._commandName })
    }
}
