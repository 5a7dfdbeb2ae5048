"""The subjects that make and apply updates: packtool, the full package, and the peers in three families.

Every subject gives the size of the update, the cost of making it and of applying it, and checks
that the result is the new release. A subject has `label`, `family`, `tools` (its programs, for
the cache) and `options` (likewise), and a method `run(stage)`.
"""

import filecmp
import json
import re
import shlex
import shutil
import subprocess
import sys
import zipfile
from dataclasses import dataclass
from pathlib import Path

import trees
from delta_tools import SOURCES
from runner import BenchmarkError, Command, TimedOut

OURS, PACKAGE, CODEPUSH = "packtool delta", "full package", "changed files, zip -9"
ZSTD_TREE = "tree: zstd -19"

MIB = 1 << 20
NO_MEMORY = re.compile(r"memory|cannot allocate|bad_alloc", re.I)


class LeftOut(Exception):
    """A peer that does not fit into the memory or the time that a peer is given."""


@dataclass
class Figures:
    """One round of one subject on one pair. CPU is user + system, in seconds; peaks are in MiB."""

    size: int
    make_cpu: float
    make_wall: float
    make_peak: float
    apply_cpu: float
    apply_wall: float
    apply_peak: float
    coded: int | None = None  # bytes coded one by one, as packtool reports
    memory: int | None = None  # bytes for applying beyond the old tree, as packtool reports
    fetched: int | None = None  # all that a client reads for the update: the pointer and the delta
    polled: int | None = None  # of it, the pointer


class Stage:
    """One pair, ready for every subject; shared inputs are made once."""

    def __init__(self, pair, scratch, tools, ours, peers, memory):
        self.pair = pair
        self.scratch = Path(scratch)
        self.tools = tools
        self.ours = ours  # the runner for packtool
        self.peers = peers  # the runner for peers, with their time limit
        self.memory = memory  # bytes of address space that a peer gets
        self._deflated = None
        self.fetched = None  # bytes a client reads for packtool's update

    def place(self, name):
        """An empty directory."""
        path = self.scratch / name
        shutil.rmtree(path, ignore_errors=True)
        path.mkdir(parents=True)
        return path

    def deflated(self):
        if self._deflated is None:
            self._deflated = self.pair.deflated()
        return self._deflated

    def old_content(self):
        """All old files as one, in the order of the listing."""
        return self._joined("old.all", self.pair.old, self.pair.old.tree.assets)

    def new_content(self):
        """All changed new files as one, in the order of the listing."""
        return self._joined("new.all", self.pair.new, self.pair.changed)

    def _joined(self, name, release, assets):
        path = self.scratch / name
        if not path.exists():
            with open(path, "wb") as sink:
                for asset in assets:
                    with open(release.path(asset), "rb") as source:
                        shutil.copyfileobj(source, sink, MIB)
        return path

    def limited(self, argv):
        """The command with the memory that a peer may take."""
        shell = f'ulimit -v {self.memory // 1024} && exec "$@"'
        return ["sh", "-c", shell, "sh", *argv]

    def measure_peer(self, command):
        try:
            self.peers.prepare(command)
            return self.peers.measure(command)
        except TimedOut as error:
            raise LeftOut(f"more than {self.peers.timeout / 60:.0f} minutes") from error
        except BenchmarkError as error:
            if NO_MEMORY.search(str(error).partition("stderr:")[2]):
                raise LeftOut(f"more than {self.memory / (1 << 30):.0f} GiB of memory") from error
            raise

    def measure_ours(self, command):
        self.ours.prepare(command)
        return self.ours.measure(command)


def figures(size, made, applied, **more):
    return Figures(size, made.cpu, made.wall, made.peak, applied.cpu, applied.wall, applied.peak,
                   **more)


# -- ours


class Packtool:
    label, family, tools = OURS, "packtool", ()

    def __init__(self, program):
        self.program = program

    def run(self, stage):
        pair, place = stage.pair, stage.place("ours")
        delta, result = place / "update.delta", place / "result"
        made = stage.measure_ours(Command(
            self.label, [self.program, "delta", pair.old.tree.root, pair.new.tree.root, "-o", delta,
                         "--json"], place, delta))
        said = _said(stage.ours.stdout(), delta)
        applied = stage.measure_ours(Command(
            f"{self.label}: apply",
            [self.program, "apply", pair.old.tree.root, delta, "-o", result], place))
        check_tree(result, pair.new)
        size = delta.stat().st_size
        shutil.rmtree(place)
        return figures(size, made, applied, coded=_find(said, "codedBytes"),
                       memory=_find(said, "memory"), **self._fetched(stage))

    def _fetched(self, stage):
        """The bytes an installed client reads from an origin for this update; not measured."""
        if stage.fetched is None:
            pair, place = stage.pair, stage.place("fetched")
            origin, client = place / "origin", place / "client"

            def run(*words):
                done = subprocess.run([self.program, *map(str, words), "--json"], cwd=place,
                                      capture_output=True, text=True, check=False)
                if done.returncode:
                    raise BenchmarkError(f"{words[0]}: {done.stderr.strip()}")
                return json.loads(done.stdout)

            for release, deltas in ((pair.old, 0), (pair.new, 1)):
                run("publish", release.tree.root, "--to", origin, "--app", "bench", "--base-url",
                    "https://cdn.example.com/bench", "--no-check", "--deltas", deltas)
                if release is pair.old:
                    run("install", origin, "--into", client)
            done = run("install", origin, "--into", client)
            stage.fetched = {"fetched": done["fetched"], "polled": done["fetches"]["pointer"]}
            shutil.rmtree(place)
        return stage.fetched


class FullPackage:
    label, family, tools = PACKAGE, "packtool", ("unzip",)

    def __init__(self, program):
        self.program = program

    def run(self, stage):
        pair, place = stage.pair, stage.place("package")
        package, result = place / "package.zip", place / "result"
        made = stage.measure_ours(Command(
            self.label, [self.program, "package", pair.new.tree.root, "-o", package], place, package))
        applied = stage.measure_ours(Command(
            f"{self.label}: unzip", ["unzip", "-q", package, "-d", result], place))
        check_tree(result, pair.new)
        size = package.stat().st_size
        shutil.rmtree(place)
        return figures(size, made, applied)


def check_tree(directory, release):
    found = trees.Tree(directory).version
    if found != release.tree.version:
        raise BenchmarkError(f"{directory} is {found}, not {release.version} ({release.tree.version})")


def _said(stdout, delta):
    """packtool's data of a delta: on standard output, else in the delta's first member."""
    documents = []
    try:
        documents.append(json.loads(stdout))
    except ValueError:
        pass
    try:
        with zipfile.ZipFile(delta) as archive:
            documents.append(json.loads(archive.read("delta.json")))
    except (zipfile.BadZipFile, KeyError, ValueError, NotImplementedError):
        pass
    return documents


def _find(value, key):
    """The first whole number under this key, at any depth."""
    if isinstance(value, dict):
        if isinstance(value.get(key), int):
            return value[key]
        value = list(value.values())
    if isinstance(value, list):
        for part in value:
            found = _find(part, key)
            if found is not None:
                return found
    return None


# -- the changed files as they are


class ChangedFiles:
    """CodePush's update: new and changed files, whole, found by the hash of their content."""

    label, family, tools, options = CODEPUSH, "whole files", ("zip", "unzip"), "-9 -X"

    def run(self, stage):
        pair, place = stage.pair, stage.place("changed")
        names, archive, result = place / "names", place / "update.zip", place / "result"
        result.mkdir()
        names.write_text("".join(f"{a.path}\n" for a in pair.changed), errors="surrogateescape")
        if not pair.changed:
            raise LeftOut("nothing changed")
        made = stage.measure_peer(Command(
            self.label, ["zip", "-9", "-X", "-q", "-nw", archive, "-@"], pair.new.tree.root, archive,
            stdin=names))
        applied = stage.measure_peer(Command(
            f"{self.label}: unzip", ["unzip", "-q", archive, "-d", result], place))
        for asset in pair.changed:
            compare(result / asset.path, pair.new.path(asset), self.label)
        size = archive.stat().st_size
        shutil.rmtree(place)
        return figures(size, made, applied)


def compare(decoded, wanted, label):
    if not decoded.is_file() or not filecmp.cmp(decoded, wanted, shallow=False):
        raise BenchmarkError(f"{label} did not give {wanted} back")


# -- one patch for every file that has a base


class PerFile:
    """Patches by the paired old file; the whole file deflated if it is smaller or there is no base."""

    family = "per file"

    def __init__(self, name, tools, make, apply):
        self.label = f"file: {name}"
        self.tools = tools
        self._make, self._apply = make, apply
        self.options = " ".join([*make("OLD", "NEW", "PATCH"), ";", *apply("OLD", "PATCH", "NEW")])

    def run(self, stage):
        pair, place = stage.pair, stage.place("per-file")
        work = [(pair.old.path(old), new, place / f"{number}.patch", place / f"{number}.new")
                for number, (old, new) in enumerate(pair.based())]
        made = self._script(stage, place, "make", self._make, [
            (old, pair.new.path(new), patch) for old, new, patch, _ in work])
        size, patched = self._sizes(stage, work)
        applied = self._script(stage, place, "apply", self._apply, [
            (old, patch, result) for old, _, patch, result in patched])
        for _, new, _, result in patched:
            compare(result, pair.new.path(new), self.label)
        shutil.rmtree(place)
        return figures(size, made, applied)

    def _sizes(self, stage, work):
        whole, total, patched = dict(stage.deflated()), 0, []
        for item in work:
            size = item[2].stat().st_size
            if size < whole[item[1].path]:
                total += size - whole[item[1].path]
                patched.append(item)
        return total + sum(whole.values()), patched

    def _script(self, stage, place, verb, argv, files):
        """One process for each file, all of them measured together."""
        program = self._program(stage)
        lines = ["set -e", f"ulimit -v {stage.memory // 1024}"]
        for names in files:
            lines.append(shlex.join([str(program or argv(*names)[0]), *map(str, argv(*names)[1:])]))
        script = place / f"{verb}.sh"
        script.write_text("\n".join(lines) + "\n", errors="surrogateescape")
        return stage.measure_peer(Command(f"{self.label}: {verb}", ["sh", script], place))

    def _program(self, stage):
        """The path of a program that we built; installed ones are found by name."""
        return stage.tools.get(self.tools[0]) if self.tools[0] == "brotli_dict" else None


class HDiffPatch(PerFile):
    """HDiffPatch is had as a Python package: one process does all files."""

    def __init__(self):
        super().__init__("HDiffPatch lzma2", ("hdiffpatch",), lambda *names: ["make", *names],
                         lambda *names: ["apply", *names])

    def _script(self, stage, place, verb, argv, files):
        names = place / f"{verb}.list"
        flat = [str(name) for triple in files for name in triple]
        names.write_text("".join(f"{name}\0" for name in flat), errors="surrogateescape")
        driver = [sys.executable, "-I", "-S", SOURCES / "hdiff.py", stage.tools.get("hdiffpatch")]
        command = stage.limited([*driver, verb, names])
        return stage.measure_peer(Command(f"{self.label}: {verb}", command, place))


# -- one stream for the whole tree


class WholeTree:
    """All changed files as one stream, coded with all old files as dictionary."""

    family = "whole tree"

    def __init__(self, name, tools, make, apply):
        self.label = f"tree: {name}"
        self.tools = tools
        self._make, self._apply = make, apply
        names = ("OLD", "NEW", "PATCH", "SIZE")
        self.options = " ".join([*make(*names), ";", *apply(*names)])

    def run(self, stage):
        place = stage.place("tree")
        old, new = stage.old_content(), stage.new_content()
        patch, result = place / "patch", place / "new"
        size = str(new.stat().st_size)
        made = stage.measure_peer(Command(
            self.label, self._argv(stage, self._make(old, new, patch, size)), place, patch))
        applied = stage.measure_peer(Command(
            f"{self.label}: apply", self._argv(stage, self._apply(old, result, patch, size)), place))
        compare(result, new, self.label)
        size = patch.stat().st_size
        shutil.rmtree(place)
        return figures(size, made, applied)

    def _argv(self, stage, argv):
        program = stage.tools.get(self.tools[0])
        return stage.limited([program, *argv[1:]])


# -- the list

ZSTD = ["zstd", "-q", "-f"]
ZSTD_MAKE = [*ZSTD, "-19", "--no-check"]
ZSTD_APPLY = [*ZSTD, "-d", "--memory=2048MB"]
XDELTA = ["xdelta3", "-q", "-f", "-D", "-R"]  # else it unpacks .gz and packs it again, differently


def peers():
    """All peers, in the order of the tables."""
    return [
        ChangedFiles(),
        PerFile("bsdiff", ("bsdiff", "bspatch"),
                lambda old, new, patch: ["bsdiff", old, new, patch],
                lambda old, patch, new: ["bspatch", old, new, patch]),
        PerFile("xdelta3 -9 djw", ("xdelta3",),
                lambda old, new, patch: [*XDELTA, "-e", "-9", "-S", "djw", "-A", "-n", "-s", old, new,
                                         patch],
                lambda old, patch, new: [*XDELTA, "-d", "-s", old, patch, new]),
        HDiffPatch(),
        PerFile("zstd -19", ("zstd",),
                lambda old, new, patch: [*ZSTD_MAKE, f"--patch-from={old}", new, "-o", patch],
                lambda old, patch, new: [*ZSTD_APPLY, f"--patch-from={old}", patch, "-o", new]),
        PerFile("brotli -11", ("brotli_dict",),
                lambda old, new, patch: ["brotli_dict", "e", old, new, patch],
                lambda old, patch, new: ["brotli_dict", "d", old, patch, new]),
        WholeTree("zstd -19", ("zstd",),
                  lambda old, new, patch, size: [*ZSTD_MAKE, f"--patch-from={old}", new, "-o", patch],
                  lambda old, new, patch, size: [*ZSTD_APPLY, f"--patch-from={old}", patch, "-o",
                                                 new]),
        WholeTree("brotli -11", ("brotli_dict",),
                  lambda old, new, patch, size: ["brotli_dict", "e", old, new, patch],
                  lambda old, new, patch, size: ["brotli_dict", "d", old, patch, new]),
        WholeTree("LZMA 9e", ("lzma_dict",),
                  lambda old, new, patch, size: ["lzma_dict", "e", old, new, patch],
                  lambda old, new, patch, size: ["lzma_dict", "d", old, patch, new, size]),
    ]
