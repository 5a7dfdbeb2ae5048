import PackDelta
import PackDeltaFile
import PackDeltaMaking
import PackGround
import PackOrigin
import PackRelease

/// Creates the deltas of a publish: from the last releases of the channel, each proved by applying
/// it.
///
/// If an old release is damaged, its delta is left out and a note names the file and what to do.
/// A release that was requested by name must be complete.
struct DeltaMaker: Sendable {
    let store: any WritableStore
    let history: OriginHistory
    let channel: Channel
    /// The sequence of the channel's pointer; `nil` for a channel without one.
    let live: Int?
    let policy: PublishRequest.DeltaPolicy
    let baseURL: BaseURL
    let jobs: Int
    let sink: ProgressSink?
    /// What the deltas lead to.
    let target: Target
    /// Whether a delta that another run uploaded, and that nothing names, is used.
    var usesLeftDeltas = true

    /// The release that deltas lead to, besides its files.
    struct Target: Sendable {
        let release: Release
        let content: Content
        /// Whether it was published before: only then can the origin have deltas to it.
        let isPublished: Bool
        /// Its package at the origin, if it is published.
        var published: ContentReference?
        /// What is known once it is packed, for which a delta waits last.
        let packed: Promise<Packed>
    }

    /// What a delta needs to know of the new release besides its files.
    struct Packed: Sendable {
        /// The size of its package.
        let size: UInt64
        /// Its manifest, as it is or will be at the origin.
        let manifest: Manifest
        let content: FileDigest
        /// Whether this run has encoded the manifest.
        var isNew = false
        private let made = LazyInfo()

        init(_ size: UInt64, _ manifest: Manifest, _ info: ContentReference) {
            self.size = size
            self.manifest = manifest
            content = info.content
        }

        /// The manifest as a delta carries it: made when the first delta is.
        var info: DeltaBuilder.Info? {
            made.value {
                isNew
                    ? DeltaBuilder.Info(ofEncoded: manifest)
                    : DeltaBuilder.Info(manifest, digest: content)
            }
        }
    }

    private final class LazyInfo: Sendable {
        private let known = Locked<DeltaBuilder.Info??>(nil)

        func value(_ make: () -> DeltaBuilder.Info?) -> DeltaBuilder.Info? {
            known.withLock { known in
                if let known { return known }
                let made = make()
                known = .some(made)
                return made
            }
        }
    }

    /// Where the files of the new release are.
    enum Content: Sendable {
        case tree(Directory)
        /// At the origin.
        case objects
    }

    /// A delta that the new pointer lists.
    struct Made: Sendable {
        let pointer: Pointer.Delta
        /// The file in staging; `nil` if the delta is already at the origin.
        var staged: String?
        /// What to do with a delta at its place that no log entry names.
        var conflict = Upload.Conflict.replace

        /// Its upload, if it is new.
        ///
        /// - Parameter version: of the release that it leads to.
        func upload(to version: Version, in staging: Staging) -> Upload? {
            guard let staged else { return nil }
            var upload = Upload(
                OriginLayout.delta(version, from: pointer.from),
                .staged(in: staging.directory, named: staged), pointer.content.content,
                stagedName: staged)
            upload.conflict = conflict
            upload.isProvedAtOnce = true
            return upload
        }
    }

    /// The deltas that were created, and the notes for the report.
    struct Outcome: Sendable {
        var deltas: [Made] = []
        var kept = 0
        var notes: [String] = []

        /// The uploads of deltas that are new.
        func uploads(to version: Version, in staging: Staging) -> [Upload] {
            deltas.compactMap { $0.upload(to: version, in: staging) }
        }
    }

    /// The memory that creating all deltas together may use.
    private static let memoryWindow = 768 << 20
    /// A delta must be at least an eighth smaller than the package.
    static func pays(_ size: UInt64, _ package: UInt64) -> Bool { size <= package / 8 * 7 }

    private var reader: OriginReader { history.reader }
    var version: Version { target.release.version }

    /// Makes the deltas.
    func make(in staging: Directory) async throws -> Outcome {
        var outcome = Outcome()
        var bases: [Base] = []
        for base in try await basePointers(&outcome.notes) {
            // A delta that is listed needs nothing else of its base.
            if target.isPublished, try await keep(base.pointer.version, &outcome) { continue }
            let release: Release
            do {
                // Checked against its pointer: nothing else may say what is read and allocated.
                release = try await reader.manifest(of: base).release
            } catch {
                if error.isLocalOrTransient { throw error }
                // What was pruned is not damage.
                if policy.from == nil, try await history.mayBePruned(base.pointer) { continue }
                try leaveOut(base.pointer.version, "\(error)", &outcome)
                continue
            }
            if !target.isPublished, try await keep(release.version, &outcome) { continue }
            if let problem = try await shapeProblem(release) {
                try leaveOut(release.version, problem, &outcome)
            } else {
                bases.append(Base(release: release, package: base.pointer.package))
            }
        }
        let largest = bases.map { memory($0.release) }.max() ?? 1
        let window = max(1, min(jobs, Self.memoryWindow / max(largest, 1)))
        let work = bases
        let attempts = await mapConcurrently(count: work.count, jobs: window) { index in
            await attempt(from: work[index], index, staging)
        }
        for (base, attempt) in zip(bases.map(\.release), attempts) {
            switch attempt {
            case .made(let delta):
                outcome.deltas.append(delta)
                if delta.staged == nil {
                    let path = OriginLayout.delta(version, from: base.version)
                    outcome.notes.append(OrphanedPackage.noteOfUse(store.display(path)))
                }
            case .tooLarge(let size):
                outcome.notes.append(
                    """
                    no delta from \(base.version): it would have \(readableSize(size)), which \
                    is not \
                    at least an eighth smaller than the package
                    """)
            case .failed(let error):
                if error.isLocalOrTransient || error is PromiseCancelled { throw error }
                if let problem = try await problem(base) {
                    try leaveOut(base.version, problem, &outcome)
                    continue
                }
                // The base is complete.
                // A delta whose proof fails is left out; any other failure would repeat.
                guard error.isFailure(of: "delta") || error is DeltaCodecError else { throw error }
                outcome.notes.append("no delta from \(base.version): \(error)")
            }
        }
        outcome.deltas.sort { $0.pointer.from.description < $1.pointer.from.description }
        return outcome
    }

    /// Takes the delta over that the origin has already.
    ///
    /// - Returns: `false` if there is none.
    private func keep(_ base: Version, _ outcome: inout Outcome) async throws -> Bool {
        let published = PublishedDeltas(
            store: store, history: history, channel: channel, baseURL: baseURL, version: version,
            isPublished: target.isPublished)
        switch try await published.delta(from: base) {
        case .none: return false
        case .listed(let delta):
            outcome.deltas.append(Made(pointer: delta, staged: nil))
            outcome.kept += 1
        case .damaged(let problem): try leaveOut(base, problem, &outcome)
        }
        return true
    }

    // MARK: Bases

    private func basePointers(
        _ notes: inout [String]
    ) async throws -> [OriginReader.Published] {
        try await DeltaBases(
            store: store, history: history, channel: channel, live: live, policy: policy,
            version: version
        ).pointers(&notes)
    }

    /// A release that a delta starts from.
    struct Base: Sendable {
        let release: Release
        /// At the origin.
        let package: ContentReference
    }

    /// Adds a note that a release gets no delta because of damage, unless it was requested.
    private func leaveOut(
        _ base: Version, _ problem: String, _ outcome: inout Outcome
    ) throws(Failure) {
        guard policy.from == nil else {
            throw .publishDeltaBaseDamaged(version: base.description, problem: problem)
        }
        outcome.notes.append("no delta from \(base): \(problem)" + DeltaBases.advice(store))
    }

    /// What is wrong with the objects that a delta reads, as far as it shows without reading them: before anything
    /// is allocated or opened.
    private func shapeProblem(_ base: Release) async throws -> String? {
        // Otherwise the base's package is read.
        guard store.localFiles != nil else { return nil }
        let diff = ReleaseDiff(from: base, to: target.release)
        let objects = (diff.changed.map(\.old) + diff.removed).map(ObjectReference.init(objectOf:))
        let statuses = try await store.statuses(of: objects.map(\.path))
        return firstProblem(zip(objects, statuses).map { ($0, $1.shape(of: $0.content)) })
    }

    /// What is wrong with a base from which no delta could be made; `nil` where it is whole.
    private func problem(_ base: Release) async throws -> String? {
        let objects = ObjectPlan.needed(by: base).map(\.content)
        let states = try await store.check(objects, jobs: jobs, counter: nil)
        return firstProblem(Array(zip(objects, states)))
    }

    private func firstProblem(_ states: [(ObjectReference, ContentState)]) -> String? {
        for (object, state) in states {
            if let problem = state.problem {
                return "'\(store.display(object.path))' \(problem)"
            }
        }
        return nil
    }

    /// The approximate memory of creating a delta.
    private func memory(_ base: Release) -> Int {
        let diff = ReleaseDiff(from: base, to: target.release)
        let old = diff.changed.clampedSum { $0.old.size }
            .addingClamped(diff.removed.clampedSum { $0.size })
        return Int(clamping: old.addingClamped(160 << 20))
    }
}

extension DeltaMaker {
    /// For a publish.
    init(
        _ request: PublishRequest, _ state: PublishState, _ store: any WritableStore,
        _ history: OriginHistory, packed: Promise<Packed>
    ) {
        self.init(
            store: store, history: history, channel: request.channel,
            live: state.current?.pointer.sequence, policy: request.deltas,
            baseURL: request.manifest.baseURL, jobs: request.jobs, sink: request.progress,
            target: Target(
                release: request.scan.release, content: .tree(request.scan.directory),
                isPublished: state.package != nil, packed: packed))
    }
}

extension DeltaMaker.Packed {
    init(_ staged: StagedRelease) {
        self.init(staged.entry.package.size, staged.manifest, staged.info)
        isNew = staged.manifestFile != nil
    }
}

extension Promise<DeltaMaker.Packed> {
    /// A release whose package is there already.
    convenience init(_ packed: DeltaMaker.Packed) {
        self.init()
        set(packed)
    }
}
