#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Base64 with the standard alphabet and padding (RFC 4648, section 4).
///
/// Content may be secret: every intermediate copy is overwritten.
package enum Base64 {
    /// Encodes content as ASCII bytes.
    package static func encode(_ content: [UInt8]) -> [UInt8] {
        var plain = Data(content)
        var encoded = plain.base64EncodedData()
        defer {
            plain.resetBytes(in: 0..<plain.count)
            encoded.resetBytes(in: 0..<encoded.count)
        }
        return Array(encoded)
    }

    /// Encodes content as text.
    package static func string(_ content: [UInt8]) -> String {
        String(decoding: encode(content), as: UTF8.self)
    }

    /// - Returns: `nil` for text that is not base64.
    package static func decode(_ text: some Sequence<UInt8>) -> [UInt8]? {
        var encoded = Data(text)
        defer { encoded.resetBytes(in: 0..<encoded.count) }
        guard var content = Data(base64Encoded: encoded) else { return nil }
        defer { content.resetBytes(in: 0..<content.count) }
        return Array(content)
    }
}
