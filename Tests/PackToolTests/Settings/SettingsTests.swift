import PackArchive
import PackCheck
import PackGround
import PackProfile
import PackPublish
import PackRelease
import PackSettings
import Testing

/// Combines flags and the file; flags take precedence.
struct SettingsTests {
    private func settings(_ yaml: String, base: String = ".", _ flags: Configuration) throws
        -> Settings
    {
        try Settings(
            flags: flags, file: ConfigurationReader.read(yaml, file: "packtool.yaml"), base: base)
    }

    private func flags(_ give: (inout Configuration) -> Void = { _ in }) -> Configuration {
        var flags = Configuration()
        give(&flags)
        return flags
    }

    /// URLs as written in pages are valid in `check.external`, but in no other list of hosts.
    @Test(arguments: [
        ("cdn.example.net", true), ("//cdn.example.net", true), ("//cdn.example.net/x.js", true),
        ("https://cdn.example.net/lib/", true), ("http://cdn.example.net/x.js", false),
        ("//", false), ("//a b/", false), ("//cdn.example.net/x?y", false), ("/x.js", false),
    ])
    func externalAddressesAreTaken(_ word: String, isTaken: Bool) {
        #expect((SettingKey.checkExternal.fault(of: word) == nil) == isTaken)
        #expect((SettingKey.host.fault(of: word) == nil) == (word == "cdn.example.net"))
    }

    @Test func nothingGivenIsTheDefaults() throws {
        let settings = try Settings(flags: Configuration())
        #expect(settings.profile == Defaults.profile)
        #expect(try settings.channel() == Defaults.channel)
        #expect(try settings.deltas().count == Defaults.deltas)
        #expect(try settings.deltas().from == nil)
        #expect(settings.level == Defaults.level)
        #expect(settings.checkOptions == CheckOptions(budgets: Defaults.budgets))
        #expect(settings.ignoredRules() == [] && settings.baseline == nil)
        #expect(settings.maxWarnings == nil)
        #expect(throws: Failure.usageMissing(.build)) { try settings.build() }
        #expect(throws: Failure.usageMissing(.origin)) { try settings.origin() }
    }

    @Test(arguments: Profile.builtIn)
    func theSchemeOfTheProfileIsTheManifests(_ profile: Profile) throws {
        let yaml = "app: shop\nbase-url: https://a.example\nprofile: \(profile.name)"
        #expect(try settings(yaml, flags()).manifestRequest(commit: nil).scheme == profile.scheme)
        let flagged = try settings(yaml, flags { $0.set(.profile, "capacitor") })
        #expect(try flagged.manifestRequest(commit: nil).scheme == "capacitor")
        #expect(flagged.profile == .capacitor)
        let named = try settings(yaml + "\nscheme: shop", flags())
        #expect(try named.manifestRequest(commit: nil).scheme == "shop")
        #expect(named.profile.scheme == "shop")
    }

    @Test func flagsWin() throws {
        let yaml = """
            app: one
            base-url: https://one.example
            build: one
            channel: one
            check: {ignore: [missing-file], baseline: one.json, max-warnings: 1}
            deltas: {count: 1, from: [11111111111111111111]}
            host: [one.example]
            launch: one.html
            level: fast
            page-origin: https
            profile: cordova
            scheme: one
            to: one
            """
        let plain = try settings(yaml, base: "conf", flags())
        #expect(try plain.build() == "conf/one" && plain.origin() == "conf/one")
        #expect(plain.baseline == "conf/one.json" && plain.maxWarnings == 1)
        #expect(plain.ignoredRules(selected: ["missing-file"]) == [])
        #expect(plain.ignoredRules() == ["missing-file"] && plain.level == .fast)
        #expect(try plain.deltas().from?.map(\.description) == ["11111111111111111111"])
        let won = try settings(
            yaml, base: "conf",
            flags {
                $0.set(.app, "two")
                $0.set(.baseURL, "https://two.example")
                $0.set(.build, "two")
                $0.set(.channel, "two")
                $0.set(.checkIgnore, ["js-window-open"])
                $0.set(.checkBaseline, "two.json")
                $0.set(.checkMaxWarnings, 2)
                $0.set(.deltasCount, 2)
                $0.set(.host, ["two.example"])
                $0.set(.launch, "two.html")
                $0.set(.level, "max")
                $0.set(.pageOrigin, "dual")
                $0.set(.profile, "capacitor")
                $0.set(.scheme, "two")
                $0.set(.to, "two")
            })
        #expect(try won.build() == "two" && won.origin() == "two")
        #expect(won.baseline == "two.json" && won.maxWarnings == 2)
        #expect(won.ignoredRules() == ["js-window-open"] && won.level == .max)
        #expect(try won.deltas().from == nil && won.deltas().count == 2)
        #expect(try won.channel().description == "two")
        var expected = Profile.capacitor
        expected.scheme = "two"
        expected.hosts = ["two.example"]
        expected.pageOrigin = .dual
        expected.launch = "two.html"
        #expect(won.profile == expected)
        let manifest = try won.manifestRequest(commit: nil)
        #expect(manifest.app.description == "two" && manifest.scheme == "two")
        #expect(manifest.launch == "two.html" && manifest.build.tool == toolName)
    }

    @Test func theCheckBlockReachesTheRules() throws {
        let settings = try settings(
            """
            check:
              external: [fonts.example]
              api: [/api/]
              budgets: {package: 5 MB, update: 200 kB, file: 1 MB, files: 10}
              user-agent: ShopApp
            """, flags())
        #expect(
            settings.checkOptions
                == CheckOptions(
                    external: ["fonts.example"], api: ["/api/"],
                    budgets: .init(package: 5_000_000, update: 200_000, file: 1_000_000, files: 10),
                    userAgentToken: "ShopApp"))
    }

    /// Errors in the file include the position; errors in flags do not.
    @Test func namesThePlace() throws {
        let yaml = "build: dist\nchannel: Beta"
        let error = #expect(throws: Failure.self) { try settings(yaml, flags()).channel() }
        #expect(error?.description.hasPrefix("packtool.yaml:2: ") == true)
        #expect(error?.exitCode == .usage)
        let flag = flags { $0.set(.channel, "Gamma") }
        let flagged = #expect(throws: Failure.self) { try settings(yaml, flag).channel() }
        #expect(flagged?.description.contains("packtool.yaml") == false)
        #expect(flagged?.code.name == "usage.channel")
    }

    private static let hosts: [(String, String, String)] = [
        ("https://shop.example.com", "has a scheme; a host is the name alone", "shop.example.com"),
        ("https://me@x.com:8080/a?b", "has a scheme; a host is the name alone", "x.com"),
        ("x.com/", "has a slash; a host is the name alone", "x.com"),
        ("x.com/shop", "has a slash; a host is the name alone", "x.com"),
        ("", "is empty", "shop.example.com"),
        ("x y", "has a space or a control character", "shop.example.com"),
        ("x.com:8080", "has a port; a host is the name alone", "x.com"),
        ("x.com:", "has a port; a host is the name alone", "x.com"),
        ("*.x.com", "has a wildcard; name each host", "shop.example.com"),
        ("me@x.com", "has a character that no host may have", "x.com"),
        ("a,b?c", "has a character that no host may have", "a,b"),
        ("[::1", "has a character that no host may have", "shop.example.com"),
        ("a^b", "has a character that no host may have", "shop.example.com"),
    ]

    @Test(arguments: hosts) func hostsOfAnotherForm(
        _ host: String, _ problem: String, _ example: String
    ) throws {
        let flag = #expect(throws: Failure.self) {
            try Settings(flags: flags { $0.set(.host, [host]) })
        }
        #expect(flag?["problem"] == problem)
        #expect(flag?["example"] == example)
        #expect(flag?.code.name == "usage.host")
        let file = #expect(throws: Failure.self) {
            try settings("host: [good.example, '\(host)']", flags())
        }
        #expect(
            file
                == Failure.configMalformed(
                    .host, word: host, WordFault(problem: problem, example: example)
                ).located(at: "packtool.yaml:1"))
    }
}
