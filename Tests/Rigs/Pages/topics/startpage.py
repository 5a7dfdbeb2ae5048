"""The start page only answers navigations; as the answer to a page's own request it is a miss."""
from pages import BOX, BOX_CSS, UP, app, font, html, page, pair, png, say, svg, trap

APPS = "capacitor cordova"
PRODUCTS = '{"products":[{"id":1,"name":"Tea"}]}'

# A request without an extension is answered with the start page, so JSON.parse fails at "<!doctype".
pair("start-fetch-api", APPS, {
    "index.html": app("/assets/index-B7k2.js"),
    "assets/index-B7k2.js": 'async function list(){const r=await fetch("/api/products.json");'
    'return(await r.json()).products}list().then(e=>{' + say("up") + "});",
    "api/products.json": PRODUCTS}, UP,
    bad={"api/products.json": None, "api/products": PRODUCTS, "assets/index-B7k2.js":
         'async function list(){const r=await fetch("/api/products");return(await r.json()).products}'
         "list().then(e=>{" + say("up") + "});"}, at=("assets/index-B7k2.js", "/api/products"))
page("start-fetch-plain-gone", APPS, {
    "index.html": html("", '<p id="app"></p><script>fetch("/api/cart").then(function(r){return r.json()})'
                       '.then(function(d){document.getElementById("app").textContent="up"})</script>')},
     UP, ("index.html", "/api/cart"), expect="break")
page("start-fetch-relative-gone", "capacitor", {
    "index.html": app("./main.js", kind="defer"),
    "main.js": 'fetch("api/v1/session",{headers:{Accept:"application/json"}}).then(e=>e.json()).then(e=>{'
    + say("up") + "})"}, UP, ("main.js", "api/v1/session"), expect="break")
page("start-fetch-text-gone", "cordova", {
    "index.html": app("js/main.js", kind=""),
    "js/main.js": 'fetch("/version").then(r=>r.text()).then(t=>{if(/^\\d/.test(t))document.getElementById("app")'
    '.textContent="up"})'}, UP, ("js/main.js", "/version"), expect="break")
trap("start-fetch-method-caught", "capacitor", {
    "index.html": app("/main.js"),
    "main.js": 'fetch("/api/ping").then(e=>e.json()).catch(()=>({offline:!0})).then(e=>{' + say("up") + "})"},
     UP)
trap("start-fetch-try", "capacitor", {
    "index.html": app("/main.js"),
    "main.js": 'async function me(){try{const e=await fetch("/api/me");return await e.json()}catch{return null}}'
    "me().then(()=>{" + say("up") + "})"}, UP)
page("start-xhr-gone", APPS, {
    "index.html": html("", '<p id="app"></p><script src="js/list.js"></script>'),
    "js/list.js": 'var x=new XMLHttpRequest();x.open("GET","/rest/items",true);x.onload=function(){'
    'var d=JSON.parse(x.responseText);document.getElementById("app").textContent=d.ok};x.send();'},
     "$h.text('#app')==='yes'", ("js/list.js", "/rest/items"), expect="break")
trap("start-xhr-ok", "capacitor", {
    "index.html": html("", '<p id="app"></p><script src="js/list.js"></script>'),
    "rest/items.json": '{"ok":"yes"}',
    "js/list.js": 'var x=new XMLHttpRequest();x.open("GET","/rest/items.json",true);x.onload=function(){'
    'var d=JSON.parse(x.responseText);document.getElementById("app").textContent=d.ok};x.send();'},
     "$h.text('#app')==='yes'")
# Elements.
pair("start-script", APPS, {
    "index.html": html('<script src="/lib/core.js"></script>', '<p id="app"></p>'
                       '<script>core("app")</script>'),
    "lib/core.js": 'function core(i){document.getElementById(i).textContent="up"}'}, UP,
    bad={"index.html": html('<script src="/lib/core"></script>', '<p id="app"></p><script>core("app")</script>')},
    at=("index.html", "/lib/core"))
pair("start-style", APPS, {
    "index.html": html('<link rel="stylesheet" href="/theme/dark.css">', '<div id="box"></div>'),
    "theme/dark.css": BOX_CSS}, BOX,
    bad={"index.html": html('<link rel="stylesheet" href="/theme/dark">', '<div id="box"></div>')},
    at=("index.html", "/theme/dark"))
pair("start-img", APPS, {
    "index.html": html("", '<img id="a" src="/avatar/42.png" alt="">'), "avatar/42.png": png()}, "$h.img('#a')",
    bad={"index.html": html("", '<img id="a" src="/avatar/42" alt="">')}, at=("index.html", "/avatar/42"))
pair("start-img-next-optimizer", "capacitor", {
    "index.html": html("", '<img id="a" alt="" src="/_next/static/media/hero.1f2e.png">'),
    "_next/static/media/hero.1f2e.png": png()}, "$h.img('#a')",
    bad={"index.html": html("", '<img id="a" alt="" src="/_next/image?url=%2F_next%2Fstatic%2Fmedia%2Fhero.1f2e.png'
                            '&amp;w=640&amp;q=75">')}, at=("index.html", "/_next/image?url"))
pair("start-iframe", APPS, {
    "index.html": html("", '<iframe id="f" src="/terms.html"></iframe>'),
    "terms.html": html("", "<h1>Terms</h1>")}, "$h.sub('#f')&&$h.sub('#f').querySelector('h1')!==null",
    bad={"index.html": html("", '<iframe id="f" src="/terms"></iframe>')}, at=("index.html", "/terms"))
pair("start-object", "capacitor", {
    "index.html": html("", '<object id="o" type="text/html" data="/help/faq.html"></object>'),
    "help/faq.html": html("", "<h1>Help</h1>")}, "$h.sub('#o')&&$h.sub('#o').querySelector('h1')!==null",
    bad={"index.html": html("", '<object id="o" type="text/html" data="/help/faq"></object>')},
    at=("index.html", "/help/faq"))
pair("start-css-background", "capacitor", {
    "index.html": html('<style>#box{width:60px;height:9px;background:url(/img/bg.png)}</style>',
                       '<div id="box"></div>'), "img/bg.png": png()}, BOX, needs=["/img/bg.png"],
    bad={"index.html": html('<style>#box{width:60px;height:9px;background:url(/img/bg.png2x)}</style>',
                            '<div id="box"></div>')}, at=("index.html", "/img/bg.png2x"))
pair("start-font", "cordova", {
    "index.html": html('<style>@font-face{font-family:K;src:url(/fonts/k.woff2)}p{font-family:K}</style>',
                       "<p>A</p>"),
    "fonts/k.woff2": font()}, "$h.font('K')",
    bad={"index.html": html('<style>@font-face{font-family:K;src:url(/fonts/k)}p{font-family:K}</style>',
                            "<p>A</p>")}, at=("index.html", "/fonts/k"))
pair("start-use", "capacitor", {
    "index.html": html("", '<svg width="9" height="9"><use id="u" href="/icons.svg#cart"/></svg>'),
    "icons.svg": svg('<symbol id="cart" viewBox="0 0 8 8"><path d="M0 0h8v8H0z"/></symbol>')}, "$h.drawn('#u')",
    bad={"index.html": html("", '<svg width="9" height="9"><use id="u" href="/icons#cart"/></svg>')},
    at=("index.html", "/icons#cart"))
# Modules.
pair("start-import-static", APPS, {
    "index.html": app("/src/main.js"),
    "src/main.js": 'import{name}from"./state.js";document.getElementById("app").textContent=name;',
    "src/state.js": 'export const name="up";'}, UP,
    bad={"src/main.js": 'import{name}from"./state";document.getElementById("app").textContent=name;'},
    at=("src/main.js", "./state"))
pair("start-import-dynamic", "capacitor", {
    "index.html": app("/src/main.js"),
    "src/main.js": 'import("/src/views/home.js").then(m=>m.show());',
    "src/views/home.js": "export function show(){" + say() + "}"}, UP,
    bad={"src/main.js": 'import("/src/views/home").then(m=>m.show());'}, at=("src/main.js", "/src/views/home"))
page("start-module-preload-gone", "capacitor", {
    "index.html": html('<link rel="modulepreload" href="/chunks/shared"><script type="module">'
                       'import "/chunks/shared";' + say() + "</script>", '<p id="app"></p>')}, UP,
     ("index.html", "/chunks/shared"), expect="break")
page("start-worker-gone", "capacitor", {
    "index.html": html("", '<p id="app"></p><script>var w=new Worker("/worker");w.onmessage=function(e){'
                       'document.getElementById("app").textContent=e.data};w.postMessage(1)</script>')}, UP,
     ("index.html", "/worker"), expect="break")
trap("start-worker-ok", "capacitor", {
    "index.html": html("", '<p id="app"></p><script>var w=new Worker("/worker.js");w.onmessage=function(e){'
                       'document.getElementById("app").textContent=e.data};w.postMessage(1)</script>'),
    "worker.js": 'onmessage=function(){postMessage("up")};'}, UP)
page("start-eventsource-gone", "capacitor", {
    "index.html": html("", '<p id="app"></p><script>var s=new EventSource("/events");s.onmessage=function(e){'
                       'document.getElementById("app").textContent=e.data}</script>')}, UP,
     ("index.html", "/events"), expect="break")
AXIOS = """(function(w){function f(c){var b=(c&&c.baseURL)||"";function g(u){return fetch(b+u).then(function(r){
return r.text()}).then(function(t){return {data:JSON.parse(t)}})}return{get:g,create:f,defaults:c||{}}}
w.axios=f({})})(window);
"""
page("start-axios-base-gone", APPS, {
    "index.html": html('<script src="/vendor/axios.min.js"></script><script defer src="/js/app.js"></script>',
                       '<p id="app"></p>'),
    "vendor/axios.min.js": AXIOS,
    "js/app.js": 'var api=axios.create({baseURL:"/api",timeout:5e3});api.get("/profile").then(function(r){'
    + say() + "});"}, UP, [("js/app.js", "/api"), ("js/app.js", "/profile")], expect="break")
trap("start-axios-https-ok", "capacitor", {
    "index.html": html('<script src="/vendor/axios.min.js"></script><script defer src="/js/app.js"></script>',
                       '<p id="app"></p>'),
    "vendor/axios.min.js": AXIOS,
    "js/app.js": 'var api=axios.create({baseURL:"https://api.example.com/v1"});window.load=function(){'
    'return api.get("/profile")};' + say()}, UP)
# Links: the router shows another page, or the user stays on the start page.
ROUTER = ('var n=document.getElementById("app");function show(){n.textContent=location.pathname.replace(/\\W/g,"")||'
          '"home"}addEventListener("popstate",show);show();')
trap("start-spa-route", APPS, {
    "index.html": html("", '<div id="app"></div><a id="l" href="/about">About</a><script src="/r.js"></script>'),
    "r.js": ROUTER}, "$h.text('#app')==='about'", action='document.getElementById("l").click()')
trap("start-spa-deep-route", "capacitor", {
    "index.html": html('<base href="/">', '<div id="app"></div><a id="l" href="shop/tea/42">Tea</a>'
                       '<script src="r.js"></script>'),
    "r.js": ROUTER}, "$h.text('#app')==='shoptea42'", action='document.getElementById("l").click()')
pair("start-link-beside-page", APPS, {
    "index.html": html("", '<h1 id="h">Home</h1><a id="l" href="/about.html">About</a>'),
    "about.html": html("", '<h1 id="h">About</h1>')}, "$h.text('#h')==='About'",
    action='document.getElementById("l").click()',
    bad={"index.html": html("", '<h1 id="h">Home</h1><a id="l" href="/about">About</a>')},
    at=("index.html", "/about"))
pair("start-link-folder", APPS, {
    "index.html": html("", '<h1 id="h">Home</h1><a id="l" href="/help/index.html">Help</a>'),
    "help/index.html": html("", '<h1 id="h">Help</h1>')}, "$h.text('#h')==='Help'",
    action='document.getElementById("l").click()',
    bad={"index.html": html("", '<h1 id="h">Home</h1><a id="l" href="/help/">Help</a>')},
    at=("index.html", "/help/"))
pair("start-refresh", "capacitor", {
    "index.html": html('<meta http-equiv="refresh" content="0;url=/en/index.html">', ""),
    "en/index.html": html("", '<h1 id="h">English</h1>')}, "$h.text('#h')==='English'",
    bad={"index.html": html('<meta http-equiv="refresh" content="0;url=/en/">', "")}, at=("index.html", "/en/"))
pair("start-link-missing-html", APPS, {
    "index.html": html("", '<h1 id="h">Home</h1><a id="l" href="about.html">About</a>'),
    "about.html": html("", '<h1 id="h">About</h1>')}, "$h.text('#h')==='About'",
    action='document.getElementById("l").click()', gone="about.html", at=("index.html", "about.html"))
pair("start-location-assign", "capacitor", {
    "index.html": html("", '<h1 id="h">Home</h1><button id="b" onclick="location.href=\'/pay.html\'">Pay</button>'),
    "pay.html": html("", '<h1 id="h">Pay</h1>')}, "$h.text('#h')==='Pay'",
    action='document.getElementById("b").click()',
    bad={"index.html": html("", '<h1 id="h">Home</h1><button id="b" onclick="location.href=\'/pay\'">Pay</button>')},
    at=("index.html", "/pay"))
trap("start-location-home", "capacitor", {
    "index.html": html("", '<div id="app"></div><button id="b" onclick="location.href=\'/\'">Home</button>'
                       '<script src="/r.js"></script>'), "r.js": ROUTER}, "$h.text('#app')==='home'",
    action='document.getElementById("b").click()')
pair("start-form-get", "capacitor", {
    "index.html": html("", '<h1 id="h">Home</h1><form id="f" action="/search.html"><input name="q" value="tea">'
                       "</form>"), "search.html": html("", '<h1 id="h">Found</h1>')}, "$h.text('#h')==='Found'",
    action='document.getElementById("f").submit()',
    bad={"index.html": html("", '<h1 id="h">Home</h1><form id="f" action="/search"><input name="q" value="tea">'
                            "</form>")}, at=("index.html", "/search"))
# These two never serve a file without an extension.
pair("start-file-without-extension", APPS, {
    "index.html": app("/m.js"), "data/rates.json": '{"a":1}',
    "m.js": 'fetch("/data/rates.json").then(r=>r.json()).then(()=>{' + say() + "});"}, UP,
    bad={"data/rates.json": None, "data/rates": '{"a":1}',
         "m.js": 'fetch("/data/rates").then(r=>r.json()).then(()=>{' + say() + "});"}, at=("m.js", "/data/rates"))
trap("start-file-without-extension-ok", "path-strict", {
    "index.html": app("/m.js"), "data/rates": '{"a":1}',
    "m.js": 'fetch("/data/rates").then(r=>r.json()).then(()=>{' + say() + "});"}, UP)
page("start-manifest-extensionless", "capacitor", {
    "index.html": html('<link rel="manifest" href="/manifest">', '<p id="app">up</p>')}, UP, expect="work",
     latent="a manifest is never used")
trap("start-prefetch-extensionless", "capacitor", {
    "index.html": html('<link rel="prefetch" href="/about">', '<p id="app">up</p>')}, UP)
trap("start-canonical", "capacitor", {
    "index.html": html('<link rel="canonical" href="/about"><link rel="alternate" hreflang="de" href="/de">',
                       '<p id="app">up</p>')}, UP)
trap("start-router-table", "capacitor", {
    "index.html": app("/m.js"),
    "m.js": 'const routes=[{path:"/",name:"home"},{path:"/about",name:"about"},{path:"/api/:id",name:"api"}];'
    'document.getElementById("app").textContent=routes.length===3?"up":"";'}, UP)
trap("start-history-push", "capacitor", {
    "index.html": app("/m.js"),
    "m.js": 'history.pushState({},"","/cart");document.getElementById("app").textContent='
    'location.pathname==="/cart"?"up":"";'}, UP, advice="pushState may be refused on newer iOS")
# Capacitor opens index.html for a route, regardless of the launch page.
for name, other in (("", "<h1 id=\"h\">Other</h1>"), ("-gone", None)):
    page("start-launch-other" + name, "capacitor", {
        "start.html": html("", '<h1 id="h">Start</h1><a id="l" href="/about">About</a>'),
        **({"index.html": html("", other)} if other else {})}, "$h.text('#h')==='Start'&&location.pathname==='/about'",
         ("start.html", "/about"), launch="start.html", action='document.getElementById("l").click()', expect="break")
trap("start-launch-other-cordova", "cordova", {
    "start.html": html("", '<h1 id="h">Start</h1><a id="l" href="/about">About</a>'), "index.html": html("", '<h1 id="h">Other</h1>')},
    "$h.text('#h')==='Start'&&location.pathname==='/about'", launch="start.html", action='document.getElementById("l").click()')
trap("start-launch-other-alone", "capacitor", {
    "start.html": html("", '<h1 id="h">Start</h1>'), "index.html": html("", '<h1 id="h">Other</h1>')}, "$h.text('#h')==='Start'", launch="start.html")
