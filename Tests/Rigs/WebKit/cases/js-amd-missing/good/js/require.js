(function(w){var s=w.require&&typeof w.require=="object"?w.require:{},cfg={baseUrl:s.baseUrl,paths:s.paths||{}},mods={},queue=[];
function norm(n,p){if(n[0]!=".")return n;var a=p?p.split("/").slice(0,-1):[];n.split("/").forEach(function(x){if(x==".."&&a.length&&a[a.length-1]!="..")a.pop();else if(x!=".")a.push(x)});return a.join("/")}
function url(n,e){if(/^\/|:|\?/.test(n)||e&&/\.js$/.test(n))return n;var p=n.split("/"),i;for(i=p.length;i>0;i--){var k=p.slice(0,i).join("/");if(cfg.paths[k]){p.splice(0,i,cfg.paths[k]);break}}
n=p.join("/");var b=cfg.baseUrl||"./";if(b.slice(-1)!="/")b+="/";return(/^\/|:/.test(n)?"":b)+n+e}
function get(n,p){if(n.indexOf("text!")==0)return fetch(url(norm(n.slice(5),p),"")).then(function(r){if(!r.ok)throw n;return r.text()});n=norm(n,p);if(mods[n])return mods[n];
return mods[n]=new Promise(function(ok,no){var e=document.createElement("script");e.src=url(n,".js");e.onload=function(){var q=queue;queue=[];q.forEach(function(d){if(d[0]&&d[0]!=n)mods[d[0]]=run(d[1],d[2],d[0])});
var own=q.filter(function(d){return!d[0]||d[0]==n})[0];ok(own?run(own[1],own[2],n):0)};e.onerror=no;document.head.appendChild(e)})}
function run(d,f,n){return Promise.all((d||[]).map(function(x){return x=="require"||x=="exports"||x=="module"?0:get(x,n)})).then(function(v){return typeof f=="function"?f.apply(null,v):f})}
w.define=function(n,d,f){if(typeof n!="string"){f=d;d=n;n=null}if(!Array.isArray(d)){f=d;d=[]}queue.push([n,d,f])};define.amd={};
w.require=w.requirejs=function(d,f){if(!Array.isArray(d)){require.config(d);d=f;f=arguments[2]}setTimeout(function(){run(d,f).catch(function(){})})};
require.config=function(c){if(c.baseUrl)cfg.baseUrl=c.baseUrl;for(var k in c.paths||{})cfg.paths[k]=c.paths[k];if(c.deps)require(c.deps)};
var m=document.currentScript.getAttribute("data-main");if(m){if(!cfg.baseUrl){var a=m.split("/");m=a.pop();cfg.baseUrl=a.length?a.join("/")+"/":"./"}require([m.replace(/\.js$/,"")])}})(window);
