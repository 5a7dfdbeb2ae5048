"""Builds of real bundlers and their environment: guards, handled failures, policies."""
from pages import BOX, BOX_CSS, UP, app, html, page, pair, png, say, trap

STRICT = "path-strict"
BOTH = "path-strict capacitor"
ROOM = '<div id="app"></div>'
IMG = "$h.img('#i')"
SHOW = 'document.getElementById("app").textContent="up"'


def run(script, **files):
    """A page with one classic script at its end."""
    return {"index.html": html("", f'{ROOM}<script src="app.js"></script>'), "app.js": script} | files


def inline(script, head=""):
    return html(head, f"{ROOM}<script>{script}</script>")


# Vite, Rollup: preload helper, lists of dependencies, workers, assets.
VITE = """const __vite__mapDeps=(i,m=__vite__mapDeps,d=(m.f||(m.f=["assets/Cart-C1x2Y3z4.js","assets/Cart-D5e6F7g8.css"])))=>i.map(i=>d[i]);
const s="modulepreload",f=function(e){return"/"+e},h={},k=function(n,r){let t=Promise.resolve();if(r&&r.length>0){
t=Promise.allSettled(r.map(e=>{if(e=f(e),e in h)return;h[e]=!0;const l=e.endsWith(".css"),c=document.createElement("link");
if(c.rel=l?"stylesheet":s,l||(c.as="script"),c.crossOrigin="",c.href=e,document.head.appendChild(c),l)return new Promise((a,b)=>{
c.addEventListener("load",a),c.addEventListener("error",()=>b(new Error(`Unable to preload CSS for ${e}`)))})}))}
return t.then(e=>{for(const o of e||[])if(o.status==="rejected")throw o.reason;return n()})};
k(()=>import("./Cart-C1x2Y3z4.js"),__vite__mapDeps([0,1])).then(m=>m.default());
"""
vite = {"index.html": app("/assets/index-B1a2C3d4.js"), "assets/index-B1a2C3d4.js": VITE,
        "assets/Cart-C1x2Y3z4.js": f"const a=()=>{{{SHOW}}};export{{a as default}};",
        "assets/Cart-D5e6F7g8.css": BOX_CSS}
pair("b-vite-preload-js", BOTH, vite, UP, gone="assets/Cart-C1x2Y3z4.js", at=("assets/index-B1a2C3d4.js", "assets/Cart-C1x2Y3z4.js"))
pair("b-vite-preload-css", BOTH, vite, UP, gone="assets/Cart-D5e6F7g8.css", at=("assets/index-B1a2C3d4.js", "assets/Cart-D5e6F7g8.css"))
pair("b-vite-worker", STRICT, {"index.html": app("/assets/index-1a2b3c4d.js"), "assets/index-1a2b3c4d.js":
     'const w=new Worker(new URL("/assets/sum-9f8e7d6c.js",import.meta.url),{type:"module"});w.onmessage=e=>{' + SHOW + '};w.postMessage(1);',
     "assets/sum-9f8e7d6c.js": "onmessage=e=>postMessage(e.data)"}, UP, gone="assets/sum-9f8e7d6c.js", at=("assets/index-1a2b3c4d.js", "/assets/sum"))
pair("b-vite-asset", BOTH, {"index.html": app("/assets/index-1a2b3c4d.js"), "assets/index-1a2b3c4d.js":
     'const r="/assets/hero-Bk2Jd9Qa.png",i=document.createElement("img");i.id="i";i.src=r;document.body.append(i);', "assets/hero-Bk2Jd9Qa.png": png()}, IMG,
     gone="assets/hero-Bk2Jd9Qa.png", at=("assets/index-1a2b3c4d.js", "/assets/hero"))
pair("b-rollup-glob", STRICT, {"index.html": app("/assets/index-1a2b3c4d.js"), "assets/index-1a2b3c4d.js":
     'const p=Object.assign({"./pages/home.js":()=>import("./home-a1b2c3d4.js"),"./pages/faq.js":()=>import("./faq-b2c3d4e5.js")});Promise.all(Object.values(p).map(f=>f())).then(()=>{' + SHOW + "});",
     "assets/home-a1b2c3d4.js": "", "assets/faq-b2c3d4e5.js": ""}, UP, gone="assets/faq-b2c3d4e5.js", at=("assets/index-1a2b3c4d.js", "./faq-"))
# Hot reload and legacy code left in builds.
trap("b-vite-hot", BOTH, {"index.html": app("/assets/index-1a2b3c4d.js"), "assets/index-1a2b3c4d.js":
     'if(import.meta.hot){import("/@vite/client")}' + say()}, UP)
trap("b-vite-legacy", STRICT, {"index.html": html('<script type="module">import.meta.url;import("_").catch(()=>1);window.__vite_is_modern_browser=true;</script>'
     '<script type="module">!function(){if(window.__vite_is_modern_browser)return;var e=document.createElement("script");e.src="/assets/polyfills-legacy.js",document.body.appendChild(e)}();</script>'
     '<script type="module" src="/assets/i.js"></script>', ROOM), "assets/i.js": say()}, UP,
     advice="a flag that another script sets")

# webpack: separate runtime, style sheets of chunks, one hash for all.
RUNTIME = """(()=>{"use strict";var e={},t={};function r(o){var n=t[o];if(void 0!==n)return n.exports;var a=t[o]={exports:{}};return e[o](a,a.exports,r),a.exports}
r.m=e,r.f={},r.e=e=>Promise.all(Object.keys(r.f).reduce((t,o)=>(r.f[o](e,t),t),[])),r.u=e=>NAME,MINI
r.o=(e,t)=>Object.prototype.hasOwnProperty.call(e,t),r.l=(e,t)=>{var o=document.createElement("script");o.src=e,o.onload=o.onerror=t,document.head.appendChild(o)},r.d=(e,t)=>{for(var o in t)Object.defineProperty(e,o,{enumerable:!0,get:t[o]})},
r.p="/static/",(()=>{var e={121:0};r.f.j=(t,o)=>{var n=r.o(e,t)?e[t]:void 0;if(0!==n)if(n)o.push(n[2]);else{var a=new Promise((r,o)=>n=e[t]=[r,o]);o.push(n[2]=a);
r.l(r.p+r.u(t),o=>{if(r.o(e,t)&&0!==(n=e[t])&&(e[t]=void 0,n))n[1](new Error("Loading chunk "+t+" failed."))})}};
var t=(t,o)=>{var n,a,[i,l]=o;for(n in l)r.m[n]=l[n];for(;i.length;)a=i.shift(),r.o(e,a)&&e[a]&&e[a][0](),e[a]=0},o=self.webpackChunkweb=self.webpackChunkweb||[];o.forEach(t.bind(null,0)),o.push=t.bind(null,o.push.bind(o))})();
CALL})();
"""


def webpack(name, call, mini=""):
    return RUNTIME.replace("NAME", name).replace("CALL", call).replace("MINI", mini)


LAZY = "(self.webpackChunkweb=self.webpackChunkweb||[]).push([[ID],{77:(e,t,r)=>{r.d(t,{default:()=>o});const o=()=>{" + SHOW + "}}}]);"
CALL = 'r.e(358).then(r.bind(r,77)).then(e=>e.default())'
PAGE = html('<script defer src="/static/main.js"></script>', ROOM + '<div id="box"></div>')
pair("b-webpack-full-hash", BOTH, {"index.html": PAGE, "static/main.js": webpack('"js/"+e+"."+r.h()+".js"', CALL, 'r.h=()=>"5f4e3d2c1b0a99887766",'),
     "static/js/358.5f4e3d2c1b0a99887766.js": LAZY.replace("ID", "358")}, UP, gone="static/js/358.5f4e3d2c1b0a99887766.js")
pair("b-webpack-conditional", STRICT, {"index.html": PAGE, "static/main.js": webpack('358===e?"js/cart-358.0c1d2e3f.js":"js/"+e+"."+{12:"aa11bb22",97:"cc33dd44"}[e]+".js"', CALL),
     "static/js/cart-358.0c1d2e3f.js": LAZY.replace("ID", "358"), "static/js/12.aa11bb22.js": "", "static/js/97.cc33dd44.js": ""}, UP,
     gone="static/js/cart-358.0c1d2e3f.js")
MINI = """r.miniCssF=e=>"css/"+e+".4d3c2b1a.css",(()=>{var e={121:0};r.f.miniCss=(t,o)=>{e[t]?o.push(e[t]):0!==e[t]&&{358:1}[t]&&o.push(e[t]=new Promise((o,n)=>{
var a=r.p+r.miniCssF(t),i=document.createElement("link");i.rel="stylesheet",i.onload=o,i.onerror=n,i.href=a,document.head.appendChild(i)}).then(()=>{e[t]=0}))}})(),"""
mini = {"index.html": PAGE, "static/main.js": webpack('e+".js"', CALL, MINI), "static/358.js": LAZY.replace("ID", "358"), "static/css/358.4d3c2b1a.css": BOX_CSS}
pair("b-webpack-mini-css", BOTH, mini, f"{UP}&&{BOX}", gone="static/css/358.4d3c2b1a.css")
pair("b-webpack-mini-css-js", STRICT, mini, f"{UP}&&{BOX}", gone="static/358.js")
trap("b-webpack-mini-css-none", STRICT, {"index.html": PAGE, "static/main.js": webpack('e+".js"', "r.e(12).then(()=>r.e(358)).then(r.bind(r,77)).then(e=>e.default())", MINI),
     "static/358.js": LAZY.replace("ID", "358"), "static/12.js": LAZY.replace("ID", "12"), "static/css/358.4d3c2b1a.css": BOX_CSS}, UP)
WEBPACK4 = """!function(e){var t={},n={0:0},r={0:0},i=[];function o(t){return e[t]({},{},a)}function a(e){return o(e)}a.e=function(e){var t=[];
n[e]?t.push(n[e]):0!==n[e]&&{about:1}[e]&&t.push(n[e]=new Promise(function(t,r){for(var i="css/"+({about:"about"}[e]||e)+"."+{about:"9e8d7c6b",home:"31d6cfe0"}[e]+".css",u=a.p+i,s=document.getElementsByTagName("link"),c=0;c<s.length;c++){}
var p=document.createElement("link");p.rel="stylesheet",p.type="text/css",p.onload=t,p.onerror=r,p.href=u,document.head.appendChild(p)}).then(function(){n[e]=0}));
return Promise.all(t)},a.p="/";a.e("about").then(function(){SHOW})}({});""".replace("SHOW", SHOW)
pair("b-webpack4-css", BOTH, {"index.html": html('<script defer src="/main.js"></script>', ROOM + '<div id="box"></div>'), "main.js": WEBPACK4, "css/about.9e8d7c6b.css": BOX_CSS}, BOX,
     gone="css/about.9e8d7c6b.css")

# Next.js export: flight data names the chunks of the page.
FLIGHT = '(self.__next_f=self.__next_f||[]).push([1,"2:I[9275,[\\"931\\",\\"static/chunks/app/page-3a9dbf7f5c7b8e21.js\\"],\\"default\\"]\\n"])'
NEXT = 'for(const f of self.__next_f)for(const m of f[1].matchAll(/static\\/chunks[^"\\\\]+/g)){const s=document.createElement("script");s.src="/_next/"+m[0];document.head.appendChild(s)}'
next_page = {"index.html": html(f"<script>{FLIGHT}</script>", ROOM + '<script src="/_next/static/chunks/main-app-1122334455667788.js" async=""></script>'),
             "_next/static/chunks/main-app-1122334455667788.js": NEXT, "_next/static/chunks/app/page-3a9dbf7f5c7b8e21.js": say()}
pair("b-next-flight", BOTH, next_page, UP, gone="_next/static/chunks/app/page-3a9dbf7f5c7b8e21.js", at=("index.html", "static/chunks/app"))
pair("b-next-flight-two", STRICT, next_page | {"about.html": next_page["index.html"], "faq.html": next_page["index.html"]}, UP,
     gone="_next/static/chunks/app/page-3a9dbf7f5c7b8e21.js", most=1)
# Nuxt generate: payload, SvelteKit: start, Angular and esbuild: chunks.
pair("b-nuxt-payload", BOTH, {"index.html": html('<script type="module" src="/_nuxt/entry.D1e2F3.js"></script>', '<div id="__nuxt"></div>' + ROOM),
     "_nuxt/entry.D1e2F3.js": 'const r=await fetch("/_payload.json?abc").then(e=>e.json());' + say(), "_payload.json": "[]"}, UP, gone="_payload.json", at=("_nuxt/entry.D1e2F3.js", "/_payload"))
pair("b-sveltekit-start", BOTH, {"index.html": html('<link rel="modulepreload" href="/_app/immutable/entry/start.Cd3e.js">',
     ROOM + '<script>{__sveltekit_1a={base:""};Promise.all([import("/_app/immutable/entry/start.Cd3e.js"),import("/_app/immutable/entry/app.Bf4g.js")]).then(([k,a])=>{k.start(a)})}</script>'),
     "_app/immutable/entry/start.Cd3e.js": "export const start=a=>a.show()", "_app/immutable/entry/app.Bf4g.js": f"export const show=()=>{{{SHOW}}}"}, UP,
     gone="_app/immutable/entry/app.Bf4g.js", at=("index.html", "/_app/immutable/entry/app"))
pair("b-angular-lazy", BOTH, {"index.html": html('<base href="/">', '<app-root></app-root>' + ROOM + '<script src="main-JX3OZ2QK.js" type="module"></script>'),
     "main-JX3OZ2QK.js": 'import{a as e}from"./chunk-6MS4KHXZ.js";var r=[{path:"cart",loadComponent:()=>import("./chunk-2QF5TYPB.js").then(t=>t.C)}];r[0].loadComponent().then(t=>t(e));',
     "chunk-6MS4KHXZ.js": 'var a="up";export{a};', "chunk-2QF5TYPB.js": 'var C=t=>{document.getElementById("app").textContent=t};export{C};'}, UP,
     gone="chunk-2QF5TYPB.js", at=("main-JX3OZ2QK.js", "./chunk-2QF"))
pair("b-esbuild-shared", STRICT, {"index.html": app("/out/app.js"), "out/app.js": 'import{a as t}from"./chunk-TI7RQV2M.js";t();', "out/chunk-TI7RQV2M.js": f"var a=()=>{{{SHOW}}};export{{a}};"}, UP,
     gone="out/chunk-TI7RQV2M.js", at=("out/app.js", "./chunk"))
PARCEL = """function e(e){return e&&e.__esModule?e.default:e}var t=globalThis,r={},n={},i=t.parcelRequire94c2;null==i&&((i=function(e){if(e in r)return r[e].exports;if(e in n){var t=n[e];delete n[e];
var i={id:e,exports:{}};return r[e]=i,t.call(i.exports,i,i.exports),i.exports}}).register=function(e,t){n[e]=t},t.parcelRequire94c2=i);var o=i.register;
o("27Lyk",function(e,t){var r=new Map;e.exports={register:function(e,t){for(var n=0;n<t.length-1;n+=2)r.set(t[n],{baseUrl:e,path:t[n+1]})},resolve:function(e){var t=r.get(e);return new URL(t.path,t.baseUrl).toString()}}});
i("27Lyk").register(new URL("",import.meta.url).toString(),JSON.parse('["2Lp3m","index.0a1b2c3d.js","5kQx9","cart.4e5f6071.js"]'));
import(i("27Lyk").resolve("5kQx9")).then(()=>{SHOW});
""".replace("SHOW", SHOW)
pair("b-parcel-register", BOTH, {"index.html": app("/index.0a1b2c3d.js"), "index.0a1b2c3d.js": PARCEL, "cart.4e5f6071.js": ""}, UP, gone="cart.4e5f6071.js", at=("index.0a1b2c3d.js", "cart.4e5f"))
pair("b-parcel-object", STRICT, {"index.html": app("/index.0a1b2c3d.js"), "index.0a1b2c3d.js":
     'var m={},p={register:function(u,t){for(const k of Object.keys(t))m[k]=new URL(t[k],u).toString()}};p.register(new URL("",import.meta.url).toString(),JSON.parse("{\\"5kQx9\\":\\"cart.4e5f6071.js\\"}"));'
     f'import(m["5kQx9"]).then(()=>{{{SHOW}}});', "cart.4e5f6071.js": ""}, UP, gone="cart.4e5f6071.js")
pair("b-federation", BOTH, {"index.html": html('<script defer src="/main.js"></script>', ROOM), "main.js":
     f'var r={{l:(u,f)=>{{var s=document.createElement("script");s.src=u;s.onload=f;document.head.appendChild(s)}}}};r.l("/remotes/cart/remoteEntry.js",()=>{{{SHOW}}},"cart");',
     "remotes/cart/remoteEntry.js": "var cart={};"}, UP, gone="remotes/cart/remoteEntry.js", at=("main.js", "/remotes"))

# Guards that are false in the app.
FALSE = {
    "protocol": 'if("https:"===window.location.protocol){fetch("/api/track")}',
    "protocol-switch": 'var b=location.protocol==="https:"?fetch("/api/a"):null;',
    "protocol-return": '(function(){if(location.protocol!=="https:")return;fetch("/api/a")})();',
    "protocol-regexp": '/^https?:/.test(location.href)&&navigator.sendBeacon("/log","x");',
    "protocol-index": 'if(0===location.protocol.indexOf("http")){var s=new Image;s.src="/pixel.gif"}',
    "file": 'if(location.protocol==="file:"){location.href="/local.html"}',
    "localhost-list": 'const isDev=["dev.example.com","127.0.0.1"].includes(location.hostname);if(isDev){import("/dev-tools.js")}',
    "host-regexp": 'if(/\\.example\\.org$/.test(location.host)){fetch("/stats/hit")}',
    "host-ends": 'location.hostname.endsWith(".test")&&import("/debug.js");',
    "dev-port": 'if(location.port==="3000"||location.port==="8080"){new EventSource("/livereload")}',
    "origin": 'if(location.origin==="https://www.example.com"){fetch("/api/session")}',
    "msie": 'if(navigator.userAgent.indexOf("MSIE ")>-1||!!navigator.userAgent.match(/Trident.*rv:11/)){document.write(\'<script src="/js/ie.js"><\\/script>\')}',
    "android": 'if(/android/i.test(navigator.userAgent)){var l=document.createElement("link");l.rel="stylesheet";l.href="/css/android.css";document.head.appendChild(l)}',
    "chrome": 'if(!!window.chrome&&/Chrome\\//.test(navigator.userAgent)){fetch("/chrome.json")}',
    "activex": 'if(window.ActiveXObject){var x=new ActiveXObject("Microsoft.XMLHTTP");x.open("GET","/old.xml",true);x.send()}',
    "sw": 'if("serviceWorker"in navigator&&location.protocol==="https:"){navigator.serviceWorker.register("/sw.js")}',
    "sw-load": 'if("serviceWorker"in navigator){window.addEventListener("load",function(){if(location.protocol!=="https:")return;navigator.serviceWorker.register("/service-worker.js")})}',
    "polyfill-fetch": 'window.fetch||document.write(\'<script src="/fetch.umd.js"><\\/script>\');',
    "polyfill-symbol": 'if(typeof Symbol==="undefined"||!Array.from){var s=document.createElement("script");s.src="/polyfill.min.js";document.head.appendChild(s)}',
    "polyfill-minified": '"undefined"==typeof Promise&&loadScript("/promise.js");',
    "env": 'if("production"!=="production"){fetch("/__dev/ping")}',
    "flag": 'var DEBUG=false;if(DEBUG){fetch("/debug.json")}',
    "else": 'if(location.protocol!=="https:"){window.a=1}else{fetch("/api/else")}',
    "ternary-chain": 'var u=location.protocol==="http:"?fetch("/a.json"):location.protocol==="https:"?fetch("/b.json"):0;',
    "nested": 'function t(){if(location.protocol.slice(0,4)==="http"||location.protocol==="https:"){return 1}return 0}',
    "function": 'const isWeb=()=>location.protocol.startsWith("http");if(isWeb())fetch("/web.json");',
    "no-semicolon": 'const isWeb = location.protocol === "https:"\nif (isWeb) fetch("/web.json")\n',
    "getusermedia": 'if(window.showOpenFilePicker){fetch("/picker.json")}',
}
for name, script in FALSE.items():
    trap("b-false-" + name, (STRICT, "capacitor")[len(name) % 2], run(script + say()), UP)
# Guards that are true, or do not affect the following code.
TRUE = {
    "protocol": 'if(location.protocol!=="https:"){LOAD}',
    "early": '(function(){if(location.protocol==="https:"||location.protocol==="http:")return;LOAD})();',
    "feature": 'if("IntersectionObserver"in window){LOAD}',
    "typeof": 'if(typeof fetch==="function"&&typeof Promise!=="undefined"){LOAD}',
    "or": 'location.protocol==="https:"||LOAD;',
    "else": 'if(navigator.userAgent.indexOf("MSIE")>=0){window.old=1}else{LOAD}',
    "after": 'if(location.protocol==="https:"){window.web=1}\nLOAD;',
    "after-and": 'location.protocol==="https:"&&(window.web=1);LOAD;',
    "no-semicolon": 'const web = location.protocol === "https:" && window.web\nLOAD\n',
    "comma": 'var w=location.protocol==="https:"&&1,p=LOAD;',
    "argument": '(function(a,b){})(location.protocol==="https:"?1:2,LOAD);',
    "secure": 'window.isSecureContext&&LOAD;',
    "ternary": 'var p=/Trident/.test(navigator.userAgent)?null:LOAD;',
}
for name, script in TRUE.items():
    load = 'fetch("/d.json").then(function(r){return r.json()}).then(function(){' + SHOW + "})"
    pair("b-true-" + name, (STRICT, "capacitor")[len(name) % 2], run(script.replace("LOAD", load), **{"d.json": "{}"}), UP,
         gone="d.json", at=("app.js", "/d.json"))

# Handled and unhandled failures.
HANDLED = {
    "catch-default": 'fetch("/settings.json").then(r=>r.json()).catch(()=>({theme:"light"})).then(()=>{SHOW});',
    "catch-block": 'fetch("/settings.json").then(function(r){return r.json()}).catch(function(e){console.warn(e);return{}}).then(function(){SHOW});',
    "then-second": 'fetch("/settings.json").then(r=>r.json().then(()=>{SHOW}),()=>{SHOW});',
    "await-try": '(async()=>{let c={};try{const r=await fetch("/settings.json");c=await r.json()}catch(e){c={}}SHOW})();',
    "await-try-log": '(async()=>{let c;try{c=await(await fetch("/settings.json")).json()}catch(e){console.log("no settings",e);c={}}SHOW})();',
    "import-try": '(async()=>{try{const m=await import("/plugins/extra.js");m.start()}catch{window.extra=!1}SHOW})();',
    "import-catch": 'import("/plugins/extra.js").then(m=>m.start()).catch(()=>{window.extra=false}).finally(()=>{SHOW});',
    "xhr": 'var x=new XMLHttpRequest;x.open("GET","/settings.json");x.onload=x.onloadend=null;x.onerror=function(){SHOW};x.onload=function(){SHOW};x.send();',
    "image": 'var i=new Image;i.onload=function(){SHOW};i.onerror=function(){SHOW};i.src="/probe.webp";',
    "script": 'var s=document.createElement("script");s.onerror=function(){window.noMap=1};s.src="/optional/map.js";document.head.appendChild(s);SHOW;',
    "listener": 'const s=document.createElement("script");s.addEventListener("error",()=>{window.no=1});s.src="/optional/chat.js";document.head.append(s);SHOW;',
    "settled": 'Promise.allSettled([fetch("/a.json"),fetch("/b.json")]).then(()=>{SHOW});',
    "all-catch": 'Promise.all([fetch("/a.json").then(r=>r.json()),fetch("/b.json").then(r=>r.json())]).catch(()=>[]).then(()=>{SHOW});',
}
for name, script in HANDLED.items():
    trap("b-handled-" + name, (STRICT, "capacitor")[len(name) % 2], run(script.replace("SHOW", SHOW)), UP)
LOST = {
    "log": 'fetch("/d.json").then(r=>r.json()).then(()=>{SHOW}).catch(console.error);',
    "log-block": 'fetch("/d.json").then(r=>r.json()).then(()=>{SHOW}).catch(function(e){console.error("failed",e)});',
    "rethrow": '(async()=>{try{await (await fetch("/d.json")).json();SHOW}catch(e){throw e}})();',
    "no-await": 'function g(){try{return fetch("/d.json").then(r=>r.json())}catch(e){return null}}g().then(()=>{SHOW});',
    "after-try": 'try{JSON.parse("{")}catch(e){}fetch("/d.json").then(r=>r.json()).then(()=>{SHOW});',
    "reject": 'new Promise((a,reject)=>{var s=document.createElement("script");s.src="/d.json.js";s.onload=a;s.onerror=reject;document.head.appendChild(s)}).then(()=>{SHOW});',
}
for name, script in LOST.items():
    pair("b-lost-" + name, (STRICT, "capacitor")[len(name) % 2], run(script.replace("SHOW", SHOW), **{"d.json": "{}", "d.json.js": ""}), UP,
         gone=["d.json", "d.json.js"], at=("app.js", "/d.json"))

# Policies.
CSP = '<meta http-equiv="Content-Security-Policy" content="{}">'


def csp(name, policy, wider, body, files=None, probe=UP, profile=STRICT, **others):
    """A page with a policy that is too narrow, and with a sufficient one."""
    files = files or {}
    pair("b-csp-" + name, profile, {"index.html": html(CSP.format(wider), body)} | files, probe,
         bad={"index.html": html(CSP.format(policy), body)}, **others)


SELF = "default-src 'self'"
csp("async-function", f"{SELF}; script-src 'self'", f"{SELF}; script-src 'self' 'unsafe-eval'", ROOM + '<script src="a.js"></script>',
    {"a.js": 'var A=Object.getPrototypeOf(async function(){}).constructor;new A(\'document.getElementById("app").textContent="up"\')();'}, at=("index.html", "script-src"))
csp("generator", f"{SELF}", f"{SELF} 'unsafe-eval'", ROOM + '<script src="a.js"></script>',
    {"a.js": 'const GeneratorFunction=(function*(){}).constructor;const g=new GeneratorFunction("yield 1");g().next();' + say()})
csp("constructor", f"{SELF}", f"{SELF} 'unsafe-eval'", ROOM + '<script src="a.js"></script>', {"a.js": '[].constructor.constructor("return 1")();' + say()}, profile="capacitor")
csp("style-element", f"{SELF}", f"{SELF}; style-src 'self' 'unsafe-inline'", '<div id="box"></div><script src="a.js"></script>',
    {"a.js": 'const s=document.createElement("style");s.textContent="#box{width:60px}";document.head.append(s);'}, probe=BOX)
csp("style-attribute", f"{SELF}", f"{SELF}; style-src 'self' 'unsafe-inline'", '<div id="box"></div><script src="a.js"></script>',
    {"a.js": 'document.getElementById("box").setAttribute("style","width:60px");'}, probe=BOX, profile="capacitor")
trap("b-csp-style-property", STRICT, {"index.html": html(CSP.format(SELF), '<div id="box"></div><script src="a.js"></script>'),
     "a.js": 'var b=document.getElementById("box");b.style.width="60px";b.style.cssText+=";height:8px";'}, BOX)
csp("blob-image", f"{SELF}", f"{SELF}; img-src 'self' blob:", '<script src="a.js"></script>',
    {"a.js": 'fetch("p.png").then(r=>r.blob()).then(b=>{const i=document.createElement("img");i.id="i";i.src=URL.createObjectURL(b);document.body.append(i)})', "p.png": png()}, probe=IMG)
csp("blob-worker", f"{SELF}", f"{SELF}; worker-src blob:", ROOM + '<script src="a.js"></script>',
    {"a.js": f'const u=URL.createObjectURL(new Blob(["postMessage(1)"],{{type:"text/javascript"}}));const w=new Worker(u);w.onmessage=()=>{{{SHOW}}};'}, profile="capacitor")
csp("data-image", f"{SELF}", f"{SELF}; img-src 'self' data:", '<script src="a.js"></script>',
    {"a.js": 'const i=new Image;i.id="i";i.src="data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7";document.body.append(i)'}, probe=IMG, profile="capacitor")
csp("event-source", f"{SELF}; connect-src 'none'", f"{SELF}", ROOM + '<script src="a.js"></script>', {"a.js": 'fetch("d.json").then(r=>r.json()).then(()=>{' + SHOW + "})", "d.json": "{}"},
    at=("index.html", "connect-src"))
trap("b-csp-nonce-style", STRICT, {"index.html": html(CSP.format("default-src 'self'; style-src 'nonce-k1'"), '<div id="box"></div><script src="a.js"></script>'),
     "a.js": 'const s=document.createElement("style");s.nonce="k1";s.textContent="#box{width:60px}";document.head.append(s);'}, BOX)
csp("trusted-types", f"{SELF}; require-trusted-types-for 'script'", f"{SELF}", ROOM + '<script src="a.js"></script>',
    {"a.js": 'document.getElementById("app").innerHTML="<b>up</b>";'}, at=("index.html", "require-trusted"), ios="break", why="WebKit has trusted types since iOS 26")
csp("trusted-policy", f"{SELF}; require-trusted-types-for 'script'; trusted-types dompurify", f"{SELF}; require-trusted-types-for 'script'; trusted-types app", ROOM + '<script src="a.js"></script>',
    {"a.js": 'const p=trustedTypes.createPolicy("app",{createHTML:s=>s});document.getElementById("app").innerHTML=p.createHTML("<b>up</b>");'}, at=("index.html", "trusted-types dom"))

# Lazy loaders.
LOADER = 'new IntersectionObserver((l,o)=>l.forEach(e=>{if(e.isIntersecting){const t=e.target;t.src=t.dataset.src;o.unobserve(t)}}))'
pair("b-lazy-observer", BOTH, {"index.html": html("", f'<img id="i" data-src="/img/a.png" alt="" width="8" height="8"><script>{LOADER}.observe(document.getElementById("i"))</script>'), "img/a.png": png()}, IMG,
     gone="img/a.png", at=("index.html", "/img/a.png"))
pair("b-lazy-srcset", STRICT, {"index.html": html('<script defer src="lazy.js"></script>', '<img id="i" data-srcset="img/a.png 1x, img/b.png 2x" alt="">'), "img/a.png": png(), "img/b.png": png(),
     "lazy.js": 'document.querySelectorAll("[data-srcset]").forEach(i=>{i.srcset=i.getAttribute("data-srcset")});'}, IMG, gone=["img/a.png", "img/b.png"], at=("index.html", "img/a.png"))
trap("b-lazy-unread", STRICT, {"index.html": html("", f'{ROOM}<div data-src="/img/zoom.png"></div><script>{say()}</script>')}, UP)

# Intended servers, and the start page.
page("b-api-literal", "capacitor cordova", run('fetch("/api/v1/products").then(r=>r.json()).then(()=>{' + SHOW + "});"), UP, ("app.js", "/api/v1"), expect="break")
trap("b-api-https", BOTH, run('fetch("https://api.example.com/v1/products").then(r=>r.json()).catch(()=>[]).then(()=>{' + SHOW + "});"), UP)
trap("b-jquery-fallback", BOTH, {"index.html": html('<script src="https://code.jquery.com/jquery-3.7.1.min.js"></script><script>window.jQuery||document.write(\'<script src="js/jquery.min.js"><\\/script>\')</script>',
     f'{ROOM}<script>jQuery&&({SHOW})</script>'), "js/jquery.min.js": "window.jQuery=function(){};"}, UP)
pair("b-jquery-fallback-both", STRICT, {"index.html": html('<script src="https://code.jquery.com/jquery-3.7.1.min.js"></script><script>window.jQuery||document.write(\'<script src="js/jquery.min.js"><\\/script>\')</script>',
     f'{ROOM}<script>jQuery&&({SHOW})</script>'), "js/jquery.min.js": "window.jQuery=function(){};"}, UP, gone="js/jquery.min.js", at=("index.html", "js/jquery"))
trap("b-click", BOTH, {"index.html": html("", ROOM + '<button onclick="fetch(\'/more.json\').then(r=>r.json())">More</button><script>' + say() + "</script>")}, UP, latent="only after a tap")
trap("b-listener", STRICT, run('document.body.addEventListener("click",()=>{import("/late.js")});' + say()), UP, latent="only after a tap")
