/// The names of a script, each with a number: two names are equal if their numbers are.
///
/// The first numbers are the same in all scripts: those of ``JavaScriptName``, then the words of the
/// grammar.
struct JavaScriptNames: Sendable {
    typealias ID = UInt32

    private struct Entry {
        let hash: UInt32
        /// In the texts of the shared names, or in the script.
        let start: UInt32
        let length: UInt32
    }

    /// The names that all scripts share.
    private struct Shared {
        var names = JavaScriptNames(capacity: 2048)
        var bytes: [UInt8] = []
        var known: [JavaScriptName?] = [nil]
        var symbols: [JavaScriptSymbol] = [.none]

        init() {
            let known = JavaScriptName.allCases
            var numbers: [String: JavaScriptName] = [:]
            for name in known { numbers[name.text] = name }
            let words = JavaScriptSymbol.allWords.filter { numbers[$0] == nil }
            for text in known.map(\.text) + words {
                let start = bytes.count
                bytes += Array(text.utf8)
                let hash = JavaScriptNames.hash(bytes.span, start, bytes.count)
                names.add(hash, start, bytes.count &- start)
                self.known.append(numbers[text])
                symbols.append(JavaScriptSymbol.word(text))
            }
            names.sharedCount = names.entries.count
        }
    }

    private static let shared = Shared()
    private static let sharedBytes = shared.bytes
    private static let known = shared.known
    private static let symbols = shared.symbols

    /// Open addressing: the numbers of names, 0 in a free place.
    private var slots: [ID]
    private var entries: [Entry]
    /// The number of entries that all scripts share.
    private var sharedCount = Int.max
    /// The numbers of names of one character, the most frequent ones of minified scripts.
    private var letters = [ID](repeating: 0, count: 256)

    private init(capacity: Int) {
        slots = [ID](repeating: 0, count: capacity)
        entries = [Entry(hash: 0, start: 0, length: 0)]
    }

    /// A table with the shared names.
    init() { self = Self.shared.names }

    var count: Int { entries.count }

    /// The name with a number, if it is one of those that all scripts share.
    @inline(__always)
    static func known(_ id: ID) -> JavaScriptName? {
        Int(id) < known.count ? known[Int(id)] : nil
    }

    /// The grammar's meaning of a name.
    @inline(__always)
    static func symbol(of id: ID) -> JavaScriptSymbol {
        Int(id) < symbols.count ? symbols[Int(id)] : .none
    }

    private static func hash(_ source: Span<UInt8>, _ start: Int, _ end: Int) -> UInt32 {
        var hash: UInt32 = 2_166_136_261
        for index in start..<end { hash = (hash ^ UInt32(source[index])) &* 16_777_619 }
        return hash ^ (hash &>> 15)
    }

    private mutating func add(_ hash: UInt32, _ start: Int, _ length: Int) {
        if entries.count &* 2 >= slots.count { grow() }
        entries.append(
            Entry(
                hash: hash, start: UInt32(truncatingIfNeeded: start),
                length: UInt32(truncatingIfNeeded: length)))
        place(ID(truncatingIfNeeded: entries.count &- 1), hash)
    }

    private mutating func place(_ id: ID, _ hash: UInt32) {
        var slot = Int(hash) & (slots.count &- 1)
        while slots[slot] != 0 { slot = (slot &+ 1) & (slots.count &- 1) }
        slots[slot] = id
    }

    private mutating func grow() {
        slots = [ID](repeating: 0, count: slots.count &* 2)
        for index in 1..<max(entries.count, 1) {
            place(ID(truncatingIfNeeded: index), entries[index].hash)
        }
    }

    /// The number of a name; 0 if it does not occur in the script.
    private func find(
        _ source: Span<UInt8>, _ start: Int, _ end: Int, _ hash: UInt32, own: Span<UInt8>
    )
        -> ID
    {
        var slot = Int(hash) & (slots.count &- 1)
        while slots[slot] != 0 {
            let id = slots[slot]
            let entry = entries[Int(id)]
            if entry.hash == hash, Int(entry.length) == end &- start {
                let isShared = Int(id) < sharedCount
                let other = isShared ? Self.sharedBytes.span : own
                var offset = 0
                while offset < end &- start,
                    source[start &+ offset] == other[Int(entry.start) &+ offset]
                { offset &+= 1 }
                if offset == end &- start { return id }
            }
            slot = (slot &+ 1) & (slots.count &- 1)
        }
        return 0
    }

    /// The number of the name at a range of the script; a new one if needed.
    mutating func number(of source: Span<UInt8>, _ start: Int, _ end: Int) -> ID {
        guard end &- start == 1 else { return search(source, start, end) }
        let letter = Int(source[start])
        if letters[letter] == 0 { letters[letter] = search(source, start, end) }
        return letters[letter]
    }

    private mutating func search(_ source: Span<UInt8>, _ start: Int, _ end: Int) -> ID {
        let hash = Self.hash(source, start, end)
        let found = find(source, start, end, hash, own: source)
        if found != 0 { return found }
        add(hash, start, end &- start)
        return ID(truncatingIfNeeded: entries.count &- 1)
    }

    /// The number of a text that may be a name of the script; 0 if it is none.
    func number(of text: Span<UInt8>, in source: Span<UInt8>) -> ID {
        find(text, 0, text.count, Self.hash(text, 0, text.count), own: source)
    }

    /// The number of the shared name with these characters; 0 if there is none.
    static func number(ofShared text: Span<UInt8>) -> ID {
        shared.names.number(of: text, in: sharedBytes.span)
    }

    /// The shared name with these characters.
    static func known(_ text: Span<UInt8>) -> JavaScriptName? { known(number(ofShared: text)) }

    /// Whether a name of the script starts with a text.
    func containsName(startingWith text: StaticString, in source: Span<UInt8>) -> Bool {
        entries.dropFirst(Self.known.count).contains {
            Int($0.length) >= text.utf8CodeUnitCount && source.holds(text, at: Int($0.start))
        }
    }
}
