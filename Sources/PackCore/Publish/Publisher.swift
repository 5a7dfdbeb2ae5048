#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Publishes a release to an origin that is a directory, by the protocol of `docs/architecture.md`:
/// everything immutable first, made durable and read back; then the log entry, which exists once and so
/// decides between publishers; then the pointer, the commit point; then what follows from it.
///
/// Killed anywhere, a client sees the old release or the new one, whole. Run again, it converges.
package struct Publisher: Sendable {
    let request: PublishRequest
    let root: Directory
    let reader: OriginReader

    init(_ request: PublishRequest, root: Directory) {
        self.request = request
        self.root = root
        reader = OriginReader(root: root)
    }

    var release: Release { request.scan.release }
    private var version: Version { release.version }

    /// Publishes.
    ///
    /// - Throws: ``PublishError``, ``RefusedNames``, ``BuildError``, ``OriginError``, ``ManifestError``,
    ///   ``FileSystemError``. Before the commit point nothing that a client reads has changed.
    package static func publish(_ request: PublishRequest) async throws -> PublishReport {
        try checkPlaces(request)
        try request.scan.release.checkPortable(root: request.scan.directory.path)
        _ = try request.manifest.manifest(of: request.scan.release, package: nil)
        var made: [String] = []
        do {
            let root = try Directory.openOrCreate(request.origin, made: &made)
            return try await Publisher(request, root: root).publish()
        } catch {
            Directory.removeUnused(made)
            throw error
        }
    }

    private func publish() async throws -> PublishReport {
        let isNew = try root.names().isEmpty
        guard try isNew || reader.isOrigin() else {
            throw PublishError.notEmpty(origin: request.origin)
        }
        let lock = try takeLock()
        let report: PublishReport
        do {
            report = try await publishLocked()
        } catch {
            if isNew { try? Workspace.withdraw(root: root) }
            throw error
        }
        _ = consume lock
        return report
    }

    private func takeLock() throws -> FileLock {
        do throws(FileSystemError) {
            try root.makeDirectory(OriginLayout.workspace)
            let workspace = try root.directory(OriginLayout.workspace)
            if let lock = try FileLock(in: workspace, name: OriginLayout.lock) { return lock }
        } catch {
            // Another publisher was refused at this moment, and takes away what it made.
            guard error.number == ENOENT else { throw error }
        }
        throw PublishError.busy(origin: request.origin)
    }

    /// What can be said of a request before the origin is looked at.
    ///
    /// The build must not contain the origin, or it would ship itself.
    static func checkPlaces(_ request: PublishRequest) throws {
        if let label = request.label { try PublishState.checkForm(ofLabel: label) }
        let build = resolvedPath(request.scan.directory.path)
        let origin = resolvedPath(request.origin)
        if build == origin || (origin + "/").hasPrefix(build + "/")
            || (build + "/").hasPrefix(origin + "/")
        {
            throw PublishError.originInsideBuild(
                origin: request.origin, build: request.scan.directory.path)
        }
    }

    private func publishLocked() async throws -> PublishReport {
        try Workspace.removeStaleStaging(root: root)
        let state = try PublishState.read(reader, request)
        let store = ObjectStore(root: root, scan: request.scan)
        let (present, missing) = try store.split()
        var report = PublishReport(request, state, present: present, missing: missing)

        let isCurrent = isCurrent(state)
        if isCurrent, missing.isEmpty, let current = state.current {
            return try await finishCurrent(current, state, store, report)
        }

        try Self.checkTime(request, current: state.current?.pointer)
        try checkSpace(missing, state)
        let workspace = try Workspace(
            root: root, channel: request.channel, version: version, now: request.now)
        do {
            let staged = try await stage(workspace, state, store, missing, &report)
            try expose(workspace, staged, store, missing)
            try await readBack(store, staged.manifest, staged.pointer.deltas)
            let followers = try await prepareFollowers(workspace, staged.manifest, &report)
            try commit(workspace, staged, state)
            report.outcome = isCurrent ? .renewed : .published
            try await finish(workspace, staged.pointer, followers)
        } catch {
            // The staging would only take space; the intent stays as long as the work is unfinished.
            try? workspace.discardStaging()
            throw error
        }
        return report
    }

    /// Whether the channel shows this release already and a new pointer would say nothing new.
    func isCurrent(_ state: PublishState) -> Bool {
        guard let current = state.current, state.manifest != nil else { return false }
        return current.pointer.packageHash == release.packageHash
            && current.baseURL == request.manifest.baseURL
            && (request.label == nil || request.label == current.pointer.label)
    }

    // MARK: The same content again

    /// Nothing to publish: proves what lies there, and finishes what an interrupted run left undone.
    private func finishCurrent(
        _ current: OriginReader.Published, _ state: PublishState, _ store: ObjectStore,
        _ earlier: PublishReport
    ) async throws -> PublishReport {
        var report = earlier
        let manifest = try reader.manifest(of: current)
        try await settleCurrent(current, state, launch: manifest.launch, &report)
        var pointer = current.pointer
        if report.outcome == .renewed { try leaveOutDamagedDeltas(&pointer, &report) }
        try await readBack(store, manifest, pointer.deltas)
        if report.outcome == .unchanged { return report }
        let workspace = try Workspace(
            root: root, channel: request.channel, version: version, now: request.now)
        do {
            // What an interrupted run put in place may lie in memory only; what it did is not done again.
            try root.syncFileSystem()
            let followers = try await prepareFollowers(workspace, manifest, &report)
            if report.outcome == .renewed {
                pointer = next(after: pointer, report, pointer.target)
                let staged = try stagePointer(pointer, manifest, in: workspace)
                try commit(workspace, staged, state)
            }
            try await finish(workspace, pointer, followers)
        } catch {
            try? workspace.discardStaging()
            throw error
        }
        return report
    }

    /// A pointer that is about to expire must not wait for a delta that clients can do without.
    private func leaveOutDamagedDeltas(
        _ pointer: inout Pointer, _ report: inout PublishReport
    ) throws {
        for delta in pointer.deltas {
            let place = OriginLayout.delta(version, from: delta.from)
            if try root.holds(delta.content, at: place) { continue }
            pointer.deltas.removeAll { $0 == delta }
            report.notes.append(
                "no delta from \(delta.from): '\(root.display(place))' is missing or damaged; restore it "
                    + "from a mirror or backup")
        }
    }

    /// What publishing the current release again comes to: one decision for the publish and its dry run.
    func settleCurrent(
        _ current: OriginReader.Published, _ state: PublishState, launch: AssetPath?,
        _ report: inout PublishReport
    ) async throws {
        let isBehind = try await isFollowerBehind(launch, &report)
        let pointer = current.pointer
        report.label = pointer.label
        if request.renew || pointer.expires <= request.now {
            try Self.checkTime(request, current: pointer)
            report.outcome = .renewed
            return
        }
        report.sequence = pointer.sequence
        report.expires = pointer.expires
        let isUnfinished = try Workspace.channelsUnderWay(root: root)
            .contains(request.channel.description)
        report.outcome = isBehind || isUnfinished ? .completed : .unchanged
        if report.outcome == .unchanged { report.noteExpiry(now: request.now) }
    }

    private func isFollowerBehind(
        _ launch: AssetPath?, _ report: inout PublishReport
    ) async throws -> Bool {
        guard request.channel == .production else { return false }
        let plan = try await SitePlan.make(release, launch: launch, root: root, jobs: request.jobs)
        report.count(plan)
        let isInfoBehind = try !isInfoCurrent()
        return isInfoBehind || !plan.new.isEmpty || !plan.replaced.isEmpty
    }

    func isInfoCurrent() throws -> Bool {
        let bytes = try root.readFile(OriginLayout.manifest(version), limit: Manifest.sizeLimit)
        return try root.holds(
            FileDigest(sha256: StreamHasher.digest(of: bytes), size: UInt64(bytes.count)),
            at: OriginLayout.info)
    }

    // MARK: Staging

    /// What lies in staging, ready to get its public names.
    private struct Staged {
        var manifest: Manifest
        /// Whether package and manifest are new at the origin.
        var hasRelease: Bool
        var pointer: Pointer
        var deltas: [DeltaMaker.Made] = []
    }

    private func checkSpace(_ missing: [ObjectStore.Object], _ state: PublishState) throws {
        var needed = missing.clampedSum { $0.asset.size } + (4 << 20)
        if state.manifest == nil { needed += release.totalBytes }
        let free = try root.freeBytes()
        // The package is counted as if nothing shrank; only a clear lack ends it here.
        guard free >= needed / 2 else {
            throw PublishError.noSpace(origin: request.origin, needed: needed, free: free)
        }
    }

    private func stage(
        _ workspace: Workspace, _ state: PublishState, _ store: ObjectStore,
        _ missing: [ObjectStore.Object], _ report: inout PublishReport
    ) async throws -> Staged {
        let counter = ProgressCounter(
            phase: .staging, total: missing.reduce(0) { $0 + $1.asset.size }, sink: request.progress
        )
        try await store.stage(missing, in: workspace.staging, jobs: request.jobs, counter: counter)
        let manifest: Manifest
        let info: ContentReference
        if let published = state.manifest, let reference = state.manifestReference {
            manifest = published
            info = reference
        } else {
            let package = try await stagePackage(workspace, state, &report)
            manifest = try request.manifest.manifest(of: release, package: package)
            let bytes = try ManifestCoding.encode(manifest)
            try write(bytes, "info.json", in: workspace.staging)
            info = ContentReference(
                url: request.manifest.baseURL.url(of: OriginLayout.manifest(version)),
                sha256: StreamHasher.digest(of: bytes), size: UInt64(bytes.count))
        }
        guard let package = manifest.package else {
            throw PublishError.damaged(
                place: root.display(OriginLayout.manifest(version)), problem: "it names no package")
        }
        if let bound = state.bound,
            bound.pointer.info.sha256 != info.sha256 || bound.pointer.package != package
        {
            throw PublishError.damaged(
                place: root.display(OriginLayout.manifest(version)),
                problem:
                    "it is missing, and what this build gives is not what '\(bound.place)' says")
        }
        report.packageSize = package.size
        let deltas = try await DeltaMaker(request: request, reader: reader)
            .make(state, package: package.size, in: workspace.staging)
        report.count(deltas)
        let pointer = next(
            after: state.current?.pointer, report,
            Pointer.Target(
                version: version, packageHash: release.packageHash, label: report.label, info: info,
                package: package, deltas: report.deltas))
        var staged = try stagePointer(pointer, manifest, in: workspace)
        staged.hasRelease = state.manifest == nil
        staged.deltas = deltas.deltas
        // Everything staged becomes durable in one call, before any of it has a public name.
        try root.syncFileSystem()
        return staged
    }

    private func next(
        after current: Pointer?, _ report: PublishReport, _ target: Pointer.Target
    ) -> Pointer {
        Pointer.next(
            after: current, app: request.manifest.app, channel: request.channel,
            sequence: report.sequence, createdAt: request.now, expires: report.expires,
            target: target)
    }

    private func stagePointer(
        _ pointer: Pointer, _ manifest: Manifest, in workspace: Workspace
    ) throws -> Staged {
        let envelope = try Envelope(
            payloadType: Envelope.pointerType, payload: PointerCoding.encode(pointer),
            signer: request.signer)
        let bytes = envelope.encode()
        guard bytes.count <= Pointer.sizeLimit else {
            throw ManifestError.tooLarge(
                what: "pointer", size: bytes.count, limit: Pointer.sizeLimit)
        }
        // Two files, not two names of one: the log must not change should somebody edit the pointer.
        try write(bytes, "log.json", in: workspace.staging)
        try write(bytes, "pointer.json", in: workspace.staging)
        return Staged(manifest: manifest, hasRelease: false, pointer: pointer)
    }

    private func write(_ bytes: [UInt8], _ name: String, in staging: Directory)
        throws(FileSystemError)
    {
        let file = try staging.createFile(name)
        try file.write(bytes)
        try file.sync()
        try file.close()
    }

    /// Packs the build and proves the package by reading it back.
    private func stagePackage(
        _ workspace: Workspace, _ state: PublishState, _ report: inout PublishReport
    ) async throws -> ContentReference {
        let reuse = openReuse(state, &report)
        let summary = try await PackageBuilder(
            scan: request.scan, level: request.level, jobs: request.jobs, progress: request.progress
        ).build("package.zip", in: workspace.staging, reuse: reuse)
        report.packageReused = Amount(
            count: summary.written.reusedFiles, bytes: summary.written.reusedBytes)
        report.notes += summary.notes
        return ContentReference(
            url: request.manifest.baseURL.url(of: OriginLayout.package(version)),
            sha256: summary.digest.sha256, size: summary.digest.size)
    }

    func openReuse(_ state: PublishState, _ report: inout PublishReport) -> ReuseArchive? {
        PublishReuse.open(request, reader, state.current?.pointer, notes: &report.notes)
    }

    // MARK: Making it public

    /// Gives what is staged its immutable names and makes the names durable.
    private func expose(
        _ workspace: Workspace, _ staged: Staged, _ store: ObjectStore,
        _ missing: [ObjectStore.Object]
    ) throws {
        var changed = try store.link(missing, from: workspace.staging)
        if staged.hasRelease {
            try root.makeDirectory(OriginLayout.releases)
            try root.makeDirectory(OriginLayout.release(version))
            try link("package.zip", as: OriginLayout.package(version), workspace)
            // A manifest that a power cut leaves without its package could never be published again.
            try root.syncDirectories([OriginLayout.release(version)])
            try link("info.json", as: OriginLayout.manifest(version), workspace)
            changed += ["", OriginLayout.releases, OriginLayout.release(version)]
        }
        for delta in staged.deltas {
            guard let name = delta.staged else { continue }
            // No log entry names what may lie there: a killed publish left it.
            try link(
                name, as: OriginLayout.delta(version, from: delta.pointer.from), workspace,
                isUnnamed: true)
            changed.append(OriginLayout.release(version))
        }
        try root.syncDirectories(changed)
    }

    /// - Parameter isUnnamed: whether nothing can refer to what lies there already.
    private func link(
        _ name: String, as place: String, _ workspace: Workspace, isUnnamed: Bool = false
    ) throws {
        if try workspace.staging.link(name, to: root, as: place) { return }
        // An interrupted publish got this far. Without its manifest nothing refers to the package, and
        // the manifest is linked last, so another package is replaced rather than kept for ever.
        let ours = try FileDigest.of(name, in: workspace.staging)
        if try root.holds(ours, at: place) { return }
        if let kind = try root.status(place)?.kind, kind != .file {
            throw PublishError.foreign(
                place: root.display(place), found: kind.name, needed: "a file of the release")
        }
        let isReplaced =
            try isUnnamed
            || name == "package.zip" && root.status(OriginLayout.manifest(version)) == nil
        guard isReplaced else {
            throw PublishError.damaged(
                place: root.display(place), problem: "its content is not what this release needs")
        }
        try workspace.staging.rename(name, to: root, as: place)
    }

    /// Re-reads everything a client of this release will read, through the public names.
    private func readBack(
        _ store: ObjectStore, _ manifest: Manifest, _ deltas: [Pointer.Delta]
    ) async throws {
        let counter = ProgressCounter(
            phase: .verifying, total: release.totalBytes, sink: request.progress)
        try await store.readBack(jobs: request.jobs, counter: counter)
        if let package = manifest.package {
            try readBack(OriginLayout.package(version), package)
        }
        for delta in deltas {
            try readBack(OriginLayout.delta(version, from: delta.from), delta.content)
        }
    }

    private func readBack(_ place: String, _ content: ContentReference) throws {
        guard try root.status(place)?.kind == .file else {
            throw OriginError.missing(place: root.display(place))
        }
        guard try root.holds(content, at: place) else {
            throw PublishError.damaged(
                place: root.display(place),
                problem: "its content is not what its manifest or pointer says")
        }
    }

    /// Log entry, then pointer.
    ///
    /// Before the rename of the pointer nothing a client reads has changed.
    private func commit(
        _ workspace: Workspace, _ staged: Staged, _ state: PublishState
    ) throws {
        let pointer = staged.pointer
        try workspace.noteAbandoned(state.deadSequences)
        let log = OriginLayout.log(pointer.channel)
        _ = try root.makeDirectories(log)
        // Compare-and-swap: the name of the sequence can be taken once.
        let place = OriginLayout.logEntry(pointer.channel, pointer.sequence)
        guard try workspace.staging.link("log.json", to: root, as: place) else {
            throw PublishError.overtaken(origin: request.origin, sequence: pointer.sequence)
        }
        try root.syncDirectories(
            ["", OriginLayout.channels, OriginLayout.channel(pointer.channel), log])
        try workspace.staging.rename(
            "pointer.json", to: root, as: OriginLayout.pointer(pointer.channel))
        do {
            try root.syncDirectories([OriginLayout.channel(pointer.channel)])
        } catch {
            throw live(pointer, error)
        }
    }

    // MARK: What follows the commit point

    /// `info.json` and `site/` of the new release, ready in staging to be moved to their places.
    private struct Followers {
        let hasInfo: Bool
        let site: SitePlan
    }

    private static let stagedInfo = "info.json.new"

    /// Does before the commit point whatever can fail of what follows it.
    private func prepareFollowers(
        _ workspace: Workspace, _ manifest: Manifest, _ report: inout PublishReport
    ) async throws -> Followers? {
        guard request.channel == .production else { return nil }
        let hasInfo = try !isInfoCurrent()
        if hasInfo {
            guard root.isWritable() else { throw PublishError.notWritable(place: root.path) }
            let bytes = try root.readFile(OriginLayout.manifest(version), limit: Manifest.sizeLimit)
            try write(bytes, Self.stagedInfo, in: workspace.staging)
        }
        let plan = try await SitePlan.make(
            release, launch: manifest.launch, root: root, jobs: request.jobs)
        report.count(plan)
        try plan.prepare(root: root, staging: workspace.staging)
        return Followers(hasInfo: hasInfo, site: plan)
    }

    /// Brings `info.json` and `site/` to the release that the pointer names, and ends the publish.
    ///
    /// - Throws: ``PublishError/liveButBehind(_:)``.
    private func finish(
        _ workspace: Workspace, _ pointer: Pointer, _ followers: Followers?
    ) async throws {
        do {
            if let followers { try follow(workspace, followers) }
            try workspace.finish()
        } catch {
            throw live(pointer, error, behind: await placesBehind())
        }
    }

    private func follow(_ workspace: Workspace, _ followers: Followers) throws {
        if followers.hasInfo {
            try workspace.staging.rename(Self.stagedInfo, to: root, as: OriginLayout.info)
            try root.sync()
        }
        let plan = followers.site
        try root.syncDirectories(try plan.apply(root: root, staging: workspace.staging))
    }

    /// What still shows another release, as far as that can be found out.
    private func placesBehind() async -> [String] {
        guard request.channel == .production else { return [] }
        var places: [String] = []
        if (try? isInfoCurrent()) != true { places.append(OriginLayout.info) }
        let plan = try? await SitePlan.make(release, launch: nil, root: root, jobs: request.jobs)
        guard let plan else { return places + ["\(OriginLayout.site)/"] }
        let behind = (plan.new + plan.replaced).map(SitePlan.place)
        places += behind.prefix(Self.placesShown)
        if behind.count > Self.placesShown {
            places.append("\(behind.count - Self.placesShown) more below \(OriginLayout.site)/")
        }
        return places
    }

    private static let placesShown = 10

    private func live(
        _ pointer: Pointer, _ error: any Error, behind: [String] = []
    ) -> PublishError {
        let remedy = (error as? any Remedied)?.remedy ?? "look at the cause"
        return .liveButBehind(
            .init(
                version: pointer.version, channel: pointer.channel, sequence: pointer.sequence,
                behind: behind, cause: "\(error)", causeRemedy: remedy))
    }
}

extension Publisher {
    /// Refuses a time that no client would make sense of, before anything is written.
    ///
    /// A pointer that is older than the one before it, or that has expired when clients see it, comes from a clock
    /// that is wrong.
    static func checkTime(
        _ request: PublishRequest, current: Pointer?
    ) throws(PublishError) {
        if let current, request.now < current.createdAt {
            throw .clockBehind(
                now: request.now.description, createdAt: current.createdAt.description)
        }
        let expires = request.now.adding(days: request.lifetimeDays)
        let clock = max(request.now, request.clock)
        guard expires > clock else {
            throw .expiredAtOnce(expires: expires.description, clock: clock.description)
        }
    }
}
