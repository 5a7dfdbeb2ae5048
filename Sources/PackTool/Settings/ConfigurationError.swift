import PackGround

/// An invalid configuration file.
package struct ConfigurationError: Remedied, Equatable {
    /// The reason why the file is invalid.
    package enum Problem: Equatable, Sendable {
        case notYAML(String)
        case notText
        /// YAML only allows spaces for indentation.
        case tab
        /// The file is not a mapping of keys.
        case notKeys
        /// A key that does not exist, under an existing one or at the top level.
        case unknownKey(String, under: SettingKey?)
        /// The key as written in the file, without its parents.
        case repeatedKey(String)
        case wrongType(SettingKey, found: Found = .word)
        case controlCharacter(SettingKey)
        case notAChoice(SettingKey, word: String)
        case malformed(SettingKey, word: String, WordFault)
    }

    /// The kind of content found instead of a value.
    package enum Found: Equatable, Sendable {
        /// A word that YAML does not read as text: `yes`.
        case word
        case nothing, list, keys
    }

    package let problem: Problem
    package let file: String
    /// 1-based.
    package let line: Int?

    package var code: String {
        switch problem {
        case .notYAML, .tab: "config.not-yaml"
        case .notText: "config.not-utf-8"
        case .notKeys: "config.not-a-mapping"
        case .unknownKey: "config.unknown-key"
        case .repeatedKey: "config.repeated-key"
        case .wrongType(let key, _): key.form.code
        case .controlCharacter: "config.control-character"
        case .notAChoice: "config.not-a-choice"
        case .malformed: "config.malformed"
        }
    }

    package var description: String {
        let place = line.map { "\(file):\($0)" } ?? file
        let text =
            switch problem {
            case .tab: "not valid YAML: the line is indented with a tab"
            case .notYAML(let reason): "not valid YAML: \(reason)"
            case .notText: "has bytes that are no UTF-8 text"
            case .notKeys: "not a list of 'key: value' lines"
            case .unknownKey(let key, nil): "unknown key '\(printable(key.utf8))'"
            case .unknownKey(let key, let parent?):
                "unknown key '\(printable(key.utf8))' in '\(parent.rawValue)'"
            case .repeatedKey(let key): "the key '\(printable(key.utf8))' appears twice"
            case .wrongType(let key, _): "'\(key.rawValue)' must be \(key.form.wanted)"
            case .controlCharacter(let key): "'\(key.rawValue)' contains a control character"
            case .notAChoice(let key, let word):
                "'\(key.rawValue)' cannot be '\(printable(word.utf8))'"
            case .malformed(let key, let word, let fault):
                "'\(key.rawValue)': '\(printable(withoutSecrets(word).utf8))' \(fault.problem)"
            }
        return "\(place): \(text)"
    }

    package var remedy: String {
        switch problem {
        case .unknownKey(let key, let parent):
            let isDotted = parent == nil && key.contains(".")
            let known =
                isDotted
                ? SettingKey.allCases.map(\.rawValue)
                : SettingKey.keys(under: parent).map(\.name)
            if let nearest = nearestWord(to: key, in: known) {
                return "write '\(nearest)', or remove the line"
            }
            return (parent.map { "use one of the keys of '\($0.rawValue)': " } ?? "use one of: ")
                + known.joined(separator: ", ")
        case .notAChoice(let key, let word):
            let choices = key.form.choices ?? []
            if let nearest = nearestWord(to: word, in: choices) { return "write '\(nearest)'" }
            return "use one of: " + choices.joined(separator: ", ")
        case .repeatedKey: return "remove one of the two"
        case .wrongType(let key, let found) where key.form == .text || key.form == .texts:
            let line = "'\(key.name): \(key.example)'"
            switch found {
            case .word: return "put quotes around it, as in \(key.name): \"1.0\""
            case .nothing: return "write a value, as in \(line), or remove the line"
            case .list, .keys:
                return key.form == .text
                    ? "write one value, as in \(line)" : "write a list, as in \(line)"
            }
        case .tab: return "use spaces"
        case .wrongType(let key, _): return "write '\(key.name): \(key.example)', for example"
        case .controlCharacter: return "write it as plain text on one line"
        case .malformed(_, _, let fault): return "use a value such as '\(fault.example)'"
        case .notText: return "save the file as UTF-8"
        case .notYAML, .notKeys: return "create a new file with 'packtool init' and compare"
        }
    }
}

extension SettingForm {
    /// The error code for a value of another type.
    fileprivate var code: String {
        switch self {
        case .text, .choice, .choiceOrBlock: "config.not-text"
        case .texts: "config.not-text-list"
        case .number: "config.not-a-number"
        case .truth: "config.not-true-or-false"
        case .size: "config.not-a-size"
        case .table, .block: "config.not-a-mapping"
        }
    }

    /// The expected value.
    fileprivate var wanted: String {
        switch self {
        case .text: "text"
        case .texts: "text or a list of texts"
        case .choice(let words): "one of \(words.joined(separator: ", "))"
        case .number(let range):
            "a number from \(grouped(range.lowerBound)) to \(grouped(range.upperBound))"
        case .truth: "true or false"
        case .size: "a size such as 5 MB"
        case .table: "a list of 'key: value' pairs"
        case .block: "a list of keys"
        case .choiceOrBlock(let words):
            "one of \(words.joined(separator: ", ")), or a list of keys"
        }
    }
}
