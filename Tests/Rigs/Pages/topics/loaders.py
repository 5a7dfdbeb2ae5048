"""Loaders before modules, files named in settings, and URLs composed of known names."""
from pages import UP, app, html, pair, png, say, svg, trap

STRICT = "path-strict"
BOTH = "path-strict capacitor"
ROOM = '<div id="app"></div>'
SHOW = 'document.getElementById("app").textContent="up"'

# RequireJS 2.3's handling of names, in a few lines; the pages give the same results with require.js itself.
REQUIRE = """(function(w){var s=w.require&&typeof w.require=="object"?w.require:{},cfg={baseUrl:s.baseUrl,paths:s.paths||{}},mods={},queue=[];
function norm(n,p){if(n[0]!=".")return n;var a=p?p.split("/").slice(0,-1):[];n.split("/").forEach(function(x){if(x==".."&&a.length&&a[a.length-1]!="..")a.pop();else if(x!=".")a.push(x)});return a.join("/")}
function url(n,e){if(/^\\/|:|\\?/.test(n)||e&&/\\.js$/.test(n))return n;var p=n.split("/"),i;for(i=p.length;i>0;i--){var k=p.slice(0,i).join("/");if(cfg.paths[k]){p.splice(0,i,cfg.paths[k]);break}}
n=p.join("/");var b=cfg.baseUrl||"./";if(b.slice(-1)!="/")b+="/";return(/^\\/|:/.test(n)?"":b)+n+e}
function get(n,p){if(n.indexOf("text!")==0)return fetch(url(norm(n.slice(5),p),"")).then(function(r){if(!r.ok)throw n;return r.text()});n=norm(n,p);if(mods[n])return mods[n];
return mods[n]=new Promise(function(ok,no){var e=document.createElement("script");e.src=url(n,".js");e.onload=function(){var q=queue;queue=[];q.forEach(function(d){if(d[0]&&d[0]!=n)mods[d[0]]=run(d[1],d[2],d[0])});
var own=q.filter(function(d){return!d[0]||d[0]==n})[0];ok(own?run(own[1],own[2],n):0)};e.onerror=no;document.head.appendChild(e)})}
function run(d,f,n){return Promise.all((d||[]).map(function(x){return x=="require"||x=="exports"||x=="module"?0:get(x,n)})).then(function(v){return typeof f=="function"?f.apply(null,v):f})}
w.define=function(n,d,f){if(typeof n!="string"){f=d;d=n;n=null}if(!Array.isArray(d)){f=d;d=[]}queue.push([n,d,f])};define.amd={};
w.require=w.requirejs=function(d,f){if(!Array.isArray(d)){require.config(d);d=f;f=arguments[2]}setTimeout(function(){run(d,f).catch(function(){})})};
require.config=function(c){if(c.baseUrl)cfg.baseUrl=c.baseUrl;for(var k in c.paths||{})cfg.paths[k]=c.paths[k];if(c.deps)require(c.deps)};
var m=document.currentScript.getAttribute("data-main");if(m){if(!cfg.baseUrl){var a=m.split("/");m=a.pop();cfg.baseUrl=a.length?a.join("/")+"/":"./"}require([m.replace(/\\.js$/,"")])}})(window);
"""


def amd(main, head="", attribute="js/main", **files):
    """A page started by RequireJS."""
    page = {"index.html": html(head, f'{ROOM}<script data-main="{attribute}" src="js/require.js"></script>'),
            "js/require.js": REQUIRE, "js/main.js": main}
    return page | {name.replace("__", "/").replace("_", "."): text for name, text in files.items()}


def module(text, name="/assets/index-B7c8D9e0.js"):
    return {"index.html": app(name), name.lstrip("/"): text}


def script(text, head="", body=ROOM, name="app.js"):
    return {"index.html": html(head, f'{body}<script src="{name}"></script>'), name: text}


UNIT = "define([],function(){return 1});"
# RequireJS
pair("amd-main", BOTH, amd(f"require([],function(){{{SHOW}}});"), UP, gone="js/main.js", at=("index.html", "js/main"))
pair("amd-main-ending", STRICT, amd(f"require([],function(){{{SHOW}}});", attribute="js/main.js"), UP, gone="js/main.js", at=("index.html", "js/main.js"))
pair("amd-dependency", BOTH, amd(f'require(["cart"],function(c){{{SHOW}}});', js__cart_js=UNIT), UP, gone="js/cart.js", at=("js/main.js", "cart"))
pair("amd-define-main", STRICT, amd(f'define(["app/shop"],function(s){{{SHOW}}});', js__app__shop_js='define(["./item","../lib/money"],function(){return 1});',
     js__app__item_js=UNIT, js__lib__money_js=UNIT), UP, gone="js/lib/money.js", at=("js/app/shop.js", "../lib/money"))
pair("amd-base-url", BOTH, amd(f'requirejs.config({{baseUrl:"js/lib",paths:{{app:"../app"}}}});requirejs(["cart","app/shop"],function(){{{SHOW}}});',
     js__lib__cart_js=UNIT, js__app__shop_js=UNIT), UP, gone="js/app/shop.js", at=("js/main.js", "app/shop"))
pair("amd-paths-file", "capacitor", amd(f'require.config({{paths:{{"jquery":"vendor/jquery-1.2.3","ui":"vendor/ui"}},shim:{{ui:{{deps:["jquery"]}}}}}});require(["jquery","ui/button"],function(){{{SHOW}}});',
     **{"js__vendor__jquery-1_2_3_js": UNIT, "js__vendor__ui__button_js": UNIT}), UP, gone="js/vendor/jquery-1.2.3.js", at=("js/main.js", 'jquery","ui/button'))
pair("amd-early-settings", STRICT, amd(f'define(["cart"],function(){{{SHOW}}});', '<script>var require={baseUrl:"js"};</script>', attribute="main", js__cart_js=UNIT), UP,
     gone="js/cart.js", at=("js/main.js", "cart"))
pair("amd-inline-config", STRICT, {
    "index.html": html("", f'{ROOM}<script src="js/require.js"></script><script>require.config({{baseUrl:"./js",paths:{{vs:"editor/vs"}}}});require(["vs/main"],function(){{{SHOW}}});</script>'),
    "js/require.js": REQUIRE, "js/editor/vs/main.js": UNIT}, UP, gone="js/editor/vs/main.js", at=("index.html", "vs/main"))
pair("amd-text", "capacitor", amd(f'define(["text!../tpl/cart.html"],function(t){{{SHOW}}});', tpl__cart_html="<p>cart</p>"), UP,
     bad={"js/main.js": f'define(["cart","text!../tpl/cart.html"],function(t){{{SHOW}}});'}, at=("js/main.js", "cart"))
trap("amd-bundled", BOTH, amd(f'define("lib/cart",[],function(){{return 1}});define("main",["lib/cart"],function(){{{SHOW}}});'), UP)
trap("amd-own-url", STRICT, amd(f'require(["/js/extra.js"],function(){{{SHOW}}});', js__extra_js=UNIT), UP)
trap("amd-query", STRICT, amd(f'require(["js/extra.js?v=3"],function(){{{SHOW}}});', js__extra_js=UNIT), UP)
trap("amd-universal", BOTH, script('(function(r,f){typeof define=="function"&&define.amd?define(["jquery"],f):r.Lib=f()})(this,function(){return 1});' + say()), UP)
trap("amd-almond", STRICT, script('var define=function(n,d,f){f()};define("cart",["money"],function(){});define("main",["cart","gone"],function(){' + SHOW + "});"), UP)
trap("amd-paths-elsewhere", STRICT, amd(f'require.config({{paths:{{app:"./app"}}}});require(["app/shop"],function(){{{SHOW}}});', js__app__shop_js=UNIT), UP)
# SystemJS
SYSTEM = ('window.System={import:function(n){var m=JSON.parse(document.querySelector("script[type=systemjs-importmap]").textContent).imports;return new Promise(function(a,b){var s=document.createElement("script");'
          's.src=m[n]||n;s.onload=a;s.onerror=b;document.head.appendChild(s)})},register:function(){}};')


def system(entries, script):
    return {"index.html": html(f'<script type="systemjs-importmap">{{"imports":{{{entries}}}}}</script><script src="/lib/system.min.js"></script>',
                               f"{ROOM}<script>{script}</script>"), "lib/system.min.js": SYSTEM}


pair("sys-single-spa", BOTH, system('"@shop/root":"/mf/root.js","@shop/cart":"/mf/cart.js"', f'System.import("@shop/root").then(function(){{return System.import("@shop/cart")}}).then(function(){{{SHOW}}});')
     | {"mf/root.js": "", "mf/cart.js": ""}, UP, gone="mf/cart.js", at=("index.html", "/mf/cart.js"))
pair("sys-address", STRICT, system("", f'System.import("./js/app.js").then(function(){{{SHOW}}});') | {"js/app.js": "System.register([],function(){})"}, UP, gone="js/app.js", at=("index.html", "./js/app.js"))
trap("sys-unused", STRICT, system('"@shop/root":"/mf/root.js","@shop/old":"/mf/old.js"', f'System.import("@shop/root").then(function(){{{SHOW}}});') | {"mf/root.js": ""}, UP)
trap("sys-whole", "capacitor", system('"a":"/a.js"', f'System.import("a").then(function(){{{SHOW}}});') | {"a.js": ""}, UP)
# Translations
I18N = ('function read(o,l,n){return fetch(o.backend.loadPath.replace("{{lng}}",l).replace("{{ns}}",n)).then(function(r){if(!r.ok)throw l;return r.json()})}')
pair("i18n-none", BOTH, module(I18N + 'read({fallbackLng:"en",backend:{loadPath:"/locales/{{lng}}/{{ns}}.json"}},"en","translation").then(()=>{' + SHOW + "});") | {"locales/en/translation.json": "{}"}, UP,
     gone="locales/en/translation.json", at=("assets/index-B7c8D9e0.js", "/locales/"))
pair("i18n-fallback", STRICT, module(I18N + 'read({fallbackLng:"en",supportedLngs:["de","en"],backend:{loadPath:"/i18n/{{lng}}.json"}},"en","x").then(()=>{' + SHOW + "});")
     | {"i18n/en.json": "{}", "i18n/de.json": "{}"}, UP, gone="i18n/en.json", at=("assets/index-B7c8D9e0.js", "/i18n/"))
trap("i18n-there", "capacitor", module(I18N + 'read({lng:"de",fallbackLng:"en",backend:{loadPath:"./lang/{{lng}}.json"}},"en","x").then(()=>{' + SHOW + "});") | {"lang/en.json": "{}"}, UP)
trap("i18n-bundled", STRICT, module('const o={fallbackLng:"en",resources:{en:{translation:{a:"b"}}}};' + say()), UP)
# Engines
UNITY = ('var buildUrl="Build";var loaderUrl=buildUrl+"/web.loader.js";var config={dataUrl:buildUrl+"/web.data",frameworkUrl:buildUrl+"/web.framework.js",codeUrl:buildUrl+"/web.wasm",streamingAssetsUrl:"StreamingAssets",companyName:"Shop"};'
         'var s=document.createElement("script");s.src=loaderUrl;s.onload=()=>{createUnityInstance(config).then(()=>{' + SHOW + '})};document.body.appendChild(s);')
UNITY_FILES = {"Build/web.loader.js": 'function createUnityInstance(c){return Promise.all([c.dataUrl,c.frameworkUrl,c.codeUrl].map(u=>fetch(u).then(r=>{if(!r.ok)throw u})))}',
               "Build/web.data": "D", "Build/web.framework.js": "F", "Build/web.wasm": "W"}
for gone, mark in {"data": "/web.data", "framework.js": "/web.framework.js", "wasm": "/web.wasm", "loader.js": "loaderUrl;s.onload"}.items():
    pair("unity-" + gone.replace(".", "-"), STRICT, {"index.html": html("", f"{ROOM}<script>{UNITY}</script>"), **UNITY_FILES}, UP, gone="Build/web." + gone, at=("index.html", mark))
FLUTTER = ('var b=document.querySelector("base"),root=b&&b.getAttribute("href")||"";var cfg={"builds":[{"compileTarget":"dart2js","renderer":"canvaskit","mainJsPath":"main.dart.js"}]};'
           'var s=document.createElement("script");s.src=cfg.builds[0].mainJsPath;document.body.append(s);')
pair("flutter-main", BOTH, script(FLUTTER, '<base href="/">', name="flutter_bootstrap.js") | {"main.dart.js": say()}, UP, gone="main.dart.js", at=("flutter_bootstrap.js", "main.dart.js"))
pair("flutter-fonts", STRICT, script('const base=document.querySelector("base").getAttribute("href");fetch(base+"assets/FontManifest.json").then(r=>r.json()).then(()=>{' + SHOW + "});", '<base href="/">')
     | {"assets/FontManifest.json": "[]"}, UP, gone="assets/FontManifest.json", at=("app.js", "assets/FontManifest"))
# Names made by a loop
DONE = 'var left=COUNT;function one(){--left||(' + SHOW + ')}'


def done(count):
    return DONE.replace("COUNT", str(count))


pair("loop-frames", BOTH, script(done(3) + 'for(let i=1;i<=3;i++){const e=new Image;e.onload=one;e.src=`img/frame-${i}.png`}')
     | {f"img/frame-{n}.png": png(n) for n in (1, 2, 3)}, UP, gone="img/frame-3.png", at=("app.js", "img/frame-"))
pair("loop-bare-body", STRICT, script(done(2) + 'for(var i=0;i<2;i++)add("x"+i);function add(n){}var k;for(k=0;k<2;k++){var e=new Image;e.onload=one;e.src="/s/"+k+".png"}')
     | {"s/0.png": png(1), "s/1.png": png(2)}, UP, gone="s/1.png", at=("app.js", "/s/"))
pair("loop-of-names", "capacitor", module(done(2) + 'for(const n of["cart","home"]){const e=new Image;e.onload=one;e.src="/icons/"+n+".svg"}')
     | {"icons/cart.svg": svg(), "icons/home.svg": svg()}, UP,
     gone="icons/home.svg", at=("assets/index-B7c8D9e0.js", "/icons/"))
pair("loop-for-each", STRICT, script(done(2) + 'var names=["a","b"];names.forEach(function(n){var e=new Image;e.onload=one;e.src="pics/"+n+".png"});')
     | {"pics/a.png": png(1), "pics/b.png": png(2)}, UP, gone="pics/b.png", at=("app.js", "pics/"))
pair("loop-map-fetch", BOTH, module('Promise.all(["items","prices"].map(e=>fetch(`/data/${e}.json`).then(r=>r.json()))).then(()=>{' + SHOW + "});")
     | {"data/items.json": "[]", "data/prices.json": "[]"}, UP, gone="data/prices.json", at=("assets/index-B7c8D9e0.js", "/data/"))
pair("loop-index", "cordova", script(done(2) + 'var tiles=["grass","water"];for(var i=0;i<tiles.length;i++){var e=new Image;e.onload=one;e.src="tiles/"+tiles[i]+".png"}')
     | {"tiles/grass.png": png(1), "tiles/water.png": png(2)}, UP, gone="tiles/water.png", at=("app.js", "tiles/"))
pair("loop-jsx", STRICT, module(done(2) + 'const h={jsx(t,p){const e=document.createElement(t);Object.assign(e,p);document.body.append(e)}};["visa","giro"].map(e=>h.jsx("img",{alt:e,onload:one,src:`/pay/${e}.png`}));')
     | {"pay/visa.png": png(1), "pay/giro.png": png(2)}, UP, gone="pay/giro.png", at=("assets/index-B7c8D9e0.js", "/pay/"))
pair("word-in-template", BOTH, module('const lang="en";fetch(`/texts/${lang}/shop.json`).then(r=>r.json()).then(()=>{' + SHOW + "});")
     | {"texts/en/shop.json": "{}", "texts/de/shop.json": "{}"}, UP, gone="texts/en/shop.json", at=("assets/index-B7c8D9e0.js", "/texts/"))
pair("word-and-ending", STRICT, script('var theme="dark";var e=new Image;e.onload=function(){' + SHOW + '};e.src="img/"+theme+".png";') | {"img/dark.png": png()}, UP, gone="img/dark.png", at=("app.js", "img/"))
# Similar code without references
trap("loop-parameter", BOTH, script('var n="gone";function pic(n){var e=new Image;e.onload=function(){' + SHOW + '};e.src="img/"+n+".png"}pic("a");') | {"img/a.png": png()}, UP)
trap("loop-closed", STRICT, module('for(const n of["x","y"]){document.title=n}const f=n=>{const e=new Image;e.onload=()=>{' + SHOW + '};e.src="/img/"+n+".png"};f("a");') | {"img/a.png": png()}, UP)
trap("word-changes", STRICT, script('var theme="gone";if(document.body){theme="a"}var e=new Image;e.onload=function(){' + SHOW + '};e.src="img/"+theme+".png";') | {"img/a.png": png()}, UP)
trap("word-inner-scope", "capacitor", module('const n="a";{const n="gone";document.title=n}const e=new Image;e.onload=()=>{' + SHOW + '};e.src="/img/"+n+".png";') | {"img/a.png": png()}, UP)
trap("word-shadowed-arrow", STRICT, module('const n="gone";const f=({n})=>{const e=new Image;e.onload=()=>{' + SHOW + '};e.src=`/img/${n}.png`};f({n:"a"});') | {"img/a.png": png()}, UP)
trap("word-catch", STRICT, module('const n="gone";try{throw "a"}catch(n){const e=new Image;e.onload=()=>{' + SHOW + '};e.src=`/img/${n}.png`}') | {"img/a.png": png()}, UP)
trap("word-destructured", STRICT, module('const n="gone";(()=>{const{n}={n:"a"};const e=new Image;e.onload=()=>{' + SHOW + '};e.src=`/img/${n}.png`})();') | {"img/a.png": png()}, UP)
trap("loop-step", STRICT, script(done(2) + 'for(var i=0;i<4;i+=2){var e=new Image;e.onload=one;e.src="s/"+i+".png"}') | {"s/0.png": png(1), "s/2.png": png(2)}, UP)
trap("loop-break", STRICT, script(done(1) + 'for(var i=0;i<9;i++){if(i==1)break;var e=new Image;e.onload=one;e.src="s/"+i+".png"}') | {"s/0.png": png(1)}, UP)
trap("loop-continue", BOTH, script(done(1) + 'for(var i=0;i<2;i++){if(i==1)continue;var e=new Image;e.onload=one;e.src="s/"+i+".png"}') | {"s/0.png": png(1)}, UP)
trap("loop-pushed", STRICT, script(done(1) + 'var l=["gone"];l.length=0;l.push("a");l.forEach(function(n){var e=new Image;e.onload=one;e.src="s/"+n+".png"})') | {"s/a.png": png(1)}, UP)
