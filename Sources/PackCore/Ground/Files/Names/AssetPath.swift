/// The relative path of an asset: validated bytes, compared and sorted as bytes.
///
/// `String` is not used for comparison: its `==` treats the two Unicode spellings of "é" as equal,
/// but file systems, zip archives and the listing do not.
package struct AssetPath: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The path's UTF-8 bytes, components separated by `/`.
    package let bytes: [UInt8]

    /// The longest component that file systems accept, in bytes.
    package static let longestComponent = 255

    /// Checks a path against the rules for names (`docs/formats.md`).
    ///
    /// - Throws: ``NameProblem`` for the first rule the path breaks.
    package init(_ bytes: [UInt8]) throws(NameProblem) {
        guard !bytes.isEmpty else { throw .empty }
        guard bytes[0] != UInt8(ascii: "/") else { throw .absolute }
        try Self.checkCharacters(bytes)
        var start = 0
        for end in 0...bytes.count where end == bytes.count || bytes[end] == UInt8(ascii: "/") {
            let count = end - start
            if count == 0 { throw .emptyComponent }
            if count <= 2, bytes[start..<end].allSatisfy({ $0 == UInt8(ascii: ".") }) {
                throw .dotComponent
            }
            if count > Self.longestComponent { throw .componentTooLong }
            start = end + 1
        }
        self.bytes = bytes
    }

    package init(_ text: String) throws(NameProblem) {
        try self.init(Array(text.utf8))
    }

    private static func checkCharacters(_ bytes: [UInt8]) throws(NameProblem) {
        var isPlain = true
        for byte in bytes {
            if byte < 0x20 || byte == 0x7F { throw .controlCharacter }
            if byte == UInt8(ascii: "\\") { throw .backslash }
            if byte >= 0x80 { isPlain = false }
        }
        if isPlain { return }
        var position = 0
        while position < bytes.count {
            let (scalar, length) = decodeScalar(bytes, at: position)
            guard let scalar else { throw .notUTF8 }
            if scalar.isControl { throw .controlCharacter }
            position += length
        }
    }

    package var description: String { String(decoding: bytes, as: UTF8.self) }

    /// The last component.
    package var fileName: [UInt8] { Array(lastComponent) }

    /// The bytes of ``fileName``, not copied.
    package var lastComponent: ArraySlice<UInt8> {
        guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return bytes[...] }
        return bytes[(slash + 1)...]
    }

    /// The length of the directories' part, without the slash that ends it.
    package var directoryLength: Int { bytes.lastIndex(of: UInt8(ascii: "/")) ?? 0 }

    /// The parent directories, outermost first.
    package var directories: [ArraySlice<UInt8>] {
        bytes.indices.filter { bytes[$0] == UInt8(ascii: "/") }.map { bytes[..<$0] }
    }

    /// Hashes all bytes at once; hashing the array would feed them one by one.
    package func hash(into hasher: inout Hasher) {
        unsafe bytes.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
    }

    /// Byte order, the order of `LC_ALL=C sort`.
    package static func < (one: AssetPath, other: AssetPath) -> Bool {
        one.bytes.lexicographicallyPrecedes(other.bytes)
    }
}
