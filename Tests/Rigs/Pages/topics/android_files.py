"""Android: files that a handler finds or misses, paths without an extension, prefixes, names and media types."""
from pages import ANDROID, BOX, BOX_CSS, UP, android_pages, app, font, html, page, pair, png, say, svg, trap, wasm

ROOM = '<div id="app"></div>'
LOCAL = "capacitor-android cordova-android"
HOSTED = "asset-loader intercept"
IMG = "$h.img('#i')"


def classic(script, head="", body="", **files):
    return {"index.html": html(head, ROOM + body + '<script src="app.js"></script>'), "app.js": script, **files}


# Each kind of reference to a file, found and missing, with addresses from the root.
REFERENCES = [
    ("module", ANDROID, {"index.html": app("$ROOTstatic/main-4f3a.js"), "static/main-4f3a.js": say()}, UP,
     "static/main-4f3a.js", ("index.html", "$ROOTstatic/main-4f3a.js")),
    ("sheet", ANDROID, {"index.html": html('<link rel="stylesheet" href="$ROOTstatic/main-1b2c.css">', '<div id="box"></div>'),
                        "static/main-1b2c.css": BOX_CSS}, BOX, "static/main-1b2c.css", ("index.html", "$ROOTstatic/main")),
    ("picture", "capacitor-android intercept", {"index.html": html("", '<img id="i" src="$ROOTimg/logo.png" alt="">'), "img/logo.png": png()},
     IMG, "img/logo.png", ("index.html", "$ROOTimg/logo.png")),
    ("srcset", "cordova-android asset-loader", {"index.html": html("", '<img id="i" srcset="$ROOTimg/a.png 1x, $ROOTimg/a@2x.png 2x" alt="">'),
                                                "img/a.png": png(), "img/a@2x.png": png()}, IMG, "img/a.png", ("index.html", "$ROOTimg/a.png")),
    ("import", ANDROID, {"index.html": app("$ROOTjs/index.js"), "js/index.js": 'import{a}from"./chunk-AB12CD34.js";a();',
                         "js/chunk-AB12CD34.js": "const a=()=>{" + say() + "};export{a};"}, UP, "js/chunk-AB12CD34.js",
     ("js/index.js", "./chunk-AB12CD34.js")),
    ("dynamic", ANDROID, {"index.html": app("$ROOTjs/index.js"), "js/index.js": 'import("./lazy-AB12CD34.js").then(m=>m.a());',
                          "js/lazy-AB12CD34.js": "const a=()=>{" + say() + "};export{a};"}, UP, "js/lazy-AB12CD34.js",
     ("js/index.js", "./lazy-AB12CD34.js")),
    ("fetch-json", ANDROID, classic('fetch("$ROOTdata/menu.json").then(function(r){return r.json()}).then(function(){' + say() + "});",
                                    **{"data/menu.json": "[]"}), UP, "data/menu.json", ("app.js", "$ROOTdata/menu.json")),
    ("css-url", "capacitor-android asset-loader", {
        "index.html": html('<link rel="stylesheet" href="css/a.css">', '<p id="p">a</p>'), "css/a.css": "#p{background:url($ROOTimg/bg.png)}",
        "img/bg.png": png()}, None, "img/bg.png", ("css/a.css", "$ROOTimg/bg.png")),
    ("font", "cordova-android intercept", {
        "index.html": html('<link rel="stylesheet" href="css/a.css">', '<p id="p">A</p>'),
        "css/a.css": '@font-face{font-family:"Inter";src:url($ROOTfonts/inter.woff2)format("woff2")}p{font-family:Inter}',
        "fonts/inter.woff2": font()}, "$h.font('Inter')", "fonts/inter.woff2", ("css/a.css", "$ROOTfonts/inter.woff2")),
    ("worker", ANDROID, classic('var w=new Worker("$ROOTjs/w-77aa.js");w.onmessage=function(e){' + say() + "};w.postMessage(1);",
                                **{"js/w-77aa.js": "onmessage=function(e){postMessage(e.data)}"}), UP, "js/w-77aa.js", ("app.js", "$ROOTjs/w-77aa.js")),
    ("wasm", LOCAL + " asset-loader", classic('WebAssembly.instantiateStreaming(fetch("$ROOTwasm/sum_bg.wasm"),{}).then(function(o){if(o.instance.exports.f()===42)' + say() + "});",
                              **{"wasm/sum_bg.wasm": wasm()}), UP, "wasm/sum_bg.wasm", ("app.js", "$ROOTwasm/sum_bg.wasm")),
    ("svg-use", "capacitor-android intercept", {
        "index.html": html("", '<svg width="9" height="9"><use id="u" href="$ROOTimg/icons.svg#cart"/></svg>'),
        "img/icons.svg": svg('<symbol id="cart" viewBox="0 0 8 8"><path d="M0 0h8v8H0z"/></symbol>')}, "$h.drawn('#u')", "img/icons.svg",
     ("index.html", "$ROOTimg/icons.svg")),
    ("iframe", ANDROID, {"index.html": html("", '<iframe id="f" src="$ROOTparts/help.html"></iframe>'), "parts/help.html": html("", "<p id=x>help</p>")},
     "$h.sub('#f').getElementById('x')", "parts/help.html", ("index.html", "$ROOTparts/help.html")),
    ("import-map", "asset-loader intercept", {
        "index.html": html('<script type="importmap">{"imports":{"lit":"$ROOTvendor/lit.js"}}</script><script type="module">import{a}from"lit";a();</script>', ROOM),
        "vendor/lit.js": "export const a=()=>{document.getElementById('app').textContent='up'};"}, UP, "vendor/lit.js", ("index.html", "$ROOTvendor/lit.js")),
]
for name, profiles, files, probe, gone, at in REFERENCES:
    more = {"needs": ["img/bg.png"]} if probe is None else {}
    android_pages(pair, "a-file-" + name, profiles, files, probe or "true", at=at, gone=gone, **more)

# A preload or an icon that is missing harms nothing.
for name, tag in (("modulepreload", '<link rel="modulepreload" href="$ROOTjs/gone.js">'), ("preload", '<link rel="preload" as="font" type="font/woff2" crossorigin href="$ROOTgone.woff2">'),
                  ("icon", '<link rel="icon" href="$ROOTfavicon.ico">'), ("manifest", '<link rel="manifest" href="$ROOTmanifest.webmanifest">'),
                  ("touch-icon", '<link rel="apple-touch-icon" href="$ROOTapple-touch-icon.png">')):
    android_pages(trap, "a-latent-" + name, "capacitor-android intercept", {"index.html": app("$ROOTmain.js", tag), "main.js": say()}, UP,
                  latent="the page does without it")

# Below /assets/, addresses from the root are outside the package; Vite's own folder has the same name.
VITE = {"index.html": app("/assets/index-B1a2C3d4.js"), "assets/index-B1a2C3d4.js": say()}
for profile, end in (("capacitor-android", "work"), ("cordova-android", "work"), ("asset-loader", "break"), ("intercept", "work")):
    page("a-root-vite-default-" + profile, profile, VITE, UP, at=("index.html", "/assets/index") if end == "break" else (), expect=end)
page("a-root-vite-base", "asset-loader", {"index.html": app("/assets/assets/index-B1a2C3d4.js"), "assets/index-B1a2C3d4.js": say()}, UP, expect="work")
page("a-root-vite-relative", "asset-loader", {"index.html": app("./assets/index-B1a2C3d4.js"), "assets/index-B1a2C3d4.js": say()}, UP, expect="work")
page("a-root-vite-moved", "asset-loader", {"index.html": app("/assets/index-B1a2C3d4.js"), "index-B1a2C3d4.js": say()}, UP, expect="work")
for name, file, good, bad in (("css", "css/app.css", "css/app.css", "/css/app.css"), ("static", "static/app.css", "/assets/static/app.css", "/static/app.css")):
    pair("a-root-sheet-" + name, "asset-loader", {"index.html": html(f'<link rel="stylesheet" href="{good}">', '<div id="box"></div>'), file: BOX_CSS}, BOX,
         bad={"index.html": html(f'<link rel="stylesheet" href="{bad}">', '<div id="box"></div>')}, at=("index.html", bad))
pair("a-root-base-element", "asset-loader", {"index.html": html('<base href="/assets/">' '<script type="module" src="main.js"></script>', ROOM), "main.js": say()}, UP,
     bad={"index.html": html('<base href="/">' '<script type="module" src="main.js"></script>', ROOM)}, at=("index.html", "main.js"))
pair("a-root-fetch", "asset-loader", classic('fetch("/assets/data.json").then(r=>r.json()).then(()=>{' + say() + "});", **{"data.json": "{}"}), UP,
     bad={"app.js": 'fetch("/data.json").then(r=>r.json()).then(()=>{' + say() + "});"}, at=("app.js", "/data.json"))
pair("a-root-css-url", "asset-loader", {"index.html": html('<link rel="stylesheet" href="a.css">', '<p id="p">a</p>'), "a.css": "#p{background:url(img/a.png)}", "img/a.png": png()},
     needs=["img/a.png"], bad={"a.css": "#p{background:url(/img/a.png)}"}, at=("a.css", "/img/a.png"))
pair("a-root-public-path", "asset-loader", classic('var p="/assets/";var s=document.createElement("script");s.src=p+"js/lazy.js";document.head.appendChild(s);',
                                                   **{"js/lazy.js": say()}), UP,
     bad={"app.js": 'var p="/";var s=document.createElement("script");s.src=p+"js/lazy.js";document.head.appendChild(s);'}, at=[("app.js", '"/"'), ("app.js", "p+")])
pair("a-root-custom", {"base": "intercept", "root": "/shop/"}, {"index.html": app("/shop/main.js"), "main.js": say()}, UP,
     bad={"index.html": app("/main.js")}, at=("index.html", "/main.js"))
pair("a-root-custom-deep", {"base": "asset-loader", "root": "/public/www/"}, {"index.html": app("/public/www/a/main.js"), "a/main.js": say()}, UP,
     bad={"index.html": app("/public/a/main.js")}, at=("index.html", "/public/a/main.js"))
pair("a-root-parent", "asset-loader", {"index.html": app("../assets/main.js"), "main.js": say()}, UP, bad={"index.html": app("../main.js")}, at=("index.html", "../main.js"))

# Paths without an extension: the launch page instead of a file, 404, or the network.
for profile in ANDROID.split():
    android_pages(page, "a-bare-script", profile, {"index.html": html("", ROOM + '<script src="$ROOTjs/config"></script>'), "js/config": say()}, UP,
                  at=("index.html", "$ROOTjs/config"), expect="break" if profile == "capacitor-android" else "work")
    android_pages(page, "a-bare-json", profile, classic('fetch("$ROOTapi/items").then(r=>r.json()).then(()=>{' + say() + "});", **{"api/items": "[]"}), UP,
                  at=("app.js", "$ROOTapi/items"), expect="break" if profile == "capacitor-android" else "work")
    android_pages(page, "a-bare-frame", profile, {"index.html": html("", '<iframe id="f" src="$ROOThelp"></iframe>'), "help": html("", "<p id=x>help</p>")},
                  "$h.sub('#f').getElementById('x')", at=("index.html", "$ROOThelp"), expect="work" if profile == "cordova-android" else "break")
    android_pages(page, "a-bare-status", profile, classic('fetch("$ROOTready").then(r=>{if(r.ok)' + say() + "});"), UP,
                  at=() if profile == "capacitor-android" else ("app.js", "$ROOTready"), expect="work" if profile == "capacitor-android" else "break",
                  **({"latent": "the launch page answers"} if profile == "capacitor-android" else {}))
    android_pages(page, "a-bare-license", profile, classic('fetch("$ROOTLICENSE").then(r=>r.text()).then(t=>{if(/^MIT/.test(t))' + say() + "});", LICENSE="MIT"), UP,
                  at=("app.js", "$ROOTLICENSE"), expect="break" if profile == "capacitor-android" else "work")
    android_pages(page, "a-bare-picture", profile, {"index.html": html("", '<img id="i" src="$ROOTimg/4f3a9b" alt="">'), "img/4f3a9b": png()}, IMG,
                  at=("index.html", "$ROOTimg/4f3a9b"), expect="break" if profile == "capacitor-android" else "work")
# A dot in the last component: a file for Capacitor, whatever it is.
android_pages(pair, "a-dot-version", "capacitor-android", classic('fetch("/api/v1.2").then(r=>{if(r.ok)' + say() + "});", **{"api/v1.2": "1"}), UP, gone="api/v1.2", at=("app.js", "/api/v1.2"))
android_pages(page, "a-dot-folder", "capacitor-android", classic('fetch("/v1.2/items").then(r=>{if(r.ok)' + say() + "});"), UP, expect="work", latent="the launch page answers")

# The root and folders.
for profile, end in (("capacitor-android", "work"), ("cordova-android", "work"), ("asset-loader", "break"), ("intercept", "break")):
    android_pages(page, "a-index-root", profile, {"index.html": app("$ROOTmain.js"), "main.js": say()}, UP, launch="/", expect=end)
    android_pages(page, "a-index-link-home", profile, {"index.html": html("", '<h1 id=home>Home</h1>'), "about.html": html("", '<a id="a" href="$ROOT">Home</a>')},
                  "document.getElementById('home')", launch="about.html", action="document.getElementById('a').click()", expect=end,
                  **({"at": ("about.html", '$ROOT">Home')} if end == "break" else {"advice": "the root is not the launch page"}))
    android_pages(page, "a-index-folder", profile, {"index.html": html("", '<iframe id="f" src="$ROOThelp/"></iframe>'), "help/index.html": html("", "<p id=x>help</p>")},
                  "$h.sub('#f').getElementById('x')", at=("index.html", "$ROOThelp/"), expect="break")
pair("a-index-directory", {"base": "intercept", "index-file": "directory"}, {"index.html": html("", '<iframe id="f" src="/help/"></iframe>'), "help/index.html": html("", "<p id=x>help</p>")},
     "$h.sub('#f').getElementById('x')", gone="help/index.html", at=("index.html", "/help/"))
pair("a-index-directory-launch", {"base": "intercept", "index-file": "directory"}, {"index.html": app("/main.js"), "main.js": say()}, UP, launch="/", gone="main.js", at=("index.html", "/main.js"))
pair("a-index-start-page", {"base": "intercept", "index-file": "start-page"}, {"index.html": app("/main.js"), "main.js": say()}, UP, launch="/", gone="main.js", at=("index.html", "/main.js"))
pair("a-index-root-key", {"base": "intercept", "index-file": "root"}, {"index.html": app("/main.js"), "main.js": say()}, UP, launch="/", gone="main.js", at=("index.html", "/main.js"))
pair("a-index-asset-loader", {"base": "asset-loader", "index-file": "root"}, {"index.html": app("/assets/main.js"), "main.js": say()}, UP, launch="/", gone="main.js", at=("index.html", "/assets/main.js"))

# Percent-encoding and unusual names.
NAMES = [("space", "img/hero image.png", "img/hero%20image.png"), ("umlaut", "img/m\u00e4nner.png", "img/m%C3%A4nner.png"), ("umlaut-plain", "img/m\u00e4nner.png", "img/m\u00e4nner.png"),
         ("plus", "img/a+b.png", "img/a+b.png"), ("at", "img/logo@2x.png", "img/logo@2x.png"), ("paren", "img/a (1).png", "img/a%20(1).png"),
         ("brackets", "img/[id].png", "img/%5Bid%5D.png"), ("brackets-plain", "img/[id].png", "img/[id].png"), ("hash", "img/a#b.png", "img/a%23b.png"),
         ("percent", "img/100%.png", "img/100%25.png"), ("quote", "img/it's.png", "img/it's.png"), ("comma", "img/a,b.png", "img/a,b.png"), ("tilde", "img/~a.png", "img/~a.png"),
         ("cjk", "img/\u5546\u5e97.png", "img/%E5%95%86%E5%BA%97.png"), ("semicolon", "img/a;b.png", "img/a;b.png"), ("dollar", "img/$a.png", "img/$a.png")]
for number, (name, file, url) in enumerate(NAMES):
    profile = ANDROID.split()[number % 4]
    android_pages(pair, "a-name-" + name, profile, {"index.html": html("", f'<img id="i" src="$ROOT{url}" alt="">'), file: png()}, IMG, gone=file, at=("index.html", f"$ROOT{url}"))
BAD_NAMES = [("plus-space", "img/a b.png", "img/a+b.png"), ("twice", "img/a b.png", "img/a%2520b.png"), ("case", "img/Logo.png", "img/logo.png"), ("case-folder", "Img/logo.png", "img/logo.png"),
             ("hash-plain", "img/a#b.png", "img/a#b.png"), ("question", "img/a?b.png", "img/a?b.png"), ("nfd", "img/a\u0308.png", "img/\u00e4.png"), ("latin1", "img/\u00e4.png", "img/%E4.png"),
             ("case-extension", "img/a.PNG", "img/a.png"), ("trailing-dot", "img/a.png", "img/a.png."), ("slash-end", "img/a.png", "img/a.png/")]
for number, (name, file, url) in enumerate(BAD_NAMES):
    for profile in (ANDROID.split()[number % 4], ANDROID.split()[(number + 1) % 4]):
        android_pages(page, "a-name-bad-" + name, profile, {"index.html": html("", f'<img id="i" src="$ROOT{url}" alt="">'), file: png()}, IMG,
                      ("index.html", f"$ROOT{url}"), expect="break")
# Not escaped by the handler of this app.
pair("a-name-encoded-key", {"base": "intercept", "percent-decoding": False}, {"index.html": html("", '<img id="i" src="/img/a.png" alt="">'), "img/a.png": png(), "img/a b.png": png()}, IMG,
     bad={"index.html": html("", '<img id="i" src="/img/a%20b.png" alt="">')}, at=("index.html", "/img/a%20b.png"), fair="a name that no URL finds")
# Queries and fragments do not matter.
for name, end in (("version", "?v=1.2.0"), ("fragment", "#x"), ("both", "?v=1#x"), ("slash", "?u=/a/b.js")):
    android_pages(pair, "a-query-" + name, ("capacitor-android", "cordova-android", "asset-loader", "intercept")[len(name) % 4],
                  {"index.html": html("", ROOM + f'<script src="$ROOTmain.js{end}"></script>'), "main.js": say()}, UP, gone="main.js", at=("index.html", "$ROOTmain.js"))
pair("a-query-keep", {"base": "intercept", "query": "keep"}, {"index.html": html("", ROOM + '<script src="/main.js"></script>'), "main.js": say()}, UP,
     bad={"index.html": html("", ROOM + '<script src="/main.js?v=2"></script>')}, at=("index.html", "/main.js?v=2"))

# Media types: modules, WebAssembly, style sheets, pages.
for suffix in ("mjs", "cjs", "ts", "jsx", "vue", "es6"):
    for profile in ANDROID.split():
        android_pages(page, "a-type-module-" + suffix, profile, {"index.html": html(f'<script type="module" src="$ROOTmain.{suffix}"></script>', ROOM), "main." + suffix: say()}, UP,
                      ("index.html", f"$ROOTmain.{suffix}") if suffix != "mjs" or profile == "intercept" else (), expect="work" if suffix == "mjs" and profile != "intercept" else "break")
    android_pages(trap, "a-type-classic-" + suffix, ("capacitor-android", "asset-loader")[len(suffix) % 2], {
        "index.html": html("", ROOM + f'<script src="$ROOTmain.{suffix}"></script>'), "main." + suffix: say()}, UP, advice="an unusual name for a script")
for profile in ANDROID.split():
    android_pages(page, "a-type-module-bare", profile, {"index.html": html('<script type="module" src="$ROOTmain"></script>', ROOM), "main": say()}, UP, ("index.html", "$ROOTmain"), expect="break")
    android_pages(page, "a-type-json-module", profile, {"index.html": html('<script type="module">import d from"./d.json"with{type:"json"};document.getElementById("app").textContent=d.a;</script>', ROOM),
                                                        "d.json": '{"a":"up"}'}, UP, expect="work")
    android_pages(page, "a-type-sheet-less", profile, {"index.html": html('<link rel="stylesheet" href="$ROOTmain.less">', '<div id="box"></div>'), "main.less": BOX_CSS}, BOX,
                  ("index.html", "$ROOTmain.less"), expect="work" if profile in ("capacitor-android", "cordova-android") else "break")
    android_pages(page, "a-type-wasm-renamed", profile, classic('WebAssembly.instantiateStreaming(fetch("$ROOTsum.bin"),{}).then(function(){' + say() + "});", **{"sum.bin": wasm()}), UP,
                  ("app.js", "$ROOTsum.bin"), expect="break")
    android_pages(page, "a-type-wasm-buffer", profile, classic('fetch("$ROOTsum.bin").then(function(r){return r.arrayBuffer()}).then(function(b){return WebAssembly.instantiate(b,{})}).then(function(){' + say() + "});",
                                                               **{"sum.bin": wasm()}), UP, expect="work")
    android_pages(page, "a-type-xhtml", profile, {"index.html": html("", '<iframe id="f" src="$ROOTa.xhtml"></iframe>'),
                                                  "a.xhtml": '<html xmlns="http://www.w3.org/1999/xhtml"><head><title>a</title></head><body><p id="x">a</p></body></html>'}, "$h.sub('#f').getElementById('x')", expect="work")
    android_pages(page, "a-type-frame-php", profile, {"index.html": html("", '<iframe id="f" src="$ROOTa.php"></iframe>'), "a.php": html("", '<p id="x">a</p>')}, "$h.sub('#f').getElementById('x')",
                  ("index.html", "$ROOTa.php"), expect="break" if profile in ("asset-loader", "intercept") else "work")
    android_pages(page, "a-type-font-unknown", profile, {"index.html": html('<style>@font-face{font-family:"X";src:url($ROOTa.fnt)}p{font-family:X}</style>', "<p>A</p>"), "a.fnt": font()}, "$h.font('X')", expect="work")
    android_pages(page, "a-type-svg-unknown", profile, {"index.html": html("", '<img id="i" src="$ROOTa.svgx" alt="">'), "a.svgx": svg()}, IMG, ("index.html", "$ROOTa.svgx"), expect="break")
    android_pages(page, "a-type-png-unknown", profile, {"index.html": html("", '<img id="i" src="$ROOTa.pic" alt="">'), "a.pic": png()}, IMG, expect="work", advice="an unusual name for a picture")
pair("a-type-key-wasm", {"base": "intercept", "media-types": {"wasm": "application/wasm"}}, classic('WebAssembly.instantiateStreaming(fetch("/a.wasm"),{}).then(function(){' + say() + "});", **{"a.wasm": wasm()}), UP,
     gone="a.wasm", at=("app.js", "/a.wasm"))
page("a-type-wasm-intercept", "intercept", classic('WebAssembly.instantiateStreaming(fetch("/a.wasm"),{}).then(function(){' + say() + "});", **{"a.wasm": wasm()}), UP, ("app.js", "/a.wasm"), expect="break")
pair("a-type-key", {"base": "intercept", "media-types": {"cjs": "text/javascript"}}, {"index.html": html('<script type="module" src="/main.cjs"></script>', ROOM), "main.cjs": say()}, UP,
     gone="main.cjs", at=("index.html", "/main.cjs"))
# COR: no type for names with unusual characters, and a style sheet without a type is accepted.
android_pages(trap, "a-type-sheet-space", LOCAL, {"index.html": html('<link rel="stylesheet" href="$ROOTmain%20style.css">', '<div id="box"></div>'), "main style.css": BOX_CSS}, BOX)
android_pages(trap, "a-type-module-space", LOCAL, {"index.html": html('<script type="module" src="$ROOTmy%20main.js"></script>', ROOM), "my main.js": say()}, UP)
android_pages(trap, "a-type-wasm-space", "cordova-android", classic('WebAssembly.instantiateStreaming(fetch("a%20b.wasm"),{}).then(function(){' + say() + "});", **{"a b.wasm": wasm()}), UP)
# Encodings: WebView reads pages without a declaration as UTF-8.
android_pages(trap, "a-encoding-none", HOSTED, {"index.html": "<!doctype html><html lang=de><title>a</title><p id=app>gr\u00fcn</p>"}, "$h.text('#app')==='gr\u00fcn'", advice="no declaration of the encoding")
# Chromium detects the encoding of a page without a declaration.
android_pages(trap, "a-encoding-latin1", "capacitor-android", {"index.html": "<!doctype html><html lang=de><title>a</title><p id=app>gr\u00fcn</p>".encode("latin-1")}, "$h.text('#app')==='gr\u00fcn'", advice="no declaration of the encoding")
# The files of the frameworks.
android_pages(trap, "a-cordova-js", LOCAL, {"index.html": html('<script src="cordova.js"></script>', ROOM + '<script src="app.js"></script>'), "app.js": say()}, UP)
android_pages(pair, "a-cordova-js-named", "asset-loader", {"index.html": html('<script src="cordova.js"></script>', ROOM + '<script src="app.js"></script>'), "cordova.js": "window.cordova={}", "app.js": "cordova.a=1;" + say()}, UP,
              gone="cordova.js", at=("index.html", "cordova.js"))
android_pages(page, "a-favicon-fetch", "capacitor-android", classic('fetch("/favicon.ico").then(function(r){if(r.ok)' + say() + "});", **{"favicon.ico": png()}), UP, expect="break")
