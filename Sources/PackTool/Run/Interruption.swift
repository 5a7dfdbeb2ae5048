import Dispatch
import PackGround
import PackKeys
import Synchronization

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// What happens when a signal ends a run half way: temporary files go, the user is told what still
/// holds, and the process dies of that same signal, so that a shell or CI sees it.
///
/// What is staged at an origin or an installation stays: the next run holds their lock and removes it.
package final class Interruption: Sendable {
    /// A run at a store without a lock takes its intent back when it is cancelled, and has this long for it, in
    /// seconds: GitHub kills a cancelled job after ten.
    private static let patience = 5.0

    private struct State {
        var unwinds = false
        var cancel: (@Sendable () -> Void)?
        var advice: String?
        var isService = false
        var isReceived: @Sendable () -> Bool = { false }
    }

    /// Something under a name that only this run knows.
    private struct Temporary: Sendable {
        let directory: Directory
        let name: String
    }

    private let state = Mutex(State())
    private let temporaries = Mutex<[Temporary]>([])
    private let hasUnwound = DispatchSemaphore(value: 0)

    /// Says how the command is cancelled.
    package func cancels(_ body: @escaping @Sendable () -> Void) {
        state.withLock { $0.cancel = body }
    }

    /// Says whether a signal has come, which then ends the run, whatever the command still says.
    func isReceived(_ body: @escaping @Sendable () -> Bool) {
        state.withLock { $0.isReceived = body }
    }

    /// The command has something to take back: a signal cancels it first.
    func unwindsFirst() { state.withLock { $0.unwinds = true } }

    /// Sets the help of the interruption's error, for commands that the user must not simply run again.
    func advises(_ remedy: String) { state.withLock { $0.advice = remedy } }

    /// The command runs until a signal stops it: that is no error, and the exit code is 0.
    func isExpected() { state.withLock { $0.isService = true } }

    /// Names a file or directory that goes when a signal ends the run.
    ///
    /// One that is gone, or has got its final name, is no matter: the name is never used again.
    func willMake(_ name: String, in directory: Directory) {
        temporaries.withLock { $0.append(Temporary(directory: directory, name: name)) }
    }

    /// The files or directories of ``willMake(_:in:)`` have been removed, or cannot be.
    func isDone(with names: [String]) {
        temporaries.withLock { $0.removeAll { names.contains($0.name) } }
    }

    /// Called when the command has ended; does not return where a signal ends the program.
    func hasEnded() async {
        guard state.withLock({ $0.isReceived })() else { return }
        hasUnwound.signal()
        // The task is cancelled, so that it cannot sleep.
        await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
    }

    /// Ends the run by a signal; `leave` gets the exit code, or `nil` if the signal is to end the process.
    func end(by number: Int32, _ console: Console, leave: (Int32?) -> Never) {
        let state = state.withLock { $0 }
        if state.unwinds {
            state.cancel?()
            _ = hasUnwound.wait(timeout: .now() + Self.patience)
        }
        // The lock is kept, so that nothing makes another temporary file.
        temporaries.withLock { temporaries in
            for temporary in temporaries {
                // Other threads may still be writing into a directory.
                for _ in 0..<3 where (try? temporary.directory.removeTree(temporary.name)) == nil {
                    usleep(10_000)
                }
            }
            Passphrase.restoreTerminal()
            if state.isService, number != SIGHUP {
                console.say("stopped")
                leave(console.finish(0))
            }
            console.fail(Interrupted(number: number, advice: state.advice))
            _ = console.finish(0)
            leave(nil)
        }
    }
}

/// The run was ended by a signal.
struct Interrupted: Remedied {
    let number: Int32
    var advice: String?

    var code: String { "interrupted" }
    var description: String {
        let name = [SIGINT: "SIGINT", SIGTERM: "SIGTERM", SIGHUP: "SIGHUP"][number]
        return "interrupted by \(name ?? "signal \(number)")"
    }
    var unaffected: String? {
        "everything published, installed or written before; nothing incomplete has a final name"
    }
    var remedy: String {
        advice ?? "run the same command again; it starts over or continues, as needed"
    }
}
