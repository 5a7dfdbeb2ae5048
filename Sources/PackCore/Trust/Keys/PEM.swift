import PackGround

/// One PEM block (docs/sources.md#rfc7468).
package struct PEM {
    package let label: String
    /// The DER content; secret if the label is that of a private key.
    package let content: [UInt8]

    /// The largest key file that is read, in bytes.
    package static let sizeLimit = 16 << 10

    /// Reads a text with exactly one block, which may have explanatory text before it.
    ///
    /// - Returns: `nil` for any other text.
    package init?(_ text: [UInt8]) {
        var label: String?
        var body: [UInt8] = []
        var isDone = false
        for var line in text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        {
            while let last = line.last, last == 0x0D || last == 0x20 || last == 0x09 {
                line.removeLast()
            }
            let begin = Self.label(of: line, "-----BEGIN ")
            if let label {
                if isDone {
                    guard line.isEmpty else { return nil }
                } else if let end = Self.label(of: line, "-----END ") {
                    guard end == label else { return nil }
                    isDone = true
                } else {
                    guard begin == nil else { return nil }
                    body += line
                }
            } else {
                label = begin
            }
        }
        defer { wipe(&body) }
        // Never through a String, which could not be overwritten.
        guard let label, isDone, let content = Base64.decode(body) else { return nil }
        self.label = label
        self.content = content
    }

    private static func label(of line: ArraySlice<UInt8>, _ start: String) -> String? {
        let end = Array("-----".utf8)
        guard line.starts(with: start.utf8), line.count > start.utf8.count + end.count,
            line.suffix(end.count).elementsEqual(end)
        else { return nil }
        return String(decoding: line.dropFirst(start.utf8.count).dropLast(end.count), as: UTF8.self)
    }

    /// The text of a block, 64 characters a line.
    package static func encode(_ label: String, _ content: [UInt8]) -> [UInt8] {
        var text = Array("-----BEGIN \(label)-----\n".utf8)
        var line = 0
        var body = Base64.encode(content)
        defer { wipe(&body) }
        while line < body.count {
            text += body[line..<min(line + 64, body.count)]
            text.append(UInt8(ascii: "\n"))
            line += 64
        }
        return text + Array("-----END \(label)-----\n".utf8)
    }
}
