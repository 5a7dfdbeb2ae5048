import PackGround
import TestSupport
import Testing

/// Portable and rejected names.
struct AssetPathTests {
    @Test(
        "accepted",
        arguments: [
            "a", "a/b/c", "with space", " leading", "a..b", "..a", "a..", "...", ".hidden",
            "%2e%2e",
            "日本語/é.js", "e\u{301}", "C:/x", "con", "x.", "-rf", "~", "\u{1F600}", "\u{A0}",
            "\u{FEFF}x",
        ])
    func accepted(name: String) throws {
        let path = try AssetPath(name)
        #expect(path.bytes == Array(name.utf8))
        #expect(path.description.utf8.elementsEqual(name.utf8))
    }

    @Test(
        "refused",
        arguments: [
            ("", .empty), ("/", .absolute), ("/a", .absolute), ("//a", .absolute),
            ("a/", .emptyComponent), ("a//b", .emptyComponent), (".", .dotComponent),
            ("..", .dotComponent), ("../a", .dotComponent), ("a/../b", .dotComponent),
            ("a/.", .dotComponent), ("a\\b", .backslash), ("\u{0}", .controlCharacter),
            ("a\tb", .controlCharacter), ("a\u{1F}", .controlCharacter),
            ("a\u{7F}", .controlCharacter),
            ("a\u{80}", .controlCharacter), ("a\u{9F}", .controlCharacter),
            (String(repeating: "x", count: 256), .componentTooLong),
            ("a/" + String(repeating: "é", count: 128), .componentTooLong),
        ] as [(String, NameProblem)])
    func refused(name: String, problem: NameProblem) {
        #expect(throws: problem) { try AssetPath(name) }
    }

    @Test(
        "not UTF-8",
        arguments: [
            [0x80], [0xFF], [0xC3], [0xC0, 0xAF], [0xE0, 0x80, 0xAF], [0xED, 0xA0, 0x80],
            [0xF4, 0x90, 0x80, 0x80], [0xF8, 0x88, 0x80, 0x80, 0x80], [0x61, 0xE2, 0x82],
        ] as [[UInt8]])
    func notUTF8(bytes: [UInt8]) {
        #expect(throws: NameProblem.notUTF8) { try AssetPath(bytes) }
    }

    @Test("a component of 255 bytes is the longest")
    func longestComponent() throws {
        #expect(throws: Never.self) { try AssetPath(String(repeating: "x", count: 255)) }
        #expect(throws: Never.self) {
            try AssetPath("a/" + String(repeating: "é", count: 127) + "x/b")
        }
    }

    @Test("compared and sorted by bytes, never as text")
    func byteOrder() throws {
        let names = [
            "e\u{301}", "é", "Z", "a", "a.b", "a/b", "a-b", "a b", "\u{FF5E}", "\u{1F600}", "ab",
        ]
        let sorted = try names.map { try AssetPath($0) }.sorted().map(\.bytes)
        #expect(sorted == names.map { Array($0.utf8) }.sorted { $0.lexicographicallyPrecedes($1) })
        // The two spellings of é are equal as String, but different paths.
        #expect("é" == "e\u{301}")
        #expect(try AssetPath("é") != AssetPath("e\u{301}"))
        #expect(try Set([AssetPath("é"), AssetPath("e\u{301}")]).count == 2)
        // A character beyond U+FFFF sorts after U+FF5E in UTF-8, before it in UTF-16.
        #expect(try AssetPath("\u{FF5E}") < AssetPath("\u{1F600}"))
    }

    @Test("file name and directories")
    func parts() throws {
        let path = try AssetPath("a/bc/d.js")
        #expect(path.fileName == Array("d.js".utf8))
        #expect(path.directories.map { String(decoding: $0, as: UTF8.self) } == ["a", "a/bc"])
        #expect(try AssetPath("d.js").directories.isEmpty)
        #expect(try AssetPath("d.js").fileName == Array("d.js".utf8))
    }

    @Test(
        "portable",
        arguments: [
            "a", "console.js", "com", "com10", "lpt", "auxiliary", "nul-1", "x.con", "a..b", ".x",
            "é", "\u{3053}", "conin", "COMA", "com\u{B9}",
        ])
    func portable(name: String) throws {
        #expect(try AssetPath(name).portabilityProblem == nil)
    }

    @Test(
        "not portable",
        arguments: [
            ("a:b", .colon), ("x.", .trailingDotOrSpace), ("x ", .trailingDotOrSpace),
            ("x./y", .trailingDotOrSpace), ("con", .deviceName), ("a/CoN.js", .deviceName),
            ("nul .js", .deviceName), ("COM9", .deviceName), ("lpt0.x", .deviceName),
            ("e\u{301}", .notComposed), ("\u{2126}", .notComposed), ("\u{F900}", .notComposed),
            (String(repeating: "a/", count: 32) + "a", .tooDeep),
            (
                (1...5).map { _ in String(repeating: "x", count: 204) }.joined(separator: "/")
                    + "x", .pathTooLong
            ),
        ] as [(String, NameProblem)])
    func notPortable(name: String, problem: NameProblem) throws {
        #expect(try AssetPath(name).portabilityProblem == problem)
    }

    @Test("a path of 1,024 bytes and one of 32 components are the longest and the deepest")
    func longestPath() throws {
        let long = (1...5).map { _ in String(repeating: "x", count: 204) }.joined(separator: "/")
        #expect(long.utf8.count == 1024)
        #expect(try AssetPath(long).portabilityProblem == nil)
        #expect(try AssetPath(String(repeating: "a/", count: 31) + "a").portabilityProblem == nil)
    }

    @Test("every problem has a reason of its own")
    func reasons() {
        let all: [NameProblem] = [
            .empty, .absolute, .emptyComponent, .dotComponent, .controlCharacter, .backslash,
            .notUTF8,
            .componentTooLong, .symbolicLink, .notAFile, .collides(with: "x"), .colon,
            .trailingDotOrSpace,
            .deviceName, .notComposed, .pathTooLong, .tooDeep,
        ]
        #expect(Set(all.map(\.reason)).count == all.count)
    }
}
