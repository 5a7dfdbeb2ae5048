/// The first two files with each sample.
///
/// Open addressing: a sample is a hash already, and a plan looks up one for every 64 bytes that changed.
package struct SampleTable {
    /// The files with a sample by index, −1 for none.
    package typealias Owners = SIMD2<Int32>

    private var slots: [(sample: UInt64, owners: Owners)]
    private var count = 0
    private var shift: UInt64
    /// Another one in each run: nobody can choose files whose samples all want the same slot.
    private let factor = UInt64(UInt(bitPattern: Hasher().finalize())) | 1

    private static let free = Owners(-1, -1)
    private static let fewestBits = 12
    /// For some four million samples.
    private static let mostBits = 23

    /// - Parameter samples: About how many there will be; more cost time only.
    package init(expecting samples: Int = 0) {
        var bits = Self.fewestBits
        while bits < Self.mostBits, samples > Self.most(of: 1 << bits) { bits += 1 }
        slots = Array(repeating: (0, Self.free), count: 1 << bits)
        shift = UInt64(64 - bits)
    }

    /// How many of some slots may be taken.
    private static func most(of slots: Int) -> Int { slots / 4 * 3 }

    /// The files with a sample; `nil` for none.
    package subscript(sample: UInt64) -> Owners? {
        let slot = slots[place(of: sample)]
        return slot.owners.x < 0 ? nil : slot.owners
    }

    /// Adds a file to those with a sample, if it is one of the first two.
    package mutating func add(_ file: Int32, to sample: UInt64) {
        let place = place(of: sample)
        let known = slots[place].owners
        if known.x < 0 {
            slots[place] = (sample, Owners(file, -1))
            count += 1
            if count > Self.most(of: slots.count) { grow() }
        } else if known.x != file, known.y < 0 {
            slots[place].owners.y = file
        }
    }

    /// The slot of a sample, or the free one where it belongs.
    private func place(of sample: UInt64) -> Int {
        var place = Int((sample &* factor) >> shift)
        while slots[place].owners.x >= 0, slots[place].sample != sample {
            place = (place + 1) & (slots.count - 1)
        }
        return place
    }

    private mutating func grow() {
        let old = slots
        slots = Array(repeating: (0, Self.free), count: 2 * old.count)
        shift -= 1
        for slot in old where slot.owners.x >= 0 { slots[place(of: slot.sample)] = slot }
    }
}
