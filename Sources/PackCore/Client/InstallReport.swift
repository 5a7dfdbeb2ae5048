package import PackRelease

/// What an installation did.
package struct InstallReport: Sendable {
    package enum Outcome: String, Sendable {
        case installed, updated
        /// The installed tree was damaged and has been put right.
        case repaired
        /// The release was installed already, and its tree is whole.
        case unchanged
        /// The channel offers this device nothing; what is installed stays.
        case kept
        /// The channel was closed; what is installed stays.
        case closed
    }

    package let outcome: Outcome
    package let state: InstallState
    /// The release that is installed now, as `state` has it.
    package let installed: InstallState.Installed
    /// The version that was installed before.
    package let previous: Version?
    package let files: Int
    package let bytes: UInt64
    /// Bytes read from the origin.
    package let fetched: FetchedBytes
    /// Notes for the reader that are not failures, such as a route that failed.
    package var notes: [String]
}
