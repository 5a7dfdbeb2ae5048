import PackGround
import PackOrigin
import PackRelease

/// Deltas for a release that is current already: those that are wanted and that its pointer does not
/// list, as after a publish that made none.
extension Publisher {
    var isMakingDeltas: Bool { request.deltas.from != nil || request.deltas.count > 0 }

    /// Publishes the current release again, with the deltas that its pointer lacks.
    ///
    /// They are made before anything is written to the origin: if none is worth it, the publish is
    /// like any other of the same content, and may write nothing.
    func addDeltas(
        to current: CurrentRelease, _ state: PublishState, _ report: inout PublishReport
    ) async throws -> PublishReport {
        guard isMakingDeltas else { return try await republish(current, state, report) }
        return try await Staging.temporary(below: request.temporaryDirectory) {
            try await addDeltas(to: current, state, madeIn: $0, &report)
        }
    }

    private func addDeltas(
        to current: CurrentRelease, _ state: PublishState, madeIn workshop: Directory,
        _ report: inout PublishReport
    ) async throws -> PublishReport {
        let manifest = current.manifest
        let info = current.published.pointer.info
        let made = try await DeltaMaker(
            request, state, store, history,
            packed: .init(.init(current.published.pointer.package.size, manifest, info))
        ).make(in: workshop)
        guard current.adds(made.deltas.map(\.pointer)) else {
            report.notes += made.notes
            return try await republish(current, state, report)
        }
        try checkTime(after: current.published.pointer)
        var pointer = current.published.pointer
        try await leaveOutDamagedDeltas(&pointer, &report)
        report.count(made)
        report.deltas = CurrentRelease.deltas(of: pointer, with: report.deltas)
        pointer.deltas = report.deltas
        var committed = report
        return try await withStaging { staging in
            var staged = StagedRelease(manifest: manifest, info: info, entry: pointer.entry)
            for delta in made.deltas {
                guard let upload = delta.upload(to: release.version, in: staging),
                    let path = delta.staged
                else { continue }
                let folder = String(path.prefix { $0 != "/" })
                try staging.directory.makeDirectory(folder)
                _ = try FileDigest.copy(
                    path, in: workshop, to: staging.directory, as: path, buffer: .forReading())
                staged.deltas.append(upload)
            }
            try await commit(staged, state, .renewed, staging, &committed)
            return committed
        }
    }
}

extension CurrentRelease {
    /// Whether some of these deltas are not in the pointer.
    func adds(_ deltas: [Pointer.Delta]) -> Bool {
        deltas.contains { delta in
            !published.pointer.deltas.contains { $0.from == delta.from }
        }
    }

    /// A pointer's deltas and new ones.
    static func deltas(of pointer: Pointer, with new: [Pointer.Delta]) -> [Pointer.Delta] {
        let others = new.filter { delta in !pointer.deltas.contains { $0.from == delta.from } }
        return Pointer.deltas(others, pointer.deltas)
    }
}
