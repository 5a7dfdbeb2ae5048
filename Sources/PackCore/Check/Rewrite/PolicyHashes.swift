import PackWeb

/// Carries the hashes of a page's policies over to its rewritten inline code.
///
/// A policy lists hashes of inline code (docs/sources.md#csp, section 6.7.3.3); which of them belongs
/// to a piece of code is known only while both versions of the page are at hand.
enum PolicyHashes {
    private static let algorithms: [SubresourceIntegrity.Algorithm] = [.sha256, .sha384, .sha512]

    /// The rewritten page with the hashes of its own inline code.
    static func carried(
        from document: DocumentContext, to content: [UInt8]
    ) -> [UInt8] {
        guard let old = document.html,
            old.fragments.contains(where: { $0.kind == .contentSecurityPolicy })
        else { return content }
        let new = HTMLReferences(of: content.span)
        guard new.fragments.count == old.fragments.count else { return content }
        var replacements: [(old: [UInt8], new: [UInt8])] = []
        for (before, after) in zip(old.fragments, new.fragments)
        where before.kind != .contentSecurityPolicy {
            let was = before.decoded(in: document.bytes.span).bytes
            let now = after.decoded(in: content.span).bytes
            guard was != now else { continue }
            for algorithm in algorithms {
                replacements.append(
                    (
                        Array(algorithm.expression(of: was).utf8),
                        Array(algorithm.expression(of: now).utf8)
                    ))
            }
        }
        var edits: [ByteEdit] = []
        for policy in new.fragments where policy.kind == .contentSecurityPolicy {
            for (old, new) in replacements {
                var start = policy.range.lowerBound
                while let found = content[start..<policy.range.upperBound].firstRange(of: old) {
                    edits.append(ByteEdit(found, new))
                    start = found.upperBound
                }
            }
        }
        return ByteEdit.apply(edits, to: content) ?? content
    }
}
