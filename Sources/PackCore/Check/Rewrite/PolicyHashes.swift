import PackGround
import PackWeb

extension DocumentContext {
    /// Updates the hashes in a page's policies to those of its rewritten inline code.
    ///
    /// Here the old and new hashes can be paired exactly; the check can only guess from the result.
    func updatingPolicyHashes(in content: [UInt8]) -> [UInt8] {
        guard let html, content != text.source,
            html.fragments.contains(where: { $0.kind == .contentSecurityPolicy })
        else { return content }
        let after = DocumentReader.read(site: site, index: index, kind: kind, bytes: content)
        guard let now = after.html, now.fragments.count == html.fragments.count else {
            return content
        }
        var changed: [String: String] = [:]
        for (old, new) in zip(html.fragments, now.fragments)
        where old.kind != .contentSecurityPolicy {
            let before = old.decoded(in: bytes.span).bytes
            let code = new.decoded(in: after.bytes.span).bytes
            guard before != code else { continue }
            for algorithm in SubresourceIntegrity.Algorithm.allCases {
                changed[algorithm.expression(of: before)] = algorithm.expression(of: code)
            }
        }
        guard !changed.isEmpty else { return content }
        var edits: [HTMLEdit] = []
        for found in after.writtenPolicies {
            for directive in found.policy.directives {
                for (word, range) in directive.words(in: found.text.bytes) {
                    guard let hash = SourceExpression.hash(word),
                        let new = changed[hash.algorithm.expression(digest: hash.digest)]
                    else { continue }
                    edits.append(HTMLEdit(found.attribute, range, value: Array("'\(new)'".utf8)))
                }
            }
        }
        return after.edits(edits).flatMap(after.text.sourceEdits)
            .flatMap { ByteEdit.apply($0, to: content) } ?? content
    }
}
