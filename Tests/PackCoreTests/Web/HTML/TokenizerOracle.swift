import Foundation
import PackGround
import TestSupport
import Testing

@testable import PackWeb

// @testable: only HTMLReader uses the tokenizer.

/// The cases of html5lib's tokenizer tests (`oracles/html-tokenizer/README.md`).
struct TokenizerOracle {
    struct Case: Sendable {
        let description: String
        let input: [UInt8]
        let output: [String]
        let state: HTMLTokenizer.State
        let lastStartTag: String?
        /// `code line:column`, sorted.
        let errors: [String]

        /// Tokenizes the input, in the form of ``output`` and ``errors``.
        func run() -> (output: [String], errors: [String]) {
            var tokenizer = HTMLTokenizer(
                range: 0..<input.count, state: state,
                lastStartTag: lastStartTag.map { HTMLName($0) }, errorLimit: .max)
            let output = OracleTokens.tokens(&tokenizer, input.span)
            return (output, OracleTokens.places(tokenizer.errors, in: input).sorted())
        }
    }

    /// Errors of preprocessing the input stream, which the tokenizer does not report.
    private static let streamErrors: Set = [
        "control-character-in-input-stream", "noncharacter-in-input-stream",
        "surrogate-in-input-stream",
    ]

    let cases: [Case]
    /// Cases whose input cannot be represented in UTF-8.
    let unrepresentable: [String]

    static let states: [String: HTMLTokenizer.State] = [
        "Data state": .data, "PLAINTEXT state": .plaintext, "RCDATA state": .rcdata,
        "RAWTEXT state": .rawtext, "Script data state": .scriptData,
        "CDATA section state": .cdataSection,
    ]

    init(file: String) throws {
        let text = try Data(contentsOf: URL(fileURLWithPath: file))
        let root = try JSONParser.parse([UInt8](text))
        var cases: [Case] = []
        var unrepresentable: [String] = []
        for test in root["tests"]?.elements ?? [] {
            let description = test["description"]?.string ?? ""
            let isEscaped = test["doubleEscaped"] == .bool(true)
            guard let input = Self.bytes(test["input"], unescape: isEscaped),
                let output = Self.output(test["output"], unescape: isEscaped)
            else {
                unrepresentable.append(description)
                continue
            }
            let errors = (test["errors"]?.elements ?? []).compactMap { error -> String? in
                let code = error["code"]?.string ?? "?"
                if Self.streamErrors.contains(code) { return nil }
                let line = error["line"]?.integer ?? 0
                let column = error["col"]?.integer ?? 0
                return "\(code) \(line):\(column)"
            }
            for state in test["initialStates"]?.elements ?? [.string("Data state")] {
                cases.append(
                    Case(
                        description: description, input: input, output: output,
                        state: try #require(Self.states[state.string ?? ""]),
                        lastStartTag: test["lastStartTag"]?.string, errors: errors.sorted()))
            }
        }
        self.cases = cases
        self.unrepresentable = unrepresentable
    }

    /// UTF-8; `nil` for lone surrogates, which only a doubly escaped string can contain.
    private static func bytes(_ value: JSONValue?, unescape: Bool) -> [UInt8]? {
        guard let text = value?.string else { return nil }
        guard unescape else { return Array(text.utf8) }
        var units: [UInt16] = []
        var rest = Array(text.utf16)[...]
        while let unit = rest.popFirst() {
            if unit == 0x5C, rest.first == 0x75,
                let escaped = UInt16(
                    String(decoding: rest.dropFirst().prefix(4), as: UTF16.self), radix: 16)
            {
                units.append(escaped)
                rest = rest.dropFirst(5)
            } else {
                units.append(unit)
            }
        }
        let decoded = String(decoding: units, as: UTF16.self)
        return Array(decoded.utf16) == units ? Array(decoded.utf8) : nil
    }

    /// One token per line, characters joined.
    private static func output(_ value: JSONValue?, unescape: Bool) -> [String]? {
        var output: [String] = []
        for token in value?.elements ?? [] {
            guard let parts = token.elements, let kind = parts.first?.string else { return nil }
            func text(_ value: JSONValue) -> String? {
                if value == .null { return "null" }
                return bytes(value, unescape: unescape).map(OracleTokens.quoted)
            }
            switch kind {
            case "StartTag":
                guard case .object(let members) = parts[2], let name = text(parts[1]) else {
                    return nil
                }
                var attributes: [String] = []
                for member in members {
                    guard let name = text(.string(member.name)), let value = text(member.value)
                    else { return nil }
                    attributes.append("\(name)=\(value)")
                }
                output.append(
                    OracleTokens.startTag(name, attributes, isSelfClosing: parts.count > 3))
            case "DOCTYPE":
                let texts = parts[1...3].compactMap(text)
                guard texts.count == 3 else { return nil }
                output.append(
                    OracleTokens.doctype(texts, forcesQuirks: parts[4] == .bool(false)))
            default:
                guard let content = text(parts[1]) else { return nil }
                output.append("\(kind) \(content)")
            }
        }
        return output
    }
}

/// The tokenizer's output in the oracle's format.
enum OracleTokens {
    static func quoted(_ bytes: [UInt8]) -> String {
        var text = "\""
        for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
            text +=
                (0x20..<0x7F).contains(scalar.value)
                ? String(scalar) : "{" + String(scalar.value, radix: 16) + "}"
        }
        return text + "\""
    }

    static func startTag(
        _ name: String, _ attributes: [String], isSelfClosing: Bool
    ) -> String {
        (["StartTag", name] + attributes.sorted() + (isSelfClosing ? ["/"] : []))
            .joined(separator: " ")
    }

    static func doctype(_ texts: [String], forcesQuirks: Bool) -> String {
        "DOCTYPE \(texts.joined(separator: " "))\(forcesQuirks ? " quirks" : "")"
    }

    /// All tokens of the input, with texts and CDATA sections joined.
    static func tokens(_ tokenizer: inout HTMLTokenizer, _ bytes: Span<UInt8>) -> [String] {
        var output: [String] = []
        var characters: [UInt8] = []
        func flush() {
            if !characters.isEmpty { output.append("Character \(quoted(characters))") }
            characters = []
        }
        while let token = tokenizer.next(in: bytes) {
            if token.kind == .text || token.kind == .cdata {
                characters += CharacterReferences.decode(bytes, token.content, as: token.decoding)
                continue
            }
            if token.kind != .discarded { flush() }
            let name = lowercased(bytes, token.content)
            switch token.kind {
            case .startTag:
                let attributes = tokenizer.attributes.filter { !$0.isDuplicate }.map {
                    lowercased(bytes, $0.name) + "="
                        + quoted(CharacterReferences.decode(bytes, $0.value, as: .attribute))
                }
                output.append(startTag(name, attributes, isSelfClosing: token.isSelfClosing))
            case .endTag: output.append("EndTag \(name)")
            case .comment:
                output.append(
                    "Comment "
                        + quoted(CharacterReferences.decode(bytes, token.content, as: .raw)))
            case .doctype:
                let doctype = tokenizer.doctype
                output.append(
                    self.doctype(
                        [
                            doctype?.name.map { lowercased(bytes, $0) } ?? "null",
                            text(bytes, doctype?.publicID), text(bytes, doctype?.systemID),
                        ], forcesQuirks: doctype?.forcesQuirks ?? false))
            case .text, .cdata, .discarded: break
            }
        }
        flush()
        return output
    }

    private static func text(_ bytes: Span<UInt8>, _ range: Range<Int>?) -> String {
        range.map { quoted(CharacterReferences.decode(bytes, $0, as: .raw)) } ?? "null"
    }

    private static func lowercased(_ bytes: Span<UInt8>, _ range: Range<Int>) -> String {
        quoted(CharacterReferences.decode(bytes, range, as: .raw).map(\.asciiLowercased))
    }

    /// `code line:column`; columns are UTF-16 units, CR LF counts as one, as in the oracle.
    static func places(_ errors: [HTMLParseError], in bytes: [UInt8]) -> [String] {
        var line = 1
        var column = 1
        var places: [(line: Int, column: Int)] = []
        for (offset, byte) in bytes.enumerated() {
            places.append((line, column))
            let isPair = byte == 0x0D && offset + 1 < bytes.count && bytes[offset + 1] == 0x0A
            if isPair { continue }
            if byte == 0x0A || byte == 0x0D {
                line += 1
                column = 1
            } else if byte & 0xC0 != 0x80 {
                column += byte >= 0xF0 ? 2 : 1
            }
        }
        places.append((line, column))
        return errors.map { error in
            let place = places[error.offset]
            return "\(error.code.rawValue) \(place.line):\(place.column)"
        }
    }
}

extension JSONValue {
    subscript(name: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.name == name }?.value
    }

    var elements: [JSONValue]? {
        if case .array(let elements) = self { elements } else { nil }
    }

    var string: String? { if case .string(let text) = self { text } else { nil } }

    var integer: Int? { if case .integer(let value) = self { value } else { nil } }
}
