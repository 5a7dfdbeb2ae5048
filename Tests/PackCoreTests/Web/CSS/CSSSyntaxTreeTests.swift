import PackGround
import TestSupport
import Testing

/// The distinction of declarations and rules, in addition to the oracles.
struct CSSSyntaxTreeTests {
    private static func items(_ css: String, _ root: CSSSyntaxTree.Root = .declarations) -> String {
        CSSRendering.canonical(.array(CSSRendering(Array(css.utf8)).items(root)))
    }

    @Test(
        "declarations, with and without '!important'",
        arguments: [
            ("a:b", #"[["declaration", "a", [["ident", "b"]], false]]"#),
            ("a : b ", #"[["declaration", "a", [["ident", "b"]], false]]"#),
            ("a:b !important", #"[["declaration", "a", [["ident", "b"]], true]]"#),
            ("a:b ! /**/ IMPORTANT ;", #"[["declaration", "a", [["ident", "b"]], true]]"#),
            (
                "a:b !x c",
                #"[["declaration", "a", [["ident", "b"], " ", "!", ["ident", "x"], " ", ["ident", "c"]], false]]"#
            ),
            ("a:important", #"[["declaration", "a", [["ident", "important"]], false]]"#),
            ("a:", #"[["declaration", "a", [], false]]"#),
            ("a:!important", #"[["declaration", "a", [], true]]"#),
            ("a", #"[["error", "invalid"]]"#), ("a b:c", #"[["error", "invalid"]]"#),
            ("1:2;a:b", #"[["error", "invalid"], ["declaration", "a", [["ident", "b"]], false]]"#),
            (
                "--x:{a:b}",
                #"[["declaration", "--x", [["{}", ["ident", "a"], ":", ["ident", "b"]]], false]]"#
            ),
            (
                "--x:a{b}c;",
                #"[["declaration", "--x", [["ident", "a"], ["{}", ["ident", "b"]], ["ident", "c"]], false]]"#
            ),
            ("\\2d-x:{}", #"[["declaration", "--x", [["{}"]], false]]"#),
            ("a:(;})", #"[["declaration", "a", [["()", ";", ["error", "}"]]], false]]"#),
        ])
    func declarations(css: String, expected: String) {
        #expect(Self.items(css) == expected)
    }

    @Test("rules nested in rules, told from declarations")
    func nested() {
        let tree = Self.kinds("a{b:c;d:hover{e:f}g:h;&.i{}@media j{k:l}m{n:o}}")
        #expect(
            tree == [
                "qualifiedRule", " declaration b", " qualifiedRule", "  declaration e",
                " declaration g", " qualifiedRule", " atRule media", "  declaration k",
                " qualifiedRule", "  declaration n",
            ])
    }

    @Test("semicolons end no rule at the top of a style sheet, and closing braces no item there")
    func top() {
        #expect(
            Self.kinds("a;b{c:d}}e{f:g}") == [
                "qualifiedRule", " declaration c", "qualifiedRule", " declaration f",
            ])
        #expect(
            Self.kinds("@a;@b{}<!-- c{} --> d:e") == [
                "atRule a", "atRule b", "qualifiedRule", "invalid",
            ])
        #expect(Self.kinds("a{b:c") == ["qualifiedRule", " declaration b"])
        #expect(Self.kinds("{a:b}") == ["qualifiedRule", " declaration a"])
    }

    @Test("nodes know their bytes")
    func bytes() throws {
        let css = Array("a { b : f(c) ; } d{e".utf8)
        let tree = CSSSyntaxTree(css.span, root: .rules)
        func text(_ index: Int) -> String {
            String(decoding: css[tree.range(of: index)], as: UTF8.self)
        }
        #expect(tree.roots.map(text) == ["a { b : f(c) ; }", "d{e"])
        let contents = try #require(tree.roots.first.flatMap { tree.children(of: $0).last })
        #expect(text(contents) == "{ b : f(c) ; }")
        #expect(tree.children(of: contents).map(text) == ["b : f(c) "])
        let declaration = try #require(tree.children(of: contents).first)
        let parts = tree.declaration(at: declaration, in: css.span)
        #expect(parts.map { tree.siblings(in: $0.value).map(text) } == ["f(c)"])
        let none = tree.declaration(at: contents, in: css.span)
        #expect(none == nil)
    }

    /// The items of a style sheet, indented by a space for each level.
    private static func kinds(_ css: String) -> [String] {
        let bytes = Array(css.utf8)
        let tree = CSSSyntaxTree(bytes.span, root: .rules)
        var lines: [String] = []
        var open = tree.roots.map { (index: $0, depth: 0) }
        while !open.isEmpty {
            let (index, depth) = open.removeFirst()
            let kind = tree.nodes[index].kind
            var line = String(repeating: " ", count: depth) + "\(kind)"
            if kind == .declaration || kind == .atRule {
                line += " " + tree.name(of: index, in: bytes.span)
            }
            lines.append(line)
            let contents = tree.children(of: index).filter { tree.nodes[$0].kind == .contents }
            open.insert(
                contentsOf: contents.flatMap { tree.children(of: $0) }.map { ($0, depth + 1) },
                at: 0)
        }
        return lines
    }
}
