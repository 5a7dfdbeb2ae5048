"""Assets named in scripts: literals, and the sinks that load them."""
from pages import UP, app, font, html, page, pair, png, say, svg, trap

ANY = "path-strict capacitor"


def inline(script, body='<p id="p"></p>'):
    return html("", body + "<script>" + script + "</script>")


# Vite
pair("vite-asset", "path-strict capacitor cordova", {
    "index.html": app("/assets/index-CfR3.js"),
    "assets/index-CfR3.js": 'const logo="/assets/logo-DK4fa1Qz.png";document.getElementById("app").innerHTML='
    '`<img id="logo" src="${logo}" alt="">`;',
    "assets/logo-DK4fa1Qz.png": png()}, "$h.img('#logo')", gone="assets/logo-DK4fa1Qz.png",
    at=("assets/index-CfR3.js", "/assets/logo-"))
pair("vite-asset-svg", "capacitor", {
    "index.html": app("/assets/index-Ba81.js"),
    "assets/index-Ba81.js": 'const a="/assets/react-CHdo91hT.svg",b=document.createElement("img");b.id="l";b.src=a;'
    'document.getElementById("app").append(b);',
    "assets/react-CHdo91hT.svg": svg()}, "$h.img('#l')", gone="assets/react-CHdo91hT.svg",
    at=("assets/index-Ba81.js", "/assets/react-"))
pair("vite-asset-jsx", ANY, {
    "index.html": app("/assets/index-D1aa.js"),
    "assets/index-D1aa.js": 'const h={jsx(t,p){const e=document.createElement(t);for(const k in p)e[k]=p[k];return e}};'
    'const hero="/assets/hero-9f8e7d6c.png";function App(){return h.jsx("img",{src:hero,id:"hero",alt:"Hero"})}'
    'document.getElementById("app").append(App());',
    "assets/hero-9f8e7d6c.png": png()}, "$h.img('#hero')", gone="assets/hero-9f8e7d6c.png",
    at=("assets/index-D1aa.js", "/assets/hero-"))
pair("vite-jsx-public", ANY, {
    "index.html": app("/assets/index-D1ab.js"),
    "assets/index-D1ab.js": 'const h={jsx(t,p){const e=document.createElement(t);for(const k in p)e[k]=p[k];return e}};'
    'document.getElementById("app").append(h.jsx("img",{id:"v",src:"/vite.png",alt:""}));',
    "vite.png": png()}, "$h.img('#v')", gone="vite.png", at=("assets/index-D1ab.js", "/vite.png"))
pair("vite-new-url", ANY, {
    "index.html": app("/assets/index-E0.js"),
    "assets/index-E0.js": 'const i=new Image;i.id="n";i.src=new URL("/assets/map-Cx81kQ2p.png",import.meta.url).href;'
    'document.body.append(i);',
    "assets/map-Cx81kQ2p.png": png()}, "$h.img('#n')", gone="assets/map-Cx81kQ2p.png",
    at=("assets/index-E0.js", "/assets/map-"))
pair("vite-new-url-relative", "path-strict", {
    "index.html": app("./assets/index-E1.js"),
    "assets/index-E1.js": 'const i=new Image;i.id="n";i.src=""+new URL("map-Cx81kQ2p.png",import.meta.url).href;'
    'document.body.append(i);',
    "assets/map-Cx81kQ2p.png": png()}, "$h.img('#n')", gone="assets/map-Cx81kQ2p.png",
    at=("assets/index-E1.js", "map-"))
pair("vite-vue-sfc", "capacitor", {
    "index.html": app("/assets/index-V3.js"),
    "assets/index-V3.js": 'const _imports_0="/assets/banner-Bh81x0aa.png";function _sfc_render(){const n='
    'document.createElement("img");n.setAttribute("src",_imports_0);n.id="b";return n}'
    'document.getElementById("app").appendChild(_sfc_render());',
    "assets/banner-Bh81x0aa.png": png()}, "$h.img('#b')", gone="assets/banner-Bh81x0aa.png",
    at=("assets/index-V3.js", "/assets/banner-"))
# webpack
RUNTIME = ('!function(){var t={},e={};function n(r){var o=e[r];if(o)return o.exports;var i=e[r]={exports:{}};'
           "t[r](i,i.exports,n);return i.exports}n.p=PUBLIC;")


def webpack(modules, start, public='"/"'):
    return RUNTIME.replace("PUBLIC", public) + modules + start + "}();"


pair("webpack-media", "path-strict capacitor cordova", {
    "index.html": html('<script defer src="/static/js/main.5d1c2b3a.js"></script>', '<div id="root"></div>'),
    "static/js/main.5d1c2b3a.js": webpack(
        't[12]=function(e,t,n){e.exports=n.p+"static/media/logo.6ce24c58023cc2f8.png"};',
        'var i=document.createElement("img");i.id="l";i.src=n(12);document.getElementById("root").appendChild(i)'),
    "static/media/logo.6ce24c58023cc2f8.png": png()}, "$h.img('#l')",
    gone="static/media/logo.6ce24c58023cc2f8.png",
    at=("static/js/main.5d1c2b3a.js", "static/media/logo."))
pair("webpack-img-vuecli", "basename-cache", {
    "index.html": html('<script defer src="/js/app.77aa01bc.js"></script>', '<div id="root"></div>'),
    "js/app.77aa01bc.js": webpack(
        't["cf05"]=function(t,e,n){t.exports=n.p+"img/logo.82b9c7a5.png"};',
        'var i=new Image;i.id="l";i.src=n("cf05");document.body.appendChild(i)'),
    "img/logo.82b9c7a5.png": png()}, "$h.img('#l')", gone="img/logo.82b9c7a5.png",
    at=("js/app.77aa01bc.js", "img/logo."))
pair("webpack-font-in-style-loader", "path-strict", {
    "index.html": html('<script defer src="bundle.js"></script>', "<p>A</p>"),
    "bundle.js": webpack("", 'var s=document.createElement("style");s.textContent="@font-face{font-family:K;src:url("'
                         '+n.p+"fonts/k.1a2b3c4d.woff2"+")}p{font-family:K}";document.head.appendChild(s)'),
    "fonts/k.1a2b3c4d.woff2": font()}, "$h.font('K')", gone="fonts/k.1a2b3c4d.woff2",
    at=("bundle.js", "fonts/k."))
pair("webpack-url-loader-relative", "path-strict", {
    "index.html": html('<script defer src="build/main.js"></script>', ""),
    "build/main.js": webpack('t[3]=function(e,t,n){e.exports=n.p+"9b1deb4d.png"};',
                             'var i=new Image;i.id="l";i.src=n(3);document.body.appendChild(i)', '"build/"'),
    "build/9b1deb4d.png": png()}, "$h.img('#l')", gone="build/9b1deb4d.png", at=("build/main.js", "9b1deb4d.png"))
# Sinks, hand-written.
SINKS = {
    "img-src": 'var i=new Image();i.id="x";document.body.appendChild(i);i.src="/img/a.png";',
    "img-setattribute": 'var i=document.createElement("img");i.id="x";i.setAttribute("src","/img/a.png");'
    "document.body.appendChild(i);",
    "img-innerhtml": 'document.getElementById("p").innerHTML=\'<img id="x" src="/img/a.png" alt="">\';',
    "img-insertadjacent": 'document.getElementById("p").insertAdjacentHTML("beforeend",\'<img id="x" '
    "src=\"/img/a.png\">');",
    "img-template": 'const n="x";document.getElementById("p").innerHTML=`<img id="${n}" src="/img/a.png">`;',
    "img-document-write": "document.write('<img id=\"x\" src=\"/img/a.png\">');",
    "img-outerhtml": 'document.getElementById("p").outerHTML="<img id=x src=/img/a.png>";',
    "img-object-assign": 'document.body.append(Object.assign(new Image,{id:"x",src:"/img/a.png"}));',
    "img-array": 'var all=["/img/a.png"];all.forEach(function(u){var i=new Image;i.id="x";i.src=u;'
    "document.body.appendChild(i)});",
    "img-props": 'var cfg={logo:"/img/a.png",title:"Shop"};var i=new Image;i.id="x";i.src=cfg.logo;'
    "document.body.appendChild(i);",
    "img-function": 'function pic(u){var i=new Image;i.id="x";i.src=u;document.body.appendChild(i)}'
    'pic("/img/a.png");',
    "img-srcset": 'var i=new Image;i.id="x";i.srcset="/img/a.png 1x, /img/a.png 2x";document.body.appendChild(i);',
    "img-default": 'var opt={};var u=opt.img||"/img/a.png";var i=new Image;i.id="x";i.src=u;'
    "document.body.appendChild(i);",
    "img-ternary": 'var i=new Image;i.id="x";i.src=window.devicePixelRatio>0?"/img/a.png":"/img/a.png";'
    "document.body.appendChild(i);",
    "img-escaped": 'var i=new Image;i.id="x";i.src="\\/img\\/a.png";document.body.appendChild(i);',
}
for kind, script in SINKS.items():
    pair("sink-" + kind, "capacitor" if len(kind) % 2 else "path-strict",
         {"index.html": inline(script), "img/a.png": png()}, "$h.img('#x')", gone="img/a.png",
         at=("index.html", "\\/img\\/a.png" if kind == "img-escaped" else "/img/a.png"))
pair("sink-img-relative", "path-strict", {
    "index.html": inline('var i=new Image;i.id="x";i.src="img/a.png";document.body.appendChild(i);'),
    "img/a.png": png()}, "$h.img('#x')", gone="img/a.png", at=("index.html", "img/a.png"))
pair("sink-img-seed", "basename-cache", {
    "index.html": inline('var i=new Image;i.id="x";i.src="customscheme://shop.example.com/img/a.png";'
                         "document.body.appendChild(i);"),
    "img/a.png": png()}, "$h.img('#x')", gone="img/a.png",
    at=("index.html", "customscheme://shop.example.com/img/a.png"))
pair("sink-script-src", "path-strict capacitor cordova", {
    "index.html": inline('var s=document.createElement("script");s.src="/js/late.js";document.head.appendChild(s);'),
    "js/late.js": say("up", "p")}, "$h.text('#p')==='up'", gone="js/late.js", at=("index.html", "/js/late.js"))
pair("sink-script-relative", "cordova", {
    "index.html": inline('(function(d,t){var g=d.createElement(t),s=d.getElementsByTagName(t)[0];'
                         'g.src="js/late.js";s.parentNode.insertBefore(g,s)}(document,"script"));'),
    "js/late.js": say("up", "p")}, "$h.text('#p')==='up'", gone="js/late.js", at=("index.html", "js/late.js"))
pair("sink-load-script-helper", ANY, {
    "index.html": html('<script src="/js/boot.js"></script>', '<p id="p"></p>'),
    "js/boot.js": "function loadScript(src,cb){var s=document.createElement('script');s.src=src;s.onload=cb;"
    "document.head.appendChild(s)}\naddEventListener('load',function(){loadScript('/js/late.js',function(){\n"
    "document.getElementById('p').textContent='up'})});\n",
    "js/late.js": "window.late=1;"}, "$h.text('#p')==='up'", gone="js/late.js", at=("js/boot.js", "/js/late.js"))
pair("sink-link-href", ANY, {
    "index.html": inline('var l=document.createElement("link");l.rel="stylesheet";l.href="/css/late.css";'
                         "document.head.appendChild(l);", '<div id="box"></div>'),
    "css/late.css": "#box{width:60px}"}, "$h.css('#box','width')==='60px'", gone="css/late.css",
    at=("index.html", "/css/late.css"))
pair("sink-style-background", "capacitor", {
    "index.html": inline('document.getElementById("box").style.backgroundImage="url(/img/bg.png)";',
                         '<div id="box" style="width:9px;height:9px"></div>'),
    "img/bg.png": png()}, needs=["/img/bg.png"], gone="img/bg.png", at=("index.html", "/img/bg.png"))
pair("sink-style-csstext", "path-strict", {
    "index.html": inline('document.getElementById("box").style.cssText="width:9px;height:9px;background:'
                         "url('/img/bg.png')\";", '<div id="box"></div>'),
    "img/bg.png": png()}, needs=["/img/bg.png"], gone="img/bg.png", at=("index.html", "/img/bg.png"))
pair("sink-style-setproperty", "capacitor", {
    "index.html": inline('document.getElementById("box").style.setProperty("background","url(/img/bg.png)");',
                         '<div id="box" style="width:9px;height:9px"></div>'),
    "img/bg.png": png()}, needs=["/img/bg.png"], gone="img/bg.png", at=("index.html", "/img/bg.png"))
pair("sink-css-in-js", ANY, {
    "index.html": app("/assets/main-1.js"),
    "assets/main-1.js": 'const css=".hero{width:9px;height:9px;background:url(/img/bg-77aa01bc.png)}";const s='
    'document.createElement("style");s.textContent=css;document.head.append(s);'
    'document.getElementById("app").className="hero";',
    "img/bg-77aa01bc.png": png()}, needs=["/img/bg-77aa01bc.png"], gone="img/bg-77aa01bc.png",
    at=("assets/main-1.js", "/img/bg-77aa01bc.png"))
pair("sink-styled-components", "capacitor", {
    "index.html": app("/assets/main-2.js"),
    "assets/main-2.js": 'const t=(e,...a)=>{const s=document.createElement("style");s.textContent="#app{"+e.join("")'
    '+"}";document.head.append(s)};t`width:9px;height:9px;background-image:url("/img/bg.png");`;',
    "img/bg.png": png()}, needs=["/img/bg.png"], gone="img/bg.png", at=("assets/main-2.js", "/img/bg.png"))
pair("sink-fontface", ANY, {
    "index.html": inline('var f=new FontFace("K","url(/fonts/k.woff2)");f.load().then(function(l){'
                         'document.fonts.add(l);document.getElementById("p").textContent="up"});'),
    "fonts/k.woff2": font()}, "$h.text('#p')==='up'", gone="fonts/k.woff2", at=("index.html", "/fonts/k.woff2"))
pair("sink-import-meta-resolve", "path-strict", {
    "index.html": html("", '<p id="p"></p><script type="module">const u=import.meta.resolve("./img/a.png");'
                       'const i=new Image;i.id="x";i.src=u;document.body.append(i);</script>'),
    "img/a.png": png()}, "$h.img('#x')", gone="img/a.png", at=("index.html", "./img/a.png"))
pair("sink-new-url-baseuri", "capacitor", {
    "index.html": inline('var i=new Image;i.id="x";i.src=new URL("img/a.png",document.baseURI).href;'
                         "document.body.appendChild(i);"),
    "img/a.png": png()}, "$h.img('#x')", gone="img/a.png", at=("index.html", "img/a.png"))
pair("sink-new-url-location", "path-strict", {
    "index.html": inline('var i=new Image;i.id="x";i.src=new URL("img/a.png",location.href);'
                         "document.body.appendChild(i);"),
    "img/a.png": png()}, "$h.img('#x')", gone="img/a.png", at=("index.html", "img/a.png"))
pair("sink-audio", ANY, {
    "index.html": inline('var a=new Audio("/snd/beep.mp3");a.load();'), "snd/beep.mp3": b"ID3\x03" + bytes(64)},
    needs=["/snd/beep.mp3"], gone="snd/beep.mp3", at=("index.html", "/snd/beep.mp3"))
pair("sink-audio-worklet", "path-strict", {
    "index.html": inline('var c=new OfflineAudioContext(1,64,44100);c.audioWorklet.addModule("/js/gain.js")'
                         '.then(function(){document.getElementById("p").textContent="up"});'),
    "js/gain.js": 'registerProcessor("gain",class extends AudioWorkletProcessor{process(){return false}});'},
    "$h.text('#p')==='up'", gone="js/gain.js", at=("index.html", "/js/gain.js"))
pair("sink-worker", "path-strict capacitor basename-cache", {
    "index.html": inline('var w=new Worker("js/w.js");w.onmessage=function(e){document.getElementById("p").textContent'
                         "=e.data};w.postMessage(0);"),
    "js/w.js": 'onmessage=function(){postMessage("up")}'}, "$h.text('#p')==='up'", gone="js/w.js",
    at=("index.html", "js/w.js"))
pair("sink-worker-module-url", "capacitor", {
    "index.html": app("/assets/index-W.js"),
    "assets/index-W.js": 'const w=new Worker(new URL("/assets/worker-Ab12cd34.js",import.meta.url),{type:"module"});'
    'w.onmessage=e=>{document.getElementById("app").textContent=e.data};w.postMessage(0);',
    "assets/worker-Ab12cd34.js": 'onmessage=()=>postMessage("up");'}, UP, gone="assets/worker-Ab12cd34.js",
    at=("assets/index-W.js", "/assets/worker-"))
pair("sink-location-replace", "path-strict capacitor", {
    "index.html": inline('location.replace("/home.html");'), "home.html": html("", '<p id="h">home</p>')},
    "$h.text('#h')==='home'", gone="home.html", at=("index.html", "/home.html"))
pair("sink-location-assign", "cordova", {
    "index.html": inline('setTimeout(function(){window.location.assign("home.html")},50);'),
    "home.html": html("", '<p id="h">home</p>')}, "$h.text('#h')==='home'", gone="home.html",
    at=("index.html", "home.html"))
pair("sink-onclick-location", "path-strict", {
    "index.html": html("", '<button id="b" onclick="location.href=\'detail.html\'">More</button>'),
    "detail.html": html("", '<p id="h">detail</p>')}, "$h.text('#h')==='detail'",
    action='document.getElementById("b").click()', gone="detail.html", at=("index.html", "detail.html"))
pair("sink-window-open-self", "capacitor", {
    "index.html": html("", '<button id="b" onclick="window.open(\'/detail.html\',\'_self\')">More</button>'),
    "detail.html": html("", '<p id="h">detail</p>')}, "$h.text('#h')==='detail'",
    action='document.getElementById("b").click()', gone="detail.html", at=("index.html", "/detail.html"))
LAZY = ('document.querySelectorAll("img[data-original],img[data-src]").forEach(function(i){i.src='
        'i.getAttribute("data-original")||i.dataset.src});')
pair("lazy-data-original", ANY, {
    "index.html": html('<script defer src="/js/lazyload.js"></script>', '<img id="x" data-original="/img/a.png" alt="">'),
    "js/lazyload.js": LAZY, "img/a.png": png()}, "$h.img('#x')", gone="img/a.png", at=("index.html", "/img/a.png"))
pair("lazy-data-src", "basename-cache", {
    "index.html": html('<script defer src="js/lazyload.js"></script>', '<img id="x" data-src="img/a.png" alt="">'),
    "js/lazyload.js": LAZY, "img/a.png": png()}, "$h.img('#x')", gone="img/a.png", at=("index.html", "img/a.png"))
pair("lazy-data-background", "capacitor", {
    "index.html": html("", '<div id="box" data-bg="/img/bg.png" style="width:9px;height:9px"></div><script>var b='
                       'document.getElementById("box");b.style.backgroundImage="url("+b.dataset.bg+")"</script>'),
    "img/bg.png": png()}, needs=["/img/bg.png"], gone="img/bg.png", at=("index.html", "/img/bg.png"))
pair("esbuild-file-loader", "path-strict", {
    "index.html": html('<script defer src="/out/app.js"></script>', '<div id="app"></div>'),
    "out/app.js": '(() => {\n  // src/logo.png\n  var logo_default = "/out/logo-5DKCNM3C.png";\n\n  // src/app.js\n'
    '  var img = new Image();\n  img.id = "l";\n  img.src = logo_default;\n  document.body.append(img);\n})();\n',
    "out/logo-5DKCNM3C.png": png()}, "$h.img('#l')", gone="out/logo-5DKCNM3C.png",
    at=("out/app.js", "/out/logo-"))
pair("esbuild-file-relative", "path-strict", {
    "index.html": html('<script type="module" src="app.js"></script>', ""),
    "app.js": 'var logo_default="./logo-5DKCNM3C.png";var i=new Image;i.id="l";i.src=logo_default;'
    "document.body.append(i);", "logo-5DKCNM3C.png": png()}, "$h.img('#l')", gone="logo-5DKCNM3C.png",
    at=("app.js", "./logo-"))
pair("parcel-url", "path-strict", {
    "index.html": html('<script type="module" src="/index.8b3f5d1e.js"></script>', ""),
    "index.8b3f5d1e.js": 'var e;e=new URL("logo.2a1b3c4d.png",import.meta.url).toString();const i=new Image;i.id="l";'
    "i.src=e;document.body.append(i);", "logo.2a1b3c4d.png": png()}, "$h.img('#l')", gone="logo.2a1b3c4d.png",
    at=("index.8b3f5d1e.js", "logo.2a1b3c4d.png"))
pair("next-static-media", "capacitor", {
    "index.html": html('<script defer src="/_next/static/chunks/main.js"></script>', '<div id="__next"></div>'),
    "_next/static/chunks/main.js": '(()=>{const a={src:"/_next/static/media/hero.5a6b7c8d.png",height:8,width:8,'
    'blurDataURL:"data:image/png;base64,iVBORw0KGgo="};const i=new Image(8,8);i.id="h";i.src=a.src;'
    'document.getElementById("__next").append(i)})();',
    "_next/static/media/hero.5a6b7c8d.png": png()}, "$h.img('#h')", gone="_next/static/media/hero.5a6b7c8d.png",
    at=("_next/static/chunks/main.js", "/_next/static/media/hero."))
pair("lottie-json", "capacitor", {
    "index.html": html("", '<p id="p"></p><script>var lottie={loadAnimation:function(o){fetch(o.path).then(function(r)'
                       '{return r.json()}).then(function(){document.getElementById("p").textContent="up"})}};'
                       'lottie.loadAnimation({renderer:"svg",path:"/anim/intro.json"})</script>'),
    "anim/intro.json": '{"v":"5.7"}'}, "$h.text('#p')==='up'", gone="anim/intro.json",
    at=("index.html", "/anim/intro.json"))
pair("jquery-attr-src", "cordova", {
    "index.html": html("", '<img id="x" alt=""><script>function $(s){var e=document.querySelector(s);return{attr:'
                       'function(k,v){e.setAttribute(k,v);return this}}}$("#x").attr("src","img/a.png");</script>'),
    "img/a.png": png()}, "$h.img('#x')", gone="img/a.png", at=("index.html", "img/a.png"))
# Strings that look like file names.
trap("trap-mime-table", "path-strict capacitor", {
    "index.html": app("/m.js"),
    "m.js": 'const t={".png":"image/png",".js":"text/javascript","/favicon.ico":"image/x-icon",svg:"image/svg+xml"};'
    'document.getElementById("app").textContent=t[".png"]?"up":"";'}, UP)
trap("trap-route-names", "capacitor", {
    "index.html": app("/m.js"),
    "m.js": 'const r=["/users/list.html","/shop.php","/v1/items.json"].map(e=>({path:e}));function go(e){return r.find('
    "t=>t.path===e)}" + say()}, UP)
trap("trap-sourcemap-names", "path-strict", {
    "index.html": app("/m.js"),
    "m.js": say() + '\nvar w="webpack:///./src/assets/logo.png";var s="src/components/App.vue";\n'}, UP)
trap("trap-vendor-example", "path-strict", {
    "index.html": app("/m.js"),
    "m.js": '/*! Usage: $("#a").lightbox({prev:"/img/prev.png"}) */\n/* loadScript("/js/gone.js") */\n'
    '// img.src = "/img/gone.png"\n' + say()}, UP)
trap("trap-error-text", "capacitor", {
    "index.html": app("/m.js"),
    "m.js": 'function f(e){throw new Error("Cannot load /assets/logo.png: see /docs/install.md")}' + say()}, UP)
trap("trap-regexp", "path-strict", {
    "index.html": app("/m.js"),
    "m.js": 'var r=/\\/img\\/(.*)\\.png$/,s=/["\']\\/gone\\.js["\']/;' + say()}, UP)
trap("trap-endswith", "capacitor", {
    "index.html": app("/m.js"),
    "m.js": 'if("a/b.js".endsWith("/b.js")&&"x/index.html".indexOf("/index.html")>0){' + say() + "}"}, UP)
trap("trap-data-img", "capacitor", {
    "index.html": inline('var i=new Image;i.id="x";i.src="data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAAL'
                         'AAAAAABAAEAAAIBRAA7";document.body.appendChild(i);')}, "$h.img('#x')")
trap("trap-blob-img", "path-strict", {
    "index.html": inline("var i=new Image;i.id='x';i.src=URL.createObjectURL(new Blob(['<svg xmlns=\"http://www.w3.org/"
                         "2000/svg\" width=\"8\" height=\"8\"/>'],{type:'image/svg+xml'}));"
                         "document.body.appendChild(i);")}, "$h.img('#x')")
trap("trap-dead-branch", "path-strict", {
    "index.html": app("/m.js"),
    "m.js": 'if("production"!=="production"){var s=document.createElement("script");s.src="/dev/overlay.js";'
    "document.head.append(s)}" + say()}, UP)
trap("trap-ie-branch", "capacitor", {
    "index.html": inline('if(document.documentMode){var s=document.createElement("script");s.src="/js/html5shiv.js";'
                         'document.head.appendChild(s)}document.getElementById("p").textContent="up";')},
     "$h.text('#p')==='up'")
trap("trap-conditional-comment", "path-strict", {
    "index.html": html('<!--[if lt IE 9]><script src="js/html5shiv.min.js"></script><![endif]-->',
                       '<p id="app">up</p>')}, UP)
trap("trap-onerror-fallback", "capacitor", {
    "index.html": html("", '<img id="x" src="/img/gone.png" onerror="this.onerror=null;this.src=\'/img/none.png\'" '
                       'alt="">'), "img/none.png": png()}, "$h.img('#x')", advice="a file is missing, mended by onerror")
trap("trap-version-compare", "path-strict", {
    "index.html": app("/m.js"),
    "m.js": 'var v="1.2.js",n="vue.js",m="moment.js",p="d3.js";document.getElementById("app").textContent='
    '"Made with "+n?"up":"";'}, UP)
trap("trap-module-ids", "path-strict", {
    "index.html": html('<script defer src="/b.js"></script>', '<div id="app"></div>'),
    "b.js": '(self.webpackChunkshop=self.webpackChunkshop||[]).push([[179],{"./node_modules/core-js/es/index.js":'
    '(e,t,n)=>{},"./src/img/logo.png":(e,t,n)=>{}}]);' + say()}, UP)
trap("trap-locale-list", "path-strict", {
    "index.html": html('<script defer src="/b.js"></script>', '<div id="app"></div>'),
    "b.js": 'var map={"./af":1,"./af.js":1,"./ar":2,"./ar.js":2,"./de.js":3};function ctx(r){return map[r]}'
    + say()}, UP)
trap("trap-license-comment", "path-strict", {
    "index.html": app("/m.js"), "m.js": "/*! For license information please see m.js.LICENSE.txt */\n" + say()}, UP)
trap("trap-share-image", "capacitor", {
    "index.html": html('<meta property="og:image" content="https://shop.example.com/share/card.png">'
                       '<meta name="msapplication-TileImage" content="/tiles/144.png">', '<p id="app">up</p>')}, UP)
trap("trap-jsonld", "path-strict", {
    "index.html": html('<script type="application/ld+json">{"@type":"Product","image":"/img/photo-1.png",'
                       '"url":"/p/1.html"}</script>', '<p id="app">up</p>')}, UP)
trap("trap-regexp-url-builder", "capacitor", {
    "index.html": app("/m.js"),
    "m.js": 'const icon=e=>`/icons/${e}.png`;window.icon=icon;' + say()}, UP)
page("literal-unused", "path-strict capacitor", {
    "index.html": app("/m.js"),
    "m.js": 'window.cfg={placeholder:"/assets/none-1a2b3c4d.png"};' + say()}, UP, expect="work",
     latent="a literal with a hash that is never loaded")
page("literal-on-click-only", "capacitor", {
    "index.html": inline('window.open2=function(){var i=new Image;i.src="/img/zoom.png";document.body.append(i)};'
                         'document.getElementById("p").textContent="up";')}, "$h.text('#p')==='up'", expect="work",
     latent="loaded only after a click")
