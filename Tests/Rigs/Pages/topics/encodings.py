"""Files named in pages, style sheets and scripts of other encodings."""
from pages import BOX, UP, html, page, pair, png, say, svg, trap

STRICT = "path-strict"
ROOM = '<div id="app"></div>'
TEXT = '<!doctype html>\n<html><head>%s<title>T</title></head>\n<body>\n<p>%s</p><img id="i" src="img/%s.png" alt="">\n</body></html>\n'
CJK = "图标"
# One name in each encoding; some have an ASCII trail byte: a backslash, a bar.
NAMES = {
    "gbk": ("gbk", "图标"), "gb18030": ("gb18030", "图𠀀"), "gb2312": ("gb2312", "首页"), "big5": ("big5", "功能"),
    "shift_jis": ("shift_jis", "表示"), "x-sjis": ("cp932", "①ソ"), "euc-jp": ("euc_jp", "図面"), "euc-kr": ("euc_kr", "그림"),
    "ks_c_5601-1987": ("cp949", "똠방"), "windows-1250": ("cp1250", "žluť"), "windows-1251": ("cp1251", "рисунок"),
    "latin1": ("cp1252", "€café"), "windows-1252": ("cp1252", "“x”"), "windows-1253": ("cp1253", "εικόνα"), "windows-1254": ("cp1254", "ığş"),
    "windows-1255": ("cp1255", "תמונה"), "windows-1256": ("cp1256", "صورة"), "windows-1257": ("cp1257", "ąžė"),
    "windows-1258": ("cp1258", "ơđ"), "iso-8859-2": ("iso8859-2", "šíř"), "iso-8859-5": ("iso8859-5", "рис"),
    "iso-8859-7": ("iso8859-7", "γεια"), "iso-8859-9": ("iso8859-9", "ışı"), "iso-8859-15": ("iso8859-15", "œ€"),
    "koi8-r": ("koi8-r", "фото"), "koi8-u": ("koi8-u", "їжак"), "windows-874": ("cp874", "รูป"), "ibm866": ("cp866", "файл"),
    "macintosh": ("mac_roman", "ƒünf"), "utf-8": ("utf-8", "图é"),
}
for number, (label, (codec, name)) in enumerate(NAMES.items()):
    profile = ("path-strict", "capacitor", "cordova")[number % 3]
    pair("name-" + label, profile, {"index.html": (TEXT % (f'<meta charset="{label}">', name, name)).encode(codec), f"img/{name}.png": png()},
         "$h.img('#i')", gone=f"img/{name}.png", at=("index.html", "img/"))
# UTF-8 in a page with another declaration, and the reverse.
page("name-wrong-label", STRICT, {"index.html": (TEXT % ('<meta charset="gbk">', "x", CJK)).encode(), f"img/{CJK}.png": png()}, "$h.img('#i')",
     ("index.html", "img/"), expect="break")
page("name-wrong-label-utf8", "capacitor", {"index.html": (TEXT % ('<meta charset="utf-8">', "x", CJK)).encode("gbk"), f"img/{CJK}.png": png()}, "$h.img('#i')",
     ("index.html", "img/"), expect="break")
page("name-utf16-without-mark", STRICT, {"index.html": (TEXT % ('<meta charset="utf-16">', "x", CJK)).encode("utf-16-le"), f"img/{CJK}.png": png()}, "$h.img('#i')",
     expect="break")
trap("name-utf16-label", STRICT, {"index.html": (TEXT % ('<meta charset="utf-16">', "x", CJK)).encode(), f"img/{CJK}.png": png()}, "$h.img('#i')",
     advice="the label says UTF-16, the file is UTF-8")
pair("name-utf16", "path-strict cordova", {"index.html": b"\xff\xfe" + (TEXT % ("", CJK, "é" + CJK)).encode("utf-16-le"), f"img/é{CJK}.png": png()}, "$h.img('#i')",
     gone=f"img/é{CJK}.png")
trap("name-query", STRICT, {"index.html": (TEXT % ('<meta charset="gbk">', "x", "a")).replace("a.png", f"a.png?{CJK}").encode("gbk"), "img/a.png": png()}, "$h.img('#i')")
trap("name-percent", "capacitor", {"index.html": (TEXT % ('<meta charset="gbk">', CJK, "%E5%9B%BE")).encode("gbk"), "img/图.png": png()}, "$h.img('#i')")
pair("name-srcset", "cordova", {
    "index.html": ('<!doctype html><html><head><meta charset="big5"></head><body><img id="i" srcset="img/功.png 1x" alt=""></body></html>').encode("big5"),
    "img/功.png": png()}, "$h.img('#i')", gone="img/功.png", at=("index.html", "img/"))
# Style sheets.
RULE = "#box{width:60px;height:9px;background:url(img/%s.png)}"
DIV = '<div id="box"></div>'


def coded(encoding, head, body=DIV, declare=True):
    return html((f'<meta charset="{encoding}">' if declare else "") + head, body).replace('<meta charset="utf-8">', "", 1).encode(encoding)


SHEET = {"css/a.css": (RULE % f"{CJK}").encode("gbk"), f"css/img/{CJK}.png": png()}
LINK = '<link rel="stylesheet" href="css/a.css">'
NEED = ["/css/img/%E5%9B%BE%E6%A0%87.png"]
pair("css-of-gbk-page", "path-strict capacitor", {"index.html": coded("gbk", LINK), **SHEET}, BOX, needs=NEED, gone=f"css/img/{CJK}.png", at=("css/a.css", "img/"))
pair("css-own-charset", STRICT, {"index.html": html(LINK, DIV), **SHEET, "css/a.css": b'@charset "gbk";\n' + SHEET["css/a.css"]}, BOX, needs=NEED,
     bad={"css/a.css": SHEET["css/a.css"]}, at=("css/a.css", "img/"), fair="not UTF-8")
pair("css-link-charset", "cordova", {"index.html": html('<link rel="stylesheet" charset="gbk" href="css/a.css">', DIV), **SHEET}, BOX, needs=NEED,
     gone=f"css/img/{CJK}.png", at=("css/a.css", "img/"))
pair("css-imported", STRICT, {"index.html": coded("gbk", '<link rel="stylesheet" href="css/top.css">'), "css/top.css": '@import "a.css";', **SHEET}, BOX, needs=NEED,
     gone=f"css/img/{CJK}.png", at=("css/a.css", "img/"))
pair("css-imported-by-style", "capacitor", {"index.html": coded("gbk", '<style>@import "css/a.css";</style>'), **SHEET}, BOX, needs=NEED,
     gone=f"css/img/{CJK}.png", at=("css/a.css", "img/"))
pair("css-utf16", STRICT, {"index.html": html(LINK, DIV), **SHEET, "css/a.css": b"\xff\xfe" + (RULE % CJK).encode("utf-16-le")}, BOX, needs=NEED, gone=f"css/img/{CJK}.png")
pair("css-utf8-mark-in-gbk-page", "capacitor", {"index.html": coded("gbk", LINK), **SHEET, "css/a.css": b"\xef\xbb\xbf" + (RULE % CJK).encode()}, BOX, needs=NEED,
     gone=f"css/img/{CJK}.png", at=("css/a.css", "img/"))
pair("css-utf8-in-gbk-page", STRICT, {"index.html": coded("gbk", LINK), **SHEET, "css/a.css": b'@charset "utf-8";' + (RULE % CJK).encode()}, BOX, needs=NEED,
     bad={"css/a.css": (RULE % CJK).encode()}, at=("css/a.css", "img/"))
pair("css-inline", "cordova", {"index.html": coded("gbk", f"<style>{RULE % CJK}</style>"), f"img/{CJK}.png": png()}, BOX, needs=["/img/%E5%9B%BE%E6%A0%87.png"],
     gone=f"img/{CJK}.png", at=("index.html", "img/"))
pair("css-attribute", STRICT, {"index.html": coded("shift_jis", "", '<div id="box" style="width:60px;height:9px;background:url(img/表.png)"></div>'), "img/表.png": png()}, BOX,
     needs=["/img/%E8%A1%A8.png"], gone="img/表.png", at=("index.html", "img/"))
pair("css-escaped-backslash", "capacitor", {"index.html": coded("big5", "<style>#box{width:60px;background:url('img/功.png')}</style>"), "img/功.png": png()}, BOX,
     needs=["/img/%E5%8A%9F.png"], gone="img/功.png", at=("index.html", "img/"))
# Scripts.
FETCH = 'fetch("data/数据.json").then(r=>r.json()).then(()=>{' + say() + "})"
DATA = {"data/数据.json": "{}"}
pair("js-inline", "path-strict capacitor", {"index.html": coded("gbk", "", ROOM + f"<script>{FETCH}</script>"), **DATA}, UP, gone="data/数据.json", at=("index.html", "data/"))
pair("js-of-gbk-page", "path-strict capacitor", {"index.html": coded("gbk", "", ROOM + '<script src="js/a.js"></script>'), "js/a.js": FETCH.encode("gbk"), **DATA}, UP,
     gone="data/数据.json", at=("js/a.js", "data/"))
pair("js-charset-attribute", "cordova", {"index.html": html("", ROOM + '<script charset="gbk" src="js/a.js"></script>'), "js/a.js": FETCH.encode("gbk"), **DATA}, UP,
     gone="data/数据.json", at=("js/a.js", "data/"))
pair("js-charset-utf8-in-gbk-page", STRICT, {"index.html": coded("gbk", "", ROOM + '<script charset="utf-8" src="js/a.js"></script>'), "js/a.js": FETCH, **DATA}, UP,
     bad={"index.html": coded("gbk", "", ROOM + '<script src="js/a.js"></script>')}, at=("js/a.js", "data/"))
trap("js-module-is-utf8", "capacitor", {"index.html": coded("gbk", "", ROOM + '<script type="module" src="js/a.js"></script>'), "js/a.js": FETCH, **DATA}, UP)
pair("js-utf16", STRICT, {"index.html": html("", ROOM + '<script src="js/a.js"></script>'), "js/a.js": b"\xff\xfe" + FETCH.encode("utf-16-le"), **DATA}, UP, gone="data/数据.json")
pair("js-backslash", "cordova", {"index.html": coded("shift_jis", "", ROOM + '<script>fetch("data/表.json").then(r=>r.json()).then(()=>{' + say() + "})</script>"),
                                 "data/表.json": "{}"}, UP, gone="data/表.json", at=("index.html", "data/"))
pair("js-utf16-page", "capacitor", {"index.html": b"\xfe\xff" + html("", ROOM + f"<script>{FETCH}</script>").encode("utf-16-be"), **DATA}, UP, gone="data/数据.json")
page("js-utf16-page-script", STRICT, {"index.html": b"\xff\xfe" + html("", ROOM + '<script src="js/a.js"></script>').encode("utf-16-le"), "js/a.js": say()}, UP, expect="break")
# Other documents.
pair("svg-declared", STRICT, {
    "index.html": html("", '<object id="o" type="image/svg+xml" data="a.svg"></object>'),
    "a.svg": ('<?xml version="1.0" encoding="iso-8859-1"?>' + svg('<image href="é.png" width="8" height="8"/>')).encode("latin-1"), "é.png": png()},
    "$h.sub('#o')!==null", needs=["/%C3%A9.png"], gone="é.png")
trap("frame-of-gbk-page", "capacitor", {
    "index.html": coded("gbk", "", '<iframe id="f" src="part.html"></iframe>'),
    "part.html": ('<!doctype html><html><body><img id="i" src="img/%s.png" alt=""></body></html>' % CJK).encode("gbk"), f"img/{CJK}.png": png()},
    "$h.sub('#f')&&$h.sub('#f').getElementById('i').naturalWidth>0")
pair("link-to-page", STRICT, {
    "index.html": coded("gbk", "", f'<h1 id="h">Home</h1><a id="l" href="{CJK}.html">x</a>'), f"{CJK}.html": html("", '<h1 id="h">There</h1>')},
    "$h.text('#h')==='There'", action='document.getElementById("l").click()', gone=f"{CJK}.html")
