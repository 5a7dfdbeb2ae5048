import PackProfile
import PackURL

extension Rule {
    /// A slash in the query that the client mistakes for the last one of the path.
    static let querySlash = Rule(
        "query-slash", group: .lookup,
        level: .init("error if the client splits the whole URL at slashes (basename-cache)") {
            $0.client.lookUp == .basename && $0.client.query == .afterLastSlash ? .error : nil
        }, fix: .safe,
        document: { document, sink in
            for reference in document.references where reference.isEffective {
                guard reference.resolution.reachesHandler,
                    LookupModel.isOpened(reference, document) || reference.use == .request,
                    let url = reference.resolution.url,
                    QuerySlash.hidesFile(url, in: document.site),
                    reference.fault == nil
                else { continue }
                sink.report(
                    reference, "the client uses the text after the last '/', which is in the query",
                    notes: document.site.hints(for: reference.resolution),
                    fix: QuerySlash.escaped(reference.value).flatMap {
                        document.safeFix(reference, to: $0)
                    })
            }
        })
}

private enum QuerySlash {
    /// Whether the URL has a slash in its query and finds a file without the query.
    static func hidesFile(_ url: URLRecord, in site: SiteIndex) -> Bool {
        guard url.query?.contains(UInt8(ascii: "/")) == true else { return false }
        var plain = url
        plain.query = nil
        return site.resolver.resolve(plain).file != nil
    }

    /// The URL with the slashes of its query percent-encoded.
    static func escaped(_ value: [UInt8]) -> String? {
        guard let mark = value.firstIndex(of: UInt8(ascii: "?")) else { return nil }
        var result = Array(value[...mark])
        var isQuery = true
        for byte in value[(mark + 1)...] {
            if byte == UInt8(ascii: "#") { isQuery = false }
            if isQuery, byte == UInt8(ascii: "/") {
                result += "%2F".utf8
            } else {
                result.append(byte)
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}
