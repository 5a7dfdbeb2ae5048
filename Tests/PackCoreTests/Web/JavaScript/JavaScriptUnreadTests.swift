import TestSupport
import Testing

@testable import PackWeb

/// Loaders that are not understood, and functions that pass their argument to a request.
struct JavaScriptUnreadTests {
    private func references(_ text: String) -> [JavaScriptReference] {
        let bytes = Array(text.utf8)
        return JavaScriptReferences(of: bytes.span).references
    }

    @Test(arguments: [
        ("const f=n=>import(n)", ["import()"]),
        ("new Worker(u)", ["new Worker"]),
        ("importScripts(u)", ["importScripts"]),
        ("function f(u){var s=document.createElement('script');s.src=u}", ["script.src"]),
        (
            "function f(u){var l=document.createElement('link');l.rel='stylesheet';l.href=u}",
            ["link.href"]
        ),
        // Understood, or no file.
        ("import('./a.js')", []),
        ("const d='./a';import(d+'.js')", []),
        ("new Worker(''+new URL('a.js',import.meta.url).href)", []),
        ("new Worker(URL.createObjectURL(b))", []),
        ("new Worker('data:text/javascript,'+encodeURIComponent(t))", []),
        ("importScripts(n.p+n.u(7))", []),
        ("function f(u){var s=document.createElement('img');s.src=u}", []),
        ("function f(u){var l=document.createElement('link');l.rel='icon';l.href=u}", []),
        ("a.import(b)", []),
    ])
    func loaders(script: String, names: [String]) {
        #expect(references(script).filter { $0.kind == .unread }.map(\.detail) == names)
    }

    @Test(arguments: [
        ("const g=u=>fetch(u);g('a.json')", ["a.json"]),
        (
            "function t(u,o){return fetch(u,o)}const n=(u,o)=>t(u,o).then(x);n('/d/s.csv')",
            ["/d/s.csv"]
        ),
        ("function g(u){return fetch(new URL(u,document.baseURI))}g('a/'+'b.json')", ["a/b.json"]),
        (
            "function g(u,m='GET'){const r=new XMLHttpRequest;r.open(m,u,!0);r.send()}g('a.json')",
            ["a.json"]
        ),
        ("fetch('m'===t?a:b)", []),
        ("function g(u){u=base(u);return fetch(u)}g('a.json')", []),
        ("function g(u){return fetch(u)}g('in-memory archive')", []),
    ])
    func helpers(script: String, addresses: [String]) {
        #expect(references(script).filter { $0.kind == .fetch }.map(\.text) == addresses)
    }

    @Test func placesOfLiterals() {
        let found = references("load('a.png',['b.png']);x={img:'c.png','d.png':1}")
            .filter { $0.kind == .literal }
        let words = found.map { reference in
            reference.place?.word.map { "\($0.lowerBound)-\($0.upperBound)" } ?? "–"
        }
        #expect(words == ["0-4", "–", "27-30", "–"])
        #expect(found.map { $0.place?.isArgument ?? false } == [true, false, false, false])
        #expect(found.map { $0.place?.bracket ?? -1 } == [4, 13, 26, 26])
        #expect(found.map { $0.place?.outer ?? -1 } == [-1, 4, -1, -1])
        #expect(found.map(\.detail) == ["", "", "", JavaScriptReference.key])
    }
}
