"""Directory trees as plain dictionaries: path to bytes, link or directory.

The same checks run on a real directory (after a kill) and on a crash state in memory, so both are converted
to this form first.
"""

import functools
import hashlib
import os
from pathlib import Path

DIRECTORY = "directory"


class Link(str):
    """The target of a symbolic link; a file's content is `bytes`, so the two are distinct."""


@functools.cache
def sha256(data):
    return hashlib.sha256(data).hexdigest()


def read(root):
    """Everything below `root`, which need not exist."""
    root = Path(root)
    found = {}
    for folder, folders, files in os.walk(root):
        here = Path(folder).relative_to(root)
        for name in folders + files:
            full, path = Path(folder) / name, str(here / name)
            if full.is_symlink():
                found[path] = Link(os.readlink(full))
            elif name in folders:
                found[path] = DIRECTORY
            else:
                found[path] = full.read_bytes()
    return found


def write(tree, root):
    """Writes a tree from `read` or the crash model to disk."""
    root = Path(root)
    root.mkdir(parents=True, exist_ok=True)
    for path, content in sorted(tree.items()):
        target = root / path
        if content is DIRECTORY:
            target.mkdir(parents=True, exist_ok=True)
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, Link):
            os.symlink(content, target)
        else:
            target.write_bytes(content)


def inner(tree, place):
    """The part of the tree below `place`, with its directories; all of it for ""."""
    start = place + "/" if place else ""
    return {path[len(start):]: content for path, content in tree.items() if path.startswith(start)}


def below(tree, prefix):
    """The files below one directory of the tree, with paths relative to it."""
    start = prefix.rstrip("/") + "/"
    return {path[len(start):]: content for path, content in tree.items()
            if path.startswith(start) and content is not DIRECTORY}
