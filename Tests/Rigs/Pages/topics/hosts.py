"""Other hosts, the app's own host over https, and guarded code."""
from pages import BOX, BOX_CSS, UP, font, html, page, pair, png, say, trap

STRICT = "path-strict"
ROOM = '<div id="app"></div>'
CDN = "https://cdn.example.net/"

# A page that needs another host does not work offline.
pair("ext-script-head", "path-strict capacitor cordova", {
    "index.html": html('<script src="vendor/lib.js"></script>', ROOM + '<script>lib("app")</script>'),
    "vendor/lib.js": 'function lib(i){document.getElementById(i).textContent="up"}'}, UP,
    bad={"index.html": html(f'<script src="{CDN}lib.js"></script>', ROOM + '<script>lib("app")</script>')}, at=("index.html", CDN), external=True)
pair("ext-style-head", "path-strict capacitor", {"index.html": html('<link rel="stylesheet" href="a.css">', '<div id="box"></div>'), "a.css": BOX_CSS}, BOX,
     bad={"index.html": html(f'<link rel="stylesheet" href="{CDN}bootstrap.min.css">', '<div id="box"></div>')}, at=("index.html", CDN), external=True)
pair("ext-module", "capacitor", {"index.html": html("", ROOM + '<script type="module">import{w}from"./w.js";document.getElementById("app").textContent=w</script>'),
     "w.js": "export const w='up'"}, UP,
     bad={"index.html": html("", ROOM + f'<script type="module">import{{w}}from"{CDN}w.js";document.getElementById("app").textContent=w</script>')},
     at=("index.html", CDN), external=True)
pair("ext-importmap", STRICT, {
    "index.html": html('<script type="importmap">{"imports":{"w":"/w.js"}}</script>', ROOM + '<script type="module">import{w}from"w";document.getElementById("app").textContent=w</script>'),
    "w.js": "export const w='up'"}, UP,
    bad={"index.html": html('<script type="importmap">{"imports":{"w":"https://esm.sh/w@1"}}</script>', ROOM
         + '<script type="module">import{w}from"w";document.getElementById("app").textContent=w</script>')}, at=("index.html", "https://esm.sh"), external=True)
pair("ext-font", "path-strict capacitor", {"index.html": html("<style>@font-face{font-family:K;src:url(k.woff2)}p{font-family:K}</style>", "<p>A</p>"), "k.woff2": font()},
     "$h.font('K')", bad={"index.html": html(f"<style>@font-face{{font-family:K;src:url({CDN}k.woff2)}}p{{font-family:K}}</style>", "<p>A</p>")},
     at=("index.html", CDN), external=True)
page("ext-google-fonts", "capacitor", {
    "index.html": html('<link rel="preconnect" href="https://fonts.gstatic.com"><link rel="stylesheet" href="https://fonts.googleapis.com/css2?family=Roboto">', '<div id="box"></div>')}, BOX, ("index.html", "https://fonts.googleapis.com"), external=True, expect="break")
pair("ext-img", STRICT, {"index.html": html("", '<img id="i" src="i.png" alt="">'), "i.png": png()}, "$h.img('#i')",
     bad={"index.html": html("", f'<img id="i" src="{CDN}i.png" alt="">')}, at=("index.html", CDN), external=True)
pair("ext-css-import", "cordova", {"index.html": html('<link rel="stylesheet" href="a.css">', '<div id="box"></div>'), "a.css": '@import "b.css";', "b.css": BOX_CSS}, BOX,
     bad={"a.css": f'@import "{CDN}b.css";'}, at=("a.css", CDN), external=True)
pair("ext-protocol-relative", "path-strict capacitor", {"index.html": html('<script src="lib.js"></script>', ROOM + "<script>lib()</script>"),
     "lib.js": "function lib(){" + say() + "}"}, UP,
     bad={"index.html": html('<script src="//code.jquery.com/jquery-3.7.1.min.js"></script>', ROOM + "<script>lib()</script>")}, at=("index.html", "//code.jquery.com"))
pair("ext-dynamic-import", "capacitor", {"index.html": html('<script type="module" src="m.js"></script>', ROOM), "m.js": 'import("./v.js").then(()=>{' + say() + "})", "v.js": ""}, UP,
     bad={"m.js": f'import("{CDN}v.js").then(()=>{{' + say() + "})"}, at=("m.js", CDN), external=True)
pair("ext-script-made", STRICT, {"index.html": html("", ROOM + '<script>var s=document.createElement("script");s.src="lib.js";document.head.appendChild(s)</script>'), "lib.js": say()}, UP,
     bad={"index.html": html("", ROOM + f'<script>var s=document.createElement("script");s.src="{CDN}lib.js";document.head.appendChild(s)</script>')},
     at=("index.html", CDN), external=True)
trap("ext-analytics-async", "path-strict capacitor cordova", {
    "index.html": html('<script async src="https://www.googletagmanager.com/gtag/js?id=G-1"></script><script>window.dataLayer=[]</script>', ROOM + "<script>" + say() + "</script>")},
     UP, advice="a script of another host")
trap("ext-fallback-local", "capacitor", {
    "index.html": html('<script src="https://code.jquery.com/jquery-3.7.1.min.js"></script><script>window.jQuery||document.write(\'<script src="js/jq.js"><\\/script>\')</script>',
                       ROOM + "<script>jQuery()</script>"), "js/jq.js": "function jQuery(){" + say() + "}"}, UP, advice="a script of another host, with a fallback")
trap("ext-links", "path-strict capacitor", {
    "index.html": html('<link rel="canonical" href="https://shop.example.org/"><link rel="dns-prefetch" href="//api.example.net"><meta property="og:image" content="https://x.example/a.png">',
                       ROOM + '<a href="https://example.org/">x</a><form action="https://example.org/pay"></form><script>' + say() + "</script>")}, UP)
trap("ext-api-fetch", "capacitor", {
    "index.html": html("", ROOM + '<script>fetch("https://api.example.net/v1/x").catch(function(){});' + say() + "</script>")}, UP)
trap("ext-iframe-pay", "cordova", {"index.html": html("", ROOM + '<iframe src="https://pay.example.net/"></iframe><script>' + say() + "</script>")}, UP, advice="a frame of another host")
trap("ext-allowed", {"base": "capacitor"}, {
    "index.html": html('<script async src="https://maps.example.net/api.js"></script>', ROOM + "<script>" + say() + "</script>")}, UP,
     more={"check": {"external": ["maps.example.net"]}})
trap("ext-own-domain-text", STRICT, {"index.html": html("", ROOM + "<p>See https://cdn.example.net/lib.js</p><script>" + say() + "</script>")}, UP)
# The app's own host over https: loaded from the network, without a fallback.
pair("own-https-file", "basename-cache", {"index.html": html('<script defer src="a9.js"></script>', ROOM), "a9.js": say()}, UP,
     bad={"index.html": html('<script defer src="https://shop.example.com/a9.js"></script>', ROOM)}, at=("index.html", "https://shop.example.com/a9.js"))
pair("own-https-gone", "path-strict basename-cache", {"index.html": html("", '<img id="i" src="i9.png" alt="">'), "i9.png": png()}, "$h.img('#i')",
     bad={"index.html": html("", '<img id="i" src="https://shop.example.com/i9.png" alt="">'), "i9.png": None}, at=("index.html", "https://shop.example.com/i9.png"))
pair("own-https-style", "path-strict", {"index.html": html('<link rel="stylesheet" href="customscheme://shop.example.com/a.css">', '<div id="box"></div>'), "a.css": BOX_CSS}, BOX,
     bad={"index.html": html('<link rel="stylesheet" href="https://shop.example.com/a.css">', '<div id="box"></div>')}, at=("index.html", "https://shop.example.com/a.css"))
pair("own-scheme-gone", "path-strict basename-cache", {"index.html": html("", '<img id="i" src="customscheme://shop.example.com/i8.png" alt="">'), "i8.png": png()}, "$h.img('#i')",
     gone="i8.png", at=("index.html", "customscheme://shop.example.com/i8.png"))
pair("scheme-of-another-app", "path-strict", {"index.html": html('<script defer src="customscheme://shop.example.com/a.js"></script>', ROOM), "a.js": say()}, UP,
     bad={"index.html": html('<script defer src="capacitor://shop.example.com/a.js"></script>', ROOM)}, at=("index.html", "capacitor://"))
trap("host-capitals-script", "path-strict basename-cache", {"index.html": html('<script defer src="customscheme://SHOP.example.com/a7.js"></script>', ROOM), "a7.js": say()}, UP,
     advice="another address of the same file")
trap("host-capitals-fetch", "path-strict", {
    "index.html": html("", ROOM + '<script>fetch("customscheme://Shop.Example.com/d.json").then(function(r){return r.json()}).then(function(){' + say() + "})</script>"), "d.json": "{}"}, UP,
     advice="another address of the same file")
trap("host-capitals-module-seed", "basename-cache", {"index.html": html('<script type="module" src="customscheme://SHOP.EXAMPLE.COM/m7.js"></script>', ROOM), "m7.js": say()}, UP,
     advice="another address of the same file")
trap("host-capitals-font", "basename-cache", {
    "index.html": html("<style>@font-face{font-family:K;src:url(customscheme://Shop.example.com/k7.woff2)}p{font-family:K}</style>", "<p>A</p>"), "k7.woff2": font()}, "$h.font('K')",
     advice="another address of the same file")
# Files of the platform.
for profile, head in (("cordova", '<script src="cordova.js"></script>'),):
    trap("platform-cordova-js", profile, {"index.html": html("", ROOM + head + "<script>" + say() + "</script>")}, UP)
    trap("platform-cordova-root", profile, {"index.html": html('<script src="/cordova.js"></script>', ROOM + "<script>" + say() + "</script>")}, UP)
    trap("platform-cordova-plugins", profile, {
        "index.html": html('<script src="cordova.js"></script><script src="cordova_plugins.js"></script><script src="plugins/cordova-plugin-device/www/device.js"></script>',
                           ROOM + "<script>" + say() + "</script>")}, UP)
trap("platform-capacitor-js", "capacitor", {"index.html": html('<script src="capacitor.js"></script>', ROOM + "<script>" + say() + "</script>")}, UP)
trap("platform-capacitor-cordova", "capacitor", {"index.html": html('<script src="cordova.js"></script>', ROOM + "<script>" + say() + "</script>")}, UP)
trap("platform-capacitor-cordova-plugins", "capacitor", {"index.html": html('<script src="cordova.js"></script><script src="cordova_plugins.js"></script>', ROOM + "<script>" + say() + "</script>")}, UP)
trap("platform-deviceready", "cordova", {
    "index.html": html("", ROOM + '<script src="cordova.js"></script><script>document.addEventListener("deviceready",function(){},false);' + say() + "</script>")}, UP)
page("platform-cordova-in-strict", STRICT, {
    "index.html": html("", ROOM + '<script src="cordova.js"></script><script>cordova.exec;' + say() + "</script>")}, UP, ("index.html", "cordova.js"), expect="break")
# https pages with custom-scheme files.
pair("https-page-style", "path-strict", {"index.html": html('<link rel="stylesheet" href="a.css">', '<div id="box"></div>'), "a.css": BOX_CSS}, BOX,
     bad={"index.html": html('<link rel="stylesheet" href="customscheme://shop.example.com/a.css">', '<div id="box"></div>')},
     at=("index.html", "customscheme://"), more={"page-origin": "https"}, fair="it comes from the network")
pair("https-page-script", "basename-cache", {"index.html": html('<script defer src="a6.js"></script>', ROOM), "a6.js": say()}, UP,
     bad={"index.html": html('<script defer src="customscheme://shop.example.com/a6.js"></script>', ROOM)},
     at=("index.html", "customscheme://"), more={"page-origin": "https"}, fair="it comes from the network")
# Guards
GUARDS = {
    "protocol": 'if(location.protocol==="https:"){fetch("/gone.json").then(r=>r.json())}',
    "protocol-and": 'location.protocol==="https:"&&new Worker("/gone.js");',
    "protocol-not": 'if(location.protocol!=="https:"){}else{var i=new Image;i.src="/gone.png";document.body.append(i)}',
    "http-regexp": 'if(/^https?:$/.test(location.protocol)){var s=document.createElement("script");s.src="/gone.js";document.head.appendChild(s)}',
    "starts-with": 'if(location.href.startsWith("https://"))navigator.serviceWorker.register("/sw.js");',
    "host": 'if(location.hostname==="localhost2"){var s=document.createElement("script");s.src="/dev.js";document.head.appendChild(s)}',
    "try": 'try{var x=new XMLHttpRequest;x.open("GET","/gone.json",false);x.send();JSON.parse(x.responseText)}catch(e){}',
    "catch-import": 'import("/gone.js").catch(()=>{});',
    "catch-import-async": '(async()=>{try{await import("/gone.js")}catch{}})();',
    "onerror": 'var i=new Image;i.onerror=function(){};i.src="/gone.png";',
    "ok-check": 'fetch("/gone.json").then(r=>{if(!r.ok)throw 0;return r.json()}).catch(()=>{});',
    "typeof": 'if(typeof window.cordova2!=="undefined"){var s=document.createElement("script");s.src="/gone.js";document.head.appendChild(s)}',
    "feature": '"IntersectionObserver"in window||document.write(\'<script src="/io-polyfill.js"><\\/script>\');',
    "promise-polyfill": 'if(!window.Promise){document.write(\'<script src="/promise.js"><\\/script>\')}',
    "false": 'if(false){fetch("/gone.json")}', "minified-false": '!1&&fetch("/gone.json");',
    "sw": '"serviceWorker"in navigator&&window.addEventListener("load",()=>{location.protocol==="https:"&&navigator.serviceWorker.register("/sw.js")});',
    "ua": 'if(/MSIE|Trident/.test(navigator.userAgent)){document.write(\'<script src="/ie.js"><\\/script>\')}',
    "dev-port": 'if(location.port==="5173"){import("/@vite/client")}',
}
for name, script in GUARDS.items():
    trap("guard-" + name, ("path-strict", "capacitor")[len(name) % 2], {"index.html": html('<script defer src="m.js"></script>', ROOM), "m.js": script + say()}, UP,
         **({"latent": "the failure is caught"} if name in ("onerror",) else {}))
pair("guard-wrong-way", "path-strict capacitor", {"index.html": html('<script defer src="m.js"></script>', ROOM),
     "m.js": 'if(location.protocol!=="https:"){fetch("d.json").then(r=>r.json()).then(()=>{' + say() + "})}", "d.json": "{}"}, UP, gone="d.json", at=("m.js", "d.json"))
pair("guard-else", "cordova", {"index.html": html('<script defer src="m.js"></script>', ROOM),
     "m.js": 'var u;if(location.protocol==="https:"){u="/api/d"}else{u="data/d.json"}fetch(u).then(r=>r.json()).then(()=>{' + say() + "});", "data/d.json": "{}"}, UP,
     gone="data/d.json", at=("m.js", "data/d.json"))
pair("guard-only-first", "capacitor", {"index.html": html('<script defer src="m.js"></script>', ROOM),
     "m.js": 'try{fetch("/x.json")}catch(e){}fetch("d.json").then(r=>r.json()).then(()=>{' + say() + "});", "x.json": "{}", "d.json": "{}"}, UP, gone="d.json", at=("m.js", "d.json"))
pair("guard-try-async", STRICT, {"index.html": html('<script defer src="m.js"></script>', ROOM),
     "m.js": 'try{fetch("d.json").then(r=>r.json()).then(()=>{' + say() + "})}catch(e){" + say() + "}", "d.json": "{}"}, UP, gone="d.json", at=("m.js", "d.json"))
pair("guard-rethrow", "capacitor", {"index.html": html('<script defer src="m.js"></script>', ROOM),
     "m.js": '(async()=>{try{await import("./v.js")}catch(e){throw e}' + say() + "})();", "v.js": ""}, UP, gone="v.js", at=("m.js", "./v.js"))
pair("guard-secure-context", "path-strict", {"index.html": html('<script defer src="m.js"></script>', ROOM),
     "m.js": 'if(window.isSecureContext){fetch("d.json").then(r=>r.json()).then(()=>{' + say() + "})}else{" + say() + "}", "d.json": "{}"}, UP, gone="d.json", at=("m.js", "d.json"))
