import ArgumentParser
import PackSettings

/// The root of the command line.
struct PackTool: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "packtool",
        abstract:
            "Packages a front-end build for apps that open it offline, and publishes it to a CDN.",
        discussion: """
            The published origin is a set of static files; apps install releases from it and \
            verify every byte.

            Example, from a build to an installed release:
              packtool init --base-url https://cdn.example.com/shop
              packtool publish --to cdn
              packtool verify cdn
              packtool install cdn --into phone

            Exit codes: 0 done, 1 findings or verification failed, 2 could not do it, 3 another \
            publisher was at work, 64 wrong usage.
            """,
        version: toolDescription,
        subcommands: [
            InitCommand.self, HashCommand.self, ManifestCommand.self, PackageCommand.self,
            PublishCommand.self, VerifyCommand.self, InstallCommand.self, EmbedCommand.self,
            PromoteCommand.self,
            RollbackCommand.self, RolloutCommand.self, PauseCommand.self, ResumeCommand.self,
            RenewCommand.self, ChannelCommand.self, PruneCommand.self, StatusCommand.self,
            HistoryCommand.self,
            ExplainCommand.self,
            DiffCommand.self,
            DeltaCommand.self, ApplyCommand.self, CheckCommand.self, RewriteCommand.self,
            RulesCommand.self,
            SimulateCommand.self, ReportCommand.self, ServeCommand.self, OpenCommand.self,
            KeysCommand.self,
            SchemaCommand.self,
            ResolveCommand.self,
        ])
}
