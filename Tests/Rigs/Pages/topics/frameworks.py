"""More frameworks, loaders and hand-written sites; written before running check on them."""
from pages import BOX, BOX_CSS, UP, app, font, html, page, pair, png, say, svg, trap, wasm

STRICT = "path-strict"
BOTH = "path-strict capacitor"
ROOM = '<div id="app"></div>'
SHOW = 'document.getElementById("app").textContent="up"'
IMG = "$h.img('#i')"


def script(text, head="", body=ROOM, name="app.js", **files):
    """A page with one classic script at its end."""
    return {"index.html": html(head, f'{body}<script src="{name}"></script>'), name: text}


def module(text, name="/assets/index-B7c8D9e0.js"):
    return {"index.html": app(name), name.lstrip("/"): text}


# Frameworks: compiled forms of <img src>.
pair("fw-svelte-attr", BOTH, module(
    'function attr(e,n,v){e.setAttribute(n,v)}let a,b;function c(){a=document.createElement("img");a.id="i";'
    'a.src!==(b="/assets/logo-C3d4E5f6.svg")&&attr(a,"src",b);attr(a,"alt","");document.body.append(a)}c();')
    | {"assets/logo-C3d4E5f6.svg": svg()}, IMG, gone="assets/logo-C3d4E5f6.svg",
    at=("assets/index-B7c8D9e0.js", "/assets/logo"))
pair("fw-solid-template", BOTH, module(
    'const t=e=>{const r=document.createElement("template");r.innerHTML=e;return r.content.firstChild};'
    'var _tmpl$=t("<div class=hero><img id=i src=/assets/hero-9a8B7c6D.png alt>");document.body.append(_tmpl$.cloneNode(!0));')
    | {"assets/hero-9a8B7c6D.png": png()}, IMG, gone="assets/hero-9a8B7c6D.png",
    at=("assets/index-B7c8D9e0.js", "/assets/hero"))
pair("fw-lit-html", "capacitor", module(
    'const h=(s,...v)=>s.raw.join("");class A extends HTMLElement{connectedCallback(){this.innerHTML=h`<p><img id="i" src="/img/cart.png" alt=""></p>`}}'
    'customElements.define("x-a",A);document.body.append(new A);') | {"img/cart.png": png()}, IMG, gone="img/cart.png",
    at=("assets/index-B7c8D9e0.js", "/img/cart.png"))
pair("fw-angular-consts", BOTH, {
    "index.html": html('<base href="/">', '<app-root></app-root><script src="main-QWERTY12.js" type="module"></script>'),
    "main-QWERTY12.js": 'var t={selectors:[["app-root"]],decls:1,vars:0,consts:[["id","i","src","assets/images/logo.png","alt","Logo"]],'
    'template:function(r,n){r&1&&el(0,"img",0)}};function el(i,n,c){const e=document.createElement(n),a=t.consts[c];for(let k=0;k<a.length;k+=2)e.setAttribute(a[k],a[k+1]);document.querySelector("app-root").append(e)}t.template(1);',
    "assets/images/logo.png": png()}, IMG, gone="assets/images/logo.png", at=("main-QWERTY12.js", "assets/images/logo"))
pair("fw-vue-static", "capacitor", module(
    'const c=(h,n)=>{document.getElementById("app").innerHTML=h},e="/assets/a-11aa22bb.png";c(\'<header class="top"><img id="i" src="\'+e+\'" alt=""></header>\',1);')
    | {"assets/a-11aa22bb.png": png()}, IMG, gone="assets/a-11aa22bb.png", at=("assets/index-B7c8D9e0.js", "/assets/a-"))
pair("fw-react-style-url", STRICT, module(
    'const r="/assets/bg-5f6e7d8c.png",o=(t,p)=>{const e=document.createElement(t);Object.assign(e.style,p.style);document.body.append(e);return e};'
    'o("div",{style:{backgroundImage:`url(${r})`,width:"9px",height:"9px"}});') | {"assets/bg-5f6e7d8c.png": png()},
    needs=["bg-5f6e7d8c.png"], gone="assets/bg-5f6e7d8c.png", at=("assets/index-B7c8D9e0.js", "/assets/bg"))
pair("fw-next-image-static", BOTH, {
    "index.html": html("", ROOM + '<script src="/_next/static/chunks/pages/index-0a1b2c3d.js" defer></script>'),
    "_next/static/chunks/pages/index-0a1b2c3d.js": '(self.webpackChunk_N_E=self.webpackChunk_N_E||[]).push([[405],{8312:function(e,t,n){}}]);'
    'var a={src:"/_next/static/media/team.4f3e2d1c.png",height:800,width:1200,blurDataURL:"data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA="};'
    'var i=document.createElement("img");i.id="i";i.src=a.src;document.body.appendChild(i);',
    "_next/static/media/team.4f3e2d1c.png": png()}, IMG, gone="_next/static/media/team.4f3e2d1c.png",
    at=("_next/static/chunks/pages/index-0a1b2c3d.js", "/_next/static/media"))
# Islands, manifests of routes.
ASTRO = ('customElements.define("astro-island",class extends HTMLElement{async connectedCallback(){const m=await import(this.getAttribute("component-url"));'
         'const r=await import(this.getAttribute("renderer-url"));r.default(this)(m[this.getAttribute("component-export")])}})')
pair("fw-astro-island", BOTH, {
    "index.html": html("", f'{ROOM}<script>{ASTRO}</script><astro-island uid="Z1k2" component-url="/_astro/Counter.B1c2d3e4.js" component-export="default" renderer-url="/_astro/client.A9b8c7d6.js" props="{{}}" client="load"></astro-island>'),
    "_astro/Counter.B1c2d3e4.js": f"export default function c(){{{SHOW}}}", "_astro/client.A9b8c7d6.js": "export default e=>c=>c()"}, UP,
    gone="_astro/Counter.B1c2d3e4.js", at=("index.html", "/_astro/Counter"))
pair("fw-remix-manifest", STRICT, {
    "index.html": html("", ROOM + '<script>window.__remixContext={"url":"/","basename":"/"};</script><script type="module" async="">import "/assets/manifest-0f1e2d3c.js";'
                       'import * as route0 from "/assets/root-4b5a6978.js";window.__remixRouteModules={"root":route0};import("/assets/entry.client-87969fa1.js");</script>'),
    "assets/manifest-0f1e2d3c.js": 'window.__remixManifest={"entry":{"module":"/assets/entry.client-87969fa1.js","imports":[],"css":[]},"routes":{"root":{"id":"root","path":"","module":"/assets/root-4b5a6978.js"},"routes/_index":{"id":"routes/_index","module":"/assets/_index-c3d2e1f0.js","imports":[],"css":[]}},"url":"/assets/manifest-0f1e2d3c.js","version":"0f1e2d3c"};',
    "assets/root-4b5a6978.js": "export const a=1", "assets/entry.client-87969fa1.js": 'import(window.__remixManifest.routes["routes/_index"].module).then(m=>m.default())',
    "assets/_index-c3d2e1f0.js": f"export default()=>{{{SHOW}}}"}, UP, gone="assets/_index-c3d2e1f0.js", at=("assets/manifest-0f1e2d3c.js", "/assets/_index"))
pair("fw-gatsby-page-data", BOTH, script(
    '(function(){var e="/page-data/";var x=new XMLHttpRequest;x.open("GET","/page-data/app-data.json",!0);x.onreadystatechange=function(){if(x.readyState==4&&x.status==200&&x.responseText[0]=="{"){' + SHOW + '}};x.send(null)})();')
    | {"page-data/app-data.json": '{"webpackCompilationHash":"1f2e3d4c"}'}, UP, gone="page-data/app-data.json", at=("app.js", "/page-data/app-data"))
pair("fw-gatsby-chunk-map", STRICT, {
    "index.html": html("", ROOM + '<script id="gatsby-chunk-mapping">window.___chunkMapping={"app":["/app-1a2b3c4d5e6f.js"],"component---src-pages-index-js":["/component---src-pages-index-js-0a1b2c3d4e5f60718293.js"]};</script><script src="/webpack-runtime-55667788.js" async></script>'),
    "webpack-runtime-55667788.js": 'for(const k in ___chunkMapping)for(const u of ___chunkMapping[k]){const s=document.createElement("script");s.src=u;document.head.append(s)}',
    "app-1a2b3c4d5e6f.js": "window.a=1", "component---src-pages-index-js-0a1b2c3d4e5f60718293.js": say()}, UP,
    gone="component---src-pages-index-js-0a1b2c3d4e5f60718293.js", at=("index.html", "/component---"))
pair("fw-stencil-lazy", "capacitor", module(
    'const b={"p-1a2b3c4d":()=>import("./p-1a2b3c4d.entry.js")};b["p-1a2b3c4d"]().then(m=>m.up());', "/build/app.esm.js")
    | {"build/p-1a2b3c4d.entry.js": f"export const up=()=>{{{SHOW}}}"}, UP, gone="build/p-1a2b3c4d.entry.js", at=("build/app.esm.js", "./p-1a2b"))
pair("fw-docusaurus-chunks", STRICT, script(
    'var r={"17896441":[()=>Promise.all([load("common"),load("17896441")]),"@theme/DocItem",4972]};function load(e){return new Promise((t,o)=>{var s=document.createElement("script");s.src="/assets/js/"+({common:"common",17896441:"17896441"}[e]||e)+"."+{common:"11aa22bb",17896441:"33cc44dd"}[e]+".js";s.onload=t;s.onerror=o;document.head.appendChild(s)})}'
    'r["17896441"][0]().then(()=>{' + SHOW + "});") | {"assets/js/common.11aa22bb.js": "", "assets/js/17896441.33cc44dd.js": ""}, UP, gone="assets/js/17896441.33cc44dd.js")
RSPACK = ('(()=>{"use strict";var e={},t={};function r(n){var o=t[n];if(void 0!==o)return o.exports;var i=t[n]={exports:{}};return e[n](i,i.exports,r),i.exports}r.m=e;'
          'r.f={};r.e=function(e){return Promise.all(Object.keys(r.f).reduce(function(t,n){return r.f[n](e,t),t},[]))};'
          'r.u=e=>"static/js/async/"+e+"."+{"212":"9f8e7d","640":"1a2b3c"}[e]+".js";r.p="/";r.rv=()=>"1.1.8";'
          'r.f.j=function(e,t){t.push(new Promise((a,b)=>{var s=document.createElement("script");s.src=r.p+r.u(e);s.onload=a;s.onerror=b;document.head.appendChild(s)}))};'
          'r.e("640").then(()=>{SHOW})})();').replace("SHOW", SHOW)
pair("fw-rspack-async", BOTH, {"index.html": html('<script defer src="/static/js/index.0d1c2b3a.js"></script>', ROOM), "static/js/index.0d1c2b3a.js": RSPACK,
     "static/js/async/212.9f8e7d.js": "", "static/js/async/640.1a2b3c.js": ""}, UP, gone="static/js/async/640.1a2b3c.js")
pair("fw-turbopack-list", STRICT, {
    "index.html": html("", ROOM + '<script src="/_next/static/chunks/turbopack-a1b2c3d4.js" async=""></script>'),
    "_next/static/chunks/turbopack-a1b2c3d4.js": '(globalThis.TURBOPACK=globalThis.TURBOPACK||[]).push(["static/chunks/turbopack-a1b2c3d4.js",{otherChunks:["static/chunks/0f1e2d3c.js"],runtimeModuleIds:[1]}]);'
    'for(const c of TURBOPACK[0][1].otherChunks){const s=document.createElement("script");s.src="/_next/"+c;document.head.appendChild(s)}',
    "_next/static/chunks/0f1e2d3c.js": say()}, UP, gone="_next/static/chunks/0f1e2d3c.js", at=("_next/static/chunks/turbopack-a1b2c3d4.js", "static/chunks/0f1e"))

# Loaders before modules.
REQUIRE = ('var defs={};function define(d,f){}function require(d,f){var n=d.length;d.forEach(function(m){var s=document.createElement("script");s.src=(require.base||"")+m+".js";s.onload=function(){--n||f()};document.head.appendChild(s)})}'
           'require.config=function(c){require.base=c.baseUrl+"/"};(function(){var m=document.currentScript.getAttribute("data-main");if(m){var s=document.createElement("script");s.src=m+".js";document.head.appendChild(s)}})();')
pair("old-requirejs-main", BOTH, {"index.html": html("", ROOM + '<script data-main="js/main" src="js/require.js"></script>'), "js/require.js": REQUIRE, "js/main.js": say()}, UP,
     gone="js/main.js", at=("index.html", "js/main"))
pair("old-requirejs-deps", STRICT, {"index.html": html("", ROOM + '<script data-main="js/main" src="js/require.js"></script>'), "js/require.js": REQUIRE,
     "js/main.js": 'require.config({baseUrl:"js/lib"});require(["cart"],function(){' + SHOW + "});", "js/lib/cart.js": ""}, UP, gone="js/lib/cart.js", at=("js/main.js", "cart"))
pair("old-systemjs-map", STRICT, {
    "index.html": html('<script type="systemjs-importmap">{"imports":{"@shop/root":"/mf/root.js"}}</script>',
                       ROOM + '<script src="system.js"></script><script>System.import("@shop/root").then(function(){' + SHOW + "})</script>"),
    "system.js": 'window.System={import:function(n){var m=JSON.parse(document.querySelector("script[type=systemjs-importmap]").textContent).imports;return new Promise(function(a,b){var s=document.createElement("script");s.src=m[n];s.onload=a;s.onerror=b;document.head.appendChild(s)})}};',
    "mf/root.js": ""}, UP, gone="mf/root.js", at=("index.html", "/mf/root.js"))
pair("old-head-append", "capacitor cordova", script(
    '(function(d){var s=["vendor/a.js","vendor/b.js"];(function n(i){if(i==s.length){' + SHOW + ';return}var e=d.createElement("script");e.src=s[i];e.onload=function(){n(i+1)};d.getElementsByTagName("head")[0].appendChild(e)})(0)})(document);')
    | {"vendor/a.js": "", "vendor/b.js": ""}, UP, gone="vendor/b.js", at=("app.js", "vendor/b.js"))
pair("old-document-write", STRICT, {"index.html": html("", ROOM + '<script>document.write(\'<script src="js/menu.js"><\\/script>\')</script>'), "js/menu.js": say()}, UP,
     gone="js/menu.js", at=("index.html", "js/menu.js"))
pair("old-jquery-css", "capacitor", script(
    'function $(s){return{css:function(a,b){document.querySelector(s).style.setProperty(a,b);return this}}}$("#app").css("background-image","url(img/pattern.png)").css("height","9px");')
    | {"img/pattern.png": png()}, needs=["pattern.png"], gone="img/pattern.png", at=("app.js", "img/pattern"))
pair("old-preload-array", STRICT, script(
    'var imgs=["images/1.png","images/2.png"],n=0;for(var i=0;i<imgs.length;i++){var e=new Image;e.onload=function(){if(++n==2){' + SHOW + '}};e.src=imgs[i]}')
    | {"images/1.png": png(), "images/2.png": png(9)}, UP, gone="images/2.png", at=("app.js", "images/2.png"))
pair("old-prefix-loop", "path-strict cordova", script(
    'var n=0;for(var i=1;i<3;i++){var e=new Image;e.onload=function(){if(++n==2){' + SHOW + '}};e.src="frames/f"+i+".png"}')
    | {"frames/f1.png": png(), "frames/f2.png": png(9)}, UP, gone="frames/f2.png")

# Engines and games.
pair("game-phaser-load", BOTH, script(
    'var n=0,load={image:function(k,u){n++;var e=new Image;e.onload=function(){--n||(function(){' + SHOW + '})()};e.src=u},audio:function(){}};load.image("sky","assets/sky.png");load.image("star","assets/star.png");')
    | {"assets/sky.png": png(), "assets/star.png": png(9)}, UP, gone="assets/star.png", at=("app.js", "assets/star.png"))
pair("game-three-texture", STRICT, module(
    'class TextureLoader{load(u,f){const e=new Image;e.onload=()=>f(e);e.src=u}}new TextureLoader().load("/textures/wood.png",()=>{' + SHOW + "});")
    | {"textures/wood.png": png()}, UP, gone="textures/wood.png", at=("assets/index-B7c8D9e0.js", "/textures/wood"))
pair("game-unity-config", STRICT, {
    "index.html": html("", ROOM + '<script>var buildUrl="Build";var loaderUrl=buildUrl+"/shop.loader.js";var config={dataUrl:buildUrl+"/shop.data",codeUrl:buildUrl+"/shop.wasm"};'
                       'var script=document.createElement("script");script.src=loaderUrl;script.onload=()=>{createUnityInstance(config).then(()=>{' + SHOW + '})};document.body.appendChild(script);</script>'),
    "Build/shop.loader.js": 'function createUnityInstance(c){return fetch(c.dataUrl).then(r=>{if(!r.ok)throw 1;return r.text()}).then(t=>{if(t[0]=="<")throw 2})}', "Build/shop.data": "DATA", "Build/shop.wasm": wasm()}, UP,
    gone="Build/shop.data", at=("index.html", "/shop.data"))
pair("wasm-bindgen", BOTH, module(
    'async function init(u){if(u===undefined)u=new URL("core_bg-1a2b3c4d.wasm",import.meta.url);const r=await fetch(u),b=await r.arrayBuffer();return WebAssembly.instantiate(b)}init().then(m=>{if(m.instance.exports.f()===42){' + SHOW + "}});")
    | {"assets/core_bg-1a2b3c4d.wasm": wasm()}, UP, gone="assets/core_bg-1a2b3c4d.wasm", at=("assets/index-B7c8D9e0.js", "core_bg-"))
pair("wasm-emscripten", "capacitor", script(
    'var Module={};function locateFile(p){return Module.locateFile?Module.locateFile(p,""):""+p}var wasmBinaryFile="core.wasm";wasmBinaryFile=locateFile(wasmBinaryFile);'
    'fetch(wasmBinaryFile,{credentials:"same-origin"}).then(r=>{if(!r.ok)throw"failed";return r.arrayBuffer()}).then(b=>WebAssembly.instantiate(b)).then(()=>{' + SHOW + "});")
    | {"core.wasm": wasm()}, UP, gone="core.wasm", at=("app.js", "core.wasm"))
pair("flutter-manifest", STRICT, script(
    'var base=document.querySelector("base")?.getAttribute("href")||"/";fetch(base+"assets/AssetManifest.json").then(r=>r.json()).then(()=>{' + SHOW + "});", '<base href="/">')
    | {"assets/AssetManifest.json": "{}"}, UP, gone="assets/AssetManifest.json")
pair("blazor-boot", STRICT, script('fetch("_framework/blazor.boot.json",{method:"GET",cache:"no-cache"}).then(r=>r.json()).then(()=>{' + SHOW + "});")
     | {"_framework/blazor.boot.json": "{}"}, UP, gone="_framework/blazor.boot.json", at=("app.js", "_framework/"))

# Request libraries.
pair("req-axios-object", "capacitor", script(
    'function axios(c){return fetch((c.baseURL||"")+c.url).then(r=>r.json())}axios({method:"get",url:"/config/app.json"}).then(()=>{' + SHOW + "});")
    | {"config/app.json": "{}"}, UP, gone="config/app.json", at=("app.js", "/config/app.json"))
pair("req-i18n-path", STRICT, module(
    'const o={lng:"en",backend:{loadPath:"/locales/{{lng}}/{{ns}}.json"}};fetch(o.backend.loadPath.replace("{{lng}}",o.lng).replace("{{ns}}","main")).then(r=>r.json()).then(()=>{' + SHOW + "});")
    | {"locales/en/main.json": "{}"}, UP, gone="locales/en/main.json")
pair("req-vite-base-template", BOTH, module('const e="en";fetch(`/locales/${e}.json`).then(r=>r.json()).then(()=>{' + SHOW + "});") | {"locales/en.json": "{}", "locales/de.json": "{}"}, UP, gone="locales/en.json")
pair("req-switch-locale", STRICT, module(
    'const load=e=>{switch(e){case"./de.json":return import("./de-11aa22bb.js");case"./en.json":return import("./en-33cc44dd.js");default:return Promise.reject(new Error("Unknown variable dynamic import: "+e))}};load(`./${"en"}.json`).then(()=>{' + SHOW + "});")
    | {"assets/de-11aa22bb.js": "", "assets/en-33cc44dd.js": ""}, UP, gone="assets/en-33cc44dd.js", at=("assets/index-B7c8D9e0.js", "./en-33"))
page("req-graphql-relative", BOTH, module('fetch("/graphql",{method:"POST",headers:{"content-type":"application/json"},body:JSON.stringify({query:"{a}"})}).then(r=>r.json()).then(()=>{' + SHOW + "});"), UP,
     ("assets/index-B7c8D9e0.js", "/graphql"), expect="break")
page("req-api-const-base", "capacitor", module('const n="/api/v2",r=(e)=>fetch(n+e).then(t=>t.json());r("/me").then(()=>{' + SHOW + "});"), UP, ("assets/index-B7c8D9e0.js", "/api/v2"), expect="break")
page("req-api-window-origin", STRICT, module('const n=window.location.origin+"/api";fetch(`${n}/me`).then(t=>t.json()).then(()=>{' + SHOW + "});"), UP, expect="break")
trap("req-offline-first", BOTH, module('async function me(){try{return await(await fetch("/api/me")).json()}catch(e){return JSON.parse(localStorage.getItem("me")||"null")}}me().then(()=>{' + SHOW + "});"), UP, advice="a request that fails, as it may")
trap("req-swr-hook", "capacitor", module('const f=e=>fetch(e).then(t=>t.json());const u=k=>f(k).catch(()=>({data:void 0}));u("/api/session").then(()=>{' + SHOW + "});"), UP, advice="a request that fails, as it may")
trap("req-health-finally", STRICT, module('fetch("/healthz").finally(()=>{' + SHOW + "});"), UP, advice="a request that fails, as it may")
trap("req-telemetry-swallowed", BOTH, script('fetch("/telemetry",{method:"POST",body:"{}",keepalive:true}).catch(function(){});' + say()), UP, advice="a request that fails, as it may")
trap("guard-native", BOTH, script('var native=location.protocol.indexOf("http")!==0;if(!native){fetch("/api/me").then(function(r){return r.json()}).then(boot)}else{boot()}function boot(){' + SHOW + "}"), UP)
trap("guard-capacitor-native", "capacitor", script('window.Capacitor={isNativePlatform:function(){return true}};if(!Capacitor.isNativePlatform()){var i=new Image;i.src="/web-only.png"}' + say()), UP, advice="the app's object decides")
trap("guard-ua-wechat", STRICT, script('if(/MicroMessenger/i.test(navigator.userAgent)){var s=document.createElement("script");s.src="/js/jweixin.js";document.head.appendChild(s)}' + say()), UP, latent="another app's browser")
trap("guard-localhost", BOTH, script('if(location.hostname==="127.0.0.1"){var s=document.createElement("script");s.src="/livereload.js";document.head.appendChild(s)}' + say()), UP)
trap("guard-env-production", STRICT, module('const e={MODE:"production",DEV:!1};if(e.DEV){import("/src/mocks/browser.js")}' + say()), UP)
trap("guard-querySelector", STRICT, script('var m=document.querySelector("#map");if(m){m.style.backgroundImage="url(/img/map.png)"}' + say()), UP, latent="the element does not exist")
trap("guard-webgl", STRICT, module('if(!document.createElement("canvas").getContext)import("/assets/no-canvas-0a1b2c3d.js");' + say()), UP)
trap("guard-sw", BOTH, script('if("serviceWorker"in navigator&&location.protocol==="https:"){navigator.serviceWorker.register("/sw.js")}' + say()), UP)

# Policies.
def policy(value, rest=""):
    return f'<meta http-equiv="Content-Security-Policy" content="{value}">{rest}'


pair("pol-none-then-list", STRICT, {"index.html": html(policy("default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'"), ROOM + '<img id="i" src="a.png" alt=""><script src="a.js"></script>'), "a.js": say(), "a.png": png()},
     f"{UP}&&{IMG}", bad={"index.html": html(policy("default-src 'none'; script-src 'self'; style-src 'self'"), ROOM + '<img id="i" src="a.png" alt=""><script src="a.js"></script>')}, at=("index.html", "a.png"))
pair("pol-frame-src", "capacitor", {"index.html": html(policy("default-src 'self'; frame-src 'self'"), '<iframe id="f" src="help.html"></iframe>'), "help.html": html("", "<p>help</p>")},
     "!!$h.sub('#f')&&!!$h.sub('#f').querySelector('p')", bad={"index.html": html(policy("default-src 'self'; frame-src https://pay.example.net"), '<iframe id="f" src="help.html"></iframe>')}, at=("index.html", "help.html"))
pair("pol-wasm", STRICT, {"index.html": html(policy("script-src 'self' 'wasm-unsafe-eval'"), ROOM + '<script src="a.js"></script>'), "a.js": 'fetch("a.wasm").then(r=>r.arrayBuffer()).then(b=>WebAssembly.instantiate(b)).then(()=>{' + SHOW + "})", "a.wasm": wasm()}, UP,
     bad={"index.html": html(policy("script-src 'self'"), ROOM + '<script src="a.js"></script>')}, at=("a.js", "WebAssembly"))
pair("pol-worker-blob", "capacitor", {"index.html": html(policy("default-src 'self' 'unsafe-inline'; worker-src 'self' blob:"), ROOM + '<script src="a.js"></script>'),
     "a.js": 'var w=new Worker(URL.createObjectURL(new Blob(["postMessage(1)"],{type:"text/javascript"})));w.onmessage=function(){' + SHOW + "};"}, UP,
     bad={"index.html": html(policy("default-src 'self' 'unsafe-inline'"), ROOM + '<script src="a.js"></script>')}, at=("a.js", "new Worker"))
pair("pol-style-emotion", STRICT, {"index.html": html(policy("style-src 'self' 'unsafe-inline'; script-src 'self'"), '<div id="box"></div><script src="a.js"></script>'),
     "a.js": 'var s=document.createElement("style");s.setAttribute("data-emotion","css");document.head.appendChild(s);s.appendChild(document.createTextNode("#box{width:60px;height:8px}"));'}, BOX,
     bad={"index.html": html(policy("style-src 'self'; script-src 'self'"), '<div id="box"></div><script src="a.js"></script>')}, at=("a.js", 'createElement("style")'))
pair("pol-font-data", "capacitor", {"index.html": html(policy("default-src 'self'; font-src 'self' data:; style-src 'self'"), '<link rel="stylesheet" href="a.css"><p style="">A</p>').replace(' style=""', ""),
     "a.css": "@font-face{font-family:F;src:url(data:font/woff2;base64," + __import__("base64").b64encode(font()).decode() + ")}p{font-family:F}"}, "$h.font('F')",
     bad={"index.html": html(policy("default-src 'self'; style-src 'self'"), '<link rel="stylesheet" href="a.css"><p>A</p>')})
pair("pol-new-function-template", STRICT, {"index.html": html(policy("script-src 'self' 'unsafe-eval'"), ROOM + '<script src="vue.js"></script>'), "vue.js": 'var c=new Function("return 1");c();' + say()}, UP,
     bad={"index.html": html(policy("script-src 'self'"), ROOM + '<script src="vue.js"></script>')}, at=("vue.js", "new Function"))
trap("pol-eval-guarded", STRICT, {"index.html": html(policy("script-src 'self'"), ROOM + '<script src="a.js"></script>'), "a.js": 'var g;try{g=g||new Function("return this")()}catch(e){"object"==typeof window&&(g=window)}' + say()}, UP)
trap("pol-upgrade", BOTH, {"index.html": html(policy("upgrade-insecure-requests; block-all-mixed-content"), ROOM + '<script src="a.js"></script>'), "a.js": say()}, UP)
trap("pol-cordova-default", "cordova", {"index.html": html(policy("default-src 'self' data: https://ssl.gstatic.com 'unsafe-eval'; style-src 'self' 'unsafe-inline'; media-src *; img-src 'self' data: content:;"), ROOM + '<script src="js/index.js"></script>'), "js/index.js": say()}, UP)

# Markup and styles.
pair("mk-picture-art", BOTH, {"index.html": html("", '<picture><source media="(max-width: 600px)" srcset="/img/s.png"><img id="i" src="/img/l.png" alt=""></picture>'), "img/s.png": png(), "img/l.png": png(9)}, IMG, gone="img/s.png", at=("index.html", "/img/s.png"))
trap("mk-picture-print", STRICT, {"index.html": html("", '<picture><source media="print" srcset="/img/p.png"><img id="i" src="/img/l.png" alt=""></picture>'), "img/l.png": png(9)}, IMG, latent="for print alone")
pair("mk-input-image", "capacitor", {"index.html": html("", '<form action="#"><input id="i" type="image" src="img/go.png" alt="Go"></form>'), "img/go.png": png()}, needs=["go.png"], gone="img/go.png", at=("index.html", "img/go.png"))
pair("mk-poster", STRICT, {"index.html": html("", '<video poster="img/poster.png" width="90" height="60" controls></video>'), "img/poster.png": png()}, needs=["poster.png"], gone="img/poster.png", at=("index.html", "img/poster"))
pair("mk-css-layer-import", BOTH, {"index.html": html('<link rel="stylesheet" href="css/main.css">', '<div id="box"></div>'), "css/main.css": '@layer base,theme;@import "box.css" layer(base);', "css/box.css": BOX_CSS}, BOX, gone="css/box.css", at=("css/main.css", "box.css"))
pair("mk-css-mask", "capacitor", {"index.html": html('<link rel="stylesheet" href="css/main.css">', '<i class="ico"></i>'), "css/main.css": ".ico{display:block;width:9px;height:9px;-webkit-mask:url(../img/m.svg) no-repeat;background:red}", "img/m.svg": svg()}, needs=["m.svg"], gone="img/m.svg", at=("css/main.css", "../img/m.svg"))
trap("mk-css-ie-filter", STRICT, {"index.html": html('<link rel="stylesheet" href="a.css">', '<div id="box"></div>'), "a.css": BOX_CSS + "#box{*background:url(ie.png);filter:progid:DXImageTransform.Microsoft.AlphaImageLoader(src='ie.png')}"}, BOX)
trap("mk-css-moz-only", STRICT, {"index.html": html('<link rel="stylesheet" href="a.css">', '<div id="box"></div>'), "a.css": BOX_CSS + "@-moz-document url-prefix(){#box{background:url(moz.png)}}"}, BOX, latent="for another engine")
trap("mk-css-supports-not", BOTH, {"index.html": html('<link rel="stylesheet" href="a.css">', '<div id="box"></div>'), "a.css": BOX_CSS + "@supports not (display:grid){#box{background:url(old.png)}}"}, BOX, latent="for engines without grid")
trap("mk-css-dark", STRICT, {"index.html": html('<link rel="stylesheet" href="a.css">', '<div id="box"></div>'), "a.css": BOX_CSS + "@media (prefers-color-scheme:dark){#box{background:url(dark.png)}}"}, BOX, latent="in dark mode only")
trap("mk-noscript-pixel", BOTH, {"index.html": html("", ROOM + '<noscript><img src="/track.gif" alt=""></noscript><script src="a.js"></script>'), "a.js": say()}, UP)
trap("mk-link-alternate", STRICT, {"index.html": html('<link rel="alternate" type="application/rss+xml" href="/feed.xml"><link rel="search" type="application/opensearchdescription+xml" href="/osd.xml"><link rel="mask-icon" href="/pin.svg" color="#000">', ROOM + '<script src="a.js"></script>'), "a.js": say()}, UP, latent="links that nobody follows")
trap("mk-jsonld-image", BOTH, {"index.html": html('<script type="application/ld+json">{"@context":"https://schema.org","@type":"Product","image":"/img/p.jpg"}</script>', ROOM + '<script src="a.js"></script>'), "a.js": say()}, UP)
trap("mk-text-template", STRICT, {"index.html": html("", ROOM + '<script type="text/x-handlebars" id="t"><img src="/img/{{id}}.png"></script><script src="a.js"></script>'), "a.js": say()}, UP)
trap("mk-video-sources", "capacitor", {"index.html": html("", ROOM + '<video preload="none" width="9" height="9"><source src="v.ogv" type="video/ogg"><source src="v.mp4" type="video/mp4"></video><script src="a.js"></script>'), "a.js": say(), "v.mp4": b"\0\0\0\x18ftypmp42"}, UP, latent="a type that is skipped")
trap("mk-img-onerror", BOTH, {"index.html": html("", '<img id="i" src="/img/avatar-77.png" onerror="this.onerror=null;this.src=\'/img/none.png\'" alt="">'), "img/none.png": png()}, IMG, latent="replaced when it fails")
trap("mk-details-closed", STRICT, {"index.html": html("", ROOM + '<template id="t"><img src="/img/later.png"></template><script src="a.js"></script>'), "a.js": say()}, UP, latent="a template that nobody uses")
