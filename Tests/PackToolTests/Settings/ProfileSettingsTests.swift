import PackGround
import PackProfile
import PackSettings
import Testing

/// `profile` in `packtool.yaml`.
struct ProfileSettingsTests {
    private func read(_ yaml: String) throws -> Profile? {
        try ConfigurationReader.read(yaml, file: "packtool.yaml").profile
    }

    @Test(arguments: Profile.builtIn) func takesTheNameOfABuiltIn(_ profile: Profile) throws {
        #expect(try read("profile: \(profile.name)\n") == profile)
        #expect(try read("profile: {base: \(profile.name)}\n") == profile)
    }

    @Test func takesAClientSpelledOut() throws {
        let profile = try read(
            """
            profile:
              base: basename-cache
              minimum-ios: 12.2
              look-up: path
              query: strip
              fragment: strip
              percent-decoding: true
              scheme-comparison: lower
              index-file: start-page
              range: true
              cors: true
              media-types: {WASM: application/wasm}
              fallback: https
              skip-existing: false
              root: /shop/
              app-schemes: [weixin, JSBridge]
            """)
        var expected = Profile.basenameCache
        expected.minimumIOS = .init(12, 2)
        expected.statesMinimum = true
        expected.root = "/shop/"
        expected.appSchemes = ["weixin", "jsbridge"]
        expected.client = ClientModel(
            lookUp: .path, query: .strip, fragment: .strip, decodesPercent: true,
            schemeComparison: .lower, indexFile: .startPage, answersRanges: true,
            sendsCORS: true, mediaTypes: ["wasm": "application/wasm"], fallback: .https,
            skipsExisting: false)
        #expect(profile == expected)
    }

    @Test func takesAnAndroidClientSpelledOut() throws {
        let profile = try read(
            "profile: {base: intercept, minimum-webview: 90, service-workers: true}")
        #expect(profile?.platform == .android && profile?.minimumWebView == 90)
        #expect(profile?.client.answersServiceWorkers == true)
    }

    @Test func startsFromTheStrictOneWhereNothingElseIsNamed() throws {
        let profile = try read("profile: {range: false}\n")
        #expect(profile?.client.lookUp == .path)
        #expect(profile?.client.answersRanges == false)
    }
}
