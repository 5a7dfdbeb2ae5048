/// The texts that a regular expression of webpack's runtime matches: `^(1(210|59)|44[67]0)$`.
///
/// Supports only the output of `compileBooleanMatcher`: characters, groups, alternatives, classes,
/// `?`.
struct FiniteExpression {
    private let bytes: [UInt8]
    private var index = 0
    private var depth = 0

    /// Expressions with more texts are not supported.
    private static let most = 50_000
    private static let deepest = 32

    /// The texts; `nil` for any other expression.
    static func texts(_ bytes: [UInt8]) -> Set<[UInt8]>? {
        guard bytes.count <= 1 << 20, bytes.first == UInt8(ascii: "^"),
            bytes.last == UInt8(ascii: "$")
        else { return nil }
        var reader = FiniteExpression(bytes: Array(bytes.dropFirst().dropLast()))
        guard let texts = reader.alternatives(), reader.index == reader.bytes.count else {
            return nil
        }
        return Set(texts)
    }

    /// The alternatives of an expression outside groups.
    static func alternatives(of bytes: [UInt8]) -> [ArraySlice<UInt8>] {
        var found: [ArraySlice<UInt8>] = []
        var start = 0
        var depth = 0
        var index = 0
        while index < bytes.count, found.count < 64 {
            switch bytes[index] {
            case UInt8(ascii: "\\"): index += 1
            case UInt8(ascii: "("), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: ")"), UInt8(ascii: "]"): depth -= 1
            case UInt8(ascii: "|") where depth == 0:
                found.append(bytes[start..<index])
                start = index + 1
            default: break
            }
            index += 1
        }
        return found + [bytes[min(start, bytes.count)...]]
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard index < bytes.count, bytes[index] == byte else { return false }
        index += 1
        return true
    }

    private mutating func alternatives() -> [[UInt8]]? {
        depth += 1
        defer { depth -= 1 }
        guard depth < Self.deepest else { return nil }
        var all: [[UInt8]] = []
        repeat {
            guard let next = sequence(), all.count + next.count <= Self.most else { return nil }
            all += next
        } while take(UInt8(ascii: "|"))
        return all
    }

    private mutating func sequence() -> [[UInt8]]? {
        var texts: [[UInt8]] = [[]]
        while index < bytes.count, bytes[index] != UInt8(ascii: "|"),
            bytes[index] != UInt8(ascii: ")")
        {
            guard var parts = atom() else { return nil }
            if take(UInt8(ascii: "?")) { parts.append([]) }
            guard texts.count * parts.count <= Self.most else { return nil }
            if parts.count == 1 {
                for place in texts.indices { texts[place] += parts[0] }
            } else {
                texts = texts.flatMap { text in parts.map { text + $0 } }
            }
            // Limits the number of characters, not only of texts.
            guard texts.count * (texts.first?.count ?? 0) <= 1 << 22 else { return nil }
        }
        return texts
    }

    private mutating func atom() -> [[UInt8]]? {
        let byte = bytes[index]
        index += 1
        switch byte {
        case UInt8(ascii: "("):
            if take(UInt8(ascii: "?")), !take(UInt8(ascii: ":")) { return nil }
            guard let inner = alternatives(), take(UInt8(ascii: ")")) else { return nil }
            return inner
        case UInt8(ascii: "["): return characterClass()
        case UInt8(ascii: "\\"):
            guard index < bytes.count, !JavaScriptByte.isName(bytes[index]) else { return nil }
            index += 1
            return [[bytes[index - 1]]]
        case UInt8(ascii: "."), UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "{"),
            UInt8(ascii: "?"), UInt8(ascii: "^"), UInt8(ascii: "$"):
            return nil
        default: return [[byte]]
        }
    }

    private mutating func characterClass() -> [[UInt8]]? {
        var texts: [[UInt8]] = []
        while index < bytes.count {
            let first = bytes[index]
            index += 1
            if first == UInt8(ascii: "]") { return texts }
            guard first != UInt8(ascii: "^"), first != UInt8(ascii: "\\") else { return nil }
            if index + 1 < bytes.count, bytes[index] == UInt8(ascii: "-"),
                bytes[index + 1] != UInt8(ascii: "]")
            {
                let last = bytes[index + 1]
                guard first <= last, last < 0x80 else { return nil }
                texts += (first...last).map { [$0] }
                index += 2
            } else {
                texts.append([first])
            }
        }
        return nil
    }
}
