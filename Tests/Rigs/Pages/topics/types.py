"""Types that the engine refuses: modules, style sheets, frames without an origin, shared memory."""
from pages import BOX, BOX_CSS, UP, font, html, page, pair, say, trap

STRICT = "path-strict"
BOTH = "path-strict capacitor"
ROOM = '<div id="app"></div>'
SHOW = 'document.getElementById("app").textContent="up"'


def one(head="", body=ROOM, **files):
    return {"index.html": html(head, body)} | files


# .mjs: iOS has no type for it. Only modules of pages need one.
pair("type-mjs-module", BOTH, one('<script type="module" src="/a.js"></script>', **{"a.js": say()}), UP,
     bad={"index.html": html('<script type="module" src="/a.mjs"></script>', ROOM), "a.js": None, "a.mjs": say()})
pair("type-mjs-dynamic", BOTH, one("", ROOM + '<script>import("/a.js")</script>', **{"a.js": say()}), UP,
     bad={"index.html": html("", ROOM + '<script>import("/a.mjs")</script>'), "a.js": None, "a.mjs": say()})
trap("type-mjs-classic", BOTH, one("", ROOM + '<script src="/a.mjs"></script>', **{"a.mjs": say()}), UP)
trap("type-mjs-worker", BOTH, one("", ROOM + f'<script>new Worker("/w.mjs").onmessage=()=>{{{SHOW}}}</script>', **{"w.mjs": "postMessage(1)"}), UP)
trap("type-mjs-module-worker", BOTH, one(
    "", ROOM + f'<script>new Worker("/w.mjs",{{type:"module"}}).onmessage=()=>{{{SHOW}}}</script>', **{"w.mjs": "postMessage(1)"}), UP)
page("type-mjs-worker-import", BOTH, one(
    "", ROOM + f'<script>new Worker("/w.js",{{type:"module"}}).onmessage=()=>{{{SHOW}}}</script>',
    **{"w.js": 'import"/x.mjs"', "x.mjs": "postMessage(1)"}), UP, expect="break")
page("type-mjs-import-scripts", BOTH, one("", ROOM + f'<script>new Worker("/w.js").onmessage=()=>{{{SHOW}}}</script>',
                                          **{"w.js": 'importScripts("/x.mjs")', "x.mjs": "postMessage(1)"}), UP, expect="break")
trap("type-mjs-unused", BOTH, one("", f"{ROOM}<script>{SHOW}</script>", **{"lib/extra.mjs": "export{}"}), UP)
# Modules of other types.
for ending in "txt", "ts", "json", "html", "bin":
    pair(f"type-module-{ending}", STRICT, one('<script type="module" src="/a.js"></script>', **{"a.js": say()}), UP,
         bad={"index.html": html(f'<script type="module" src="/a.{ending}"></script>', ROOM), "a.js": None, f"a.{ending}": say()},
         at=("index.html", f"/a.{ending}"))
pair("type-module-import-txt", STRICT, one('<script type="module" src="/m.js"></script>', **{"m.js": 'import"./a.js";', "a.js": say()}), UP,
     bad={"m.js": 'import"./a.txt";', "a.js": None, "a.txt": say()}, at=("m.js", "./a.txt"))
pair("type-module-dynamic-css", STRICT, one('<script type="module" src="/m.js"></script>', **{"m.js": f'import("./a.js").then(()=>{{{SHOW}}});', "a.js": ""}), UP,
     bad={"m.js": f'import("./a.css").then(()=>{{{SHOW}}});', "a.js": None, "a.css": BOX_CSS}, at=("m.js", "./a.css"))
pair("type-module-dynamic-json", STRICT, one('<script type="module" src="/m.js"></script>', **{
    "m.js": f'import("./a.json",{{with:{{type:"json"}}}}).then(()=>{{{SHOW}}});', "a.json": "{}"}), UP,
    bad={"m.js": f'import("./a.json").then(()=>{{{SHOW}}});'}, at=("m.js", "./a.json"))
page("type-module-css-attribute", STRICT, one('<script type="module" src="/m.js"></script>', ROOM + '<div id="box"></div>', **{
    "m.js": 'import s from"./a.css"with{type:"css"};document.adoptedStyleSheets=[s];', "a.css": BOX_CSS}), BOX, at=("m.js", "./a.css"), expect="break")
page("type-module-css-attribute-dynamic", STRICT, one('<script type="module" src="/m.js"></script>', ROOM + '<div id="box"></div>', **{
    "m.js": 'import("./a.css",{with:{type:"css"}}).then(s=>{document.adoptedStyleSheets=[s.default]});', "a.css": BOX_CSS}), BOX, at=("m.js", "./a.css"), expect="break")
trap("type-classic-txt", STRICT, one("", ROOM + '<script src="/a.txt"></script>', **{"a.txt": say()}), UP, advice="an unusual ending")
trap("type-classic-json", STRICT, one("", ROOM + '<script src="/a.json"></script>', **{"a.json": say()}), UP, advice="an unusual ending")
# Style sheets.
SHEET = '<link rel="stylesheet" href="/a.{}">'
for ending in "txt", "html", "bin", "php":
    pair(f"type-sheet-{ending}", STRICT, one(SHEET.format("css"), '<div id="box"></div>', **{"a.css": BOX_CSS}), BOX,
         bad={"index.html": html(SHEET.format(ending), '<div id="box"></div>'), "a.css": None, f"a.{ending}": BOX_CSS}, at=("index.html", f"/a.{ending}"))
page("type-sheet-txt", "capacitor", one(SHEET.format("txt"), '<div id="box"></div>', **{"a.txt": BOX_CSS}), BOX, at=("index.html", "/a.txt"), expect="break")
trap("type-sheet-txt-basename", "basename-cache", one(SHEET.format("txt"), '<div id="box"></div>', **{"a.txt": BOX_CSS}), BOX, advice="an unusual ending")
trap("type-sheet-quirks", STRICT, {"index.html": '<html><head><title>x</title><link rel="stylesheet" href="/a.txt"></head><body><div id="box"></div></body></html>',
                                   "a.txt": BOX_CSS}, BOX, advice="an unusual ending")
pair("type-sheet-import", STRICT, one(SHEET.format("css"), '<div id="box"></div>', **{"a.css": '@import "b.css";', "b.css": BOX_CSS}), BOX,
     bad={"a.css": '@import "b.txt";', "b.css": None, "b.txt": BOX_CSS}, at=("a.css", "b.txt"))
# Frames with an opaque origin.
FRAME = f'{ROOM}<script>onmessage=e=>{{document.getElementById("app").textContent=e.data}}</script><iframe id="f" sandbox="%s" src="/w/w.html"></iframe>'
TELL = 'parent.postMessage("up","*")'


def framed(sandbox, head="", body="", **files):
    return {"index.html": html("", FRAME % sandbox), "w/w.html": html(head, body)} | {f"w/{k}": v for k, v in files.items()}


SELF = "allow-scripts allow-same-origin"
pair("frame-module", "capacitor cordova", framed(SELF, '<script type="module" src="w.js"></script>', **{"w.js": TELL}), UP,
     bad={"index.html": html("", FRAME % "allow-scripts")}, at=("w/w.html", "w.js"))
trap("frame-module-cors", STRICT, framed("allow-scripts", '<script type="module" src="w.js"></script>', **{"w.js": TELL}), UP)
trap("frame-classic", "capacitor", framed("allow-scripts", "", '<script src="w.js"></script>', **{"w.js": TELL}), UP)
pair("frame-fetch", "capacitor", framed(SELF, "", f'<script>fetch("d.json").then(r=>r.json()).then(()=>{{{TELL}}})</script>', **{"d.json": "{}"}), UP,
     bad={"index.html": html("", FRAME % "allow-scripts")}, at=("w/w.html", "d.json"))
trap("frame-font", "capacitor", framed(
    "allow-scripts", '<style>@font-face{font-family:F;src:url(f.woff2)}</style>', f'<p style="font-family:F">A</p><script>document.fonts.load("9px F").then(l=>{{l.length&&l[0].status==="loaded"&&{TELL}}})</script>',
    **{"f.woff2": font()}), UP)
pair("frame-crossorigin", "capacitor", framed(SELF, "", '<script crossorigin src="w.js"></script>', **{"w.js": TELL}), UP,
     bad={"index.html": html("", FRAME % "allow-scripts")}, at=("w/w.html", "w.js"))
trap("frame-image", "capacitor", framed("allow-scripts", "", f"<img src='a.svg' onload='{TELL}'>", **{"a.svg": '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"/>'}), UP)
# Shared memory needs cross-origin isolation, which a custom scheme cannot have.
SHARED = "new WebAssembly.Memory({initial:1,maximum:2,shared:!0})"
page("shared-buffer", BOTH, one("", ROOM + f'<script>const b=new SharedArrayBuffer(8);{SHOW}</script>'), UP, at=("index.html", "SharedArrayBuffer"), expect="break")
page("shared-memory-emscripten", BOTH, one("", ROOM + '<script src="a.js"></script>', **{
    "a.js": f'var wasmMemory={SHARED};if(!(wasmMemory.buffer instanceof SharedArrayBuffer)){{throw Error("bad memory")}}{SHOW}'}), UP, at=("a.js", "SharedArrayBuffer"), expect="break")
page("shared-memory-only", BOTH, one("", ROOM + f"<script>const m={SHARED};{SHOW}</script>"), UP, expect="work", advice="its buffer cannot be sent to a worker")
page("shared-memory-post", BOTH, one("", ROOM + f'<script>const m={SHARED},w=new Worker("w.js");w.onmessage=()=>{{{SHOW}}};w.postMessage(m)</script>', **{
    "w.js": "onmessage=e=>postMessage(1)"}), UP, at=("index.html", "shared"), expect="break")
trap("shared-guarded", BOTH, one("", ROOM + f'<script>const b=typeof SharedArrayBuffer<"u"?new SharedArrayBuffer(8):new ArrayBuffer(8);{SHOW}</script>'), UP)
trap("shared-guarded-isolated", BOTH, one("", ROOM + f'<script>if(self.crossOriginIsolated){{const b=new SharedArrayBuffer(8)}}{SHOW}</script>'), UP)
trap("shared-guarded-in", BOTH, one("", ROOM + f'<script>"SharedArrayBuffer"in window&&new SharedArrayBuffer(8);{SHOW}</script>'), UP)
trap("shared-guarded-try", BOTH, one("", ROOM + f'<script>let b;try{{b=new SharedArrayBuffer(8)}}catch{{b=new ArrayBuffer(8)}}{SHOW}</script>'), UP)
trap("shared-guarded-function", BOTH, one("", ROOM + f'<script>function mk(n){{if(typeof SharedArrayBuffer==="undefined")return new ArrayBuffer(n);return new SharedArrayBuffer(n)}}mk(8);{SHOW}</script>'), UP)
trap("shared-never-called", BOTH, one("", ROOM + f'<script>class P{{alloc(n){{return new SharedArrayBuffer(n)}}}}{SHOW}</script>'), UP, advice="the method would fail")
# A page that opens another one at once.
REFRESH = '<meta http-equiv="refresh" content="0;url={}">'
pair("refresh-own-https", BOTH, one(REFRESH.format("/zh/index.html"), "", **{"zh/index.html": html("", '<p id="d">zh</p>')}), "$h.text('#d')==='zh'",
     bad={"index.html": html(REFRESH.format("https://shop.example.com/zh/index.html"), "")}, at=("index.html", "https://shop"), more={"host": ["shop.example.com"]})
# Names in Unicode normal form D.
page("name-nfd-differs", STRICT, one("", '<img id="i" src="/caf\u00e9.svg" alt="">', **{"cafe\u0301.svg": '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"/>'}),
     "$h.img('#i')", at=("index.html", "/caf"), expect="break")
