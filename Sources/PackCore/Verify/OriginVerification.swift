package import PackOrigin
package import PackRelease

/// What verifying an origin found.
package struct OriginVerification: Sendable {
    /// Something that is missing or wrong.
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
        /// Pointers recorded in the log.
        package internal(set) var recorded: Int
    }

    package internal(set) var channels: [ChannelStatus] = []
    package internal(set) var releases = 0
    package internal(set) var objects = Amount()
    package internal(set) var packages = Amount()
    package internal(set) var deltas = Amount()
    package internal(set) var siteFiles = Amount()
    /// Files that nothing refers to, sorted.
    ///
    /// They are reported but are not a failure.
    package internal(set) var orphans: [String] = []
    package internal(set) var orphanBytes: UInt64 = 0
    package internal(set) var failures: [Failure] = []
    /// Headers of a bucket's files that a publish would set otherwise, errors first.
    package internal(set) var headers: [HTTPFinding] = []
    /// Notes for the reader that are not failures.
    package internal(set) var notes: [String] = []

    package var isSound: Bool {
        failures.isEmpty && !headers.contains { $0.severity == .error }
    }

    /// The findings about headers of one severity.
    package func headerCount(_ severity: HTTPFinding.Severity) -> Int {
        headers.count { $0.severity == severity }
    }
}
