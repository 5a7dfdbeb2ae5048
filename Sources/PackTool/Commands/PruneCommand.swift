import ArgumentParser
import PackGround
import PackOrigin
import PackPublish
import PackRelease
import PackSettings

/// `packtool prune`.
struct PruneCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "prune",
        abstract: "Deletes files that no retained release uses, after a grace period.",
        usage: "packtool prune [<origin>] [--yes] [<options>]",
        discussion: """
            Without --yes, it only prints the plan. Each channel retains its last releases \
            (--keep), everything offered in the last days (--grace-days), and pinned releases, \
            such as those bundled in apps. All log entries and trust roots stay. A first run \
            records unused files; a run at least --delay-hours later deletes those still unused. \
            Run it daily.

            Example:
              packtool prune cdn
              packtool prune cdn --keep 10 --grace-days 60 --yes
              packtool prune cdn --pin 1.0 --reason "app 3.2"
              packtool prune cdn --abandon
            """)

    @OptionGroup var location: OriginArgument

    @Option(
        help: ArgumentHelp(
            "The number of releases of each channel to keep (default: \(Defaults.prunedKeep)).",
            valueName: "count"))
    var keep: Int?

    @Option(
        help: ArgumentHelp(
            "How long a replaced release stays (default: \(Defaults.prunedGraceDays)).",
            valueName: "days"))
    var graceDays: Int?

    @Option(
        help: ArgumentHelp(
            "How long a file must be unused before it is deleted (default: \(Defaults.prunedDelayHours)).",
            valueName: "hours"))
    var delayHours: Int?

    @Flag(help: "Record unused files, and delete those unused for long enough.")
    var yes = false

    @Flag(help: "Only print the plan, even with --yes.")
    var dryRun = false

    @Option(
        help: ArgumentHelp(
            "Keep a release that apps contain; delete nothing.", valueName: "version or label"))
    var pin: String?

    @Option(
        help: ArgumentHelp(
            "Remove a pin; no files are deleted.", valueName: "version or label"))
    var unpin: String?

    @Flag(
        help: """
            Remove the marks of interrupted runs, which other runs wait for; only if no packtool works on the \
            origin. Delete nothing else.
            """)
    var abandon = false

    @OptionGroup var why: PinReason

    @OptionGroup var safety: UnsafeStoreOption
    @OptionGroup var line: ChannelOption
    @OptionGroup var output: OutputOptions

    func apply(to settings: inout Configuration) {
        location.apply(to: &settings)
        line.apply(to: &settings)
    }

    func validate() throws {
        try check(keep, "--keep", 1...10_000)
        try check(graceDays, "--grace-days", 0...3650)
        try check(delayHours, "--delay-hours", 0...8760)
        if pin != nil, unpin != nil {
            throw ValidationError("--pin and --unpin exclude each other.")
        }
        if why.reason != nil, pin == nil {
            throw ValidationError("--reason describes a pin; add --pin.")
        }
        let isPinning = pin != nil || unpin != nil
        let deletes = keep != nil || graceDays != nil || delayHours != nil || yes || dryRun
        if abandon, isPinning || deletes || line.channel != nil {
            throw ValidationError("--abandon does nothing else; leave out the other flags.")
        }
        if isPinning, deletes {
            throw ValidationError(
                "--pin and --unpin delete nothing; leave out --keep, --grace-days, --delay-hours, --yes and "
                    + "--dry-run.")
        }
        if !isPinning, line.channel != nil {
            throw ValidationError(
                "--channel selects a pinned release; files are pruned for all channels together."
            )
        }
    }

    private func check(_ value: Int?, _ name: String, _ range: ClosedRange<Int>) throws {
        if let value, !range.contains(value) {
            throw ValidationError("\(name) takes \(range.lowerBound) to \(range.upperBound).")
        }
    }

    func run(_ console: Console) async throws -> Int32 {
        let settings = try settings(console)
        let origin = try location.origin(settings)
        let path = try location.path(settings)
        if path != nil { try safety.refuse(for: origin) }
        let store = try location.writable(settings, safety, nil, console)
        let channel = try settings.channel()
        if let pin {
            let now = try console.environment.now()
            let made = try await Pin.record(
                pin, of: channel, at: store, now: now, clock: console.environment.clock,
                reason: why.reason)
            printChange(made, "pinned", at: origin, console)
            return 0
        }
        if let unpin {
            let taken = try await Pin.remove(unpin, of: channel, at: store)
            printChange(taken, "unpinned", at: origin, console)
            return 0
        }
        if abandon {
            let count = try await RunIntent.abandon(at: store)
            if output.json {
                console.print(
                    json: .members(["outcome": .string("abandoned"), "marks": .integer(count)]))
            } else {
                console.stdout(
                    count == 0
                        ? "no run was interrupted at \(origin)"
                        : "removed the marks of \(counted(count, "interrupted run")) at \(origin)")
            }
            return 0
        }
        let started = console.environment.monotonicSeconds()
        var request = PruneRequest(
            keep: keep ?? Defaults.prunedKeep,
            graceDays: graceDays ?? Defaults.prunedGraceDays,
            delayHours: delayHours ?? Defaults.prunedDelayHours, now: console.environment.clock,
            jobs: try console.environment.jobs(), progress: console.progress)
        let isPlan = dryRun || !yes
        request.clock = { console.environment.clock }
        let report =
            isPlan
            ? try await Pruner.plan(request, on: store) : try await Pruner.run(request, on: store)
        for note in report.notes { console.note(note) }
        let text = PruneReportText(
            report: report, origin: origin, isPlan: isPlan,
            seconds: console.environment.monotonicSeconds() - started)
        if output.json {
            console.print(json: text.json)
        } else {
            console.stdout(text.text)
        }
        return 0
    }

    private func printChange(_ pin: Pin, _ what: String, at origin: String, _ console: Console) {
        if output.json {
            console.print(
                json: .members([
                    "outcome": .string(what), "channel": .string(pin.channel.description),
                    "version": .string(pin.version.description), "reason": pin.reason.json,
                    "pin": .string(pin.path),
                ]))
            return
        }
        var lines = Lines("\(what) \(pin.version)")
        lines.add("channel", pin.channel.description)
        if let reason = pin.reason { lines.add("reason", reason) }
        lines.add("pin", "\(origin)/\(pin.path)")
        console.stdout(lines.text)
    }
}
