import Testing

@testable import PackCore

/// Names that some client's file system cannot keep apart.
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
        // `a/b` before `a`: the file meets the directory, which is named by itself.
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
        let lines = output.text.split(separator: "\n")
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
