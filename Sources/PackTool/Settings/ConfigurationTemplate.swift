import PackCore

/// The commented `packtool.yaml` that `init` writes.
package enum ConfigurationTemplate {
    /// The settings in the order of the file, those that a project needs first.
    private static let order: [SettingKey] = [
        .app, .build, .baseURL, .to, .channel, .launch, .profile, .scheme, .host, .pageOrigin,
        .deltas, .level, .check,
    ]

    /// The file's text: what was given as it was given, everything else as a commented example.
    package static func text(_ given: Configuration) -> String {
        var text = """
            # Settings of packtool for this build. A flag of the same name takes precedence.
            # Paths are relative to this file. docs/packtool.schema.json lets editors complete it.

            """
        for key in order {
            let line =
                given[key].map { "\(key.name): \(written($0))" } ?? "# \(key.name): \(key.example)"
            let value = Defaults.text(of: key).map { " (default: \($0))" } ?? ""
            text += "\n# \(key.about.dropLast())\(value).\n\(line)\n"
        }
        return text
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
            && text.utf8.first.map { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20) }
                ?? false
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
