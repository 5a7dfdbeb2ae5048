import PackCore
import Testing

struct ConfigurationReaderTests {
    private static let everything = """
        app: shop
        base-url: https://cdn.example.com/shop
        build: dist
        channel: beta
        deltas: {count: 5, from: [0123456789abcdef0123]}
        host: [shop.example.com, www.example.com]
        launch: index.html
        level: max
        page-origin: dual
        profile: seed003
        scheme: customscheme
        to: ../cdn
        """

    private static func all() -> Configuration {
        var expected = Configuration()
        expected.app = "shop"
        expected.baseURL = "https://cdn.example.com/shop"
        expected.build = "dist"
        expected.channel = "beta"
        expected.deltas = .init(count: 5, from: ["0123456789abcdef0123"])
        expected.hosts = ["shop.example.com", "www.example.com"]
        expected.launch = "index.html"
        expected.level = "max"
        expected.pageOrigin = "dual"
        expected.profile = ProfileSettings(base: "seed003")
        expected.scheme = "customscheme"
        expected.to = "../cdn"
        return expected
    }

    @Test func everyKey() throws {
        #expect(try ConfigurationReader.read(Self.everything, file: "f") == Self.all())
        for key in ConfigurationKey.allCases {
            #expect(Self.everything.contains("\(key.rawValue): "))
        }
    }

    /// Each key alone sets its own field and no other.
    @Test(arguments: ConfigurationKey.allCases) func oneKey(_ key: ConfigurationKey) throws {
        let word =
            switch key {
            case .deltas: "{count: 7}"
            case .profile: "cordova"
            default: key.choices?.last ?? "word"
            }
        let configuration = try ConfigurationReader.read("\(key.rawValue): \(word)\n", file: "f")
        var fields: [ConfigurationKey: String] = [:]
        fields[.app] = configuration.app
        fields[.baseURL] = configuration.baseURL
        fields[.build] = configuration.build
        fields[.channel] = configuration.channel
        fields[.deltas] = configuration.deltas.map { "{count: \($0.count ?? -1)}" }
        fields[.host] = configuration.hosts?.joined(separator: " ")
        fields[.launch] = configuration.launch
        fields[.level] = configuration.level
        fields[.pageOrigin] = configuration.pageOrigin
        fields[.profile] = configuration.profile?.base
        fields[.scheme] = configuration.scheme
        fields[.to] = configuration.to
        #expect(fields == [key: word])
    }

    private static let spellings: [String] = [
        everything.split(separator: "\n").joined(separator: "\r\n") + "\r\n",
        "\u{FEFF}" + everything, "---\n" + everything + "\n...\n",
        "# comment\n\n" + everything + "  # end",
        "{app: shop, base-url: 'https://cdn.example.com/shop', build: \"dist\", channel: beta, "
            + "deltas: {count: 5, from: [0123456789abcdef0123]}, host: [shop.example.com, www.example.com], launch: index.html, level: max, "
            + "page-origin: dual, profile: seed003, scheme: customscheme, to: ../cdn}",
    ]

    @Test(arguments: spellings) func otherSpellings(_ text: String) throws {
        #expect(try ConfigurationReader.read(text, file: "f") == Self.all())
    }

    private static let empties: [String] = ["", "\n", "# nothing\n", "---\n", "\u{FEFF}", "{}"]

    @Test(arguments: empties) func anEmptyFile(_ text: String) throws {
        #expect(try ConfigurationReader.read(text, file: "f") == Configuration())
    }

    private static let hosts: [(String, [String])] = [
        ("host: a.example", ["a.example"]), ("host:\n  - a\n  - b\n", ["a", "b"]), ("host: []", []),
        ("host: ['1.0', \"yes\"]", ["1.0", "yes"]),
    ]

    @Test(arguments: hosts) func listsOfHosts(_ text: String, _ expected: [String]) throws {
        #expect(try ConfigurationReader.read(text, file: "f").hosts == expected)
    }

    private static let words: [(String, String)] = [
        ("app: 'yes'", "yes"), ("app: \"null\"", "null"), ("app: 1.0", "1.0"),
        ("app: 0x10", "0x10"),
        ("app: 2026-11-21", "2026-11-21"), ("app: 1_000", "1_000"), ("app: a b", "a b"),
        ("app: \"a\\\"b\\\\c\"", "a\"b\\c"), ("app: 'it''s'", "it's"),
        ("app: >-\n  folded\n  text", "folded text"),
        ("app: \"\"", ""), ("\"app\": x", "x"), ("app: é", "é"), ("app: a#b", "a#b"),
    ]

    @Test(arguments: words) func textsAsTheyStand(_ text: String, _ expected: String) throws {
        #expect(try ConfigurationReader.read(text, file: "f").app == expected)
    }

    // MARK: Refused

    private static let refused: [(String, String, String)] = [
        ("ap: shop", "packtool.yaml:1: unknown key 'ap'", "did you mean 'app'?"),
        (
            "app: x\nbase-ulr: y", "packtool.yaml:2: unknown key 'base-ulr'",
            "did you mean 'base-url'?"
        ),
        (
            "\n\n# c\nbaseURL: y", "packtool.yaml:4: unknown key 'baseURL'",
            "did you mean 'base-url'?"
        ),
        ("hosts: [a]", "packtool.yaml:1: unknown key 'hosts'", "did you mean 'host'?"),
        ("App: x", "packtool.yaml:1: unknown key 'App'", "did you mean 'app'?"),
        ("chanel: beta", "packtool.yaml:1: unknown key 'chanel'", "did you mean 'channel'?"),
        (
            "certificate: x", "packtool.yaml:1: unknown key 'certificate'",
            "the keys are: app, base-url, build, channel, deltas, host, launch, level, page-origin, profile, scheme, to"
        ),
        ("\"a\\u0007\": x", "packtool.yaml:1: unknown key 'a\\x07'", "did you mean 'app'?"),
        (
            "app: a\nbuild: b\napp: c", "packtool.yaml:1: the key 'app' appears twice",
            "remove one of the two lines"
        ),
        (
            "build: b\nhost: a\nhost: b", "packtool.yaml:2: the key 'host' appears twice",
            "remove one of the two lines"
        ),
        (
            "app: yes", "packtool.yaml:1: 'app' must be text",
            "put quotes around it, as in app: \"1.0\""
        ),
        (
            "app: true", "packtool.yaml:1: 'app' must be text",
            "put quotes around it, as in app: \"1.0\""
        ),
        (
            "app:", "packtool.yaml:1: 'app' must be text",
            "put quotes around it, as in app: \"1.0\""
        ),
        (
            "app: ~", "packtool.yaml:1: 'app' must be text",
            "put quotes around it, as in app: \"1.0\""
        ),
        (
            "to: [a]", "packtool.yaml:1: 'to' must be text",
            "put quotes around it, as in to: \"1.0\""
        ),
        (
            "app: {x: y}", "packtool.yaml:1: 'app' must be text",
            "put quotes around it, as in app: \"1.0\""
        ),
        (
            "host: off", "packtool.yaml:1: 'host' must be text or a list of texts",
            "put quotes around it, as in host: \"1.0\""
        ),
        (
            "host: [a, no]", "packtool.yaml:1: 'host' must be text or a list of texts",
            "put quotes around it, as in host: \"1.0\""
        ),
        (
            "host: [[a]]", "packtool.yaml:1: 'host' must be text or a list of texts",
            "put quotes around it, as in host: \"1.0\""
        ),
        (
            "level: fastest", "packtool.yaml:1: 'level' cannot be 'fastest'",
            "use one of: fast, default, max"
        ),
        (
            "app: a\nlevel: 9", "packtool.yaml:2: 'level' cannot be '9'",
            "use one of: fast, default, max"
        ),
        (
            "page-origin: http", "packtool.yaml:1: 'page-origin' cannot be 'http'",
            "did you mean 'https'?"
        ),
        (
            "page-origin: Dual", "packtool.yaml:1: 'page-origin' cannot be 'Dual'",
            "did you mean 'dual'?"
        ),
        (
            "- app", "packtool.yaml:1: not a list of 'key: value' lines",
            "create a new file with 'packtool init' and compare"
        ),
        (
            "app", "packtool.yaml:1: not a list of 'key: value' lines",
            "create a new file with 'packtool init' and compare"
        ),
        (
            "[a]: b", "packtool.yaml:1: not a list of 'key: value' lines",
            "create a new file with 'packtool init' and compare"
        ),
    ]

    @Test(arguments: refused) func refusals(_ text: String, _ description: String, _ remedy: String)
    {
        let error = #expect(throws: ConfigurationError.self) {
            try ConfigurationReader.read(text, file: "packtool.yaml")
        }
        #expect(error?.description == description)
        #expect(error?.remedy == remedy)
        #expect(error?.failure == .couldNotDo)
    }

    private static let broken: [(String, Int)] = [
        ("app: 'x", 1), ("app: x\n\tbuild: y", 2), ("app: [a", 1), ("app: x\nbuild: \"y", 2),
        ("app: *x", 1),
        ("app: @x", 1), ("a: b: c", 1), ("app: \u{0}", 1), ("app: x\nto: y\n\u{0}level: max", 3),
        ("app: \"\\q\"", 1),
    ]

    @Test(arguments: broken) func notYAML(_ text: String, _ line: Int) {
        let error = #expect(throws: ConfigurationError.self) {
            try ConfigurationReader.read(text, file: "f")
        }
        guard case .notYAML(let reason)? = error?.problem else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(!reason.isEmpty && !reason.contains("\n"), "\(reason)")
        #expect((error?.line ?? line) <= line + 1)
    }

    /// A file that is nested without end must not end in a crash.
    @Test func deepNesting() {
        for piece in ["[", "{a: ", "- ", "host: ["] {
            #expect(throws: ConfigurationError.self) {
                try ConfigurationReader.read(String(repeating: piece, count: 50_000), file: "f")
            }
        }
    }
}
