import PackDelta
import PackDeltaFile
import PackGround
import PackOrigin
import PackRelease

/// A route to the current release by one delta, or two in a row.
struct DeltaRoute: Sendable {
    /// A delta and its new release.
    struct Step: Sendable {
        let delta: Pointer.Delta
        let to: Version
        let toHash: Digest
        /// The size of its new tree.
        let tree: TreeSize

        var path: String { OriginLayout.delta(to, from: delta.from) }

        init(_ delta: Pointer.Delta, to entry: Pointer.Entry) {
            self.delta = delta
            to = entry.version
            toHash = entry.packageHash
            tree = entry.tree
        }
    }

    let steps: [Step]

    /// The release that it begins with.
    var from: Version? { steps.first?.delta.from }

    var deltas: [Pointer.Delta] { steps.map(\.delta) }

    var size: UInt64 { steps.clampedSum { $0.delta.content.size } }

    /// The largest number of log entries to read for a first step; each is a request.
    static let entriesRead = 3

    /// The cheapest route from a release on the device, if it is cheaper than the package.
    ///
    /// The first of two steps is an older release's own delta. The pointer lists it if it still
    /// offers that release to other devices; otherwise a log entry may. Live entries are read one
    /// by one, because each refers to the previous one. That needs no listing, so devices and
    /// `explain` find the same route at any kind of origin. No entry is read if the pointer has a
    /// delta from the installed release, or if a route could not be cheaper.
    ///
    /// - Parameters:
    ///   - bases: The releases on the device; two steps lead from the first one only.
    ///   - offer: The release for the device.
    ///   - published: The whole pointer that offers it.
    ///   - reader: Accepts log entries by the same policy as the pointer.
    ///   - fetched: Counts the entries read.
    static func find(
        from bases: [Version], to offer: OriginReader.Published,
        of published: OriginReader.Published, _ reader: OriginReader, _ fetched: inout FetchedBytes
    ) async -> DeltaRoute? {
        let target = offer.pointer.entry
        let memoryLimit = DeltaLimits().totalMemory
        let whole = target.package.size
        guard let installed = bases.first else { return nil }
        let singles = target.deltas.filter { bases.contains($0.from) }
        if let single = singles.filter({ $0.needs.memory <= memoryLimit })
            .min(by: { $0.content.size < $1.content.size }), single.content.size < whole
        {
            return DeltaRoute(steps: [Step(single, to: target)])
        }
        if singles.contains(where: { $0.from == installed }) { return nil }
        let seconds = target.deltas.filter { $0.needs.memory <= memoryLimit }
        guard let smallest = seconds.map(\.content.size).min() else { return nil }
        // An entry is about as large as the pointer.
        let entrySize = UInt64(published.bytes.count)
        var found: DeltaRoute?
        var read: UInt64 = 0
        var isPointer = true
        // If an entry cannot be read, only its routes are lost.
        try? await reader.forEachBefore(published, limit: 1 + entriesRead) { earlier in
            if !isPointer { read = read.addingClamped(UInt64(earlier.bytes.count)) }
            isPointer = false
            found = routes(from: installed, over: earlier.pointer.entries, seconds, to: target)
                .filter { $0.size.addingClamped(read) < whole }.min { $0.size < $1.size }
            let next = read.addingClamped(entrySize).addingClamped(smallest)
            return found != nil || next >= whole
        }
        fetched.log = fetched.log.addingClamped(read)
        return found
    }

    /// The routes of two steps through a release that a pointer offered.
    private static func routes(
        from installed: Version, over between: [Pointer.Entry], _ seconds: [Pointer.Delta],
        to target: Pointer.Entry
    ) -> [DeltaRoute] {
        let memoryLimit = DeltaLimits().totalMemory
        return between.compactMap { between in
            guard
                let second = seconds.first(where: {
                    $0.from == between.version && $0.fromHash == between.packageHash
                }),
                let first = between.deltas.first(where: {
                    $0.from == installed && $0.needs.memory <= memoryLimit
                })
            else { return nil }
            return DeltaRoute(steps: [Step(first, to: between), Step(second, to: target)])
        }
    }
}

extension DeltaRoute {
    private static func name(_ index: Int) -> String { "delta-\(index).zip" }

    /// Fetches each delta, up to the size in its pointer.
    ///
    /// - Parameters:
    ///   - staging: A directory that this run owns.
    ///   - fetched: Counts the deltas.
    func fetch(
        _ store: any OriginStore, into staging: Directory, _ fetched: inout FetchedBytes
    ) async throws {
        for (index, step) in steps.enumerated() {
            try await store.fetch(
                ObjectReference(step.path, step.delta.content), into: staging,
                as: Self.name(index))
            fetched.deltas = fetched.deltas.addingClamped(step.delta.content.size)
        }
    }

    /// Applies the fetched deltas.
    ///
    /// - Parameters:
    ///   - base: The installed release; its hashes must be verified.
    ///   - staging: The directory with the deltas; the new tree is created there as `tree`.
    ///   - spaceLimit: The largest size, in bytes, of any release on the route.
    /// - Returns: The result of the last delta.
    /// - Throws: ``Failure``.
    func apply(
        to base: AssetSource, of store: any OriginStore, staging: Directory,
        spaceLimit: UInt64, jobs: Int, progress: ProgressSink?
    ) async throws -> AppliedDelta? {
        var base = base
        var result: AppliedDelta?
        for (index, step) in steps.enumerated() {
            let isLast = index == steps.count - 1
            let name = Self.name(index)
            var limits = DeltaLimits()
            limits.totalMemory = min(limits.totalMemory, Int(clamping: step.delta.needs.memory))
            try checkStatement(step, name, in: staging, store.display(step.path))
            let tree = isLast ? "tree" : "between"
            let work = "parts-\(index)"
            try staging.makeDirectory(tree)
            try staging.makeDirectory(work)
            let target = try staging.directory(tree)
            let applied = try await DeltaApplier.apply(
                name, in: staging, to: base, into: target, work: staging.directory(work),
                jobs: jobs, limits: limits,
                treeLimit: spaceLimit, expecting: step.tree, progress: progress, copies: .linked)
            guard applied.manifest.toHash == step.toHash else {
                throw Failure.deltaWrongResult(
                    delta: name, expected: step.to.description,
                    found: applied.manifest.to.description)
            }
            result = applied
            try staging.removeTree(work)
            try staging.removeFile(name)
            if !isLast {
                base = AssetSource(
                    tree: target, release: applied.release, editions: applied.editions)
            }
        }
        return result
    }

    /// Compares a delta's own manifest with its pointer before applying it.
    ///
    /// A device chooses the route by the memory in the pointer.
    private func checkStatement(
        _ step: Step, _ name: String, in staging: Directory, _ path: String
    ) throws {
        let stated = try DeltaManifest.read(name, in: staging)
        guard stated.fromHash == step.delta.fromHash, stated.toHash == step.toHash else {
            throw Failure.originDiffers(
                path: path,
                problem: """
                    has another base or result than in its pointer
                    """)
        }
        guard UInt64(clamping: stated.memory) <= step.delta.needs.memory else {
            throw Failure.originDiffers(
                path: path,
                problem:
                    "needs \(readableSize(UInt64(clamping: stated.memory))) of memory, more than "
                    + "the \(readableSize(step.delta.needs.memory)) in its pointer")
        }
    }
}
