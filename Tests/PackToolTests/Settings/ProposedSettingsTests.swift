import PackCheck
import PackGround
import PackSettings
import TestSupport
import Testing

/// The combined block of `packtool.yaml` that several findings propose.
struct ProposedSettingsTests {
    private static let files = [
        "index.html": """
        <!doctype html><meta charset=utf-8><script src="https://cdn.example.net/x.js"></script>
        <link rel=stylesheet href="https://fonts.example.org/a.css"><script src="a.js"></script>
        <a href="/docs/">d</a>
        """,
        "a.js": "fetch('/api/u'); fetch('/auth/me')\n//# sourceMappingURL=a.js.map",
        "a.js.map": "{}", "a.js.gz": "", "docs/index.html": "<!doctype html><p>",
    ]

    private func settings(_ yaml: String, _ flags: Configuration = .init()) throws -> Settings {
        try Settings(flags: flags, file: ConfigurationReader.read(yaml, file: "packtool.yaml"))
    }

    /// Checks the build with the given settings.
    private func findings(_ settings: Settings) async throws -> [Finding] {
        var memory: [AssetPath: [UInt8]] = [:]
        for (path, content) in Self.files {
            let path = try AssetPath(path)
            if settings.exclusions.match(path.bytes, isDirectory: false) == nil {
                memory[path] = Array(content.utf8)
            }
        }
        let site = SiteIndex(
            memory: memory, profile: settings.profile, options: settings.checkOptions)
        return try await Checker(site: site, rules: RuleCatalog.all).check(jobs: 1).findings
            .filter { $0.severity > .hint && $0.setting != nil }
    }

    /// Regression: each finding proposed its own line, and duplicate keys are an error.
    @Test(arguments: ["", "app: shop\n", "profile: path-strict\ncheck: {ignore: [js-api-cors]}\n"])
    func theBlockEndsTheFindingsThatProposedIt(file: String) async throws {
        let before = try await findings(settings(file))
        let keys = Set(before.compactMap { $0.setting?.key })
        #expect(
            keys == ["check.api", "check.external", "exclude", "profile.index-file"], "\(keys)")
        #expect(before.count > keys.count)
        let lines = try settings(file).proposal(for: before)
        #expect(lines.prefix(2) == ["if this is intentional, add to packtool.yaml:", ""])
        #expect(lines.contains("check.api: [/api/, /auth/]"), "\(lines)")
        #expect(lines.contains("check.external: [cdn.example.net, fonts.example.org]"), "\(lines)")
        let pasted = file + lines.dropFirst().joined(separator: "\n")
        #expect(try await findings(settings(pasted)) == [], "\(pasted)")
    }

    /// The block is in the order of the file that `init` writes.
    @Test func theBlockHasTheOrderOfTheTemplate() async throws {
        let lines = try settings("").proposal(for: await findings(settings("")))
        let keys = lines.compactMap { line in
            line.firstRange(of: ": ").map { String(line[..<$0.lowerBound]) }
        }.filter { SettingKey(rawValue: $0) != nil }
        #expect(
            keys == ["exclude", "profile.index-file", "check.api", "check.external"], "\(lines)")
    }

    /// An existing key is replaced, and its value is included in the new one.
    @Test func valuesOfTheFileAreKept() async throws {
        let file = "check:\n  external: [a.example]\nexclude: ['**/*.map', '**/*.gz']\n"
        let lines = try settings(file).proposal(for: await findings(settings(file)))
        let value = "[a.example, cdn.example.net, fonts.example.org]"
        #expect(
            lines.last
                == "in packtool.yaml:2, replace the value of 'check.external' by: \(value)")
        #expect(!lines.contains { $0.hasPrefix("check.external:") || $0.hasPrefix("exclude:") })
        let pasted =
            file.replacing("[a.example]", with: value)
            + lines.dropFirst().dropLast().joined(separator: "\n")
        #expect(try await findings(settings(pasted)) == [])
    }

    /// If a flag overrides the file, changing the file alone has no effect.
    @Test func flagsThatHideTheFileAreNamed() async throws {
        var flags = Configuration()
        flags.set(.profile, "path-strict")
        flags.set(.exclude, ["*.txt"])
        let lines = try settings("", flags).proposal(for: await findings(settings("", flags)))
        #expect(lines.last == "then omit --exclude and --profile, which would take precedence")
        #expect(lines.contains("profile: path-strict"))
        #expect(lines.contains { $0.hasPrefix("exclude: [\"*.txt\", ") }, "\(lines)")
        let pasted = lines.dropFirst().dropLast().joined(separator: "\n")
        #expect(try await findings(settings(pasted)) == [])
    }

    private func proposal(of profiles: [String]) -> Finding {
        var finding = Finding(
            rule: "mime-unknown", severity: .error, path: "a.mjs", message: "no type",
            setting: SettingProposal("profile.media-types", name: "mjs", "text/javascript"))
        finding.profiles = profiles
        return finding
    }

    /// Regression: a key of `profile` was proposed beside `profiles`, where it is an error.
    @Test(arguments: [
        (
            ["capacitor"],
            "[{base: capacitor, media-types: {mjs: text/javascript}}, capacitor-android]"
        ),
        (
            [],
            "[{base: capacitor, media-types: {mjs: text/javascript}}, "
                + "{base: capacitor-android, media-types: {mjs: text/javascript}}]"
        ),
    ])
    func keysOfAProfileGoIntoItsEntry(profiles: [String], value: String) throws {
        let file = "profiles: [capacitor, capacitor-android]\n"
        let lines = try settings(file).proposal(for: [proposal(of: profiles)])
        #expect(
            lines == [
                "if this is intentional:",
                "in packtool.yaml:1, replace the value of 'profiles' by: \(value)",
            ])
        var flags = Configuration()
        flags.set(
            .profiles, .list(["capacitor", "capacitor-android"].map(Configuration.ofProfile)))
        let added = try settings("", flags).proposal(for: [proposal(of: profiles)])
        #expect(added.contains("profiles: \(value)"), "\(added)")
        #expect(added.last == "then omit --profile, which would take precedence")
    }

    /// The settings used for another check are those of the file after pasting.
    @Test(arguments: [
        "", "profile: path-strict\n", "profile: {base: capacitor, minimum-ios: 15}\n",
        "profile.media-types: {wasm: application/wasm}\n",
    ])
    func appliedSettingsAreThoseOfThePastedFile(file: String) throws {
        let proposed = ProposedSettings([
            proposal(of: []),
            Finding(
                rule: "js-relative-ajax", severity: .error, path: "a.js", message: "no file",
                setting: SettingProposal("check.api", adding: ["/api/"])),
        ])
        let given = try ConfigurationReader.read(file, file: "packtool.yaml")
        var pasted = file
        for line in proposed.lines(file: given, flags: Configuration()) {
            if let value = line.split(separator: " by: ").dropFirst().first {
                pasted = pasted.replacing("{wasm: application/wasm}", with: value)
            } else if line.contains(": ") {
                pasted += line + "\n"
            }
        }
        let applied = proposed.applied(to: given, flags: Configuration())
        let read = try ConfigurationReader.read(pasted, file: "packtool.yaml")
        #expect(applied.file.contents == read.contents, "\(pasted)")
    }

    /// Values are proposed once: chosen and declined ones are subtracted.
    @Test func proposalsAreSubtracted() async throws {
        let all = ProposedSettings(try await findings(settings("")))
        let api = all.filtered { $0 == .checkAPI }
        #expect(all.subtracting(api).values.texts(.checkAPI) == nil)
        let rest = all.subtracting(api.limited(.checkAPI, to: ["/api/"]))
        #expect(rest.values.texts(.checkAPI) == ["/auth/"])
        #expect(rest.reasons[.checkAPI]?.count == 1)
        #expect(all.subtracting(all).isEmpty)
        #expect(all.ofErrors.values.texts(.checkExternal) == ["cdn.example.net"])
    }

    @Test func nothingProposedIsNoBlock() throws {
        #expect(try settings("").proposal(for: []) == [])
    }
}
