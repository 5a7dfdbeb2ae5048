/// Makes the deltas of a publish: from the last releases of the channel, each proved by applying it.
struct DeltaMaker: Sendable {
    let request: PublishRequest
    let reader: OriginReader

    /// A delta that the new pointer lists.
    struct Made: Sendable {
        let pointer: Pointer.Delta
        /// The file in staging; `nil` where the delta lies at the origin already.
        let staged: String?
    }

    /// What was made, and what a reader of the report should know.
    struct Outcome: Sendable {
        var deltas: [Made] = []
        var kept = 0
        var notes: [String] = []
    }

    /// Memory that deltas may take while they are made, together.
    private static let memoryWindow = 768 << 20
    /// A delta has to be smaller than the package by an eighth.
    private static func pays(_ size: UInt64, _ package: UInt64) -> Bool { size <= package / 8 * 7 }

    private var root: Directory { reader.root }
    private var version: Version { request.scan.release.version }

    /// Makes the deltas to the release of the request.
    ///
    /// - Parameter package: the size of its package.
    func make(
        _ state: PublishState, package: UInt64, in staging: Directory
    ) async throws -> Outcome {
        var outcome = Outcome()
        var bases: [Release] = []
        for version in try baseVersions(state, &outcome) {
            do {
                let release = try reader.release(ofVersion: version.description)
                if let known = try published(release, state) {
                    outcome.deltas.append(Made(pointer: known, staged: nil))
                    outcome.kept += 1
                } else {
                    bases.append(release)
                }
            } catch {
                // A release that is damaged is verify's business, and its clients take the package.
                if error is FileSystemError || error is PublishError { throw error }
                outcome.notes.append("no delta from \(version): \(error)")
            }
        }
        let largest = bases.map { memory($0) }.max() ?? 1
        let jobs = max(1, min(request.jobs, Self.memoryWindow / max(largest, 1)))
        let work = bases
        let attempts = await mapConcurrently(count: work.count, jobs: jobs) { index in
            await attempt(from: work[index], index, package, staging)
        }
        for (base, attempt) in zip(bases, attempts) {
            switch attempt {
            case .made(let delta): outcome.deltas.append(delta)
            case .tooLarge(let size):
                outcome.notes.append(
                    "no delta from \(base.version): it has \(readableSize(size)), which is not "
                        + "smaller than the package by an eighth")
            case .failed(let error):
                // A delta that does not prove itself is left out; whatever else fails would fail again.
                guard error is DeltaError || error is DeltaCodecError else { throw error }
                outcome.notes.append("no delta from \(base.version): \(error)")
            }
        }
        outcome.deltas.sort { $0.pointer.from.description < $1.pointer.from.description }
        return outcome
    }

    /// The versions that deltas start from: those asked for, else the last ones of the channel.
    private func baseVersions(_ state: PublishState, _ outcome: inout Outcome) throws -> [Version] {
        if let wanted = request.deltas.from {
            return try wanted.filter { $0 != version }.map { version in
                guard try root.status(OriginLayout.manifest(version)) != nil else {
                    throw OriginError.noSuchRelease(
                        version: version.description, origin: request.origin)
                }
                return version
            }
        }
        guard request.deltas.count > 0, let current = state.current?.pointer.sequence else {
            return []
        }
        var versions: [Version] = []
        for sequence in try reader.liveSequences(request.channel, upTo: current).reversed() {
            guard versions.count < request.deltas.count else { break }
            guard let pointer = try recorded(sequence) else { continue }
            if pointer.version != version, !versions.contains(pointer.version) {
                versions.append(pointer.version)
            }
        }
        return versions
    }

    /// A recorded pointer; `nil` for one that is damaged.
    private func recorded(_ sequence: Int) throws -> Pointer? {
        do {
            return try reader.logEntry(request.channel, sequence).pointer
        } catch let error as FileSystemError {
            throw error
        } catch {
            return nil
        }
    }

    /// About what making a delta takes.
    private func memory(_ base: Release) -> Int {
        let diff = ReleaseDiff(from: base, to: request.scan.release)
        let old =
            diff.changed.reduce(0) { $0 + $1.old.size } + diff.removed.reduce(0) { $0 + $1.size }
        return Int(clamping: old + (160 << 20))
    }

    /// A delta that an earlier publish of this release made and that lies at the origin unchanged.
    private func published(_ base: Release, _ state: PublishState) throws -> Pointer.Delta? {
        let place = OriginLayout.delta(version, from: base.version)
        guard state.manifest != nil, try root.status(place)?.kind == .file else { return nil }
        for sequence in try reader.logSequences(request.channel).reversed() {
            guard let pointer = try recorded(sequence), pointer.version == version,
                let delta = pointer.deltas.first(where: { $0.from == base.version })
            else { continue }
            guard try delta.content.isContent(of: place, in: root),
                delta.content.url == request.manifest.baseURL.url(of: place)
            else {
                throw PublishError.damaged(
                    place: root.display(place), problem: "its content is not what its pointer says")
            }
            return delta
        }
        return nil
    }

    /// What became of one delta.
    private enum Attempt: Sendable {
        case made(Made)
        case tooLarge(UInt64)
        case failed(any Error)
    }

    private func attempt(
        from base: Release, _ index: Int, _ package: UInt64, _ staging: Directory
    ) async -> Attempt {
        do {
            let name = "delta-\(index)"
            try staging.makeDirectory(name)
            let directory = try staging.directory(name)
            let result = try await DeltaBuilder(
                from: AssetSource(origin: root, release: base),
                to: AssetSource(tree: request.scan.directory, release: request.scan.release),
                jobs: request.jobs, progress: request.progress
            ).buildProved("delta.zip", in: directory)
            guard Self.pays(result.digest.size, package) else {
                return .tooLarge(result.digest.size)
            }
            let place = OriginLayout.delta(version, from: base.version)
            let pointer = Pointer.Delta(
                from: base.version, fromHash: base.packageHash,
                content: ContentReference(
                    url: request.manifest.baseURL.url(of: place), sha256: result.digest.sha256,
                    size: result.digest.size),
                memory: UInt64(result.memory))
            return .made(Made(pointer: pointer, staged: "\(name)/delta.zip"))
        } catch {
            return .failed(error)
        }
    }
}
