import PackGround
import PackProfile
import PackURL
import PackWeb

extension Rule {
    /// A file found only by its name.
    static let pathMismatch = Rule(
        "path-mismatch", group: .lookup,
        level: .init("error if the client looks up the last component (basename-cache)") {
            $0.client.lookUp == .basename ? .error : nil
        }, fix: .safe,
        document: { document, sink in
            let site = document.site
            for reference in document.references where reference.isEffective {
                // Web views do not load these.
                if reference.htmlKind == .manifest || reference.htmlKind == .applicationCache {
                    continue
                }
                guard let file = reference.resolution.file, reference.resolution.twin != file,
                    reference.resolution.reachesHandler,
                    LookupModel.isOpened(reference, document) || reference.use == .request,
                    reference.fault == nil
                else { continue }
                // query-slash reports names taken from the query.
                let url = reference.resolution.url
                guard
                    url?.pathComponents.last.map({ Array($0) })
                        == reference.resolution.lookedUp
                else { continue }
                let path = site.path(file)
                let name = path.fileName
                let root = url.flatMap { PathMismatch.root(of: $0.path, path.bytes) }
                let isUnique = site.listing.indices(named: name).count == 1
                sink.report(
                    reference,
                    "the file is '\(printable(path.bytes))'; the URL finds it only by its name",
                    notes: site.hints(for: reference.resolution)
                        + (root.map { ["the page assumes the root '\($0)'"] } ?? []),
                    fix: isUnique
                        ? ReferenceAddress.of(path, insteadOf: reference, in: site)
                            .flatMap { document.safeFix(reference, to: $0) } : nil,
                    severity: reference.isRarelyMissed ? .hint : nil, cause: root)
            }
        })
}

private enum PathMismatch {
    /// The prefix of a URL's path before a file's path, if the URL ends with it.
    static func root(of path: [UInt8], _ file: [UInt8]) -> String? {
        let path = PercentEncoding.decode(path)
        guard path.count > file.count, path.suffix(file.count).elementsEqual(file) else {
            return nil
        }
        let root = path.dropLast(file.count)
        return root.last == UInt8(ascii: "/") ? String(decoding: root, as: UTF8.self) : nil
    }
}
