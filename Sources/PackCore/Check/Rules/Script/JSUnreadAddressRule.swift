import PackGround
import PackProfile
import PackWeb

extension Rule {
    /// An address that a script composes at run time.
    package static let jsUnreadAddress = Rule(
        "js-unread-address", group: .script, level: .always(.hint),
        document: { document, sink in
            for fact in document.facts(.unread) where !fact.isHarmless {
                sink.report(
                    at: fact.range, "the address for \(fact.fact.detail) is composed at run time")
            }
            let site = document.site
            for fact in document.facts(.literal)
            where fact.fact.extent == .part && !fact.isHarmless
                && fact.fact.detail != "compared"
                && UnreadAddress.namesFile(fact.fact.value, in: site)
            {
                sink.report(
                    at: fact.range,
                    "the address of a file '\(fact.text)' is composed at run time")
            }
        })
}

private enum UnreadAddress {
    /// Whether the end of an address has the whole name of a file, and the package has none of this
    /// name.
    static func namesFile(_ value: [UInt8], in site: SiteIndex) -> Bool {
        let item = PathString(
            value, range: 0..<0, bracket: nil, outer: nil, word: nil, in: site)
        guard value.first == UInt8(ascii: "/"), FileEnding.kind(of: item.ending) != .other,
            let slash = item.path.lastIndex(of: UInt8(ascii: "/"))
        else { return false }
        return site.listing.indices(named: item.path[(slash + 1)...]).isEmpty
    }
}
