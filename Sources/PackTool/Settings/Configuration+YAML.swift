import PackGround

extension Configuration.Content {
    /// The value in YAML on one line.
    var yaml: String {
        switch self {
        case .text(let text): Self.quoted(text)
        case .texts(let texts): "[\(texts.map(Self.quoted).joined(separator: ", "))]"
        case .list(let list): "[\(list.map(\.yaml).joined(separator: ", "))]"
        case .number(let number): "\(number)"
        case .truth(let truth): "\(truth)"
        case .size(let size): "\(size)"
        case .table(let table):
            "{"
                + table.sorted { $0.key < $1.key }
                .map { "\(Self.quoted($0.key)): \(Self.quoted($0.value))" }.joined(separator: ", ")
                + "}"
        }
    }

    /// Quotes text that YAML could parse as another type.
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
        // Iterate over scalars: a quote with a combining mark is a single character but still a
        // quote.
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

extension Configuration {
    /// An entry of a list in YAML on one line: a name, or a block.
    fileprivate var yaml: String {
        if let name = text(.profile) { return name }
        let keys = contents.sorted { $0.key.name < $1.key.name }
        return "{" + keys.map { "\($0.key.name): \($0.value.yaml)" }.joined(separator: ", ") + "}"
    }
}
