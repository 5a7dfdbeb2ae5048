"""Content-Security-Policies in the page, with allowed and blocked content."""
import base64
import hashlib

from pages import BOX_CSS, UP, font, html, pair, png, svg, trap, wasm

STRICT = "path-strict"
SELF = "default-src 'self'"


def policy(value):
    return f'<meta http-equiv="Content-Security-Policy" content="{value}">'


def digest(text, kind="sha256"):
    return "'" + kind + "-" + base64.b64encode(hashlib.new(kind, text.encode()).digest()).decode() + "'"


def inside(page, tag):
    """The start of an element's content."""
    return page[page.index(">", page.index(tag)) + 1:][:60].split("<")[0]


def csp(name, profile, good, bad, head="", body='<div id="app"></div>', files=None, probe=UP, at=None, **others):
    """Two policies for one page; a finding may be at the policy or at the blocked content."""
    at = [("index.html", at)] if isinstance(at, str) else [at] if at else []
    for _, mark in list(at):
        if mark.startswith(("<script", "<style")):
            at.append(("index.html", inside(html(policy(bad) + head, body), mark)))
    pair("csp-" + name, profile, {"index.html": html(policy(good) + head, body), **(files or {})}, probe,
         bad={"index.html": html(policy(bad) + head, body)},
         at=[("index.html", bad), *at], **others)


UPJS = 'document.getElementById("app").textContent="up"'
RUN = f"<script>{UPJS}</script>"
IMPORT = 'import("./v.js").then(m=>m.show())'
HANDLER = '<div id="app"></div><button id="b" onclick="' + UPJS.replace('"', "'") + '">x</button>'
CLICK = 'document.getElementById("b").click()'
BLOCK = "$h.css('#box','width')==='60px'"

# Inline scripts.
csp("inline-script", "path-strict capacitor cordova", "script-src 'self' 'unsafe-inline'", "script-src 'self'",
    body='<div id="app"></div>' + RUN, at="<script>")
csp("inline-default", "capacitor", SELF + " 'unsafe-inline'", SELF, body='<div id="app"></div>' + RUN, at="<script>")
csp("inline-hash", STRICT, "script-src " + digest(UPJS), "script-src " + digest(UPJS + " "),
    body='<div id="app"></div>' + RUN, at="<script>")
csp("inline-hash-384", "capacitor", "script-src 'self' " + digest(UPJS, "sha384"),
    "script-src 'self' " + digest("other", "sha384"), body='<div id="app"></div>' + RUN, at="<script>")
csp("inline-hash-no-algorithm", STRICT, "script-src " + digest(UPJS),
    "script-src " + digest(UPJS).replace("sha256-", ""), body='<div id="app"></div>' + RUN, at="<script>")
csp("inline-hash-unquoted", STRICT, "script-src " + digest(UPJS), "script-src " + digest(UPJS).strip("'"),
    body='<div id="app"></div>' + RUN, at="<script>")
csp("inline-hash-beside-unsafe", STRICT, "script-src 'self' 'unsafe-inline'",
    "script-src 'self' 'unsafe-inline' " + digest("other"), body='<div id="app"></div>' + RUN, at="<script>")
csp("inline-two-one-hash", STRICT, "script-src " + digest(UPJS) + " " + digest("window.a=1"),
    "script-src " + digest(UPJS), body='<div id="app"></div>' + RUN + "<script>window.a=1</script>",
    probe=UP + "&&window.a===1", at="<script>window.a")
NONCED = '<script nonce="k3y">' + UPJS + "</script>"
csp("nonce", "path-strict capacitor", "script-src 'nonce-k3y'", "script-src 'nonce-other'",
    body='<div id="app"></div>' + NONCED, at="<script nonce")
csp("nonce-beside-unsafe", STRICT, "script-src 'nonce-k3y' 'unsafe-inline'", "script-src 'nonce-x1' 'unsafe-inline'",
    body='<div id="app"></div>' + NONCED, at="<script nonce")
pair("csp-nonce-missing", STRICT, {
    "index.html": html(policy("script-src 'nonce-k3y'") + '<script nonce="k3y" defer src="a.js"></script>',
                       '<div id="app"></div>'), "a.js": UPJS}, UP,
     bad={"index.html": html(policy("script-src 'nonce-k3y'") + '<script defer src="a.js"></script>',
                             '<div id="app"></div>')}, at=("index.html", "a.js"))
csp("src-elem", STRICT, "script-src 'none'; script-src-elem 'self'", "script-src 'self'; script-src-elem 'none'",
    head='<script defer src="a.js"></script>', files={"a.js": UPJS}, at="a.js")
csp("src-attr", STRICT, "script-src 'self'; script-src-attr 'unsafe-inline'",
    "script-src 'unsafe-inline'; script-src-attr 'none'", body=HANDLER, action=CLICK, at="onclick")
csp("handler", "path-strict capacitor cordova", "script-src 'self' 'unsafe-inline'", "script-src 'self'",
    body=HANDLER, action=CLICK, at="onclick")
csp("handler-hash", STRICT, "script-src 'unsafe-hashes' " + digest(UPJS.replace('"', "'")),
    "script-src " + digest(UPJS.replace('"', "'")), body=HANDLER, action=CLICK, at="onclick")
csp("handler-load", "capacitor", "script-src 'self' 'unsafe-inline'", "script-src 'self'",
    body='<div id="app"></div><img src="i.png" alt="" onload="' + UPJS.replace('"', "'") + '">',
    files={"i.png": png()}, at="onload")
csp("javascript-link", STRICT, "script-src 'self' 'unsafe-inline'", "script-src 'self'",
    body='<div id="app"></div><a id="b" href="javascript:void(' + UPJS.replace('"', "'") + ')">x</a>', action=CLICK,
    at="javascript:")
# Files.
csp("file-self", "path-strict capacitor cordova", "script-src 'self'", "script-src https:",
    head='<script defer src="a.js"></script>', files={"a.js": UPJS}, at="a.js")
csp("file-none", "capacitor", "default-src 'none'; script-src 'self'", "default-src 'none'; style-src 'self'",
    head='<script defer src="/a.js"></script>', files={"a.js": UPJS}, at="/a.js")
csp("file-scheme", STRICT, "script-src customscheme:", "script-src http: https:",
    head='<script defer src="a.js"></script>', files={"a.js": UPJS}, at="a.js")
csp("file-host", STRICT, "script-src customscheme://shop.example.com", "script-src customscheme://cdn.example.com",
    head='<script defer src="a.js"></script>', files={"a.js": UPJS}, at="a.js")
csp("file-https-host", STRICT, "script-src 'self' https://shop.example.com", "script-src https://shop.example.com",
    head='<script defer src="a.js"></script>', files={"a.js": UPJS}, at="a.js")
csp("file-path", STRICT, "script-src customscheme://shop.example.com/js/",
    "script-src customscheme://shop.example.com/lib/", head='<script defer src="js/a.js"></script>',
    files={"js/a.js": UPJS}, at="js/a.js")
csp("file-path-exact", STRICT, "script-src customscheme://shop.example.com/js/a.js",
    "script-src customscheme://shop.example.com/js", head='<script defer src="js/a.js"></script>',
    files={"js/a.js": UPJS}, at="js/a.js")
trap("csp-file-star", STRICT, {
    "index.html": html(policy("script-src *") + '<script defer src="customscheme://cdn.example.com/a.js"></script>',
                       '<div id="app"></div>'), "a.js": UPJS}, UP,
     more={"host": ["shop.example.com", "cdn.example.com"]})
csp("file-star-other-scheme", STRICT, "script-src * blob: 'unsafe-inline'", "script-src * 'unsafe-inline'",
    body='<div id="app"></div><script>var s=document.createElement("script");s.src=URL.createObjectURL(new Blob(['
    "'document.getElementById(\"app\").textContent=\"up\"']));document.head.appendChild(s)</script>",
    at="URL.createObjectURL")
csp("strict-dynamic-file", STRICT, "script-src 'self' 'nonce-k3y'", "script-src 'self' 'nonce-k3y' 'strict-dynamic'",
    head='<script defer src="a.js"></script>', files={"a.js": UPJS}, at="a.js")
csp("strict-dynamic-made", STRICT, "script-src 'nonce-k3y' 'strict-dynamic'", "script-src 'nonce-k3y'",
    body='<div id="app"></div><script nonce="k3y">var s=document.createElement("script");s.src="a.js";'
    "document.head.appendChild(s)</script>", files={"a.js": UPJS}, at='a.js"')
csp("sri-allows", STRICT, "script-src " + digest(UPJS, "sha384"), "script-src " + digest("x", "sha384"),
    head='<script defer src="a.js" integrity="' + digest(UPJS, "sha384").strip("'") + '"></script>',
    files={"a.js": UPJS}, at="a.js")
# Styles.
csp("style-attribute", "path-strict capacitor", "style-src 'self' 'unsafe-inline'", "style-src 'self'",
    body='<div id="box" style="width:60px"></div>', probe=BLOCK, at="style=")
csp("style-element", "path-strict cordova", "style-src 'self' 'unsafe-inline'", "style-src 'self'",
    head=f"<style>{BOX_CSS}</style>", body='<div id="box"></div>', probe=BLOCK, at="<style>")
csp("style-hash", STRICT, "style-src " + digest(BOX_CSS), "style-src " + digest("x"),
    head=f"<style>{BOX_CSS}</style>", body='<div id="box"></div>', probe=BLOCK, at="<style>")
csp("style-nonce", STRICT, "style-src 'nonce-k3y'", "style-src 'nonce-x'",
    head=f'<style nonce="k3y">{BOX_CSS}</style>', body='<div id="box"></div>', probe=BLOCK, at="<style nonce")
csp("style-file", "path-strict capacitor", "style-src 'self'", "style-src 'unsafe-inline'",
    head='<link rel="stylesheet" href="a.css">', body='<div id="box"></div>', files={"a.css": BOX_CSS}, probe=BLOCK,
    at="a.css")
csp("style-default-none", STRICT, "default-src 'none'; style-src 'self'", "default-src 'none'; script-src 'self'",
    head='<link rel="stylesheet" href="a.css">', body='<div id="box"></div>', files={"a.css": BOX_CSS}, probe=BLOCK,
    at="a.css")
csp("style-import", STRICT, "style-src 'self'", "style-src customscheme://shop.example.com/a.css",
    head='<link rel="stylesheet" href="a.css">', body='<div id="box"></div>',
    files={"a.css": '@import "b.css";', "b.css": BOX_CSS}, probe=BLOCK, at=("a.css", "b.css"))
csp("style-attr-directive", STRICT, "style-src 'self'; style-src-attr 'unsafe-inline'",
    "style-src 'unsafe-inline'; style-src-attr 'none'", body='<div id="box" style="width:60px"></div>', probe=BLOCK,
    at="style=")
csp("style-set-by-script", "capacitor", "default-src 'self' 'unsafe-inline'", "script-src 'unsafe-inline'; style-src 'self'",
    body='<div id="box"></div><script>document.getElementById("box").setAttribute("style","width:60px")</script>',
    probe=BLOCK, at='"style"')
trap("csp-style-cssom", "path-strict capacitor",
     html(policy("script-src 'unsafe-inline'; style-src 'self'"),
          '<div id="box"></div><script>document.getElementById("box").style.width="60px"</script>'), BLOCK)
# Pictures, fonts, data: and blob:.
GIF = "data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"
csp("img-data", "path-strict capacitor cordova", "img-src 'self' data:", "img-src 'self'",
    body=f'<img id="i" src="{GIF}" alt="">', probe="$h.img('#i')", at="data:image/gif")
csp("img-data-default", "capacitor", SELF + " data:", SELF, body=f'<img id="i" src="{GIF}" alt="">',
    probe="$h.img('#i')", at="data:image/gif")
csp("img-self", STRICT, "img-src 'self'", "img-src data:", body='<img id="i" src="i.png" alt="">',
    files={"i.png": png()}, probe="$h.img('#i')", at="i.png")
csp("img-script-made", "path-strict capacitor", "img-src 'self'; script-src 'unsafe-inline'",
    "img-src 'none'; script-src 'unsafe-inline'",
    body='<div id="app"></div><script>var i=new Image;i.id="i";i.src="i.png";document.body.appendChild(i)</script>',
    files={"i.png": png()}, probe="$h.img('#i')", at='i.png"')
csp("img-script-made-data", STRICT, "img-src data:; script-src 'unsafe-inline'",
    "img-src 'self'; script-src 'unsafe-inline'",
    body=f'<script>var i=new Image;i.id="i";i.src="{GIF}";document.body.appendChild(i)</script>',
    probe="$h.img('#i')", at="data:image/gif")
csp("img-css", STRICT, "img-src 'self'; style-src 'self'", "img-src data:; style-src 'self'",
    head='<link rel="stylesheet" href="a.css">', body='<div id="box"></div>',
    files={"a.css": "#box{width:60px;height:9px;background:url(i.png)}", "i.png": png()}, probe=BLOCK,
    needs=["/i.png"], at=("a.css", "i.png"))
csp("img-css-data", "capacitor", "img-src data:; style-src 'self'", "img-src 'self'; style-src 'self'",
    head='<link rel="stylesheet" href="a.css">',
    body="<div id=box></div><script src=p.js></script>",
    files={"a.css": f"#box{{width:60px;height:9px;background:url({GIF})}}",
           "p.js": "window.refused=0;document.addEventListener('securitypolicyviolation',function(){refused++});"
           "document.getElementById('box').offsetWidth;"}, probe="window.refused===0", at=("a.css", "data:image/gif"))
csp("img-blob", STRICT, "img-src blob:; script-src 'self'", "img-src 'self'; script-src 'self'",
    head='<script defer src="a.js"></script>',
    files={"a.js": "var i=new Image;i.id='i';i.src=URL.createObjectURL(new Blob(['" + svg().strip()
           + "'],{type:'image/svg+xml'}));document.body.appendChild(i);"}, probe="$h.img('#i')",
    at=("a.js", "URL.createObjectURL"))
csp("img-icon-set", STRICT, "img-src 'self'", "img-src https://cdn.example.com", probe="$h.img('#i')",
    body='<picture><source srcset="i.png 1x"><img id="i" src="i.png" alt=""></picture>', files={"i.png": png()},
    at="i.png 1x")
csp("font-data", "path-strict capacitor", "font-src data:; style-src 'self'", "font-src 'self'; style-src 'self'",
    head='<link rel="stylesheet" href="a.css">', body="<p>A</p>",
    files={"a.css": "@font-face{font-family:K;src:url(data:font/woff2;base64,"
           + base64.b64encode(font()).decode() + ")}p{font-family:K}"}, probe="$h.font('K')",
    at=("a.css", "data:font"))
csp("font-self", STRICT, "font-src 'self'", "font-src data: https:",
    head="<style>@font-face{font-family:K;src:url(k.woff2)}p{font-family:K}</style>", body="<p>A</p>",
    files={"k.woff2": font()}, probe="$h.font('K')", at="k.woff2")
csp("font-default", "cordova", "default-src 'self' 'unsafe-inline'", "default-src 'none'; style-src 'unsafe-inline'",
    head="<style>@font-face{font-family:K;src:url(k.woff2)}p{font-family:K}</style>", body="<p>A</p>",
    files={"k.woff2": font()}, probe="$h.font('K')", at="k.woff2")
# connect-src
FETCH = 'fetch("data.json").then(function(r){return r.json()}).then(function(){' + UPJS + "})"
csp("connect", "path-strict capacitor", SELF + " 'unsafe-inline'", SELF + " 'unsafe-inline'; connect-src https:",
    body=f'<div id="app"></div><script>{FETCH}</script>', files={"data.json": "{}"}, at='data.json"')
csp("connect-none", STRICT, "connect-src 'self'", "connect-src 'none'", head='<script defer src="a.js"></script>',
    files={"a.js": FETCH, "data.json": "{}"}, at=("a.js", "data.json"))
csp("connect-xhr", "cordova", "connect-src 'self'", "connect-src https://api.example.com",
    head='<script defer src="a.js"></script>',
    files={"a.js": 'var x=new XMLHttpRequest;x.open("GET","data.json");x.onload=function(){' + UPJS + "};x.send();",
           "data.json": "{}"}, at=("a.js", "data.json"))
csp("connect-data-url", STRICT, "connect-src 'self' data:", "connect-src 'self'",
    head='<script defer src="a.js"></script>',
    files={"a.js": 'fetch("data:application/json,{}").then(function(r){return r.json()}).then(function(){' + UPJS
           + "});"}, at=("a.js", "data:application"))
csp("connect-api-host", "capacitor", "connect-src 'self' https://api.example.com", "connect-src 'self'",
    head='<script defer src="a.js"></script>',
    files={"a.js": 'fetch("https://api.example.com/v1/me.json").then(function(r){return r.json()}).then(function(){'
           + UPJS + "});"}, at=("a.js", "https://api.example.com"),
    net={"api.example.com/v1/me.json": "{}"}, advice="the API needs the network")
# Workers
WORK = 'var w=new Worker("w.js");w.onmessage=function(){' + UPJS + "};w.postMessage(0);"
csp("worker", "path-strict capacitor", "worker-src 'self'; script-src 'self'", "worker-src 'none'; script-src 'self'",
    head='<script defer src="a.js"></script>', files={"a.js": WORK, "w.js": "onmessage=()=>postMessage(1)"},
    at=("a.js", "w.js"))
csp("worker-child", STRICT, "child-src 'self'; script-src 'self'", "child-src 'none'; script-src 'self'",
    head='<script defer src="a.js"></script>', files={"a.js": WORK, "w.js": "onmessage=()=>postMessage(1)"},
    at=("a.js", "w.js"))
BLOB = ("var w=new Worker(URL.createObjectURL(new Blob(['onmessage=function(){postMessage(1)}'])));"
        "w.onmessage=function(){" + UPJS + "};w.postMessage(0);")
csp("worker-blob", "path-strict capacitor", "script-src 'self'; worker-src blob:", "script-src 'self'",
    head='<script defer src="a.js"></script>', files={"a.js": BLOB}, at=("a.js", "new Worker"))
csp("worker-blob-default", STRICT, "default-src 'self' blob:", SELF, head='<script defer src="a.js"></script>',
    files={"a.js": BLOB}, at=("a.js", "new Worker"))
# eval and wasm
csp("eval", "path-strict capacitor", "script-src 'self' 'unsafe-eval'", "script-src 'self'",
    head='<script defer src="a.js"></script>', files={"a.js": 'eval("window.n=1");if(window.n)' + UPJS},
    at=("a.js", "eval("))
csp("new-function", STRICT, "script-src 'self' 'unsafe-eval'", "script-src 'self'",
    head='<script defer src="a.js"></script>', files={"a.js": 'var f=new Function("return 1");if(f())' + UPJS},
    at=("a.js", "new Function"))
csp("settimeout-string", "cordova", "script-src 'self' 'unsafe-eval'", "script-src 'self'",
    head='<script defer src="a.js"></script>', files={"a.js": "setTimeout('" + UPJS + "',10)"},
    at=("a.js", "setTimeout"))
csp("wasm", "path-strict capacitor", "script-src 'self' 'wasm-unsafe-eval'", "script-src 'self'",
    head='<script defer src="a.js"></script>',
    files={"a.js": 'fetch("m.wasm").then(function(r){return r.arrayBuffer()}).then(function(b){return '
           "WebAssembly.instantiate(b)}).then(function(m){if(m.instance.exports.f()===42)" + UPJS + "});",
           "m.wasm": wasm()}, at=("a.js", "WebAssembly.instantiate"))
trap("csp-global-this-function", "path-strict capacitor", {
    "index.html": html(policy("script-src 'self'") + '<script defer src="a.js"></script>', '<div id="app"></div>'),
    "a.js": 'var g;try{g=this||new Function("return this")()}catch(e){"object"==typeof window&&(g=window)}' + UPJS},
     UP)
trap("csp-eval-in-catch", "capacitor", {
    "index.html": html(policy("script-src 'self'") + '<script defer src="a.js"></script>', '<div id="app"></div>'),
    "a.js": 'var ok=true;try{new Function("");}catch(e){ok=false}' + UPJS}, UP)
# base-uri, frames, forms, objects
csp("base-uri", STRICT, "base-uri 'self'", "base-uri 'none'", head='<base href="/app/"><script defer src="a.js"></script>',
    files={"app/a.js": UPJS}, at="<base")
csp("frame", "capacitor", "frame-src 'self'", "frame-src 'none'", body='<iframe id="f" src="t.html"></iframe>',
    files={"t.html": html("", "<h1>T</h1>")}, probe="$h.sub('#f')&&$h.sub('#f').querySelector('h1')!==null",
    at="t.html")
csp("object", STRICT, "object-src 'self'", "object-src 'none'",
    body='<object id="o" type="image/svg+xml" data="i.svg"></object>', files={"i.svg": svg()},
    probe="$h.sub('#o')&&$h.sub('#o').documentElement.nodeName==='svg'", at="i.svg")
csp("form", STRICT, "form-action 'self'", "form-action 'none'",
    body='<form id="f" action="r.html"></form><h1 id="h">Home</h1>', files={"r.html": html("", '<h1 id="h">R</h1>')},
    probe="$h.text('#h')==='R'", action='document.getElementById("f").submit()', at="r.html")
# Modules
trap("csp-import-dynamic-nonce", "path-strict capacitor", {
    "index.html": html(policy("script-src 'nonce-k3y'") + '<script type="module" nonce="k3y" src="m.js"></script>',
                       '<div id="app"></div>'),
    "m.js": 'import("./v.js").then(m=>m.show());', "v.js": "export function show(){" + UPJS + "}"}, UP)
csp("import-dynamic", "path-strict capacitor", "script-src 'self' 'unsafe-inline'", "script-src 'unsafe-inline'",
    body='<div id="app"></div><script>import("./v.js").then(function(m){m.show()})</script>',
    files={"v.js": "export function show(){" + UPJS + "}"}, at="./v.js")
csp("import-dynamic-hash", STRICT, "script-src 'self' " + digest(IMPORT), "script-src " + digest(IMPORT),
    body='<div id="app"></div><script type="module">' + IMPORT + "</script>",
    files={"v.js": "export function show(){" + UPJS + "}"}, at="./v.js")
csp("import-static", STRICT, "script-src 'self'", "script-src customscheme://shop.example.com/m.js",
    head='<script type="module" src="m.js"></script>',
    files={"m.js": 'import{show}from"./v.js";show();', "v.js": "export function show(){" + UPJS + "}"},
    at=("m.js", "./v.js"))
csp("importmap-inline", STRICT, "script-src 'self' 'unsafe-inline'", "script-src 'self'",
    head='<script type="importmap">{"imports":{"v":"/v.js"}}</script><script type="module" src="m.js"></script>',
    files={"m.js": 'import{show}from"v";show();', "v.js": "export function show(){" + UPJS + "}"},
    at='<script type="importmap"')
# Positions and forms of the policy itself.
trap("csp-in-body", STRICT, html("", policy("script-src 'none'") + '<div id="app"></div>' + RUN), UP)
trap("csp-report-only", "path-strict capacitor",
     html('<meta http-equiv="Content-Security-Policy-Report-Only" content="script-src \'none\'">',
          '<div id="app"></div>' + RUN), UP)
trap("csp-after-script", STRICT, html("", '<div id="app"></div>' + RUN).replace(
    "</head>", "<script>window.early=1</script>" + policy("script-src 'unsafe-inline'") + "</head>"),
     UP + "&&window.early===1")
trap("csp-script-before-policy", STRICT, html("<script>window.early=1</script>" + policy("script-src 'self'"),
                                              '<div id="app">up</div>'), UP + "&&window.early===1")
trap("csp-frame-ancestors-ignored", "capacitor", html(policy("frame-ancestors 'none'; sandbox"),
                                                     '<div id="app"></div>' + RUN), UP)
trap("csp-unknown-directive", STRICT, html(policy("navigate-to 'none'; plugin-types x/y; foo bar"),
                                           '<div id="app"></div>' + RUN), UP)
trap("csp-first-directive-wins", STRICT, html(policy("script-src 'unsafe-inline'; script-src 'none'"),
                                              '<div id="app"></div>' + RUN), UP)
csp("two-policies", STRICT, "script-src 'unsafe-inline'", "script-src 'unsafe-inline'; img-src 'self'",
    head=policy("img-src data:"), body='<div id="app"></div>' + RUN + '<img id="i" src="i.png" alt="">'
    .replace("i.png", GIF), probe=UP + "&&$h.img('#i')", at="data:image/gif")
csp("capital-directive", STRICT, "SCRIPT-SRC 'UNSAFE-INLINE'", "SCRIPT-SRC 'SELF'",
    body='<div id="app"></div>' + RUN, at="<script>")
csp("cordova-template", "cordova",
    "default-src 'self' data: https://ssl.gstatic.com 'unsafe-eval' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; "
    "media-src *; img-src 'self' data: content:;",
    "default-src 'self' data: https://ssl.gstatic.com 'unsafe-eval'; style-src 'self' 'unsafe-inline'; media-src *; "
    "img-src 'self' data: content:;", body='<div id="app"></div>' + RUN, at="<script>")
trap("csp-json-is-data", "capacitor", html(
    policy("script-src 'self'") + '<script type="application/json" id="state">{"a":1}</script>'
    '<script type="text/template"><b>x</b></script>', '<div id="app">up</div>'), UP)
csp("speculative-event", STRICT, "script-src 'self' 'unsafe-inline'", "script-src 'self'",
    body='<div id="app"></div><svg onload="' + UPJS.replace('"', "'") + '"></svg>', at="onload")
csp("media", STRICT, "media-src 'self'", "media-src 'none'", body='<video src="v.mp4" preload="auto"></video>',
    files={"v.mp4": b"\0\0\0\x18ftypmp42" + bytes(64)}, probe="true", needs=["/v.mp4"], at="v.mp4")
