import TestSupport
import Testing

@testable import PackDelta

// @testable: the seeds are internal to the codec.

@Suite struct NameSeedsTests {
    /// Regression: seeds starting with the same four bytes were tried one by one.
    ///
    /// The longest matching seed is found in any order, and the first of equal ones.
    @Test func regressionTheLongestOfManyAlike() {
        var random = Noise(seed: 3)
        for round in 0..<20 {
            let letters = Array("aaab-".utf8)
            let noise = { (count: Int) -> [UInt8] in
                (0..<count).map { _ in letters[Int.random(in: 0..<letters.count, using: &random)] }
            }
            let pieces = (0..<(round * 3)).map { _ in
                Array("aaaa".utf8) + noise(Int.random(in: 0...40, using: &random))
            }
            let body = (0..<20).flatMap { _ in Array("aaaa".utf8) + noise(60) }
            let all = Array(repeating: 0, count: 64) + pieces.flatMap { $0 } + body
            let text = TextBuffer(count: all.count + 192)
            for (index, byte) in all.enumerated() { text[index] = byte }
            var place = 64
            let given = pieces.enumerated().map { index, piece in
                defer { place += piece.count }
                return NameSeeds.Seed(
                    old: place, oldLength: piece.count, new: index, newLength: 1)
            }
            let seeds = NameSeeds(given, text)
            #expect(seeds.isEmpty == pieces.isEmpty)
            for position in 64..<all.count {
                for limit in [all.count, min(all.count, position + 9)] {
                    let rest = all[position..<limit]
                    let expected = given.indices.filter { rest.starts(with: pieces[$0]) }
                        .max { pieces[$0].count <= pieces[$1].count && pieces[$0] != pieces[$1] }
                    let found = seeds.at(position, text, limit: limit)
                    #expect(found?.oldLength == expected.map { pieces[$0].count })
                    #expect(
                        found?.new == expected.flatMap { pieces.firstIndex(of: pieces[$0]) })
                }
            }
        }
    }
}
