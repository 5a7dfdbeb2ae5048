import Synchronization
import Testing

@testable import PackGround

struct LookaheadTests {
    private struct Odd: Error, Equatable { let number: Int }

    /// The keys being read, and their maximum number.
    private final class Reads: Sendable {
        let state = Mutex((begun: [Int](), now: 0, most: 0))

        func read(_ key: Int) async throws -> Int {
            state.withLock {
                $0.begun.append(key)
                $0.now += 1
                $0.most = max($0.most, $0.now)
            }
            // The first of a batch finishes last.
            try? await Task.sleep(for: .milliseconds(key % 3 == 0 ? 6 : 2))
            state.withLock { $0.now -= 1 }
            if key % 7 == 0 { throw Odd(number: key) }
            return 10 * key
        }
    }

    private func all(
        _ keys: [Int], atMost: Int, _ reads: Reads, upTo: Int = .max
    ) async -> [(Int, Int?)] {
        var lookahead = OrderedPrefetch(keys, mostAtOnce: atMost) { try await reads.read($0) }
        var found: [(Int, Int?)] = []
        while let (key, outcome) = await lookahead.next(where: { $0 <= upTo }) {
            if case .failure(let error) = outcome { #expect(error as? Odd == Odd(number: key)) }
            found.append((key, try? outcome.get()))
        }
        return found
    }

    @Test(arguments: [1, 2, 8, 32]) func eachKeyInItsOrder(atMost: Int) async {
        let reads = Reads()
        let keys = Array((1...100).reversed())
        let found = await all(keys, atMost: atMost, reads)
        #expect(found.map(\.0) == keys)
        #expect(found.allSatisfy { $0.1 == ($0.0 % 7 == 0 ? nil : 10 * $0.0) })
        let (begun, most) = reads.state.withLock { ($0.begun, $0.most) }
        #expect(begun.sorted() == Array(1...100), "each is read once")
        #expect(most <= atMost && (most > 1) == (atMost > 1))
        if atMost == 1 { #expect(begun == keys) }
    }

    /// Reading only the newest entries does not prefetch any others.
    @Test func nothingIsReadAheadAtFirst() async {
        let reads = Reads()
        var lookahead = OrderedPrefetch(Array(1...100), mostAtOnce: 32) { try await reads.read($0) }
        for taken in 1...3 {
            #expect(await lookahead.next()?.key == taken)
            #expect(reads.state.withLock { $0.begun.count } == taken)
        }
        #expect(await lookahead.next()?.key == 4)
        #expect(reads.state.withLock { $0.begun.sorted() } == [1, 2, 3, 4, 5])
    }

    @Test func unwantedKeysAreLeftOut() async {
        let reads = Reads()
        var lookahead = OrderedPrefetch(Array((1...60).reversed()), mostAtOnce: 32) {
            try await reads.read($0)
        }
        for wanted in [60, 59, 58, 57, 30, 29, 28, 2] {
            #expect(await lookahead.next { $0 <= wanted }?.key == wanted)
        }
        #expect(await lookahead.next { $0 <= 0 } == nil)
        #expect(reads.state.withLock { $0.begun.allSatisfy { $0 >= 56 || $0 < 31 } })
        #expect(await all([], atMost: 8, reads).isEmpty)
    }
}
