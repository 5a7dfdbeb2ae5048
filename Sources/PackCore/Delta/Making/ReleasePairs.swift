package import PackDeltaFile
package import PackGround
package import PackRelease

/// Pairs old and new files if both name and content changed.
package enum ReleasePairs {
    /// Pairs files by their names without content hashes; of several with one name, the one of
    /// nearest size.
    ///
    /// - Returns: The old path of each new path with one.
    package static func byName(from old: Release, to new: Release) -> [AssetPath: AssetPath] {
        let oldPaths = Set(old.assets.map(\.path))
        let newPaths = Set(new.assets.map(\.path))
        var gone: [[UInt8]: [Asset]] = [:]
        for asset in old.assets where !newPaths.contains(asset.path) {
            gone[NameStem.of(asset.path), default: []].append(asset)
        }
        var candidates: [(distance: UInt64, new: AssetPath, old: AssetPath)] = []
        for asset in new.assets where !oldPaths.contains(asset.path) {
            for before in gone[NameStem.of(asset.path)] ?? [] {
                let distance =
                    asset.size > before.size ? asset.size - before.size : before.size - asset.size
                candidates.append((distance, asset.path, before.path))
            }
        }
        candidates.sort { ($0.distance, $0.new, $0.old) < ($1.distance, $1.new, $1.old) }
        return unique(candidates.map { ($0.new, $0.old) })
    }

    /// Pairs files as a delta codes them: each with the deleted file with which it shares most.
    ///
    /// - Throws: ``Failure``; ``Failure/buildChangedWhileRead(path:)``.
    package static func byContent(
        from old: AssetSource, to new: AssetSource
    ) throws -> [AssetPath: AssetPath] {
        let buffer = ByteBuffer.forReading()
        let plan = try DeltaPlan(
            from: old.release, to: new.release,
            readOld: { try old.read($0, through: buffer, piece: $1) },
            readNew: { try new.read($0, through: buffer, piece: $1) },
            shrinks: { _ in true })
        return of(plan)
    }

    /// The pairs of a delta plan.
    package static func of(_ plan: DeltaPlan) -> [AssetPath: AssetPath] {
        let kept = Set(plan.new.assets.map(\.path))
        return unique(
            plan.bases.compactMap { new, base in
                let path = plan.old.assets[base].path
                return kept.contains(path) ? nil : (new, path)
            })
    }

    /// Keeps the first pair of each path.
    private static func unique(
        _ pairs: [(new: AssetPath, old: AssetPath)]
    ) -> [AssetPath: AssetPath] {
        var result: [AssetPath: AssetPath] = [:]
        var taken: Set<AssetPath> = []
        for pair in pairs where result[pair.new] == nil && taken.insert(pair.old).inserted {
            result[pair.new] = pair.old
        }
        return result
    }
}
