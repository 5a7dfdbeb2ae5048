package import PackGround

extension Failure.Code {
    package static let configNotYAML = Self("config.not-yaml")
    package static let configTab = Self("config.not-yaml", "tab")
    package static let configNotUTF8 = Self("config.not-utf-8")
    package static let configNotAMapping = Self("config.not-a-mapping")
    package static let configUnknownKey = Self("config.unknown-key")
    package static let configRepeatedKey = Self("config.repeated-key")
    package static let configBothProfiles = Self("config.repeated-key", "profiles")
    package static let configNotText = Self("config.not-text")
    package static let configNotTextList = Self("config.not-text-list")
    package static let configNotANumber = Self("config.not-a-number")
    package static let configNotTrueOrFalse = Self("config.not-true-or-false")
    package static let configNotASize = Self("config.not-a-size")
    package static let configNotABlock = Self("config.not-a-mapping", "block")
    package static let configControlCharacter = Self("config.control-character")
    package static let configNotAChoice = Self("config.not-a-choice")
    package static let configMalformed = Self("config.malformed")
}

/// An invalid configuration file, without the location.
extension Failure {
    static func configNotYAML(reason: String) -> Failure {
        Failure(.configNotYAML, "not valid YAML: \(reason)")
    }

    /// YAML only allows spaces for indentation.
    static let configTab = Failure(
        .configTab, "not valid YAML: the line is indented with a tab")

    static let configNotUTF8 = Failure(.configNotUTF8, "has bytes that are not UTF-8 text")

    static let configNotAMapping = Failure(
        .configNotAMapping, "not a list of 'key: value' lines")

    static func configUnknownKey(_ key: String, under parent: SettingKey?) -> Failure {
        Failure(
            .configUnknownKey,
            "unknown key '\(printable(key.utf8))'"
                + (parent.map { " in '\($0.rawValue)'" } ?? ""),
            details: ["key": key, "parent": parent?.rawValue ?? ""])
    }

    /// - Parameter key: The key as written in the file, without its parents.
    static func configRepeatedKey(_ key: String) -> Failure {
        Failure(.configRepeatedKey, "the key '\(printable(key.utf8))' appears twice")
    }

    /// A file with one profile and with several.
    static func configBothProfiles(_ key: String) -> Failure {
        Failure(.configBothProfiles, "'\(key)' and 'profiles' cannot both be set")
    }

    /// The kind of content found instead of a value.
    package enum FoundContent: String {
        /// A word that YAML does not read as text: `yes`.
        case word
        case nothing, list, keys
    }

    static func configWrongType(_ key: SettingKey, found: FoundContent = .word) -> Failure {
        Failure(
            key.form.code, "'\(key.rawValue)' must be \(key.form.wanted)",
            details: ["key": key.rawValue, "found": found.rawValue])
    }

    static func configControlCharacter(_ key: SettingKey) -> Failure {
        Failure(.configControlCharacter, "'\(key.rawValue)' contains a control character")
    }

    static func configNotAChoice(_ key: SettingKey, word: String) -> Failure {
        Failure(
            .configNotAChoice, "'\(key.rawValue)' cannot be '\(printable(word.utf8))'",
            details: ["key": key.rawValue, "word": word])
    }

    package static func configMalformed(
        _ key: SettingKey, word: String, _ fault: WordFault
    ) -> Failure {
        Failure(
            .configMalformed,
            "'\(key.rawValue)': '\(printable(withoutSecrets(word).utf8))' \(fault.problem)",
            details: ["example": fault.example])
    }
}

extension SettingForm {
    /// The error code for a value of another type.
    fileprivate var code: Failure.Code {
        switch self {
        case .text, .choice, .choiceOrBlock: .configNotText
        case .texts: .configNotTextList
        case .number: .configNotANumber
        case .truth: .configNotTrueOrFalse
        case .size: .configNotASize
        case .table, .block: .configNotABlock
        case .profiles: .configNotTextList
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
        case .profiles(let words):
            "a list, each entry one of \(words.joined(separator: ", ")) or its own keys"
        case .choiceOrBlock(let words):
            "one of \(words.joined(separator: ", ")), or a list of keys"
        }
    }
}
