import PackGround
import PackProfile

/// The configuration of an app built by a framework around the pages.
struct HybridApp {
    /// The built-in profile of its client.
    let profile: Profile
    /// The configuration file.
    let file: String
    /// The directory of the pages, relative to the project.
    let webDirectory: String?
    let scheme: String?
    let host: String?

    private static let sizeLimit = 1 << 20

    /// The app of a project, if any.
    static func find(in project: Directory) throws -> HybridApp? {
        for file in ["capacitor.config.json", "capacitor.config.ts", "capacitor.config.js"] {
            guard let text = try text(of: file, in: project) else { continue }
            return HybridApp(
                profile: .capacitor, file: file, webDirectory: value(of: "webDir", in: text),
                scheme: value(of: "iosScheme", in: text), host: value(of: "hostname", in: text))
        }
        guard let text = try text(of: "config.xml", in: project), text.contains("<widget") else {
            return nil
        }
        return HybridApp(
            profile: .cordova, file: "config.xml", webDirectory: "www",
            scheme: preference("scheme", in: text), host: preference("hostname", in: text))
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

    /// The value of `<preference name="scheme" value="app" />`.
    private static func preference(_ name: String, in text: String) -> String? {
        let pattern = try? Regex(
            "<preference\\s+name=[\"']\(name)[\"']\\s+value=[\"']([^\"'<\\n]+)[\"']"
        ).ignoresCase()
        guard let pattern, let match = text.firstMatch(of: pattern) else { return nil }
        return match.output[1].substring.map(String.init)
    }
}
