import PackCore
import Testing

/// `profile` in `packtool.yaml`.
struct ProfileSettingsTests {
    private func read(_ yaml: String) throws -> Profile? {
        try ConfigurationReader.read(yaml, file: "packtool.yaml").profile?.profile()
    }

    @Test(arguments: Profile.builtIn) func takesTheNameOfABuiltIn(_ profile: Profile) throws {
        #expect(try read("profile: \(profile.name)\n") == profile)
    }

    @Test func takesAClientSpelledOut() throws {
        let profile = try read(
            """
            profile:
              base: seed003
              minimum-ios: 12.2
              look-up: path
              query: strip
              fragment: strip
              percent-decoding: true
              scheme-comparison: lower
              index-file: start-page
              range: true
              cors: true
              media-types: {wasm: application/wasm}
              fallback: https
              skip-existing: false
              root: /shop/
              app-schemes: [weixin, JSBridge]
            """)
        let expected = Profile.seed003.with {
            $0.name = "custom"
            $0.minimumIOS = .init(12, 2)
            $0.root = "/shop/"
            $0.appSchemes = ["weixin", "jsbridge"]
            $0.client = ClientModel(
                lookUp: .path, query: .strip, fragment: .strip, decodesPercent: true,
                schemeComparison: .lower, indexFile: .startPage, answersRanges: true,
                sendsCORS: true, mediaTypes: ["wasm": "application/wasm"], fallback: .https,
                skipsExisting: false)
        }
        #expect(profile == expected)
    }

    @Test func startsFromTheStrictOneWhereNothingElseIsNamed() throws {
        let profile = try read("profile: {range: false}\n")
        #expect(profile?.client.lookUp == .path)
        #expect(profile?.client.answersRanges == false)
    }

    @Test(arguments: [
        ("profile: seed03\n", "config.not-a-choice", "did you mean 'seed003'?"),
        ("profile: {lookup: path}\n", "config.unknown-key", "did you mean 'look-up'?"),
        ("profile: {look-up: basenam}\n", "config.not-a-choice", "did you mean 'basename'?"),
        ("profile: {range: maybe}\n", "config.not-true-or-false", nil),
        ("profile: {minimum-ios: new}\n", "config.malformed", nil),
        ("profile: {root: shop}\n", "config.malformed", nil),
        ("profile: [seed003]\n", "config.not-text", nil),
    ])
    func refusesWhatItDoesNotKnow(_ yaml: String, _ code: String, _ remedy: String?) throws {
        let error = try #require(throws: ConfigurationError.self) { try read(yaml) }
        #expect(error.code == code)
        if let remedy { #expect(error.remedy == remedy) }
        #expect(error.description.hasPrefix("packtool.yaml:1: "))
    }
}
