import PackGround
import PackProfile
import Testing

@testable import PackCheck

/// Texts are resolved once for a folder, and mean the same as if each file resolved its own.
@Suite struct ReferenceTargetTests {
    private static let texts = [
        "b.html", "b.html?x#y", "?x", "#y", "", " ", " ?x", " #y", "../a.js", "./", ".", "/b.html",
        "//h.example/x", "\\b.html", "\t?x", "b\n.html", "\u{0}?x", "https:?x", "https:#y",
        "https:b.html",
        "https://h.example/?x", "http:?x", "HTTPS:?x", "customscheme:?x", "customscheme:b.html",
        "customscheme://h.example/b.html", "data:,x", "mailto:x", ":?x", "?x:y", "b.html:?x",
        "%3Fx",
    ]

    @Test(arguments: [false, true]) func filesOfAFolderShareTargets(secure: Bool) throws {
        let names = ["d/a.html", "d/b.html", "b.html", "a.js"]
        let site = SiteIndex(
            memory: Dictionary(
                uniqueKeysWithValues: try names.map { (try AssetPath($0), [UInt8]("x".utf8)) }),
            profile: .pathStrict)
        let targets = ReferenceTargets()
        for _ in 0..<2 {
            for file in site.files {
                let base = site.profile.url(of: file.path, secure: secure)
                for (text, use) in Self.texts.flatMap({
                    [($0, ReferenceUse.navigation), ($0, .subresource)]
                }) {
                    let found = targets.target(
                        Array(text.utf8), use, from: base, in: .init(base), site.resolver)
                    let own = ReferenceTarget(Array(text.utf8), use, from: base, site.resolver)
                    #expect(found.text.resolution == own.text.resolution, "\(text) in \(file.path)")
                    #expect(found.fault == own.fault, "\(text) in \(file.path)")
                }
            }
        }
    }
}
