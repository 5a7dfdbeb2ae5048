/// What one run of a program left: its exit code and what it wrote.
package struct Run: Sendable {
    /// The exit code; 128 and the signal's number where a signal ended it, as shells count.
    package let status: Int32
    /// Standard output.
    package let bytes: [UInt8]
    /// Standard error.
    package let errors: String

    package init(status: Int32, bytes: [UInt8], errors: String) {
        self.status = status
        self.bytes = bytes
        self.errors = errors
    }

    package var output: String { String(decoding: bytes, as: UTF8.self) }
    package var lines: [String] { output.split(separator: "\n").map(String.init) }

    /// For the comment of an expectation.
    package var all: String { "status \(status)\n\(output.suffix(2000))\n\(errors.suffix(2000))" }
}
