import PackDelta
import PackDeltaFile
import PackGround
import PackOrigin
import PackRelease

/// `publish --repair`: manifests and deltas of a release, made again with the bytes that its pointers bind.
extension Publisher {
    /// A manifest of the release, with the bytes that a pointer or log entry binds.
    struct BoundManifest: Sendable {
        let published: OriginReader.Published
        let bytes: [UInt8]
        let manifest: Manifest
        /// Whether the origin has lost it.
        let isLost: Bool

        func upload(stagedAs name: String) -> Upload {
            var upload = Upload(published.manifestPath, bytes, stagedName: name)
            upload.conflict = .replace
            return upload
        }
    }

    /// A delta that was made again.
    struct RestoredDelta: Sendable {
        let path: String
        let made: DeltaMaker.Made
    }

    /// What pointers and log entries bind of the release, without what a prune may have deleted.
    func references(to newest: OriginReader.Published) async throws -> Reachability {
        var named: [OriginReader.Published] = []
        try await history.forEachPointer(to: release.version, startingWith: request.channel) {
            named.append($0)
            return false
        }
        var references = Reachability()
        _ = references.add(newest)
        var lowest: [Channel: Int] = [:]
        for pointer in named.map(\.pointer) where lowest[pointer.channel] == nil {
            lowest[pointer.channel] = try await history.lowestWhole(of: pointer.channel)
        }
        for published in named
        where published.pointer.sequence >= lowest[published.pointer.channel] ?? 0 {
            _ = references.add(published, rebinds: false)
        }
        return references
    }

    // MARK: Manifests

    /// Reads the manifests of the release, and makes again what is missing or damaged.
    ///
    /// - Throws: ``Failure/publishNotRemade(path:)`` for the manifest of the newest pointer; the others are noted.
    func boundManifests(
        _ references: Reachability, _ newest: OriginReader.Published, _ report: inout PublishReport
    ) async throws -> [BoundManifest] {
        var manifests: [BoundManifest] = []
        for (path, published) in references.manifests.sorted(by: { $0.key < $1.key }) {
            let there = try await unlessDamaged { try await history.reader.bytes(of: published) }
            let bytes: [UInt8]
            if let there {
                bytes = there
            } else if let made = try await remade(published, references) {
                bytes = made
            } else {
                let shown = store.display(path)
                if path == newest.manifestPath { throw Failure.publishNotRemade(path: shown) }
                report.notes.append(
                    "'\(shown)' is missing or damaged, and this build gives other bytes: restore it from a mirror or "
                        + "backup")
                continue
            }
            manifests.append(
                BoundManifest(
                    published: published, bytes: bytes,
                    manifest: try history.reader.manifest(bytes, of: published),
                    isLost: there == nil))
        }
        return manifests
    }

    /// The bytes of a manifest, from what is left of the release.
    ///
    /// - Returns: `nil` where nothing gives the hash that the pointer has.
    private func remade(
        _ published: OriginReader.Published, _ references: Reachability
    ) async throws -> [UInt8]? {
        let wanted = published.pointer.info.content
        let isWanted = { (bytes: [UInt8]) in FileDigest(of: bytes) == wanted }
        let own = try ManifestCoding.encode(
            request.manifest.at(published.baseURL).manifest(
                of: release, package: published.pointer.package))
        if isWanted(own) { return own }
        // It has the manifest of the live release.
        let info = try await unlessDamaged {
            try await store.read(OriginLayout.info, limit: Manifest.sizeLimit)?.bytes
        }
        if let info, isWanted(info) { return info }
        // A delta has what the files do not say: the commit, and the version of packtool.
        for (path, listed) in references.deltas.sorted(by: { $0.key < $1.key }) {
            let content = ObjectReference(path, listed.delta.content)
            let template: ManifestTemplate? = try await unlessDamaged {
                guard try await store.holds(content.content, at: path) else { return nil }
                return try await store.withFiles([content]) {
                    try DeltaManifest.read(path, in: $0).info
                }
            }
            guard let template, template.digest(of: release, limit: wanted.size) == wanted else {
                continue
            }
            var bytes: [UInt8] = []
            template.write(release) { bytes += $0 }
            return bytes
        }
        return nil
    }

    /// What `body` reads; `nil` where that is missing or damaged.
    private func unlessDamaged<Value>(_ body: () async throws -> Value?) async throws -> Value? {
        do {
            return try await body()
        } catch {
            if error.isLocalOrTransient { throw error }
            return nil
        }
    }

    // MARK: Deltas

    /// Makes the deltas again that are missing or damaged; what cannot be made again is noted.
    func restoredDeltas(
        _ references: Reachability, _ manifests: [BoundManifest], in workshop: Directory,
        _ report: inout PublishReport
    ) async throws -> [RestoredDelta] {
        var restored: [RestoredDelta] = []
        for (path, listed) in references.deltas.sorted(by: { $0.key < $1.key }) {
            if try await store.holds(listed.delta.content.content, at: path) { continue }
            do {
                let folder = "restored-\(restored.count)"
                try workshop.makeDirectory(folder)
                let made = try await remade(
                    listed, manifests, in: workshop.directory(folder), folder)
                restored.append(RestoredDelta(path: path, made: made))
            } catch {
                if error.isLocalOrTransient { throw error }
                report.notes.append(
                    "'\(store.display(path))' is missing or damaged, and cannot be made again: \(error); restore it "
                        + "from a mirror or backup. Devices install the package instead")
            }
        }
        return restored
    }

    private struct OtherBytes: Error, CustomStringConvertible {
        let description = "this version of packtool makes another delta"
    }

    /// - Parameter folder: the name of the directory `workshop` in the staging.
    private func remade(
        _ listed: Reachability.ListedDelta, _ manifests: [BoundManifest],
        in workshop: Directory, _ folder: String
    ) async throws -> DeltaMaker.Made {
        let from = listed.delta.from
        guard let base = try await history.pointer(to: from, startingWith: request.channel) else {
            throw Failure.originNoSuchRelease(version: from.description, origin: store.address)
        }
        let old = DeltaMaker.Base(
            release: try await history.manifest(offered: base).release,
            package: base.pointer.package)
        // A delta carries its release's manifest, and a corrected release has two.
        for (index, bound) in manifests.enumerated() {
            let pointer = bound.published.pointer
            var maker = DeltaMaker(
                store: store, history: history, channel: request.channel, live: nil,
                policy: .init(count: 0), baseURL: bound.published.baseURL, jobs: request.jobs,
                sink: request.progress,
                target: DeltaMaker.Target(
                    release: release, content: .tree(request.scan.directory), isPublished: true,
                    packed: .init(.init(pointer.package.size, bound.manifest, pointer.info))))
            maker.usesLeftDeltas = false
            switch await maker.attempt(from: old, index, workshop) {
            case .failed(let error): throw error
            case .made(var made)
            where made.pointer.content.content == listed.delta.content.content:
                made.staged = made.staged.map { "\(folder)/\($0)" }
                return made
            case .made, .tooLarge: continue
            }
        }
        throw OtherBytes()
    }
}

extension ManifestRequest {
    /// The same with another base URL: that of a release which was corrected since.
    fileprivate func at(_ base: BaseURL) -> ManifestRequest {
        ManifestRequest(
            app: app, baseURL: base, launch: launch, scheme: scheme, build: build)
    }
}
