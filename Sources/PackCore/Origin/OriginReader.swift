package import PackGround
package import PackRelease

/// Reads an origin by place: pointers, log entries and the manifests that they bind.
///
/// Everything it returns has been checked by hash and size. ``OriginHistory`` reads what a channel had before.
package struct OriginReader: Sendable {
    package let store: any OriginStore
    private let policy: any PointerPolicy

    /// - Parameter policy: what a current pointer must prove, besides being well formed.
    package init(_ store: any OriginStore, policy: any PointerPolicy) {
        self.store = store
        self.policy = policy
    }

    /// A pointer as it is at the origin.
    package struct Published: Sendable {
        package let pointer: Pointer
        /// The bytes of the whole envelope.
        package let bytes: [UInt8]
        /// SHA-256 of the envelope's payload, which distinguishes two pointers of one sequence.
        package let payloadHash: Digest
        package let place: String
        /// Derived from the URLs of the pointer's first entry, which follow the fixed layout.
        package let baseURL: BaseURL
        /// Those of its fallbacks: a release that was published with another base URL keeps it.
        let fallbackBaseURLs: [BaseURL]
        /// What the file was when it was read.
        package let revision: Revision

        /// Those of all entries.
        package var baseURLs: [BaseURL] { [baseURL] + fallbackBaseURLs }

        package init(
            pointer: Pointer, bytes: [UInt8], payloadHash: Digest, place: String, baseURL: BaseURL,
            fallbackBaseURLs: [BaseURL] = [], revision: Revision
        ) {
            self.pointer = pointer
            self.bytes = bytes
            self.payloadHash = payloadHash
            self.place = place
            self.baseURL = baseURL
            self.fallbackBaseURLs = fallbackBaseURLs
            self.revision = revision
        }

        /// The pointer once for each of its entries, as if it offered nothing else.
        package var offers: [Published] {
            zip(pointer.entries, baseURLs).map { entry, base in
                var offer = pointer
                offer.entry = entry
                offer.fallbacks = []
                return Published(
                    pointer: offer, bytes: bytes, payloadHash: payloadHash, place: place,
                    baseURL: base, revision: revision)
            }
        }

        /// The same file, as if it said something else.
        package func saying(_ pointer: Pointer) -> Published {
            Published(
                pointer: pointer, bytes: bytes, payloadHash: payloadHash, place: place,
                baseURL: baseURL, fallbackBaseURLs: fallbackBaseURLs, revision: revision)
        }

        /// The offer of ``Pointer/unconditional``.
        package var unconditional: Published? {
            offers.first { $0.pointer.entry.isUnconditional }
        }

        /// Where the manifest of the first entry is at the origin.
        package var manifestPlace: String { pointer.entry.manifestPlace }

        /// The manifest of the first entry at the origin.
        package var manifestFile: ObjectReference { pointer.entry.manifestFile }
    }

    /// The current pointer of a channel, `nil` where nothing was published yet.
    ///
    /// - Throws: ``OriginError``, also what the policy says against it; an error of the store.
    package func pointer(_ channel: Channel) async throws -> Published? {
        guard let published = try await read(OriginLayout.pointer(channel), channel) else {
            return nil
        }
        try await prove(published)
        return published
    }

    /// Checks what the policy demands of a current pointer.
    package func prove(_ published: Published) async throws {
        try await policy.check(published, self)
    }

    /// One recorded pointer of a channel.
    ///
    /// - Throws: ``OriginError``; an error of the store.
    package func logEntry(_ channel: Channel, _ sequence: Int) async throws -> Published {
        let place = OriginLayout.logEntry(channel, sequence)
        guard let published = try await read(place, channel) else {
            throw OriginError.missing(place: store.display(place))
        }
        guard published.pointer.sequence == sequence else {
            throw OriginError.invalidPointer(
                place: published.place, problem: "its sequence is \(published.pointer.sequence)")
        }
        return published
    }

    /// A recorded pointer; `nil` for one that is damaged or cannot be read.
    ///
    /// - Throws: what says nothing about the entry.
    package func recorded(_ channel: Channel, _ sequence: Int) async throws -> Published? {
        do {
            return try await logEntry(channel, sequence)
        } catch {
            if error.isLocalOrTransient { throw error }
            return nil
        }
    }

    /// The bytes of a pointer or log entry; `nil` where nothing is.
    package func envelope(_ place: String) async throws -> StoredObject? {
        do {
            return try await store.read(place, limit: Pointer.sizeLimit)
        } catch {
            // What is wrong with a server is not the pointer's fault.
            guard error.meansAnotherContent, !(error is HTTPError) else { throw error }
            throw OriginError.invalidPointer(place: store.display(place), problem: "\(error)")
        }
    }

    /// The bytes of a channel's pointer, which nothing has looked at yet.
    package func pointerFile(_ channel: Channel) async throws -> StoredObject? {
        try await envelope(OriginLayout.pointer(channel))
    }

    private func read(_ place: String, _ channel: Channel) async throws -> Published? {
        guard let stored = try await envelope(place) else { return nil }
        return try published(stored, at: place, of: channel)
    }

    /// Reads a pointer from bytes that were read: what is verified is what is parsed.
    ///
    /// - Throws: ``OriginError``; what the policy says against the envelope.
    package func published(
        _ stored: StoredObject, at place: String, of channel: Channel
    ) throws -> Published {
        try Self.published(stored, at: store.display(place), of: channel, policy: policy)
    }

    /// Reads a pointer from the bytes of a file that need not be at an origin.
    package static func published(
        _ stored: StoredObject, at shown: String, of channel: Channel, policy: any PointerPolicy
    ) throws -> Published {
        let envelope = try envelope(stored.bytes, shown)
        try policy.admit(envelope, of: channel, place: shown)
        let pointer: Pointer
        let payloadHash: Digest
        do {
            pointer = try PointerCoding.decode(envelope.payload)
            payloadHash = StreamHasher.digest(of: envelope.payload)
        } catch {
            throw OriginError.invalidPointer(place: shown, problem: "\(error)")
        }
        guard pointer.channel == channel else {
            throw OriginError.invalidPointer(
                place: shown, problem: "it belongs to channel '\(pointer.channel)'")
        }
        let base = try baseURL(of: pointer.entry, place: shown)
        return Published(
            pointer: pointer, bytes: stored.bytes, payloadHash: payloadHash, place: shown,
            baseURL: base,
            fallbackBaseURLs: try pointer.fallbacks.map { try baseURL(of: $0, place: shown) },
            revision: stored.revision)
    }

    /// The base URL of each entry of a pointer.
    ///
    /// - Throws: ``OriginError/urlElsewhere(url:place:)`` for a URL that is not a place of an origin.
    package static func baseURLs(of pointer: Pointer, place: String) throws -> [BaseURL] {
        try pointer.entries.map { try baseURL(of: $0, place: place) }
    }

    /// The envelope of a pointer or log entry, whose signatures have not been checked.
    ///
    /// - Throws: ``OriginError/invalidPointer(place:problem:)``.
    package func envelope(_ stored: StoredObject, at place: String) throws(OriginError) -> Envelope
    {
        try Self.envelope(stored.bytes, store.display(place))
    }

    package static func envelope(
        _ bytes: [UInt8], _ shown: String
    ) throws(OriginError) -> Envelope {
        do {
            return try Envelope(decoding: bytes, payloadType: Envelope.pointerType)
        } catch {
            throw .invalidPointer(place: shown, problem: "\(error)")
        }
    }

    private static func baseURL(of entry: Pointer.Entry, place: String) throws -> BaseURL {
        let suffix = "/" + entry.manifestPlace
        guard entry.info.url.hasSuffix(suffix),
            let base = try? BaseURL(String(entry.info.url.dropLast(suffix.count))),
            base.url(of: entry.manifestPlace) == entry.info.url
        else { throw OriginError.urlElsewhere(url: entry.info.url, place: place) }
        guard entry.package.url == base.url(of: OriginLayout.package(entry.version)) else {
            throw OriginError.urlElsewhere(url: entry.package.url, place: place)
        }
        for delta in entry.deltas {
            let own = base.url(of: OriginLayout.delta(entry.version, from: delta.from))
            guard delta.content.url == own else {
                throw OriginError.urlElsewhere(url: delta.content.url, place: place)
            }
        }
        return base
    }

    /// The manifest of the release that a pointer offers first, checked against the pointer.
    ///
    /// - Throws: ``OriginError``, ``ManifestError``, ``FileSystemError``.
    package func manifest(of published: Published) async throws -> Manifest {
        try manifest(await bytes(of: published), of: published)
    }

    /// The bytes of a pointer's manifest, which have its hash.
    package func bytes(of published: Published) async throws -> [UInt8] {
        try await content(
            published.pointer.info, place: published.manifestPlace, limit: Manifest.sizeLimit)
    }

    /// Reads a manifest from bytes whose hash is the pointer's.
    package func manifest(_ bytes: [UInt8], of published: Published) throws -> Manifest {
        let pointer = published.pointer
        let place = published.manifestPlace
        let manifest = try ManifestCoding.decode(bytes, place: store.display(place))
        let fail = { (problem: String) in
            OriginError.differs(place: store.display(place), problem: problem)
        }
        guard manifest.release.packageHash == pointer.packageHash else {
            throw fail("describes another release than its pointer")
        }
        let tree = TreeSize(of: manifest.release)
        guard tree == pointer.tree else {
            throw fail("has \(tree), and its pointer says \(pointer.tree)")
        }
        guard manifest.app == pointer.app else { throw fail("belongs to app '\(manifest.app)'") }
        guard manifest.package == pointer.package else {
            throw fail("names another package than its pointer")
        }
        for entry in manifest.entries
        where published.baseURL.path(of: entry.url)?.bytes != OriginLayout.object(entry.asset).bytes
        {
            throw OriginError.urlElsewhere(url: entry.url, place: store.display(place))
        }
        return manifest
    }

    private func content(
        _ reference: ContentReference, place: String, limit: Int
    ) async throws -> [UInt8] {
        guard reference.size <= UInt64(limit) else {
            throw OriginError.differs(
                place: store.display(place), problem: "does not match its pointer")
        }
        return try await store.read(ObjectReference(place, reference))
    }
}
