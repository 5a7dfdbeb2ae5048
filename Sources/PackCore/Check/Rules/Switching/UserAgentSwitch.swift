import PackProfile
import PackWeb

/// A script that chooses between the custom scheme and https by the user agent.
struct UserAgentSwitch {
    let script: ScriptText
    /// The range of the user agent access in the script.
    let asks: Range<Int>
    /// The words searched for in the user agent, as far as they are next to the comparison.
    let tokens: [Token]

    struct Token {
        let text: String
        let range: Range<Int>
        let ignoresCase: Bool
    }

    /// The scripts of a document containing both the user agent and, in a literal, the custom
    /// scheme.
    static func all(in document: DocumentContext) -> [UserAgentSwitch] {
        let scheme = document.profile.canonicalScheme + [UInt8(ascii: ":")]
        return document.scripts.compactMap { script in
            // Most scripts lack one of the two and need no second pass.
            guard index(of: Array("userAgent".utf8), in: script.bytes[...]) != nil,
                names(scheme, in: script.bytes.span)
            else { return nil }
            return read(script, scheme)
        }
    }

    private static func read(_ script: ScriptText, _ scheme: [UInt8]) -> UserAgentSwitch? {
        let source = script.bytes.span
        var asks: Range<Int>?
        var namesScheme = false
        var tokens: [Token] = []
        // The last three tokens that are not comments.
        var before = [JavaScriptToken](repeating: JavaScriptToken(.end, 0, 0), count: 3)
        var tokenizer = JavaScriptTokenizer(
            source, goal: script.role == .module ? .module : .script)
        while true {
            let token = tokenizer.next(in: source)
            if token.kind == .end { break }
            if token.isComment { continue }
            switch token.kind {
            case .identifier:
                if asks == nil, token.is("userAgent", in: source) { asks = token.range }
            case .string, .templateStart, .templateContinuation, .regularExpression:
                let text = script.bytes[within: token.content(in: source)].map {
                    (0x41...0x5A).contains($0) ? $0 | 0x20 : $0
                }
                if token.kind != .regularExpression, index(of: scheme, in: text[...]) != nil {
                    namesScheme = true
                } else if before[2].is("(", in: source), isSearch(before[1], source),
                    let found = word(token, script.bytes)
                {
                    tokens.append(found)
                }
            case .punctuator:
                // `/Word/.test(`
                if token.is("(", in: source), before[2].is("test", in: source),
                    before[1].is(".", in: source), let found = word(before[0], script.bytes)
                {
                    tokens.append(found)
                }
            default: break
            }
            before = [before[1], before[2], token]
        }
        guard namesScheme, let asks else { return nil }
        return UserAgentSwitch(
            script: script, asks: asks,
            tokens: Array(tokens.sorted { $0.range.lowerBound < $1.range.lowerBound }.prefix(100)))
    }

    /// Whether the bytes contain a scheme and its colon, ignoring case.
    private static func names(_ scheme: [UInt8], in bytes: Span<UInt8>) -> Bool {
        guard bytes.count >= scheme.count else { return false }
        for end in (scheme.count - 1)..<bytes.count where bytes[end] == UInt8(ascii: ":") {
            let start = end - scheme.count + 1
            let same = scheme.indices.allSatisfy {
                let byte = bytes[start + $0]
                return scheme[$0] == ((0x41...0x5A).contains(byte) ? byte | 0x20 : byte)
            }
            if same { return true }
        }
        return false
    }

    private static func isSearch(_ name: JavaScriptToken, _ source: Span<UInt8>) -> Bool {
        name.is("indexOf", in: source) || name.is("includes", in: source)
            || name.is("match", in: source) || name.is("search", in: source)
    }

    /// The first index of a word.
    static func index(of word: [UInt8], in text: ArraySlice<UInt8>) -> Int? {
        guard let first = word.first else { return nil }
        var position = text.startIndex
        while let found = text[position...].firstIndex(of: first) {
            if text[found...].starts(with: word) { return found }
            position = found + 1
        }
        return nil
    }

    /// A string, or a pattern without special characters.
    private static func word(_ literal: JavaScriptToken, _ bytes: [UInt8]) -> Token? {
        let range = literal.content(in: bytes.span)
        guard !range.isEmpty, range.count <= 80 else { return nil }
        var text = String(decoding: bytes[within: range], as: UTF8.self)
        var ignoresCase = false
        switch literal.kind {
        case .string: break
        case .regularExpression:
            text = String(text.filter { $0 != "\\" })
            guard !text.contains(where: { "^$*+?()[]{}.".contains($0) }) else { return nil }
            ignoresCase =
                bytes[within: range.upperBound..<max(range.upperBound, literal.end)]
                .contains(UInt8(ascii: "i"))
        default: return nil
        }
        return text.isEmpty ? nil : Token(text: text, range: range, ignoresCase: ignoresCase)
    }
}
