package import PackOrigin
package import PackRelease

/// The result of verifying an origin.
package struct Verification: Sendable {
    /// A missing or wrong file.
    package struct Failure: Sendable, Equatable {
        package enum Kind: Sendable {
            /// The content of a file.
            case content
            /// A root, a signature or an expiry: clients refuse the pointer.
            case trust
        }

        package let path: String
        package let problem: String
        package let kind: Kind
    }

    package struct ChannelStatus: Sendable {
        package let channel: Channel
        package let version: Version
        package let sequence: Int
        package let label: String?
        package let expires: Timestamp?
        /// The number of log entries; over HTTP, the number of pointers read.
        package internal(set) var recorded: Int

        init(_ pointer: Pointer, recorded: Int) {
            channel = pointer.channel
            version = pointer.version
            sequence = pointer.sequence
            label = pointer.label
            expires = pointer.expires
            self.recorded = recorded
        }
    }

    package internal(set) var channels: [ChannelStatus] = []
    /// The number of releases with a readable manifest.
    package internal(set) var releases = 0
    package internal(set) var objects = Amount()
    package internal(set) var packages = Amount()
    package internal(set) var deltas = Amount()
    package internal(set) var siteFiles = Amount()
    /// Whether only a sample of the current release was read.
    package internal(set) var isSample = false
    /// The number of files not read.
    ///
    /// Includes files of the current release only in a sample.
    package internal(set) var skipped = 0
    /// Unreferenced files, sorted.
    ///
    /// They are not failures.
    package internal(set) var orphans: [String] = []
    package internal(set) var orphanBytes: UInt64 = 0
    /// Errors first, then in the order of discovery.
    package internal(set) var findings: [AuditFinding] = []
    /// Notes, which do not affect ``isSound``.
    package internal(set) var notes: [String] = []

    package var isSound: Bool { count(.error) == 0 }

    package func count(_ severity: AuditFinding.Severity) -> Int {
        findings.count { $0.severity == severity }
    }

    /// The findings about files of a directory or bucket, one per path.
    package internal(set) var failures: [Failure] = []

    /// Findings about the answers of a server or store.
    package var headers: [AuditFinding] { findings.filter { $0.kind != .origin } }
}
