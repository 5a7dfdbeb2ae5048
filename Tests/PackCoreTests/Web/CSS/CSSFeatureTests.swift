import PackWeb
import Testing

/// The parts of a style sheet that older engines drop, and their first positions.
struct CSSFeatureTests {
    private func features(_ sheet: String) -> String {
        CSSReferences.file(Array(sheet.utf8)).features.all
            .map { "\($0.feature)@\($0.offset)" }.joined(separator: " ")
    }

    @Test(arguments: [
        ("@layer a{b{c:d}}", "layer@0"), ("@layer a, b;", ""),
        ("@import url(a) layer(b);", "layer@15"), ("@import url(a) screen;", ""),
        ("@container (width > 1px){a{b:c}}", "container@0"),
        ("@scope (a){b{c:d}}", "scope@0"),
        ("a{b:c;& d{e:f}}", "nesting@6"), ("@media print{a{b{c:d}}}", ""),
        ("a{@media screen{b:c}}", "nesting@2"), ("@media screen{a{b:c}}", ""),
        ("@keyframes a{from{b:c}}", ""),
        ("@media (width>=1px){a{b:c}}", "mediaRange@13"), ("@media (min-width:1px){a{b:c}}", ""),
        ("a:has(b),c{d:e}", "has@2"), ("@media screen{a:has(b){d:e}}", "has@16"),
        ("a:not(:is(b)):where(c){d:e}", "matches@7 where@14"), ("is(a){b:c}", ""),
    ])
    func rules(_ sheet: String, _ expected: String) {
        #expect(features(sheet) == expected, "\(sheet)")
    }

    @Test(arguments: [
        ("a{inset:0}", "inset@2"), ("a{top:0;inset:0}", ""), ("a{color:red;inset:0}", "inset@12"),
        ("a{margin-inline:0}", "marginInline@2"), ("a{aspect-ratio:1}", "aspectRatio@2"),
        ("a{scale:2}", "transforms@2"), ("a{transform:scale(2)}", ""),
        ("a{color:oklch(1 0 0)}", "oklch@8"), ("a{color:red;color:oklch(1 0 0)}", ""),
        ("a{color:red}b{color:oklch(1 0 0)}", "oklch@20"),
        ("a{color: color-mix(in lab, red, blue)}", "colorMix@9"),
        ("a{color:rgb(from red r g b)}", "relativeColor@12"),
        ("a{--b:red;--b:oklch(1 0 0)}", "oklch@14"),
        ("a{height:100dvh}", "viewportUnits@9"), ("a{height:100vh}", ""),
        ("a{width:1cqmin}", "containerUnits@8"), ("a{width:clamp(1px,2vw,3px)}", "clamp@8"),
        ("a{grid-template-columns:subgrid}", "subgrid@24"),
        ("@supports (color:lab(1 0 0)){a{color:lab(1 0 0)}}b{color:lab(1 0 0)}", "lab@57"),
        ("@media print{a{inset:0}}", ""), ("/* a{inset:0} */", ""), ("a{content:'inset:0'}", ""),
    ])
    func declarations(_ sheet: String, _ expected: String) {
        #expect(features(sheet) == expected, "\(sheet)")
    }
}
