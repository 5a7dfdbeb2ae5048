import PackGround
import PackProfile
import PackWeb

extension Rule {
    /// One script or style sheet with two URLs.
    static let mixedAddressing = Rule(
        "mixed-addressing", group: .lookup, level: .always(.warning),
        site: { context, sink in
            var first: [Int: [UInt8]] = [:]
            for summary in context.summaries {
                for link in summary.links where link.isFromPackage && MixedAddressing.counts(link) {
                    guard let url = first[link.target] else {
                        first[link.target] = link.url
                        continue
                    }
                    guard url != link.url else { continue }
                    sink.report(
                        file: summary.index, at: link.range,
                        """
                        '\(printable(context.site.path(link.target).bytes))' has another URL \
                        elsewhere
                        """,
                        notes: ["here: \(printable(link.url))", "elsewhere: \(printable(url))"],
                        severity: link.traits.isDisjoint(with: [.inNoscript, .unasked])
                            ? nil : .hint,
                        cause: printable(context.site.path(link.target).bytes))
                }
            }
        })
}

private enum MixedAddressing {
    static func counts(_ link: DocumentSummary.Link) -> Bool {
        switch link.kind {
        // path-mismatch reports files found only by their name.
        case .html(.script), .html(.moduleScript), .html(.styleSheet): link.isExact
        default: false
        }
    }
}
