import Foundation

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// What one run left: its exit code and what it said.
struct Run: Sendable {
    let script: String
    /// The exit code; 128 and the signal's number where a signal ended it, as shells count.
    let status: Int32
    let bytes: [UInt8]
    let errors: String

    var output: String { String(decoding: bytes, as: UTF8.self) }
    var lines: [String] { output.split(separator: "\n").map(String.init) }
}

/// Runs the built binary, by way of a shell, so that tests read like what a person types.
enum ToolRunner {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// The directory of the built products: the test bundle lies beside the binary.
    static let products: String = {
        if let given = ProcessInfo.processInfo.environment["PACKTOOL_PRODUCTS"] { return given }
        #if os(macOS)
            for bundle in Bundle.allBundles where bundle.bundlePath.hasSuffix(".xctest") {
                return bundle.bundleURL.deletingLastPathComponent().path
            }
        #endif
        return Bundle.main.bundleURL.path
    }()

    /// The folder of these tests.
    static let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().path

    static let storefront = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("examples/storefront").path

    /// Runs a script with `packtool` on its path and nothing in its environment that was not given.
    ///
    /// - Parameter timeout: seconds; a run that takes longer is killed with all its children, and throws.
    static func run(
        _ script: String, in directory: String, environment: [String: String], timeout: Double
    ) throws -> Run {
        guard access(products + "/packtool", X_OK) == 0 else {
            throw Failure(description: "no packtool in \(products): run 'swift build' first")
        }
        let streams = try Streams()
        let process = try spawn(script, in: directory, environment: environment, streams)
        let status = try wait(for: process, timeout: timeout, script)
        return Run(
            script: script, status: status, bytes: try streams.output(),
            errors: String(decoding: try streams.errors(), as: UTF8.self))
    }

    /// Files that take the two streams: pipes would need two readers at a time.
    private struct Streams {
        private let directory = NSTemporaryDirectory() + "packtool-run-" + UUID().uuidString

        init() throws {
            try FileManager.default.createDirectory(
                atPath: directory, withIntermediateDirectories: true)
        }

        var outputPath: String { directory + "/out" }
        var errorPath: String { directory + "/err" }

        func output() throws -> [UInt8] {
            try Array(Data(contentsOf: URL(fileURLWithPath: outputPath)))
        }

        /// Reads the second stream and removes both files.
        func errors() throws -> [UInt8] {
            let bytes = try Array(Data(contentsOf: URL(fileURLWithPath: errorPath)))
            try FileManager.default.removeItem(atPath: directory)
            return bytes
        }
    }

    private static func spawn(
        _ script: String, in directory: String, environment: [String: String], _ streams: Streams
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
        // A group of its own, to end it with its children; default signals, whatever the test runner set.
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
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, streams.outputPath, create, mode)
        posix_spawn_file_actions_addopen(&actions, 2, streams.errorPath, create, mode)
        // Tests beside this one hold more files open than a run under 'ulimit -n' may have.
        #if canImport(Glibc)
            for descriptor in 3..<min(1024, getdtablesize()) {
                posix_spawn_file_actions_addclose(&actions, descriptor)
            }
        #endif

        // Glibc's module has no file action that changes the directory.
        let words = ["/bin/sh", "-c", "cd '\(directory)' || exit 125\n" + script]
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
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

    private static func wait(for process: pid_t, timeout: Double, _ script: String) throws -> Int32
    {
        let end = ProcessInfo.processInfo.systemUptime + timeout
        while true {
            var status: Int32 = 0
            let result = waitpid(process, &status, WNOHANG)
            if result == process {
                let signal = status & 0x7F
                return signal == 0 ? (status >> 8) & 0xFF : 128 + signal
            }
            if result == -1, errno != EINTR {
                throw Failure(description: "cannot wait: \(String(cString: strerror(errno)))")
            }
            if ProcessInfo.processInfo.systemUptime > end {
                kill(-process, SIGKILL)
                waitpid(process, &status, 0)
                throw Failure(description: "took longer than \(timeout) s: \(script)")
            }
            usleep(2000)
        }
    }
}
