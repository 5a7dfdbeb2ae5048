import ArgumentParser
import Foundation

@testable import PackCommands

/// Runs commands in this process like `CommandRun`, and keeps their output.
final class Runner {
    struct Result {
        let arguments: [String]
        let status: Int32
        let output: [UInt8]
        let messages: [UInt8]

        var text: String { String(decoding: messages, as: UTF8.self) }
    }

    private let output: Int32
    private let messages: Int32

    /// - Parameter folder: The folder for the commands' output, which the driver reads after a
    ///   crash.
    init(folder: String) {
        let flags = O_RDWR | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC
        output = open("\(folder)/output", flags, 0o600)
        messages = open("\(folder)/messages", flags, 0o600)
        guard output >= 0, messages >= 0 else { fatalError("cannot write in \(folder)") }
        dup2(output, STDOUT_FILENO)
        dup2(messages, STDERR_FILENO)
    }

    func run(_ arguments: [String]) async -> Result {
        ftruncate(output, 0)
        ftruncate(messages, 0)
        let status = await status(of: arguments)
        return Result(
            arguments: arguments, status: status, output: Self.content(of: output),
            messages: Self.content(of: messages))
    }

    /// Commands by their arguments: parsing these takes a debug build longer than most commands.
    private var commands: [[String]: any ToolCommand] = [:]

    private func command(_ arguments: [String]) -> (any ToolCommand)? {
        if let known = commands[arguments] { return known }
        do {
            let command = try CommandLineParser.parse(arguments) as? any ToolCommand
            commands[arguments] = command
            return command
        } catch {
            let text = "error: \(PackTool.fullMessage(for: error))\n"
            _ = text.withCString { write(STDERR_FILENO, $0, strlen($0)) }
            return nil
        }
    }

    private func status(of arguments: [String]) async -> Int32 {
        guard let command = command(arguments) else { return -1 }
        let console = Console(
            ThisProcess.environment, Interruption(), arguments: arguments,
            isJSON: command.output.json, isQuiet: command.output.quiet, isVerbose: false)
        do {
            return console.finish(try await command.run(console))
        } catch {
            return console.end(error)
        }
    }

    private static func content(of descriptor: Int32) -> [UInt8] {
        let size = Int(lseek(descriptor, 0, SEEK_END))
        guard size > 0 else { return [] }
        return [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            count = max(0, pread(descriptor, buffer.baseAddress, size, 0))
        }
    }
}
