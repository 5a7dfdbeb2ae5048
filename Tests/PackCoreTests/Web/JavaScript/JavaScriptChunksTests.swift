import TestSupport
import Testing

@testable import PackWeb

/// The chunks requested by a bundle.
struct JavaScriptChunksTests {
    private func names(_ script: String) -> [String] {
        let bytes = Array(script.utf8)
        return JavaScriptReferences(of: bytes.span).references.filter { $0.kind == .chunk }
            .map(\.text)
    }

    private static let map = "n.u=e=>\"js/\"+{1:\"a\",22:\"b\",23:\"c\"}[e]+\".js\";"

    @Test(arguments: [
        ("", ["js/a.js", "js/b.js", "js/c.js"]),
        ("n.f.j=(e,t)=>{if(!/^(2[2-9]|7)$/.test(e)){l(e)}else i[e]=0}", ["js/a.js"]),
        ("n.f.j=function(e,t){if(/^(2[23])$/.test(e))i[e]=0;else{l(e)}}", ["js/a.js"]),
        ("n.f.j=function(e,t){/^2(2|3|)$/.test(e)?l(e):i[e]=0}", ["js/b.js", "js/c.js"]),
        ("n.f.j=(e,t)=>{var r=i[e];if(0!==r)if(22!=e){l(e)}else i[e]=0}", ["js/a.js", "js/c.js"]),
        ("n.f.j=(e,t)=>{if(\"1\"==e)i[e]=0;else{l(e)}}", ["js/b.js", "js/c.js"]),
        (
            "n.f.j=(e,t)=>{if(!/^2.*$/.test(e)){l(e)}else i[e]=0}",
            ["js/a.js", "js/b.js", "js/c.js"]
        ),
        ("o.f.j=(e,t)=>{if(22!=e){l(e)}else i[e]=0}", ["js/a.js", "js/b.js", "js/c.js"]),
    ])
    func mergedChunks(_ condition: String, _ expected: [String]) {
        #expect(names(Self.map + condition) == expected)
    }

    @Test(arguments: [
        ("n.u=e=>e+\".js\";n.e(5),n.e(\"ab\").then(x)", ["5.js", "ab.js"]),
        ("n.u=function(e){return e+\".92c7.js\"};x.e(465)", ["465.92c7.js"]),
        (
            "function a(e){return n.p+\"js/\"+({}[e]||e)+\".\"+{0:\"ab\"}[e]+\".js\"}x()",
            ["js/0.ab.js"]
        ),
        (
            "s.src=function jsonpScriptSrc(e){return w.p+\"\"+{0:\"ab\",1:\"cd\"}[e]+\".js\"}(e)",
            ["ab.js", "cd.js"]
        ),
        ("s.src=n.p+\"\"+e+\".\"+{0:\"ab\",1:\"cd\"}[e]+\".js\";", ["0.ab.js", "1.cd.js"]),
        (
            "s.src=\"/j/\"+({a:\"x\",2:\"y\"}[e]||e)+\".\"+{a:\"ab\",2:\"cd\"}[e]+\".js\";s.onload=t",
            ["/j/x.ab.js", "/j/y.cd.js"]
        ),
        ("s.src=\"/j/\"+{1:\"ab\"}[e]+f()+\".js\"", []),
        ("s.src=\"/j/\"+{1:\"ab\"}[e]+\".png\"", []),
        ("s.src=\"/j/\"+e+\".js\"", []), ("s.src=n.p+\"x\"+e+\".js\"", []),
        ("function a(e){return n.p+e}x.e(1)", []), ("n.u=(e=>e+\".js\"),n.e(5)", ["5.js"]),
    ])
    func otherMaps(_ script: String, _ expected: [String]) { #expect(names(script) == expected) }

    /// Regression: each of them exhausted the stack, because the reader recursed for every `void`,
    /// and the value of every other operator contained the previous one.
    @Test(arguments: [
        ("", "void ", "0"), ("e", "||e", ""), ("e", "??e", ""), ("e", "[e]", ""),
        ("e", ".concat(e)", ""), ("", "(", ""), ("e", "?e:e", ""), ("", "{", ""), ("", "`${", ""),
    ])
    func manyOperatorsInARow(_ before: String, _ operator: String, _ after: String) {
        let many = before + String(repeating: `operator`, count: 100_000) + after
        #expect(names("n.u=e=>\(many);n.e(5)").count <= 1)
        #expect(names("s.src=n.p+\(many)+\".js\";n.e(5)").count <= 1)
    }

    @Test(arguments: [
        ("^(1|2(3|45))$", ["1", "23", "245"]), ("^a(|b)c?$", ["a", "ac", "ab", "abc"]),
        ("^[13-5x]\\-$", ["1-", "3-", "4-", "5-", "x-"]),
    ])
    func finiteExpressions(_ text: String, _ expected: [String]) {
        let texts = FiniteExpression.texts(Array(text.utf8))
        #expect(texts == Set(expected.map { Array($0.utf8) }))
    }

    @Test(arguments: [
        "a", "^a", "^(a$", "^a)$", "^a*$", "^.$", "^[^a]$", "^[a$", "^\\d$", "^(?=a)$", "^\\$",
        "^" + String(repeating: "[0-9]", count: 9) + "$",
        "^" + String(repeating: "(", count: 99) + String(repeating: ")", count: 99) + "$",
    ])
    func otherExpressionsAreNotRead(_ text: String) {
        #expect(FiniteExpression.texts(Array(text.utf8)) == nil)
    }
}
