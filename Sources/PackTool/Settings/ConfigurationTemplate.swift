import PackProfile

/// The commented `packtool.yaml` written by `init`: given keys with their values, proposed and
/// usual ones commented out, and the names of all others.
///
/// A key is valid in its position as soon as the `#` is removed.
package struct ConfigurationTemplate {
    /// The top-level settings in file order, the most important ones first.
    private static let order: [SettingKey] = [
        .app, .build, .exclude, .baseURL, .to, .s3, .channel, .launch, .profile, .profiles, .scheme,
        .host,
        .pageOrigin, .check, .deltas, .feeds, .level,
    ]

    /// The settings that most projects need.
    private static let usual: Set<SettingKey> = [
        .app, .build, .baseURL, .to, .channel, .launch, .profile, .scheme, .host,
    ]

    /// All keys in file order, each followed by its children.
    static let keys = order.flatMap(withChildren)

    private static func withChildren(_ key: SettingKey) -> [SettingKey] {
        [key] + SettingKey.keys(under: key).flatMap(withChildren)
    }

    private let given: Configuration
    private let notes: [SettingKey: [String]]
    private var proposed: Configuration

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
        // The keys of a custom profile are changes to another one.
        let isCustom = SettingKey.keys(under: .profile).contains { proposed[$0] != nil }
        if isCustom {
            self.proposed.set(.profileBase, given.text(.profile) ?? Defaults.profile.name)
        }
    }

    /// The content of the file.
    package var text: String {
        var lines = [
            "# yaml-language-server: $schema=\(ConfigurationSchema.fileName)",
            "# Settings of packtool for this build. A flag of the same name takes precedence.",
            "# Paths are relative to this file. Remove the '#' before a key to set it.",
        ]
        for key in Self.order where isShown(key) { lines += [""] + entry(key) }
        let others = Self.order.filter { !isShown($0) }.map(\.name)
        lines += [
            "", "# Other keys, which the schema describes: \(others.joined(separator: ", "))",
        ]
        return lines.joined(separator: "\n") + "\n"
    }

    private func isShown(_ key: SettingKey) -> Bool {
        // `profiles` has these in each of its entries.
        let isReplaced =
            given[.profiles] != nil && [.profile, .scheme, .host].contains(key)
        return isRelevant(key) || Self.usual.contains(key) && !isReplaced
    }

    /// Whether a key, or one below it, is given, proposed or explained.
    private func isRelevant(_ key: SettingKey) -> Bool {
        given[key] != nil || proposed[key] != nil || notes[key] != nil
            || SettingKey.keys(under: key).contains(where: isRelevant)
    }

    /// The lines of a key and its children.
    ///
    /// - Parameter isBare: Whether a `#` already comments out the whole block.
    private func entry(_ key: SettingKey, isBare: Bool = false) -> [String] {
        let keys = SettingKey.keys(under: key).filter(isRelevant)
        let prose =
            (["\(key.about.dropLast())\(hint(of: key))."] + choices(of: key)
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

    /// Explanations of a key's value, or of its choices, if their names are not self-explanatory.
    private func choices(of key: SettingKey) -> [String] {
        guard key == .profile else { return [] }
        return Profile.builtIn.filter { given[.profile] == nil || $0.name == given.text(.profile) }
            .map { "\($0.name): \($0.about)." }
    }

    /// The choices of a key, and its default.
    private func hint(of key: SettingKey) -> String {
        let words = key.form.choices.map { ": \($0.joined(separator: ", "))" } ?? ""
        return words + (Defaults.text(of: key).map { " (default: \($0))" } ?? "")
    }
}
