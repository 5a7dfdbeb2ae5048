import Foundation
import PackCheck
import TestSupport
import Testing

/// The Markdown pages of rules: every file belongs to a rule, is embedded, and is well-formed.
struct RulePageTests {
    private static let folder = Checkout.path + "/Sources/PackCore/Check/Rules/Pages"

    /// At run time, a malformed page only omits a rule's prose, so this test must find it.
    @Test(arguments: RuleCatalog.all) func everyPageIsRead(_ rule: Rule) throws {
        let page = try #require(RulePage(rule.id), "no page is embedded: run 'make rules-doc'")
        do throws(RulePage.Malformed) {
            #expect(try !page.title().hasSuffix("."))
            #expect(try !page.explanation().sources.isEmpty)
            #expect(try !page.examples().isEmpty)
        } catch {
            Issue.record("\(rule.id).md:\(error.line): \(error.reason)")
        }
    }

    /// Finds missing or surplus files, and files that are not embedded.
    @Test func filesAndRulesAreTheSame() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder)
        let ids = RuleCatalog.all.map(\.id) + ["not-implemented"]
        #expect(files.sorted() == ids.map { $0 + ".md" }.sorted())
        for id in ids {
            let file = URL(fileURLWithPath: "\(Self.folder)/\(id).md")
            #expect(
                RulePage(id)?.text == Array(try Data(contentsOf: file)),
                "\(id).md is not embedded as it is: run 'make rules-doc'")
        }
    }

    @Test func plannedRulesAreRead() throws {
        let page = try #require(RulePage("not-implemented"))
        let rows = page.text.split(separator: UInt8(ascii: "\n")).count {
            $0.starts(with: "| ".utf8)
        }
        #expect(RuleCatalog.unbuilt.count == rows - 1)
        #expect(RuleCatalog.unbuilt.allSatisfy { !$0.id.isEmpty && !$0.reason.isEmpty })
    }

    private static let page = """
        # some-rule: some title

        Finds it.
        And more.

        ## Why this is bad

        Why.

        ## Use instead

        Instead.

        ## How it is found

        How.

        ## Sources

        - vite #16107, #2 (base (and publicPath))
        - webkit-proof some-case, other-case
        - s003

        ## Bad: a caption

        - profile: path-strict
        - host: a.example, b.example
        - check.budgets.file: 8
        - empty files: b c.png, d.png
        - silent variants: none

        `a.html`:
        ```html
        one⟨U+000D⟩

        ```

        `e.js`:
        ```js
        ```

        ## Good

        `a.html`:
        ```html
        ⟨U+two
        ```
        """

    @Test func readsEveryPart() throws {
        let page = RulePage(id: "some-rule", text: Array((Self.page + "\n").utf8))
        #expect(try page.title() == "some title")
        let explanation = try page.explanation()
        #expect(explanation.what == "Finds it. And more.")
        #expect(explanation.why == "Why.")
        #expect(explanation.instead == "Instead.")
        #expect(explanation.detection == "How.")
        let sources = explanation.sources
        #expect(sources.map(\.source) == [.vite, .webkitProof, .s003])
        #expect(sources.map(\.issues) == [[16107, 2], [], []])
        #expect(sources.map(\.cases) == [[], ["some-case", "other-case"], []])
        #expect(sources.map(\.detail) == ["base (and publicPath)", "", ""])
        let examples = try page.examples()
        try #require(examples.count == 2)
        #expect(examples.map(\.isBad) == [true, false])
        #expect(examples.map(\.caption) == ["a caption", ""])
        #expect(examples.map(\.source) == ["some-rule.md:24", "some-rule.md:42"])
        #expect(examples[0].path == "a.html")
        #expect(examples[0].markedContent == "one\r\n")
        #expect(examples[0].others == ["b c.png": "", "d.png": "", "e.js": ""])
        #expect(examples[0].profile.name == "path-strict")
        #expect(examples[0].profile.hosts == ["a.example", "b.example"])
        #expect(examples[0].options.budgets.file == 8)
        #expect(examples[0].silent.isEmpty)
        #expect(examples[1].profile == Example.profile)
        #expect(examples[1].silent == [.comment, .string])
        #expect(examples[1].markedContent == "⟨U+two")
    }

    /// Faults, each a change to the page above, with the reported line.
    private static let faults: [(from: String, to: String, line: Int)] = [
        ("# some-rule: ", "# other-rule: ", 1), ("some title\n", "some title", 2),
        ("## Why this is bad", "## Why", 6), ("Why.\n\n", "\n\n", 8),
        ("## Use instead\n\nInstead.\n\n", "", 10), ("- s003", "- s005", 22),
        ("#16107", "16107", 20), ("- s003\n\n## Bad", "- s003\n## Bad", 23),
        ("## Bad: a caption", "## Bad a caption", 24), ("- profile:", "- profil:", 26),
        ("path-strict", "path-lax", 26), ("file: 8", "file: eight", 28),
        ("variants: none", "variants: nothing", 30), ("`a.html`:\n```html\none", "one", 32),
        ("`e.js`:", "`a.html`:", 38),
        ("`e.js`:", "`d.png`:", 38), ("\n```\n\n`e.js`", "\n``\n\n`e.js`", 39),
        ("two\n```", "two", 47),
        ("`e.js`:\n```js\n```", "`e.js`:", 39),
    ]

    @Test(arguments: faults.indices) func reportsTheLineOfAFault(_ index: Int) throws {
        let fault = Self.faults[index]
        let text = Self.page.replacing(fault.from, with: fault.to, maxReplacements: 1)
        #expect(text != Self.page)
        let page = RulePage(id: "some-rule", text: Array(text.utf8))
        let error = #expect(throws: RulePage.Malformed.self) {
            _ = try page.title()
            _ = try page.explanation()
            _ = try page.examples()
        }
        #expect(error?.line == fault.line, "\(fault): \(error?.reason ?? "")")
    }

    /// Without its page, a rule still reports findings.
    @Test func aRuleWithoutAPageHasEmptyProse() {
        let rule = Rule("no-such-rule", group: .check, level: .always(.hint))
        #expect(rule.title.isEmpty)
        #expect(rule.explanation.why.isEmpty)
        #expect(rule.examples.isEmpty)
        #expect(RulePage("") == nil)
    }
}
