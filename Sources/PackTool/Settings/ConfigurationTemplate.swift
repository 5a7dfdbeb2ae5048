import PackCore

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
        let prose = (["\(key.about.dropLast())\(hint(of: key))."] + (notes[key] ?? [])).map {
            "# \($0)"
        }
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
        if let content = given[key] { return "\(key.name): \(Self.written(content))" }
        return "\(isBare ? "" : "#")\(key.name): \(proposed[key].map(Self.written) ?? key.example)"
    }

    /// The values that a key takes, and its default.
    private func hint(of key: SettingKey) -> String {
        let words = key.form.choices.map { ": \($0.joined(separator: ", "))" } ?? ""
        return words + (Defaults.text(of: key).map { " (default: \($0))" } ?? "")
    }

    private static func written(_ content: Configuration.Content) -> String {
        switch content {
        case .text(let text): quoted(text)
        case .texts(let texts): "[\(texts.map(quoted).joined(separator: ", "))]"
        case .number(let number): "\(number)"
        case .truth(let truth): "\(truth)"
        case .size(let size): "\(size)"
        case .table(let table):
            "{"
                + table.sorted { $0.key < $1.key }
                .map { "\(quoted($0.key)): \(quoted($0.value))" }.joined(separator: ", ") + "}"
        }
    }

    /// Quotes what YAML could read as something other than text.
    private static func quoted(_ text: String) -> String {
        let isPlain =
            text.utf8.allSatisfy {
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20)
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
                    || "-._/:".utf8.contains($0)
            }
            && text.utf8.first.map {
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20)
                    || $0 == UInt8(ascii: "/")
            } ?? false
        let isWord = !["true", "false", "yes", "no", "on", "off", "null", "y", "n"]
            .contains(text.lowercased())
        if isPlain, isWord, !text.hasSuffix(":") { return text }
        // Scalars, not characters: a quote with a combining mark is one character and still a quote.
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\", "\"": escaped += "\\\(scalar)"
            case "\u{2028}", "\u{2029}", "\u{FEFF}": escaped += "\\u" + fourDigits(scalar)
            case _ where scalar.properties.generalCategory == .control:
                escaped += "\\u" + fourDigits(scalar)
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return "\"\(escaped)\""
    }

    private static func fourDigits(_ scalar: Unicode.Scalar) -> String {
        hexadecimal([UInt8(scalar.value >> 8), UInt8(scalar.value & 255)])
    }
}
