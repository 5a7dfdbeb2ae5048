package import PackGround
package import PackOrigin
package import PackRelease

/// The result of a publish or of its dry run.
package struct PublishReport: Sendable {
    package enum Outcome: String, Sendable {
        /// A release went live.
        case published
        /// The release was already live; this run finished its interrupted publish.
        case completed
        /// The release was already live; its pointer was rewritten.
        case renewed
        /// The release was already live and complete; nothing was written.
        case unchanged
        /// Files of a published release were restored; no pointer changed.
        case repaired
        /// The pointer awaits more signatures; everything else was published.
        case proposed
    }

    package var outcome: Outcome
    package var version: Version
    package var packageHash: Digest
    package var channel: Channel
    package var sequence: Int
    package var label: String?
    package var expires: Timestamp?
    /// Whether this publish created the origin.
    package var isNewOrigin = false
    /// The previously current release.
    package var previous: Version?
    package var files: Int
    package var bytes: UInt64
    package var leftOut: LeftOut
    package var packageSize: UInt64
    /// The size of the pointer in bytes; 0 if not written.
    package var pointerSize: UInt64 = 0
    /// The bytes of a proposed pointer.
    package var proposal: [UInt8]?
    /// Whether the release's package already existed at the origin.
    package var packageExisted: Bool
    /// Files reused in compressed form from an earlier package.
    package var packageReused = Amount()
    /// Deltas listed by the pointer.
    ///
    /// ``deltasKept`` counts those already at the origin.
    package var deltas: [Pointer.Delta] = []
    package var deltasKept = 0
    package var objectsNew = Amount()
    package var objectsReused = Amount()
    package var siteNew = Amount()
    package var siteReplaced = Amount()
    /// Site paths replaced by this publish, in order.
    package var siteReplacedPaths: [String] = []
    package var siteUnchanged = Amount()
    package var feeds = FeedChanges()
    /// The pointer that the run committed or found.
    package internal(set) var pointer: Pointer?
    /// Whether the run was a repair.
    package var isRepair = false
    /// Restored files.
    package var repairs: [Repair] = []
    /// Notes for the user, other than failures.
    package var notes: [String] = []
}

extension PublishReport {
    /// Creates a report before any write, from the release and the origin's existing and missing
    /// files.
    init(
        _ request: PublishRequest, _ state: PublishState, _ objects: ObjectPlan
    ) {
        let release = request.scan.release
        outcome = .published
        version = release.version
        packageHash = release.packageHash
        channel = request.channel
        sequence = state.channel.nextSequence
        label = request.label ?? state.inheritedLabel(release)
        expires = request.expires
        previous = state.current?.pointer.version
        files = release.assets.count
        bytes = release.totalBytes
        leftOut = request.scan.leftOut
        packageSize = state.package?.size ?? 0
        packageExisted = state.package != nil
        for object in objects.present { objectsReused.add(object.asset.size) }
        for object in objects.missing { objectsNew.add(object.asset.size) }
        if let published = state.manifest, published.build != request.manifest.build {
            notes.append("the release was published before; its info.json does not change")
        }
        notes += state.notes
    }

    /// Keeps a pointer, with notes about its update conditions.
    mutating func tell(of pointer: Pointer, _ request: PublishRequest) {
        self.pointer = pointer
        notes += pointer.noteOfLead(over: request.clock).map { [$0] } ?? []
        if !pointer.isEnabled {
            notes.append("channel '\(channel)' is disabled: clients do not update")
        }
        if !limits.isEmpty, request.conditions == Pointer.Conditions() {
            notes.append("the pointer keeps these settings: \(limits.joined(separator: ", "))")
        }
        if channel == .production, pointer.unconditional?.version != version {
            notes.append(
                "info.json and site/ stay as they are until every device may have the release")
        }
    }

    /// The update conditions other than `enabled`, for messages.
    package var limits: [String] {
        guard let pointer else { return [] }
        var limits: [String] = []
        if pointer.rollout < 100 { limits.append("rollout \(pointer.rollout) %") }
        if let salt = pointer.entry.rolloutSalt { limits.append("rollout salt '\(salt)'") }
        if pointer.isMandatory { limits.append("mandatory") }
        return limits + pointer.native.limits(of: "native version")
    }

    /// Notes the creation of an origin: one created by mistake restarts at sequence 1 beside the
    /// existing one.
    mutating func noteNewOrigin(_ address: String) {
        isNewOrigin = true
        notes.insert(
            "this creates a new origin at '\(address)'; if the app has releases already, publish to "
                + "their origin", at: 0)
    }

    mutating func count(_ plan: SitePlan) {
        (siteNew, siteReplaced, siteUnchanged) = (Amount(), Amount(), Amount())
        for asset in plan.new { siteNew.add(asset.size) }
        for asset in plan.replaced { siteReplaced.add(asset.size) }
        for asset in plan.unchanged { siteUnchanged.add(asset.size) }
        siteReplacedPaths = plan.replaced.map(\.path.description)
        let note =
            "no file of this build is at the path of one that was published before: is it the folder that you mean?"
        if previous != nil, files > 0, siteNew.count == files, !notes.contains(note) {
            notes.append(note)
        }
    }

    mutating func count(_ outcome: DeltaMaker.Outcome) {
        deltas = outcome.deltas.map(\.pointer)
        deltasKept = outcome.kept
        notes += outcome.notes
    }

    /// Notes an expiry within 14 days: an expired pointer stops updates even without a publish.
    mutating func noteExpiry(now: Timestamp) {
        guard let expires else { return }
        let days = (expires.seconds - now.seconds) / 86_400
        if days < 14 {
            notes.append(
                "the pointer expires in \(counted(max(0, days), "day")); run 'packtool renew'")
        }
    }
}
