/// What `packtool.yaml` says.
///
/// Every key is the name of a flag; a flag wins over the file.
package struct Configuration: Equatable, Sendable {
    package var app: String?
    package var baseURL: String?
    package var channel: String?
    package var profile: ProfileSettings?
    package var scheme: String?
    package var hosts: [String]?
    package var pageOrigin: String?
    package var launch: String?
    package var level: String?
    /// The build output, relative to the configuration file.
    package var build: String?
    /// The origin to publish to, relative to the configuration file.
    package var to: String?

    package var deltas: Deltas?

    /// Which older releases get a delta.
    package struct Deltas: Equatable, Sendable {
        /// A pointer has at most 64 KiB, and a client reads all of it.
        package static let counts = 0...20

        package var count: Int?
        package var from: [String]?

        package init(count: Int? = nil, from: [String]? = nil) {
            self.count = count
            self.from = from
        }
    }

    package init() {}
}

/// The keys of `packtool.yaml`.
///
/// `docs/packtool.schema.json` describes the same ones to editors.
package enum ConfigurationKey: String, CaseIterable, Sendable {
    case app
    case baseURL = "base-url"
    case build
    case channel
    case deltas
    case host
    case launch
    case level
    case pageOrigin = "page-origin"
    case profile
    case scheme
    case to

    /// The words a key is limited to, where there are such.
    package var choices: [String]? {
        switch self {
        case .level: CompressionLevel.allCases.map(\.rawValue)
        case .pageOrigin: Profile.PageOrigin.allCases.map(\.rawValue)
        default: nil
        }
    }
}

/// A configuration file that cannot be used.
package struct ConfigurationError: Remedied, Equatable {
    package enum Problem: Equatable, Sendable {
        case notYAML(String)
        case notAMapping
        case unknownKey(String, nearest: String?)
        case repeatedKey(String)
        case notText(String)
        case notTextList(String)
        /// A value holds a NUL or another control character.
        case controlCharacter(String)
        case notANumber(String, ClosedRange<Int>)
        case notAChoice(String, word: String, choices: [String], nearest: String?)
        case notTrueOrFalse(String)
        /// A word of another form; the text says which.
        case malformed(String, word: String, form: String)
    }

    package let problem: Problem
    package let file: String
    /// 1-based.
    package let line: Int?

    package var code: String {
        switch problem {
        case .notYAML: "config.not-yaml"
        case .notAMapping: "config.not-a-mapping"
        case .unknownKey: "config.unknown-key"
        case .repeatedKey: "config.repeated-key"
        case .notText: "config.not-text"
        case .notTextList: "config.not-text-list"
        case .controlCharacter: "config.control-character"
        case .notANumber: "config.not-a-number"
        case .notAChoice: "config.not-a-choice"
        case .notTrueOrFalse: "config.not-true-or-false"
        case .malformed: "config.malformed"
        }
    }

    package var description: String {
        let place = line.map { "\(file):\($0)" } ?? file
        let text =
            switch problem {
            case .notYAML(let reason): "not valid YAML: \(reason)"
            case .notAMapping: "not a list of 'key: value' lines"
            case .unknownKey(let key, _): "unknown key '\(printable(key.utf8))'"
            case .repeatedKey(let key): "the key '\(key)' appears twice"
            case .notText(let key): "'\(key)' must be text"
            case .notTextList(let key): "'\(key)' must be text or a list of texts"
            case .controlCharacter(let key): "'\(key)' contains a control character"
            case .notANumber(let key, let range):
                "'\(key)' must be a number from \(range.lowerBound) to \(range.upperBound)"
            case .notAChoice(let key, let word, _, _):
                "'\(key)' cannot be '\(printable(word.utf8))'"
            case .notTrueOrFalse(let key): "'\(key)' must be true or false"
            case .malformed(let key, let word, let form):
                "'\(key)' cannot be '\(printable(word.utf8))': \(form)"
            }
        return "\(place): \(text)"
    }

    package var remedy: String {
        switch problem {
        case .unknownKey(_, let nearest?): "did you mean '\(nearest)'?"
        case .unknownKey:
            "the keys are: " + ConfigurationKey.allCases.map(\.rawValue).joined(separator: ", ")
        case .notAChoice(_, _, _, let nearest?): "did you mean '\(nearest)'?"
        case .notAChoice(_, _, let choices, _): "use one of: " + choices.joined(separator: ", ")
        case .notANumber(let key, let range): "write \(key): \(range.lowerBound + 3), for example"
        case .repeatedKey: "remove one of the two lines"
        case .notText(let key), .notTextList(let key): "put quotes around it, as in \(key): \"1.0\""
        case .controlCharacter: "write it as plain text on one line"
        case .notTrueOrFalse(let key): "write \(key): true or \(key): false"
        case .malformed: "correct the value"
        case .notYAML, .notAMapping: "create a new file with 'packtool init' and compare"
        }
    }
}
