import PackOrigin

/// Something that is wrong at an origin, or that a web server or CDN does wrong.
///
/// One cause at many places is one finding.
package struct AuditFinding: Sendable, Equatable {
    package enum Severity: String, Sendable, CaseIterable {
        /// A client does not get what was published.
        case error
        /// It gets it at a cost, or a part of the clients may not.
        case warning
    }

    /// What is wrong; its name is a code that never changes.
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
    /// What is wrong with each of the places, after their name: `arrives with Content-Encoding gzip`.
    package let problem: String
    /// Relative to the origin, in order.
    package internal(set) var places: [String]
    /// What the first answer says of its way.
    package let evidence: String

    package var code: String { kind.rawValue }

    /// A remedy other than that of most findings of the kind.
    fileprivate(set) var advice: String?

    /// What to change.
    package var remedy: String { advice ?? kind.remedy }
}

extension AuditFinding {
    /// A file that is missing or wrong at the origin itself.
    init(failure: Verification.Failure) {
        self.init(
            kind: .origin, severity: .error, problem: failure.problem, places: [failure.place],
            evidence: "")
    }
}

extension AuditFinding.Kind {
    fileprivate var remedy: String {
        switch self {
        case .missing:
            "copy the origin to the server again, what pointers name before the pointers; if the server has "
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

/// Findings as they are collected: one cause at many places is one finding.
struct AuditFindings: Sendable {
    private var all: [AuditFinding] = []

    /// Errors first.
    var sorted: [AuditFinding] {
        AuditFinding.Severity.allCases.flatMap { severity in all.filter { $0.severity == severity }
        }
    }

    mutating func add(
        _ kind: AuditFinding.Kind, _ severity: AuditFinding.Severity, _ place: String,
        _ problem: String,
        _ head: HTTPHead? = nil, advice: String? = nil
    ) {
        add(
            AuditFinding(
                kind: kind, severity: severity, problem: problem, places: [place],
                evidence: head?.evidence ?? "", advice: advice))
    }

    /// Adds why a place could not be read.
    mutating func addFailure(_ place: String, _ error: HTTPError, at address: HTTPAddress) {
        guard case .redirected(_, let target, let problem) = error else {
            return add(.failed, .error, place, "cannot be read: \(error)")
        }
        // Without the path, so that one redirect of everything is one finding.
        add(.redirect, .error, place, "is redirected to '\(address.host(of: target))': \(problem)")
    }

    mutating func add(_ others: AuditFindings) { for other in others.all { add(other) } }

    mutating func add(_ finding: AuditFinding) {
        let known = all.firstIndex {
            $0.kind == finding.kind && $0.severity == finding.severity
                && $0.problem == finding.problem
        }
        guard let known else { return all.append(finding) }
        all[known].places += finding.places.filter { !all[known].places.contains($0) }
    }

    /// The places of all findings of a kind.
    func places(of kind: AuditFinding.Kind) -> Set<String> {
        Set(all.filter { $0.kind == kind }.flatMap(\.places))
    }

    /// Removes findings of a kind at some places.
    mutating func remove(_ kind: AuditFinding.Kind, at places: Set<String>) {
        for index in all.indices where all[index].kind == kind {
            all[index].places.removeAll { places.contains($0) }
        }
        all.removeAll { $0.places.isEmpty }
    }

    /// Gives all findings another remedy.
    mutating func advise(_ advice: String) {
        for index in all.indices { all[index].advice = advice }
    }
}
