import TestSupport

extension HostileCases {
    static let junk = [UInt8](repeating: 0x41, count: 30)

    /// Archives whose parts do not tile the file, or whose end record is wrong.
    static let structure: [HostileCase] = tiling + ends

    private static let tiling: [HostileCase] = [
        HostileCase(
            "bytes before, offsets right", .prefixedBytes, whole: { $0.entries[0].gap = junk }),
        HostileCase(
            "bytes before, offsets of the bare archive", .centralDirectoryMismatch,
            whole: {
                let honest = $0.layout
                $0.entries[0].gap = junk
                $0.end.directoryOffset = UInt32(honest.directoryOffset)
                for index in $0.entries.indices {
                    $0.entries[index].central.offset = UInt32(honest.headerOffsets[index])
                }
            }),
        HostileCase(
            "an empty archive after other bytes", .prefixedBytes,
            {
                var zip = HostileZip(entries: [])
                zip.beforeDirectory = junk
                return zip
            }()),
        HostileCase("a gap between entries", .gapOrOverlap, whole: { $0.entries[1].gap = junk }),
        HostileCase("one byte between entries", .gapOrOverlap, whole: { $0.entries[1].gap = [0] }),
        HostileCase(
            "a gap before the directory", .gapOrOverlap, whole: { $0.beforeDirectory = junk }),
        HostileCase(
            "a hidden entry between entries", .gapOrOverlap,
            whole: {
                $0.entries[1].gap = Array(HostileZip(HostileZip.entry("evil.js")).bytes.prefix(45))
            }),
        HostileCase(
            "a gap before the end record", .centralDirectoryMismatch, whole: { $0.beforeEnd = junk }
        ),
        HostileCase(
            "a gap before the end record that the directory claims", .badSignature,
            whole: {
                $0.beforeEnd = [UInt8](repeating: 0x41, count: 60)
                $0.end.directorySize = UInt32($0.layout.directorySize + 60)
                $0.end.count = 3
            }),
        HostileCase(
            "a short gap that the directory claims", .countMismatch,
            whole: {
                $0.beforeEnd = junk
                $0.end.directorySize = UInt32($0.layout.directorySize + junk.count)
            }),
        HostileCase(
            "two entries on one body", .gapOrOverlap,
            whole: {
                $0.entries[1] = $0.entries[0]
                $0.entries[1].both { $0.name = Array("b.txt".utf8) }
                $0.entries[1].hasBody = false
                $0.entries[1].central.offset = 0
            }),
        HostileCase(
            "an entry inside another's data", .gapOrOverlap,
            whole: {
                let inner = HostileZip.entry("inner.js")
                let body = Array(HostileZip(inner).bytes.prefix(30 + 8 + 8))
                $0.entries[0] = HostileZip.entry(Array("outer.js".utf8), body)
                $0.entries[1] = inner
                $0.entries[1].hasBody = false
                $0.entries[1].central.offset = 38
            }),
        HostileCase("quoted overlap", .gapOrOverlap, quotedOverlap()),
        HostileCase(
            "entries in another order than their bodies", .prefixedBytes,
            whole: {
                // The directory lists the second entry first; each header still points to its own
                // body.
                let offsets = $0.layout.headerOffsets
                let (first, second) = ($0.entries[0].central, $0.entries[1].central)
                ($0.entries[0].central, $0.entries[1].central) = (second, first)
                $0.entries[0].central.offset = UInt32(offsets[1])
                $0.entries[1].central.offset = UInt32(offsets[0])
            }),
        HostileCase(
            "data beyond the directory", .gapOrOverlap,
            {
                var zip = HostileZip(HostileZip.entry("a.txt"))
                zip.entries[0].both {
                    ($0.size, $0.compressedSize) = ($0.size + 40, $0.compressedSize + 40)
                }
                return zip
            }()),
        HostileCase(
            "a header offset beyond the file", .gapOrOverlap,
            whole: {
                $0.entries[1].central.offset = 0x7FFF_FFFF
            }),
        HostileCase(
            "a header offset inside the directory", .gapOrOverlap,
            whole: {
                $0.entries[1].central.offset = UInt32($0.layout.directoryOffset)
            }),
        HostileCase(
            "a wrong local signature", .badSignature,
            whole: { $0.entries[1].local.signature = 0x4B50 }),
        HostileCase(
            "a spanning marker", .badSignature,
            whole: {
                $0.entries[0].local.signature = 0x0807_4B50
            }),
        HostileCase(
            "a wrong central signature", .badSignature,
            whole: {
                $0.entries[1].central.signature = 0x0605_4B50
            }),
        HostileCase(
            "a central name longer than the directory", .truncatedRecord,
            whole: {
                $0.entries[1].central.nameLength = 0xFFFF
            }),
        HostileCase(
            "a central name that eats the next header", .countMismatch,
            whole: {
                $0.entries[0].central.nameLength = UInt16(5 + 46 + 10)
            }),
        HostileCase(
            "a local name longer than the archive", .truncatedRecord,
            whole: {
                $0.entries[1].local.nameLength = 0xFFFF
            }),
        HostileCase(
            "a local extra field longer than the archive", .truncatedRecord,
            whole: {
                $0.entries[1].local.extraLength = 0xFFFF
            }),
        HostileCase(
            "a central comment longer than the directory", .truncatedRecord,
            whole: {
                $0.entries[1].central.commentLength = 9
            }),
    ]

    /// David Fifield's construction: the first entry's data quotes the header of the second in a
    /// stored deflate block, so that both inflate to one body.
    private static func quotedOverlap() -> HostileZip {
        let inner = HostileCase.deflated
        let header = Array(HostileZip(inner).bytes.prefix(30 + inner.local.name.count))
        var quote: [UInt8] = [0x00]
        quote.append(little: UInt16(header.count))
        quote.append(little: ~UInt16(header.count))
        var outer = HostileZip.entry("outer.js", "", deflated: false)
        outer.content = header + inner.content
        outer.data = quote
        outer.both {
            $0.method = 8
            $0.checksum = HostileZip.checksum(header + inner.content)
            $0.size = UInt32(header.count + inner.content.count)
            $0.compressedSize = UInt32(quote.count + header.count + inner.data.count)
        }
        return HostileZip(outer, inner)
    }
}
