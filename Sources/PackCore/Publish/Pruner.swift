/// Deletes what no kept release of an origin needs.
///
/// In two phases: a run writes down what nothing needs (``Condemned``), and a run that comes later deletes what was
/// written down long enough ago and is still needed by nothing. Killed anywhere, what is kept is whole; run again, it
/// goes on.
package struct Pruner: Sendable {
    private let request: PruneRequest
    private let store: any WritableStore
    private let history: OriginHistory

    private init(_ request: PruneRequest, _ store: any WritableStore) {
        self.request = request
        self.store = store
        history = OriginHistory(store, policy: .recordedInLog)
    }

    /// Condemns and deletes at the request's origin.
    ///
    /// - Throws: ``PruneError``, ``PublishError/busy(origin:)``, ``OriginError``, ``ManifestError``; an error of the
    ///   store.
    package static func run(_ request: PruneRequest) async throws -> PruneReport {
        try await run(request, on: existing(request))
    }

    package static func run(
        _ request: PruneRequest, on store: any WritableStore
    ) async throws -> PruneReport {
        let pruner = Pruner(request, store)
        try await pruner.checkIsOrigin()
        guard let report = try await store.exclusively(isNew: false, pruner.prune) else {
            throw PublishError.busy(origin: store.address)
        }
        return report
    }

    /// What ``run(_:)`` would do; nothing is written.
    package static func plan(_ request: PruneRequest) async throws -> PruneReport {
        try await plan(request, on: existing(request))
    }

    package static func plan(
        _ request: PruneRequest, on store: any WritableStore
    ) async throws -> PruneReport {
        let pruner = Pruner(request, store)
        try await pruner.checkIsOrigin()
        return try await pruner.decide().report
    }

    private static func existing(_ request: PruneRequest) throws -> any WritableStore {
        guard let store = try StoreOpener.writeIfPresent(request.origin) else {
            throw OriginError.notAnOrigin(path: request.origin)
        }
        return store
    }

    private func checkIsOrigin() async throws {
        guard try await history.isOrigin() else {
            throw OriginError.notAnOrigin(path: store.address)
        }
        guard try await store.isFolder(OriginLayout.workspace) else {
            throw PruneError.isCopy(origin: store.address)
        }
    }

    // MARK: Deciding

    /// How long an interrupted publish may still be finished by running it again, in seconds.
    private static let intentAge = 24 * 3600

    private struct Decision {
        var report = PruneReport()
        /// What stays condemned, by place.
        var condemned: [String: Timestamp] = [:]
        var kept: KeptReleases
    }

    private func decide() async throws -> Decision {
        try await checkIntents()
        let kept = try await KeptReleases.read(request, history)
        let earlier = try await Condemned.read(store).places
        var decision = Decision(kept: kept)
        let found = try await garbage(kept, earlier, &decision.report)
        for file in found {
            // A time that is still to come was written by a clock that was wrong.
            var since = earlier[file.place] ?? request.now
            if since > request.now { since = request.now }
            decision.condemned[file.place] = since
            if since.seconds <= request.delayEnd {
                decision.report.deleted.append(file)
                continue
            }
            if earlier[file.place] == nil { decision.report.condemned.add(file.size) }
            decision.report.waiting.append(file)
            let due = Timestamp(seconds: since.seconds + request.delayHours * 3600)
            decision.report.nextAt = min(decision.report.nextAt ?? due, due)
        }
        let left = Set(
            found.compactMap { file -> Version? in
                let parts = file.place.split(separator: "/")
                return parts.first.map(String.init) == OriginLayout.releases && parts.count == 3
                    ? Version(String(parts[1])) : nil
            })
        decision.report.gone = kept.gone.values.filter { left.contains($0.pointer.version) }
            .map {
                .init(
                    channel: $0.pointer.channel, version: $0.pointer.version,
                    label: $0.pointer.label, sequence: $0.pointer.sequence)
            }
            .sorted {
                ($0.channel.description, $0.sequence) < ($1.channel.description, $1.sequence)
            }
        decision.report.channels = kept.channels
        decision.report.pins = kept.pins
        decision.report.kept = kept.kept.count
        decision.report.notes = kept.notes
        return decision
    }

    private func checkIntents() async throws {
        for intent in try await PublishIntent.all(store) {
            if let startedAt = intent.startedAt,
                request.now.seconds - startedAt.seconds >= Self.intentAge
            {
                continue
            }
            throw PruneError.underWay(
                channel: intent.channel, place: store.display(intent.place))
        }
    }

    /// The files that nothing needs and that packtool wrote, in the order in which they may be deleted.
    private func garbage(
        _ kept: KeptReleases, _ earlier: [String: Timestamp], _ report: inout PruneReport
    ) async throws -> [Listed] {
        var found: [PrunedKind: [Listed]] = [:]
        var suspects: [Listed] = []
        var unknown: [String] = []
        try await store.visitPublic { file in
            if kept.needs.contains(file.place) { return }
            if let kind = PrunedKind(place: file.place) {
                found[kind, default: []].append(file)
            } else if kept.goneSite[file.place] != nil {
                suspects.append(file)
            } else if file.place.hasPrefix("\(OriginLayout.site)/"), earlier[file.place] != nil {
                found[.site, default: []].append(file)
            } else {
                unknown.append(file.place)
            }
        }
        for file in suspects {
            if try await isOurs(file, kept.goneSite[file.place] ?? []) {
                found[.site, default: []].append(file)
            } else {
                unknown.append(file.place)
            }
        }
        report.unknown = unknown.sorted()
        return PrunedKind.allCases.flatMap { kind in
            (found[kind] ?? []).sorted { $0.place < $1.place }
        }
    }

    /// Whether a file of `site/` has the content that one of the releases gave it.
    private func isOurs(_ file: Listed, _ contents: [FileDigest]) async throws -> Bool {
        for content in contents where content.size == file.size {
            if try await store.holds(content, at: file.place) { return true }
        }
        return false
    }

    // MARK: Deleting

    private func prune() async throws -> PruneReport {
        let decision = try await decide()
        let report = decision.report
        let earlier = try await Condemned.read(store)
        if Condemned(places: decision.condemned) != earlier {
            try await write(Condemned(places: decision.condemned))
        }
        guard !report.deleted.isEmpty else { return report }
        // Before anything is gone, so that nobody takes it for damage.
        try await mark(decision.kept.channels)
        let counter = ProgressCounter(
            phase: .pruning, total: report.deleted.amount.bytes, sink: request.progress)
        for kind in PrunedKind.allCases {
            let files = report.deleted.filter { kind.includes($0.place) }
            guard !files.isEmpty else { continue }
            for file in files {
                try await store.remove([file.place])
                counter.add(file.size)
            }
            try await store.removeEmptyFolders(of: files.map(\.place))
            // A power cut must not bring back a manifest whose package is gone.
            try await store.settle()
        }
        let deleted = Set(report.deleted.map(\.place))
        try await write(
            Condemned(places: decision.condemned.filter { !deleted.contains($0.key) }))
        return report
    }

    private func write(_ list: Condemned) async throws {
        if list.places.isEmpty { return try await store.remove([Condemned.place]) }
        _ = try await store.replace(Upload(Condemned.place, list.encode()), if: .always)
    }

    private func mark(_ channels: [PruneReport.Line]) async throws {
        for line in channels {
            let mark = try await history.pruneMark(of: line.channel)
            guard line.lowest > mark?.below ?? 1 else { continue }
            let new = PruneMark(
                channel: line.channel, below: line.lowest, prunedAt: request.now)
            _ = try await store.replace(Upload(new.place, new.encode()), if: .always)
        }
    }
}
