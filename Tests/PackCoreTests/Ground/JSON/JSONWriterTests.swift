import Foundation
import PackGround
import TestSupport
import Testing

/// The canonical JSON output: byte-stable, and read back unchanged.
struct JSONWriterTests {
    private static func text(_ value: JSONValue) -> String {
        String(decoding: JSONWriter.write(value), as: UTF8.self)
    }

    @Test("golden form")
    func golden() {
        let value = JSONValue.members([
            "version": .string("4320573858a8fa3567a1"),
            "files": .strings(["https://cdn/a b.html", "é"]),
            "none": nil,
            "null": .null,
            "empty": .array([]),
            "nothing": .object([]),
            "assets": .array([
                .members(["path": .string("a"), "size": .integer(1), "tags": .strings(["x", "y"])]),
                .members(["path": .string("b"), "deep": .members(["deeper": .array([.array([])])])]
                ),
            ]),
            "package": .members(["url": .string("u"), "ok": .bool(true), "no": .bool(false)]),
            "ratio": .decimal("1.50"),
        ])
        #expect(
            Self.text(value) == """
                {
                  "version": "4320573858a8fa3567a1",
                  "files": [
                    "https://cdn/a b.html",
                    "é"
                  ],
                  "null": null,
                  "empty": [],
                  "nothing": {},
                  "assets": [
                    {"path": "a", "size": 1, "tags": ["x", "y"]},
                    {"path": "b", "deep": {"deeper": [[]]}}
                  ],
                  "package": {
                    "url": "u",
                    "ok": true,
                    "no": false
                  },
                  "ratio": 1.50
                }

                """)
    }

    @Test(
        "strings escape what RFC 8259 requires and nothing else",
        arguments: [
            ("", #""""#), ("/", #""/""#), ("\"\\", #""\"\\""#),
            ("\n\r\t", #""\u000a\u000d\u0009""#),
            ("\0\u{1F}", #""\u0000\u001f""#), ("\u{7F}\u{85}\u{2028}", "\"\u{7F}\u{85}\u{2028}\""),
            ("é", "\"é\""), ("e\u{301}", "\"e\u{301}\""), ("\u{1F600}", "\"\u{1F600}\""),
            ("</script>", "\"</script>\""),
        ])
    func strings(text: String, written: String) {
        #expect(Self.text(.string(text)).utf8.elementsEqual((written + "\n").utf8))
    }

    @Test(
        "numbers", arguments: [(0, "0"), (-1, "-1"), (9_007_199_254_740_991, "9007199254740991")])
    func numbers(number: Int, written: String) {
        #expect(Self.text(.integer(number)) == written + "\n")
    }

    @Test("every string is read back as its bytes, by this reader and by Foundation's")
    func roundTrip() throws {
        var noise = Noise(seed: 31)
        for _ in 0..<500 {
            let text = String(
                decoding: noise.bytes(Int.random(in: 0...40, using: &noise)), as: UTF8.self)
            let bytes = JSONWriter.write(.array([.string(text)]))
            guard case .array(let elements) = try JSONParser.parse(bytes),
                case .string(let read) = elements[0]
            else {
                Issue.record("read as something else")
                return
            }
            #expect(read.utf8.elementsEqual(text.utf8))
            let foreign = try JSONDecoder().decode([String].self, from: Data(bytes))
            #expect(foreign[0].utf8.elementsEqual(text.utf8))
        }
    }
}
