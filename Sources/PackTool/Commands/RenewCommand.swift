import ArgumentParser
import PackPublish
import PackSettings

/// `packtool renew`.
struct RenewCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "renew",
        abstract: "Extends a channel's pointer: the same offers with a later expiry.",
        usage: "packtool renew [<origin>] [<options>]",
        discussion: """
            The new pointer is valid as long as the previous one was, or for --expires-in-days. No \
            build is needed. A pointer without expiry stays unchanged. Signed pointers expire, so \
            renew them with a weekly job.

            Example:
              packtool renew cdn
              packtool renew cdn --channel beta --expires-in-days 90
              packtool renew signed --sign-key release.key --passphrase-file pass.txt
            """)

    @OptionGroup var location: OriginArgument

    @OptionGroup var line: ChannelOption
    @OptionGroup var change: ChangeOptions
    @OptionGroup var output: OutputOptions

    func apply(to settings: inout Configuration) {
        location.apply(to: &settings)
        line.apply(to: &settings)
    }

    func run(_ console: Console) async throws -> Int32 {
        try await change.run(.renew, on: location, settings(console), output, console)
    }
}
