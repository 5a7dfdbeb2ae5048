import TestSupport

extension HostileCases {
    /// Content that contradicts the headers, although both headers agree.
    static let content: [HostileCase] = [
        HostileCase("wrong checksum, stored", .checksumDiffers, entry: HostileZip.entry("s")) {
            $0.both { $0.checksum ^= 1 }
        },
        HostileCase("wrong checksum, deflated", .checksumDiffers) { $0.both { $0.checksum ^= 1 } },
        HostileCase("checksum of zero, stored", .checksumDiffers, entry: HostileZip.entry("s")) {
            $0.both { $0.checksum = 0 }
        },
        HostileCase("checksum of zero, deflated", .checksumDiffers) { $0.both { $0.checksum = 0 } },
        HostileCase("broken deflate data", .unreadable("")) {
            $0.data = [UInt8](repeating: 0xFF, count: $0.data.count)
        },
        HostileCase("deflate data that ends early", .unreadable("")) {
            $0.data.removeLast(4)
            $0.both { $0.compressedSize -= 4 }
        },
        HostileCase("bytes after the end of the deflate data", .unreadable("")) {
            $0.data += [0, 0, 0, 0]
            $0.both { $0.compressedSize += 4 }
        },
        HostileCase("a second deflate stream behind the first", .unreadable("")) {
            $0.data += HostileZip.deflate(Array("second".utf8))
            let count = UInt32($0.data.count)
            $0.both { $0.compressedSize = count }
        },
        HostileCase("no deflate data at all", .impossibleRatio, entry: HostileCase.deflated) {
            $0.data = []
            $0.both {
                $0.compressedSize = 0
                $0.size = 1032
            }
        },
        HostileCase("claims to shrink more than deflate can", .impossibleRatio) {
            $0.both { $0.size = 1032 * ($0.compressedSize + 1) }
        },
        HostileCase("claims four gigabytes from a few bytes", .impossibleRatio) {
            $0.both { $0.size = 0xFFFF_FFFE }
        },
        HostileCase(
            "claims sizes that no archive of ours may unpack to", .tooLarge(limit: 16 << 30),
            tooLarge()),
    ]

    /// Valid-looking entries of 4 GiB each: only their sum is too large.
    private static func tooLarge() -> HostileZip {
        let data = [UInt8](repeating: 0, count: 4_200_000)
        return HostileZip(
            entries: (0..<17).map { index in
                var entry = HostileZip.Entry()
                entry.data = data
                entry.both {
                    $0.name = Array("big\(index)".utf8)
                    $0.method = 8
                    $0.compressedSize = UInt32(data.count)
                    $0.size = 0xFFFF_FFFE
                }
                return entry
            })
    }
}
