"""Requests of scripts: fetch, XMLHttpRequest, jQuery, axios, importScripts."""
from pages import UP, html, page, pair, say, trap

STRICT = "path-strict"
ROOM = '<div id="app"></div>'
DONE = "function(){" + say() + "}"
# The part of jQuery used by the pages.
JQUERY = """/*! jQuery slim for tests */(function(w){function ask(u,d,ok,m,type){var x=new XMLHttpRequest;
x.open(m||"GET",u,true);var p={done:function(f){this.f=f;return this},fail:function(){return this}};
x.onload=function(){if(x.status>=400)return;var t=x.responseText;try{if(type==="json"||/\\.json/.test(u))t=JSON.parse(t)}
catch(e){return}if(typeof t==="string"&&/^<!doctype/i.test(t)&&!/\\.html/.test(u))return;ok&&ok(t);p.f&&p.f(t)};x.send();return p}
function $(s){var e=typeof s==="string"?document.querySelector(s):s;return{ready:function(f){f($)},text:function(t){
e.textContent=t},html:function(t){e.innerHTML=t},load:function(u,f){var a=u.split(" ");ask(a[0],null,function(t){
var d=document.createElement("div");d.innerHTML=t;e.innerHTML=a[1]?d.querySelector(a[1]).innerHTML:t;f&&f()})}}}
$.get=function(u,d,f,t){return ask(u,null,typeof d==="function"?d:f,"GET",t)};$.post=function(u,d,f){return ask(u,d,f,"POST")};
$.getJSON=function(u,f){return ask(u,null,f,"GET","json")};$.getScript=function(u,f){var s=document.createElement("script");
s.src=u;s.onload=f;document.head.appendChild(s)};$.ajax=function(u,o){if(typeof u==="object"){o=u;u=o.url}o=o||{};
return ask(u,o.data,o.success,o.type||o.method,o.dataType)};$.fn={};w.jQuery=w.$=$})(window);
"""


def jquery(name, profile, script, files, gone, at, **others):
    """The script of a hand-written page, with jQuery before it."""
    pair("jquery-" + name, profile, {
        "index.html": html('<script src="js/jquery.min.js"></script>', ROOM + '<script src="js/main.js"></script>'),
        "js/jquery.min.js": JQUERY, "js/main.js": script, **files}, UP, gone=gone, at=("js/main.js", at), **others)


jquery("get", "path-strict capacitor", '$.get("data/list.json",' + DONE + ");", {"data/list.json": "[]"},
       "data/list.json", "data/list.json")
jquery("get-done", "cordova", '$.get("data/list.json").done(' + DONE + ");", {"data/list.json": "[]"},
       "data/list.json", "data/list.json")
jquery("get-window", "capacitor", 'window.jQuery.get("/data/list.json",' + DONE + ");", {"data/list.json": "[]"},
       "data/list.json", "/data/list.json")
jquery("post", STRICT, '$.post("data/save.json",{a:1},' + DONE + ");", {"data/save.json": "{}"}, "data/save.json",
       "data/save.json", advice="a POST to the package")
jquery("getjson", "path-strict cordova", '$(document).ready(function(){$.getJSON("data/list.json",' + DONE + ")});",
       {"data/list.json": "[]"}, "data/list.json", "data/list.json")
jquery("getjson-seed", "basename-cache", '$.getJSON("data/list.json",' + DONE + ");", {"data/list.json": "[]"},
       "data/list.json", "data/list.json")
jquery("getscript", "path-strict capacitor", '$.getScript("js/more.js",' + DONE + ");", {"js/more.js": "window.m=1"},
       "js/more.js", "js/more.js")
jquery("ajax-object", "capacitor", '$.ajax({url:"data/list.json",type:"GET",dataType:"json",success:' + DONE + "});",
       {"data/list.json": "[]"}, "data/list.json", "data/list.json")
jquery("ajax-url", STRICT, '$.ajax("data/list.json",{dataType:"json"}).done(' + DONE + ");", {"data/list.json": "[]"},
       "data/list.json", "data/list.json")
jquery("ajax-late-url", "cordova", '$.ajax({type:"GET",cache:false,\n  url:"/data/list.json",\n  success:' + DONE + "});",
       {"data/list.json": "[]"}, "data/list.json", "/data/list.json")
jquery("load", "path-strict capacitor", '$("#app").load("parts/menu.html");', {"parts/menu.html": "up"},
       "parts/menu.html", "parts/menu.html")
jquery("load-part", STRICT, '$("#app").load("parts/menu.html #x");',
       {"parts/menu.html": '<div id="x">up</div><div>no</div>'}, "parts/menu.html", "parts/menu.html")
jquery("concat-constant", "capacitor", 'var API="data/";$.getJSON(API+"list.json",' + DONE + ");",
       {"data/list.json": "[]"}, "data/list.json", "list.json")
page("jquery-api-root-gone", "capacitor cordova", {
    "index.html": html('<script src="js/jquery.min.js"></script>', ROOM + '<script src="js/main.js"></script>'),
    "js/jquery.min.js": JQUERY, "js/main.js": '$.getJSON("/api/products",' + DONE + ");"}, UP,
     ("js/main.js", "/api/products"), expect="break")
trap("jquery-html-not-load", "capacitor", {
    "index.html": html('<script src="js/jquery.min.js"></script>', ROOM + '<script src="js/main.js"></script>'),
    "js/jquery.min.js": JQUERY, "js/main.js": 'var cache={get:function(k){return k}};cache.get("settings.json");'
    'var s=new Map;s.get("/a/b.json");$("#app").text("up");'}, UP)
trap("jquery-load-event", STRICT, {
    "index.html": html('<script src="js/jquery.min.js"></script>', ROOM + '<script src="js/main.js"></script>'),
    "js/jquery.min.js": JQUERY, "js/main.js": 'var store={load:function(n){return n}};store.load("session.json");'
    '$("#app").text("up");'}, UP)

# fetch and XMLHttpRequest in common forms.
FORMS = {
    "fetch": 'fetch("data/d.json")', "fetch-window": 'window.fetch("data/d.json")',
    "fetch-options": 'fetch("data/d.json",{credentials:"same-origin",headers:{a:"b"}})',
    "fetch-request": 'fetch(new Request("data/d.json"))',
    "fetch-request-options": 'fetch(new Request("data/d.json",{method:"GET"}))',
    "fetch-template": "fetch(`data/d.json`)", "fetch-template-constant": 'const f="d";fetch(`data/${f}.json`)',
    "fetch-constant": 'const u="data/d.json";fetch(u)', "fetch-concat": 'const base="data/";fetch(base+"d.json")',
    "fetch-literal-concat": 'fetch("data/"+"d.json")', "fetch-query": 'fetch("data/d.json?t="+Date.now())',
    "fetch-new-url": 'fetch(new URL("data/d.json",location.href))',
    "fetch-helper": "const get=u=>fetch(u);get('data/d.json')",
    "fetch-object": 'const api={list:"data/d.json"};fetch(api.list)',
    "fetch-globalthis": 'globalThis.fetch("data/d.json")', "fetch-self": 'self.fetch("data/d.json")',
}
for name, call in FORMS.items():
    mark = {"fetch-concat": "data/", "fetch-literal-concat": "data/", "fetch-template-constant": "data/"}.get(
        name, "data/d.json")
    profile = ("path-strict", "capacitor", "cordova")[len(name) % 3]
    pair("req-" + name, profile, {
        "index.html": html('<script defer src="main.js"></script>', ROOM),
        "main.js": call.replace(call.rsplit(";", 1)[-1], call.rsplit(";", 1)[-1]
                                + ".then(r=>r.json()).then(()=>{" + say() + "});"),
        "data/d.json": "{}"}, UP, gone="data/d.json", at=("main.js", mark))
XHR = 'var x=new XMLHttpRequest;x.open(%s);x.onload=function(){if(x.status<400){JSON.parse(x.responseText);' + say() + "}};x.send();"
for name, arguments, profile in [("get", '"GET","data/d.json"', "path-strict capacitor"),
                                 ("lower", '"get","data/d.json",!0', "cordova"),
                                 ("constant", 'm,"data/d.json"', STRICT), ("nocache", '"GET","data/d.json?_="+(+new Date)', "capacitor")]:
    pair("req-xhr-" + name, profile, {
        "index.html": html('<script defer src="main.js"></script>', ROOM),
        "main.js": 'var m="GET";' + XHR % arguments, "data/d.json": "{}"}, UP, gone="data/d.json",
        at=("main.js", "data/d.json"))
# The workers' importScripts: every argument.
W = 'var w=new Worker("w.js");w.onmessage=' + DONE + ";w.postMessage(0);"
for name, call, lost in [("second", 'importScripts("a.js","b.js");', "b.js"), ("third", 'importScripts("a.js","b.js","c.js");', "c.js"),
                         ("twice", 'importScripts("a.js");importScripts("c.js");', "c.js"),
                         ("self", 'self.importScripts("b.js");', "b.js"),
                         ("array", 'importScripts.apply(null,["a.js","b.js"]);', "b.js")]:
    pair("req-importscripts-" + name, "path-strict" if len(name) % 2 else "capacitor", {
        "index.html": html("", ROOM + f"<script>{W}</script>"),
        "w.js": call + "onmessage=function(){postMessage(1)}", "a.js": "var a", "b.js": "var b", "c.js": "var c"}, UP,
        gone=lost, at=("w.js", lost))
pair("req-importscripts-root", "cordova", {
    "index.html": html("", ROOM + "<script>" + W.replace("w.js", "js/w.js") + "</script>"),
    "js/w.js": 'importScripts("/vendor/a.js");onmessage=function(){postMessage(1)}', "vendor/a.js": "var a"}, UP,
    gone="vendor/a.js", at=("js/w.js", "/vendor/a.js"))
# axios
AXIOS = """(function(w){function make(d){d=d||{};function go(u,c){c=c||{};var b=c.baseURL||d.baseURL||"";
if(b&&u[0]!=="/"&&!/\\/$/.test(b))b+="/";return fetch(b+u).then(function(r){if(!r.ok)throw 0;return r.text()}).then(function(t){
return{data:JSON.parse(t)}})}var i=function(a,c){return typeof a==="string"?go(a,c):go(a.url,a)};i.get=go;i.request=function(o){
return go(o.url,o)};i.create=make;i.defaults=d;i.interceptors={request:{use:function(){}}};return i}w.axios=make()})(window);
"""


def axios(name, profile, script, at, gone="data/d.json", **others):
    pair("axios-" + name, profile, {
        "index.html": html('<script src="vendor/axios.min.js"></script><script defer src="main.js"></script>', ROOM),
        "vendor/axios.min.js": AXIOS, "main.js": script, "data/d.json": "{}"}, UP, gone=gone, at=("main.js", at), **others)


THEN = ".then(" + DONE + ");"
axios("get", "path-strict capacitor", 'axios.get("data/d.json")' + THEN, "data/d.json")
axios("call", "cordova", 'axios("data/d.json")' + THEN, "data/d.json")
axios("config", STRICT, 'axios({method:"get",url:"data/d.json"})' + THEN, "data/d.json")
axios("request", "capacitor", 'axios.request({url:"/data/d.json"})' + THEN, "/data/d.json")
axios("instance", "path-strict capacitor", 'const http=axios.create({baseURL:"/data"});http.get("/d.json")' + THEN, "/d.json")
axios("instance-slash", "cordova", 'const http=axios.create({baseURL:"data/",timeout:1e4});http.get("d.json")' + THEN, '"d.json'[1:])
axios("defaults", STRICT, 'axios.defaults.baseURL="/data";axios.get("/d.json")' + THEN, "/d.json")
axios("interceptors", "capacitor", 'var s=axios.create({baseURL:"/data"});s.interceptors.request.use(c=>c);'
      's.get("/d.json")' + THEN, "/d.json")
trap("axios-https-base", "capacitor path-strict", {
    "index.html": html('<script src="vendor/axios.min.js"></script><script defer src="main.js"></script>', ROOM),
    "vendor/axios.min.js": AXIOS, "main.js": 'const http=axios.create({baseURL:"https://api.example.com"});'
    'http.get("/v1/d").catch(()=>0);' + say()}, UP)
# Similar code: variables, guards, addresses of a server.
VARIABLES = {
    "parameter": "function load(u){return fetch(u)}window.load=load;",
    "env": 'const e={VITE_API:void 0};if(e.VITE_API)fetch(e.VITE_API+"/items");',
    "template-variable": "window.load=id=>fetch(`/items/${id}.json`);",
    "mime-header": 'const h={Accept:"application/json","Content-Type":"text/x.json"};h;',
    "https": 'window.load=()=>fetch("https://api.example.com/items.json");',
    "option-url": 'window.opts={url:"/upload",method:"post"};',
    "mock-table": 'const mock={"GET /api/users":[],"POST /api/login":{}};mock;',
    "service-worker-guard": 'if("serviceWorker"in navigator&&location.protocol==="https:")navigator.serviceWorker'
    '.register("/sw.js");',
    "data-url": 'fetch("data:application/json,{}");',
    "blob-url": "fetch(URL.createObjectURL(new Blob(['{}'])));",
    "websocket-wss": 'window.ws=()=>new WebSocket("wss://live.example.com/feed");',
    "beacon-guard": 'if(navigator.sendBeacon&&location.protocol==="https:")navigator.sendBeacon("/log","x");',
}
for name, script in VARIABLES.items():
    trap("req-harmless-" + name, "path-strict" if len(name) % 2 else "capacitor",
         {"index.html": html('<script defer src="main.js"></script>', ROOM), "main.js": script + say()}, UP)
page("req-fetch-caught-strict", STRICT, {
    "index.html": html('<script defer src="main.js"></script>', ROOM),
    "main.js": 'fetch("/config.json").then(r=>r.ok?r.json():{}).catch(()=>({})).then(()=>{' + say() + "});"}, UP,
     expect="work", latent="the answer is checked")
page("req-fetch-on-click", "capacitor", {
    "index.html": html("", ROOM + '<button onclick="fetch(\'/more.json\')">m</button><script>' + say() + "</script>")},
     UP, expect="work", latent="only after a click")
page("req-fetch-after-click-gone", "capacitor", {
    "index.html": html("", ROOM + '<button id="b">m</button><script>document.getElementById("b").onclick=function(){'
                       'fetch("/more.json").then(r=>r.json()).then(' + DONE + ")}</script>")}, UP,
     ("index.html", "/more.json"), action='document.getElementById("b").click()', expect="break")
page("req-beacon", "capacitor", {
    "index.html": html("", ROOM + "<script>" + say() + 'navigator.sendBeacon&&navigator.sendBeacon("/log","x")</script>')},
     UP, expect="work", latent="nothing waits for it")
