"""The references in a build, read with regular expressions and without packtool, for damage.py.

Only references to a file in the build are kept, so texts that merely look like one do no harm.
"""

import re
from collections import defaultdict
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import NamedTuple
from urllib.parse import unquote, urljoin, urlsplit

TEXTS = (".html", ".css", ".js", ".mjs")
SCRIPTS = (".js", ".mjs")
IMAGES = (".png", ".jpg", ".jpeg", ".gif", ".webp", ".svg", ".avif")
FONTS = (".woff2", ".woff", ".ttf", ".otf")
ORIGIN = "https://localhost/"
# Longer lines are minified: a finding may have another column or line of the same file.
LONG_LINE = 1500

TAG = re.compile(rb"<([a-zA-Z][\w-]*)((?:\s+[^\s=>/]+(?:\s*=\s*(?:\"[^\"]*\"|'[^']*'|[^\s>]+))?|\s*/)*)\s*>")
ATTRIBUTE = re.compile(rb"([^\s=>/]+)(?:\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s>]+)))?")
COMMENT = re.compile(rb"<!--.*?-->", re.S)
INLINE = re.compile(rb"(<script\b[^>]*>)(.*?)</script>", re.S | re.I)
CSS_URL = re.compile(rb"url\(\s*[\"']?([^\"')\s]+)")
# The first font source usable by WebKit: later ones are never requested.
LATER_SOURCE = re.compile(rb"url\([^)]*\.(?:woff2?|ttf|otf)\b")
STATIC = re.compile(rb"\b(?:from|import)\s*[\"']([^\"'\n]+)[\"']")
DYNAMIC = re.compile(rb"\bimport\(\s*[\"'`]([^\"'`$\n]+)[\"'`]\s*\)")
NEW_URL = re.compile(rb"\bnew URL\(\s*[\"'`]([^\"'`$\n]+)[\"'`]\s*,\s*import\.meta\.url\s*\)")
WORKER_URL = re.compile(rb"new (?:Shared)?Worker\(\s*(?:[\"'`]{2}\s*\+\s*)?$")
# A public path before it: `n.p + "media/x.png"`, or Next's immediately called function.
PREFIXED = re.compile(rb"(?:\b[\w$]{1,3}\.p|\}\)\(\))\s*\+\s*[\"'`]([^\"'`$\n]+)[\"'`]")
ROOTED = re.compile(rb"([\"'`])(/[\w@%.~+\-]+(?:/[\w@%.~+\-]+)*\.\w{2,5})\1")
IN_MARKUP = re.compile(rb"\bsrc=\\?[\"'](/[\w@%.~+\-/]+\.(?:png|jpe?g|svg|gif|webp))\\?[\"']")
DEPENDENCIES = re.compile(rb"\.f\s*=\s*\[([^\]]*)\]")
QUOTED = re.compile(rb"[\"'`]([^\"'`\n]+)[\"'`]")
CALL = re.compile(rb"\b[\w$]{1,22}\.e\(\s*[\"']?([\w-]+)[\"']?\s*\)")
# `new Worker(new URL(n.p + n.u(8975), n.b))`: webpack only writes this for workers and worklets.
WORKER_CALL = re.compile(
    rb"new URL\(\s*[\w$]+\.p\s*\+\s*[\w$]+\.u\(\s*[\"']?(\d+)[\"']?\s*\)\s*,\s*[\w$]+\.b\s*\)")
ATTRIBUTE_IMAGE = re.compile(rb"\bsrc:\s*\"(?![/.])([\w\-/]+\.(?:png|jpe?g|svg|gif|webp))\"")
CHUNK_NAMES = re.compile(rb"\.u\s*=\s*(?:function|\(?[\w$]+\)?\s*=>)|function jsonpScriptSrc\(")
SHEET_NAMES = re.compile(rb"\.miniCssF\s*=|new Promise\(\(function\(\w,\w\)\{for\(var \w=")
ENTRY = re.compile(rb"[\"']?([\w-]+)[\"']?\s*:\s*[\"']([\w.-]+)[\"']")
WHOLE = re.compile(rb"(\d+)\s*===\s*\w+\s*\?\s*\"([^\"]+)\"")
SUFFIX = re.compile(rb"\w\s*\+\s*\"\.([0-9a-f]{8,20})\.js\"")

# Text before a literal that is part of a longer text, or compared with one.
PART_OR_TEST = (b"+", b"concat(", b"==", b"With(", b"includes(", b"ndexOf(", b"case", b".test(", b"match(")
LINKS = {"stylesheet": "html-sheet", "modulepreload": "html-preload", "preload": "html-preload",
         "manifest": "html-manifest"}


class Reference(NamedTuple):
    kind: str
    file: str
    offset: int  # of the text in the file
    text: str
    target: str


class Page(NamedTuple):
    file: str
    base: str  # the base of relative URLs


def without_comments(data):
    return COMMENT.sub(lambda found: b" " * len(found.group()), data)


def tags(data):
    """(name, {attribute: (value, offset)}, start, end) of each start tag outside comments and scripts."""
    blank = bytearray(without_comments(data))
    for found in INLINE.finditer(bytes(blank)):
        blank[found.start(2):found.end(2)] = b" " * (found.end(2) - found.start(2))
    for found in TAG.finditer(bytes(blank)):
        attributes = {}
        for a in ATTRIBUTE.finditer(found.group(2)):
            group = next((g for g in (2, 3, 4) if a.group(g) is not None), None)
            value = a.group(group).decode("utf-8", "replace") if group else ""
            at = found.start(2) + (a.start(group) if group else a.start())
            attributes.setdefault(a.group(1).decode("utf-8", "replace").lower(), (value, at))
        yield found.group(1).decode().lower(), attributes, found.start(), found.end()


class Build:
    def __init__(self, root):
        self.root = Path(root)
        self.files = {p.relative_to(root).as_posix() for p in self.root.rglob("*") if p.is_file()}
        self._data = {}

    def read(self, name):
        if name not in self._data:
            self._data[name] = (self.root / name).read_bytes()
        return self._data[name]

    def texts(self, *endings):
        return sorted(n for n in self.files if n.endswith(endings))

    def line(self, name, offset, data=None):
        """The line of an offset, or None if it is minified."""
        data = self.read(name) if data is None else data
        start = data.rfind(b"\n", 0, offset) + 1
        end = data.find(b"\n", offset)
        long = (end if end >= 0 else len(data)) - start > LONG_LINE
        return None if long else data.count(b"\n", 0, offset) + 1

    def resolve(self, base, text):
        """The file of a URL if paths are looked up as a whole."""
        if not text or text.startswith(("data:", "#", "blob:")) or "://" in text or text.startswith("//"):
            return None
        path = unquote(urlsplit(urljoin(base, text)).path)[1:]
        return path if path in self.files else None

    def mentions(self, text):
        """The files containing a text."""
        text = text.encode()
        return {n for n in self.texts(*TEXTS, ".json", ".webmanifest", ".svg") if text in self.read(n)}

    @cached_property
    def page(self):
        """The launch page and its base."""
        return self.pages.get("index.html")

    @cached_property
    def pages(self):
        found = {}
        for name in self.texts(".html"):
            base = ORIGIN + name
            for tag, attributes, _, _ in tags(self.read(name)):
                if tag == "base" and "href" in attributes:
                    base = urljoin(base, attributes["href"][0])
                    break
            found[name] = Page(name, base)
        return found

    @cached_property
    def references(self):
        """The references reachable from a page, by file and kind."""
        of_file = defaultdict(list)
        for page in self.pages.values():
            of_file[page.file] += self._of_page(page)
        for name in self.texts(".css"):
            of_file[name] += self._of_css(name, self.read(name), 0, ORIGIN + name)
        for name in self.texts(*SCRIPTS):
            of_file[name] += self._of_script(name)
        for reference in self._of_bundlers():
            of_file[reference.file].append(reference)
        reached, next_ones = set(), list(self.pages)
        while next_ones:
            name = next_ones.pop()
            if name not in reached:
                reached.add(name)
                next_ones += [r.target for r in of_file[name]]
        found = defaultdict(list)
        for name in sorted(reached):
            for reference in of_file[name]:
                found[reference.kind].append(reference)
        return found

    def of(self, *kinds):
        return [r for kind in kinds for r in self.references.get(kind, [])]

    def _of_page(self, page):
        data = self.read(page.file)

        def made(kind, value):
            target = self.resolve(page.base, value[0])
            return [Reference(kind, page.file, value[1], value[0], target)] if target else []

        for tag, attributes, _, _ in tags(data):
            rel = attributes.get("rel", ("", 0))[0].lower()
            if tag == "script" and "src" in attributes and "nomodule" not in attributes:
                yield from made("html-script", attributes["src"])
            elif tag == "link" and "href" in attributes:
                kind = LINKS.get(rel, "html-icon" if "icon" in rel else None)
                if kind:
                    yield from made(kind, attributes["href"])
            elif tag in ("img", "source", "video", "audio") and "src" in attributes:
                yield from made("html-image", attributes["src"])
        for found in INLINE.finditer(data):
            if b"src=" not in found.group(1):
                for call in DYNAMIC.finditer(found.group(2)):
                    yield from made("html-import", (call.group(1).decode(), found.start(2) + call.start(1)))
                for text in ROOTED.finditer(found.group(2)):
                    yield from made("html-literal", (text.group(2).decode(), found.start(2) + text.start(2)))
        for found in re.finditer(rb"<style\b[^>]*>(.*?)</style>", data, re.S | re.I):
            yield from self._of_css(page.file, found.group(1), found.start(1), page.base)

    def _of_css(self, name, data, start, base):
        for found in CSS_URL.finditer(data):
            text = found.group(1).decode("utf-8", "replace")
            target = self.resolve(base, text)
            if not target or "?#iefix" in text or target.endswith(".eot") or "#" in text:
                continue
            kind = "css-font" if target.endswith(FONTS) else "css-image" if target.endswith(IMAGES) else None
            start_of = max(data.rfind(b";", 0, found.start()), data.rfind(b"{", 0, found.start()), 0)
            declared = data[start_of:found.start()]
            if kind == "css-font" and LATER_SOURCE.search(declared):
                continue
            if kind:
                yield Reference(kind, name, start + found.start(1), text, target)

    def _of_script(self, name):
        data, base = self.read(name), ORIGIN + name
        folder = base.rsplit("/", 1)[0] + "/"
        main = self.page.base if self.page else ORIGIN

        def made(kind, match, group, against):
            text = match.group(group).decode("utf-8", "replace")
            target = self.resolve(against, text)
            return [Reference(kind, name, match.start(group), text, target)] if target else []

        for found in STATIC.finditer(data):
            if found.group(1).startswith((b".", b"/")):
                yield from made("js-static", found, 1, folder)
        for found in DYNAMIC.finditer(data):
            if found.group(1).startswith((b".", b"/")):
                yield from made("js-dynamic", found, 1, folder)
        for found in NEW_URL.finditer(data):
            worker = WORKER_URL.search(data[max(0, found.start() - 40):found.start()])
            yield from made("js-worker" if worker else "js-new-url", found, 1, folder)
        for found in PREFIXED.finditer(data):
            yield from self._prefixed(name, found)
        for found in ROOTED.finditer(data):
            before = data[max(0, found.start() - 16):found.start()].rstrip()
            after = data[found.end():found.end() + 2].lstrip()
            if not before.endswith(PART_OR_TEST) and not after.startswith((b"+", b".", b"==")):
                yield from made("js-rooted", found, 2, main)
        for found in IN_MARKUP.finditer(data):
            yield from made("js-markup", found, 1, main)
        for found in ATTRIBUTE_IMAGE.finditer(data):
            yield from made("js-markup", found, 1, main)
        for found in DEPENDENCIES.finditer(data):
            if b"__vite__mapDeps" not in data[:found.start()][-200:]:
                continue
            for text in QUOTED.finditer(found.group(1)):
                value = text.group(1).decode()
                target = self.resolve(folder, value) or self.resolve(ORIGIN, value)
                if target:
                    yield Reference("vite-map", name, found.start(1) + text.start(1), value, target)

    def _prefixed(self, name, found):
        """`n.p + "media/x.png"`: the file with this suffix, for any public path."""
        text = found.group(1).decode("utf-8", "replace")
        targets = self._ending(text)
        if len(targets) == 1 and "." in PurePosixPath(text).name:
            yield Reference("js-prefixed", name, found.start(1), text, targets[0])

    def _ending(self, text):
        """The files whose path has this suffix."""
        end = "/" + text.lstrip("./")
        return [n for n in self.by_name.get(text.rsplit("/", 1)[-1], []) if ("/" + n).endswith(end)]

    @cached_property
    def by_name(self):
        names = defaultdict(list)
        for name in sorted(self.files):
            names[name.rsplit("/", 1)[-1]].append(name)
        return names

    @cached_property
    def called(self):
        """Chunk ids loaded by a literal call: id -> the calling files."""
        calls = defaultdict(set)
        for name in self.texts(*SCRIPTS):
            for found in CALL.finditer(self.read(name)):
                calls[found.group(1).decode()].add(name)
        for identifier, names in self.workers.items():
            calls[identifier] |= names
        return calls

    @cached_property
    def workers(self):
        """Chunk ids started as a worker or worklet: id -> the calling files."""
        calls = defaultdict(set)
        for name in self.texts(*SCRIPTS):
            for found in WORKER_CALL.finditer(self.read(name)):
                calls[found.group(1).decode()].add(name)
        return calls

    def _of_bundlers(self):
        for name in self.texts(*SCRIPTS):
            data = self.read(name)
            if name.endswith("_buildManifest.js"):
                for found in QUOTED.finditer(data):
                    text = found.group(1).decode("utf-8", "replace")
                    for target in self._ending(text) if text.endswith(".js") else []:
                        yield Reference("next-manifest", name, found.start(1), text, target)
            for start in CHUNK_NAMES.finditer(data):
                yield from self._names(name, data, start.end(), "webpack-chunk")
            for start in SHEET_NAMES.finditer(data):
                yield from self._names(name, data, start.end(), "webpack-sheet")

    def _names(self, name, data, start, kind):
        """The files named by a bundler's name function, for chunks loaded by a literal call."""
        ending = ".js" if kind == "webpack-chunk" else ".css"
        end = data.find(f'"{ending}'.encode(), start)
        region = data[start:start + 60_000]
        parts = defaultdict(list)
        for found in WHOLE.finditer(region):
            if found.group(2).endswith(ending.encode()):
                for target in self._ending(found.group(2).decode()):
                    if found.group(1).decode() in self.called:
                        last = start + found.start(2) + found.group(2).rfind(b"/") + 1
                        yield Reference(kind, name, last, found.group(1).decode(), target)
        for found in ENTRY.finditer(data[start:end] if 0 <= end < start + 60_000 else b""):
            parts[found.group(1).decode()].append((found.group(2).decode(), start + found.start(2)))
        suffix = SUFFIX.search(region[:400]) if kind == "webpack-chunk" else None
        if suffix:
            for identifier in self.called:
                for target in self.by_name.get(f"{identifier}.{suffix.group(1).decode()}.js", []):
                    yield Reference(kind, name, start + suffix.start(1), identifier, target)
        for identifier, values in parts.items():
            if identifier in self.called:
                stem = ".".join(dict.fromkeys([identifier, *(v for v, _ in values)]))
                names = [stem, "-".join(v for v, _ in values), ".".join(v for v, _ in values), values[-1][0]]
                for target in (t for n in names for t in self.by_name.get(n + ending, [])):
                    yield Reference(kind, name, values[-1][1], identifier, target)
                    break
