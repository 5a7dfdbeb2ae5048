"""Routers and the path of the launch URL, in the forms of minified builds.

The code that reads the address is that of the libraries (React Router 6.30 and 5.3, Vue Router 4.6 and 3.6,
TanStack Router, wouter, SvelteKit 2, Angular 20, Elm 0.19); the rest is the least that shows a page.
"""
from pages import UP, html, page, trap

STRICT = "path-strict"
ROOT = {"base": "path-strict", "index-file": "directory"}
BASENAME = "basename-cache"
ROOM = '<div id="root"></div><div id="app"></div>'
LOST = "its own page for unknown addresses, or none"


def built(*scripts, body=ROOM, head="", **files):
    """A page with modules as Vite names them; the last one starts the app."""
    names = [f"/assets/{'vendor' if n + 1 < len(scripts) else 'index'}{n}-B7c8D9e0.js" for n in range(len(scripts))]
    links = "".join(f'<link rel="modulepreload" crossorigin href="{name}">' for name in names[:-1])
    return {"index.html": html(f'{head}<script type="module" crossorigin src="{names[-1]}"></script>{links}', body)} \
        | {name[1:]: text for name, text in zip(names, scripts)} | files


# React Router 6 and 7: createBrowserHistory and createHashHistory, and a renderer for tables and elements.
BROWSER = ('function Kn(e={}){function t(r,a){let{pathname:i,search:o,hash:s}=r.location;return Yn("",{pathname:i,search:o,hash:s},'
           'a.state&&a.state.usr||null,a.state&&a.state.key||"default")}function n(r,a){return typeof a=="string"?a:a.pathname}return Zn(t,n,e)}')
BROWSER_8 = ('function Kn(e={}){function t(e,t){let n=t.state?.masked,{pathname:r,search:i,hash:a}=n||e.location;return Yn(``,{pathname:r,search:i,hash:a},'
             't.state&&t.state.usr||null,t.state&&t.state.key||`default`)}function n(e,t){return typeof t==`string`?t:t.pathname}return Zn(t,n,e)}')
BROWSER_5 = ('function Kn(e){return void 0===e&&(e={}),Zn((function(e,t){var n=e.location;return Yn("",{pathname:n.pathname,search:n.search,hash:n.hash},'
             't.state&&t.state.usr||null,t.state&&t.state.key||"default")}),(function(e,t){return"string"===typeof t?t:t.pathname}),e)}')
HASHED = ('function Kn(e={}){function t(i,o){let{pathname:s="/",search:a="",hash:l=""}=pr(i.location.hash.substr(1));return!s.startsWith("/")&&!s.startsWith(".")&&(s="/"+s),'
          'Yn("",{pathname:s,search:a,hash:l},o.state&&o.state.usr||null,o.state&&o.state.key||"default")}function n(i,o){return"#"+o}return Zn(t,n,e)}'
          'function pr(e){let t={};if(e){let n=e.indexOf("#");n>=0&&(t.hash=e.substr(n),e=e.substr(0,n)),e&&(t.pathname=e)}return t}')
COMMON = ('const Lt="popstate";function Yn(e,t,n,r){return{...t,state:n,key:r}}function Zn(e,t,n){let r=window,a=r.history;return{get location(){return e(r,a)},'
          'listen(i){return r.addEventListener(Lt,i),()=>r.removeEventListener(Lt,i)},push(i,o){try{a.pushState({usr:o,key:"k1",idx:1},"",t(r,i))}catch(s){if(s instanceof DOMException&&s.name==="DataCloneError")throw s;r.location.assign(t(r,i))}},'
          'replace(i,o){a.replaceState({usr:o,key:"k1",idx:0},"",t(r,i))}}}'
          'function jn(e,t){return{type:e,props:t||{}}}function Re(e){return e}function Ns(e){return e}'
          'function rk(e,t){let n=[];for(let r of e){let a=r.props||r,i=a.path||"",o=i.startsWith("/")?i:(t.replace(/\\/$/,"")+"/"+i),s=a.element,l=[].concat(a.children||[]);'
          'l.length?n.push(...rk(l,o).map(c=>({...c,shell:s}))):n.push({path:o,element:s})}return n}'
          'function mt(e,t){let n=e.split("/").filter(Boolean),r=t.split("/").filter(Boolean);for(let a=0;a<n.length;a++){if(n[a]==="*")return!0;if(r[a]===void 0)return!1;if(n[a][0]!==":"&&n[a]!==r[a])return!1}return n.length===r.length}'
          'function go(e,t,n="/"){let r=t.location.pathname,a=n==="/"?"":n.replace(/\\/$/,"");if(a){if(!r.startsWith(a))return;r=r.slice(a.length)||"/"}'
          'let i=rk(e,"").sort((o,s)=>(o.path.includes("*")?1:0)-(s.path.includes("*")?1:0)).find(o=>mt(o.path,r));'
          'if(!i){console.warn(`No routes matched location "${r}" `);return}let o=i.element;if(o.type===Ns){t.replace(o.props.to);return go(e,t,n)}o.type()}')
HOME = 'const H=()=>{document.getElementById("app").textContent="up"},N=()=>{document.getElementById("root").innerHTML="<h1>404</h1><p>This page does not exist.</p>"},A=()=>{document.getElementById("root").innerHTML="<h1>About</h1>"};'
TABLE = '[{path:"/",element:jn(H,{})},{path:"/about",element:jn(A,{})},{path:"/orders/:id",element:jn(A,{})},{path:"*",element:jn(N,{})}]'


def react(table, history=BROWSER, more="", options=""):
    return built(history + COMMON + HOME + more + f"go({table},Kn(){options});")


for name, code in ("6", BROWSER), ("8", BROWSER_8), ("es5", BROWSER_5):
    page(f"router-react-{name}-table-gone", f"{STRICT} {BASENAME}", react(TABLE, code), UP,
         at=("assets/index0-B7c8D9e0.js", '*",element:jn(N'), expect="break")
page("router-react-nested-gone", STRICT, react(
    '[{path:"/",element:jn(Re,{}),children:[{index:!0,element:jn(H,{})},{path:"about",element:jn(A,{})},{path:"*",element:jn(N,{})}]}]'),
    UP, expect="break")
page("router-react-jsx-gone", STRICT, react(
    '[jn(Re,{path:"/",element:jn(H,{})}),jn(Re,{path:"/about",element:jn(A,{})}),jn(Re,{path:"*",element:jn(N,{})})]'), UP, expect="break")
page("router-react-no-wildcard-gone", STRICT, react('[{path:"/",element:jn(H,{})},{path:"/about",element:jn(A,{})}]'), UP, expect="break")
page("router-react-constants-gone", STRICT, react(
    '[{path:P.home,element:jn(H,{})},{path:P.about,element:jn(A,{})},{path:"*",element:jn(N,{})}]', more='const P={home:"/",about:"/about"};'), UP, expect="break")
page("router-react-parameter-gone", STRICT, react(
    '[{path:"/",element:jn(H,{})},{path:"/:shop",element:jn(A,{})},{path:"*",element:jn(N,{})}]'), UP, expect="break")
page("router-react-basename-gone", STRICT, react(TABLE, options=',"/shop"', more='const O={basename:"/shop"};'), UP, expect="break")
page("router-react-chunk-gone", STRICT, built(
    f"{BROWSER}{COMMON}export{{Kn as c,go as R,jn as j}};",
    'import{c as Kn,R as go,j as jn}from"./vendor0-B7c8D9e0.js";' + HOME + f"go({TABLE},Kn());"), UP,
    at=("assets/index1-B7c8D9e0.js", '*",element:jn(N'), expect="break")
trap("router-react-hash", f"{STRICT} {BASENAME}", react(TABLE, HASHED), UP)
trap("router-react-launch-root", ROOT, react(TABLE), UP, launch="/", advice="links change the path")
trap("router-react-launch-root-capacitor", "capacitor", react(TABLE), UP, launch="/", advice="links change the path")
trap("router-react-route-index", STRICT, react('[{path:"/index.html",element:jn(H,{})},{path:"/about",element:jn(A,{})},{path:"*",element:jn(N,{})}]'), UP,
     advice="links change the path")
trap("router-react-basename-index", STRICT, react(TABLE, options=',"/index.html"', more='const O={basename:"/index.html"};'), UP, advice="links change the path")
trap("router-react-wildcard-is-home", STRICT, react('[{path:"/about",element:jn(A,{})},{path:"/",element:jn(H,{})},{path:"*",element:jn(H,{})}]'), UP,
     advice="links change the path")
trap("router-react-single", STRICT, react('[{path:"*",element:jn(H,{})}]'), UP, advice="links change the path")
page("router-react-redirect", STRICT, react('[{path:"/",element:jn(H,{})},{path:"*",element:jn(Ns,{to:"/",replace:!0})}]'), UP, expect="work",
     advice="newer systems refuse the redirect")

# React Router 5 with history 4.
HISTORY4 = ('function cb(e){void 0===e&&(e={});var S=e.basename||"";function O(e){var t=e||{},n=t.key,r=t.state,i=window.location,o=i.pathname+i.search+i.hash;return S&&(o=o.slice(S.length)),{pathname:o.split(/[?#]/)[0],state:r,key:n}}'
            'var L=O(history.state);return{location:L,push:function(e,t){history.pushState({key:"x",state:t},null,e)},listen:function(e){window.addEventListener("popstate",e)}}}'
            'function Rt(){}function ce(e,t){return{type:e,props:t||{}}}function sw(e,t){var n=t.location.pathname;for(var r=0;r<e.length;r++){var i=e[r].props;'
            'if(!i.path||(i.exact?i.path===n:i.path==="/"||n===i.path||0===n.indexOf(i.path+"/"))){i.component();return}}}')
page("router-react5-switch-gone", STRICT, built(HISTORY4 + HOME +
     'sw([ce(Rt,{exact:!0,path:"/",component:H}),ce(Rt,{path:"/about",component:A}),ce(Rt,{component:N})],cb());'), UP, expect="break")
trap("router-react5-root", STRICT, built(HISTORY4 + HOME + 'sw([ce(Rt,{path:"/about",component:A}),ce(Rt,{path:"/",component:H})],cb());'), UP,
     advice="links change the path")

# Vue Router 4 and 3.
VUE4 = ('const xt=/\\/$/,nb=e=>e.replace(xt,"");function sb(e,t){return!t||!e.toLowerCase().startsWith(t.toLowerCase())?e:e.slice(t.length)||"/"}'
        'function cl(e,t){const{pathname:n,search:o,hash:r}=t,a=e.indexOf("#");if(a>-1){let i=r.includes(e.slice(a))?e.slice(a).length:1,l=r.slice(i);return l[0]!=="/"&&(l="/"+l),sb(l,"")}return sb(n,e)+o+r}'
        'function hs(e,t){const{history:n,location:o}=window,r={value:cl(e,o)};function a(i,l,c){n[c?"replaceState":"pushState"](l,"",e+i)}return window.addEventListener("popstate",()=>{}),{location:r,push:a}}'
        'function Wh(e){return e=nb(e||"/"),hs(e)}')
VUE4_HASH = 'function Wg(e){return e=location.host?e||location.pathname+location.search:"",e.includes("#")||(e+="#"),Wh(e)}'
VUE_RUN = ('function cr(e){const t=e.history.location.value||e.history.location,n=e.routes.find(r=>r.path===t)||e.routes.find(r=>r.path.includes("(.*)")||r.path==="*");'
           'if(!n){console.warn(`[Vue Router warn]: No match found for location with path "${t}"`);return}if(n.redirect)return cr({...e,history:{location:n.redirect}});n.component()}')
VUE_TABLE = '[{path:"/",name:"home",component:H},{path:"/about",name:"about",component:A},{path:"/:pathMatch(.*)*",name:"not-found",component:N}]'
page("router-vue4-gone", f"{STRICT} {BASENAME}", built(VUE4 + VUE_RUN + HOME + f'cr({{history:Wh("/"),routes:{VUE_TABLE}}});'), UP,
     at=("assets/index0-B7c8D9e0.js", "/:pathMatch"), expect="break")
page("router-vue4-no-wildcard-gone", STRICT, built(VUE4 + VUE_RUN + HOME + 'cr({history:Wh("/"),routes:[{path:"/",component:H},{path:"/about",component:A}]});'), UP, expect="break")
trap("router-vue4-hash", f"{STRICT} {BASENAME}", built(VUE4 + VUE4_HASH + VUE_RUN + HOME + f"cr({{history:Wg(),routes:{VUE_TABLE}}});"), UP)
trap("router-vue4-launch-root", ROOT, built(VUE4 + VUE_RUN + HOME + f'cr({{history:Wh("/"),routes:{VUE_TABLE}}});'), UP, launch="/", advice="links change the path")
VUE3 = ('function lo(t){var e=window.location.pathname;return t&&0===e.toLowerCase().indexOf(t.toLowerCase()+"/")&&(e=e.slice(t.length)),(e||"/")+window.location.search+window.location.hash}'
        'function gh(){var t=window.location.href,e=t.indexOf("#");return e<0?"":t.slice(e+1)}function Vr(t){var e=t.mode||"hash";this.mode=e,this.options=t;switch(e){case"history":this.p=lo(t.base||"");break;case"hash":this.p=gh()||"/"}'
        'window.addEventListener("popstate",function(){}),this.push=function(t){history.pushState({key:1},"",t)}}')
VUE3_RUN = 'function st(t){var e=t.options.routes,n=e.find(function(r){return r.path===t.p})||e.find(function(r){return r.path==="*"});n&&n.component()}'
VUE3_TABLE = '[{path:"/",component:H},{path:"/about",component:A},{path:"*",component:N}]'
page("router-vue3-history-gone", STRICT, built(VUE3 + VUE3_RUN + HOME + f'st(new Vr({{mode:"history",routes:{VUE3_TABLE}}}));'), UP, expect="break")
trap("router-vue3-hash", STRICT, built(VUE3 + VUE3_RUN + HOME + f"st(new Vr({{routes:{VUE3_TABLE}}}));"), UP, advice="its code can also change the path")
trap("router-vue3-history-no-routes", STRICT, built(VUE3 + HOME + 'new Vr({mode:"history"});H();'), UP, advice="links change the path")

# Angular removes index.html from the path.
ANGULAR = ('function sx(e){return e.replace(/\\/index.html$/,"")}class Pl{constructor(){this._l=window.location,this._h=window.history}getBaseHref(){return document.querySelector("base")?.getAttribute("href")??""}'
           'get pathname(){return this._l.pathname}onPopState(e){window.addEventListener("popstate",e,!1)}pushState(e,t,n){this._h.pushState(e,t,n)}path(){return sx(this.pathname)||"/"}}')
trap("router-angular", STRICT, built(ANGULAR + HOME + 'var R=[{path:"",component:H},{path:"about",component:A},{path:"**",component:N}];(R.find(e=>"/"+e.path===new Pl().path())||R[2]).component();',
                                     head='<base href="/">'), UP, advice="links change the path")

# TanStack Router.
TANSTACK = ('function tb(e){const t=(e?.window)??window,n=t.history.pushState,r=e?.parseLocation??(()=>ph(`${t.location.pathname}${t.location.search}${t.location.hash}`,t.history.state));'
            'function ph(a,i){return{pathname:a.split(/[?#]/)[0]||"/",state:i||{__TSR_index:0}}}t.addEventListener("popstate",()=>{});return{location:r(),push(a,i){n.call(t.history,{...i,__TSR_index:1},"",a)}}}')
TANSTACK_HASH = ('function th(){return tb({parseLocation:()=>{const e=window.location.hash.split("#").slice(1),t=e[0]??"/";return{pathname:t,state:{}}}})}')
TANSTACK_RUN = ('class Ro{constructor(e){this.o=e}update(e){Object.assign(this.o,e);return this}addChildren(e){this.c=e;return this}}const rt=new Ro({});'
                'const t1=new Ro({component:H}).update({id:"/",path:"/",getParentRoute:()=>rt}),t2=new Ro({component:A}).update({id:"/about",path:"/about",getParentRoute:()=>rt});rt.addChildren([t1,t2]);'
                'function rs(e,t){(e.c.find(n=>n.o.path===t.location.pathname)?.o.component??N)()}')
page("router-tanstack-gone", STRICT, built(TANSTACK + HOME + TANSTACK_RUN + "rs(rt,tb());"), UP, expect="break")
trap("router-tanstack-hash", STRICT, built(TANSTACK + TANSTACK_HASH + HOME + TANSTACK_RUN + "rs(rt,th());"), UP)

# wouter.
WOUTER = ('const ev=["popstate","pushState","replaceState","hashchange"],sub=e=>{for(const t of ev)addEventListener(t,e)},lp=()=>location.pathname,nv=(e,{replace:t=!1}={})=>history[t?"replaceState":"pushState"](null,"",e);'
          'const jx=(e,t)=>({type:e,props:t}),Rw=0;function Sw(e,t){for(const n of e)if(n.props.path===void 0||n.props.path===t){n.props.component();return}}')
page("router-wouter-gone", STRICT, built(WOUTER + HOME + 'sub(()=>{});Sw([jx(Rw,{path:"/",component:H}),jx(Rw,{path:"/about",component:A}),jx(Rw,{component:N})],lp());'), UP, expect="break")
trap("router-wouter-hash", STRICT, built(WOUTER + 'const lh=()=>"/"+location.hash.replace(/^#?\\/?/,"");' + HOME +
                                         'Sw([jx(Rw,{path:"/",component:H}),jx(Rw,{path:"/about",component:A}),jx(Rw,{component:N})],lh());'), UP)

# SvelteKit: without the data of a page, the client looks up the path in its dictionary.
KIT = ('export async function start(a,t,d){const up=()=>{document.getElementById("app").textContent="up"};if(d)return up();'
       'const n=a.dictionary[PATH];addEventListener("popstate",()=>{});n?up():t.innerHTML="<h1>404</h1><p>Not Found</p>"}export function goto(u){history.pushState({},"",u)}')


def kit(start, hashed="!1"):
    boot = (f'<script>{{__sveltekit_1x2y={{base:""}};const element=document.currentScript.parentElement;Promise.all([import("/_app/immutable/entry/start.B1c2.js"),import("/_app/immutable/entry/app.D3e4.js")])'
            f".then(([kit, app]) => {{kit.start({start});}});}}</script>")
    path = "location.pathname" if hashed == "!1" else '(location.hash.slice(1)||"/")'
    return {"index.html": html("", f'<div style="display: contents">{boot}</div><div id="app"></div>'),
            "_app/immutable/entry/start.B1c2.js": KIT.replace("PATH", path),
            "_app/immutable/entry/app.D3e4.js": f'const F={{"/":[2],"/about":[3],"/orders/[id]":[4]}},T={{}},J={hashed};export{{F as dictionary,J as hash,T as hooks}};'}


page("router-kit-spa-gone", STRICT, kit("app, element"), UP, expect="break")
trap("router-kit-rendered", STRICT, kit("app, element, {node_ids: [0, 2],data: [null,null],form: null,error: null}"), UP, advice="links change the path")
trap("router-kit-hash", STRICT, kit("app, element", "!0"), UP, advice="its code can also change the path")
trap("router-kit-launch-root", ROOT, kit("app, element"), UP, launch="/", advice="links change the path")

# Elm reads only http and https.
ELM = ('(function(scope){"use strict";function _Debug_crash(e){throw new Error("https://github.com/elm/core/blob/1.0.0/hints/"+e+".md")}'
       'function fromString(s){return s.startsWith("http://")||s.startsWith("https://")?{a:s}:{}}function getUrl(){return fromString(document.location.href).a||_Debug_crash(1)}'
       'var init=%s;scope.Elm={Main:{init:function(e){init();e.node.textContent="up"}}}})(this);')
APPLICATION = 'function(){window.addEventListener("popstate",function(){});var u=getUrl();return function(p){history.pushState({},"",p)}}'
for name, code in ("gone", APPLICATION), ("element", "function(){}"):
    page(f"router-elm-{name}", "path-strict capacitor", {
        "index.html": html("", '<div id="app"></div><script src="elm.js"></script><script>Elm.Main.init({node:document.getElementById("app")})</script>'),
        "elm.js": ELM % code}, UP, expect="break" if name == "gone" else "work")

# Routers of an app's own, and code that only looks like one.
OWN = ('const R={"/":H,"/about":A};function rn(){(R[location.pathname]||N)()}window.addEventListener("popstate",rn);'
       'document.addEventListener("click",e=>{const a=e.target.closest("a");a&&(e.preventDefault(),history.pushState({},"",a.href),rn())});rn();')
page("router-own-table-gone", STRICT, built(HOME + OWN), UP, expect="break")
trap("router-own-fallback", STRICT, built(HOME + OWN.replace("||N", '||R["/"]')), UP, advice="links change the path")
trap("router-own-hash", STRICT, built(HOME + OWN.replace("location.pathname", '(location.hash.slice(1)||"/")').replace("a.href", '"#"+a.pathname')), UP)
trap("router-turbo", STRICT, built(
    'class Hy{constructor(){addEventListener("popstate",this.on)}on=e=>{};push(e,t){history.pushState({turbo:t},"",e.href)}get location(){return new URL(window.location.href)}}new Hy;' + HOME + "H();"), UP, advice="links change the path")
trap("router-analytics", STRICT, built(
    'const pv=()=>navigator.doNotTrack||(window._q=window._q||[]).push({p:location.pathname+location.search+location.hash});const op=history.pushState;history.pushState=function(){op.apply(this,arguments);pv()};addEventListener("popstate",pv);pv();'
    + HASHED + COMMON + HOME + f"go({TABLE},Kn());"), UP)
trap("router-cookie-path", STRICT, built('const K={path:"/",sameSite:"lax"};addEventListener("popstate",()=>{});document.cookie;' + HOME + "H();"), UP, advice="cookies")
