import Yams

extension ProfileSettings {
    /// Reads the name of a built-in, or a mapping.
    static func read(_ node: Node, file: String) throws(ConfigurationError) -> ProfileSettings {
        var settings = ProfileSettings()
        if let name = ConfigurationReader.text(node) {
            settings.base = try choice(
                name, among: Profile.builtIn.map(\.name), "profile", file, node.mark?.line)
            return settings
        }
        guard case .mapping(let mapping) = node else {
            throw ConfigurationError(
                problem: .notText("profile"), file: file, line: node.mark?.line)
        }
        for (keyNode, value) in mapping {
            let line = keyNode.mark?.line
            let name = keyNode.string ?? ""
            guard let key = Key(rawValue: name) else {
                let nearest = nearestWord(to: name, in: Key.allCases.map(\.rawValue))
                throw ConfigurationError(
                    problem: .unknownKey("profile.\(name)", nearest: nearest), file: file,
                    line: line)
            }
            try settings.set(key, value, file: file, line: line)
        }
        return settings
    }

    private static func choice(
        _ word: String, among choices: [String], _ key: String, _ file: String, _ line: Int?
    ) throws(ConfigurationError) -> String {
        guard choices.contains(word) else {
            let nearest = nearestWord(to: word, in: choices)
            throw ConfigurationError(
                problem: .notAChoice(key, word: word, choices: choices, nearest: nearest),
                file: file, line: line)
        }
        return word
    }

    private mutating func set(
        _ key: Key, _ node: Node, file: String, line: Int?
    ) throws(ConfigurationError) {
        let name = "profile.\(key.rawValue)"
        let fail = { (problem: ConfigurationError.Problem) in
            ConfigurationError(problem: problem, file: file, line: line)
        }
        switch key {
        case .cors, .percentDecoding, .range, .skipExisting:
            guard let truth = node.bool else { throw fail(.notTrueOrFalse(name)) }
            set(key, truth)
        case .mediaTypes:
            guard case .mapping(let mapping) = node else { throw fail(.notText(name)) }
            var types: [String: String] = [:]
            for (ending, type) in mapping {
                guard let ending = ConfigurationReader.text(ending),
                    let type = ConfigurationReader.text(type)
                else { throw fail(.notText(name)) }
                types[ending.lowercased()] = type
            }
            mediaTypes = types
        case .appSchemes:
            guard let schemes = ConfigurationReader.texts(node) else {
                throw fail(.notTextList(name))
            }
            appSchemes = schemes
        default:
            guard case .scalar(let scalar) = node, node.null == nil else {
                throw fail(.notText(name))
            }
            var word = scalar.string
            if let choices = key.choices {
                word = try Self.choice(word, among: choices, name, file, line)
            }
            guard set(key, word) else {
                throw fail(
                    .malformed(
                        name, word: word,
                        form: key == .root
                            ? "it must start and end with a slash, as in /shop/"
                            : "it must be a version such as 13 or 11.3"))
            }
        }
    }

    private mutating func set(_ key: Key, _ truth: Bool) {
        switch key {
        case .cors: cors = truth
        case .percentDecoding: percentDecoding = truth
        case .range: range = truth
        case .skipExisting: skipExisting = truth
        default: break
        }
    }

    /// Returns whether the word has the form it needs.
    private mutating func set(_ key: Key, _ word: String) -> Bool {
        switch key {
        case .base: base = word
        case .fallback: fallback = .init(rawValue: word)
        case .fragment: fragment = .init(rawValue: word)
        case .indexFile: indexFile = .init(rawValue: word)
        case .lookUp: lookUp = .init(rawValue: word)
        case .query: query = .init(rawValue: word)
        case .schemeComparison: schemeComparison = .init(rawValue: word)
        case .minimumIOS:
            minimumIOS = Profile.IOSVersion(word)
            return minimumIOS != nil
        case .root:
            guard word.hasPrefix("/"), word.hasSuffix("/") else { return false }
            root = word
        case .appSchemes, .cors, .mediaTypes, .percentDecoding, .range, .skipExisting: break
        }
        return true
    }
}
