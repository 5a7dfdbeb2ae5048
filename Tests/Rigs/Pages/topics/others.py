"""SVG, encodings, folders and the four lookup methods."""
from pages import BOX, BOX_CSS, UP, font, html, page, pair, png, say, svg, trap, wasm

STRICT = "path-strict"
ROOM = '<div id="app"></div>'

# SVG
STYLED = '<?xml version="1.0"?>\n<?xml-stylesheet type="text/css" href="s.css"?>\n' + svg('<path id="i" d="M0 0h8v8H0z"/>')
pair("svg-stylesheet", "path-strict capacitor", {
    "index.html": html("", '<object id="o" type="image/svg+xml" data="art/a.svg"></object>'), "art/a.svg": STYLED,
    "art/s.css": "path{fill:rgb(255,0,0)}"},
    "$h.sub('#o')&&$h.sub('#o').defaultView.getComputedStyle($h.sub('#o').getElementById('i')).fill==='rgb(255, 0, 0)'",
    gone="art/s.css", at=("art/a.svg", "s.css"))
SPRITE = svg('<symbol id="cart" viewBox="0 0 8 8"><path d="M0 0h8v8H0z"/></symbol>')
for name, profile in (("use-file", "path-strict capacitor cordova"),):
    pair("svg-" + name, profile, {
        "index.html": html("", '<svg width="9" height="9"><use id="u" href="img/icons.svg#cart"/></svg>'), "img/icons.svg": SPRITE},
        "$h.drawn('#u')", gone="img/icons.svg", at=("index.html", "img/icons.svg"))
pair("svg-use-wrong-id", "path-strict capacitor", {
    "index.html": html("", '<svg width="9" height="9"><use id="u" href="icons.svg#cart"/></svg>'), "icons.svg": SPRITE},
    "$h.drawn('#u')", bad={"index.html": html("", '<svg width="9" height="9"><use id="u" href="icons.svg#wrong"/></svg>')},
    at=("index.html", "icons.svg#wrong"))
pair("svg-use-inner-wrong", STRICT, {
    "index.html": html("", '<svg width="9" height="9"><path id="p1" d="M0 0h8v8H0z"/></svg><svg width="9" height="9"><use id="u" href="#p1"/></svg>')},
    "$h.drawn('#u')", bad={"index.html": html("", '<svg width="9" height="9"><path id="p2" d="M0 0h8v8H0z"/></svg><svg width="9" '
                           'height="9"><use id="u" href="#p1"/></svg>')}, at=("index.html", "#p1"))
pair("svg-use-xlink", "capacitor", {
    "index.html": html("", '<svg width="9" height="9"><use id="u" xlink:href="icons.svg#cart"/></svg>'), "icons.svg": SPRITE},
    "$h.drawn('#u')", gone="icons.svg", at=("index.html", "icons.svg"))
pair("svg-use-seed-fragment", {"base": "basename-cache", "fragment": "strip"}, {
    "index.html": html("", '<svg width="9" height="9"><use id="u" href="icons.svg#cart"/></svg>'), "icons.svg": SPRITE},
    "$h.drawn('#u')", gone="icons.svg", at=("index.html", "icons.svg"))
page("svg-use-seed-gone", "basename-cache", {
    "index.html": html("", '<svg width="9" height="9"><use id="u" href="icons.svg#cart"/></svg>'), "icons.svg": SPRITE},
     "$h.drawn('#u')", ("index.html", "icons.svg#cart"), expect="break")
pair("svg-no-namespace", "path-strict capacitor cordova", {
    "index.html": html("", '<img id="i" src="a.svg" alt="">'), "a.svg": svg()}, "$h.img('#i')",
    bad={"a.svg": svg().replace(' xmlns="http://www.w3.org/2000/svg"', "")}, at=("a.svg", "<svg"))
pair("svg-broken-xml", STRICT, {"index.html": html("", '<img id="i" src="a.svg" alt="">'), "a.svg": svg()}, "$h.img('#i')",
     bad={"a.svg": svg().replace("</svg>", "<g></svg>")}, at=("a.svg", "</svg>"))
for number, (name, old, new, mark) in enumerate([
        ("entity", "</svg>", "<text>a&nbsp;b</text></svg>", "&nbsp;"), ("ampersand", "</svg>", "<text>a & b</text></svg>", "& b"),
        ("prefix", "</svg>", '<use xlink:href="#i"/></svg>', "<use"), ("unquoted", 'id="i"', "id=i", "id=i"),
        ("twice", 'id="i"', 'id="i" id="i"', 'id="i" d'), ("second-root", "</svg>", "</svg><g/>", "<g/>"),
        ("declaration-late", "<svg", '\n<?xml version="1.0"?><svg', "<?xml"), ("void", "</svg>", "<text>a<br>b</text></svg>", "</text>")]):
    pair("svg-xml-" + name, ("path-strict", "capacitor", "cordova")[number % 3], {
        "index.html": html("", '<img id="i" src="a.svg" alt="">'), "a.svg": svg()}, "$h.img('#i')", bad={"a.svg": svg().replace(old, new)}, at=("a.svg", mark))
trap("svg-xml-doctype", STRICT, {"index.html": html("", '<img id="i" src="a.svg" alt="">'),
                                 "a.svg": '<!DOCTYPE svg [<!ENTITY ns "http://www.w3.org/2000/svg">]><svg xmlns="&ns;" width="8" height="8"/>'}, "$h.img('#i')")
trap("svg-no-namespace-inline", "capacitor", {
    "index.html": html("", '<svg width="9" height="9" viewBox="0 0 8 8"><path id="u" d="M0 0h8v8H0z"/></svg>')}, "$h.drawn('#u')")
trap("svg-font-reference", STRICT, {
    "index.html": html("", '<img id="i" src="a.svg" alt="">'), "a.svg": svg('<style>@font-face{font-family:x;src:url(gone.woff2)}'
                       '</style><path d="M0 0h8v8H0z"/>')}, "$h.img('#i')", latent="an image never loads files")
trap("svg-image-in-img", "path-strict", {
    "index.html": html("", '<img id="i" src="a.svg" alt="">'), "a.svg": svg('<image href="b.png" width="8" height="8"/>'),
    "b.png": png()}, "$h.img('#i')", advice="a picture inside a picture is not drawn")
trap("svg-gradient-ids", "capacitor", {
    "index.html": html("", '<svg width="9" height="9"><defs><linearGradient id="g"><stop offset="0"/></linearGradient></defs>'
                       '<path id="u" fill="url(#g)" clip-path="url(#none)" d="M0 0h8v8H0z"/></svg>')}, "$h.drawn('#u')")
# Encodings
TEXT = '<!doctype html>\n<html><head>%s<title>T</title></head>\n<body><p id="p">%s</p><img id="i" src="img/%s.png" alt="">\n</body></html>\n'
CJK = "图标"


def coded(encoding, meta, name=CJK, bom=b""):
    return bom + (TEXT % (meta, CJK, name)).encode(encoding)


READ = f"$h.text('#p')==='{CJK}'"
pair("enc-utf8-name", "path-strict capacitor", {"index.html": coded("utf-8", '<meta charset="utf-8">'), f"img/{CJK}.png": png()},
     READ + "&&$h.img('#i')", gone=f"img/{CJK}.png", at=("index.html", f"img/{CJK}"))
pair("enc-gbk-name", "path-strict capacitor", {"index.html": coded("gbk", '<meta charset="gbk">'), f"img/{CJK}.png": png()},
     READ + "&&$h.img('#i')", gone=f"img/{CJK}.png", at=("index.html", "img/"))
pair("enc-gbk-meta", STRICT, {"index.html": coded("gbk", '<meta http-equiv="Content-Type" content="text/html; charset=gb2312">', "a"), "img/a.png": png()},
     READ, bad={"index.html": coded("gbk", "", "a")}, at=("index.html", "<title>"))
pair("enc-utf16-bom", "path-strict cordova", {"index.html": coded("utf-16-le", "", "a", b"\xff\xfe"), "img/a.png": png()},
     READ + "&&$h.img('#i')", gone="img/a.png")
pair("enc-utf16-be", "capacitor", {"index.html": coded("utf-16-be", '<meta charset="utf-8">', CJK, b"\xfe\xff"), f"img/{CJK}.png": png()},
     READ + "&&$h.img('#i')", gone=f"img/{CJK}.png")
pair("enc-big5", STRICT, {"index.html": (TEXT % ('<meta charset="big5">', "圖", "a")).encode("big5"), "img/a.png": png()},
     "$h.text('#p')==='圖'&&$h.img('#i')", gone="img/a.png", at=("index.html", "img/a.png"))
pair("enc-sjis", "capacitor", {"index.html": (TEXT % ('<meta charset="shift_jis">', "図", "表")).encode("shift_jis"), "img/表.png": png()},
     "$h.text('#p')==='図'&&$h.img('#i')", gone="img/表.png", at=("index.html", "img/"))
pair("enc-latin1", STRICT, {"index.html": (TEXT % ('<meta charset="iso-8859-1">', "é", "é")).encode("latin-1"), "img/é.png": png()},
     "$h.text('#p')==='é'&&$h.img('#i')", gone="img/é.png", at=("index.html", "img/"))
trap("enc-meta-late-in-head", "path-strict capacitor", {
    "index.html": (TEXT % ("<!--" + "x" * 1500 + '--><meta charset="utf-8">', CJK, "a")).encode(), "img/a.png": png()}, READ)
page("enc-meta-in-body", STRICT, {
    "index.html": (TEXT % ("", CJK, "a")).replace("<body>", "<body>" + "<!--" + "x" * 1500 + "-->" + '<meta charset="utf-8">').encode(),
    "img/a.png": png()}, READ, ("index.html", "<title>"), expect="break")
page("enc-none", "path-strict capacitor", {"index.html": (TEXT % ("", CJK, "a")).encode(), "img/a.png": png()}, READ,
     ("index.html", "<title>"), expect="break")
trap("enc-none-ascii", "capacitor", {"index.html": (TEXT % ("", "abc", "a")).encode(), "img/a.png": png()}, "$h.img('#i')")
trap("enc-bom-utf8", STRICT, {"index.html": coded("utf-8", "", "a", b"\xef\xbb\xbf"), "img/a.png": png()}, READ)
pair("enc-script-gbk", STRICT, {
    "index.html": html('<script defer charset="gbk" src="a.js"></script>', '<p id="p"></p>'), "a.js": say(CJK, "p").encode("gbk")}, READ,
    bad={"index.html": html('<script defer src="a.js"></script>', '<p id="p"></p>')}, at=("index.html", "a.js"))
trap("enc-css-charset", "capacitor", {
    "index.html": html('<link rel="stylesheet" href="a.css">', '<div id="box"></div>'), "a.css": '@charset "utf-8";\n/* 图 */' + BOX_CSS}, BOX)
trap("enc-css-bom", "path-strict", {
    "index.html": html('<link rel="stylesheet" href="a.css">', '<div id="box"></div>'), "a.css": b"\xef\xbb\xbf" + BOX_CSS.encode()}, BOX)
# Folders
DIRECTORY = {"base": "path-strict", "index-file": "directory"}
LINK = 'document.getElementById("l").click()'
HELP = {"help/index.html": html("", '<h1 id="h">Help</h1>')}
pair("dir-slash", DIRECTORY, {"index.html": html("", '<h1 id="h">Home</h1><a id="l" href="help/">Help</a>'), **HELP}, "$h.text('#h')==='Help'",
     action=LINK, gone="help/index.html", at=("index.html", "help/"))
pair("dir-no-slash", DIRECTORY, {"index.html": html("", '<h1 id="h">Home</h1><a id="l" href="help/">Help</a>'), **HELP}, "$h.text('#h')==='Help'",
     action=LINK, bad={"index.html": html("", '<h1 id="h">Home</h1><a id="l" href="help">Help</a>')}, at=("index.html", 'help"'))
pair("dir-strict", STRICT, {"index.html": html("", '<h1 id="h">Home</h1><a id="l" href="help/index.html">Help</a>'), **HELP},
     "$h.text('#h')==='Help'", action=LINK, bad={"index.html": html("", '<h1 id="h">Home</h1><a id="l" href="help/">Help</a>')},
     at=("index.html", "help/"))
pair("dir-iframe", DIRECTORY, {"index.html": html("", '<iframe id="f" src="help/"></iframe>'), **HELP},
     "$h.sub('#f')&&$h.sub('#f').querySelector('h1')!==null&&$h.sub('#f').querySelector('h1').id==='h'", gone="help/index.html", at=("index.html", "help/"))
pair("dir-relative-inside", DIRECTORY, {
    "index.html": html("", '<a id="l" href="help/">Help</a>'), "help/index.html": html("", '<img id="i" src="pic.png" alt="">'), "help/pic.png": png()},
    "$h.img('#i')", action=LINK, bad={"help/pic.png": None, "pic.png": png()}, at=("help/index.html", "pic.png"))
# Names
pair("name-case", "path-strict capacitor cordova", {"index.html": html("", '<img id="i" src="img/Logo.png" alt="">'), "img/Logo.png": png()}, "$h.img('#i')",
     bad={"img/Logo.png": None, "img/logo.png": png()}, at=("index.html", "img/Logo.png"))
pair("name-space", "path-strict capacitor cordova", {"index.html": html("", '<img id="i" src="img/a b.png" alt="">'), "img/a b.png": png()}, "$h.img('#i')",
     gone="img/a b.png", at=("index.html", "img/a b.png"))
pair("name-percent", "capacitor", {"index.html": html("", '<img id="i" src="img/50%25.png" alt="">'), "img/50%.png": png()}, "$h.img('#i')",
     gone="img/50%.png", at=("index.html", "img/50%25.png"))
pair("name-hash-sign", STRICT, {"index.html": html("", '<img id="i" src="img/c%23.png" alt="">'), "img/c#.png": png()}, "$h.img('#i')",
     bad={"index.html": html("", '<img id="i" src="img/c#.png" alt="">')}, at=("index.html", "img/c#.png"))
pair("name-question-mark", "capacitor", {"index.html": html("", '<img id="i" src="img/c%3F.png" alt="">'), "img/c?.png": png()}, "$h.img('#i')",
     bad={"index.html": html("", '<img id="i" src="img/c?.png" alt="">')}, at=("index.html", "img/c?.png"), fair="a name that Windows refuses")
trap("name-plus", "path-strict", {"index.html": html("", '<img id="i" src="img/a+b.png" alt="">'), "img/a+b.png": png()}, "$h.img('#i')")
trap("name-brackets", "capacitor", {"index.html": html("", '<img id="i" src="img/[a](1).png" alt="">'), "img/[a](1).png": png()}, "$h.img('#i')")
trap("name-double-slash", "capacitor cordova", {"index.html": html("", '<img id="i" src="img//a.png" alt="">'), "img/a.png": png()}, "$h.img('#i')",
     advice="two slashes")
trap("name-query", "path-strict capacitor cordova", {"index.html": html("", '<img id="i" src="a.png?v=3" alt="">'), "a.png": png()}, "$h.img('#i')")
page("name-space-seed", "basename-cache", {"index.html": html("", '<img id="i" src="a b.png" alt="">'), "a b.png": png()}, "$h.img('#i')",
     ("index.html", "a b.png"), expect="break")
pair("name-query-slash-seed", "basename-cache", {"index.html": html("", '<img id="i" src="a1.png?r=x" alt="">'), "a1.png": png()}, "$h.img('#i')",
     bad={"index.html": html("", '<img id="i" src="a1.png?r=/x" alt="">')}, at=("index.html", "a1.png?r=/x"))
page("name-same-seed", "basename-cache", {
    "index.html": html('<link rel="stylesheet" href="b/main.css">', '<div id="box"></div>'), "a/main.css": "p{}", "b/main.css": BOX_CSS}, BOX,
     ("index.html", "b/main.css"), expect="break")
trap("name-same-equal-seed", "basename-cache", {
    "index.html": html('<link rel="stylesheet" href="b/main.css">', '<div id="box"></div>'), "a/main.css": BOX_CSS, "b/main.css": BOX_CSS}, BOX)
# Paths normalized by the clients' own URL classes.
for name, url in {"slash-at-end": "js/a.js/", "slashes": ".//js///a.js", "slash-and-query": "js/a.js/?v=1"}.items():
    trap("name-" + name, "capacitor cordova", {"index.html": html(f'<script defer src="{url}"></script>', ROOM), "js/a.js": say()}, UP,
         advice="an unusual spelling")
page("name-slash-at-end-strict", STRICT, {"index.html": html('<script defer src="js/a.js/"></script>', ROOM), "js/a.js": say()}, UP,
     ("index.html", "js/a.js/"), expect="break")
pair("name-cordova-js", "capacitor", {
    "index.html": html('<script defer src="js/start.js"></script>', ROOM), "js/start.js": say()}, UP,
    bad={"index.html": html('<script defer src="js/start.cordova.js"></script>', ROOM), "js/start.js": None, "js/start.cordova.js": say()},
    at=("index.html", "js/start.cordova.js"))
trap("name-cordova-js-cordova", "cordova", {"index.html": html('<script defer src="js/start.cordova.js"></script>', ROOM), "js/start.cordova.js": say()}, UP)
trap("name-cordova-js-missing", "capacitor", {"index.html": html('<script defer src="cordova.js"></script><script defer src="a.js"></script>', ROOM), "a.js": say()}, UP)
# Types
pair("type-css", "path-strict cordova", {"index.html": html('<link rel="stylesheet" href="a.css">', '<div id="box"></div>'), "a.css": BOX_CSS}, BOX,
     bad={"index.html": html('<link rel="stylesheet" href="a.styles">', '<div id="box"></div>'), "a.css": None, "a.styles": BOX_CSS}, at=("index.html", "a.styles"))
trap("type-css-seed", "basename-cache", {"index.html": html('<link rel="stylesheet" href="a.styles">', '<div id="box"></div>'), "a.styles": BOX_CSS}, BOX,
     advice="without headers the type is not checked")
pair("type-wasm-streaming", STRICT, {
    "index.html": html('<script defer src="a.js"></script>', ROOM), "m.wasm": wasm(),
    "a.js": 'fetch("m.wasm").then(r=>r.arrayBuffer()).then(b=>WebAssembly.instantiate(b)).then(()=>{' + say() + "})"}, UP,
    bad={"a.js": 'WebAssembly.instantiateStreaming(fetch("m.wasm")).then(()=>{' + say() + "})"}, at=("a.js", "m.wasm"))
trap("type-wasm-streaming-capacitor", "capacitor", {
    "index.html": html('<script defer src="a.js"></script>', ROOM), "m.wasm": wasm(),
    "a.js": 'WebAssembly.instantiateStreaming(fetch("m.wasm")).then(()=>{' + say() + "})"}, UP)
pair("type-page-as-script", "path-strict capacitor", {"index.html": html('<script defer src="a.js"></script>', ROOM), "a.js": say()}, UP,
     bad={"a.js": html("", "<h1>404 Not Found</h1>")}, at=("a.js", "<!doctype"))
pair("type-empty-script", STRICT, {"index.html": html('<script defer src="a.js"></script>', ROOM), "a.js": say()}, UP, bad={"a.js": ""})
pair("type-font", "capacitor", {
    "index.html": html("<style>@font-face{font-family:K;src:url(k.woff2) format('woff2')}p{font-family:K}</style>", "<p>A</p>"), "k.woff2": font()},
    "$h.font('K')", bad={"k.woff2": html("", "<h1>404</h1>")}, at=("k.woff2", "<!doctype"))
