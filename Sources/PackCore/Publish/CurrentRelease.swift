/// The pointer of a channel that already names the release and label of a request.
struct CurrentRelease: Sendable {
    let published: OriginReader.Published
    /// Whether all its objects have their places and sizes.
    let isWhole: Bool
}

extension Publisher {
    /// The channel's pointer where a new one would say nothing new but the time.
    func currentRelease(
        _ state: PublishState, _ objects: ObjectPlan, _ report: PublishReport
    ) -> CurrentRelease? {
        guard let published = state.current, state.manifest != nil else { return nil }
        let pointer = published.pointer
        let base = request.manifest.baseURL
        let version = release.version
        let moved = { (content: ContentReference, place: String) in
            ContentReference(
                url: base.url(of: place), sha256: content.sha256, size: content.size)
        }
        let next = Pointer.next(
            after: pointer, app: request.manifest.app, channel: request.channel,
            sequence: report.sequence, createdAt: request.now, expires: report.expires,
            target: Pointer.Target(
                version: version, packageHash: release.packageHash, label: report.label,
                info: moved(pointer.info, OriginLayout.manifest(version)),
                package: moved(pointer.package, OriginLayout.package(version)),
                deltas: pointer.deltas))
        guard next.saysTheSame(as: pointer) else { return nil }
        return CurrentRelease(published: published, isWhole: objects.missing.isEmpty)
    }

    /// What publishing the current release again does: one decision for the publish and its dry
    /// run.
    func settle(
        _ current: CurrentRelease, launch: AssetPath?, _ report: inout PublishReport
    ) async throws {
        var isBehind = false
        if let follower = follower(launch) {
            let plan = try await follower.sitePlan()
            report.count(plan)
            isBehind = try await follower.isBehind(plan)
        }
        let pointer = current.published.pointer
        report.label = pointer.label
        let hasExpired = pointer.expires.map { $0 <= request.now } ?? false
        let limitsFirst = pointer.expires == nil && request.lifetimeDays != nil
        if request.renew || hasExpired || limitsFirst {
            try checkTime(after: pointer)
            report.outcome = .renewed
            return
        }
        report.sequence = pointer.sequence
        report.expires = pointer.expires
        let underWay = try await PublishIntent.channelsUnderWay(store)
        let isUnfinished = underWay.contains(request.channel.description)
        report.outcome = isBehind || isUnfinished ? .completed : .unchanged
        if report.outcome == .unchanged { report.noteExpiry(now: request.now) }
    }
}
