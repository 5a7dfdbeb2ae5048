internal import CRulePages

/// The Markdown page of a rule: its title, its prose and its examples.
///
/// The files in `Pages` are named by rule id and embedded in the binary. CONTRIBUTING.md describes
/// their format.
package struct RulePage: Sendable {
    package let id: String
    package let text: [UInt8]

    /// A syntax error in a page; the tests parse every page.
    package struct Malformed: Error, Equatable {
        /// 1-based.
        package let line: Int
        package let reason: String
    }

    package init(id: String, text: [UInt8]) {
        self.id = id
        self.text = text
    }

    /// The embedded page with an id, if any.
    package init?(_ id: String) {
        var size = 0
        guard let start = unsafe crulepages_find(id, &size) else { return nil }
        self.init(id: id, text: unsafe Array(UnsafeRawBufferPointer(start: start, count: size)))
    }

    /// A short description of the problem, without a full stop.
    package func title() throws(Malformed) -> String {
        var lines = RulePageLines(text)
        return try lines.title(of: id)
    }

    /// The prose of the rule.
    package func explanation() throws(Malformed) -> Rule.Explanation {
        var lines = RulePageLines(text)
        _ = try lines.title(of: id)
        return try lines.explanation()
    }

    /// Bad and good examples; each is a test.
    package func examples() throws(Malformed) -> [Example] {
        var lines = RulePageLines(text)
        _ = try lines.title(of: id)
        _ = try lines.explanation()
        return try lines.examples(of: id)
    }
}

// A missing or malformed page does not stop a check: the rule reports its findings without prose.
extension Rule {
    private var page: RulePage? { RulePage(id) }

    /// A short description of the problem, without a full stop.
    package var title: String { (try? page?.title()) ?? "" }

    /// The prose; bind the value to use several parts, because each access parses the page.
    package var explanation: Explanation {
        (try? page?.explanation())
            ?? Explanation(what: "", why: "", instead: "", detection: "", sources: [])
    }

    /// Bad and good examples; each is a test.
    package var examples: [Example] { (try? page?.examples()) ?? [] }
}

extension RuleCatalog {
    /// The planned rules that are not implemented, with reasons, from the table of a page.
    package static var unbuilt: [UnbuiltRule] {
        guard let page = RulePage("not-implemented") else { return [] }
        return String(decoding: page.text, as: UTF8.self).split(separator: "\n")
            .filter { $0.hasPrefix("| ") && $0.hasSuffix(" |") }.dropFirst()
            .compactMap { row in
                let cells = row.dropFirst(2).dropLast(2).split(separator: " | ")
                return cells.count == 2
                    ? UnbuiltRule(id: String(cells[0]), reason: String(cells[1])) : nil
            }
    }
}

/// Reads the lines of a page one by one.
struct RulePageLines {
    private let text: [UInt8]
    private var position = 0
    /// The 1-based number of ``line``.
    private(set) var number = 0
    /// The current line; `nil` at the end.
    private(set) var line: String?

    init(_ text: [UInt8]) {
        self.text = text
        advance()
    }

    mutating func advance() {
        number += 1
        guard position < text.count else { return line = nil }
        var end = position
        while end < text.count, text[end] != UInt8(ascii: "\n") { end += 1 }
        line = String(decoding: text[position..<end], as: UTF8.self)
        position = end + 1
    }

    func malformed(_ reason: String) -> RulePage.Malformed {
        RulePage.Malformed(line: number, reason: reason)
    }

    /// Consumes a line with the given text.
    mutating func expect(_ wanted: String) throws(RulePage.Malformed) {
        guard line == wanted else { throw malformed("expected '\(wanted)'") }
        advance()
    }

    /// Consumes the lines up to and including an empty one.
    mutating func block() throws(RulePage.Malformed) -> [String] {
        var lines: [String] = []
        while let line, !line.isEmpty {
            lines.append(line)
            advance()
        }
        guard !lines.isEmpty else { throw malformed("expected text") }
        if line != nil { advance() }
        return lines
    }

    /// The current line without a prefix; `nil` if it does not have the prefix.
    func rest(after prefix: String) -> String? {
        guard let line, line.hasPrefix(prefix) else { return nil }
        return String(line.dropFirst(prefix.count))
    }

    mutating func title(of id: String) throws(RulePage.Malformed) -> String {
        guard let title = rest(after: "# \(id): "), !title.isEmpty else {
            throw malformed("expected '# \(id): TITLE'")
        }
        advance()
        try expect("")
        return title
    }

    mutating func explanation() throws(RulePage.Malformed) -> Rule.Explanation {
        let what = try block().joined(separator: " ")
        return Rule.Explanation(
            what: what, why: try section("Why this is bad"), instead: try section("Use instead"),
            detection: try section("How it is found"), sources: try sources())
    }

    private mutating func section(_ title: String) throws(RulePage.Malformed) -> String {
        try expect("## \(title)")
        try expect("")
        return try block().joined(separator: " ")
    }

    private mutating func sources() throws(RulePage.Malformed) -> [Citation] {
        try expect("## Sources")
        try expect("")
        var sources: [Citation] = []
        while let text = rest(after: "- ") {
            guard let citation = Citation(text) else { throw malformed("unknown source") }
            sources.append(citation)
            advance()
        }
        guard !sources.isEmpty else { throw malformed("expected a source") }
        if line != nil { try expect("") }
        return sources
    }
}

extension Citation {
    /// Parses `SOURCE`, then issue numbers or names of test cases, then a detail in parentheses:
    /// `vite #16107, #2 (base and publicPath)`.
    fileprivate init?(_ text: String) {
        var words = text[...]
        var detail = ""
        if text.hasSuffix(")"), let start = text.firstRange(of: " (") {
            detail = String(text[start.upperBound...].dropLast())
            words = text[..<start.lowerBound]
        }
        let parts = words.split(separator: " ", maxSplits: 1)
        guard let name = parts.first, let source = CitedSource(rawValue: String(name)) else {
            return nil
        }
        let items = parts.count < 2 ? [] : parts[1].split(separator: ", ").map(String.init)
        let issues = items.compactMap { $0.hasPrefix("#") ? Int($0.dropFirst()) : nil }
        let isProof = source == .webkitProof
        guard isProof || issues.count == items.count else { return nil }
        self.init(
            source: source, issues: issues, cases: isProof ? items : [], detail: detail)
    }
}
