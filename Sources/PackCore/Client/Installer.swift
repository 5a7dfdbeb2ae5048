import PackGround
package import PackOrigin
import PackRelease
import PackTrust

/// The reference client.
///
/// It reads the pointer, compares it with the installed release, downloads a delta or package,
/// verifies it, unpacks it into an empty tree, verifies the tree by its package hash, switches
/// atomically, and removes the previous tree. If it is killed, either the old or the new release is
/// complete; the next run removes leftover files.
package struct Installer: Sendable {
    let request: InstallRequest
    package let store: any OriginStore
    let reader: OriginReader
    let installation: Installation
    let state: InstallState?
    let offer: PointerIntake.Offer
    /// The time when the pointer was read, by the request's clock.
    let begun: Double?

    private init(
        _ request: InstallRequest, _ store: any OriginStore, _ installation: Installation,
        _ state: InstallState?, _ offer: PointerIntake.Offer
    ) {
        self.request = request
        self.store = store
        reader = OriginReader(store, policy: offer.policy)
        self.installation = installation
        self.state = state
        self.offer = offer
        begun = request.seconds?()
    }

    /// Installs the current release of a channel from the request's origin, or updates to it.
    ///
    /// - Throws: ``Failure``. The installed release is unchanged.
    @discardableResult
    package static func install(
        _ request: InstallRequest, reporting: (InstallReport) -> Void = { _ in }
    ) async throws -> InstallReport {
        try await install(request, from: StoreOpener.read(request.origin), reporting: reporting)
    }

    /// The name of the lock file in an installation's directory, which excludes parallel runs.
    package static let lockName = Installation.lockName

    /// The directory for a store's partial downloads, which a later run resumes.
    package static func partsPath(in directory: String) -> String {
        "\(directory)/\(Installation.parts)"
    }

    /// Installs from a store instead of the request's origin.
    ///
    /// - Parameter reporting: Called before the previous tree is removed, which can take longer
    ///   than the installation; the installation stays locked. Only the returned report
    ///   can have a note about the removal.
    @discardableResult
    package static func install(
        _ request: InstallRequest, from store: any OriginStore,
        reporting: (InstallReport) -> Void = { _ in }
    ) async throws -> InstallReport {
        if let listing = store as? any ListingStore,
            try await !OriginHistory(listing, policy: .recordedInLog).isOrigin()
        {
            throw Failure.originNotAnOrigin(path: store.address)
        }
        var made: [String] = []
        do {
            return try await install(request, store, made: &made, reporting)
        } catch {
            if error.mayBeStale, let fresh = store.pastCaches() {
                do {
                    return try await install(request, fresh, made: &made, reporting)
                } catch {
                    Directory.removeUnused(made)
                    throw error
                }
            }
            Directory.removeUnused(made)
            throw error
        }
    }

    /// Installs with the directory created if needed.
    ///
    /// - Parameter made: Receives the created directories.
    private static func install(
        _ request: InstallRequest, _ store: any OriginStore, made: inout [String],
        _ reporting: (InstallReport) -> Void
    ) async throws -> InstallReport {
        let directory = try Directory.openOrCreate(request.directory, made: &made)
        guard try Installation.isUsable(directory) else {
            throw Failure.installNotAnInstallation(directory: request.directory)
        }
        guard let lock = try FileLock(in: directory, name: Installation.lockName) else {
            throw Failure.installBusy(directory: request.directory)
        }
        let report: InstallReport
        do {
            try Installation.mark(directory, lock)
            let installation = try Installation(directory)
            let state = try InstallState.read(in: directory)
            if let state, state.device == nil { try installation.removeEmbeddedManifest() }
            // Read under the lock, because another run may change the state and the root.
            let offer = try await PointerIntake(
                request: request, store: store, installation: installation, state: state
            ).take()
            report = try await Installer(request, store, installation, state, offer).run()
        } catch {
            try? Installation.clean(directory)
            try? Installation.withdraw(directory)
            throw error
        }
        reporting(report)
        let note = try cleanUp(directory, isRequired: request.isForApps)
        _ = consume lock
        return report.with(removalNote: note)
    }

    /// Removes the previous tree and partial downloads.
    ///
    /// - Parameter isRequired: Whether to throw an error instead of returning it as a note.
    private static func cleanUp(_ directory: Directory, isRequired: Bool) throws -> String? {
        do {
            try Installation.removeParts(directory)
            try Installation.clean(directory)
            return nil
        } catch {
            if isRequired { throw error }
            return removalNote(error)
        }
    }

    private static func removalNote(_ error: any Error) -> String {
        "some files of the previous release remain until the next run: \(error)"
    }

    /// Installs the accepted offer.
    ///
    /// - Parameter looks: The number of restarts left for a newer pointer.
    private func run(looks: Int = Installer.mostLooks) async throws -> InstallReport {
        var fetched = offer.fetched
        var state = try accept(offer.published)
        try checkCondition(offer.published.pointer)
        let installed = try installation.installedVersion()
        var notes = offer.notes
        guard var published = try await choose(offer.published, state, installed, &notes) else {
            let outcome = offer.published.pointer.isClosed ? InstallReport.Outcome.closed : .kept
            return try await keep(outcome, installed, state, notes, fetched: fetched)
        }
        var pointer = published.pointer
        var previous: BuildScan?
        let isRepair = installed == pointer.version
        if isRepair {
            previous = try await readableScan(pointer.version)
            // A build may contain junk, but an installed tree must not, because junk is never
            // verified.
            if let previous, previous.leftOut.isEmpty,
                previous.release.packageHash == pointer.packageHash
            {
                return try finish(
                    state, pointer, previous.release, .unchanged, previous: installed,
                    fetched: fetched, notes: notes)
            }
        }

        let updated =
            isRepair
            ? nil
            : try await takeDeltas(
                from: installed, to: published, previous: &previous, speed: &state.speed, &fetched,
                &notes)
        let release: Release
        if let updated {
            release = updated
        } else {
            release = try await takePackage(
                published, previous: previous, installed: isRepair ? nil : installed,
                speed: &state.speed, &fetched, &notes)
        }
        try checkLaunch(published, release)
        if looks > 0, var later = await laterOffer(state, &notes) {
            later.fetched = later.fetched.adding(fetched)
            later.notes = notes + ["a newer pointer went live during the run"]
            let next = Installer(request, store, installation, state, later)
            guard let same = try await next.continues(pointer.packageHash, installed) else {
                try installation.staging.removeContents()
                return try await next.run(looks: looks - 1)
            }
            (state, published) = same
            (pointer, fetched, notes) = (published.pointer, later.fetched, later.notes)
        }
        try installation.move("tree", as: pointer.version)
        if request.isForApps { try installation.write(manifest: await reader.bytes(of: published)) }
        try installation.activate(pointer.version)
        return try finish(
            state, pointer, release,
            isRepair ? .repaired : (installed == nil ? .installed : .updated), previous: installed,
            fetched: fetched, route: updated == nil ? .package : .delta, notes: notes)
    }

    /// Checks that the release has the app's first page.
    private func checkLaunch(
        _ published: OriginReader.Published, _ release: Release
    ) throws(Failure) {
        guard let launch = published.pointer.entry.launch,
            !release.assets.contains(where: { $0.path == launch })
        else { return }
        throw .originDiffers(
            path: published.path, problem: "names a launch page that its release does not have")
    }

    private func finish(
        _ state: InstallState, _ pointer: Pointer, _ release: Release,
        _ outcome: InstallReport.Outcome, previous: Version?, fetched: FetchedBytes,
        route: InstallState.Route = .package, notes: [String] = []
    ) throws -> InstallReport {
        var state = state
        let installed: InstallState.Installed
        let known = state.installed.flatMap { $0.version == pointer.version ? $0 : nil }
        if let known, known.sequence == pointer.sequence {
            installed = known
        } else {
            // A later pointer chose the same release, so its route and time are unchanged.
            let earlier = outcome == .unchanged ? known : nil
            installed = InstallState.Installed(
                version: pointer.version, packageHash: pointer.packageHash,
                sequence: pointer.sequence, label: pointer.label, route: earlier?.route ?? route,
                installedAt: earlier?.installedAt ?? request.now)
            state.installed = installed
            try state.write(in: installation.directory, staging: installation.staging)
        }
        var notes = notes
        do { try installation.removeOtherVersions() } catch {
            if request.isForApps { throw error }
            notes.append(Self.removalNote(error))
        }
        return InstallReport(
            outcome: outcome, state: state, installed: installed, previous: previous,
            files: release.assets.count, bytes: release.totalBytes, fetched: fetched, notes: notes)
    }
}

extension Error {
    /// Whether a newer pointer, or one not from a cache, could succeed.
    fileprivate var mayBeStale: Bool {
        switch self {
        case let failure as Failure:
            switch failure.code {
            case .originMissing, .originLogDiffers, .originLogMissing, .originDiffers,
                .originNothingPublished, .originInvalidPointer, .installReplayed, .installExpired,
                .installExpiredByRoot,
                // A cache may still have the response that there is no next root, or the previous file.
                .trustRootMissing, .trustRootExpired, .trustNoRole, .trustUnsigned,
                .trustBadSignature:
                true
            default: failure.code.isOf("http") && failure.meansAnotherContent
            }
        default: false
        }
    }
}
