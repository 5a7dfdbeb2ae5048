import Synchronization

/// How far a long piece of work is.
///
/// The core reports, the command line draws.
package struct Progress: Sendable {
    /// The pieces of work a user can wait for.
    package enum Phase: String, Sendable {
        case hashing, packing, repacking, proving, staging, verifying, installing, checking
    }

    package let phase: Phase
    /// Bytes done so far in this phase.
    package let done: UInt64
    /// Bytes in this phase.
    package let total: UInt64

    package init(phase: Phase, done: UInt64, total: UInt64) {
        self.phase = phase
        self.done = done
        self.total = total
    }
}

/// Receives progress from any thread.
///
/// It must be quick.
package typealias ProgressSink = @Sendable (Progress) -> Void

/// Adds up the bytes that parallel tasks finish and reports the sum.
package final class ProgressCounter: Sendable {
    private let sum = Atomic<UInt64>(0)
    private let phase: Progress.Phase
    private let total: UInt64
    private let sink: ProgressSink?

    init(phase: Progress.Phase, total: UInt64, sink: ProgressSink?) {
        self.phase = phase
        self.total = total
        self.sink = sink
    }

    func add(_ bytes: UInt64) {
        guard let sink else { return }
        // Sizes may be somebody else's: a sum that is too large shows wrong and does no harm.
        let done = sum.wrappingAdd(bytes, ordering: .relaxed).newValue
        sink(Progress(phase: phase, done: done, total: total))
    }
}
