import ArgumentParser
import PackPublish
import PackSettings

/// `packtool pause`.
struct PauseCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "pause",
        abstract: "Stops all updates of a channel.",
        usage: "packtool pause [<origin>] [<options>]",
        discussion: """
            Devices keep their release until the channel is resumed. With --bypass, apps also \
            ignore their packages and load the https pages. Clients that read only info.json \
            ignore a pause: roll back for them.

            Example:
              packtool pause cdn
              packtool pause cdn --bypass --actor anna
            """)

    @OptionGroup var location: OriginArgument

    @Flag(help: "Make apps load the https pages until the channel is resumed.")
    var bypass = false

    @OptionGroup var line: ChannelOption
    @OptionGroup var change: ChangeOptions
    @OptionGroup var output: OutputOptions

    func apply(to settings: inout Configuration) {
        location.apply(to: &settings)
        line.apply(to: &settings)
    }

    func run(_ console: Console) async throws -> Int32 {
        try await change.run(
            .pause(bypasses: bypass), on: location, settings(console), output, console)
    }
}
