import ArgumentParser
import PackGround
import PackSettings

/// One run of packtool: command line and environment in, output and exit code out.
///
/// Several runs can execute in one process: a run only accesses its process through its
/// ``ProcessEnvironment``.
package struct CommandRun: Sendable {
    /// The exit code if no command runs: help, the version and usage errors are already printed.
    package let status: Int32?
    package let interruption: Interruption

    private let command: (any ToolCommand)?
    private let console: Console

    /// Parses a command line.
    ///
    /// - Parameter arguments: The arguments without the program's name.
    package init(_ arguments: [String], in environment: ProcessEnvironment) {
        let (arguments, notes) = RenamedWords.replace(in: arguments)
        let interruption = Interruption()
        self.interruption = interruption
        let console = { (isJSON: Bool, isQuiet: Bool, isVerbose: Bool) in
            Console(
                environment, interruption, arguments: arguments, isJSON: isJSON, isQuiet: isQuiet,
                isVerbose: isVerbose)
        }
        guard !arguments.isEmpty else {
            command = nil
            self.console = console(false, false, false)
            self.console.print(Self.lines(of: FirstSteps.text))
            status = self.console.finish(0)
            return
        }
        var parsed: any ParsableCommand
        do {
            parsed = try CommandLineParser.parse(arguments)
        } catch {
            command = nil
            (self.console, status) = Self.answer(error, arguments) { console($0, false, false) }
            return
        }
        if let command = parsed as? any ToolCommand {
            self.command = command
            status = nil
            let output = command.output
            self.console = console(output.json, output.quiet, output.verbose)
            for note in notes { self.console.note(note) }
            return
        }
        command = nil
        do {
            // A built-in command of ArgumentParser throws its output.
            try parsed.run()
            status = 0
            self.console = console(false, false, false)
        } catch {
            (self.console, status) = Self.answer(error, arguments) { console($0, false, false) }
        }
    }

    /// Runs the command and returns the exit code.
    ///
    /// - Parameter prepare: Called before the command starts; an error ends the run.
    package func finish(prepare: @Sendable (CommandRun) throws -> Void = { _ in }) async -> Int32 {
        guard let command else { return status ?? 0 }
        do {
            try prepare(self)
            let status = try await WorkingDirectory.with(console.environment.workingDirectory) {
                try await command.run(console)
            }
            await interruption.hasEnded()
            return console.finish(status)
        } catch {
            await interruption.hasEnded()
            return console.end(error)
        }
    }

    /// Ends this run by a signal; `leave` receives the exit code, or `nil` if the signal should end
    /// the process.
    func end(bySignal number: Int32, leave: (Int32?) -> Never) {
        interruption.end(by: number, console, leave: leave)
    }

    /// Prints help and version to standard output as a success, and usage errors to standard error.
    private static func answer(
        _ error: any Error, _ arguments: [String], _ console: (_ isJSON: Bool) -> Console
    ) -> (Console, Int32) {
        // "packtool nosuch --help" asks for help on a command that does not exist.
        let unknown = WrongUsage.unknownCommand(in: arguments)
        guard unknown == nil, PackTool.exitCode(for: error).rawValue == 0 else {
            let console = console(arguments.contains("--json"))
            let shown = CommandLineParser.shown(error, arguments)
            return (
                console, console.end(unknown ?? WrongUsage.failure(shown, arguments: arguments))
            )
        }
        let console = console(false)
        var message = PackTool.fullMessage(for: error)
        while message.hasSuffix("\n") { message.removeLast() }
        console.print(lines(of: message))
        return (console, console.finish(0))
    }

    private static func lines(of text: String) -> Text {
        Text(
            lines: text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init))
    }
}
