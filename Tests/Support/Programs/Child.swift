import Foundation

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A running program in its own process group.
///
/// Foundation's `Process` fails in a test run with more than a thousand open files. Standard
/// streams are files, because a full pipe would block the program.
package struct Child {
    private let process: pid_t
    private let words: [String]
    private let streams: TemporaryFolder
    private let end: Double
    private let timeout: Double

    /// The reason why a program could not be started, or why waiting ended.
    package struct Failure: Error, CustomStringConvertible {
        package let description: String

        package init(description: String) { self.description = description }
    }

    /// Runs a program and waits until it exits.
    ///
    /// - Parameters:
    ///   - words: The program, searched on the path, and its arguments.
    ///   - timeout: In seconds. After this time, the program and its children are killed, and the
    ///     function throws.
    package static func run(
        _ words: [String], in directory: String, environment: [String: String],
        input: [UInt8] = [], timeout: Double = 600
    ) throws -> Run {
        let child = try Child(words, directory, environment, input, timeout)
        defer { child.streams.remove() }
        while true {
            if let run = try child.ended() { return run }
            usleep(UInt32(pause * 1e6))
        }
    }

    /// Runs a program and waits without blocking other tests.
    package static func run(
        isolation: isolated (any Actor)? = #isolation,
        _ words: [String], in directory: String, environment: [String: String],
        input: [UInt8] = [], timeout: Double = 600
    ) async throws -> Run {
        let child = try Child(words, directory, environment, input, timeout)
        defer { child.streams.remove() }
        while true {
            if let run = try child.ended() { return run }
            // `Task.sleep` returns immediately in a cancelled test, although the program is still
            // running.
            await withCheckedContinuation { continuation in
                DispatchQueue.global().asyncAfter(deadline: .now() + pause) {
                    continuation.resume()
                }
            }
        }
    }

    /// The polling interval, in seconds.
    private static let pause = 0.002

    private init(
        _ words: [String], _ directory: String, _ environment: [String: String],
        _ input: [UInt8], _ timeout: Double
    ) throws {
        self.words = words
        self.timeout = timeout
        end = ProcessInfo.processInfo.systemUptime + timeout
        streams = try TemporaryFolder.make()
        do {
            let source = input.isEmpty ? "/dev/null" : try streams.write(input, as: "in")
            process = try Self.spawn(
                words, in: directory, environment: environment, input: source,
                output: streams.file("out"), errors: streams.file("err"))
        } catch {
            streams.remove()
            throw error
        }
    }

    private static func spawn(
        _ words: [String], in directory: String, environment: [String: String],
        input: String, output: String, errors: String
    ) throws -> pid_t {
        #if canImport(Glibc)
            var actions = posix_spawn_file_actions_t()
            var attributes = posix_spawnattr_t()
        #else
            var actions: posix_spawn_file_actions_t?
            var attributes: posix_spawnattr_t?
        #endif
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // A separate group makes it possible to kill all children. Signals are reset to their
        // defaults.
        posix_spawnattr_setpgroup(&attributes, 0)
        var signals = sigset_t()
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        var flags =
            Int16(POSIX_SPAWN_SETPGROUP) | Int16(POSIX_SPAWN_SETSIGDEF)
            | Int16(POSIX_SPAWN_SETSIGMASK)
        #if canImport(Darwin)
            flags |= Int16(POSIX_SPAWN_CLOEXEC_DEFAULT)
        #endif
        posix_spawnattr_setflags(&attributes, flags)
        let mode: mode_t = 0o644
        let create = O_WRONLY | O_CREAT | O_TRUNC
        posix_spawn_file_actions_addopen(&actions, 0, input, O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, output, create, mode)
        posix_spawn_file_actions_addopen(&actions, 2, errors, create, mode)
        // Concurrent tests have more open files than a run under `ulimit -n` may have.
        #if canImport(Glibc)
            for descriptor in 3..<min(1024, getdtablesize()) {
                posix_spawn_file_actions_addclose(&actions, descriptor)
            }
        #endif

        // Glibc's module has no file action that changes the directory.
        let change = ["/bin/sh", "-c", "cd \"$0\" || exit 125; exec \"$@\"", directory]
        var arguments: [UnsafeMutablePointer<CChar>?] =
            (change + words).map { strdup($0) } + [nil]
        var variables: [UnsafeMutablePointer<CChar>?] =
            environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for text in arguments + variables { free(text) } }
        var process: pid_t = 0
        let number = posix_spawn(&process, "/bin/sh", &actions, &attributes, &arguments, &variables)
        guard number == 0 else {
            throw Failure(description: "cannot start a shell: \(String(cString: strerror(number)))")
        }
        return process
    }

    /// The result, or `nil` while the program is running.
    private func ended() throws -> Run? {
        var status: Int32 = 0
        let result = waitpid(process, &status, WNOHANG)
        if result == process {
            let signal = status & 0x7F
            return Run(
                status: signal == 0 ? (status >> 8) & 0xFF : 128 + signal,
                bytes: try streams.read("out"),
                errors: String(decoding: try streams.read("err"), as: UTF8.self))
        }
        if result == -1, errno != EINTR {
            throw Failure(description: "cannot wait: \(String(cString: strerror(errno)))")
        }
        guard ProcessInfo.processInfo.systemUptime > end else { return nil }
        kill(-process, SIGKILL)
        waitpid(process, &status, 0)
        throw Failure(
            description: "took longer than \(timeout) s: \(words.joined(separator: " "))")
    }
}
