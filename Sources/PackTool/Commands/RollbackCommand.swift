import ArgumentParser
import PackPublish
import PackSettings

/// `packtool rollback`.
struct RollbackCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "rollback",
        abstract: "Offers an earlier release instead of the current one.",
        usage: "packtool rollback [<origin>] [<options>]",
        discussion: """
            Offers the previously live release, or that of --to-release, in a new pointer with the \
            shares of that time. Files read by clients are verified first; nothing is packed, so \
            it takes seconds.

            Example:
              packtool rollback cdn --dry-run
              packtool rollback cdn --to-release 1.0
            """)

    @OptionGroup var location: OriginArgument

    @Option(
        help: ArgumentHelp(
            "The label or version to go back to (default: the release that was live before).",
            valueName: "release"))
    var toRelease: String?

    @Flag(help: "Let devices run their current release until they have updated.")
    var noMandatory = false

    @OptionGroup var line: ChannelOption
    @OptionGroup var change: ChangeOptions
    @OptionGroup var output: OutputOptions

    func apply(to settings: inout Configuration) {
        location.apply(to: &settings)
        line.apply(to: &settings)
    }

    func run(_ console: Console) async throws -> Int32 {
        if toRelease == nil, !change.dryRun {
            // Repeating the command would roll back a pointer committed before the signal.
            console.interruption.advises(
                "run 'packtool status' to list the live releases, then name an earlier one with --to-release"
            )
        }
        return try await change.run(
            .rollback(to: toRelease, isMandatory: !noMandatory), on: location, settings(console),
            output,
            console)
    }
}
