import PackGround
import PackOrigin

/// A problem of an origin, or of the web server or CDN in front of it.
///
/// Files with the same problem share one finding.
package struct AuditFinding: Sendable, Equatable {
    package enum Severity: String, Sendable, CaseIterable {
        /// Clients do not receive the published files.
        case error
        /// Clients receive the files less efficiently, or only some clients are affected.
        case warning
    }

    /// The kind of problem.
    ///
    /// The raw value is a stable code.
    package enum Kind: String, Sendable, CaseIterable {
        case missing = "http.missing"
        case keptMissing = "http.negative-cached"
        case keptOther = "http.wrong-cached"
        case differs = "http.differs"
        case transformed = "http.transformed"
        case compressed = "http.compressed"
        case pageForFile = "http.page-for-file"
        case stale = "http.stale"
        case behind = "http.outdated"
        case expired = "http.expired"
        case notCached = "http.not-cached"
        case cachedTooLong = "http.cached-too-long"
        case wrongType = "http.wrong-type"
        case noRange = "http.no-range"
        case redirect = "http.redirect"
        case noCORS = "http.no-cors"
        case status = "http.status"
        case failed = "http.failed"
        case origin = "http.origin"
    }

    package let kind: Kind
    package let severity: Severity
    /// The problem, printed after the path: `arrives with Content-Encoding gzip`.
    package let problem: String
    /// The affected paths, relative to the origin, in the order of discovery.
    package internal(set) var paths: [String]
    /// Cache and server headers of the first answer.
    package let evidence: String

    package var code: String { kind.rawValue }

    /// Replaces the default remedy of the kind.
    fileprivate(set) var advice: String?

    /// The fix to suggest.
    package var remedy: String { advice ?? kind.remedy }
}

extension AuditFinding {
    /// Creates a finding for a missing or wrong file at the origin itself.
    init(failure: Verification.Failure) {
        self.init(
            kind: .origin, severity: .error, problem: failure.problem, paths: [failure.path],
            evidence: "")
    }
}

extension AuditFinding.Kind {
    fileprivate var remedy: String {
        switch self {
        case .missing:
            "copy the origin to the server again, pointers last; if the server has "
                + "these files, purge their paths"
        case .keptMissing:
            "purge these paths, and turn off caching of 404 (CloudFront: error caching TTL 0)"
        case .keptOther: "purge these paths; the server behind the cache has the right bytes"
        case .differs:
            "turn off minifying, rewriting and injected scripts for this host, and purge these paths; if none "
                + "is on, copy the origin to the server again"
        case .transformed, .compressed:
            "turn off compression and rewriting for these paths at the server and the CDN"
        case .pageForFile: "turn off the single-page fallback and sign-in pages for this host"
        case .stale:
            "pointers, info.json and site/ may be kept for 60 seconds: look for a CDN rule that overrides "
                + "it, then purge"
        case .behind:
            "copy the origin to the server again, or publish again to finish the release; if the server has "
                + "it already, a cache in front ignores queries: purge these paths"
        case .expired: "run 'packtool renew', and let a nightly job do so"
        case .notCached, .cachedTooLong, .wrongType:
            "set the headers of docs/guide/origin.md at the server, and let the CDN keep them"
        case .noRange: "turn on Range requests, so that interrupted downloads continue"
        case .redirect: "give the address that the files have themselves"
        case .noCORS: "set 'Access-Control-Allow-Origin: *' for these paths"
        case .status, .failed: "look for the request in the server's log"
        case .origin: "run 'packtool verify' on the origin itself, and repair it"
        }
    }
}

/// Collects findings and merges those that differ only in their paths.
struct AuditFindings: Sendable {
    private var all: [AuditFinding] = []

    /// Errors come before warnings.
    var sorted: [AuditFinding] {
        AuditFinding.Severity.allCases.flatMap { severity in all.filter { $0.severity == severity }
        }
    }

    mutating func add(
        _ kind: AuditFinding.Kind, _ severity: AuditFinding.Severity, _ path: String,
        _ problem: String,
        _ head: HTTPHead? = nil, advice: String? = nil
    ) {
        add(
            AuditFinding(
                kind: kind, severity: severity, problem: problem, paths: [path],
                evidence: head?.evidence ?? "", advice: advice))
    }

    /// Adds a finding for a failed request.
    mutating func addFailure(_ path: String, _ failure: Failure, at address: HTTPAddress) {
        guard failure.code == .httpRedirected else {
            return add(.failed, .error, path, "cannot be read: \(failure)")
        }
        // Omit the path, so that redirecting the whole host gives one finding.
        add(
            .redirect, .error, path,
            "is redirected to '\(address.host(of: failure["target"]))': \(failure["problem"])")
    }

    mutating func add(_ others: AuditFindings) { for other in others.all { add(other) } }

    mutating func add(_ finding: AuditFinding) {
        let known = all.firstIndex {
            $0.kind == finding.kind && $0.severity == finding.severity
                && $0.problem == finding.problem
        }
        guard let known else { return all.append(finding) }
        all[known].paths += finding.paths.filter { !all[known].paths.contains($0) }
    }

    /// All paths of the findings of one kind.
    func paths(of kind: AuditFinding.Kind) -> Set<String> {
        Set(all.filter { $0.kind == kind }.flatMap(\.paths))
    }

    /// Removes the given paths from all findings of one kind.
    mutating func remove(_ kind: AuditFinding.Kind, at paths: Set<String>) {
        for index in all.indices where all[index].kind == kind {
            all[index].paths.removeAll { paths.contains($0) }
        }
        all.removeAll { $0.paths.isEmpty }
    }

    /// Replaces the remedy of every finding.
    mutating func advise(_ advice: String) {
        for index in all.indices { all[index].advice = advice }
    }
}
