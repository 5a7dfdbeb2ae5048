import PackDelta

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
        let memory: Int
        /// The file; `nil` for one at the origin.
        let file: String?
        var conflict = Upload.Conflict.replace
    }

    private func build(
        from base: AssetSource, to new: AssetSource, in directory: Directory
    ) async throws -> Proved {
        let builder = DeltaBuilder(
            from: base, to: new, jobs: jobs,
            progress: progress(sink, about: "delta from \(base.release.version)"),
            info: { [packed = target.packed] in try await packed.value.info })
        // With a lock, who left a delta is not at work.
        var conflict = Upload.Conflict.replace
        if !store.hasLock {
            let place = OriginLayout.delta(version, from: base.release.version)
            switch try await LeftDelta.look(
                at: place, in: store, by: builder, target.packed, in: directory)
            {
            case .whole(let content, let memory):
                return Proved(content: content, memory: memory, file: nil)
            case .unusable(let revision): conflict = .replaceOnly(revision)
            case .none: conflict = .keep
            }
        }
        let name = "delta.zip"
        let made = try await builder.buildProved(name, in: directory)
        return Proved(content: made.digest, memory: made.memory, file: name, conflict: conflict)
    }

    /// Hands out the files of a release: its objects, or, where each would be a request, its package.
    private func source<Result>(
        of release: Release, _ package: ContentReference?, in workshop: Directory,
        _ body: (AssetSource) async throws -> Result
    ) async throws -> Result {
        if store.prefersPackages, let package,
            let tree = try await unpacked(release, package, in: workshop)
        {
            let result = try await body(AssetSource(tree: tree, release: release))
            try workshop.removeTree(release.version.description)
            return result
        }
        return try await store.withObjects(of: release) {
            try await body(AssetSource(objects: $0, release: release))
        }
    }

    /// The files of a package of the origin.
    ///
    /// - Returns: `nil` for a package that is missing or damaged: the objects may not be.
    private func unpacked(
        _ release: Release, _ package: ContentReference, in workshop: Directory
    ) async throws -> Directory? {
        let name = release.version.description
        let archive = "\(name).zip"
        let place = OriginLayout.package(release.version)
        do {
            try await store.fetch(PlacedContent(place, package), into: workshop, as: archive)
            try workshop.makeDirectory(name)
            let tree = try workshop.directory(name)
            try await Unpacker(archive, in: workshop, expecting: release)
                .unpack(into: tree, jobs: jobs)
            try workshop.removeFile(archive)
            return tree
        } catch {
            guard error is OriginError || error is ArchiveError else { throw error }
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
            let result = try await source(of: base.release, base.package, in: directory) { source in
                switch target.content {
                case .tree(let tree):
                    return try await build(
                        from: source, to: AssetSource(tree: tree, release: target.release),
                        in: directory)
                case .objects:
                    return try await self.source(
                        of: target.release, target.published, in: directory
                    ) { try await build(from: source, to: $0, in: directory) }
                }
            }
            guard Self.pays(result.content.size, try await target.packed.value.size) else {
                return .tooLarge(result.content.size)
            }
            let base = base.release
            let place = OriginLayout.delta(version, from: base.version)
            let pointer = Pointer.Delta(
                from: base.version, fromHash: base.packageHash,
                content: ContentReference(
                    url: baseURL.url(of: place), sha256: result.content.sha256,
                    size: result.content.size),
                memory: UInt64(result.memory))
            return .made(
                Made(
                    pointer: pointer, staged: result.file.map { "\(name)/\($0)" },
                    conflict: result.conflict))
        } catch {
            return .failed(error)
        }
    }
}
