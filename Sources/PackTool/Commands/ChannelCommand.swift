import ArgumentParser
import PackGround

/// `packtool channel`: commands for whole channels.
struct ChannelCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "channel",
        abstract: "Ends a channel.",
        usage: "packtool channel <command> [<options>]",
        discussion: """
            Publishing the first release to a channel creates it. 'packtool status' lists the \
            channels of an origin.

            Example:
              packtool channel close cdn pr-17
            """,
        subcommands: [ChannelCloseCommand.self])

    @OptionGroup var output: OutputOptions

    func run(_ console: Console) async throws -> Int32 {
        throw Failure.missingCommand(
            .usageChannelCommand, group: "channel",
            commands: Self.configuration.subcommands.map { $0._commandName })
    }
}
