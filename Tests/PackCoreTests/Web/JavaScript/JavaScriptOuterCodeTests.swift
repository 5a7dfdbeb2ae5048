import PackWeb
import Testing

/// The code of a script that runs immediately; `↓` marks such positions, `·` the others.
struct JavaScriptOuterCodeTests {
    @Test(arguments: [
        "↓a(); b(↓c)",
        "fetch(↓\"a\").then(() => fetch(·\"b\")); fetch(↓\"c\")",
        "fetch(↓\"a\").then(r => r.json(), e => { ·x }, ↓y)",
        "function f(a, b) { ·x } ↓y",
        "var f = function () { if (x) { ·y } ·z }, g = ↓h; async () => { ·x }; ↓y",
        "class A { m() { ·x } } ↓y; ({ m() { ·x }, n: ↓y, get o() { ·x } })",
        "if (a) { ↓b } else { for (;;) { ↓c } } try { ↓d } catch (e) { ↓e }",
        "a = b => c => (·d, ·e), ↓f",
        "a = `${↓b}${() => ·c}`; ↓d",
        "(() => { ·a })(); (function () { ·b })(); ↓c",
        "a = { b: { c: ↓d } }; e(function () { f({ g: ·h }) }, ↓i)",
        "x = () => ({ a: ·b }); ↓c",
        "} ↓a",
    ])
    func whatRunsAtOnce(_ marked: String) {
        var text: [UInt8] = []
        var expected: Set<Int> = []
        var places: [Int] = []
        for character in marked {
            switch character {
            case "↓":
                expected.insert(text.count)
                places.append(text.count)
            case "·": places.append(text.count)
            default: text += character.utf8
            }
        }
        text += " ".utf8
        #expect(
            JavaScriptOuterCode.places(places, of: text.span)
                == expected.intersection(0..<text.count))
    }

    @Test func nestingIsReadOnce() {
        let count = 100_000
        let text = Array((String(repeating: "f(()=>{", count: count) + "a()").utf8)
        let places = (0..<count).map { $0 * 7 }
        #expect(JavaScriptOuterCode.places(places, of: text.span) == [0])
    }
}
