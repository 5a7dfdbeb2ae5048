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
            Offers the same bytes as the other channel: nothing is built or packed. Missing deltas \
            from the last releases of --channel are created. The release keeps its label (change \
            it with --label) and its app versions; the share is the one of --channel (change it \
            with --rollout).

            Example:
              packtool promote cdn --from beta --dry-run
              packtool promote cdn --from beta --channel production --actor anna
              packtool promote cdn --from beta --label 2.5
            """)

    @OptionGroup var location: OriginArgument

    @Option(
        name: .customLong("from"),
        help: ArgumentHelp("The channel to take the release from.", valueName: "channel"))
    var source: String

    @Option(
        help: ArgumentHelp(
            "The label or version to promote (default: the channel's first offer).",
            valueName: "release"))
    var release: String?

    @Option(
        help: ArgumentHelp(
            "The label of the release on --channel (default: its current label).",
            valueName: "text"))
    var label: String?

    @Option(name: .setting(.deltasCount), help: .setting(.deltasCount, "count"))
    var deltas: Int?

    @OptionGroup var conditions: ConditionOptions
    @OptionGroup var line: ChannelOption
    @OptionGroup var change: ChangeOptions
    @OptionGroup var output: OutputOptions

    func apply(to settings: inout Configuration) {
        location.apply(to: &settings)
        settings.set(.deltasCount, deltas)
        line.apply(to: &settings)
    }

    func validate() throws { try checkDeltas(deltas) }

    func run(_ console: Console) async throws -> Int32 {
        try checkLabel(label)
        let settings = try settings(console)
        let promotion = ChannelRequest.Promotion(
            source: try Channel(source), release: release, label: label,
            conditions: conditions.conditions,
            staysPaused: conditions.stayPaused, deltas: try settings.deltas())
        return try await change.run(.promote(promotion), on: location, settings, output, console)
    }
}
