/// The names of one tag's attributes, for tags with very many.
///
/// Comparing every name with every other is quadratic, so this hash table is used from
/// ``threshold`` on. It has a new seed in each process, so that no page can be crafted to collide
/// in it.
struct AttributeNameIndex: Sendable {
    /// The number of attributes from which a tag gets a table.
    static let threshold = 24

    private var slots: [Int] = []
    private var names: [Range<Int>] = []

    /// Adds a name and returns whether it was already present.
    ///
    /// - Parameter attributes: The attributes before this one; added when the table is created.
    mutating func insert(
        _ bytes: Span<UInt8>, _ name: Range<Int>, after attributes: [HTMLAttribute],
        steps: inout Int
    ) -> Bool {
        if attributes.count == Self.threshold {
            slots = Array(repeating: -1, count: 128)
            names.removeAll(keepingCapacity: true)
            for attribute in attributes { _ = add(bytes, attribute.name, steps: &steps) }
        }
        return add(bytes, name, steps: &steps)
    }

    private mutating func add(
        _ bytes: Span<UInt8>, _ name: Range<Int>, steps: inout Int
    ) -> Bool {
        let slot = place(bytes, name, steps: &steps)
        if slots[slot] >= 0 { return true }
        slots[slot] = names.count
        names.append(name)
        guard names.count &* 2 > slots.count else { return false }
        slots = Array(repeating: -1, count: slots.count &* 2)
        for (index, known) in names.enumerated() {
            slots[place(bytes, known, steps: &steps)] = index
        }
        return false
    }

    /// The slot of a name, or the free slot to insert it; at most half of the slots are used.
    private func place(_ bytes: Span<UInt8>, _ name: Range<Int>, steps: inout Int) -> Int {
        var hasher = Hasher()
        var position = name.lowerBound
        while position < name.upperBound {
            let length = Swift.min(8, name.upperBound &- position)
            hasher.combine(bytes.lowercasedWord(at: position, length: length))
            position &+= 8
        }
        var slot = hasher.finalize() & (slots.count &- 1)
        steps &+= 1
        while slots[slot] >= 0, !bytes.equalIgnoringCase(names[slots[slot]], name) {
            slot = (slot &+ 1) & (slots.count &- 1)
            steps &+= 1
        }
        return slot
    }
}

extension Span<UInt8> {
    /// Whether two ranges have the same bytes except for the case of ASCII letters.
    func equalIgnoringCase(_ one: Range<Int>, _ other: Range<Int>) -> Bool {
        guard one.count == other.count else { return false }
        for offset in 0..<one.count
        where self[one.lowerBound &+ offset].asciiLowercased
            != self[other.lowerBound &+ offset].asciiLowercased
        {
            return false
        }
        return true
    }
}
