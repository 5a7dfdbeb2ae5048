package import PackGround

/// Parses `packtool.yaml` strictly: unknown content is an error with its location and the correct
/// form.
package struct ConfigurationReader {
    /// - Parameter file: The name of the file for messages.
    /// - Throws: ``Failure``.
    package static func read(
        _ bytes: [UInt8], file: String
    ) throws(Failure) -> Configuration {
        if let text = String(validating: bytes, as: UTF8.self) {
            return try read(text, file: file)
        }
        // Otherwise a pattern of 'exclude' would be silently changed.
        var line = 1
        for part in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            if String(validating: part, as: UTF8.self) == nil { break }
            line += 1
        }
        throw .configNotUTF8.located(at: "\(file):\(line)")
    }

    /// - Parameter file: The name of the file for messages.
    /// - Throws: ``Failure``.
    package static func read(
        _ text: String, file: String
    ) throws(Failure) -> Configuration {
        var reader = ConfigurationReader(file: file)
        guard let root = try compose(text, file: file) else { return reader.configuration }
        if root.text?.isEmpty == true { return reader.configuration }
        guard case .mapping(let mapping) = root.content else {
            throw reader.fail(.configNotAMapping, root)
        }
        try reader.read(mapping, under: nil)
        try reader.joinProfile()
        try reader.refuseBothProfiles()
        return reader.configuration
    }

    private var configuration: Configuration
    private let file: String

    private init(file: String) {
        self.file = file
        configuration = Configuration(file: file)
    }

    private func fail(_ failure: Failure, _ node: YAMLNode) -> Failure {
        failure.located(at: "\(file):\(node.line)")
    }

    // MARK: - Values

    private mutating func read(
        _ mapping: [(key: YAMLNode, value: YAMLNode)], under parent: SettingKey?
    ) throws(Failure) {
        for (keyNode, value) in mapping {
            guard let name = keyNode.text else { throw fail(.configNotAMapping, keyNode) }
            guard let key = key(name, under: parent) else {
                throw fail(.configUnknownKey(name, under: parent), keyNode)
            }
            if case .mapping(let inner) = value.content, !SettingKey.keys(under: key).isEmpty {
                try read(inner, under: key)
                continue
            }
            // In a block and with a dot: two different keys for YAML.
            guard configuration[key] == nil else {
                throw fail(.configRepeatedKey(key.rawValue), keyNode)
            }
            configuration.set(key, try content(of: value, key), line: keyNode.line)
        }
    }

    /// The setting with a name; at the top level a name may include its parents: `check.api`.
    private func key(_ name: String, under parent: SettingKey?) -> SettingKey? {
        if parent == nil, name.contains(".") { return SettingKey(rawValue: name) }
        return SettingKey.keys(under: parent).first { $0.name == name }
    }

    /// Rejects `profile` beside `profiles`.
    private func refuseBothProfiles() throws(Failure) {
        guard configuration[.profiles] != nil,
            let other = ([.profile] + SettingKey.keys(under: .profile))
                .first(where: { configuration[$0] != nil })
        else { return }
        let line = configuration.line(of: other) ?? 1
        throw .configBothProfiles(other.rawValue).located(at: "\(file):\(line)")
    }

    /// Reads the entries of `profiles`: names of built-in profiles, or their keys.
    private mutating func profiles(
        _ node: YAMLNode, _ names: [String]
    ) throws(Failure) -> [Configuration] {
        guard case .sequence(let elements) = node.content, !elements.isEmpty else {
            throw fail(.configWrongType(.profiles), node)
        }
        var entries: [Configuration] = []
        for element in elements {
            guard case .mapping(let mapping) = element.content else {
                let word = try word(element, .profile)
                guard names.contains(word) else {
                    throw fail(.configNotAChoice(.profiles, word: word), element)
                }
                entries.append(.ofProfile(word))
                continue
            }
            var reader = ConfigurationReader(file: file)
            for (keyNode, value) in mapping {
                let key = SettingKey.ofProfiles.first { $0.name == keyNode.text }
                guard let key else {
                    throw fail(
                        .configUnknownKey(keyNode.text ?? "", under: .profiles), keyNode)
                }
                guard reader.configuration[key] == nil else {
                    throw fail(.configRepeatedKey(key.name), keyNode)
                }
                reader.configuration.set(
                    key, try reader.content(of: value, key), line: keyNode.line)
            }
            configuration.notes += reader.configuration.notes
            entries.append(reader.configuration)
        }
        return entries
    }

    /// Turns `profile: capacitor` with `profile.root: /app/` into a custom profile based on that
    /// one.
    private mutating func joinProfile() throws(Failure) {
        guard let name = configuration.text(.profile),
            SettingKey.keys(under: .profile).contains(where: { configuration[$0] != nil })
        else { return }
        let line = configuration.line(of: .profile)
        guard configuration[.profileBase] == nil else {
            let second = max(line ?? 1, configuration.line(of: .profileBase) ?? 1)
            throw .configRepeatedKey(SettingKey.profileBase.rawValue)
                .located(at: "\(file):\(second)")
        }
        configuration.unset(.profile)
        configuration.set(.profileBase, .text(name), line: line)
    }

    private mutating func content(
        of node: YAMLNode, _ key: SettingKey
    ) throws(Failure) -> Configuration.Content {
        switch key.form {
        case .text: return .text(try word(node, key))
        case .texts:
            guard case .sequence(let sequence) = node.content else {
                return .texts([try word(node, key)])
            }
            var texts: [String] = []
            for element in sequence { texts.append(try word(element, key)) }
            return .texts(texts)
        case .choice(let choices), .choiceOrBlock(let choices):
            let word = try word(node, key)
            guard choices.contains(word) else {
                throw fail(.configNotAChoice(key, word: word), node)
            }
            return .text(word)
        case .number(let range):
            guard let number = node.text.flatMap({ Int($0) }),
                range.contains(number)
            else { throw fail(.configWrongType(key), node) }
            return .number(number)
        case .truth:
            guard let truth = node.truth else { throw fail(.configWrongType(key), node) }
            return .truth(truth)
        case .size:
            guard let size = node.text.flatMap(ByteSize.parse) else {
                throw fail(.configWrongType(key), node)
            }
            return .size(size)
        case .table:
            guard case .mapping(let mapping) = node.content else {
                throw fail(.configWrongType(key), node)
            }
            var table: [String: String] = [:]
            for (nameNode, valueNode) in mapping {
                let (name, value) = (try word(nameNode, key), try word(valueNode, key))
                if let fault = key.fault(ofName: name) {
                    throw fail(.configMalformed(key, word: name, fault), nameNode)
                }
                if let fault = key.fault(ofNamed: value) {
                    throw fail(.configMalformed(key, word: value, fault), valueNode)
                }
                table[name.lowercased()] = value
            }
            return .table(table)
        case .profiles(let names): return .list(try profiles(node, names))
        case .block: throw fail(.configWrongType(key), node)
        }
    }

    /// Plain words such as `yes` and `~` are booleans and null in YAML, and would change when read
    /// as text.
    private mutating func word(
        _ node: YAMLNode, _ key: SettingKey
    ) throws(Failure) -> String {
        guard case .scalar(let text, let isText) = node.content else {
            if case .mapping = node.content {
                throw fail(.configWrongType(key, found: .keys), node)
            }
            throw fail(.configWrongType(key, found: .list), node)
        }
        if !isText, node.isNull || node.truth != nil {
            throw fail(.configWrongType(key, found: text.isEmpty ? .nothing : .word), node)
        }
        // The system would silently cut a path at a NUL.
        guard
            !text.unicodeScalars.contains(where: {
                $0.properties.generalCategory == .control
            })
        else { throw fail(.configControlCharacter(key), node) }
        if let new = RenamedWords.newName(of: text, for: key) {
            configuration.notes.append("\(file):\(node.line): \(RenamedWords.note(text, new))")
            return new
        }
        if let fault = key.fault(of: text) {
            throw fail(.configMalformed(key, word: text, fault), node)
        }
        return text
    }

    // MARK: - YAML

    private static func compose(
        _ text: String, file: String
    ) throws(Failure) -> YAMLNode? {
        // The YAML library stops at a NUL and would silently drop the rest.
        if let end = text.utf8.firstIndex(of: 0) {
            let line = text.utf8[..<end].count { $0 == UInt8(ascii: "\n") } + 1
            throw .configNotYAML(reason: "it contains a NUL character")
                .located(at: "\(file):\(line)")
        }
        // Editors on Windows insert a byte order mark.
        let text =
            text.unicodeScalars.first == "\u{FEFF}"
            ? String(text.unicodeScalars.dropFirst()) : text
        do {
            return try YAMLNode.parse(text)
        } catch {
            let location = error.line.map { "\(file):\($0)" } ?? file
            if let key = error.repeatedKey {
                throw .configRepeatedKey(key).located(at: location)
            }
            if let line = lineOfTab(in: text, before: error.line) {
                throw .configTab.located(at: "\(file):\(line)")
            }
            throw .configNotYAML(reason: error.reason).located(at: location)
        }
    }

    /// The last line indented with a tab, up to the line of an error.
    private static func lineOfTab(in text: String, before last: Int?) -> Int? {
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        // The parser may report the line before the invalid one.
        let end = last.map { min($0 + 1, lines.count) } ?? lines.count
        return lines.indices.prefix(end).last {
            lines[$0].prefix { $0 == " " || $0 == "\t" }.contains("\t")
        }.map { $0 + 1 }
    }
}

/// Sizes with units: `5 MB`, `200 kB`, `1.5 MiB`, `812`.
package enum ByteSize {
    /// In bytes; larger than any release.
    private static let limit: UInt64 = 1_000_000_000 << 30

    /// - Returns: The size in bytes; `nil` for invalid text.
    package static func parse(_ text: String) -> UInt64? {
        let digits = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
        let unit = text.dropFirst(digits.count).drop { $0 == " " }
        let factors: [String: UInt64] = [
            "": 1, "B": 1, "kB": 1000, "KB": 1000, "MB": 1_000_000, "GB": 1_000_000_000,
            "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30,
        ]
        let parts = digits.split(separator: ".", omittingEmptySubsequences: false)
        guard let factor = factors[String(unit)], (1...2).contains(parts.count),
            let whole = UInt64(parts[0]), whole <= limit / factor
        else { return nil }
        guard parts.count == 2 else { return whole * factor }
        guard (1...3).contains(parts[1].count), let fraction = UInt64(parts[1]), factor > 1 else {
            return nil
        }
        let divisor: UInt64 = parts[1].reduce(1) { product, _ in product * 10 }
        return whole * factor + fraction * factor / divisor
    }
}
