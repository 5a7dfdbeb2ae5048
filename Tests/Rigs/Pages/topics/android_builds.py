"""Android: builds of frameworks and bundlers, as served by each handler, with a file missing or another base."""
from pages import ANDROID, BOX_CSS, UP, android_pages, font, html, page, pair, png, svg, trap, wasm

ROOM = '<div id="app"></div>'
ROOTED = "capacitor-android cordova-android intercept"
SHOW = 'document.getElementById("app").textContent="up"'
IMG = "$h.img('#i')"


def build(name, profiles, files, gone, at, probe=UP, **others):
    android_pages(pair, "a-build-" + name, profiles, files, probe, gone=gone, at=at, **others)


# Vite 5 to 7: preload helper with the base, lazy routes with style sheets, workers, assets, legacy.
VITE = """const __vite__mapDeps=(i,m=__vite__mapDeps,d=(m.f||(m.f=["assets/Cart-C1x2Y3z4.js","assets/Cart-D5e6F7g8.css"])))=>i.map(i=>d[i]);
(function(){const t=document.createElement("link").relList;if(t&&t.supports&&t.supports("modulepreload"))return})();
const s="modulepreload",f=function(e){return"$ROOT"+e},h={},k=function(n,r){let t=Promise.resolve();if(r&&r.length>0){
t=Promise.allSettled(r.map(e=>{if(e=f(e),e in h)return;h[e]=!0;const l=e.endsWith(".css"),c=document.createElement("link");
if(c.rel=l?"stylesheet":s,l||(c.as="script"),c.crossOrigin="",c.href=e,document.head.appendChild(c),l)return new Promise((a,b)=>{
c.addEventListener("load",a),c.addEventListener("error",()=>b(new Error(`Unable to preload CSS for ${e}`)))})}))}
return t.then(e=>{for(const o of e||[])if(o.status==="rejected")throw o.reason;return n()})};
k(()=>import("./Cart-C1x2Y3z4.js"),__vite__mapDeps([0,1])).then(m=>m.default());
"""
vite = {"index.html": html('<script type="module" crossorigin src="$ROOTassets/index-B1a2C3d4.js"></script><link rel="stylesheet" crossorigin href="$ROOTassets/index-E1f2G3h4.css">', ROOM),
        "assets/index-B1a2C3d4.js": VITE, "assets/index-E1f2G3h4.css": BOX_CSS, "assets/Cart-C1x2Y3z4.js": f"const a=()=>{{{SHOW}}};export{{a as default}};", "assets/Cart-D5e6F7g8.css": BOX_CSS}
build("vite-js", ANDROID, vite, "assets/Cart-C1x2Y3z4.js", ("assets/index-B1a2C3d4.js", "./Cart-C1x2Y3z4.js"))
build("vite-css", ANDROID, vite, "assets/Cart-D5e6F7g8.css", ("assets/index-B1a2C3d4.js", "assets/Cart-D5e6F7g8.css"))
page("a-build-vite-base-missing", "asset-loader", {name.replace("$ROOT", ""): text.replace("$ROOT", "/" if "Deps" in text else "/assets/") for name, text in vite.items()}, UP,
     ("assets/index-B1a2C3d4.js", "assets/Cart-D5e6F7g8.css"), expect="break")
build("vite-relative-url", ANDROID, {"index.html": html('<script type="module" crossorigin src="./assets/index-1.js"></script>', ROOM),
      "assets/index-1.js": 'const a=""+new URL("hero-Bk2Jd9Qa.png",import.meta.url).href,i=document.createElement("img");i.id="i";i.src=a;document.body.append(i);', "assets/hero-Bk2Jd9Qa.png": png()},
      "assets/hero-Bk2Jd9Qa.png", ("assets/index-1.js", "hero-Bk2Jd9Qa.png"), IMG)
build("vite-worker", ROOTED, {"index.html": html('<script type="module" crossorigin src="/assets/index-1.js"></script>', ROOM), "assets/index-1.js":
      'const w=new Worker(new URL("/assets/sum-9f8e.js",import.meta.url),{type:"module"});w.onmessage=e=>{' + SHOW + "};w.postMessage(1);", "assets/sum-9f8e.js": "onmessage=e=>postMessage(e.data)"},
      "assets/sum-9f8e.js", ("assets/index-1.js", "/assets/sum-9f8e.js"))
build("vite-worker-inline-fallback", "asset-loader", {"index.html": html('<script type="module" crossorigin src="./assets/index-1.js"></script>', ROOM), "assets/index-1.js":
      'function W(o){return new Worker(""+new URL("sum-9f8e.js",import.meta.url).href,{name:o?.name})}const w=new W;w.onmessage=e=>{' + SHOW + "};w.postMessage(1);", "assets/sum-9f8e.js": "onmessage=e=>postMessage(e.data)"},
      "assets/sum-9f8e.js", ("assets/index-1.js", "sum-9f8e.js"))
build("vite-wasm-init", ROOTED, {"index.html": html('<script type="module" crossorigin src="/assets/index-1.js"></script>', ROOM), "assets/index-1.js":
      'const i=async(o={},t)=>{let e;if(t.startsWith("data:")){}else{const r=await fetch(t),n=r.headers.get("Content-Type")||"";if("instantiateStreaming"in WebAssembly&&n.startsWith("application/wasm"))e=await WebAssembly.instantiateStreaming(r,o);else{const a=await r.arrayBuffer();e=await WebAssembly.instantiate(a,o)}}return e.instance},l="/assets/sum-AbCd.wasm";i({},l).then(e=>{e.exports.f();' + SHOW + "});",
      "assets/sum-AbCd.wasm": wasm()}, "assets/sum-AbCd.wasm", ("assets/index-1.js", "/assets/sum-AbCd.wasm"))
build("vite-glob", ANDROID, {"index.html": html('<script type="module" crossorigin src="./assets/index-1.js"></script>', ROOM), "assets/index-1.js":
      'const p=Object.assign({"./locales/de.json":()=>import("./de-a1b2.js"),"./locales/en.json":()=>import("./en-c3d4.js")});p["./locales/en.json"]().then(()=>{' + SHOW + "});", "assets/de-a1b2.js": "", "assets/en-c3d4.js": ""},
      "assets/en-c3d4.js", ("assets/index-1.js", "./en-c3d4.js"))
build("vite-legacy", "capacitor-android cordova-android", {"index.html": html('<script type="module">import.meta.url;window.__vite_is_modern_browser=true;</script><script type="module" crossorigin src="/assets/index-1.js"></script>',
      ROOM + '<script nomodule crossorigin src="/assets/polyfills-legacy-2.js"></script>'), "assets/index-1.js": SHOW, "assets/polyfills-legacy-2.js": ""}, "assets/index-1.js", ("index.html", "/assets/index-1.js"))

# webpack 5: automatic public path, fixed public path, style sheets, assets.
AUTO = """(()=>{"use strict";var e={},t={};function r(o){var n=t[o];if(void 0!==n)return n.exports;var a=t[o]={exports:{}};return e[o](a,a.exports,r),a.exports}
r.m=e,r.f={},r.e=e=>Promise.all(Object.keys(r.f).reduce((t,o)=>(r.f[o](e,t),t),[])),r.u=e=>e+"."+{121:"8c9d0e1f"}[e]+".js",r.g=globalThis,
r.o=(e,t)=>Object.prototype.hasOwnProperty.call(e,t),r.l=(e,t)=>{var o=document.createElement("script");o.src=e,o.onload=o.onerror=t,document.head.appendChild(o)},
PUBLIC,(()=>{var e={792:0};r.f.j=(t,o)=>{var n=r.o(e,t)?e[t]:void 0;if(0!==n)if(n)o.push(n[2]);else{var a=new Promise((r,o)=>n=e[t]=[r,o]);o.push(n[2]=a);
r.l(r.p+r.u(t),o=>{if(r.o(e,t)&&0!==(n=e[t])&&(e[t]=void 0,n))n[1](new Error("Loading chunk "+t+" failed."))})}};
var t=(t,o)=>{var n,a,[i,l]=o;for(n in l)r.m[n]=l[n];for(;i.length;)a=i.shift(),r.o(e,a)&&e[a]&&e[a][0](),e[a]=0},o=self.webpackChunkshop=self.webpackChunkshop||[];o.forEach(t.bind(null,0)),o.push=t.bind(null,o.push.bind(o))})();
r.e(121).then(r.bind(r,121)).then(t=>t.a())})();
"""
SCRIPT_URL = """(()=>{var e;r.g.importScripts&&(e=r.g.location+"");var t=r.g.document;if(!e&&t&&(t.currentScript&&"SCRIPT"===t.currentScript.tagName.toUpperCase()&&(e=t.currentScript.src),!e)){var o=t.getElementsByTagName("script");if(o.length)for(var n=o.length-1;n>-1&&(!e||!/^http(s?):/.test(e));)e=o[n--].src}
if(!e)throw new Error("Automatic publicPath is not supported in this browser");e=e.replace(/^blob:/,"").replace(/#.*$/,"").replace(/\\?.*$/,"").replace(/\\/[^\\/]+$/,"/"),r.p=e})()"""
CHUNK = '"use strict";(self.webpackChunkshop=self.webpackChunkshop||[]).push([[121],{121:(e,t,r)=>{e.exports={a:()=>{' + SHOW + "}}}}]);"
for name, profiles, public in (("auto", ANDROID, SCRIPT_URL), ("fixed", ANDROID, 'r.p="$ROOTjs/"'), ("relative", "asset-loader intercept", 'r.p="js/"'), ("origin", "intercept capacitor-android", 'r.p=location.origin+"/js/"')):
    build("webpack-" + name, profiles, {"index.html": html('<script defer="defer" src="$ROOTjs/main.4a5b6c7d.js"></script>', ROOM), "js/main.4a5b6c7d.js": AUTO.replace("PUBLIC", public), "js/121.8c9d0e1f.js": CHUNK},
          "js/121.8c9d0e1f.js", ("js/main.4a5b6c7d.js", 'e+"."+{121:"8c9d0e1f"}'))
for name, public in (("root", 'r.p="/js/"'), ("host", 'r.p="https://www.example.com/js/"')):
    page("a-build-webpack-wrong-" + name, "asset-loader", {"index.html": html('<script defer="defer" src="js/main.4a5b6c7d.js"></script>', ROOM), "js/main.4a5b6c7d.js": AUTO.replace("PUBLIC", public), "js/121.8c9d0e1f.js": CHUNK}, UP,
         ("js/main.4a5b6c7d.js", '"/js/"' if name == "root" else '"https://www'), expect="break")
build("webpack-asset", ROOTED, {"index.html": html('<script defer src="/main.js"></script>', ROOM), "main.js": '(()=>{var r={p:"/"};const t=r.p+"images/hero.3f2a1b.png";var i=new Image;i.id="i";i.src=t;document.body.appendChild(i)})();', "images/hero.3f2a1b.png": png()},
      "images/hero.3f2a1b.png", ("main.js", "images/hero.3f2a1b.png"), IMG)
build("vue-cli", ROOTED, {"index.html": html('<link href="/js/about.1c2d3e4f.js" rel="prefetch"><link href="/css/app.5a6b7c8d.css" rel="preload" as="style"><link href="/js/app.9e0f1a2b.js" rel="preload" as="script"><link href="/css/app.5a6b7c8d.css" rel="stylesheet">',
      ROOM + '<script src="/js/chunk-vendors.3c4d5e6f.js"></script><script src="/js/app.9e0f1a2b.js"></script>'), "js/about.1c2d3e4f.js": "", "css/app.5a6b7c8d.css": BOX_CSS,
      "js/chunk-vendors.3c4d5e6f.js": '(window["webpackJsonp"]=window["webpackJsonp"]||[]).push([["chunk-vendors"],{a:1}]);', "js/app.9e0f1a2b.js": "window.webpackJsonp[0];" + SHOW}, "js/chunk-vendors.3c4d5e6f.js", ("index.html", "/js/chunk-vendors.3c4d5e6f.js"))
build("cra", ROOTED, {"index.html": '<!doctype html><html lang="en"><head><meta charset="utf-8"/><link rel="icon" href="/favicon.ico"/><meta name="viewport" content="width=device-width,initial-scale=1"/><link rel="apple-touch-icon" href="/logo192.png"/><link rel="manifest" href="/manifest.json"/><title>React App</title><script defer="defer" src="/static/js/main.1a2b3c4d.js"></script><link href="/static/css/main.5e6f7a8b.css" rel="stylesheet"></head><body><noscript>You need to enable JavaScript to run this app.</noscript><div id="app"></div></body></html>',
      "favicon.ico": png(), "logo192.png": png(), "manifest.json": '{"icons":[{"src":"favicon.ico"}]}', "static/js/main.1a2b3c4d.js": SHOW, "static/css/main.5e6f7a8b.css": BOX_CSS}, "static/js/main.1a2b3c4d.js", ("index.html", "/static/js/main.1a2b3c4d.js"))
page("a-build-cra-no-homepage", "asset-loader", {"index.html": html('<script defer="defer" src="/static/js/main.1a2b3c4d.js"></script>', ROOM), "static/js/main.1a2b3c4d.js": SHOW}, UP, ("index.html", "/static/js/main"), expect="break")
page("a-build-cra-homepage", "asset-loader", {"index.html": html('<script defer="defer" src="./static/js/main.1a2b3c4d.js"></script>', ROOM), "static/js/main.1a2b3c4d.js": SHOW}, UP, expect="work")
build("cra-chunk", ROOTED, {"index.html": html('<script defer src="/static/js/main.js"></script>', ROOM), "static/js/main.js": AUTO.replace("PUBLIC", 'r.p="/"').replace('e+"."+{121:"8c9d0e1f"}[e]+".js"', '"static/js/"+e+"."+{121:"8c9d0e1f"}[e]+".chunk.js"'), "static/js/121.8c9d0e1f.chunk.js": CHUNK},
      "static/js/121.8c9d0e1f.chunk.js", ("static/js/main.js", '"static/js/"+e'))

# esbuild, Rollup, Parcel.
build("esbuild-split", ANDROID, {"index.html": html('<script type="module" src="main.js"></script>', ROOM), "main.js": 'import{a as o}from"./chunk-7YQ2WQJS.js";var e=async()=>{let{b:t}=await import("./lazy-L4X5MZ2T.js");t(o)};e();', "chunk-7YQ2WQJS.js": "var a=1;export{a};",
      "lazy-L4X5MZ2T.js": "function b(){" + SHOW + "}export{b};"}, "lazy-L4X5MZ2T.js", ("main.js", "./lazy-L4X5MZ2T.js"))
build("esbuild-file-loader", ROOTED, {"index.html": html('<script src="/app.js" defer></script>', ROOM), "app.js": '(()=>{var o="/logo-QK2JD9QA.svg";var i=new Image;i.id="i";i.src=o;document.body.append(i)})();', "logo-QK2JD9QA.svg": svg()}, "logo-QK2JD9QA.svg", ("app.js", "/logo-QK2JD9QA.svg"), IMG)
build("rollup-url", "asset-loader intercept", {"index.html": html('<script type="module" src="main.js"></script>', ROOM), "main.js": 'const a=new URL("data-4f3a.json",import.meta.url).href;fetch(a).then(r=>r.json()).then(()=>{' + SHOW + "});", "data-4f3a.json": "{}"}, "data-4f3a.json", ("main.js", "data-4f3a.json"))
build("rollup-systemjs", "capacitor-android intercept", {"index.html": html("", ROOM + '<script>window.System={m:{},import:function(u){var s=document.createElement("script");s.src=u;document.head.appendChild(s)},register:function(d,f){f(function(){},{}).execute()}};System.import("./main-legacy-1a.js")</script>'),
      "main-legacy-1a.js": "System.register([],(function(e){'use strict';return{execute:function(){" + SHOW + "}}}));"}, "main-legacy-1a.js", ("index.html", "./main-legacy-1a.js"))
build("parcel-bundle-url", ANDROID, {"index.html": html('<script type="module" src="index.7f8a.js"></script>', ROOM), "index.7f8a.js": 'var e=globalThis,t={};var a=new URL("logo.c0ffee.png",import.meta.url).toString();var i=new Image;i.id="i";i.src=a;document.body.append(i);', "logo.c0ffee.png": png()},
      "logo.c0ffee.png", ("index.7f8a.js", "logo.c0ffee.png"), IMG)
build("parcel-root", ROOTED, {"index.html": html('<link rel="stylesheet" href="/index.6d5e.css"><script type="module" src="/index.7f8a.js"></script>', ROOM), "index.7f8a.js": SHOW, "index.6d5e.css": BOX_CSS}, "index.7f8a.js", ("index.html", "/index.7f8a.js"))

# Angular, Ember, Gatsby, Next, Nuxt, SvelteKit, Astro.
NG = {"index.html": '<!doctype html><html lang="en" data-beasties-container><head><meta charset="utf-8"><title>Shop</title><base href="$BASE"><meta name="viewport" content="width=device-width,initial-scale=1"><link rel="icon" type="image/x-icon" href="favicon.ico"><link rel="stylesheet" href="styles-5INURTSO.css"></head><body><app-root id="app"></app-root><link rel="modulepreload" href="chunk-ABCD1234.js"><script src="polyfills-FFHMD2TL.js" type="module"></script><script src="main-QWERTY12.js" type="module"></script></body></html>',
      "favicon.ico": png(), "styles-5INURTSO.css": BOX_CSS, "chunk-ABCD1234.js": "const a=1;export{a};", "polyfills-FFHMD2TL.js": "", "main-QWERTY12.js": 'import{a}from"./chunk-ABCD1234.js";' + SHOW}
for profile in ANDROID.split():
    android_pages(page, "a-build-angular-base-root", profile, NG | {"index.html": NG["index.html"].replace("$BASE", "/")}, UP, ("index.html", "main-QWERTY12.js") if profile == "asset-loader" else (),
                  expect="break" if profile == "asset-loader" else "work")
build("angular-base", ANDROID, NG | {"index.html": NG["index.html"].replace("$BASE", "$ROOT")}, "chunk-ABCD1234.js", ("main-QWERTY12.js", "./chunk-ABCD1234.js"))
build("angular-base-dot", "asset-loader capacitor-android", NG | {"index.html": NG["index.html"].replace("$BASE", "./")}, "main-QWERTY12.js", ("index.html", "main-QWERTY12.js"))
build("angular-lazy", ROOTED, {"index.html": html('<base href="/"><script src="main-QWERTY12.js" type="module"></script>', ROOM), "main-QWERTY12.js": 'var r=[{path:"",loadComponent:()=>import("./chunk-LAZY5678.js").then(e=>e.C)}];r[0].loadComponent().then(c=>c());', "chunk-LAZY5678.js": "var C=()=>{" + SHOW + "};export{C};"},
      "chunk-LAZY5678.js", ("main-QWERTY12.js", "./chunk-LAZY5678.js"))
build("ember", ROOTED, {"index.html": html('<meta name="shop/config/environment" content="%7B%22modulePrefix%22%3A%22shop%22%2C%22rootURL%22%3A%22%2F%22%2C%22locationType%22%3A%22hash%22%7D"><link integrity="" rel="stylesheet" href="/assets/vendor-d41d8.css">', ROOM + '<script src="/assets/vendor-1a2b.js"></script><script src="/assets/shop-3c4d.js"></script>'),
      "assets/vendor-d41d8.css": "", "assets/vendor-1a2b.js": "var define=function(n,d,f){f()};", "assets/shop-3c4d.js": '"use strict";define("shop/app",[],function(){' + SHOW + "});"}, "assets/vendor-1a2b.js", ("index.html", "/assets/vendor-1a2b.js"))
build("gatsby", ROOTED, {"index.html": html('<link as="script" rel="preload" href="/app-1a2b.js"><script>window.pagePath="/";window.___chunkMapping={"app":["/app-1a2b.js"]};</script>', ROOM + '<script src="/app-1a2b.js" async></script>'),
      "app-1a2b.js": 'fetch("/page-data/index/page-data.json").then(r=>r.json()).then(d=>{' + SHOW + "});", "page-data/index/page-data.json": '{"componentChunkName":"c","path":"/"}'}, "page-data/index/page-data.json", ("app-1a2b.js", "/page-data/index/page-data.json"))
NEXT = {"index.html": html('<link rel="preload" href="/_next/static/css/1a2b.css" as="style"/><link rel="stylesheet" href="/_next/static/css/1a2b.css" data-n-g=""/><script defer="" nomodule="" src="/_next/static/chunks/polyfills-c67a.js"></script><script src="/_next/static/chunks/webpack-3c4d.js" defer=""></script><script src="/_next/static/chunks/main-5e6f.js" defer=""></script><script src="/_next/static/chunks/pages/index-7a8b.js" defer=""></script><script src="/_next/static/bUiLd/_buildManifest.js" defer=""></script>',
                           '<div id="__next"></div>' + ROOM + '<script id="__NEXT_DATA__" type="application/json">{"props":{"pageProps":{}},"page":"/","query":{},"buildId":"bUiLd","nextExport":true}</script>'),
        "_next/static/css/1a2b.css": BOX_CSS, "_next/static/chunks/polyfills-c67a.js": "", "_next/static/chunks/webpack-3c4d.js": "self.__webpack_require__={p:'/_next/'};", "_next/static/chunks/main-5e6f.js": "self.start=function(){" + SHOW + "};",
        "_next/static/chunks/pages/index-7a8b.js": "(self.webpackChunk_N_E=self.webpackChunk_N_E||[]).push([[405],{}]);self.start();", "_next/static/bUiLd/_buildManifest.js": "self.__BUILD_MANIFEST={};"}
build("next-export", ROOTED, NEXT, "_next/static/chunks/main-5e6f.js", ("index.html", "/_next/static/chunks/main-5e6f.js"))
page("a-build-next-export-assets", "asset-loader", NEXT, UP, ("index.html", "/_next/static/chunks/main"), expect="break")
for profile in ROOTED.split():
    android_pages(page, "a-build-next-link", profile, {"index.html": html("", '<a id="a" href="/about">About</a>'), "about.html": html("", '<h1 id="about">About</h1>')}, "document.getElementById('about')",
                  action="document.getElementById('a').click()", at=("index.html", "/about"), expect="break")
    android_pages(page, "a-build-next-image", profile, {"index.html": html("", '<img id="i" alt="" srcset="/_next/image?url=%2Fhero.png&amp;w=640&amp;q=75 1x" src="/_next/image?url=%2Fhero.png&amp;w=640&amp;q=75">'), "hero.png": png()}, IMG,
                  ("index.html", "/_next/image"), expect="break")
build("next-data", "intercept cordova-android", {"index.html": html('<script src="/_next/static/chunks/main.js" defer></script>', ROOM), "_next/static/chunks/main.js": 'fetch("/_next/data/bUiLd/about.json").then(r=>{if(!r.ok)throw new Error("Failed to load static props");return r.json()}).then(()=>{' + SHOW + "});",
      "_next/data/bUiLd/about.json": '{"pageProps":{}}'}, "_next/data/bUiLd/about.json", ("_next/static/chunks/main.js", "/_next/data/bUiLd/about.json"))
build("next-app-router", "capacitor-android intercept", {"index.html": html('<script src="/_next/static/chunks/main-app-1.js" async></script>', ROOM + '<script>(self.__next_f=self.__next_f||[]).push([0])</script>'), "_next/static/chunks/main-app-1.js":
      'fetch("/about.txt?_rsc=1a2b",{headers:{RSC:"1"}}).then(r=>r.text()).then(t=>{if(/^1:/.test(t))' + SHOW + "});", "about.txt": "1:I[1]\n"}, "about.txt", ("_next/static/chunks/main-app-1.js", "/about.txt"))
NUXT = {"index.html": html('<link rel="modulepreload" as="script" crossorigin href="/_nuxt/DzP1.js"><script type="module" src="/_nuxt/DzP1.js" crossorigin></script>', ROOM + '<div id="__nuxt"></div><script>window.__NUXT__={};window.__NUXT__.config={public:{},app:{baseURL:"/",buildId:"b1",buildAssetsDir:"/_nuxt/",cdnURL:""}}</script>'),
        "_nuxt/DzP1.js": 'const c=window.__NUXT__.config.app;import("./index-Cq2.js").then(m=>m.default());fetch(c.baseURL+"_nuxt/builds/meta/"+c.buildId+".json").catch(()=>{});', "_nuxt/index-Cq2.js": "const d=()=>{" + SHOW + "};export{d as default};", "_nuxt/builds/meta/b1.json": '{"id":"b1"}'}
build("nuxt-generate", ROOTED, NUXT, "_nuxt/index-Cq2.js", ("_nuxt/DzP1.js", "./index-Cq2.js"))
build("nuxt-payload", ROOTED, {"index.html": html('<link rel="preload" as="fetch" crossorigin="anonymous" href="/_payload.json?b1"><script type="module" src="/_nuxt/a.js"></script>', ROOM), "_nuxt/a.js": 'fetch("/_payload.json?b1").then(r=>r.json()).then(()=>{' + SHOW + "});", "_payload.json": "[]"},
      "_payload.json", [("_nuxt/a.js", "/_payload.json"), ("index.html", "/_payload.json")])
KIT = {"index.html": html('<link rel="modulepreload" href="$ROOT_app/immutable/entry/start.B1.js">', ROOM + '<script>{__sveltekit_1a2b={base:"$BASE"};Promise.all([import("$ROOT_app/immutable/entry/start.B1.js"),import("$ROOT_app/immutable/entry/app.C2.js")]).then(([kit,app])=>{kit.start(app)})}</script>'),
       "_app/immutable/entry/start.B1.js": "function start(e){e.root()}export{start};", "_app/immutable/entry/app.C2.js": 'const root=()=>import("../nodes/0.D3.js").then(m=>m.component());export{root};', "_app/immutable/nodes/0.D3.js": "const component=()=>{" + SHOW + "};export{component};", "_app/version.json": '{"version":"1"}'}
build("sveltekit-static", ANDROID, KIT, "_app/immutable/nodes/0.D3.js", ("_app/immutable/entry/app.C2.js", "../nodes/0.D3.js"))
page("a-build-sveltekit-version", "intercept", {"index.html": html('<script type="module" src="/app.js"></script>', ROOM), "app.js": 'const c=async()=>{try{const r=await fetch("/_app/version.json",{headers:{pragma:"no-cache","cache-control":"no-cache"}});if(!r.ok)return!1}catch{return!1}};c();' + SHOW}, UP, expect="work",
     latent="the version check fails quietly")
build("astro-island", ROOTED, {"index.html": html("", ROOM + '<script>customElements.define("astro-island",class extends HTMLElement{async connectedCallback(){const[m]=await Promise.all([import(this.getAttribute("component-url")),import(this.getAttribute("renderer-url"))]);m.default()}})</script><astro-island component-url="/_astro/Cart.B1.js" renderer-url="/_astro/client.C2.js" client="load" ssr></astro-island>'),
      "_astro/Cart.B1.js": "const d=()=>{" + SHOW + "};export{d as default};", "_astro/client.C2.js": "export default 1;"}, "_astro/client.C2.js", ("index.html", "/_astro/client.C2.js"))

# Ionic and Stencil, Quasar, Expo, Flutter.
build("stencil-lazy", "capacitor-android asset-loader intercept", {"index.html": html('<script type="module" src="build/app.esm.js"></script>', ROOM + "<app-root></app-root>"), "build/app.esm.js": 'import{b}from"./p-1a2b3c4d.js";b([["p-5e6f7a8b",[[1,"app-root"]]]]);',
      "build/p-1a2b3c4d.js": "const b=t=>t.forEach(([n])=>import(`./${n}.entry.js`).then(m=>m.app_root()));export{b};", "build/p-5e6f7a8b.entry.js": "const app_root=()=>{" + SHOW + "};export{app_root};"}, "build/p-5e6f7a8b.entry.js", ("build/app.esm.js", "p-5e6f7a8b"))
build("ionicons", "capacitor-android cordova-android", {"index.html": html('<script type="module" src="/app.js"></script>', ROOM), "app.js": 'const p=new URL("./svg/cart-outline.svg",import.meta.url).href;fetch(p).then(r=>{if(r.status<=299)return r.text();throw new Error("no icon")}).then(t=>{document.getElementById("app").textContent=/^<svg/.test(t)?"up":"no"});', "svg/cart-outline.svg": svg()},
      "svg/cart-outline.svg", ("app.js", "./svg/cart-outline.svg"))
build("ionic-assets", "capacitor-android", {"index.html": html('<base href="/"><script type="module" src="main.js"></script>', ROOM), "main.js": 'fetch("assets/i18n/en.json").then(r=>r.json()).then(()=>{' + SHOW + "});", "assets/i18n/en.json": "{}"}, "assets/i18n/en.json", ("main.js", "assets/i18n/en.json"))
build("quasar-cordova", "cordova-android", {"index.html": '<!DOCTYPE html><html><head><base href=""><title>Shop</title><meta charset=utf-8><script type="module" crossorigin src="assets/index.1a2b.js"></script></head><body><div id=app></div><script src=cordova.js></script></body></html>', "assets/index.1a2b.js": 'import("./MainLayout.3c4d.js").then(m=>m.default());',
      "assets/MainLayout.3c4d.js": "const d=()=>{" + SHOW + "};export{d as default};"}, "assets/MainLayout.3c4d.js", ("assets/index.1a2b.js", "./MainLayout.3c4d.js"))
build("quasar-webpack", "cordova-android capacitor-android", {"index.html": html('<script defer src="js/vendor.1a.js"></script><script defer src="js/app.2b.js"></script><link href="css/app.3c.css" rel="stylesheet">', '<div id="q-app"></div>' + ROOM), "js/vendor.1a.js": "self.q=1;", "js/app.2b.js": "q;" + SHOW, "css/app.3c.css": ""},
      "js/vendor.1a.js", ("index.html", "js/vendor.1a.js"))
build("expo-web", ROOTED, {"index.html": html('<style id="expo-reset">#root{display:flex}</style><link rel="shortcut icon" href="/favicon.ico"/>', '<div id="root"></div>' + ROOM + '<script src="/_expo/static/js/web/AppEntry-1a2b3c.js" defer></script>'), "favicon.ico": png(), "_expo/static/js/web/AppEntry-1a2b3c.js":
      'var __BUNDLE_START_TIME__=this.nativePerformanceNow?nativePerformanceNow():Date.now();var u={uri:"/assets/assets/icon.4f3a.png"};var i=new Image;i.id="i";i.src=u.uri;document.body.appendChild(i);', "assets/assets/icon.4f3a.png": png()}, "assets/assets/icon.4f3a.png", ("_expo/static/js/web/AppEntry-1a2b3c.js", "/assets/assets/icon.4f3a.png"), IMG)
build("expo-split", "capacitor-android", {"index.html": html('<script src="/_expo/static/js/web/entry-1.js" defer></script>', ROOM), "_expo/static/js/web/entry-1.js": 'var p={12:"/_expo/static/js/web/home-2.js"};function l(u){return new Promise((a,b)=>{var s=document.createElement("script");s.src=u;s.onload=a;s.onerror=b;document.body.appendChild(s)})}l(p[12]).then(()=>{' + SHOW + "});",
      "_expo/static/js/web/home-2.js": "1;"}, "_expo/static/js/web/home-2.js", ("_expo/static/js/web/entry-1.js", "/_expo/static/js/web/home-2.js"))
FLUTTER = {"index.html": '<!DOCTYPE html><html><head><base href="$BASE"><meta charset="UTF-8"><title>shop</title><link rel="manifest" href="manifest.json"></head><body><div id="app"></div><script src="flutter_bootstrap.js" async></script></body></html>', "manifest.json": "{}",
           "flutter_bootstrap.js": '(()=>{var load=u=>{var s=document.createElement("script");s.src=new URL(u,document.baseURI).toString();s.type="application/javascript";document.body.append(s)};var b={builds:[{compileTarget:"dart2js",renderer:"canvaskit",mainJsPath:"main.dart.js"}]};load(b.builds[0].mainJsPath)})();',
           "main.dart.js": 'fetch("assets/AssetManifest.bin.json").then(function(r){if(!r.ok)throw r.status;return r.json()}).then(function(){' + SHOW + "});", "assets/AssetManifest.bin.json": '""'}
for gone, at in (("main.dart.js", ("flutter_bootstrap.js", "main.dart.js")), ("assets/AssetManifest.bin.json", ("main.dart.js", "assets/AssetManifest.bin.json"))):
    build("flutter-" + gone.split("/")[-1].split(".")[0].lower(), ANDROID, FLUTTER | {"index.html": FLUTTER["index.html"].replace("$BASE", "$ROOT")}, gone, at)
page("a-build-flutter-base-root", "asset-loader", FLUTTER | {"index.html": FLUTTER["index.html"].replace("$BASE", "/")}, UP, ("index.html", "flutter_bootstrap.js"), expect="break")
page("a-build-flutter-canvaskit-cdn", "capacitor-android", {"index.html": html("", ROOM + '<script src="main.dart.js"></script>'), "main.dart.js": 'fetch("https://www.gstatic.com/flutter-canvaskit/abc/canvaskit.wasm").then(function(){' + SHOW + "});"}, UP,
     ("main.dart.js", "https://www.gstatic.com"), expect="break", external=True)

# WebAssembly: wasm-bindgen, Emscripten, Unity, Godot, .NET.
build("wasm-bindgen", ANDROID, {"index.html": html("", ROOM + '<script type="module">import init from"./pkg/shop.js";init().then(()=>{' + SHOW + "})</script>"), "pkg/shop.js":
      'async function l(m,i){if(typeof Response==="function"&&m instanceof Response){if(typeof WebAssembly.instantiateStreaming==="function"){try{return await WebAssembly.instantiateStreaming(m,i)}catch(e){if(m.headers.get("Content-Type")!="application/wasm"){console.warn("`WebAssembly.instantiateStreaming` failed")}else throw e}}const b=await m.arrayBuffer();return await WebAssembly.instantiate(b,i)}}\nexport default async function init(p){if(typeof p==="undefined"){p=new URL("shop_bg.wasm",import.meta.url)}return l(await fetch(p),{})}',
      "pkg/shop_bg.wasm": wasm()}, "pkg/shop_bg.wasm", ("pkg/shop.js", "shop_bg.wasm"))
build("emscripten", "cordova-android asset-loader", {"index.html": html("", ROOM + '<script src="app.js"></script>'), "app.js": 'var Module={};var scriptDirectory=document.currentScript.src;scriptDirectory=scriptDirectory.substr(0,scriptDirectory.replace(/[?#].*/,"").lastIndexOf("/")+1);function locateFile(p){return scriptDirectory+p}var f="app.wasm";fetch(locateFile(f),{credentials:"same-origin"}).then(function(r){if(!r.ok)throw"failed to load wasm binary file";return r.arrayBuffer()}).then(function(b){return WebAssembly.instantiate(b,{})}).then(function(){' + SHOW + "});",
      "app.wasm": wasm()}, "app.wasm", ("app.js", "app.wasm"))
build("emscripten-data", "capacitor-android intercept", {"index.html": html("", ROOM + '<script src="app.js"></script>'), "app.js": 'var P="app.data";var x=new XMLHttpRequest;x.open("GET",P,true);x.responseType="arraybuffer";x.onload=function(){if(x.status==200||x.status==304||x.status==206||x.status==0&&x.response){' + SHOW + "}};x.send(null);", "app.data": "abc"}, "app.data", [("app.js", "app.data"), ("app.js", "P,true")])
build("unity", ROOTED, {"index.html": html("", '<canvas id="unity-canvas"></canvas>' + ROOM + '<script>var buildUrl="Build";var loaderUrl=buildUrl+"/shop.loader.js";var config={dataUrl:buildUrl+"/shop.data",frameworkUrl:buildUrl+"/shop.framework.js",codeUrl:buildUrl+"/shop.wasm"};var script=document.createElement("script");script.src=loaderUrl;script.onload=()=>{createUnityInstance(config).then(()=>{' + SHOW + "})};document.body.appendChild(script);</script>"),
      "Build/shop.loader.js": "function createUnityInstance(c){return Promise.all([fetch(c.dataUrl),fetch(c.codeUrl)].map(p=>p.then(r=>{if(!r.ok)throw r.status;return r.arrayBuffer()})))}", "Build/shop.data": "abc", "Build/shop.framework.js": "", "Build/shop.wasm": wasm()}, "Build/shop.data", ("index.html", "/shop.data"))
build("godot", "asset-loader capacitor-android", {"index.html": html("", ROOM + '<script src="index.js"></script><script>const GODOT_CONFIG={"executable":"index","fileSizes":{"index.pck":3,"index.wasm":34}};new Engine(GODOT_CONFIG).startGame()</script>'), "index.js":
      "class Engine{constructor(c){this.c=c}async startGame(){const e=this.c.executable;for(const f of[`${e}.wasm`,`${e}.pck`]){const r=await fetch(f);if(!r.ok)throw new Error(`Failed loading file '${f}'`)}" + SHOW + "}}", "index.wasm": wasm(), "index.pck": "abc"}, "index.pck", ("index.html", "index.pck"))
build("blazor", "capacitor-android", {"index.html": html('<base href="/">', ROOM + '<script src="_framework/blazor.webassembly.js"></script>'), "_framework/blazor.webassembly.js": 'fetch("_framework/blazor.boot.json",{method:"GET",credentials:"include",cache:"no-cache"}).then(r=>r.json()).then(()=>{' + SHOW + "});", "_framework/blazor.boot.json": "{}"},
      "_framework/blazor.boot.json", ("_framework/blazor.webassembly.js", "_framework/blazor.boot.json"), launch="/")

# PWA registrations and Workbox.
REGISTER = 'if("serviceWorker"in navigator){window.addEventListener("load",()=>{navigator.serviceWorker.register("$ROOTsw.js",{scope:"$ROOT"})})}'
SW = ('if(!self.define){let e,s={};const i=(i,n)=>(i=new URL(i+".js",n).href,s[i]||new Promise(s=>{importScripts(i),s()}));self.define=(n,r)=>{Promise.all(n.map(m=>i(m,location.href)))}}define(["./workbox-1a2b3c4d"],function(e){"use strict";self.skipWaiting()});')
for profile in ANDROID.split():
    android_pages(page, "a-build-pwa-register", profile, {"index.html": html('<link rel="manifest" href="$ROOTmanifest.webmanifest"><script id="vite-plugin-pwa:register-sw" src="$ROOTregisterSW.js"></script>', ROOM + "<script>" + SHOW + "</script>"), "registerSW.js": REGISTER, "manifest.webmanifest": "{}",
                                                          "sw.js": SW, "workbox-1a2b3c4d.js": ""}, UP, expect="work", **({} if "localhost" in profile or profile[0] == "c" else {"latent": "the page does without the service worker"}))
android_pages(trap, "a-build-workbox-window", "capacitor-android asset-loader", {"index.html": html('<script type="module" src="main.js"></script>', ROOM), "main.js": 'import("./workbox-window.prod.es5-B1.js").then(({Workbox:W})=>{const w=new W("sw.js");w.register().catch(e=>console.error(e))});' + SHOW,
              "workbox-window.prod.es5-B1.js": "class W{constructor(u){this.u=u}async register(){return navigator.serviceWorker.register(this.u)}}export{W as Workbox};", "sw.js": ""}, UP, latent="the page does without the service worker")

# Pages of several documents, AMD, hand-written code.
for profile in ANDROID.split():
    android_pages(pair, "a-site-link", profile, {"index.html": html("", '<a id="a" href="about.html">About</a>'), "about.html": html("", '<h1 id="about">About</h1>')}, "document.getElementById('about')", gone="about.html",
                  action="document.getElementById('a').click()", at=("index.html", "about.html"))
    android_pages(pair, "a-site-location", profile, {"index.html": html("", '<script>location.href="$ROOTde/index.html"</script>'), "de/index.html": html("", '<h1 id="de">Laden</h1>')}, "document.getElementById('de')", gone="de/index.html", at=("index.html", "$ROOTde/index.html"))
    android_pages(pair, "a-site-refresh", profile, {"index.html": html('<meta http-equiv="refresh" content="0;url=$ROOThome.html">'), "home.html": html("", '<h1 id="home">Home</h1>')}, "document.getElementById('home')", gone="home.html", at=("index.html", "$ROOThome.html"))
android_pages(pair, "a-site-window-open", "capacitor-android intercept", {"index.html": html("", "<button id=b onclick=\"window.open('terms.html','_self')\">Terms</button>"), "terms.html": html("", '<h1 id="t">Terms</h1>')}, "document.getElementById('t')", gone="terms.html",
              action="document.getElementById('b').click()", at=("index.html", "terms.html"))
build("requirejs", "cordova-android asset-loader", {"index.html": html("", ROOM + '<script src="js/require.js" data-main="js/main"></script>'), "js/require.js": 'var c=document.currentScript.getAttribute("data-main");var require=function(d,f){var s=document.createElement("script");s.src="js/"+d[0]+".js";s.onload=f;document.head.appendChild(s)};var s=document.createElement("script");s.src=c+".js";document.head.appendChild(s);',
      "js/main.js": 'require(["app/cart"],function(){' + SHOW + "});", "js/app/cart.js": "1;"}, "js/app/cart.js", ("js/main.js", "app/cart"))
build("jquery-mobile", "cordova-android", {"index.html": html('<link rel="stylesheet" href="css/jquery.mobile-1.4.5.min.css"><script src="js/jquery-2.1.js"></script>', ROOM + '<script src="js/index.js"></script>'), "css/jquery.mobile-1.4.5.min.css": "", "js/jquery-2.1.js": "var $=function(f){f()};",
      "js/index.js": "document.addEventListener('deviceready',function(){},false);$(function(){" + SHOW + "});"}, "js/jquery-2.1.js", ("index.html", "js/jquery-2.1.js"))
build("document-write", "intercept asset-loader", {"index.html": html("", ROOM + '<script>document.write(\'<script src="js/late.js"><\\/script>\')</script>'), "js/late.js": SHOW}, "js/late.js", ("index.html", "js/late.js"))
build("worklet", "capacitor-android intercept", {"index.html": html("", ROOM + '<script>new OfflineAudioContext(1,128,44100).audioWorklet.addModule("js/gain.js").then(()=>{' + SHOW + "})</script>"), "js/gain.js": "registerProcessor('g',class extends AudioWorkletProcessor{process(){}})"}, "js/gain.js", ("index.html", "js/gain.js"))
build("paint-worklet", "asset-loader", {"index.html": html("", ROOM + '<script>CSS.paintWorklet.addModule("paint.js").then(()=>{' + SHOW + "})</script>"), "paint.js": "registerPaint('p',class{paint(){}})"}, "paint.js", ("index.html", "paint.js"))
build("shared-worker", "intercept", {"index.html": html("", ROOM + '<script>var w=new SharedWorker("js/hub.js");w.port.onmessage=()=>{' + SHOW + "}</script>"), "js/hub.js": "onconnect=e=>e.ports[0].postMessage(1)"}, "js/hub.js", ("index.html", "js/hub.js"))
build("pdf-worker", "capacitor-android asset-loader", {"index.html": html("", ROOM + '<script src="pdf.js"></script>'), "pdf.js": 'var G={workerSrc:"pdf.worker.min.js"};var w=new Worker(G.workerSrc);w.onmessage=()=>{' + SHOW + "};", "pdf.worker.min.js": "postMessage('ready')"}, "pdf.worker.min.js", [("pdf.js", "pdf.worker.min.js"), ("pdf.js", "G.workerSrc);")])
build("font-icons", "cordova-android intercept", {"index.html": html('<link rel="stylesheet" href="css/fa.css">', '<i class="fa">A</i>'), "css/fa.css": '@font-face{font-family:"FontAwesome";src:url("../fonts/fa.eot?v=4.7.0");src:url("../fonts/fa.eot?#iefix&v=4.7.0")format("embedded-opentype"),url("../fonts/fa.woff2?v=4.7.0")format("woff2")}.fa{font-family:FontAwesome}',
      "fonts/fa.eot": "x", "fonts/fa.woff2": font()}, "fonts/fa.woff2", ("css/fa.css", "../fonts/fa.woff2"), "$h.font('FontAwesome')")
build("picture-source", "asset-loader", {"index.html": html("", '<picture><source type="image/webp" srcset="img/a.webp"><img id="i" src="img/a.png" alt=""></picture>'), "img/a.webp": png(), "img/a.png": png()}, "img/a.webp", ("index.html", "img/a.webp"), IMG)
build("i18next", ANDROID, {"index.html": html("", ROOM + '<script src="app.js"></script>'), "app.js": 'var o={loadPath:"$ROOTlocales/{{lng}}/{{ns}}.json"};var u=o.loadPath.replace("{{lng}}","en").replace("{{ns}}","translation");fetch(u).then(r=>{if(!r.ok)throw r.status;return r.json()}).then(()=>{' + SHOW + "});", "locales/en/translation.json": "{}"},
      "locales/en/translation.json", ("app.js", "$ROOTlocales/"))
build("lottie", "capacitor-android cordova-android", {"index.html": html("", ROOM + '<script src="app.js"></script>'), "app.js": 'function load(o){var x=new XMLHttpRequest;x.responseType="json";x.onreadystatechange=function(){if(x.readyState==4)if(x.status==200){x.response.v&&' + SHOW.replace("document", "(document") + ')}};x.open("GET",o.path,true);x.send()}load({container:document.body,renderer:"svg",loop:true,path:"anim/cart.json"});', "anim/cart.json": '{"v":"5.7"}'},
      "anim/cart.json", ("app.js", "anim/cart.json"))
