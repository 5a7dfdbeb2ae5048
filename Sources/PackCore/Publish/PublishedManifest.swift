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
        let place = OriginLayout.manifest(version)
        let shown = store.display(place)
        let stored: StoredObject?
        do {
            stored = try await store.read(place, limit: Manifest.sizeLimit)
        } catch {
            guard error.meansAnotherContent else { throw error }
            throw PublishError.damaged(place: shown, problem: "it cannot be a manifest: \(error)")
        }
        guard let bytes = stored?.bytes else { return nil }
        let reference = ContentReference(
            url: request.manifest.baseURL.url(of: place), sha256: StreamHasher.digest(of: bytes),
            size: UInt64(bytes.count))
        var differing: [OriginReader.Published] = []
        var others: [OriginReader.Published] = []
        var isNamed = false
        try await history.forEachPointer(to: version, startingWith: request.channel) { published in
            let isOwn = request.isOwn(published)
            guard published.manifestPlace == place else {
                if isOwn, !others.contains(where: { $0.manifestPlace == published.manifestPlace }) {
                    others.append(published)
                }
                return false
            }
            let isBound = published.pointer.info.content == reference.content
            guard isBound, isOwn else {
                if !isBound { differing.append(published) }
                return false
            }
            differing = []
            isNamed = true
            return others.isEmpty && !request.correctsManifest
        }
        // If the entry's release was pruned, its manifest was deleted and this one is from a later
        // publish.
        for pointer in differing where try await !history.mayBePruned(pointer.pointer) {
            if try await isNobodys(pointer, request.signing?.chain, history) { continue }
            throw PublishError.damaged(
                place: shown, problem: "it does not match '\(pointer.place)'")
        }
        guard let manifest = try? ManifestCoding.decode(bytes, place: shown) else {
            throw PublishError.damaged(place: shown, problem: "it is not a valid manifest")
        }
        guard manifest.package != nil else {
            throw PublishError.damaged(place: shown, problem: "it names no package")
        }
        let difference = try difference(of: manifest, from: request)
        if difference == nil, try isNamed || request.encodedManifest(manifest.package) == bytes {
            return PublishedManifest(manifest: manifest, reference: reference)
        }
        for other in others {
            let second = try await history.reader.manifest(of: other)
            if try Self.difference(of: second, from: request) == nil {
                return PublishedManifest(manifest: second, reference: other.pointer.info)
            }
        }
        guard let difference else {
            let note =
                "no log entry of yours names '\(shown)', which says something else than this publish: an interrupted "
                + "publish left it, or someone else wrote it. The release gets a manifest of its own"
            return PublishedManifest(corrected: manifest, notes: [note])
        }
        guard request.correctsManifest, difference.canBeCorrected else {
            throw PublishError.releaseDiffers(
                place: shown, what: difference.rawValue,
                values: try difference.values(
                    of: manifest,
                    request.manifest.manifest(
                        of: request.scan.release, package: manifest.package),
                    request.manifest.baseURL),
                canBeCorrected: difference.canBeCorrected)
        }
        return PublishedManifest(corrected: manifest)
    }

    /// Whether an entry was written without an authorized key.
    ///
    /// Such entries are ignored.
    private static func isNobodys(
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
        ) -> PublishError.Values? {
            switch self {
            case .content: nil
            case .app: .init(there: published.app.description, here: ours.app.description)
            case .scheme: .init(there: published.scheme, here: ours.scheme)
            case .baseURL: Self.values(published.base(as: ours, base), base.description)
            case .launch: Self.values(published.launch?.description, ours.launch?.description)
            }
        }

        private static func values(_ there: String?, _ here: String?) -> PublishError.Values? {
            guard there != here else { return nil }
            return .init(there: there ?? "none", here: here ?? "none")
        }
    }

    /// The first difference between a published manifest and ours, ignoring provenance.
    private static func difference(
        of published: Manifest, from request: PublishRequest
    ) throws -> Difference? {
        let ours = try request.manifest.manifest(
            of: request.scan.release, package: published.package)
        guard published.release.packageHash == ours.release.packageHash else { return .content }
        guard published.app == ours.app else { return .app }
        guard published.entries == ours.entries else { return .baseURL }
        guard published.scheme == ours.scheme else { return .scheme }
        guard published.launch == ours.launch else { return .launch }
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
        let place = its.utf8.dropFirst(known.description.utf8.count)
        guard url.utf8.suffix(place.count).elementsEqual(place) else { return nil }
        return String(decoding: url.utf8.dropLast(place.count), as: UTF8.self)
    }
}
