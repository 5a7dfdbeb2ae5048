import ArgumentParser
import PackGround

extension Failure.Code {
    static let usageCommandLine = Self("usage.command-line")
}

/// Formats errors of the command line like every other error.
enum WrongUsage {
    private static func failure(_ description: String, remedy: String) -> Failure {
        Failure(.usageCommandLine, description, exitCode: .usage, details: ["remedy": remedy])
    }

    /// Flags of other commands, with the corresponding flag of a command.
    private static let meant = ["rollback --to": "--to-release"]

    /// An unknown command; `nil` if the first word is a command or a flag.
    static func unknownCommand(in arguments: [String]) -> Failure? {
        let words = arguments.first == "help" ? arguments.dropFirst() : arguments[...]
        let commands = PackTool.configuration.subcommands
        guard let first = words.first, !first.hasPrefix("-"), first != "help",
            !commands.contains(where: { $0._commandName == first })
        else { return nil }
        let known = commands.filter { $0.configuration.shouldDisplay }.map { $0._commandName }
        return failure(
            "unknown command '\(printable(withoutSecrets(first).utf8))'",
            remedy: nearestWord(to: first, in: known).map { "run 'packtool \($0)'" }
                ?? "'packtool --help' lists the commands")
    }

    /// An error of ArgumentParser.
    ///
    /// - Parameter arguments: The command line without the program's name.
    static func failure(_ error: any Error, arguments: [String]) -> Failure {
        // "Error: …", then lines starting with "Help:", "Usage:" and "  See '… --help' for …". A
        // command with several forms has a usage line for each of them.
        var message: [String] = []
        var hints: [String] = []
        for line in PackTool.fullMessage(for: error).split(separator: "\n").map(String.init) {
            if line.hasPrefix("Help: ") {
                hints.append(trimmed(line.dropFirst("Help: ".count)))
            } else if line.hasPrefix("Usage: ") {
                hints.append("usage: " + line.dropFirst("Usage: ".count))
            } else if line.hasPrefix("  "), trimmed(line[...]).hasPrefix("packtool ") {
                hints.append("   or: " + trimmed(line[...]))
            } else if line.hasPrefix("  See ") {
                hints.append("s" + trimmed(line[...]).dropFirst())
            } else {
                message.append(line)
            }
        }
        if let command = arguments.first,
            let (flag, others) = foreignFlag(in: arguments.dropFirst(), of: command)
        {
            let step =
                meant["\(command) \(flag)"].map { "write \($0)" }
                ?? "remove it; it is a flag of \(others.joined(separator: ", "))"
            return failure(
                "'packtool \(command)' does not use \(flag)",
                remedy: step
                    + "\n  see 'packtool \(command) --help' for the flags of this command")
        }
        let text = message.joined(separator: "\n")
        let plain = text.hasPrefix("Error: ") ? text.dropFirst("Error: ".count) : text[...]
        return failure(
            plain.prefix(1).lowercased() + plain.dropFirst(),
            remedy: hints.isEmpty ? "see 'packtool --help'" : hints.joined(separator: "\n  "))
    }

    /// The first flag that a command lacks and others have, with those commands.
    ///
    /// ArgumentParser reports it only if nothing else is wrong, such as a missing argument.
    private static func foreignFlag(
        in arguments: ArraySlice<String>, of command: String
    ) -> (flag: String, others: [String])? {
        let commands = PackTool.configuration.subcommands
        guard var own = commands.first(where: { $0._commandName == command }) else { return nil }
        // "packtool keys new …"
        if let name = arguments.first,
            let nested = own.configuration.subcommands.first(where: { $0._commandName == name })
        {
            own = nested
        }
        for argument in arguments.prefix(while: { $0 != "--" }) where argument.hasPrefix("--") {
            let flag = String(argument.prefix { $0 != "=" })
            guard !flags(of: own).contains(flag) else { continue }
            let others = commands.filter {
                $0.configuration.shouldDisplay && flags(of: $0).contains(flag)
            }
            if !others.isEmpty { return (flag, others.map { $0._commandName }) }
        }
        return nil
    }

    /// Known flags by the name of a command's type.
    ///
    /// In a debug build, ArgumentParser takes 0.05 s for the help of a command.
    private static let known = Locked<[String: Set<String>]>([:])

    private static func flags(of command: any ParsableCommand.Type) -> Set<String> {
        let name = String(describing: command)
        if let flags = known.withLock({ $0[name] }) { return flags }
        let help = PackTool.helpMessage(for: command, columns: 1000)
        let words = help.split(separator: "\n").filter { $0.hasPrefix("  -") }.flatMap { line in
            // "  -o, --output <dir>      The directory to write.", "  --mandatory/--no-mandatory"
            line.split { " ,/".contains($0) }.prefix(2).map(String.init)
        }
        known.withLock { $0[name] = Set(words) }
        return Set(words)
    }

    private static func trimmed(_ text: Substring) -> String {
        String(text.drop { $0 == " " })
    }
}
