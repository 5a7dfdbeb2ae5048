/// Re-reads and re-hashes everything that a client could reach at an origin: every pointer and log entry
/// of every channel, every manifest and package they name, every object, `info.json` and `site/`.
package struct OriginVerifier: Sendable {
    private let reader: OriginReader
    private let jobs: Int
    private let progress: ProgressSink?

    private var root: Directory { reader.root }

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
        try readManifests(&run)
        try await checkPackages(&run)
        try await checkObjects(&run)
        try await checkFollowers(&run)
        try findOrphans(&run)
        return run.result
    }

    /// What one verification has learned so far.
    private struct Run {
        var result = OriginVerification()
        /// Channels with an intent: a publish is at work or was interrupted.
        var underWay: Set<String> = []
        /// Every pointer and log entry by the release it names; the first one seen stands for all.
        var published: [Version: OriginReader.Published] = [:]
        var production: Pointer?
        var manifests: [Version: Manifest] = [:]
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
            run.reachable.formUnion(sequences.map { OriginLayout.logEntry(channel, $0) })
            let place = OriginLayout.pointer(channel)
            run.reachable.insert(place)
            var current: OriginReader.Published?
            do {
                current = try reader.pointer(channel)
            } catch {
                try rethrowShortage(error)
                run.fail(place, error)
            }
            for sequence in sequences {
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
                    label: pointer.label, expires: pointer.expires, recorded: sequences.count))
        }
    }

    /// Two pointers to one release must bind it to the same bytes.
    private func record(_ published: OriginReader.Published, _ run: inout Run) {
        let pointer = published.pointer
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

    private func readManifests(_ run: inout Run) throws {
        for (version, published) in run.published.sorted(by: {
            $0.key.description < $1.key.description
        }) {
            run.reachable.insert(OriginLayout.manifest(version))
            run.reachable.insert(OriginLayout.package(version))
            do {
                run.manifests[version] = try reader.manifest(of: published)
            } catch {
                try rethrowShortage(error)
                run.fail(OriginLayout.manifest(version), error)
            }
        }
        run.result.releases = run.published.count
    }

    private func checkPackages(_ run: inout Run) async throws {
        for (version, manifest) in run.manifests.sorted(by: {
            $0.key.description < $1.key.description
        }) {
            let place = OriginLayout.package(version)
            guard let package = manifest.package else { continue }
            do {
                guard try root.status(place)?.kind == .file else {
                    run.fail(place, "is missing")
                    continue
                }
                let digest = try FileDigest.read(
                    place, in: root, buffer: .forReading(), limit: package.size)
                guard digest == FileDigest(sha256: package.sha256, size: package.size) else {
                    run.fail(place, "is not what its manifest says (size or SHA-256 differs)")
                    continue
                }
                try await PackageReader(place, in: root, expecting: manifest.release)
                    .prove(jobs: jobs, progress: progress)
                run.result.packages.add(package.size)
            } catch {
                try rethrowShortage(error)
                run.fail(place, error)
            }
        }
    }

    // MARK: Objects

    private func checkObjects(_ run: inout Run) async throws {
        var needed: [String: Asset] = [:]
        for manifest in run.manifests.values {
            for entry in manifest.entries {
                let place = String(decoding: OriginLayout.object(entry.asset).bytes, as: UTF8.self)
                needed[place] = entry.asset
            }
        }
        let list = needed.sorted { $0.key < $1.key }
        run.reachable.formUnion(list.map(\.key))
        let counter = ProgressCounter(
            phase: .verifying, total: list.reduce(0) { $0 + $1.value.size }, sink: progress)
        let root = root
        let problems = try await mapInParallel(
            count: list.count, jobs: jobs, makeState: ByteBuffer.forReading
        ) { buffer, index -> String? in
            let (place, asset) = list[index]
            counter.add(asset.size)
            return try Self.problem(place, asset, root: root, buffer: buffer)
        }
        for ((place, asset), problem) in zip(list, problems) {
            if let problem { run.fail(place, problem) } else { run.result.objects.add(asset.size) }
        }
    }

    /// What is wrong with a file that has to hold an asset's content; `nil` where nothing is.
    private static func problem(
        _ place: String, _ asset: Asset, root: Directory, buffer: ByteBuffer
    ) throws -> String? {
        do throws(FileSystemError) {
            guard let status = try root.status(place) else { return "is missing" }
            guard status.kind == .file else { return "is not a file" }
            let digest = try FileDigest.read(place, in: root, buffer: buffer, limit: asset.size)
            guard digest?.size == asset.size else {
                return "has another size than its manifest says"
            }
            return digest?.sha256 == asset.sha256 ? nil : "has other content than its manifest says"
        } catch {
            if error.meansShortage { throw error }
            return "\(error)"
        }
    }

    // MARK: info.json and site/

    private func checkFollowers(_ run: inout Run) async throws {
        guard let production = run.production, let manifest = run.manifests[production.version]
        else {
            return
        }
        // Between the commit point and the end of a publish these still show the release before.
        let isUnderWay = run.underWay.contains(Channel.production.description)
        var late = 0
        run.reachable.insert(OriginLayout.info)
        if let problem = infoProblem(production, run) {
            if isUnderWay, problem.isOlder {
                late += 1
            } else {
                run.fail(OriginLayout.info, problem.text)
            }
        }
        let root = root
        let assets = manifest.release.assets
        let problems = try await mapInParallel(
            count: assets.count, jobs: jobs, makeState: ByteBuffer.forReading
        ) { buffer, index -> String? in
            let place = SitePlan.place(assets[index])
            let object = String(decoding: OriginLayout.object(assets[index]).bytes, as: UTF8.self)
            if let status = try? root.status(place), status.kind == .file,
                status.identity == (try? root.status(object))?.identity
            {
                return nil
            }
            return try Self.problem(place, assets[index], root: root, buffer: buffer)
        }
        let known = knownSiteContent(run)
        for (asset, problem) in zip(assets, problems) {
            let place = SitePlan.place(asset)
            run.reachable.insert(place)
            guard let problem else {
                run.result.siteFiles.add(asset.size)
                continue
            }
            if isUnderWay, try isOlder(place, known[asset.path] ?? []) {
                late += 1
            } else {
                run.fail(place, problem)
            }
        }
        checkOlderSiteFiles(known, except: Set(assets.map(\.path)), &run)
        if isUnderWay {
            run.result.notes.append(
                "a publish is under way or was interrupted"
                    + (late == 0
                        ? "" : ": \(counted(late, "file")) of info.json and site/ not yet renewed")
                    + "; publish again to finish it")
        }
    }

    /// Files of earlier releases are kept in `site/` and served. They may be gone; what is there has to be
    /// what one of those releases had.
    private func checkOlderSiteFiles(
        _ known: [AssetPath: [Asset]], except current: Set<AssetPath>, _ run: inout Run
    ) {
        for (path, assets) in known.sorted(by: { $0.key < $1.key }) where !current.contains(path) {
            let place = "\(OriginLayout.site)/\(path)"
            run.reachable.insert(place)
            guard let status = try? root.status(place), status.kind != .directory else { continue }
            let isObject = assets.contains { asset in
                let object = String(decoding: OriginLayout.object(asset).bytes, as: UTF8.self)
                return (try? root.status(object))?.identity == status.identity
            }
            if isObject { continue }
            guard status.kind == .file, (try? isOlder(place, assets)) == true else {
                run.fail(place, "is not what any recorded release has there")
                continue
            }
        }
    }

    private func infoProblem(
        _ production: Pointer, _ run: Run
    ) -> (text: String, isOlder: Bool)? {
        guard let bytes = try? root.readFile(OriginLayout.info, limit: Manifest.sizeLimit) else {
            return ("is missing or cannot be read", true)
        }
        let digest = StreamHasher.digest(of: bytes)
        if digest == production.info.sha256 { return nil }
        let isOlder = run.published.values.contains { $0.pointer.info.sha256 == digest }
        return ("is not the manifest of the current release", isOlder)
    }

    /// What each site path held in any recorded release.
    private func knownSiteContent(_ run: Run) -> [AssetPath: [Asset]] {
        var known: [AssetPath: [Asset]] = [:]
        for manifest in run.manifests.values {
            for asset in manifest.release.assets { known[asset.path, default: []].append(asset) }
        }
        return known
    }

    private func isOlder(_ place: String, _ known: [Asset]) throws -> Bool {
        guard let status = try root.status(place) else { return true }
        guard status.kind == .file else { return true }
        let digest = try FileDigest.read(place, in: root, buffer: .forReading())
        return known.contains { $0.sha256 == digest?.sha256 }
    }

    // MARK: Orphans

    private func findOrphans(_ run: inout Run) throws {
        var orphans: [(String, UInt64)] = []
        try visit(root, prefix: "") { place, status in
            if !run.reachable.contains(place) { orphans.append((place, status.size)) }
        }
        run.result.orphans = orphans.map(\.0)
        run.result.orphanBytes = orphans.reduce(0) { $0 + $1.1 }
    }

    private func visit(
        _ directory: Directory, prefix: String, _ body: (String, FileStatus) throws -> Void
    ) throws {
        for bytes in try directory.names() {
            let name = String(decoding: bytes, as: UTF8.self)
            if prefix.isEmpty, name == OriginLayout.workspace { continue }
            guard let status = try directory.status(name) else { continue }
            if status.kind == .directory {
                try visit(directory.directory(name), prefix: prefix + name + "/", body)
            } else {
                try body(prefix + name, status)
            }
        }
    }
}

/// A file that could not even be opened for want of descriptors is not a damaged one.
private func rethrowShortage(_ error: any Error) throws {
    if let error = error as? FileSystemError, error.meansShortage { throw error }
}
