import CEngine
import PackEngine
import PackGround

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// An engine's process with its pipes; ``end()`` ends it with all its descendants.
final class EngineProcess {
    /// The engine has ended, or the limit of its output is reached.
    enum Fault: Error {
        case ended
        case output(bytes: Int)
    }

    private let child: Int32
    private let input: Int32
    private let output: Int32
    private var buffer: [UInt8] = []
    /// The start of the next line in the buffer.
    private var position = 0
    private var hasEnded = false
    /// The bytes received since the last ``reset()``.
    private(set) var received = 0

    /// The largest output for one page in bytes.
    static let outputLimit = 16 << 20

    /// The children of this process, ended when a signal ends it.
    private static let running = Locked<(children: Set<Int32>, isEnding: Bool)>(([], false))

    /// Ends every engine, and prevents new ones; called before a signal ends the process.
    static func endAll() {
        let children = running.withLock { state in
            state.isEnding = true
            return state.children
        }
        for child in children { _ = cengine_end(child) }
    }

    /// Starts an engine.
    ///
    /// - Throws: ``Failure`` if it cannot be started.
    init(_ launch: EngineLaunch, _ environment: ProcessEnvironment) throws {
        guard !Self.running.withLock({ $0.isEnding }) else { throw CancellationError() }
        guard let program = environment.program else { throw Failure.engineNoProgram() }
        var input: Int32 = -1
        var output: Int32 = -1
        var child: Int32 = -1
        let kept =
            ["PATH", "LANG", "LC_ALL", "LC_CTYPE", "FONTCONFIG_FILE", "FONTCONFIG_PATH"]
            + (launch.hasWindow
                ? ["DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "XDG_RUNTIME_DIR", "HOME"] : [])
        // A trace of a crash takes seconds, and nothing reads it.
        let variables =
            ["SWIFT_BACKTRACE=enable=no"]
            + kept.compactMap { name in
                environment.variable(name).map { "\(name)=\($0)" }
            }
        let number = withCStrings([program] + launch.arguments) { words in
            withCStrings(variables) { cengine_spawn(words, $0, &input, &output, &child) }
        }
        guard number == 0 else { throw Failure.engineNotStarted(String(cString: strerror(number))) }
        self.input = input
        self.output = output
        self.child = child
        let started = child
        Self.running.withLock { _ = $0.children.insert(started) }
    }

    deinit { end() }

    /// Ends the process and its descendants.
    func end() {
        guard !hasEnded else { return }
        hasEnded = true
        _ = cengine_end(child)
        let ended = child
        Self.running.withLock { _ = $0.children.remove(ended) }
        close(input)
        close(output)
    }

    /// The resident memory of the engine's processes in bytes.
    var memory: UInt64 { cengine_memory(child) }

    /// Starts to count the output of another page.
    func reset() { received = 0 }

    /// Sends a command; an engine that has ended receives nothing.
    func send(_ command: EngineCommand) {
        let line = JSONWriter.line(command.json) + [UInt8(ascii: "\n")]
        var done = 0
        while done < line.count {
            let count = line.withUnsafeBytes {
                write(input, $0.baseAddress?.advanced(by: done), line.count - done)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            done += count
        }
    }

    /// The next event; `nil` if none comes in time, or the line is not one.
    ///
    /// - Throws: ``Fault``.
    func next(milliseconds: Int32) throws(Fault) -> EngineEvent? {
        if let line = line() { return (try? EngineEvent(line)).flatMap { $0 } }
        guard cengine_wait(output, milliseconds) == 1 else { return nil }
        let size = 65536
        let start = buffer.count
        buffer += [UInt8](repeating: 0, count: size)
        let count = buffer.withUnsafeMutableBytes {
            read(output, $0.baseAddress?.advanced(by: start), size)
        }
        buffer.removeLast(size - max(0, count))
        if count < 0, errno == EINTR { return nil }
        guard count > 0 else { throw .ended }
        received += count
        guard received <= Self.outputLimit else { throw .output(bytes: Self.outputLimit) }
        return line().flatMap { try? EngineEvent($0) }
    }

    private func line() -> [UInt8]? {
        guard let end = buffer[position...].firstIndex(of: UInt8(ascii: "\n")) else {
            buffer.removeFirst(position)
            position = 0
            return nil
        }
        defer { position = end + 1 }
        return Array(buffer[position..<end])
    }
}

extension Failure.Code {
    static let engineNoProgram = Self("engine.no-program")
    static let engineNotStarted = Self("engine.not-started")
    static let engineMissing = Self("engine.missing")
    static let engineNoDisplay = Self("engine.no-display")
    static let engineHTTPS = Self("engine.https-pages")
    static let engineAndroid = Self("engine.android")
}

extension Failure {
    /// The program of the engine's process is missing.
    fileprivate static func engineNoProgram() -> Failure {
        Failure(
            .engineNoProgram,
            "the pages cannot be opened: this program cannot load WebKitGTK, and "
                + "../lib/packtool/packtool-engine is not there")
    }

    fileprivate static func engineNotStarted(_ reason: String) -> Failure {
        Failure(.engineNotStarted, "the engine's process could not be started: \(reason)")
    }

    /// A library or program needed by the engine.
    static func engineMissing(_ name: String) -> Failure {
        Failure(
            .engineMissing, "the pages cannot be opened: \(name) is missing",
            details: ["name": name])
    }

    /// A window without a display.
    static func engineNoDisplay() -> Failure {
        Failure(.engineNoDisplay, "no window can be opened: there is no display")
    }

    /// Pages loaded over https, without a network.
    static func engineAndroid() -> Failure {
        Failure(
            .engineAndroid, "the engine opens pages as iOS does, and the profile is of Android",
            exitCode: .usage)
    }

    /// Pages over https without a network.
    static func engineHTTPS() -> Failure {
        Failure(
            .engineHTTPS, "the app loads these pages over https, and other hosts are not reached",
            exitCode: .usage)
    }
}
