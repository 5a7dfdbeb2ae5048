/// Reads an origin that is a directory.
///
/// Everything it returns has been checked by hash and size.
package struct OriginReader: Sendable {
    package let root: Directory

    package init(root: Directory) { self.root = root }

    /// A pointer as it lies at the origin.
    package struct Published: Sendable {
        package let pointer: Pointer
        /// The bytes of the whole envelope.
        package let bytes: [UInt8]
        /// SHA-256 of the envelope's payload: what tells two pointers of one sequence apart.
        package let payloadHash: Digest
        package let place: String
        /// Derived from the pointer's own URLs, which follow the fixed layout.
        package let baseURL: BaseURL
    }

    /// Whether the directory looks like an origin, published or about to be.
    package func isOrigin() throws(FileSystemError) -> Bool {
        for name in [OriginLayout.channels, OriginLayout.workspace] {
            if try root.status(name)?.kind == .directory { return true }
        }
        return false
    }

    /// The channels that have a directory, sorted.
    ///
    /// - Throws: ``OriginError/notAnOrigin(path:)``.
    package func channels() throws -> [Channel] {
        guard try isOrigin() else { throw OriginError.notAnOrigin(path: root.path) }
        guard try root.status(OriginLayout.channels)?.kind == .directory else { return [] }
        return try root.directory(OriginLayout.channels).names().compactMap {
            try? Channel(String(decoding: $0, as: UTF8.self))
        }
    }

    /// The current pointer of a channel, `nil` where nothing was published yet.
    ///
    /// It is the one that the log recorded under its sequence: as long as pointers are unsigned,
    /// that is what tells a pointer that was damaged or edited.
    ///
    /// - Throws: ``OriginError``, ``FileSystemError``.
    package func pointer(_ channel: Channel) throws -> Published? {
        let place = OriginLayout.pointer(channel)
        guard try root.status(place) != nil else { return nil }
        let published = try read(place, channel)
        let logPlace = OriginLayout.logEntry(channel, published.pointer.sequence)
        guard try root.status(logPlace) != nil else {
            throw OriginError.logMissing(place: root.display(place))
        }
        guard try bytes(logPlace) == published.bytes else {
            throw OriginError.logDiffers(place: root.display(place))
        }
        return published
    }

    /// The sequences of a channel's log, ascending.
    package func logSequences(_ channel: Channel) throws(FileSystemError) -> [Int] {
        guard try root.status(OriginLayout.log(channel))?.kind == .directory else { return [] }
        return try root.directory(OriginLayout.log(channel)).names().compactMap { name in
            let text = String(decoding: name, as: UTF8.self)
            guard text.hasSuffix(".json"), let number = Int(text.dropLast(5)),
                (1...Pointer.sequenceLimit).contains(number),
                "\(number).json" == text
            else { return nil }
            return number
        }.sorted()
    }

    /// The sequences of a channel's log that went live, ascending.
    ///
    /// An entry above the pointer's sequence never did: its publish ended before the commit point. The
    /// publish that goes past such an entry notes that of it.
    ///
    /// - Parameter highest: the pointer's sequence.
    package func liveSequences(
        _ channel: Channel, upTo highest: Int
    ) throws(FileSystemError) -> [Int] {
        var live: [Int] = []
        for sequence in try logSequences(channel) where sequence <= highest {
            let note = try root.status(OriginLayout.abandoned(channel, sequence))
            // What the pointer names is live whatever was noted.
            if note == nil || sequence == highest { live.append(sequence) }
        }
        return live
    }

    /// One recorded pointer of a channel.
    package func logEntry(_ channel: Channel, _ sequence: Int) throws -> Published {
        let published = try read(OriginLayout.logEntry(channel, sequence), channel)
        guard published.pointer.sequence == sequence else {
            throw OriginError.invalidPointer(
                place: published.place, problem: "its sequence is \(published.pointer.sequence)")
        }
        return published
    }

    private func bytes(_ place: String) throws -> [UInt8] {
        do throws(FileSystemError) {
            return try root.readFile(place, limit: Pointer.sizeLimit)
        } catch {
            guard error.meansAnotherContent else { throw error }
            throw OriginError.invalidPointer(place: root.display(place), problem: "\(error)")
        }
    }

    private func read(_ place: String, _ channel: Channel) throws -> Published {
        let bytes = try bytes(place)
        let pointer: Pointer
        let payloadHash: Digest
        do {
            let envelope = try Envelope(decoding: bytes, payloadType: Envelope.pointerType)
            pointer = try PointerCoding.decode(envelope.payload)
            payloadHash = StreamHasher.digest(of: envelope.payload)
        } catch {
            throw OriginError.invalidPointer(place: root.display(place), problem: "\(error)")
        }
        guard pointer.channel == channel else {
            throw OriginError.invalidPointer(
                place: root.display(place), problem: "it belongs to channel '\(pointer.channel)'")
        }
        return Published(
            pointer: pointer, bytes: bytes, payloadHash: payloadHash, place: root.display(place),
            baseURL: try baseURL(of: pointer, place: root.display(place)))
    }

    private func baseURL(of pointer: Pointer, place: String) throws -> BaseURL {
        let suffix = "/" + OriginLayout.manifest(pointer.version)
        guard pointer.info.url.hasSuffix(suffix),
            let base = try? BaseURL(String(pointer.info.url.dropLast(suffix.count))),
            base.url(of: OriginLayout.manifest(pointer.version)) == pointer.info.url
        else { throw OriginError.urlElsewhere(url: pointer.info.url, place: place) }
        guard pointer.package.url == base.url(of: OriginLayout.package(pointer.version)) else {
            throw OriginError.urlElsewhere(url: pointer.package.url, place: place)
        }
        for delta in pointer.deltas {
            let own = base.url(of: OriginLayout.delta(pointer.version, from: delta.from))
            guard delta.content.url == own else {
                throw OriginError.urlElsewhere(url: delta.content.url, place: place)
            }
        }
        return base
    }

    /// The manifest of the release that a pointer names, checked against the pointer.
    ///
    /// - Throws: ``OriginError``, ``ManifestError``, ``FileSystemError``.
    package func manifest(of published: Published) throws -> Manifest {
        let pointer = published.pointer
        let place = OriginLayout.manifest(pointer.version)
        let bytes = try content(pointer.info, place: place, limit: Manifest.sizeLimit)
        let manifest = try ManifestCoding.decode(bytes, place: root.display(place))
        let fail = { (problem: String) in
            OriginError.differs(place: root.display(place), problem: problem)
        }
        guard manifest.release.packageHash == pointer.packageHash else {
            throw fail("describes another release than its pointer")
        }
        guard manifest.app == pointer.app else { throw fail("belongs to app '\(manifest.app)'") }
        guard manifest.package == pointer.package else {
            throw fail("names another package than its pointer")
        }
        for entry in manifest.entries
        where published.baseURL.path(of: entry.url)?.bytes != OriginLayout.object(entry.asset).bytes
        {
            throw OriginError.urlElsewhere(url: entry.url, place: root.display(place))
        }
        return manifest
    }

    private func content(
        _ reference: ContentReference, place: String, limit: Int
    ) throws -> [UInt8] {
        guard let status = try root.status(place), status.kind == .file else {
            throw OriginError.missing(place: root.display(place))
        }
        let differs = OriginError.differs(
            place: root.display(place), problem: "is not what its pointer says")
        guard status.size == reference.size,
            let size = ForeignLength(reference.size).count(atMost: limit)
        else { throw differs }
        let bytes = try root.readFile(place, limit: size)
        guard bytes.count == size, StreamHasher.digest(of: bytes) == reference.sha256 else {
            throw differs
        }
        return bytes
    }

    /// The release that a version or a label names; of several with one label the last one that went live.
    ///
    /// - Throws: what ``release(ofVersion:)`` throws.
    package func release(named name: String) throws -> Release {
        if Version(name) != nil { return try release(ofVersion: name) }
        for channel in try channels() {
            // A pointer that cannot be read says nothing of what went live.
            var highest = Pointer.sequenceLimit
            if let current = try? pointer(channel) { highest = current.pointer.sequence }
            for sequence in try liveSequences(channel, upTo: highest).reversed() {
                guard let pointer = try? logEntry(channel, sequence).pointer else { continue }
                if pointer.label == name {
                    return try release(ofVersion: pointer.version.description)
                }
            }
        }
        throw OriginError.noSuchRelease(version: name, origin: root.path)
    }

    /// The release of a version that a pointer or log entry names, with the manifest that it binds.
    ///
    /// - Throws: ``OriginError``, ``ManifestError``, ``FileSystemError``.
    package func release(ofVersion text: String) throws -> Release {
        guard let version = Version(text), let published = try pointer(to: version) else {
            throw OriginError.noSuchRelease(version: text, origin: root.path)
        }
        return try manifest(of: published).release
    }

    /// The newest pointer or log entry that names a release.
    func pointer(
        to version: Version, startingWith channel: Channel? = nil
    ) throws -> Published? {
        var found: Published?
        try forEachPointer(to: version, startingWith: channel) {
            found = $0
            return true
        }
        return found
    }
}
