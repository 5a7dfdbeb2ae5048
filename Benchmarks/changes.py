"""Makes the "next release": a copy of a build in which changed files have 1 % of the bytes."""

import os
import random
import shutil
from dataclasses import dataclass
from pathlib import Path

SEED = 20_261_121
SHARE = 0.01

# Files in which one more comment changes the bytes and nothing else. Source maps are JSON and have
# no comments; images and fonts do not change from one release to the next.
COMMENTS = {".js": "/* build {} */", ".mjs": "/* build {} */", ".css": "/* build {} */",
            ".html": "<!-- build {} -->"}


@dataclass(frozen=True)
class Change:
    files: int
    bytes: int  # size of the changed files, before the change
    total: int

    @property
    def share(self):
        return self.bytes / self.total


def make_changed_copy(tree, destination):
    """Copies the tree and changes the copy. The same tree always gives the same copy."""
    destination = Path(destination)
    shutil.copytree(tree.root, destination)
    source = random.Random(SEED)
    chosen = choose(tree.assets, int(tree.size * SHARE), source)
    for asset in chosen:
        add_comment(destination / asset.path, source)
    return Change(len(chosen), sum(a.size for a in chosen), tree.size)


def choose(assets, target, source):
    """Whole text files, in random order, until the target is reached.

    A file that would overshoot by more than 5 % of the target is passed over, so that one huge
    bundle does not turn 1 % into 10 %. If this leaves less than half of the target, the build
    has few and huge files: the smallest of them is also taken, and the report has its share.
    """
    candidates = [a for a in assets if Path(a.path).suffix in COMMENTS and a.size > 0]
    source.shuffle(candidates)
    chosen, total = [], 0
    for asset in candidates:
        if total < target and total + asset.size <= target * 1.05:
            chosen.append(asset)
            total += asset.size
    if total < target / 2:
        rest = [a for a in candidates if a not in chosen]
        if rest:
            chosen.append(min(rest, key=lambda a: (a.size, a.path)))
    return chosen


def add_comment(path, source):
    """At the top or at the end, as banners and footers of bundlers do."""
    comment = COMMENTS[path.suffix].format(f"{source.getrandbits(80):020x}").encode()
    content = path.read_bytes()
    # Anything before a doctype or a @charset changes their meaning.
    at_top = source.random() < 0.5 and not content.lstrip().lower().startswith((b"<!", b"@charset"))
    content = comment + b"\n" + content if at_top else content + b"\n" + comment + b"\n"
    os.unlink(path)
    path.write_bytes(content)
