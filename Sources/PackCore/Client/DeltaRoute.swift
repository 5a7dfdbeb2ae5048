import PackDelta

/// A way to the current release by deltas: one, or two in a row.
struct DeltaRoute: Sendable {
    /// A delta and the release it leads to.
    struct Step: Sendable {
        let delta: Pointer.Delta
        let to: Version
        let toHash: Digest
        /// The size of the tree that it makes.
        let tree: TreeSize
    }

    let steps: [Step]

    var size: UInt64 { steps.clampedSum { $0.delta.content.size } }

    /// The number of recorded pointers that are searched for a first step.
    private static let entriesRead = 20

    /// The cheapest way from an installed release, if it is cheaper than package and manifest.
    ///
    /// The first of two steps comes from the pointer of the intermediate release, which is in the
    /// log. The log is read only if there is no single step: that would fetch more than it could
    /// save.
    ///
    /// - Parameter fetched: Counts the entries that were read.
    static func find(
        from installed: Version, to published: OriginReader.Published, _ history: OriginHistory?,
        _ fetched: inout FetchedBytes
    ) async -> DeltaRoute? {
        let pointer = published.pointer
        let memoryLimit = DeltaLimits().totalMemory
        let whole = pointer.package.size.addingClamped(pointer.info.size)
        let usable = pointer.deltas.filter { $0.memory <= memoryLimit }
        let last = { (delta: Pointer.Delta) in
            Step(
                delta: delta, to: pointer.version, toHash: pointer.packageHash, tree: pointer.tree)
        }
        if let single = usable.first(where: { $0.from == installed }),
            single.content.size < whole
        {
            return DeltaRoute(steps: [last(single)])
        }
        var routes: [DeltaRoute] = []
        let intermediate = usable.filter { $0.from != installed }
        let wanted = Set(intermediate.map(\.from))
        for earlier in await earlierPointers(of: pointer, to: wanted, history, &fetched) {
            guard let second = intermediate.first(where: { $0.from == earlier.version }),
                let first = earlier.deltas.first(where: {
                    $0.from == installed && $0.memory <= memoryLimit
                }), second.fromHash == earlier.packageHash
            else { continue }
            routes.append(
                DeltaRoute(steps: [
                    Step(
                        delta: first, to: earlier.version, toHash: earlier.packageHash,
                        tree: earlier.tree),
                    last(second),
                ]))
        }
        return routes.filter { $0.size < whole }.min { $0.size < $1.size }
    }

    /// The pointers that were recorded last before one, as far as they can be read, until there is
    /// one to each of the releases that are wanted.
    private static func earlierPointers(
        of pointer: Pointer, to releases: Set<Version>, _ history: OriginHistory?,
        _ fetched: inout FetchedBytes
    ) async -> [Pointer.Entry] {
        guard let history, !releases.isEmpty else { return [] }
        var wanted = releases
        let sequences = (try? await history.logSequences(pointer.channel)) ?? []
        var earlier: [Pointer.Entry] = []
        for sequence in sequences.reversed().lazy.filter({ $0 < pointer.sequence })
            .prefix(entriesRead)
        {
            guard let entry = try? await history.reader.logEntry(pointer.channel, sequence) else {
                continue
            }
            fetched.log = fetched.log.addingClamped(UInt64(entry.bytes.count))
            earlier += entry.pointer.entries
            for release in entry.pointer.entries { wanted.remove(release.version) }
            if wanted.isEmpty { break }
        }
        return earlier
    }
}

extension DeltaRoute {
    /// Takes the route: fetches each delta, at most the size in its pointer, and applies it.
    ///
    /// - Parameters:
    ///   - base: The installed release, proved by hash.
    ///   - staging: A directory that this run owns; the new tree is created there as `tree`.
    ///   - spaceLimit: The most bytes of any release on the way.
    ///   - fetched: Counts the deltas.
    /// - Returns: What the last delta gave.
    /// - Throws: ``OriginError``, ``DeltaError``, ``ArchiveError``, ``FileSystemError``.
    func take(
        from base: AssetSource, _ store: any OriginStore, staging: Directory,
        spaceLimit: UInt64, jobs: Int, progress: ProgressSink?, _ fetched: inout FetchedBytes
    ) async throws -> AppliedDelta? {
        var base = base
        var result: AppliedDelta?
        for (index, step) in steps.enumerated() {
            let isLast = index == steps.count - 1
            let name = "delta-\(index).zip"
            let place = OriginLayout.delta(step.to, from: step.delta.from)
            try await store.fetch(
                PlacedContent(place, step.delta.content), into: staging, as: name)
            fetched.deltas = fetched.deltas.addingClamped(step.delta.content.size)
            var limits = DeltaLimits()
            limits.totalMemory = min(limits.totalMemory, Int(clamping: step.delta.memory))
            try checkStatement(step, name, in: staging, store.display(place))
            let tree = isLast ? "tree" : "between"
            let work = "parts-\(index)"
            try staging.makeDirectory(tree)
            try staging.makeDirectory(work)
            let target = try staging.directory(tree)
            let applied = try await DeltaApplier.apply(
                name, in: staging, to: base, into: target, work: staging.directory(work),
                jobs: jobs, limits: limits,
                treeLimit: spaceLimit, expecting: step.tree, progress: progress)
            guard applied.manifest.toHash == step.toHash else {
                throw DeltaError.wrongResult(
                    delta: name, expected: step.to.description,
                    found: applied.manifest.to.description)
            }
            result = applied
            try staging.removeTree(work)
            try staging.removeFile(name)
            if !isLast {
                base = AssetSource(tree: target, release: applied.release)
            }
        }
        try staging.removeTree("between")
        return result
    }

    /// Compares what a delta says of itself with what its pointer says, before anything of it is applied: a device
    /// chose this route by the memory that the pointer states.
    private func checkStatement(
        _ step: Step, _ name: String, in staging: Directory, _ place: String
    ) throws {
        let stated = try DeltaManifest.read(name, in: staging)
        guard stated.fromHash == step.delta.fromHash, stated.toHash == step.toHash else {
            throw OriginError.differs(
                place: place,
                problem: """
                    starts from or produces another release than its pointer says
                    """)
        }
        guard UInt64(clamping: stated.memory) <= step.delta.memory else {
            throw OriginError.differs(
                place: place,
                problem:
                    "needs \(readableSize(UInt64(clamping: stated.memory))) of memory, more than "
                    + "the \(readableSize(step.delta.memory)) in its pointer")
        }
    }
}
