/// Random numbers determined by a seed (SplitMix64).
struct Random {
    private var state: UInt64

    init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 0xD1B5_4A32_D192_ED03 }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }

    /// A number below `count`; 0 if `count` is 0.
    mutating func below(_ count: Int) -> Int {
        count > 0 ? Int(next() % UInt64(count)) : 0
    }

    mutating func chance(_ percent: Int) -> Bool { below(100) < percent }

    mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[below(elements.count)]
    }

    mutating func range(in count: Int, upTo length: Int) -> Range<Int> {
        let start = below(count + 1)
        return start..<min(count, start + below(length + 1))
    }
}
