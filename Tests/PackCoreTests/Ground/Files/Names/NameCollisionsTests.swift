import PackGround
import TestSupport
import Testing

/// Names that are the same on some client's file system.
struct NameCollisionsTests {
    private static func collisions(_ names: [String]) throws -> [String] {
        try NameCollisions.find(in: names.map { try AssetPath($0) }).map { path, problem in
            guard case .collides(let other) = problem else { return "\(problem)" }
            return "\(path) = \(other)"
        }
    }

    @Test("names that can be kept apart")
    func apart() throws {
        let names = [
            "a", "a.js", "a-b/c", "ab/c", "b/a", "b/c/a", "é", "ö", "ss", "ıx", "日本", "日木",
            "ı.txt", "i.txt", "İ.txt",
        ]
        #expect(try Self.collisions(names).isEmpty)
    }

    @Test(
        "names that cannot",
        arguments: [
            (["A", "a"], "a = A"), (["a/X", "a/x"], "a/x = a/X"), (["A/b", "a/c"], "a/c = A"),
            (["É", "é"], "é = É"), (["é", "e\u{301}"], "e\u{301} = é"),
            (["É", "e\u{301}"], "e\u{301} = É"),
            (["straße", "STRASSE"], "STRASSE = straße"), (["ẞ", "ss"], "ss = ẞ"),
            (["ẞ", "ß"], "ß = ẞ"),
            (["Σ", "ς"], "ς = Σ"), (["σ", "ς"], "ς = σ"), (["\u{FB01}", "fi"], "fi = \u{FB01}"),
            (["\u{212A}", "k"], "k = \u{212A}"), (["\u{1E9B}", "\u{1E61}"], "\u{1E61} = \u{1E9B}"),
            (["a", "a/b"], "a/b = a"), (["a/b", "a"], "a = a/b"), (["x", "x"], "x = x"),
            (["LIB", "lib/x"], "lib/x = LIB"), (["a/b/c", "A/B"], "A/B = a"),
        ] as [([String], String)])
    func meeting(names: [String], expected: String) throws {
        let found = try Self.collisions(names)
        // `a/b` before `a`: the file collides with the directory of the same name.
        if names == ["a/b", "a"] {
            #expect(found == ["a = a"])
        } else {
            #expect(found == [expected])
        }
    }

    @Test("all of them are found, not the first alone")
    func all() throws {
        #expect(try Self.collisions(["A", "B", "C", "a", "b", "x"]) == ["a = A", "b = B"])
    }

    @Test("deep paths of their own do not take memory for each directory")
    func deep() throws {
        // 31 directories each: a table of all directories would have a million and a half entries.
        let tail = String(repeating: "/a", count: 30) + "/f"
        let names = (0..<50_000).map { "\($0)" + tail }
        #expect(try Self.collisions(names.sorted()).isEmpty)
        #expect(try Self.collisions(["0", "A" + tail, "a" + tail]) == ["a\(tail) = A"])
    }

    @Test("the outermost meeting is told, and the first in listing order has the name")
    func order() throws {
        #expect(
            try Self.collisions(["a/B/c", "a/b/C", "a/b/c", "a/b/d"]) == [
                "a/b/C = a/B", "a/b/c = a/B", "a/b/d = a/B",
            ])
        #expect(
            try Self.collisions(["A/x", "a/X", "a/x", "b/x/y", "b/X"]) == [
                "a/X = A", "a/x = A", "b/X = b/x",
            ])
        #expect(
            try Self.collisions(["a/é/ẞ", "a/É/SS", "a/é/ss"]) == [
                "a/É/SS = a/é", "a/é/ss = a/é/ẞ",
            ])
        #expect(try Self.collisions(["a-b/x", "a/x", "a.b/x", "a/y"]).isEmpty)
    }

    @Test("the same as comparing every name with every other", arguments: 0..<200)
    func reference(seed: Int) throws {
        var state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 | 1
        func random(_ count: Int) -> Int {
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return Int(state % UInt64(count))
        }
        let words = ["a", "A", "b", "é", "É", "e\u{301}", "ss", "ẞ", "a-", "a."]
        let names = (0..<(2 + random(14))).map { _ in
            (0..<(1 + random(4))).map { _ in words[random(words.count)] }.joined(separator: "/")
        }
        let claims = try names.map {
            NameCollisions.Name(path: try AssetPath($0), isFile: random(5) > 0)
        }
        let found = NameCollisions.find(among: claims)
        let expected = Self.slow(claims)
        #expect(found.map(\.path) == expected.map(\.path), "\(names)")
        #expect(found.map(\.problem) == expected.map(\.problem), "\(names)")
    }

    /// The reference implementation: every directory of every name in one table.
    private static func slow(
        _ names: [NameCollisions.Name]
    ) -> [(path: AssetPath, problem: NameProblem)] {
        var taken: [[UInt8]: (name: [UInt8], isFile: Bool)] = [:]
        var found: [(path: AssetPath, problem: NameProblem)] = []
        for claimed in names {
            var problem: NameProblem?
            let claims =
                claimed.path.directories.map { ($0, false) }
                + [(claimed.path.bytes[...], claimed.isFile)]
            for (name, isFile) in claims {
                let key = AssetPath.foldedKey(name)
                guard let earlier = taken[key] else {
                    taken[key] = (Array(name), isFile)
                    continue
                }
                let isSame = !isFile && !earlier.isFile && earlier.name == Array(name)
                if !isSame, problem == nil { problem = .collides(with: printable(earlier.name)) }
            }
            if let problem { found.append((claimed.path, problem)) }
        }
        return found
    }

    @Test("every character meets its case folding, as Python's tables have it")
    func caseFolding() async throws {
        let output = try await ForeignTool.python(
            """
            import unicodedata as u
            for code in range(0x80, 0x110000):
                if 0xD800 <= code < 0xE000 or u.category(chr(code)) in ('Cn', 'Cc'): continue
                character = chr(code)
                folded = u.normalize('NFC', character.casefold())
                if folded != character: print(code, *map(ord, folded))
            """)
        let lines = output.output.split(separator: "\n")
        #expect(output.status == 0 && lines.count > 1_000, "\(output.all)")
        for line in lines {
            let scalars = line.split(separator: " ").compactMap {
                UInt32($0).flatMap(Unicode.Scalar.init)
            }
            var (one, other) = ("", "")
            one.unicodeScalars.append(scalars[0])
            other.unicodeScalars.append(contentsOf: scalars.dropFirst())
            #expect(
                AssetPath.foldedKey(Array(one.utf8)[...])
                    == AssetPath.foldedKey(Array(other.utf8)[...]),
                "U+\(String(scalars[0].value, radix: 16))")
        }
    }
}
