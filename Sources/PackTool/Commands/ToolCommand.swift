import ArgumentParser
import PackGround
import PackSettings

/// ArgumentParser has a type of this name, too, which this hides.
typealias ExitCode = PackGround.ExitCode

/// A command of the contract.
///
/// It is run by ``CommandRun``, which knows what to do with its errors.
protocol ToolCommand: ParsableCommand, Sendable {
    var output: OutputOptions { get }

    /// Adds what the command's own flags and arguments say of the settings.
    func give(to settings: inout Configuration)

    /// Does the work and returns the exit code.
    func run(_ console: Console) async throws -> Int32
}

extension ToolCommand {
    func give(to settings: inout Configuration) {}

    /// Never called: ``CommandRun`` runs commands by ``run(_:)``.
    mutating func run() throws {
        throw CleanExit.helpRequest(self)
    }
}
