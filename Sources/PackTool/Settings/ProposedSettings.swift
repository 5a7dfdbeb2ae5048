package import PackCheck
import PackGround
import PackProfile

/// The settings proposed by findings, merged by key into one block of `packtool.yaml`.
package struct ProposedSettings: Equatable, Sendable {
    /// One value for each key.
    package private(set) var values = Configuration()
    /// The findings behind the value of a key.
    package private(set) var reasons: [SettingKey: [Finding]] = [:]

    package init(_ findings: [Finding] = []) {
        var lists: [SettingKey: [String]] = [:]
        var tables: [SettingKey: [String: String]] = [:]
        // The value that resolves the finding with the most locations, if several are proposed for
        // a key.
        var single: [SettingKey: (value: String, places: Int)] = [:]
        for finding in findings {
            guard let setting = finding.setting, let key = SettingKey(rawValue: setting.key) else {
                continue
            }
            switch setting.form {
            case .list:
                let accepted = setting.values.filter(key.accepts)
                guard !accepted.isEmpty else { continue }
                for value in accepted where !lists[key, default: []].contains(value) {
                    lists[key, default: []].append(value)
                }
            case .table(let name):
                let value = setting.values.joined()
                guard key.fault(ofName: name) == nil, key.fault(ofNamed: value) == nil,
                    key.accepts(name), key.accepts(value)
                else { continue }
                tables[key, default: [:]][name] = value
            case .value:
                let value = setting.values.joined()
                guard key.accepts(value) else { continue }
                if finding.placeCount > single[key]?.places ?? 0 {
                    single[key] = (value, finding.placeCount)
                }
            }
            reasons[key, default: []].append(finding)
        }
        for (key, list) in lists { values.set(key, list.sorted()) }
        for (key, table) in tables { values.set(key, .table(table)) }
        for (key, best) in single {
            if case .number = key.form, let number = Int(best.value) {
                values.set(key, number)
            } else {
                values.set(key, best.value)
            }
            reasons[key]?.removeAll { $0.setting?.values.joined() != best.value }
        }
    }

    package var isEmpty: Bool { values.contents.isEmpty }

    /// The proposed keys in the order of the file.
    package var keys: [SettingKey] { ConfigurationTemplate.keys.filter { values[$0] != nil } }

    /// Whether a key ends an error; otherwise it ends warnings alone.
    package func endsErrors(_ key: SettingKey) -> Bool {
        reasons[key]?.contains { $0.severity == .error } ?? false
    }

    /// The proposals for some keys.
    package func filtered(_ isIncluded: (SettingKey) -> Bool) -> ProposedSettings {
        var rest = self
        for key in values.contents.keys where !isIncluded(key) {
            rest.values.unset(key)
            rest.reasons[key] = nil
        }
        return rest
    }

    /// The proposals with fewer elements of a list.
    package func limited(_ key: SettingKey, to elements: [String]) -> ProposedSettings {
        var rest = self
        rest.values.set(key, elements)
        return rest
    }

    /// The proposals without those of another check.
    package func subtracting(_ other: ProposedSettings) -> ProposedSettings {
        var rest = self
        for (key, old) in other.values.contents {
            switch (rest.values[key], old) {
            case (.texts(let new), .texts(let old)):
                let kept = new.filter { !old.contains($0) }
                guard !kept.isEmpty else { break }
                rest.values.set(key, kept)
                rest.reasons[key]?.removeAll { finding in
                    !(finding.setting?.values.contains(where: kept.contains) ?? false)
                }
                continue
            case (.table(let new), .table(let old)):
                let kept = new.filter { old[$0.key] == nil }
                guard !kept.isEmpty else { break }
                rest.values.set(key, .table(kept))
                continue
            case (nil, _): continue
            default: break
            }
            rest.values.unset(key)
            rest.reasons[key] = nil
        }
        return rest
    }

    /// The proposals for errors, without the values of warnings.
    package var ofErrors: ProposedSettings {
        ProposedSettings(keys.flatMap { reasons[$0] ?? [] }.filter { $0.severity == .error })
    }

    /// Adds the proposals of another check.
    package mutating func add(_ other: ProposedSettings) {
        for (key, new) in other.values.contents {
            values.set(key, Self.merged(values[key], new))
            for finding in other.reasons[key] ?? []
            where !(reasons[key]?.contains(finding) ?? false) {
                reasons[key, default: []].append(finding)
            }
        }
    }

    /// These proposals and those of another check.
    package func adding(_ other: ProposedSettings) -> ProposedSettings {
        var all = self
        all.add(other)
        return all
    }

    /// The elements of a proposed list; `nil` for other values.
    package func elements(_ key: SettingKey) -> [String]? { values.texts(key) }

    /// A proposed setting as in the file: `check.api: [/api/]`.
    package func line(_ key: SettingKey) -> String {
        "\(key.rawValue): \(values[key]?.yaml ?? "")"
    }

    /// The line of `packtool.yaml` with the values of all findings for the key of one of them.
    package func line(for setting: SettingProposal) -> String {
        guard let key = SettingKey(rawValue: setting.key), let all = values[key] else {
            return setting.text
        }
        return "\(key.rawValue): \(all.yaml)"
    }

    /// The condition for a proposed setting, as a comment in the file.
    package func note(on key: SettingKey) -> String? {
        switch key {
        case .checkAPI: "Scripts request these. Set it if the app forwards such requests."
        case .checkExternal:
            "The pages load files from these. Set it if they may be missing offline."
        case .exclude: "No page uses these in the app."
        case .launch:
            "A router reads the path. Set it to / if the app opens the root, not index.html."
        case .profileIndexFile where isRootAlone:
            "A router reads the path. Set it if the app's handler answers / with the launch page."
        case .profileIndexFile:
            "Links name directories. Set it if the app's handler opens their index.html."
        case .profileMediaTypes:
            "iOS knows no type for these. Set it if the app's handler sends one."
        case .profileRoot:
            "The pages load their files from there. Set it if the app serves the package there."
        case .profileMinimumIOS, .profileMinimumWebView:
            "The scripts use newer syntax. Set it if the app requires this release."
        default: nil
        }
    }

    /// Whether the proposed handler opens a page for the root alone, not for directories.
    private var isRootAlone: Bool {
        values.choice(.profileIndexFile) == ClientModel.IndexFile.root
    }

    /// The same condition as a question.
    package func question(on key: SettingKey) -> String {
        switch key {
        case .checkAPI: "Does the app forward such requests?"
        case .checkExternal: "May these files be missing offline?"
        case .launch: "Does the app open the root, not index.html?"
        case .profileIndexFile where isRootAlone:
            "Does the app's handler answer / with the launch page?"
        case .profileIndexFile: "Does the app's handler open the index.html of a directory?"
        case .profileMediaTypes: "Does the app's handler send these types?"
        case .profileMinimumIOS, .profileMinimumWebView: "Does the app require this release?"
        case .profileRoot: "Does the app serve the package there?"
        default: "Is this intentional?"
        }
    }

    /// The instructions to print at the left margin, so that the block can be pasted unchanged.
    ///
    /// A key with its parents and dots (`check.api`) is valid at the top level of every file.
    ///
    /// - Parameters:
    ///   - file: The content of `packtool.yaml`; its values are included in the new ones.
    ///   - flags: Settings that take precedence over the file.
    package func lines(file: Configuration, flags: Configuration) -> [String] {
        guard !isEmpty else { return [] }
        var all = values
        if let profiles = profiles(of: file, flags: flags) {
            // The keys of `profile` would be an error beside `profiles`.
            for key in SettingKey.keys(under: .profile) { all.unset(key) }
            all.set(.profiles, .list(profiles))
        } else if isUnderProfile, let name = flags.text(.profile) {
            // The flag would hide all keys under `profile`.
            all.set(file[.profileBase] == nil ? .profile : .profileBase, name)
        }
        let name = file.file ?? Defaults.configurationFile
        var added: [String] = []
        var replaced: [String] = []
        for key in ConfigurationTemplate.keys {
            guard let new = all[key] else { continue }
            let merged = Self.merged(flags[key] ?? file[key], new)
            if file[key] == nil {
                added += note(on: key).map { ["# \($0)"] } ?? []
                added.append("\(key.rawValue): \(merged.yaml)")
            } else if file[key] != merged {
                let location = file.location(of: key) ?? name
                replaced.append(
                    "in \(location), replace the value of '\(key.rawValue)' by: \(merged.yaml)")
            }
        }
        var lines: [String] = []
        if !added.isEmpty {
            lines = ["if this is intentional, add to \(name):", ""] + added
        }
        if !replaced.isEmpty {
            lines += lines.isEmpty ? ["if this is intentional:"] : [""]
            lines += replaced
        }
        let hidden = ConfigurationTemplate.keys.filter { all[$0] != nil && flags[$0] != nil }
            .compactMap { $0 == .profiles ? SettingKey.profile.flag : $0.flag }
        if !hidden.isEmpty {
            let names = hidden.map { "--\($0)" }.joined(separator: " and ")
            lines += ["", "then omit \(names), which would take precedence"]
        }
        return lines
    }

    /// The settings of a file and of flags with the proposals in the file, as ``lines(file:flags:)``
    /// instructs.
    package func applied(
        to file: Configuration, flags: Configuration
    ) -> (file: Configuration, flags: Configuration) {
        var (settled, left) = (file, flags)
        var all = values
        if let profiles = profiles(of: file, flags: flags) {
            for key in SettingKey.keys(under: .profile) { all.unset(key) }
            settled.set(.profiles, .list(profiles))
            left.unset(.profiles)
        }
        if isUnderProfile { left.unset(.profile) }
        for (key, new) in all.contents {
            settled.set(key, Self.merged(flags[key] ?? file[key], new))
            left.unset(key)
        }
        // A named profile becomes the base of a custom one.
        if isUnderProfile, settled[.profiles] == nil,
            let name = flags.text(.profile) ?? file.text(.profile)
        {
            settled.unset(.profile)
            settled.set(.profileBase, name)
        }
        return (settled, left)
    }

    private var isUnderProfile: Bool {
        SettingKey.keys(under: .profile).contains { values[$0] != nil }
    }

    /// The entries of `profiles` with the proposed keys of profiles; `nil` without several profiles
    /// or such a key.
    private func profiles(of file: Configuration, flags: Configuration) -> [Configuration]? {
        guard isUnderProfile else { return nil }
        let named = flags.list(.profiles) ?? (flags.profile == nil ? nil : [flags])
        let names = named?.compactMap(\.profile?.name)
        // Flags may name some entries of the file.
        if let entries = file.list(.profiles) {
            let all = entries.compactMap(\.profile?.name)
            if names?.allSatisfy(all.contains) ?? true {
                return entries.map { entry in
                    let isChecked = names.map { names in
                        entry.profile.map { names.contains($0.name) } ?? false
                    }
                    return isChecked ?? true ? extended(entry) : entry
                }
            }
        }
        return flags.list(.profiles)?.map(extended)
    }

    /// An entry of `profiles` with the proposed keys for it.
    private func extended(_ entry: Configuration) -> Configuration {
        guard let profile = entry.profile else { return entry }
        var extended = entry
        for key in SettingKey.keys(under: .profile) {
            guard let new = values[key], key.applies(to: profile.platform),
                reasons[key]?.contains(where: {
                    $0.profiles.isEmpty || $0.profiles.contains(profile.name)
                }) ?? true
            else { continue }
            extended.set(key, Self.merged(entry[key], new))
        }
        if extended != entry, let name = entry.text(.profile) {
            extended.unset(.profile)
            extended.set(.profileBase, name)
        }
        return extended
    }

    private static func merged(
        _ old: Configuration.Content?, _ new: Configuration.Content
    ) -> Configuration.Content {
        switch (old, new) {
        case (.texts(let old), .texts(let new)):
            .texts(old + new.filter { !old.contains($0) })
        case (.table(let old), .table(let new)): .table(old.merging(new) { $1 })
        default: new
        }
    }
}

extension SettingKey {
    /// Whether the value is valid in the file without changes.
    fileprivate func accepts(_ value: String) -> Bool {
        fault(of: value) == nil && !value.unicodeScalars.contains { $0.isUnprintable }
    }

    /// Whether apps of a platform have the setting.
    fileprivate func applies(to platform: AppPlatform) -> Bool {
        switch self {
        case .profileMinimumIOS: platform == .ios
        case .profileMinimumWebView: platform == .android
        default: true
        }
    }
}

extension Settings {
    /// The lines to add to `packtool.yaml` if the findings are intentional; empty if there are
    /// none.
    package func proposal(for findings: [Finding]) -> [String] {
        lines(of: ProposedSettings(findings))
    }

    /// The lines to add to `packtool.yaml` for proposed settings.
    package func lines(of proposed: ProposedSettings) -> [String] {
        proposed.lines(file: file, flags: flags)
    }

    /// The settings after these lines are added.
    package func adding(_ proposed: ProposedSettings) throws -> Settings {
        let (file, flags) = proposed.applied(to: file, flags: flags)
        return try Settings(flags: flags, file: file, base: base)
    }
}
