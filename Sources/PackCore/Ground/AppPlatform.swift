/// The operating system of an app, and so its web engine and its versions.
package enum AppPlatform: String, CaseIterable, Sendable {
    /// WebKit, and a handler for a custom scheme.
    case ios
    /// Chromium, and a handler for intercepted http and https requests.
    case android

    /// The name in messages.
    package var name: String {
        switch self {
        case .ios: "iOS"
        case .android: "Android"
        }
    }
}
