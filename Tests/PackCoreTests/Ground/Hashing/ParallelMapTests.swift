import Foundation
import PackGround
import Synchronization
import Testing

struct ParallelMapTests {
    private struct Failure: Error, Equatable {
        let index: Int
    }

    @Test(arguments: [(0, 1), (0, 8), (1, 8), (5, 2), (100, 1), (100, 8), (1000, 3)])
    func keepsTheOrder(_ count: Int, _ jobs: Int) async throws {
        let results = try await mapInParallel(count: count, jobs: jobs, makeState: {}) { _, index in
            if index % 7 == 0 { usleep(200) }
            return index * index
        }
        #expect(results == (0..<count).map { $0 * $0 })
    }

    @Test(arguments: [-1, 0]) func atLeastOneJobRuns(_ jobs: Int) async throws {
        let results = try await mapInParallel(count: 3, jobs: jobs, makeState: {}) { $1 }
        #expect(results == [0, 1, 2])
    }

    @Test(arguments: [(10, 3, 3), (2, 8, 2), (0, 8, 1)])
    func makesOneStateForEachTask(_ count: Int, _ jobs: Int, _ expected: Int) async throws {
        let made = Atomic<Int>(0)
        _ = try await mapInParallel(
            count: count, jobs: jobs,
            makeState: { made.add(1, ordering: .relaxed).newValue }
        ) { state, index in
            usleep(500)
            state += 1
            return index
        }
        #expect(made.load(ordering: .relaxed) == expected)
    }

    /// Index 40 fails immediately, index 3 late: the error of the lower index is thrown.
    @Test func theLowestIndexIsThrown() async {
        await #expect(throws: Failure(index: 3)) {
            try await mapInParallel(count: 100, jobs: 4, makeState: {}) { _, index in
                if index == 3 {
                    usleep(100_000)
                    throw Failure(index: 3)
                }
                if index >= 5 { throw Failure(index: index) }
                return index
            }
        }
    }

    @Test func aFailureEndsTheRest() async {
        let done = Atomic<Int>(0)
        await #expect(throws: Failure(index: 0)) {
            try await mapInParallel(count: 10_000, jobs: 2, makeState: {}) { _, index in
                if index == 0 { throw Failure(index: 0) }
                usleep(1000)
                done.add(1, ordering: .relaxed)
                return index
            }
        }
        #expect(done.load(ordering: .relaxed) < 1000)
    }

    @Test func aStateThatCannotBeMadeIsThrown() async {
        await #expect(throws: Failure(index: -1)) {
            try await mapInParallel(count: 4, jobs: 2, makeState: { throw Failure(index: -1) }) {
                (_: inout Void, index) in index
            }
        }
    }

    @Test func aCancelledTaskStartsNoFurtherCall() async {
        let calls = Locked(0)
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            return try await mapInParallel(count: 10, jobs: 2, makeState: {}) { _, index in
                calls.withLock { $0 += 1 }
                return index
            }
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(calls.withLock { $0 } == 0)
    }
}
