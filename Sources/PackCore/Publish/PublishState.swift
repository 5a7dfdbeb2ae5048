/// The state of an origin before a publish, as far as it matters to the publish.
struct PublishState: Sendable {
    /// The channel's current pointer.
    let current: OriginReader.Published?
    /// The sequence of the next pointer.
    ///
    /// A number that an interrupted publish used is skipped.
    let nextSequence: Int
    /// Recorded sequences above the pointer's: their publishes ended before the commit point.
    let deadSequences: [Int]
    /// The release's manifest, where the release is published already.
    let manifest: Manifest?
    /// The hash of the manifest's bytes.
    let manifestReference: ContentReference?
    /// A pointer that names the release although its manifest is missing: the new manifest must
    /// match it.
    let bound: OriginReader.Published?
    /// What is damaged or foreign at the origin and does not matter to this publish.
    let notes: [String]

    /// An origin that does not exist yet.
    static let empty = PublishState(
        current: nil, nextSequence: 1, deadSequences: [], manifest: nil, manifestReference: nil,
        bound: nil, notes: [])

    /// The label that a new pointer to the same release keeps.
    func inheritedLabel(_ release: Release) -> String? {
        guard let pointer = current?.pointer, pointer.packageHash == release.packageHash else {
            return nil
        }
        return pointer.label
    }

    static func read(
        _ request: PublishRequest, _ store: any WritableStore, _ history: OriginHistory
    ) async throws -> PublishState {
        try await checkNames(request, store)
        let channel = request.channel
        let current = try await history.reader.pointer(channel)
        try await checkApp(history, request, store, current)
        let live = current?.pointer.sequence ?? 0
        let ahead = try await history.entries(above: live, of: channel)
        let highest = ahead.dead.last ?? live
        // A publish that was interrupted before its commit point left an intent. Without one the pointer was there
        // and was lost, and what is recorded went live.
        var isPointerLost = false
        if current == nil, highest > 0 {
            let underWay = try await PublishIntent.channelsUnderWay(store)
            isPointerLost = !underWay.contains(channel.description)
        }
        guard highest < Pointer.sequenceLimit else {
            throw OriginError.invalidPointer(
                place: store.display(OriginLayout.logEntry(channel, highest)),
                problem: "its sequence leaves no higher one")
        }
        var notes = try foreignNotes(ahead, after: highest, store)
        if isPointerLost {
            notes.append(
                "'\(store.display(OriginLayout.pointer(channel)))' is missing, but "
                    + "\(counted(ahead.dead.count, "pointer")) of the channel "
                    + (ahead.dead.count == 1 ? "is" : "are") + " recorded; run 'packtool verify'")
        }
        if let label = request.label {
            let sequences = try await history.liveSequences(
                channel, upTo: isPointerLost ? highest : live)
            try await checkLabel(label, request, history.reader, sequences, &notes)
        }
        let published = try await publishedManifest(request, store, history)
        // Only for a release of which something is left: looking for it reads the whole log.
        let version = request.scan.release.version
        var bound: OriginReader.Published?
        if published == nil, try await store.isFolder(OriginLayout.release(version)) {
            bound = try await history.pointer(to: version, startingWith: channel)
        }
        return PublishState(
            current: current,
            nextSequence: highest + 1, deadSequences: isPointerLost ? [] : ahead.dead,
            manifest: published?.manifest, manifestReference: published?.reference,
            bound: bound, notes: notes)
    }

    /// Refuses, before anything is written, a name that is needed and taken by something else.
    private static func checkNames(
        _ request: PublishRequest, _ store: any WritableStore
    ) async throws {
        guard let obstacle = try await store.obstacle(among: neededNames(request)) else { return }
        throw PublishError.foreign(
            place: store.display(obstacle.name.place), found: obstacle.found.name,
            needed: obstacle.name.purpose)
    }

    /// The names that do not depend on what is published already; folders before what is in them.
    private static func neededNames(_ request: PublishRequest) -> [NeededName] {
        let version = request.scan.release.version
        let channel = request.channel
        var names = [
            OriginLayout.workspace, OriginLayout.intents, OriginLayout.staging,
            OriginLayout.abandoned, OriginLayout.channels, OriginLayout.channel(channel),
            OriginLayout.log(channel), OriginLayout.releases, OriginLayout.release(version),
            OriginLayout.objects,
        ].map { NeededName($0, .directory, "a directory") }
        names += [
            NeededName(OriginLayout.pointer(channel), .file, "the channel's pointer"),
            NeededName(OriginLayout.manifest(version), .file, "the release's manifest"),
            NeededName(OriginLayout.package(version), .file, "the release's package"),
        ]
        guard channel == .production else { return names }
        return names + [
            NeededName(OriginLayout.site, .directory, "a directory"),
            NeededName(OriginLayout.info, .file, "the current release's manifest"),
        ]
    }

    /// Notes about files that have the names of log entries and are none.
    ///
    /// - Throws: ``PublishError/foreign(place:found:needed:)`` for one that the publish would go past.
    private static func foreignNotes(
        _ ahead: OriginHistory.Ahead, after highest: Int, _ store: any OriginStore
    ) throws -> [String] {
        // After it the channel's log would have an entry that cannot be verified.
        if let entry = ahead.foreign.first(where: { $0.sequence <= highest + 1 }) {
            throw PublishError.foreign(
                place: store.display(entry.place),
                found: "not a pointer of this channel (\(entry.problem))",
                needed: "a log entry")
        }
        var notes = ahead.foreign.prefix(notesShown).map {
            "'\(store.display($0.place))' is not a pointer of this channel (\($0.problem)); remove it"
        }
        if ahead.foreign.count > notes.count {
            notes.append(
                "\(counted(ahead.foreign.count - notes.count, "more file")) of the channel's log "
                    + "of that kind")
        }
        return notes
    }

    private static let notesShown = 3

    /// The release's manifest at the origin, as identified by the pointers that name it.
    private static func publishedManifest(
        _ request: PublishRequest, _ store: any WritableStore, _ history: OriginHistory
    ) async throws -> (manifest: Manifest, reference: ContentReference)? {
        let version = request.scan.release.version
        let place = OriginLayout.manifest(version)
        let shown = store.display(place)
        let stored: Stored?
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
        var differing: OriginReader.Published?
        try await history.forEachPointer(to: version, startingWith: request.channel) {
            let isBound = $0.pointer.info.content == reference.content
            differing = isBound ? nil : differing ?? $0
            return isBound
        }
        if let differing {
            throw PublishError.damaged(
                place: shown, problem: "it does not match '\(differing.place)'")
        }
        guard let manifest = try? ManifestCoding.decode(bytes, place: shown) else {
            throw PublishError.damaged(place: shown, problem: "it is not a valid manifest")
        }
        try check(manifest, against: request, place: shown)
        return (manifest, reference)
    }

    /// Every app needs its own origin: its channels share releases, objects and `site/`.
    private static func checkApp(
        _ history: OriginHistory, _ request: PublishRequest, _ store: any OriginStore,
        _ current: OriginReader.Published?
    ) async throws {
        var pointers = [current]
        if try await history.isOrigin() {
            // A pointer of another channel that is damaged is that channel's trouble.
            for channel in try await history.channels() where channel != request.channel {
                do {
                    pointers.append(try await history.reader.pointer(channel))
                } catch  where error.meansShortage {
                    throw error
                } catch {}
            }
        }
        for pointer in pointers.compactMap({ $0?.pointer })
        where pointer.app != request.manifest.app {
            throw PublishError.otherApp(
                origin: store.address, theirs: pointer.app.description,
                ours: request.manifest.app.description)
        }
    }

    /// A label that fits into a pointer.
    static func checkForm(ofLabel label: String) throws(PublishError) {
        guard label.utf8.count <= Pointer.labelLimit, !label.isEmpty,
            label.unicodeScalars.allSatisfy({ !$0.isControl })
        else { throw .labelTooLong }
    }

    /// One label names one release: that of the last entry with it that was live.
    ///
    /// No other release is known by that label.
    private static func checkLabel(
        _ label: String, _ request: PublishRequest, _ reader: OriginReader, _ sequences: [Int],
        _ notes: inout [String]
    ) async throws {
        let version = request.scan.release.version
        var unread: [Int] = []
        // Damage of an old entry must not stop a publish that does not need it.
        defer { note(unread, label, request.channel, &notes) }
        for sequence in sequences.reversed() {
            guard let earlier = try await reader.recorded(request.channel, sequence)?.pointer
            else {
                unread.append(sequence)
                continue
            }
            guard earlier.label == label else { continue }
            guard earlier.version == version else {
                throw PublishError.labelTaken(label: label, version: earlier.version.description)
            }
            return
        }
    }

    private static func note(
        _ unread: [Int], _ label: String, _ channel: Channel, _ notes: inout [String]
    ) {
        guard let first = unread.first else { return }
        let more =
            unread.count > 1
            ? " and \(counted(unread.count - 1, "older entry", plural: "older entries"))" : ""
        notes.append(
            """
            '\(OriginLayout.logEntry(channel, first))'\(more) cannot be read, so it is not \
            known whether \
            the label '\(label)' is taken there; run 'packtool verify' on the origin
            """)
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
