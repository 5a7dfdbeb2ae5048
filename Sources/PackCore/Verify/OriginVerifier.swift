/// Re-reads and re-hashes everything that a client could reach at an origin: every pointer and log entry
/// of every channel, every manifest and package they name, every object, `info.json` and `site/`.
package struct OriginVerifier: Sendable {
    let reader: OriginReader
    let jobs: Int
    private let progress: ProgressSink?

    var root: Directory { reader.root }

    /// Verifies an origin.
    ///
    /// What is wrong is collected, not thrown.
    ///
    /// - Throws: ``OriginError/notAnOrigin(path:)``, ``OriginError/nothingPublished(channel:origin:)``,
    ///   ``FileSystemError`` where the directory itself cannot be read.
    package static func verify(
        _ origin: String, now: Timestamp, jobs: Int, progress: ProgressSink? = nil
    ) async throws -> OriginVerification {
        let reader = OriginReader(root: try Directory.open(origin))
        let verifier = OriginVerifier(reader: reader, jobs: jobs, progress: progress)
        var attempt = 1
        while true {
            let moment = try Moment(reader)
            let result = try await verifier.verify(origin, now: now)
            if result.failures.isEmpty || attempt == Self.attempts { return result }
            // Parts of two releases do not fit together: what a publish changed meanwhile is no damage.
            if try Moment(reader) == moment { return result }
            attempt += 1
        }
    }

    private static let attempts = 5

    /// What every publish changes: intents and pointers.
    private struct Moment: Equatable {
        let intents: [[UInt8]]
        let pointers: [[UInt8]?]

        init(_ reader: OriginReader) throws {
            let root = reader.root
            let hasIntents = try root.status(OriginLayout.intents)?.kind == .directory
            intents = hasIntents ? try root.directory(OriginLayout.intents).names() : []
            pointers = try reader.channels().map {
                try? root.readFile(OriginLayout.pointer($0), limit: Pointer.sizeLimit)
            }
        }
    }

    private func verify(_ origin: String, now: Timestamp) async throws -> OriginVerification {
        var run = Run()
        // First of all: a publish that begins later cannot make this run's reading look unfinished.
        run.underWay = try Workspace.channelsUnderWay(root: root)
        try readChannels(&run, now: now)
        guard !run.result.channels.isEmpty || !run.result.failures.isEmpty else {
            throw OriginError.nothingPublished(channel: "any", origin: origin)
        }
        try await checkReleases(&run)
        try checkDeltas(&run)
        try await checkObjects(&run)
        try await checkFollowers(&run)
        try findOrphans(&run)
        return run.result
    }

    /// What one verification has learned so far.
    struct Run {
        var result = OriginVerification()
        /// Channels with an intent: a publish is at work or was interrupted.
        var underWay: Set<String> = []
        /// Every pointer and log entry by the release it names; the first one seen stands for all.
        var published: [Version: OriginReader.Published] = [:]
        var production: Pointer?
        /// Every delta that a pointer or log entry lists, by its place.
        var deltas: [String: ListedDelta] = [:]
        /// The manifest of production's current release.
        var current: Manifest?
        /// Every object that a recorded release needs, by its place.
        var objects: [String: Asset] = [:]
        /// What each site path held in the recorded releases, every content once.
        var site: [AssetPath: [Asset]] = [:]
        /// Public files that something refers to.
        var reachable: Set<String> = []

        mutating func fail(_ place: String, _ problem: String) {
            result.failures.append(.init(place: place, problem: problem))
        }

        mutating func fail(_ place: String, _ error: any Error) {
            fail(place, "\(error)")
        }
    }

    // MARK: Pointers

    private func readChannels(_ run: inout Run, now: Timestamp) throws {
        for channel in try reader.channels() {
            let sequences = try reader.logSequences(channel)
            let place = OriginLayout.pointer(channel)
            run.reachable.insert(place)
            var current: OriginReader.Published?
            do {
                current = try reader.pointer(channel)
            } catch {
                try rethrowShortage(error)
                run.fail(place, error)
            }
            // Without a pointer nobody knows which entries are above it.
            let ahead = try current.map {
                try reader.entries(above: $0.pointer.sequence, of: channel)
            }
            note(ahead, &run)
            let foreign = Set(ahead?.foreign.map(\.sequence) ?? [])
            for sequence in sequences where !foreign.contains(sequence) {
                run.reachable.insert(OriginLayout.logEntry(channel, sequence))
                do {
                    let entry = try reader.logEntry(channel, sequence)
                    record(entry, &run)
                    // Used up by a publish that ended before its commit point.
                    if let current, sequence > current.pointer.sequence {
                        run.result.notes.append(
                            "\(OriginLayout.logEntry(channel, sequence)) was recorded but never went live"
                        )
                    }
                } catch {
                    try rethrowShortage(error)
                    run.fail(OriginLayout.logEntry(channel, sequence), error)
                }
            }
            noteGaps(
                in: sequences, below: current?.pointer.sequence ?? sequences.last ?? 0, channel,
                &run)
            guard let current else {
                if !run.result.failures.contains(where: { $0.place == place }), !sequences.isEmpty,
                    !run.underWay.contains(channel.description)
                {
                    run.fail(place, "is missing")
                }
                continue
            }
            record(current, &run)
            let pointer = current.pointer
            if channel == .production { run.production = pointer }
            if pointer.expires <= now {
                run.result.notes.append(
                    "the pointer of channel '\(channel)' expired at \(pointer.expires): "
                        + "publish again with --renew")
            }
            run.result.channels.append(
                .init(
                    channel: channel, version: pointer.version, sequence: pointer.sequence,
                    label: pointer.label, expires: pointer.expires,
                    recorded: sequences.count - foreign.count))
        }
    }

    /// Two pointers to one release must bind it to the same bytes.
    private func record(_ published: OriginReader.Published, _ run: inout Run) {
        let pointer = published.pointer
        for delta in pointer.deltas {
            let place = OriginLayout.delta(pointer.version, from: delta.from)
            let listed = ListedDelta(delta: delta, toHash: pointer.packageHash)
            if let known = run.deltas.updateValue(listed, forKey: place), known != listed {
                run.fail(published.place, "lists '\(place)' with other bytes than another pointer")
            }
        }
        guard let known = run.published[pointer.version] else {
            run.published[pointer.version] = published
            return
        }
        if known.pointer.info != pointer.info || known.pointer.package != pointer.package {
            run.fail(
                published.place,
                "binds release \(pointer.version) to other bytes than '\(known.place)'")
        }
    }

    // MARK: Releases

    /// Reads each manifest, proves its package, and keeps no more of it than the later checks ask for:
    /// a log of years names more files than fit into memory.
    private func checkReleases(_ run: inout Run) async throws {
        for (version, published) in run.published.sorted(by: {
            $0.key.description < $1.key.description
        }) {
            run.reachable.insert(OriginLayout.manifest(version))
            run.reachable.insert(OriginLayout.package(version))
            let manifest: Manifest
            do {
                manifest = try reader.manifest(of: published)
            } catch {
                try rethrowShortage(error)
                run.fail(OriginLayout.manifest(version), error)
                continue
            }
            if version == run.production?.version { run.current = manifest }
            for asset in manifest.release.assets {
                let place = String(decoding: OriginLayout.object(asset).bytes, as: UTF8.self)
                run.objects[place] = asset
                if run.site[asset.path]?.contains(where: { $0.sha256 == asset.sha256 }) != true {
                    run.site[asset.path, default: []].append(asset)
                }
            }
            try await checkPackage(version, manifest, &run)
        }
        run.result.releases = run.published.count
    }

    private func checkPackage(
        _ version: Version, _ manifest: Manifest, _ run: inout Run
    ) async throws {
        let place = OriginLayout.package(version)
        guard let package = manifest.package else { return }
        do {
            guard try root.status(place)?.kind == .file else {
                run.fail(place, "is missing")
                return
            }
            guard try root.holds(package, at: place) else {
                run.fail(place, "is not what its manifest says (size or SHA-256 differs)")
                return
            }
            try await PackageReader(place, in: root, expecting: manifest.release)
                .prove(jobs: jobs, progress: progress)
            run.result.packages.add(package.size)
        } catch {
            try rethrowShortage(error)
            run.fail(place, error)
        }
    }

    /// A delta, and the release that it leads to.
    struct ListedDelta: Equatable {
        let delta: Pointer.Delta
        let toHash: Digest
    }

    /// Re-hashes every delta and reads what it says of itself.
    private func checkDeltas(_ run: inout Run) throws {
        for (place, listed) in run.deltas.sorted(by: { $0.key < $1.key }) {
            run.reachable.insert(place)
            let content = listed.delta.content
            do {
                guard try root.status(place)?.kind == .file else {
                    run.fail(place, "is missing")
                    continue
                }
                guard try root.holds(content, at: place) else {
                    run.fail(place, "is not what its pointer says (size or SHA-256 differs)")
                    continue
                }
                let manifest = try DeltaManifest.read(place, in: root)
                guard manifest.fromHash == listed.delta.fromHash, manifest.toHash == listed.toHash
                else {
                    run.fail(place, "does not lead from and to the releases that its pointer says")
                    continue
                }
                guard UInt64(clamping: manifest.memory) <= listed.delta.memory else {
                    run.fail(
                        place,
                        "needs \(readableSize(UInt64(clamping: manifest.memory))) of memory, more than "
                            + "the \(readableSize(listed.delta.memory)) that its pointer states")
                    continue
                }
                if listed.delta.memory > Pointer.Delta.memoryLimit {
                    run.result.notes.append(
                        "the pointer states \(readableSize(listed.delta.memory)) of memory for \(place): "
                            + "clients take the package instead")
                }
                run.result.deltas.add(content.size)
            } catch {
                try rethrowShortage(error)
                run.fail(place, error)
            }
        }
    }

    // MARK: Objects

    private func checkObjects(_ run: inout Run) async throws {
        let list = run.objects.sorted { $0.key < $1.key }
        run.reachable.formUnion(list.map(\.key))
        let counter = ProgressCounter(
            phase: .verifying, total: list.clampedSum { $0.value.size }, sink: progress)
        let root = root
        let problems = try await mapInParallel(
            count: list.count, jobs: jobs, makeState: ByteBuffer.forReading
        ) { buffer, index -> String? in
            let (place, asset) = list[index]
            counter.add(asset.size)
            return try root.problem(of: place, asset, buffer: buffer)
        }
        for ((place, asset), problem) in zip(list, problems) {
            if let problem { run.fail(place, problem) } else { run.result.objects.add(asset.size) }
        }
    }
}

/// A file that could not even be opened for want of descriptors is not a damaged one.
private func rethrowShortage(_ error: any Error) throws {
    if let error = error as? FileSystemError, error.meansShortage { throw error }
}
