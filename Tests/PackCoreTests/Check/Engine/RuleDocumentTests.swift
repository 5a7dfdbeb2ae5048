import Foundation
import PackCheck
import TestSupport
import Testing

struct RuleDocumentTests {
    /// `make rules-doc` generates the file from the rules.
    @Test func isCurrent() throws {
        let path = Checkout.path + "/docs/rules.md"
        let text = try String(contentsOf: URL(fileURLWithPath: path), encoding: .utf8)
        #expect(text == RuleDocument.markdown, "run 'make rules-doc'")
    }

    @Test(arguments: RuleCatalog.all) func explainsEachRule(_ rule: Rule) {
        let text = RuleDocument.text(rule)
        #expect(text.hasPrefix("\(rule.id): "))
        for part in [
            rule.explanation.what, rule.explanation.why, rule.explanation.instead,
            rule.explanation.detection,
        ] {
            #expect(!part.isEmpty)
        }
        #expect(!rule.explanation.sources.isEmpty)
    }

    /// Every id in the knowledge base is a rule, or is listed with the reason why it is not
    /// implemented.
    @Test func coversTheCatalogue() throws {
        let path = try SharedFolder.require("knowledge/webview-rules.md")
        let text = try String(contentsOf: URL(fileURLWithPath: path), encoding: .utf8)
        let table = text.components(separatedBy: "## Appendix A")[1]
        var known = Set(RuleCatalog.all.map(\.id))
        known.formUnion(RuleCatalog.unbuilt.map(\.id))
        var missing: [String] = []
        for line in table.split(separator: "\n") where line.hasPrefix("| ") {
            let cell = line.split(separator: "|")[0].trimmingCharacters(in: .whitespaces)
            guard cell != "id" else { continue }
            for names in Self.ids(cell) where !names.contains(where: known.contains) {
                missing += names.prefix(1)
            }
        }
        #expect(missing.isEmpty, "\(missing)")
    }

    /// `custom-host-case / -idn` is two ids; so is `a / b`.
    ///
    /// The table does not define how much of the first id a suffix replaces, so all readings are
    /// returned.
    private static func ids(_ cell: String) -> [[String]] {
        var ids: [[String]] = []
        for part in cell.components(separatedBy: " / ") {
            let word = part.components(separatedBy: " (")[0].trimmingCharacters(in: .whitespaces)
            guard word.hasPrefix("-"), let first = ids.first?.first else {
                ids.append([word])
                continue
            }
            let pieces = first.split(separator: "-")
            ids.append(
                (1..<pieces.count).map { pieces.dropLast($0).joined(separator: "-") + word })
        }
        return ids
    }
}
