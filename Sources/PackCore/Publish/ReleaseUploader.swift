import PackGround
import PackOrigin
import PackRelease

/// Gives the staged files of a release their public names, and reads them back through these names.
struct ReleaseUploader: Sendable {
    let release: Release
    let store: any WritableStore
    let jobs: Int
    let progress: ProgressSink?
    /// The run that uploads; `nil` for one that only reads back.
    var run: RunState?

    private var version: Version { release.version }

    /// Creates the public files of a release that are not created yet: objects, package, manifest
    /// and deltas, in this order.
    ///
    /// - Throws: ``Failure`` if a name is taken by other content.
    func upload(_ staged: StagedRelease) async throws {
        let first = staged.objects + (staged.package.map { [$0] } ?? [])
        guard let manifest = staged.manifestFile, let run else {
            return try await create(first + staged.deltas)
        }
        try await run.naming(isOver: { $0.isFailure(of: "publish") }) {
            try await create(first + [manifest] + staged.deltas)
        }
    }

    /// Uploads files that nothing names yet while the run does other work, if that saves time.
    ///
    /// - Returns: The files that are left for ``upload(_:)``.
    func uploadEarly(_ uploads: [Upload]) async throws -> [Upload] {
        try await translated {
            try await store.createEarly(counted(uploads))
        }
    }

    /// Compares objects that are there with the files of the build.
    ///
    /// - Returns: those with other content, to replace them.
    func damaged(among objects: [Upload]) async throws -> [Upload] {
        try await store.hashes?.learn(objects, jobs: jobs)
        let contents = objects.map { ObjectReference($0.path, $0.content) }
        let states = try await store.check(contents, jobs: jobs, counter: nil)
        return try zip(objects, states).compactMap { object, state in
            if try state.isWhole() { return nil }
            var upload = object
            upload.conflict = .replace
            upload.isProvedAtOnce = true
            return upload
        }
    }

    /// Replaces objects that have other content than the files of the build.
    ///
    /// - Returns: their places.
    func repair(_ objects: [Upload]) async throws -> [String] {
        let damaged = try await damaged(among: objects)
        if !damaged.isEmpty { try await create(damaged) }
        return damaged.map(\.path)
    }

    /// Replaces damaged files, and creates missing ones.
    func replace(_ uploads: [Upload]) async throws {
        if !uploads.isEmpty { try await create(uploads) }
    }

    private func create(_ uploads: [Upload]) async throws {
        try await translated { _ = try await store.create(counted(uploads)) }
    }

    private func counted(_ uploads: [Upload]) -> [Upload] {
        let counter = ProgressCounter(
            phase: .uploading, total: uploads.clampedSum { $0.content.size }, sink: progress)
        return uploads.map {
            var upload = $0
            upload.counter = counter
            return upload
        }
    }

    private func translated<Result>(_ body: () async throws -> Result) async throws -> Result {
        do {
            return try await body()
        } catch StoreError.taken(let path, let kind) {
            throw taken(path, kind)
        }
    }

    private func taken(_ path: String, _ kind: FileStatus.Kind?) -> Failure {
        let shown = store.display(path)
        if path.hasPrefix("\(OriginLayout.objects)/") {
            return .publishDamagedObject(path: shown, problem: Self.damagedObject)
        }
        // When the run looked for the release, its name was free.
        let isManifest = path == OriginLayout.manifest(version)
        if kind == nil, isManifest || path.hasSuffix(".zip") {
            return .publishConcurrentUpload(path: shown)
        }
        if let kind {
            return .publishForeignFile(
                path: shown, found: kind.name, needed: "a file of the release")
        }
        return .publishDamaged(path: shown, problem: "its content does not match this release")
    }

    static let damagedObject = "its content does not match its name"

    /// Proves a release that this run has no build of.
    ///
    /// - Parameter deltas: what the pointer lists.
    func prove(_ manifest: Manifest, _ deltas: [Pointer.Delta]) async throws {
        if let package = manifest.package {
            let file = ObjectReference(OriginLayout.package(version), package)
            try await store.learn(file, of: release, jobs: jobs)
        }
        try await readBack(manifest, deltas)
    }

    /// Proves everything a client of this release will read, through the public names.
    ///
    /// - Parameter objects: The objects still to be proved; `nil` for all.
    func readBack(
        _ manifest: Manifest, _ deltas: [Pointer.Delta], objects: [ObjectPlan.Object]? = nil
    ) async throws {
        let objects = objects ?? ObjectPlan.needed(by: release)
        let counter = ProgressCounter(
            phase: .verifying, total: objects.clampedSum { $0.asset.size }, sink: progress)
        try await readBack(objects, counter)
        if let package = manifest.package { try await readBack(package: package) }
        for delta in deltas {
            try await readBack(
                OriginLayout.delta(version, from: delta.from), delta.content.content)
        }
    }

    /// Re-reads objects of this release.
    func readBack(
        _ objects: [ObjectPlan.Object], _ counter: ProgressCounter? = nil
    ) async throws {
        let states = try await store.check(
            objects.map(\.content), jobs: jobs, counter: counter)
        for (object, state) in zip(objects, states) {
            guard try state.isWhole() else {
                throw Failure.publishDamagedObject(
                    path: store.display(object.path), problem: Self.damagedObject)
            }
        }
    }

    /// Re-reads files that were uploaded.
    func readBack(_ uploads: [Upload]) async throws {
        for upload in uploads { try await readBack(upload.path, upload.content) }
    }

    /// Re-reads the package of this release.
    func readBack(package: ContentReference) async throws {
        try await readBack(OriginLayout.package(version), package.content)
    }

    /// Re-reads the manifest that a pointer entry names.
    func readBackManifest(of entry: Pointer.Entry) async throws {
        // Read, not only compared: `info.json` becomes what a store that remembers it has read here.
        _ = try await store.read(entry.manifestFile)
    }

    private func readBack(_ path: String, _ content: FileDigest) async throws {
        switch try await store.check(path, content) {
        case .whole: return
        case .unreadable(let error): throw error
        case .missing, .notAFile: throw Failure.originMissing(path: store.display(path))
        case .otherSize, .otherContent:
            throw Failure.publishDamaged(
                path: store.display(path),
                problem: "its content does not match its manifest or pointer")
        }
    }
}
