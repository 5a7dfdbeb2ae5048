import PackProfile

/// The commented `packtool.yaml` written by `init`: given keys with their values, all others
/// commented out.
///
/// A key is valid in its position as soon as the `#` is removed.
package struct ConfigurationTemplate {
    /// The top-level settings in file order, the most important ones first.
    private static let order: [SettingKey] = [
        .app, .build, .exclude, .baseURL, .to, .s3, .channel, .launch, .profile, .profiles, .scheme,
        .host,
        .pageOrigin, .check, .deltas, .feeds, .level,
    ]

    /// All keys in file order, each followed by its children.
    static let keys = order.flatMap(withChildren)

    private static func withChildren(_ key: SettingKey) -> [SettingKey] {
        [key] + SettingKey.keys(under: key).flatMap(withChildren)
    }

    private let given: Configuration
    private let notes: [SettingKey: [String]]
    private let proposed: Configuration

    /// - Parameters:
    ///   - given: The settings to write.
    ///   - notes: Explanations of keys; each is a line.
    ///   - proposed: Values of keys that are not set, shown instead of examples.
    package init(
        _ given: Configuration, notes: [SettingKey: [String]] = [:],
        proposed: Configuration = Configuration()
    ) {
        self.given = given
        self.notes = notes
        self.proposed = proposed
    }

    /// The content of the file.
    package var text: String {
        var lines = [
            "# yaml-language-server: $schema=\(ConfigurationSchema.fileName)",
            "# Settings of packtool for this build. A flag of the same name takes precedence.",
            "# Paths are relative to this file. Remove the '#' before a key to set it.",
        ]
        for key in Self.order { lines += [""] + entry(key) }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The lines of a key and its children.
    ///
    /// - Parameter isBare: Whether a `#` already comments out the whole block.
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

    /// Explanations of a key's choices if their names are not self-explanatory.
    private static func choices(of key: SettingKey) -> [String] {
        key == .profile ? Profile.builtIn.map { "\($0.name): \($0.about)." } : []
    }

    /// The choices of a key, and its default.
    private func hint(of key: SettingKey) -> String {
        let words = key.form.choices.map { ": \($0.joined(separator: ", "))" } ?? ""
        return words + (Defaults.text(of: key).map { " (default: \($0))" } ?? "")
    }
}
