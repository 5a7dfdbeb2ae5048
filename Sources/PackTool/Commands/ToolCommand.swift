import ArgumentParser
import PackGround
import PackSettings

/// Hides ArgumentParser's type of the same name.
typealias ExitCode = PackGround.ExitCode

/// A command run by ``CommandRun``, which handles its errors.
protocol ToolCommand: ParsableCommand, Sendable {
    var output: OutputOptions { get }

    /// Adds the settings given by the command's flags and arguments.
    func apply(to settings: inout Configuration)

    /// Executes the command and returns the exit code.
    func run(_ console: Console) async throws -> Int32
}

extension ToolCommand {
    func apply(to settings: inout Configuration) {}

    /// Never called: ``CommandRun`` uses ``run(_:)``.
    mutating func run() throws {
        throw CleanExit.helpRequest(self)
    }
}
