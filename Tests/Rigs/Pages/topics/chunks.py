"""Chunks requested by a bundler's runtime."""
from pages import BOX_CSS, UP, app, html, page, pair, say, trap

STRICT = "path-strict"
ROOM = '<div id="root"></div><div id="app"></div>'
# webpack 5's runtime as emitted, with placeholders for chunk names, public path and entry code.
RUNTIME = """(()=>{"use strict";var e,t,r={},n={};function o(e){var t=n[e];if(void 0!==t)return t.exports;var i=n[e]={exports:{}};
return r[e].call(i.exports,i,i.exports,o),i.exports}o.m=r,o.d=(e,t)=>{for(var r in t)o.o(t,r)&&!o.o(e,r)&&Object.defineProperty(e,r,{
enumerable:!0,get:t[r]})},o.f={},o.e=e=>Promise.all(Object.keys(o.f).reduce(((t,r)=>(o.f[r](e,t),t)),[])),o.u=%(names)s,
%(css)so.o=(e,t)=>Object.prototype.hasOwnProperty.call(e,t),e={},t="shop:",o.l=(r,n,i,a)=>{if(e[r])e[r].push(n);else{var c;
(c=document.createElement("script")).charset="utf-8",c.timeout=120,c.setAttribute("data-webpack",t+i),c.src=r,e[r]=[n];
var u=(t,n)=>{c.onerror=c.onload=null;var o=e[r];delete e[r],c.parentNode&&c.parentNode.removeChild(c),o&&o.forEach((e=>e(n)))};
c.onerror=u.bind(null,c.onerror),c.onload=u.bind(null,c.onload),document.head.appendChild(c)}},o.r=e=>{},o.p=%(public)s,
(()=>{var e={179:0};o.f.j=(t,r)=>{var n=o.o(e,t)?e[t]:void 0;if(0!==n)if(n)r.push(n[2]);else{var i=new Promise(((r,o)=>n=e[t]=[r,o]));
r.push(n[2]=i);var a=o.p+o.u(t),c=new Error;o.l(a,(r=>{if(o.o(e,t)&&(0!==(n=e[t])&&(e[t]=void 0),n)){
c.message="Loading chunk "+t+" failed.",n[1](c)}}),"chunk-"+t,t)}};var t=(t,r)=>{var n,i,[a,c,u]=r;for(n in c)o.o(c,n)&&(o.m[n]=c[n]);
for(;a.length;)i=a.shift(),o.o(e,i)&&e[i]&&e[i][0](),e[i]=0},r=self.webpackChunkshop=self.webpackChunkshop||[];
r.forEach(t.bind(null,0)),r.push=t.bind(null,r.push.bind(r))})();%(start)s})();
"""
NAMES = '(e=>"static/js/"+{19:"about",358:"cart"}[e]+"."+{19:"1f0c2d3e",358:"77aa01bc"}[e]+".chunk.js")'
SHOW = "{%s:(e,t,r)=>{r.d(t,{default:()=>n});const n=()=>{" + say() + "}}}"


def chunk(number, module, style="self"):
    return f"({style}.webpackChunkshop={style}.webpackChunkshop||[]).push([[{number}],{SHOW % module}]);"


def webpack5(start, names=NAMES, public='"/"', css=""):
    return RUNTIME % {"names": names, "public": public, "start": start, "css": css}


def entry(script, kind="defer"):
    return html(f'<script {kind} src="{script}"></script>', ROOM)


OPEN = "o.e(358).then(o.bind(o,358)).then((e=>e.default()));"
BOTH = {"static/js/about.1f0c2d3e.chunk.js": chunk(19, 19), "static/js/cart.77aa01bc.chunk.js": chunk(358, 358)}
pair("webpack5-lazy", "path-strict capacitor cordova", {
    "index.html": entry("/static/js/main.5d1c.js"), "static/js/main.5d1c.js": webpack5(OPEN), **BOTH}, UP,
    gone="static/js/cart.77aa01bc.chunk.js", at=("static/js/main.5d1c.js", "o.e(358)"))
page("webpack5-lazy-other", "path-strict capacitor", {
    "index.html": entry("/static/js/main.5d1c.js"),
    "static/js/main.5d1c.js": webpack5(OPEN + "window.more=()=>o.e(19).then(o.bind(o,19));"),
    "static/js/cart.77aa01bc.chunk.js": BOTH["static/js/cart.77aa01bc.chunk.js"]}, UP, expect="work",
     latent="a chunk of another view")
pair("webpack5-plain-names", "path-strict capacitor", {
    "index.html": entry("/main.js"),
    "main.js": webpack5(OPEN, '(e=>e+".js")'), "358.js": chunk(358, 358)}, UP, gone="358.js", at=("main.js", "o.e(358)"))
pair("webpack5-plain-hash", "cordova", {
    "index.html": entry("/main.js"),
    "main.js": webpack5(OPEN, '(e=>e+"."+{358:"0a1b2c3d4e"}[e]+".js")'), "358.0a1b2c3d4e.js": chunk(358, 358)}, UP,
    gone="358.0a1b2c3d4e.js", at=("main.js", '358:"0a1b2c3d4e"'))
pair("webpack5-contenthash-function", STRICT, {
    "index.html": entry("/main.js"),
    "main.js": webpack5(OPEN, '(e=>"js/"+e+".bundle."+o.h()+".js"),o.h=()=>"9c8b7a6d"'),
    "js/358.bundle.9c8b7a6d.js": chunk(358, 358)}, UP, gone="js/358.bundle.9c8b7a6d.js", at=("main.js", "o.e(358)"))
pair("webpack5-ternary", "capacitor", {
    "index.html": entry("/main.js"),
    "main.js": webpack5(OPEN, '(e=>358===e?"js/cart.1122aabb.js":19===e?"js/about.ccdd3344.js":void 0)'),
    "js/cart.1122aabb.js": chunk(358, 358), "js/about.ccdd3344.js": chunk(19, 19)}, UP, gone="js/cart.1122aabb.js",
    at=("main.js", "js/cart.1122aabb.js"))
pair("webpack5-named-or-id", STRICT, {
    "index.html": entry("/main.js"),
    "main.js": webpack5(OPEN, '(e=>"js/"+({19:"about"}[e]||e)+"-"+{19:"aa",358:"bb"}[e]+".js")'),
    "js/358-bb.js": chunk(358, 358), "js/about-aa.js": chunk(19, 19)}, UP, gone="js/358-bb.js",
    at=("main.js", '358:"bb"'))
pair("webpack5-two-together", "path-strict capacitor", {
    "index.html": entry("/main.js"),
    "main.js": webpack5("Promise.all([o.e(19),o.e(358)]).then(o.bind(o,358)).then((e=>e.default()));", '(e=>e+".js")'),
    "358.js": chunk(358, 358), "19.js": chunk(19, 19)}, UP, gone="19.js", at=("main.js", "o.e(19)"))
pair("webpack5-chunk-in-chunk", STRICT, {
    "index.html": entry("/main.js"), "main.js": webpack5(OPEN, '(e=>e+".js")'),
    "358.js": '(self.webpackChunkshop=self.webpackChunkshop||[]).push([[358],{358:(e,t,r)=>{r.d(t,{default:()=>n});const n=()=>'
    "r.e(77).then(r.bind(r,77)).then(e=>e.default())}}]);", "77.js": chunk(77, 77)}, UP, gone="77.js",
    at=("358.js", "r.e(77)"))
pair("webpack5-public-path", "path-strict capacitor", {
    "index.html": entry("/portal/main.js"), "portal/main.js": webpack5(OPEN, '(e=>e+".js")', '"/portal/"'),
    "portal/358.js": chunk(358, 358)}, UP,
    bad={"index.html": entry("/main.js"), "main.js": webpack5(OPEN, '(e=>e+".js")', '"/portal/"'), "portal/main.js": None,
         "portal/358.js": None, "358.js": chunk(358, 358)}, at=("main.js", '/portal/"'), most=1)
pair("webpack5-public-path-many", "capacitor", {
    "index.html": entry("/static/js/main.js"), "static/js/main.js": webpack5(OPEN), **BOTH}, UP,
    bad={"static/js/main.js": webpack5(OPEN, public='"/portal/"')}, at=("static/js/main.js", '/portal/"'), most=1)
pair("webpack5-public-path-relative", "path-strict cordova", {
    "index.html": entry("js/main.js"), "js/main.js": webpack5(OPEN, '(e=>"js/"+e+".js")', '""'), "js/358.js": chunk(358, 358)}, UP,
    bad={"js/main.js": webpack5(OPEN, '(e=>e+".js")', '""')}, at=("js/main.js", "o.e(358)"))
AUTO = ('(()=>{var e;o.g=self,o.g.importScripts&&(e=o.g.location+"");var t=o.g.document;if(!e&&t&&(t.currentScript&&(e=t.currentScript.src),'
        '!e)){var r=t.getElementsByTagName("script");r.length&&(e=r[r.length-1].src)}e=e.replace(/#.*$/,"").replace(/\\?.*$/,"")'
        '.replace(/\\/[^\\/]+$/,"/"),o.p=e})();')
pair("webpack5-public-path-auto", "path-strict capacitor", {
    "index.html": entry("js/main.js"), "js/main.js": webpack5(OPEN, '(e=>e+".js")', '"";' + AUTO + "0"), "js/358.js": chunk(358, 358)},
    UP, bad={"js/358.js": None, "358.js": chunk(358, 358)}, at=("js/main.js", "o.e(358)"))
pair("webpack5-public-path-https", "capacitor", {
    "index.html": entry("/main.js"), "main.js": webpack5(OPEN, '(e=>e+".js")'), "358.js": chunk(358, 358)}, UP,
    bad={"main.js": webpack5(OPEN, '(e=>e+".js")', '"https://cdn.example.com/shop/"')},
    at=("main.js", "https://cdn.example.com"), external=True)
CSS = 'o.miniCssF=e=>"css/"+e+".0c0c.css",'
LOADCSS = ('var l=document.createElement("link");l.rel="stylesheet";l.href=o.p+o.miniCssF(358);document.head.appendChild(l);')
pair("webpack5-mini-css", "path-strict capacitor", {
    "index.html": html('<script defer src="/main.js"></script>', '<div id="box"></div>' + ROOM),
    "main.js": webpack5(LOADCSS + OPEN, '(e=>e+".js")', css=CSS), "358.js": chunk(358, 358),
    "css/358.0c0c.css": BOX_CSS}, "$h.css('#box','width')==='60px'", gone="css/358.0c0c.css", at=("main.js", "css/"))
# webpack 4
FOUR = """!function(e){function t(t){for(var n,o,u=t[0],i=t[1],c=0,l=[];c<u.length;c++)o=u[c],Object.prototype.hasOwnProperty.call(r,o)&&r[o]&&
l.push(r[o][0]),r[o]=0;for(n in i)Object.prototype.hasOwnProperty.call(i,n)&&(e[n]=i[n]);for(a&&a(t);l.length;)l.shift()()}var n={},r={app:0};
function o(t){if(n[t])return n[t].exports;var r=n[t]={i:t,l:!1,exports:{}};return e[t].call(r.exports,r,r.exports,o),r.l=!0,r.exports}
o.e=function(e){var t=[],n=r[e];if(0!==n)if(n)t.push(n[2]);else{var u=new Promise((function(t,o){n=r[e]=[t,o]}));t.push(n[2]=u);var i,
c=document.createElement("script");c.charset="utf-8",c.timeout=120,c.src=function(e){return o.p+"js/"+({cart:"cart",about:"about"}[e]||e)+"."+
{cart:"2b3c4d5e",about:"6f7a8b9c"}[e]+".js"}(e);var a=new Error;c.onerror=c.onload=function(t){var n=r[e];0!==n&&(n&&n[1](a),r[e]=void 0)},
document.head.appendChild(c)}return Promise.all(t)},o.m=e,o.p=%s;var u=window.webpackJsonp=window.webpackJsonp||[],i=u.push.bind(u);u.push=t,
u=u.slice();for(var c=0;c<u.length;c++)t(u[c]);var a=i;o(o.s="56d7")}({"56d7":function(e,t,n){n.e("cart").then(n.bind(null,"c4a7"))
.then(function(e){e.show()})}});
"""
FOURCHUNK = '(window.webpackJsonp=window.webpackJsonp||[]).push([["cart"],{c4a7:function(e,t,n){t.show=function(){' + say() + "}}}]);"
pair("webpack4-lazy", "path-strict capacitor", {
    "index.html": entry("/js/app.1a2b3c4d.js"), "js/app.1a2b3c4d.js": FOUR % '"/"', "js/cart.2b3c4d5e.js": FOURCHUNK,
    "js/about.6f7a8b9c.js": "1"}, UP, gone="js/cart.2b3c4d5e.js", at=("js/app.1a2b3c4d.js", 'cart:"2b3c4d5e"'))
pair("webpack4-lazy-seed", "basename-cache", {
    "index.html": entry("/js/app.1a2b3c4d.js"), "js/app.1a2b3c4d.js": FOUR % '"/"', "js/cart.2b3c4d5e.js": FOURCHUNK,
    "js/about.6f7a8b9c.js": "1"}, UP, gone="js/cart.2b3c4d5e.js", at=("js/app.1a2b3c4d.js", 'cart:"2b3c4d5e"'))
pair("webpack4-public", "cordova", {
    "index.html": entry("js/app.1a2b3c4d.js"), "js/app.1a2b3c4d.js": FOUR % '""', "js/cart.2b3c4d5e.js": FOURCHUNK,
    "js/about.6f7a8b9c.js": "1"}, UP, bad={"js/app.1a2b3c4d.js": FOUR % '"/android_asset/www/"'},
    at=("js/app.1a2b3c4d.js", '/android_asset/www/"'), most=1)
# Module federation
REMOTE = ('const r={shop:{get:n=>import("./"+n)}};')
pair("federation-remote", "path-strict capacitor", {
    "index.html": html('<script defer src="/main.js"></script>', ROOM),
    "main.js": 'var l=(u,f)=>{var s=document.createElement("script");s.src=u;s.onload=f;document.head.appendChild(s)};'
    'l("/remotes/cart/remoteEntry.js",()=>window.cart.get("./Cart").then(f=>f().show()));',
    "remotes/cart/remoteEntry.js": 'var cart={init:()=>{},get:m=>Promise.resolve(()=>({show(){' + say() + "}}))};"}, UP,
    gone="remotes/cart/remoteEntry.js", at=("main.js", "/remotes/cart/remoteEntry.js"))
page("federation-https", "capacitor", {
    "index.html": html('<script defer src="/main.js"></script>', ROOM),
    "main.js": 'var l=(u,f)=>{var s=document.createElement("script");s.src=u;s.onload=f;document.head.appendChild(s)};'
    'l("https://cart.example.com/remoteEntry.js",()=>window.cart.get("./Cart").then(f=>f().show()));'}, UP,
     ("main.js", "https://cart.example.com"), external=True, expect="break")
# Vite and Rollup
PRELOAD = ('const s="modulepreload",f=function(e){return"/"+e},u={},p=function(n,r,o){let i=Promise.resolve();if(r&&r.length>0){'
           'i=Promise.all(r.map(t=>{t=f(t);if(t in u)return;u[t]=!0;const c=t.endsWith(".css");const l=document.createElement("link");'
           'l.rel=c?"stylesheet":s;if(!c)l.as="script";l.crossOrigin="";l.href=t;document.head.appendChild(l);if(c)return new Promise('
           '(a,b)=>{l.addEventListener("load",a);l.addEventListener("error",()=>b(new Error(`Unable to preload CSS for ${t}`)))})}))}'
           "return i.then(()=>n())};")
DEPS = 'const __vite__mapDeps=(i,m=__vite__mapDeps,d=(m.f||(m.f=["assets/Cart-Ab12.js","assets/Cart-Cd34.css"])))=>i.map(i=>d[i]);'
VIEW = "export default function(){" + say() + "}"
pair("vite-lazy", "path-strict capacitor cordova", {
    "index.html": app("/assets/index-X.js"),
    "assets/index-X.js": DEPS + PRELOAD + 'p(()=>import("./Cart-Ab12.js"),__vite__mapDeps([0,1])).then(m=>m.default());',
    "assets/Cart-Ab12.js": VIEW, "assets/Cart-Cd34.css": "p{}"}, UP, gone="assets/Cart-Ab12.js",
    at=("assets/index-X.js", "./Cart-Ab12.js"))
pair("vite-lazy-css", "path-strict capacitor", {
    "index.html": app("/assets/index-X.js"),
    "assets/index-X.js": DEPS + PRELOAD + 'p(()=>import("./Cart-Ab12.js"),__vite__mapDeps([0,1])).then(m=>m.default());',
    "assets/Cart-Ab12.js": VIEW, "assets/Cart-Cd34.css": "p{}"}, UP, gone="assets/Cart-Cd34.css",
    at=("assets/index-X.js", "assets/Cart-Cd34.css"))
pair("vite-old-preload", "cordova", {
    "index.html": app("/assets/index-X.js"),
    "assets/index-X.js": PRELOAD + 'p(()=>import("./Cart-Ab12.js"),["assets/Cart-Ab12.js","assets/Cart-Cd34.css"]).then(m=>m.default());',
    "assets/Cart-Ab12.js": VIEW, "assets/Cart-Cd34.css": "p{}"}, UP, gone="assets/Cart-Cd34.css",
    at=("assets/index-X.js", "assets/Cart-Cd34.css"))
pair("vite-shared-chunk", "capacitor", {
    "index.html": app("/assets/index-X.js"), "assets/index-X.js": 'import{t as e}from"./vendor-Q1.js";e();',
    "assets/vendor-Q1.js": "export function t(){" + say() + "}"}, UP, gone="assets/vendor-Q1.js",
    at=("assets/index-X.js", "./vendor-Q1.js"))
pair("vite-router", "path-strict capacitor", {
    "index.html": app("/assets/index-X.js"),
    "assets/index-X.js": 'const routes=[{path:"/",component:()=>import("./Home-1.js")},{path:"/cart",component:()=>import("./Cart-2.js")}];'
    'routes[1].component().then(m=>m.default());', "assets/Home-1.js": VIEW, "assets/Cart-2.js": VIEW}, UP,
    gone="assets/Cart-2.js", at=("assets/index-X.js", "./Cart-2.js"))
pair("vite-legacy-system", STRICT, {
    "index.html": html("", ROOM + '<script>window.System={import:function(u){var s=document.createElement("script");s.src=u;'
                       'document.head.appendChild(s)}};System.import("/assets/index-legacy-9.js")</script>'),
    "assets/index-legacy-9.js": say()}, UP, gone="assets/index-legacy-9.js", at=("index.html", "/assets/index-legacy-9.js"))
pair("vite-css-url", "capacitor", {
    "index.html": html('<link rel="stylesheet" crossorigin href="/assets/index-S.css">', '<div id="box"></div>'),
    "assets/index-S.css": "#box{width:60px;height:9px;background:url(/assets/bg-77.png)}", "assets/bg-77.png": b"\x89PNG"}, "true",
    needs=["/assets/bg-77.png"], gone="assets/bg-77.png", at=("assets/index-S.css", "/assets/bg-77.png"))
pair("rollup-chunk", STRICT, {
    "index.html": app("/index.js"), "index.js": "import('./chunk-5f6e7d8c.js').then(function (n) { return n.s; }).then(function (s) { s(); });",
    "chunk-5f6e7d8c.js": "function s(){" + say() + "}\nexport { s };\n"}, UP, gone="chunk-5f6e7d8c.js",
    at=("index.js", "./chunk-5f6e7d8c.js"))
pair("esbuild-split", "path-strict capacitor", {
    "index.html": app("/out/main.js"), "out/main.js": 'import{a as e}from"./chunk-2ZNH2MEU.js";import("./view-H7KX3JAB.js").then(t=>t.show(e));',
    "out/chunk-2ZNH2MEU.js": 'var e="up";export{e as a};', "out/view-H7KX3JAB.js": "export function show(e){document.getElementById('app').textContent=e}"},
    UP, gone="out/view-H7KX3JAB.js", at=("out/main.js", "./view-H7KX3JAB.js"))
pair("esbuild-split-static", "cordova", {
    "index.html": app("/out/main.js"), "out/main.js": 'import {\n  a\n} from "./chunk-2ZNH2MEU.js";\n\n// src/main.ts\na();\n',
    "out/chunk-2ZNH2MEU.js": "function a(){" + say() + "}export{a};"}, UP, gone="out/chunk-2ZNH2MEU.js",
    at=("out/main.js", "./chunk-2ZNH2MEU.js"))
# Angular
pair("angular-esbuild", "path-strict capacitor", {
    "index.html": html('<base href="/"><link rel="stylesheet" href="styles-5INURTSO.css"><link rel="modulepreload" href="chunk-ABCD1234.js">',
                       ROOM + '<script src="main-7XKQ2M4N.js" type="module"></script>'),
    "styles-5INURTSO.css": "p{}", "chunk-ABCD1234.js": "export const w='up';",
    "main-7XKQ2M4N.js": 'import{w as e}from"./chunk-ABCD1234.js";var r=[{path:"cart",loadComponent:()=>import("./chunk-EFGH5678.js").then(t=>t.Cart)}];'
    "r[0].loadComponent().then(c=>c(e));", "chunk-EFGH5678.js": "export const Cart=e=>{document.getElementById('app').textContent=e};"},
    UP, gone="chunk-EFGH5678.js", at=("main-7XKQ2M4N.js", "./chunk-EFGH5678.js"))
pair("angular-polyfills", "capacitor", {
    "index.html": html('<base href="/">', ROOM + '<script src="runtime.4a5b.js" type="module"></script><script src="main.6c7d.js" type="module"></script>'),
    "runtime.4a5b.js": "window.ready=1", "main.6c7d.js": "if(window.ready)" + say()}, UP, gone="runtime.4a5b.js",
    at=("index.html", "runtime.4a5b.js"))
pair("angular-css-media-onload", "path-strict", {
    "index.html": html('<link rel="stylesheet" href="styles.1a2b.css" media="print" onload="this.media=\'all\'"><noscript>'
                       '<link rel="stylesheet" href="styles.1a2b.css"></noscript>', '<div id="box"></div>'),
    "styles.1a2b.css": BOX_CSS}, "$h.css('#box','width')==='60px'", gone="styles.1a2b.css", at=("index.html", "styles.1a2b.css"))
# Next
pair("next-chunks", "path-strict capacitor", {
    "index.html": html('<script defer src="/_next/static/chunks/webpack-1a.js"></script><script defer src="/_next/static/chunks/main-2b.js"></script>'
                       '<script defer src="/_next/static/chunks/pages/_app-3c.js"></script>', ROOM),
    "_next/static/chunks/webpack-1a.js": "window.w=1", "_next/static/chunks/main-2b.js": "window.m=1",
    "_next/static/chunks/pages/_app-3c.js": "if(w&&m)" + say()}, UP, gone="_next/static/chunks/main-2b.js",
    at=("index.html", "/_next/static/chunks/main-2b.js"))
NEXT = ('self.__BUILD_MANIFEST=function(e){return{__rewrites:{afterFiles:[]},"/":["static/chunks/pages/index-4d.js"],"/cart":'
        '["static/chunks/pages/cart-5e.js"],sortedPages:["/","/_app","/cart"]}}(1),self.__BUILD_MANIFEST_CB&&self.__BUILD_MANIFEST_CB();')
OPENCART = ('var s=document.createElement("script");s.src="/_next/"+self.__BUILD_MANIFEST["/cart"][0];document.head.appendChild(s);')
pair("next-build-manifest", "capacitor", {
    "index.html": html('<script defer src="/_next/static/x1/_buildManifest.js"></script><script defer src="/m.js"></script>', ROOM),
    "_next/static/x1/_buildManifest.js": NEXT, "m.js": OPENCART, "_next/static/chunks/pages/index-4d.js": "1",
    "_next/static/chunks/pages/cart-5e.js": say()}, UP, gone="_next/static/chunks/pages/cart-5e.js",
    at=("_next/static/x1/_buildManifest.js", "static/chunks/pages/cart-5e.js"))
pair("next-app-router-flight", "path-strict capacitor", {
    "index.html": html('<script>(self.__next_f=self.__next_f||[]).push([1,"4:I[1234,[\\"931\\",\\"static/chunks/app/page-6f.js\\"],\\"\\"]\\n"])</script>'
                       '<script defer src="/m.js"></script>', ROOM),
    "m.js": 'var p=self.__next_f[0][1].match(/static\\/chunks[^"\\\\]+/)[0],s=document.createElement("script");s.src="/_next/"+p;document.head.appendChild(s);',
    "_next/static/chunks/app/page-6f.js": say()}, UP, gone="_next/static/chunks/app/page-6f.js",
    at=("index.html", "static/chunks/app/page-6f.js"))
pair("next-dynamic", STRICT, {
    "index.html": entry("/_next/static/chunks/main.js"),
    "_next/static/chunks/main.js": webpack5(OPEN, '(e=>"static/chunks/"+(({19:"19"})[e]||e)+"."+({358:"aabbccdd"})[e]+".js")', '"/_next/"'),
    "_next/static/chunks/358.aabbccdd.js": chunk(358, 358)}, UP, gone="_next/static/chunks/358.aabbccdd.js",
    at=("_next/static/chunks/main.js", '358:"aabbccdd"'))
pair("next-brackets", "capacitor", {
    "index.html": html('<script defer src="/_next/static/chunks/pages/p/%5Bid%5D-7a.js"></script>', ROOM),
    "_next/static/chunks/pages/p/[id]-7a.js": say()}, UP, gone="_next/static/chunks/pages/p/[id]-7a.js",
    at=("index.html", "/_next/static/chunks/pages/p/"))
# Nuxt, SvelteKit
pair("nuxt-entry", "path-strict capacitor", {
    "index.html": html('<link rel="modulepreload" as="script" crossorigin href="/_nuxt/entry.8a9b.js"><script type="module" src="/_nuxt/entry.8a9b.js" '
                       "crossorigin></script>", '<div id="__nuxt"></div>' + ROOM),
    "_nuxt/entry.8a9b.js": 'const r=[{name:"index",path:"/",component:()=>import("./index.0c1d.js")}];r[0].component().then(m=>m.default());',
    "_nuxt/index.0c1d.js": VIEW}, UP, gone="_nuxt/index.0c1d.js", at=("_nuxt/entry.8a9b.js", "./index.0c1d.js"))
pair("nuxt-payload", "path-strict", {
    "index.html": html('<script type="module" src="/_nuxt/e.js"></script>', ROOM),
    "_nuxt/e.js": 'fetch("/_payload.json").then(e=>e.json()).then(()=>{' + say() + "});", "_payload.json": "[]"}, UP, gone="_payload.json",
    at=("_nuxt/e.js", "/_payload.json"))
page("nuxt-builds-meta-gone", "capacitor", {
    "index.html": html('<script type="module" src="/_nuxt/e.js"></script>', ROOM),
    "_nuxt/e.js": 'fetch("/_nuxt/builds/meta/8f7e").then(e=>e.json()).then(()=>{' + say() + "});"}, UP,
     ("_nuxt/e.js", "/_nuxt/builds/meta/8f7e"), expect="break")
pair("sveltekit", "path-strict capacitor", {
    "index.html": html('<link rel="modulepreload" href="./_app/immutable/entry/start.1e2f.js">', ROOM + "<script>{const element=document.currentScript"
                       '.parentElement;Promise.all([import("./_app/immutable/entry/start.1e2f.js"),import("./_app/immutable/entry/app.3a4b.js")])'
                       ".then(([kit,app])=>{kit.start(app,element)});}</script>"),
    "_app/immutable/entry/start.1e2f.js": "export function start(a){a.run()}", "_app/immutable/entry/app.3a4b.js": "export function run(){" + say() + "}"},
    UP, gone="_app/immutable/entry/app.3a4b.js", at=("index.html", "./_app/immutable/entry/app.3a4b.js"))
pair("sveltekit-node", "cordova", {
    "index.html": app("/_app/immutable/entry/app.5c.js"),
    "_app/immutable/entry/app.5c.js": 'const n=[()=>import("../nodes/0.6d.js"),()=>import("../nodes/1.7e.js")];n[1]().then(m=>m.default());',
    "_app/immutable/nodes/0.6d.js": VIEW, "_app/immutable/nodes/1.7e.js": VIEW}, UP, gone="_app/immutable/nodes/1.7e.js",
    at=("_app/immutable/entry/app.5c.js", "../nodes/1.7e.js"))
# Parcel, CRA, vue-cli: files named in the page itself.
pair("parcel-bundle-resolver", STRICT, {
    "index.html": html('<script type="module" src="/index.aabb.js"></script>', ROOM),
    "index.aabb.js": 'var r={register:(m)=>{for(var k in m)r.m[k]=m[k]},m:{},resolve:k=>new URL(r.m[k],import.meta.url).toString()};'
    'r.register(JSON.parse(\'{"kYx1":"index.aabb.js","7Zb2":"cart.ccdd.js"}\'));import(r.resolve("7Zb2")).then(m=>m.default());',
    "cart.ccdd.js": VIEW}, UP, gone="cart.ccdd.js", at=("index.aabb.js", "cart.ccdd.js"))
pair("cra-main", "capacitor cordova", {
    "index.html": html('<link href="/static/css/main.3fe2.css" rel="stylesheet"><script defer="defer" src="/static/js/main.9e8d.js"></script>', ROOM),
    "static/css/main.3fe2.css": "p{}", "static/js/main.9e8d.js": say()}, UP, gone="static/js/main.9e8d.js",
    at=("index.html", "/static/js/main.9e8d.js"))
pair("vuecli-preload", "basename-cache", {
    "index.html": html('<link href=/js/chunk-vendors.11aa.js rel=preload as=script><script src=/js/chunk-vendors.11aa.js></script>', ROOM
                       + "<script src=/js/app.22bb.js></script>"),
    "js/chunk-vendors.11aa.js": "window.v=1", "js/app.22bb.js": "if(v)" + say()}, UP, gone="js/chunk-vendors.11aa.js",
    at=[("index.html", "/js/chunk-vendors.11aa.js>"), ("index.html", "/js/chunk-vendors.11aa.js rel")])
trap("vuecli-prefetch-gone", "basename-cache capacitor", {
    "index.html": html("<link href=/js/about.33cc.js rel=prefetch><script defer src=/js/app.22bb.js></script>", ROOM), "js/app.22bb.js": say()}, UP,
     latent="a prefetch")
trap("webpack5-hmr-names", STRICT, {
    "index.html": entry("/main.js"),
    "main.js": webpack5("o.hu=e=>e+\".\"+o.h+\".hot-update.js\";o.hmrF=()=>\"main.\"+o.h+\".hot-update.json\";" + say(), '(e=>e+".js")')}, UP)
trap("webpack5-no-chunks", "path-strict capacitor", {
    "index.html": entry("/main.js"), "main.js": webpack5(say(), '(e=>e+".js")')}, UP)
trap("webpack5-sw-manifest", "capacitor", {
    "index.html": html('<script defer src="/m.js"></script>', ROOM), "m.js": say(),
    "precache-manifest.1a.js": 'self.__precacheManifest=[{revision:"1",url:"/static/js/gone.chunk.js"}];',
    "asset-manifest.json": '{"files":{"main.js":"/static/js/main.gone.js"}}'}, UP)
