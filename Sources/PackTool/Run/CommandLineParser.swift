import ArgumentParser
import PackGround

/// Finds and parses the command of a command line.
enum CommandLineParser {
    /// Parses a command line.
    ///
    /// ArgumentParser reads the definitions of the root and of every command on the path several
    /// times, which dominates short runs. The named command is therefore parsed alone. If that
    /// fails, the root parses again, so that help and errors describe the whole tool.
    static func parse(_ arguments: [String]) throws -> any ParsableCommand {
        if let command = named(arguments) { return command }
        return try PackTool.parseAsRoot(arguments)
    }

    /// The command named by the first words, if it can be parsed alone.
    static func named(_ arguments: [String]) -> (any ParsableCommand)? {
        var words = arguments[...]
        var type: any ParsableCommand.Type = PackTool.self
        while let word = words.first,
            let next = type.configuration.subcommands.first(where: { $0._commandName == word })
        {
            type = next
            words.removeFirst()
        }
        // A group of commands is left to the root, which also handles 'help'.
        guard type.configuration.subcommands.isEmpty else { return nil }
        return try? type.parse(Array(words)) as? any ToolCommand
    }

    /// The error with printable arguments and without secrets: ArgumentParser repeats arguments
    /// verbatim.
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
