import TestSupport

extension HostileCases {
    /// Archives with a wrong end record.
    static let ends: [HostileCase] = [
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
}
