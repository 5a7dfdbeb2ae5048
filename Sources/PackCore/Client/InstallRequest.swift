package import PackGround
package import PackOrigin
package import PackRelease
package import PackTrust

/// The settings of an installation.
package struct InstallRequest: Sendable {
    /// The origin's directory.
    package let origin: String
    /// The installation's directory.
    package var directory: String
    package let channel: Channel
    /// The version of the app around the installation; `nil` if unknown.
    package var nativeVersion: NativeVersion?
    /// The device's new id; `nil` keeps its id, or creates a random one.
    package var device: String?
    /// Whether the network is metered: the route with the fewest bytes is taken, even if it is slow.
    package var isMetered = false
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
        origin: String, directory: String, channel: Channel, now: Timestamp, jobs: Int,
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
