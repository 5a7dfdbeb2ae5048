"""Levels by consequence, the launch page, and one cause with a hundred references."""
from pages import BOX, BOX_CSS, UP, app, font, html, page, pair, png, say, svg, trap

STRICT = "path-strict"
ROOM = '<div id="app"></div>'
SHOWN = "<script>" + say() + "</script>"
BOTH = "path-strict capacitor"


def hint(name, profile, head="", body="", probe=UP, files=None, why="it is never needed", **others):
    """A file is missing without an effect on the page."""
    trap("hint-" + name, profile, {"index.html": html(head, ROOM + body + SHOWN), **(files or {})}, probe, latent=why, **others)


hint("icon", "path-strict capacitor cordova", '<link rel="icon" href="/favicon.ico"><link rel="apple-touch-icon" href="/touch.png"><link rel="mask-icon" href="/m.svg">')
hint("shortcut-icon", "basename-cache", '<link rel="shortcut icon" href="favicon.ico">')
hint("manifest", BOTH, '<link rel="manifest" href="/site.webmanifest">')
hint("prefetch", BOTH, '<link rel="prefetch" href="/js/next.js"><link rel="prerender" href="/next.html">')
hint("preload-unused", "capacitor", '<link rel="preload" as="image" href="/img/gone.png">')
hint("nomodule", "path-strict cordova", '<script nomodule src="/polyfills.js"></script>')
hint("noscript", BOTH, "", '<noscript><img src="/pixel.gif" alt=""></noscript>')
hint("template-unused", BOTH, "", '<template id="t"><img src="/img/gone.png" alt=""></template>')
hint("script-template", "capacitor", "", '<script type="text/x-handlebars"><img src="{{src}}"><img src="/img/gone.png"></script>')
hint("comment", STRICT, '<!-- <script src="/js/gone.js"></script> -->', "<!-- <img src=/gone.png> -->")
hint("disabled-sheet", BOTH, '<link rel="stylesheet" href="/gone.css" disabled>')
hint("print-sheet", BOTH, '<link rel="stylesheet" href="/print.css" media="print">')
hint("false-media-sheet", "capacitor", '<link rel="stylesheet" href="/wide.css" media="(min-width:9000px)">')
hint("alternate-sheet", STRICT, '<link rel="alternate stylesheet" title="dark" href="/dark.css">')
hint("false-media-rule", BOTH, "<style>@media print{body{background:url(/gone.png)}}@media (min-width:9000px){p{background:url(/g2.png)}}</style>")
hint("false-supports", "capacitor", "<style>@supports (display:nonsense){body{background:url(/gone.png)}}</style>")
hint("unknown-property", STRICT, "<style>body{-ms-behavior:url(/pie.htc);behavior:url(/pie.htc);filter2:url(/x.svg)}</style>")
hint("unmatched-selector", BOTH, "<style>.never{background:url(/gone.png)}</style>")
hint("overridden", "capacitor", "<style>#app{background:url(/gone.png)}#app{background:none}</style>")
hint("before-without-content", STRICT, "<style>#app::before{background:url(/gone.png)}</style>")
hint("font-unused", BOTH, "<style>@font-face{font-family:Z;src:url(/fonts/z.woff2)}</style>")
hint("display-none-background", "cordova", '<style>#n{display:none;background:url(/gone.png)}</style>', '<div id="n"></div>')
hint("keyframes-unused", STRICT, "<style>@keyframes k{to{background:url(/gone.png)}}</style>")
hint("cursor", "capacitor", "<style>.grab{cursor:url(/grab.cur),grab}</style>")
hint("input-hidden", STRICT, "", '<input type="text" src="/gone.png"><input type="hidden" value="/gone.png">')
hint("data-attribute", "capacitor", "", '<div data-href="/gone.html" data-url="/api/x" data-icon="cart.png"></div>')
hint("alt-and-title", STRICT, "", '<span title="see /img/gone.png" aria-label="a.png"></span>')
hint("video-lazy", "capacitor", "", '<video preload="none" src="/gone.mp4"></video>')
hint("img-lazy-below", STRICT, "", '<div style="height:9000px"></div><img loading="lazy" width="9" height="9" src="/gone.png" alt="">')
hint("details-link", "capacitor", "", '<a href="/gone.pdf" download>Terms</a>', why="only when it is tapped")
hint("link-not-tapped", BOTH, "", '<a href="other.html">Other</a>', why="only when it is tapped")
hint("source-map", BOTH, '<script src="m.js"></script>', files={"m.js": "window.m=1\n//# sourceMappingURL=m.js.map\n"})
hint("css-source-map", "cordova", '<link rel="stylesheet" href="a.css">', files={"a.css": BOX_CSS + "\n/*# sourceMappingURL=a.css.map */"})
hint("cite-longdesc", STRICT, "", '<blockquote cite="/source.html">x</blockquote>')
hint("profile-head", "capacitor", '<link rel="pingback" href="/xmlrpc.php"><link rel="search" href="/open.xml"><link rel="author" href="/humans.txt"><link rel="EditURI" href="/rsd.xml">')
hint("feed", STRICT, '<link rel="alternate" type="application/rss+xml" href="/feed.xml"><link rel="next" href="/2.html">')
# Formats that WebKit never requests.
FACE = "<style>@font-face{font-family:K;src:%s}p{font-family:K}</style>"
for name, source in {"eot-first": "url(k.eot);src:url(k.eot?#iefix) format('embedded-opentype'),url(k.woff2) format('woff2')",
                     "svg-last": "url(k.woff2) format('woff2'),url(k.svg#k) format('svg')",
                     "woff-after": "url(k.woff2) format('woff2'),url(k.woff) format('woff'),url(k.ttf) format('truetype')",
                     "local-first": "local('Nothing Of The Kind'),url(k.woff2)", "unknown-format": "url(k.xyz) format('xyz'),url(k.woff2) format('woff2')"}.items():
    trap("hint-font-" + name, "path-strict" if len(name) % 2 else "capacitor", {"index.html": html(FACE % source, "<p>A</p>"), "k.woff2": font()}, "$h.font('K')",
         latent="another format is taken")
pair("font-first-gone-second", BOTH, {"index.html": html(FACE % "url(k.woff2) format('woff2'),url(k.woff) format('woff')", "<p>A</p>"), "k.woff2": font(), "k.woff": font()},
     "$h.font('K')", gone="k.woff2", latent="the second one is taken", fair="our woff is a woff2")
pair("font-both", STRICT, {"index.html": html(FACE % "url(k.woff2) format('woff2'),url(k.woff) format('woff')", "<p>A</p>"), "k.woff2": font(), "k.woff": font()},
     "$h.font('K')", gone=["k.woff2", "k.woff"], at=("index.html", "k.woff2"), fair="our woff is a woff2")
for name, source in {"type": '<source type="image/nonsense" srcset="gone.jxx">', "media": '<source media="print" srcset="gone.png">',
                     "wide": '<source media="(min-width:9000px)" srcset="gone.png">'}.items():
    trap("hint-picture-" + name, BOTH, {"index.html": html("", f'<picture>{source}<img id="i" src="i.png" alt=""></picture>'), "i.png": png()}, "$h.img('#i')", latent="never chosen")
pair("picture-source", "path-strict cordova", {"index.html": html("", '<picture><source srcset="w.png"><img id="i" src="i.png" alt=""></picture>'), "w.png": png(), "i.png": png()},
     "$h.img('#i')", gone="w.png", at=("index.html", "w.png"))
trap("hint-picture-img-beside-source", "capacitor", {"index.html": html("", '<picture><source srcset="w.png"><img id="i" src="gone.png" alt=""></picture>'), "w.png": png()}, "$h.img('#i')",
     latent="the source is taken")
trap("hint-srcset-2x", STRICT, {"index.html": html("", '<img id="i" src="a.png" srcset="a.png 1x, gone.png 2x" alt="">'), "a.png": png()}, "$h.img('#i')", latent="another density")
trap("hint-image-set", "capacitor", {"index.html": html("<style>#box{width:60px;height:9px;background:image-set('i.png' 1x,'gone.png' 3x)}</style>", '<div id="box"></div>'), "i.png": png()},
     BOX, needs=["/i.png"], latent="another density")
for name, markup in {"this": "this.onerror=null;this.src='n.png'", "hide": "this.src='n.png';this.onerror=null"}.items():
    trap("hint-onerror-" + name, BOTH, {"index.html": html("", f'<img id="i" src="gone.png" onerror="{markup}" alt="">'), "n.png": png()}, "$h.img('#i')", latent="onerror mends it")
pair("onerror-target", "path-strict", {"index.html": html("", '<img id="i" src="gone.png" onerror="this.onerror=null;this.src=\'n.png\'" alt="">'), "n.png": png()}, "$h.img('#i')",
     gone="n.png", at=("index.html", "gone.png"), lost="onerror mends it")
trap("hint-object-fallback", "cordova", {"index.html": html("", '<object data="gone.svg" type="image/svg+xml"><img id="i" src="i.png" alt=""></object>'), "i.png": png()}, "$h.img('#i')", latent="the picture inside")
trap("hint-css-fallback-image", STRICT, {"index.html": html("<style>#box{width:60px;background:url(gone.svg) , url(i.png)}</style>", '<div id="box"></div>'), "i.png": png()}, BOX,
     latent="a background is missing")
# Broken markup, with higher levels.
MARKUP = {
    "poster": ('<video poster="p.png" preload="none"></video>', "p.png", png(), ["/p.png"], "true"),
    "input-image": ('<input id="i" type="image" src="p.png" alt="">', "p.png", png(), ["/p.png"], "true"),
    "srcset": ('<img id="i" srcset="p.png 1x" alt="">', "p.png", png(), [], "$h.img('#i')"),
    "sizes": ('<img id="i" srcset="p.png 100w" sizes="100vw" alt="">', "p.png", png(), [], "$h.img('#i')"),
    "body-background": ('<table background="p.png"><tr><td>x</table>', "p.png", png(), ["/p.png"], "true"),
    "embed": ('<embed id="i" src="p.svg" type="image/svg+xml">', "p.svg", svg(), ["/p.svg"], "true"),
    "svg-image": ('<svg width="9" height="9"><image href="p.png" width="8" height="8"/></svg>', "p.png", png(), ["/p.png"], "true"),
    "style-attribute": ('<div style="width:9px;height:9px;background:url(p.png)"></div>', "p.png", png(), ["/p.png"], "true"),
    "inline-style": ("<style>b{display:block;width:9px;height:9px;background:url('p.png')}</style><b></b>", "p.png", png(), ["/p.png"], "true"),
    "border-image": ('<div style="width:9px;height:9px;border:3px solid;border-image:url(p.png) 2"></div>', "p.png", png(), ["/p.png"], "true"),
    "mask": ('<div style="width:9px;height:9px;background:red;-webkit-mask:url(p.svg)"></div>', "p.svg", svg(), ["/p.svg"], "true"),
    "list-style": ('<ul style="list-style:url(p.png)"><li>x</ul>', "p.png", png(), ["/p.png"], "true"),
    "content": ('<style>i::before{content:url(p.png)}</style><i></i>', "p.png", png(), ["/p.png"], "true"),
    "shadow-template": ('<div><template shadowrootmode="open"><img src="p.png" alt=""></template></div>', "p.png", png(), ["/p.png"], "true"),
    "nested-iframe": ('<iframe id="f" src="p.html"></iframe>', "p.html", html("", "<h2>x</h2>"), [], "$h.sub('#f')&&$h.sub('#f').querySelector('h2')!==null"),
    "unquoted": ("<img id=i src=p.png alt>", "p.png", png(), [], "$h.img('#i')"),
    "entity": ('<img id="i" src="p&#46;png" alt="">', "p.png", png(), [], "$h.img('#i')"),
    "newline": ('<img id="i"\n  src="\n p.png "\n alt="">', "p.png", png(), [], "$h.img('#i')"),
}
for number, (name, (body, file, content, needs, probe)) in enumerate(MARKUP.items()):
    pair("markup-" + name, ("path-strict", "capacitor", "cordova")[number % 3], {"index.html": html("", body), file: content}, probe, needs=needs, gone=file,
         at=("index.html", "p&#46;png" if name == "entity" else file),
         fair="white space in a URL" if name == "newline" else "")
# The launch page.
pair("launch-index", "path-strict capacitor cordova basename-cache", {"index.html": html("", ROOM + SHOWN), "sub/other.html": html("", "")}, UP, gone="index.html")
pair("launch-explicit", "path-strict cordova", {"index.html": html("", "<p>other</p>"), "start.html": html("", ROOM + SHOWN)}, UP, launch="start.html", gone="start.html")
pair("launch-folder", "basename-cache", {"list.html": html("", "<p>other</p>"), "en/home.html": html("", ROOM + SHOWN)}, UP, launch="en/home.html", gone="en/home.html")
page("launch-no-html", "path-strict capacitor", {"app.js": say()}, UP, expect="break")
page("launch-empty", "path-strict capacitor cordova", {}, UP, expect="break")
page("launch-in-dist-folder", "capacitor", {"dist/index.html": html("", ROOM + SHOWN)}, UP, expect="break")
# One cause, one finding.
MANY = range(12)


def many(url):
    return "".join(f'<img src="{url}/img/{n}.png" alt="">' for n in MANY)


PICTURES = {f"img/{n}.png": png() for n in MANY}
for name, mark, profile in [("mustache", "{{cdnUrl}}", "path-strict"), ("at", "@@baseUrl@@", "capacitor"), ("percent", "%PUBLIC_URL%", "cordova"), ("dollar", "${ASSETS}", "path-strict"),
                            ("erb", "<%= BASE_URL %>", "capacitor"), ("hash", "#{root}", "path-strict"), ("underscore", "__PUBLIC_PATH__", "path-strict")]:
    pair("cause-placeholder-" + name, profile, {"index.html": html("", many(".")), **PICTURES}, "$h.imgs(12)", bad={"index.html": html("", many(mark))}, at=("index.html", mark), most=1)
pair("cause-base-path", "path-strict capacitor", {"index.html": html("", many("")), **PICTURES}, "$h.imgs(12)", bad={"index.html": html("", many("/shop/v2"))},
     at=("index.html", "/shop/v2/img/0.png"), most=1)
pair("cause-base-path-relative", "cordova", {"index.html": html("", many(".")), **PICTURES}, "$h.imgs(12)", bad={"index.html": html("", many("assets"))},
     at=("index.html", "assets/img/0.png"), most=1)
trap("cause-source-maps", "capacitor", {"index.html": html("".join(f'<script src="{n}.js"></script>' for n in MANY), ROOM + SHOWN),
                                        **{f"{n}.js": f"window.a{n}=1\n//# sourceMappingURL={n}.js.map\n" for n in MANY}}, UP)
trap("cause-compressed-copies", STRICT, {"index.html": html("".join(f'<script src="{n}.js"></script>' for n in MANY), ROOM + SHOWN),
                                         **{f"{n}.js": f"window.a{n}=1" for n in MANY}, **{f"{n}.js.gz": b"\x1f\x8b" + bytes(9) for n in MANY}}, UP, latent="copies that nothing reads")
page("cause-same-names", "basename-cache", {"index.html": html('<script src="b/x.js"></script>', ROOM), "a/x.js": "1", "b/x.js": say(), **{f"{f}/y{n}.js": f for f in "ab" for n in MANY}}, UP,
     expect="break", most=1)
pair("cause-one-script-many-pages", "path-strict", {**{f"p{n}.html": html('<script src="js/gone.js"></script>', "") for n in MANY}, "js/gone.js": say(),
     "index.html": html("", ROOM + '<script src="js/gone.js"></script>')}, UP, gone="js/gone.js", at=("index.html", "js/gone.js"))
# Generated code that looks like a reference.
trap("vendor-core-js", "path-strict capacitor", {"index.html": app("/v.js"), "v.js": 'var f=document.createElement("iframe");f.style.display="none";f.src=String("javascript:");' + say()}, UP)
trap("vendor-vite-error", "capacitor", {"index.html": app("/v.js"), "v.js": 'var e=new Error("Unable to preload CSS for /assets/x.css");' + say()}, UP)
trap("vendor-monaco-worker-guard", STRICT, {"index.html": app("/v.js"), "v.js": 'self.MonacoEnvironment={getWorkerUrl:function(a,l){return l==="json"?"/json.worker.js":"/editor.worker.js"}};' + say()}, UP, latent="only when an editor opens")
trap("vendor-pdfjs-worker", "capacitor", {"index.html": app("/v.js"), "v.js": 'var G={};G.workerSrc="./pdf.worker.js";' + say()}, UP, latent="only when a document opens")
trap("vendor-tinymce", STRICT, {"index.html": app("/v.js"), "v.js": 'var s={theme_url:"themes/modern/theme.min.js",skin:"lightgray"};' + say()}, UP, latent="only when an editor opens")
trap("vendor-leaflet-icons", "capacitor", {"index.html": app("/v.js"), "v.js": 'var o={iconUrl:"marker-icon.png",iconRetinaUrl:"marker-icon-2x.png",shadowUrl:"marker-shadow.png"};' + say()}, UP, latent="only on a map")
trap("vendor-react-devtools", "path-strict", {"index.html": app("/v.js"), "v.js": 'var m="Download the React DevTools: https://react.dev/link/react-devtools";' + say()}, UP)
trap("vendor-angular-ng", "capacitor", {"index.html": app("/v.js"), "v.js": 'var d={templateUrl:"./app.component.html",styleUrls:["./app.component.css"]};' + say()}, UP, latent="names of the sources")
