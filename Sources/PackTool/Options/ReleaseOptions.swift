import ArgumentParser
import PackCore

/// The flags that describe a release; each is also a key of `packtool.yaml`.
struct ReleaseOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The app's name.", valueName: "name"))
    var app: String?

    @Option(help: ArgumentHelp("The public URL of the origin.", valueName: "url"))
    var baseURL: String?

    @Option(help: ArgumentHelp("What the app's client can do.", valueName: "name"))
    var profile: String?

    @Option(
        help: ArgumentHelp(
            "The custom scheme of the pages (default: customscheme).", valueName: "name"))
    var scheme: String?

    @Option(
        help: ArgumentHelp("A host the pages use with the scheme; repeatable.", valueName: "host"))
    var host: [String] = []

    @Option(
        help: ArgumentHelp("How the app loads its pages: custom, https, dual.", valueName: "kind"))
    var pageOrigin: String?

    @Option(
        help: ArgumentHelp(
            "The page the app opens first (default: index.html, if there is one).",
            valueName: "path"))
    var launch: String?
}

/// The flag of the verbs that publish to a channel or read one.
struct ChannelOption: ParsableArguments {
    @Option(help: ArgumentHelp("The line of releases (default: production).", valueName: "name"))
    var channel: String?
}

/// Flags and configuration file as one: flags win.
struct Settings {
    let configuration: Configuration
    /// The configuration file's directory, which its paths are relative to.
    private let base: String
    private let flags: ReleaseOptions?

    static let defaultFile = "packtool.yaml"
    /// A configuration larger than this is not one.
    private static let sizeLimit = 1 << 20

    init(_ output: OutputOptions, _ flags: ReleaseOptions? = nil) throws {
        self.flags = flags
        try Self.checkChoices(flags)
        let file = output.configFile ?? Self.defaultFile
        let slash = file.lastIndex(of: "/")
        base = slash.map { $0 == file.startIndex ? "/" : String(file[..<$0]) } ?? "."
        let name = slash.map { String(file[file.index(after: $0)...]) } ?? file
        // A file that was asked for by name has to be there.
        if output.configFile == nil, try Directory.open(base).status(name) == nil {
            configuration = Configuration()
        } else {
            var bytes = try ReadableFile.read(file, limit: Self.sizeLimit)
            // Some editors put a byte order mark first, which a YAML parser takes for text.
            if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
            configuration = try ConfigurationReader.read(
                String(decoding: bytes, as: UTF8.self), file: file)
        }
    }

    /// The configuration file limits some words; their flags take the same ones.
    static func checkChoices(_ flags: ReleaseOptions?) throws(InvalidWord) {
        try check(flags?.pageOrigin, "page origin", Profile.PageOrigin.allCases.map(\.rawValue))
        try check(flags?.profile, "profile", Profile.builtIn.map(\.name))
    }

    private static func check(
        _ word: String?, _ kind: String, _ choices: [String]
    ) throws(InvalidWord) {
        guard let word, !choices.contains(word) else { return }
        throw InvalidWord(
            kind: kind, word: word, problem: "is none of \(choices.joined(separator: ", "))",
            example: nearestWord(to: word, in: choices) ?? choices[0])
    }

    /// What the app does with the pages, from flags and file.
    ///
    /// - Throws: ``InvalidWord``, ``MissingSetting``.
    func profile() throws -> Profile {
        let settings = flags?.profile.map { ProfileSettings(base: $0) } ?? configuration.profile
        guard var profile = (settings ?? ProfileSettings(base: "seed003")).profile() else {
            throw MissingSetting(name: "the profile", flag: "--profile NAME", key: "profile")
        }
        profile.scheme = word(flags?.scheme, configuration.scheme) ?? profile.scheme
        profile.hosts =
            (flags?.host).flatMap { $0.isEmpty ? nil : $0 } ?? configuration.hosts ?? profile.hosts
        profile.pageOrigin =
            word(flags?.pageOrigin, configuration.pageOrigin)
            .flatMap { Profile.PageOrigin(rawValue: $0) } ?? profile.pageOrigin
        profile.launch = word(flags?.launch, configuration.launch) ?? profile.launch
        return profile
    }

    private func word(_ flag: String?, _ key: String?) -> String? { flag ?? key }

    /// A path of the configuration file, seen from the working directory.
    private func path(_ text: String?) -> String? {
        guard let text, !text.hasPrefix("/"), base != "." else { return text }
        return "\(base)/\(text)"
    }

    func build(_ argument: String?) throws -> String {
        guard let build = argument ?? path(configuration.build) else {
            throw MissingSetting(name: "the build directory", flag: "DIR", key: "build")
        }
        return build
    }

    func origin(_ flag: String?) throws -> String {
        guard let origin = flag ?? path(configuration.to) else {
            throw MissingSetting(name: "the origin", flag: "--to DIRECTORY", key: "to")
        }
        return try localOrigin(origin)
    }

    func channel(_ option: ChannelOption) throws -> Channel {
        guard let name = word(option.channel, configuration.channel) else { return .production }
        return try Channel(name)
    }

    /// Which older releases get a delta.
    func deltas(count: Int?, from: [String]) throws -> PublishRequest.DeltaPolicy {
        let named = from.isEmpty ? (count == nil ? configuration.deltas?.from : nil) : from
        let versions = try named?.map { text in
            guard let version = Version(text) else {
                throw InvalidWord(
                    kind: "version", word: text, problem: "is not 20 hexadecimal digits",
                    example: "9b7c0f3a52d14e88a6b1")
            }
            return version
        }
        return PublishRequest.DeltaPolicy(
            count: count ?? configuration.deltas?.count ?? 3, from: versions)
    }

    func level(_ flag: CompressionLevel?) -> CompressionLevel {
        flag ?? configuration.level.flatMap { CompressionLevel(rawValue: $0) } ?? .default
    }

    /// What a manifest needs beside the release.
    func manifestRequest(commit: String?) throws -> ManifestRequest {
        guard let app = word(flags?.app, configuration.app) else {
            throw MissingSetting(name: "the app's name", flag: "--app NAME", key: "app")
        }
        guard let url = word(flags?.baseURL, configuration.baseURL) else {
            throw MissingSetting(
                name: "the public URL of the origin", flag: "--base-url URL", key: "base-url")
        }
        return ManifestRequest(
            app: try AppName(app), baseURL: try BaseURL(url),
            launch: word(flags?.launch, configuration.launch),
            scheme: try checkedScheme(word(flags?.scheme, configuration.scheme) ?? "customscheme"),
            build: .init(commit: commit, tool: "packtool \(toolVersion)"))
    }

    /// RFC 3986 section 3.1, in lower case: WebKit compares schemes in lower case.
    private func checkedScheme(_ scheme: String) throws -> String {
        let isLetter = { (byte: UInt8) in (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) }
        guard let first = scheme.utf8.first, isLetter(first),
            scheme.utf8.allSatisfy({
                isLetter($0) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
                    || "+-.".utf8.contains($0)
            }), !["http", "https", "file", "about", "data", "blob", "ws", "wss"].contains(scheme)
        else {
            throw InvalidWord(
                kind: "scheme", word: scheme,
                problem:
                    "has to be lower-case letters, digits, '+', '-' or '.', and not one of the web's own",
                example: "customscheme")
        }
        return scheme
    }
}

/// A directory, or a `file://` URL of one.
func localOrigin(_ text: String) throws -> String {
    guard let colon = text.range(of: "://") else { return text }
    guard text[..<colon.lowerBound].lowercased() == "file" else {
        throw InvalidWord(
            kind: "origin", word: text, problem: "is not a directory or a file:// URL",
            example: "file:///srv/cdn/shop")
    }
    var rest = text[colon.upperBound...]
    if rest.hasPrefix("localhost/") { rest = rest.dropFirst("localhost".count) }
    guard rest.hasPrefix("/"), let path = decodedPath(rest) else {
        throw InvalidWord(
            kind: "origin", word: text, problem: "names no path on this machine",
            example: "file:///srv/cdn/shop")
    }
    return path
}

/// Something that neither a flag nor the configuration file gives.
struct MissingSetting: Remedied {
    let name: String
    let flag: String
    let key: String

    var code: String { "usage.missing-\(key)" }
    var description: String { "\(name) is not given" }
    var remedy: String {
        "give \(flag), or '\(key):' in packtool.yaml (write one with 'packtool init')"
    }
    var failure: FailureKind { .usage }
}
