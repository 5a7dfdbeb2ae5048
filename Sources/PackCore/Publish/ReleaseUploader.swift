import PackGround
import PackOrigin
import PackRelease

/// Gives the staged files of a release their public names, and reads them back through these names.
struct ReleaseUploader: Sendable {
    let release: Release
    let store: any WritableStore
    let jobs: Int
    let progress: ProgressSink?
    /// The run's intent, in a store without a lock.
    var announced: IntentHandle?

    private var version: Version { release.version }

    /// Makes everything immutable public: objects, then package, manifest and deltas.
    ///
    /// - Throws: ``PublishError`` where a name is taken by other content.
    func upload(_ staged: StagedRelease) async throws {
        var uploads = staged.objects
        if let package = staged.package, let manifest = staged.manifestFile {
            uploads.append(self.package(package, of: manifest))
        }
        if let manifest = staged.manifestFile { uploads.append(manifest) }
        uploads += staged.deltas
        guard staged.manifestFile != nil else { return try await create(uploads) }
        try await announced.naming { try await create(uploads) }
    }

    /// Makes objects or deltas public before something names them, and reads them back.
    func uploadAndProve(_ uploads: [Upload]) async throws {
        try await create(
            uploads.map {
                var upload = $0
                upload.isProvedAtOnce = true
                return upload
            })
    }

    /// Compares objects that are there with the files of the build.
    ///
    /// - Returns: those with other content, to replace them.
    func damaged(among objects: [Upload]) async throws -> [Upload] {
        try await store.learn(objects, jobs: jobs)
        let contents = objects.map { ObjectReference($0.place, $0.content) }
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
        return damaged.map(\.place)
    }

    /// Replaces damaged files, and creates missing ones.
    func replace(_ uploads: [Upload]) async throws {
        if !uploads.isEmpty { try await create(uploads) }
    }

    /// Makes the package public before the deltas are made, if it is new.
    func uploadEarly(packageOf staged: StagedRelease) async throws {
        guard let package = staged.package, let manifest = staged.manifestFile else { return }
        try await create([self.package(package, of: manifest)])
    }

    /// Makes the manifest public, if it is new; all that it names is there.
    func upload(manifestOf staged: StagedRelease) async throws {
        guard let manifest = staged.manifestFile else { return }
        try await announced.naming(isOver: \.meansDenial) { try await create([manifest]) }
    }

    private func package(_ upload: Upload, of manifest: Upload) -> Upload {
        var package = upload
        // An interrupted publish may have left another package. Nothing refers to it until its manifest is
        // there, so it is replaced. Without a lock that publish may still be at work (``OrphanedPackage``).
        if store.hasLock { package.conflict = .replaceUnless(manifest.place) }
        // If a power cut left the manifest without its package, the release could never be published again.
        package.isDurableFirst = true
        return package
    }

    private func create(_ uploads: [Upload]) async throws {
        let counter = ProgressCounter(
            phase: .uploading, total: uploads.clampedSum { $0.content.size }, sink: progress)
        let counted = uploads.map {
            var upload = $0
            upload.counter = counter
            return upload
        }
        do {
            _ = try await store.create(counted)
        } catch StoreError.taken(let place, let kind) {
            throw taken(place, kind)
        }
    }

    private func taken(_ place: String, _ kind: FileStatus.Kind?) -> PublishError {
        let shown = store.display(place)
        if place.hasPrefix("\(OriginLayout.objects)/") {
            return .damagedObject(place: shown, problem: Self.damagedObject)
        }
        // There was no manifest when the release was looked at; a package may have been there under a lock.
        let isManifest = place == OriginLayout.manifest(version)
        if kind == nil, isManifest || !store.hasLock && place.hasSuffix(".zip") {
            return .uploadedMeanwhile(place: shown)
        }
        if let kind {
            return .foreign(place: shown, found: kind.name, needed: "a file of the release")
        }
        return .damaged(place: shown, problem: "its content does not match this release")
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
    func readBack(
        _ manifest: Manifest, _ deltas: [Pointer.Delta]
    ) async throws {
        let counter = ProgressCounter(
            phase: .verifying, total: release.totalBytes, sink: progress)
        try await readBack(ObjectPlan.needed(by: release), counter)
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
                throw PublishError.damagedObject(
                    place: store.display(object.place), problem: Self.damagedObject)
            }
        }
    }

    /// Re-reads files that were uploaded.
    func readBack(_ uploads: [Upload]) async throws {
        for upload in uploads { try await readBack(upload.place, upload.content) }
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

    private func readBack(_ place: String, _ content: FileDigest) async throws {
        switch try await store.check(place, content) {
        case .whole: return
        case .unreadable(let error): throw error
        case .missing, .notAFile: throw OriginError.missing(place: store.display(place))
        case .otherSize, .otherContent:
            throw PublishError.damaged(
                place: store.display(place),
                problem: "its content does not match its manifest or pointer")
        }
    }
}
