import PackArchive
import PackGround
import PackOrigin
import PackRelease

/// Stages all files of a release: objects, package, manifest, deltas.
struct ReleaseStager: Sendable {
    let request: PublishRequest
    let store: any WritableStore
    let history: OriginHistory
    let state: PublishState
    let staging: Staging
    let uploader: ReleaseUploader
    let pending: PendingUploads
    let ahead: PublishPrefetch?

    private var release: Release { request.scan.release }
    private var version: Version { release.version }

    func stage(
        _ objects: ObjectPlan, _ report: inout PublishReport
    ) async throws -> StagedRelease {
        let counter = ProgressCounter(
            phase: .staging, total: objects.missing.clampedSum { $0.asset.size },
            sink: request.progress)
        let stagedObjects = try await store.stage(
            objects.uploads(from: request.scan.directory), in: staging, jobs: request.jobs,
            counter: counter)
        // In a remote store, uploads run while the processors pack and code the deltas.
        async let left = uploader.uploadEarly(stagedObjects)
        async let damaged = repair(objects)
        let packed = Promise<DeltaMaker.Packed>()
        var (staged, (deltas, leftDeltas)) = try await store.together {
            do {
                var staged = try await stageRelease(&report)
                packed.set(.init(staged))
                staged.package = try await uploader.uploadEarly(
                    staged.package.map { [$0] } ?? []
                ).first
                return staged
            } catch {
                packed.abandon()
                throw error
            }
        } _: { _ in
            let deltas = try await makeDeltas(to: packed)
            return (deltas, uploadBeside(deltas.uploads(to: version, in: staging)))
        }
        staged.objects = try await left
        report.notes += try await damaged.map {
            "'\(store.display($0))' was damaged and is replaced; purge it where a cache may have it"
        }
        report.count(deltas)
        staged.deltas = leftDeltas
        staged.entry.deltas = report.deltas
        return staged
    }

    /// Uploads deltas in a remote store, which the manifest does not name, while the run goes on.
    ///
    /// - Returns: The files that are left for ``ReleaseUploader/upload(_:)``.
    private func uploadBeside(_ uploads: [Upload]) -> [Upload] {
        guard store.readsAtOnce > 1 else { return uploads }
        guard !uploads.isEmpty else { return [] }
        pending.add { [uploader] in _ = try await uploader.uploadEarly(uploads) }
        return []
    }

    /// Replaces damaged objects in a store that can compare them without reading.
    private func repair(_ objects: ObjectPlan) async throws -> [String] {
        guard let hashes = store.hashes else { return [] }
        hashes.markUnverified(try await objects.unproved(state, history).map(\.path))
        return try await uploader.repair(objects.replacements(from: request.scan.directory))
    }

    private func makeDeltas(
        to packed: Promise<DeltaMaker.Packed>
    ) async throws -> DeltaMaker.Outcome {
        try await DeltaMaker(request, state, store, history, packed: packed)
            .make(in: staging.directory)
    }

    /// The release's manifest: the one that is published already, else a new one with a new package.
    private func stageRelease(_ report: inout PublishReport) async throws -> StagedRelease {
        let path = OriginLayout.manifest(version)
        var staged: StagedRelease
        if let published = state.manifest, let info = state.manifestReference {
            guard let package = published.package else {
                throw Failure.publishDamaged(
                    path: store.display(path), problem: "it names no package")
            }
            staged = self.staged(published, info, package, report)
        } else {
            var package: Upload?
            let reference: ContentReference
            if let known = state.package {
                // The release's package at the origin, which its corrected manifest names, too.
                reference = self.reference(
                    to: OriginLayout.package(version), known.content)
            } else {
                let content: FileDigest
                (package, content) = try await stagePackage(&report)
                reference = self.reference(to: OriginLayout.package(version), content)
            }
            let manifest = try request.manifest.manifest(of: release, package: reference)
            let bytes = try ManifestCoding.encode(manifest)
            let content = FileDigest(of: bytes)
            let own = OriginLayout.manifest(version, content.sha256)
            let upload = Upload(
                state.corrected == nil ? path : own, .bytes(bytes), content,
                stagedName: "info.json")
            staged = self.staged(
                manifest, self.reference(to: upload.path, upload.content), reference, report)
            staged.package = package
            staged.manifestFile = try await store.stage(
                [upload], in: staging, jobs: 1, counter: nil)[0]
        }
        try state.checkBound(staged.info, staged.entry.package, store)
        if let note = noteOfReturn(staged) { report.notes.append(note) }
        report.packageSize = staged.entry.package.size
        return staged
    }

    private func staged(
        _ manifest: Manifest, _ info: ContentReference, _ package: ContentReference,
        _ report: PublishReport
    ) -> StagedRelease {
        StagedRelease(
            manifest: manifest, info: info,
            entry: Pointer.Entry(
                version: version, packageHash: release.packageHash, tree: TreeSize(of: release),
                label: report.label, launch: manifest.launch, info: info, package: package,
                deltas: []))
    }

    /// What to do where caches may have what the release was before it was pruned.
    private func noteOfReturn(_ staged: StagedRelease) -> String? {
        guard let pruned = state.pruned?.pointer,
            pruned.info.content != staged.info.content
                || pruned.package.content != staged.entry.package.content
        else { return nil }
        return "release \(version) was pruned, and comes back with other bytes under the same "
            + "names: purge '\(OriginLayout.release(version))/' from the caches of your CDN"
    }

    private func reference(to path: String, _ content: FileDigest) -> ContentReference {
        ContentReference(
            url: request.manifest.baseURL.url(of: path), sha256: content.sha256,
            size: content.size)
    }

    /// The release's new package: what another run left, where nothing may replace that, else a new one.
    ///
    /// - Returns: no upload for a package that is at the origin.
    private func stagePackage(
        _ report: inout PublishReport
    ) async throws -> (upload: Upload?, content: FileDigest) {
        let left = try await OrphanedPackage.look(for: release, in: store, jobs: request.jobs)
        if case .whole(let content) = left {
            let shown = store.display(OriginLayout.package(version))
            report.notes.append(OrphanedPackage.noteOfUse(shown))
            return (nil, content)
        }
        var upload = try await pack(&report)
        if case .unusable(let revision) = left { upload.conflict = .replaceOnly(revision) }
        return (upload, upload.content)
    }

    /// Packs the build and proves the package by reading it back.
    private func pack(_ report: inout PublishReport) async throws -> Upload {
        let name = "package.zip"
        var notes: [String] = []
        let summary: PackageBuilder.Result
        if let made = await ahead?.package(after: state.current?.pointer) {
            try made.directory.rename(name, to: staging.directory, as: name)
            (summary, notes) = (made.summary, made.notes)
        } else {
            summary = try await PublishReuse(
                request: request, store: store, reader: history.reader
            ).build(name, in: staging.directory, after: state.current?.pointer, notes: &notes)
        }
        report.packageReused = Amount(
            count: summary.written.reusedFiles, bytes: summary.written.reusedBytes)
        report.notes += notes + summary.notes
        var upload = Upload(
            OriginLayout.package(version), .staged(in: staging.directory, named: name),
            summary.digest, stagedName: name)
        // If a power cut left the manifest without its package, the release could never be published again.
        upload.isDurableFirst = true
        return upload
    }
}
