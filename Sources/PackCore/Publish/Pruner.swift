import PackGround
package import PackOrigin
import PackRelease

/// Deletes what no kept release of an origin needs.
///
/// A prune has two phases: one run records unneeded files as `PruneCandidates`; a later run deletes candidates that are
/// old enough and still unneeded. A killed run leaves all needed files in place, and the next run continues.
package struct Pruner: Sendable {
    private var request: PruneRequest
    private let store: any WritableStore
    private let history: OriginHistory

    private init(_ request: PruneRequest, _ store: any WritableStore) {
        self.request = request
        self.store = store
        history = OriginHistory(store, policy: .recordedInLog)
    }

    /// Condemns and deletes at an origin.
    ///
    /// - Throws: ``Failure``; an error of the
    ///   store.
    package static func run(
        _ request: PruneRequest, on store: any WritableStore
    ) async throws -> PruneReport {
        let pruner = try await checked(request, store)
        return try await store.alone { try await pruner.pruneAnnounced() }
    }

    /// What ``run(_:on:)`` would do; nothing is written.
    package static func plan(
        _ request: PruneRequest, on store: any WritableStore
    ) async throws -> PruneReport {
        // A prune stages nothing.
        try await run(request, on: OverlayStore(over: store, scratch: ""))
    }

    private static func checked(
        _ request: PruneRequest, _ store: any WritableStore
    ) async throws -> Pruner {
        var pruner = Pruner(request, store)
        guard try await pruner.history.isOrigin() else {
            throw Failure.originNotAnOrigin(path: store.address)
        }
        try store.checkClock()
        pruner.request.secondsAhead = store.secondsAhead
        if try await store.isCopy() { throw Failure.pruneNotPrimary(origin: store.address) }
        return pruner
    }

    // MARK: Deciding

    private struct Decision {
        let kept: KeptReleases
        /// What the runs before this one condemned.
        let earlier: PruneCandidates
        /// What is condemned now.
        var condemned = PruneCandidates(paths: [:])
        /// What this run may delete.
        var due: [PrunedKind: [ListedObject]] = [:]
        var report = PruneReport()
    }

    private func decide() async throws -> Decision {
        let kept = try await KeptReleases.read(request, history)
        var decision = try await Decision(kept: kept, earlier: PruneCandidates.read(store))
        decision.report.channels = kept.channels
        decision.report.pins = kept.pins
        decision.report.kept = kept.kept.count
        decision.report.notes = kept.notes
        let garbage = try await garbage(&decision)
        for kind in PrunedKind.allCases {
            for file in garbage[kind, default: []].sorted(by: { $0.path < $1.path }) {
                add(file, kind, to: &decision)
            }
        }
        let left = Set(garbage.values.joined().compactMap { PrunedKind.release(of: $0.path) })
        decision.report.gone = kept.gone.values.filter { left.contains($0.pointer.version) }
            .map {
                .init(
                    channel: $0.pointer.channel, version: $0.pointer.version,
                    label: $0.pointer.label, sequence: $0.pointer.sequence)
            }
            .sorted {
                ($0.channel.description, $0.sequence) < ($1.channel.description, $1.sequence)
            }
        return decision
    }

    private func add(_ file: ListedObject, _ kind: PrunedKind, to decision: inout Decision) {
        let known = decision.earlier.paths[file.path]
        // A time that is still to come was written by a clock that was wrong.
        let since = min(known ?? request.time, request.time)
        decision.condemned.paths[file.path] = since
        if since.seconds <= request.delayEnd {
            decision.due[kind, default: []].append(file)
            decision.report.deleted.append(file)
            return
        }
        if known == nil { decision.report.condemned.add(file.size) }
        decision.report.waiting.append(file)
        let due = Timestamp(seconds: since.seconds + request.delayHours * 3600)
        decision.report.nextAt = min(decision.report.nextAt ?? due, due)
    }

    /// Throws if a publisher or another prune is at work.
    private func checkNobodyElse(_ run: ExclusiveRun) async throws {
        let others = try await run.others().filter { !$0.isRoot }
        if let other = others.first(where: \.isPrune) {
            throw Failure.prunePruning(path: store.display(other.path))
        }
        if let other = others.first {
            throw Failure.pruneUnderWay(channel: other.name, path: store.display(other.path))
        }
    }

    /// The files that nothing needs and that packtool wrote; the others are noted as unknown.
    private func garbage(_ decision: inout Decision) async throws -> [PrunedKind: [ListedObject]] {
        let (kept, earlier) = (decision.kept, decision.earlier.paths)
        var found: [PrunedKind: [ListedObject]] = [:]
        var suspects: [ListedObject] = []
        var older: [(file: ListedObject, copies: [SiteCopy])] = []
        var unknown: [String] = []
        try await store.visitPublic { file in
            if kept.needs.contains(file.path) {
                if let copies = kept.olderSite[file.path] { older.append((file, copies)) }
                return
            }
            if let kind = PrunedKind(path: file.path) {
                found[kind, default: []].append(file)
            } else if kept.goneSite[file.path] != nil {
                suspects.append(file)
            } else if file.path.hasBytes("\(OriginLayout.site)/"), earlier[file.path] != nil {
                found[.site, default: []].append(file)
            } else {
                unknown.append(file.path)
            }
        }
        for file in suspects {
            if try await isOurs(file, kept.goneSite[file.path] ?? []) {
                found[.site, default: []].append(file)
            } else {
                unknown.append(file.path)
            }
        }
        found[.site, default: []] += try await stale(older)
        decision.report.unknown = unknown.sorted()
        return found
    }

    /// The files of `site/` that have none of the contents that kept releases gave their places: a publish replaces
    /// what its release has and leaves the rest, and what it left can be of a release that is gone.
    private func stale(_ older: [(file: ListedObject, copies: [SiteCopy])]) async throws
        -> [ListedObject]
    {
        let copies = older.flatMap(\.copies)
        var needed: Set<String> = []
        for (copy, state) in zip(copies, try await store.compare(copies, jobs: request.jobs)) {
            switch state {
            case .unreadable(let error): throw error
            case .current, .missing: needed.insert(copy.path)
            case .differs: break
            }
        }
        var stale: [ListedObject] = []
        for (file, copies) in older where !needed.contains(file.path) {
            // A bucket compares by what it says of a file, which may be nothing: only the bytes are proof.
            if try await isOurs(file, copies.map(\.asset.content)) { continue }
            stale.append(file)
        }
        return stale
    }

    /// Whether a file of `site/` has the content that one of the releases gave it.
    private func isOurs(_ file: ListedObject, _ contents: [FileDigest]) async throws -> Bool {
        for content in contents where content.size == file.size {
            if try await store.holds(content, at: file.path) { return true }
        }
        return false
    }

    // MARK: Deleting

    private func pruneAnnounced() async throws -> PruneReport {
        let run = ExclusiveRun(.prune, on: store, clock: request.clock)
        return try await run.run {
            try await checkNobodyElse(run)
            return try await decide()
        } _: {
            try await prune($0, run)
        }
    }

    /// The number of files deleted at once.
    private static let batch = 256

    private func prune(_ decision: Decision, _ run: ExclusiveRun) async throws -> PruneReport {
        var report = decision.report
        var condemned = decision.condemned
        if condemned != decision.earlier { try await write(condemned) }
        guard !report.deleted.isEmpty else { return report }
        // Before anything is deleted, so that it is not taken for damage.
        try await mark(decision.kept.channels)
        let counter = ProgressCounter(
            phase: .pruning, total: report.deleted.amount.bytes, sink: request.progress)
        var deleted: [ListedObject] = []
        for kind in PrunedKind.allCases {
            guard let files = decision.due[kind], !report.isStopped else { continue }
            for batch in batches(files) {
                // Publishers wait for an intent of a limited age only.
                guard run.isTimeLeft else {
                    report.stopEarly(deleted: deleted)
                    break
                }
                let paths = batch.map(\.path)
                // Where the only deletion on its way is denied, publishers need not stay away.
                try await run.send(isOver: { paths.count == 1 && $0.meansDenial }) { [store] in
                    try await store.remove(paths)
                }
                for file in batch {
                    condemned.paths[file.path] = nil
                    counter.add(file.size)
                }
                deleted += batch
            }
            try await store.removeEmptyFolders(of: files.map(\.path))
            // A power cut must not bring back a manifest whose package is gone.
            try await store.flush()
        }
        try await write(condemned)
        return report
    }

    private func batches(_ files: [ListedObject]) -> [ArraySlice<ListedObject>] {
        // The first file alone: its deletion may be denied.
        [files.prefix(1)]
            + stride(from: 1, to: files.count, by: Self.batch).map {
                files[$0..<min(files.count, $0 + Self.batch)]
            }
    }

    private func write(_ list: PruneCandidates) async throws {
        if list.paths.isEmpty { return try await store.remove([PruneCandidates.path]) }
        _ = try await store.replace(Upload(PruneCandidates.path, list.encode()), if: .always)
    }

    private func mark(_ channels: [PruneReport.Line]) async throws {
        for line in channels where line.lowest > line.marked {
            let new = PruneMark(
                channel: line.channel, below: line.lowest, prunedAt: request.time)
            _ = try await store.replace(Upload(new.path, new.encode()), if: .always)
        }
    }
}
