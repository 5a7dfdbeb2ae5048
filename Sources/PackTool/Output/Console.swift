import PackGround

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The output of a command: results on standard output, messages on standard error.
///
/// Results are buffered until the end and written with error checks: `print` silently drops them on
/// a full disk, and `FileHandle.write` traps.
final class Console: Sendable {
    let environment: ProcessEnvironment
    let interruption: Interruption
    /// The command line without the program's name.
    let arguments: [String]
    let isJSON: Bool
    let isQuiet: Bool
    let isVerbose: Bool
    private let result = Locked<[UInt8]>([])
    /// The error number of writing the final result early.
    private let failedWrite = Locked<Int32>(0)
    private let meter: ProgressMeter

    init(
        _ environment: ProcessEnvironment, _ interruption: Interruption, arguments: [String],
        isJSON: Bool, isQuiet: Bool, isVerbose: Bool
    ) {
        self.environment = environment
        self.interruption = interruption
        self.arguments = arguments
        self.isJSON = isJSON
        self.isQuiet = isQuiet
        self.isVerbose = isVerbose
        let form: ProgressMeter.Form = environment.drawsProgress ? .bar : isJSON ? .none : .log
        meter = ProgressMeter(isQuiet ? .none : form, environment)
    }

    /// A console that only prints results and errors.
    var quieted: Console {
        Console(
            environment, interruption, arguments: arguments, isJSON: false, isQuiet: true,
            isVerbose: isVerbose)
    }

    /// Receives progress, and shows it if the work takes long.
    var progress: ProgressSink {
        let meter = meter
        return { meter.show($0) }
    }

    /// Adds lines to the result.
    func print(_ text: Text) {
        print(bytes: Array((text.string + "\n").utf8))
    }

    /// Adds bytes to the result unchanged: a file written to standard output.
    func print(bytes: [UInt8]) {
        result.withLock { $0 += bytes }
    }

    /// Prints the command's single JSON document.
    ///
    /// Control characters are escaped as `\u....`, because the output may go to a terminal.
    func print(json: JSONValue) {
        print(bytes: Self.bytes(of: json))
    }

    /// The bytes of a JSON document as printed.
    static func bytes(of json: JSONValue) -> [UInt8] { escaped(JSONWriter.write(json)) }

    /// These characters only occur in strings: the rest of a JSON document is ASCII.
    private static func escaped(_ json: [UInt8]) -> [UInt8] {
        if json.allSatisfy({ $0 < 0x7F && $0 != UInt8(ascii: "#") }) { return json }
        let text = LogCommand.defused(String(decoding: json, as: UTF8.self), hash: "\\u0023")
        var result = ""
        for scalar in text.unicodeScalars {
            if scalar.isUnprintable, scalar != "\n" {
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return Array(result.utf8)
    }

    /// Prints a line of the result, or a message if the result is JSON; nothing when quiet.
    func stdout(_ text: Text) {
        if isQuiet { return }
        if isJSON { stderr(text) } else { print(text) }
    }

    /// Prints a line to standard error.
    ///
    /// Write errors are ignored, because they cannot be reported anywhere.
    func stderr(_ text: Text) {
        meter.clear()
        _ = environment.streams.write(Array((text.string + "\n").utf8), to: .errors)
    }

    /// Prints a line of `--verbose`.
    func trace(_ text: String) {
        _ = environment.streams.write(Array((Text(text).string + "\n").utf8), to: .errors)
    }

    /// Prints a one-line note about a successful run.
    func note(_ text: String) {
        if !isQuiet { stderr("note: \(text)") }
    }

    /// The text of an error, which may contain foreign names.
    ///
    /// Only indented lines stay separate. Any other line break is part of a foreign name and does
    /// not start a line.
    private static func lines(_ text: String) -> Text {
        var lines: [String] = []
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false)
            .enumerated()
        {
            if index == 0 || line.hasPrefix("  ") {
                lines.append(String(line))
            } else {
                lines[lines.count - 1] += "\n" + line
            }
        }
        return Text(lines: lines.map(withoutSecrets))
    }

    /// Reports a failure: the problem, unaffected data, and the next step.
    func fail(_ error: any Error) {
        meter.end()
        let failure = error as? Failure
        let remedy = Remedies.remedy(after: error) ?? Remedies.bug
        var text: Text = "error: \(Self.lines("\(error)"))"
        if let safe = failure?.unaffected { text = text + "\nunaffected: \(Self.lines(safe))" }
        stderr(text + "\nhelp: \(Self.lines(remedy))")
        if isJSON {
            result.withLock { $0 = [] }
            print(
                json: .members([
                    "error": .members([
                        "code": .string(failure?.code.name ?? "internal"),
                        "message": .string(withoutSecrets("\(error)")),
                        "unaffected": (failure?.unaffected).map { .string(withoutSecrets($0)) },
                        "help": .string(withoutSecrets(remedy)),
                        "live": PublishReportText.live(error),
                    ])
                ]))
        }
    }

    /// Reports the error that ended a command, and returns the exit code.
    func end(_ error: any Error) -> Int32 {
        fail(error)
        return finish(((error as? Failure)?.exitCode ?? .couldNotDo).rawValue)
    }

    /// Writes the buffered result now; the command continues.
    ///
    /// - Parameter isFinal: Whether the result is complete: ``finish(_:)`` reports write errors.
    func flush(isFinal: Bool = false) {
        if isFinal { meter.clear() }
        let bytes = result.withLock { result in
            defer { result = [] }
            return result
        }
        let number = environment.streams.write(bytes, to: .output)
        if isFinal { failedWrite.withLock { $0 = number } }
    }

    /// Writes the result and returns the exit code: a write error is a failure, a closed pipe is
    /// not.
    func finish(_ status: Int32) -> Int32 {
        meter.end()
        var number = failedWrite.withLock { $0 }
        if number == 0 { number = environment.streams.write(result.withLock { $0 }, to: .output) }
        if number == 0 || number == EPIPE { return status }
        let remedy =
            switch number {
            case ENOSPC, EDQUOT:
                "free some space for the output, then run the same command again"
            case EBADF: "leave standard output open, or redirect it to a file"
            default: "check the target of the output, then run the same command again"
            }
        stderr(
            """
            error: cannot write the result to standard output: \(String(cString: strerror(number)))
            unaffected: everything else that the command did
            help: \(remedy)
            """)
        return status == 0 ? ExitCode.couldNotDo.rawValue : status
    }
}
