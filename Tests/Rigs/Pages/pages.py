"""The notation of pages in topics/, and their conversion to bundles in .build/pages.

    pair(name, profile, files, probe, gone="a.js", at=("index.html", "a.js"))

makes two pages: NAME-ok with all files, and NAME-gone without one of them. `bad` changes files instead of
removing one: {path: content, or None to remove it}. `page(…)` makes one page. Pages with a profile of Android
are opened in Chromium, all others in WebKitGTK; `android_forms` derives NAME@PROFILE from pages for iOS.

  profile  a name, several names (one page each), or the keys of a custom profile
  files    path -> text or bytes
  probe    an expression that is true if the page works; $h (HELPERS) has common helpers
  needs    parts of URLs that must be requested and answered, if scripts cannot observe the effect
  at       (file, text) or a list: a finding is expected at the text's position in the file
  action   JavaScript that runs once the page is idle
  latent   the page works, but a referenced file is missing: a warning is acceptable
  advice   the page works, but a warning is acceptable for another reason
  ios      "work" or "break" if WebKitGTK is known to differ, with the reason in `why`
  external only another host is missing
  fair, lost   advice and latent of the working page in a pair
  most     the maximum number of expected findings above hint (one cause, one finding)
  net      files of other hosts: "host/path" -> content
  more     further settings of packtool.yaml
"""
import hashlib
import importlib
import json
import os
import re
import shutil
import struct
import sys
import zlib
from dataclasses import dataclass, field, replace

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.normpath(os.path.join(HERE, "../../.."))
BUNDLES = os.path.join(ROOT, ".build/pages")
VERDICTS = {"webkit": os.path.join(HERE, "verdicts.json"),
            "chromium": os.path.join(HERE, "verdicts-chromium.json")}
sys.path.insert(0, os.path.join(HERE, "../Chromium"))
sys.path.insert(0, os.path.join(HERE, "../WebKit"))
sys.path.insert(0, HERE)

import android
import clients

TOPICS = sorted(name[:-3] for name in os.listdir(os.path.join(HERE, "topics")) if name.endswith(".py"))
HOST = "shop.example.com"
# Helpers for probes.
HELPERS = """window.$h = {
  img: s => { const e = document.querySelector(s); return !!e && e.complete && e.naturalWidth > 0; },
  imgs: n => { const l = [...document.images];
    return l.length >= (n || 1) && l.every(e => e.complete && e.naturalWidth > 0); },
  css: (s, p) => { const e = document.querySelector(s);
    return e ? getComputedStyle(e).getPropertyValue(p) : ''; },
  text: s => { const e = document.querySelector(s); return e ? e.textContent.trim() : ''; },
  font: f => [...document.fonts].some(x => x.family.replace(/["']/g, '') === f && x.status === 'loaded'),
  sub: s => { const e = document.querySelector(s); return e ? e.contentDocument : null; },
  drawn: s => { const e = document.querySelector(s), b = e && e.getBBox(); return !!b && b.width > 0; },
};"""


@dataclass
class Page:
    name: str
    profile: object
    files: dict
    probe: str
    topic: str = ""
    needs: list = field(default_factory=list)
    at: list = field(default_factory=list)
    action: str = ""
    launch: str = ""
    latent: str = ""
    advice: str = ""
    ios: str = ""
    why: str = ""
    external: bool = False
    most: int = 0
    net: dict = field(default_factory=dict)
    more: dict = field(default_factory=dict)
    expect: str = ""

    @property
    def directory(self):
        return os.path.join(BUNDLES, self.name)

    @property
    def base(self):
        if isinstance(self.profile, str):
            return self.profile
        return self.profile.get("base", "path-strict")

    @property
    def engine(self):
        return "chromium" if self.base in android.CLIENTS else "webkit"

    @property
    def hosts(self):
        """The hosts whose requests an app on Android intercepts."""
        return self.more.get("host") or [android.CLIENTS[self.base].host or HOST]

    @property
    def file(self):
        """The launch page; `launch="/"` opens it by the URL of the root."""
        return self.launch if self.launch.strip("/") else "index.html"

    def address(self):
        if self.engine == "chromium":
            origin = f"{self.more.get('scheme', 'https')}://{self.hosts[0]}"
            return origin + android.client(self.profile).root + (self.file if self.launch != "/" else "")
        app = clients.client(self.profile)
        host = "localhost" if self.base in clients.SCHEMES else HOST
        scheme = "https" if self.more.get("page-origin") == "https" else \
            clients.SCHEMES.get(self.base, "customscheme")
        return f"{scheme}://{host}{app.root}{self.file if self.launch != '/' else ''}"

    def settings(self):
        settings = {"profile": self.profile}
        if self.base not in clients.SCHEMES and not getattr(android.CLIENTS.get(self.base), "host", None):
            settings["host"] = [HOST]
        if self.launch:
            settings["launch"] = self.launch
        return settings | self.more

    def build(self):
        """Writes dist/, net/ and packtool.yaml."""
        shutil.rmtree(self.directory, ignore_errors=True)
        for folder, files in (("dist", self.files), ("net", self.net)):
            os.makedirs(os.path.join(self.directory, folder))
            for name, content in files.items():
                path = os.path.join(self.directory, folder, name)
                os.makedirs(os.path.dirname(path), exist_ok=True)
                with open(path, "wb") as file:
                    file.write(content if isinstance(content, bytes) else content.encode())
        with open(os.path.join(self.directory, "packtool.yaml"), "w") as file:
            for key, value in self.settings().items():
                if isinstance(value, dict):
                    # Only the rig's handler has this key: no header isolates the pages of a web view.
                    value = {name: one for name, one in value.items() if name != "isolated"}
                file.write(f"{key}: {json.dumps(value)}\n")

    def digest(self):
        """Changes with everything that affects the page in the engine."""
        seen = repr([self.settings(), sorted(self.files.items()), sorted(self.net.items()), self.probe,
                     self.needs, self.action])
        return hashlib.sha256(seen.encode()).hexdigest()[:12]

    def places(self):
        """(file, line, column) of the expected findings; columns count UTF-8 bytes from 1."""
        found = []
        for name, text in self.at:
            content = self.files[name]
            content = content if isinstance(content, bytes) else content.encode()
            before, mark, _ = content.partition(text.encode())
            if not mark:
                raise SystemExit(f"error: {self.name}: '{text}' is not in {name}")
            found.append((name, before.count(b"\n") + 1, len(before) - before.rfind(b"\n")))
        return found


PAGES = {}


def page(name, profile, files, probe="true", at=(), **others):
    """One page; with several profiles, one for each."""
    at = [at] if at and isinstance(at[0], str) else list(at)
    several = isinstance(profile, str) and " " in profile
    for one in profile.split() if isinstance(profile, str) else [profile]:
        full = f"{name}-{one}" if several else name
        if full in PAGES:
            raise SystemExit(f"error: two pages are called {full}")
        files = {"index.html": files} if isinstance(files, (str, bytes)) else files
        PAGES[full] = Page(full, one, files, probe, at=at, **others)


def pair(name, profile, files, probe="true", at=(), gone=None, bad=None, **others):
    """A working page and a broken one."""
    files = {"index.html": files} if isinstance(files, (str, bytes)) else dict(files)
    changed = dict(files)
    for path in [gone] if isinstance(gone, str) else gone or ():
        del changed[path]
    for path, content in (bad or {}).items():
        if content is None:
            del changed[path]
        else:
            changed[path] = content
    if changed == files:
        raise SystemExit(f"error: {name}: the bad page is the good one")
    marks = {key: others.pop(key) for key in ("latent", "ios", "why", "external", "most", "advice")
             if key in others}
    fair = {"advice": others.pop("fair", ""), "latent": others.pop("lost", "")}
    page(name + "-ok", profile, files, probe, expect="work", **others, **fair)
    page(name + "-gone", profile, changed, probe, at, expect="work" if "latent" in marks else "break",
         **others, **marks)


def trap(name, profile, files, probe="true", **others):
    """A harmless page that looks broken."""
    page(name, profile, files, probe, expect="work", **others)


ANDROID = "capacitor-android cordova-android asset-loader intercept"


def android_pages(make, name, profiles, *arguments, **others):
    """Calls pair, page or trap for each profile, with its $ROOT, $HOST and $ORIGIN in all texts."""
    def adapt(value):
        if isinstance(value, str):
            return value.replace("$ROOT", root).replace("$ORIGIN", "https://" + host).replace("$HOST", host)
        if isinstance(value, dict):
            return {adapt(key): adapt(one) for key, one in value.items()}
        return type(value)(map(adapt, value)) if isinstance(value, list | tuple) else value

    for profile in profiles.split():
        root = android.CLIENTS[profile].root
        host = android.CLIENTS[profile].host or HOST
        make(f"{name}-{profile}", profile, *adapt(arguments), **adapt(others))


def html(head="", body="", attributes=""):
    """A page; head starts on line 7, body two lines after its end."""
    return f"""<!doctype html>
<html lang="en"{attributes}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Shop</title>
{head}
</head>
<body>
{body}
</body>
</html>
"""


def app(script, head="", kind='type="module" crossorigin'):
    """The output of Vite: one script, and an element filled by it."""
    return html(f'{head}<script {kind} src="{script}"></script>', '<div id="app"></div>')


def say(text="up", where="app"):
    """A statement that shows text on the page."""
    return f'document.getElementById("{where}").textContent="{text}";'


UP = "$h.text('#app')==='up'"
BOX = "$h.css('#box','width')==='60px'"
BOX_CSS = "#box{width:60px;height:8px}"


def png(red=40, green=120, blue=200, side=8):
    """A square in one color."""
    def chunk(kind, content):
        return struct.pack(">I", len(content)) + kind + content \
            + struct.pack(">I", zlib.crc32(kind + content))

    row = b"\0" + bytes((red, green, blue)) * side
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)) \
        + chunk(b"IDAT", zlib.compress(row * side)) + chunk(b"IEND", b"")


def svg(inner='<path id="i" d="M0 0h8v8H0z"/>', attributes=""):
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8" width="8" height="8"{attributes}>' \
        f"{inner}</svg>\n"


def font():
    """A font of one glyph, "A"; WebKit inspects the content, so it works for any format's name."""
    with open(os.path.join(HERE, "../WebKit/cases/font-cors/good/a.woff2"), "rb") as file:
        return file.read()


def wasm():
    """A module that exports f(), which is 42."""
    return bytes.fromhex("0061736d010000000105016000017f03020100070501016600000a06010400412a0b")


# The Android form of pages for iOS: the profiles, and the web origin in addresses.
FORMS = {"capacitor": (("capacitor-android",), "capacitor://localhost"),
         "cordova": (("cordova-android",), "app://localhost"),
         "path-strict": (("intercept", "asset-loader"), f"customscheme://{HOST}")}
CUSTOM = re.compile(r"customscheme|capacitor:|\bapp:/?/?|custom-scheme|app-?bound", re.IGNORECASE)
# Addresses from the root, and bare web origins: below /assets/, pages with them are others.
ROOTED = re.compile(r"""["'(=`]/[^/*>\s]|https?://""")


def android_forms(page):
    """The pages for Android with the files of one for iOS, if its meaning survives; see README.md."""
    profiles, origin = FORMS.get(page.profile, ((), "")) if isinstance(page.profile, str) else ((), "")
    if page.ios or page.more.keys() - {"check"}:
        return
    for profile in profiles:
        app = android.CLIENTS[profile]
        target = f"https://{app.host or HOST}{app.root.rstrip('/')}"

        def adapt(text, target=target):
            if isinstance(text, bytes):
                return text.replace(origin.encode(), target.encode())
            return text.replace(origin, target)

        files, net = ({name: adapt(text) for name, text in some.items()} for some in (page.files, page.net))
        texts = [text for text in [*files.values(), *net.values()] if isinstance(text, str)]
        said = "\n".join(texts + [page.probe, page.action, *page.needs])
        if CUSTOM.search(said) or profile == "asset-loader" and ROOTED.search(said.replace(target + "/", "")):
            continue
        media = not app.ranges and any(name.endswith((".mp4", ".mp3", ".m4a", ".wav")) for name in files)
        yield replace(page, name=f"{page.name}@{profile}", profile=profile, files=files, net=net,
                      advice=page.advice or "media without ranges" * media,
                      probe=adapt(page.probe), action=adapt(page.action),
                      needs=[adapt(one) for one in page.needs],
                      at=[(name, adapt(text)) for name, text in page.at])


def load(engine="webkit"):
    """All pages of all topics for an engine."""
    for topic in TOPICS:
        before = set(PAGES)
        importlib.import_module("topics." + topic)
        for name in PAGES.keys() - before:
            PAGES[name].topic = topic
    found = [page for page in PAGES.values() if page.engine == engine]
    if engine == "chromium":
        found += [form for page in PAGES.values() for form in android_forms(page)]
    return {page.name: page for page in found}


def verdicts(engine):
    """The committed verdicts of an engine by page."""
    if not os.path.exists(VERDICTS[engine]):
        return {}
    with open(VERDICTS[engine]) as file:
        return json.load(file)
