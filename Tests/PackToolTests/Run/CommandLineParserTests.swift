import ArgumentParser
import Testing

@testable import PackCommands

/// Commands are read by their own definition, with the same result as by that of the whole tool.
@Suite struct CommandLineParserTests {
    /// Every kind of argument: positional, optional, repeated, with and without a value, in groups of groups.
    private static let understood = [
        "hash", "hash dist", "hash dist --listing --json", "hash --exclude a --exclude b -- -dist",
        "manifest dist --app=shop --base-url https://a.example -o info.json",
        "package dist -o a.zip --level max --exclude *.map", "verify cdn --depth 3 --all",
        """
        publish dist --to cdn --app shop --base-url https://a.example --label 1 --deltas 2 --no-mandatory \
        --rollout 10 --min-native 3.2 --max-native none --rollout-salt none --sign-key a --sign-key - \
        --passphrase-file pass --trust root.json --profile capacitor --scheme app --host a.example --host b.example \
        --page-origin https --launch index.html --cache c --verify-all --verify-cdn --cdn-wait 5 --verbose --quiet \
        --config p.yaml --expires-in-days 3 --endpoint https://e.example --region r --ignore missing-file
        """,
        "publish dist --mandatory --resume", "publish --pointer next.json --to cdn",
        "channel close cdn beta",
        "install cdn --into phone --mirror https://a.example --mirror https://b.example",
        "check dist --format sarif --save markdown=a.md --select missing-file --max-warnings 0",
        "pause cdn --actor me --dry-run --propose next.json --no-conditional-writes",
        "rollout cdn 50 --shrink",
        "rollback cdn --to-release 1.0.0", "explain cdn --seen 5 --native 3.1",
        "explain cdn --client basename-cache", "diff a b --format json", "delta a b -o d.zip",
        "keys init --app shop --dir keys", "keys sign 1.root.json --sign-key root.key",
        "keys root 1.root.json -o 2.root.json", "prune cdn --keep 3 --yes", "simulate a b",
        "report cdn dist -o r.html --findings text --findings json=f.json --limit 3",
        "serve dist --listen 127.0.0.1:0", "rules missing-file", "schema", "resolve dist a.html",
        "init . --yes", "rewrite dist -o app --reverse", "embed cdn -o app --no-pin", "status cdn",
        "history cdn --json", "renew cdn", "resume cdn",
        "promote cdn --from beta --channel production",
        "apply a d.zip -o b",
    ]

    @Test(arguments: understood)
    func readsWhatTheRootReads(_ line: String) throws {
        let words = line.split(separator: " ").map(String.init)
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
        let compared = Set(Self.understood.map { String($0.prefix { $0 != " " }) })
        let commands = PackTool.configuration.subcommands.map { $0._commandName }
        #expect(commands.filter { !compared.contains($0) } == [])
    }
}
