import CEngine
import PackGround

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The process of the executable; no other code changes its state.
package enum ThisProcess {
    /// Called once, before anything else.
    package static func prepare() {
        // A closed pipe ("| head") must not end a publish half way.
        signal(SIGPIPE, SIG_IGN)
        ProcessStreams.keepTaken()
        CurrentFile.reportCrashes()
        // libarchive converts the time of every entry it reads, and without TZ glibc looks up the
        // time zone's file for each: a tenth of the CPU time of a publish of small files. No output
        // uses local time.
        setenv("TZ", "UTC0", 1)
    }

    /// The environment of this process.
    package static var environment: ProcessEnvironment {
        ProcessEnvironment(
            variables: ProcessVariables(), workingDirectory: nil, streams: ProcessStreams(),
            processors: max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))),
            clock: { time(nil) },
            monotonicSeconds: {
                var time = timespec()
                clock_gettime(CLOCK_MONOTONIC, &time)
                return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
            }, program: program)
    }

    /// The program of the engine's process: this one, or the one beside it that can load libraries.
    private static var program: String? {
        #if os(Linux)
            // Also right if the file has been replaced.
            let own = "/proc/self/exe"
            guard cengine_can_load() == 0 else { return own }
            // This one is in 'bin'.
            var prefix = resolvedPath(own)
            for _ in 0..<2 {
                guard let slash = prefix.lastSlash else { return nil }
                prefix = String(prefix[..<slash])
            }
            let folder = "\(prefix)/lib/packtool"
            let beside = try? Directory.open(folder).status("packtool-engine")
            return beside?.kind == .file ? "\(folder)/packtool-engine" : nil
        #else
            return CommandLine.arguments.first.map(resolvedPath)
        #endif
    }

    /// Raises the limit of open files, and watches for signals.
    ///
    /// - Throws: ``Failure/limitOpenFiles(allowed:least:)``.
    package static func watch(_ run: CommandRun) throws {
        try OpenFileLimit.prepare()
        SignalWatch.begin(run)
    }
}

/// The variables of this process.
private struct ProcessVariables: EnvironmentVariables {
    func value(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

    func takeSecret(_ name: String) -> [UInt8]? {
        guard let value = getenv(name) else { return nil }
        let length = strlen(value)
        let bytes = (0..<length).map { UInt8(bitPattern: value[$0]) }
        // Erases the system's copy.
        for index in 0..<length { value[index] = 0 }
        unsetenv(name)
        return bytes
    }
}

/// The standard streams of this process.
struct ProcessStreams: StandardStreams {
    /// Replaces closed standard streams with unusable files, so that no file opened later gets
    /// their number and receives their output.
    static func keepTaken() {
        for stream in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO]
        where fcntl(stream, F_GETFD) == -1 {
            // The lowest free number is this one. Reading from 0 and writing to 1 and 2 fails, as
            // intended.
            _ = open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }

    func isTerminal(_ stream: StandardStream) -> Bool { isatty(stream.rawValue) == 1 }

    var terminalWidth: Int? {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 else { return nil }
        return Int(size.ws_col)
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        while true {
            let count = systemRead(STDIN_FILENO, buffer)
            if count < 0, errno == EINTR { continue }
            return max(0, count)
        }
    }

    func write(_ bytes: [UInt8], to stream: StandardStream) -> Int32 {
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeBytes { systemWrite(stream.rawValue, $0, from: done) }
            if count > 0 {
                done += count
            } else if count < 0, errno == EAGAIN || errno == EWOULDBLOCK {
                // A non-blocking pipe, as inherited from Node and ssh.
                var waiting = pollfd(fd: stream.rawValue, events: Int16(POLLOUT), revents: 0)
                _ = poll(&waiting, 1, -1)
            } else if count == 0 || errno != EINTR {
                return count == 0 ? EIO : errno
            }
        }
        return 0
    }
}

// The members above share their names with the C functions.
private func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
    read(descriptor, buffer.baseAddress, buffer.count)
}

private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer, from start: Int)
    -> Int
{
    write(descriptor, bytes.baseAddress?.advanced(by: start), bytes.count - start)
}
