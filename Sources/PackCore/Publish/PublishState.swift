/// What lies at an origin before a publish, as far as it matters to it.
struct PublishState: Sendable {
    /// The channel's current pointer.
    let current: OriginReader.Published?
    /// The sequence that the next pointer takes.
    ///
    /// A number that an interrupted publish used up is skipped.
    let nextSequence: Int
    /// Recorded sequences above the pointer's: their publishes ended before the commit point.
    let deadSequences: [Int]
    /// The release's manifest, where the release is published already.
    let manifest: Manifest?
    /// The hash of the manifest's bytes.
    let manifestReference: ContentReference?

    /// An origin that does not exist yet.
    static let empty = PublishState(
        current: nil, nextSequence: 1, deadSequences: [], manifest: nil, manifestReference: nil)

    /// The label that a new pointer to the same release keeps.
    func inheritedLabel(_ release: Release) -> String? {
        guard let pointer = current?.pointer, pointer.packageHash == release.packageHash else {
            return nil
        }
        return pointer.label
    }

    static func read(_ reader: OriginReader, _ request: PublishRequest) throws -> PublishState {
        let root = reader.root
        let current = try reader.pointer(request.channel)
        try checkApp(reader, request, current)
        let sequences = try reader.logSequences(request.channel)
        let highest = max(sequences.last ?? 0, current?.pointer.sequence ?? 0)
        guard highest < Pointer.sequenceLimit else {
            throw OriginError.invalidPointer(
                place: root.display(OriginLayout.logEntry(request.channel, highest)),
                problem: "its sequence leaves no higher one")
        }
        let live = current?.pointer.sequence ?? 0
        if let label = request.label {
            try checkLabel(
                label, request, reader, reader.liveSequences(request.channel, upTo: live))
        }
        let version = request.scan.release.version
        let place = OriginLayout.manifest(version)
        var manifest: Manifest?
        var reference: ContentReference?
        if try root.status(place) != nil {
            let bytes = try root.readFile(place, limit: Manifest.sizeLimit)
            let published = try ManifestCoding.decode(bytes, place: root.display(place))
            try check(published, against: request, place: root.display(place))
            manifest = published
            reference = ContentReference(
                url: request.manifest.baseURL.url(of: place),
                sha256: StreamHasher.digest(of: bytes),
                size: UInt64(bytes.count))
        }
        return PublishState(
            current: current,
            nextSequence: highest + 1, deadSequences: sequences.filter { $0 > live },
            manifest: manifest, manifestReference: reference)
    }

    /// Every app needs an origin of its own: the channels share releases, objects and `site/`.
    private static func checkApp(
        _ reader: OriginReader, _ request: PublishRequest, _ current: OriginReader.Published?
    ) throws {
        var pointers = [current]
        if try reader.isOrigin() {
            // A pointer of another channel that is damaged is that channel's trouble.
            for channel in try reader.channels() where channel != request.channel {
                pointers.append((try? reader.pointer(channel)) ?? nil)
            }
        }
        for pointer in pointers.compactMap({ $0?.pointer })
        where pointer.app != request.manifest.app {
            throw PublishError.otherApp(
                origin: request.origin, theirs: pointer.app.description,
                ours: request.manifest.app.description)
        }
    }

    /// A label that a pointer can hold.
    static func checkForm(ofLabel label: String) throws(PublishError) {
        guard label.utf8.count <= Pointer.labelLimit, !label.isEmpty,
            label.unicodeScalars.allSatisfy({ !$0.isControl })
        else { throw .labelTooLong }
    }

    /// One label names one release: that of the last entry with it that went live.
    ///
    /// Nobody knows the release of any other entry by its label.
    private static func checkLabel(
        _ label: String, _ request: PublishRequest, _ reader: OriginReader, _ sequences: [Int]
    ) throws {
        let version = request.scan.release.version
        for sequence in sequences.reversed() {
            let earlier = try reader.logEntry(request.channel, sequence).pointer
            guard earlier.label == label else { continue }
            guard earlier.version == version else {
                throw PublishError.labelTaken(label: label, version: earlier.version.description)
            }
            return
        }
    }

    /// A release that is published already keeps its manifest; it must say what ours would say, the
    /// provenance aside.
    private static func check(
        _ published: Manifest, against request: PublishRequest, place: String
    ) throws {
        let ours = try request.manifest.manifest(
            of: request.scan.release, package: published.package)
        let fail = { (what: String) in PublishError.releaseDiffers(place: place, what: what) }
        guard published.release.packageHash == ours.release.packageHash else {
            throw fail("content")
        }
        guard published.app == ours.app else { throw fail("app") }
        guard published.entries == ours.entries else { throw fail("base URL") }
        guard published.scheme == ours.scheme else { throw fail("scheme") }
        guard published.launch == ours.launch else { throw fail("launch page") }
        guard published.package != nil else {
            throw PublishError.damaged(place: place, problem: "it names no package")
        }
    }
}
