import PackDelta
package import PackGround
package import PackOrigin
package import PackRelease
package import PackTrust

/// What an update may use: a route that needs more is not taken.
package struct InstallLimits: Sendable {
    /// Bytes to fetch; `nil` for no limit.
    package var bytes: UInt64?
    /// Free space to leave, in bytes.
    package var spaceToLeave: UInt64 = 0
    /// Memory for applying a delta, in bytes.
    package var memory = UInt64(DeltaLimits().totalMemory)
    /// The estimated time for applying a delta, in seconds; `nil` for no limit.
    package var seconds: Double?

    package init() {}

    /// Whether a file may be fetched.
    func allow(_ bytes: UInt64) -> Bool { self.bytes.map { bytes <= $0 } ?? true }
}

/// The settings of an installation.
package struct InstallRequest: Sendable {
    /// The origin's directory.
    package let origin: String
    /// The installation's directory.
    package var directory: String
    /// `nil` for the channel of the installation, or `production` for a new one.
    package let channel: Channel?
    /// The release in the app, if any.
    package var embedded: EmbeddedRelease?
    /// The version of the app around the installation; `nil` if unknown.
    package var nativeVersion: NativeVersion?
    /// The platform of the app; `nil` if not named.
    package var platform: AppPlatform?
    /// The device's new id; `nil` keeps its id, or creates a random one.
    package var device: String?
    /// Whether the network is metered: the route with the fewest bytes is taken, even if it is slow.
    package var isMetered = false
    /// What the run may use.
    package var limits = InstallLimits()
    /// Whether the installed files are hashed although nothing is new.
    package var isTreeChecked = true
    /// Called before the files of a route are fetched, with their size in bytes.
    package var willFetch: (@Sendable (UInt64) -> Void)?
    /// The releases with trees in use by this process, besides those of the state.
    package var inUse: @Sendable () -> Set<Version> = { [] }
    /// The app that the pointer must be of; `nil` for that of the installation.
    package var app: AppName?
    /// Whether the installation is to be bundled in apps: it gets a release for every device, and
    /// no id.
    package var isForApps = false
    /// The start of the run, used to check whether pointers have expired.
    package let now: Timestamp
    /// A monotonic clock in seconds; if `nil`, a slow run does not read the pointer a second time,
    /// and a delta is always applied.
    package var seconds: (@Sendable () -> Double)?
    package let jobs: Int
    package let progress: ProgressSink?
    /// The root to trust from now on; `nil` keeps the installation's root, if any.
    package let trust: TrustPin?

    package init(
        origin: String, directory: String, channel: Channel?, now: Timestamp, jobs: Int,
        progress: ProgressSink? = nil, trust: TrustPin? = nil
    ) {
        self.origin = origin
        self.directory = directory
        self.channel = channel
        self.now = now
        self.jobs = jobs
        self.progress = progress
        self.trust = trust
    }
}
