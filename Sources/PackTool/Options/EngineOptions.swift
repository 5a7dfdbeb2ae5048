import ArgumentParser
import PackSettings

/// Opening the pages in an engine.
struct EngineOptions: ParsableArguments {
    @Flag(help: "Also open the pages in WebKitGTK, as the app would.")
    var engine = false

    @Option(
        help: ArgumentHelp(
            "The largest number of pages to open (default: \(Defaults.enginePages)).",
            valueName: "count"))
    var pages: Int?

    @Option(
        help: ArgumentHelp(
            "The time for all pages in seconds (default: \(Defaults.engineSeconds)).",
            valueName: "seconds"))
    var engineTime: Int?

    @Flag(help: "Let opened pages reach other hosts.")
    var network = false

    func validate() throws {
        if let pages, !(1...10_000).contains(pages) {
            throw ValidationError("--pages takes 1 to 10000.")
        }
        if let engineTime, !(1...86_400).contains(engineTime) {
            throw ValidationError("--engine-time takes 1 to 86400.")
        }
        if !engine, pages != nil || engineTime != nil || network {
            throw ValidationError("--pages, --engine-time and --network are for --engine.")
        }
    }

    /// The limits of a run; `nil` without an engine.
    var request: EngineRun.Request? {
        guard engine else { return nil }
        return EngineRun.Request(
            pages: pages ?? Defaults.enginePages, seconds: engineTime ?? Defaults.engineSeconds,
            hasNetwork: network)
    }
}
