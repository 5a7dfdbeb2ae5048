import PackArchive
import PackGround
import PackOrigin
import PackRelease

/// Chooses the earlier package that unchanged entries are copied from.
struct PublishReuse: Sendable {
    let request: PublishRequest
    let store: any OriginStore
    let reader: OriginReader

    /// Builds the package of the request's build, and proves it by reading it back.
    ///
    /// - Parameter current: The channel's pointer.
    func build(
        _ name: String, in directory: Directory, after current: Pointer?, notes: inout [String]
    ) async throws -> PackageBuilder.Result {
        try await withArchive(current, notes: &notes) { reuse in
            try await PackageBuilder(
                scan: request.scan, level: request.level, jobs: request.jobs,
                progress: request.progress
            ).build(name, in: directory, reuse: reuse)
        }
    }

    /// Opens the requested package, otherwise that of the channel's current release, otherwise that
    /// of production.
    ///
    /// One that cannot be used costs time but not correctness, so it is noted and skipped.
    ///
    /// - Parameter current: The channel's pointer.
    func withArchive<Result>(
        _ current: Pointer?, notes: inout [String],
        _ body: (ReuseArchive?) async throws -> Result
    ) async throws -> Result {
        if let file = request.reuse {
            return try await body(archive(file.name, in: file.directory, nil, &notes))
        }
        var pointer = current
        if pointer == nil, request.channel != .production {
            pointer = try? await reader.pointer(.production)?.pointer
        }
        guard let pointer else { return try await body(nil) }
        let path = OriginLayout.package(pointer.version)
        guard (try? await store.status(of: path)) != nil else { return try await body(nil) }
        var found: [String] = []
        defer { notes += found }
        return try await store.withFiles([ObjectReference(path, pointer.package)]) { directory in
            try await body(archive(path, in: directory, pointer.package, &found))
        }
    }

    private func archive(
        _ name: String, in directory: Directory, _ published: ContentReference?,
        _ notes: inout [String]
    ) -> ReuseArchive? {
        do {
            let archive = try ReuseArchive.open(
                name, in: directory, level: request.level, published: published)
            if archive == nil {
                notes.append(
                    "'\(directory.display(name))' was packed at another level or "
                        + "by another compressor; every file is compressed again")
            }
            return archive
        } catch {
            let advice = "; run 'packtool verify' on the origin, where more may be damaged"
            notes.append(
                "no entry of the earlier package is reused: \(error)"
                    + (published == nil ? "" : advice))
            return nil
        }
    }
}
