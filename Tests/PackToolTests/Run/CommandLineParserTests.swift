import ArgumentParser
import TestSupport
import Testing

@testable import PackCommands

/// Commands are read by their own definition, with the same result as by that of the whole tool.
@Suite struct CommandLineParserTests {
    /// Every kind of argument: positional, optional, repeated, with and without a value, in groups of groups.
    private static let kinds = [
        "hash", "hash dist --listing --json", "hash --exclude a --exclude b -- -dist",
        "manifest dist --app=shop --base-url https://a.example -o info.json",
        """
        publish dist --to cdn --app shop --base-url https://a.example --label 1 --deltas 2 --no-mandatory \
        --rollout 10 --min-native ios=3.2 --min-native 3 --max-native none --rollout-salt none --sign-key a --sign-key - \
        --passphrase-file pass --trust root.json --profile capacitor --scheme app --host a.example --host b.example \
        --page-origin https --launch index.html --cache c --verify-all --verify-cdn --cdn-wait 5 --verbose --quiet \
        --config p.yaml --expires-in-days 3 --endpoint https://e.example --region r --ignore missing-file
        """,
        "publish dist --mandatory --resume",
        "install cdn --into phone --mirror https://a.example --mirror https://b.example",
    ]
    private static let understood =
        kinds + HelpTests.runnable.flatMap(HelpExample.lines)
        + Dictionary(grouping: FlagEffectTests.all, by: \.line).values.map { $0[0].description }
        .sorted()
        + Soak.sample(FlagEffectTests.all.map(\.description), 100)

    @Test(arguments: understood)
    func readsWhatTheRootReads(_ line: String) throws {
        guard let words = Sandbox.words(of: line) else { return }
        let root = Result { try "\(PackTool.parseAsRoot(words))" }
        let named = CommandLineParser.named(words).map { "\($0)" }
        #expect(try named == root.get(), "\(line)")
    }

    @Test(arguments: [
        "", "help", "--version", "--help", "nosuch", "hash --help", "hash -h", "hash a b",
        "hash --nope", "hash --version", "keys", "keys help init", "channel", "package dist -o",
        "package dist", "rollout cdn 101", "publish dist --deltas 3 --delta-from x", "help hash",
        "publish dist --level hard", "hash --generate-completion-script bash", "--json hash",
    ])
    func leavesTheRestToTheRoot(_ line: String) {
        #expect(CommandLineParser.named(line.split(separator: " ").map(String.init)) == nil)
    }

    /// Every command is among the lines above.
    @Test func allCommandsAreCompared() {
        let missing = HelpTests.runnable.filter { command in
            !Self.understood.contains { "\($0) ".hasPrefix(command + " ") }
        }
        #expect(missing == [])
    }
}
