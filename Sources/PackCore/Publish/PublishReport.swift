package import PackGround
package import PackOrigin
package import PackRelease

/// What a publish did, or in a dry run would do.
package struct PublishReport: Sendable {
    package enum Outcome: String, Sendable {
        /// A release went live.
        case published
        /// The release was live already; an interrupted publish of it was finished.
        case completed
        /// The release was live already; its pointer was written again.
        case renewed
        /// The release was live already and whole: nothing was written.
        case unchanged
        /// Files of a published release were restored; no pointer changed.
        case repaired
        /// The pointer waits for others to sign it; everything else was published.
        case proposed
    }

    package var outcome: Outcome
    package var version: Version
    package var packageHash: Digest
    package var channel: Channel
    package var sequence: Int
    package var label: String?
    package var expires: Timestamp?
    /// Whether nothing was there before: neither an origin nor a release.
    package var isNewOrigin = false
    /// The release that was current before.
    package var previous: Version?
    package var files: Int
    package var bytes: UInt64
    package var leftOut: LeftOut
    package var packageSize: UInt64
    /// Sizes of `info.json` and of the pointer, which a log entry has too; 0 where nothing was made.
    package var infoSize: UInt64
    package var pointerSize: UInt64 = 0
    /// The file of a pointer that was proposed.
    package var proposal: [UInt8]?
    /// Whether the release's package lay at the origin already.
    package var packageExisted: Bool
    /// Files whose compressed form came from an earlier package.
    package var packageReused = Amount()
    /// Deltas that the pointer lists, and how many of them lay at the origin already.
    package var deltas: [Pointer.Delta] = []
    package var deltasKept = 0
    package var objectsNew = Amount()
    package var objectsReused = Amount()
    package var siteNew = Amount()
    package var siteReplaced = Amount()
    /// Site paths that this publish replaces, in the order it does so.
    package var siteReplacedPaths: [String] = []
    package var siteUnchanged = Amount()
    /// What the pointer says of who updates.
    package var isEnabled = true
    package var rollout = 100
    package var rolloutSalt: String?
    package var isMandatory = false
    package var native = NativeRange()
    /// What is offered to devices that may not have the release, in order.
    package var fallbacks: [Pointer.Entry] = []
    /// What clients get that know only `info.json`; `nil` for what they had.
    package var unconditional: Version?
    /// Whether the run was a repair.
    package var isRepair = false
    /// What a repair restored.
    package var repairs: [Repair] = []
    /// Notes for the reader that are not failures.
    package var notes: [String] = []
}

extension PublishReport {
    /// What is known before anything is written: the release, what the origin has and what is
    /// missing.
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
        infoSize = state.manifestReference?.size ?? 0
        packageExisted = state.package != nil
        for object in objects.present { objectsReused.add(object.asset.size) }
        for object in objects.missing { objectsNew.add(object.asset.size) }
        if let published = state.manifest, published.build != request.manifest.build {
            notes.append("the release was published before; its info.json does not change")
        }
        notes += state.notes
    }

    /// Takes over what a pointer says of who updates.
    mutating func tell(of pointer: Pointer, _ request: PublishRequest) {
        notes += pointer.noteOfLead(over: request.clock).map { [$0] } ?? []
        isEnabled = pointer.isEnabled
        rollout = pointer.rollout
        rolloutSalt = pointer.entry.rolloutSalt
        isMandatory = pointer.isMandatory
        native = pointer.native
        fallbacks = pointer.fallbacks
        unconditional = pointer.unconditional?.version
        if !isEnabled { notes.append("channel '\(channel)' is disabled: clients do not update") }
        if !limits.isEmpty, request.conditions == Pointer.Conditions() {
            notes.append("the pointer keeps these settings: \(limits.joined(separator: ", "))")
        }
        if channel == .production, unconditional != version {
            notes.append(
                "info.json and site/ stay as they are until every device may have the release")
        }
    }

    /// What else than `enabled` decides who updates, for people.
    package var limits: [String] {
        var limits: [String] = []
        if rollout < 100 { limits.append("rollout \(rollout) %") }
        if let rolloutSalt { limits.append("rollout salt '\(rolloutSalt)'") }
        if isMandatory { limits.append("mandatory") }
        if let lowest = native.lowest { limits.append("native version \(lowest) or later") }
        if let highest = native.highest { limits.append("native version \(highest) or earlier") }
        return limits
    }

    /// An origin that is made by mistake, beside the one that devices know, begins at sequence 1 again.
    mutating func noteNewOrigin(_ address: String) {
        isNewOrigin = true
        notes.insert(
            "nothing was published at '\(address)' before: this begins a new origin; if devices have releases of the "
                + "app already, publish to the origin that these came from", at: 0)
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

    /// An expired pointer stops updates although nothing was published.
    mutating func noteExpiry(now: Timestamp) {
        guard let expires else { return }
        let days = (expires.seconds - now.seconds) / 86_400
        if days < 14 {
            notes.append(
                "the pointer expires in \(counted(max(0, days), "day")); run 'packtool renew'")
        }
    }
}
