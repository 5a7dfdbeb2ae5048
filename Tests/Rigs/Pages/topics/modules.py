"""Modules, import maps and bare specifiers."""
from pages import UP, app, html, page, pair, say, trap

STRICT = "path-strict"
ALL = "path-strict capacitor cordova"
ROOM = '<div id="app"></div>'
EXPORT = "export const word='up';export function show(){document.getElementById('app').textContent=word}"


def mapped(imports, script, extra=""):
    return html(f'<script type="importmap">{imports}</script>{extra}', ROOM + f'<script type="module">{script}</script>')


SHOW = "import{show}from'kit';show();"
pair("map-bare", ALL, {"index.html": mapped('{"imports":{"kit":"/lib/kit.js"}}', SHOW), "lib/kit.js": EXPORT}, UP,
     bad={"index.html": html("", ROOM + f'<script type="module">{SHOW}</script>')}, at=("index.html", "kit'"))
pair("map-other-name", STRICT, {
    "index.html": mapped('{"imports":{"kit":"/lib/kit.js"}}', SHOW), "lib/kit.js": EXPORT}, UP,
    bad={"index.html": mapped('{"imports":{"kits":"/lib/kit.js"}}', SHOW)}, at=("index.html", "kit';"))
pair("map-target", "path-strict capacitor", {
    "index.html": mapped('{"imports":{"kit":"/lib/kit.js"}}', SHOW), "lib/kit.js": EXPORT}, UP, gone="lib/kit.js",
    at=("index.html", "/lib/kit.js"))
pair("map-target-without-dot", STRICT, {
    "index.html": mapped('{"imports":{"kit":"./lib/kit.js"}}', SHOW), "lib/kit.js": EXPORT}, UP,
    bad={"index.html": mapped('{"imports":{"kit":"lib/kit.js"}}', SHOW)}, at=("index.html", "lib/kit.js"))
PREFIX = "import{show}from'kit/view.js';show();"
pair("map-prefix", "path-strict cordova", {
    "index.html": mapped('{"imports":{"kit/":"/lib/kit/"}}', PREFIX), "lib/kit/view.js": EXPORT}, UP,
    gone="lib/kit/view.js", at=("index.html", "kit/view.js"))
pair("map-prefix-no-slash", STRICT, {
    "index.html": mapped('{"imports":{"kit/":"/lib/kit/"}}', PREFIX), "lib/kit/view.js": EXPORT}, UP,
    bad={"index.html": mapped('{"imports":{"kit":"/lib/kit"}}', PREFIX)}, at=("index.html", "kit/view.js"))
pair("map-prefix-target-slash", STRICT, {
    "index.html": mapped('{"imports":{"kit/":"/lib/kit/"}}', PREFIX), "lib/kit/view.js": EXPORT}, UP,
    bad={"index.html": mapped('{"imports":{"kit/":"/lib/kit"}}', PREFIX)}, at=("index.html", "/lib/kit"))
pair("map-broken-json", "path-strict capacitor", {
    "index.html": mapped('{"imports":{"kit":"/lib/kit.js"}}', SHOW), "lib/kit.js": EXPORT}, UP,
    bad={"index.html": mapped('{"imports":{"kit":"/lib/kit.js",}}', SHOW)}, at=("index.html", '{"imports"'))
pair("map-src", STRICT, {
    "index.html": mapped('{"imports":{"kit":"/lib/kit.js"}}', SHOW), "lib/kit.js": EXPORT,
    "map.json": '{"imports":{"kit":"/lib/kit.js"}}'}, UP,
    bad={"index.html": html('<script type="importmap" src="map.json"></script>',
                            ROOM + f'<script type="module">{SHOW}</script>')}, at=("index.html", "map.json"))
pair("map-after-module", STRICT, {
    "index.html": mapped('{"imports":{"kit":"/lib/kit.js"}}', SHOW), "lib/kit.js": EXPORT}, UP,
    bad={"index.html": html("", ROOM + f'<script type="module">{SHOW}</script>'
                            '<script type="importmap">{"imports":{"kit":"/lib/kit.js"}}</script>')},
    at=("index.html", "kit';"))
pair("map-scopes", STRICT, {
    "index.html": mapped('{"imports":{"kit":"/lib/other.js"},"scopes":{"/js/":{"kit":"/lib/kit.js"}}}', "import'/js/a.js';"),
    "js/a.js": SHOW, "lib/kit.js": EXPORT, "lib/other.js": ""}, UP, gone="lib/kit.js", at=("index.html", "/lib/kit.js"))
trap("map-unused-entry", "path-strict capacitor", {
    "index.html": mapped('{"imports":{"kit":"/lib/kit.js","other":"/lib/other.js"}}', SHOW), "lib/kit.js": EXPORT},
     UP, latent="an entry that nothing imports")
trap("map-https-unused", "capacitor", {
    "index.html": mapped('{"imports":{"kit":"/lib/kit.js","vue":"https://unpkg.com/vue@3/dist/vue.esm.js"}}', SHOW),
    "lib/kit.js": EXPORT}, UP, latent="an entry that nothing imports")
trap("map-null", STRICT, {
    "index.html": mapped('{"imports":{"kit":"/lib/kit.js","old":null}}', SHOW), "lib/kit.js": EXPORT}, UP)
trap("map-integrity-unknown-key", "capacitor", {
    "index.html": mapped('{"imports":{"kit":"/lib/kit.js"},"integrity":{},"x":1}', SHOW), "lib/kit.js": EXPORT}, UP)
# Bare specifiers
BARE = {
    "vue": 'import{createApp}from"vue";createApp;', "react": 'import e from"react";e;', "lit": 'import"lit";',
    "scoped": 'import{a}from"@scope/pkg/dist/a.js";a;', "lodash": 'export*from"lodash-es";',
    "file": 'import"main.css.js";', "folder": 'import"src/a.js";',
}
for name, line in BARE.items():
    page(f"bare-{name}-gone", "path-strict" if len(name) % 2 else "capacitor",
         {"index.html": app("/assets/m.js"), "assets/m.js": line + say(), "assets/src/a.js": "", "src/a.js": ""}, UP,
         ("assets/m.js", line.split('"')[1]), expect="break")
page("bare-dynamic-gone", "capacitor", {
    "index.html": app("/m.js"), "m.js": 'import("chart.js").then(()=>{' + say() + "});"}, UP,
     ("m.js", "chart.js"), expect="break")
trap("bare-dynamic-caught", "capacitor", {
    "index.html": app("/m.js"), "m.js": 'import("@capacitor/haptics").catch(()=>null).then(()=>{' + say() + "});"}, UP)
trap("bare-in-comment", STRICT, {
    "index.html": app("/m.js"), "m.js": '// import x from "vue"\n/* import("react") */\nvar s=\'import "lit"\';' + say()},
     UP)
trap("bare-require", STRICT, {
    "index.html": app("/m.js", kind="defer"),
    "m.js": '(function(f){if(typeof exports==="object"){module.exports=f(require("jquery"))}else if(typeof define==='
    '"function"&&define.amd){define(["jquery"],f)}else{f()}})(function(){' + say() + "});"}, UP)
# Depth
pair("module-depth", ALL, {
    "index.html": app("/js/a.js"), "js/a.js": 'import"./b.js";', "js/b.js": 'import"./c/c.js";',
    "js/c/c.js": 'export*from"../d.js";', "js/d.js": say() + "export const d=1;"}, UP, gone="js/d.js",
    at=("js/c/c.js", "../d.js"))
pair("module-inline-depth", "path-strict basename-cache", {
    "index.html": html("", ROOM + '<script type="module">import"./js/a.js";</script>'),
    "js/a.js": 'import{w}from"./b-77.js";document.getElementById("app").textContent=w;',
    "js/b-77.js": 'export const w="up";'}, UP, gone="js/b-77.js", at=("js/a.js", "./b-77.js"))
pair("module-reexport", "capacitor", {
    "index.html": app("/m.js"), "m.js": 'import{w}from"./i.js";document.getElementById("app").textContent=w;',
    "i.js": 'export{w}from"./w.js";', "w.js": 'export const w="up";'}, UP, gone="w.js", at=("i.js", "./w.js"))
pair("module-side-effect", "cordova", {
    "index.html": app("/m.js"), "m.js": 'import"./polyfill.js";' + say(), "polyfill.js": "window.p=1;"}, UP,
    gone="polyfill.js", at=("m.js", "./polyfill.js"))
pair("module-dynamic-template", STRICT, {
    "index.html": app("/m.js"), "m.js": "import(`./v.js`).then(()=>{" + say() + "});", "v.js": ""}, UP, gone="v.js",
    at=("m.js", "./v.js"))
pair("module-glob", "path-strict capacitor", {
    "index.html": app("/assets/m.js"),
    "assets/m.js": 'const v=Object.assign({"./views/A.vue":()=>import("./A-1.js"),"./views/B.vue":()=>import("./B-2.js")'
    '});v["./views/B.vue"]().then(m=>m.show());', "assets/A-1.js": EXPORT, "assets/B-2.js": EXPORT}, UP,
    gone="assets/B-2.js", at=("assets/m.js", "./B-2.js"))
page("module-glob-unused", STRICT, {
    "index.html": app("/assets/m.js"),
    "assets/m.js": 'const v={"./A.vue":()=>import("./A-1.js"),"./B.vue":()=>import("./B-2.js")};'
    'v["./A.vue"]().then(m=>m.show());', "assets/A-1.js": EXPORT}, UP, expect="work",
     latent="a view that this page does not open")
pair("module-json", STRICT, {
    "index.html": app("/m.js"), "m.js": 'import d from"./d.json"with{type:"json"};document.getElementById("app")'
    ".textContent=d.w;", "d.json": '{"w":"up"}'}, UP, gone="d.json", at=("m.js", "./d.json"))
pair("module-json-no-type", STRICT, {
    "index.html": app("/m.js"), "m.js": 'import d from"./d.json"with{type:"json"};document.getElementById("app")'
    ".textContent=d.w;", "d.json": '{"w":"up"}'}, UP,
    bad={"m.js": 'import d from"./d.json";document.getElementById("app").textContent=d.w;'}, at=("m.js", "./d.json"))
pair("module-mjs-type", "path-strict capacitor", {
    "index.html": app("/m.js"), "m.js": 'import"./x.js";', "x.js": say()}, UP,
    bad={"m.js": 'import"./x.mjs";', "x.js": None, "x.mjs": say()}, at=("m.js", "./x.mjs"))
trap("module-mjs-known", {"base": "path-strict", "media-types": {"mjs": "text/javascript"}}, {
    "index.html": app("/m.js"), "m.js": 'import"./x.mjs";', "x.mjs": say()}, UP)
pair("module-css", STRICT, {
    "index.html": html('<link rel="stylesheet" href="a.css">', ROOM + '<script type="module" src="m.js"></script>'),
    "m.js": say(), "a.css": "p{}"}, UP, bad={"m.js": 'import"./a.css";' + say()}, at=("m.js", "./a.css"))
pair("module-export-missing", STRICT, {
    "index.html": app("/m.js"), "m.js": 'import{show}from"./k.js";show();', "k.js": EXPORT}, UP,
    bad={"k.js": "export const show2=1;"}, at=("m.js", "./k.js"))
pair("module-worker-import", "path-strict capacitor", {
    "index.html": html("", ROOM + '<script type="module">const w=new Worker("/w.js",{type:"module"});w.onmessage=()=>{'
                       + say() + "};w.postMessage(0)</script>"),
    "w.js": 'import{x}from"./x.js";onmessage=()=>postMessage(x);', "x.js": "export const x=1;"}, UP, gone="x.js",
    at=("w.js", "./x.js"))
pair("module-preload", "capacitor", {
    "index.html": html('<link rel="modulepreload" href="/a.js"><script type="module" src="/m.js"></script>', ROOM),
    "m.js": 'import"./a.js";', "a.js": say()}, UP, gone="a.js", at=("m.js", "./a.js"))
page("module-preload-unused", STRICT, {
    "index.html": html('<link rel="modulepreload" href="/gone.js"><script type="module" src="/m.js"></script>', ROOM),
    "m.js": say()}, UP, expect="work", latent="only a preload names it")
trap("module-legacy-nomodule", "path-strict capacitor", {
    "index.html": html('<script type="module" src="/m.js"></script><script nomodule src="/m-legacy.js"></script>'
                       '<script nomodule>System.import("/x-legacy.js")</script>', ROOM), "m.js": say()}, UP,
     latent="nomodule is never asked for")
trap("module-crossorigin-same", "basename-cache", {
    "index.html": html('<script type="module" crossorigin src="m7.js"></script>', ROOM), "m7.js": say()}, UP)
