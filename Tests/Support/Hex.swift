/// Decodes hexadecimal digits, as used in published test vectors.
package func bytes(_ hex: String) throws -> [UInt8] {
    let digits = Array(hex.utf8)
    struct NotHexadecimal: Error {}
    guard digits.count.isMultiple(of: 2) else { throw NotHexadecimal() }
    return try stride(from: 0, to: digits.count, by: 2).map {
        guard let byte = UInt8(String(decoding: digits[$0...($0 + 1)], as: UTF8.self), radix: 16)
        else { throw NotHexadecimal() }
        return byte
    }
}
