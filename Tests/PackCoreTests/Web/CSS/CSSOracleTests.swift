import Foundation
import PackGround
import PackWeb
import TestSupport
import Testing

/// The cases of SimonSapin/css-parsing-tests (2013); see `oracles/README.md` of the shared folder.
///
/// They follow an older draft. The differences from the current standard are listed here with
/// reasons; everything else must match.
struct CSSOracleTests {
    /// Pairs of input and expectation in a file.
    private static func cases(_ name: String) throws -> [(input: JSONValue, expected: JSONValue)] {
        let path = try SharedFolder.require("oracles/css/\(name).json")
        let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
        guard case .array(let values) = try JSONParser.parse(bytes), values.count % 2 == 0 else {
            throw CocoaError(.fileReadCorruptFile)
        }
        return stride(from: 0, to: values.count, by: 2).map { (values[$0], values[$0 + 1]) }
    }

    private static func text(_ value: JSONValue) throws -> String {
        guard case .string(let text) = value else { throw CocoaError(.fileReadCorruptFile) }
        return text
    }

    /// Compares as bytes: `==` of strings is Unicode equivalence.
    private static func matches(_ found: [JSONValue], _ expected: JSONValue) -> Bool {
        Array(CSSRendering.canonical(.array(found)).utf8)
            == Array(CSSRendering.canonical(today(expected)).utf8)
    }

    /// Difference 1: `~=`, `|=`, `^=`, `$=`, `*=` and `||` were tokens; today each is two delims.
    private static func today(_ value: JSONValue) -> JSONValue {
        guard case .array(let elements) = value else { return value }
        return .array(
            elements.flatMap { element -> [JSONValue] in
                if case .string(let text) = element,
                    ["~=", "|=", "^=", "$=", "*=", "||"].contains(text)
                {
                    return text.map { .string(String($0)) }
                }
                return [today(element)]
            })
    }

    /// Difference 2: `u+1` was a unicode-range token; today it is an identifier and a number, which
    /// the grammar of `unicode-range` combines.
    private static func hasUnicodeRange(_ value: JSONValue) -> Bool {
        switch value {
        case .string(let text): text == "unicode-range"
        case .array(let elements): elements.contains(where: hasUnicodeRange)
        default: false
        }
    }

    @Test("component_value_list.json")
    func componentValues() throws {
        let cases = try Self.cases("component_value_list")
        var unicodeRanges = 0
        for (input, expected) in cases {
            let text = try Self.text(input)
            let rendering = CSSRendering(Array(text.utf8))
            let found = rendering.componentValues()
            if Self.hasUnicodeRange(expected) {
                unicodeRanges += 1
                continue
            }
            #expect(
                Self.matches(found, expected),
                "\(text.debugDescription): \(CSSRendering.canonical(.array(found)))")
        }
        print(
            "CSS oracle, component values: \(cases.count) cases, \(cases.count - unicodeRanges) equal,",
            "\(unicodeRanges) excluded (unicode-range tokens, which the standard has no more)")
        #expect(cases.count == 50)
        #expect(unicodeRanges == 9)
    }

    @Test("one_component_value.json")
    func oneComponentValue() throws {
        let cases = try Self.cases("one_component_value")
        for (input, expected) in cases {
            let text = try Self.text(input)
            let values = CSSRendering(Array(text.utf8)).componentValues().filter {
                $0 != .string(" ")
            }
            let found: JSONValue =
                switch values.count {
                case 0: .strings(["error", "empty"])
                case 1: values[0]
                default: .strings(["error", "extra-input"])
                }
            #expect(Self.matches([found], .array([expected])), "\(text.debugDescription)")
        }
        print("CSS oracle, one component value: \(cases.count) cases, all equal")
        #expect(cases.count == 10)
    }

    /// Difference 3: an invalid declaration may be a nested rule.
    ///
    /// The 2013 draft skipped to the next `;`. Today the same text is parsed again as a rule, up to
    /// the end of its block.
    private static let nestedRules: [String: String] = [
        "@ media screen { div{;}} a:b;; @media print{div{": """
        [["qualified rule", ["@"," ",["ident","media"]," ",["ident","screen"]," "],
          [" ",["ident","div"],["{}",";"]]],
         ["declaration","a",[["ident","b"]],false],
         ["at-rule","media",[" ",["ident","print"]],[["ident","div"],["{}"]]]]
        """
    ]

    @Test("declaration_list.json")
    func declarations() throws {
        let cases = try Self.cases("declaration_list")
        for (input, expected) in cases {
            let text = try Self.text(input)
            let found = CSSRendering(Array(text.utf8)).items(.declarations)
            let wanted = try Self.nestedRules[text].map { try JSONParser.parse(Array($0.utf8)) }
            #expect(
                Self.matches(found, wanted ?? expected),
                "\(text.debugDescription): \(CSSRendering.canonical(.array(found)))")
        }
        print(
            "CSS oracle, declaration lists: \(cases.count) cases,",
            "\(cases.count - Self.nestedRules.count) equal, \(Self.nestedRules.count) by today's rules"
        )
        #expect(cases.count == 10)
    }

    @Test("stylesheet_bytes.json")
    func styleSheets() throws {
        let cases = try Self.cases("stylesheet_bytes")
        var undecoded = 0
        for (input, expected) in cases {
            guard case .object(let members) = input, case .array(let pair) = expected,
                case .string(let name)? = pair.last, let items = pair.first
            else {
                Issue.record("the oracle's form is another: \(input)")
                continue
            }
            var options: [String: String] = [:]
            for member in members {
                if case .string(let text) = member.value { options[member.name] = text }
            }
            // Each character of the string is a byte.
            let bytes = (options["css_bytes"] ?? "").unicodeScalars.map { UInt8($0.value) }
            let encoding = CSSEncoding.detect(
                bytes.span, protocolLabel: options["protocol_encoding"],
                environmentLabel: options["environment_encoding"])
            #expect(encoding.name == name, "\(input)")
            // Legacy encodings are named, not decoded: their ASCII is read; UTF-16 is not read at
            // all.
            if name != "utf-8" {
                undecoded += 1
                #expect(encoding.reading != .exact)
                continue
            }
            let found = CSSRendering(bytes, start: encoding.start).items(.rules)
            #expect(
                Self.matches(found, items), "\(input): \(CSSRendering.canonical(.array(found)))")
        }
        print(
            "CSS oracle, style sheets: \(cases.count) cases, every encoding right,",
            "\(cases.count - undecoded) equal, \(undecoded) named but not decoded (no tables)")
        #expect(cases.count == 28)
        #expect(undecoded == 13)
    }
}
