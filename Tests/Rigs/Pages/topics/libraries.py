"""Attributes from which libraries load files; each library is a few lines that read them as it does."""
from pages import html, page, pair, svg, trap

BOTH = "path-strict capacitor"
STRICT = "path-strict"
ROOM = '<div id="app"></div>'
SHOW = 'document.getElementById("app").textContent="up"'
UP = "$h.text('#app')==='up'"
# Loads the file of an attribute with XMLHttpRequest, and tells when it is there.
LOAD = ('function ld(u){var x=new XMLHttpRequest;x.open("GET",u);x.onload=function(){x.status>=400||(' + SHOW + ')};x.send()}')


def library(code, body, **files):
    return {"index.html": html('<script src="/js/lib.min.js" defer></script>', ROOM + body), "js/lib.min.js": LOAD + code} | files


def element(name, attribute="src"):
    return (f'class E extends HTMLElement{{connectedCallback(){{this.getAttribute("{attribute}")&&ld(this.getAttribute("{attribute}"))}}}}'
            f'customElements.get("{name}")||customElements.define("{name}",E);')


for name, attribute, file in (
        ("lottie-player", "src", "anim/hello.json"), ("dotlottie-player", "src", "anim/hello.lottie"), ("model-viewer", "src", "models/chair.glb"),
        ("ion-icon", "src", "icons/star.svg"), ("sl-icon", "src", "icons/star.svg"), ("include-fragment", "src", "parts/menu.html"),
        ("turbo-frame", "src", "parts/cart.html"), ("zero-md", "src", "docs/readme.md"), ("rapi-doc", "spec-url", "api/openapi.json"),
        ("lord-icon", "src", "icons/bell.json"), ("spline-viewer", "url", "scene.splinecode"), ("hls-video", "src", "video/main.m3u8")):
    pair(f"lib-{name}", STRICT if name != "lottie-player" else BOTH, library(element(name, attribute), f'<{name} {attribute}="/{file}"></{name}>', **{file: svg() if file.endswith("svg") else "{}"}), UP,
         gone=file, at=("index.html", f"/{file}"))
pair("lib-model-viewer-poster", STRICT, library(
    'class E extends HTMLElement{connectedCallback(){var p=this.getAttribute("poster");p&&ld(p)}}customElements.define("model-viewer",E);',
    '<model-viewer src="/a.glb" poster="/a.webp"></model-viewer>', **{"a.glb": "glTF", "a.webp": "RIFF"}), UP, gone="a.webp", at=("index.html", "/a.webp"))
pair("lib-htmx-get", BOTH, library(
    'var at="hx-trigger",vb=["get","post"];document.querySelectorAll("[hx-get],[data-hx-get]").forEach(function(e){"load"===e.getAttribute(at)&&ld(e.getAttribute("hx-get"))});',
    '<div hx-get="/parts/menu.html" hx-trigger="load"></div>', **{"parts/menu.html": "<p>menu</p>"}), UP, gone="parts/menu.html", at=("index.html", "/parts/menu"))
pair("lib-babel", BOTH, {
    "index.html": html("", ROOM + '<script src="/js/babel.min.js"></script><script type="text/babel" src="app.jsx"></script>'),
    "js/babel.min.js": LOAD + 'addEventListener("DOMContentLoaded",function(){for(var s of document.scripts)"text/babel"===s.type&&ld(s.src)});', "app.jsx": "1"}, UP,
    gone="app.jsx", at=("index.html", "app.jsx"))
pair("lib-less", STRICT, {
    "index.html": html('<link rel="stylesheet/less" href="/css/site.less">', ROOM + '<script src="/js/less.min.js"></script>'),
    "js/less.min.js": LOAD + 'var t=/^text\\/(x-)?less$/;document.querySelectorAll("link").forEach(function(l){("stylesheet/less"===l.rel||l.rel.match(/stylesheet/)&&l.type.match(t))&&ld(l.href)});',
    "css/site.less": "@a:1px;"}, UP, gone="css/site.less", at=("index.html", "/css/site.less"))
QWIK = ('const t=document.querySelector("[q\\\\:base]")||document.documentElement,n=t.getAttribute("q:base");document.addEventListener("click",async e=>{const o=e.target.getAttribute("on:click");if(!o)return;'
        'const[i,a]=o.split("#"),s=new URL(i,new URL(n,document.baseURI));(await import(s.href))[a.replace(/\\[.*/,"")](e)},{capture:!0});')
pair("lib-qwik", BOTH, {
    "index.html": html("", f'<div id="app"></div><button id="go" on:click="q-3fa1.js#s_add[0 1]">add</button><script>{QWIK}</script>', ' q:container="paused" q:base="/build/"'),
    "build/q-3fa1.js": f"export const s_add=()=>{{{SHOW}}};"}, UP, action="document.getElementById('go').click()", gone="build/q-3fa1.js", at=("index.html", "q-3fa1.js"))
pair("lib-aframe-model", STRICT, library(
    'customElements.define("a-scene",class extends HTMLElement{});document.querySelectorAll("[gltf-model]").forEach(function(e){ld(/url\\((.*)\\)/.exec(e.getAttribute("gltf-model"))[1])});',
    '<a-scene><a-entity gltf-model="url(/models/tree.glb)" position="0 0 0"></a-entity></a-scene>', **{"models/tree.glb": "glTF"}), UP, gone="models/tree.glb",
    at=("index.html", "/models/tree"))
pair("lib-aframe-asset", STRICT, library(
    'customElements.define("a-scene",class extends HTMLElement{});document.querySelectorAll("a-asset-item").forEach(function(e){ld(e.getAttribute("src"))});',
    '<a-scene><a-assets><a-asset-item id="t" src="/models/tree.gltf"></a-asset-item></a-assets></a-scene>', **{"models/tree.gltf": "{}"}), UP, gone="models/tree.gltf",
    at=("index.html", "/models/tree"))
pair("lib-videojs-setup", STRICT, library(
    'document.querySelectorAll("video").forEach(function(v){var o=JSON.parse(v.getAttribute("data-setup")||"{}");o.poster&&ld(o.poster)});',
    '''<video id="v" class="video-js" data-setup='{"controls":true,"poster":"/img/still.svg"}'></video>''', **{"img/still.svg": svg()}), UP, gone="img/still.svg",
    at=("index.html", "/img/still"))
pair("lib-lottie-web-path", STRICT, library(
    'for(var e of document.querySelectorAll(".lottie,.bodymovin"))ld(e.getAttribute("data-animation-path"));', '<div class="lottie" data-animation-path="/anim/a.json"></div>',
    **{"anim/a.json": "{}"}), UP, gone="anim/a.json", at=("index.html", "/anim/a.json"))
pair("lib-w3-include", STRICT, library(
    'document.querySelectorAll("[w3-include-html]").forEach(function(e){ld(e.getAttribute("w3-include-html"))});', '<div w3-include-html="head.html"></div>',
    **{"head.html": "<p>head</p>"}), UP, gone="head.html", at=("index.html", "head.html"))
pair("lib-stencil-resources", STRICT, {
    "index.html": html("", ROOM + '<script src="/build/app.js" data-resources-url="/build/" data-stencil-namespace="app"></script>'),
    "build/app.js": LOAD + 'var s=document.querySelector("script[data-resources-url]");ld(s.getAttribute("data-resources-url")+s.getAttribute("data-stencil-namespace")+"/core.js");',
    "build/app/core.js": "1"}, UP, bad={"index.html": html("", ROOM + '<script src="/build/app.js" data-resources-url="/assets/build/" data-stencil-namespace="app"></script>')},
    at=("index.html", "/assets/build/"))
# Without the library, the attribute does nothing.
trap("lib-none-htmx", STRICT, html("", f'{ROOM}<div hx-get="/parts/menu.html"></div><script>{SHOW}</script>'), UP, latent="a file is named")
trap("lib-none-model", STRICT, html("", f'{ROOM}<model-viewer src="/a.glb"></model-viewer><script>{SHOW}</script>'), UP, latent="a file is named")
# Values that name no file.
trap("lib-htmx-api", STRICT, library('var at="hx-trigger";', f'<div hx-get="/api/menu"></div><script>{SHOW}</script>'), UP, advice="an address of a server")
trap("lib-placeholder", STRICT, library(element("model-viewer"), f'<model-viewer src="{{{{ url }}}}"></model-viewer><script>{SHOW}</script>').copy() | {"x.txt": ""}, UP, advice="a template")
trap("lib-iconify-name", STRICT, library('customElements.define("iconify-icon",class extends HTMLElement{});', f'<iconify-icon icon="mdi:home"></iconify-icon><script>{SHOW}</script>'), UP)
trap("lib-aframe-id", STRICT, library('customElements.define("a-scene",class extends HTMLElement{});', f'<a-scene><a-sky src="#sky"></a-sky><a-entity gltf-model="#tree" material="color: red"></a-entity></a-scene><script>{SHOW}</script>'), UP)
trap("lib-sound-attribute", STRICT, html("", f'{ROOM}<p sound="loud" material="cotton">x</p><script>{SHOW}</script>'), UP)
page("lib-data-src-gone", STRICT, library(
    'document.querySelectorAll("img[data-src]").forEach(function(e){e.src=e.getAttribute("data-src")});', '<img id="i" alt="" data-src="/img/a.svg">'), "$h.img('#i')",
    at=("index.html", "/img/a.svg"), expect="break")
