import PackCommands
import PackGround
import PackReport
import PackSettings
import TestSupport
import Testing

/// `packtool.yaml` is parsed strictly, and errors include the position.
struct ConfigurationReaderTests {
    private static let plainLines =
        "write each key as 'key: value', with quotes around a value that has ': ' or ' #'; "
        + "docs/guide/settings.md has examples"

    private static let everything = """
        app: shop
        base-url: https://cdn.example.com/shop
        build: dist
        channel: beta
        check:
          api: [/api/, /auth/]
          baseline: packtool-baseline.json
          budgets: {package: 5 MB, update: 200 kB, file: 1.5 MiB, files: 5000}
          external: [fonts.googleapis.com]
          ignore: [missing-file]
          max-warnings: 20
          user-agent: ShopApp
        deltas: {count: 5, from: [0123456789abcdef0123]}
        exclude: ["**/*.map", "!keep.map"]
        feeds: [capgo, cordova-hcp]
        host: [shop.example.com, www.example.com]
        launch: index.html
        level: max
        page-origin: dual
        profile:
          app-schemes: [weixin]
          base: basename-cache
          cors: true
          fallback: https
          fragment: strip
          index-file: start-page
          look-up: path
          media-types: {wasm: application/wasm}
          minimum-ios: 12.2
          minimum-webview: 90
          percent-decoding: true
          query: strip
          range: true
          root: /shop/
          scheme-comparison: lower
          service-workers: true
          skip-existing: false
        s3: {acl: public-read, addressing: path, endpoint: https://s3.example.com,
          profile: ci, region: eu-central-1, sse: AES256}
        scheme: customscheme
        to: ../cdn
        """

    private static let contents: [SettingKey: Configuration.Content] = [
        .app: .text("shop"), .baseURL: .text("https://cdn.example.com/shop"),
        .build: .text("dist"), .channel: .text("beta"), .checkAPI: .texts(["/api/", "/auth/"]),
        .checkBaseline: .text("packtool-baseline.json"), .budgetPackage: .size(5_000_000),
        .budgetUpdate: .size(200_000), .budgetFile: .size(1_572_864), .budgetFiles: .number(5000),
        .checkExternal: .texts(["fonts.googleapis.com"]), .checkIgnore: .texts(["missing-file"]),
        .checkMaxWarnings: .number(20), .checkUserAgent: .text("ShopApp"), .deltasCount: .number(5),
        .deltasFrom: .texts(["0123456789abcdef0123"]), .exclude: .texts(["**/*.map", "!keep.map"]),
        .feeds: .texts(["capgo", "cordova-hcp"]),
        .host: .texts(["shop.example.com", "www.example.com"]), .launch: .text("index.html"),
        .level: .text("max"), .pageOrigin: .text("dual"), .profileAppSchemes: .texts(["weixin"]),
        .profileBase: .text("basename-cache"), .profileCORS: .truth(true),
        .profileFallback: .text("https"), .profileFragment: .text("strip"),
        .profileIndexFile: .text("start-page"), .profileLookUp: .text("path"),
        .profileMediaTypes: .table(["wasm": "application/wasm"]),
        .profileMinimumIOS: .text("12.2"), .profileMinimumWebView: .number(90),
        .profileServiceWorkers: .truth(true), .profilePercentDecoding: .truth(true),
        .profileQuery: .text("strip"), .profileRange: .truth(true), .profileRoot: .text("/shop/"),
        .profileSchemeComparison: .text("lower"), .profileSkipExisting: .truth(false),
        .s3ACL: .text("public-read"), .s3Addressing: .text("path"),
        .s3Endpoint: .text("https://s3.example.com"),
        .s3Profile: .text("ci"), .s3Region: .text("eu-central-1"),
        .s3SSE: .text("AES256"),
        .scheme: .text("customscheme"), .to: .text("../cdn"),
    ]

    private func read(_ text: String) throws -> [SettingKey: Configuration.Content] {
        try ConfigurationReader.read(text, file: "f").contents
    }

    @Test func everyKey() throws {
        #expect(try read(Self.everything) == Self.contents)
        for key in SettingKey.allCases where Self.contents[key] == nil {
            // `profiles` replaces `profile`.
            #expect(!SettingKey.keys(under: key).isEmpty || key == .profiles, "\(key) is not read")
        }
    }

    /// The examples in messages and `init` are valid for their keys.
    @Test(arguments: SettingKey.allCases) func oneKey(_ key: SettingKey) throws {
        var text = "\(key.name): \(key.example)"
        var outer = key.parent
        while let parent = outer {
            text = "\(parent.name): {\(text)}"
            outer = parent.parent
        }
        let keys = try read(text).keys
        #expect(keys.count == 1)
        #expect(keys.first.map { $0 == key || $0.rawValue.hasPrefix(key.rawValue + ".") } == true)
    }

    /// Findings propose lines to paste: `check.api: ["/api/"]`.
    @Test(arguments: SettingKey.allCases) func keyWithThoseAroundIt(_ key: SettingKey) throws {
        let keys = try read("\(key.rawValue): \(key.example)").keys
        #expect(keys.count == 1)
        #expect(keys.first.map { $0 == key || $0.rawValue.hasPrefix(key.rawValue + ".") } == true)
    }

    @Test func dottedKeysJoinTheirBlock() throws {
        let text =
            "check: {external: [a.example]}\nprofile: capacitor\nbuild: b\n"
            + "profile.root: /shop/\ncheck.api: [\"/api/\"]\n"
        #expect(
            try read(text) == [
                .checkExternal: .texts(["a.example"]), .checkAPI: .texts(["/api/"]),
                .build: .text("b"), .profileBase: .text("capacitor"),
                .profileRoot: .text("/shop/"),
            ])
    }

    @Test func knowsPlaces() throws {
        let read = try ConfigurationReader.read(Self.everything, file: "conf/p.yaml")
        #expect(read.location(of: .app) == "conf/p.yaml:1")
        #expect(read.location(of: .budgetFiles) == "conf/p.yaml:8")
        #expect(read.location(of: .to) == "conf/p.yaml:41")
    }

    private static let spellings: [String] = [
        everything.split(separator: "\n").joined(separator: "\r\n") + "\r\n",
        "\u{FEFF}" + everything, "---\n" + everything + "\n...\n",
        "# comment\n\n" + everything + "  # end",
    ]

    @Test(arguments: spellings) func otherSpellings(_ text: String) throws {
        #expect(try read(text) == Self.contents)
    }

    private static let empties: [String] = ["", "\n", "# nothing\n", "---\n", "\u{FEFF}", "{}"]

    @Test(arguments: empties) func anEmptyFile(_ text: String) throws {
        #expect(try read(text) == [:])
    }

    private static let hosts: [(String, [String])] = [
        ("host: a.example", ["a.example"]), ("host:\n  - a\n  - b\n", ["a", "b"]), ("host: []", []),
        ("host: ['1.0', \"yes\"]", ["1.0", "yes"]), ("host: ['[::1]']", ["[::1]"]),
        ("host: bücher.example", ["bücher.example"]),
    ]

    @Test func anchorsAndAliases() throws {
        #expect(
            try read("host: &h [a, &b b]\nexclude: *h\napp: *b") == [
                .host: .texts(["a", "b"]), .exclude: .texts(["a", "b"]), .app: .text("b"),
            ])
    }

    @Test(arguments: hosts) func listsOfHosts(_ text: String, _ expected: [String]) throws {
        #expect(try read(text) == [.host: .texts(expected)])
    }

    private static let words: [(String, String)] = [
        ("app: 'yes'", "yes"), ("app: \"null\"", "null"), ("app: 1.0", "1.0"),
        ("app: 0x10", "0x10"),
        ("app: 2026-11-21", "2026-11-21"), ("app: 1_000", "1_000"), ("app: a b", "a b"),
        ("app: \"a\\\"b\\\\c\"", "a\"b\\c"), ("app: 'it''s'", "it's"),
        ("app: >-\n  folded\n  text", "folded text"),
        ("app: !!str yes", "yes"), ("app: !!str", ""), ("app: ! on", "on"),
        ("app: \"\"", ""), ("\"app\": x", "x"), ("app: é", "é"), ("app: a#b", "a#b"),
    ]

    @Test(arguments: words) func textsAsTheyAre(_ text: String, _ expected: String) throws {
        #expect(try read(text) == [.app: .text(expected)])
    }

    private static let sizes: [(String, UInt64?)] = [
        ("5 MB", 5_000_000), ("200 kB", 200_000), ("1MiB", 1_048_576), ("0", 0), ("812", 812),
        ("1.5 GB", 1_500_000_000), ("0.25 KiB", 256), ("5 mb", nil), ("MB", nil), ("-1", nil),
        ("1.", nil), ("1.5", nil), ("1.2345 MB", nil), ("1 000", nil), ("1 TB", nil), ("", nil),
        ("99999999999 GB", nil),
    ]

    @Test(arguments: sizes) func sizesAsPeopleWriteThem(_ text: String, _ bytes: UInt64?) {
        #expect(ByteSize.parse(text) == bytes)
    }

    // MARK: Refused

    private static let topLevel =
        "use one of: app, base-url, build, channel, check, deltas, exclude, feeds, host, launch, level, page-origin, "
        + "profile, profiles, s3, scheme, to"

    private static let profiles =
        "basename-cache, capacitor, cordova, path-strict, capacitor-android, cordova-android, "
        + "asset-loader, intercept"

    private static let refused: [(String, String, String)] = [
        ("ap: shop", "1: unknown key 'ap'", "write 'app', or remove the line"),
        (
            "app: x\nbase-ulr: y", "2: unknown key 'base-ulr'",
            "write 'base-url', or remove the line"
        ),
        ("\n\n# c\nbaseURL: y", "4: unknown key 'baseURL'", "write 'base-url', or remove the line"),
        ("certificate: x", "1: unknown key 'certificate'", topLevel),
        (
            "profile.base: x", "1: 'profile.base' cannot be 'x'",
            "use one of: \(profiles)"
        ),
        ("\"a\\u0007\": x", "1: unknown key 'a\\x07'", "write 'app', or remove the line"),
        (
            "profile: {bogus: 1}", "1: unknown key 'bogus' in 'profile'",
            "use one of the keys of 'profile': app-schemes, base, cors, fallback, fragment, "
                + "index-file, look-up, media-types, minimum-ios, minimum-webview, "
                + "percent-decoding, query, range, root, scheme-comparison, service-workers, "
                + "skip-existing"
        ),
        (
            "profile:\n  base: basename-cache\n  lookup: path",
            "3: unknown key 'lookup' in 'profile'",
            "write 'look-up', or remove the line"
        ),
        (
            "check:\n  budgets:\n    bytes: 1", "3: unknown key 'bytes' in 'check.budgets'",
            "use one of the keys of 'check.budgets': file, files, package, update"
        ),
        ("app: a\nbuild: b\napp: c", "3: the key 'app' appears twice", "remove one of the two"),
        (
            "build: b\nhost: a\n\"host\": b", "3: the key 'host' appears twice",
            "remove one of the two"
        ),
        (
            "deltas:\n  count: 1\n  from: []\n  count: 2", "4: the key 'count' appears twice",
            "remove one of the two"
        ),
        (
            "deltas: {count: 1, count: 2}", "1: the key 'count' appears twice",
            "remove one of the two"
        ),
        ("app: yes", "1: 'app' must be text", "put quotes around it, as in app: \"1.0\""),
        (
            "app:", "1: 'app' must be text", "write a value, as in 'app: shop', or remove the line"
        ),
        ("build: [dist]", "1: 'build' must be text", "write one value, as in 'build: dist'"),
        ("app: {x: y}", "1: 'app' must be text", "write one value, as in 'app: shop'"),
        (
            "host: {x: y}", "1: 'host' must be text or a list of texts",
            "write a list, as in 'host: [shop.example.com]'"
        ),
        (
            "check:\n  api: [/a/]\ncheck.api: [/b/]", "3: the key 'check.api' appears twice",
            "remove one of the two"
        ),
        (
            "profile.root: /a/\nprofile: {root: /b/}", "2: the key 'profile.root' appears twice",
            "remove one of the two"
        ),
        (
            "profile.base: cordova\nprofile: capacitor",
            "2: the key 'profile.base' appears twice", "remove one of the two"
        ),
        ("check.ap: [/a/]", "1: unknown key 'check.ap'", "write 'check.api', or remove the line"),
        (
            "check: {budgets.files: 1}", "1: unknown key 'budgets.files' in 'check'",
            "use one of the keys of 'check': api, baseline, budgets, external, ignore, max-warnings, user-agent"
        ),
        (
            "check:\n\tapi: [/a/]", "2: not valid YAML: the line is indented with a tab",
            "use spaces"
        ),
        (
            "profile.media-types: {.mjs: text/javascript}",
            "1: 'profile.media-types': '.mjs' is not an extension without its dot",
            "use a value such as 'mjs'"
        ),
        (
            "profile: {media-types: {mjs: javascript}}",
            "1: 'profile.media-types': 'javascript' is not a media type",
            "use a value such as 'text/javascript'"
        ),
        (
            "host:\n  - a\n  - no", "3: 'host' must be text or a list of texts",
            "put quotes around it, as in host: \"1.0\""
        ),
        ("level: fastest", "1: 'level' cannot be 'fastest'", "use one of: fast, default, max"),
        ("page-origin: Dual", "1: 'page-origin' cannot be 'Dual'", "write 'dual'"),
        (
            "profile: basename-cach", "1: 'profile' cannot be 'basename-cach'",
            "write 'basename-cache'"
        ),
        (
            "profile: [basename-cache]",
            "1: 'profile' must be one of \(profiles), or a list of keys",
            "write 'profile: path-strict', for example"
        ),
        (
            "profile:\n  look-up: basenam", "2: 'profile.look-up' cannot be 'basenam'",
            "write 'basename'"
        ),
        (
            "profile: {range: maybe}", "1: 'profile.range' must be true or false",
            "write 'range: true', for example"
        ),
        (
            "profile: {minimum-ios: new}",
            "1: 'profile.minimum-ios': 'new' is not a version of iOS",
            "use a value such as '13 or 11.3'"
        ),
        (
            "profile: {root: shop}",
            "1: 'profile.root': 'shop' does not start and end with a slash",
            "use a value such as '/shop/'"
        ),
        (
            "profile: {media-types: wasm}",
            "1: 'profile.media-types' must be a list of 'key: value' pairs",
            "write 'media-types: {wasm: application/wasm}', for example"
        ),
        (
            "deltas: 5", "1: 'deltas' must be a list of keys",
            "write 'deltas: {count: 3}', for example"
        ),
        (
            "deltas: {count: 21}", "1: 'deltas.count' must be a number from 0 to 20",
            "write 'count: 3', for example"
        ),
        (
            "check: {max-warnings: many}",
            "1: 'check.max-warnings' must be a number from 0 to 1,000,000",
            "write 'max-warnings: 20', for example"
        ),
        (
            "check: {budgets: {file: big}}", "1: 'check.budgets.file' must be a size such as 5 MB",
            "write 'file: 1 MB', or another number of B, kB, MB, GB, KiB, MiB or GiB"
        ),
        (
            "check:\n  ignore:\n    - missing-fil",
            "3: 'check.ignore': 'missing-fil' is not known; 'packtool rules' lists all rules",
            "use a value such as 'missing-file'"
        ),
        (
            "check: {api: [api/]}", "1: 'check.api': 'api/' does not start with a slash",
            "use a value such as '/api/'"
        ),
        (
            "app: \"a\\u0007\"", "1: 'app' contains a control character",
            "write it as plain text on one line"
        ),
        (
            "- app", "1: not a list of 'key: value' lines",
            plainLines
        ),
        (
            "app", "1: not a list of 'key: value' lines",
            plainLines
        ),
        (
            "[a]: b", "1: not a list of 'key: value' lines",
            plainLines
        ),
    ]

    @Test(arguments: refused) func refusals(_ text: String, _ description: String, _ remedy: String)
    {
        let error = #expect(throws: Failure.self) {
            try ConfigurationReader.read(text, file: "packtool.yaml")
        }
        #expect(error?.description == "packtool.yaml:" + description)
        #expect(error.map(Remedies.remedy) == remedy)
        #expect(error?.exitCode == .couldNotDo)
    }

    /// Codes are stable, because scripts compare them: they may be added, never changed.
    @Test(arguments: [
        ("a: 'x", "not-yaml"), ("- app", "not-a-mapping"), ("ap: x", "unknown-key"),
        ("app: a\napp: b", "repeated-key"), ("app: yes", "not-text"),
        ("host: yes", "not-text-list"),
        ("deltas: {count: x}", "not-a-number"), ("profile: {cors: x}", "not-true-or-false"),
        ("check: {budgets: {file: x}}", "not-a-size"), ("deltas: 5", "not-a-mapping"),
        ("app: \"\\a\"", "control-character"), ("level: x", "not-a-choice"),
        ("host: x y", "malformed"),
    ]) func codes(_ text: String, _ code: String) {
        let error = #expect(throws: Failure.self) {
            try ConfigurationReader.read(text, file: "f")
        }
        #expect(error?.code.name == "config." + code)
    }

    private static let broken: [(String, Int)] = [
        ("app: 'x", 1), ("app: [a", 1), ("app: x\nbuild: \"y", 2),
        ("app: *x", 1),
        ("app: @x", 1), ("a: b: c", 1), ("app: \u{0}", 1), ("app: x\nto: y\n\u{0}level: max", 3),
        ("app: \"\\q\"", 1), ("app: a\n---\napp: b", 2), ("app: x\nto: a\u{1}b", 2),
        ("host: &h [*h]", 1), ("host: &h [a]\nto: *b", 2),
    ]

    @Test(arguments: broken) func notYAML(_ text: String, _ line: Int) throws {
        let error = #expect(throws: Failure.self) {
            try ConfigurationReader.read(text, file: "f")
        }
        let text = try #require(error?.code == .configNotYAML ? error?.description : nil)
        let parts = text.components(separatedBy: ": not valid YAML: ")
        #expect(parts.count == 2 && parts[1] != "" && !text.contains("\n"), "\(text)")
        #expect((parts[0].split(separator: ":").last.flatMap { Int($0) } ?? line) <= line + 1)
    }

    /// A deeply nested file must not cause a crash.
    @Test func deepNesting() {
        for piece in ["[", "{a: ", "- ", "host: ["] {
            #expect(throws: Failure.self) {
                try ConfigurationReader.read(String(repeating: piece, count: 50_000), file: "f")
            }
        }
    }
}
