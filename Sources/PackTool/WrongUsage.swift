import ArgumentParser
import PackCore

/// A command line that ArgumentParser refused, said the way every other error is.
struct WrongUsage: Remedied {
    let description: String
    let remedy: String

    var code: String { "usage.command-line" }
    var failure: FailureKind { .usage }

    /// - Parameters:
    ///   - arguments: the command line, without the program's name.
    ///   - verbs: the names of all verbs.
    init(_ error: any Error, arguments: [String], verbs: [String]) {
        // What stands where the verb should is one that was mistyped.
        if let first = arguments.first, !first.hasPrefix("-"), !(verbs + ["help"]).contains(first) {
            description = "there is no verb '\(printable(withoutSecrets(first).utf8))'"
            remedy =
                nearestWord(to: first, in: verbs).map { "did you mean '\($0)'?" }
                ?? "the verbs are: \(verbs.joined(separator: ", "))"
            return
        }
        // "Error: …", then lines that start with "Help:", "Usage:" and "  See '… --help' for …". A verb that
        // is used in several ways has a line for each of them.
        var message: [String] = []
        var hints: [String] = []
        for line in PackTool.fullMessage(for: error).split(separator: "\n").map(String.init) {
            if line.hasPrefix("Help: ") {
                hints.append(Self.trimmed(line.dropFirst("Help: ".count)))
            } else if line.hasPrefix("Usage: ") {
                hints.append("usage: " + line.dropFirst("Usage: ".count))
            } else if line.hasPrefix("  "), Self.trimmed(line[...]).hasPrefix("packtool ") {
                hints.append("   or: " + Self.trimmed(line[...]))
            } else if line.hasPrefix("  See ") {
                hints.append("s" + Self.trimmed(line[...]).dropFirst())
            } else {
                message.append(line)
            }
        }
        let text = message.joined(separator: "\n")
        let plain = text.hasPrefix("Error: ") ? text.dropFirst("Error: ".count) : text[...]
        description = plain.prefix(1).lowercased() + plain.dropFirst()
        remedy =
            hints.isEmpty ? "see 'packtool --help'" : hints.joined(separator: "\n  ")
    }

    private static func trimmed(_ text: Substring) -> String {
        String(text.drop { $0 == " " })
    }
}
