import PackArchive
import PackZip
import TestSupport

extension HostileCases {
    /// Headers with features outside the strict profile, or contradicting each other.
    static let headers: [HostileCase] = methods + flags + differences + comments

    private static let methods: [HostileCase] =
        ([1, 2, 6, 9, 12, 14, 20, 93, 95, 97, 98, 99, 0xFFFF] as [UInt16])
        .flatMap { method in
            [
                HostileCase("method \(method)", .unsupportedMethod(method)) {
                    $0.both { $0.method = method }
                },
                HostileCase("method \(method) in the local header", .unsupportedMethod(method)) {
                    $0.local.method = method
                },
            ]
        } + [
            HostileCase("needs version 4.6", .unsupportedVersion(46)) {
                $0.both { $0.neededVersion = 46 }
            },
            HostileCase("local header needs version 6.3", .unsupportedVersion(63)) {
                $0.local.neededVersion = 63
            },
        ]

    private static let flags: [HostileCase] = {
        let bits: [(String, UInt16, ArchiveProblem)] = [
            ("encrypted", 0x0001, .encrypted), ("strongly encrypted", 0x0040, .encrypted),
            ("masked headers", 0x2000, .encrypted), ("data descriptor", 0x0008, .dataDescriptor),
            ("bit 4", 0x0010, .unsupportedFlags(0x0010)),
            ("patched data", 0x0020, .unsupportedFlags(0x20)),
            ("bit 7", 0x0080, .unsupportedFlags(0x80)),
            ("bit 12", 0x1000, .unsupportedFlags(0x1000)),
            ("bit 15", 0x8000, .unsupportedFlags(0x8000)),
        ]
        return bits.flatMap { name, bit, problem in
            [
                HostileCase("flag: \(name)", problem) { $0.both { $0.flags |= bit } },
                HostileCase("flag in the local header: \(name)", problem) { $0.local.flags |= bit },
                HostileCase("flag in the central header: \(name)", problem) {
                    $0.central.flags |= bit
                },
            ]
        } + [
            HostileCase("a real data descriptor", .dataDescriptor) {
                $0.descriptor.append(little: UInt32(0x0807_4B50))
                $0.descriptor.append(little: $0.central.checksum)
                $0.descriptor.append(little: $0.central.compressedSize)
                $0.descriptor.append(little: $0.central.size)
                $0.both { $0.flags |= 0x0008 }
                $0.local.checksum = 0
                $0.local.compressedSize = 0
                $0.local.size = 0
            },
            HostileCase("a data descriptor nobody announced", .gapOrOverlap) {
                $0.descriptor = [UInt8](repeating: 0, count: 16)
            },
        ]
    }()

    private static let differences: [HostileCase] = {
        typealias Change = @Sendable (inout HostileZip.Header) -> Void
        let fields: [(String, Change)] = [
            ("name", { $0.name = Array("js/evil.js".utf8) }),
            ("name's case", { $0.name = Array("js/Main.js".utf8) }),
            ("method", { $0.method = 0 }),
            ("level flag", { $0.flags ^= 0x0002 }),
            ("UTF-8 flag", { $0.flags ^= 0x0800 }),
            ("checksum", { $0.checksum ^= 1 }),
            ("checksum of zero", { $0.checksum = 0 }),
            ("content size", { $0.size -= 1 }),
            ("content size of zero", { $0.size = 0 }),
        ]
        let swapped = fields.flatMap { name, change in
            [
                HostileCase("local header differs in \(name)", .localHeaderDiffers) {
                    change(&$0.local)
                },
                HostileCase("central header differs in \(name)", .localHeaderDiffers) {
                    change(&$0.central)
                },
            ]
        }
        return swapped + [
            HostileCase("local header differs in compressed size", .localHeaderDiffers) {
                $0.local.compressedSize -= 1
            },
            HostileCase("local header differs in compressed size, upwards", .localHeaderDiffers) {
                $0.local.compressedSize += 1
            },
            HostileCase("central header differs in compressed size", .localHeaderDiffers) {
                $0.central.compressedSize -= 1
            },
            HostileCase("local name is longer", .localHeaderDiffers) { $0.local.name += [0x78] },
            HostileCase("local name is shorter", .localHeaderDiffers) {
                $0.local.name.removeLast()
            },
            HostileCase("stored with two sizes", .storedSizeDiffers, entry: HostileZip.entry("s")) {
                $0.both { $0.size -= 1 }
            },
            HostileCase(
                "stored, claims more than it holds", .storedSizeDiffers,
                entry: HostileZip.entry("s")
            ) {
                $0.both { $0.size += 1000 }
            },
        ]
    }()

    private static let comments: [HostileCase] = [
        HostileCase("a comment on an entry", .entryComment) {
            $0.central.comment = Array("hi".utf8)
        },
        HostileCase("an entry on another disk", .multipleDisks) { $0.central.disk = 1 },
    ]

    /// Extra fields that are malformed, duplicated, or contradict the header.
    static let extras: [HostileCase] = {
        let unicodePath = HostileZip.extra(0x7075, [1, 0, 0, 0, 0] + Array("evil.js".utf8))
        let fields: [(String, [UInt8], ArchiveProblem)] = [
            (
                "longer than the field", HostileZip.extra(0x5455, [1, 2], length: 3),
                .malformedExtra
            ),
            ("far longer", HostileZip.extra(0x5455, [1, 2], length: 0xFFFF), .malformedExtra),
            ("one byte", [0x55], .malformedExtra),
            ("three bytes", [0x55, 0x54, 0x00], .malformedExtra),
            ("bytes after the last", HostileZip.extra(0x5455, [1]) + [0], .malformedExtra),
            (
                "twice", HostileZip.extra(0x5455, [1]) + HostileZip.extra(0x5455, [2]),
                .extraField(0x5455)
            ),
            ("Unicode path", unicodePath, .extraField(0x7075)),
            (
                "Unicode comment", HostileZip.extra(0x6375, [1, 0, 0, 0, 0, 0x78]),
                .extraField(0x6375)
            ),
            ("AES", HostileZip.extra(0x9901, [2, 0, 0x41, 0x45, 3, 8, 0]), .extraField(0x9901)),
            ("strong encryption", HostileZip.extra(0x0017, [2, 0]), .extraField(0x0017)),
            ("Java's mark", HostileZip.extra(0xCAFE, []), .extraField(0xCAFE)),
            ("Android's padding", HostileZip.extra(0xD935, [4, 0, 0, 0]), .extraField(0xD935)),
            ("unknown", HostileZip.extra(0x4242, [0]), .extraField(0x4242)),
        ]
        return fields.flatMap { name, extra, problem in
            [
                HostileCase("extra field in the local header: \(name)", problem) {
                    $0.local.extra = extra
                },
                HostileCase("extra field in the central header: \(name)", problem) {
                    $0.central.extra = extra
                },
            ]
        }
    }()
}
