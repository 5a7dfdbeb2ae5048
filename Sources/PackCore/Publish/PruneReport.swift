import PackGround
package import PackOrigin
package import PackRelease

/// The result of a prune or of its dry run.
package struct PruneReport: Sendable {
    /// A release no longer retained.
    package struct Gone: Sendable {
        package let channel: Channel
        package let version: Version
        package let label: String?
        /// The sequence of the newest pointer with this release.
        package let sequence: Int
    }

    /// A channel and its lowest retained sequence.
    package struct Line: Sendable {
        package let channel: Channel
        package let lowest: Int
        package let current: Int
        /// The prune mark before this run.
        let marked: Int
    }

    package internal(set) var channels: [Line] = []
    package internal(set) var pins: [Pin] = []
    /// The number of retained releases.
    package internal(set) var kept = 0
    /// Releases with files left to delete, oldest first.
    package internal(set) var gone: [Gone] = []
    /// Files deleted by this run, or by the run it previews.
    package internal(set) var deleted: [ListedObject] = []
    /// Unreferenced files still in their grace period.
    package internal(set) var waiting: [ListedObject] = []
    /// The part of `waiting` first found by this run.
    package internal(set) var condemned = Amount()
    /// When the first file of `waiting` may be deleted.
    package internal(set) var nextAt: Timestamp?
    /// Files not written by packtool.
    ///
    /// They are never deleted.
    package internal(set) var unknown: [String] = []
    package internal(set) var notes: [String] = []
    /// Whether the time limit ended the run before all files were deleted.
    package private(set) var isStopped = false

    /// Leaves the rest to the next run.
    mutating func stopEarly(deleted: [ListedObject]) {
        let rest = self.deleted.count - deleted.count
        isStopped = true
        self.deleted = deleted
        notes.append(
            "\(counted(rest, "file")) left for the next run: publishers wait for half an hour at most"
        )
    }
}

extension [ListedObject] {
    /// Their number and size.
    package var amount: Amount {
        reduce(into: Amount()) { $0.add($1.size) }
    }
}
