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
        var report = PublishReport(
            outcome: .published, version: release.version, packageHash: release.packageHash,
            channel: request.channel, sequence: 1, label: request.label,
            expires: request.now.adding(days: request.lifetimeDays), previous: nil,
            files: release.assets.count, bytes: release.totalBytes, junk: request.scan.junk,
            packageSize: 0, packageExisted: false)
        guard let root = try? Directory.open(request.origin) else {
            for object in ObjectStore.needed(by: release) {
                report.objectsNew.add(object.asset.size)
            }
            if request.channel == .production {
                for asset in release.assets { report.siteNew.add(asset.size) }
            }
            try await buildPackage(request, reuse: nil, &report)
            return report
        }
        let publisher = Publisher(request, root: root)
        return try await publisher.plan(manifest)
    }

    private func plan(_ manifest: Manifest) async throws -> PublishReport {
        guard try reader.isOrigin() || root.names().isEmpty else {
            throw PublishError.notEmpty(origin: request.origin)
        }
        let state = try PublishState.read(reader, request)
        let store = ObjectStore(root: root, scan: request.scan)
        let (present, missing) = try store.split()
        var report = newReport(state, present: present, missing: missing)
        if request.channel == .production {
            let plan = try await SitePlan.make(
                release, launch: manifest.launch, root: root, jobs: request.jobs)
            report.count(plan)
        }
        let isCurrent = isCurrent(state)
        report.outcome = isCurrent ? .renewed : .published
        report.label = request.label ?? inheritedLabel(state)
        if isCurrent, missing.isEmpty, let current = state.current {
            report.sequence = current.pointer.sequence
            report.label = current.pointer.label
            report.expires = current.pointer.expires
            let isInfoBehind = try request.channel == .production && !isInfoCurrent()
            let isUnfinished = try Workspace.channelsUnderWay(root: root)
                .contains(request.channel.description)
            let isBehind = isInfoBehind || report.siteNew.count + report.siteReplaced.count > 0
            if request.renew || current.pointer.expires <= request.now {
                report.outcome = .renewed
                report.sequence = state.nextSequence
                report.expires = request.now.adding(days: request.lifetimeDays)
            } else {
                report.outcome = isBehind || isUnfinished ? .completed : .unchanged
            }
            if report.outcome == .unchanged { report.noteExpiry(now: request.now) }
            return report
        }
        if state.manifest == nil {
            let reuse = openReuse(state, &report)
            try await Self.buildPackage(request, reuse: reuse, &report)
        }
        return report
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
