package import PackGround
package import PackRelease

/// What a channel's `pointer.json` says (`docs/formats.md`): which releases are offered, and to whom.
package struct Pointer: Equatable, Sendable {
    package var app: AppName
    package var channel: Channel
    /// Only grows; gaps are allowed.
    package var sequence: Int
    /// The sequence that it replaced; `nil` for the first one.
    ///
    /// The chain of them is what was live.
    package var previous: Int?
    /// The newest trust root when it was signed; `nil` for an unsigned origin.
    package var root: Int?
    /// What made it; `nil` if it does not say.
    package var operation: Operation?
    /// Who made it, such as the address of a CI job.
    package var by: String?
    /// What was promoted, or rolled back to.
    package var source: Source?
    package var createdAt: Timestamp
    /// Whether it was proposed for others to sign: it went live at most ``proposalDays`` after ``createdAt``.
    package var isProposed = false
    /// From then on no client starts an update by this pointer; `nil` for never.
    package var expires: Timestamp?
    /// The release that is offered first.
    package var entry: Entry
    /// What is offered to devices that may not have the first one, in order.
    package var fallbacks: [Entry] = []
    package var isMandatory = false
    /// Devices whose release was chosen by a lower sequence must update before they continue.
    package var mandatorySequence: Int?
    package var isEnabled = true
    /// Whether apps serve nothing from packages and load the https pages.
    package var bypasses = false
    /// Whether the channel has ended, so that no client starts an update by it again.
    ///
    /// Such a pointer is not enabled and does not expire.
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

    /// Everything that is offered, in order.
    package var entries: [Entry] { [entry] + fallbacks }

    /// What clients get that know nothing of shares and native versions, and what `info.json` and `site/` show: the
    /// first entry that every device may have.
    package var unconditional: Entry? { entries.first { $0.isUnconditional } }

    /// The commands that make pointers.
    package enum Operation: String, Sendable {
        case publish, promote, rollback, rollout, pause, resume, renew, close
    }

    /// A pointer of this origin.
    package struct Source: Equatable, Sendable {
        package let channel: Channel
        package let sequence: Int

        package init(channel: Channel, sequence: Int) {
            self.channel = channel
            self.sequence = sequence
        }
    }

    /// One way to a release from an older one.
    package struct Delta: Equatable, Sendable {
        package let from: Version
        package let fromHash: Digest
        package let content: ContentReference
        /// The memory that applying it needs, in bytes.
        package let memory: UInt64

        package init(from: Version, fromHash: Digest, content: ContentReference, memory: UInt64) {
            self.from = from
            self.fromHash = fromHash
            self.content = content
            self.memory = memory
        }
    }

    /// The most bytes of a pointer that is read.
    package static let sizeLimit = 64 << 10
    /// The highest sequence: 2^53 - 1, beyond which JSON readers round.
    package static let sequenceLimit = 1 << 53 - 1
    /// The longest label in bytes.
    package static let labelLimit = 200
    /// The longest `by` in bytes.
    package static let byLimit = 200
    /// The longest salt of a rollout in bytes.
    package static let saltLimit = 64
    /// How many days a proposed pointer can be committed.
    package static let proposalDays = 7
    /// The most fallbacks.
    package static let fallbackLimit = 8
    /// The most deltas of an entry.
    package static let deltaLimit = 100

    /// Deltas of one entry together: of several from one release, and of more than there can be, the first.
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
    package var native: NativeRange {
        get { entry.native }
        set { entry.native = newValue }
    }
}
