import ArgumentParser
import PackGround

/// One run of packtool: a command line and its environment in, output on its streams and an exit code out.
///
/// Several can run in one process at the same time: a run reads and changes nothing of its process except through
/// its ``ProcessEnvironment``.
package struct CommandRun: Sendable {
    /// The exit code if no command runs: help, the version, or wrong usage, which are answered already.
    package let status: Int32?
    package let interruption: Interruption

    private let command: (any ToolCommand)?
    private let console: Console

    /// Reads a command line.
    ///
    /// - Parameter arguments: without the program's name.
    package init(_ arguments: [String], in environment: ProcessEnvironment) {
        let interruption = Interruption()
        self.interruption = interruption
        let console = { (isJSON: Bool, isQuiet: Bool, isVerbose: Bool) in
            Console(
                environment, interruption, arguments: arguments, isJSON: isJSON, isQuiet: isQuiet,
                isVerbose: isVerbose)
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
            return
        }
        command = nil
        do {
            // A command of ArgumentParser's own throws what it has to say.
            try parsed.run()
            status = 0
            self.console = console(false, false, false)
        } catch {
            (self.console, status) = Self.answer(error, arguments) { console($0, false, false) }
        }
    }

    /// Runs the command and returns the exit code.
    ///
    /// - Parameter prepare: is called before the command starts; what it throws ends the run.
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

    /// Ends this run by a signal; `leave` gets the exit code, or `nil` if the signal is to end the process.
    func end(bySignal number: Int32, leave: (Int32?) -> Never) {
        interruption.end(by: number, console, leave: leave)
    }

    /// Help and version go to standard output and are no failure; wrong usage goes to standard error.
    private static func answer(
        _ error: any Error, _ arguments: [String], _ console: (_ isJSON: Bool) -> Console
    ) -> (Console, Int32) {
        // "packtool nosuch --help" asks for help on a command that does not exist.
        let unknown = WrongUsage(unknownCommandIn: arguments)
        guard unknown == nil, PackTool.exitCode(for: error).rawValue == 0 else {
            let console = console(arguments.contains("--json"))
            let shown = CommandLineParser.shown(error, arguments)
            return (console, console.end(unknown ?? WrongUsage(shown, arguments: arguments)))
        }
        let console = console(false)
        var message = PackTool.fullMessage(for: error)
        while message.hasSuffix("\n") { message.removeLast() }
        console.print(
            Text(
                lines: message.split(separator: "\n", omittingEmptySubsequences: false).map(
                    String.init)))
        return (console, console.finish(0))
    }
}
