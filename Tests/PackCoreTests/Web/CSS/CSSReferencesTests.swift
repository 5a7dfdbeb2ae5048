import PackGround
import PackWeb
import Testing

/// Every kind of URL in CSS with its range: `«` and `»` mark the expected ones.
struct CSSReferencesTests {
    /// A source without its marks, and the marked ranges.
    private static func unmark(_ marked: String) -> (source: [UInt8], ranges: [Range<Int>]) {
        var source: [UInt8] = []
        var ranges: [Range<Int>] = []
        var start = 0
        for character in marked.unicodeScalars {
            switch character {
            case "«": start = source.count
            case "»": ranges.append(start..<source.count)
            default: source += Array(String(character).utf8)
            }
        }
        return (source, ranges)
    }

    private static func describe(_ reference: CSSReference) -> String {
        let value = String(decoding: reference.value, as: UTF8.self)
        return "\(reference.role) \(reference.form) \(reference.name) \(value)"
    }

    @Test(
        "in a style sheet",
        arguments: [
            ("@import \"«a.css»\";", ["importedSheet string import a.css"]),
            (
                "@import '«a.css»' layer(b) supports(display: grid) screen;",
                ["importedSheet string import a.css"]
            ),
            ("@import url(«a.css») print;", ["importedSheet unquotedURL import a.css"]),
            ("@IMPORT URL( \"«a.css»\" );", ["importedSheet quotedURL import a.css"]),
            ("@import src('«a.css»');", ["importedSheet quotedURL import a.css"]),
            (
                "@import '«a»' supports(background: url(«b»));",
                ["importedSheet string import a", "otherAtRule unquotedURL import b"]
            ),
            ("@import screen 'x';", []),
            (
                "@charset '«x»';@layer a,b;@import '«c»';",
                ["charset string charset x", "importedSheet string import c"]
            ),
            ("a{}@import '«x»';", ["misplacedImport string import x"]),
            ("@media x{@import url(«x»);}", ["misplacedImport unquotedURL import x"]),
            (
                "@namespace '«a»';@import '«b»';",
                ["namespace string namespace a", "misplacedImport string import b"]
            ),
            ("@namespace svg url(«a»);", ["namespace unquotedURL namespace a"]),
            ("@document url(«a»){}", ["otherAtRule unquotedURL document a"]),
            (
                "@supports (mask:url(«a»)){b{mask:url(«c»)}}",
                ["otherAtRule unquotedURL supports a", "mask unquotedURL mask c"]
            ),
            ("a{background:url(«i.png»)}", ["image unquotedURL background i.png"]),
            ("a{BACKGROUND-IMAGE:url( «i.png» )}", ["image unquotedURL background-image i.png"]),
            ("a{background:url(\"«i.png»\")", ["image quotedURL background i.png"]),
            (
                "a{background:red url('«i»' cross-origin(use-credentials))",
                ["image quotedURL background i"]
            ),
            ("a{background:url('«i»' integrity('sha384-x'))}", ["image quotedURL background i"]),
            (
                "a{background:image-set(\"«a»\" 1x,url(«b») 2x,url('«c»') type('image/png'))}",
                [
                    "image string background a", "image unquotedURL background b",
                    "image quotedURL background c",
                ]
            ),
            ("a{content:-WEBKIT-image-set('«a»' 1x)}", ["image string content a"]),
            ("a{background:image(ltr '«a»', red)}", ["image string background a"]),
            (
                "a{background:image(rtl '«a#xywh=0,0,1,1»')}",
                ["image string background a#xywh=0,0,1,1"]
            ),
            ("a{background:src(\"«a»\")}", ["image quotedURL background a"]),
            (
                "a{background:cross-fade(url(«a»),url(«b») 50%)}",
                ["image unquotedURL background a", "image unquotedURL background b"]
            ),
            ("a{content:\"x\" url(«i») attr(data-x) attr(y url)}", ["image unquotedURL content i"]),
            (
                "a{list-style:url(«i») inside;border-image:url(«j») 1}",
                [
                    "image unquotedURL list-style i", "image unquotedURL border-image j",
                ]
            ),
            (
                "a{cursor:url(«c.cur») 2 2,url(«d»),auto}",
                [
                    "cursor unquotedURL cursor c.cur", "cursor unquotedURL cursor d",
                ]
            ),
            (
                "a{-webkit-mask:url(«m»);mask-image:url(«n»);shape-outside:url(«o»)}",
                [
                    "mask unquotedURL -webkit-mask m", "mask unquotedURL mask-image n",
                    "mask unquotedURL shape-outside o",
                ]
            ),
            (
                "a{filter:url(«#x»);clip-path:url(«a.svg#c»);fill:url('«#g»')}",
                [
                    "svgResource unquotedURL filter #x",
                    "svgResource unquotedURL clip-path a.svg#c",
                    "svgResource quotedURL fill #g",
                ]
            ),
            (
                "a{behavior:url(«x.htc»);-moz-binding:url(«y»)}",
                [
                    "legacyBehavior unquotedURL behavior x.htc",
                    "legacyBehavior unquotedURL -moz-binding y",
                ]
            ),
            ("a{filter:progid:DXImageTransform.Microsoft.AlphaImageLoader(src='x.png')}", []),
            (
                "a{--X:url(«a»);--y:{b:url(«c»)};--z: 'd'}",
                [
                    "customProperty unquotedURL --X a", "customProperty unquotedURL --y c",
                ]
            ),
            ("a{what-ever:url(«a»)}", ["otherProperty unquotedURL what-ever a"]),
            (
                "@font-face{font-family:'F';src:url(«f.eot»);src:url(«f.eot?#iefix») format('e'),local('G'),url(\"«f.woff2»\") tech(variations)}",
                [
                    "fontSource unquotedURL src f.eot", "fontSource unquotedURL src f.eot?#iefix",
                    "fontSource quotedURL src f.woff2",
                ]
            ),
            (
                "@media x{@font-face{src:url(«f»)}}a{src:url(«g»)}",
                [
                    "fontSource unquotedURL src f", "otherProperty unquotedURL src g",
                ]
            ),
            (
                "@counter-style x{symbols:url(«a») url(«b»)}",
                [
                    "image unquotedURL symbols a", "image unquotedURL symbols b",
                ]
            ),
            (
                "a{b{background:url(«n»)}c:d;&:hover{cursor:url(«o»)}}",
                [
                    "image unquotedURL background n", "cursor unquotedURL cursor o",
                ]
            ),
            (
                "@media x{a:hover{cursor:url(«1»)}a:hover{cursor:url(«2»)}}",
                [
                    "cursor unquotedURL cursor 1", "cursor unquotedURL cursor 2",
                ]
            ),
            ("a url(«x»){}", ["discarded unquotedURL  x"]),
            ("a{foo url(«x»);b:c}", ["discarded unquotedURL foo x"]),
            (
                "a{b:url(«x») {cursor:url(«y»)}}",
                [
                    "discarded unquotedURL b x", "cursor unquotedURL cursor y",
                ]
            ),
            ("a{cursor:url(«»);mask:url( );fill:url('«»')}", []),
            ("a{cursor:url(«a\\)\\20 b»)}", ["cursor unquotedURL cursor a) b"]),
            ("a{cursor:url('«a\\'\\\n\\62 »')}", ["cursor quotedURL cursor a'b"]),
            ("a{cur\\73or:u\\72l(«x»)}", ["cursor unquotedURL cursor x"]),
            ("a{cursor:url(«x", ["cursor unquotedURL cursor x"]),
            ("a{cursor:url('«x", ["cursor quotedURL cursor x"]),
            ("/*# sourceMappingURL=«a.map» */", ["sourceMap comment sourceMappingURL a.map"]),
            ("a{}/*@ sourceMappingURL=«a.map»*/b{}", ["sourceMap comment sourceMappingURL a.map"]),
            ("/* # sourceMappingURL=x *//*# sourceMappingURL=a b*/", []),
            ("/* url(x) */ a{b:'url(y)';c:\"@import 'z'\"} [d='url(e)']{}", []),
        ] as [(String, [String])])
    func styleSheet(marked: String, expected: [String]) {
        var (source, ranges) = Self.unmark(marked)
        // A mark closed by the end of the input.
        if marked.contains("«"), !marked.contains("»") {
            ranges = [
                Array(marked.utf8).count
                    - Array(marked.drop { $0 != "«" }.utf8).count..<source.count
            ]
        }
        let found = CSSReferences.styleSheet(source.span).references
        if expected.isEmpty, !ranges.isEmpty {
            // Empty URLs.
            #expect(found.allSatisfy(\.value.isEmpty) && found.count == 3)
            #expect(ranges.allSatisfy { range in found.contains { $0.range == range } })
            return
        }
        #expect(found.map(Self.describe) == expected)
        #expect(found.map(\.range) == ranges)
    }

    @Test("declarations of a style attribute")
    func declarations() {
        let (source, ranges) = Self.unmark("color:red;background:url(«a.png»);;b:url(«c»)")
        let found = CSSReferences.declarations(source.span)
        #expect(found.references.map(\.range) == ranges)
        #expect(found.references.map(\.role) == [.image, .otherProperty])
        #expect(found.references.allSatisfy { $0.rule == .none })
        #expect(found.encoding == nil)
        let stray = CSSReferences.declarations(Array("a:b} ; cursor:url(x)".utf8).span)
        #expect(stray.references.map(\.name) == ["cursor"])
        #expect(stray.problems.map(\.kind) == [.unmatchedBracket])
        let imported = CSSReferences.declarations(Array("@import 'x';".utf8).span)
        #expect(imported.references.map(\.role) == [.misplacedImport])
    }

    @Test("the value of one property")
    func value() {
        let source = Array("none url(#a) url('b') {url(c)} ; d: url(e)".utf8)
        let found = CSSReferences.value(source.span, of: "fill").references
        #expect(found.map { String(decoding: $0.value, as: UTF8.self) } == ["#a", "b", "c", "e"])
        #expect(found.allSatisfy { $0.role == .svgResource && $0.name == "fill" })
    }

    @Test("positions in a part of a document are those of the document")
    func part() {
        let document = Array("<style>a{cursor:url(x)}</style>".utf8)
        let found = CSSReferences.styleSheet(document.span, in: 7..<23).references
        #expect(found.map(\.range) == [20..<21])
        #expect(found.map(\.tokenRange) == [16..<22])
    }

    @Test("quotes, tokens and rules are told")
    func details() throws {
        let css = Array("@font-face{src:url( \"a\\62\" )}b{cursor:url( c )}".utf8)
        let found = CSSReferences.styleSheet(css.span).references
        let font = try #require(found.first)
        #expect(font.quote == UInt8(ascii: "\"") && font.rule == .fontFace && font.hasEscapes)
        #expect(String(decoding: css[font.tokenRange], as: UTF8.self) == "\"a\\62\"")
        let cursor = try #require(found.last)
        #expect(cursor.quote == nil && cursor.rule == .style && !cursor.hasEscapes)
        #expect(String(decoding: css[cursor.tokenRange], as: UTF8.self) == "url( c )")
    }

    @Test(
        "problems",
        arguments: [
            ("a{b:url(c d)}", [.badURL]),
            ("a{b:'c\nd'}", [.badString, .unterminatedString, .unclosedBlock]),
            ("a{b:url(c", [.unterminatedURL, .unclosedBlock]),
            ("a{b:'c", [.unterminatedString, .unclosedBlock]),
            ("a{}/*", [.unterminatedComment]), ("a{b:(c}", [.unmatchedBracket, .unclosedBlock]),
            ("a{}}", [.unmatchedBracket]), ("a{b:url(c)}", []), ("@media{{{", [.unclosedBlock]),
        ] as [(String, [CSSProblem.Kind])])
    func problems(css: String, expected: [CSSProblem.Kind]) {
        #expect(CSSReferences.styleSheet(Array(css.utf8).span).problems.map(\.kind) == expected)
    }

    @Test("a file that is no CSS has its problems counted, not kept")
    func manyProblems() {
        let found = CSSReferences.styleSheet(
            [UInt8](repeating: UInt8(ascii: "}"), count: 5000).span)
        #expect(found.problems.count == CSSReferences.mostProblems)
        #expect(found.furtherProblems == 5000 - CSSReferences.mostProblems)
    }

    @Test("ten thousand brackets, and rules in rules")
    func deep() {
        let depth = 10_000
        for opening in ["(", "[", "{", "a{", "a:b{", "f(", "@a{", "{(["] {
            let css = Array((String(repeating: opening, count: depth) + "url(x)").utf8)
            let found = CSSReferences.styleSheet(css.span)
            #expect(found.references.map(\.range) == [css.count - 2..<css.count - 1])
            let tree = CSSSyntaxTree(css.span, root: .rules)
            #expect(tree.nodes.count >= depth)
            #expect(tree.roots.count == 1)
        }
        let nested =
            String(repeating: "a{cursor:url(x);", count: depth)
            + String(repeating: "}", count: depth)
        let found = CSSReferences.styleSheet(Array(nested.utf8).span)
        #expect(found.references.count == depth && found.problems.isEmpty)
    }

    @Test func readsCustomProperties() {
        let css = """
            a{b:var(--c) VAR( --d,var(--e));--f:var(--g) url(x)}@media x{h{i:calc(var(--j)*2)}}\
            k{mask:var( --l )!important;mask:var(--m,n);mask:var(--m) o;--p: var(--q)}
            """
        let source = Array(css.utf8)
        let variables = CSSReferences.styleSheet(source.span).variables
        let text = { (name: [UInt8]) in String(decoding: name, as: UTF8.self) }
        #expect(Set(variables.used.map(text)) == ["--c", "--d", "--e", "--j", "--m"])
        #expect(variables.shorthands.map(text) == ["--l"])
        let aliases = variables.aliases.map {
            "\(text($0.property)) \(text($0.name)) \($0.isWhole)"
        }
        #expect(Set(aliases) == ["--f --g false", "--p --q true"])
    }
}
