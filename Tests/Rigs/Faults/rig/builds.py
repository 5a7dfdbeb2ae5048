"""Small synthetic front-end builds, the same bytes on every machine.

They are synthetic because a sweep runs the tool thousands of times: a build must be small, but include the
edge cases of publishers: an empty file, a name with a space and a non-ASCII letter, a file larger than one
write, one shared by all builds, one that disappears and one that is added.
"""

import hashlib
import random
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Build:
    number: int
    path: Path
    files: tuple  # ((relative path, bytes), …), sorted by the bytes of the path

    @property
    def tree(self):
        return dict(self.files)

    @property
    def package_hash(self):
        return listing_hash(self.tree)

    @property
    def version(self):
        return self.package_hash[:20]


def listing_hash(tree):
    """`packageHash` of contract section 2, computed without packtool."""
    lines = [f"{hashlib.sha256(tree[path]).hexdigest()}  {path}\n"
             for path in sorted(tree, key=lambda path: path.encode())]
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def script(seed, size):
    """Text that compresses about as well as minified JavaScript."""
    source = random.Random(seed)
    words = [f"{source.choice('abcdefghijk')}{source.randrange(9999)}" for _ in range(400)]
    text = []
    while sum(map(len, text)) < size:
        text.append(f"function {source.choice(words)}(e,t){{return {source.choice(words)}(e)+t}}")
    return ("".join(text)[: size - 1] + "\n").encode()


def make(root, number):
    """Writes build `number` below `root` and describes it."""
    main = script(f"main {number}", 9_000)
    # The vendor chunk differs slightly between builds under the same name, so a delta is worthwhile.
    vendor = script("vendor", 90_000) + f"var build={number};\n".encode()
    name = f"static/main.{hashlib.sha256(main).hexdigest()[:10]}.js"
    page = ("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Shop</title>"
            "<link rel=\"stylesheet\" href=\"static/style.css\"></head><body><div id=\"app\"></div>"
            f"<script src=\"static/vendor.js\"></script><script src=\"{name}\"></script>"
            "</body></html>\n")
    files = {
        "index.html": page.encode(),
        name: main,
        "static/vendor.js": vendor,
        "static/style.css": b"body{margin:0;font-family:sans-serif}\n" * 40,
        "static/empty.css": b"",
        "data/caf\u00e9 menu.json": b'{"espresso":2}\n',
        f"img/only-in-{number}.svg": f'<svg xmlns="http://www.w3.org/2000/svg" id="n{number}"/>\n'.encode(),
        "img/logo.svg": b'<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0h9v9z"/></svg>\n',
    }
    path = Path(root) / f"build-{number}"
    for relative, data in files.items():
        target = path / relative
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
    ordered = tuple(sorted(files.items(), key=lambda item: item[0].encode()))
    return Build(number, path, ordered)
