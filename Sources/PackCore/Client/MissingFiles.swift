import PackGround
import PackOrigin
import PackRelease

/// The route by single files: those of a release that no release on the device has, under any path.
struct MissingFiles {
    /// In listing order.
    let assets: [Asset]

    var size: UInt64 { assets.clampedSum { $0.size } }

    /// The manifest must be smaller than this part of the package, to be read for a look.
    private static var manifestShare: UInt64 { 10 }
    /// What a request costs, in bytes.
    private static var requestCost: UInt64 { 2 << 10 }

    /// Whether a release's manifest is worth reading.
    static func isPossible(for entry: Pointer.Entry) -> Bool {
        entry.info.size < entry.package.size / manifestShare
    }

    /// - Parameters:
    ///   - known: The content of the files on the device.
    ///   - limit: The largest number of bytes to fetch.
    /// - Returns: `nil` if manifest and files are together larger than the package or the limit.
    init?(
        of release: Release, offered entry: Pointer.Entry, known: Set<Digest>,
        limit: UInt64 = .max
    ) {
        var budget = min(entry.package.size, limit)
        budget -= min(budget, entry.info.size)
        let missing = release.assets.filter { !known.contains($0.sha256) }
        let cost = missing.clampedSum { $0.size.addingClamped(Self.requestCost) }
        guard cost <= budget else { return nil }
        assets = missing
    }
}
