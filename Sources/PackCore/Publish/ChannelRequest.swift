package import PackGround
package import PackOrigin
package import PackRelease
package import PackSigning
package import PackTrust

/// A change of what a channel offers that needs no build.
package struct ChannelRequest: Sendable {
    package var channel: Channel
    package var command: Command
    /// The time of the change, which becomes the pointer's `createdAt`.
    package var now: Timestamp
    /// Reads the time of `now` again, where another run made the current pointer since.
    package var later: (@Sendable () -> Timestamp)?
    /// The machine's clock, where `SOURCE_DATE_EPOCH` replaces `now`.
    package var clock: Timestamp
    /// How long clients may start an update by the new pointer, in days; `nil` for as the one before it says.
    package var lifetimeDays: Int?
    /// Who makes the change, such as the address of a CI job.
    package var by: String?
    /// A directory for short-lived files of a dry run.
    package var temporaryDirectory: String
    package var jobs: Int
    package var progress: ProgressSink?
    /// Who signs the pointer, where the origin has a trust root.
    package var signers = Signers(keys: [], commands: [])
    /// Whether the pointer is left for others to sign.
    package var isProposal = false
    /// A root that the origin has to have.
    package var pin: SignedRoot?

    package enum Command: Sendable {
        /// The share of the first release, which only `shrinks` allows to be lower than before.
        case rollout(Int, shrinks: Bool)
        case pause(bypasses: Bool)
        case resume
        case renew
        case close(isDefaultToo: Bool)
        /// - Parameter to: a version or label; `nil` for the release that was live before.
        case rollback(to: String?, isMandatory: Bool)
        case promote(Promotion)
    }

    /// A release that goes from one channel to another.
    package struct Promotion: Sendable {
        package var source: Channel
        /// A version or label of the source; `nil` for what it offers first.
        package var release: String?
        /// What the channel calls the release; `nil` for the label that it has.
        package var label: String?
        package var conditions: Pointer.Conditions
        /// Whether a paused channel stays paused.
        package var staysPaused: Bool
        package var deltas: PublishRequest.DeltaPolicy

        package init(
            source: Channel, release: String? = nil, label: String? = nil,
            conditions: Pointer.Conditions = .init(),
            staysPaused: Bool = false, deltas: PublishRequest.DeltaPolicy
        ) {
            self.source = source
            self.release = release
            self.label = label
            self.conditions = conditions
            self.staysPaused = staysPaused
            self.deltas = deltas
        }
    }

    package init(
        channel: Channel, command: Command, now: Timestamp,
        clock: Timestamp? = nil, lifetimeDays: Int? = nil, by: String? = nil,
        temporaryDirectory: String = "/tmp", jobs: Int, progress: ProgressSink? = nil
    ) {
        self.channel = channel
        self.command = command
        self.now = now
        self.clock = clock ?? now
        self.lifetimeDays = lifetimeDays
        self.by = by
        self.temporaryDirectory = temporaryDirectory
        self.jobs = jobs
        self.progress = progress
    }
}
