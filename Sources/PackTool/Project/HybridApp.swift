import PackGround
import PackProfile
import PackSettings

/// The configuration of an app built around the pages by a framework, or with Android's asset loader.
struct HybridApp {
    /// The settings of the profile of each platform; never empty.
    let profiles: [Configuration]
    /// The configuration file.
    let file: String
    /// The directory of the pages, relative to the project.
    let webDirectory: String?

    private static let sizeLimit = 1 << 20

    /// The app of a project, if any.
    static func find(in project: Directory) throws -> HybridApp? {
        let package = try text(of: "package.json", in: project) ?? ""
        for file in ["capacitor.config.json", "capacitor.config.ts", "capacitor.config.js"] {
            guard let text = try text(of: file, in: project) else { continue }
            let platforms = try platforms(in: project, below: "") {
                package.contains("\"@capacitor/\($0)\"")
            }
            let host = value(of: "hostname", in: text)
            return HybridApp(
                profiles: platforms.map { platform in
                    profile(
                        platform == .ios ? .capacitor : .capacitorAndroid,
                        scheme: value(of: "\(platform.rawValue)Scheme", in: text), host: host)
                }, file: file, webDirectory: value(of: "webDir", in: text))
        }
        if let text = try text(of: "config.xml", in: project), text.contains("<widget") {
            let platforms = try platforms(in: project, below: "platforms/") {
                package.contains("\"cordova-\($0)\"") || text.contains("<engine name=\"\($0)\"")
                    || text.contains("<platform name=\"\($0)\"")
            }
            return HybridApp(
                profiles: platforms.map { platform in
                    let own = section(of: platform, in: text)
                    return profile(
                        platform == .ios ? .cordova : .cordovaAndroid,
                        scheme: preference("scheme", in: own),
                        host: preference("hostname", in: own))
                }, file: "config.xml", webDirectory: "www")
        }
        for file in ["build.gradle", "build.gradle.kts"].flatMap({ ["app/\($0)", $0] }) {
            guard let text = try text(of: file, in: project),
                text.contains("androidx.webkit:webkit")
            else { continue }
            return HybridApp(
                profiles: [profile(.assetLoader, scheme: nil, host: nil)], file: file,
                webDirectory: nil)
        }
        return nil
    }

    /// The platforms with a directory, else those named by the project, else all.
    private static func platforms(
        in project: Directory, below folder: String, isNamed: (String) -> Bool
    ) throws -> [AppPlatform] {
        let all = AppPlatform.allCases
        let built = try all.filter { try project.status(folder + $0.rawValue) != nil }
        if !built.isEmpty { return built }
        let named = all.filter { isNamed($0.rawValue) }
        return named.isEmpty ? all : named
    }

    /// The settings of a profile with an app's own addresses.
    private static func profile(
        _ profile: Profile, scheme: String?, host: String?
    ) -> Configuration {
        let ownScheme = scheme.flatMap { $0 == profile.scheme ? nil : $0 }
        let ownHost = host.flatMap { profile.hosts == [$0] ? nil : $0 }
        guard ownScheme != nil || ownHost != nil else { return .ofProfile(profile.name) }
        var settings = Configuration()
        settings.set(.profileBase, profile.name)
        settings.set(.scheme, ownScheme)
        settings.set(.host, ownHost.map { [$0] } ?? [])
        return settings
    }

    private static func text(of file: String, in project: Directory) throws -> String? {
        guard let status = try project.status(file), status.kind == .file,
            status.size <= UInt64(sizeLimit)
        else { return nil }
        return String(decoding: try project.readFile(file, limit: sizeLimit), as: UTF8.self)
    }

    /// The string after a key of an object in JSON or a script: `webDir: 'dist'`.
    private static func value(of key: String, in text: String) -> String? {
        let pattern = try? Regex("(?:^|[\\s{,])[\"']?\(key)[\"']?\\s*:\\s*[\"']([^\"'\\n]+)[\"']")
        guard let pattern, let match = text.firstMatch(of: pattern) else { return nil }
        return match.output[1].substring.map(String.init)
    }

    /// A Cordova configuration without the elements of other platforms.
    private static func section(of platform: AppPlatform, in text: String) -> String {
        let pattern = try? Regex("<platform\\s+name=[\"']([a-z]+)[\"'][\\s\\S]*?</platform>")
        guard let pattern else { return text }
        return text.replacing(pattern) { match in
            match.output[1].substring == platform.rawValue[...]
                ? String(match.output[0].substring ?? "") : ""
        }
    }

    /// The value of `<preference name="scheme" value="app" />`.
    private static func preference(_ name: String, in text: String) -> String? {
        let pattern = try? Regex(
            "<preference\\s+name=[\"']\(name)[\"']\\s+value=[\"']([^\"'<\\n]+)[\"']"
        ).ignoresCase()
        guard let pattern, let match = text.firstMatch(of: pattern) else { return nil }
        return match.output[1].substring.map(String.init)
    }
}
