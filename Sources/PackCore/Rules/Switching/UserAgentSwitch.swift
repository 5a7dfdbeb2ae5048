/// A script that chooses between custom scheme and https by the user agent.
struct UserAgentSwitch {
    let script: ScriptText
    /// Where it asks for the user agent, in the script's bytes.
    let asks: Range<Int>
    /// The words it looks for in the user agent, as far as they stand beside the question.
    let tokens: [Token]

    struct Token {
        let text: String
        let range: Range<Int>
        let ignoresCase: Bool
    }

    /// The scripts of a document that name both the user agent and the custom scheme.
    static func all(in document: DocumentContext) -> [UserAgentSwitch] {
        let scheme = document.profile.canonicalScheme + [UInt8(ascii: ":")]
        return document.scripts.compactMap { script in
            guard let start = index(of: Array("userAgent".utf8), in: script.bytes[...]),
                index(
                    of: scheme,
                    in: script.bytes.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }[...])
                    != nil
            else { return nil }
            return UserAgentSwitch(
                script: script, asks: start..<(start + 9), tokens: tokens(in: script.bytes))
        }
    }

    /// The first place of a word.
    static func index(of word: [UInt8], in text: ArraySlice<UInt8>) -> Int? {
        guard let first = word.first else { return nil }
        var position = text.startIndex
        while let found = text[position...].firstIndex(of: first) {
            if text[found...].starts(with: word) { return found }
            position = found + 1
        }
        return nil
    }

    /// Arguments of `indexOf`, `includes`, `match`, `search` and the pattern before `test`, where they
    /// are plain words.
    private static func tokens(in bytes: [UInt8]) -> [Token] {
        var tokens: [Token] = []
        for (word, isCall) in [
            ("indexOf(", true), ("includes(", true), ("match(", true), ("search(", true),
            ("test(", false),
        ] {
            var rest = bytes[...]
            while tokens.count < 100, let found = index(of: Array(word.utf8), in: rest) {
                rest = bytes[(found + word.utf8.count)...]
                if isCall {
                    if let token = literal(bytes, at: rest.startIndex) { tokens.append(token) }
                } else if let token = pattern(bytes, before: found) {
                    tokens.append(token)
                }
            }
        }
        return tokens.sorted { $0.range.lowerBound < $1.range.lowerBound }
    }

    private static func literal(_ bytes: [UInt8], at start: Int) -> Token? {
        guard start < bytes.count,
            let quote = [UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "/")].first(where: {
                $0 == bytes[start]
            })
        else { return nil }
        let text = bytes[(start + 1)...].prefix(80)
        guard let end = text.firstIndex(of: quote) else { return nil }
        let isPattern = quote == UInt8(ascii: "/")
        let ignores =
            isPattern
            && bytes[(end + 1)...].prefix { (0x61...0x7A).contains($0) }.contains(UInt8(ascii: "i"))
        return token(bytes, (start + 1)..<end, ignores, isPattern)
    }

    /// `/Word/i.test(`: the pattern that ends before `.test(`.
    private static func pattern(_ bytes: [UInt8], before test: Int) -> Token? {
        var end = test - 1
        guard end > 0, bytes[end] == UInt8(ascii: ".") else { return nil }
        end -= 1
        var ignores = false
        while end > 0, (0x61...0x7A).contains(bytes[end]) {
            if bytes[end] == UInt8(ascii: "i") { ignores = true }
            end -= 1
        }
        guard end > 0, bytes[end] == UInt8(ascii: "/") else { return nil }
        let head = bytes[max(0, end - 80)..<end]
        guard let start = head.lastIndex(of: UInt8(ascii: "/")) else { return nil }
        return token(bytes, (start + 1)..<end, ignores, true)
    }

    /// A word without characters that mean something in a pattern.
    private static func token(
        _ bytes: [UInt8], _ range: Range<Int>, _ ignoresCase: Bool, _ isPattern: Bool
    ) -> Token? {
        var text = String(decoding: bytes[range], as: UTF8.self)
        if isPattern {
            text = String(text.filter { $0 != "\\" })
            guard !text.contains(where: { "^$*+?()[]{}.".contains($0) }) else { return nil }
        }
        return text.isEmpty ? nil : Token(text: text, range: range, ignoresCase: ignoresCase)
    }
}
