import PackWeb
import TestSupport
import Testing

struct JavaScriptReferencesTests {
    private func lines(_ text: String) -> [String] {
        let bytes = Array(text.utf8)
        return JavaScriptReferences(of: bytes.span).references.filter { $0.kind != .trustedSink }
            .map {
                var line = "\($0.kind.rawValue) \($0.text)"
                if $0.extent != .whole { line += " (\($0.extent))" }
                let detail = $0.form?.rawValue ?? $0.detail
                if !detail.isEmpty { line += " [\(detail)]" }
                if $0.isSynchronous { line += " sync" }
                if $0.isGuarded { line += " guarded" }
                return line
            }
    }

    @Test(arguments: [
        ("fetch('/api/x')", "fetch /api/x [GET]"),
        ("window.fetch(`/api/${x}`,{method:'post'})", "fetch /api/ (prefix) [POST]"),
        ("fetch('/a',o)", "fetch /a [?]"),
        ("x.open('POST',\"/a\",!1)", "request /a [POST] sync"),
        ("x.open('get',u,false)", "request  (none) [GET] sync"),
        ("$.ajax({url:'/a',type:'PUT',async:!1})", "ajax /a [PUT] sync"),
        ("axios.post('/a',{})", "ajax /a [POST]"),
        ("a.create({baseURL:'/api'})", "ajax-base /api"),
        ("import('./a.js')", "dynamic-import ./a.js"),
        ("import a,{b}from'./a.js'", "static-import ./a.js"),
        ("import'./a.css'", "static-import ./a.css"),
        ("export*from'./a.js'", "static-import ./a.js"),
        ("new Worker('w.js')", "worker w.js [Worker]"),
        ("new Worker(new URL('w.js',import.meta.url))", "worker-module-url w.js [base]"),
        ("new URL('a.png',import.meta.url).href", "module-url a.png [base]"),
        ("new URL(a,b).origin", "url-origin  (none)"),
        ("importScripts('a.js')", "import-scripts a.js"),
        ("navigator.sendBeacon('/log',d)", "beacon /log"),
        ("new WebSocket('/ws')", "web-socket /ws [WebSocket]"),
        ("navigator.serviceWorker.register('/sw.js')", "service-worker /sw.js"),
        ("history.pushState({},'','/p')", "history /p [pushState]"),
        ("document.cookie='a'", "cookie  (none) [write]"),
        ("document.write('<p>'+a)", "document-write <p> (prefix)"),
        (
            "document.createElementNS('http://www.w3.org/2000/svg','a')",
            "namespace http://www.w3.org/2000/svg"
        ),
        ("u.protocol='https:'", "protocol-assignment https: [u]"),
        ("location.protocol+'//api.h'", "location-protocol //api.h (part) [joined]"),
        ("'https:'===location.protocol", "location-protocol  (none) [compared] guarded"),
        ("location.origin+1", "location-origin  (none) [origin]"),
        ("location.href='/a'", "navigation /a [at start]"),
        ("/^https?:\\/\\//.test(u)", "absolute-test  (none)"),
        ("crypto.subtle.digest(a)", "secure-context  (none) [crypto.subtle]"),
        ("x='img/a.png'", "literal img/a.png"),
        ("x='/about'", "literal /about"),
        ("x='https://h/a'+b", "literal https://h/a (prefix)"),
        ("x=b+'/a.png'", "literal /a.png (part)"),
        ("a//# sourceMappingURL=a.js.map", "source-map a.js.map"),
    ])
    func finds(_ script: String, _ line: String) {
        #expect(lines(script) == [line])
    }

    @Test(arguments: [
        "x='text/html'", "x='hello world'", "x={'a.png':1}", "fetch(u)", "function fetch(a){}",
        "a.fetch('/x')", "indexedDB2.open('x',1)", "caches2.open('a')", "db.open('name',1,!1)",
        "s.open(m,'Close.',{duration:1})", "s.open(m,'a.html',{a:1})", "s.open(m,'Done. Close')",
        "x.p='a'", "n.u=1", "location={a:1}", "this.write('a')", "a.register('/sw.js')",
    ])
    func leavesAlone(_ script: String) {
        #expect(lines(script).filter { !$0.hasPrefix("literal") } == [])
    }

    @Test func guardsAreSeen() {
        let script = "if(location.protocol==='https:')navigator.serviceWorker.register('/s.js')"
        #expect(lines(script).last == "service-worker /s.js guarded")
    }

    @Test(arguments: [
        (
            "n.u=e=>\"js/\"+({1:\"about\"}[e]||e)+\".\"+{1:\"aa\",22:\"bb\"}[e]+\".js\",n.p=\"/s/\"",
            ["js/about.aa.js", "js/22.bb.js"]
        ),
        (
            "n.u=function(e){return 5===e?\"a.js\":8===e?\"b.js\":void 0}",
            ["a.js", "b.js"]
        ),
        ("n.u=(e)=>`js/${e}.${{a:1,b:\"x\"}[e]}.js`", ["js/a.1.js", "js/b.x.js"]),
        (
            "n.u=function(e){if(e===7)return\"x.js\";return\"\".concat(e,\".\").concat({7:\"q\"}[e],\".js\")}",
            ["x.js"]
        ),
        ("n.u=e=>f(e)+{1:\"a\"}[e]", []), ("n.u=e=>e+\".js\"", []),
    ])
    func chunkMaps(_ script: String, _ names: [String]) {
        let bytes = Array(script.utf8)
        let found = JavaScriptReferences(of: bytes.span).references
        #expect(found.filter { $0.kind == .chunk }.map(\.text) == names)
        if script.contains("n.p=") {
            #expect(found.contains { $0.kind == .publicPath && $0.text == "/s/" })
        }
    }

    @Test func viteLists() {
        let script = """
            const __vite__mapDeps=(i,m=__vite__mapDeps,d=(m.f||(m.f=["assets/a-1.js","assets/b.css"])))\
            =>i.map(i=>d[i]);const s="modulepreload",f=function(e){return"/app/"+e};\
            x(()=>import("./a-1.js"),__vite__mapDeps([0,1]))
            """
        #expect(
            lines(script) == [
                "preload-dependency assets/a-1.js", "preload-dependency assets/b.css",
                "public-path /app/ (prefix) [vite]", "dynamic-import ./a-1.js",
            ])
    }

    @Test func rangesAreThoseOfTheLiteral() {
        let bytes = Array("fetch(\"/\\u0061\")".utf8)
        let found = JavaScriptReferences(of: bytes.span).references
        #expect(found.first?.range == 7..<14)
        #expect(found.first?.text == "/a")
        #expect(found.first?.expression == 0..<15)
    }
}
