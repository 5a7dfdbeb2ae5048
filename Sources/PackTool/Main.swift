import ArgumentParser
import Dispatch
import PackCore

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The version of this tool, as `--version` and every manifest's `build.tool` say it.
let toolVersion = "1.0.0"

/// The entry point: parses, runs, and turns whatever happens into the contract's exit codes.
@main
struct Main {
    /// Not async itself: help, version and wrong usage are answered before any thread is started.
    static func main() {
        // A reader that goes away ("| head") must not end a publish half way.
        signal(SIGPIPE, SIG_IGN)
        Console.keepStreamsTaken()
        // libarchive converts the time of every entry it reads, and without TZ glibc looks up the time
        // zone's file for each: a tenth of the CPU of a publish of small files. No output is in local time.
        setenv("TZ", "UTC0", 1)
        var command: any ParsableCommand
        do {
            command = try PackTool.parseAsRoot()
        } catch {
            exit(report(parsing: error))
        }
        guard let verb = command as? any Verb else {
            do {
                try command.run()
                exit(0)
            } catch {
                exit(report(parsing: error))
            }
        }
        Task.detached { await exit(run(verb)) }
        dispatchMain()
    }

    private static func run(_ verb: any Verb) async -> Int32 {
        let console = Console(isJSON: verb.output.json, isQuiet: verb.output.quiet)
        do {
            try OpenFileLimit.prepare()
            Interruption.watch(console)
            let status = try await verb.run(console)
            return console.finish(status)
        } catch {
            return fail(error, console)
        }
    }

    private static func fail(_ error: any Error, _ console: Console) -> Int32 {
        console.fail(error)
        let failure = (error as? any Remedied)?.failure ?? .couldNotDo
        return console.finish(failure.rawValue)
    }

    /// Help and version go to standard output and are no failure; wrong usage goes to standard error.
    private static func report(parsing error: any Error) -> Int32 {
        let arguments = Array(CommandLine.arguments.dropFirst())
        let isHelp = PackTool.exitCode(for: error).rawValue == 0
        let console = Console(isJSON: !isHelp && arguments.contains("--json"), isQuiet: false)
        if isHelp {
            var message = PackTool.fullMessage(for: error)
            while message.hasSuffix("\n") { message.removeLast() }
            console.print(
                Text(
                    lines: message.split(separator: "\n", omittingEmptySubsequences: false).map(
                        String.init)))
            return console.finish(0)
        }
        let verbs = PackTool.configuration.subcommands
            .filter { $0.configuration.shouldDisplay }.map { $0._commandName }
        return fail(
            WrongUsage(shown(error, arguments), arguments: arguments, verbs: verbs), console)
    }

    /// The same error about arguments that may be shown: ArgumentParser repeats them as they are.
    private static func shown(_ error: any Error, _ arguments: [String]) -> any Error {
        let harmless = arguments.map { printable(withoutSecrets($0).utf8) }
        if harmless == arguments { return error }
        do {
            _ = try PackTool.parseAsRoot(harmless)
            return ValidationError("An argument holds a control character.")
        } catch {
            return error
        }
    }
}

/// The command line's root.
struct PackTool: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "packtool",
        abstract:
            "Packages a front-end build for apps that open it offline, and publishes it to a CDN.",
        discussion: """
            A front-end build goes in; a CDN origin comes out that apps install from, every byte of it \
            proved.

            Example, from a build to an installed release:
              packtool init --base-url https://cdn.example.com/shop
              packtool publish --to cdn
              packtool verify cdn
              packtool install cdn --into phone

            Exit codes: 0 done, 1 findings or verification failed, 2 could not do it, 3 another \
            publisher was at work, 64 wrong usage.
            """,
        version: "packtool \(toolVersion)",
        subcommands: [
            InitCommand.self, HashCommand.self, ManifestCommand.self, PackageCommand.self,
            PublishCommand.self, VerifyCommand.self, InstallCommand.self, DiffCommand.self,
            DeltaCommand.self, ApplyCommand.self, CheckCommand.self, RewriteCommand.self,
            RulesCommand.self,
            SimulateCommand.self, ResolveCommand.self,
        ])
}

/// A verb of the contract.
///
/// It is run by `Main`, which knows what to do with its errors.
protocol Verb: ParsableCommand {
    var output: OutputOptions { get }

    /// Does the work and returns the exit code.
    func run(_ console: Console) async throws -> Int32
}

extension Verb {
    /// Never called: `Main` runs verbs by ``run(_:)``.
    mutating func run() throws {
        throw CleanExit.helpRequest(self)
    }
}
