import PackArchive
import PackGround
package import PackOrigin
import PackRelease

extension Publisher {
    /// What a publish to the request's origin would do.
    ///
    /// Nothing is written to the origin, which may be missing; the package is built in the
    /// temporary directory to know its size, and removed again.
    ///
    /// - Throws: The errors of ``publish(_:)`` before it writes.
    package static func plan(_ request: PublishRequest) async throws -> PublishReport {
        try checkPlaces(request)
        let manifest = try checkedManifest(request)
        if let store = try StoreOpener.writeIfPresent(request.origin) {
            return try await Publisher(request.trusting(store, isPlan: true), store).plan(manifest)
        }
        if request.requiresOrigin { throw PublishError.noOrigin(origin: request.origin) }
        // The publish would make the directory, and find nothing in it.
        let parent = try Directory.nearest(to: request.origin)
        try parent?.checkWritable()
        let store = MemoryStore(address: request.origin, scratch: request.temporaryDirectory)
        return try await Publisher(request.trusting(store, isPlan: true), store).plan(
            manifest, free: parent?.freeBytes())
    }

    /// What a publish to a store would do.
    package static func plan(
        _ request: PublishRequest, to store: any WritableStore
    ) async throws -> PublishReport {
        try await Publisher(request.trusting(store, isPlan: true), store).plan(
            checkedManifest(request))
    }

    /// - Parameter free: the space where the origin's directory would be made; `nil` to ask the store.
    private func plan(_ manifest: Manifest, free: UInt64? = nil) async throws -> PublishReport {
        let isNew = try await checkIsOrigin()
        try await steps.checkIsFree()
        let state = try await PublishState.read(request, store, history)
        if request.repairs { return try await repair(state, isPlan: true) }
        var report = try await refreshed(with: state).plan(manifest, after: state, free: free)
        if isNew { report.noteNewOrigin(store.address) }
        return report
    }

    private func plan(
        _ manifest: Manifest, after state: PublishState, free: UInt64?
    ) async throws -> PublishReport {
        let objects = try await ObjectPlan.make(release, store, repairs: store.createsEarly)
        var report = PublishReport(request, state, objects)
        let damaged = try await damaged(among: objects)
        report.notes += damaged.map { "'\(store.display($0.place))' is damaged and is replaced" }
        let current = try currentRelease(state, objects, report)
        if let current, current.isWhole, damaged.isEmpty {
            return try await planAgain(current, state, report)
        }
        try checkTime(after: state.current?.pointer)
        try checkConditions(after: state.current?.pointer)
        try await checkSpace(objects, state, free: free)
        if current != nil { report.outcome = .renewed }
        let package = state.package == nil ? try await planPackage(state, &report) : nil
        let planned = try Self.plannedManifest(request, state, package, &report)
        try checkBound(planned, state)
        try await planDeltas(state, planned, &report)
        let pointer = try Self.planPointer(request, state, planned, &report)
        try await proveKept(objects, state)
        try await planSite(pointer, planned, state, &report)
        return report
    }

    /// What publishing the current release again would do.
    private func planAgain(
        _ current: CurrentRelease, _ state: PublishState, _ earlier: PublishReport
    ) async throws -> PublishReport {
        var report = earlier
        if isMakingDeltas {
            let planned = try Self.plannedManifest(request, state, nil, &report)
            try await planDeltas(state, planned, &report)
            if current.adds(report.deltas) {
                try checkTime(after: current.published.pointer)
                var kept = current.published.pointer
                try await leaveOutDamagedDeltas(&kept, &report)
                report.deltas = CurrentRelease.deltas(of: kept, with: report.deltas)
                report.outcome = .renewed
                let pointer = try Self.planPointer(request, state, planned, &report)
                try await uploader.readBack(planned.manifest, kept.deltas)
                try await planSite(pointer, planned, state, &report)
                return report
            }
            (report.deltas, report.deltasKept) = ([], 0)
        }
        let manifest = try await history.reader.manifest(of: current.published)
        try await reconcilePointer(current, &report)
        var pointer = current.published.pointer
        if report.outcome == .renewed { try await leaveOutDamagedDeltas(&pointer, &report) }
        try await uploader.readBack(manifest, pointer.deltas)
        return report
    }

    /// Refuses what the publish would refuse when it reads back what it did not upload.
    private func proveKept(_ objects: ObjectPlan, _ state: PublishState) async throws {
        // A bucket's publish uploads these again where they are damaged.
        if !store.createsEarly { try await uploader.readBack(objects.present) }
        if let package = state.package { try await uploader.readBack(package: package) }
    }

    /// Counts what would change in `site/`.
    private func planSite(
        _ pointer: Pointer, _ planned: Planned, _ state: PublishState,
        _ report: inout PublishReport
    ) async throws {
        let follower = try await follower(
            pointer, planned.manifest, in: pointer.entry.manifestFile, state)
        guard let follower else { return }
        let plan = try await follower.sitePlan()
        try await follower.checkPlaces(of: plan)
        report.count(plan)
    }

    private func planPackage(
        _ state: PublishState, _ report: inout PublishReport
    ) async throws -> FileDigest {
        if !store.hasLock,
            case .whole(let content) = try await OrphanedPackage.look(
                for: release, in: store, jobs: request.jobs)
        {
            return content
        }
        var planned = report
        var notes: [String] = []
        let package = try await PublishReuse(request: request, store: store, reader: history.reader)
            .withArchive(state.current?.pointer, notes: &notes) { reuse in
                try await Self.buildPackage(request, reuse: reuse, &planned)
            }
        report = planned
        report.notes += notes
        return package
    }

    private typealias Planned = (manifest: Manifest, info: ContentReference)

    /// The manifest that the release has, or would get.
    private static func plannedManifest(
        _ request: PublishRequest, _ state: PublishState, _ package: FileDigest?,
        _ report: inout PublishReport
    ) throws -> Planned {
        if let manifest = state.manifest, let info = state.manifestReference {
            return (manifest, info)
        }
        let base = request.manifest.baseURL
        let release = request.scan.release
        let manifest = try request.manifest.manifest(
            of: release,
            package: (package ?? state.package?.content).map {
                ContentReference(
                    url: base.url(of: OriginLayout.package(release.version)), sha256: $0.sha256,
                    size: $0.size)
            })
        let bytes = try ManifestCoding.encode(manifest)
        let digest = StreamHasher.digest(of: bytes)
        let place =
            state.corrected == nil
            ? OriginLayout.manifest(release.version)
            : OriginLayout.manifest(release.version, digest)
        report.infoSize = UInt64(bytes.count)
        return (
            manifest,
            ContentReference(url: base.url(of: place), sha256: digest, size: report.infoSize)
        )
    }

    /// A missing manifest may only be written again with the bytes that a pointer binds.
    private func checkBound(_ planned: Planned, _ state: PublishState) throws(PublishError) {
        guard let package = planned.manifest.package else { return }
        try state.checkBound(planned.info, package, store)
    }

    /// Creates the deltas to know their sizes, and removes them again.
    private func planDeltas(
        _ state: PublishState, _ planned: Planned, _ report: inout PublishReport
    ) async throws {
        let maker = DeltaMaker(
            request, state, store, history,
            packed: .init(.init(report.packageSize, planned.manifest, planned.info)))
        report.count(try await inWorkshop(maker.make))
    }

    /// Makes the pointer, to know its size and what it offers.
    private static func planPointer(
        _ request: PublishRequest, _ state: PublishState, _ planned: Planned,
        _ report: inout PublishReport
    ) throws -> Pointer {
        let release = request.scan.release
        guard let package = planned.manifest.package else {
            throw PublishError.damaged(
                place: OriginLayout.manifest(release.version), problem: "it names no package")
        }
        let entry = Pointer.Entry(
            version: release.version, packageHash: release.packageHash, tree: TreeSize(of: release),
            label: report.label, info: planned.info, package: package, deltas: report.deltas)
        let pointer = try nextPointer(request, to: entry, state, report)
        report.tell(of: pointer, request)
        report.pointerSize = UInt64(
            try PointerCommit.bytes(of: pointer, signer: request.signer).count)
        return pointer
    }

    private static func buildPackage(
        _ request: PublishRequest, reuse: ReuseArchive?, _ report: inout PublishReport
    ) async throws -> FileDigest {
        let directory = try Directory.open(request.temporaryDirectory)
        let name = "packtool-\(uniqueName()).zip"
        let file = try directory.createFile(name)
        // Without its name the file is gone however this run ends.
        try directory.removeFile(name)
        let summary = try await PackageWriter(
            scan: request.scan, level: request.level, reuse: reuse, jobs: request.jobs,
            progress: request.progress
        ).write(to: file)
        report.packageSize = summary.size
        report.packageReused = Amount(count: summary.reusedFiles, bytes: summary.reusedBytes)
        var hasher = StreamHasher()
        var done: UInt64 = 0
        while done < summary.size {
            let piece = try file.bytes(at: done, count: 1 << 20)
            guard !piece.isEmpty else { break }
            hasher.update(piece)
            done += UInt64(piece.count)
        }
        return FileDigest(sha256: hasher.finish(), size: summary.size)
    }
}
