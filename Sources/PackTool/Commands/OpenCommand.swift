import ArgumentParser
import PackCheck
import PackEngine
import PackGround
import PackProfile
import PackRelease
import PackSettings

/// `packtool open`.
struct OpenCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "open",
        abstract: "Shows a package in a window, with the answers of the app's handler.",
        usage: "packtool open [<dir>] [--profile <name>] [<options>]",
        discussion: """
            Opens the launch page in WebKitGTK. The window has the buttons Back and Reload, and a \
            list of all requests with the files that answered them. Other hosts are not reached \
            without --network. It needs a display; 'packtool check --engine' does not.

            Example:
              packtool open dist
              packtool open dist --profile capacitor
            """)

    @Argument(
        help: ArgumentHelp("The build output, or a package.", valueName: "dir"), completion: .path)
    var build: String?

    @Flag(help: "Let pages reach other hosts.")
    var network = false

    @OptionGroup var pages: PageOptions
    @OptionGroup var launch: LaunchOption
    @OptionGroup var exclude: ExcludeOption
    @OptionGroup var output: OutputOptions

    func apply(to settings: inout Configuration) {
        settings.set(.build, build)
        pages.apply(to: &settings)
        launch.apply(to: &settings)
        exclude.apply(to: &settings)
    }

    func run(_ console: Console) async throws -> Int32 {
        let settings = try settingsWithBuild(console)
        let run = try CheckRun(settings)
        let path = try settings.build()
        console.interruption.isExpected()
        return try await CheckRun.withDirectory(
            path, excluding: settings.exclusions, console, writes: false
        ) { directory, exclusions in
            let site = try run.site(
                directory, excluding: exclusions, for: run.openedProfile())
            guard !site.files.isEmpty else { throw Failure.buildEmpty(path: directory.path) }
            guard site.profile.hasCustomPages || network else { throw Failure.engineHTTPS() }
            guard
                ["DISPLAY", "WAYLAND_DISPLAY"].contains(where: {
                    console.environment.variable($0) != nil
                })
            else { throw Failure.engineNoDisplay() }
            let window = EngineWindow(site, hasNetwork: network, console)
            let requests = try await TemporaryDirectory.with(console) {
                try window.show(directory, in: $0)
            }
            if output.json {
                console.print(json: .members(["requests": .array(requests.map(\.json))]))
            }
            return 0
        }
    }
}
