import PackSettings
import TestSupport
import Testing

/// Every command can read the file written by `init`.
struct ConfigurationTemplateTests {
    private typealias Given = [SettingKey: Configuration.Content]

    private static let hostile: [String] = [
        "true", "null", "Yes", "off", "N", "y", "1.0", "7", "0x10", "1e3", "2026-11-21", "a_b-c.d",
        "../my dist", "-", "-x.html", ".", "/abs/dist", "a: b", "a #b.html", "it's",
        "say \"hi\".html",
        "back\\slash", "ü/日本.html", "{a}", "[b].html", "&x", "*y", "!x", "%y", "a\u{2028}b",
        "\u{2029}",
        "\"\u{301}", "\\\u{301}", " lead", "trail ", "x:", "a:b", "~", "~/x", "=", "<<", "nan",
        ".inf",
        "🎉", "a,b", "http://localhost:8080/~x/%20", "my-app+x.y", "",
    ]

    @Test(arguments: hostile) func wordsReadBackAsTheyWereMeant(_ word: String) throws {
        var given = Configuration()
        let keys: [SettingKey] = [.app, .baseURL, .build, .channel, .launch, .scheme, .to]
        for key in keys { given.set(key, word) }
        let text = ConfigurationTemplate(given).text
        let read = try ConfigurationReader.read(text, file: "packtool.yaml")
        for key in keys {
            #expect(read.text(key).map { Array($0.utf8) } == Array(word.utf8), "\(text)")
        }
    }

    @Test func everythingGivenReadsBack() throws {
        var given = Configuration()
        given.set(.app, "shop")
        given.set(.profile, "capacitor")
        given.set(.pageOrigin, "dual")
        given.set(
            .host, ["shop.example.com", "1.2.3.4", "xn--bcher-kva.example", "on", "[::1]", "null"])
        given.set(.level, "max")
        let read = try ConfigurationReader.read(ConfigurationTemplate(given).text, file: "f")
        #expect(read.contents == given.contents)
    }

    /// Only given values are set; all others are commented examples.
    @Test func writesNothingThatWasNotGiven() throws {
        let text = ConfigurationTemplate(Configuration()).text
        #expect(try ConfigurationReader.read(text, file: "f").contents == [:])
        #expect(text.split(separator: "\n").allSatisfy { $0.hasPrefix("#") })
    }

    /// Paths contain no control characters, and a line break would start another key.
    @Test(arguments: ["a\nb", "tab\there", "cr\rlf", "nul\u{0}", "\u{85}"])
    func controlCharactersAreNotReadBack(_ build: String) throws {
        var given = Configuration()
        given.set(.build, build)
        expectFailure(of: "config") {
            try ConfigurationReader.read(ConfigurationTemplate(given).text, file: "f")
        }
    }

    /// The examples are valid values.
    @Test func examplesAreRead() throws {
        for key in SettingKey.allCases where SettingKey.keys(under: key).isEmpty {
            let text = "\(key.rawValue): \(key.example)"
            let read = try ConfigurationReader.read(text, file: "f")
            #expect(Set(read.contents.keys) == [key], "\(text)")
        }
    }

    /// A key is shown or named, once.
    @Test func namesEveryKey() throws {
        var some = Configuration()
        some.set(.checkMaxWarnings, 20)
        for given in [Configuration(), some] {
            let text = ConfigurationTemplate(given).text
            let others = text.split(separator: "\n").last?.split(separator: ": ").last ?? ""
            let named = Set(others.split(separator: ", ").map(String.init))
            for key in SettingKey.keys(under: nil) {
                let isShown = text.contains("\n\(key.name):") || text.contains("\n#\(key.name):")
                #expect(isShown != named.contains(key.name), "\(key)")
            }
        }
    }

    /// Without their `#`, all lines parse.
    @Test func commentedKeysAreKeys() throws {
        var proposed = Configuration()
        proposed.set(.checkAPI, ["/api/"])
        proposed.set(.exclude, ["**/*.map"])
        proposed.set(.profileRoot, "/shop/")
        let lines = ConfigurationTemplate(Configuration(), proposed: proposed).text
            .split(separator: "\n")
        // The profile is written in both forms.
        let uncommented = lines.filter { $0 != "#profile: path-strict" }
            .compactMap { line -> String? in
                guard line.firstMatch(of: /^ *# [^ ]|^# +#/) == nil else { return nil }
                return String(line).replacing("#", with: "", maxReplacements: 1)
            }.joined(separator: "\n")
        let read = try ConfigurationReader.read(uncommented, file: "f")
        #expect(
            Set(read.contents.keys) == [
                .app, .build, .exclude, .baseURL, .to, .channel, .launch, .profileBase,
                .profileRoot, .scheme, .host, .checkAPI,
            ])
        #expect(read.text(.profileBase) == "path-strict")
    }

    /// The entries of `profiles` have these keys.
    @Test func severalProfilesReplaceOne() throws {
        let given = try ConfigurationReader.read(
            "profiles: [capacitor, capacitor-android]", file: "f")
        let text = ConfigurationTemplate(given).text
        for key in ["profile", "scheme", "host"] { #expect(!text.contains("\n#\(key):")) }
    }

    @Test func proposalsStayCommented() throws {
        var given = Configuration()
        given.set(.checkMaxWarnings, 20)
        var proposed = Configuration()
        proposed.set(.checkAPI, ["/api/", "/auth/"])
        let text = ConfigurationTemplate(
            given, notes: [.checkAPI: ["Scripts request these."]], proposed: proposed
        ).text
        #expect(text.contains("\ncheck:\n  # Paths that"))
        #expect(text.contains("\n  # Scripts request these.\n  #api: [/api/, /auth/]\n"))
        #expect(text.contains("\n  max-warnings: 20\n"))
        #expect(try ConfigurationReader.read(text, file: "f").contents == given.contents)
    }

    @Test func plainWordsStayPlain() throws {
        var given = Configuration()
        given.set(.app, "shop")
        given.set(.baseURL, "https://cdn.example.com/shop")
        given.set(.host, ["shop.example.com"])
        let text = ConfigurationTemplate(given).text
        for line in [
            "app: shop", "base-url: https://cdn.example.com/shop", "host: [shop.example.com]",
            "#to: ../cdn/shop", "#scheme: customscheme",
        ] { #expect(text.contains("\n\(line)\n")) }
    }
}
