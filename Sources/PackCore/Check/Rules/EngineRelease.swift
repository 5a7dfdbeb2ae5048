import PackGround
import PackProfile

/// A release of iOS, or a major version of Chrome, whose number Android's WebView has.
struct EngineRelease: Hashable, Comparable, Sendable {
    let major: Int
    let minor: Int

    init(_ major: Int, _ minor: Int = 0) {
        self.major = major
        self.minor = minor
    }

    /// After every release: no engine has the feature yet.
    static let none = EngineRelease(.max)

    static func < (one: EngineRelease, other: EngineRelease) -> Bool {
        (one.major, one.minor) < (other.major, other.minor)
    }

    /// The release without the name of its system: `13.4`.
    var number: String { minor == 0 ? "\(major)" : "\(major).\(minor)" }
}

/// The first releases with a feature; `nil` if none has it yet.
struct Releases: Sendable {
    let iOS: EngineRelease?
    let webView: EngineRelease?

    init(_ iOS: EngineRelease?, _ webView: Int?) {
        self.iOS = iOS
        self.webView = webView.map { EngineRelease($0) }
    }

    /// The first release on the profile's platform.
    func first(for profile: Profile) -> EngineRelease {
        (profile.platform == .ios ? iOS : webView) ?? .none
    }
}

extension Profile {
    /// The minimum assumed by the rules if the settings give none.
    ///
    /// A built-in profile's minimum is the oldest release on which its handler works; few apps
    /// still support it. Capacitor 8 requires iOS 15, and Chrome 91 is from the same year.
    private static let assumed = Releases(EngineRelease(15), 91)

    /// The oldest engine for the pages, as far as known.
    var oldestEngine: EngineRelease {
        let minimum =
            platform == .ios
            ? EngineRelease(minimumIOS.major, minimumIOS.minor) : EngineRelease(minimumWebView)
        return statesMinimum ? minimum : max(minimum, Self.assumed.first(for: self))
    }

    /// The key of the oldest engine in `packtool.yaml`.
    var minimumKey: String {
        platform == .ios ? "profile.minimum-ios" : "profile.minimum-webview"
    }

    /// Text for users: "iOS 13.4", "a later WebView than any release".
    func name(of release: EngineRelease) -> String {
        let system = platform == .ios ? "iOS" : "WebView"
        return release == .none
            ? "a later \(system) than any release" : "\(system) \(release.number)"
    }

    /// The part of a message about the oldest engine.
    var minimumClause: String {
        statesMinimum
            ? "'\(minimumKey)' is \(oldestEngine.number)" : "'\(minimumKey)' is not set"
    }
}
