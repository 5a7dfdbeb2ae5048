import TestSupport

extension HostileCases {
    /// Zip64 records that are unnecessary, contradict the plain ones, or are truncated.
    static let zip64: [HostileCase] = {
        // One plain field is saturated, so that the zip64 record is effective.
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
