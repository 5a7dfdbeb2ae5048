import TestSupport

/// A DER element, and edits that keep its lengths correct.
struct MutatedDER {
    private(set) var tag: UInt8
    private(set) var content: [UInt8] = []
    /// The contained elements, or `nil` for a primitive element.
    private(set) var inner: [MutatedDER]?

    private static let tags: [UInt8] = [
        0x02, 0x03, 0x04, 0x05, 0x06, 0x30, 0x31, 0x80, 0x81, 0xA0, 0xA1, 0x1F,
    ]
    /// Contents that readers compare with: identifiers, limits of numbers, points of small order.
    private static let words: [[UInt8]] = [
        [], [0], [1], [2], [0x80], [0, 0x80], [0, 0], [0x27, 0x0F], [0x27, 0x10], [0x40, 0],
        [0x40, 1], [0, 0x98, 0x96, 0x80], [0, 0x98, 0x96, 0x81], [0x7F, 0xFF, 0xFF, 0xFF],
        [1, 0, 0, 0, 0], [0x10], [0x18], [0x20],
        [0x2B, 0x65, 0x70], [0x2B, 0x65, 0x6E], [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01],
        [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07], [0x2B, 0x81, 0x04, 0x00, 0x22],
        [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x05, 0x0C],
        [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x05, 0x0D],
        [0x2B, 0x06, 0x01, 0x04, 0x01, 0xDA, 0x47, 0x04, 0x0B],
        [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x02, 0x07],
        [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x02, 0x0B],
        [0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x01, 0x02],
        [0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x01, 0x16],
        [UInt8](repeating: 0, count: 32), [1] + [UInt8](repeating: 0, count: 31),
        [UInt8](repeating: 0, count: 33), [0, 1] + [UInt8](repeating: 0, count: 31),
        [0, 0xEC] + [UInt8](repeating: 0xFF, count: 30) + [0x7F],
        [UInt8](repeating: 0xFF, count: 32), [UInt8](repeating: 0x55, count: 128),
        [UInt8](repeating: 0x55, count: 256),
    ]

    init(_ tag: UInt8, _ content: [UInt8]) {
        self.tag = tag
        self.content = content
    }

    init(_ tag: UInt8, inner: [MutatedDER]) {
        self.tag = tag
        self.inner = inner
    }

    /// Parses valid DER, including the content of OCTET STRINGs.
    init?(_ bytes: [UInt8]) {
        guard let all = Self.elements(bytes), all.count == 1 else { return nil }
        self = all[0]
    }

    private static func elements(_ bytes: [UInt8]) -> [MutatedDER]? {
        var all: [MutatedDER] = []
        var rest = bytes[...]
        while let tag = rest.popFirst() {
            guard let first = rest.popFirst(), first <= 0x82, first != 0x80 else { return nil }
            var count = Int(first)
            if first > 0x80 {
                guard rest.count >= first - 0x80 else { return nil }
                count = rest.prefix(Int(first - 0x80)).reduce(0) { $0 << 8 | Int($1) }
                rest = rest.dropFirst(Int(first - 0x80))
            }
            guard count <= rest.count else { return nil }
            let content = Array(rest.prefix(count))
            rest = rest.dropFirst(count)
            if tag & 0x20 != 0 || tag == 0x04 && (content.first == 0x30 || content.first == 0x04),
                let inner = elements(content)
            {
                all.append(MutatedDER(tag, inner: inner))
            } else {
                all.append(MutatedDER(tag, content))
            }
        }
        return all
    }

    var bytes: [UInt8] {
        let content = inner.map { $0.flatMap(\.bytes) } ?? content
        let count = content.count
        let length: [UInt8] =
            count < 0x80
            ? [UInt8(count)]
            : count <= 0xFF
                ? [0x81, UInt8(count)]
                : [0x82, UInt8(truncatingIfNeeded: count >> 8), UInt8(truncatingIfNeeded: count)]
        return [tag] + length + content
    }

    /// Replaces the element at a path.
    func replacing(_ path: [Int], by element: MutatedDER) -> MutatedDER {
        guard let step = path.first, var inner, inner.indices.contains(step) else { return element }
        inner[step] = inner[step].replacing(Array(path.dropFirst()), by: element)
        return MutatedDER(tag, inner: inner)
    }

    func appending(_ element: MutatedDER) -> MutatedDER {
        MutatedDER(tag, inner: (inner ?? []) + [element])
    }

    /// Selects an element according to the program and edits it.
    mutating func edit(_ program: inout EditProgram) {
        let choice = program.byte()
        guard var parts = inner, !parts.isEmpty, choice & 3 != 0 else { return change(&program) }
        let index = program.below(parts.count)
        switch choice >> 3 {
        case 0: parts.remove(at: index)
        case 1: parts.insert(parts[index], at: program.below(parts.count))
        case 2: parts.swapAt(index, program.below(parts.count))
        case 3: parts.insert(Self.fresh(&program), at: index)
        case 4: parts.append(Self.fresh(&program))
        default: parts[index].edit(&program)
        }
        inner = parts
    }

    private mutating func change(_ program: inout EditProgram) {
        switch program.below(4) {
        case 0: tag = program.pick(Self.tags)
        case 1:
            content = program.pick(Self.words)
            inner = nil
        case 2 where inner == nil: program.damage(&content)
        default: self = Self.fresh(&program)
        }
    }

    private static func fresh(_ program: inout EditProgram) -> MutatedDER {
        MutatedDER(
            program.pick(tags), program.isSet() ? program.raw(atMost: 40) : program.pick(words))
    }
}
