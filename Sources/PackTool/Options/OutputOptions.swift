import ArgumentParser
import PackCore

/// The flags that every verb takes.
struct OutputOptions: ParsableArguments {
    @Flag(help: "Print one JSON document on standard output; talk goes to standard error.")
    var json = false

    @Flag(help: "Print nothing but results and errors.")
    var quiet = false

    @Option(
        name: .customLong("config"),
        help: ArgumentHelp(
            "The configuration file (default: packtool.yaml, if there is one).",
            valueName: "file"))
    var configFile: String?
}
