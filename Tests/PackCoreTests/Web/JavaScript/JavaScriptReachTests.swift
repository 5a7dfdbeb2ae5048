import PackWeb
import TestSupport
import Testing

/// Whether a page needs a script's requests: conditions with a known result, and handled failures.
struct JavaScriptReachTests {
    private let page = JavaScriptSurroundings(
        scheme: Array("app".utf8), host: Array("shop.example.com".utf8), isSecure: true)

    private func reach(_ text: String) -> String {
        let bytes = Array(text.utf8)
        let found = JavaScriptReferences(of: bytes.span, surroundings: page).references.filter {
            ![.locationProtocol, .locationOrigin, .literal, .documentWrite].contains($0.kind)
        }
        guard let last = found.last else { return "nothing" }
        return last.isGuarded ? "guarded" : last.isTried ? "tried" : "needed"
    }

    @Test(arguments: [
        "if(location.protocol==='https:'){fetch('/a')}",
        "'https:'===window.location.protocol&&fetch('/a')",
        "if(location.protocol!=='https:')return;fetch('/a')",
        "if(location.protocol!=='https:'){x()}else{fetch('/a')}",
        "if(location.protocol!=='https:')x();else fetch('/a')",
        "a=location.protocol==='https:'?fetch('/a'):0",
        "a=location.protocol!=='https:'?0:fetch('/a')",
        "/^https?:/.test(location.href)&&fetch('/a')",
        "0===location.protocol.indexOf('http')&&fetch('/a')",
        "if(location.protocol.startsWith('http')){fetch('/a')}",
        "if(['localhost','127.0.0.1'].includes(location.hostname))fetch('/a')",
        "if(/\\.example\\.org$/.test(location.host))fetch('/a')",
        "location.hostname.endsWith('.test')&&fetch('/a')",
        "if(location.port==='3000'||location.hostname==='localhost')fetch('/a')",
        "location.origin==='https://shop.example.com'&&fetch('/a')",
        "const dev = location.hostname === 'localhost'\nif (dev) fetch('/a')",
        "const isWeb=()=>location.protocol==='https:';isWeb()&&fetch('/a')",
        "if(/MSIE|Trident.*rv/i.test(navigator.userAgent))fetch('/a')",
        "~navigator.userAgent.indexOf('Firefox')&&fetch('/a')",
        "if(window.ActiveXObject&&x)fetch('/a')",
        "window.Promise||fetch('/a')", "'IntersectionObserver'in window||fetch('/a')",
        "if(typeof Symbol=='undefined'||!Array.prototype.flat)fetch('/a')",
        "'undefined'==typeof Map&&fetch('/a')", "typeof Map>'u'&&fetch('/a')",
        "if('serviceWorker'in navigator)fetch('/a')",
        "if(!window.isSecureContext)fetch('/a')", "!1&&fetch('/a')", "if('a'==='b'){fetch('/a')}",
        "if(import.meta.hot){fetch('/a')}",
        "const env={MODE:'production',DEV:!1};if(env.DEV)fetch('/a')",
        "const env={MODE:\"production\",DEV:!1};env.MODE!=='production'&&fetch('/a')",
        "if(!document.createElement('canvas').getContext)fetch('/a')",
        "fetch('/a').then(b).catch(()=>({}))", "fetch('/a').then(b,function(){c()})",
        "async function f(){try{b=await fetch('/a')}catch{b=0}}",
        "try{x.open('GET','/a',false)}catch(e){b()}", "$.get('/a',b).fail(()=>c())",
        "$.ajax({url:'/a',error:function(){b()}})", "i.onerror=()=>b();i.src='/a.png'",
        "s=new XMLHttpRequest;s.open('GET','/a');s.onerror=function(){b()}",
        "w=new Worker('/a.js');w.addEventListener('error',()=>b())",
        "Promise.all([fetch('/a'),c]).then(d).catch(()=>e())",
        "Promise.allSettled([fetch('/a')])",
        // Elements with a handler.
        "j.jsx('img',{src:'/a.png',onError:e=>{e.target.src=b}})",
        "j('img',{onError(e){},src:'/a.png',alt:'',onerror:()=>b()})",
        "_c('img',{attrs:{src:'/a.png'},on:{error:()=>b()}})",
        "$(x).on('error',function(){b()}).attr('src','/a.png')",
        "e.innerHTML='<img src=\"/a.png\" onerror=\"this.src=b\">'",
        "e.innerHTML='<img onerror=\"this.remove()\" src=\"/a.png\">'",
        // A variable with the address.
        "let e=new URL('a.py',document.baseURI);fetch(e.toString()).then(b).catch(()=>null)",
        // Modules of Node.js below any condition.
        "if(N){const{createRequire:t}=await import('module')}", "N&&await import('node:fs')",
        "const N=typeof process.versions.node=='string';if(N)fetch('/a')",
    ])
    func isGuarded(_ script: String) { #expect(reach(script) == "guarded", "\(script)") }

    @Test(
        "a response that is not ok is replaced",
        arguments: [
            ("fetch('/a').then(r=>r.ok?r.json():{})", "tried"),
            ("fetch('/a').then((r)=>r.ok?r.json():null).then(b)", "tried"),
            ("fetch('/a').then(r=>r.ok?r.json():Promise.reject(r))", "needed"),
            ("fetch('/a').then(r=>b.ok?r.json():{})", "needed"),
            ("fetch('/a').then(r=>r.ok?r.json():{}).catch(()=>0)", "guarded"),
            ("await import('fs')", "needed"), ("if(b)await import('./fs.js')", "needed"),
            ("j.jsx('img',{src:'/a.png',onLoad:()=>b()})", "needed"),
            ("e.innerHTML='<img src=\"/a.png\"><i onerror=\"this.src=b\">'", "needed"),
            ("let e=new URL('a.py',document.baseURI);fetch(e).then(b)", "needed"),
        ])
    func replaces(_ script: String, _ expected: String) {
        #expect(reach(script) == expected, "\(script)")
    }

    /// WebAssembly that compiles while it loads needs the MIME type, unless the code has another
    /// way.
    @Test(arguments: [
        ("WebAssembly.instantiateStreaming(fetch('/a'),i).then(b)", false),
        ("WebAssembly.instantiateStreaming(fetch('/a')).catch(e=>console.error(e))", false),
        ("WebAssembly.instantiateStreaming(t,i).then(e,function(t){return h(t),g(e)})", true),
        (
            "const c=r.headers.get('Content-Type')||'';'instantiateStreaming'in WebAssembly&&"
                + "c.startsWith('application/wasm')?await WebAssembly.instantiateStreaming(r,o):b(r)",
            true
        ),
        (
            "WebAssembly.compileStreaming(new Response(b,{headers:{'content-type':"
                + "'application/wasm'}}))", true
        ),
    ])
    func streams(_ script: String, _ isGuarded: Bool) {
        let bytes = Array(script.utf8)
        let found = JavaScriptReferences(of: bytes.span).references
        #expect(found.first { $0.kind == .webAssembly }?.isGuarded == isGuarded, "\(script)")
    }

    /// Code added to the page by an app's framework.
    @Test(arguments: [
        ("if(!Capacitor.isNativePlatform())fetch('/a')", true),
        ("if(!a.isNativePlatform()){fetch('/a')}", true),
        ("if(Capacitor.getPlatform()==='web')fetch('/a')", true),
        ("window.Capacitor||fetch('/a')", true),
        ("if(Capacitor.getPlatform()==='ios')fetch('/a')", false),
        ("if(Capacitor.isNativePlatform())fetch('/a')", false),
        ("if(!a.isNativePlatform('camera'))fetch('/a')", false),
    ])
    func knowsTheFramework(_ script: String, _ isGuarded: Bool) {
        let bytes = Array(script.utf8)
        let found = { (framework: JavaScriptSurroundings.Framework?) in
            JavaScriptReferences(
                of: bytes.span, surroundings: JavaScriptSurroundings(framework: framework)
            ).references.last?.isGuarded
        }
        #expect(found(.capacitor) == isGuarded)
        #expect(found(nil) == false)
    }

    @Test(arguments: [
        "if(location.protocol!=='https:'){fetch('/a')}",
        "location.protocol==='https:'||fetch('/a')",
        "if(location.protocol==='https:')return;fetch('/a')",
        "location.protocol==='https:'&&x();fetch('/a')",
        "x=location.protocol==='https:'&&y,fetch('/a')",
        "f(location.protocol==='https:'?1:2,fetch('/a'))",
        "const w = location.protocol === 'https:' && x\nfetch('/a')",
        "if(location.hostname==='shop.example.com')fetch('/a')",
        "if('IntersectionObserver'in window)fetch('/a')", "typeof fetch==='function'&&fetch('/a')",
        "window.isSecureContext&&fetch('/a')", "if(x)fetch('/a')",
        "if(/iPhone|Android/.test(navigator.userAgent))fetch('/a')",
        "try{fetch('/a')}catch(e){b()}", "async()=>{try{await fetch('/a')}catch(e){throw e}}",
        "function f(){try{return fetch('/a')}catch(e){return 0}}",
        "new Promise((a,reject)=>{s.onerror=reject;s.src='/a.js'})",
        "if(!document.querySelector('#map'))fetch('/a')",
        "const env={DEV:!1};const other={DEV:!0};if(other.DEV)fetch('/a')",
        "const env={DEV:!1};env={DEV:!0};if(env.PROD)fetch('/a')",
        "const env={a:f(1,2),DEV:!0};if(env.DEV)fetch('/a')",
        "if(!document.createElement('a').ping)fetch('/a')",
        "b=fetch('/a',{method:'POST'});c()", "fetch('/a').then(b).finally(()=>c())",
        "if(Capacitor.isNativePlatform())fetch('/a')",
        "fetch('/a').then(b)", "c.onerror=c.onload=null;c.src='/a.js'",
    ])
    func isNeeded(_ script: String) { #expect(reach(script) == "needed") }

    @Test(arguments: [
        "fetch('/a').then(b).catch(console.error)",
        "fetch('/a').then(b).catch(function(e){console.error('x',e)})",
        "if(typeof __SOME_GLOBAL__!=='undefined')fetch('/a')",
        "if(document.querySelector('#map'))fetch('/a')",
        "const map=document.getElementById('map');if(map){fetch('/a')}",
        "if($('#map').length){fetch('/a')}",
        "document.querySelector('#map')?.dataset.a&&fetch('/a')",
        "fetch('/a').finally(()=>b())", "a();fetch('/a',{method:'POST',body:c});b()",
        "b.addEventListener('click',()=>{fetch('/a')})", "b.onclick=function(){fetch('/a')}",
        "$(b).on('click',function(){$.get('/a')})",
    ])
    func isTried(_ script: String) { #expect(reach(script) == "tried") }

    /// Regression: conditions in a long function before the position were taken as its guards.
    @Test(arguments: [
        "if(location.protocol==='https:'){", "if(location.protocol!=='app:')return;",
        "if(location.protocol==='https:')x={a:{",
    ])
    func conditionsInALongFunctionBeforeThePlaceAreNotItsGuards(_ condition: String) {
        let depth = condition.filter { $0 == "{" }.count
        let body =
            condition + String(repeating: "a(b);", count: 60) + String(repeating: "}", count: depth)
        for count in [100, 170, 200, 400] {
            let long = "function f(){" + String(repeating: "c(d);", count: count) + body
            let rest = String(repeating: "e(g);", count: 300 - min(count, 200))
            #expect(reach(long + rest + "}fetch('/a')") == "needed")
            #expect(reach("x={f(){" + body + rest + "}},[1];fetch('/a')") == "needed")
        }
    }

    @Test func hostileConditionsEnd() {
        for text in [
            String(repeating: "(", count: 5_000) + "a&&fetch('/a')",
            String(repeating: "!", count: 5_000) + "a&&fetch('/a')",
            "if(" + String(repeating: "a&&", count: 5_000) + "b)fetch('/a')",
            String(repeating: "a?b:", count: 5_000) + "fetch('/a')",
            String(repeating: "const a=!b,", count: 5_000) + "c",
            "x=/" + String(repeating: "(a|b)", count: 400) + "/.test(location.host)&&fetch('/a')",
        ] {
            let bytes = Array(text.utf8)
            #expect(JavaScriptReferences(of: bytes.span, surroundings: page).references.count < 50)
        }
    }
}

/// Chunk lists of bundlers other than a map of names.
struct JavaScriptManifestTests {
    private func chunks(_ text: String) -> [String] {
        let bytes = Array(text.utf8)
        return JavaScriptReferences(of: bytes.span).references.filter { $0.kind == .chunk }.map(
            \.text)
    }

    @Test func namesHaveTheHashOfTheBuild() {
        #expect(
            chunks("o.u=e=>\"js/\"+e+\".\"+o.h()+\".js\",o.h=()=>\"9c8b\",o.p=\"/\",o.e(358)")
                == ["js/358.9c8b.js"])
    }

    @Test func styleSheetsOfChunks() {
        let map = "n.miniCssF=e=>\"css/\"+e+\".0c.css\""
        #expect(chunks(map + ";l.href=n.p+n.miniCssF(358)") == ["css/358.0c.css"])
        #expect(
            chunks(
                map + ";n.f.miniCss=(e,t)=>{i[e]?t.push(i[e]):0!==i[e]&&{12:1}[e]&&t.push(f(e))}")
                == ["css/12.0c.css"])
        #expect(chunks(map + ";n.e(7)") == [])
        #expect(
            chunks(
                """
                0!==n[e]&&{about:1}[e]&&t.push(n[e]=new Promise(function(t,r){for(var i="css/"+({about:"about"}[e]||e)\
                +"."+{about:"9e8d",home:"31d6"}[e]+".css",u=a.p+i;;){}}))
                """) == ["css/about.9e8d.css"])
    }

    @Test func parcel() {
        #expect(
            chunks("r.register(JSON.parse('{\"a1\":\"i.js\",\"b2\":\"cart.js\"}'))") == [
                "i.js", "cart.js",
            ])
        #expect(
            chunks(
                "i(\"2\").register(new URL(\"\",import.meta.url).toString(),JSON.parse('[\"a1\",\"i.js\"]'))"
            )
                == ["i.js"])
        #expect(chunks("x(JSON.parse('{\"a1\":\"i.js\"}'))") == [])
    }

    @Test func nextFlightData() {
        #expect(
            chunks(
                """
                self.__next_f.push([1,"2:I[9,[\\"9\\",\\"static/chunks/app/p.js\\"],\\"\\"]\\n\
                :HL[\\"/b/_next/static/css/a.css\\"]"])
                """) == ["/_next/static/chunks/app/p.js", "/b/_next/static/css/a.css"])
    }
}
