import PackWeb
import TestSupport
import Testing

/// The distinction of regular expressions and divisions, and the ends of literals.
struct JavaScriptTokenizerTests {
    static func tokens(
        _ text: String, goal: JavaScriptTokenizer.Goal = .unknown
    ) -> [(JavaScriptToken, String)] {
        let bytes = Array(text.utf8)
        var tokenizer = JavaScriptTokenizer(bytes.span, goal: goal)
        var tokens: [(JavaScriptToken, String)] = []
        while true {
            let token = tokenizer.next(in: bytes.span)
            if token.kind == .end { return tokens }
            tokens.append((token, String(decoding: bytes[token.range], as: UTF8.self)))
        }
    }

    private func texts(_ text: String, _ kinds: JavaScriptToken.Kind...) -> [String] {
        Self.tokens(text).filter { kinds.contains($0.0.kind) }.map(\.1)
    }

    @Test(
        "a slash starts a regular expression",
        arguments: [
            "x=/r/g", "(/r/g)", "[/r/g]", "a,/r/g", "return /r/g", "typeof/r/g", "x=>/r/g",
            "if(a)/r/g.test(b)", "while(a)/r/g", "for(;;)/r/g", "with(a)/r/g", "else/r/g",
            "{}/r/g", "function f(){}/r/g", "class A{}\n/r/g", "a?/r/g:b", "a?b:/r/g",
            "case/r/g:", "a:/r/g", "!/r/g", "a++\n;/r/g", "x={}\n;/r/g", "do/r/g.x;while(a)/r/g",
            "`${/r/g}`", "for(const a of/r/g)", "x={a:/r/g}", "x={...{}},/r/g",
            "export default/r/g", "async function f(){}/r/g", "break\n/r/g", "a=()=>{}\n/r/g",
            "class A{static{/r/g}}", "class A{x=/r/g}", "class A{m(){}static{/r/g}}", "++/r/g.x",
            "return\n{}/r/g", "yield/r/g", "x={f(){}},/r/g", "await/r/g", "if(a){}else{}/r/g",
            "label:{}/r/g", "switch(a){case 1:{}/r/g}", "try{}catch{/r/g}", "a??/r/g",
            "[...{}]\n,/r/g", "/[/\\]]/;/r/g", "x=`a${`b${1}`}`\n;/r/g",
            "export{a};/r/g", "x=function(){}\n;/r/g", "throw/r/g", "class A extends B{}/r/g",
        ])
    func regularExpression(_ text: String) {
        #expect(texts(text, .regularExpression).contains("/r/g"), "\(text)")
    }

    @Test(
        "a slash divides",
        arguments: [
            "x=a/r/g", "(a)/r/g", "[a]/r/g", "a++/r/g", "a--/r/g", "1/r/g", "'a'/r/g", "`a`/r/g",
            "this/r/g", "x={}/r/g", "x=function(){}/r/g", "x=class{}/r/g", "a.if/r/g",
            "a.return/r/g", "a?.typeof/r/g", "({})/r/g", "of/r/g", "a[0]/r/g", "f(x)/r/g",
            "`${a}`/r/g", "(function(){})()/r/g", "x=async function(){}/r/g", "a.b/r/g",
            "x={return:1}.return/r/g", "#a in b/r/g", "super.x/r/g", "x=class A extends{}.y{}/r/g",
            "null/r/g", "x={if(){}}/r/g", "a=b?.5:c/r/g", "1_0n/r/g", "é/r/g", "\\u0061/r/g",
            "x=[{}]/r/g", "return{}/r/g", "x={get(){return 1}}/r/g", "a?{}/r/g:b", "async/r/g",
        ])
    func division(_ text: String) {
        #expect(texts(text, .regularExpression).isEmpty, "\(text)")
        #expect(texts(text, .punctuator).filter { $0 == "/" }.count == 2, "\(text)")
    }

    @Test func templatesNest() {
        let parts = texts("`a${b`c${{}}d`}e${'`'}f`", .templateStart, .templateContinuation)
        #expect(parts == ["`a${", "`c${", "}d`", "}e${", "}f`"])
    }

    @Test func comments() {
        #expect(texts("#!x\na//b\n/*c\n*/--> d\ne", .hashbang) == ["#!x"])
        #expect(texts("a\n/**/--> d\ne", .htmlComment) == ["--> d"])
        #expect(texts("while(n-->0)a", .htmlComment).isEmpty)
        #expect(texts("a<!--b\nc", .htmlComment) == ["<!--b"])
        #expect(texts("import a from'b';a<!--b\nc", .htmlComment).isEmpty)
        #expect(texts("import('a');a<!--b\nc", .htmlComment) == ["<!--b"])
        #expect(texts("a//b\u{2028}c", .lineComment) == ["//b"])
    }

    @Test(arguments: [
        ("'a\\'b'", "a'b"), ("\"\\x41\\u0042\\u{43}\"", "ABC"), ("'\\ud83d\\ude00'", "😀"),
        ("'\\ud83dx'", "\u{FFFD}x"), ("'a\\\r\nb'", "ab"), ("'\\0'", "\0"), ("'\\101'", "A"),
        ("'\\400'", " 0"), ("'\\q\\n'", "q\n"), ("'\\u{110000}'", "\u{FFFD}"), ("'é'", "é"),
    ])
    func values(_ literal: String, _ value: String) {
        let bytes = Array(literal.utf8)
        let content = 1..<bytes.count - 1
        #expect(
            String(decoding: JavaScriptString.decode(bytes.span, content), as: UTF8.self) == value)
    }

    @Test func endsWithTheLineOrTheInput() {
        #expect(Self.tokens("'a\nb").map(\.1) == ["'a", "b"])
        #expect(Self.tokens("`a${`b").map(\.1) == ["`a${", "`b"])
        #expect(Self.tokens("x=/a\nb").map(\.1) == ["x", "=", "/a", "b"])
        #expect(Self.tokens("/*a").first?.0.traits.contains(.unterminated) == true)
    }
}

/// Hostile input for the tokenizer.
struct JavaScriptHostileTests {
    /// Tokens are in order, inside the input, and at least one byte long.
    private func examine(_ bytes: [UInt8]) {
        var tokenizer = JavaScriptTokenizer(bytes.span)
        var last = 0
        while true {
            let token = tokenizer.next(in: bytes.span)
            if token.kind == .end { break }
            let content = token.content(in: bytes.span)
            guard token.start >= last, token.end > token.start, token.end <= bytes.count,
                content.lowerBound >= token.start, content.upperBound <= token.end
            else {
                Issue.record("\(bytes): \(token)")
                return
            }
            last = token.end
        }
        let found = JavaScriptReferences(of: bytes.span)
        for reference in found.references {
            guard reference.range.upperBound <= bytes.count,
                reference.expression.upperBound <= bytes.count
            else {
                Issue.record("\(bytes): \(reference)")
                return
            }
        }
    }

    @Test func randomBytesAndPieces() {
        var generator = Noise(seed: 11)
        let pieces = [
            "`", "${", "}", "{", "(", ")", "[", "]", "/", "*", "\\", "'", "\"", "\n", "\r\n", "=>",
            "class ", "function", "if", "for", "of ", "async ", "return", "yield ", "import", "(",
            "export default ", ":", "?", "?.", ",", ";", "n.u=e=>", "n.p=", "+", "e", "0", "1e9",
            "fetch(", "new URL(", "import.meta.url", "__vite__mapDeps=", "location.protocol",
            ".open(\"GET\",", "static", "get ", "#a", "<!--", "-->", "é", "\u{2028}", "extends ",
            "\\u{", "case ", "default", "\"a/b.js\"", ".concat(", "{1:\"a\"}", "[e]", "===",
        ].map { Array($0.utf8) }
        for _ in 0..<20_000 {
            let count = Int.random(in: 0...20, using: &generator)
            examine((0..<count).flatMap { _ in pieces.randomElement(using: &generator) ?? [] })
            examine((0..<count).map { _ in .random(in: 0...255, using: &generator) })
        }
    }

    @Test func deepNestingIsOnePass() {
        for piece in ["(", "[", "{", "`${", "function(", "class{", "x=>{", "a?", "n.u=e=>(", "{a:"]
        {
            examine(Array(String(repeating: piece, count: 10_000).utf8))
        }
        for piece in ["(\"a.png\")", "a?\"a.png\":", "i.src=u+\".png\";", "u=1;", "+\"a.png\""] {
            examine(Array(("x=u" + String(repeating: piece, count: 40_000)).utf8))
        }
        for piece in [")", "}", "`", "/", "/[", "'", "\\", "/*", "<!--", "n.u=e=>", "fetch("] {
            examine(Array(String(repeating: piece, count: 10_000).utf8))
        }
        let deep =
            String(repeating: "`${", count: 10_000) + "/x/" + String(repeating: "}`", count: 10_000)
        let tokens = JavaScriptTokenizerTests.tokens(deep)
        #expect(tokens.count == 20_001)
        #expect(tokens[10_000].0.kind == .regularExpression)
        #expect(tokens.last?.0.traits.contains(.endsTemplate) == true)
    }
}
