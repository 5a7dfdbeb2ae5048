package import PackRelease

/// What verifying an origin over HTTP found.
package struct HTTPVerification: Sendable {
    package internal(set) var channel: OriginVerification.ChannelStatus?
    /// Releases whose manifests were read.
    package internal(set) var releases = 0
    package internal(set) var packages = Amount()
    package internal(set) var deltas = Amount()
    package internal(set) var objects = Amount()
    package internal(set) var siteFiles = Amount()
    /// Whether a sample of the current release was enough.
    package internal(set) var isSample = false
    /// Files that were not asked for: of earlier releases, unless it is a sample.
    package internal(set) var skipped = 0
    /// Errors first, then in the order in which they were found.
    package internal(set) var findings: [HTTPFinding] = []
    package internal(set) var notes: [String] = []

    package func count(_ severity: HTTPFinding.Severity) -> Int {
        findings.count { $0.severity == severity }
    }

    package var isSound: Bool { count(.error) == 0 }
}
