import PackDeltaFile
import PackDeltaMaking
import TestSupport
import Testing

/// Compares the table with a dictionary.
struct SampleTableTests {
    /// Many samples in few slots: equal low bits, as left by the rolling hash, and few values.
    @Test(arguments: [UInt64.max, 0xFF, 0x3FF_FFFF << 38, 0xFFFF_0000_0000_0000])
    func hasWhatADictionaryHas(mask: UInt64) {
        var noise = Noise(seed: mask)
        var table = SampleTable()
        var known: [UInt64: [Int32]] = [:]
        var wrong = 0
        for step in 0..<60_000 {
            let sample = noise.next() & mask
            let file = Int32(truncatingIfNeeded: noise.next() % 5)
            if step % 3 == 0 {
                let owners = known[sample]
                let second = owners.map { $0.count > 1 ? $0[1] : -1 }
                if table[sample]?.x != owners?.first || table[sample]?.y != second { wrong += 1 }
                continue
            }
            table.add(file, to: sample)
            var owners = known[sample] ?? []
            if owners.count < 2, !owners.contains(file) { owners.append(file) }
            known[sample] = owners
        }
        // Also samples added before the table grew.
        for (sample, owners) in known {
            let second = owners.count > 1 ? owners[1] : -1
            if table[sample]?.x != owners.first || table[sample]?.y != second { wrong += 1 }
        }
        #expect(wrong == 0)
    }
}
