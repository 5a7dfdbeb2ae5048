import PackGround

/// A group of commands without a command.
struct MissingCommand: Remedied {
    let group: String
    let commands: [String]

    var code: String { "usage.\(group)" }
    var description: String { "'packtool \(group)' needs a command" }
    var exitCode: ExitCode { .usage }
    var remedy: String { "use one of: " + commands.joined(separator: ", ") }
}
