import PackCheck
import Testing

/// Content hashes written by bundlers, and similar names.
struct ContentHashTests {
    @Test(arguments: [
        "main.c609e010f4.js", "index-BfX3_d2k.js", "app.3f9c2a71.css", "chunk-2d0c0895.js",
        "checkout.JEBPQXW5.css", "icon-box.6OHGMQVL.svg", "chunk.FKSLDGYH.js", "index-CuixtrEG.js",
        "3b6e2d8c1f0a9d7e5c4b.png", "src-pSlzKFX1.js", "index-Bf-X3_d2.js",
    ])
    func isFound(_ name: String) {
        #expect(ContentHash.isIn(Array(name.utf8)))
    }

    @Test(arguments: [
        "jquery-3.6.0.min.js", "fa-solid-900.woff2", "index.html", "icon-192.png", "robots.txt",
        "fonts-OFL.txt", "polyfills.js", "runtime-main.js", "logo192.png", "MyComponent.js",
        "apple-touch-icon.png", "", ".", "bundle.js", "roboto-v30-latin-regular.woff2",
    ])
    func isNotThere(_ name: String) {
        #expect(!ContentHash.isIn(Array(name.utf8)))
    }
}
