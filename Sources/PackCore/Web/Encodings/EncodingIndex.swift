/// An index of the Encoding standard: the characters of an encoding by their pointers.
///
/// `Scripts/encoding-indexes.py` writes the tables in `Indexes/` and documents their form.
struct EncodingIndex: Sendable {
    /// Code points; 0 for a pointer without one.
    private let codes: [UInt32]

    init(_ text: String) {
        self.init(packed: Array(text.utf8)[...])
    }

    private init(packed text: ArraySlice<UInt8>) {
        var codes: [UInt32] = []
        var position = text.startIndex
        while position < text.endIndex {
            switch text[position] {
            case UInt8(ascii: "!"):
                let count = Self.number(text, at: position + 1)
                codes += [UInt32](repeating: 0, count: Int(count))
                position += 4
            case UInt8(ascii: "+"):
                let last = codes.last ?? 0
                for step in 0..<Self.number(text, at: position + 1) {
                    codes.append(last + step + 1)
                }
                position += 4
            default:
                codes.append(Self.number(text, at: position))
                position += 3
            }
        }
        self.codes = codes
    }

    /// Decodes three characters of `A`…`Z`, `a`…`z`, `0`…`9`, `-`, `_`, six bits each.
    private static func number(_ text: ArraySlice<UInt8>, at start: Int) -> UInt32 {
        guard start + 3 <= text.endIndex else { return 0 }
        return text[start..<(start + 3)].reduce(0) { value, byte in
            let digit: UInt8 =
                switch byte {
                case 0x41...0x5A: byte - 0x41
                case 0x61...0x7A: byte - 0x61 + 26
                case 0x30...0x39: byte - 0x30 + 52
                case UInt8(ascii: "-"): 62
                default: 63
                }
            return value << 6 | UInt32(digit)
        }
    }

    /// The code point of a pointer; `nil` for none.
    subscript(pointer: Int) -> UInt32? {
        guard codes.indices.contains(pointer), codes[pointer] != 0 else { return nil }
        return codes[pointer]
    }

    // MARK: - Other indexes

    /// The upper half of each encoding with one byte per character, by name.
    static let singleBytes: [String: EncodingIndex] = {
        var indexes: [String: EncodingIndex] = [:]
        for line in singleByte.utf8.split(separator: UInt8(ascii: "\n")) {
            guard let space = line.firstIndex(of: UInt8(ascii: " ")) else { continue }
            indexes[String(decoding: line[..<space], as: UTF8.self)] = EncodingIndex(
                packed: Array(line[line.index(after: space)...])[...])
        }
        return indexes
    }()

    /// "Index gb18030 ranges code point": the code point of four bytes.
    static func gb18030Range(_ pointer: Int) -> UInt32? {
        if pointer > 39_419 && pointer < 189_000 || pointer > 1_237_575 { return nil }
        if pointer == 7457 { return 0xE7C7 }
        let pairs = gb18030Ranges.codes
        var low = 0
        var high = pairs.count / 2
        while low < high {
            let middle = (low + high) / 2
            if Int(pairs[2 * middle]) <= pointer { low = middle + 1 } else { high = middle }
        }
        guard low > 0 else { return nil }
        return pairs[2 * low - 1] + UInt32(pointer) - pairs[2 * low - 2]
    }
}
