import PackGround
import PackOrigin
import PackRelease
import PackTrust

/// The pointer of a channel that already names the release and label of a request.
struct CurrentRelease: Sendable {
    let published: OriginReader.Published
    let manifest: Manifest
    /// Whether all its objects have their places and sizes.
    let isWhole: Bool
    /// The objects whose content is still to be proved.
    let unread: [ObjectPlan.Object]
}

extension Publisher {
    /// The channel's pointer where a new one would say nothing new but the time.
    func currentRelease(
        _ state: PublishState, _ objects: ObjectPlan, _ report: PublishReport
    ) throws(Failure) -> CurrentRelease? {
        guard let published = state.current, !published.pointer.isClosed,
            let manifest = state.manifest,
            let info = state.manifestReference, let package = manifest.package
        else { return nil }
        let pointer = published.pointer
        let next = try Publisher.nextPointer(
            request,
            to: Pointer.Entry(
                version: release.version, packageHash: release.packageHash,
                tree: TreeSize(of: release), label: report.label, launch: manifest.launch,
                info: info,
                package: package, deltas: pointer.deltas), state, report)
        guard next.saysTheSame(as: pointer) else { return nil }
        return CurrentRelease(
            published: published, manifest: manifest, isWhole: objects.missing.isEmpty,
            unread: objects.unread)
    }

    /// The objects that are there with other content than the build's, in a store that can compare them without
    /// reading.
    func damaged(among objects: ObjectPlan) async throws -> [Upload] {
        guard store.hashes != nil else { return [] }
        return try await uploader.damaged(among: objects.replacements(from: request.scan.directory))
    }

    /// The effect of publishing the current release again on its pointer.
    enum Repetition { case keep, complete, renew }

    /// Chooses the effect of publishing the current release again.
    func repetition(
        of current: CurrentRelease, _ report: inout PublishReport
    ) async throws -> Repetition {
        report.tell(of: current.published.pointer, request)
        let (isUnfinished, plan) = try await steps.isUnfinished(
            current.published, known: current.manifest)
        if let plan { report.count(plan) }
        let pointer = current.published.pointer
        report.label = pointer.label
        let hasExpired = pointer.expires.map { $0 <= request.now } ?? false
        let limitsFirst = pointer.expires == nil && request.expires != nil
        if request.renew || hasExpired || limitsFirst {
            try checkTime(after: pointer)
            return .renew
        }
        report.sequence = pointer.sequence
        report.expires = pointer.expires
        if isUnfinished { return .complete }
        report.noteExpiry(now: request.now)
        if let days = request.lifetimeDays, pointer.expires != pointer.createdAt.adding(days: days)
        {
            report.notes.append(
                "the live pointer keeps its expiry: 'packtool renew --expires-in-days \(days)' changes it"
            )
        }
        return .keep
    }
}
