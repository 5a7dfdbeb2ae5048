package import PackRelease

extension Pointer {
    /// What every new pointer of a channel gets, no matter which command made it.
    package struct Stamp: Sendable {
        package let sequence: Int
        /// The sequence that was live until then.
        package let previous: Int?
        package let createdAt: Timestamp
        package let expires: Timestamp?
        package let by: String?
        /// Whether what devices must take now is what a rollback went back to, however long ago.
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

    /// What a command changes.
    package enum Change: Equatable, Sendable {
        /// A release in front of what was offered.
        case publish(Entry, Conditions)
        /// The same, with a release of another channel.
        case promote(Entry, Conditions, from: Source)
        /// An earlier release, with what was offered besides, instead of what is offered now.
        case rollback([Entry], to: Source, isMandatory: Bool)
        /// The share of the first release.
        case rollout(Int)
        /// No more updates; with a bypass, apps load the https pages.
        case pause(bypass: Bool)
        case resume
        /// Nothing but the times.
        case renew
        /// No updates for ever, unless the channel is opened again.
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

    /// Who gets a release.
    ///
    /// What is not given stays as it is: a new release must not undo a kill switch.
    package struct Conditions: Equatable, Sendable {
        package var rollout: Int?
        package var salt: Salt?
        package var lowest: Limit?
        package var highest: Limit?
        package var isMandatory: Bool?
        /// Whether a paused channel is resumed.
        package var resumes = false
        /// Whether a closed channel is opened again.
        package var reopens = false

        /// A limit that is set or removed.
        package enum Limit: Equatable, Sendable {
            case unlimited
            case version(NativeVersion)

            package var version: NativeVersion? {
                if case .version(let version) = self { version } else { nil }
            }
        }

        /// What decides, with a device's id, who is in a share.
        package enum Salt: Equatable, Sendable {
            /// The devices differ from release to release.
            case packageHash
            /// Every release with the same text goes to the same devices first.
            case text(String)

            package var text: String? {
                if case .text(let text) = self { text } else { nil }
            }
        }

        package init() {}
    }

    /// The pointer that follows another one of its channel.
    ///
    /// Every new pointer is created here.
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
            // Going back again to what is offered already asks nothing new of a device.
            if isMandatory, !current.isMandatory || next.entries != current.entries {
                next.mandatorySequence = stamp.sequence
            }
        case .rollout(let share):
            next.entry.rollout = share
            next.offer(next.entries)
        case .pause(let bypasses):
            next.isEnabled = false
            // Who pauses what is paused already does not know that the package must not be used.
            next.bypasses = bypasses || !current.isEnabled && current.bypasses
        case .resume:
            next.isEnabled = true
            next.bypasses = false
        case .renew: break
        case .close:
            next.isClosed = true
            next.isEnabled = false
            // Offered to nobody any more; the first one says what the channel had.
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
            // What was offered before may have been pruned, so no device is left on it.
            entry.rollout = 100
            kept = []
        }
        // A release that is offered already keeps its own limits, any other those of the first one.
        let known = entries.first { $0.packageHash == new.packageHash }
        let isNew = known == nil
        var new = new
        new.rollout = conditions.rollout ?? (known ?? entry).rollout
        new.rolloutSalt = conditions.salt.map(\.text) ?? (known ?? entry).rolloutSalt
        new.native = NativeRange(
            lowest: conditions.lowest.map(\.version) ?? (known ?? entry).native.lowest,
            highest: conditions.highest.map(\.version) ?? (known ?? entry).native.highest)
        let wasFirst = entry.packageHash == new.packageHash
        offer([new] + kept.filter { $0.packageHash != new.packageHash })
        // A rollback had to be taken at once; that says nothing of the release after it.
        let wasMandatory = isMandatory && (!isAfterRollback || !isNew)
        isMandatory = conditions.isMandatory ?? wasMandatory
        if isMandatory, isNew || !wasFirst || !wasMandatory { mandatorySequence = sequence }
        if conditions.resumes {
            isEnabled = true
            bypasses = false
        }
    }

    /// Whether another pointer of the channel says the same of releases and devices: it differs in nothing but what
    /// every new pointer has of its own.
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
