import PackArchive
import PackDeltaFile
import PackDeltaMaking
import PackGround
import PackOrigin
import PackRelease
import PackZip

/// Makes one delta, or takes over what another run left.
extension DeltaMaker {
    /// What became of one delta.
    enum Attempt: Sendable {
        case made(Made)
        case tooLarge(UInt64)
        case failed(any Error)
    }

    /// A delta that was proved.
    private struct Proved {
        let content: FileDigest
        let needs: Pointer.Needs
        /// The file; `nil` for one at the origin.
        let file: String?
        var conflict = Upload.Conflict.replace
    }

    private func build(
        from old: AssetSource, of base: Base, to new: AssetSource, in directory: Directory
    ) async throws -> Proved {
        var conflict = Upload.Conflict.replace
        if usesLeftDeltas {
            let path = OriginLayout.delta(version, from: base.release.version)
            let left = try await OrphanedDelta.look(
                at: path, in: store, target.packed, in: directory
            ) {
                name in
                // Another version of packtool may have used files that ours does not.
                try await source(of: base.release, base.package, only: nil, in: directory) {
                    try await builder(from: $0, to: new).prove(name, in: directory)
                }
            }
            switch left {
            case .whole(let content, let needs):
                return Proved(content: content, needs: needs, file: nil)
            case .unusable(let revision): conflict = .replaceOnly(revision)
            case .none: conflict = .keep
            }
        }
        let name = "delta.zip"
        let made = try await builder(from: old, to: new).buildProved(name, in: directory)
        return Proved(
            content: made.digest, needs: Pointer.Needs(made.memory, made.work), file: name,
            conflict: conflict)
    }

    private func builder(from old: AssetSource, to new: AssetSource) -> DeltaBuilder {
        DeltaBuilder(
            from: old, to: new, jobs: jobs,
            progress: progress(sink, about: "delta from \(old.release.version)"),
            info: { [packed = target.packed] in try await packed.value.info })
    }

    /// Hands out files of a release: its objects, or, where each would be a request, its package.
    ///
    /// - Parameter wanted: The files that are needed; `nil` for all. Objects are all there.
    private func source<Result>(
        of release: Release, _ package: ContentReference?, only wanted: Set<AssetPath>?,
        in workshop: Directory, _ body: (AssetSource) async throws -> Result
    ) async throws -> Result {
        if store.localFiles == nil, let package,
            let tree = try await unpacked(release, package, only: wanted, in: workshop)
        {
            let result = try await body(AssetSource(tree: tree.directory, release: release))
            try workshop.removeTree(tree.name)
            return result
        }
        return try await store.withObjects(of: release) {
            try await body(AssetSource(objects: $0, release: release))
        }
    }

    /// Files of a package of the origin.
    ///
    /// - Returns: `nil` for a package that is missing or damaged: the objects may not be.
    private func unpacked(
        _ release: Release, _ package: ContentReference, only wanted: Set<AssetPath>?,
        in workshop: Directory
    ) async throws -> (name: String, directory: Directory)? {
        let name = uniqueName()
        let archive = "\(name).zip"
        let path = OriginLayout.package(release.version)
        do {
            try await store.fetch(ObjectReference(path, package), into: workshop, as: archive)
            try workshop.makeDirectory(name)
            let tree = try workshop.directory(name)
            try await Unpacker(archive, in: workshop, expecting: release, only: wanted)
                .unpackProved(into: tree, jobs: jobs)
            try workshop.removeFile(archive)
            return (name, tree)
        } catch {
            guard error.isFailure(of: "origin", "archive") else { throw error }
            return nil
        }
    }

    func attempt(
        from base: Base, _ index: Int, _ staging: Directory
    ) async -> Attempt {
        do {
            let name = "delta-\(index)"
            try staging.makeDirectory(name)
            let directory = try staging.directory(name)
            // What both have at the same path, no delta of ours reads.
            let differences = target.release.differences(from: base.release)
            let old = Set(differences.compactMap(\.old).map { base.release.assets[$0].path })
            let new = Set(differences.compactMap(\.new).map { target.release.assets[$0].path })
            let result = try await source(
                of: base.release, base.package, only: old, in: directory
            ) { source in
                switch target.content {
                case .tree(let tree):
                    return try await build(
                        from: source, of: base,
                        to: AssetSource(tree: tree, release: target.release),
                        in: directory)
                case .objects:
                    return try await self.source(
                        of: target.release, target.published, only: new, in: directory
                    ) { try await build(from: source, of: base, to: $0, in: directory) }
                }
            }
            guard Self.pays(result.content.size, try await target.packed.value.size) else {
                return .tooLarge(result.content.size)
            }
            let base = base.release
            let path = OriginLayout.delta(version, from: base.version)
            let pointer = Pointer.Delta(
                from: base.version, fromHash: base.packageHash,
                content: ContentReference(
                    url: baseURL.url(of: path), sha256: result.content.sha256,
                    size: result.content.size),
                needs: result.needs)
            return .made(
                Made(
                    pointer: pointer, staged: result.file.map { "\(name)/\($0)" },
                    conflict: result.conflict))
        } catch {
            return .failed(error)
        }
    }
}
