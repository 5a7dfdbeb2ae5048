import PackProfile
import PackURL
import PackWeb

extension Rule {
    /// Subresources over plain http.
    static let httpInCustom = Rule(
        "http-in-custom", group: .security, level: .customPages(.warning), fix: .safe,
        document: { document, sink in
            for reference in document.references
            where reference.use.isFetched && reference.isEffective
                && reference.writtenScheme == Array("http".utf8)
            {
                let isLocal = reference.resolution.url?.host?.isLocal ?? false
                let value = String(decoding: reference.value.drop { $0 <= 0x20 }, as: UTF8.self)
                sink.report(
                    reference, "App Transport Security blocks '\(reference.text)'",
                    fix: isLocal
                        ? nil : document.safeFix(reference, to: "https" + value.dropFirst(4)))
            }
            for request in document.plainHTTPRequests {
                sink.report(
                    at: request.range,
                    "App Transport Security blocks requests to '\(request.address)'",
                    severity: request.isHarmless ? .hint : nil,
                    cause: "requests to \(request.address)")
            }
        })
}

extension DocumentContext {
    /// A request by a script to a server without encryption.
    struct PlainHTTPRequest {
        let range: Range<Int>
        /// Scheme and host.
        let address: String
        let isHarmless: Bool
    }

    /// The requests over plain http; in pages of https also WebSockets.
    var plainHTTPRequests: [PlainHTTPRequest] {
        let schemes = profile.isIntercepted ? ["http", "ws"] : ["http"]
        return facts(.fetch, .request, .ajax, .ajaxBase, .eventSource, .webSocket).compactMap {
            fact in
            // A prefix may end within the host.
            guard fact.fact.extent == .whole || fact.fact.extent == .prefix && fact.hasWholeHost,
                let scheme = schemes.first(where: { fact.spells(Array($0.utf8)) }),
                let host = URLRecord.parse(fact.fact.value)?.host, !host.isLocal
            else { return nil }
            let name = String(decoding: host.serialized, as: UTF8.self)
            return PlainHTTPRequest(
                range: fact.range, address: "\(scheme)://\(name)", isHarmless: fact.isHarmless)
        }
    }
}
