import CArchive
package import PackArchive
import PackZip

/// A zip archive built byte by byte, with any field set to a wrong value.
///
/// Shares only libdeflate with the writer under test. A `nil` field is computed correctly; all
/// others are written unchanged.
package struct HostileZip: Sendable {
    /// The fields of a local or central header, which may differ.
    package struct Header: Sendable {
        package var signature: UInt32
        /// Central only: the host in the upper byte (3 is Unix).
        package var madeBy: UInt16 = 0x0314
        package var neededVersion: UInt16 = 20
        package var flags: UInt16 = 0
        package var method: UInt16 = 0
        package var time: UInt16 = 0
        package var date: UInt16 = 0x0021
        package var checksum: UInt32 = 0
        package var compressedSize: UInt32 = 0
        package var size: UInt32 = 0
        package var nameLength: UInt16?
        package var extraLength: UInt16?
        package var name: [UInt8] = []
        package var extra: [UInt8] = []
        // Central only.
        package var commentLength: UInt16?
        package var disk: UInt16 = 0
        package var externalAttributes: UInt32 = 0o100644 << 16
        package var offset: UInt32?
        package var comment: [UInt8] = []
    }

    package struct Entry: Sendable {
        package var local = Header(signature: 0x0403_4B50)
        package var central = Header(signature: 0x0201_4B50)
        /// The bytes stored in the archive.
        package var data: [UInt8] = []
        /// Bytes before the local header, and after the data.
        package var gap: [UInt8] = []
        package var descriptor: [UInt8] = []
        /// The content found by a correct reader.
        package var content: [UInt8] = []
        /// If `false`, the central header points to another entry's bytes.
        package var hasBody = true

        package init() {}

        /// Applies the same change to both headers.
        package mutating func both(_ change: (inout Header) -> Void) {
            change(&local)
            change(&central)
        }
    }

    package struct EndRecord: Sendable {
        package var signature: UInt32 = 0x0605_4B50
        package var disk: UInt16 = 0
        package var directoryDisk: UInt16 = 0
        package var countHere: UInt16?
        package var count: UInt16?
        package var directorySize: UInt32?
        package var directoryOffset: UInt32?
        package var commentLength: UInt16?
        package var comment: [UInt8] = []

        package init() {}
    }

    /// The zip64 end record and its locator.
    package struct Zip64: Sendable {
        package var signature: UInt32 = 0x0606_4B50
        package var recordSize: UInt64 = 44
        package var disk: UInt32 = 0
        package var directoryDisk: UInt32 = 0
        package var countHere: UInt64?
        package var count: UInt64?
        package var directorySize: UInt64?
        package var directoryOffset: UInt64?
        package var extensible: [UInt8] = []
        package var hasRecord = true
        package var hasLocator = true
        package var locatorSignature: UInt32 = 0x0706_4B50
        package var locatorDisk: UInt32 = 0
        package var recordOffset: UInt64?
        package var disks: UInt32 = 1

        package init() {}
    }

    package var entries: [Entry] = []
    package var beforeDirectory: [UInt8] = []
    package var beforeEnd: [UInt8] = []
    package var end = EndRecord()
    package var zip64: Zip64?
    package var trailing: [UInt8] = []

    // MARK: Honest parts

    /// A correct entry: stored, or deflated with `deflated`.
    package static func entry(_ name: [UInt8], _ content: [UInt8], deflated: Bool = false) -> Entry
    {
        var entry = Entry()
        entry.content = content
        let data = deflated ? deflate(content) : content
        entry.data = data
        entry.both {
            $0.name = name
            $0.flags = name.contains { $0 >= 0x80 } ? 0x0800 : 0
            $0.method = deflated ? 8 : 0
            $0.checksum = checksum(content)
            $0.compressedSize = UInt32(data.count)
            $0.size = UInt32(content.count)
        }
        if name.last == UInt8(ascii: "/") {
            entry.central.externalAttributes = 0o40755 << 16 | 0x10
        }
        return entry
    }

    package static func entry(
        _ name: String, _ content: String = "content\n", deflated: Bool = false
    )
        -> Entry
    {
        entry(Array(name.utf8), Array(content.utf8), deflated: deflated)
    }

    package init(_ entries: Entry...) { self.entries = entries }

    package init(entries: [Entry]) { self.entries = entries }

    package static func deflate(_ content: [UInt8], level: CompressionLevel = .max) -> [UInt8] {
        let deflater = libdeflate_alloc_compressor(level.libdeflate)
        defer { libdeflate_free_compressor(deflater) }
        let room = libdeflate_deflate_compress_bound(deflater, content.count)
        return Array(unsafeUninitializedCapacity: room) { output, size in
            size = libdeflate_deflate_compress(
                deflater, content, content.count, output.baseAddress, room)
        }
    }

    package static func checksum(_ content: [UInt8]) -> UInt32 {
        content.withUnsafeBytes { libdeflate_crc32(0, $0.baseAddress, $0.count) }
    }

    // MARK: Bytes

    /// The offsets of the archive's parts, for tests that write wrong offsets.
    package struct Layout: Sendable {
        package var headerOffsets: [Int] = []
        package var directoryOffset = 0
        package var directorySize = 0
        package var endOffset = 0
    }

    package var bytes: [UInt8] { built().bytes }
    package var layout: Layout { built().layout }

    private func built() -> (bytes: [UInt8], layout: Layout) {
        var bytes: [UInt8] = []
        var layout = Layout()
        for entry in entries {
            bytes += entry.gap
            layout.headerOffsets.append(bytes.count)
            guard entry.hasBody else { continue }
            bytes += Self.record(entry.local) + entry.data + entry.descriptor
        }
        bytes += beforeDirectory
        layout.directoryOffset = bytes.count
        for (entry, offset) in zip(entries, layout.headerOffsets) {
            bytes += Self.record(entry.central, offset: UInt32(offset))
        }
        layout.directorySize = bytes.count - layout.directoryOffset
        bytes += beforeEnd
        if let zip64 { bytes += record(zip64, at: bytes.count, layout) }
        layout.endOffset = bytes.count
        bytes += record(end, layout) + trailing
        return (bytes, layout)
    }

    private static func record(_ header: Header, offset: UInt32? = nil) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(little: header.signature)
        if offset != nil { bytes.append(little: header.madeBy) }
        bytes.append(little: header.neededVersion)
        bytes.append(little: header.flags)
        bytes.append(little: header.method)
        bytes.append(little: header.time)
        bytes.append(little: header.date)
        bytes.append(little: header.checksum)
        bytes.append(little: header.compressedSize)
        bytes.append(little: header.size)
        bytes.append(little: header.nameLength ?? UInt16(header.name.count))
        bytes.append(little: header.extraLength ?? UInt16(header.extra.count))
        if let offset {
            bytes.append(little: header.commentLength ?? UInt16(header.comment.count))
            bytes.append(little: header.disk)
            bytes.append(little: UInt16(0))
            bytes.append(little: header.externalAttributes)
            bytes.append(little: header.offset ?? offset)
        }
        return bytes + header.name + header.extra + (offset == nil ? [] : header.comment)
    }

    private func record(_ end: EndRecord, _ layout: Layout) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(little: end.signature)
        bytes.append(little: end.disk)
        bytes.append(little: end.directoryDisk)
        bytes.append(
            little: end.countHere ?? end.count ?? UInt16(truncatingIfNeeded: entries.count))
        bytes.append(little: end.count ?? UInt16(truncatingIfNeeded: entries.count))
        bytes.append(little: end.directorySize ?? UInt32(layout.directorySize))
        bytes.append(little: end.directoryOffset ?? UInt32(layout.directoryOffset))
        bytes.append(little: end.commentLength ?? UInt16(end.comment.count))
        return bytes + end.comment
    }

    private func record(_ zip64: Zip64, at offset: Int, _ layout: Layout) -> [UInt8] {
        var bytes: [UInt8] = []
        if zip64.hasRecord {
            bytes.append(little: zip64.signature)
            bytes.append(little: zip64.recordSize)
            bytes.append(little: UInt16(0x032D))
            bytes.append(little: UInt16(45))
            bytes.append(little: zip64.disk)
            bytes.append(little: zip64.directoryDisk)
            bytes.append(little: zip64.countHere ?? zip64.count ?? UInt64(entries.count))
            bytes.append(little: zip64.count ?? UInt64(entries.count))
            bytes.append(little: zip64.directorySize ?? UInt64(layout.directorySize))
            bytes.append(little: zip64.directoryOffset ?? UInt64(layout.directoryOffset))
            bytes += zip64.extensible
        }
        if zip64.hasLocator {
            bytes.append(little: zip64.locatorSignature)
            bytes.append(little: zip64.locatorDisk)
            bytes.append(little: zip64.recordOffset ?? UInt64(offset))
            bytes.append(little: zip64.disks)
        }
        return bytes
    }

    /// Encodes an extra field.
    package static func extra(_ id: UInt16, _ content: [UInt8], length: UInt16? = nil) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(little: id)
        bytes.append(little: length ?? UInt16(content.count))
        return bytes + content
    }

    /// Encodes a zip64 extra field.
    package static func zip64Extra(_ numbers: UInt64...) -> [UInt8] {
        var content: [UInt8] = []
        for number in numbers { content.append(little: number) }
        return extra(0x0001, content)
    }
}

extension [UInt8] {
    /// Appends a number in little-endian order.
    fileprivate mutating func append(little value: some FixedWidthInteger & UnsignedInteger) {
        Swift.withUnsafeBytes(of: value.littleEndian) { append(contentsOf: $0) }
    }
}
