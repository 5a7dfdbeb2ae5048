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

/// The routes to download a release into staging: deltas, package or single files.
extension Installer {
    /// Scans the tree of the installed release.
    func scan(_ installed: Version) async throws -> BuildScan {
        try await BuildScan.scan(
            installation.tree(installed), jobs: request.jobs, progress: request.progress)
    }

    /// The installed tree with its hashes; `nil` if it is damaged.
    func readableScan(_ installed: Version) async throws -> BuildScan? {
        do {
            return try await scan(installed)
        } catch {
            if error.isLocalOrTransient { throw error }
            return nil
        }
    }

    /// A scan of the previous tree; `nil` if there is none, or it is damaged.
    private func scan(_ known: BuildScan?, or installed: Version?) async -> BuildScan? {
        if let known { return known }
        guard let installed else { return nil }
        return try? await scan(installed)
    }

    /// Downloads and unpacks the package, or the single files.
    ///
    /// Names and sizes come from the package; the package hash of the new tree verifies them.
    ///
    /// - Parameters:
    ///   - previous: A tree with files that need not be unpacked.
    ///   - installed: The release whose tree is scanned during the download, if `previous` is `nil`.
    ///   - speed: Receives the measured speed of the processor.
    func takePackage(
        _ published: OriginReader.Published, previous: BuildScan?, installed: Version?,
        speed: inout Int?, _ fetched: inout FetchedBytes, _ notes: inout [String]
    ) async throws -> Release {
        let pointer = published.pointer
        try checkSpace(pointer)
        async let scanned = scan(previous, or: installed)
        do {
            // Checked before it is opened.
            try await store.fetch(
                ObjectReference(OriginLayout.package(pointer.version), pointer.package),
                into: installation.staging, as: "package.zip")
        } catch  where !(store is any ListingStore) && error.concernsOneFile {
            notes.append("the package failed; installed from single files: \(oneLine(error))")
            return try await takeFiles(published, &fetched)
        }
        fetched.package = fetched.package.addingClamped(pointer.package.size)
        let previous = await scanned
        do {
            return try await unpack(pointer, previous: previous, speed: &speed)
        } catch let error as Failure where previous != nil && error.meansOtherPrevious {
            try installation.staging.removeTree("tree")
            return try await unpack(pointer, previous: nil, speed: &speed)
        }
    }

    /// The last route, over a network: downloads the manifest and each file of the release.
    private func takeFiles(
        _ published: OriginReader.Published, _ fetched: inout FetchedBytes
    ) async throws -> Release {
        let manifest = try await reader.manifest(of: published)
        fetched.info = fetched.info.addingClamped(published.pointer.info.size)
        let assets = manifest.release.assets
        let staging = installation.staging
        try staging.makeDirectory("tree")
        let tree = try staging.directory("tree")
        try tree.makeDirectories(of: assets.lazy.map(\.path))
        _ = try await requestInParallel(assets.count, atMost: store.readsAtOnce) { index in
            let (folder, name) = FolderNames.split(assets[index].path.description)
            try await store.fetch(
                ObjectReference(objectOf: assets[index]), into: tree.makeDirectories(folder),
                as: name)
        }
        fetched.files = fetched.files.addingClamped(manifest.release.totalBytes)
        let release = try await complete(tree, published.pointer)
        for asset in assets where !request.isForApps {
            tree.makeReadOnly(asset.path.description)
        }
        return release
    }

    /// Tries the route by deltas; if it fails or would be slower, the package is used.
    ///
    /// - Parameters:
    ///   - previous: Receives the scan of the installed tree, if it was scanned.
    ///   - speed: The speed of the processor; receives the measured one.
    /// - Returns: The release of the new tree; `nil` if there is none.
    func takeDeltas(
        from installed: Version?, to published: OriginReader.Published,
        previous: inout BuildScan?, speed: inout Int?, _ fetched: inout FetchedBytes,
        _ notes: inout [String]
    ) async throws -> Release? {
        guard let installed,
            let route = await DeltaRoute.find(
                from: installed, to: published, of: offer.published, reader, &fetched)
        else { return nil }
        let staging = installation.staging
        let release: Release
        do {
            async let hashed = scan(installed)
            let link = try await fetch(route, &fetched)
            let scan = try await hashed
            previous = scan
            guard scan.leftOut.isEmpty else { return nil }
            let time = UpdateTime(
                speed: Double(speed ?? UpdateTime.usualPercent) / 100, link: link)
            if !request.isMetered,
                time.prefersPackage(of: published.pointer.entry, to: route.deltas)
            {
                notes.append("the package is faster on this link than applying the delta")
                try staging.removeContents()
                return nil
            }
            guard let applied = try await apply(route, to: scan, speed: &speed) else {
                return nil
            }
            release = applied.release
        } catch {
            if error.isLocalOrTransient { throw error }
            notes.append("the delta failed; installed from the package: \(oneLine(error))")
            try staging.removeContents()
            return nil
        }
        try staging.directory("tree").syncFileSystem()
        return release
    }

    /// Fetches the deltas of a route.
    ///
    /// - Returns: The speed of the link in bytes per second; `nil` if it was not measured, or there
    ///   is none.
    private func fetch(
        _ route: DeltaRoute, _ fetched: inout FetchedBytes
    ) async throws -> Double? {
        let begun = request.seconds?()
        try await route.fetch(store, into: installation.staging, &fetched)
        guard let begun, let end = request.seconds?(), !(store is any ListingStore) else {
            return nil
        }
        return Double(route.size) / max(end - begun, 1e-6)
    }

    /// Applies the fetched deltas of a route, and measures the speed of the processor.
    private func apply(
        _ route: DeltaRoute, to scan: BuildScan, speed: inout Int?
    ) async throws -> AppliedDelta? {
        let begun = request.seconds?()
        let applied = try await route.apply(
            to: AssetSource(scan), of: store, staging: installation.staging,
            spaceLimit: min(installation.directory.freeBytes(), DeltaApplier.usualTreeLimit),
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
        let free = try installation.directory.freeBytes()
        guard free >= needed else {
            throw Failure.installNoSpace(directory: request.directory, needed: needed, free: free)
        }
    }

    /// Unpacks into an empty tree, links files of the previous tree, and verifies the result.
    private func unpack(
        _ pointer: Pointer, previous: BuildScan?, speed: inout Int?
    ) async throws -> Release {
        let staging = installation.staging
        let package = try PackageReader("package.zip", in: staging)
        guard package.tree == pointer.tree else {
            throw Failure.originDiffers(
                path: store.display(OriginLayout.package(pointer.version)),
                problem: "has \(package.tree), but \(pointer.tree) in its pointer")
        }
        let kept = previous.map { self.kept(of: package, in: $0) } ?? []
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
            tree, pointer, with: kept, of: previous.map { AssetSource($0) })
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

    /// Verifies the tree on disk, adds links to a verified previous tree, and makes it durable.
    private func complete(
        _ tree: Directory, _ pointer: Pointer,
        with kept: [(asset: Asset, path: AssetPath)] = [], of previous: AssetSource? = nil
    ) async throws -> Release {
        var found = kept.map { Asset(path: $0.path, size: $0.asset.size, sha256: $0.asset.sha256) }
        if kept.count < pointer.tree.assets {
            found += try await BuildScan.scan(
                tree.path, jobs: request.jobs, progress: request.progress
            ).release.assets
        }
        let release = Release(assets: found)
        guard release.packageHash == pointer.packageHash, TreeSize(of: release) == pointer.tree
        else { throw Failure.installTreeDiffers(version: pointer.version.description) }
        try tree.makeDirectories(of: kept.lazy.map(\.path))
        try await previous?.copy(
            kept, to: tree, isLinking: true, jobs: request.jobs, progress: request.progress)
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
