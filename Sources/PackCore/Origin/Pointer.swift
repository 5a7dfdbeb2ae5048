/// What a channel's `pointer.json` says (contract section 4): which release is current.
package struct Pointer: Equatable, Sendable {
    package var app: AppName
    package var channel: Channel
    /// Only grows; gaps are allowed.
    package var sequence: Int
    package var createdAt: Timestamp
    /// From then on no client starts an update by this pointer.
    package var expires: Timestamp
    package var version: Version
    package var packageHash: Digest
    /// The name people give the release, such as `2.4.1`.
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
        /// Bytes of memory that applying it takes.
        package let memory: UInt64
    }

    /// The most bytes of a pointer that is read.
    package static let sizeLimit = 64 << 10
    /// The highest sequence: 2^53 - 1, beyond which JSON readers round.
    package static let sequenceLimit = 1 << 53 - 1
    /// The longest label in bytes.
    package static let labelLimit = 200
}
