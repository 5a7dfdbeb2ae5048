import PackOrigin

/// Something that a web server or CDN does wrong.
///
/// One cause at many places is one finding.
package struct HTTPFinding: Sendable, Equatable {
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

    /// What to change here, where that is not what it is for most findings of the kind.
    let advice: String?

    /// What to change.
    package var remedy: String { advice ?? kind.remedy }
}

extension HTTPFinding.Kind {
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
struct HTTPFindings: Sendable {
    private(set) var all: [HTTPFinding] = []

    mutating func add(
        _ kind: HTTPFinding.Kind, _ severity: HTTPFinding.Severity, _ place: String,
        _ problem: String, _ answer: ProbeAnswer? = nil, advice: String? = nil
    ) {
        add(kind, severity, place, problem, evidence: answer?.head.evidence ?? "", advice: advice)
    }

    mutating func add(
        _ kind: HTTPFinding.Kind, _ severity: HTTPFinding.Severity, _ place: String,
        _ problem: String, _ head: HTTPHead
    ) {
        add(kind, severity, place, problem, evidence: head.evidence, advice: nil)
    }

    /// Adds why a place could not be read.
    mutating func addFailure(_ place: String, _ error: HTTPError, at address: HTTPAddress) {
        guard case .redirected(_, let target, let problem) = error else {
            return add(.failed, .error, place, "cannot be read: \(error)")
        }
        // Without the path, so that one redirect of everything is one finding.
        add(
            .redirect, .error, place,
            "is redirected to '\(address.host(of: target))': \(problem)")
    }

    /// The places of all errors of a kind.
    func places(of kind: HTTPFinding.Kind) -> Set<String> {
        Set(all.filter { $0.kind == kind }.flatMap(\.places))
    }

    /// Takes back what was found of a kind at some places.
    mutating func remove(_ kind: HTTPFinding.Kind, at places: Set<String>) {
        for index in all.indices where all[index].kind == kind {
            all[index].places.removeAll { places.contains($0) }
        }
        all.removeAll { $0.places.isEmpty }
    }

    private mutating func add(
        _ kind: HTTPFinding.Kind, _ severity: HTTPFinding.Severity, _ place: String,
        _ problem: String, evidence: String, advice: String?
    ) {
        let known = all.firstIndex {
            $0.kind == kind && $0.severity == severity && $0.problem == problem
        }
        guard let known else {
            all.append(
                HTTPFinding(
                    kind: kind, severity: severity, problem: problem, places: [place],
                    evidence: evidence, advice: advice))
            return
        }
        if !all[known].places.contains(place) { all[known].places.append(place) }
    }

    mutating func add(_ others: HTTPFindings) {
        for other in others.all {
            let known = all.firstIndex {
                $0.kind == other.kind && $0.severity == other.severity
                    && $0.problem == other.problem
            }
            guard let known else {
                all.append(other)
                continue
            }
            all[known].places += other.places.filter { !all[known].places.contains($0) }
        }
    }
}
