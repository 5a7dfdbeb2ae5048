import Foundation
import PackGround
import TestSupport
import Testing

@Suite struct DisplayWidthTests {
    /// The oracle is Python's Unicode database, which shares no table with packtool.
    ///
    /// U+1171E is a nonspacing mark in Python's version and a spacing one in later versions.
    @Test func countsColumnsAsUnicodeDoes() async throws {
        let run = try await ForeignTool.python(
            """
            import unicodedata as u
            for c in range(0x300, 0x30000):
                x = chr(c)
                if u.category(x) in ('Cn', 'Cs', 'Co', 'Cc', 'Zl', 'Zp') or 0x1160 <= c <= 0x11FF \
            or 0xD7B0 <= c <= 0xD7FF or c == 0x1171E: continue
                w = 0 if u.category(x) in ('Mn', 'Me', 'Cf') else 2 if u.east_asian_width(x) in 'WF' else 1
                print(c, w)
            """)
        #expect(run.status == 0, "\(run.errors)")
        var wrong: [String] = []
        var count = 0
        for line in run.lines {
            let words = line.split(separator: " ").compactMap { UInt32($0) }
            let scalar = try #require(words.first.flatMap(Unicode.Scalar.init))
            count += 1
            let width = displayWidth(String(Character(scalar)))
            if width != Int(words[1]) { wrong.append("\(line) but \(width)") }
        }
        #expect(count > 100_000)
        #expect(wrong == [])
    }

    @Test(arguments: [
        ("abc", 3), ("", 0), ("日本語", 6), ("cafe\u{301}", 4), ("ｆｕｌｌ", 8), ("🇩🇪", 2), ("한", 2),
        ("\u{1112}\u{1161}\u{11AB}", 2),
    ])
    func ofATextIsTheSum(text: String, width: Int) {
        #expect(displayWidth(text) == width)
    }

    @Test(arguments: [
        ("abcdef", 6, "abcdef"), ("abcdef", 5, "abcd…"), ("日本語", 5, "日本…"), ("日本語", 4, "日…"),
        ("abc", 1, "…"), ("abc", 0, "…"),
    ])
    func clipsAtWholeCharacters(text: String, columns: Int, expected: String) {
        #expect(clipped(text, to: columns) == expected)
    }
}
