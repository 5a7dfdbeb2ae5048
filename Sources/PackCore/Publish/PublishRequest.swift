package import PackArchive
package import PackFeeds
package import PackGround
package import PackOrigin
package import PackRelease
package import PackSigning
package import PackTrust

/// Everything that a publish needs, resolved and checked.
package struct PublishRequest: Sendable {
    /// The build output to publish.
    package var scan: BuildScan
    /// The origin's directory, as a person would type it.
    package var origin: String
    package var channel: Channel
    /// App, base URL, launch page, scheme, provenance.
    package var manifest: ManifestRequest
    package var level: CompressionLevel
    /// The name people give the release.
    package var label: String?
    /// The time of the publish, which becomes the pointer's `createdAt`.
    package var now: Timestamp
    /// Reads the time of `now` again, where another run made the current pointer since.
    package var later: (@Sendable () -> Timestamp)?
    /// The machine's clock, which clients agree with, where `SOURCE_DATE_EPOCH` replaces `now`.
    package var clock: Timestamp
    /// How long clients may start an update by the pointer, in days; `nil` for no limit.
    package var lifetimeDays: Int?
    /// Write a new pointer even where the release is current already.
    package var renew: Bool
    /// Who gets the release; what is not given stays as it is.
    package var conditions = Pointer.Conditions()
    /// Whether a channel that is paused may get the release and stays paused.
    package var staysPaused = false
    /// Whether the base URL, scheme or launch page may differ from what is published.
    package var correctsManifest = false
    /// Whether an origin must be there already: where a workspace is new in each run, a new one is a mistake.
    package var requiresOrigin = false
    /// Whether a release that is published already is restored from its build, and nothing is published.
    package var repairs = false
    /// Who publishes, such as the address of a CI job.
    package var by: String?
    /// Whether the pointer is left for others to sign: everything is published but it.
    package var isProposal = false
    /// An earlier package to copy unchanged entries from, instead of the one at the origin.
    package var reuse: ReuseFile?
    /// A directory for short-lived files of a dry run.
    package var temporaryDirectory: String
    package var deltas: DeltaPolicy
    /// The feeds to add to those of the channel.
    package var feeds: [Feed] = []
    /// The hashes of the files that earlier runs have read in the origin's directory; `nil` reads
    /// all of them.
    package var known: HashCache?
    package var jobs: Int
    package var progress: ProgressSink?
    /// Makes the pointer's signatures; `nil` publishes it unsigned.
    package var signer: Envelope.Signer?
    /// Who signs at an origin with a trust root.
    package var signers = Signers(keys: [], commands: [])
    /// A root to begin at; `nil` for the origin's first one.
    package var pin: SignedRoot?
    /// How the pointer is signed, once the origin's roots were read.
    var signing: PointerSigning?

    /// Which older releases get a delta to the new one.
    package struct DeltaPolicy: Sendable {
        /// How many of the channel's last releases.
        package var count: Int
        /// Exactly these versions instead.
        package var from: [Version]?

        package init(count: Int, from: [Version]? = nil) {
            self.count = count
            self.from = from
        }
    }

    package struct ReuseFile: Sendable {
        package let directory: Directory
        package let name: String

        package init(directory: Directory, name: String) {
            self.directory = directory
            self.name = name
        }
    }

    /// When the pointer expires.
    ///
    /// A signed one always does: a client that is kept away from the CDN must notice.
    package var expires: Timestamp? {
        let days = lifetimeDays ?? signing.map { _ in PointerSigning.lifetimeDays }
        return days.map { now.adding(days: $0) }
    }

    package init(
        scan: BuildScan, origin: String, channel: Channel, manifest: ManifestRequest,
        level: CompressionLevel, label: String?, now: Timestamp,
        clock: Timestamp? = nil, lifetimeDays: Int?,
        renew: Bool = false, reuse: ReuseFile? = nil, temporaryDirectory: String = "/tmp",
        deltas: DeltaPolicy, jobs: Int,
        progress: ProgressSink? = nil, signer: Envelope.Signer? = nil
    ) {
        self.scan = scan
        self.origin = origin
        self.channel = channel
        self.manifest = manifest
        self.level = level
        self.label = label
        self.now = now
        self.clock = clock ?? now
        self.lifetimeDays = lifetimeDays
        self.renew = renew
        self.reuse = reuse
        self.temporaryDirectory = temporaryDirectory
        self.deltas = deltas
        self.jobs = jobs
        self.progress = progress
        self.signer = signer
    }
}
