import Foundation
import PackGround
import TestSupport

@testable import PackWeb

// @testable: it prints tokens, which CSSReferences hides.

/// Renders syntax trees in the JSON of css-parsing-tests for comparison.
struct CSSRendering {
    private let bytes: [UInt8]
    private let start: Int

    init(_ bytes: [UInt8], start: Int = 0) {
        self.bytes = bytes
        self.start = start
    }

    /// The whole input as a list of component values.
    func componentValues() -> [JSONValue] {
        let tree = CSSSyntaxTree(bytes.span, in: start..<bytes.count, root: .values)
        return tree.roots.flatMap { value(tree, $0) }
    }

    /// The whole input as a list of rules or declarations.
    func items(_ root: CSSSyntaxTree.Root) -> [JSONValue] {
        let tree = CSSSyntaxTree(bytes.span, in: start..<bytes.count, root: root)
        return tree.roots.map { item(tree, $0) }
    }

    private func text(_ token: CSSToken) -> String {
        String(decoding: token.text(in: bytes.span), as: UTF8.self)
    }

    private func item(_ tree: CSSSyntaxTree, _ index: Int) -> JSONValue {
        let node = tree.nodes[index]
        switch node.kind {
        case .declaration:
            guard let declaration = tree.declaration(at: index, in: bytes.span) else {
                return .null
            }
            let values = tree.siblings(in: declaration.value).flatMap { value(tree, $0) }
            return .array([
                .string("declaration"), .string(text(declaration.name)), .array(values),
                .bool(declaration.isImportant),
            ])
        case .atRule:
            let prelude = self.prelude(tree, index).dropFirst().flatMap { value(tree, $0) }
            return .array([
                .string("at-rule"), .string(text(node.token)), .array(prelude), block(tree, index),
            ])
        case .qualifiedRule:
            let prelude = self.prelude(tree, index).flatMap { value(tree, $0) }
            return .array([.string("qualified rule"), .array(prelude), block(tree, index)])
        default: return .strings(["error", "invalid"])
        }
    }

    private func prelude(_ tree: CSSSyntaxTree, _ index: Int) -> [Int] {
        tree.children(of: index).filter { tree.nodes[$0].kind != .contents }
    }

    /// The block of a rule as component values, as in the oracle.
    private func block(_ tree: CSSSyntaxTree, _ index: Int) -> JSONValue {
        guard let last = tree.children(of: index).last, tree.nodes[last].kind == .contents else {
            return .null
        }
        let node = tree.nodes[last]
        let values = CSSSyntaxTree(
            bytes.span, in: node.token.start..<node.sourceEnd, root: .values)
        guard let block = values.roots.first else { return .null }
        return .array(values.children(of: block).flatMap { value(values, $0) })
    }

    /// One component value; errors at the end of the input follow it.
    private func value(_ tree: CSSSyntaxTree, _ index: Int) -> [JSONValue] {
        let node = tree.nodes[index]
        let children = tree.children(of: index).flatMap { value(tree, $0) }
        switch node.kind {
        case .function:
            return [.array([.string("function"), .string(text(node.token))] + children)]
        case .simpleBlock:
            let brackets =
                switch node.token.kind {
                case .openParen: "()"
                case .openSquare: "[]"
                default: "{}"
                }
            return [.array([.string(brackets)] + children)]
        default: return token(node.token)
        }
    }

    private func token(_ token: CSSToken) -> [JSONValue] {
        let raw = String(decoding: bytes[token.range], as: UTF8.self)
        let isUnterminated = token.traits.contains(.unterminated)
        switch token.kind {
        case .whitespace: return [.string(" ")]
        case .ident: return [.strings(["ident", text(token)])]
        case .atKeyword: return [.strings(["at-keyword", text(token)])]
        case .hash:
            let type = token.traits.contains(.isID) ? "id" : "unrestricted"
            return [.strings(["hash", text(token), type])]
        case .string:
            let end: [JSONValue] = isUnterminated ? [.strings(["error", "eof-in-string"])] : []
            return [.strings(["string", text(token)])] + end
        case .url:
            let end: [JSONValue] = isUnterminated ? [.strings(["error", "eof-in-url"])] : []
            return [.strings(["url", text(token)])] + end
        case .badString: return [.strings(["error", "bad-string"])]
        case .badURL: return [.strings(["error", "bad-url"])]
        case .number: return [.array([.string("number")] + number(token, raw))]
        case .percentage:
            return [.array([.string("percentage")] + number(token, String(raw.dropLast())))]
        case .dimension:
            let digits = String(decoding: bytes[token.start..<token.contentStart], as: UTF8.self)
            return [
                .array([.string("dimension")] + number(token, digits) + [.string(text(token))])
            ]
        case .closeParen, .closeSquare, .closeCurly: return [.strings(["error", raw])]
        default: return [.string(raw)]
        }
    }

    private func number(_ token: CSSToken, _ digits: String) -> [JSONValue] {
        let type = token.traits.contains(.isFractional) ? "number" : "integer"
        return [.string(digits), .decimal(digits), .string(type)]
    }

    /// A text that is the same for equal values; numbers are compared by value.
    static func canonical(_ value: JSONValue) -> String {
        switch value {
        case .null: "null"
        case .bool(let value): "\(value)"
        case .integer(let value): "\(Double(value))"
        case .decimal(let text):
            // CSS has the number "-0", but this comparison ignores its sign.
            "\((Double(text.hasPrefix("+") ? String(text.dropFirst()) : text) ?? .nan) + 0)"
        case .string(let text): text.debugDescription
        case .array(let elements): "[" + elements.map(canonical).joined(separator: ", ") + "]"
        case .object: "{}"
        }
    }
}
