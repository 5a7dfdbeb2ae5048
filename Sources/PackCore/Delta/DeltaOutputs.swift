import PackDelta
import PackGround
import PackRelease

/// Every file in the new tree of a delta, by its source.
struct DeltaOutputs {
    /// Old assets to copy, with their new paths.
    private(set) var copies: [(asset: Asset, path: AssetPath)] = []
    /// The files produced by the streams.
    let listings: [DeltaListing]
    /// All paths, sorted.
    let paths: [AssetPath]

    /// Combines the outputs of manifest and streams.
    ///
    /// - Throws: ``Failure`` if a path is missing in the base, or is created twice.
    init(
        _ manifest: DeltaManifest, base: Release, listings: [DeltaListing], delta: String
    ) throws {
        self.listings = listings
        // Sorted lists instead of dictionaries, which would take 20 MB each for a tree of 200,000
        // files.
        let old = base.assets
        let invalid = { (problem: String) in
            Failure.deltaInvalidManifest(path: delta, problem: problem)
        }
        let valid = { (path: [UInt8]) throws(Failure) -> AssetPath in
            if let path = try? AssetPath(path) { return path }
            throw invalid("it creates '\(printable(path))', which is not a valid path")
        }
        var isGone = [Bool](repeating: false, count: old.count)
        for path in manifest.delete {
            guard let index = old.index(of: path), !isGone[index] else {
                throw invalid("it deletes '\(path)', which is not in the base")
            }
            isGone[index] = true
        }
        var made: [AssetPath] = manifest.add
        for (new, source) in manifest.copy {
            guard let index = old.index(of: source) else {
                throw invalid("it copies '\(source)', which is not in the base")
            }
            copies.append((old[index], new))
            made.append(new)
        }
        for (number, listing) in listings.enumerated() {
            for (index, file) in listing.files.enumerated() {
                let path = try valid(file.path)
                if let base = file.base, old[base].path != path, !file.keepsBase {
                    isGone[base] = true
                }
                if file.isContinued {
                    guard index == 0, number > 0,
                        listings[number - 1].files.last?.path == file.path
                    else { throw invalid("it continues '\(path)', which was not started") }
                } else {
                    made.append(path)
                }
            }
            for copy in listing.copies {
                let path = try valid(copy.path)
                if !copy.keepsBase { isGone[copy.base] = true }
                copies.append((old[copy.base], path))
                made.append(path)
            }
        }
        made.sort()
        if zip(made, made.dropFirst()).contains(where: { $0 == $1 }) {
            throw invalid("it creates one path twice")
        }
        var paths: [AssetPath] = []
        paths.reserveCapacity(made.count + old.count)
        var next = 0
        for (index, asset) in old.enumerated() {
            while next < made.count, made[next] < asset.path {
                paths.append(made[next])
                next += 1
            }
            if isGone[index] || next < made.count && made[next] == asset.path { continue }
            copies.append((asset, asset.path))
            paths.append(asset.path)
        }
        self.paths = paths + made[next...]
    }

    /// Checks the names of all outputs.
    ///
    /// - Throws: ``Failure/deltaUnexpectedMember(delta:name:)`` for junk,
    ///   ``Failure/deltaInvalidManifest(path:problem:)`` for a name that is not allowed in a
    ///   release: the original build had none, so the delta is at fault.
    func checkNames(delta: String) throws(Failure) {
        if let junk = paths.first(where: JunkFiles.isJunk(in:)) {
            throw .deltaUnexpectedMember(delta: delta, name: printable(junk.bytes))
        }
        let bad = paths.lazy.compactMap { path in path.portabilityProblem.map { (path, $0) } }.first
        guard let (path, problem) = bad ?? NameCollisions.find(in: paths).first else { return }
        let name = printable(path.bytes)
        throw .deltaInvalidManifest(
            path: delta,
            problem: "it creates '\(name)', which is not allowed in a release: \(problem.reason)")
    }
}
