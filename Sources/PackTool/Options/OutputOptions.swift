import ArgumentParser
import PackSettings

/// The flags common to all commands.
struct OutputOptions: ParsableArguments {
    @Flag(help: "Print one JSON document on standard output; messages go to standard error.")
    var json = false

    @Flag(help: "Print only results and errors.")
    var quiet = false

    @Flag(help: "Print every request to a server or bucket on standard error.")
    var verbose = false

    @Option(
        name: .customLong("config"),
        help: ArgumentHelp(
            "The configuration file (default: \(Defaults.configurationFile), if there is one).",
            valueName: "file"), completion: .path)
    var configFile: String?

    /// Rejects `--json` with another explicit format.
    func checkFormat(_ format: String?) throws {
        guard json, let format, format != "json" else { return }
        throw ValidationError("--json and --format \(format) contradict each other.")
    }
}
