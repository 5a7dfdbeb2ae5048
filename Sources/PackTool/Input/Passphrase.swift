import PackGround
import PackKeys
import PackSigning

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The passphrase for all keys of this run, requested once.
struct Passphrase {
    private let file: String?
    private var known: [UInt8]?

    let environment: ProcessEnvironment

    init(file: String?, _ environment: ProcessEnvironment) {
        self.file = file
        self.environment = environment
    }

    private static let limit = 4096

    /// The passphrase from the file, the environment, or the terminal.
    ///
    /// - Parameters:
    ///   - place: The key's path, for the prompt.
    ///   - isNew: Whether the user has to type it twice.
    mutating func bytes(for path: String, isNew: Bool = false) throws -> [UInt8] {
        if let known { return known }
        var found: [UInt8]
        if let file {
            found = try read(file)
        } else if let text = environment.takeSecret("PACKTOOL_PASSPHRASE") {
            found = text
        } else if environment.canAsk {
            found = try ask("Passphrase for \(path): ")
            if isNew {
                var again = try ask("The same again: ")
                defer { wipe(&again) }
                guard again == found else { throw Failure.keyPassphrasesDiffer }
            }
        } else {
            throw Failure.keyNeedsPassphrase(path: path)
        }
        guard !found.isEmpty else { throw Failure.keyEmptyPassphrase }
        known = found
        return found
    }

    /// Overwrites the passphrase in memory.
    mutating func forget() {
        if var secret = known {
            known = nil
            wipe(&secret)
        }
    }

    private func read(_ path: String) throws -> [UInt8] {
        var bytes = try KeyFile.readSecret(path, limit: Self.limit)
        while let last = bytes.last, last == UInt8(ascii: "\n") || last == UInt8(ascii: "\r") {
            bytes.removeLast()
        }
        return bytes
    }

    // MARK: The terminal

    /// The terminal settings before echo was disabled, to restore them after an interruption.
    private static let before = Locked<termios?>(nil)

    private func ask(_ prompt: String) throws -> [UInt8] {
        environment.streams.prompt(prompt)
        var state = termios()
        guard tcgetattr(STDIN_FILENO, &state) == 0 else { throw Failure.keyNoTerminal }
        Self.before.withLock { $0 = state }
        state.c_lflag &= ~tcflag_t(ECHO)
        guard tcsetattr(STDIN_FILENO, TCSAFLUSH, &state) == 0 else {
            throw Failure.keyNoTerminal
        }
        defer {
            Self.restoreTerminal()
            environment.streams.prompt("\n")
        }
        var line: [UInt8] = []
        line.reserveCapacity(Self.limit)
        while line.count < Self.limit, let byte = environment.streams.readByte(),
            byte != UInt8(ascii: "\n")
        {
            line.append(byte)
        }
        return line
    }

    /// Enables echo again if a prompt has disabled it.
    static func restoreTerminal() {
        before.withLock { state in
            if var state { tcsetattr(STDIN_FILENO, TCSAFLUSH, &state) }
            state = nil
        }
    }
}

extension Failure.Code {
    static let keyPassphrasesDiffer = Self("key.passphrases-differ")
    static let keyNoTerminal = Self("key.no-terminal")
}

extension Failure {
    fileprivate static let keyPassphrasesDiffer = Failure(
        .keyPassphrasesDiffer, "the two passphrases differ",
        unaffected: "existing keys; nothing was written")

    fileprivate static let keyNoTerminal = Failure(
        .keyNoTerminal, "the terminal cannot hide a typed passphrase",
        unaffected: "existing keys; nothing was written")
}
