package import PackGround
package import PackRelease

/// Reads an origin by key: pointers, log entries and the manifests they reference.
///
/// Hash and size of all results are verified. ``OriginHistory`` reads a channel's earlier pointers.
package struct OriginReader: Sendable {
    package let store: any OriginStore
    private let policy: any PointerPolicy
    private let last: LastManifest?

    /// - Parameters:
    ///   - policy: The checks of a current pointer, besides its format.
    ///   - keepsManifest: Whether to keep the manifest read last, for a run that needs it again.
    package init(
        _ store: any OriginStore, policy: any PointerPolicy, keepsManifest: Bool = false
    ) {
        self.store = store
        self.policy = policy
        last = keepsManifest ? LastManifest() : nil
    }

    /// The manifest read last, by the reference in its pointer.
    private final class LastManifest: Sendable {
        private let known = Locked<(reference: ContentReference, manifest: Manifest)?>(nil)

        subscript(reference: ContentReference) -> Manifest? {
            known.withLock { $0?.reference == reference ? $0?.manifest : nil }
        }

        func keep(_ manifest: Manifest, of reference: ContentReference) {
            known.withLock { $0 = (reference, manifest) }
        }
    }

    /// A pointer read from the origin.
    package struct Published: Sendable {
        package let pointer: Pointer
        /// The bytes of the whole envelope.
        package let bytes: [UInt8]
        /// SHA-256 of the envelope's payload, which distinguishes two pointers of one sequence.
        package let payloadHash: Digest
        package let path: String
        /// Derived from the URLs of the pointer's first entry, which follow the fixed layout.
        package let baseURL: BaseURL
        /// The base URLs of the fallbacks: a release keeps the base URL it was published with.
        let fallbackBaseURLs: [BaseURL]
        /// The file's revision when read.
        package let revision: Revision

        /// The base URLs of all entries.
        package var baseURLs: [BaseURL] { [baseURL] + fallbackBaseURLs }

        package init(
            pointer: Pointer, bytes: [UInt8], payloadHash: Digest, path: String, baseURL: BaseURL,
            fallbackBaseURLs: [BaseURL] = [], revision: Revision
        ) {
            self.pointer = pointer
            self.bytes = bytes
            self.payloadHash = payloadHash
            self.path = path
            self.baseURL = baseURL
            self.fallbackBaseURLs = fallbackBaseURLs
            self.revision = revision
        }

        /// One copy of the pointer per entry, each offering only this entry.
        package var offers: [Published] {
            zip(pointer.entries, baseURLs).map { entry, base in
                var offer = pointer
                offer.entry = entry
                offer.fallbacks = []
                return Published(
                    pointer: offer, bytes: bytes, payloadHash: payloadHash, path: path,
                    baseURL: base, revision: revision)
            }
        }

        /// The same file with another pointer.
        package func saying(_ pointer: Pointer) -> Published {
            Published(
                pointer: pointer, bytes: bytes, payloadHash: payloadHash, path: path,
                baseURL: baseURL, fallbackBaseURLs: fallbackBaseURLs, revision: revision)
        }

        /// The offer of ``Pointer/unconditional``.
        package var unconditional: Published? {
            offers.first { $0.pointer.entry.isUnconditional }
        }

        /// The key of the first entry's manifest.
        package var manifestPath: String { pointer.entry.manifestPath }

        /// A reference to the first entry's manifest.
        package var manifestFile: ObjectReference { pointer.entry.manifestFile }
    }

    /// The current pointer of a channel; `nil` if nothing was published yet.
    ///
    /// - Throws: ``Failure``; errors of the policy and of the store.
    package func pointer(_ channel: Channel) async throws -> Published? {
        guard let published = try await read(OriginLayout.pointer(channel), channel) else {
            return nil
        }
        try await prove(published)
        return published
    }

    /// The current pointer of a channel; `nil` if it is missing or damaged.
    ///
    /// - Throws: Errors that do not show damage, such as a failed read.
    package func readablePointer(_ channel: Channel) async throws -> Published? {
        do {
            return try await pointer(channel)
        } catch  where error.isFailure(of: "origin", "trust") || error.meansAnotherContent {
            return nil
        }
    }

    /// Applies the policy to a current pointer.
    package func prove(_ published: Published) async throws {
        try await policy.check(published, self)
    }

    /// A log entry of a channel.
    ///
    /// - Throws: ``Failure``; an error of the store.
    package func logEntry(_ channel: Channel, _ sequence: Int) async throws -> Published {
        let path = OriginLayout.logEntry(channel, sequence)
        guard let published = try await read(path, channel) else {
            throw Failure.originMissing(path: store.display(path))
        }
        guard published.pointer.sequence == sequence else {
            throw Failure.originInvalidPointer(
                path: published.path, problem: "its sequence is \(published.pointer.sequence)")
        }
        return published
    }

    /// A log entry of a channel; `nil` if it is damaged or unreadable.
    ///
    /// - Throws: Errors unrelated to the entry.
    package func recorded(_ channel: Channel, _ sequence: Int) async throws -> Published? {
        do {
            return try await logEntry(channel, sequence)
        } catch {
            if error.isLocalOrTransient { throw error }
            return nil
        }
    }

    /// The bytes of a pointer or log entry; `nil` if it is missing.
    ///
    /// - Parameter earlier: An answer that the server may confirm.
    package func envelope(
        _ path: String, confirming earlier: HTTPAnswer? = nil
    ) async throws -> StoredObject? {
        do {
            return try await store.read(path, limit: Pointer.sizeLimit, confirming: earlier)
        } catch {
            // Server errors do not prove a damaged pointer.
            guard error.meansAnotherContent, !error.isFailure(of: "http") else { throw error }
            throw Failure.originInvalidPointer(path: store.display(path), problem: "\(error)")
        }
    }

    /// The unverified bytes of a channel's pointer.
    ///
    /// - Parameter earlier: An answer that the server may confirm.
    package func pointerFile(
        _ channel: Channel, confirming earlier: HTTPAnswer? = nil
    ) async throws -> StoredObject? {
        try await envelope(OriginLayout.pointer(channel), confirming: earlier)
    }

    private func read(_ path: String, _ channel: Channel) async throws -> Published? {
        guard let stored = try await envelope(path) else { return nil }
        return try published(stored, at: path, of: channel)
    }

    /// Verifies and parses a pointer from the same bytes.
    ///
    /// - Throws: ``Failure``; an error of the policy.
    package func published(
        _ stored: StoredObject, at path: String, of channel: Channel
    ) throws -> Published {
        try Self.published(stored, at: store.display(path), of: channel, policy: policy)
    }

    /// Parses a pointer from a file that may be outside an origin.
    package static func published(
        _ stored: StoredObject, at shown: String, of channel: Channel, policy: any PointerPolicy
    ) throws -> Published {
        let envelope = try envelope(stored.bytes, shown)
        try policy.admit(envelope, of: channel, path: shown)
        let pointer: Pointer
        let payloadHash: Digest
        do {
            pointer = try PointerCoding.decode(envelope.payload)
            payloadHash = StreamHasher.digest(of: envelope.payload)
        } catch {
            throw Failure.originInvalidPointer(path: shown, problem: "\(error)")
        }
        guard pointer.channel == channel else {
            throw Failure.originInvalidPointer(
                path: shown, problem: "it belongs to channel '\(pointer.channel)'")
        }
        let base = try baseURL(of: pointer.entry, path: shown)
        return Published(
            pointer: pointer, bytes: stored.bytes, payloadHash: payloadHash, path: shown,
            baseURL: base,
            fallbackBaseURLs: try pointer.fallbacks.map { try baseURL(of: $0, path: shown) },
            revision: stored.revision)
    }

    /// The base URL of each entry of a pointer.
    ///
    /// - Throws: ``Failure/originURLElsewhere(url:path:)`` for a URL that does not match the layout
    ///   of an origin.
    package static func baseURLs(of pointer: Pointer, path: String) throws -> [BaseURL] {
        try pointer.entries.map { try baseURL(of: $0, path: path) }
    }

    /// The envelope of a pointer or log entry, with unverified signatures.
    ///
    /// - Throws: ``Failure/originInvalidPointer(path:problem:)``.
    package func envelope(_ stored: StoredObject, at path: String) throws(Failure) -> Envelope {
        try Self.envelope(stored.bytes, store.display(path))
    }

    package static func envelope(
        _ bytes: [UInt8], _ shown: String
    ) throws(Failure) -> Envelope {
        do {
            return try Envelope(decoding: bytes, payloadType: Envelope.pointerType)
        } catch {
            throw .originInvalidPointer(path: shown, problem: "\(error)")
        }
    }

    private static func baseURL(of entry: Pointer.Entry, path: String) throws -> BaseURL {
        let suffix = "/" + entry.manifestPath
        guard entry.info.url.hasSuffix(suffix),
            let base = try? BaseURL(String(entry.info.url.dropLast(suffix.count))),
            base.url(of: entry.manifestPath) == entry.info.url
        else { throw Failure.originURLElsewhere(url: entry.info.url, path: path) }
        guard entry.package.url == base.url(of: OriginLayout.package(entry.version)) else {
            throw Failure.originURLElsewhere(url: entry.package.url, path: path)
        }
        for delta in entry.deltas {
            let own = base.url(of: OriginLayout.delta(entry.version, from: delta.from))
            guard delta.content.url == own else {
                throw Failure.originURLElsewhere(url: delta.content.url, path: path)
            }
        }
        return base
    }

    /// The manifest of a pointer's first release, checked against the pointer.
    ///
    /// - Throws: ``Failure``.
    package func manifest(of published: Published) async throws -> Manifest {
        let reference = published.pointer.info
        if let known = last?[reference] {
            try check(known, against: published)
            return known
        }
        let manifest = try manifest(await bytes(of: published), of: published)
        last?.keep(manifest, of: reference)
        return manifest
    }

    /// The bytes of a pointer's manifest, with verified hash.
    package func bytes(of published: Published) async throws -> [UInt8] {
        try await content(
            published.pointer.info, path: published.manifestPath, limit: Manifest.sizeLimit)
    }

    /// Parses a manifest from bytes with the pointer's hash.
    package func manifest(_ bytes: [UInt8], of published: Published) throws -> Manifest {
        let path = store.display(published.manifestPath)
        let manifest = try ManifestCoding.decode(bytes, path: path)
        try check(manifest, against: published)
        if let url = published.baseURL.foreignURL(in: manifest.entries) {
            throw Failure.originURLElsewhere(url: url, path: path)
        }
        return manifest
    }

    /// Compares a manifest with its pointer.
    private func check(_ manifest: Manifest, against published: Published) throws(Failure) {
        let pointer = published.pointer
        let path = published.manifestPath
        let fail = { (problem: String) in
            Failure.originDiffers(path: store.display(path), problem: problem)
        }
        guard manifest.release.packageHash == pointer.packageHash else {
            throw fail("describes another release than its pointer")
        }
        let tree = TreeSize(of: manifest.release)
        guard tree == pointer.tree else {
            throw fail("has \(tree), but \(pointer.tree) in its pointer")
        }
        guard manifest.launch == pointer.entry.launch else {
            throw fail("has another launch page than its pointer")
        }
        guard manifest.app == pointer.app else { throw fail("belongs to app '\(manifest.app)'") }
        guard manifest.package == pointer.package else {
            throw fail("names another package than its pointer")
        }
    }

    private func content(
        _ reference: ContentReference, path: String, limit: Int
    ) async throws -> [UInt8] {
        guard reference.size <= UInt64(limit) else {
            throw Failure.originDiffers(
                path: store.display(path), problem: "does not match its pointer")
        }
        return try await store.read(ObjectReference(path, reference))
    }
}
