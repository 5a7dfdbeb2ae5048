var r=new URL("../",import.meta.url),e=t=>new URL(t,r).href,n=t=>new URL(t,import.meta.url).href;export{e as a,n as b};
