package import PackGround
package import PackOrigin
package import PackRelease
package import PackTrust

/// What an installation needs.
package struct InstallRequest: Sendable {
    /// The origin's directory.
    package let origin: String
    /// The installation's directory.
    package let directory: String
    package let channel: Channel
    /// The version of the app around the installation; `nil` if it is not known.
    package var nativeVersion: NativeVersion?
    /// The device's id from now on; `nil` for the one that it has, or a random one.
    package var device: String?
    /// Whether the installation goes into apps: it gets what every device may have, and no id.
    package var isForApps = false
    /// The start of the run, which decides whether pointers have expired.
    package let now: Timestamp
    /// Seconds of a clock that only goes forward; without one a slow run does not read the pointer again.
    package var seconds: (@Sendable () -> Double)?
    package let jobs: Int
    package let progress: ProgressSink?
    /// The root to trust from now on; an installation that has one keeps to it without.
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
