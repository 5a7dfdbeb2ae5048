import PackCore
import TestSupport

extension HostileCases {
    private static let junk = [UInt8](repeating: 0x41, count: 30)

    /// Archives whose parts do not tile the file, or whose end record lies.
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
                // The directory lists the second entry first; each header still points to its own body.
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

    /// David Fifield's construction: the first entry's data quotes the header of the second in a stored
    /// deflate block, so that both inflate to one body.
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

    private static let ends: [HostileCase] = [
        HostileCase("count too low", .countMismatch, whole: { $0.end.count = 1 }),
        HostileCase("count of zero", .countMismatch, whole: { $0.end.count = 0 }),
        HostileCase("count too high", .countMismatch, whole: { $0.end.count = 3 }),
        HostileCase("count far too high", .countMismatch, whole: { $0.end.count = 0xFFFE }),
        HostileCase(
            "count here differs", .countMismatch,
            whole: {
                $0.end.countHere = 1
                $0.end.count = 2
            }),
        HostileCase("on disk 1", .multipleDisks, whole: { $0.end.disk = 1 }),
        HostileCase("directory on disk 1", .multipleDisks, whole: { $0.end.directoryDisk = 1 }),
        HostileCase(
            "directory offset one less", .centralDirectoryMismatch,
            whole: {
                $0.end.directoryOffset = UInt32($0.layout.directoryOffset - 1)
            }),
        HostileCase(
            "directory offset one more", .centralDirectoryMismatch,
            whole: {
                $0.end.directoryOffset = UInt32($0.layout.directoryOffset + 1)
            }),
        HostileCase(
            "directory offset of zero", .centralDirectoryMismatch,
            whole: {
                $0.end.directoryOffset = 0
            }),
        HostileCase(
            "directory offset beyond the file", .centralDirectoryMismatch,
            whole: {
                $0.end.directoryOffset = 0xFFFF_FFFE
            }),
        HostileCase(
            "directory size one less", .centralDirectoryMismatch,
            whole: {
                $0.end.directorySize = UInt32($0.layout.directorySize - 1)
            }),
        HostileCase(
            "directory size one more", .centralDirectoryMismatch,
            whole: {
                $0.end.directorySize = UInt32($0.layout.directorySize + 1)
            }),
        HostileCase(
            "directory one earlier and one longer", .badSignature,
            whole: {
                $0.end.directoryOffset = UInt32($0.layout.directoryOffset - 1)
                $0.end.directorySize = UInt32($0.layout.directorySize + 1)
            }),
        HostileCase(
            "directory that starts at its second header", .prefixedBytes,
            whole: {
                $0.end.directoryOffset = UInt32($0.layout.directoryOffset + 46 + 5)
                $0.end.directorySize = UInt32($0.layout.directorySize - 46 - 5)
                $0.end.count = 1
            }),
        HostileCase("trailing byte", .noEndRecord, whole: { $0.trailing = [0] }),
        HostileCase("trailing bytes", .noEndRecord, whole: { $0.trailing = junk }),
        HostileCase(
            "another archive behind", .centralDirectoryMismatch,
            whole: {
                $0.trailing = HostileZip(HostileZip.entry("evil.js")).bytes
            }),
        HostileCase(
            "comment longer than it says", .noEndRecord,
            whole: {
                $0.end.comment = junk
                $0.end.commentLength = UInt16(junk.count - 1)
            }),
        HostileCase(
            "comment shorter than it says", .noEndRecord,
            whole: {
                $0.end.comment = junk
                $0.end.commentLength = UInt16(junk.count + 1)
            }),
        HostileCase(
            "comment announced, none there", .noEndRecord, whole: { $0.end.commentLength = 0xFFFF }),
        HostileCase(
            "a wrong end signature", .noEndRecord, whole: { $0.end.signature = 0x0605_4B51 }),
        HostileCase(
            "two end records", .centralDirectoryMismatch,
            whole: {
                $0.trailing = Array($0.bytes.suffix(22))
            }),
        HostileCase(
            "an end record hidden in the comment", .centralDirectoryMismatch,
            whole: {
                let record = Array($0.bytes.suffix(22))
                $0.end.comment = record
            }),
        HostileCase(
            "an end record hidden in the comment that claims the first", .countMismatch,
            whole: {
                var hidden = HostileZip.EndRecord()
                hidden.count = 2
                let layout = $0.layout
                var other = $0
                other.end.directorySize = UInt32(layout.directorySize + 22)
                $0.end.comment = Array(other.bytes.suffix(22))
            }),
        HostileCase(
            "an archive hidden in the comment", .centralDirectoryMismatch,
            whole: {
                $0.end.comment = HostileZip(HostileZip.entry("evil.js")).bytes
            }),
        HostileCase(
            "an end signature hidden in a short comment", .ambiguousEndRecord,
            whole: {
                $0.end.comment = [0x50, 0x4B, 0x05, 0x06]
            }),
        HostileCase(
            "an end signature in the middle of a short comment", .ambiguousEndRecord,
            whole: {
                $0.end.comment = Array("see PK\u{05}\u{06} here".utf8)
            }),
    ]

    /// Zip64 records that are not needed, contradict the plain ones, or are cut short.
    static let zip64: [HostileCase] = {
        // One plain field is full, so that the zip64 record counts.
        let full = { (name: String, change: (inout HostileZip.Zip64) -> Void) in
            HostileCase(
                "zip64 end: \(name)", .zip64Mismatch,
                whole: {
                    var zip64 = HostileZip.Zip64()
                    change(&zip64)
                    $0.zip64 = zip64
                    $0.end.directoryOffset = 0xFFFF_FFFF
                })
        }
        let ends = [
            HostileCase(
                "zip64 end records nobody refers to", .centralDirectoryMismatch,
                whole: {
                    $0.zip64 = HostileZip.Zip64()
                }),
            HostileCase(
                "zip64 end: full count without the records", .zip64Mismatch,
                whole: {
                    $0.end.count = 0xFFFF
                }),
            HostileCase(
                "zip64 end: full size without the records", .zip64Mismatch,
                whole: {
                    $0.end.directorySize = 0xFFFF_FFFF
                }),
            HostileCase(
                "zip64 end: count not needed", .zip64Mismatch,
                whole: {
                    $0.zip64 = HostileZip.Zip64()
                    $0.end.count = 0xFFFF
                }),
            HostileCase(
                "zip64 end: size not needed", .zip64Mismatch,
                whole: {
                    $0.zip64 = HostileZip.Zip64()
                    $0.end.directorySize = 0xFFFF_FFFF
                }),
            full("offset not needed") { _ in },
            full("no record") { $0.hasRecord = false },
            full("no locator") { $0.hasLocator = false },
            full("record signature") { $0.signature ^= 1 },
            full("record says it is longer") { $0.recordSize = 45 },
            full("record says it is shorter") { $0.recordSize = 43 },
            full("record says it is endless") { $0.recordSize = .max },
            full("record with extensible data") {
                $0.extensible = [1, 2, 3, 4]
                $0.recordSize = 48
            },
            full("record on another disk") { $0.disk = 1 },
            full("directory on another disk") { $0.directoryDisk = 1 },
            full("counts differ") {
                $0.countHere = 1
                $0.count = 2
            },
            full("count differs from the plain one") { $0.count = 3 },
            full("size differs from the plain one") { $0.directorySize = 1 },
            full("locator signature") { $0.locatorSignature ^= 1 },
            full("locator on another disk") { $0.locatorDisk = 1 },
            full("locator points one off") { $0.recordOffset = 1 },
            full("locator points beyond everything") { $0.recordOffset = .max },
            full("locator counts two disks") { $0.disks = 2 },
            full("locator counts no disk") { $0.disks = 0 },
        ]
        return ends + entryZip64 + [
            HostileCase(
                "zip64 end: offset beyond everything", .centralDirectoryMismatch,
                whole: {
                    $0.zip64 = HostileZip.Zip64()
                    $0.zip64?.directoryOffset = .max
                    $0.end.directoryOffset = 0xFFFF_FFFF
                }),
            HostileCase(
                "zip64 end: truncated, nothing before", .zip64Mismatch,
                {
                    var zip = HostileZip(entries: [])
                    zip.zip64 = HostileZip.Zip64()
                    zip.zip64?.hasRecord = false
                    zip.end.count = 0xFFFF
                    return zip
                }()),
        ]
    }()

    private static let entryZip64: [HostileCase] = {
        let full: UInt32 = 0xFFFF_FFFF
        let size = HostileCase.deflated.central.size
        let compressed = HostileCase.deflated.central.compressedSize
        return [
            HostileCase("zip64 entry: full size, no field", .zip64Mismatch) {
                $0.both { $0.size = full }
            },
            HostileCase("zip64 entry: full offset, no field", .zip64Mismatch) {
                $0.central.offset = full
            },
            HostileCase("zip64 entry: field nobody refers to", .zip64NotNeeded) {
                $0.central.extra = HostileZip.zip64Extra(UInt64(size))
            },
            HostileCase("zip64 entry: size not needed", .zip64NotNeeded) {
                $0.central.size = full
                $0.central.extra = HostileZip.zip64Extra(UInt64(size))
            },
            HostileCase("zip64 entry: offset not needed", .zip64NotNeeded) {
                $0.central.offset = full
                $0.central.extra = HostileZip.zip64Extra(46)
            },
            HostileCase("zip64 entry: both sizes not needed", .zip64NotNeeded) {
                $0.both {
                    ($0.size, $0.compressedSize) = (full, full)
                    $0.extra = HostileZip.zip64Extra(UInt64(size), UInt64(compressed))
                }
            },
            HostileCase("zip64 entry: not needed in the local header alone", .zip64NotNeeded) {
                ($0.local.size, $0.local.compressedSize) = (full, full)
                $0.local.extra = HostileZip.zip64Extra(UInt64(size), UInt64(compressed))
            },
            HostileCase("zip64 entry: local field nobody refers to", .zip64NotNeeded) {
                $0.local.extra = HostileZip.zip64Extra(UInt64(size), UInt64(compressed))
            },
            HostileCase("zip64 entry: local field of one number", .malformedExtra) {
                $0.local.size = full
                $0.local.extra = HostileZip.zip64Extra(UInt64(size))
            },
            HostileCase("zip64 entry: more numbers than full fields", .zip64NotNeeded) {
                $0.central.size = full
                $0.central.extra = HostileZip.zip64Extra(1 << 32, 1 << 32)
            },
            HostileCase("zip64 entry: fewer numbers than full fields", .zip64NotNeeded) {
                ($0.central.size, $0.central.compressedSize) = (full, full)
                $0.central.extra = HostileZip.zip64Extra(1 << 32)
            },
            HostileCase("zip64 entry: four numbers", .malformedExtra) {
                $0.central.extra = HostileZip.zip64Extra(1, 2, 3, 4)
            },
            HostileCase("zip64 entry: half a number", .malformedExtra) {
                $0.central.extra = HostileZip.extra(0x0001, [1, 2, 3, 4])
            },
            HostileCase("zip64 entry: no number", .malformedExtra) {
                $0.central.extra = HostileZip.extra(0x0001, [])
            },
            HostileCase("zip64 entry: field twice", .extraField(1)) {
                $0.central.size = full
                $0.central.extra = HostileZip.zip64Extra(1 << 32) + HostileZip.zip64Extra(1 << 32)
            },
            HostileCase("zip64 entry: truncated field", .malformedExtra) {
                $0.central.size = full
                $0.central.extra = HostileZip.extra(0x0001, [0, 0, 0, 0], length: 8)
            },
            HostileCase("zip64 entry: offset beyond everything", .gapOrOverlap) {
                $0.central.offset = full
                $0.central.extra = HostileZip.zip64Extra(.max)
            },
            HostileCase("zip64 entry: sizes that overflow the file", .gapOrOverlap) {
                $0.both {
                    ($0.size, $0.compressedSize) = (full, full)
                    $0.extra = HostileZip.zip64Extra(.max, .max)
                }
            },
            HostileCase("zip64 entry: local numbers contradict", .localHeaderDiffers) {
                $0.both { ($0.size, $0.compressedSize) = (full, full) }
                $0.central.extra = HostileZip.zip64Extra(1 << 33, 1 << 32)
                $0.local.extra = HostileZip.zip64Extra(1 << 34, 1 << 32)
            },
        ]
    }()
}
