import ArgumentParser
import Dispatch
import PackCore

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The entry point: parses, runs, and turns the result into an exit code.
@main
struct Main {
    /// Not async itself: help, version and wrong usage are answered before any thread is started.
    static func main() {
        // A reader that goes away ("| head") must not end a publish half way.
        signal(SIGPIPE, SIG_IGN)
        Console.keepStreamsTaken()
        CurrentFile.reportCrashes()
        // libarchive converts the time of every entry it reads, and without TZ glibc looks up the time
        // zone's file for each: a tenth of the CPU of a publish of small files. No output is in local time.
        setenv("TZ", "UTC0", 1)
        var parsed: any ParsableCommand
        do {
            parsed = try PackTool.parseAsRoot()
        } catch {
            exit(report(parsing: error))
        }
        guard let command = parsed as? any ToolCommand else {
            do {
                try parsed.run()
                exit(0)
            } catch {
                exit(report(parsing: error))
            }
        }
        let work = Task.detached { await exit(run(command)) }
        Interruption.cancels { work.cancel() }
        dispatchMain()
    }

    private static func run(_ command: any ToolCommand) async -> Int32 {
        let console = Console(isJSON: command.output.json, isQuiet: command.output.quiet)
        if command.output.verbose { RequestTrace.begin() }
        do {
            try OpenFileLimit.prepare()
            Interruption.watch(console)
            let status = try await command.run(console)
            await Interruption.hasEnded()
            return console.finish(status)
        } catch {
            await Interruption.hasEnded()
            return fail(error, console)
        }
    }

    /// Reports what ended a command, and returns the exit code.
    static func fail(_ error: any Error, _ console: Console) -> Int32 {
        console.fail(error)
        let code = (error as? any Remedied)?.exitCode ?? .couldNotDo
        return console.finish(code.rawValue)
    }

    /// Help and version go to standard output and are no failure; wrong usage goes to standard error.
    private static func report(parsing error: any Error) -> Int32 {
        let arguments = Array(CommandLine.arguments.dropFirst())
        // "packtool nosuch --help" asks for help on a command that there is not.
        let unknown = WrongUsage(unknownCommandIn: arguments)
        let isHelp = unknown == nil && PackTool.exitCode(for: error).rawValue == 0
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
        return fail(
            unknown ?? WrongUsage(shown(error, arguments), arguments: arguments), console)
    }

    /// The same error about arguments that may be shown: ArgumentParser repeats them as they are.
    private static func shown(_ error: any Error, _ arguments: [String]) -> any Error {
        let harmless = arguments.map { printable(withoutSecrets($0).utf8) }
        if harmless == arguments { return error }
        do {
            _ = try PackTool.parseAsRoot(harmless)
            return ValidationError("An argument has a control character.")
        } catch {
            return error
        }
    }
}
