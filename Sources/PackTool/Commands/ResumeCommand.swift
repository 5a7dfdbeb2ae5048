import ArgumentParser
import PackPublish
import PackSettings

/// `packtool resume`.
struct ResumeCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "resume",
        abstract: "Resumes the updates of a paused channel.",
        usage: "packtool resume [<origin>] [<options>]",
        discussion: """
            Devices get the channel's current offers.

            Example:
              packtool resume cdn
            """)

    @OptionGroup var location: OriginArgument

    @OptionGroup var line: ChannelOption
    @OptionGroup var change: ChangeOptions
    @OptionGroup var output: OutputOptions

    func apply(to settings: inout Configuration) {
        location.apply(to: &settings)
        line.apply(to: &settings)
    }

    func run(_ console: Console) async throws -> Int32 {
        try await change.run(.resume, on: location, settings(console), output, console)
    }
}
