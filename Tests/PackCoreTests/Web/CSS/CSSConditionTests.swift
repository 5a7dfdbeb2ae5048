import PackWeb
import Testing

/// Conditions that no device meets.
struct CSSConditionTests {
    @Test(arguments: [
        "print", "only print", "PRINT and (min-width: 1px)", "not all", "not screen",
        "speech, print",
        "(-ms-high-contrast: active), (-ms-high-contrast: none)", "(min-width:9000px)",
        "screen and (min-width: 900em)", "all and (-moz-images-in-menus:0)", "(scripting: none)",
    ])
    func neverMet(_ media: String) {
        #expect(MediaQueries.condition(media.utf8) == .never)
    }

    @Test(arguments: ["", "  ", "all", "screen", "not print", "print, screen", "only screen"])
    func alwaysMet(_ media: String) {
        #expect(MediaQueries.condition(media.utf8) == .always)
    }

    @Test(arguments: [
        "(min-width: 320px)", "not (min-width: 9000px)", "not (prefers-color-scheme: dark)",
        "(min-width: 1px) or (min-width: 9000px)", "(prefers-color-scheme: light)", "\\0screen",
        "(orientation: portrait)", "(prefers-color-scheme: dark), (max-width: 600px)",
        "(-webkit-min-device-pixel-ratio: 2)", "(400px <= width)", "{{media}}", "(((", ")(",
    ])
    func undecided(_ media: String) {
        #expect(MediaQueries.condition(media.utf8) == .sometimes)
    }

    /// Conditions that an upright phone with default settings does not meet.
    @Test(arguments: [
        "(min-width: 600px)", "screen and (orientation: landscape)", "(min-width:48em)",
        "(prefers-color-scheme: dark)", "(prefers-reduced-motion: reduce)", "print, (hover: hover)",
        "screen and (prefers-contrast: more) and (max-width: 600px)",
    ])
    func optional(_ media: String) {
        #expect(MediaQueries.condition(media.utf8) == .optional)
        let css = """
            @import "a.css" \(media);
            @media \(media) { @media screen { a { background: url(b) } } } a { background: url(c) }
            """
        let found = CSSReferences.file(Array(css.utf8)).references
        #expect(found.map(\.isAsked) == [true, true, true])
        #expect(found.map(\.isOptional) == [true, true, false])
    }

    /// The URLs of a sheet that no device requests.
    private func unasked(_ css: String) -> [String] {
        CSSReferences.file(Array(css.utf8)).references.filter { !$0.isAsked }
            .map { String(decoding: $0.value, as: UTF8.self) }
    }

    @Test(arguments: [
        "(-ms-ime-align: auto)", "not (display: grid)", "(display: nonsense)",
        "(display: grid) and (-moz-appearance: none)", "not ((display: grid) or (foo: bar))",
        "(display:grid) and (not (display: flex))",
    ])
    func falseFeatures(_ condition: String) {
        #expect(unasked("@supports \(condition) { a { background: url(x) } }") == ["x"])
    }

    @Test(arguments: [
        "(display: grid)", "(-webkit-touch-callout: none)", "not (backdrop-filter: blur(1px))",
        "(display: ruby)", "selector(:has(a))", "not selector(a)",
        "(((((((((((display: x)))))))))))",
        "(--a: b)", "(color: color-mix(in srgb, red, blue))", ")", "",
    ])
    func possibleFeatures(_ condition: String) {
        #expect(unasked("@supports \(condition) { a { background: url(x) } }") == [])
    }

    @Test func fontsOfOtherEngines() {
        let css = """
            @font-face { src: url(a.eot); src: url(a.eot?#iefix) format("embedded-opentype"),
              url(a.woff2) format("woff2"), url(a.xyz) format('xyz'), url(a.svg#a) format(svg) }
            @font-face { src: url(b.EOT?x) }
            @font-face { src: url(c.woff); src: local("c") }
            @font-face { src: url(d.woff); src: url(e.woff) }
            """
        #expect(unasked(css) == ["a.eot", "a.eot?#iefix", "a.xyz", "b.EOT?x", "d.woff"])
    }

    @Test func rulesOfOtherMedia() {
        let css = """
            @import "p.css" print; @import url(l.css) layer(base); @import "s.css" screen;
            @media print { a { background: url(1) } @media screen { b { background: url(2) } } }
            c { background: url(3); -moz-border-image: url(4); -webkit-mask: url(5); unknown: url(6) }
            @page { background: url(7) } @-moz-document url(8) { d { background: url(9) } }
            e { background: url(10) }
            """
        #expect(unasked(css) == ["p.css", "1", "2", "4", "6", "7", "9"])
    }
}
