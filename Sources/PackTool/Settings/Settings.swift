package import PackArchive
package import PackCheck
package import PackFeeds
package import PackGround
package import PackProfile
package import PackPublish
package import PackRelease
import PackS3

/// The flags of a command and `packtool.yaml` as one value.
///
/// Flags take precedence. Names, URLs and schemes are validated on access, so an invalid one in the
/// file does not affect commands that do not use it.
package struct Settings: Sendable {
    /// The ways in which apps load the pages: one for each app; never empty.
    package let profiles: [Profile]
    /// The first of ``profiles``.
    package let profile: Profile
    /// The options of rules besides the profile.
    package let checkOptions: CheckOptions
    /// Paths excluded from the package.
    package let exclusions: Exclusions

    let flags: Configuration
    let file: Configuration
    /// The configuration file's directory, the base of its paths.
    let base: String

    /// - Parameters:
    ///   - base: The directory of the configuration file, relative to the working directory.
    /// - Throws: ``Failure`` for a malformed flag.
    package init(
        flags: Configuration, file: Configuration = Configuration(), base: String = "."
    ) throws(Failure) {
        self.flags = flags
        self.file = file
        self.base = base
        for (key, content) in flags.contents {
            guard case .texts(let words) = content else { continue }
            for word in words {
                guard let fault = key.fault(of: word) else { continue }
                throw Failure.invalidArgument(
                    kind: key.wordKind, word: word,
                    problem: fault.problem, example: fault.example)
            }
        }
        let both = { (key: SettingKey) in flags.text(key) ?? file.text(key) }
        let entries = Self.entries(flags: flags, file: file)
        let profiles = entries.map { entry in
            Self.profile(entry, flags: flags, file: file, isOnly: entries.count == 1)
        }
        self.profiles = profiles
        profile = profiles.first ?? Defaults.profile
        // Both sources were validated when read, so no pattern is dropped here.
        exclusions = Exclusions(
            (flags.texts(.exclude) ?? file.texts(.exclude) ?? []).compactMap {
                try? ExclusionPattern($0)
            })
        checkOptions = CheckOptions(
            external: file.texts(.checkExternal) ?? [], api: file.texts(.checkAPI) ?? [],
            budgets: .init(
                package: file.size(.budgetPackage) ?? Defaults.budgets.package,
                update: file.size(.budgetUpdate) ?? Defaults.budgets.update,
                file: file.size(.budgetFile) ?? Defaults.budgets.file,
                files: file.number(.budgetFiles) ?? Defaults.budgets.files),
            userAgentToken: file.text(.checkUserAgent), namesLaunch: both(.launch) != nil)
    }

    /// The settings of each app: those of the flags, else of the file.
    ///
    /// A flag takes precedence over the file's entire profile. It may also name an entry of the
    /// file's `profiles`.
    private static func entries(flags: Configuration, file: Configuration) -> [Configuration] {
        let named = flags.list(.profiles) ?? (flags.profile == nil ? nil : [flags])
        guard let named else { return file.list(.profiles) ?? [file] }
        return named.map { entry in
            file.list(.profiles)?.first { $0.profile?.name == entry.profile?.name } ?? entry
        }
    }

    /// The profile of an app.
    ///
    /// Its own addresses take precedence over those of the file. If there are several apps, a
    /// scheme applies to those of its platform, and hosts to those without their own.
    private static func profile(
        _ entry: Configuration, flags: Configuration, file: Configuration, isOnly: Bool
    ) -> Profile {
        var profile = entry.profile ?? Defaults.profile
        let own = entry == file || entry == flags ? Configuration() : entry
        let text = { (key: SettingKey) in flags.text(key) ?? own.text(key) ?? file.text(key) }
        if let scheme = text(.scheme) {
            let isWeb = ["http", "https"].contains(scheme.lowercased())
            if isOnly || own[.scheme] != nil || isWeb == (profile.platform == .android) {
                profile.scheme = scheme
            }
        }
        if let hosts = own.texts(.host) {
            profile.hosts = hosts
        } else if isOnly || profile.hosts.isEmpty {
            profile.hosts = flags.texts(.host) ?? file.texts(.host) ?? profile.hosts
        }
        if profile.platform == .ios {
            profile.pageOrigin =
                text(.pageOrigin).flatMap { Profile.PageOrigin(rawValue: $0) }
                ?? profile.pageOrigin
        }
        if let launch = text(.launch) { profile.setLaunch(launch) }
        return profile
    }

    /// The apps' ways of loading pages, for commands that use their addresses.
    ///
    /// - Throws: ``Failure`` for addresses that no app of the profile's platform has.
    package func usableProfiles() throws(Failure) -> [Profile] {
        for profile in profiles where profile.platform == .android {
            guard profile.isIntercepted else {
                throw Failure.invalidArgument(
                    kind: "scheme", word: profile.scheme,
                    problem: "is not for '\(profile.name)': Android apps answer https addresses",
                    example: "https")
            }
            guard !profile.hosts.isEmpty else {
                throw Failure.usageMissing(
                    RequiredSetting(
                        name: "the host of the profile '\(profile.name)'", flag: "--host HOST",
                        key: .host))
            }
            if let word = text(.pageOrigin), word != Profile.PageOrigin.https.rawValue,
                profiles.count == 1
            {
                throw Failure.invalidArgument(
                    kind: "page origin", word: word,
                    problem: "is not for '\(profile.name)', whose pages have https addresses",
                    example: Profile.PageOrigin.https.rawValue)
            }
        }
        return profiles
    }

    /// The only app's way of loading pages, for commands that take one.
    ///
    /// - Throws: ``Failure``, also if there are several.
    package func usableProfile() throws(Failure) -> Profile {
        let profiles = try usableProfiles()
        guard profiles.count == 1 else { throw .profileAmbiguous(profiles.map(\.name)) }
        return profile
    }

    /// Old names in the file, each with the new one.
    package var notes: [String] { file.notes }

    /// The text of a setting; flags take precedence.
    package func text(_ key: SettingKey) -> String? { flags.text(key) ?? file.text(key) }

    /// A path relative to the working directory; paths in the file are relative to the file.
    private func path(_ key: SettingKey) -> String? {
        if let path = flags.text(key) { return path }
        guard let path = file.text(key) else { return nil }
        return path.hasBytes("/") || base == "." || path.contains("://")
            ? path : "\(base)/\(path)"
    }

    /// Converts a setting; an error includes its location.
    private func make<Result>(
        _ key: SettingKey, _ word: String, _ make: (String) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        do throws(Failure) {
            return try make(word)
        } catch {
            guard flags[key] == nil, let location = file.location(of: key) else { throw error }
            throw error.located(at: location)
        }
    }

    // MARK: - Paths

    /// The build output.
    package func build() throws(Failure) -> String {
        guard let build = path(.build) else {
            throw Failure.usageMissing(.build)
        }
        return build
    }

    /// The origin's directory, or the address of its bucket.
    package func origin() throws -> String {
        guard let origin = path(.to) else {
            throw Failure.usageMissing(.origin)
        }
        return try make(.to, origin) { text throws(Failure) in
            switch OriginAddress(text) {
            case .bucket: try S3Address(text).description
            case .directory, .web: try localOrigin(text)
            }
        }
    }

    // MARK: - Publishing

    /// The channel, or the default one.
    package func channel() throws(Failure) -> Channel { try givenChannel() ?? Defaults.channel }

    /// The channel of `packtool.yaml` or a flag; `nil` if neither names one.
    package func givenChannel() throws(Failure) -> Channel? {
        guard let name = text(.channel) else { return nil }
        return try make(.channel, name) { text throws(Failure) in try Channel(text) }
    }

    package var level: CompressionLevel {
        text(.level).flatMap { CompressionLevel(rawValue: $0) } ?? Defaults.level
    }

    /// The older releases that get a delta.
    package func deltas() throws(Failure) -> PublishRequest.DeltaPolicy {
        // A count on the command line replaces the releases named in the file.
        let named =
            flags.texts(.deltasFrom)
            ?? (flags.number(.deltasCount) == nil ? file.texts(.deltasFrom) : nil)
        var versions: [Version]?
        for (index, text) in (named ?? []).enumerated() {
            let version = try make(.deltasFrom, text) { text throws(Failure) in
                guard index < SettingKey.mostDeltas else {
                    throw Failure.invalidArgument(
                        kind: "version", word: text,
                        problem: "is one too many: deltas are made from at most "
                            + "\(SettingKey.mostDeltas) releases", example: "--deltas 5")
                }
                return try self.version(text)
            }
            versions = (versions ?? []) + [version]
        }
        return PublishRequest.DeltaPolicy(
            count: flags.number(.deltasCount) ?? file.number(.deltasCount) ?? Defaults.deltas,
            from: named == nil ? nil : versions ?? [])
    }

    /// The feeds to add to those of the channel.
    package var feeds: [Feed] {
        let names = flags.texts(.feeds) ?? file.texts(.feeds) ?? []
        return Feed.allCases.filter { names.contains($0.rawValue) }
    }

    private func version(_ text: String) throws(Failure) -> Version {
        guard let version = Version(text) else {
            throw Failure.invalidArgument(
                kind: "version", word: text, problem: "is not 20 hexadecimal digits",
                example: "9b7c0f3a52d14e88a6b1")
        }
        return version
    }

    /// The app's name, if given.
    package func app() throws(Failure) -> AppName? {
        guard let app = text(.app) else { return nil }
        return try make(.app, app) { text throws(Failure) in try AppName(text) }
    }

    /// The public URL of the origin, if given.
    package func baseURL() throws(Failure) -> BaseURL? {
        guard let url = text(.baseURL) else { return nil }
        return try make(.baseURL, url) { text throws(Failure) in try BaseURL(text) }
    }

    /// The data for a manifest in addition to the release.
    package func manifestRequest(commit: String?) throws -> ManifestRequest {
        guard let app = try app() else {
            throw Failure.usageMissing(.app)
        }
        guard let url = try baseURL() else {
            throw Failure.usageMissing(.baseURL)
        }
        return try manifestRequest(app: app, baseURL: url, commit: commit)
    }

    /// The data for a manifest with a known name and URL.
    package func manifestRequest(
        app: AppName, baseURL: BaseURL, commit: String? = nil
    ) throws -> ManifestRequest {
        ManifestRequest(
            app: app, baseURL: baseURL, launch: text(.launch).flatMap { $0 == "/" ? nil : $0 },
            scheme: try make(.scheme, profile.scheme, checkedScheme),
            build: .init(commit: commit, tool: toolName))
    }

    /// Validates a scheme by RFC 3986 section 3.1, in lower case, because WebKit compares schemes
    /// in lower case.
    private func checkedScheme(_ scheme: String) throws(Failure) -> String {
        let isLetter = { (byte: UInt8) in (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) }
        if profile.isIntercepted { return scheme }
        guard let first = scheme.utf8.first, isLetter(first),
            scheme.utf8.allSatisfy({
                isLetter($0) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
                    || "+-.".utf8.contains($0)
            }), !["http", "https", "file", "about", "data", "blob", "ws", "wss"].contains(scheme)
        else {
            throw Failure.invalidArgument(
                kind: "scheme", word: scheme,
                problem:
                    "must be lower-case letters, digits, '+', '-' or '.', and not a scheme of the web",
                example: Profile.basenameCache.scheme)
        }
        return scheme
    }

    // MARK: - Checking

    /// The disabled rules.
    ///
    /// - Parameter selected: Rules selected by name, which run even if the file ignores them.
    package func ignoredRules(selected: [String] = []) -> [String] {
        flags.texts(.checkIgnore) ?? (selected.isEmpty ? file.texts(.checkIgnore) : nil) ?? []
    }

    /// The file of accepted findings.
    package var baseline: String? { path(.checkBaseline) }

    package var maxWarnings: Int? {
        flags.number(.checkMaxWarnings) ?? file.number(.checkMaxWarnings)
    }
}

extension Failure.Code {
    package static let profileAmbiguous = Self("usage.several-profiles")

    package static func usageMissing(_ key: SettingKey) -> Self {
        Self("usage.missing-\(key.rawValue)")
    }
}

extension Failure {
    /// Several profiles for a command that takes one.
    fileprivate static func profileAmbiguous(_ names: [String]) -> Failure {
        Failure(
            .profileAmbiguous, "there are several profiles: \(names.joined(separator: ", "))",
            exitCode: .usage, details: ["example": names.first ?? ""])
    }

    /// A required setting given neither by a flag nor by the configuration file.
    package static func usageMissing(_ setting: RequiredSetting) -> Failure {
        Failure(
            .usageMissing(setting.key), "\(setting.name) is missing", exitCode: .usage,
            details: ["flag": setting.flag, "key": setting.key.rawValue])
    }
}

/// A setting that a command requires.
package struct RequiredSetting: Sendable {
    package static let build = RequiredSetting(
        name: "the build directory", flag: "DIR", key: .build)
    package static let origin = RequiredSetting(
        name: "the origin", flag: "--to DIRECTORY", key: .to)
    package static let app = RequiredSetting(
        name: "the app's name", flag: "--app NAME", key: .app)
    package static let baseURL = RequiredSetting(
        name: "the public URL of the origin", flag: "--base-url URL", key: .baseURL)

    /// With its article, for messages.
    package let name: String
    package let flag: String
    package let key: SettingKey

    package init(name: String, flag: String, key: SettingKey) {
        self.name = name
        self.flag = flag
        self.key = key
    }
}
