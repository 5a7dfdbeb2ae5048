import PackGround
import Testing

/// The patterns of `exclude`; `Tests/Rigs/Exclude` compares them with git.
@Suite struct ExclusionPatternTests {
    private static func matches(
        _ pattern: String, _ path: String, isDirectory: Bool = false
    ) throws -> Bool {
        let exclusions = Exclusions([try ExclusionPattern(pattern)])
        return exclusions.match(Array(path.utf8), isDirectory: isDirectory) != nil
    }

    @Test(arguments: [
        ("*.map", "a.map"), ("*.map", "x/y/a.map"), ("/a.map", "a.map"), ("x/*.map", "x/a.map"),
        ("**/*.map", "a.map"), ("**/*.map", "x/y/a.map"), ("x/**", "x/y/z"), ("x/**/z", "x/z"),
        ("x/**/z", "x/a/b/z"), ("a?c", "abc"), ("[a-c].js", "b.js"), ("[!a-c].js", "d.js"),
        ("[^a-c].js", "d.js"), ("[]x].js", "].js"), ("[a-].js", "-.js"), ("[[:digit:]]*", "9a"),
        ("\\#a", "#a"), ("\\!a", "!a"), ("a\\*", "a*"), ("a**b", "axyb"), ("**", "x/y"),
        ("a*b*c*d", "aXbcYbcd"), ("**/a/**/b/c", "a/b/a/x/b/c"),
    ])
    func matching(pattern: String, path: String) throws {
        #expect(try Self.matches(pattern, path))
    }

    @Test(arguments: [
        ("/a.map", "x/a.map"), ("x/*.map", "x/y/a.map"), ("x/*.map", "y/x/a.map"),
        ("x/**", "x"), ("x/**/z", "xz"), ("a*", "A"), ("a?c", "a/c"), ("maps/", "maps"),
        ("a\\*", "ab"), ("[a-c].js", "d.js"), ("*.map", "map"), ("a*b*c*d", "abcX"),
    ])
    func notMatching(pattern: String, path: String) throws {
        #expect(try !Self.matches(pattern, path))
    }

    @Test func theLastMatchCounts() throws {
        let patterns = try ["*.map", "!keep/*.map", "keep/no.map"].map { text in
            try ExclusionPattern(text)
        }
        let exclusions = Exclusions(patterns)
        let pattern = { (path: String) in
            exclusions.match(Array(path.utf8), isDirectory: false)?.text
        }
        #expect(pattern("a.map") == "*.map")
        #expect(pattern("keep/a.map") == nil)
        #expect(pattern("keep/no.map") == "keep/no.map")
        #expect(pattern("a.js") == nil)
    }

    @Test(arguments: [
        "", "#a", "a ", " a", "/", "!", "!/", "a//b", "./a", "a/../b", "[a", "[[:alpha:]",
        "[[:nothing:]]", "[z-a]", "a\\", "a\u{1}", String(repeating: "a", count: 1025),
    ])
    func unusable(pattern: String) {
        #expect(throws: PatternFault.self) { try ExclusionPattern(pattern) }
    }

    /// Backtracking over all stars would exceed the time limit.
    @Test(.timeLimit(.minutes(1)))
    func manyStarsAreLinear() throws {
        let stars = String(repeating: "a*", count: 500) + "b"
        #expect(try !Self.matches(stars, String(repeating: "a", count: 4000)))
        let depths = String(repeating: "**/a/", count: 200) + "b"
        let path = Array(repeating: "a", count: 1000).joined(separator: "/")
        #expect(try !Self.matches(depths, path))
    }
}
