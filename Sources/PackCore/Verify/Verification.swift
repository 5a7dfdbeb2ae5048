package import PackOrigin
package import PackRelease

/// What verifying an origin found.
package struct Verification: Sendable {
    /// A file that is missing or wrong.
    package struct Failure: Sendable, Equatable {
        package let place: String
        package let problem: String
    }

    package struct ChannelStatus: Sendable {
        package let channel: Channel
        package let version: Version
        package let sequence: Int
        package let label: String?
        package let expires: Timestamp?
        /// Pointers recorded in the log; over HTTP, those that were read.
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
    /// Releases whose manifests were read.
    package internal(set) var releases = 0
    package internal(set) var objects = Amount()
    package internal(set) var packages = Amount()
    package internal(set) var deltas = Amount()
    package internal(set) var siteFiles = Amount()
    /// Whether a sample of the current release was enough.
    package internal(set) var isSample = false
    /// Files that were not asked for: of earlier releases, unless it is a sample.
    package internal(set) var skipped = 0
    /// Files that nothing refers to, sorted; they are no failure.
    package internal(set) var orphans: [String] = []
    package internal(set) var orphanBytes: UInt64 = 0
    /// Errors first, then in the order in which they were found.
    package internal(set) var findings: [AuditFinding] = []
    /// Notes for the reader that are not failures.
    package internal(set) var notes: [String] = []

    package var isSound: Bool { count(.error) == 0 }

    package func count(_ severity: AuditFinding.Severity) -> Int {
        findings.count { $0.severity == severity }
    }

    /// The findings about files themselves, one for each place.
    package var failures: [Failure] {
        findings.filter { $0.kind == .origin }
            .flatMap { finding in
                finding.places.map { Failure(place: $0, problem: finding.problem) }
            }
    }

    /// The findings about the answers of a server or store.
    package var headers: [AuditFinding] { findings.filter { $0.kind != .origin } }
}
