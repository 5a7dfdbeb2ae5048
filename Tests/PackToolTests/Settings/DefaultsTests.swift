import Foundation
import PackCheck
import PackSettings
import TestSupport
import Testing

/// `docs/defaults.md` lists the values of ``Defaults``.
struct DefaultsTests {
    @Test func theTableOfTheDocsIsThatOfTheCode() throws {
        let page = try String(
            contentsOfFile: Checkout.path + "/docs/defaults.md", encoding: .utf8)
        let marker = "<!-- defaults -->"
        let table = try #require(page.components(separatedBy: marker).dropFirst().first)
        let rows = table.split(separator: "\n").dropFirst(2).map(String.init)
        let expected = Defaults.table.map {
            "| \($0.what) | \($0.flag) | \($0.key) | \($0.value) |"
        }
        #expect(rows == expected, "write:\n\(expected.joined(separator: "\n"))")
    }

    /// The rule pages quote the limits.
    @Test func rulesQuoteTheLimits() throws {
        let largeFile = try #require(RuleCatalog.rule("large-file"))
        #expect(largeFile.explanation.what.contains("2 MB"))
        #expect(Defaults.budgets.file == 2_000_000)
        let package = try #require(RuleCatalog.rule("package-too-large"))
        #expect(package.explanation.what.contains("50 MB"))
        #expect(Defaults.budgets.package == 50_000_000)
    }
}
