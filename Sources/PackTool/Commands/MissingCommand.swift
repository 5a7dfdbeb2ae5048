import PackGround

extension Failure.Code {
    static let usageChannelCommand = Self("usage.channel", "command")
    static let usageKeysCommand = Self("usage.keys")
}

extension Failure {
    /// A group of commands without a command.
    static func missingCommand(_ code: Code, group: String, commands: [String]) -> Failure {
        Failure(
            code, "'packtool \(group)' needs a command", exitCode: .usage,
            details: ["commands": commands.joined(separator: ", ")])
    }
}
