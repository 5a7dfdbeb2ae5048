import Foundation
import Testing

/// A third-party program used for comparison.
///
/// If the program is missing, the test is cancelled with a message that names it, so that the log
/// lists skipped checks.
package struct ForeignTool: Sendable {
    package let name: String
    private let path: String

    /// Finds a program on the search path, or cancels the current test.
    package init(_ name: String) throws {
        guard let path = Self.find(name) else {
            try Test.cancel("SKIPPED, nothing was checked: '\(name)' is not installed")
        }
        self.name = name
        self.path = path
    }

    package static func find(_ name: String) -> String? {
        let folders = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        return folders.split(separator: ":").map { "\($0)/\(name)" }.first {
            FileManager.default.isExecutableFile(atPath: $0)
        }
    }

    /// Runs the program with UTF-8 as the encoding of names and text.
    package func run(
        _ arguments: [String], in folder: String = "/", input: String = ""
    ) async throws -> Run {
        let environment = ProcessInfo.processInfo.environment.merging(
            ["LC_ALL": "C.UTF-8", "PYTHONUTF8": "1"], uniquingKeysWith: { _, new in new })
        return try await Child.run(
            [path] + arguments, in: folder, environment: environment, input: Array(input.utf8))
    }

    /// Runs a Python program.
    package static func python(
        _ program: String, _ arguments: [String] = [], input: String = ""
    ) async throws -> Run {
        try await ForeignTool("python3").run(["-c", program] + arguments, input: input)
    }
}
