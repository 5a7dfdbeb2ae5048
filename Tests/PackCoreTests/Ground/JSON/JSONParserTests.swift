import PackGround
import TestSupport
import Testing

/// Strict RFC 8259: accepted and rejected documents.
struct JSONParserTests {
    @Test(
        "read",
        arguments: [
            ("null", .null), ("true", .bool(true)), ("false", .bool(false)), ("0", .integer(0)),
            ("-0", .integer(0)), ("-1", .integer(-1)), ("1234567890", .integer(1_234_567_890)),
            ("9007199254740991", .integer(9_007_199_254_740_991)),
            ("-9007199254740991", .integer(-9_007_199_254_740_991)),
            ("1.5", .decimal("1.5")), ("-0.0", .decimal("-0.0")), ("1e3", .decimal("1e3")),
            ("1E+3", .decimal("1E+3")), ("2.5e-10", .decimal("2.5e-10")), ("0e0", .decimal("0e0")),
            ("1e999", .decimal("1e999")),
            ("\"\"", .string("")), ("\"é日\u{1F600}\"", .string("é日\u{1F600}")),
            (#""\"\\\/\b\f\n\r\t""#, .string("\"\\/\u{8}\u{C}\n\r\t")),
            (#""\u0041\u00e9\u65E5""#, .string("A\u{E9}\u{65E5}")),
            (#""\ud83d\ude00""#, .string("\u{1F600}")), (#""\u0000""#, .string("\0")),
            (#""\uFFFF\uFEFF""#, .string("\u{FFFF}\u{FEFF}")),
            ("\"\u{7F}\u{2028}\"", .string("\u{7F}\u{2028}")),
            ("[]", .array([])), ("[ ]", .array([])), ("{}", .object([])), ("{ }", .object([])),
            ("[1,2]", .array([.integer(1), .integer(2)])),
            (" \t\r\n[ 1 , \"x\" ]\n ", .array([.integer(1), .string("x")])),
            (
                "{\"b\":1,\"a\":[null]}",
                .object([.init("b", .integer(1)), .init("a", .array([.null]))])
            ),
            ("{\"\":0}", .object([.init("", .integer(0))])),
            ("{\"a\":1,\"A\":2}", .object([.init("a", .integer(1)), .init("A", .integer(2))])),
        ] as [(String, JSONValue)])
    func read(text: String, value: JSONValue) throws {
        #expect(try JSONParser.parse(Array(text.utf8)) == value)
    }

    @Test(
        "refused",
        arguments: [
            ("", .unexpectedEnd, 0), (" ", .unexpectedEnd, 1), ("nul", .unexpectedEnd, 3),
            ("nule", .unexpectedByte, 3), ("True", .unexpectedByte, 0), ("NaN", .unexpectedByte, 0),
            ("Infinity", .unexpectedByte, 0), ("-Infinity", .unexpectedByte, 1),
            ("undefined", .unexpectedByte, 0),
            ("'a'", .unexpectedByte, 0), ("+1", .unexpectedByte, 0), (".5", .unexpectedByte, 0),
            ("-", .unexpectedEnd, 1), ("1.", .unexpectedEnd, 2), ("1.x", .unexpectedByte, 2),
            ("1e", .unexpectedEnd, 2), ("1e+", .unexpectedEnd, 3), ("1ex", .unexpectedByte, 2),
            ("01", .trailingBytes, 1), ("-01", .trailingBytes, 2), ("0x10", .trailingBytes, 1),
            ("1 2", .trailingBytes, 2), ("{}{}", .trailingBytes, 2), ("null\0", .trailingBytes, 4),
            ("[1]]", .trailingBytes, 3), ("[]//", .trailingBytes, 2), ("{} ,", .trailingBytes, 3),
            ("[", .unexpectedEnd, 1), ("[1", .unexpectedEnd, 2), ("[1,", .unexpectedEnd, 3),
            ("[1,]", .unexpectedByte, 3), ("[,1]", .unexpectedByte, 1),
            ("[1 2]", .unexpectedByte, 3),
            ("[1}", .unexpectedByte, 2), ("{", .unexpectedEnd, 1), ("{]", .unexpectedByte, 1),
            ("{a:1}", .unexpectedByte, 1), ("{\"a\"}", .unexpectedByte, 4),
            ("{\"a\":}", .unexpectedByte, 5),
            ("{\"a\":1,}", .unexpectedByte, 7), ("{\"a\" 1}", .unexpectedByte, 5),
            ("{1:1}", .unexpectedByte, 1),
            ("{\"a\":1", .unexpectedEnd, 6), ("// x\n1", .unexpectedByte, 0),
            ("[1/**/]", .unexpectedByte, 2),
            ("\u{A0}1", .unexpectedByte, 0), ("\u{B}1", .unexpectedByte, 0),
            ("\"", .unexpectedEnd, 1), ("\"a", .unexpectedEnd, 2), ("\"\\", .unexpectedEnd, 2),
            ("\"\n\"", .controlInString, 1), ("\"\t\"", .controlInString, 1),
            ("\"\0\"", .controlInString, 1),
            ("\"\u{1F}\"", .controlInString, 1), ("\"\\x41\"", .invalidEscape, 2),
            ("\"\\'\"", .invalidEscape, 2),
            ("\"\\U0041\"", .invalidEscape, 2), ("\"\\a\"", .invalidEscape, 2),
            ("\"\\u00g0\"", .invalidEscape, 5), ("\"\\u+041\"", .invalidEscape, 3),
            ("\"\\u41\"", .invalidEscape, 5),
            ("\"\\ud800\"", .unexpectedByte, 7), ("\"\\ud800x\"", .unexpectedByte, 7),
            ("\"\\udc00\"", .invalidEscape, 7), ("\"\\ud800\\ud800\"", .invalidEscape, 13),
            ("\"\\ud800\\n\"", .unexpectedByte, 8), ("\"\\ud83d\\u0041\"", .invalidEscape, 13),
            ("9007199254740992", .numberTooLarge, 0), ("-9007199254740992", .numberTooLarge, 0),
            ("[99999999999999999999999]", .numberTooLarge, 1),
            ("9223372036854775808", .numberTooLarge, 0),
            ("-9223372036854775808", .numberTooLarge, 0),
            ("{\"a\":1,\"a\":2}", .duplicateName("a"), 7),
            ("{\"a\":1,\"\\u0061\":2}", .duplicateName("a"), 7),
            ("[{\"x\":{\"b\":1,\"c\":2,\"b\":3}}]", .duplicateName("b"), 19),
            ("{\"\":1,\"\":2}", .duplicateName(""), 6),
            ("\u{FEFF}{}", .byteOrderMark, 0),
        ] as [(String, JSONError.Reason, Int)])
    func refused(text: String, reason: JSONError.Reason, offset: Int) {
        #expect(throws: JSONError(reason: reason, offset: offset)) {
            try JSONParser.parse(Array(text.utf8))
        }
    }

    @Test(
        "bytes that are not UTF-8",
        arguments: [
            [0x80], [0xC0, 0x80], [0xC3], [0xED, 0xA0, 0x80], [0xF5, 0x80, 0x80, 0x80],
            [0xE2, 0x82], [0xFF],
        ] as [[UInt8]])
    func notUTF8(bytes: [UInt8]) {
        #expect(throws: JSONError(reason: .invalidUTF8, offset: 1)) {
            try JSONParser.parse([0x22] + bytes + [0x22])
        }
    }

    @Test(
        "other encodings of Unicode",
        arguments: [[0xFF, 0xFE, 0x31, 0], [0xFE, 0xFF, 0, 0x31], [0x31, 0]] as [[UInt8]])
    func otherEncodings(bytes: [UInt8]) {
        #expect(throws: JSONError.self) { try JSONParser.parse(bytes) }
    }

    @Test("two Unicode spellings of one key are two keys to the parser and none to a decoder")
    func spellings() throws {
        let text = Array("{\"é\":1,\"e\u{301}\":2}".utf8)
        let value = try JSONParser.parse(text)
        guard case .object(let members) = value else {
            Issue.record("not an object")
            return
        }
        #expect(members.map { Array($0.name.utf8) } == [Array("é".utf8), Array("e\u{301}".utf8)])
        #expect(throws: JSONShapeError(path: "x", problem: "has the key \"é\" twice")) {
            try JSONObject(value, path: "x")
        }
    }

    @Test("sixteen levels and no more")
    func depth() throws {
        func nested(_ levels: Int, _ open: String, _ close: String, _ inner: String = "") -> [UInt8]
        {
            Array(
                (String(repeating: open, count: levels) + inner
                    + String(repeating: close, count: levels)).utf8)
        }
        #expect(throws: Never.self) { try JSONParser.parse(nested(16, "[", "]")) }
        #expect(throws: Never.self) { try JSONParser.parse(nested(15, "{\"a\":", "}", "1")) }
        #expect(throws: JSONError(reason: .tooDeep, offset: 16)) {
            try JSONParser.parse(nested(17, "[", "]"))
        }
        #expect(throws: JSONError(reason: .tooDeep, offset: 16)) {
            try JSONParser.parse(nested(16, "[", "]", "1"))
        }
        #expect(throws: JSONError(reason: .tooDeep, offset: 80)) {
            try JSONParser.parse(nested(16, "{\"a\":", "}", "1"))
        }
        // Deep enough to crash a recursive parser without a limit.
        #expect(throws: JSONError(reason: .tooDeep, offset: 16)) {
            try JSONParser.parse([UInt8](repeating: UInt8(ascii: "["), count: 1_000_000))
        }
    }

    @Test(
        "no input ever traps, and what is read is what is written again",
        arguments: 0..<4 as Range<UInt64>)
    func neverTraps(seed: UInt64) {
        var noise = Noise(seed: 1_000 + seed)
        let alphabet =
            Array("{}[]:,\"\\/ubfnrt0123456789eE+-.truefalsn \n\tdD8cC\u{FEFF}é".utf8) + [
                0xFF, 0x80, 0,
            ]
        let document = Array(
            #"{"schema":1,"list":[1,-2.5e3,"\u00e9\ud83d\ude00",{"a":null,"b":[true,false,[]]}],"é":"x\n"}"#
                .utf8)
        var read = 0
        for round in 0..<5_000 {
            var bytes: [UInt8]
            switch round % 4 {
            case 0: bytes = noise.bytes(Int.random(in: 0...64, using: &noise))
            case 1:
                bytes = (0..<Int.random(in: 0...40, using: &noise)).map { _ in
                    alphabet[Int.random(in: alphabet.indices, using: &noise)]
                }
            default:
                bytes = document
                for _ in 0..<Int.random(in: 1...3, using: &noise) where !bytes.isEmpty {
                    let index = Int.random(in: bytes.indices, using: &noise)
                    switch Int.random(in: 0..<3, using: &noise) {
                    case 0: bytes[index] = alphabet[Int.random(in: alphabet.indices, using: &noise)]
                    case 1: bytes.remove(at: index)
                    default:
                        bytes.insert(bytes[Int.random(in: bytes.indices, using: &noise)], at: index)
                    }
                }
            }
            guard let value = try? JSONParser.parse(bytes) else { continue }
            read += 1
            let again = try? JSONParser.parse(JSONWriter.write(value))
            #expect(again == value, "\(bytes)")
        }
        #expect(read > 100, "the mutations hardly ever leave a document whole")
    }

    @Test("Python reads every document this one reads")
    func python() async throws {
        var noise = Noise(seed: 77)
        let document = Array(
            #"[{"a":[1,-20,3.5e+2],"b\u0041":"\ud83d\ude00é\\"},null,true,false,0]"#.utf8)
        var accepted: [String] = []
        for _ in 0..<20_000 {
            var bytes = document
            for _ in 0..<Int.random(in: 1...2, using: &noise) {
                let index = Int.random(in: bytes.indices, using: &noise)
                bytes[index] = document[Int.random(in: document.indices, using: &noise)]
            }
            if (try? JSONParser.parse(bytes)) != nil { accepted.append(hexadecimal(bytes)) }
        }
        #expect(accepted.count > 1_000)
        try await TemporaryFolder.with { folder in
            try folder.write(Array(accepted.joined(separator: "\n").utf8), as: "accepted")
            let output = try await ForeignTool.python(
                """
                import json, sys
                def refuse(word): raise ValueError(word)
                for line in open(sys.argv[1]): json.loads(bytes.fromhex(line), parse_constant=refuse)
                """, [folder.file("accepted")])
            #expect(output.status == 0, "\(output.all)")
        }
    }

    private static func parse(
        _ text: String, isBounded: Bool = false,
        _ receive: (JSONParser.ListElement) -> Void = { _ in }
    ) throws -> JSONValue {
        try JSONParser.parse(
            Array(text.utf8), lists: ["a": .array(atMost: 3), "o": .object(atMost: 2)],
            isBounded: isBounded, receive: receive)
    }

    @Test("the elements of long lists are handed over and not kept", arguments: [false, true])
    func elements(isBounded: Bool) throws {
        let text = #"""
            {"b": {"a": [7]}, "a": [1, {"a": [2]}, "x"], "c": [8], "o": {"k": 4, "k": []}}
            """#
        var found: [(String, Int, String, JSONValue)] = []
        let rest = try Self.parse(text, isBounded: isBounded) {
            found.append(($0.list, $0.number, $0.name, $0.value))
        }
        #expect(found.map(\.0) == ["a", "a", "a", "o", "o"])
        #expect(found.map(\.1) == [0, 1, 2, 0, 1])
        #expect(found.map(\.2) == ["", "", "", "k", "k"])
        #expect(
            found.map(\.3) == [
                .integer(1), .object([.init("a", .array([.integer(2)]))]), .string("x"),
                .integer(4), .array([]),
            ])
        #expect(
            rest
                == .object([
                    .init("b", .object([.init("a", .array([.integer(7)]))])),
                    .init("a", .array([])), .init("c", .array([.integer(8)])),
                    .init("o", .object([])),
                ]))
    }

    @Test(
        "what is no list of the kind expected is read as any other value",
        arguments: [
            #"{"a": 1}"#, #"{"a": {"x": 1}, "o": ["y"]}"#, #"["a"]"#, "7", "{}",
        ])
    func noLists(text: String) throws {
        let value = try Self.parse(text, isBounded: true) { _ in Issue.record("no element") }
        #expect(value == (try JSONParser.parse(Array(text.utf8))))
    }

    @Test(
        "a text is refused at the same byte with its elements handed over",
        arguments: [
            #"{"a": [1, 2"#, #"{"a": [1 2]}"#, #"{"a": [], "a": []}"#, #"{"a": [1]} x"#,
            #"{"a": [[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]}"#, #"{"a": [{"x": 1, "x": 2}]}"#,
            #"{"a": ["#, #"{"o": {"x" 1}}"#, #"{"o": {"x": 1,}}"#, #"{"b": 1, "b" 2}"#, "7 8",
            "{\"a\": 1", "{\"b\": -}", "{\"b\": 1.", "\u{FEFF}{}",
        ], [false, true])
    func elementsRefused(text: String, isBounded: Bool) {
        let one = #expect(throws: JSONError.self) { try JSONParser.parse(Array(text.utf8)) }
        let other = #expect(throws: JSONError.self) { try Self.parse(text, isBounded: isBounded) }
        #expect(one == other)
    }

    /// Regression: numbers of any length were read completely, and their text was kept.
    @Test(
        "what is read as a whole is bounded",
        arguments: [
            "\"", "[", "9", "0.0", "1e1", "-1.5E+", "         ",
        ])
    func regressionLongNumbersAreBounded(start: String) {
        let more = start == "\"" ? "x" : start == "[" ? "[]," : start.hasPrefix(" ") ? " " : "0"
        let long = start + String(repeating: more, count: JSONParser.largestElement)
        for text in [
            "{\"b\": [\(long)", "{\"b\":[\(long)", "{\"a\": [[\(long)", "{\"o\": {\"k\":[\(long)",
        ] {
            let error = #expect(throws: JSONError.self) {
                try Self.parse(text + ", 1]", isBounded: true)
            }
            #expect(error?.reason == .elementTooLarge)
        }
        let name = String(repeating: "n", count: JSONParser.largestElement)
        let error = #expect(throws: JSONError.self) {
            try Self.parse("{\"\(name)\": 1}", isBounded: true)
        }
        #expect(error?.reason == .elementTooLarge)
    }

    @Test func regressionMembersAndElementsAreCounted() {
        for text in [
            #"{"a": [1, 2, 3, 4]}"#, #"{"o": {"a": 1, "b": 2, "c": 3}}"#,
            "{" + (0...1000).map { "\"\($0)\": 0" }.joined(separator: ",") + "}",
        ] {
            let error = #expect(throws: JSONError.self) { try Self.parse(text, isBounded: true) }
            #expect(error?.reason == .tooManyMembers)
        }
    }

    @Test("many names in one object, each once")
    func manyNames() throws {
        let members = (0..<50_000).map { "\"k\($0)\": \($0)" }
        let text = "{" + members.joined(separator: ",")
        guard case .object(let list) = try JSONParser.parse(Array((text + "}").utf8)) else {
            Issue.record("no object")
            return
        }
        #expect(list.count == 50_000)
        #expect(throws: JSONError.self) {
            try JSONParser.parse(Array((text + ",\"k20000\": 1}").utf8))
        }
        #expect(throws: JSONError.self) {
            try JSONParser.parse(Array((text + ",\"k3\": 1}").utf8))
        }
    }
}
