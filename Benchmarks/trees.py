"""Build outputs as the benchmarks see them: the list of corpora, and the content of one tree.

Nothing here calls packtool. The listing is computed a second time, in Python, so that the
benchmarks compare packtool's results with data from other tools.
"""

import hashlib
import os
import re
import shutil
import zlib
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
REPOSITORY = HERE.parent
DEFAULT_LIST = HERE / "corpora.txt"
CHUNK = 1 << 20


@dataclass(frozen=True)
class Corpus:
    """One line of corpora.txt: one version of one public front-end build."""

    name: str
    package: str
    version: str
    path: str  # inside the wheel; fnmatch wildcards allowed
    content: str  # expected content version (20 hex digits), or "-" when not pinned


@dataclass(frozen=True)
class Asset:
    path: str
    size: int
    sha256: str
    crc32: int


def default_corpus_directory():
    """The default directory of the corpora."""
    return Path(os.environ.get("PACKTOOL_CORPUS") or HERE / "work" / "corpus").absolute()


def read_corpora(list_file=DEFAULT_LIST):
    corpora = []
    for number, line in enumerate(Path(list_file).read_text(encoding="utf-8").splitlines(), 1):
        fields = line.split("#", 1)[0].split()
        if not fields:
            continue
        if len(fields) != 5:
            raise ValueError(f"{list_file}:{number}: expected 5 columns, found {len(fields)}")
        for field in (fields[0], fields[2]):  # both become directory names
            if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]*", field):
                raise ValueError(f"{list_file}:{number}: {field!r} cannot be a directory name")
        corpora.append(Corpus(*fields))
    return corpora


def newest_versions(corpora):
    """The newest version of every name, in the order in which the names first appear."""
    newest = {}
    for corpus in corpora:
        known = newest.get(corpus.name)
        if known is None or _version_key(corpus.version) > _version_key(known.version):
            newest[corpus.name] = corpus
    return list(newest.values())


def _version_key(version):
    return [int(part) for part in re.findall(r"\d+", version)]


# Files no app should ship: `packtool check` warns of both.
NOT_SHIPPED = (".map", ".gz", ".br")


def make_shipped_copy(root, place):
    """Copies a build into `place` without source maps and precompressed copies."""
    for directory, _, names in os.walk(root):
        target = Path(place) / os.path.relpath(directory, root)
        for name in names:
            if not name.endswith(NOT_SHIPPED):
                target.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(os.path.join(directory, name), target / name)
    return Path(place)


class Tree:
    """Every regular file below a directory, read once. Reading also warms the page cache."""

    def __init__(self, root):
        self.root = Path(root)
        self.assets = sorted(map(self._read, self._paths()), key=lambda a: os.fsencode(a.path))
        self.size = sum(asset.size for asset in self.assets)
        self.package_hash = hashlib.sha256(self._listing()).hexdigest()
        self.version = self.package_hash[:20]

    def _paths(self):
        for directory, subdirectories, names in os.walk(self.root):
            for name in subdirectories + names:
                full = os.path.join(directory, name)
                if os.path.islink(full):
                    raise ValueError(f"{full} is a symbolic link; a build output has none")
            for name in names:
                yield os.path.relpath(os.path.join(directory, name), self.root)

    def _read(self, path):
        digest, crc, size = hashlib.sha256(), 0, 0
        with open(self.root / path, "rb") as file:
            while chunk := file.read(CHUNK):
                digest.update(chunk)
                crc = zlib.crc32(chunk, crc)
                size += len(chunk)
        return Asset(path, size, digest.hexdigest(), crc)

    def _listing(self):
        """The lines that coreutils would print; their SHA-256 is the package hash."""
        return b"".join(b"%s  %s\n" % (a.sha256.encode(), os.fsencode(a.path)) for a in self.assets)
