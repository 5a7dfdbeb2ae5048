import PackGround
import Testing

/// Progress in a CI log, with a clock set by the test.
struct ProgressLogTests {
    private func progress(_ done: UInt64, _ phase: Progress.Phase = .packing) -> Progress {
        Progress(phase: phase, done: done, total: 1000)
    }

    @Test func shortWorkLeavesNoLine() {
        var log = ProgressLog()
        for second in 0..<10 {
            #expect(log.line(for: progress(UInt64(second)), now: 100 + Double(second)) == nil)
        }
    }

    @Test func longWorkHasALineInTwentySeconds() {
        var log = ProgressLog()
        var lines: [Double: String] = [:]
        for tenth in 0...700 {
            let now = Double(tenth) / 10
            lines[now] = log.line(for: progress(UInt64(tenth)), now: 5 + now)
        }
        #expect(lines.keys.sorted() == [10, 30, 50, 70])
        #expect(lines[10] == "packing: 10 %, 100 B of 1.0 kB after 10 s")
    }

    /// The time without output is counted across phases.
    @Test func phasesAreCountedTogether() {
        var log = ProgressLog()
        #expect(log.line(for: progress(0, .hashing), now: 0) == nil)
        #expect(log.line(for: progress(0, .packing), now: 8) == nil)
        #expect(
            log.line(for: progress(500, .packing), now: 12)
                == "packing: 50 %, 500 B of 1.0 kB after 12 s")
        var named = progress(2000, .uploading)
        named.subject = "1.0.0"
        #expect(log.line(for: named, now: 20) == nil)
        #expect(
            log.line(for: named, now: 32)
                == "uploading 1.0.0: 100 %, 1.0 kB of 1.0 kB after 32 s")
        #expect(log.line(for: Progress(phase: .packing, done: 0, total: 0), now: 99) == nil)
    }
}
