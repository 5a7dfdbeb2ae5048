"""Android: routers and the history, guards of protocol and host, redirects, forms, requests of scripts."""
from pages import ANDROID, UP, android_pages, html, page, pair, png, say, trap

ROOM = '<div id="app"></div>'
LOCAL = "capacitor-android cordova-android"
ROOTED = "capacitor-android cordova-android intercept"
IMG = "$h.img('#i')"
UPPER = 'document.getElementById("app").textContent="up"'
LOST = 'document.getElementById("app").innerHTML="<h1>404</h1>"'


def inline(script, head="", body=""):
    return {"index.html": html(head, f"{ROOM}{body}<script>{script}</script>")}


def classic(script, **files):
    return {"index.html": html("", ROOM + '<script src="app.js"></script>'), "app.js": script, **files}


# Routers by path: they need the launch by the URL of the root, or a route for index.html.
BROWSER = ('const routes=%s;function match(p){for(const[k,f]of Object.entries(routes))if(k===p||k==="*")return f}'
           'function go(p){history.pushState({},"",p);match(location.pathname)()}match(location.pathname)();')
HOME, ANY = '{"/":()=>{%s},"*":()=>{%s}}' % (UPPER, LOST), '{"/":()=>{%s},"/index.html":()=>{%s},"*":()=>{%s}}' % (UPPER, UPPER, LOST)
page("a-router-path-root-capacitor", "capacitor-android", classic(BROWSER % HOME), UP, launch="/", expect="work")
page("a-router-path-root-cordova", "cordova-android", classic(BROWSER % HOME), UP, launch="/", expect="work")
for profile in ROOTED.split():
    page("a-router-path-index-" + profile, profile, classic(BROWSER % HOME), UP, expect="break")
    page("a-router-path-index-route-" + profile, profile, classic(BROWSER % ANY), UP, expect="work")
# Minified routers: Vue Router 4, React Router 6, SvelteKit-like, page.js, Navigo, Angular.
VUE = ('const ge="beforeunload";function ct(e,t){const{pathname:n,search:r,hash:s}=t,o=e.indexOf("#");if(o>-1){let i=s.includes(e.slice(o))?e.slice(o).length:1,l=s.slice(i);return l[0]!=="/"&&(l="/"+l),l}return(e&&n.startsWith(e)?n.slice(e.length)||"/":n)+r+s}'
       'function Zr(e){e=e?e.replace(/\\/$/,""):"";return{base:e,get location(){return ct(e,location)},replace(t){history.replaceState({},"",e+t)},push(t){history.pushState({},"",e+t)}}}'
       'function mk(o){const h=o.history;return{install(){const p=h.location.split(/[?#]/)[0];const r=o.routes.find(r=>r.path===p)||o.routes.find(r=>r.path==="/:pathMatch(.*)*");r?r.component():console.warn(`[Vue Router warn]: No match found for location with path "${p}"`)}}}')
REACT = ('function Kn(e={}){function t(r,a){let{pathname:i,search:o,hash:s}=r.location;return{pathname:i,search:o,hash:s}}return{get location(){return t(window)},push(r){window.history.pushState({},"",r)},replace(r){window.history.replaceState({},"",r)}}}'
         'function mt(e,t,n="/"){let r=t.location.pathname;if(n!=="/"){if(!r.toLowerCase().startsWith(n.toLowerCase())){console.warn(`<Router basename="${n}"> is not able to match the URL "${r}"`);return}r=r.slice(n.replace(/\\/$/,"").length)||"/"}'
         'let i=e.find(o=>o.path===r)||e.find(o=>o.path==="*");i&&i.element()}')
for name, code in (("vue", VUE + 'mk({history:Zr("$BASE"),routes:[{path:"/",component:()=>{%s}},{path:"/:pathMatch(.*)*",component:()=>{%s}}]}).install();' % (UPPER, LOST)),
                   ("react", REACT + 'mt([{path:"/",element:()=>{%s}},{path:"*",element:()=>{%s}}],Kn(),"$BASE");' % (UPPER, LOST))):
    for profile in LOCAL.split():
        page(f"a-router-{name}-root-{profile}", profile, classic(code.replace("$BASE", "/")), UP, launch="/", expect="work")
        page(f"a-router-{name}-index-{profile}", profile, classic(code.replace("$BASE", "/")), UP, expect="break")
    page(f"a-router-{name}-index-intercept", "intercept", classic(code.replace("$BASE", "/")), UP, expect="break")
    page(f"a-router-{name}-assets-root", {"base": "asset-loader", "index-file": "root"}, classic(code.replace("$BASE", "/assets/")), UP, launch="/", expect="work")
    page(f"a-router-{name}-assets-base", {"base": "asset-loader", "index-file": "root"}, classic(code.replace("$BASE", "/")), UP, launch="/", expect="break")
    page(f"a-router-{name}-directory", {"base": "intercept", "index-file": "directory"}, classic(code.replace("$BASE", "/")), UP, launch="/", expect="work")
HASH = 'const routes={"":()=>{%s},"#/":()=>{%s},"#/about":()=>{%s}};(routes[location.hash]||(()=>{%s}))();addEventListener("hashchange",()=>routes[location.hash]());' % (UPPER, UPPER, LOST, LOST)
android_pages(trap, "a-router-hash", ANDROID, classic(HASH), UP)
android_pages(trap, "a-router-memory", ANDROID, classic('let p="/";const r={"/":()=>{%s}};r[p]();' % UPPER), UP)
# The history works on https pages.
for name, code in (("push", 'history.pushState({a:1},"","$ROOTcart");if(location.pathname==="$ROOTcart")' + say()), ("replace", 'history.replaceState(null,"","$ROOTcart?x=1#y");if(location.search==="?x=1")' + say()),
                   ("back", 'history.pushState(1,"","$ROOTa");history.pushState(2,"","$ROOTb");addEventListener("popstate",e=>{if(e.state===1)' + say() + "});history.back();"),
                   ("navigation", 'navigation.addEventListener("navigate",e=>e.intercept({handler:async()=>{' + say() + '}}));navigation.navigate("$ROOTcart");')):
    android_pages(trap, "a-history-" + name, ANDROID if name == "push" else "cordova-android asset-loader", classic(code), UP)
android_pages(page, "a-history-other-origin", "intercept capacitor-android", classic('history.pushState(1,"","https://www.example.com/cart");' + say()), UP, ("app.js", "https://www"), expect="break")
# A reload, or a link, after the history has changed the path.
RELOAD = 'if(sessionStorage.r){' + UPPER + '}else{sessionStorage.r=1;history.replaceState(1,"","$ROOTcart");location.reload()}'
for profile, end in (("capacitor-android", "work"), ("cordova-android", "break"), ("asset-loader", "break"), ("intercept", "break")):
    android_pages(page, "a-history-reload", profile, {"index.html": html("", f'{ROOM}<script src="$ROOTapp.js"></script>'), "app.js": RELOAD}, UP, expect=end)
    android_pages(page, "a-link-route", profile, {"index.html": html("", f'{ROOM}<a id="a" href="$ROOTcart">Cart</a><script src="$ROOTapp.js"></script>'), "app.js": 'if(location.pathname==="$ROOTcart")' + say()}, UP,
                  ("index.html", "$ROOTcart") if end == "break" else (), action="document.getElementById('a').click()", expect=end)
    android_pages(trap, "a-link-route-handled", profile, {"index.html": html("", f'{ROOM}<a id="a" href="$ROOTcart">Cart</a><script src="$ROOTapp.js"></script>'), "app.js":
                  'document.addEventListener("click",e=>{const a=e.target.closest("a");if(a){e.preventDefault();history.pushState({},"",a.href);' + UPPER + "}});"}, UP, action="document.getElementById('a').click()", advice="a link without a file")
    # Relative files on a route with two components.
    android_pages(page, "a-deep-relative", profile, {"index.html": html("", f'{ROOM}<script src="$ROOTapp.js"></script>'), "app.js": 'history.pushState(1,"","$ROOTshop/cart");var s=document.createElement("script");s.src="late.js";document.head.appendChild(s);', "late.js": UPPER}, UP, expect="break")
    android_pages(page, "a-deep-rooted", profile, {"index.html": html("", f'{ROOM}<script src="$ROOTapp.js"></script>'), "app.js": 'history.pushState(1,"","$ROOTshop/cart");var s=document.createElement("script");s.src="$ROOTlate.js";document.head.appendChild(s);', "late.js": UPPER}, UP, expect="work")

# Guards of the protocol. On https, the guard for a custom scheme is false, and the reverse.
GUARDS = [
    ("https-needed", "if(location.protocol!=='https:'){location.replace('https://www.example.com/')}else{%s}", True), ("https-eq", "if(location.protocol==='https:'){%s}", True),
    ("http-only", "if(window.location.protocol==='http:'){window.location.href=window.location.href.replace('http:','https:')}%s", True), ("starts-http", "if(location.protocol.indexOf('http')===0){%s}", True),
    ("regex", "if(/^https?:$/.test(location.protocol)){%s}", True), ("not-http", "if(!/^http/.test(location.href)){throw new Error('open in a browser')}%s", True),
    ("native-only", "if(location.protocol==='https:'){location.href='https://www.example.com/app'}else{%s}", False), ("file-needed", "if(location.protocol==='file:'){%s}", False),
    ("capacitor-needed", "if(['capacitor:','ionic:'].includes(location.protocol)){%s}", False), ("https-throw", "if(location.protocol==='https:')throw new Error('offline pages are not on https');%s", False),
    ("origin-null", "if(location.origin==='null')throw 1;%s", True), ("secure", "if(!isSecureContext)location.href='https://www.example.com/';%s", True),
]
for number, (name, code, works) in enumerate(GUARDS):
    for profile in (ANDROID.split()[number % 4], ANDROID.split()[(number + 1) % 4]):
        page(f"a-guard-{name}-{profile}", profile, inline(code % UPPER), UP, expect="work" if works else "break",
             at=("index.html", "https://www") if not works and "https://www" in code else ())
page("a-guard-http-scheme", "capacitor-android", inline("if(location.protocol!=='https:'){location.replace('https://'+location.host+location.pathname)}else{" + UPPER + "}"), UP, expect="work", more={"scheme": "http"})
page("a-guard-http-elsewhere", "intercept", inline("if(location.protocol!=='https:'){location.replace('https://www.example.com/')}else{" + UPPER + "}"), UP, ("index.html", "https://www"), expect="break", more={"scheme": "http"})
# Guards of the host: this one is the app's own, or another.
HOSTS = [("intercept", "shop.example.com"), ("capacitor-android", "localhost"), ("cordova-android", "localhost"), ("asset-loader", "appassets.androidplatform.net")]
for profile, host in HOSTS:
    for name, test in (("not-www", "location.hostname!=='www.example.com'"), ("not-shop", "location.hostname!=='shop.example.com'"), ("not-localhost", "location.hostname!=='localhost'"), ("ends", "!location.hostname.endsWith('example.com')"),
                       ("list", "!['shop.example.com','m.example.com'].includes(location.host)"), ("origin", "location.origin!=='https://shop.example.com'"), ("index", "location.href.indexOf('https://shop.example.com/')!==0")):
        leaves = {"not-www": True, "not-shop": host != "shop.example.com", "not-localhost": host != "localhost", "ends": not host.endswith("example.com"), "list": host != "shop.example.com", "origin": host != "shop.example.com",
                  "index": host != "shop.example.com"}[name]
        page(f"a-host-{name}-{profile}", profile, inline(f"if({test}){{location.replace('https://www.example.com'+location.pathname)}}else{{{UPPER}}}"), UP, ("index.html", "location.replace") if leaves else (),
             expect="break" if leaves else "work")
    page(f"a-host-debug-{profile}", profile, inline("var api=location.hostname==='localhost'?'http://localhost:8080/api':'https://api.example.com';fetch(api+'/items').catch(function(){" + UPPER + "});"), UP, expect="work", advice="another host")
    page(f"a-host-dev-{profile}", profile, inline("if(location.hostname==='localhost'||location.hostname==='127.0.0.1'){var s=document.createElement('script');s.src='http://localhost:35729/livereload.js';document.head.appendChild(s)}" + UPPER), UP, expect="work", advice="a server for developers",
         latent="a server for developers")
    page(f"a-host-license-{profile}", profile, inline("if(!/(^|\\.)example\\.com$/.test(location.hostname)){document.body.innerHTML='';throw new Error('domain not licensed')}" + UPPER), UP, expect="work" if host.endswith("example.com") else "break")
    page(f"a-redirect-top-{profile}", profile, inline("location.assign('https://www.example.com/login?next='+encodeURIComponent(location.href));" + UPPER), UP, ("index.html", "https://www"), expect="break")
    page(f"a-redirect-refresh-{profile}", profile, html('<meta http-equiv="refresh" content="0; url=https://www.example.com/">', ROOM + f"<script>{UPPER}</script>"), UP, ("index.html", "https://www"), expect="break")
    page(f"a-redirect-late-{profile}", profile, inline("addEventListener('load',function(){setTimeout(function(){window.location='https://www.example.com/'},10)});" + UPPER), UP, ("index.html", "https://www"), expect="break")
    page(f"a-redirect-click-{profile}", profile, inline(UPPER, body="<button onclick=\"location.href='https://www.example.com/'\">Site</button>"), UP, expect="work")
    page(f"a-redirect-canonical-{profile}", profile, inline("var c=document.querySelector('link[rel=canonical]').href;if(location.href!==c&&location.host==='www.example.com')location.replace(c);" + UPPER, '<link rel="canonical" href="https://www.example.com/">'), UP, expect="work")
    page(f"a-frame-bust-{profile}", profile, inline("if(top!==self){top.location=self.location}else{" + UPPER + "}"), UP, expect="work")
page("a-redirect-own-http", "intercept", inline("if(!sessionStorage.t){sessionStorage.t=1;location.replace('http://shop.example.com/index.html')}else{" + UPPER + "}"), UP, expect="break")
page("a-redirect-second-host", "intercept", {"index.html": html("", "<script>location.replace('https://m.example.com/home.html')</script>"), "home.html": html("", ROOM + f"<script>{UPPER}</script>")}, UP, expect="work",
     more={"host": ["shop.example.com", "m.example.com"]})

# Requests of scripts to paths of an API: the launch page, 404, or the network.
for profile in ANDROID.split():
    answers = profile == "capacitor-android"
    android_pages(page, "a-api-post", profile, classic('fetch("$ROOTapi/cart",{method:"POST",headers:{"Content-Type":"application/json"},body:"{}"}).then(r=>r.json()).then(()=>{' + say() + "});"), UP, ("app.js", "$ROOTapi/cart"), expect="break")
    android_pages(page, "a-api-get", profile, classic('fetch("$ROOTapi/items").then(r=>{if(!r.ok)throw r.status;return r.json()}).then(()=>{' + say() + "});"), UP, ("app.js", "$ROOTapi/items"), expect="break")
    android_pages(page, "a-api-caught", profile, classic('fetch("$ROOTapi/items").then(r=>r.json()).catch(()=>[]).then(()=>{' + say() + "});"), UP, expect="work", latent="the error is handled")
    android_pages(page, "a-api-ok-only", profile, classic('fetch("$ROOTapi/ping").then(r=>{if(r.ok)' + say() + "});"), UP, () if answers else ("app.js", "$ROOTapi/ping"), expect="work" if answers else "break",
                  **({"latent": "the launch page answers"} if answers else {}))
    android_pages(page, "a-api-xhr", profile, classic('var x=new XMLHttpRequest;x.open("GET","$ROOTapi/items");x.onload=function(){JSON.parse(x.responseText);' + say() + "};x.send();"), UP, ("app.js", "$ROOTapi/items"), expect="break")
    android_pages(page, "a-api-axios", profile, classic('var ax={create:c=>({get:p=>new Promise((a,b)=>{var x=new XMLHttpRequest;x.open("GET",c.baseURL+p);x.onloadend=()=>x.status>=200&&x.status<300&&/^[[{]/.test(x.responseText)?a(x.responseText):b(x.status);x.send()})})};'
                                                        'ax.create({baseURL:"$ROOTapi"}).get("/items").then(()=>{' + say() + "});"), UP, ("app.js", "$ROOTapi"), expect="break")
    android_pages(page, "a-api-php", profile, classic('fetch("$ROOTajax/cart.php?id=1").then(r=>r.json()).then(()=>{' + say() + "});"), UP, ("app.js", "$ROOTajax/cart.php"), expect="break")
    android_pages(page, "a-api-packaged", profile, classic('fetch("$ROOTapi/items.json").then(r=>r.json()).then(()=>{' + say() + "});", **{"api/items.json": "[]"}), UP, expect="work")
    android_pages(page, "a-api-post-packaged", profile, classic('fetch("$ROOTapi/items.json",{method:"POST",body:"a=1"}).then(r=>r.json()).then(()=>{' + say() + "});", **{"api/items.json": "[]"}), UP, expect="work", advice="a POST to a file")
    android_pages(page, "a-api-head", profile, classic('fetch("$ROOTa.pdf",{method:"HEAD"}).then(r=>{if(r.ok)' + say() + "});", **{"a.pdf": "%PDF"}), UP, expect="work")
    android_pages(page, "a-api-beacon", profile, classic('navigator.sendBeacon("$ROOTcollect","x");' + say()), UP, expect="work", latent="nothing waits for it")
    android_pages(page, "a-api-events", profile, classic('var e=new EventSource("$ROOTevents");e.onopen=function(){' + say() + "};"), UP, ("app.js", "$ROOTevents"), expect="break")
    # Range: 206 only from Capacitor.
    android_pages(page, "a-range-status", profile, classic('fetch("$ROOTa.bin",{headers:{Range:"bytes=0-3"}}).then(r=>{if(r.status===206)' + say() + "});", **{"a.bin": "0123456789"}), UP,
                  () if answers else ("app.js", "$ROOTa.bin"), expect="work" if answers else "break", advice="" if not answers else "a range")
    android_pages(page, "a-range-whole", profile, classic('fetch("$ROOTa.bin").then(r=>r.text()).then(t=>{if(t.length===10)' + say() + "});", **{"a.bin": "0123456789"}), UP, expect="work")
    android_pages(page, "a-video-element", profile, html("", ROOM + f'<video src="$ROOTclip.mp4" preload="none"></video><script>{UPPER}</script>'), UP, expect="work", latent="a video that is missing")
    # Forms.
    android_pages(page, "a-form-get", profile, {"index.html": html("", '<form id="f" action="$ROOTsearch.html"><input name="q" value="a"></form>'), "search.html": html("", '<h1 id="s">Results</h1>')}, "document.getElementById('s')", expect="work",
                  action="document.getElementById('f').submit()")
    android_pages(page, "a-form-post", profile, {"index.html": html("", '<form id="f" method="post" action="$ROOTlogin"><input name="q" value="a"></form>')}, "document.getElementById('in')", ("index.html", "$ROOTlogin"), expect="break",
                  action="document.getElementById('f').submit()")
    android_pages(page, "a-form-handled", profile, inline("document.getElementById('f').addEventListener('submit',e=>{e.preventDefault();" + UPPER + "})", body='<form id="f" method="post" action="$ROOTlogin"><button id="b">Go</button></form>'), UP,
                  action="document.getElementById('b').click()", expect="work", advice="a form without a server")
# Errors that show: a missing file in a promise, and one with a second chance.
android_pages(trap, "a-second-chance", ANDROID, classic('fetch("$ROOTconfig.local.json").then(r=>{if(!r.ok)throw 0;return r.json()}).catch(()=>fetch("$ROOTconfig.json").then(r=>r.json())).then(()=>{' + say() + "});", **{"config.json": "{}"}), UP,
              latent="the second file is there")
android_pages(pair, "a-first-of-two", ANDROID, classic('function l(u){return new Promise((a,b)=>{var s=document.createElement("script");s.src=u;s.onload=a;s.onerror=b;document.head.appendChild(s)})}l("$ROOTjs/a.js").then(()=>l("$ROOTjs/b.js")).then(()=>{' + say() + "});",
              **{"js/a.js": "", "js/b.js": ""}), UP, gone="js/b.js", at=("app.js", "$ROOTjs/b.js"))
# Addresses with the origin.
android_pages(pair, "a-own-origin", ANDROID, {"index.html": html("", ROOM + '<script src="$ORIGIN$ROOTmain.js"></script>'), "main.js": say()}, UP, gone="main.js", at=("index.html", "$ORIGIN$ROOTmain.js"))
android_pages(pair, "a-own-origin-built", "intercept capacitor-android", classic('var s=document.createElement("script");s.src=location.origin+"/late.js";document.head.appendChild(s);', **{"late.js": say()}), UP, gone="late.js", at=("app.js", "/late.js"))
android_pages(pair, "a-own-origin-protocol", ANDROID, {"index.html": html("", ROOM + '<script src="//$HOST$ROOTmain.js"></script>'), "main.js": say()}, UP, gone="main.js", at=("index.html", "//$HOST"))
for scheme, profile in (("capacitor://localhost", "capacitor-android"), ("app://localhost", "cordova-android"), ("ionic://localhost", "capacitor-android"), ("file:///android_asset/www", "cordova-android"), ("customscheme://shop.example.com", "intercept"),
                        ("http://localhost:8100", "capacitor-android"), ("file:///android_asset", "asset-loader"), ("content://com.example.shop", "intercept")):
    key = scheme.split(":")[0] + ("-port" if "8100" in scheme else "")
    android_pages(page, "a-scheme-script-" + key, profile, {"index.html": html("", ROOM + f'<script src="{scheme}/main.js"></script>'), "main.js": say()}, UP, ("index.html", scheme), expect="break")
    android_pages(page, "a-scheme-picture-" + key, profile, {"index.html": html("", f'<img id="i" src="{scheme}/a.png" alt="">'), "a.png": png()}, IMG, ("index.html", scheme), expect="break")
android_pages(trap, "a-scheme-tel", "intercept capacitor-android", inline(UPPER, body='<a href="tel:+491234">Call</a><a href="mailto:a@example.com">Mail</a><a href="market://details?id=a">Rate</a><a href="intent://scan/#Intent;scheme=zxing;end">Scan</a>'), UP)
for name, code in (("data", '<img id="i" src="data:image/svg+xml,%3Csvg xmlns=%22http://www.w3.org/2000/svg%22 width=%228%22 height=%228%22/%3E" alt="">'), ("blob", '<img id="i" alt=""><script>fetch("$ROOTa.png").then(r=>r.blob()).then(b=>{document.getElementById("i").src=URL.createObjectURL(b)})</script>')):
    android_pages(trap, "a-scheme-" + name, "asset-loader intercept", {"index.html": html("", code), "a.png": png()}, IMG)
android_pages(trap, "a-cookie", ANDROID, inline('document.cookie="a=1; path=/; secure";localStorage.a=1;indexedDB.open("a").onsuccess=function(){if(document.cookie)' + UPPER + "};"), UP)
