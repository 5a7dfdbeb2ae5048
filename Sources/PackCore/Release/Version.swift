/// A release's content id: the first 20 hexadecimal digits of its package hash (`docs/formats.md`).
package struct Version: Hashable, Sendable, CustomStringConvertible {
    package let description: String

    /// Parses 20 lower-case hexadecimal digits; returns `nil` for anything else.
    package init?(_ text: String) {
        let isDigit = { (byte: UInt8) in
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
        }
        guard text.utf8.count == 20, text.utf8.allSatisfy(isDigit) else { return nil }
        description = text
    }

    package init(packageHash: Digest) {
        description = String(packageHash.description.prefix(20))
    }
}
