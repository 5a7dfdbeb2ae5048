import ArgumentParser
import PackPublish
import PackSettings

/// `packtool channel close`.
struct ChannelCloseCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "close",
        abstract: "Closes a channel for good, such as the preview of a pull request.",
        usage: "packtool channel close [<origin>] <channel> [<options>]",
        discussion: """
            Devices keep their release and report that the channel was closed; new installations \
            are refused. 'packtool prune' then deletes the releases used only by this channel. A \
            closed pointer does not expire. 'packtool publish --reopen' opens the channel again.

            Example:
              packtool channel close cdn pr-17 --dry-run
              packtool channel close cdn pr-17
            """)

    @OptionGroup var location: OriginArgument

    @Argument(help: ArgumentHelp("The channel to close.", valueName: "channel"))
    var name: String?

    @Flag(help: "Close 'production'; this also ends the updates of info.json and site/.")
    var defaultChannel = false

    @OptionGroup var change: ChangeOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        _ = try channel()
        if change.expiresInDays != nil {
            throw ValidationError("A closed pointer does not expire; omit --expires-in-days.")
        }
    }

    /// A single argument is the channel.
    private func channel() throws -> String {
        guard let channel = name ?? location.given else {
            throw ValidationError("channel close takes the channel after the origin.")
        }
        return channel
    }

    func apply(to settings: inout Configuration) {
        location.apply(to: &settings)
        settings.set(.channel, name ?? location.given)
    }

    func run(_ console: Console) async throws -> Int32 {
        var location = location
        if name == nil { location.given = nil }
        return try await change.run(
            .close(isDefaultToo: defaultChannel), on: location, settings(console), output, console)
    }
}
