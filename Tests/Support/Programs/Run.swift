/// The exit code and output of a program.
package struct Run: Sendable {
    /// The exit code; 128 plus the signal's number if a signal ended the program, as in shells.
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

    /// A summary for the comment of an expectation.
    package var all: String { "status \(status)\n\(output.suffix(2000))\n\(errors.suffix(2000))" }
}
