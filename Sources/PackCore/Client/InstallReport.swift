package import PackRelease

/// The result of an installation.
package struct InstallReport: Sendable {
    /// The result of the run.
    package enum Outcome: String, Sendable {
        case installed, updated
        /// The installed tree was damaged and has been repaired.
        case repaired
        /// The release was already installed, and its tree is intact.
        case unchanged
        /// The channel offers this device nothing; the installed release is kept.
        case kept
        /// The channel was closed; the installed release is kept.
        case closed
        /// The offered release did not become ready here before; the installed one is kept.
        case failed
    }

    package let outcome: Outcome
    package let state: InstallState
    /// The release now installed, as in `state.json`.
    package let installed: InstallState.Copy
    /// The version installed before this run.
    package let previous: Version?
    package let files: Int
    package let bytes: UInt64
    /// Bytes read from the origin.
    package let fetched: FetchedBytes
    /// Whether the installed tree is damaged, and the channel offers nothing to repair it.
    package var isDamaged = false
    /// Notes other than failures, such as a failed route.
    package let notes: [String]
    /// The reason why files of the previous tree remain, if they could not be removed.
    package private(set) var removalNote: String?

    func with(removalNote: String?) -> InstallReport {
        var report = self
        report.removalNote = removalNote
        return report
    }
}
