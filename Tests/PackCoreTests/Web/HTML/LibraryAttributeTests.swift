import PackWeb
import Testing

/// The attributes from which libraries load files.
struct LibraryAttributeTests {
    private func addresses(_ page: String) -> [String] {
        let bytes = Array(page.utf8)
        return HTMLReferences(of: bytes.span).references.filter { $0.kind == .lazy }
            .map { String(decoding: $0.value, as: UTF8.self) }
    }

    @Test(arguments: [
        ("<model-viewer src=a.glb poster=b.webp>", ["a.glb", "b.webp"]),
        ("<MODEL-VIEWER SRC=a.glb>", ["a.glb"]), ("<div src=a.glb>", []),
        ("<p hx-get='a.html' hx-trigger=load>", ["a.html"]),
        ("<button on:click='q-3f.js#s_a[0 1]\nq-4e.js#s_b'>", ["q-3f.js", "q-4e.js"]),
        ("<a-entity obj-model='obj: url(a.obj); mtl: url(a.mtl)'>", ["a.obj", "a.mtl"]),
        ("<a-entity gltf-model='#tree'>", []),
        (
            #"<video data-setup='{"poster":"a.png","sources":[{"src":"b.mp4","type":"c"}]}'>"#,
            ["a.png", "b.mp4"]
        ),
        ("<video data-setup='{}'>", []),
        ("<img data-srcset='a.png 1x, b.png 2x'>", ["a.png", "b.png"]),
        ("<link rel='stylesheet/less' href=a.less>", ["a.less"]),
    ])
    func theTableNamesTheFiles(_ page: String, _ expected: [String]) {
        #expect(addresses(page) == expected)
    }

    @Test(arguments: [
        (#"customElements.define("model-viewer",M)"#, ["model-viewer"]),
        (#"if("text/babel"===s.type)x()"#, ["text/babel"]), (#"x("hx-trigger")"#, ["hx-trigger"]),
        (#"x("some-element")"#, []),
    ])
    func scriptsNameTheLibrary(_ script: String, _ expected: [String]) {
        let bytes = Array(script.utf8)
        let found = JavaScriptReferences(of: bytes.span).libraryMarkers
        #expect(found == Set(expected.map { Array($0.utf8) }))
    }
}
