import PackGround
package import PackOrigin
package import PackRelease

/// What a prune did or would do.
package struct PruneReport: Sendable {
    /// A release that is kept no longer.
    package struct Gone: Sendable {
        package let channel: Channel
        package let version: Version
        package let label: String?
        /// The sequence of the newest pointer that offered it.
        package let sequence: Int
    }

    /// A channel and the lowest sequence whose releases stay whole.
    package struct Line: Sendable {
        package let channel: Channel
        package let lowest: Int
        package let current: Int
        /// What the mark says before this run.
        let marked: Int
    }

    package internal(set) var channels: [Line] = []
    package internal(set) var pins: [Pin] = []
    /// Releases that stay.
    package internal(set) var kept = 0
    /// Releases of which something is left to delete, the oldest first.
    package internal(set) var gone: [Gone] = []
    /// Deleted in this run, or to be deleted by it.
    package internal(set) var deleted: [ListedObject] = []
    /// Needed by nothing, and not long enough.
    package internal(set) var waiting: [ListedObject] = []
    /// Those of `waiting` that no earlier run had found.
    package internal(set) var condemned = Amount()
    /// When the first file of `waiting` may be deleted.
    package internal(set) var nextAt: Timestamp?
    /// Files that packtool did not write, which are left alone.
    package internal(set) var unknown: [String] = []
    package internal(set) var notes: [String] = []
    /// Whether the time was over before everything was deleted.
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
