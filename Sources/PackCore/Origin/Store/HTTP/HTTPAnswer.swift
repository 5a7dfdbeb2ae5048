/// A file received from a web server, kept to ask later only whether it has changed (RFC 9110,
/// section 13.1.2).
package struct HTTPAnswer: Equatable, Sendable {
    /// The address of the file, without secrets.
    package let address: String
    /// The `ETag`, with its quotes.
    package let tag: String
    package let bytes: [UInt8]

    /// - Returns: `nil` if `tag` is not an entity tag (RFC 9110, section 8.8.3) of at most 256 bytes.
    package init?(address: String, tag: String, bytes: [UInt8]) {
        let quoted = tag.hasPrefix("W/") ? tag.utf8.dropFirst(2) : tag.utf8[...]
        guard tag.utf8.count <= 256, quoted.count >= 2, quoted.first == UInt8(ascii: "\""),
            quoted.last == UInt8(ascii: "\""),
            quoted.dropFirst().dropLast().allSatisfy({ $0 == 0x21 || 0x23...0x7E ~= $0 })
        else { return nil }
        self.address = address
        self.tag = tag
        self.bytes = bytes
    }

    /// Whether another tag means the same content: `W/` and spaces around it do not count.
    func hasTag(_ other: String) -> Bool {
        func opaque(_ tag: String) -> Substring {
            let tag = tag.drop { $0 == " " }
            return tag.hasPrefix("W/") ? tag.dropFirst(2) : tag
        }
        return opaque(other) == opaque(tag)
    }
}
