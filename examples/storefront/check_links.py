#!/usr/bin/env python3
"""Does every local reference of a build output lead to a file of that output?

    check_links.py DIR...            exit 0 when all do, 1 with one line per broken reference
    check_links.py --self-test DIR   break a copy of DIR in every way we know; each must be noticed

Deliberately not packtool: a second, simpler opinion, made of html.parser and three expressions.
"""
import json
import posixpath
import re
import shutil
import sys
import tempfile
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

# Links of these kinds describe the page to others; they are absolute on purpose.
METADATA = {"canonical", "alternate"}
CSS_URL = re.compile(
    r"""url\(\s*(?:"([^"]*)"|'([^']*)'|([^)"'\s]+))\s*\)|@import\s*(?:"([^"]*)"|'([^']*)')"""
)
# import"./x", from"./x", import("./x"), and the hashed file names that the bundler leaves as strings.
JS_NAME = re.compile(r"""["'`](\.{1,2}/[A-Za-z0-9._/-]+\.[a-z0-9]+)["'`]""")


class References(HTMLParser):
    def __init__(self):
        super().__init__()
        self.found, self.style = [], None

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        if tag == "style":
            self.style = ""
        if tag == "link" and METADATA & set((values.get("rel") or "").lower().split()):
            return
        for name, value in attributes:
            if name in ("src", "href", "poster", "data") and value is not None:
                self.found.append((value, self.getpos()[0]))
            elif name in ("srcset", "imagesrcset") and value:
                self.found += [(c.split()[0], self.getpos()[0]) for c in value.split(",") if c.strip()]
            elif name == "style" and value:
                self.found += [(u, self.getpos()[0]) for u in css_urls(value)]

    def handle_data(self, data):
        if self.style is not None:
            self.style += data

    def handle_endtag(self, tag):
        if tag == "style" and self.style is not None:
            self.found += [(u, self.getpos()[0]) for u in css_urls(self.style)]
            self.style = None


def css_urls(text):
    return [
        next(filter(None, m.groups()), "")
        for m in CSS_URL.finditer(re.sub(r"/\*.*?\*/", "", text, flags=re.S))
    ]


def references(path):
    """(reference, line) of one file; other kinds of file name nothing."""
    if path.suffix == ".html":
        parser = References()
        parser.feed(path.read_text())
        parser.close()
        return parser.found
    if path.suffix in (".css", ".svg"):
        return [(u, 1) for u in css_urls(path.read_text())]
    if path.suffix == ".js":
        return [(m[1], 1) for m in JS_NAME.finditer(path.read_text())]
    if path.name == "manifest.json":
        data = json.loads(path.read_text())
        return [(data["start_url"], 1), *((icon["src"], 1) for icon in data["icons"])]
    return []


def check(root):
    """All that is wrong with one output, as printable lines."""
    files = {p.relative_to(root).as_posix() for p in root.rglob("*") if p.is_file()}
    wrong, used, count = [], {"index.html"}, 0
    for name in sorted(files):
        for reference, line in references(root / name):
            parts = urlsplit(reference)
            if parts.scheme or parts.netloc or not parts.path:
                continue  # https:, mailto:, data:, and #place on the same page
            count += 1
            target = posixpath.normpath(posixpath.join(posixpath.dirname(name), unquote(parts.path)))
            if parts.path.startswith("/"):
                wrong.append(
                    f"{name}:{line}: {reference}: starts at the root; this shop uses relative references"
                )
            elif target not in files:
                wrong.append(f"{name}:{line}: {reference}: no file {target}")
            used.add(target)
    if not count:
        wrong.append("no references at all: is this a build output?")
    # A hashed file that nobody names is a mistake of the build. Unhashed ones are for people and robots.
    wrong += [f"{name}: nothing refers to it" for name in sorted(files - used)
              if re.search(r"\.[A-Z2-7]{8}\.", name)]
    # A basename-cache client keeps all files in one folder, so the last part of a name is unique.
    seen = {}
    for name in sorted(files):
        other = seen.setdefault(posixpath.basename(name).lower(), name)
        if other != name:
            wrong.append(f"{name}: has the same file name as {other}")
    return wrong, len(files), count


def first(root, pattern):
    return sorted(root.glob(pattern))[0]


def break_text(pattern, old, new):
    def broken(root):
        path = first(root, pattern)
        text = path.read_text()
        assert re.search(old, text), f"self-test is out of date: {old} is not in {path.name}"
        path.write_text(re.sub(old, new, text, count=1))
    return broken


def remove(pattern):
    return lambda root: first(root, pattern).unlink()


BREAKAGES = {
    "a page names a script that is gone": remove("assets/main.*.js"),
    "a style names a font that is gone": remove("assets/karla-bold.*.woff2"),
    "a style names a picture that is gone": remove("assets/wave.*.svg"),
    "a script imports a chunk that is gone": remove("assets/reviews.*.js"),
    "a script names a picture that is gone": remove("assets/mug.*.png"),
    "a lazy part names data that is gone": remove("assets/reviews.data.*.json"),
    "a srcset names a picture that is gone": remove("assets/hero-large.*.png"),
    "the web manifest names an icon that is gone": remove("icons/icon-192.png"),
    "a link leads to a page that is gone": remove("pages/care.html"),
    "a link differs in case": break_text("index.html", r"pages/visit\.html", "pages/Visit.html"),
    "a reference starts at the root": break_text("index.html", r'src="\./assets/', 'src="/assets/'),
    "a hashed file is left over": lambda root: (root / "assets/old.AAAAAAAA.js").write_text("0"),
    "two files share a name": lambda root: (root / "pages/index.html").write_text("<a href='care.html'>"),
}


def self_test(source):
    missed = []
    for title, breakage in BREAKAGES.items():
        with tempfile.TemporaryDirectory() as temporary:
            copy = Path(temporary) / "dist"
            shutil.copytree(source, copy)
            breakage(copy)
            wrong, _, _ = check(copy)
            if not wrong:
                missed.append(title)
    for title in missed:
        print(f"self-test: not noticed: {title}", file=sys.stderr)
    print(f"self-test: {len(BREAKAGES) - len(missed)} of {len(BREAKAGES)} breakages noticed")
    return bool(missed)


def main():
    arguments = sys.argv[1:]
    if not arguments or arguments[0] in ("-h", "--help"):
        sys.exit(__doc__)
    if arguments[0] == "--self-test":
        sys.exit(self_test(Path(arguments[1])))
    failed = False
    for root in map(Path, arguments):
        wrong, files, count = check(root)
        for line in wrong:
            print(f"{root}/{line}", file=sys.stderr)
        print(f"{root.name}: {files} files, {count} local references, {len(wrong)} problems")
        failed |= bool(wrong)
    sys.exit(failed)


if __name__ == "__main__":
    main()
