import Yams

/// Reads `packtool.yaml` strictly: what it does not know is an error that names the nearest known word.
package enum ConfigurationReader {
    /// - Parameter file: the file's name, for messages.
    /// - Throws: ``ConfigurationError``.
    package static func read(
        _ text: String, file: String
    ) throws(ConfigurationError) -> Configuration {
        let fail = { (problem: ConfigurationError.Problem, line: Int?) in
            ConfigurationError(problem: problem, file: file, line: line)
        }
        var configuration = Configuration()
        guard let root = try compose(text, file: file) else { return configuration }
        if case .scalar(let scalar) = root, scalar.string.isEmpty { return configuration }
        guard case .mapping(let mapping) = root else { throw fail(.notAMapping, root.mark?.line) }
        var seen: Set<String> = []
        for (keyNode, value) in mapping {
            let line = keyNode.mark?.line
            guard let name = keyNode.string else { throw fail(.notAMapping, line) }
            guard let key = ConfigurationKey(rawValue: name) else {
                let nearest = nearestWord(to: name, in: ConfigurationKey.allCases.map(\.rawValue))
                throw fail(.unknownKey(name, nearest: nearest), line)
            }
            guard seen.insert(name).inserted else { throw fail(.repeatedKey(name), line) }
            guard !holdsControls(value) else { throw fail(.controlCharacter(name), line) }
            if key == .host {
                guard let hosts = texts(value) else { throw fail(.notTextList(name), line) }
                configuration.hosts = hosts
                continue
            }
            if key == .deltas {
                configuration.deltas = try deltas(value, file: file)
                continue
            }
            if key == .profile {
                configuration.profile = try ProfileSettings.read(value, file: file)
                continue
            }
            guard let word = self.text(value) else { throw fail(.notText(name), line) }
            if let choices = key.choices, !choices.contains(word) {
                let nearest = nearestWord(to: word, in: choices)
                throw fail(
                    .notAChoice(name, word: word, choices: choices, nearest: nearest), line)
            }
            configuration.set(key, word)
        }
        return configuration
    }

    /// `deltas: {count: 3, from: [version, …]}`.
    private static func deltas(
        _ node: Node, file: String
    ) throws(ConfigurationError) -> Configuration.Deltas {
        let fail = { (problem: ConfigurationError.Problem, line: Int?) in
            ConfigurationError(problem: problem, file: file, line: line)
        }
        guard case .mapping(let mapping) = node else { throw fail(.notAMapping, node.mark?.line) }
        var deltas = Configuration.Deltas()
        for (keyNode, value) in mapping {
            let line = keyNode.mark?.line
            let name = keyNode.string ?? ""
            switch name {
            case "count":
                guard case .scalar(let scalar) = value, let count = Int(scalar.string),
                    Configuration.Deltas.counts.contains(count)
                else { throw fail(.notANumber("deltas.count", Configuration.Deltas.counts), line) }
                deltas.count = count
            case "from":
                guard let versions = texts(value) else {
                    throw fail(.notTextList("deltas.from"), line)
                }
                deltas.from = versions
            default:
                throw fail(
                    .unknownKey(
                        "deltas.\(name)", nearest: nearestWord(to: name, in: ["count", "from"])
                    ), line)
            }
        }
        return deltas
    }

    private static func compose(
        _ text: String, file: String
    ) throws(ConfigurationError) -> Node? {
        // The YAML library takes a NUL for the end and would drop the rest in silence.
        if let end = text.utf8.firstIndex(of: 0) {
            let line = text.utf8[..<end].count { $0 == UInt8(ascii: "\n") } + 1
            throw ConfigurationError(
                problem: .notYAML(
                    """
                    it contains a NUL character
                    """), file: file, line: line)
        }
        do {
            // Editors on Windows put a byte order mark in front.
            let text =
                text.unicodeScalars.first == "\u{FEFF}"
                ? String(text.unicodeScalars.dropFirst()) : text
            return try Yams.compose(yaml: text)
        } catch YamlError.duplicatedKeysInMapping(let keys, let context) {
            throw ConfigurationError(
                problem: .repeatedKey(keys.min() ?? ""), file: file, line: context.mark.line)
        } catch let error as YamlError {
            throw ConfigurationError(
                problem: .notYAML(error.reason), file: file, line: error.line)
        } catch {
            throw ConfigurationError(problem: .notYAML("\(error)"), file: file, line: nil)
        }
    }

    /// Whether a value has a control character, which none that is used does.
    ///
    /// A NUL would end a path for the system, and cut it in silence.
    private static func holdsControls(_ node: Node) -> Bool {
        guard case .scalar(let scalar) = node else { return false }
        return scalar.string.unicodeScalars.contains { $0.isControl }
    }

    /// Plain words only: `1.0` and `yes` are numbers and truths to YAML, and would change on the way.
    static func text(_ node: Node) -> String? {
        guard case .scalar(let scalar) = node, !holdsControls(node) else { return nil }
        if scalar.style == .plain, node.null != nil || node.bool != nil { return nil }
        return scalar.string
    }

    static func texts(_ node: Node) -> [String]? {
        if let single = text(node) { return [single] }
        guard case .sequence(let sequence) = node else { return nil }
        let texts = sequence.compactMap(text)
        return texts.count == sequence.count ? texts : nil
    }
}

extension YamlError {
    fileprivate var reason: String {
        switch self {
        case .scanner(_, let problem, _, _), .parser(_, let problem, _, _),
            .composer(_, let problem, _, _):
            problem
        default: "\(self)"
        }
    }

    fileprivate var line: Int? {
        switch self {
        case .scanner(_, _, let mark, _), .parser(_, _, let mark, _), .composer(_, _, let mark, _):
            mark.line
        default: nil
        }
    }
}

extension Configuration {
    fileprivate mutating func set(_ key: ConfigurationKey, _ word: String) {
        switch key {
        case .app: app = word
        case .baseURL: baseURL = word
        case .build: build = word
        case .channel: channel = word
        // Not words; read before.
        case .deltas, .profile: break
        case .host: hosts = [word]
        case .launch: launch = word
        case .level: level = word
        case .pageOrigin: pageOrigin = word
        case .scheme: scheme = word
        case .to: to = word
        }
    }
}
