import PackGround
import PackRelease
import TestSupport
import Testing

/// Typed access to a document, with the location in every error.
struct JSONObjectTests {
    private static func object(_ text: String, path: String = "") throws -> JSONObject {
        try JSONObject(JSONParser.parse(Array(text.utf8)), path: path)
    }

    private static func error<Value>(_ text: String, _ read: (JSONObject) throws -> Value)
        -> String?
    {
        do {
            _ = try read(object(text))
            return nil
        } catch {
            return "\(error)"
        }
    }

    @Test("members are read")
    func read() throws {
        let object = try Self.object(
            """
            {"s": "x", "i": 5, "b": true, "a": [1], "n": null, "o": {"s": "y"},
             "d": "\(String(repeating: "0a", count: 32))", "v": "0123456789abcdef0123"}
            """)
        #expect(try object.string("s") == "x")
        #expect(try object.optionalString("n") == nil)
        #expect(try object.optionalString("gone") == nil)
        #expect(try object.integer("i", in: 5...5) == 5)
        #expect(try object.bool("b"))
        #expect(try object.array("a", atMost: 1) == [.integer(1)])
        #expect(try object.object("o").string("s") == "y")
        #expect(try object.optionalObject("n") == nil)
        #expect(try object.digest("d").bytes == [UInt8](repeating: 0x0A, count: 32))
        #expect(try object.version("v").description == "0123456789abcdef0123")
    }

    @Test("errors name the place and what was wanted")
    func errors() {
        #expect(Self.error("[]") { _ in 0 } == "is not an object")
        #expect(Self.error("{}") { try $0.string("s") } == "s is missing")
        #expect(Self.error(#"{"s": null}"#) { try $0.string("s") } == "s is missing")
        #expect(Self.error(#"{"s": 1}"#) { try $0.string("s") } == "s is not a string")
        #expect(Self.error(#"{"s": 1}"#) { try $0.optionalString("s") } == "s is not a string")
        #expect(
            Self.error(#"{"i": "1"}"#) { try $0.integer("i", in: 0...1) }
                == "i is not a whole number")
        #expect(
            Self.error(#"{"i": 1.0}"#) { try $0.integer("i", in: 0...1) }
                == "i is not a whole number")
        #expect(
            Self.error(#"{"i": 2}"#) { try $0.integer("i", in: 0...1) } == "i is 2, outside 0 to 1")
        #expect(Self.error(#"{"b": 0}"#) { try $0.bool("b") } == "b is not true or false")
        #expect(Self.error(#"{"a": {}}"#) { try $0.array("a", atMost: 1) } == "a is not an array")
        #expect(
            Self.error(#"{"a": [1, 2]}"#) { try $0.array("a", atMost: 1) }
                == "a has 2 elements, more than 1")
        #expect(
            Self.error(#"{"o": {"p": 1}}"#) { try $0.object("o").string("p") }
                == "o.p is not a string")
        #expect(Self.error(#"{"o": 1}"#) { try $0.optionalObject("o") } == "o is not an object")
    }

    @Test(
        "digests and versions are lower-case hexadecimal digits of one length",
        arguments: [
            "", "0", String(repeating: "A", count: 64), String(repeating: "g", count: 64),
            String(repeating: "a", count: 63), String(repeating: "a", count: 65),
            String(repeating: "é", count: 32),
            String(repeating: "A", count: 20), String(repeating: "a", count: 19) + "g",
        ])
    func digests(text: String) {
        #expect(Digest(text) == nil)
        #expect(Version(text) == nil)
    }
}
