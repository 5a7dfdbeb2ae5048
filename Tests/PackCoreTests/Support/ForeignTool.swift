import Foundation
import Testing

/// A program that is not ours, asked for its opinion.
///
/// A test that needs a missing one is cancelled with a message that names it: an absent witness must
/// show in the test log, never count as a witness.
struct ForeignTool: Sendable {
    let name: String
    private let path: String

    /// Finds a program on the search path; cancels the current test where there is none.
    init(_ name: String) throws {
        guard let path = Self.find(name) else {
            try Test.cancel("SKIPPED, nothing was checked: '\(name)' is not installed")
        }
        self.name = name
        self.path = path
    }

    static func find(_ name: String) -> String? {
        let folders = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        return folders.split(separator: ":").map { "\($0)/\(name)" }.first {
            FileManager.default.isExecutableFile(atPath: $0)
        }
    }

    struct Output: Sendable {
        let stdout: [UInt8]
        let stderr: String
        let status: Int32

        var text: String { String(decoding: stdout, as: UTF8.self) }
        /// For the comment of an expectation.
        var all: String { "status \(status)\n\(text.suffix(2000))\n\(stderr.suffix(2000))" }
    }

    /// Runs the program to its end. Output goes through files: a pipe that fills up would block it.
    func run(_ arguments: [String], in folder: String = "/") async throws -> Output {
        try await TemporaryFolder.with { temporary in
            let process = Process()
            process.executableURL = URL(fileURLWithPath: path)
            process.arguments = arguments
            process.currentDirectoryURL = URL(fileURLWithPath: folder)
            process.environment = ProcessInfo.processInfo.environment.merging(
                ["LC_ALL": "C.UTF-8", "PYTHONUTF8": "1"], uniquingKeysWith: { _, new in new })
            try temporary.write([], as: "stdout")
            try temporary.write([], as: "stderr")
            let stdout = try FileHandle(
                forWritingTo: URL(fileURLWithPath: temporary.file("stdout")))
            let stderr = try FileHandle(
                forWritingTo: URL(fileURLWithPath: temporary.file("stderr")))
            process.standardInput = FileHandle.nullDevice
            process.standardOutput = stdout
            process.standardError = stderr
            let status = try await withCheckedThrowingContinuation {
                (continuation: CheckedContinuation<Int32, any Error>) in
                process.terminationHandler = {
                    continuation.resume(returning: $0.terminationStatus)
                }
                do {
                    try process.run()
                } catch {
                    process.terminationHandler = nil
                    continuation.resume(throwing: error)
                }
            }
            return Output(
                stdout: try temporary.read("stdout"),
                stderr: String(decoding: try temporary.read("stderr"), as: UTF8.self),
                status: status)
        }
    }

    /// Runs a Python program.
    static func python(_ program: String, _ arguments: [String] = []) async throws -> Output {
        try await ForeignTool("python3").run(["-c", program] + arguments)
    }
}
