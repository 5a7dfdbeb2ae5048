import PackArchive
import PackGround
import PackRelease
import TestSupport
import Testing

/// One try to unpack an archive, watched from outside the target.
struct Attempt {
    /// Why it was refused; `nil` where it was unpacked.
    let error: (any Error)?
    /// Whether a name outside the target appeared, vanished or changed.
    let touchedOutside: Bool
    /// The release found in the target, where unpacking succeeded.
    let unpacked: Release?
    /// The release that the archive itself is read as, without a manifest.
    let readAs: Result<Release, any Error>

    var problem: ArchiveError.Problem? { (error as? ArchiveError)?.problem }

    /// Unpacks `bytes` next to a bystander file, which a path that climbs out would meet.
    init(
        _ bytes: [UInt8], expecting release: Release, limits: ExtractionLimits = .standard,
        in folder: TemporaryFolder
    ) async throws {
        let name = uniqueName()
        let box = try folder.makeFolder(name)
        try box.write(bytes, as: "a.zip")
        try box.write(Array("bystander".utf8), as: "x")
        let target = try box.makeFolder("target/inner")
        let before = try box.listing()
        var failure: (any Error)?
        do {
            try await Unpacker("a.zip", in: box.directory(), expecting: release, limits: limits)
                .unpack(into: target.directory(), jobs: 1)
        } catch {
            failure = error
        }
        let inside = { (line: String) in line.hasPrefix("target/inner/") }
        touchedOutside = try before != box.listing().filter { !inside($0) }
        error = failure
        unpacked = failure == nil ? try? await BuildScan.scan(target.path, jobs: 1).release : nil
        do {
            readAs = .success(
                try await PackageReader.release(
                    of: "a.zip", in: box.directory(), jobs: 1, limits: limits))
        } catch {
            readAs = .failure(error)
        }
        try folder.directory().removeTree(name)
    }
}

extension HostileZip {
    /// What a manifest would say of the entries whose names a manifest can hold.
    var claimedRelease: Release {
        var seen: Set<AssetPath> = []
        let assets = entries.compactMap { entry -> Asset? in
            guard let path = try? AssetPath(entry.central.name), seen.insert(path).inserted else {
                return nil
            }
            return Asset(
                path: path, size: UInt64(entry.content.count),
                sha256: StreamHasher.digest(of: entry.content))
        }
        return Release(assets: assets)
    }
}

/// Whether two problems are the same rule; the prose of libarchive is not compared.
func isSameRule(_ one: ArchiveError.Problem?, _ other: ArchiveError.Problem) -> Bool {
    if case .unreadable = one, case .unreadable = other { return true }
    return one == other
}
