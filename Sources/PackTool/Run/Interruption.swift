import Dispatch
import PackGround
import PackKeys

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Ends an interrupted run: removes temporary files, tells the user the state, and raises the same
/// signal again for the shell or CI.
///
/// Files staged at an origin or in an installation stay: the next run removes them while it holds
/// the lock.
package final class Interruption: Sendable {
    /// The time in seconds for a cancelled run to withdraw its intent from a store without locks:
    /// GitHub kills a cancelled job after ten.
    private static let patience = 5.0

    private struct State {
        var unwinds = false
        var cancel: (@Sendable () -> Void)?
        var advice: String?
        var isService = false
        var isReceived: @Sendable () -> Bool = { false }
    }

    /// A file or directory with a name unique to this run.
    private struct Temporary: Sendable {
        let directory: Directory
        let name: String
    }

    private let state = Locked(State())
    private let temporaries = Locked<[Temporary]>([])
    private let hasUnwound = DispatchSemaphore(value: 0)

    /// Sets the action that cancels the command.
    package func cancels(_ body: @escaping @Sendable () -> Void) {
        state.withLock { $0.cancel = body }
    }

    /// Sets the check for a received signal, which ends the run regardless of the command's result.
    func isReceived(_ body: @escaping @Sendable () -> Bool) {
        state.withLock { $0.isReceived = body }
    }

    /// Makes a signal cancel the command first, so that it can undo its changes.
    func unwindsFirst() { state.withLock { $0.unwinds = true } }

    /// Sets the help of the interruption's error, for commands that must not simply be repeated.
    func advises(_ remedy: String) { state.withLock { $0.advice = remedy } }

    /// Makes a signal the normal end of the command, with the exit code 0.
    func isExpected() { state.withLock { $0.isService = true } }

    /// Registers a file or directory to remove if a signal ends the run.
    ///
    /// It may already be deleted or renamed then: its name is never reused.
    func willMake(_ name: String, in directory: Directory) {
        temporaries.withLock { $0.append(Temporary(directory: directory, name: name)) }
    }

    /// Unregisters files or directories of ``willMake(_:in:)`` that are removed or cannot be.
    func isDone(with names: [String]) {
        temporaries.withLock { $0.removeAll { names.contains($0.name) } }
    }

    /// Call after the command has ended; does not return if a signal ends the program.
    func hasEnded() async {
        guard state.withLock({ $0.isReceived })() else { return }
        hasUnwound.signal()
        // A cancelled task cannot sleep.
        await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
    }

    /// Ends the run by a signal; `leave` receives the exit code, or `nil` if the signal should end
    /// the process.
    func end(by number: Int32, _ console: Console, leave: (Int32?) -> Never) {
        let state = state.withLock { $0 }
        if state.unwinds {
            state.cancel?()
            _ = hasUnwound.wait(timeout: .now() + Self.patience)
        }
        // The lock stays held to prevent new temporary files.
        temporaries.withLock { temporaries in
            for temporary in temporaries {
                // Other threads may still be writing to a directory.
                for _ in 0..<3 where (try? temporary.directory.removeTree(temporary.name)) == nil {
                    usleep(10_000)
                }
            }
            Passphrase.restoreTerminal()
            if state.isService, number != SIGHUP {
                console.stdout("stopped")
                leave(console.finish(0))
            }
            console.fail(Failure.interrupted(number: number, advice: state.advice))
            _ = console.finish(0)
            leave(nil)
        }
    }
}

extension Failure.Code {
    static let interrupted = Self("interrupted")
}

extension Failure {
    /// A run ended by a signal.
    ///
    /// - Parameter advice: The next step, if a command has one of its own.
    static func interrupted(number: Int32, advice: String?) -> Failure {
        let name = [SIGINT: "SIGINT", SIGTERM: "SIGTERM", SIGHUP: "SIGHUP"][number]
        return Failure(
            .interrupted, "interrupted by \(name ?? "signal \(number)")",
            unaffected:
                "everything published, installed or written before; nothing incomplete has a final name",
            details: advice.map { ["advice": $0] } ?? [:])
    }
}
