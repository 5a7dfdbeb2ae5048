/// The names of character references, for binary search; parsed once from ``source``.
struct NamedCharacterTable: Sendable {
    /// The longest name that is valid without a semicolon, in bytes.
    static let longestLegacyName = 6

    static let shared = NamedCharacterTable(parsing: source)

    private struct Entry {
        /// The position of the name in ``names``.
        let start: Int
        let length: Int
        let scalars: (UInt32, UInt32?)
        let isLegacy: Bool
    }

    private let names: [UInt8]
    private let entries: [Entry]

    /// Reads `name:hex` and `name!hex` words; see the generated file.
    private init(parsing text: String) {
        var names: [UInt8] = []
        var entries: [Entry] = []
        for word in Array(text.utf8).split(separator: UInt8(ascii: " ")) {
            let name = word.prefix { $0.isASCIIAlphanumeric }
            let mark = word.dropFirst(name.count).first
            var values: [UInt32] = [0]
            for byte in word.dropFirst(name.count + 1) {
                if let digit = byte.digit(hexadecimal: true) {
                    values[values.count - 1] = values[values.count - 1] << 4 | digit
                } else {
                    values.append(0)
                }
            }
            entries.append(
                Entry(
                    start: names.count, length: name.count,
                    scalars: (values[0], values.count > 1 ? values[1] : nil),
                    isLegacy: mark == UInt8(ascii: "!")))
            names += name
        }
        self.names = names
        self.entries = entries
    }

    /// The characters of a name with a semicolon.
    func scalars(_ bytes: Span<UInt8>, _ name: Range<Int>) -> (UInt32, UInt32?)? {
        entry(bytes, name)?.scalars
    }

    /// The characters of a name that is valid without one.
    func legacyScalars(_ bytes: Span<UInt8>, _ name: Range<Int>) -> (UInt32, UInt32?)? {
        guard let entry = entry(bytes, name), entry.isLegacy else { return nil }
        return entry.scalars
    }

    private func entry(_ bytes: Span<UInt8>, _ name: Range<Int>) -> Entry? {
        var low = 0
        var high = entries.count
        while low < high {
            let middle = (low + high) / 2
            let order = compare(entries[middle], bytes, name)
            if order == 0 { return entries[middle] }
            if order < 0 { low = middle + 1 } else { high = middle }
        }
        return nil
    }

    /// Negative if the entry's name sorts before, positive if after.
    private func compare(_ entry: Entry, _ bytes: Span<UInt8>, _ name: Range<Int>) -> Int {
        for offset in 0..<min(entry.length, name.count) {
            let difference =
                Int(names[entry.start + offset]) - Int(bytes[name.lowerBound + offset])
            if difference != 0 { return difference }
        }
        return entry.length - name.count
    }
}
