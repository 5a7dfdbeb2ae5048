import PackDeltaFile
import PackDeltaMaking
import PackGround
import Testing

@Suite("Name stem")
struct NameStemTests {
    @Test(
        "a content hash is taken out of a name, however a bundler writes it",
        arguments: [
            // webpack, esbuild: hexadecimal, or capitals and digits
            ("js/main.c609e010f4.js", "js/main.#.js"),
            ("js/main.c609e010f4.chunk.js", "js/main.#.chunk.js"),
            ("chunk-FOHPRMQ2.css", "chunk-#.css"),
            // Rollup: eight characters of base64url, in which "-" and "_" are not separators
            ("js/Autocomplete.78y97O-u.js", "js/Autocomplete.#.js"),
            ("js/_baseMap.OhVc4KF-.js", "js/_baseMap.#.js"),
            ("js/es6.F_Dn-hRW.js", "js/es6.#.js"),
            ("js/lib.-Y2QYnCa.js", "js/lib.#.js"),
            ("js/index-BDy_k4Lm.js", "js/index-#.js"),
            // no hash
            ("index.html", "index.html"),
            ("js/polyfills.js", "js/polyfills.js"),
            ("js/date-picker.js", "js/date-picker.js"),
            ("a.b", "a.b"),
        ])
    func of(name: String, stem: String) throws {
        let path = try AssetPath(Array(name.utf8))
        #expect(String(decoding: NameStem.of(path), as: UTF8.self) == stem)
    }
}
