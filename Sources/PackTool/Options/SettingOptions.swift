import ArgumentParser
import PackArchive
import PackProfile
import PackSettings

// The flags that set a key of packtool.yaml. Each is a group, so that a command takes only the
// flags it uses. Groups contain few others: in a debug build, ArgumentParser takes four times as
// long for an option with each group around it.

/// Flags that set configuration keys.
protocol SettingOptions: ParsableArguments {
    func apply(to settings: inout Configuration)
}

/// The name of a release, and its public URL.
struct IdentityOptions: SettingOptions {
    @Option(name: .setting(.app), help: .setting(.app, "name"))
    var app: String?

    @Option(name: .setting(.baseURL), help: .setting(.baseURL, "url"))
    var baseURL: String?

    func apply(to settings: inout Configuration) {
        settings.set(.app, app)
        settings.set(.baseURL, baseURL)
    }
}

struct ProfileOption: SettingOptions {
    @Option(name: .setting(.profile), help: .setting(.profile, "name"))
    var profile: ProfileName?

    func apply(to settings: inout Configuration) { settings.set(.profile, profile?.name) }
}

struct SchemeOption: SettingOptions {
    @Option(name: .setting(.scheme), help: .setting(.scheme, "name"))
    var scheme: String?

    func apply(to settings: inout Configuration) { settings.set(.scheme, scheme) }
}

struct LaunchOption: SettingOptions {
    @Option(name: .setting(.launch), help: .setting(.launch, "path"))
    var launch: String?

    func apply(to settings: inout Configuration) { settings.set(.launch, launch) }
}

struct ChannelOption: SettingOptions {
    @Option(name: .setting(.channel), help: .setting(.channel, "name"))
    var channel: String?

    func apply(to settings: inout Configuration) { settings.set(.channel, channel) }
}

struct LevelOption: SettingOptions {
    @Option(name: .setting(.level), help: .setting(.level, "level"))
    var level: CompressionLevel?

    func apply(to settings: inout Configuration) { settings.set(.level, level?.rawValue) }
}

/// Paths excluded from the package.
struct ExcludeOption: SettingOptions {
    @Option(name: .setting(.exclude), help: .setting(.exclude, "pattern"))
    var exclude: [String] = []

    func apply(to settings: inout Configuration) { settings.set(.exclude, exclude) }
}

/// The app's way of loading pages, used by rules and rewriting.
struct PageOptions: SettingOptions {
    @Option(name: .setting(.profile), help: .setting(.profile, "name", isRepeatable: true))
    var profile: [ProfileName] = []

    @Option(name: .setting(.scheme), help: .setting(.scheme, "name"))
    var scheme: String?

    @Option(name: .setting(.host), help: .setting(.host, "host"))
    var host: [String] = []

    @Option(name: .setting(.pageOrigin), help: .setting(.pageOrigin, "kind"))
    var pageOrigin: Profile.PageOrigin?

    func apply(to settings: inout Configuration) {
        settings.set(profiles: profile)
        settings.set(.scheme, scheme)
        settings.set(.host, host)
        settings.set(.pageOrigin, pageOrigin?.rawValue)
    }
}

extension Configuration {
    /// Sets the profiles named by flags, if any.
    mutating func set(profiles: [ProfileName]) {
        if profiles.count > 1 {
            set(.profiles, .list(profiles.map { .ofProfile($0.name) }))
        } else {
            set(.profile, profiles.first?.name)
        }
    }
}

extension NameSpecification {
    /// The flag of a setting.
    static func setting(_ key: SettingKey) -> NameSpecification {
        .customLong(key.flag ?? key.name)
    }
}

extension ArgumentHelp {
    /// The help of a setting's flag: its meaning, whether it is repeatable, and its default.
    static func setting(
        _ key: SettingKey, _ valueName: String, isRepeatable: Bool = false
    ) -> ArgumentHelp {
        var text = String(key.about.dropLast())
        if isRepeatable || key.form == .texts { text += "; repeatable" }
        if let value = Defaults.text(of: key) { text += " (default: \(value))" }
        return ArgumentHelp("\(text).", valueName: valueName)
    }
}

extension ToolCommand {
    /// Rejects a negative limit of warnings, for commands with this option.
    func checkMaxWarnings(_ count: Int?) throws {
        if let count, count < 0 { throw ValidationError("--max-warnings takes 0 or more.") }
    }

    /// Rejects a number of deltas outside the range of the setting.
    func checkDeltas(_ count: Int?) throws {
        if let count, case .number(let range) = SettingKey.deltasCount.form, !range.contains(count)
        {
            throw ValidationError("--deltas takes \(range.lowerBound) to \(range.upperBound).")
        }
    }
}
