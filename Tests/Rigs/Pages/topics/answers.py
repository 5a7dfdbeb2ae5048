"""Classes of false answers: pages that looked broken and work, and the broken form beside each."""
from pages import BOX, BOX_CSS, UP, app, font, html, page, pair, png, say, svg, trap, wasm

STRICT = "path-strict"
BOTH = "path-strict capacitor"
ROOM = '<div id="app"></div>'
DONE = "function(){" + say() + "}"


def classic(script, *files, head="", **more):
    return {"index.html": html(head, ROOM + '<script src="app.js"></script>'), "app.js": script, **more}


# Custom properties: WebKit resolves their URLs against the sheet that uses them, and against the one that declares
# them only if `var(--x)` is the whole value of a shorthand (base-css-custom-property in bases.py).
LINKS = '<link rel="stylesheet" href="css/a.css"><link rel="stylesheet" href="theme/b.css">'
BODY = '<p id="p" style="height:20px">a</p>'
DECLARED, USED = ":root{--i:url(img/a.png)}", "#p{background-image:var(--i)}"
for name, where in (("declared", "css/img/a.png"), ("used", "theme/img/a.png"), ("page", "img/a.png")):
    page("var-other-sheet-" + name, BOTH, {
        "index.html": html(LINKS, BODY), "css/a.css": DECLARED, "theme/b.css": USED, where: png()}, needs=[where],
         expect="work" if name == "used" else "break",
         **({} if name == "used" else {"at": ("css/a.css", "img/a.png")}))
for name, where in (("page", "img/a.png"), ("used", "css/img/a.png")):
    page("var-style-attribute-" + name, STRICT, {
        "index.html": html('<link rel="stylesheet" href="css/b.css">',
                           '<p id="p" style="--i:url(img/a.png);height:20px">a</p>'), "css/b.css": USED, where: png()},
         needs=[where], expect="work" if name == "used" else "break",
         **({} if name == "used" else {"at": ("index.html", "img/a.png")}))
for name, where in (("page", "img/a.png"), ("used", "css/img/a.png")):
    page("var-style-element-" + name, "capacitor", {
        "index.html": html('<style>:root{--i:url(img/a.png)}</style><link rel="stylesheet" href="css/b.css">', BODY),
        "css/b.css": USED, where: png()}, needs=[where], expect="work" if name == "used" else "break",
         **({} if name == "used" else {"at": ("index.html", "img/a.png")}))
for name, where in (("page", "img/a.png"), ("used", "css/img/a.png")):
    page("var-set-property-" + name, STRICT, {
        "index.html": html('<link rel="stylesheet" href="css/b.css">',
                           BODY + '<script>document.documentElement.style.setProperty("--i","url(img/a.png)")</script>'),
        "css/b.css": USED, where: png()}, needs=[where], expect="work" if name == "used" else "break")
for name, where in (("declared", "css/img/a.png"), ("used", "theme/img/a.png")):
    page("var-fallback-" + name, STRICT, {
        "index.html": html(LINKS, BODY), "css/a.css": "b{}", "theme/b.css": "#p{background-image:var(--i,url(img/a.png))}",
        where: png()}, needs=[where], expect="work" if name == "used" else "break",
         **({} if name == "used" else {"at": ("theme/b.css", "img/a.png")}))
for name, where in (("declared", "css/img/a.png"), ("middle", "mid/img/a.png"), ("used", "theme/img/a.png")):
    page("var-through-var-" + name, STRICT, {
        "index.html": html('<link rel="stylesheet" href="css/a.css"><link rel="stylesheet" href="mid/m.css">'
                           '<link rel="stylesheet" href="theme/b.css">', BODY),
        "css/a.css": ":root{--j:url(img/a.png)}", "mid/m.css": ":root{--i:var(--j)}", "theme/b.css": USED, where: png()},
         needs=[where], expect="work" if name == "used" else "break")
for name, where in (("declared", "css/img/a.png"), ("used", "theme/img/a.png")):
    page("var-registered-" + name, STRICT, {
        "index.html": html(LINKS, BODY),
        "css/a.css": '@property --i{syntax:"<image>";inherits:true;initial-value:none}' + DECLARED, "theme/b.css": USED,
        where: png()}, needs=[where], expect="work" if name == "used" else "break")
pair("var-mask", "path-strict capacitor", {
    "index.html": html(LINKS, BODY), "css/a.css": ":root{--i:url(img/a.svg)}",
    "theme/b.css": "#p{-webkit-mask-image:var(--i);mask-image:var(--i)}", "theme/img/a.svg": svg()}, needs=["theme/img/a.svg"],
    gone="theme/img/a.svg", at=("css/a.css", "img/a.svg"))
for use, right in (("background:var(--i)", "css"), ("background: var( --i ) !important", "css"), ("list-style:var(--i)", "css"),
                   ("-webkit-mask:var(--i)", "css"), ("background:#fff var(--i)", "theme"), ("background:var(--i,none)", "theme"),
                   ("list-style-image:var(--i)", "theme")):
    for where in ("css", "theme"):
        page("var-shorthand-" + "".join(c if c.isalnum() else "-" for c in use) + where, STRICT, {
            "index.html": html(LINKS, BODY), "css/a.css": DECLARED, "theme/b.css": "#p{display:list-item;" + use + "}",
            where + "/img/a.png": png()}, needs=[where + "/img/a.png"], expect="work" if where == right else "break")
trap("var-unused", BOTH, {
    "index.html": html('<link rel="stylesheet" href="css/a.css">', '<p id="box">a</p>'),
    "css/a.css": ":root{--i:url(img/gone.png)}" + BOX_CSS}, BOX, latent="no property uses it")
trap("var-unmatched", STRICT, {
    "index.html": html('<link rel="stylesheet" href="css/a.css">', '<p id="box">a</p>'),
    "css/a.css": ":root{--i:url(img/gone.png)}.other{background:var(--i)}" + BOX_CSS}, BOX,
     latent="no element uses it")

# One font in several formats: the engine takes the first that it can load.
SOURCES = ('src:url(f.eot);src:url(f.eot?#iefix) format("embedded-opentype"),url(f.woff2) format("woff2"),'
           'url(f.woff) format("woff"),url(f.ttf) format("truetype"),url(f.svg#x) format("svg")')
FACE = "@font-face{font-family:x;" + SOURCES + "}p{font-family:x}"
for name, there in (("woff2", ["f.woff2"]), ("woff", ["f.woff"]), ("ttf", ["f.ttf"]), ("eot", ["f.eot"]), ("none", [])):
    works = name in ("woff2", "woff", "ttf")
    page("font-formats-" + name, BOTH, {
        "index.html": html('<link rel="stylesheet" href="css/a.css">', '<p id="p">A</p>'), "css/a.css": FACE,
        **{"css/" + one: font() for one in there}}, "$h.font('x')", expect="work" if works else "break",
         **({"latent": "an earlier format is missing"} if name in ("woff", "ttf") else {}),
         **({} if works else {"at": ("css/a.css", "f.woff2"), "most": 1}))
page("font-formats-inline-none", STRICT, {
    "index.html": html("<style>" + FACE + "</style>", '<p id="p">A</p>')}, "$h.font('x')", ("index.html", "f.woff2"),
     expect="break", most=1)

# Requests to one service.
for name, script in (("relative", 'fetch("api/4/help").then(r=>{if(!r.ok)throw 1;return fetch("api/4/args")}).then(r=>{'
                      'if(!r.ok)throw 1;return fetch("api/4/config")})'),
                     ("dot", 'Promise.all(["a","b"].map(x=>fetch("./api/4/"+x).then(r=>r.json())).concat(fetch("./api/4/help")'
                      '.then(r=>r.json())))'),
                     ("single", 'Promise.all([fetch("login"),fetch("users"),fetch("help")].map(p=>p.then(r=>r.json())))')):
    page("api-" + name, STRICT, classic(script + ".then(" + DONE + ");"), UP, expect="break", most=1)

# `new Request` alone requests nothing.
trap("request-sentry", BOTH, classic(
    'function t(){if(!("fetch"in window))return!1;try{return new Headers,new Request("http://www.example.com"),new Response,!0}'
    'catch(e){return!1}}if(t())' + say()), UP)
trap("request-sentry-8", STRICT, classic(
    'function t(){try{new Headers;new Request("http://www.example.com");new Response;return true}catch{return false}}if(t())'
    + say()), UP)
trap("request-feature", STRICT, classic(
    'const h=new Request("http://a.example",{method:"POST",body:"x"}).headers.has("Content-Type");' + say()), UP)
pair("request-variable", BOTH, classic(
    'const r=new Request("data/d.json");fetch(r).then(r=>r.ok?r.json():Promise.reject(1)).then(' + DONE + ");",
    **{"data/d.json": "[]"}), UP, gone="data/d.json", at=("app.js", "data/d.json"))

# WebAssembly from a file whose type the handler does not know.
OLD = {"minimum-ios": "13.0"}
INSTANCE = "x=>{if(x.instance.exports.f()===42)" + say() + "}"
FALLBACKS = {
    "then": 'function g(){return fetch("a.wasm").then(r=>r.arrayBuffer()).then(b=>WebAssembly.instantiate(b))}'
    '"function"==typeof WebAssembly.instantiateStreaming?fetch("a.wasm").then(t=>WebAssembly.instantiateStreaming(t).then('
    'x=>x,t=>(console.warn("wasm streaming compile failed: "+t),console.warn("falling back to ArrayBuffer instantiation"),'
    "g()))).then(" + INSTANCE + "):g()",
    "try": 'async function g(){if(typeof WebAssembly.instantiateStreaming=="function"){try{var r=fetch("a.wasm");return await '
    'WebAssembly.instantiateStreaming(r)}catch(e){console.warn(`wasm streaming compile failed: ${e}`)}}const b=await('
    'await fetch("a.wasm")).arrayBuffer();return WebAssembly.instantiate(b)}g().then(' + INSTANCE + ")",
    "bindgen": 'async function g(m){if(typeof WebAssembly.instantiateStreaming=="function")try{return await '
    'WebAssembly.instantiateStreaming(m.clone())}catch(e){if(m.headers.get("Content-Type")!="application/wasm")'
    'console.warn("x",e);else throw e}const b=await m.arrayBuffer();return await WebAssembly.instantiate(b)}'
    'fetch("a.wasm").then(g).then(' + INSTANCE + ")",
    "vite": 'const l=async(o={})=>{let r;{const s=await fetch("a.wasm"),c=s.headers.get("Content-Type")||"";if('
    '"instantiateStreaming"in WebAssembly&&c.startsWith("application/wasm"))r=await WebAssembly.instantiateStreaming(s,o);'
    "else{const b=await s.arrayBuffer();r=await WebAssembly.instantiate(b,o)}}return r};l().then(" + INSTANCE + ")",
    "buffer": 'fetch("a.wasm").then(r=>r.arrayBuffer()).then(b=>WebAssembly.instantiate(b)).then(' + INSTANCE + ")",
}
for name, script in FALLBACKS.items():
    trap("wasm-fallback-" + name, STRICT, classic(script, **{"a.wasm": wasm()}), UP)
for name, script in (("only", 'WebAssembly.instantiateStreaming(fetch("a.wasm")).then(' + INSTANCE + ")"),
                     ("logged", 'WebAssembly.instantiateStreaming(fetch("a.wasm")).then(' + INSTANCE
                      + ").catch(e=>console.error(e))")):
    page("wasm-streaming-" + name, STRICT, classic(script, **{"a.wasm": wasm()}), UP, expect="break")

# Code for Node.js.
for name, guard in (
        ("versions", 'typeof process=="object"&&typeof process.versions.node=="string"'),
        ("chain", "!!globalThis.process?.versions?.node"),
        ("not-null", 'typeof process<"u"&&process.versions!=null&&process.versions.node!=null'),
        ("text", 'Object.prototype.toString.call(typeof process!="undefined"?process:0)==="[object process]"'),
        ("window", 'typeof window=="undefined"')):
    trap("node-guard-" + name, STRICT, {
        "index.html": html('<script type="module" src="app.js"></script>', ROOM),
        "app.js": "var a=1,N=" + guard + ';if(N){const{createRequire:t}=await import("module");globalThis.require=t("/")}' + say()}, UP)
page("node-unguarded", STRICT, {
    "index.html": html('<script type="module" src="app.js"></script>', ROOM),
    "app.js": 'const{createRequire:t}=await import("module");' + say()}, UP, ("app.js", "module"), expect="break")

# White space in attributes.
trap("white-space-around", "path-strict capacitor cordova", {
    "index.html": html('<link rel="stylesheet" href=" a.css\n"><script defer src="\n  app.js\t"></script>',
                       '<div id="app"></div><p id="box">a</p><img id="i" src=" a.png " alt="">'),
    "a.css": BOX_CSS, "app.js": say(), "a.png": png()}, UP + "&&$h.img('#i')&&" + BOX)
trap("white-space-newline-inside", STRICT, {
    "index.html": html("", '<img id="i" src="img/\na.png" alt="">'), "img/a.png": png()}, "$h.img('#i')")
page("white-space-nbsp", STRICT, {
    "index.html": html("", '<img id="i" src="a.png\u00a0" alt="">'), "a.png": png()}, "$h.img('#i')", ("index.html", "a.png"),
     expect="break")

# Other hosts.
for name, url in (("google", "https://fonts.googleapis.com/css2?family=Inter&display=swap"),
                  ("typekit", "https://use.typekit.net/abc1234.css"),
                  ("icons", "https://cdnjs.cloudflare.com/ajax/libs/font-awesome/6.5.1/css/all.min.css")):
    trap("font-sheet-" + name, STRICT, {
        "index.html": html(f'<link rel="stylesheet" href="{url}">', '<div id="app">a</div><script>' + say() + "</script>")}, UP,
         advice="the texts have another font")
trap("script-onerror-local", BOTH, {
    "index.html": html('<script src="https://cdn.example.org/a.js" onerror="var s=document.createElement(\'script\');'
                       's.src=\'a.js\';document.head.append(s)"></script>', ROOM),
    "a.js": "addEventListener('load'," + DONE + ");if(document.readyState==='complete')" + say()}, UP,
     advice="another host is asked first")
trap("sheet-onerror-local", STRICT, {
    "index.html": html('<link rel="stylesheet" href="https://cdn.example.org/a.css" onerror="this.onerror=null;this.href='
                       '\'a.css\'">', '<p id="box">a</p>'), "a.css": BOX_CSS}, BOX, advice="another host is asked first")
page("script-onerror-logs", STRICT, {
    "index.html": html('<script src="gone.js" onerror="console.error(\'no script\')"></script>', ROOM)}, UP,
     ("index.html", "gone.js"), expect="break")
REACT = ('const h=(t,p)=>{const e=document.createElement(t);for(const k in p)if(k==="onError")e.onerror=p[k];else e[k]=p[k];'
         'document.body.append(e)};const j={jsx:h};')
trap("image-jsx-onerror", STRICT, classic(
    REACT + 'j.jsx("img",{src:"gone.png",alt:"",onError:t=>{t.target.src="a.png"}});', **{"a.png": png()}), "$h.imgs(1)")
trap("image-markup-onerror", STRICT, classic(
    'document.body.innerHTML=\'<img alt="" src="gone.png" onerror="this.onerror=null;this.src=&quot;a.png&quot;">\';',
    **{"a.png": png()}), "$h.imgs(1)")
trap("image-handler-before", STRICT, classic(
    'var i=new Image;i.onerror=function(){i.onerror=null;i.src="a.png"};i.src="gone.png";document.body.append(i);',
    **{"a.png": png()}), "$h.imgs(1)")

# A content hash without letters, and a public path that is known at run time.
DIGITS = ('(()=>{var r={};r.u=e=>""+e+"."+({11:"abc1234",22:"4870347"})[e]+".js";r.p=%s;r.l=u=>{var s=document.createElement('
          '"script");s.src=u;document.head.append(s)};r.f={};r.f.j=e=>{r.l(r.p+r.u(e))};r.e=e=>r.f.j(e);r.e(22)})();')
CHUNKS = {"build/11.abc1234.js": "1", "build/22.4870347.js": say()}
trap("chunk-digits-page", BOTH, {
    "index.html": html('<script defer src="build/lab/b.js"></script>', ROOM, ' data-base="/build/"'),
    "build/lab/b.js": DIGITS % "document.documentElement.dataset.base", **CHUNKS}, UP)
page("chunk-digits-above", STRICT, {
    "lab/index.html": html('<script defer src="../build/lab/b.js"></script>', ROOM), "build/lab/b.js": DIGITS % '"../"', **CHUNKS},
     UP, ("build/lab/b.js", "../"), expect="break", launch="lab/index.html")
# The name that a bundler writes for the address of its own script.
trap("own-script-name", BOTH, classic(
    'const u=document.currentScript&&"SCRIPT"===document.currentScript.tagName.toUpperCase()&&document.currentScript.src||'
    'new URL("main.js",document.baseURI).href;if(u.endsWith("app.js"))' + say()), UP)
# worker-loader's inline worker, whose file is requested only if the blob fails.
INLINE = ('(()=>{var e={477:e=>{e.exports=function(c,t,n,u){try{var b=URL.createObjectURL(new Blob([c]));return new window[t](b)}catch'
          '(x){if(!u)throw x;return new window[t](u)}}},7:(e,t,n)=>{var r=n(477);e.exports=function(){return r("self.onmessage='
          'function(e){postMessage(e.data)}","Worker",void 0,n.p+"3f2a1b9c.worker.js")}}},t={};function o(n){var r=t[n];if(void 0!=='
          'r)return r.exports;var i=t[n]={exports:{}};return e[n](i,i.exports,o),i.exports}o.p="/";var w=o(7)();w.onmessage='
          + "function(){" + say() + '};w.postMessage(1)})();')
trap("inline-worker", BOTH, classic(INLINE), UP)
pair("inline-worker-file", STRICT, classic(
    INLINE.replace('r("self.onmessage=function(e){postMessage(e.data)}","Worker",void 0,n.p+"3f2a1b9c.worker.js")',
                   'new Worker(n.p+"3f2a1b9c.worker.js")'),
    **{"3f2a1b9c.worker.js": "self.onmessage=function(e){postMessage(e.data)}"}), UP, gone="3f2a1b9c.worker.js",
     at=("app.js", "3f2a1b9c.worker.js"))
# Addresses of other hosts without a scheme.
for name, script in (("import", 'import("//cdn.example.org/a.js").then(' + DONE + ");"),
                     ("fetch", 'fetch("//api.example.org/a.json").then(r=>r.json()).then(' + DONE + ");"),
                     ("worker", 'var w=new Worker("//cdn.example.org/a.js");w.onmessage=' + DONE + ";")):
    page("no-scheme-" + name, BOTH, classic(script), UP, ("app.js", "//"), expect="break", most=1,
         net={"cdn.example.org/a.js": "export default 1", "api.example.org/a.json": "[]"})
# A package's name, which the loader finds.
trap("scoped-style-sheet", STRICT, {
    "index.html": html("", '<div id="app"></div><p id="box">a</p><script src="app.js"></script>'),
    "app.js": 'const m={loadCSS(n){const l=document.createElement("link");l.rel="stylesheet";l.href="/themes/"+n;'
    'document.head.append(l)}};m.loadCSS("@scope/dark/index.css");' + say(), "themes/@scope/dark/index.css": BOX_CSS}, BOX)

# Vite's preload helper in a script of its own, whose base is not the package's.
HELPER = ('const m="modulepreload",b=function(e){return"%s"+e},s={},k=(t,d)=>Promise.all(d.map(e=>{e=b(e);if(e in s)return;'
          's[e]=1;const c=e.endsWith(".css"),l=document.createElement("link");l.rel=c?"stylesheet":m;l.href=e;'
          'document.head.append(l);if(c)return new Promise((r,j)=>{l.onload=r;l.onerror=()=>j(new Error("Unable to preload CSS '
          'for "+e))})})).then(()=>t());export{k as _};')
for name, files in (("css", ["Cart-D5e6F7g8.css"]), ("js", [])):
    deps = ",".join(f'"assets/{one}"' for one in ["Cart-C1x2Y3z4.js", *files])
    numbers = ",".join(str(n) for n in range(len(files) + 1))
    for end, base in (("ok", "/"), ("base", "/shop/")):
        page(f"vite-helper-{name}-{end}", BOTH, {
            "index.html": app("/assets/index-B1a2C3d4.js"), "assets/preload-helper-5e6f7a8b.js": HELPER % base,
            "assets/index-B1a2C3d4.js": 'import{_ as k}from"./preload-helper-5e6f7a8b.js";const __vite__mapDeps=(i,'
            f'm=__vite__mapDeps,d=(m.f||(m.f=[{deps}])))=>i.map(i=>d[i]);k(()=>import("./Cart-C1x2Y3z4.js"),'
            f"__vite__mapDeps([{numbers}])).then(m=>m.default());",
            "assets/Cart-C1x2Y3z4.js": "export default()=>{" + say() + "};", **{"assets/" + one: "p{}" for one in files}}, UP,
             expect="break" if end == "base" and files else "work",
             **({"at": ("assets/preload-helper-5e6f7a8b.js", base)} if end == "base" and files else
                {"latent": "scripts are preloaded from a wrong base"} if end == "base" else {}))

# Requests that may fail.
trap("new-url-caught", STRICT, classic(
    'let e=new URL("demos/a.txt",document.baseURI);fetch(e.toString()).then(e=>e.ok?e.text():null).catch(()=>null).then('
    + DONE + ")"), UP, latent="it tries to load a file")
trap("host-only", STRICT, classic(
    'if(location.hostname==="marimo.app"){let e=new URL("demos/a.txt",document.baseURI);fetch(e.toString()).then(e=>{if(!e.ok)'
    'throw 1;return e.text()}).then(()=>{document.title="no"})}' + say()), UP)
pair("new-url-fetched", STRICT, classic(
    'let e=new URL("data/a.json",document.baseURI);fetch(e.toString()).then(e=>e.ok?e.json():Promise.reject(1)).then('
    + DONE + ")", **{"data/a.json": "[]"}), UP, gone="data/a.json", at=("app.js", "data/a.json"))

# WebSocket addresses composed from `location`.
SOCKETS = {
    "origin-replace": 'new WebSocket(location.origin.replace("http","ws")+"/ws");',
    "href-pattern": 'new WebSocket(window.location.href.replace(/^http/,"ws")+"ws");',
    "protocol-replace": 'const u=`${location.protocol.replace("http","ws")}//${location.host}/ws`;new WebSocket(u);',
    "url-setter": 'const u=new URL("/ws",location.href);u.protocol=u.protocol==="https:"?"wss:":"ws:";new WebSocket(u);',
    "url-replace": 'let u=new URL("/ws",location.href);u.protocol=u.protocol.replace("http","ws");const s=new WebSocket(u.toString());',
    "url-href": 'const u=new URL("ws",document.baseURI);u.protocol="ws:";new WebSocket(u.href);',
    "concat": 'new WebSocket("".concat(window.location.origin.replace("http","ws"),"/ws"));',
    "passed": 'const u=new URL("ws",location.href);u.protocol=location.protocol==="https:"?"wss:":"ws:";const f=a=>new WebSocket(a);f(u);',
    "table": 'new WebSocket({"http:":"ws:","https:":"wss:"}[location.protocol]+"//"+location.host);',
}
for name, script in SOCKETS.items():
    page("socket-" + name, BOTH, classic(script + say()), UP, expect="break")
for name, script in (
        ("ternary", 'new WebSocket(("https:"===location.protocol?"wss:":"ws:")+"//"+location.host+"/ws");'),
        ("template", 'new WebSocket(`${"https:"===location.protocol?"wss":"ws"}://${location.host}/ws`);'),
        ("babel", 'new WebSocket("".concat("https:"===window.location.protocol?"wss:":"ws:","//").concat(window.location.host,"/ws"));')):
    trap("socket-" + name, BOTH, classic(script + say()), UP, advice="the server has another address")
for name, script in (
        ("caught", 'try{new WebSocket(location.origin.replace("http","ws")+"/ws")}catch(e){window.off=1}'),
        ("for-web", 'if(location.protocol.startsWith("http"))new WebSocket(location.origin.replace("http","ws")+"/ws");'),
        ("whole", 'new WebSocket("wss://live.example.org/ws");')):
    trap("socket-" + name, BOTH, classic(script + say()), UP)
trap("socket-method", STRICT, classic(
    'class A{connect(){this.s=new WebSocket(location.origin.replace("http","ws")+"/ws")}}window.a=new A;' + say()), UP,
     advice="it throws when it connects")
