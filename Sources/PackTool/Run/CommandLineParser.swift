import ArgumentParser
import PackGround

/// Finds and reads the command of a command line.
enum CommandLineParser {
    /// Reads a command line.
    ///
    /// ArgumentParser reads the definitions of the root and of every command on the way several times, which takes
    /// most of a short run. So the named command is read alone; the root is asked for whatever that does not understand,
    /// so that help and errors are those of the whole tool.
    static func parse(_ arguments: [String]) throws -> any ParsableCommand {
        if let command = named(arguments) { return command }
        return try PackTool.parseAsRoot(arguments)
    }

    /// The command that the first words name, if it can be read alone; `nil` for everything else.
    static func named(_ arguments: [String]) -> (any ParsableCommand)? {
        var words = arguments[...]
        var type: any ParsableCommand.Type = PackTool.self
        while let word = words.first,
            let next = type.configuration.subcommands.first(where: { $0._commandName == word })
        {
            type = next
            words.removeFirst()
        }
        // A group of commands is left to the root, which also knows 'help'.
        guard type.configuration.subcommands.isEmpty else { return nil }
        return try? type.parse(Array(words)) as? any ToolCommand
    }

    /// The same error about arguments that may be shown: ArgumentParser repeats them as they are.
    static func shown(_ error: any Error, _ arguments: [String]) -> any Error {
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
