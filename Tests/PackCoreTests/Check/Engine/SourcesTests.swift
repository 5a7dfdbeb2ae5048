import Foundation
import PackCheck
import TestSupport
import Testing

/// `docs/sources.md`: every citation has an anchor there, and every anchor is cited.
struct SourcesTests {
    @Test func everySourceOfARuleHasAnEntry() throws {
        let entries = try Self.entries()
        for source in CitedSource.allCases {
            let text = try #require(entries[source.rawValue], "no '### \(source.rawValue)'")
            if let address = source.home ?? source.address {
                #expect(text.contains(address), "\(source.rawValue)")
            }
        }
    }

    /// At least two sentences: a description, and the reason for citing it.
    @Test func everyEntrySaysWhatItIs() throws {
        for (anchor, text) in try Self.entries() {
            #expect(text.split(separator: "\n").count >= 2, "\(anchor)")
        }
    }

    @Test func everyEntryIsCited() throws {
        let cited = try Set(Self.citations().map(\.anchor))
        for anchor in try Self.entries().keys {
            #expect(cited.contains(anchor), "nothing cites sources.md#\(anchor)")
        }
    }

    @Test func everyCitationHasAnEntry() throws {
        let entries = try Self.entries()
        for (file, anchor) in try Self.citations() {
            #expect(entries[anchor] != nil, "\(file) cites sources.md#\(anchor)")
        }
    }

    @Test func everySourceIsUsedByARule() {
        let used = Set(RuleCatalog.all.flatMap(\.explanation.sources).map(\.source))
        #expect(used == Set(CitedSource.allCases))
    }

    @Test func everyProofIsAFolder() throws {
        for citation in RuleCatalog.all.flatMap(\.explanation.sources) {
            for name in citation.cases {
                let path = "\(Checkout.path)/\(CitedSource.cases)/\(name)"
                #expect(FileManager.default.fileExists(atPath: path), "\(path)")
            }
        }
    }

    /// Documents not shipped with the project.
    @Test func nothingCitesWhatReadersDoNotHave() throws {
        let absent = [
            "rules section", "contract section", "reliability section", "rules catalogue",
            "webview-rules", "../shared", "packtool.invalid", "still valid", "stillValid",
        ]
        for file in try Self.files(["Sources", "docs", "README.md", "examples"]) {
            let text = try Self.read(file)
            for words in absent { #expect(!text.contains(words), "\(file): '\(words)'") }
        }
    }

    /// The text of each entry, by anchor.
    private static func entries() throws -> [String: String] {
        var entries: [String: String] = [:]
        for part in try read("docs/sources.md").components(separatedBy: "\n### ").dropFirst() {
            let lines = part.components(separatedBy: "\n")
            let body = lines.dropFirst().prefix { !$0.hasPrefix("#") }.filter { !$0.isEmpty }
            #expect(entries[lines[0]] == nil, "two entries '\(lines[0])'")
            entries[lines[0]] = body.joined(separator: "\n")
        }
        return entries
    }

    private static func citations() throws -> [(file: String, anchor: String)] {
        var citations: [(String, String)] = []
        for file in try files(["Sources", "docs", "README.md", "CONTRIBUTING.md"]) {
            for piece in try read(file).components(separatedBy: "sources.md#").dropFirst() {
                let anchor = piece.prefix {
                    $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-")
                }
                // In Swift, the anchor may be an interpolation.
                if !anchor.isEmpty { citations.append((file, String(anchor))) }
            }
        }
        return citations
    }

    /// The text files below some paths of the checkout.
    private static func files(_ roots: [String]) throws -> [String] {
        let endings = ["swift", "md", "c", "h", "json", "yaml"]
        return roots.flatMap { root -> [String] in
            let path = Checkout.path + "/" + root
            guard let below = FileManager.default.enumerator(atPath: path) else { return [root] }
            let names = below.compactMap { $0 as? String }.filter { name in
                endings.contains { name.hasSuffix("." + $0) }
            }
            return names.isEmpty ? [root] : names.map { root + "/" + $0 }
        }
    }

    private static func read(_ file: String) throws -> String {
        let url = URL(fileURLWithPath: Checkout.path + "/" + file)
        return try String(contentsOf: url, encoding: .utf8)
    }
}
