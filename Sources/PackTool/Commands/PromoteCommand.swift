import ArgumentParser
import PackPublish
import PackRelease
import PackSettings

/// `packtool promote`.
struct PromoteCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "promote",
        abstract: "Offers a release of one channel on another.",
        usage: "packtool promote [<origin>] --from <channel> [<options>]",
        discussion: """
            The same bytes as in the other channel: nothing is built or packed. Deltas from the last \
            releases of --channel are made if there are none yet. The release keeps its label, unless \
            --label gives it another on --channel, and the app versions that can run it; the share is \
            that of --channel unless --rollout says another.

            Example:
              packtool promote cdn --from beta --dry-run
              packtool promote cdn --from beta --channel production --actor anna
              packtool promote cdn --from beta --label 2.5
            """)

    @OptionGroup var place: OriginArgument

    @Option(
        name: .customLong("from"),
        help: ArgumentHelp("The channel to take the release from.", valueName: "channel"))
    var source: String

    @Option(
        help: ArgumentHelp(
            "The label or version to promote (default: what the channel offers first).",
            valueName: "release"))
    var release: String?

    @Option(
        help: ArgumentHelp(
            "The name that the release gets on --channel (default: the one that it has).",
            valueName: "text"))
    var label: String?

    @Option(name: .setting(.deltasCount), help: .setting(.deltasCount, "count"))
    var deltas: Int?

    @OptionGroup var conditions: ConditionOptions
    @OptionGroup var line: ChannelOption
    @OptionGroup var change: ChangeOptions
    @OptionGroup var output: OutputOptions

    func give(to settings: inout Configuration) {
        place.give(to: &settings)
        settings.set(.deltasCount, deltas)
        line.give(to: &settings)
    }

    func validate() throws { try checkDeltas(deltas) }

    func run(_ console: Console) async throws -> Int32 {
        try checkLabel(label)
        let settings = try settings(console)
        let promotion = ChannelRequest.Promotion(
            source: try Channel(source), release: release, label: label,
            conditions: conditions.conditions,
            staysPaused: conditions.stayPaused, deltas: try settings.deltas())
        return try await change.run(.promote(promotion), on: place, settings, output, console)
    }
}
