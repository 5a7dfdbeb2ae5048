import PackGround
import PackProfile
import PackURL

extension Rule {
    /// Images from other hosts, which receive no referrer.
    static let referrerMissing = Rule(
        "referrer-missing", group: .security, level: .customPages(.hint),
        document: { document, sink in
            var hosts: Set<[UInt8]> = []
            for reference in document.references
            where SecurityModel.isPassive(reference) && reference.isEffective {
                guard let url = reference.resolution.url, url.scheme.elementsEqual("https".utf8),
                    let host = url.host?.serialized, !document.profile.ownsWebHost(url.host),
                    hosts.insert(host).inserted
                else { continue }
                sink.report(
                    reference,
                    "'\(printable(host))' receives no Referer; it must serve images without one")
            }
        })
}
