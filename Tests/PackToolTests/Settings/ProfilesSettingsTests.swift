import PackGround
import PackProfile
import PackSettings
import Testing

/// `profiles` in `packtool.yaml`: several apps for one build.
struct ProfilesSettingsTests {
    private func settings(
        _ yaml: String, _ give: (inout Configuration) -> Void = { _ in }
    ) throws -> Settings {
        var flags = Configuration()
        give(&flags)
        return try Settings(
            flags: flags, file: ConfigurationReader.read(yaml, file: "packtool.yaml"))
    }

    private func code(_ yaml: String) -> String? {
        do {
            _ = try settings(yaml).usableProfiles()
            return nil
        } catch {
            return (error as? Failure)?.code.name
        }
    }

    @Test func takesNamesAndBlocks() throws {
        let profiles = try settings(
            """
            profiles:
              - capacitor
              - {base: intercept, host: [shop.example.com], minimum-webview: 90, launch: /}
            """
        ).usableProfiles()
        #expect(profiles.count == 2 && profiles[0] == .capacitor)
        #expect(profiles[1].name == "intercept" && profiles[1].hosts == ["shop.example.com"])
        #expect(profiles[1].minimumWebView == 90 && profiles[1].opensRoot)
    }

    @Test func aSchemeIsForItsPlatformAndAHostForProfilesWithout() throws {
        let profiles = try settings(
            """
            profiles: [path-strict, intercept, capacitor-android]
            scheme: shop
            host: shop.example.com
            page-origin: dual
            """
        ).usableProfiles()
        #expect(profiles.map(\.scheme) == ["shop", "https", "https"])
        #expect(
            profiles.map(\.hosts) == [["shop.example.com"], ["shop.example.com"], ["localhost"]])
        #expect(profiles.map(\.pageOrigin) == [.dual, .https, .https])
    }

    @Test func aFlagSelectsAnEntryOrReplacesTheList() throws {
        let yaml = "profiles: [capacitor, {base: intercept, host: a.example}]"
        let one = try settings(yaml) { $0.set(.profile, "intercept") }
        #expect(try one.usableProfile().hosts == ["a.example"])
        let other = try settings(yaml) { $0.set(.profile, "cordova-android") }
        #expect(try other.usableProfile() == .cordovaAndroid)
        let two = try settings(yaml) {
            $0.set(.profiles, .list([.ofProfile("cordova"), .ofProfile("intercept")]))
        }
        #expect(try two.usableProfiles().map(\.name) == ["cordova", "intercept"])
        #expect(throws: Failure.self) { try two.usableProfile() }
    }

    @Test(arguments: [
        ("profiles: []", "config.not-text-list"), ("profiles: capacitor", "config.not-text-list"),
        ("profiles: [other]", "config.not-a-choice"),
        ("profiles: [{base: other}]", "config.not-a-choice"),
        ("profiles: [{to: x}]", "config.unknown-key"),
        ("profiles: [{root: /a/, root: /b/}]", "config.repeated-key"),
        ("profiles: [capacitor]\nprofile: cordova", "config.repeated-key"),
        ("profiles: [capacitor]\nprofile.root: /a/", "config.repeated-key"),
        ("profiles: [intercept]", "usage.missing-host"),
        ("profile: intercept", "usage.missing-host"),
        ("profile: {base: intercept}\nhost: a.example\nscheme: shop", "usage.scheme"),
        ("profile: capacitor-android\npage-origin: dual", "usage.page-origin"),
    ])
    func refuses(_ yaml: String, _ expected: String) {
        #expect(code(yaml) == expected)
    }
}
