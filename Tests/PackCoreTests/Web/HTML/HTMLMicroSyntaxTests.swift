import Foundation
import PackGround
import PackWeb
import TestSupport
import Testing

/// `srcset` and meta refresh, against the cases of web-platform-tests.
struct HTMLMicroSyntaxTests {
    /// Cases of the oracle for which the standard has changed since.
    ///
    /// In the oracle's version of the test, browsers ignored unknown descriptors. The current
    /// standard drops the candidate, and so do the current test (wpt 704d739c: `data:,a foo`
    /// selects nothing) and browsers.
    static let changedSince: Set<String> = [
        "data:,a foo", "data:,a foo foo", "data:,a foo 1x", "data:,a foo 1w", "data:,a -1w",
        "data:,a 1.0w", "data:,a 1e0w", "data:,a 1www", "data:,a +1w", "data:,a 1W",
        "data:,a -1x", "data:,a 1x 1e1.5x", "data:,a 1w 1h -1h",
    ]

    @Test("srcset")
    func srcset() throws {
        let folder = try SharedFolder.require("oracles/html")
        let table = try String(contentsOfFile: folder + "/srcset.tsv", encoding: .utf8)
        var passed = 0
        var changed: Set<String> = []
        for line in table.split(separator: "\n") {
            let columns = line.split(separator: "\t", omittingEmptySubsequences: false)
            // White space is written as references, except for the tabs of the first lines.
            let value = columns.dropLast().joined(separator: "\t")
            let source = Array(value.utf8)
            let text = HTMLDecodedText(source.span, 0..<source.count, as: .attribute).bytes
            let selected = SrcsetCandidate.parse(text).first(where: \.isValid).map {
                String(decoding: text[$0.url], as: UTF8.self)
            }
            if selected ?? "" == columns.last ?? "" {
                passed += 1
            } else {
                changed.insert(value)
                #expect(selected == nil, "\(value)")
            }
        }
        #expect(changed == Self.changedSince)
        #expect(passed >= 55)
        print("html/srcset.tsv: \(passed) cases pass, \(changed.count) differ by today's standard")
    }

    @Test("meta refresh")
    func refresh() throws {
        let folder = try SharedFolder.require("oracles/html")
        let data = try Data(contentsOf: URL(fileURLWithPath: folder + "/refresh.json"))
        let cases = try #require(try JSONParser.parse([UInt8](data)).elements)
        for test in cases {
            let parts = try #require(test.elements)
            let input = Array((parts[0].string ?? "").utf8)
            let refresh = MetaRefresh(input)
            // The oracle contains the output of the URL parser.
            let url = refresh?.url.map { range in
                String(decoding: input[range], as: UTF8.self)
                    .filter { !"\t\n\r".contains($0) }.trimmingCharacters(in: .whitespaces)
            }
            #expect(refresh?.seconds == parts[1].integer, "\(parts[0])")
            #expect(url == parts[2].string, "\(parts[0])")
        }
        #expect(cases.count == 69)
        print("html/refresh.json: \(cases.count) of \(cases.count) cases pass")
    }

    @Test(
        "all candidates, with their ranges",
        arguments: [
            ("a.png, b.png 2x", ["a.png", "b.png 2x"]),
            ("a.png 1x,b.png 2x", ["a.png 1x", "b.png 2x"]),
            (
                "a,b.png 1x, data:image/png;base64,AA== 2x",
                ["a,b.png 1x", "data:image/png;base64,AA== 2x"]
            ),
            ("a.png 1x 2x, b.png", ["a.png 1x 2x !", "b.png"]),
            ("a.png (x, y) , b.png", ["a.png (x, y) !", "b.png"]),
            ("a.png,b.png", ["a.png,b.png"]), ("a.png,, ,b.png", ["a.png", "b.png"]),
            ("a 100w 50h, b 200w", ["a 100w 50h", "b 200w"]), ("a 50h", ["a 50h !"]),
            (
                "a .5x, b 1.x, c 1e3x, d -0x, e -1x",
                ["a .5x", "b 1.x !", "c 1e3x", "d -0x", "e -1x !"]
            ),
            ("a 0w, b 00w, c 01w", ["a 0w !", "b 00w !", "c 01w"]), ("", []), (" ,\n, ", []),
        ])
    func candidates(value: String, expected: [String]) {
        let bytes = Array(value.utf8)
        let found = SrcsetCandidate.parse(bytes).map { candidate in
            let parts = [candidate.url, candidate.descriptors].map {
                String(decoding: bytes[$0], as: UTF8.self)
            }
            return (parts.filter { !$0.isEmpty } + (candidate.isValid ? [] : ["!"]))
                .joined(separator: " ")
        }
        #expect(found == expected)
    }
}
