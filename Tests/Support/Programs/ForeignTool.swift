import Foundation
import Testing

/// A program that is not ours, whose result is compared with ours.
///
/// A test that needs a missing one is cancelled with a message that names it, so that the test log shows
/// what was not checked.
package struct ForeignTool: Sendable {
    package let name: String
    private let path: String

    /// Finds a program on the search path; cancels the current test where there is none.
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

    /// Runs the program to its end, with names and texts in UTF-8.
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
