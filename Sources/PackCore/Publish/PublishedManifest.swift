import PackGround
import PackOrigin
import PackRelease
import PackTrust

/// The manifest of a release already published at the origin.
struct PublishedManifest: Sendable {
    /// `nil` if no published manifest matches this publish.
    var manifest: Manifest?
    var reference: ContentReference?
    /// The release's usual manifest, if this publish corrects it.
    var corrected: Manifest?
    var notes: [String] = []

    /// Finds the manifest that a publish of the release reuses, identified by its pointers.
    ///
    /// Published manifests are immutable. A different base URL, scheme or launch page can be
    /// corrected:
    /// the release then gets a second manifest with its own key, and keeps its package and objects.
    ///
    /// A second manifest is also written if no log entry of the owner references the first and its
    /// bytes
    /// differ from this publish. It may come from an interrupted publish, or from an attacker with
    /// access to the storage who forged its provenance.
    ///
    /// - Returns: `nil` for a release without a manifest.
    static func find(
        _ request: PublishRequest, _ store: any WritableStore, _ history: OriginHistory
    ) async throws -> PublishedManifest? {
        let version = request.scan.release.version
        let path = OriginLayout.manifest(version)
        let shown = store.display(path)
        guard let bytes = try await read(path, store) else { return nil }
        let reference = ContentReference(
            url: request.manifest.baseURL.url(of: path), sha256: StreamHasher.digest(of: bytes),
            size: UInt64(bytes.count))
        let naming = try await Naming.read(request, path, reference.content, history)
        if let pointer = try await naming.contradiction(request, history) {
            throw Failure.publishDamaged(
                path: shown, problem: "it does not match '\(pointer.path)'")
        }
        let manifest = try decode(bytes, shown)
        let difference = try difference(of: manifest, from: request)
        if difference == nil,
            try naming.isNamed || request.encodedManifest(manifest.package) == bytes
        {
            return PublishedManifest(manifest: manifest, reference: reference)
        }
        for other in naming.others {
            let second = try await history.reader.manifest(of: other)
            if try Self.difference(of: second, from: request) == nil {
                return PublishedManifest(manifest: second, reference: other.pointer.info)
            }
        }
        return try correction(of: manifest, difference, request, shown)
    }

    private static func read(_ path: String, _ store: any WritableStore) async throws -> [UInt8]? {
        do {
            return try await store.read(path, limit: Manifest.sizeLimit)?.bytes
        } catch {
            guard error.meansAnotherContent else { throw error }
            throw Failure.publishDamaged(
                path: store.display(path), problem: "it cannot be a manifest: \(error)")
        }
    }

    private static func decode(_ bytes: [UInt8], _ shown: String) throws -> Manifest {
        guard let manifest = try? ManifestCoding.decode(bytes, path: shown) else {
            throw Failure.publishDamaged(path: shown, problem: "it is not a valid manifest")
        }
        guard manifest.package != nil else {
            throw Failure.publishDamaged(path: shown, problem: "it names no package")
        }
        return manifest
    }

    /// The result for a release whose published manifests all differ from this publish.
    private static func correction(
        of manifest: Manifest, _ difference: Difference?, _ request: PublishRequest, _ shown: String
    ) throws -> PublishedManifest {
        guard let difference else {
            let note =
                "no log entry of yours names '\(shown)', which differs from this publish: an interrupted publish "
                + "left it, or someone else wrote it. The release gets a manifest of its own"
            return PublishedManifest(corrected: manifest, notes: [note])
        }
        guard request.correctsManifest, difference.canBeCorrected else {
            throw Failure.publishReleaseDiffers(
                path: shown, what: difference.rawValue,
                values: try difference.values(
                    of: manifest,
                    request.manifest.manifest(
                        of: request.scan.release, package: manifest.package),
                    request.manifest.baseURL),
                canBeCorrected: difference.canBeCorrected)
        }
        return PublishedManifest(corrected: manifest)
    }

    /// The pointers to a release, by the manifest that they name.
    private struct Naming {
        /// Whether an own pointer names the first manifest.
        var isNamed = false
        /// Pointers that name the first manifest with another hash.
        var differing: [OriginReader.Published] = []
        /// One own pointer for each other manifest.
        var others: [OriginReader.Published] = []

        static func read(
            _ request: PublishRequest, _ path: String, _ content: FileDigest,
            _ history: OriginHistory
        ) async throws -> Naming {
            var naming = Naming()
            try await history.forEachPointer(
                to: request.scan.release.version, startingWith: request.channel
            ) { published in
                let isOwn = request.isOwn(published)
                guard published.manifestPath == path else {
                    if isOwn,
                        !naming.others.contains(where: {
                            $0.manifestPath == published.manifestPath
                        })
                    {
                        naming.others.append(published)
                    }
                    return false
                }
                let isBound = published.pointer.info.content == content
                guard isBound, isOwn else {
                    if !isBound { naming.differing.append(published) }
                    return false
                }
                naming.differing = []
                naming.isNamed = true
                return naming.others.isEmpty && !request.correctsManifest
            }
            return naming
        }

        /// A pointer that shows that the first manifest is damaged.
        ///
        /// If the entry's release was pruned, its manifest was deleted and this one is from a later
        /// publish.
        func contradiction(
            _ request: PublishRequest, _ history: OriginHistory
        ) async throws -> OriginReader.Published? {
            for pointer in differing where try await !history.mayBePruned(pointer.pointer) {
                if try await isUnauthorized(pointer, request.signing?.chain, history) { continue }
                return pointer
            }
            return nil
        }
    }

    /// Whether an entry was written without an authorized key.
    ///
    /// Such entries are ignored.
    private static func isUnauthorized(
        _ entry: OriginReader.Published, _ chain: RootChain?, _ history: OriginHistory
    ) async throws -> Bool {
        guard let chain else { return false }
        let channel = entry.pointer.channel
        let judge = try await LogEntryClassifier.read(
            chain, channel, current: history.reader.pointer(channel), history)
        guard case .unauthorized = judge.verdict(of: entry) else { return false }
        return true
    }

    /// The part of a published manifest that differs from this publish.
    private enum Difference: String {
        case content, app, scheme
        case baseURL = "base URL"
        case launch = "launch page"

        var canBeCorrected: Bool { self != .content && self != .app }

        /// Both values; `nil` if they are equal, unknown or too long for a message.
        func values(
            of published: Manifest, _ ours: Manifest, _ base: BaseURL
        ) -> (there: String, here: String)? {
            switch self {
            case .content: nil
            case .app: (there: published.app.description, here: ours.app.description)
            case .scheme: (there: published.scheme, here: ours.scheme)
            case .baseURL: Self.values(published.base(as: ours, base), base.description)
            case .launch: Self.values(published.launch?.description, ours.launch?.description)
            }
        }

        private static func values(
            _ there: String?, _ here: String?
        ) -> (there: String, here: String)? {
            guard there != here else { return nil }
            return (there: there ?? "none", here: here ?? "none")
        }
    }

    /// The first difference between a published manifest and ours, ignoring provenance.
    private static func difference(
        of published: Manifest, from request: PublishRequest
    ) throws -> Difference? {
        let ours = request.manifest
        let release = request.scan.release
        guard published.release.packageHash == release.packageHash else { return .content }
        guard published.app == ours.app else { return .app }
        guard ours.hasMade(published.entries, of: release) else { return .baseURL }
        guard published.scheme == ours.scheme else { return .scheme }
        guard try published.launch == ours.launchPage(of: release) else { return .launch }
        return nil
    }
}

extension PublishRequest {
    /// Whether a log entry is the owner's.
    ///
    /// At a signed origin, keys of the current epoch must have signed it.
    fileprivate func isOwn(_ entry: OriginReader.Published) -> Bool {
        guard let chain = signing?.chain else { return true }
        return (try? chain.standing(of: entry)) == .signed
    }

    /// The manifest that this publish would write.
    fileprivate func encodedManifest(_ package: ContentReference?) throws -> [UInt8] {
        try ManifestCoding.encode(manifest.manifest(of: scan.release, package: package))
    }
}

extension Manifest {
    /// The base URL of a manifest, derived from another manifest with a known base URL.
    ///
    /// `nil` if the URLs of both manifests have different suffixes.
    fileprivate func base(as other: Manifest, _ known: BaseURL) -> String? {
        guard let url = entries.first?.url, let its = other.entries.first?.url else { return nil }
        let path = its.utf8.dropFirst(known.description.utf8.count)
        guard url.utf8.suffix(path.count).elementsEqual(path) else { return nil }
        return String(decoding: url.utf8.dropLast(path.count), as: UTF8.self)
    }
}
