import TestSupport
import Testing

@testable import PackWeb

/// Assets, requests and guards in scripts.
struct JavaScriptAssetsTests {
    private func lines(_ text: String) -> [String] {
        let bytes = Array(text.utf8)
        return JavaScriptReferences(of: bytes.span).references.filter { $0.kind != .trustedSink }
            .map {
                var line = "\($0.kind.rawValue) \($0.text)"
                if $0.extent != .whole { line += " (\($0.extent))" }
                if $0.isGuarded { line += " guarded" }
                if $0.isJoined { line += " joined" }
                return line
            }
    }

    @Test(arguments: [
        ("i.src='a.png'", ["asset a.png"]), ("i.src=\"\\/a.png\"", ["asset /a.png"]),
        ("e.setAttribute('poster','p.jpg')", ["asset p.jpg"]),
        ("$('#x').attr('src','a.png')", ["asset a.png"]),
        ("l.href='a.css?v=1'", ["asset a.css?v=1"]), ("a.href='a.html'", ["literal a.html"]),
        ("h('img',{alt:'',src:'a.png'})", ["asset a.png"]),
        ("_c('div',{attrs:{src:'a.png'}})", ["asset a.png"]),
        ("x={src:'a.png'}", ["literal a.png"]),
        ("Object.assign(new Image,{src:'a.png'})", ["asset a.png"]),
        ("i.srcset='a.png 1x, b.png 2x'", ["asset a.png", "asset b.png"]),
        ("new Audio('a.mp3')", ["asset a.mp3"]),
        ("c.audioWorklet.addModule('a.js')", ["asset a.js"]),
        ("new URL('a.png',document.baseURI)", ["asset a.png"]),
        ("import.meta.resolve('./a.png')", ["module-url ./a.png"]),
        ("loadScript('a.js')", ["asset a.js"]), ("parse('a.js')", ["literal a.js"]),
        ("n.p+'media/a.png'", ["public-asset media/a.png"]),
        ("e.innerHTML='<img alt=\"\" src=\"a.png\">'", ["asset a.png"]),
        ("e.innerHTML=\"<img src=\\\"a.png\\\">\"", ["asset a.png"]),
        ("e.innerHTML=`<a href=\"b\"><img id=\"${i}\" src=/a.png></a>`", ["asset /a.png"]),
        ("e.innerHTML='<img src=\"'+u+'\">'", []),
        ("e.innerHTML=`<img src=\"${u}.png\" srcset=\"b.png 2x\">`", ["asset b.png"]),
        ("x='<link href=a.css rel=stylesheet><link rel=icon href=b.png>'", ["embedded a.css"]),
        ("e.style.background='url( \"a.png\" ) no-repeat'", ["asset a.png"]),
        ("x='.a{background:url(data:,x) url(a.png)}'", ["embedded data:,x", "embedded a.png"]),
        ("x='Call url() or url(${a})'", []),
        (
            "document.write('<script src=//a/b.js></'+'script>')",
            ["document-write <script src=//a/b.js></ (prefix)", "asset //a/b.js"]
        ),
        ("window.open('a.html','_self')", ["navigation a.html"]),
        ("System.import('/a.js')", ["asset /a.js"]),
        (
            "p(()=>import('./a.js'),['b/a.js','b/a.css'])",
            ["dynamic-import ./a.js", "preload-dependency b/a.js", "preload-dependency b/a.css"]
        ),
        ("n.l('/r/remoteEntry.js',f)", ["asset /r/remoteEntry.js"]),
        ("m.loadCSS('@scope/a/index.css')", ["literal @scope/a/index.css"]),
        ("loadStyle('~bootstrap/a.css')", ["literal ~bootstrap/a.css"]),
        (
            "c&&c.src||new URL('index.js',document.baseURI).href",
            ["new-url index.js"]
        ),
        (
            "r('self.x=1','Worker',void 0,n.p+'a.worker.js')",
            ["public-asset a.worker.js guarded"]
        ),
        ("n(7)('self.x=1',n.p+'a.worker.js')", ["public-asset a.worker.js guarded"]),
        ("new Worker(n.p+'a.worker.js')", ["worker  (none)", "public-asset a.worker.js"]),
        ("t('a',n.p+'a.worker.js')", ["public-asset a.worker.js"]),
        // A test for an API requests nothing.
        (
            "try{return new Headers,new Request('http://a.example'),!0}catch(e){}",
            ["literal http://a.example"]
        ),
        ("try{new Request('http://a.example');b()}catch{}", ["literal http://a.example"]),
        (
            "h=new Request('http://a.example',{body:s}).headers.has('a')",
            ["literal http://a.example"]
        ),
        ("h=!new Request('http://a.example')", ["literal http://a.example"]),
        ("r=new Request('/a.json')", ["fetch /a.json"]),
        ("b(c,new Request('/a.json'),1)", ["fetch /a.json"]),
        ("s.setProperty('--i','url(a.png)')", ["embedded a.png"]),
        ("s.setProperty('background','url(a.png)')", ["asset a.png"]),
    ])
    func assets(_ script: String, _ expected: [String]) { #expect(lines(script) == expected) }

    @Test(arguments: [
        ("$.get('/a')", ["ajax /a"]), ("jQuery.post('/a')", ["ajax /a"]),
        ("m.get('/a')", ["literal /a"]), ("$.ajax('/a')", ["ajax /a"]),
        ("$('#x').load('a.html #b')", ["ajax a.html"]), ("x.load('a.glb')", ["literal a.glb"]),
        ("fetch(new Request('/a'))", ["fetch /a"]),
        ("importScripts('a.js','b.js')", ["import-scripts a.js", "import-scripts b.js"]),
        ("fetch('/a/'+'b.json')", ["fetch /a/b.json joined"]),
        ("const api='/v1';fetch(api+'/b')", ["literal /v1", "fetch /v1/b joined"]),
        ("const api='/v1';fetch(`${api}/b`)", ["literal /v1", "fetch /v1/b joined"]),
        ("const api='/v1';fetch(api)", ["literal /v1", "fetch /v1 joined"]),
        ("const api='/v1',x=1;let api='/v2';fetch(api)", ["literal /v1", "literal /v2"]),
        ("const a='/v1';fetch(a)", ["literal /v1", "fetch /v1 joined"]),
        ("a.defaults.baseURL='/v1';axios.get('/b')", ["ajax-base /v1", "ajax /v1/b joined"]),
        (
            "const api=axios.create({baseURL:'/v1/'});api.get('/b')",
            ["ajax-base /v1/", "ajax /v1/b joined"]
        ),
        ("new Blob([`fetch('/a')`])", ["blob-address /a"]),
        // The page's policy applies to it.
        ("new Blob([`fetch('https://h/a')`])", ["fetch https://h/a"]),
    ])
    func requests(_ script: String, _ expected: [String]) { #expect(lines(script) == expected) }

    /// Code before `navigator.clipboard.writeText(x)`, and whether it guards the call.
    @Test(arguments: [
        ("", false), ("navigator.clipboard&&", true), ("navigator.clipboard?", true),
        ("if(navigator.clipboard)", true), ("if(navigator.clipboard){a();", true),
        ("if(navigator.clipboard)a();", false), ("if(navigator.clipboard){a()}", false),
        ("if(!navigator.clipboard)return;a();", true),
        ("if(!navigator.clipboard){a();return}b(c);", true),
        ("if(!navigator.clipboard)a();else ", true),
        ("if(!navigator.clipboard){a()}else{", true),
        ("if('clipboard'in navigator)b.map(e=>{c(e),", true),
        ("try{", true), ("try{a()}catch(e){", false), ("try{a(()=>{", false),
        ("window.isSecureContext&&(a(),", true), ("a?navigator.clipboard:b;", false),
        ("if(a)throw b;", false), ("void 0!==navigator.clipboard&&", true),
        ("navigator.clipboard,", false),
    ])
    func guards(_ before: String, _ isGuarded: Bool) {
        let found = lines(before + "navigator.clipboard.writeText(x)").filter {
            $0.hasPrefix("secure-context")
        }
        #expect(found.last?.hasSuffix("guarded") == isGuarded)
    }

    @Test(arguments: [
        "navigator.clipboard?.writeText(x)", "a=navigator.clipboard", "!!navigator.geolocation",
        "void 0===navigator.mediaDevices",
    ])
    func readingAnObjectIsHarmless(_ script: String) {
        #expect(lines(script).filter { $0.hasPrefix("secure-context") } == [])
    }

    /// Quadratic work would take minutes here.
    @Test(arguments: [
        "a?", "if(a)", "(", "{", "`${", "try{", "x.src='a.png';if(", "navigator.clipboard.a,",
        "return n.p+function(e){", "n.u=e=>e+", "n.f.j=(e)=>{", "<img src=", "'<img '+", "n.e(1),",
        "[{src:'a.png'},", "'url('", "const abc='/a',abd=abc+",
    ])
    func hostileScriptsTakeLinearTime(_ part: String) {
        let text = Array(String(repeating: part, count: 200_000 / part.utf8.count).utf8)
        #expect(JavaScriptReferences(of: text.span).references.count >= 0)
        let code = Array("x=`".utf8) + text + Array("`;".utf8)
        #expect(JavaScriptReferences(of: code.span).references.count >= 0)
    }
}
