package import PackFeeds
package import PackGround
package import PackOrigin
package import PackSigning
package import PackTrust

/// A proposed pointer that is to go live.
package struct ProposalRequest: Sendable {
    /// The pointer's file, which others may have signed.
    package var file: [UInt8]
    /// Its name, for messages.
    package var path: String
    package var now: Timestamp
    /// The machine's clock, where `SOURCE_DATE_EPOCH` replaces `now`.
    package var clock: Timestamp
    package var temporaryDirectory: String
    package var jobs: Int
    package var progress: ProgressSink?
    /// Who adds signatures in this run.
    package var signers = Signers(keys: [], commands: [])
    /// A root that the origin has to have.
    package var pin: SignedRoot?
    /// Whether the base URL may be another one than that of the live pointer.
    package var allowsMove = false
    /// The feeds to add to those of the channel.
    package var feeds: [Feed] = []

    package init(
        file: [UInt8], path: String, now: Timestamp, clock: Timestamp? = nil,
        temporaryDirectory: String = "/tmp", jobs: Int, progress: ProgressSink? = nil
    ) {
        self.file = file
        self.path = path
        self.now = now
        self.clock = clock ?? now
        self.temporaryDirectory = temporaryDirectory
        self.jobs = jobs
        self.progress = progress
    }
}
