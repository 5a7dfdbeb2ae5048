/// The byte-exact zip form of a package (docs/sources.md#appnote, 6.3.10).
///
/// Entries are in listing order, each a local header, then its data; the central directory follows
/// in the same order; then the zip64 end record and locator, if and only if one of its numbers does
/// not fit; then the end record without a comment. There are no directory entries, data
/// descriptors, encryption or extra fields other than zip64's. Everything that could differ between
/// machines is constant:
///
/// * made by: Unix, version 2.0 (4.5 for zip64); mode: regular file, 0644
/// * time: 1980-01-01 00:00:00, as the DOS words themselves (they are local time: nothing is
///   converted)
/// * flags: bit 11 (UTF-8) for names beyond ASCII; bits 1 and 2 record the level of a deflated entry
/// * method: 8 (deflate) if that is smaller than the content, else 0 (stored)
package enum ZipFormat {
    package static let localSignature: UInt32 = 0x0403_4B50
    package static let centralSignature: UInt32 = 0x0201_4B50
    package static let endSignature: UInt32 = 0x0605_4B50
    package static let zip64EndSignature: UInt32 = 0x0606_4B50
    package static let zip64LocatorSignature: UInt32 = 0x0706_4B50

    package static let localHeaderSize = 30
    package static let centralHeaderSize = 46
    package static let endSize = 22
    package static let zip64EndSize = 56
    package static let zip64LocatorSize = 20
    package static let zip64ExtraID: UInt16 = 0x0001

    package static let stored: UInt16 = 0
    package static let deflated: UInt16 = 8
    package static let flagUTF8: UInt16 = 0x0800
    package static let flagLevelMask: UInt16 = 0x0006
    package static let hostUnix: UInt16 = 3
    package static let dosTime: UInt16 = 0x0000
    package static let dosDate: UInt16 = 0x0021
    /// Regular file, 0644, in the upper half, as Unix archivers write it.
    package static let externalAttributes: UInt32 = 0o100644 << 16

    /// The DOS attribute bit that some readers treat as a directory, under any name.
    package static let dosDirectory: UInt32 = 0x10

    package static let full16 = UInt64(UInt16.max)
    package static let full32 = UInt64(UInt32.max)
}

/// The fields that both headers of an entry contain.
package struct ZipEntry: Equatable, Sendable {
    package var name: [UInt8]
    package var flags: UInt16
    package var method: UInt16
    package var checksum: UInt32
    package var compressedSize: UInt64
    package var size: UInt64
    /// The offset of the local header.
    package var headerOffset: UInt64 = 0
    /// The offset of the data, set once it is read or written.
    package var dataOffset: UInt64 = 0

    package init(
        name: [UInt8], flags: UInt16, method: UInt16, checksum: UInt32, compressedSize: UInt64,
        size: UInt64, headerOffset: UInt64 = 0, dataOffset: UInt64 = 0
    ) {
        self.name = name
        self.flags = flags
        self.method = method
        self.checksum = checksum
        self.compressedSize = compressedSize
        self.size = size
        self.headerOffset = headerOffset
        self.dataOffset = dataOffset
    }

    var isDirectory: Bool { name.last == UInt8(ascii: "/") }
}

/// Little-endian numbers at the end of a byte array.
extension [UInt8] {
    /// Appends a little-endian number.
    @inlinable package mutating func append(little value: some FixedWidthInteger & UnsignedInteger)
    {
        for shift in stride(from: 0, to: value.bitWidth, by: 8) {
            append(UInt8(truncatingIfNeeded: value >> shift))
        }
    }
}
