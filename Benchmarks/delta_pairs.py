"""Pairs of releases, their differences, and the base of each new file."""

import hashlib
import itertools
import os
import random
import re
import shutil
import subprocess
import zlib
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path

import trees
from runner import BenchmarkError

NEAR, FAR, RENAMES = "near", "far", "renames"
SEED = 20_261_121

# Another old file is taken as base instead of the one with the right name when it shares at least
# this many times as much content: chunks with only numbers as names swap them.
BETTER_THAN_THE_NAME = 1.5

# A content hash in a file name, as the bundlers of the corpora write it, and the characters allowed after it.
NAME_HASH = re.compile(r"[-._]([A-Za-z0-9_-]{8}|[0-9a-f]{8,32})(?=(?:\.(?:[a-z0-9]{1,6}|LICENSE))+$)")


@dataclass(frozen=True)
class Release:
    project: str
    version: str
    tree: trees.Tree

    def path(self, asset):
        return self.tree.root / asset.path


@dataclass
class Pair:
    """Two releases of one project. `changed`: the new contents that the old release does not have."""

    old: Release
    new: Release
    kind: str
    renamed: int = 0  # pairs that are identical but for renames: how many files have another name
    changed: list = field(init=False)
    bases: dict = field(init=False, default_factory=dict)  # new path -> old asset

    def __post_init__(self):
        known = {asset.sha256 for asset in self.old.tree.assets}
        self.changed = []
        for asset in self.new.tree.assets:
            if asset.sha256 not in known:  # a content that occurs twice is sent once
                known.add(asset.sha256)
                self.changed.append(asset)

    @property
    def key(self):
        return self.old.project, self.old.version, self.new.version

    @property
    def name(self):
        return f"{self.old.project} {self.old.version} → {self.new.version}"

    @property
    def changed_bytes(self):
        return sum(asset.size for asset in self.changed)

    def based(self):
        """The changed files that have a base, with it: (old asset, new asset)."""
        return [(self.bases[a.path], a) for a in self.changed if a.path in self.bases]

    def pairing_digest(self):
        lines = [f"{old.path}\0{new.path}\n" for old, new in self.based()]
        return hashlib.sha256("".join(lines).encode("utf-8", "surrogateescape")).hexdigest()

    def deflated(self):
        """Size of each changed file when it is sent whole: new path -> bytes (raw deflate, level 9)."""
        sizes = {}
        for asset in self.changed:
            coder = zlib.compressobj(9, zlib.DEFLATED, -15, 9)
            content = self.new.path(asset).read_bytes()
            packed = coder.compress(content) + coder.flush()
            if zlib.decompress(packed, -15) != content:
                raise BenchmarkError(f"zlib did not give {asset.path} back")
            sizes[asset.path] = len(packed)
        return sizes


def kinds_of(versions):
    """(old, new, kind) of three versions in order: the last two are near, the first is far from both.

    `corpora.txt` chose them in this way, and the design's measurements use the same terms.
    """
    pairs = list(itertools.combinations(versions, 2))
    return [(a, b, NEAR if (a, b) == tuple(versions[-2:]) else FAR) for a, b in pairs]


# -- which old file is the base of a new one


def choose_bases(pair, similar, scratch):
    """Same path, else same name without its hash, else the most similar content.

    `similar` is the program of that name. Files without anything in common have no base.
    """
    old_assets = [asset for asset in pair.old.tree.assets if asset.size > 0]
    wanted = [asset for asset in pair.changed if asset.size > 0]
    if not old_assets or not wanted:
        return {}
    alike = _similar_files(pair, old_assets, wanted, similar, scratch)
    by_path = {asset.path: asset for asset in old_assets}
    by_stem = defaultdict(list)
    for asset in old_assets:
        by_stem[stem(asset.path)].append(asset)
    bases = {}
    for new, shares in zip(wanted, alike):
        named = _named_base(new, by_path, by_stem, shares)
        best = max(shares, key=lambda path: (shares[path], -by_path[path].size), default=None)
        if named and (not best or shares[best] < BETTER_THAN_THE_NAME * _share(shares, named.path)):
            bases[new.path] = named
        elif best:
            bases[new.path] = by_path[best]
        elif named:
            bases[new.path] = named
    return bases


def stem(path):
    """The path without the content hash in its file name."""
    directory, _, name = path.rpartition("/")
    return f"{directory}/{NAME_HASH.sub('', name, count=1)}"


def _named_base(new, by_path, by_stem, shares):
    if new.path in by_path:
        return by_path[new.path]
    candidates = by_stem.get(stem(new.path), [])
    return min(candidates, default=None, key=lambda old: (
        -shares.get(old.path, 0), abs(old.size - new.size), old.path))


def _share(shares, path):
    """A file outside the list shares an unknown amount, at most that of the last one listed."""
    return shares.get(path, min(shares.values()) if len(shares) == 8 else 0)


def _similar_files(pair, old_assets, wanted, similar, scratch):
    """For each wanted file the old paths that share content with it, and how much (up to 8)."""
    lists = []
    for name, release, assets in (("old", pair.old, old_assets), ("new", pair.new, wanted)):
        lists.append(scratch / f"{name}.list")
        lists[-1].write_bytes(b"".join(os.fsencode(release.path(a)) + b"\0" for a in assets))
    done = subprocess.run([str(similar), *map(str, lists)], capture_output=True, text=True)
    if done.returncode != 0:
        raise BenchmarkError(f"similar failed: {done.stderr.strip()[-500:]}")
    alike = [{} for _ in wanted]
    for line in done.stdout.splitlines():
        new, old, shared = map(int, line.split())
        alike[new][old_assets[old].path] = shared
    return alike


# -- a release that is identical but for renames

def make_renamed_copy(release, destination):
    """Copies a release and gives every hash in a file name, and every mention of it, another value.

    A bundler does this when one character of one module changes (without the character itself).
    Returns the copy as a release and the number of files with another name.
    """
    destination = Path(destination)
    shutil.rmtree(destination, ignore_errors=True)
    new_hashes = _new_hashes(release.tree.assets)
    renamed = 0
    for asset in release.tree.assets:
        path = _replace(asset.path.encode(), new_hashes).decode()
        renamed += path != asset.path
        target = destination / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(_replace(release.path(asset).read_bytes(), new_hashes))
    tree = trees.Tree(destination)
    if len(tree.assets) != len(release.tree.assets) or tree.size != release.tree.size:
        raise BenchmarkError(f"renaming {release.project} {release.version} lost something")
    return Release(release.project, f"{release.version}-renamed", tree), renamed


def _new_hashes(assets):
    source = random.Random(SEED)
    old = []
    for asset in assets:
        match = NAME_HASH.search(asset.path.rpartition("/")[2])
        if match and _looks_random(match.group(1)):
            old.append(match.group(1))
    old = list(dict.fromkeys(old))
    return {name.encode(): _random_like(name, source).encode() for name in old}


def _looks_random(text):
    """Not a word such as `manifest` or `settings`."""
    has = [any(map(test, text)) for test in (str.isdigit, str.islower, str.isupper)]
    return sum(has) >= 2


def _random_like(text, source):
    alphabet = "0123456789abcdef"
    if not re.fullmatch(r"[0-9a-f]+", text):
        alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-"
    return "".join(source.choice(alphabet) for _ in text)


def _replace(content, new_hashes):
    for old, new in new_hashes.items():
        if old in content:
            content = content.replace(old, new)
    return content


def describe(pair):
    """For the table of pairs in the report."""
    return {"project": pair.old.project, "old": pair.old.version, "new": pair.new.version,
            "kind": pair.kind, "old_bytes": pair.old.tree.size, "new_bytes": pair.new.tree.size,
            "old_files": len(pair.old.tree.assets), "new_files": len(pair.new.tree.assets),
            "changed_files": len(pair.changed), "changed_bytes": pair.changed_bytes,
            "based": len(pair.bases), "renamed": pair.renamed,
            "old_content": pair.old.tree.version, "new_content": pair.new.tree.version}
