/// What an installation needs.
package struct InstallRequest: Sendable {
    /// The origin's directory.
    package let origin: String
    /// The installation's directory.
    package let directory: String
    package let channel: Channel
    /// The start of the run, which decides whether pointers have expired.
    package let now: Timestamp
    package let jobs: Int
    package let progress: ProgressSink?

    package init(
        origin: String, directory: String, channel: Channel, now: Timestamp, jobs: Int,
        progress: ProgressSink? = nil
    ) {
        self.origin = origin
        self.directory = directory
        self.channel = channel
        self.now = now
        self.jobs = jobs
        self.progress = progress
    }
}

/// What an installation did.
package struct InstallReport: Sendable {
    package enum Outcome: String, Sendable {
        case installed, updated
        /// The installed tree was damaged and has been put right.
        case repaired
        /// The release was installed already, and its tree is whole.
        case unchanged
    }

    package let outcome: Outcome
    package let state: InstallState
    /// The release that is installed now, as `state` has it.
    package let installed: InstallState.Installed
    /// The version that was installed before.
    package let previous: Version?
    package let files: Int
    package let bytes: UInt64
    /// Bytes read from the origin.
    package let fetched: FetchedBytes
    /// Notes for the reader that are not failures, such as a route that failed.
    package let notes: [String]
}

/// The reference client: pointer, compare, delta or package, verify, a fresh tree, prove the tree by its
/// package hash, switch atomically, remove the previous tree.
///
/// A kill leaves a whole old or a whole new release; the next run removes what else it left.
package struct Installer: Sendable {
    private let request: InstallRequest
    private let store: any OriginStore
    private let reader: OriginReader
    /// `nil` if the store cannot list its files.
    private let history: OriginHistory?
    private let installation: Installation
    private let state: InstallState?

    private init(
        _ request: InstallRequest, _ source: Source, _ installation: Installation
    ) throws {
        self.request = request
        store = source.store
        reader = source.reader
        history = source.history
        self.installation = installation
        state = try InstallState.read(in: installation.directory)
    }

    /// Where releases come from.
    private struct Source {
        let store: any OriginStore
        let reader: OriginReader
        let history: OriginHistory?

        init(_ store: any OriginStore) {
            self.store = store
            reader = OriginReader(store, policy: .recordedInLog)
            history = (store as? any ListingStore).map {
                OriginHistory($0, policy: .recordedInLog)
            }
        }
    }

    /// Installs the current release of a channel from the request's origin, or updates to it.
    ///
    /// - Throws: ``ClientError``, ``OriginError``, ``ManifestError``, ``ArchiveError``,
    ///   ``FileSystemError``. The installed release stays.
    package static func install(_ request: InstallRequest) async throws -> InstallReport {
        try await install(request, from: StoreOpener.read(request.origin))
    }

    /// Installs from a store instead of the request's origin.
    package static func install(
        _ request: InstallRequest, from store: any OriginStore
    ) async throws -> InstallReport {
        let source = Source(store)
        if let history = source.history, try await !history.isOrigin() {
            throw OriginError.notAnOrigin(path: store.address)
        }
        guard let published = try await source.reader.pointer(request.channel) else {
            throw OriginError.nothingPublished(
                channel: request.channel.description, origin: store.address)
        }
        var made: [String] = []
        do {
            return try await install(request, source, published, made: &made)
        } catch {
            Directory.removeUnused(made)
            throw error
        }
    }

    /// - Parameter made: gets the directories that had to be made.
    private static func install(
        _ request: InstallRequest, _ source: Source, _ published: OriginReader.Published,
        made: inout [String]
    ) async throws -> InstallReport {
        let directory = try Directory.openOrCreate(request.directory, made: &made)
        let isNew = try Installation.isUnused(directory)
        guard try Installation.isUsable(directory) else {
            throw ClientError.notAnInstallation(directory: request.directory)
        }
        guard let lock = try FileLock(in: directory, name: Installation.lockName) else {
            throw ClientError.busy(directory: request.directory)
        }
        let report: InstallReport
        do {
            let installation = try Installation(directory)
            let installer = try Installer(request, source, installation)
            report = try await installer.run(published)
        } catch {
            try? Installation.clean(directory)
            if isNew { try? Installation.withdraw(directory) }
            throw error
        }
        try Installation.clean(directory)
        _ = consume lock
        return report
    }

    private func run(_ published: OriginReader.Published) async throws -> InstallReport {
        let pointer = published.pointer
        var fetched = FetchedBytes()
        // While pointers are unsigned, each is compared with its log entry, which has the same bytes.
        fetched.pointer = UInt64(published.bytes.count)
        fetched.log = fetched.pointer
        let state = try accept(published)
        try checkCondition(pointer)
        let installed = try installation.installedVersion()
        let isDamaged: Bool
        if installed == pointer.version {
            if let release = try await installedRelease(pointer) {
                return try finish(
                    state, pointer, release, .unchanged, previous: installed, fetched: fetched)
            }
            isDamaged = true
        } else {
            isDamaged = false
        }

        var notes: [String] = []
        let updated =
            isDamaged ? nil : try await takeDeltas(from: installed, to: published, &fetched, &notes)
        let release: Release
        if let updated {
            release = updated
        } else {
            release = try await takePackage(published, &fetched)
        }
        try installation.place("tree", as: pointer.version)
        try installation.activate(pointer.version)
        return try finish(
            state, pointer, release,
            isDamaged ? .repaired : (installed == nil ? .installed : .updated), previous: installed,
            fetched: fetched, route: updated == nil ? .package : .delta, notes: notes)
    }

    private func takePackage(
        _ published: OriginReader.Published, _ fetched: inout FetchedBytes
    ) async throws -> Release {
        let pointer = published.pointer
        let manifest = try await reader.manifest(of: published)
        fetched.info = pointer.info.size
        try checkSpace(manifest)
        // Checked before it is opened.
        try await store.fetch(
            PlacedContent(OriginLayout.package(pointer.version), pointer.package),
            into: installation.staging, as: "package.zip")
        fetched.package = pointer.package.size
        try await unpack(manifest)
        return manifest.release
    }

    /// Tries the route by deltas; if it fails, the package is used.
    ///
    /// - Returns: The release of the new tree; `nil` if there is none.
    private func takeDeltas(
        from installed: Version?, to published: OriginReader.Published,
        _ fetched: inout FetchedBytes, _ notes: inout [String]
    ) async throws -> Release? {
        guard let installed,
            let route = await DeltaRoute.find(from: installed, to: published, history, &fetched)
        else { return nil }
        let pointer = published.pointer
        let staging = installation.staging
        let release: Release
        do {
            let scan = try await BuildScan.scan(
                installation.tree(installed), jobs: request.jobs, progress: request.progress)
            guard scan.leftOut.isEmpty else { return nil }
            let applied = try await route.take(
                from: AssetSource(tree: scan.directory, release: scan.release), store,
                staging: staging,
                // A package has at least a 1,032nd of its content, by the strict profile.
                outputLimit: ZipStructure.mostContent(of: pointer.package.size),
                spaceLimit: min(
                    installation.directory.freeBytes(), DeltaApplier.usualTreeLimit),
                jobs: request.jobs, progress: request.progress, &fetched)
            guard let applied else { return nil }
            release = try await proveInfo(of: applied, published, &fetched, &notes)
        } catch {
            if error.meansShortage { throw error }
            notes.append("the delta failed; installed from the package: \(error)")
            try staging.removeContents()
            return nil
        }
        try staging.directory("tree").syncFileSystem()
        return release
    }

    /// Proves the manifest that came with a delta, or fetches it.
    ///
    /// The tree is proved by its package hash already, so a wrong manifest costs its own bytes alone.
    ///
    /// - Returns: The release of the manifest and of the new tree.
    private func proveInfo(
        of applied: AppliedDelta, _ published: OriginReader.Published,
        _ fetched: inout FetchedBytes, _ notes: inout [String]
    ) async throws -> Release {
        let pointer = published.pointer
        let info = pointer.info
        if applied.infoDigest(limit: info.size) == info.content,
            let template = applied.manifest.info, template.app == pointer.app,
            template.baseURL == published.baseURL,
            template.package(of: applied.release) == pointer.package
        {
            return applied.release
        }
        let manifest = try await reader.manifest(of: published)
        fetched.info = info.size
        if applied.manifest.info != nil {
            notes.append(
                "the delta's info.json is not the one that the pointer names; it was fetched")
        }
        return manifest.release
    }

    /// Checks that a pointer continues what this installation has seen, and stores that it was seen.
    ///
    /// Durably, before anything is done or decided by it: a pointer that is refused, or a run that is killed, still
    /// ends all older ones.
    private func accept(_ published: OriginReader.Published) throws -> InstallState {
        let pointer = published.pointer
        if let state {
            try checkContinues(published, state)
            if pointer.sequence == state.sequence, state.payloadHash != nil { return state }
        }
        let seen = InstallState(
            app: pointer.app, channel: pointer.channel, sequence: pointer.sequence,
            payloadHash: published.payloadHash, installed: state?.installed)
        try seen.write(in: installation.directory, staging: installation.staging)
        return seen
    }

    private func checkContinues(
        _ published: OriginReader.Published, _ state: InstallState
    ) throws(ClientError) {
        let pointer = published.pointer
        guard state.app == pointer.app else {
            throw .otherApp(installed: state.app.description, offered: pointer.app.description)
        }
        guard state.channel == pointer.channel else {
            throw .otherChannel(
                installed: state.channel.description, asked: pointer.channel.description)
        }
        guard pointer.sequence >= state.sequence else {
            throw .replayed(offered: pointer.sequence, seen: state.sequence)
        }
        guard pointer.sequence == state.sequence else { return }
        let isSame =
            state.payloadHash.map { $0 == published.payloadHash }
            ?? (pointer.packageHash == state.installed?.packageHash)
        guard isSame else { throw .splitView(sequence: pointer.sequence) }
    }

    /// Whether a pointer starts an update at all.
    private func checkCondition(_ pointer: Pointer) throws(ClientError) {
        guard pointer.isEnabled else { throw .disabled(channel: pointer.channel.description) }
        if let expires = pointer.expires, expires <= request.now {
            throw .expired(at: expires.description)
        }
    }

    /// The installed tree's release where it is the pointer's, `nil` where it is damaged.
    private func installedRelease(_ pointer: Pointer) async throws -> Release? {
        let scan = try? await BuildScan.scan(
            installation.tree(pointer.version), jobs: request.jobs, progress: request.progress)
        // A build may contain junk, an installed tree may not: it was never verified.
        guard let scan, scan.leftOut.isEmpty, scan.release.packageHash == pointer.packageHash else {
            return nil
        }
        return scan.release
    }

    private func checkSpace(_ manifest: Manifest) throws {
        let needed = manifest.release.totalBytes.addingClamped(manifest.package?.size ?? 0)
            .addingClamped(1 << 20)
        let free = try installation.directory.freeBytes()
        guard free >= needed else {
            throw ClientError.noSpace(directory: request.directory, needed: needed, free: free)
        }
    }

    /// Unpacks into a fresh tree, then proves the tree on the disk.
    private func unpack(_ manifest: Manifest) async throws {
        let unpacker = try Unpacker(
            "package.zip", in: installation.staging, expecting: manifest.release)
        try installation.staging.makeDirectory("tree")
        let tree = try installation.staging.directory("tree")
        try await unpacker.unpack(into: tree, jobs: request.jobs, progress: request.progress)
        try installation.staging.removeFile("package.zip")
        let scan = try await BuildScan.scan(
            tree.path, jobs: request.jobs, progress: request.progress)
        guard scan.release == manifest.release else {
            throw ClientError.treeDiffers(version: manifest.release.version.description)
        }
        try tree.syncFileSystem()
    }

    private func finish(
        _ state: InstallState, _ pointer: Pointer, _ release: Release,
        _ outcome: InstallReport.Outcome, previous: Version?, fetched: FetchedBytes,
        route: InstallState.Route = .package, notes: [String] = []
    ) throws -> InstallReport {
        var state = state
        let installed: InstallState.Installed
        if let known = state.installed, known.sequence == pointer.sequence,
            known.version == pointer.version
        {
            installed = known
        } else {
            installed = InstallState.Installed(
                version: pointer.version, packageHash: pointer.packageHash,
                sequence: pointer.sequence, label: pointer.label, route: route,
                installedAt: request.now)
            state = InstallState(
                app: state.app, channel: state.channel, sequence: state.sequence,
                payloadHash: state.payloadHash, installed: installed)
            try state.write(in: installation.directory, staging: installation.staging)
        }
        try installation.removeOtherVersions()
        return InstallReport(
            outcome: outcome, state: state, installed: installed, previous: previous,
            files: release.assets.count, bytes: release.totalBytes, fetched: fetched, notes: notes)
    }
}
