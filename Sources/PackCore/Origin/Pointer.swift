package import PackGround
package import PackRelease

/// The content of a channel's `pointer.json`: the offered releases and their devices
/// (`docs/formats.md`).
package struct Pointer: Equatable, Sendable {
    package var app: AppName
    package var channel: Channel
    /// Increases with each pointer; gaps are allowed.
    package var sequence: Int
    /// The sequence of the replaced pointer; `nil` for the first one.
    ///
    /// This chain lists the pointers that were live.
    package var previous: Int?
    /// The newest trust root at the time of signing; `nil` for an unsigned origin.
    package var root: Int?
    /// The command that created the pointer; `nil` if not recorded.
    package var operation: Operation?
    /// The author, such as the URL of a CI job.
    package var by: String?
    /// The promoted release, or the target of a rollback.
    package var source: Source?
    package var createdAt: Timestamp
    /// Whether it was proposed for others to sign.
    ///
    /// It then went live at most ``proposalDays`` after ``createdAt``.
    package var isProposed = false
    /// The time from which no client starts an update with this pointer; `nil` for never.
    package var expires: Timestamp?
    /// The release offered first.
    package var entry: Entry
    /// The releases offered to devices excluded from the first one, in order.
    package var fallbacks: [Entry] = []
    package var isMandatory = false
    /// Devices whose release was chosen by a lower sequence must update before they continue.
    package var mandatorySequence: Int?
    package var isEnabled = true
    /// Whether apps serve nothing from packages and load the https pages.
    package var bypasses = false
    /// Whether the channel is permanently closed, so clients start no updates with it.
    ///
    /// A closed pointer is not enabled and does not expire.
    package var isClosed = false

    package init(
        app: AppName, channel: Channel, sequence: Int, createdAt: Timestamp, expires: Timestamp?,
        entry: Entry
    ) {
        self.app = app
        self.channel = channel
        self.sequence = sequence
        self.createdAt = createdAt
        self.expires = expires
        self.entry = entry
    }

    /// All offered releases, in order.
    package var entries: [Entry] { [entry] + fallbacks }

    /// The first entry offered to every device.
    ///
    /// It is the release of clients without shares and native versions, and of `info.json` and
    /// `site/`.
    package var unconditional: Entry? { entries.first { $0.isUnconditional } }

    /// The commands that create pointers.
    package enum Operation: String, Sendable {
        case publish, promote, rollback, rollout, pause, resume, renew, close
    }

    /// A reference to a pointer of this origin.
    package struct Source: Equatable, Sendable {
        package let channel: Channel
        package let sequence: Int

        package init(channel: Channel, sequence: Int) {
            self.channel = channel
            self.sequence = sequence
        }
    }

    /// A delta to a release from an older one.
    package struct Delta: Equatable, Sendable {
        package let from: Version
        package let fromHash: Digest
        package let content: ContentReference
        package let needs: Needs

        package init(from: Version, fromHash: Digest, content: ContentReference, needs: Needs) {
            self.from = from
            self.fromHash = fromHash
            self.content = content
            self.needs = needs
        }
    }

    /// What a device needs to apply a delta, in bytes.
    package struct Needs: Equatable, Sendable {
        /// The memory.
        package let memory: UInt64
        /// The bytes decoded one by one, which take nearly all of the time.
        package let coded: UInt64
        /// All other bytes that it makes.
        package let copied: UInt64

        package init(memory: UInt64, coded: UInt64, copied: UInt64) {
            self.memory = memory
            self.coded = coded
            self.copied = copied
        }
    }

    /// The maximum size of a pointer in bytes.
    package static let sizeLimit = 64 << 10
    /// The highest sequence: 2^53 - 1, beyond which JSON readers round.
    package static let sequenceLimit = 1 << 53 - 1
    /// The maximum length of a label in bytes.
    package static let labelLimit = 200
    /// The maximum length of `by` in bytes.
    package static let byLimit = 200
    /// The maximum length of a rollout's salt in bytes.
    package static let saltLimit = 64
    /// The number of days in which a proposed pointer can be committed.
    package static let proposalDays = 7
    /// The maximum number of fallbacks.
    package static let fallbackLimit = 8
    /// The maximum number of deltas of an entry.
    package static let deltaLimit = 100

    /// Merges the deltas of an entry: at most one per base release, up to the limit; earlier ones
    /// win.
    package static func deltas(_ first: [Delta], _ second: [Delta]) -> [Delta] {
        var kept: [Delta] = []
        for delta in first + second where kept.count < deltaLimit {
            if !kept.contains(where: { $0.from == delta.from }) { kept.append(delta) }
        }
        return kept.sorted { $0.from.description < $1.from.description }
    }
}

extension Pointer {
    package var version: Version { entry.version }
    package var packageHash: Digest { entry.packageHash }
    package var tree: TreeSize {
        get { entry.tree }
        set { entry.tree = newValue }
    }
    package var label: String? {
        get { entry.label }
        set { entry.label = newValue }
    }
    package var info: ContentReference {
        get { entry.info }
        set { entry.info = newValue }
    }
    package var package: ContentReference {
        get { entry.package }
        set { entry.package = newValue }
    }
    package var deltas: [Delta] {
        get { entry.deltas }
        set { entry.deltas = newValue }
    }
    package var rollout: Int {
        get { entry.rollout }
        set { entry.rollout = newValue }
    }
    package var native: NativeRanges {
        get { entry.native }
        set { entry.native = newValue }
    }
}
