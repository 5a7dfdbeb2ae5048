import PackArchive
import PackCheck
import PackDeltaFile
import PackDeltaMaking
import PackGround
import PackOrigin
import PackProfile
import PackRelease
import PackReport
import PackSettings
import PackZip

/// Collects the data of a report: builds the package and the delta, runs the check, reads an
/// origin's log.
struct ReportSource {
    let settings: Settings
    let console: Console
    let opener: OriginOpener
    /// The limits for opening pages; `nil` to open none.
    let engine: EngineRun.Request?
    private let jobs: Int

    init(
        _ opener: OriginOpener, engine: EngineRun.Request? = nil, _ console: Console
    ) throws {
        self.opener = opener
        self.engine = engine
        settings = opener.settings
        self.console = console
        jobs = try console.environment.jobs()
    }

    /// A report and its findings.
    typealias Result = (report: ReleaseReport, checked: Checker.Report)

    func report(from old: String?, to new: String) async throws -> Result {
        try await withBuild(new) { new in
            guard let old else { return try await report(new, nil) }
            return try await withOld(old, beside: new.scan.release) {
                try await report(new, $0)
            }
        }
    }

    private func report(_ new: Build, _ old: Old?) async throws -> Result {
        try await TemporaryDirectory.with(console) { try await report(new, old, in: $0) }
    }

    // MARK: Parts

    private func report(
        _ new: Build, _ old: Old?, in work: Directory
    ) async throws -> Result {
        let release = new.scan.release
        let packed = try await packed(new.scan, reusing: old?.archive(settings.level), in: work)
        var report = ReleaseReport(
            tool: toolName, app: try settings.app()?.description,
            new: .init(
                version: release.version.description, path: new.path,
                files: release.assets.count, bytes: release.totalBytes),
            old: old.map { old in
                .init(
                    version: old.named.version, path: old.path,
                    files: old.named.release.assets.count,
                    bytes: old.named.isSeed ? nil : old.named.release.totalBytes,
                    package: old.packageSize)
            },
            package: packed.content.size,
            files: release.assets.map { asset in
                .init(
                    path: asset.path.description, size: asset.size,
                    packed: packed.sizes[asset.path.bytes] ?? 0)
            },
            profile: settings.profiles.map(\.name).joined(separator: ", "))
        if let old { try await addUpdate(from: old, to: new, packed.content, in: work, &report) }
        var checked = try await check(new, old, opensPages: engine != nil)
        if let engine { checked = try await open(new, old, checked, engine, &report) }
        checked = try accepting(checked)
        try judge(checked, &report)
        report.findings = try await groups(checked, old)
        report.budgets = budgets(report, release)
        if let origin = old?.origin ?? new.origin { try await addHistory(origin, &report) }
        return (report, checked)
    }

    /// The sizes of the package and of its entries.
    ///
    /// The package is not published, so it is not verified.
    private func packed(
        _ scan: BuildScan, reusing archive: ReuseArchive?, in work: Directory
    ) async throws -> (content: FileDigest, sizes: [[UInt8]: UInt64]) {
        let content = try await PackageBuilder(
            scan: scan, level: settings.level, jobs: jobs, progress: console.progress
        ).measure("package.zip", in: work, reuse: archive)
        let structure = try ZipStructure.read(work.openFile("package.zip"), limits: .standard)
        return (
            content,
            Dictionary(
                structure.files.map { ($0.name, $0.compressedSize) },
                uniquingKeysWith: { first, _ in first })
        )
    }

    /// Adds the changes, the ways to update, and the cost of files in the delta, all from one plan.
    private func addUpdate(
        from old: Old, to new: Build, _ package: FileDigest, in work: Directory,
        _ report: inout ReleaseReport
    ) async throws {
        let release = new.scan.release
        let info = try info(of: release, package)
        guard let content = old.named.content, old.named.release != release else {
            let pairs = ReleasePairs.byName(from: old.named.release, to: release)
            addChanges(from: old.named, to: release, pairs, &report)
            return try await addRoutes(
                from: old, to: release, package, info?.digest, nil, &report)
        }
        let builder = DeltaBuilder(
            from: content, to: AssetSource(tree: new.scan.directory, release: release),
            info: info?.info, jobs: jobs, progress: console.progress)
        let plan = try builder.plan()
        addChanges(from: old.named, to: release, ReleasePairs.of(plan), &report)
        try work.makeDirectory("parts")
        let delta = try await builder.build(
            "delta.zip", in: work, staging: work.directory("parts"), plan: plan)
        try await addRoutes(from: old, to: release, package, info?.digest, delta, &report)
        addCosts(delta.explanation, release, &report)
    }

    private func addChanges(
        from old: NamedRelease, to new: Release, _ pairs: [AssetPath: AssetPath],
        _ report: inout ReleaseReport
    ) {
        let list = ChangeList(
            ReleaseDiff(from: old.release, to: new, pairs: pairs), unknown: old.unknown,
            hasOldSizes: !old.isSeed)
        report.unchanged = list.unchanged
        report.changes = ChangeList.Kind.allCases.flatMap { kind in
            (list.changes[kind] ?? []).map {
                .init(
                    kind: kind == .unknown ? "changed" : "\(kind)", path: $0.path, from: $0.from,
                    old: $0.old, new: $0.new)
            }
        }
    }

    /// Adds the ways to update.
    private func addRoutes(
        from old: Old, to new: Release, _ package: FileDigest, _ info: FileDigest?,
        _ delta: DeltaBuilder.Result?, _ report: inout ReleaseReport
    ) async throws {
        guard old.named.release != new else { return }
        var shared: [(what: String, bytes: UInt64)] = []
        if let origin = old.origin {
            let current = try await origin.current(settings.channel())
            shared = [("pointer", UInt64(current.bytes.count))]
        }
        let manifest = info.map { [(what: "info.json", bytes: $0.size)] } ?? []
        var routes = [
            ReleaseReport.Route(
                name: "package", parts: shared + [("package", package.size)])
        ]
        if !old.named.isSeed {
            let diff = ReleaseDiff(from: old.named.release, to: new)
            routes.append(
                .init(
                    name: "single files",
                    parts: shared + manifest + [
                        ("files, not compressed", diff.newContentBytes)
                    ]))
        }
        if let delta {
            routes.append(.init(name: "delta", parts: shared + [("delta", delta.digest.size)]))
        }
        report.routes = routes.sorted { $0.bytes < $1.bytes }
    }

    /// The manifest as written by a publish; `nil` if required settings are missing.
    private func info(
        of release: Release, _ package: FileDigest
    ) throws -> (info: DeltaBuilder.Info?, digest: FileDigest)? {
        guard let base = try settings.baseURL(), try settings.app() != nil else { return nil }
        let reference = ContentReference(
            url: base.url(of: OriginLayout.package(release.version)), sha256: package.sha256,
            size: package.size)
        let manifest: Manifest
        do {
            manifest = try settings.manifestRequest(commit: nil)
                .manifest(of: release, package: reference)
        } catch let failure as Failure where failure.code.isOf("manifest") {
            // The check reports a missing launch page.
            return nil
        }
        let bytes = try ManifestCoding.encode(manifest)
        let digest = FileDigest(
            sha256: StreamHasher.digest(of: bytes), size: UInt64(bytes.count))
        return (DeltaBuilder.Info(manifest, digest: digest), digest)
    }

    private func addCosts(
        _ explanation: DeltaExplanation, _ release: Release, _ report: inout ReleaseReport
    ) {
        let sizes = Dictionary(
            release.assets.map { ($0.path.description, $0.size) },
            uniquingKeysWith: { first, _ in first })
        let members = Dictionary(
            explanation.members.map { ($0.name, $0.compressed) },
            uniquingKeysWith: { first, _ in first })
        var costs = (explanation.coded ?? []).map { file in
            let reason =
                file.base.map { $0 == file.path ? "changed" : "changed along \($0)" } ?? "new"
            return ReleaseReport.Cost(
                path: file.path, size: UInt64(file.size), bytes: UInt64(file.cost ?? 0),
                reason: file.cost == nil ? reason + ", in an undivided stream" : reason)
        }
        costs += explanation.manifest.add.map { path in
            let bytes = members[DeltaManifest.filesPrefix + path.description] ?? 0
            return .init(
                path: path.description, size: sizes[path.description] ?? bytes, bytes: bytes,
                reason: "sent whole: incompressible and unlike the old files")
        }
        costs += explanation.copies.map { copy in
            .init(
                path: copy.new.description, size: sizes[copy.new.description] ?? 0, bytes: 0,
                reason: "copied from \(copy.old)")
        }
        report.costs = costs.sorted { ($0.bytes, $1.path) > ($1.bytes, $0.path) }
        let sum = costs.reduce(0) { $0 + $1.bytes }
        report.otherCost = explanation.size - min(explanation.size, sum)
    }

    // MARK: Budgets and history

    private func budgets(_ report: ReleaseReport, _ release: Release) -> [ReleaseReport.Budget] {
        let budgets = settings.checkOptions.budgets
        var result: [ReleaseReport.Budget] = []
        func add(_ name: String, _ value: UInt64, _ limit: UInt64?) {
            guard let limit else { return }
            result.append(
                .init(
                    name: name, value: readableSize(value), limit: readableLimit(limit),
                    share: Double(value) / Double(max(1, limit))))
        }
        add("all files together", release.totalBytes, budgets.package)
        if let route = report.routes.first { add("an update", route.bytes, budgets.update) }
        add("the largest file", release.assets.map(\.size).max() ?? 0, budgets.file)
        if let limit = budgets.files {
            result.append(
                .init(
                    name: "number of files", value: grouped(release.assets.count),
                    limit: grouped(limit),
                    share: Double(release.assets.count) / Double(max(1, limit))))
        }
        return result
    }

    /// The maximum number of releases read from a channel.
    private static let mostReleases = 200

    private func addHistory(_ origin: OriginRelease, _ report: inout ReleaseReport) async throws {
        let channel = try settings.channel()
        report.channel = channel.description
        report.history = try await origin.past(channel, limit: Self.mostReleases).reversed().map {
            .init(
                sequence: $0.sequence, date: "\($0.createdAt)", version: $0.version.description,
                label: $0.label, package: $0.package.size,
                delta: $0.deltas.map(\.content.size).min())
        }
    }
}
