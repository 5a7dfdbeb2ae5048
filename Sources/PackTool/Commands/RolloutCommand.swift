import ArgumentParser
import PackPublish
import PackSettings

/// `packtool rollout`.
struct RolloutCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "rollout",
        abstract: "Changes the share of devices that get the current release.",
        usage: "packtool rollout [<origin>] <percent> [<options>]",
        discussion: """
            A device's ID decides whether it is in a share, so a larger share keeps all devices of \
            a smaller one. At 100, info.json and site/ are also updated, for clients without \
            shares.

            Example:
              packtool rollout cdn 50 --dry-run
              packtool rollout cdn 100
            """)

    @OptionGroup var location: OriginArgument

    @Argument(help: ArgumentHelp("The share, 0 to 100.", valueName: "percent"))
    var percent: Int?

    @Flag(help: "Allow a lower share; devices that have the release keep it.")
    var shrink = false

    @OptionGroup var line: ChannelOption
    @OptionGroup var change: ChangeOptions
    @OptionGroup var output: OutputOptions

    func validate() throws { try checkShare(share(), "rollout") }

    /// A single argument is the share.
    private func share() throws -> Int {
        guard let share = percent ?? location.given.flatMap({ Int($0) }) else {
            throw ValidationError("rollout takes the share, 0 to 100, after the origin.")
        }
        return share
    }

    func apply(to settings: inout Configuration) {
        location.apply(to: &settings)
        line.apply(to: &settings)
    }

    func run(_ console: Console) async throws -> Int32 {
        var location = location
        if percent == nil { location.given = nil }
        return try await change.run(
            .rollout(share(), shrinks: shrink), on: location, settings(console), output, console)
    }
}
