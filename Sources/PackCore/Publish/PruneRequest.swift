package import PackGround
package import PackOrigin

/// What a prune keeps, and when it deletes the rest.
package struct PruneRequest: Sendable {
    /// The last releases of each channel that stay, at any age.
    package var keep: Int
    /// How long a pointer stays whole after the next one replaced it, in days.
    package var graceDays: Int
    /// How long a file must have been needed by nothing before it is deleted, in hours.
    package var delayHours: Int
    /// The machine's clock: what is deleted does not depend on `SOURCE_DATE_EPOCH`.
    package var now: Timestamp
    /// The time while the run goes on: without a lock it may only delete for a while.
    package var clock: @Sendable () -> Timestamp
    package var jobs: Int
    package var progress: ProgressSink?
    /// Seconds that the store's clock is ahead of this machine's.
    var secondsAhead = 0

    /// - Parameters:
    ///   - keep: 1 or more.
    ///   - graceDays: 0 or more.
    ///   - delayHours: 0 deletes at once.
    package init(
        keep: Int, graceDays: Int, delayHours: Int, now: Timestamp, jobs: Int,
        progress: ProgressSink? = nil
    ) {
        self.keep = keep
        self.graceDays = graceDays
        self.delayHours = delayHours
        self.now = now
        clock = { now }
        self.jobs = jobs
        self.progress = progress
    }

    /// The time that decides: the store's, which all who publish there share.
    var time: Timestamp { Timestamp(seconds: now.seconds + secondsAhead) }

    /// When a pointer must have been replaced to go.
    var graceEnd: Int { time.seconds - graceDays * 86_400 }

    /// When a file must have been condemned to be deleted.
    var delayEnd: Int { time.seconds - delayHours * 3600 }
}
