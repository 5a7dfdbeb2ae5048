package import PackGround
package import PackRelease

extension Pointer {
    /// The values that every new pointer of a channel gets, whatever the command.
    package struct Stamp: Sendable {
        package let sequence: Int
        /// The previously live sequence.
        package let previous: Int?
        package let createdAt: Timestamp
        package let expires: Timestamp?
        package let by: String?
        /// Whether the mandatory release results from a rollback, of any age.
        package let isAfterRollback: Bool

        package init(
            sequence: Int, previous: Int?, createdAt: Timestamp, expires: Timestamp?,
            by: String? = nil, isAfterRollback: Bool = false
        ) {
            self.sequence = sequence
            self.previous = previous
            self.createdAt = createdAt
            self.expires = expires
            self.by = by
            self.isAfterRollback = isAfterRollback
        }
    }

    /// The change made by a command.
    package enum Change: Equatable, Sendable {
        /// Puts a release before the offered ones.
        case publish(Entry, Conditions)
        /// Like ``publish``, with a release of another channel.
        case promote(Entry, Conditions, from: Source)
        /// Replaces the offers by an earlier release and its other offers.
        case rollback([Entry], to: Source, isMandatory: Bool)
        /// Sets the share of the first release.
        case rollout(Int)
        /// Stops updates; with a bypass, apps load the https pages.
        case pause(bypass: Bool)
        case resume
        /// Changes only the times.
        case renew
        /// Stops updates permanently, until the channel is reopened.
        case close

        package var operation: Operation {
            switch self {
            case .publish: .publish
            case .promote: .promote
            case .rollback: .rollback
            case .rollout: .rollout
            case .pause: .pause
            case .resume: .resume
            case .renew: .renew
            case .close: .close
            }
        }
    }

    /// The devices that get a release.
    ///
    /// Unset values stay unchanged: a new release must not undo a kill switch.
    package struct Conditions: Equatable, Sendable {
        package var rollout: Int?
        package var salt: Salt?
        package var lowest = Limits()
        package var highest = Limits()
        package var isMandatory: Bool?
        /// Whether a paused channel is resumed.
        package var resumes = false
        /// Whether a closed channel is reopened.
        package var reopens = false

        /// A change of a limit: set or removed.
        package enum Limit: Equatable, Sendable {
            case unlimited
            case version(NativeVersion)

            package var version: NativeVersion? {
                if case .version(let version) = self { version } else { nil }
            }
        }

        /// The changes of a limit by platform; missing ones stay unchanged.
        package typealias Limits = [AppPlatform: Limit]

        /// The native versions of a release, given those that it has without these conditions.
        package func native(after known: NativeRanges) -> NativeRanges {
            let range = { (platform: AppPlatform) in
                NativeRange(
                    lowest: lowest[platform].map(\.version) ?? known[platform].lowest,
                    highest: highest[platform].map(\.version) ?? known[platform].highest)
            }
            return NativeRanges(ios: range(.ios), android: range(.android))
        }

        /// The input that, with a device's ID, selects the devices in a share.
        package enum Salt: Equatable, Sendable {
            /// Each release selects other devices.
            case packageHash
            /// Releases with the same text select the same devices first.
            case text(String)

            package var text: String? {
                if case .text(let text) = self { text } else { nil }
            }
        }

        package init() {}
    }

    /// The successor of a channel's pointer.
    ///
    /// All new pointers are created here.
    package static func next(
        after current: Pointer, _ stamp: Stamp, _ change: Change
    ) -> Pointer {
        var next = current
        next.sequence = stamp.sequence
        next.previous = stamp.previous
        next.createdAt = stamp.createdAt
        next.expires = stamp.expires
        next.by = stamp.by
        next.source = nil
        next.isProposed = false
        next.operation = change.operation
        let isAfterRollback = current.operation == .rollback || stamp.isAfterRollback
        switch change {
        case .publish(let entry, let conditions):
            next.offerFirst(entry, conditions, isAfterRollback)
        case .promote(let entry, let conditions, let source):
            next.offerFirst(entry, conditions, isAfterRollback)
            next.source = source
        case .rollback(let entries, let source, let isMandatory):
            next.offer(entries)
            next.source = source
            next.isMandatory = isMandatory
            // Repeating a rollback to the offered release requires nothing new of devices.
            if isMandatory, !current.isMandatory || next.entries != current.entries {
                next.mandatorySequence = stamp.sequence
            }
        case .rollout(let share):
            next.entry.rollout = share
            next.offer(next.entries)
        case .pause(let bypasses):
            next.isEnabled = false
            // Pausing a paused channel must not drop its bypass.
            next.bypasses = bypasses || !current.isEnabled && current.bypasses
        case .resume:
            next.isEnabled = true
            next.bypasses = false
        case .renew: break
        case .close:
            next.isClosed = true
            next.isEnabled = false
            // Nothing is offered; the first entry records the channel's release.
            next.fallbacks = []
        }
        return next
    }

    /// The first pointer of a channel.
    package static func first(
        app: AppName, channel: Channel, _ stamp: Stamp, _ change: Change, _ entry: Entry
    ) -> Pointer {
        next(
            after: Pointer(
                app: app, channel: channel, sequence: stamp.sequence, createdAt: stamp.createdAt,
                expires: stamp.expires, entry: entry),
            stamp, change)
    }

    private mutating func offerFirst(
        _ new: Entry, _ conditions: Conditions, _ isAfterRollback: Bool
    ) {
        var kept = entries
        if isClosed, conditions.reopens {
            isClosed = false
            isEnabled = true
            bypasses = false
            // Earlier offers may be pruned, so no device may stay on them.
            entry.rollout = 100
            kept = []
        }
        // An offered release keeps its own limits; others inherit those of the first one.
        let known = entries.first { $0.packageHash == new.packageHash }
        let isNew = known == nil
        var new = new
        new.rollout = conditions.rollout ?? (known ?? entry).rollout
        new.rolloutSalt = conditions.salt.map(\.text) ?? (known ?? entry).rolloutSalt
        new.native = conditions.native(after: (known ?? entry).native)
        let wasFirst = entry.packageHash == new.packageHash
        offer([new] + kept.filter { $0.packageHash != new.packageHash })
        // A mandatory rollback does not make the next release mandatory.
        let wasMandatory = isMandatory && (!isAfterRollback || !isNew)
        isMandatory = conditions.isMandatory ?? wasMandatory
        if isMandatory, isNew || !wasFirst || !wasMandatory { mandatorySequence = sequence }
        if conditions.resumes {
            isEnabled = true
            bypasses = false
        }
    }

    /// Whether another pointer of the channel has equal content: it differs only in the values
    /// unique to each pointer.
    package func saysTheSame(as other: Pointer) -> Bool {
        var other = other
        other.sequence = sequence
        other.previous = previous
        other.operation = operation
        other.by = by
        other.source = source
        other.isProposed = isProposed
        other.createdAt = createdAt
        other.expires = expires
        return self == other
    }
}

extension [AppPlatform: Pointer.Conditions.Limit] {
    /// The same change for all platforms.
    package static func all(_ limit: Pointer.Conditions.Limit) -> Self {
        Dictionary(uniqueKeysWithValues: AppPlatform.allCases.map { ($0, limit) })
    }
}
