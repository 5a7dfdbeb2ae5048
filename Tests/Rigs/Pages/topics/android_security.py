"""Android: mixed content, secure contexts, other hosts, policies, isolation, service workers."""
from pages import ANDROID, BOX, BOX_CSS, UP, android_pages, app, font, html, page, pair, png, say, trap, wasm

ROOM = '<div id="app"></div>'
LOCAL = "capacitor-android cordova-android"
IMG = "$h.img('#i')"
CDN = "cdn.example.com"
OTHER = "another host"


def classic(script, head="", body="", **files):
    return {"index.html": html(head, ROOM + body + '<script src="app.js"></script>'), "app.js": script, **files}


# Mixed content: https works if the other host answers, http never does.
MIXED = [
    ("script", "intercept capacitor-android", html('<script src="@cdn.example.com/lib.js"></script>', ROOM + "<script>lib()</script>"),
     {"lib.js": "function lib(){" + say() + "}"}, UP),
    ("module", "cordova-android", html('<script type="module">import{a}from"@cdn.example.com/lib.js";a();</script>', ROOM), {"lib.js": "export const a=()=>{" + say() + "};"}, UP),
    ("sheet", "asset-loader intercept", html('<link rel="stylesheet" href="@cdn.example.com/a.css">', '<div id="box"></div>'), {"a.css": BOX_CSS}, BOX),
    ("picture", ANDROID, html("", '<img id="i" src="@cdn.example.com/a.png" alt="">'), {"a.png": png()}, IMG),
    ("fetch", ANDROID, html("", ROOM + '<script>fetch("@cdn.example.com/a.json").then(r=>r.json()).then(()=>{' + say() + "})</script>"), {"a.json": "[]"}, UP),
    ("xhr", "intercept", html("", ROOM + '<script>var x=new XMLHttpRequest;x.onload=function(){' + say() + '};x.open("GET","@cdn.example.com/a.json");x.send()</script>'), {"a.json": "[]"}, UP),
    ("frame", "cordova-android intercept", html("", '<iframe id="f" src="@cdn.example.com/a.html"></iframe><script>var up;addEventListener("message",e=>up=e.data)</script>'),
     {"a.html": '<!doctype html><script>parent.postMessage("up","*")</script>'}, "up==='up'"),
    ("font", "asset-loader", html('<style>@font-face{font-family:"X";src:url(@cdn.example.com/a.woff2)}p{font-family:X}</style>', "<p>A</p>"), {"a.woff2": font()}, "$h.font('X')"),
    ("wasm", "capacitor-android", html("", ROOM + '<script>fetch("@cdn.example.com/a.wasm").then(r=>r.arrayBuffer()).then(b=>WebAssembly.instantiate(b,{})).then(()=>{' + say() + "})</script>"), {"a.wasm": wasm()}, UP),
    ("import", "intercept", html("", ROOM + '<script>import("@cdn.example.com/lib.js").then(m=>m.a())</script>'), {"lib.js": "export const a=()=>{" + say() + "};"}, UP),
    ("beacon", "capacitor-android", html("", ROOM + '<script>fetch("@cdn.example.com/a.txt",{mode:"no-cors"}).then(()=>{' + say() + "})</script>"), {"a.txt": ""}, UP),
    ("webpack", "cordova-android asset-loader", html("", ROOM + '<script>var r={p:"@cdn.example.com/"};var s=document.createElement("script");s.src=r.p+"main.js";document.head.appendChild(s)</script>'), {"main.js": say()}, UP),
]
for name, profiles, text, files, probe in MIXED:
    mark = "http://cdn.example.com"
    android_pages(pair, "a-mixed-" + name, profiles, {"index.html": text.replace("@cdn", "https://cdn")}, probe, bad={"index.html": text.replace("@cdn", "http://cdn")}, lost=OTHER,
                  at=("index.html", mark), net={f"{CDN}/{file}": content for file, content in files.items()})
android_pages(trap, "a-mixed-link", "intercept capacitor-android", html("", ROOM + '<a href="http://www.example.com/">Site</a><script>' + say() + "</script>"), UP, advice="a link over http")
android_pages(trap, "a-mixed-namespace", "asset-loader", html("", ROOM + '<svg xmlns="http://www.w3.org/2000/svg"></svg><script>document.createElementNS("http://www.w3.org/2000/svg","g");' + say() + "</script>"), UP)
android_pages(trap, "a-mixed-preconnect", "cordova-android", html('<link rel="preconnect" href="http://fonts.example.com"><link rel="dns-prefetch" href="http://fonts.example.com">', ROOM + "<script>" + say() + "</script>"), UP)
android_pages(trap, "a-mixed-upgrade", "intercept capacitor-android", html('<meta http-equiv="Content-Security-Policy" content="upgrade-insecure-requests">', '<img id="i" src="http://cdn.example.com/a.png" alt="">'), IMG,
              net={f"{CDN}/a.png": png()}, advice=OTHER)
android_pages(pair, "a-mixed-own-host", "intercept", {
    "index.html": html("", '<img id="i" src="https://shop.example.com/a.png" alt="">'), "a.png": png()}, IMG,
    bad={"index.html": html("", '<img id="i" src="http://shop.example.com/a.png" alt="">')}, at=("index.html", "http://shop"))
# localhost is trustworthy over http, but another origin.
for profile in LOCAL.split():
    android_pages(page, "a-mixed-localhost-script", profile, {"index.html": html("", ROOM + '<script src="http://localhost/main.js"></script>'), "main.js": say()}, UP, expect="work", advice="http")
    android_pages(page, "a-mixed-localhost-module", profile, {"index.html": html('<script type="module" src="http://localhost/main.js"></script>', ROOM), "main.js": say()}, UP,
                  ("index.html", "http://localhost/main.js"), expect="break")
    android_pages(page, "a-mixed-localhost-fetch", profile, {"index.html": html("", ROOM + '<script>fetch("http://localhost/a.json").then(r=>r.json()).then(()=>{' + say() + "})</script>"), "a.json": "[]"}, UP,
                  ("index.html", "http://localhost/a.json"), expect="break")
    android_pages(page, "a-other-port", profile, {"index.html": html("", ROOM + '<script src="https://localhost:3000/main.js"></script>'), "main.js": say()}, UP,
                  ("index.html", "https://localhost:3000"), expect="break")
    android_pages(page, "a-other-loopback", profile, {"index.html": html("", ROOM + '<script src="https://127.0.0.1/main.js"></script>'), "main.js": say()}, UP,
                  ("index.html", "https://127.0.0.1"), expect="break")
page("a-mixed-asset-loader-http", "asset-loader", {"index.html": html("", ROOM + '<script src="http://appassets.androidplatform.net/assets/main.js"></script>'), "main.js": say()}, UP,
     ("index.html", "http://appassets"), expect="break")
for name, code in (("ws", 'new WebSocket("ws://api.example.com/live")'), ("ws-guarded", 'try{new WebSocket("ws://api.example.com/live")}catch(e){}')):
    android_pages(page, "a-socket-" + name, "intercept capacitor-android", html("", ROOM + "<script>" + code + ";" + say() + "</script>"), UP, ("index.html", "ws://"), expect="break" if name == "ws" else "work")
android_pages(page, "a-socket-secure", "intercept cordova-android", html("", ROOM + '<script>new WebSocket("wss://api.example.com/live");' + say() + "</script>"), UP, expect="work", advice=OTHER)
android_pages(page, "a-socket-derived", "intercept asset-loader", html("", ROOM + '<script>new WebSocket((location.protocol==="https:"?"wss://":"ws://")+location.host+"/live");' + say() + "</script>"), UP, expect="work", advice=OTHER)

# Pages over http: localhost is a secure context, another host is not.
SECURE = [("subtle", 'crypto.subtle.digest("SHA-256",new Uint8Array(1)).then(function(){' + say() + "})"), ("uuid", 'crypto.randomUUID();' + say()),
          ("sw", 'navigator.serviceWorker.register("sw.js").then(function(){' + say() + "})"), ("clipboard", 'navigator.clipboard.writeText.name;' + say()),
          ("caches", 'caches.open("a").then(function(){' + say() + "})"), ("media", 'navigator.mediaDevices.getUserMedia.name;' + say()), ("locks", "navigator.locks.query();" + say())]
for number, (name, code) in enumerate(SECURE):
    files = classic(code, **{"sw.js": ""})
    local = LOCAL.split()[number % 2]
    page(f"a-http-{name}-{local}", local, files, UP, expect="work", more={"scheme": "http"})
    page(f"a-http-{name}-intercept", {"base": "intercept", "service-workers": True}, files, UP, ("app.js", code.split(".")[0]), expect="break", more={"scheme": "http"})
    android_pages(trap, "a-https-" + name, local, files, UP)
    if name != "sw":
        android_pages(trap, "a-https-" + name, "asset-loader intercept", files, UP)
page("a-http-guarded-intercept", "intercept", classic('if(window.isSecureContext&&crypto.subtle){crypto.subtle.digest("SHA-1",new Uint8Array(1))}' + say()), UP, expect="work", more={"scheme": "http"})
page("a-http-mixed-none", "intercept", {"index.html": html("", '<img id="i" src="http://cdn.example.com/a.png" alt="">')}, IMG, expect="work", more={"scheme": "http"}, net={f"{CDN}/a.png": png()}, advice=OTHER)
for profile in (LOCAL + " intercept").split():
    page("a-http-plain-" + profile, profile, {"index.html": app("/main.js"), "main.js": say()}, UP, expect="work", more={"scheme": "http"})

# A second host of the app: no CORS headers without `cors`.
TWO = {"host": ["shop.example.com", "static.example.com"]}
SECOND = [
    ("script", html("", ROOM + '<script src="https://static.example.com/a.js"></script>'), {"a.js": say()}, UP, True),
    ("module", html('<script type="module" src="https://static.example.com/a.js"></script>', ROOM), {"a.js": say()}, UP, False),
    ("crossorigin", html("", ROOM + '<script crossorigin src="https://static.example.com/a.js"></script>'), {"a.js": say()}, UP, False),
    ("sheet", html('<link rel="stylesheet" href="https://static.example.com/a.css">', '<div id="box"></div>'), {"a.css": BOX_CSS}, BOX, True),
    ("picture", html("", '<img id="i" src="https://static.example.com/a.png" alt="">'), {"a.png": png()}, IMG, True),
    ("picture-cors", html("", '<img id="i" crossorigin src="https://static.example.com/a.png" alt="">'), {"a.png": png()}, IMG, False),
    ("font", html('<style>@font-face{font-family:"X";src:url(https://static.example.com/a.woff2)}p{font-family:X}</style>', "<p>A</p>"), {"a.woff2": font()}, "$h.font('X')", False),
    ("fetch", html("", ROOM + '<script>fetch("https://static.example.com/a.json").then(r=>r.json()).then(()=>{' + say() + "})</script>"), {"a.json": "[]"}, UP, False),
    ("worker", html("", ROOM + '<script>var w=new Worker("https://static.example.com/a.js");w.onmessage=()=>{' + say() + "}</script>"), {"a.js": "postMessage(1)"}, UP, None),
    ("blob-worker", html("", ROOM + "<script>var w=new Worker(URL.createObjectURL(new Blob(['importScripts(\"https://static.example.com/a.js\")'])));w.onmessage=()=>{" + say() + "}</script>"), {"a.js": "postMessage(1)"}, UP, True),
    ("import", html("", ROOM + '<script>import("https://static.example.com/a.js").then(m=>m.a())</script>'), {"a.js": "export const a=()=>{" + say() + "};"}, UP, False),
    ("css-font", html('<link rel="stylesheet" href="https://static.example.com/a.css">', "<p>A</p>"), {"a.css": '@font-face{font-family:"X";src:url(a.woff2)}p{font-family:X}', "a.woff2": font()}, "$h.font('X')", False),
    ("css-import", html('<style>@import "https://static.example.com/a.css";</style>', '<div id="box"></div>'), {"a.css": BOX_CSS}, BOX, True),
    ("canvas", html("", ROOM + '<script>var i=new Image;i.onload=()=>{var c=document.createElement("canvas");c.getContext("2d").drawImage(i,0,0);c.toDataURL();' + say() + '};i.src="https://static.example.com/a.png"</script>'),
     {"a.png": png()}, UP, None),
]
for name, text, files, probe, plain in SECOND:
    for cors in (False, True):
        works = plain is True or plain is False and cors
        page(f"a-second-{name}-{'cors' if cors else 'plain'}", {"base": "intercept", "cors": True} if cors else "intercept", {"index.html": text} | files, probe,
             ("index.html", "https://static.example.com") if not works and name != "css-font" else (), expect="work" if works else "break", more=TWO)
    page(f"a-second-{name}-gone", {"base": "intercept", "cors": True}, {"index.html": text}, probe, ("index.html", "https://static.example.com"), expect="break", more=TWO)

# Other hosts that are not in the package: the network, and CORS of it.
for name, text, end in (("script", '<script src="https://cdn.example.com/a.js"></script>', "up"), ("fetch", '<script>fetch("https://api.example.com/items").then(()=>{' + say() + "})</script>", "")):
    android_pages(page, "a-offline-" + name, ANDROID, html("", ROOM + text + ("<script>lib()</script>" if end else "")), UP, ("index.html", "https://"), expect="break", external=True)
android_pages(trap, "a-offline-handled", "capacitor-android intercept", html("", ROOM + '<script>fetch("https://api.example.com/items").catch(()=>{' + say() + "})</script>"), UP, advice=OTHER)
android_pages(trap, "a-offline-analytics", ANDROID, html('<script async src="https://www.example.net/gtag.js?id=G-1"></script>', ROOM + "<script>" + say() + "</script>"), UP, advice=OTHER, latent=OTHER)

# Content Security Policy with host sources.
POLICIES = [
    ("self", ANDROID, "default-src 'self'", None), ("scheme", "intercept capacitor-android", "default-src https:", "default-src capacitor: 'none'"),
    ("host", "intercept", "script-src https://shop.example.com", "script-src https://www.example.com"), ("host-bare", "intercept", "script-src shop.example.com", "script-src example.com"),
    ("host-star", "intercept", "script-src *.example.com", "script-src *.example.net"), ("localhost", LOCAL, "script-src https://localhost", "script-src capacitor://localhost"),
    ("localhost-port", "capacitor-android", "script-src https://localhost:*", "script-src https://localhost:3000"), ("assets", "asset-loader", "script-src https://appassets.androidplatform.net/assets/",
                                                                                                               "script-src https://appassets.androidplatform.net/static/"),
    ("http-host", "intercept", "script-src http://shop.example.com", "script-src ws://shop.example.com"), ("path", "intercept", "script-src https://shop.example.com/js/", "script-src https://shop.example.com/static/"),
    ("none", "cordova-android", "script-src 'self'", "script-src 'none'"), ("ionic", "capacitor-android", "default-src * data: gap: 'unsafe-eval' 'unsafe-inline'", "default-src gap: data:"),
    ("file", "asset-loader", "default-src 'self' file:", "default-src file:"),
]
for name, profiles, good, bad in POLICIES:
    meta = '<meta http-equiv="Content-Security-Policy" content="%s">'
    text = html(meta % good, ROOM + '<script src="$ROOTjs/main.js"></script>')
    if bad is None:
        android_pages(trap, "a-csp-" + name, profiles, {"index.html": text, "js/main.js": say()}, UP)
    else:
        android_pages(pair, "a-csp-" + name, profiles, {"index.html": text, "js/main.js": say()}, UP, bad={"index.html": text.replace(good, bad)}, at=[("index.html", bad), ("index.html", "$ROOTjs/main.js")])
for name, directive, body, files, probe in (
        ("img", "img-src", '<img id="i" src="$ROOTa.png" alt="">', {"a.png": png()}, IMG), ("style", "style-src", '<link rel="stylesheet" href="$ROOTa.css"><div id="box"></div>', {"a.css": BOX_CSS}, BOX),
        ("connect", "connect-src", ROOM + '<script src="$ROOTapp.js"></script>', {"app.js": 'fetch("$ROOTa.json").then(()=>{' + say() + "})", "a.json": "[]"}, UP),
        ("worker", "worker-src", ROOM + '<script src="$ROOTapp.js"></script>', {"app.js": 'new Worker("$ROOTw.js").onmessage=()=>{' + say() + "}", "w.js": "postMessage(1)"}, UP),
        ("frame", "frame-src", '<iframe id="f" src="$ROOTa.html"></iframe>', {"a.html": "<p id=x>a"}, "$h.sub('#f').getElementById('x')"),
        ("font", "font-src", '<style>@font-face{font-family:"X";src:url($ROOTa.woff2)}p{font-family:X}</style><p>A</p>', {"a.woff2": font()}, "$h.font('X')")):
    meta = '<meta http-equiv="Content-Security-Policy" content="%s %s">'
    android_pages(pair, "a-csp-kind-" + name, ("capacitor-android", "intercept", "asset-loader", "cordova-android")[len(name) % 4],
                  {"index.html": html(meta % (directive, "$ORIGIN"), body), **files}, probe, bad={"index.html": html(meta % (directive, "https://www.example.net"), body)},
                  at=[("index.html", directive + " https"), ("index.html", "$ROOTa") if name in ("img", "style", "frame", "font") else ("app.js", "$ROOT")])

# Integrity of files of the package.
EMPTY = "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="
for profile in ("capacitor-android", "asset-loader"):
    android_pages(pair, "a-integrity", profile, {"index.html": html("", ROOM + f'<script integrity="{EMPTY}" src="$ROOTempty.js" onload="up=1"></script>'), "empty.js": ""}, "window.up===1",
                  bad={"empty.js": "//"}, at=("index.html", EMPTY))
page("a-integrity-second-host", "intercept", {"index.html": html("", f'<script integrity="{EMPTY}" crossorigin src="https://static.example.com/empty.js" onload="up=1"></script>'), "empty.js": ""}, "window.up===1",
     ("index.html", "https://static"), expect="break", more=TWO)

# Isolation: SharedArrayBuffer needs COOP, which WebView ignores; COEP is enforced.
ISOLATED = [
    ("buffer", "var b=new SharedArrayBuffer(16);" + say()), ("memory", "var m=new WebAssembly.Memory({initial:1,maximum:2,shared:true});new Worker('w.js').postMessage(m);" + say()),
    ("flag", "if(!crossOriginIsolated)throw new Error('not isolated');" + say()), ("atomics", "Atomics.wait;var v=new Int32Array(new SharedArrayBuffer(8));Atomics.store(v,0,1);" + say()),
    ("godot", 'if(!window.crossOriginIsolated||typeof SharedArrayBuffer==="undefined"){document.getElementById("app").textContent="Error: The following features required to run Godot projects on the Web are missing: SharedArrayBuffer"}else{' + say() + "}"),
]
for number, (name, code) in enumerate(ISOLATED):
    base = ANDROID.split()[number % 4]
    files = classic(code, **{"w.js": "onmessage=()=>{}"})
    page(f"a-isolated-{name}-with", {"base": base, "isolated": True}, files, UP, ("app.js", "SharedArrayBuffer") if "SharedArrayBuffer" in code else (), expect="break")
    android_pages(page, f"a-isolated-{name}-without", base, files, UP, ("app.js", "SharedArrayBuffer") if "SharedArrayBuffer" in code else (), expect="break")
for name, code in (("guarded", 'var b=typeof SharedArrayBuffer==="undefined"?new ArrayBuffer(16):new SharedArrayBuffer(16);' + say()), ("window", "if(window.SharedArrayBuffer){new SharedArrayBuffer(1)}" + say()),
                   ("instance", "function f(x){return typeof SharedArrayBuffer!=='undefined'&&x instanceof SharedArrayBuffer}f({});" + say()), ("caught", "try{new SharedArrayBuffer(1)}catch(e){}" + say())):
    android_pages(trap, "a-isolated-" + name, "capacitor-android intercept", classic(code), UP)
page("a-isolated-other-host-cors", {"base": "intercept", "isolated": True}, {"index.html": html("", '<img id="i" crossorigin src="https://cdn.example.com/a.png" alt="">')}, IMG, expect="work",
     net={f"{CDN}/a.png": png()}, advice=OTHER)
page("a-isolated-frame", {"base": "capacitor-android", "isolated": True}, {"index.html": html("", '<iframe id="f" src="/a.html"></iframe>'), "a.html": "<p id=x>a"}, "$h.sub('#f').getElementById('x')", expect="work")

# Service workers by client.
WORKBOX = ('if("serviceWorker"in navigator){window.addEventListener("load",()=>{navigator.serviceWorker.register("$ROOTsw.js",{scope:"$ROOT"}).then(r=>{%s})%s})}')
for profile in ANDROID.split():
    works = profile in LOCAL
    for name, then, caught in (("needed", say(), ""), ("optional", "", ".catch(()=>{})"), ("uncaught", "", "")):
        code = WORKBOX % (then, caught) + ("" if then else say())
        android_pages(page, "a-sw-" + name, profile, classic(code, **{"sw.js": "self.addEventListener('fetch',()=>{})"}), UP,
                      ("app.js", "$ROOTsw.js") if not works and then else (), expect="work" if works or not then else "break",
                      **({} if works or then else {"latent": "the page does without the service worker"}))
    android_pages(page, "a-sw-ready", profile, classic('navigator.serviceWorker.register("sw.js").catch(function(){});navigator.serviceWorker.ready.then(function(){' + say() + "});", **{"sw.js": ""}), UP,
                  ("app.js", "sw.js") if not works else (), expect="work" if works else "break")
android_pages(pair, "a-sw-gone", LOCAL, classic('navigator.serviceWorker.register("$ROOTsw.js").then(function(){' + say() + "});", **{"sw.js": ""}), UP, gone="sw.js", at=("app.js", "$ROOTsw.js"))
android_pages(pair, "a-sw-scope", LOCAL, classic('navigator.serviceWorker.register("$ROOTjs/sw.js",{scope:"$ROOTjs/"}).then(function(){' + say() + "});", **{"js/sw.js": ""}), UP,
              bad={"app.js": 'navigator.serviceWorker.register("$ROOTjs/sw.js",{scope:"$ROOT"}).then(function(){' + say() + "});"}, at=("app.js", "$ROOTjs/sw.js"))
android_pages(pair, "a-sw-import-scripts", LOCAL, classic('navigator.serviceWorker.register("$ROOTsw.js").then(function(){' + say() + "});", **{"sw.js": 'importScripts("workbox-1a2b.js");', "workbox-1a2b.js": ""}), UP,
              gone="workbox-1a2b.js", at=("sw.js", "workbox-1a2b.js"))
android_pages(pair, "a-sw-precache", LOCAL, classic('navigator.serviceWorker.register("$ROOTsw.js");navigator.serviceWorker.ready.then(function(){' + say() + "});", **{
    "sw.js": 'self.addEventListener("install",e=>e.waitUntil(caches.open("v1").then(c=>c.addAll(["$ROOTindex.html","$ROOTa.css"]))));', "a.css": ""}), UP, gone="a.css", at=("sw.js", "$ROOTa.css"))
android_pages(pair, "a-sw-module", "capacitor-android", classic('navigator.serviceWorker.register("/sw.js",{type:"module"}).then(function(){' + say() + "});", **{"sw.js": 'import"./lib.js";', "lib.js": ""}), UP,
              gone="lib.js", at=("sw.js", "./lib.js"))
android_pages(page, "a-sw-other-host", "capacitor-android intercept", classic('navigator.serviceWorker.register("https://www.example.com/sw.js").then(function(){' + say() + "});"), UP, ("app.js", "https://www"), expect="break")
page("a-sw-key-intercept", {"base": "intercept", "service-workers": True}, classic('navigator.serviceWorker.register("/sw.js").then(function(){' + say() + "});", **{"sw.js": ""}), UP, expect="work")
page("a-sw-key-asset-loader", {"base": "asset-loader", "service-workers": True}, classic('navigator.serviceWorker.register("/assets/sw.js").then(function(){' + say() + "});", **{"sw.js": ""}), UP, expect="work")
page("a-sw-key-root", {"base": "asset-loader", "service-workers": True}, classic('navigator.serviceWorker.register("/sw.js").then(function(){' + say() + "});", **{"sw.js": ""}), UP, ("app.js", "/sw.js"), expect="break")
page("a-sw-key-off", {"base": "capacitor-android", "service-workers": False}, classic('navigator.serviceWorker.register("/sw.js").then(function(){' + say() + "});", **{"sw.js": ""}), UP, ("app.js", "/sw.js"), expect="break")
android_pages(trap, "a-sw-cra-guard", ANDROID, classic("""if('serviceWorker'in navigator){var u=new URL('$ROOT',window.location.href);if(u.origin===window.location.origin){window.addEventListener('load',function(){
var isLocal=Boolean(window.location.hostname==='localhost');if(isLocal){fetch('$ROOTservice-worker.js',{headers:{'Service-Worker':'script'}}).catch(function(){})}else{navigator.serviceWorker.register('$ROOTservice-worker.js').catch(function(e){console.error('Error during service worker registration:',e)})}})}}""" + say()), UP,
              latent="the page does without the service worker")
android_pages(trap, "a-sw-unregister", ANDROID, classic("if('serviceWorker'in navigator)navigator.serviceWorker.ready.then(r=>r.unregister());" + say()), UP)
android_pages(trap, "a-sw-controller", "capacitor-android asset-loader", classic("navigator.serviceWorker&&navigator.serviceWorker.controller&&navigator.serviceWorker.controller.postMessage(1);" + say()), UP)
# APIs that WebView lacks.
for name, code, guarded in (("notification", "Notification.permission;", 'if("Notification"in window)Notification.permission;'), ("push", "PushManager.supportedContentEncodings;", 'if(window.PushManager)PushManager.name;')):
    android_pages(page, "a-lacking-" + name, "intercept", classic(code + say()), UP, ("app.js", code[:8]), expect="break")
    android_pages(trap, "a-lacking-guarded-" + name, "intercept capacitor-android", classic(guarded + say()), UP)
