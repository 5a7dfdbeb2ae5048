/// A syntax unknown to engines before some release.
///
/// ECMAScript 2015 is assumed: every engine with a handler for requests parses it.
package enum JavaScriptFeature: UInt8, CaseIterable, Sendable {
    /// `a ** b`.
    case exponentiation
    /// `async function`, `async () =>`, `await`.
    case asyncFunctions
    /// `f(a, b,)`.
    case trailingCommas
    /// `{...a}`, and the rest of an object: `let {a, ...b} = c`.
    case objectSpread
    /// `async function*`.
    case asyncGenerators
    /// `for await (…)`.
    case forAwait
    /// `try {} catch {}`.
    case optionalCatchBinding
    /// A template with a tag and an escape not allowed in others.
    case templateEscapes
    /// `import("…")`.
    case dynamicImport
    /// The second argument of `import("…", {…})`, and a trailing comma after the first.
    case importOptions
    case importMeta
    /// `1n`.
    case bigInt
    /// `1_000`.
    case numericSeparators
    /// `a?.b`.
    case optionalChaining
    /// `a ?? b`.
    case nullishCoalescing
    /// `a ||= b`, `a &&= b`, `a ??= b`.
    case logicalAssignment
    /// `class { a = 1 }`.
    case classFields
    /// `class { static a = 1 }`.
    case staticFields
    /// `class { #a = 1 }`.
    case privateFields
    /// `class { #a() {} }`.
    case privateMethods
    /// `#a in b`.
    case privateIn
    /// `class { static {} }`.
    case staticBlocks
    case topLevelAwait
    /// `export * as a from "…"`.
    case exportNamespace
    /// `export {a as "b"}`.
    case stringNames
    /// `import a from "…" with {type: "json"}`.
    case importAttributes
    /// `import a from "…" assert {type: "json"}`.
    case importAssertions
    /// `#!` in the first line.
    case hashbang
    /// `using a = b`.
    case using
    /// `await using a = b`.
    case awaitUsing
    // Of regular expressions.
    /// `/a/y`.
    case regexpSticky
    /// `/a/u`.
    case regexpUnicode
    /// `/a/s`.
    case regexpDotAll
    /// `/a/d`.
    case regexpIndices
    /// `/a/v`.
    case regexpSets
    /// `/(?<=a)b/`, `/(?<!a)b/`.
    case regexpLookBehind
    /// `/(?<a>b)/`.
    case regexpNamedGroups
    /// `/(?<a>b)|(?<a>c)/`.
    case regexpDuplicateNames
    /// `/\p{L}/u`.
    case regexpProperties
    /// `/(?i:a)/`.
    case regexpModifiers
}

/// The features of a script, each with its first offset.
package struct JavaScriptFeatures: Sendable {
    private var first = [UInt32](repeating: .max, count: JavaScriptFeature.allCases.count)

    package init() {}

    /// Records a use at an offset.
    mutating func note(_ feature: JavaScriptFeature, at offset: UInt32) {
        let index = Int(feature.rawValue)
        if offset < first[index] { first[index] = offset }
    }

    /// The offset of the first use; `nil` without one.
    package func offset(of feature: JavaScriptFeature) -> Int? {
        let offset = first[Int(feature.rawValue)]
        return offset == .max ? nil : Int(offset)
    }

    /// The features found, in the order of their kinds.
    package var all: [(feature: JavaScriptFeature, offset: Int)] {
        JavaScriptFeature.allCases.compactMap { feature in
            offset(of: feature).map { (feature, $0) }
        }
    }
}
