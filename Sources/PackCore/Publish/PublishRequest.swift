/// Everything a publish needs to know, resolved and checked.
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
    /// How long clients may start an update by the pointer, in days.
    package var lifetimeDays: Int
    /// Write a new pointer even where the release is current already.
    package var renew: Bool
    /// An earlier package to copy unchanged entries from, instead of the one at the origin.
    package var reuse: ReuseFile?
    /// A directory for short-lived files of a dry run.
    package var temporaryDirectory: String
    package var jobs: Int
    package var progress: ProgressSink?
    /// Makes the pointer's signatures; `nil` publishes it unsigned.
    package var signer: Envelope.Signer?

    package struct ReuseFile: Sendable {
        package let directory: Directory
        package let name: String

        package init(directory: Directory, name: String) {
            self.directory = directory
            self.name = name
        }
    }

    package init(
        scan: BuildScan, origin: String, channel: Channel, manifest: ManifestRequest,
        level: CompressionLevel, label: String?, now: Timestamp, lifetimeDays: Int = 90,
        renew: Bool = false, reuse: ReuseFile? = nil, temporaryDirectory: String = "/tmp",
        jobs: Int,
        progress: ProgressSink? = nil, signer: Envelope.Signer? = nil
    ) {
        self.scan = scan
        self.origin = origin
        self.channel = channel
        self.manifest = manifest
        self.level = level
        self.label = label
        self.now = now
        self.lifetimeDays = lifetimeDays
        self.renew = renew
        self.reuse = reuse
        self.temporaryDirectory = temporaryDirectory
        self.jobs = jobs
        self.progress = progress
        self.signer = signer
    }
}

/// A number of files and the bytes they hold.
package struct Amount: Equatable, Sendable {
    package var count = 0
    package var bytes: UInt64 = 0

    mutating func add(_ size: UInt64) {
        count += 1
        bytes += size
    }
}

/// What a publish did, or in a dry run would do.
package struct PublishReport: Sendable {
    package enum Outcome: String, Sendable {
        /// A release went live.
        case published
        /// The release was live already; an interrupted publish of it was finished.
        case completed
        /// The release was live already; its pointer was written anew.
        case renewed
        /// The release was live already and whole: nothing was written.
        case unchanged
    }

    package var outcome: Outcome
    package var version: Version
    package var packageHash: Digest
    package var channel: Channel
    package var sequence: Int
    package var label: String?
    package var expires: Timestamp
    /// The release that was current before.
    package var previous: Version?
    package var files: Int
    package var bytes: UInt64
    package var junk: [String]
    package var packageSize: UInt64
    /// Whether the release's package lay at the origin already.
    package var packageExisted: Bool
    /// Files whose compressed form came from an earlier package.
    package var packageReused = Amount()
    package var objectsNew = Amount()
    package var objectsReused = Amount()
    package var siteNew = Amount()
    package var siteReplaced = Amount()
    /// Site paths that this publish replaces, in the order it does so.
    package var siteReplacedPaths: [String] = []
    package var siteUnchanged = Amount()
    /// What a reader should know though nothing failed.
    package var notes: [String] = []
}
