import Foundation
import TestSupport
import Testing

/// Every case of html5lib's tokenizer tests: tokens, and errors with their locations.
struct TokenizerOracleTests {
    static let files = [
        "contentModelFlags", "domjs", "entities", "escapeFlag", "namedEntities",
        "numericEntities", "test1", "test2", "test3", "test4", "unicodeChars",
        "unicodeCharsProblematic",
    ]

    /// Skipped cases, whose input cannot be represented in UTF-8.
    static let unrepresentable: [String: [String]] = [
        "unicodeCharsProblematic": [
            "Invalid Unicode character U+DFFF", "Invalid Unicode character U+D800",
            "Invalid Unicode character U+DFFF with valid preceding character",
            "Invalid Unicode character U+D800 with valid following character",
        ]
    ]

    /// Errors about controls and noncharacters are excluded, because the tokenizer does not check
    /// them.
    @Test("html5lib's tokenizer cases", arguments: files)
    func cases(file: String) throws {
        let folder = try SharedFolder.require("oracles/html-tokenizer")
        let oracle = try TokenizerOracle(file: "\(folder)/\(file).test")
        #expect(oracle.unrepresentable == Self.unrepresentable[file] ?? [])
        #expect(!oracle.cases.isEmpty)
        var failures = 0
        for test in oracle.cases {
            let (output, places) = test.run()
            guard output != test.output || places != test.errors else { continue }
            failures += 1
            // The first few show the problem; the count shows the extent.
            if failures <= 5 {
                let input = OracleTokens.quoted(test.input)
                #expect(output == test.output, "\(test.description): \(input), \(test.state)")
                #expect(places == test.errors, "\(test.description): \(input), \(test.state)")
            }
        }
        #expect(failures == 0)
        print(
            "html-tokenizer/\(file).test: \(oracle.cases.count - failures) of"
                + " \(oracle.cases.count) cases pass,"
                + " \(oracle.unrepresentable.count) cannot be UTF-8")
    }

    @Test("the folder holds no file that is not run")
    func complete() throws {
        let folder = try SharedFolder.require("oracles/html-tokenizer")
        let present = try FileManager.default.contentsOfDirectory(atPath: folder)
            .filter { $0.hasSuffix(".test") }.map { String($0.dropLast(5)) }
        #expect(present.sorted() == Self.files.sorted())
    }
}
