/// What a channel's `pointer.json` says (`docs/formats.md`): which release is current.
package struct Pointer: Equatable, Sendable {
    package var app: AppName
    package var channel: Channel
    /// Only grows; gaps are allowed.
    package var sequence: Int
    package var createdAt: Timestamp
    /// From then on no client starts an update by this pointer; `nil` for never.
    package var expires: Timestamp?
    package var version: Version
    package var packageHash: Digest
    /// The release's name for people, such as `2.4.1`.
    package var label: String?
    package var info: ContentReference
    package var package: ContentReference
    package var deltas: [Delta] = []
    /// Share of devices in percent, 0 to 100.
    package var rollout = 100
    package var isMandatory = false
    package var isEnabled = true
    package var minNativeVersion: String?

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
}

extension Pointer {
    /// What a pointer says of the release that it names.
    package struct Target: Equatable, Sendable {
        package var version: Version
        package var packageHash: Digest
        package var label: String?
        package var info: ContentReference
        package var package: ContentReference
        package var deltas: [Delta]

        package init(
            version: Version, packageHash: Digest, label: String?, info: ContentReference,
            package: ContentReference, deltas: [Delta]
        ) {
            self.version = version
            self.packageHash = packageHash
            self.label = label
            self.info = info
            self.package = package
            self.deltas = deltas
        }
    }

    package var target: Target {
        Target(
            version: version, packageHash: packageHash, label: label, info: info, package: package,
            deltas: deltas)
    }

    /// Whether another pointer of the channel differs in nothing but its sequence and times.
    func saysTheSame(as other: Pointer) -> Bool {
        var other = other
        other.sequence = sequence
        other.createdAt = createdAt
        other.expires = expires
        return self == other
    }

    /// The pointer that follows another one of its channel.
    ///
    /// Every new pointer is created here.
    /// The fields that decide who updates (`enabled`, `rollout`, `mandatory`, `minNativeVersion`)
    /// are kept: a new release must not undo a kill switch.
    package static func next(
        after current: Pointer?, app: AppName, channel: Channel, sequence: Int,
        createdAt: Timestamp, expires: Timestamp?, target: Target
    ) -> Pointer {
        var next = Pointer(
            app: app, channel: channel, sequence: sequence, createdAt: createdAt, expires: expires,
            version: target.version, packageHash: target.packageHash, label: target.label,
            info: target.info, package: target.package, deltas: target.deltas)
        guard let current else { return next }
        next.isEnabled = current.isEnabled
        next.rollout = current.rollout
        next.isMandatory = current.isMandatory
        next.minNativeVersion = current.minNativeVersion
        return next
    }
}
