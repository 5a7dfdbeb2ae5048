/// The progress of a long operation.
///
/// PackCore reports it, the command line shows it.
package struct Progress: Sendable {
    /// The phases a user may have to wait for.
    package enum Phase: String, Sendable {
        case hashing, packing, repacking, proving, staging, uploading, verifying, installing,
            checking, pruning
    }

    package let phase: Phase
    /// Bytes done so far in this phase.
    package let done: UInt64
    /// Bytes in this phase.
    package let total: UInt64
    /// The name of this operation for people if there are several; otherwise `nil`.
    package var subject: String?

    package init(phase: Phase, done: UInt64, total: UInt64) {
        self.phase = phase
        self.done = done
        self.total = total
    }
}

/// Receives progress on any thread.
///
/// It must return quickly.
package typealias ProgressSink = @Sendable (Progress) -> Void

/// A sink that adds a subject to progress, for one of several operations.
package func progress(_ sink: ProgressSink?, about subject: String) -> ProgressSink? {
    guard let sink else { return nil }
    return { progress in
        var progress = progress
        progress.subject = subject
        sink(progress)
    }
}

/// Adds up the bytes that parallel tasks complete and reports the sum.
package final class ProgressCounter: Sendable {
    private let sum = Locked<UInt64>(0)
    private let phase: Progress.Phase
    private let total: UInt64
    private let sink: ProgressSink?

    package init(phase: Progress.Phase, total: UInt64, sink: ProgressSink?) {
        self.phase = phase
        self.total = total
        self.sink = sink
    }

    /// Adds completed bytes and reports the sum.
    package func add(_ bytes: UInt64) {
        guard let sink else { return }
        // Sizes may be untrusted. On overflow the progress shown is wrong, which is harmless.
        let done = sum.withLock {
            $0 &+= bytes
            return $0
        }
        sink(Progress(phase: phase, done: done, total: total))
    }
}
