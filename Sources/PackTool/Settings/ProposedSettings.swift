package import PackCheck
import PackGround

/// The settings proposed by findings, merged by key into one block of `packtool.yaml`.
package struct ProposedSettings: Equatable, Sendable {
    /// One value for each key.
    package private(set) var values = Configuration()

    package init(_ findings: [Finding]) {
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
                for value in setting.values
                where key.accepts(value) && !lists[key, default: []].contains(value) {
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
                guard key.accepts(value), finding.placeCount > single[key]?.places ?? 0 else {
                    continue
                }
                single[key] = (value, finding.placeCount)
            }
        }
        for (key, list) in lists { values.set(key, list.sorted()) }
        for (key, table) in tables { values.set(key, .table(table)) }
        for (key, best) in single { values.set(key, best.value) }
    }

    package var isEmpty: Bool { values.contents.isEmpty }

    /// The line of `packtool.yaml` with the values of all findings for the key of one of them.
    package func line(for setting: SettingProposal) -> String {
        guard let key = SettingKey(rawValue: setting.key), let all = values[key] else {
            return setting.text
        }
        return "\(key.rawValue): \(all.yaml)"
    }

    /// The condition for a proposed setting, as a comment in the file.
    package static func note(on key: SettingKey) -> String? {
        switch key {
        case .checkAPI: "Scripts request these. Set it if the app forwards such requests."
        case .checkExternal:
            "The pages load files from these. Set it if they may be missing offline."
        case .exclude: "No page uses these in the app."
        case .launch:
            "A router reads the path. Set it to / if the app opens the root, not index.html."
        case .profileIndexFile:
            "Links name directories. Set it if the app's handler opens their index.html."
        case .profileMediaTypes:
            "iOS knows no type for these. Set it if the app's handler sends one."
        case .profileRoot:
            "The pages load their files from there. Set it if the app serves the package there."
        default: nil
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
        let underProfile = SettingKey.keys(under: .profile).contains { all[$0] != nil }
        // The flag would hide all keys under `profile`.
        if underProfile, let name = flags.text(.profile) {
            all.set(file[.profileBase] == nil ? .profile : .profileBase, name)
        }
        let name = file.file ?? Defaults.configurationFile
        var added: [String] = []
        var replaced: [String] = []
        for key in ConfigurationTemplate.keys {
            guard let new = all[key] else { continue }
            let merged = Self.merged(flags[key] ?? file[key], new)
            if file[key] == nil {
                added += Self.note(on: key).map { ["# \($0)"] } ?? []
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
        if !hidden.isEmpty {
            let names = hidden.compactMap { $0.flag.map { "--\($0)" } }.joined(separator: " and ")
            lines += ["", "then omit \(names), which would take precedence"]
        }
        return lines
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
}

extension Settings {
    /// The lines to add to `packtool.yaml` if the findings are intentional; empty if there are
    /// none.
    package func proposal(for findings: [Finding]) -> [String] {
        ProposedSettings(findings).lines(file: file, flags: flags)
    }
}
