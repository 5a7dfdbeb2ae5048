"""The base of relative URLs."""
from pages import BOX, BOX_CSS, UP, app, font, html, page, pair, png, say, svg, trap

STRICT = "path-strict"
TELL = 'onmessage=function(){%s};'
ASK = 'var w=new Worker("js/w.js");w.onmessage=function(e){document.getElementById("app").textContent=e.data};w.postMessage(0);'
ROOM = '<div id="app"></div>'

# URLs in workers are relative to the worker's own file.
pair("base-worker-fetch", "path-strict capacitor basename-cache", {
    "index.html": html("", ROOM + f"<script>{ASK}</script>"),
    "js/w.js": TELL % 'fetch("rates-1f.json").then(r=>r.json()).then(()=>postMessage("up"))',
    "js/rates-1f.json": "{}"}, UP, bad={"js/rates-1f.json": None, "data.txt": "x"}, at=("js/w.js", "rates-1f.json"))
pair("base-worker-fetch-from-page", "path-strict capacitor", {
    "index.html": html("", ROOM + f"<script>{ASK}</script>"),
    "js/w.js": TELL % 'fetch("../data/rates.json").then(r=>r.json()).then(()=>postMessage("up"))',
    "data/rates.json": "{}"}, UP,
    bad={"js/w.js": TELL % 'fetch("data/rates.json").then(r=>r.json()).then(()=>postMessage("up"))'},
    at=("js/w.js", "data/rates.json"))
pair("base-worker-importscripts", "path-strict cordova", {
    "index.html": html("", ROOM + f"<script>{ASK}</script>"),
    "js/w.js": 'importScripts("lib.js");' + TELL % "postMessage(word)", "js/lib.js": 'var word="up";'}, UP,
    bad={"js/lib.js": None, "lib.js": 'var word="up";'}, at=("js/w.js", "lib.js"))
pair("base-worker-import-page-relative", STRICT, {
    "index.html": html("", ROOM + f"<script>{ASK}</script>"),
    "js/w.js": 'importScripts("vendor/lib.js");' + TELL % "postMessage(word)", "js/vendor/lib.js": 'var word="up";'},
    UP, bad={"js/w.js": 'importScripts("js/vendor/lib.js");' + TELL % "postMessage(word)"},
    at=("js/w.js", "js/vendor/lib.js"))
pair("base-worker-xhr", "capacitor", {
    "index.html": html("", ROOM + f"<script>{ASK}</script>"),
    "js/w.js": TELL % 'var x=new XMLHttpRequest;x.open("GET","../d.json",true);x.onload=function(){JSON.parse('
    'x.responseText);postMessage("up")};x.send()', "d.json": "{}"}, UP,
    bad={"js/w.js": TELL % 'var x=new XMLHttpRequest;x.open("GET","d.json",true);x.onload=function(){JSON.parse('
         'x.responseText);postMessage("up")};x.send()'}, at=("js/w.js", "d.json"))
pair("base-worker-from-script-folder", STRICT, {
    "index.html": html('<script defer src="js/main.js"></script>', ROOM),
    "js/main.js": 'var w=new Worker("js/w.js");w.onmessage=function(){' + say() + "};w.postMessage(0)",
    "js/w.js": "onmessage=()=>postMessage(1)"}, UP,
    bad={"js/main.js": 'var w=new Worker("w.js");w.onmessage=function(){' + say() + "};w.postMessage(0)"},
    at=("js/main.js", "w.js"))
BLOB = "var w=new Worker(URL.createObjectURL(new Blob(['%s'])));w.onmessage=function(){" + say() + "};w.postMessage(0);"
pair("base-blob-worker-import", STRICT, {
    "index.html": html("", ROOM + "<script>" + BLOB % 'importScripts("customscheme://shop.example.com/lib.js");'
                       "onmessage=function(){postMessage(word)}" + "</script>"), "lib.js": 'var word="up";'}, UP,
    bad={"index.html": html("", ROOM + "<script>" + BLOB % 'importScripts("lib.js");onmessage=function(){'
                            "postMessage(word)}" + "</script>")}, at=("index.html", "lib.js"))
trap("base-blob-worker-origin", "path-strict", {
    "index.html": html("", ROOM + "<script>var w=new Worker(URL.createObjectURL(new Blob(['importScripts(\"'+"
                       "new URL('lib.js',location.href)+'\");onmessage=function(){postMessage(word)}'])));w.onmessage="
                       "function(){" + say() + "};w.postMessage(0)</script>"), "lib.js": 'var word="up";'}, UP)
# A script's requests are relative to the page, a module's imports to the module.
pair("base-script-fetch-from-page", "path-strict capacitor cordova", {
    "index.html": html('<script defer src="js/main.js"></script>', ROOM),
    "js/main.js": 'fetch("data.json").then(r=>r.json()).then(()=>{' + say() + "});", "data.json": "{}"}, UP,
    bad={"data.json": None, "js/data.json": "{}"}, at=("js/main.js", "data.json"))
pair("base-shared-script-two-folders", STRICT, {
    "index.html": html("", ROOM + '<script src="js/shared.js"></script>'),
    "sub/page.html": html("", ROOM + '<script src="../js/shared.js"></script>'),
    "js/shared.js": 'fetch("data.json").then(r=>r.json()).then(()=>{' + say() + "});",
    "data.json": "{}", "sub/data.json": "{}"}, UP, launch="sub/page.html", gone="sub/data.json",
    at=("js/shared.js", "data.json"))
pair("base-shared-script-absolute", "capacitor", {
    "index.html": html("", '<a href="sub/page.html">p</a>'),
    "sub/page.html": html("", ROOM + '<script src="/js/shared.js"></script>'),
    "js/shared.js": 'var i=new Image;i.id="i";i.src="img/a.png";document.body.appendChild(i);',
    "img/a.png": png(), "sub/img/a.png": png()}, "$h.img('#i')", launch="sub/page.html", gone="sub/img/a.png",
    at=("js/shared.js", "img/a.png"))
pair("base-module-import", STRICT, {
    "index.html": app("./js/main.js"), "js/main.js": 'import "./part.js";', "js/part.js": say()}, UP,
    bad={"js/part.js": None, "part.js": say()}, at=("js/main.js", "./part.js"))
pair("base-css-from-sheet", "path-strict capacitor", {
    "index.html": html('<link rel="stylesheet" href="css/a.css">', '<div id="box"></div>'),
    "css/a.css": "#box{width:60px;height:9px;background:url(i.png)}", "css/i.png": png()}, BOX, needs=["/i.png"],
    bad={"css/i.png": None, "i.png": png()}, at=("css/a.css", "i.png"))
pair("base-css-custom-property", "path-strict capacitor", {
    "index.html": html('<link rel="stylesheet" href="css/vars.css"><link rel="stylesheet" href="theme/use.css">',
                       '<div id="box"></div>'),
    "css/vars.css": ":root{--bg:url(i.png)}", "theme/use.css": "#box{width:60px;height:9px;background:var(--bg)}",
    "css/i.png": png(), "theme/i.png": png()}, BOX, needs=["/i.png"], gone=["css/i.png"],
    at=("css/vars.css", "i.png"))
# WebKitGTK 2.50 resolves it against the sheet defining the property, not the one using it.
trap("base-css-custom-property-defined-here", STRICT, {
    "index.html": html('<link rel="stylesheet" href="css/vars.css"><link rel="stylesheet" href="theme/use.css">',
                       '<div id="box"></div>'),
    "css/vars.css": ":root{--bg:url(j.png)}", "theme/use.css": "#box{width:60px;height:9px;background:var(--bg)}",
    "css/j.png": png()}, BOX, needs=["/css/j.png"])
pair("base-css-property-inline-use", "capacitor", {
    "index.html": html('<link rel="stylesheet" href="css/vars.css">',
                       '<div id="box" style="width:60px;height:9px;background:var(--bg)"></div>'),
    "css/vars.css": ":root{--bg:url(k.png)}", "css/k.png": png()}, BOX, needs=["k.png"],
    bad={"css/k.png": None, "k.png": png()}, at=("css/vars.css", "k.png"))
trap("base-css-property-unused", STRICT, {
    "index.html": html("<style>:root{--unused:url(gone.png)}#box{width:60px}</style>", '<div id="box"></div>')}, BOX,
    latent="a custom property that nothing uses")
# <base>
pair("base-element", "path-strict capacitor", {
    "index.html": html('<base href="/app/"><script defer src="m.js"></script>', ROOM), "app/m.js": say()}, UP,
    bad={"app/m.js": None, "m.js": say()}, at=("index.html", "m.js"))
pair("base-element-angular", "cordova", {
    "index.html": html('<base href="/">', ROOM + '<script src="main.4f2c.js" type="module"></script>'),
    "main.4f2c.js": say()}, UP,
    bad={"index.html": html('<base href="/portal/">', ROOM + '<script src="main.4f2c.js" type="module"></script>')},
    at=("index.html", "main.4f2c.js"))
pair("base-script-before-base", "path-strict basename-cache", {
    "index.html": html('<script defer src="a1.js"></script><base href="app/"><script defer src="b1.js"></script>', ROOM),
    "a1.js": "window.a=1;", "app/b1.js": say()}, UP + "&&window.a===1", gone="a1.js", at=("index.html", "a1.js"))
pair("base-img-before-base", STRICT, {
    "index.html": html('<link rel="stylesheet" href="c.css"><base href="app/">', '<div id="box"></div>'),
    "app/c.css": BOX_CSS, "c.css": BOX_CSS}, BOX, gone="c.css", at=("index.html", "c.css"))
# URLs fetched by the parser are relative to the page, those resolved later to the base.
FIRST = {
    "img": ('<img id="i" src="a.png" alt="">', "a.png", png(), []),
    "srcset": ('<img srcset="a.png 1x" alt="">', "a.png", png(), ["/a.png"]),
    "script-async": ('<script async src="s.js"></script>', "s.js", "window.s=1", ["/s.js"]),
    "module": ('<script type="module" src="s.js"></script>', "s.js", "window.s=1", ["/s.js"]),
    "inline-module": ('<script type="module">import "./s.js"</script>', "s.js", "window.s=1", ["/s.js"]),
    "style": ("<style>#app{background:url(a.png)}</style>", "a.png", png(), ["/a.png"]),
    "style-attribute": ('<p style="background:url(a.png)">x</p>', "a.png", png(), ["/a.png"]),
    "iframe": ('<iframe src="f.html"></iframe>', "f.html", html("", ""), ["/f.html"]),
    "svg-image": ('<svg><image href="a.png" width="9" height="9"/></svg>', "a.png", png(), ["/a.png"]),
    "use": ('<svg><use href="u.svg#s"/></svg>', "u.svg", svg('<path id="s" d="M0 0h8v8H0z"/>'), ["/u.svg"]),
    "poster": ('<video poster="a.png" preload="none"></video>', "a.png", png(), ["/a.png"]),
    "import-map": ('<script type="importmap">{"imports":{"s":"./s.js"}}</script><script type="module">import "s"</script>',
                   "s.js", "window.s=1", ["/s.js"]),
    "fetch-at-once": ('<script>fetch("d.json").then(r=>r.json())</script>', "d.json", "{}", ["/d.json"]),
}
for number, (name, (markup, file, content, needs)) in enumerate(FIRST.items()):
    pair("base-before-" + name, ("path-strict", "cordova")[number % 2], {
        "index.html": html("", markup + '<base href="app/">' + ROOM + "<script>" + say() + "</script>"), file: content,
        "app/" + file: content}, UP, needs=[f"{needs[0] if needs else '/' + file}"], gone=file,
        at=("index.html", "./" + file if "import" in markup else file))
LAST = {
    "object": ('<object data="o.svg" type="image/svg+xml"></object>', "o.svg", svg()),
    "embed": ('<embed src="o.svg" type="image/svg+xml">', "o.svg", svg()),
    "input": ('<input type="image" src="a.png" alt="">', "a.png", png()),
    "table": ('<table background="a.png"><tr><td>x</table>', "a.png", png()),
    "fetch-later": ('<script>addEventListener("load",()=>fetch("d.json").then(r=>r.json()))</script>', "d.json", "{}"),
}
for number, (name, (markup, file, content)) in enumerate(LAST.items()):
    pair("base-later-" + name, ("path-strict", "cordova")[number % 2], {
        "index.html": html("", markup + '<base href="app/">' + ROOM + "<script>" + say() + "</script>"),
        "app/" + file: content}, UP, needs=["/app/" + file], gone="app/" + file, at=("index.html", file))
pair("base-later-link", "path-strict", {
    "index.html": html("", '<h1 id="h">Home</h1><a id="l" href="b.html">b</a><base href="app/">'),
    "app/b.html": html("", '<h1 id="h">B</h1>'), "b.html": html("", '<h1 id="h">Wrong</h1>')}, "$h.text('#h')==='B'",
    action='document.getElementById("l").click()', gone="app/b.html", at=("index.html", "b.html"))
trap("base-second-ignored", STRICT, {
    "index.html": html('<base href="app/"><base href="other/"><script defer src="m.js"></script>', ROOM),
    "app/m.js": say()}, UP, advice="two bases")
trap("base-target-only", "capacitor", {
    "index.html": html('<base target="_self"><script defer src="m.js"></script>', ROOM), "m.js": say()}, UP)
pair("base-fragment-foreign", STRICT, {
    "index.html": html("", '<h1 id="h">Home</h1><a id="l" href="#part">p</a>'),
    "app/x.js": ""}, "location.pathname.endsWith('index.html')&&location.hash==='#part'",
    action='document.getElementById("l").click()',
    bad={"index.html": html('<base href="/app/">', '<h1 id="h">Home</h1><a id="l" href="#part">p</a>')},
    at=("index.html", "#part"))
trap("base-svg-use-foreign", STRICT, {
    "index.html": html('<base href="/app/">', '<svg width="9" height="9"><defs><path id="s" d="M0 0h8v8H0z"/>'
                       '</defs><use id="u" href="#s"/></svg>')}, "$h.drawn('#u')")
pair("base-fragment-other-page", "capacitor", {
    "index.html": html("", '<h1 id="h">Home</h1>'),
    "about.html": html("", '<h1 id="h">About</h1><a id="l" href="#part">p</a>')}, "$h.text('#h')==='About'&&location.hash==='#part'",
    launch="about.html", action='document.getElementById("l").click()',
    bad={"about.html": html('<base href="/">', '<h1 id="h">About</h1><a id="l" href="#part">p</a>')},
    at=("about.html", "#part"))
CLIP = '<svg width="90" height="40"><defs><%s><path d="M0 0h10v40H0z"/></%s></defs><path id="u" d="M0 0h90v40H0z" %s/></svg>'
for name, (element, use) in {"clip-attribute": ('clipPath id="c"', 'clip-path="url(#c)"'),
                             "clip-style": ('clipPath id="c"', 'style="clip-path:url(#c)"')}.items():
    trap("base-svg-" + name, STRICT, {"index.html": html('<base href="/app/">', CLIP % (element, element.split()[0], use))},
         "(r=>document.elementFromPoint(r.x+5,r.y+5).id==='u'&&document.elementFromPoint(r.x+60,r.y+5).id!=='u')"
         "(document.getElementById('u').ownerSVGElement.getBoundingClientRect())")
trap("base-svg-text-path", "capacitor", {
    "index.html": html('<base href="/app/">', '<svg width="90" height="40"><path id="p" d="M0 20h80" fill="none"/><text id="u">'
                       '<textPath href="#p">Text</textPath></text></svg>')}, "$h.drawn('#u')")
trap("base-svg-paint", STRICT, {
    "index.html": html('<base href="/app/">', '<svg width="9" height="9"><defs><linearGradient id="a"><stop '
                       'stop-color="red"/></linearGradient><linearGradient id="b" href="#a"/><filter id="f"><feOffset/></filter>'
                       '<mask id="m"><path d="M0 0h9v9"/></mask></defs><path id="u" d="M0 0h8v8H0z" fill="url(#b)" stroke="url(#a)" '
                       'filter="url(#f)" mask="url(#m)"/></svg>')}, "$h.drawn('#u')")
pair("base-https-own", "basename-cache", {
    "index.html": html('<script defer src="m.js"></script>', ROOM), "m.js": say()}, UP,
    bad={"index.html": html('<base href="https://shop.example.com/"><script defer src="m.js"></script>', ROOM)},
    at=("index.html", "https://shop.example.com/"))
# Pages in folders, parents, slashes.
pair("base-page-in-folder", "path-strict capacitor cordova", {
    "en/index.html": html('<script defer src="../js/m.js"></script>', ROOM), "js/m.js": say(),
    "index.html": html("", "")}, UP, launch="en/index.html",
    bad={"en/index.html": html('<script defer src="js/m.js"></script>', ROOM)}, at=("en/index.html", "js/m.js"))
trap("base-parent-above-root", "path-strict capacitor", {
    "index.html": html('<script defer src="../../js/m.js"></script>', ROOM), "js/m.js": say()}, UP,
    advice="it leaves the root, and the URL parser stops there")
trap("base-dot-segments", "cordova", {
    "index.html": html('<script defer src="./x/../js/./m.js"></script>', ROOM), "js/m.js": say()}, UP)
pair("base-root-setting", {"base": "path-strict", "root": "/shop/"}, {
    "index.html": html('<script defer src="/shop/js/m.js"></script>', ROOM), "js/m.js": say()}, UP,
    bad={"index.html": html('<script defer src="/js/m.js"></script>', ROOM)}, at=("index.html", "/js/m.js"))
page("base-wrong-root-vite", "path-strict capacitor", {
    "index.html": html('<script type="module" src="/app/assets/index-1.js"></script>'
                       '<link rel="stylesheet" href="/app/assets/index-1.css">', ROOM),
    "assets/index-1.js": say(), "assets/index-1.css": BOX_CSS}, UP,
     [("index.html", "/app/assets/index-1.js")], expect="break", most=1)
pair("base-svg-image-in-svg", STRICT, {
    "index.html": html("", '<object id="o" type="image/svg+xml" data="art/a.svg"></object>'),
    "art/a.svg": svg('<image id="m" href="b.png" width="8" height="8"/>'), "art/b.png": png()},
    "$h.sub('#o')!==null", needs=["/art/b.png"], bad={"art/b.png": None, "b.png": png()}, at=("art/a.svg", "b.png"))
pair("base-iframe-page", "capacitor", {
    "index.html": html("", '<iframe id="f" src="parts/menu.html"></iframe>'),
    "parts/menu.html": html("", '<img id="i" src="m.png" alt="">'), "parts/m.png": png()},
    "$h.sub('#f')&&$h.sub('#f').getElementById('i').naturalWidth>0", bad={"parts/m.png": None, "m.png": png()},
    at=("parts/menu.html", "m.png"))
pair("base-srcdoc", STRICT, {
    "index.html": html("", '<iframe id="f" srcdoc="&lt;img id=i src=s.png&gt;"></iframe>'), "s.png": png()},
    "$h.sub('#f')&&$h.sub('#f').getElementById('i').naturalWidth>0", gone="s.png", at=("index.html", "s.png"))
pair("base-font-in-imported-sheet", "cordova", {
    "index.html": html('<link rel="stylesheet" href="css/a.css">', "<p>A</p>"), "css/a.css": '@import "f/b.css";',
    "css/f/b.css": "@font-face{font-family:K;src:url(k.woff2)}p{font-family:K}", "css/f/k.woff2": font()},
    "$h.font('K')", bad={"css/f/k.woff2": None, "css/k.woff2": font()}, at=("css/f/b.css", "k.woff2"))
pair("base-fetch-after-pushstate", "capacitor", {
    "index.html": html('<script defer src="/m.js"></script>', ROOM),
    "m.js": 'history.pushState({},"","/shop/tea");fetch("/d.json").then(r=>r.json()).then(()=>{' + say() + "});",
    "d.json": "{}"}, UP,
    bad={"m.js": 'history.pushState({},"","/shop/tea");fetch("d.json").then(r=>r.json()).then(()=>{' + say() + "});"},
    at=("m.js", "d.json"), fair="pushState may be refused on newer iOS")
