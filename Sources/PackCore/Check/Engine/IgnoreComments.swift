/// The ignore comments of one file by rule and line, with their use.
///
/// A finding needs one lookup for its rule and line, regardless of the number of comments.
struct IgnoreComments: Sendable {
    /// Comments that cover the same lines.
    fileprivate struct Span: Sendable {
        /// The covered offsets.
        let offsets: Range<Int>
        /// The ranges of the comments.
        var comments: [Range<Int>]
        var isUsed = false
    }

    /// The comments about one rule.
    fileprivate struct Coverage: Sendable {
        /// In file order; an offset is in at most two spans, which are adjacent.
        var lines: [Span] = []
        var file: Span?
        /// Comments that name the rule a second time.
        var repeated: [Range<Int>] = []
    }

    private var byRule: [String: Coverage] = [:]
    /// The number of suppressed findings.
    private(set) var ignored = 0

    /// - Parameter rules: The ids of the active rules; comments about other rules have no effect.
    init?(_ comments: [IgnoreComment], in text: DocumentText, rules: Set<String>) {
        let valid = comments.filter { $0.reason != nil }
        guard !valid.isEmpty else { return nil }
        let lines = LineIndex(text)
        for comment in valid {
            let offsets =
                comment.isForFile ? 0..<Int.max : lines.twoLines(from: comment.range.lowerBound)
            var seen: Set<String> = []
            for rule in comment.rules.map({ RuleCatalog.renamed[$0] ?? $0 })
            where rules.contains(rule) {
                if seen.insert(rule).inserted {
                    byRule[rule, default: Coverage()].add(comment, offsets)
                } else {
                    byRule[rule, default: Coverage()].repeated.append(comment.range)
                }
            }
        }
    }

    /// Whether a comment covers a finding, which then counts as suppressed.
    ///
    /// - Parameter offset: The start of the finding; `nil` for one about the whole file.
    mutating func quiets(_ rule: String, at offset: Int?) -> Bool {
        guard byRule[rule]?.use(at: offset) == true else { return false }
        ignored += 1
        return true
    }

    /// The comments that suppressed nothing, by rule, in file order.
    var idle: [(rule: String, comment: Range<Int>)] {
        byRule.flatMap { rule, coverage in coverage.idle.map { (rule, $0) } }
            .sorted { ($0.1.lowerBound, $0.0) < ($1.1.lowerBound, $1.0) }
    }
}

extension IgnoreComments.Coverage {
    fileprivate mutating func add(_ comment: IgnoreComment, _ offsets: Range<Int>) {
        if comment.isForFile {
            file = file ?? .init(offsets: offsets, comments: [])
            file?.comments.append(comment.range)
        } else if let last = lines.indices.last, lines[last].offsets == offsets {
            lines[last].comments.append(comment.range)
        } else {
            lines.append(.init(offsets: offsets, comments: [comment.range]))
        }
    }

    /// Marks the spans containing an offset as used.
    fileprivate mutating func use(at offset: Int?) -> Bool {
        var isCovered = false
        if file != nil {
            file?.isUsed = true
            isCovered = true
        }
        guard let offset else { return isCovered }
        var low = 0
        var high = lines.count
        while low < high {
            let middle = (low + high) / 2
            if lines[middle].offsets.lowerBound <= offset {
                low = middle + 1
            } else {
                high = middle
            }
        }
        for index in max(0, low - 2)..<low where lines[index].offsets.contains(offset) {
            lines[index].isUsed = true
            isCovered = true
        }
        return isCovered
    }

    fileprivate var idle: [Range<Int>] {
        (lines + (file.map { [$0] } ?? [])).filter { !$0.isUsed }.flatMap(\.comments) + repeated
    }
}

/// The id shared by the checker and the rule.
package enum UnusedIgnore {
    package static let id = "unused-ignore"
}
