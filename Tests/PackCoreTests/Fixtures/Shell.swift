import Foundation
import Testing

/// Runs a program of the system and returns what it printed.
func run(_ program: String, _ arguments: [String], input: String = "") throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [program] + arguments
    let (stdin, stdout) = (Pipe(), Pipe())
    process.standardInput = stdin
    process.standardOutput = stdout
    try process.run()
    // Everything the tests send fits a pipe's buffer or is read line by line by the other side.
    DispatchQueue.global().async {
        try? stdin.fileHandleForWriting.write(contentsOf: Data(input.utf8))
        try? stdin.fileHandleForWriting.close()
    }
    let output = stdout.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0, "\(program) failed")
    return String(decoding: output, as: UTF8.self)
}
