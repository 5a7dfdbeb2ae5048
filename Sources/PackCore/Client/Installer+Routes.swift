import PackArchive
import PackDeltaFile
import PackGround
import PackOrigin
import PackRelease

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

    /// Downloads the package, or the single files.
    ///
    /// - Parameter previous: A tree with files that need not be unpacked.
    func takePackage(
        _ published: OriginReader.Published, previous: BuildScan?,
        _ fetched: inout FetchedBytes, _ notes: inout [String]
    ) async throws -> Release {
        let pointer = published.pointer
        let manifest = try await reader.manifest(of: published)
        fetched.info = fetched.info.addingClamped(pointer.info.size)
        try checkSpace(manifest)
        do {
            // Checked before it is opened.
            try await store.fetch(
                ObjectReference(OriginLayout.package(pointer.version), pointer.package),
                into: installation.staging, as: "package.zip")
        } catch  where !(store is any ListingStore) && error.concernsOneFile {
            notes.append("the package failed; installed from single files: \(error)")
            try await takeFiles(manifest, &fetched)
            return manifest.release
        }
        fetched.package = fetched.package.addingClamped(pointer.package.size)
        let source = previous.map { AssetSource($0) }
        do {
            try await unpack(manifest.release, previous: source)
        } catch let error as Failure where source != nil && error.code == .buildChangedWhileRead {
            try installation.staging.removeTree("tree")
            try await unpack(manifest.release, previous: nil)
        }
        return manifest.release
    }

    /// The last route, over a network: downloads each file of the release.
    private func takeFiles(_ manifest: Manifest, _ fetched: inout FetchedBytes) async throws {
        let staging = installation.staging
        try staging.makeDirectory("tree")
        let tree = try staging.directory("tree")
        for asset in manifest.release.assets {
            let (folder, name) = FolderNames.split(asset.path.description)
            try await store.fetch(
                ObjectReference(objectOf: asset), into: tree.makeDirectories(folder), as: name)
            fetched.files = fetched.files.addingClamped(asset.size)
        }
        try await complete(tree, manifest.release)
        for asset in manifest.release.assets where !request.isForApps {
            tree.makeReadOnly(asset.path.description)
        }
    }

    /// Tries the route by deltas; if it fails, the package is used.
    ///
    /// - Parameter previous: Receives the scan of the installed tree, if it was scanned.
    /// - Returns: The release of the new tree; `nil` if there is none.
    func takeDeltas(
        from installed: Version?, to published: OriginReader.Published,
        previous: inout BuildScan?, _ fetched: inout FetchedBytes, _ notes: inout [String]
    ) async throws -> Release? {
        guard let installed,
            let route = await DeltaRoute.find(
                from: installed, to: published, of: offer.published, reader, &fetched)
        else { return nil }
        let staging = installation.staging
        let release: Release
        do {
            let scan = try await scan(installed)
            previous = scan
            guard scan.leftOut.isEmpty else { return nil }
            let applied = try await route.take(
                from: AssetSource(scan), store, staging: staging,
                spaceLimit: min(
                    installation.directory.freeBytes(), DeltaApplier.usualTreeLimit),
                jobs: request.jobs, progress: request.progress, &fetched)
            guard let applied else { return nil }
            release = try await proveInfo(of: applied, published, &fetched, &notes)
        } catch {
            if error.isLocalOrTransient { throw error }
            notes.append("the delta failed; installed from the package: \(error)")
            try staging.removeContents()
            return nil
        }
        try staging.directory("tree").syncFileSystem()
        return release
    }

    /// Verifies the manifest that came with a delta, or fetches it.
    ///
    /// The package hash has already verified the tree, so a wrong manifest costs only its own
    /// download.
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
        fetched.info = fetched.info.addingClamped(info.size)
        if applied.manifest.info != nil {
            notes.append(
                "the delta's info.json is not the one that the pointer names; it was fetched")
        }
        return manifest.release
    }

    private func checkSpace(_ manifest: Manifest) throws {
        let needed = manifest.release.totalBytes.addingClamped(manifest.package?.size ?? 0)
            .addingClamped(1 << 20)
        let free = try installation.directory.freeBytes()
        guard free >= needed else {
            throw Failure.installNoSpace(directory: request.directory, needed: needed, free: free)
        }
    }

    /// Unpacks into an empty tree, links files of the previous tree, and verifies the result.
    private func unpack(_ release: Release, previous: AssetSource?) async throws {
        let staging = installation.staging
        let old = Dictionary(
            (previous?.release.assets ?? []).map { ($0.sha256, $0) },
            uniquingKeysWith: { first, _ in first })
        var kept: [(asset: Asset, path: AssetPath)] = []
        var missing: Set<AssetPath> = []
        for asset in release.assets {
            // A scan leaves junk out, so a package with junk is refused only if it is unpacked.
            if let same = old[asset.sha256], !JunkFiles.isJunk(in: asset.path) {
                kept.append((same, asset.path))
            } else {
                missing.insert(asset.path)
            }
        }
        let unpacker = try Unpacker("package.zip", in: staging, expecting: release, only: missing)
        try staging.makeDirectory("tree")
        let tree = try staging.directory("tree")
        if !missing.isEmpty {
            try await unpacker.unpack(
                into: tree, isReadOnly: !request.isForApps, jobs: request.jobs,
                progress: request.progress)
        }
        try await complete(tree, release, with: kept, of: previous)
    }

    /// Verifies the tree on disk, adds links to a verified previous tree, and makes it durable.
    private func complete(
        _ tree: Directory, _ release: Release,
        with kept: [(asset: Asset, path: AssetPath)] = [], of previous: AssetSource? = nil
    ) async throws {
        var found = kept.map { Asset(path: $0.path, size: $0.asset.size, sha256: $0.asset.sha256) }
        if kept.count < release.assets.count {
            found += try await BuildScan.scan(
                tree.path, jobs: request.jobs, progress: request.progress
            ).release.assets
        }
        guard Release(assets: found) == release else {
            throw Failure.installTreeDiffers(version: release.version.description)
        }
        try tree.makeDirectories(of: kept.lazy.map(\.path))
        try await previous?.copy(
            kept, to: tree, isLinking: true, jobs: request.jobs, progress: request.progress)
        try tree.syncFileSystem()
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
