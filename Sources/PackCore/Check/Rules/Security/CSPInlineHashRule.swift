import PackGround
import PackWeb

extension Rule {
    /// Inline scripts and styles blocked by the page's own policy.
    package static let cspInlineHash = Rule(
        "csp-inline-hash", group: .security, level: .always(.error), fix: .safe,
        document: { document, sink in
            for (found, refused) in BlockedInline.find(in: document) {
                // All are in one attribute, so one fix corrects them all.
                let (fix, fixed) = BlockedInline.fix(refused, found, document)
                for blocked in refused {
                    sink.report(
                        at: blocked.range, blocked.message, notes: blocked.notes(document),
                        fix: fixed.contains(blocked.directive.range.lowerBound) ? fix : nil)
                }
            }
        })
}

/// Inline code blocked by a directive: one piece, or all if the directive has no hash.
private struct BlockedInline {
    let directive: ContentSecurityPolicy.Directive
    let inline: PageAction.Inline
    let range: Range<Int>
    let content: PageAction.Content
    var count = 1

    /// The blocked code by policy.
    static func find(
        in document: DocumentContext
    ) -> [(found: DocumentContext.Policy, refused: [BlockedInline])] {
        var result: [(found: DocumentContext.Policy, refused: [BlockedInline])] = []
        for refused in PolicyCheck.refused(in: document) {
            guard case .inline(let content, let inline) = refused.action.kind else { continue }
            let blocked = BlockedInline(
                directive: refused.directive, inline: inline, range: refused.action.range,
                content: content)
            let isSame =
                result.last.map {
                    $0.found.start == refused.found.start
                        && $0.found.policy.directives.first?.range.lowerBound
                            == refused.found.policy.directives.first?.range.lowerBound
                } ?? false
            if !isSame { result.append((refused.found, [])) }
            let last = result.count - 1
            if !refused.directive.sources.hasHashOrNonce,
                let first = result[last].refused.firstIndex(where: {
                    $0.inline == inline && $0.directive.name == refused.directive.name
                })
            {
                result[last].refused[first].count += 1
            } else {
                result[last].refused.append(blocked)
            }
        }
        return result
    }

    var message: String {
        "\(directive.name) blocks this inline \(inline.rawValue)"
            + (count > 1 ? " and \(counted(count - 1, "other"))" : "")
    }

    func notes(_ document: DocumentContext) -> [String] {
        let content = document.bytes(of: content)
        guard inline.isElement else {
            return directive.sources.contains(hashOf: content)
                ? ["its hash counts only next to 'unsafe-hashes'"] : []
        }
        return ["its hash is '\(SubresourceIntegrity.Algorithm.sha256.expression(of: content))'"]
    }

    /// Replaces the hashes that match nothing, in each directive with as many unmatched hashes as
    /// blocked pieces, and returns the offsets of these directives.
    static func fix(
        _ all: [BlockedInline], _ found: DocumentContext.Policy, _ document: DocumentContext
    ) -> (fix: Fix?, directives: Set<Int>) {
        let refused = all.filter { $0.inline.isElement && $0.count == 1 }
        guard !refused.isEmpty else { return (nil, []) }
        let contents = (document.html?.fragments ?? [])
            .map { $0.decoded(in: document.bytes.span).bytes }
        var edits: [HTMLEdit] = []
        var fixed: Set<Int> = []
        var digests: [SubresourceIntegrity.Algorithm: Set<[UInt8]>] = [:]
        let byDirective = Dictionary(grouping: refused, by: { $0.directive.range.lowerBound })
        for (start, inlines) in byDirective.sorted(by: { $0.key < $1.key }) {
            guard let directive = inlines.first?.directive,
                all.count(where: { $0.directive.range.lowerBound == start }) == inlines.count
            else { continue }
            let stale = directive.words(in: found.text.bytes).compactMap { word in
                SourceExpression.hash(word.text).map { (hash: $0, range: word.range) }
            }.filter { word in
                let algorithm = word.hash.algorithm
                let known =
                    digests[algorithm] ?? Set(contents.map { algorithm.digest(of: $0) })
                digests[algorithm] = known
                return !known.contains(word.hash.digest)
            }
            guard stale.count == inlines.count else { continue }
            fixed.insert(start)
            for (inline, word) in zip(inlines, stale) {
                let right =
                    "'\(word.hash.algorithm.expression(of: document.bytes(of: inline.content)))'"
                edits.append(
                    HTMLEdit(found.attribute, word.range, value: Array(right.utf8)))
            }
        }
        guard !edits.isEmpty else { return (nil, []) }
        let only = refused.count == 1 ? refused.first : nil
        let what =
            only.map { "write the hash of the inline \($0.inline.rawValue)" }
            ?? "write the hashes of the inline code"
        return (document.edits(edits).map { Fix(.safe, what, edits: $0) }, fixed)
    }
}
