extension Publisher {
    /// What a publish would do.
    ///
    /// Nothing is written to the origin, which need not exist yet; the package is built in the
    /// temporary directory, so that its size is known, and removed again.
    ///
    /// - Throws: what ``publish(_:)`` throws before it writes.
    package static func plan(_ request: PublishRequest) async throws -> PublishReport {
        try checkPlaces(request)
        let release = request.scan.release
        try release.checkPortable(root: request.scan.directory.path)
        let manifest = try request.manifest.manifest(of: release, package: nil)
        if let root = try Directory.openIfPresent(request.origin) {
            return try await Publisher(request, root: root).plan(manifest)
        }
        try checkTime(request, current: nil)
        var report = PublishReport(
            request, .empty, present: [], missing: ObjectStore.needed(by: release))
        if request.channel == .production {
            for asset in release.assets { report.siteNew.add(asset.size) }
        }
        try await buildPackage(request, reuse: nil, &report)
        return report
    }

    private func plan(_ manifest: Manifest) async throws -> PublishReport {
        guard try reader.isOrigin() || root.names().isEmpty else {
            throw PublishError.notEmpty(origin: request.origin)
        }
        let state = try PublishState.read(reader, request)
        let store = ObjectStore(root: root, scan: request.scan)
        let (present, missing) = try store.split()
        var report = PublishReport(request, state, present: present, missing: missing)
        let isCurrent = isCurrent(state)
        if isCurrent, missing.isEmpty, let current = state.current {
            try await settleCurrent(current, state, launch: manifest.launch, &report)
            return report
        }
        try Self.checkTime(request, current: state.current?.pointer)
        if request.channel == .production {
            let plan = try await SitePlan.make(
                release, launch: manifest.launch, root: root, jobs: request.jobs)
            report.count(plan)
        }
        if isCurrent { report.outcome = .renewed }
        if state.manifest == nil {
            let reuse = openReuse(state, &report)
            try await Self.buildPackage(request, reuse: reuse, &report)
        }
        try await planDeltas(state, &report)
        return report
    }

    /// Makes the deltas to know what they come to, and removes them again.
    private func planDeltas(_ state: PublishState, _ report: inout PublishReport) async throws {
        let parent = try Directory.open(request.temporaryDirectory)
        let name = "packtool-\(uniqueName())"
        try parent.makeDirectory(name)
        do {
            let deltas = try await DeltaMaker(request: request, reader: reader)
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
