import PackProfile

/// The commented `packtool.yaml` that `init` writes: every key, those that were given as they were given, the
/// others behind a `#`.
///
/// Without the `#` before it, a key that is not set is right where it is.
package struct ConfigurationTemplate {
    /// The settings of the top level in the order of the file, those that a project needs first.
    private static let order: [SettingKey] = [
        .app, .build, .exclude, .baseURL, .to, .s3, .channel, .launch, .profile, .scheme, .host,
        .pageOrigin, .check, .deltas, .level,
    ]

    private let given: Configuration
    private let notes: [SettingKey: [String]]
    private let proposed: Configuration

    /// - Parameters:
    ///   - given: what is set.
    ///   - notes: why, or what else is known of a key; each a line.
    ///   - proposed: values for keys that are not set, shown instead of an example.
    package init(
        _ given: Configuration, notes: [SettingKey: [String]] = [:],
        proposed: Configuration = Configuration()
    ) {
        self.given = given
        self.notes = notes
        self.proposed = proposed
    }

    /// The file's text.
    package var text: String {
        var lines = [
            "# yaml-language-server: $schema=\(ConfigurationSchema.fileName)",
            "# Settings of packtool for this build. A flag of the same name takes precedence.",
            "# Paths are relative to this file. Remove the '#' before a key to set it.",
        ]
        for key in Self.order { lines += [""] + entry(key) }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The lines of a key and of those under it.
    ///
    /// - Parameter isBare: whether a `#` before the whole block comments the key out already.
    private func entry(_ key: SettingKey, isBare: Bool = false) -> [String] {
        let keys = SettingKey.keys(under: key)
        let prose =
            (["\(key.about.dropLast())\(hint(of: key))."] + Self.choices(of: key)
            + (notes[key] ?? [])).map { "# \($0)" }
        guard !keys.isEmpty else { return prose + [line(key, isBare: isBare)] }
        let isSet = keys.contains(where: isGiven)
        let block =
            ["\(key.name):"]
            + keys.flatMap { entry($0, isBare: isBare || !isSet) }.map { "  \($0)" }
        if isSet || isBare { return prose + block }
        let commented = block.map { "#\($0)" }
        // A word may replace the whole block.
        if case .choiceOrBlock = key.form {
            return prose + [line(key, isBare: false), "# Or key by key:"] + commented
        }
        return prose + commented
    }

    private func isGiven(_ key: SettingKey) -> Bool {
        given[key] != nil || SettingKey.keys(under: key).contains(where: isGiven)
    }

    private func line(_ key: SettingKey, isBare: Bool) -> String {
        if let content = given[key] { return "\(key.name): \(content.yaml)" }
        return "\(isBare ? "" : "#")\(key.name): \(proposed[key].map(\.yaml) ?? key.example)"
    }

    /// What the words mean that a key takes, where that is not in their names.
    private static func choices(of key: SettingKey) -> [String] {
        key == .profile ? Profile.builtIn.map { "\($0.name): \($0.about)." } : []
    }

    /// The values that a key takes, and its default.
    private func hint(of key: SettingKey) -> String {
        let words = key.form.choices.map { ": \($0.joined(separator: ", "))" } ?? ""
        return words + (Defaults.text(of: key).map { " (default: \($0))" } ?? "")
    }
}
