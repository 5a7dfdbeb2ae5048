import ArgumentParser
import PackPublish
import PackSettings

/// `packtool renew`.
struct RenewCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "renew",
        abstract: "Writes a new pointer that says the same and expires later.",
        usage: "packtool renew [<origin>] [<options>]",
        discussion: """
            The new pointer lives as long as the one before it did, or as --expires-in-days says. No build is \
            needed. A pointer that never expires is left as it is. Signed pointers expire, so let a weekly job \
            renew them.

            Example:
              packtool renew cdn
              packtool renew cdn --channel beta --expires-in-days 90
              packtool renew signed --sign-key release.key --passphrase-file pass.txt
            """)

    @OptionGroup var place: OriginArgument

    @OptionGroup var line: ChannelOption
    @OptionGroup var change: ChangeOptions
    @OptionGroup var output: OutputOptions

    func give(to settings: inout Configuration) {
        place.give(to: &settings)
        line.give(to: &settings)
    }

    func run(_ console: Console) async throws -> Int32 {
        try await change.run(.renew, on: place, settings(console), output, console)
    }
}
