import Dispatch
import PackCore
import Synchronization

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// What happens when a signal ends a run half way: temporary files go, the user is told what still
/// holds, and the process dies of that same signal, so that a shell or CI sees it.
///
/// The handler only writes the signal's number into a pipe; a thread of its own does the rest. (Blocking
/// the signals and waiting with `sigwait` does not work here: libdispatch parks the first thread in
/// `sigsuspend` with an empty mask.) What is staged at an origin or an installation stays: the next run
/// holds their lock and removes it.
enum Interruption {
    /// A run at a store without a lock takes its intent back when it is cancelled, and has this long for it, in
    /// seconds: GitHub kills a cancelled job after ten.
    private static let patience = 5.0

    private static let unwinds = Mutex(false)
    /// Set by the handler: the run ends by this signal, whatever the command still says.
    nonisolated(unsafe) private static var received: Int32 = 0
    private static let cancel = Mutex<(@Sendable () -> Void)?>(nil)
    private static let end = DispatchSemaphore(value: 0)

    /// Says how the command is cancelled.
    static func cancels(_ body: @escaping @Sendable () -> Void) { cancel.withLock { $0 = body } }

    /// The command has something to take back: a signal cancels it first.
    static func unwindsFirst() { unwinds.withLock { $0 = true } }

    /// Called when the command has ended; does not return where a signal ends the program.
    static func hasEnded() async {
        guard received != 0 else { return }
        end.signal()
        // The task is cancelled, so that it cannot sleep.
        await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
    }

    /// Something under a name that only this run knows.
    private struct Temporary: Sendable {
        let directory: Directory
        let name: String
    }

    private static let temporaries = Mutex<[Temporary]>([])
    /// The pipe's writing end, set once, before a handler can run.
    nonisolated(unsafe) private static var pipeEnd: Int32 = -1

    /// What to do next, where running the same again would be something else.
    private static let advice = Mutex<String?>(nil)

    /// Says what the user should do if a signal ends the run.
    static func advises(_ remedy: String) { advice.withLock { $0 = remedy } }

    /// The command runs until it is told to stop.
    private static let isService = Mutex(false)

    /// A signal is how this command ends: no error, and exit code 0.
    static func isExpected() { isService.withLock { $0 = true } }

    /// Names a file or directory that goes when a signal ends the run.
    ///
    /// One that is gone, or has got its final name, is no matter: the name is never used again.
    static func willMake(_ name: String, in directory: Directory) {
        temporaries.withLock { $0.append(Temporary(directory: directory, name: name)) }
    }

    /// The files or directories of ``willMake(_:in:)`` have been removed, or cannot be.
    static func isDone(with names: [String]) {
        temporaries.withLock { $0.removeAll { names.contains($0.name) } }
    }

    /// Watches for the signals that mean "stop", except for those that are ignored already (`nohup`).
    static func watch(_ console: Console) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        pipeEnd = ends[1]
        let readingEnd = ends[0]
        for number in [SIGINT, SIGTERM, SIGHUP] {
            let before = signal(number) { number in
                // A second signal ends the run at once.
                signal(number, SIG_DFL)
                Interruption.received = number
                var byte = UInt8(truncatingIfNeeded: number)
                write(Interruption.pipeEnd, &byte, 1)
            }
            if unsafeBitCast(before, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) {
                signal(number, SIG_IGN)
            }
        }
        startThread {
            var byte: UInt8 = 0
            while read(readingEnd, &byte, 1) != 1 {}
            OutsideProgram.endAll()
            if unwinds.withLock({ $0 }) {
                cancel.withLock { $0 }?()
                _ = end.wait(timeout: .now() + patience)
            }
            end(by: Int32(byte), console)
        }
    }

    private static func end(by number: Int32, _ console: Console) {
        // The lock is kept, so that nothing makes another temporary file.
        temporaries.withLock { temporaries in
            for temporary in temporaries {
                // Other threads may still be writing into a directory.
                for _ in 0..<3 where (try? temporary.directory.removeTree(temporary.name)) == nil {
                    usleep(10_000)
                }
            }
            Passphrase.restoreTerminal()
            if isService.withLock({ $0 }), number != SIGHUP {
                console.say("stopped")
                exit(console.finish(0))
            }
            console.fail(Interrupted(number: number, advice: advice.withLock { $0 }))
            _ = console.finish(0)
            signal(number, SIG_DFL)
            kill(getpid(), number)
            pause()
        }
    }

    private static func startThread(_ body: @escaping @Sendable () -> Void) {
        final class Box: Sendable {
            let body: @Sendable () -> Void
            init(_ body: @escaping @Sendable () -> Void) { self.body = body }
        }
        let box = Unmanaged.passRetained(Box(body)).toOpaque()
        #if canImport(Glibc)
            var thread = pthread_t()
            pthread_create(
                &thread, nil,
                { box in
                    guard let box else { return nil }
                    Unmanaged<Box>.fromOpaque(box).takeRetainedValue().body()
                    return nil
                }, box)
        #else
            var thread: pthread_t?
            pthread_create(
                &thread, nil,
                { box in
                    Unmanaged<Box>.fromOpaque(box).takeRetainedValue().body()
                    return nil
                }, box)
        #endif
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
