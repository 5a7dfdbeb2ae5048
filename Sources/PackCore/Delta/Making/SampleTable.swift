import PackDeltaFile

/// The first two files with each sample.
///
/// Open addressing: samples are already hashes, and a plan looks up one for every 64 changed bytes.
package struct SampleTable {
    /// The files with a sample by index, −1 for none.
    package typealias Owners = SIMD2<Int32>

    private var slots: [(sample: UInt64, owners: Owners)]
    private var count = 0
    private var shift: UInt64
    /// Random for each run, so that crafted files cannot make all samples collide.
    private let factor = UInt64(UInt(bitPattern: Hasher().finalize())) | 1

    private static let free = Owners(-1, -1)
    private static let fewestBits = 12
    /// For some four million samples.
    private static let mostBits = 23

    /// Allocates a table.
    ///
    /// - Parameter samples: The expected number of samples; more only cost time.
    package init(expecting samples: Int = 0) {
        var bits = Self.fewestBits
        while bits < Self.mostBits, samples > Self.most(of: 1 << bits) { bits += 1 }
        slots = Array(repeating: (0, Self.free), count: 1 << bits)
        shift = UInt64(64 - bits)
    }

    /// The largest number of used slots.
    private static func most(of slots: Int) -> Int { slots / 4 * 3 }

    /// The files with a sample; `nil` for none.
    package subscript(sample: UInt64) -> Owners? {
        let slot = slots[index(of: sample)]
        return slot.owners.x < 0 ? nil : slot.owners
    }

    /// Adds a file to a sample, if it is one of the first two.
    package mutating func add(_ file: Int32, to sample: UInt64) {
        let index = self.index(of: sample)
        let known = slots[index].owners
        if known.x < 0 {
            slots[index] = (sample, Owners(file, -1))
            count += 1
            if count > Self.most(of: slots.count) { grow() }
        } else if known.x != file, known.y < 0 {
            slots[index].owners.y = file
        }
    }

    /// The slot of a sample, or the free slot to insert it.
    private func index(of sample: UInt64) -> Int {
        var index = Int((sample &* factor) >> shift)
        while slots[index].owners.x >= 0, slots[index].sample != sample {
            index = (index + 1) & (slots.count - 1)
        }
        return index
    }

    private mutating func grow() {
        let old = slots
        slots = Array(repeating: (0, Self.free), count: 2 * old.count)
        shift -= 1
        for slot in old where slot.owners.x >= 0 { slots[index(of: slot.sample)] = slot }
    }
}
