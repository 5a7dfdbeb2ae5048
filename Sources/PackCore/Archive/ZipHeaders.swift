package import PackZip

/// Writes the records that ``ZipFormat`` describes.
package enum ZipHeaders {
    /// Whether an entry's sizes need zip64, the extension for large archives.
    ///
    /// Only the content's size can: content that does not shrink is stored, so the compressed size
    /// is never larger.
    static func needsZip64(size: UInt64) -> Bool { size >= ZipFormat.full32 }

    private static func version(zip64: Bool, method: UInt16) -> UInt16 {
        zip64 ? 45 : (method == ZipFormat.deflated ? 20 : 10)
    }

    /// The size of ``localHeader(_:)``, which does not depend on the compressed data.
    static func localHeaderSize(_ entry: ZipEntry) -> Int {
        ZipFormat.localHeaderSize + entry.name.count + (needsZip64(size: entry.size) ? 20 : 0)
    }

    /// The local header of an entry.
    package static func localHeader(_ entry: ZipEntry) -> [UInt8] {
        let zip64 = needsZip64(size: entry.size)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(localHeaderSize(entry))
        bytes.append(little: ZipFormat.localSignature)
        bytes.append(little: version(zip64: zip64, method: entry.method))
        bytes.append(little: entry.flags)
        bytes.append(little: entry.method)
        bytes.append(little: ZipFormat.dosTime)
        bytes.append(little: ZipFormat.dosDate)
        bytes.append(little: entry.checksum)
        // In a local header zip64 contains both sizes or none (docs/sources.md#appnote, 4.5.3).
        bytes.append(little: UInt32(clamping: zip64 ? ZipFormat.full32 : entry.compressedSize))
        bytes.append(little: UInt32(clamping: entry.size))
        bytes.append(little: UInt16(entry.name.count))
        bytes.append(little: UInt16(zip64 ? 20 : 0))
        bytes += entry.name
        if zip64 {
            bytes.append(little: ZipFormat.zip64ExtraID)
            bytes.append(little: UInt16(16))
            bytes.append(little: entry.size)
            bytes.append(little: entry.compressedSize)
        }
        return bytes
    }

    /// The header of an entry in the central directory.
    package static func centralHeader(_ entry: ZipEntry) -> [UInt8] {
        var bytes: [UInt8] = []
        append(centralHeaderOf: entry, to: &bytes)
        return bytes
    }

    private static func append(centralHeaderOf entry: ZipEntry, to bytes: inout [UInt8]) {
        // In the central directory zip64 contains exactly the numbers that do not fit.
        var large: [UInt64] = []
        if max(entry.size, entry.compressedSize, entry.headerOffset) >= ZipFormat.full32 {
            large = [entry.size, entry.compressedSize, entry.headerOffset].filter {
                $0 >= ZipFormat.full32
            }
        }
        let version = version(zip64: !large.isEmpty, method: entry.method)
        bytes.append(little: ZipFormat.centralSignature)
        bytes.append(little: ZipFormat.hostUnix << 8 | max(20, version))
        bytes.append(little: version)
        bytes.append(little: entry.flags)
        bytes.append(little: entry.method)
        bytes.append(little: ZipFormat.dosTime)
        bytes.append(little: ZipFormat.dosDate)
        bytes.append(little: entry.checksum)
        bytes.append(little: UInt32(clamping: entry.compressedSize))
        bytes.append(little: UInt32(clamping: entry.size))
        bytes.append(little: UInt16(entry.name.count))
        bytes.append(little: UInt16(large.isEmpty ? 0 : 4 + 8 * large.count))
        bytes.append(little: UInt16(0))  // comment
        bytes.append(little: UInt16(0))  // disk
        bytes.append(little: UInt16(0))  // internal attributes
        bytes.append(little: ZipFormat.externalAttributes)
        bytes.append(little: UInt32(clamping: entry.headerOffset))
        bytes += entry.name
        if !large.isEmpty {
            bytes.append(little: ZipFormat.zip64ExtraID)
            bytes.append(little: UInt16(8 * large.count))
            for number in large { bytes.append(little: number) }
        }
    }

    /// The central directory and everything after it.
    package static func directory(_ entries: [ZipEntry], at offset: UInt64) -> [UInt8] {
        var bytes: [UInt8] = []
        for entry in entries { append(centralHeaderOf: entry, to: &bytes) }
        bytes += end(
            count: entries.count, directoryOffset: offset, directorySize: UInt64(bytes.count))
        return bytes
    }

    /// Everything after the central directory.
    package static func end(count: Int, directoryOffset: UInt64, directorySize: UInt64) -> [UInt8] {
        var bytes: [UInt8] = []
        let zip64 =
            count >= Int(ZipFormat.full16) || directoryOffset >= ZipFormat.full32
            || directorySize >= ZipFormat.full32
        if zip64 {
            bytes.append(little: ZipFormat.zip64EndSignature)
            bytes.append(little: UInt64(ZipFormat.zip64EndSize - 12))
            bytes.append(little: ZipFormat.hostUnix << 8 | 45)
            bytes.append(little: UInt16(45))
            bytes.append(little: UInt32(0))
            bytes.append(little: UInt32(0))
            bytes.append(little: UInt64(count))
            bytes.append(little: UInt64(count))
            bytes.append(little: directorySize)
            bytes.append(little: directoryOffset)
            bytes.append(little: ZipFormat.zip64LocatorSignature)
            bytes.append(little: UInt32(0))
            bytes.append(little: directoryOffset + directorySize)
            bytes.append(little: UInt32(1))
        }
        bytes.append(little: ZipFormat.endSignature)
        bytes.append(little: UInt16(0))
        bytes.append(little: UInt16(0))
        bytes.append(little: UInt16(clamping: count))
        bytes.append(little: UInt16(clamping: count))
        bytes.append(little: UInt32(clamping: directorySize))
        bytes.append(little: UInt32(clamping: directoryOffset))
        bytes.append(little: UInt16(0))
        return bytes
    }
}
