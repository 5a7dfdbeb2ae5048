import PackCheck
import PackProfile
import PackSettings
import Testing

@testable import PackCommands

/// Old names in scripts and `packtool.yaml` are still accepted.
@Suite struct RenamedWordsTests {
    @Test(arguments: [
        ("pause cdn --by me", "pause cdn --actor me"),
        ("pause cdn --by=me=you", "pause cdn --actor=me=you"),
        ("publish dist --to cdn --correct", "publish dist --to cdn --allow-identity-change"),
        ("renew cdn --read-back-all", "renew cdn --verify-all"),
        ("renew cdn --force-unsafe", "renew cdn --no-conditional-writes"),
        ("verify s3://shop --conditions", "verify s3://shop --conditional-writes"),
        ("check dist --profile seed003", "check dist --profile basename-cache"),
        ("explain cdn --client=seed003", "explain cdn --client=basename-cache"),
        ("check dist --ignore seed-client-names", "check dist --ignore basename-cache-names"),
        ("rules seed-client-names", "rules basename-cache-names"),
        ("rules --json seed-client-names", "rules --json basename-cache-names"),
    ])
    func anOldNameIsReplacedWithANote(_ old: String, _ new: String) throws {
        let words = { (line: String) in line.split(separator: " ").map(String.init) }
        let replaced = RenamedWords.replace(in: words(old))
        #expect(replaced.arguments == words(new))
        #expect(replaced.notes.count == 1)
        #expect(throws: Never.self) { try PackTool.parseAsRoot(words(new)) }
        #expect(RenamedWords.replace(in: words(new)).notes.isEmpty)
    }

    @Test func argumentsAfterTheDashesStay() {
        let arguments = ["hash", "--", "--by", "seed003"]
        #expect(RenamedWords.replace(in: arguments).arguments == arguments)
    }

    @Test func anOldNameInTheFileIsReplacedWithItsLine() throws {
        let text = """
            check.ignore: [seed-client-names]
            profile:
              base: seed003
            """
        let configuration = try ConfigurationReader.read(text, file: "packtool.yaml")
        #expect(configuration.texts(.checkIgnore) == ["basename-cache-names"])
        #expect(configuration.profile == .basenameCache)
        #expect(
            configuration.notes == [
                "packtool.yaml:1: 'seed-client-names' has been renamed; use 'basename-cache-names'",
                "packtool.yaml:3: 'seed003' has been renamed; use 'basename-cache'",
            ])
    }
}
