"""Defines kinds of damage, and chooses and changes their targets; for removals.py and plants.py."""

import base64
import hashlib
import re
from typing import NamedTuple

from references import without_comments

LOADING = ("html-script", "html-import", "html-sheet", "html-image", "html-literal", "css-font", "css-image",
           "js-static", "js-dynamic", "js-worker", "js-new-url", "js-prefixed", "js-rooted", "js-markup",
           "vite-map", "webpack-chunk", "webpack-sheet", "next-manifest")
# Hashes that match no file of a build.
WRONG_SHA384 = "sha384-" + base64.b64encode(hashlib.sha384(b"another file").digest()).decode()
WRONG_SHA256 = "'sha256-" + base64.b64encode(hashlib.sha256(b"another script").digest()).decode() + "'"
PUBLIC_PATH = re.compile(rb"\b[\w$]+\.p\s*=\s*\"([^\"{]*)\"")
VITE_BASE = re.compile(
    rb"modulepreload[\"'`],[\w$]+=(?:function\(\w+\)\{return|\w+=>)[\"'`](/?)[\"'`]\s*\+\s*\w+")


class Damage(NamedTuple):
    victim: str
    edits: dict  # name -> new bytes, or None to delete
    places: list  # (file, line or None): expected locations of a finding; None: harmless
    code: str = ""  # the code referring to the target
    options: tuple = ()
    elsewhere: tuple = ()  # names in rules that may appear anywhere


KINDS = {}


def kind(function):
    KINDS[function.__name__.replace("_", "-")] = function
    return function


# Another salt chooses other targets.
SALT = ""


def first(references, nth=0):
    """A choice that is the same in every run, and differs between builds."""
    chosen = {r.target: r for r in sorted(references, reverse=True)}
    ordered = sorted(chosen.values(), key=lambda r: hashlib.sha256((SALT + r.target).encode()).digest())
    return ordered[nth] if nth < len(ordered) else None


def excerpt(build, file, offset):
    text = build.read(file)[max(0, offset - 70):offset + 70].decode("utf-8", "replace")
    return f"{file}: …" + text.replace("\n", "⏎") + "…"


def places(build, target):
    """Every location that loads a file."""
    found = []
    for reference in build.of(*LOADING):
        if reference.target == target:
            found.append((reference.file, build.line(reference.file, reference.offset)))
            if reference.kind in ("webpack-chunk", "webpack-sheet"):
                found += [(caller, None) for caller in build.called[reference.text]]
    return list(dict.fromkeys(found))


def deleted(build, reference):
    if reference is None:
        return None
    return Damage(reference.target, {reference.target: None}, places(build, reference.target),
                  excerpt(build, reference.file, reference.offset))


def renamed(build, reference, name):
    if reference is None or name is None or name == reference.target:
        return None
    edits = {reference.target: None, name: build.read(reference.target)}
    return Damage(f"{reference.target} → {name}", edits, places(build, reference.target),
                  excerpt(build, reference.file, reference.offset))


def broken(build, reference):
    """Changes one reference to another file: `app.js` to `app-gone.js`, a hash to another one."""
    if reference is None:
        return None
    data = build.read(reference.file)
    text = reference.text.encode()
    if data[reference.offset:reference.offset + len(text)] != text:
        return None
    stem, dot, ending = reference.text.rpartition(".")
    changed = f"{stem}-gone{dot}{ending}".encode()
    data = data[:reference.offset] + changed + data[reference.offset + len(text):]
    line = build.line(reference.file, reference.offset, data)
    return Damage(f"{reference.text} in {reference.file}", {reference.file: data}, [(reference.file, line)],
                  excerpt(build, reference.file, reference.offset))


def other_case(name):
    folder, slash, last = name.rpartition("/")
    for at, letter in enumerate(last):
        if letter.isascii() and letter.isalpha():
            return folder + slash + last[:at] + letter.swapcase() + last[at + 1:]
    return None


def cut(build, name):
    """Truncates the script after an opening parenthesis: a syntax error."""
    data = build.read(name)
    at = data.rfind(b"(", 0, len(data) * 6 // 10)
    return Damage(name, {name: data[:at + 1]}, [(name, None)]) if at > 20 else None


def in_head(build, markup, **more):
    """Adds a line at the start of the page's head."""
    return planted(build, rb"<head[^>]*>", markup, **more)


def in_body(build, markup, **more):
    return planted(build, rb"<body[^>]*>", markup, **more)


def planted(build, after, markup, **more):
    page = build.page
    found = re.search(after, without_comments(build.read(page.file))) if page else None
    if not found:
        return None
    data = build.read(page.file)
    data = data[:found.end()] + b"\n" + markup.encode() + b"\n" + data[found.end():]
    line = data.count(b"\n", 0, found.end()) + 2
    lines = range(line, line + markup.count("\n") + 1)
    return Damage(markup, {page.file: data}, [(page.file, n) for n in lines], markup, **more)


def entry(build):
    """The largest script started by the launch page."""
    own = of_page(build, "html-script", "html-import")
    return max(own, key=lambda r: len(build.read(r.target)), default=None)


def in_script(build, code):
    """Adds a line at the end of the page's own script."""
    reference = entry(build)
    if reference is None:
        return None
    data = build.read(reference.target).rstrip() + b"\n;" + code.encode() + b"\n"
    return Damage(code, {reference.target: data}, [(reference.target, data.count(b"\n"))], code)


def of_page(build, *kinds):
    return [r for r in build.of(*kinds) if build.page and r.file == build.page.file]


def relative(build):
    return [r for r in of_page(build, "html-script", "html-sheet", "html-image")
            if not r.text.startswith("/") and "://" not in r.text]


def lazy(build):
    """Chunks loaded by a literal call or import(), but not by a page."""
    known = {r.target for r in build.of("html-script", "html-import", "html-preload")}
    return [r for r in build.of("js-dynamic", "webpack-chunk") if r.target not in known and r.target != r.file
            and not (r.kind == "webpack-chunk" and r.text in build.workers)]


def not_icons(build, references):
    """Excludes the icons of pages: changing one has no visible effect."""
    icons = {r.target for r in build.of("html-icon")}
    return [r for r in references if r.target not in icons and "favicon" not in r.target]


def an_image(build):
    """An SVG font has no namespace, and is not an image."""
    return next((n for n in sorted(build.files) if n.endswith((".png", ".jpg"))
                 or n.endswith(".svg") and b"http://www.w3.org/2000/svg" in build.read(n)), None)


