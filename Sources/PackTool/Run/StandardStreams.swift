import PackKeys
import PackSigning

/// The standard streams by their file descriptors.
package enum StandardStream: Int32, Sendable {
    case input, output, errors
}

/// The standard streams of a run.
package protocol StandardStreams: Sendable {
    func isTerminal(_ stream: StandardStream) -> Bool

    /// The width of the output's terminal in columns, if it is one.
    var terminalWidth: Int? { get }

    /// Reads the next bytes of standard input; returns their number, and 0 at the end.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int

    /// Writes all bytes; returns 0, or the `errno` of the failure.
    func write(_ bytes: [UInt8], to stream: StandardStream) -> Int32
}

extension StandardStreams {
    /// Writes a question, or part of one, to standard error.
    func prompt(_ text: String) { _ = write(Array(text.utf8), to: .errors) }

    /// The next byte of standard input; `nil` at its end.
    func readByte() -> UInt8? {
        var byte: UInt8 = 0
        let count = withUnsafeMutableBytes(of: &byte) { read(into: $0) }
        return count == 1 ? byte : nil
    }

    /// The next line of standard input without its line break; `nil` at the end.
    func readLine() -> String? {
        var line: [UInt8] = []
        guard var byte = readByte() else { return nil }
        while byte != UInt8(ascii: "\n") {
            line.append(byte)
            guard let next = readByte() else { break }
            byte = next
        }
        if line.last == UInt8(ascii: "\r") { line.removeLast() }
        return String(decoding: line, as: UTF8.self)
    }

    /// Reads a secret up to the end of standard input, at most `limit` bytes.
    func readSecret(limit: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(limit)
        var piece = [UInt8](repeating: 0, count: limit)
        while bytes.count < limit {
            let count = piece.withUnsafeMutableBytes {
                read(into: UnsafeMutableRawBufferPointer(rebasing: $0[..<(limit - bytes.count)]))
            }
            guard count > 0 else { break }
            bytes += piece[..<count]
        }
        wipe(&piece)
        return bytes
    }
}
