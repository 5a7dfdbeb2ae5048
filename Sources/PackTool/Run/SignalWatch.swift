import PackSigning

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Watches for termination signals.
///
/// The handler only writes the signal's number to a pipe; a separate thread does the rest. Blocking
/// the signals and calling `sigwait` does not work, because libdispatch parks the first thread in
/// `sigsuspend` with an empty mask.
enum SignalWatch {
    /// Set by the handler.
    nonisolated(unsafe) private static var received: Int32 = 0
    /// The write end of the pipe, set once, before a handler can run.
    nonisolated(unsafe) private static var pipeEnd: Int32 = -1

    /// Installs the handlers; signals already ignored (`nohup`) stay ignored.
    static func begin(_ run: CommandRun) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        pipeEnd = ends[1]
        let readingEnd = ends[0]
        run.interruption.isReceived { received != 0 }
        for number in [SIGINT, SIGTERM, SIGHUP] {
            let before = signal(number) { number in
                // A second signal ends the run at once.
                signal(number, SIG_DFL)
                SignalWatch.received = number
                var byte = UInt8(truncatingIfNeeded: number)
                write(SignalWatch.pipeEnd, &byte, 1)
            }
            if unsafeBitCast(before, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) {
                signal(number, SIG_IGN)
            }
        }
        startThread {
            var byte: UInt8 = 0
            while read(readingEnd, &byte, 1) != 1 {}
            OutsideProgram.endAll()
            EngineProcess.endAll()
            run.end(bySignal: Int32(byte)) { status in
                if let status { exit(status) }
                signal(Int32(byte), SIG_DFL)
                kill(getpid(), Int32(byte))
                while true { pause() }
            }
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
