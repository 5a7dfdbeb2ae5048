import PackDeltaFile
import PackGround
import PackOrigin
import PackRelease
import PackZip

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The routes to download a release into staging: deltas, the files that differ, package or single files.
extension Installer {
    /// Scans the tree of a release.
    func scan(_ base: Base) async throws -> BuildScan {
        try await BuildScan.scan(base.path, jobs: request.jobs, progress: request.progress)
    }

    /// A tree with its hashes; `nil` if it is damaged.
    func readableScan(_ base: Base) async throws -> BuildScan? {
        do {
            return try await scan(base)
        } catch {
            if error.isLocalOrTransient { throw error }
            return nil
        }
    }

    /// The releases on the device that a new one may take files from, and what is known of their
    /// files.
    struct Scans {
        let bases: [Base]
        var known: [InstallState.Place: BuildScan] = [:]
    }

    /// The files of a release as the source of links, or of copies if it is in the app itself.
    private func source(_ scan: BuildScan, at place: InstallState.Place) -> AssetSource {
        place == .embedded
            ? AssetSource(tree: scan.directory, release: scan.release) : AssetSource(scan)
    }

    /// Scans a release, unless that was done before; `nil` if there is none, or it is damaged.
    private func scan(_ base: Base?, _ scans: Scans) async -> BuildScan? {
        guard let base else { return nil }
        if let known = scans.known[base.place] { return known }
        return try? await scan(base)
    }

    /// Downloads and unpacks the package, or the single files.
    ///
    /// Names and sizes come from the package; the package hash of the new tree verifies them.
    ///
    /// - Parameter scans: The first release's files need not be unpacked.
    func takePackage(
        _ published: OriginReader.Published, _ scans: inout Scans, _ run: inout Run
    ) async throws -> Release {
        let pointer = published.pointer
        guard request.limits.allow(pointer.package.size) else {
            throw Failure.installOverLimit(
                version: pointer.version.description, limit: request.limits.bytes ?? 0)
        }
        try checkSpace(pointer)
        request.willFetch?(pointer.package.size)
        let (first, known) = (scans.bases.first, scans)
        let place = first?.place ?? .embedded
        async let scanned = scan(first, known)
        do {
            // Checked before it is opened.
            try await store.fetch(
                ObjectReference(OriginLayout.package(pointer.version), pointer.package),
                into: installation.staging, as: "package.zip")
        } catch  where !(store is any ListingStore) && error.concernsOneFile {
            run.notes.append("the package failed; installed from single files: \(oneLine(error))")
            return try await takeFiles(
                published, manifest(of: published, &run), from: [], &run)
        }
        run.fetched.package = run.fetched.package.addingClamped(pointer.package.size)
        let previous = await scanned.map { (scan: $0, source: source($0, at: place)) }
        do {
            return try await unpack(pointer, previous: previous, speed: &run.state.speed)
        } catch let error as Failure where previous != nil && error.meansOtherPrevious {
            try installation.staging.removeTree("tree")
            return try await unpack(pointer, previous: nil, speed: &run.state.speed)
        }
    }

    /// Takes the files that no release on the device has, if they are smaller than the package.
    ///
    /// - Returns: `nil` to take the package.
    func takeMissing(
        _ published: OriginReader.Published, _ scans: inout Scans, _ run: inout Run
    ) async throws -> Release? {
        let entry = published.pointer.entry
        guard !scans.bases.isEmpty, MissingFiles.isPossible(for: entry) else { return nil }
        do {
            let manifest = try await manifest(of: published, &run)
            for base in scans.bases where scans.known[base.place] == nil {
                scans.known[base.place] = await scan(base, scans)
            }
            let sources = scans.bases.compactMap { base in
                scans.known[base.place].map { source($0, at: base.place) }
            }
            let known = Set(sources.flatMap { $0.release.assets.map(\.sha256) })
            let limit = request.limits.bytes ?? .max
            guard
                MissingFiles(
                    of: manifest.release, offered: entry, known: known, limit: limit) != nil
            else { return nil }
            return try await takeFiles(published, manifest, from: sources, &run)
        } catch {
            if error.isLocalOrTransient { throw error }
            run.notes.append("single files failed; installed from the package: \(oneLine(error))")
            try installation.staging.removeContents()
            return nil
        }
    }

    private func manifest(
        of published: OriginReader.Published, _ run: inout Run
    ) async throws -> Manifest {
        let manifest = try await reader.manifest(of: published)
        run.fetched.info = run.fetched.info.addingClamped(published.pointer.info.size)
        return manifest
    }

    /// Downloads each file of a release, unless a release on the device has it.
    private func takeFiles(
        _ published: OriginReader.Published, _ manifest: Manifest, from sources: [AssetSource],
        _ run: inout Run
    ) async throws -> Release {
        let assets = manifest.release.assets
        let staging = installation.staging
        try staging.makeDirectory("tree")
        let tree = try staging.directory("tree")
        var missing = assets
        var kept: [[(asset: Asset, path: AssetPath)]] = []
        for source in sources {
            let old = Dictionary(
                source.release.assets.map { ($0.sha256, $0) }, uniquingKeysWith: { one, _ in one })
            kept.append(missing.compactMap { new in old[new.sha256].map { ($0, new.path) } })
            missing.removeAll { old[$0.sha256] != nil }
        }
        try tree.makeDirectories(of: missing.lazy.map(\.path))
        let wanted = missing
        request.willFetch?(wanted.clampedSum { $0.size })
        _ = try await requestInParallel(wanted.count, atMost: store.readsAtOnce) { index in
            let (folder, name) = FolderNames.split(wanted[index].path.description)
            try await store.fetch(
                ObjectReference(objectOf: wanted[index]), into: tree.makeDirectories(folder),
                as: name)
        }
        run.fetched.files = run.fetched.files.addingClamped(wanted.clampedSum { $0.size })
        for asset in wanted where !request.isForApps {
            tree.makeReadOnly(asset.path.description)
        }
        return try await complete(
            tree, published.pointer,
            with: zip(sources, kept).map { (source: $0, files: $1) })
    }

    /// Tries the route by deltas; if it fails or would be slower, another one is used.
    ///
    /// - Parameter scans: Receives the scan of the delta's base.
    /// - Returns: The release of the new tree; `nil` if there is none.
    func takeDeltas(
        _ published: OriginReader.Published, _ scans: inout Scans, _ run: inout Run
    ) async throws -> Release? {
        guard
            let route = await DeltaRoute.find(
                from: scans.bases.map(\.copy.version), to: published, of: offer.published, reader,
                &run.fetched),
            let base = scans.bases.first(where: { $0.copy.version == route.from }),
            isAllowed(route, speed: run.state.speed)
        else { return nil }
        let staging = installation.staging
        let release: Release
        do {
            async let hashed = scan(base)
            let link = try await fetch(route, &run.fetched)
            let scan = try await hashed
            scans.known[base.place] = scan
            guard scan.leftOut.isEmpty else { return nil }
            let time = UpdateTime(
                speed: Double(run.state.speed ?? UpdateTime.usualPercent) / 100, link: link)
            if !request.isMetered,
                time.prefersPackage(of: published.pointer.entry, to: route.deltas)
            {
                run.notes.append("the package is faster on this link than applying the delta")
                try staging.removeContents()
                return nil
            }
            guard
                let applied = try await apply(
                    route, to: source(scan, at: base.place), speed: &run.state.speed)
            else { return nil }
            release = applied.release
        } catch {
            if error.isLocalOrTransient { throw error }
            run.notes.append("the delta failed; installed without it: \(oneLine(error))")
            try staging.removeContents()
            return nil
        }
        try staging.directory("tree").syncFileSystem()
        return release
    }

    /// Whether the limits of the update allow a route.
    private func isAllowed(_ route: DeltaRoute, speed: Int?) -> Bool {
        let limits = request.limits
        let time = UpdateTime(speed: Double(speed ?? UpdateTime.usualPercent) / 100)
        return limits.allow(route.size)
            && route.deltas.allSatisfy { $0.needs.memory <= limits.memory }
            && limits.seconds.map { time.applying(route.deltas.map(\.needs)) <= $0 } ?? true
    }

    /// Fetches the deltas of a route.
    ///
    /// - Returns: The speed of the link in bytes per second; `nil` if it was not measured, or there
    ///   is none.
    private func fetch(
        _ route: DeltaRoute, _ fetched: inout FetchedBytes
    ) async throws -> Double? {
        let begun = request.seconds?()
        request.willFetch?(route.size)
        try await route.fetch(store, into: installation.staging, &fetched)
        guard let begun, let end = request.seconds?(), !(store is any ListingStore) else {
            return nil
        }
        return Double(route.size) / max(end - begun, 1e-6)
    }

    /// Applies the fetched deltas of a route, and measures the speed of the processor.
    private func apply(
        _ route: DeltaRoute, to base: AssetSource, speed: inout Int?
    ) async throws -> AppliedDelta? {
        let begun = request.seconds?()
        let applied = try await route.apply(
            to: base, of: store, staging: installation.staging,
            spaceLimit: min(freeBytes(), DeltaApplier.usualTreeLimit),
            jobs: request.jobs, progress: request.progress)
        measure(
            since: begun, UpdateTime.reference.applying(route.deltas.map(\.needs)), &speed)
        return applied
    }

    /// Measures the speed of the processor by work that takes `reference` seconds at speed 1.
    private func measure(since begun: Double?, _ reference: Double, _ speed: inout Int?) {
        guard let begun, let end = request.seconds?() else { return }
        speed = UpdateTime.speed(after: speed, end - begun, reference: reference)
    }

    private func checkSpace(_ pointer: Pointer) throws {
        let needed = pointer.tree.size.addingClamped(pointer.package.size).addingClamped(1 << 20)
        let free = try freeBytes()
        guard free >= needed else {
            throw Failure.installNoSpace(directory: request.directory, needed: needed, free: free)
        }
    }

    /// The free space that the update may use.
    private func freeBytes() throws -> UInt64 {
        let free = try installation.directory.freeBytes()
        return free - min(free, request.limits.spaceToLeave)
    }

    /// Unpacks into an empty tree, links files of the previous tree, and verifies the result.
    private func unpack(
        _ pointer: Pointer, previous: (scan: BuildScan, source: AssetSource)?, speed: inout Int?
    ) async throws -> Release {
        let staging = installation.staging
        let package = try PackageReader("package.zip", in: staging)
        guard package.tree == pointer.tree else {
            throw Failure.originDiffers(
                path: store.display(OriginLayout.package(pointer.version)),
                problem: "has \(package.tree), but \(pointer.tree) in its pointer")
        }
        let kept = previous.map { self.kept(of: package, in: $0.scan) } ?? []
        try staging.makeDirectory("tree")
        let tree = try staging.directory("tree")
        if kept.count < pointer.tree.assets {
            let begun = request.seconds?()
            try await Unpacker(package, except: Set(kept.map(\.path))).unpack(
                into: tree, isReadOnly: !request.isForApps, jobs: request.jobs,
                progress: request.progress)
            let unpacked = TreeSize(
                assets: pointer.tree.assets - kept.count,
                size: pointer.tree.size - min(kept.clampedSum { $0.asset.size }, pointer.tree.size))
            measure(since: begun, UpdateTime.reference.unpacking(unpacked), &speed)
        }
        return try await complete(
            tree, pointer, with: previous.map { [(source: $0.source, files: kept)] } ?? [])
    }

    /// The files of a package that the previous tree has under any path, by size and CRC-32.
    ///
    /// The package hash of the new tree, which is computed from their SHA-256, verifies them.
    private func kept(
        of package: PackageReader, in previous: BuildScan
    ) -> [(asset: Asset, path: AssetPath)] {
        let old = Dictionary(
            zip(previous.release.assets, previous.checksums).map { asset, checksum in
                (PackageReader.Content(size: asset.size, checksum: checksum), asset)
            }, uniquingKeysWith: { first, _ in first })
        // A scan leaves junk out, so a package with junk is refused only if it is unpacked.
        return package.contents.compactMap { path, content in
            JunkFiles.isJunk(in: path) ? nil : old[content].map { ($0, path) }
        }
    }

    /// Verifies the tree on disk, adds links to verified trees, and makes it durable.
    ///
    /// - Parameter kept: The files of other trees, with their paths in the new one.
    private func complete(
        _ tree: Directory, _ pointer: Pointer,
        with kept: [(source: AssetSource, files: [(asset: Asset, path: AssetPath)])]
    ) async throws -> Release {
        var found = kept.flatMap(\.files).map {
            Asset(path: $0.path, size: $0.asset.size, sha256: $0.asset.sha256)
        }
        if found.count < pointer.tree.assets {
            found += try await BuildScan.scan(
                tree.path, jobs: request.jobs, progress: request.progress
            ).release.assets
        }
        let release = Release(assets: found)
        guard release.packageHash == pointer.packageHash, TreeSize(of: release) == pointer.tree
        else { throw Failure.installTreeDiffers(version: pointer.version.description) }
        for (source, files) in kept {
            try tree.makeDirectories(of: files.lazy.map(\.path))
            try await source.copy(
                files, to: tree, isLinking: true, jobs: request.jobs, progress: request.progress)
        }
        try tree.syncFileSystem()
        return release
    }
}

/// The description of an error, for a note.
private func oneLine(_ error: any Error) -> String {
    "\(error)".split(separator: "\n").map { $0.drop { $0 == " " } }.joined(separator: " ")
}

extension Failure {
    /// Whether the package may still be right, with all of its files unpacked.
    fileprivate var meansOtherPrevious: Bool {
        code == .buildChangedWhileRead || code == .installTreeDiffers || number == ENOENT
    }
}

extension Error {
    /// Whether the server responded, so that other files may still be available.
    fileprivate var concernsOneFile: Bool {
        switch self {
        case let failure as Failure where failure.code.isOf("origin"): true
        case let failure as Failure where failure.code.isOf("http"): !failure.isLocalOrTransient
        default: false
        }
    }
}
