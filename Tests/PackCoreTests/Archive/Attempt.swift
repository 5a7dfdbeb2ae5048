import PackArchive
import PackGround
import PackRelease
import PackZip
import TestSupport
import Testing

/// An attempt to unpack an archive, observed from outside the target.
struct Attempt {
    /// The reason for a refusal; `nil` if it was unpacked.
    let error: (any Error)?
    /// Whether a name outside the target was created, deleted or changed.
    let touchedOutside: Bool
    /// The release in the target, if unpacking succeeded.
    let unpacked: Release?
    /// The release read from the archive without a manifest.
    let readAs: Result<Release, any Error>

    var problem: ArchiveProblem? { error?.archiveProblem }

    /// Unpacks `bytes` next to another file, which an escaping path would affect.
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
    /// A matching manifest, as far as a manifest allows the names of the entries.
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

/// Whether two problems are the same rule; libarchive's messages are not compared.
func isSameRule(_ one: ArchiveProblem?, _ other: ArchiveProblem) -> Bool {
    let unreadable = ArchiveProblem.unreadable("").code
    return one == other || (one?.code == unreadable && other.code == unreadable)
}

extension Error {
    /// The broken rule of a rejected archive.
    var archiveProblem: ArchiveProblem? {
        guard isFailure(of: "archive"), let failure = self as? Failure,
            let end = failure.description.firstRange(of: "': ")
        else { return nil }
        return ArchiveProblem(
            String(failure.code.name.dropFirst("archive.".count)),
            String(failure.description[end.upperBound...]))
    }
}
