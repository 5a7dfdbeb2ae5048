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
            return try await Publisher(request, store).plan(manifest)
        }
        try checkTime(request, after: nil)
        let release = request.scan.release
        var report = PublishReport(
            request, .empty,
            ObjectPlan(present: [], missing: ObjectPlan.needed(by: release)))
        if request.channel == .production {
            for asset in release.assets { report.siteNew.add(asset.size) }
        }
        try await buildPackage(request, reuse: nil, &report)
        return report
    }

    /// What a publish to a store would do.
    package static func plan(
        _ request: PublishRequest, to store: any WritableStore
    ) async throws -> PublishReport {
        try await Publisher(request, store).plan(checkedManifest(request))
    }

    private func plan(_ manifest: Manifest) async throws -> PublishReport {
        _ = try await checkIsOrigin()
        let state = try await PublishState.read(request, store, history)
        let objects = try await ObjectPlan.make(release, store)
        var report = PublishReport(request, state, objects)
        let current = currentRelease(state, objects, report)
        if let current, current.isWhole {
            try await settle(current, launch: manifest.launch, &report)
            return report
        }
        try checkTime(after: state.current?.pointer)
        if let follower = follower(manifest.launch) {
            report.count(try await follower.sitePlan())
        }
        if current != nil { report.outcome = .renewed }
        if state.manifest == nil { try await planPackage(state, &report) }
        try await planDeltas(state, &report)
        return report
    }

    private func planPackage(_ state: PublishState, _ report: inout PublishReport) async throws {
        var planned = report
        var notes: [String] = []
        try await PublishReuse(request: request, store: store, reader: history.reader)
            .withArchive(state.current?.pointer, notes: &notes) { reuse in
                try await Self.buildPackage(request, reuse: reuse, &planned)
            }
        report = planned
        report.notes += notes
    }

    /// Creates the deltas to know their sizes, and removes them again.
    private func planDeltas(_ state: PublishState, _ report: inout PublishReport) async throws {
        let parent = try Directory.open(request.temporaryDirectory)
        let name = "packtool-\(uniqueName())"
        try parent.makeDirectory(name)
        do {
            let deltas = try await DeltaMaker(request: request, store: store, history: history)
                .make(state, package: report.packageSize, in: parent.directory(name))
            report.count(deltas)
            try parent.removeTree(name)
        } catch {
            try? parent.removeTree(name)
            throw error
        }
    }

    private static func buildPackage(
        _ request: PublishRequest, reuse: ReuseArchive?, _ report: inout PublishReport
    ) async throws {
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
    }
}
