import PackWeb
import Testing

/// The syntax that older engines cannot parse, and its first position.
struct JavaScriptFeatureTests {
    /// The features of a script as `name@offset`.
    private func features(_ script: String) -> [String] {
        JavaScriptReferences(of: Array(script.utf8).span).features.all
            .map { "\($0.feature)@\($0.offset)" }
    }

    @Test(arguments: [
        ("a ** b", "exponentiation@2"), ("a **= b", "exponentiation@2"),
        ("f(async () => 1)", "asyncFunctions@2"), ("x = {async a() {}}", "asyncFunctions@5"),
        ("async x => x", "asyncFunctions@0"), ("async(x)", ""), ("x = {async: 1}", ""),
        ("f(a, b,)", "trailingCommas@6"), ("(a,) => a", "trailingCommas@2"), ("[a,]", ""),
        ("x = {...y}", "objectSpread@5"), ("[...x]; f(...x)", ""),
        ("async function* f() {}", "asyncGenerators@0"),
        ("x = {async *a() {}}", "asyncGenerators@5"),
        ("try {} catch {}", "optionalCatchBinding@7"), ("try {} catch (e) {}", ""),
        ("f`\\u{`", "templateEscapes@1"), ("f`\\u0041\\x41\\0`; `\\n`", ""),
        ("import('a')", "dynamicImport@0"), ("x.import('a')", ""),
        ("import('a', b)", "dynamicImport@0 importOptions@0"),
        ("x = 1n", "bigInt@4"), ("x = 0xFn", "bigInt@4"), ("x = 0xA", ""),
        ("x = 1_0", "numericSeparators@4"), ("x = a_0", ""),
        ("a?.b", "optionalChaining@1"), ("a?.5:b", ""), ("x = '?.'; /?./; `?.`", ""),
        ("`${a?.b}`", "optionalChaining@4"),
        ("a ?? b", "nullishCoalescing@2"), ("a ? b : c", ""),
        ("a ||= b", "logicalAssignment@2"), ("a ??= b", "logicalAssignment@2"),
        ("class A { x = 1 }", "classFields@10"), ("class A { x() {} get y() {} }", ""),
        ("class A { static x }", "classFields@10 staticFields@10"),
        ("class A { #x }", "privateFields@10"), ("class A { #x() {} }", "privateMethods@10"),
        ("class A { #x; f(o) { return #x in o } }", "privateFields@10 privateIn@28"),
        ("class A { static {} }", "staticBlocks@10"), ("class A { static() {} }", ""),
        ("await a", "topLevelAwait@0"), ("f(async () => await a)", "asyncFunctions@2"),
        ("x = {async a() { await b }}", "asyncFunctions@5"),
        ("export * as a from 'b'", "exportNamespace@0"), ("export * from 'b'", ""),
        ("export {a as 'b'}", "stringNames@13"),
        ("import a from 'b' with {type: 'json'}", "importAttributes@18"),
        ("import a from 'b' assert {type: 'json'}", "importAssertions@18"),
        ("import 'b'\nassert\n{}", ""),
        ("#!a\nb", "hashbang@0"), ("{ using a = b }", "using@2"),
        ("using(a); using = 1; using in a", ""), ("for (using of a) {}", ""),
        ("async () => { await using a = b }", "asyncFunctions@0 awaitUsing@14"),
        ("f(async () => { for await (a of b) {} })", "asyncFunctions@2 forAwait@16"),
    ])
    func syntax(_ script: String, _ expected: String) {
        #expect(features(script).joined(separator: " ") == expected, "\(script)")
    }

    @Test(arguments: [
        ("/a/y", "regexpSticky@0"), ("/a/u", "regexpUnicode@0"), ("/a/s", "regexpDotAll@0"),
        ("/a/d", "regexpIndices@0"), ("/[a[b]](?<=c)/v", "regexpSets@0 regexpLookBehind@0"),
        ("/(?<=a)b/", "regexpLookBehind@0"), ("/(?<!a)b/", "regexpLookBehind@0"),
        ("/(?<a>b)/", "regexpNamedGroups@0"),
        ("/(?<a>b)|(?<a>c)/", "regexpNamedGroups@0 regexpDuplicateNames@0"),
        ("/(?<a>b)(?<c>d)/", "regexpNamedGroups@0"),
        ("/\\p{L}/u", "regexpUnicode@0 regexpProperties@0"), ("/\\p{L}/", ""),
        ("/\\\\p{L}/u", "regexpUnicode@0"), ("/[\\p{L}]/u", "regexpUnicode@0 regexpProperties@0"),
        ("/(?i:a)/", "regexpModifiers@0"), ("/(?-i:a)/", "regexpModifiers@0"),
        ("/(?:a)(?=b)(?!c)/gim", ""), ("/[(?<=a)]/", ""), ("/\\(?<=a/", ""), ("/[\\](?<=]/", ""),
    ])
    func regularExpressions(_ script: String, _ expected: String) {
        #expect(features(script).joined(separator: " ") == expected, "\(script)")
    }

    @Test func aScriptThatNoEngineParsesHasNone() {
        #expect(features("a?.b }").isEmpty)
        #expect(features("a?.b = = 1").isEmpty)
    }

    /// Parts that are nested deeply are read later, and their features count.
    @Test func deepCodeCounts() {
        let deep = String(repeating: "f(", count: 200) + "a ? b.c = d?.e : g"
        #expect(features(deep + String(repeating: ")", count: 200)) == ["optionalChaining@411"])
    }
}
