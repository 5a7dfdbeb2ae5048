/// A value of a YAML 1.1 document; aliases are replaced by their anchors' values.
struct YAMLNode {
    enum Content {
        /// `isText` is true for quoted scalars, which are neither `true` nor nothing.
        case scalar(String, isText: Bool)
        case sequence([YAMLNode])
        case mapping([(key: YAMLNode, value: YAMLNode)])
    }

    let content: Content
    /// 1-based.
    let line: Int

    /// The scalar's text; `nil` for lists.
    var text: String? {
        guard case .scalar(let text, _) = content else { return nil }
        return text
    }

    /// The truth value of a plain `true`, `no`, `On`, …; `nil` for anything else.
    ///
    /// See <https://yaml.org/type/bool.html>; its `y` and `n` are text, as in most libraries.
    var truth: Bool? {
        guard case .scalar(let text, isText: false) = content else { return nil }
        return Self.truths[text]
    }

    private static let truths: [String: Bool] = [
        "true": true, "True": true, "TRUE": true, "false": false, "False": false, "FALSE": false,
        "yes": true, "Yes": true, "YES": true, "no": false, "No": false, "NO": false,
        "on": true, "On": true, "ON": true, "off": false, "Off": false, "OFF": false,
    ]

    /// Whether it is a plain `null`, `~` or nothing (<https://yaml.org/type/null.html>).
    var isNull: Bool {
        guard case .scalar(let text, isText: false) = content else { return false }
        return ["", "~", "null", "Null", "NULL"].contains(text)
    }

    /// Reads the only document of a text.
    ///
    /// - Returns: `nil` if the text has no document.
    /// - Throws: ``YAMLError``.
    static func parse(_ text: String) throws(YAMLError) -> YAMLNode? {
        var composer = YAMLComposer(parser: try YAMLParser(text))
        return try composer.document()
    }
}

/// A text that is not one YAML document, or that repeats a key.
struct YAMLError: Error {
    let reason: String
    /// 1-based.
    let line: Int?
    /// The key that a mapping repeats, at ``line``.
    var repeatedKey: String?
}

/// Builds nodes from events.
private struct YAMLComposer: ~Copyable {
    /// No setting is as deep; recursion needs a limit.
    private static let deepest = 64

    private var parser: YAMLParser
    /// The values of anchors that have ended, so that no value can contain itself.
    private var anchors: [String: YAMLNode] = [:]

    init(parser: consuming YAMLParser) { self.parser = parser }

    mutating func document() throws(YAMLError) -> YAMLNode? {
        var root: YAMLNode?
        while true {
            let (event, line) = try parser.next()
            switch event {
            case .streamEnd: return root
            case .documentStart:
                guard root == nil else {
                    throw YAMLError(reason: "it has a second document", line: line)
                }
                let (event, line) = try parser.next()
                root = try node(event, line, depth: 0)
            default: break
            }
        }
    }

    private mutating func node(
        _ event: YAMLParser.Event, _ line: Int, depth: Int
    ) throws(YAMLError) -> YAMLNode {
        guard depth < Self.deepest else {
            throw YAMLError(reason: "its lists are nested too deeply", line: line)
        }
        let node: YAMLNode
        let name: String?
        switch event {
        case .scalar(let text, let isText, let anchor):
            (node, name) = (YAMLNode(content: .scalar(text, isText: isText), line: line), anchor)
        case .alias(let anchor):
            guard let node = anchors[anchor] else {
                throw YAMLError(reason: "there is no anchor '\(anchor)' before", line: line)
            }
            return YAMLNode(content: node.content, line: line)
        case .sequenceStart(let anchor):
            var elements: [YAMLNode] = []
            while let element = try child(depth) { elements.append(element) }
            (node, name) = (YAMLNode(content: .sequence(elements), line: line), anchor)
        case .mappingStart(let anchor):
            (node, name) = (YAMLNode(content: .mapping(try pairs(depth)), line: line), anchor)
        case .sequenceEnd, .mappingEnd, .documentStart, .streamEnd, .other:
            throw YAMLError(reason: "a value is missing", line: line)
        }
        if let name { anchors[name] = node }
        return node
    }

    private mutating func pairs(_ depth: Int) throws(YAMLError) -> [(
        key: YAMLNode, value: YAMLNode
    )] {
        var pairs: [(key: YAMLNode, value: YAMLNode)] = []
        var names: Set<String> = []
        while let key = try child(depth) {
            if let name = key.text, !names.insert(name).inserted {
                throw YAMLError(reason: "a key is repeated", line: key.line, repeatedKey: name)
            }
            guard let value = try child(depth) else { break }
            pairs.append((key, value))
        }
        return pairs
    }

    /// The next value of a list; `nil` at its end.
    private mutating func child(_ depth: Int) throws(YAMLError) -> YAMLNode? {
        let (event, line) = try parser.next()
        switch event {
        case .sequenceEnd, .mappingEnd: return nil
        default: return try node(event, line, depth: depth + 1)
        }
    }
}
