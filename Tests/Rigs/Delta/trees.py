#!/usr/bin/env python3
"""Round trips over generated trees: `delta` and `apply` must give the same tree, byte for byte.

There are three checks: the files are compared, the package hash is computed with coreutils, and the tool's
own `delta` has verified the delta. Applying must not use more memory than the sum of the delta's declared
memory, the old files, 64 MiB and the memory for printing the version. Everything is seeded: a failed case can
be repeated.
"""

import argparse
import concurrent.futures
import filecmp
import functools
import hashlib
import json
import os
import random
import shutil
import string
import subprocess
import sys

import trial

SLACK = 64 << 20
BIG = 200 << 20
LISTING = "find . -type f -printf '%P\\0' | LC_ALL=C sort -z | xargs -0 -r sha256sum -- | sha256sum"


@functools.cache
def idle_peak():
    """The memory of the program itself: a debug build has many pages."""
    return trial.run(["--version"], timeout=60).peak


def noise(seed, size):
    return random.Random(seed).randbytes(size)


def code(seed, size):
    """Text like minified JavaScript."""
    source = random.Random(seed)
    words = [f"{source.choice('abcdefghijk')}{source.randrange(9999)}" for _ in range(400)]
    text = "".join(f"function {source.choice(words)}(e,t){{return {source.choice(words)}(e)+t}}"
                   for _ in range(size // 30 + 1))
    return text[:size].encode()


def hashed(content):
    return hashlib.sha256(content).hexdigest()[:10]


def application(number):
    """A build whose files have hashes in their names, and name each other."""
    chunks = {f"static/chunk{n}.{hashed(data)}.js": data for n in range(6)
              for data in [code(f"chunk {n}", 4000) + f"var build={number if n < 2 else 0};".encode()]}
    page = "".join(f'<script src="{name}"></script>' for name in chunks)
    return chunks | {"index.html": page.encode(), "logo.png": noise("logo", 900)}


def kinds():
    """Pairs of trees, old and new, of every kind in the issue."""
    app, next_app = application(1), application(2)
    tiny = {f"d{n % 97}/f{n}.txt": f"file {n}\n".encode() * (n % 3) for n in range(10_000)}
    changed = {
        path: data + b"!" if index % 50 == 0 else data for index, (path, data) in enumerate(tiny.items())
    }
    names = [
        "a b.js",
        "it's.js",
        'say "hi".css',
        "$HOME.js",
        "`x`.js",
        "-rf",
        "--",
        "a;b&c|d.js",
        "%2e%2e.js",
        "#1.js",
        "*.js",
        "?.js",
        "[a].js",
        "{b}.js",
        "!.js",
        "~x",
        " lead",
        "\u00a0",
        "a'\"b.js",
    ]
    letters = [
        "caf\u00e9.js",
        "\u65e5\u672c\u8a9e/\u30da\u30fc\u30b8.html",
        "\u043f\u0440\u0438\u0432\u0435\u0442.css",
        "\U0001f680/\U0001f6f8.json",
        "\u1e9e.txt",
        "\u0130.txt",
        "\ufb01.txt",
        "\u2028.txt",
        "\ud55c\uae00.js",
    ]

    def filled(paths, salt=""):
        return {path: code(f"{path}{salt}", 300) for path in paths}

    big = code("big", 3 << 20)
    return {
        "empty base": ({}, app),
        "empty new": (app, {}),
        "one byte": ({"a": b"x"}, {"a": b"y"}),
        "one empty file": ({}, {"a": b""}),
        "an empty file gone": ({"a": b""}, {}),
        "an empty file filled": ({"a": b""}, {"a": code("a", 3000)}),
        "a file emptied": ({"a": code("a", 3000)}, {"a": b""}),
        "one byte of an app": (app, app | {"index.html": app["index.html"][:-1] + b"\n"}),
        "an app": (app, next_app),
        "an app backwards": (next_app, app),
        "all new": (app, {f"new/{n}.js": code(f"other {n}", 3000) for n in range(8)}),
        "all new noise": (app, {f"new/{n}.png": noise(n, 3000) for n in range(8)}),
        "all deleted but one": (app, {"index.html": app["index.html"]}),
        "all renamed": (app, {f"moved/{path}": data for path, data in app.items()}),
        "all renamed in a ring": (app, dict(zip(app, [*app.values()][1:] + [*app.values()][:1]))),
        "all renamed and changed": (app, {f"moved/{path}": data + b"\n" for path, data in app.items()}),
        "two files swapped": ({"a": code(1, 900), "b": code(2, 900)}, {"a": code(2, 900), "b": code(1, 900)}),
        "two changed files swapped": (
            {"a": code(1, 9000), "b": code(2, 9000)},
            {"a": code(2, 9000) + b"x", "b": code(1, 9000) + b"y"},
        ),
        "copied to many": (
            {"a": code(1, 900)},
            {f"a{n}": code(1, 900) for n in range(40)} | {"a": code(1, 900)},
        ),
        "a file becomes a directory": ({"x": code(1, 900), "y": b"y"}, {"x/x": code(1, 900), "y": b"y"}),
        "a file becomes a directory, changed": (
            {"x": code(1, 9000)},
            {"x/x": code(1, 9000) + b"!", "x/z": b""},
        ),
        "a directory becomes a file": ({"x/x": code(1, 900), "x/y": b"y"}, {"x": code(1, 900)}),
        "a directory becomes a file, changed": (
            {"x/x": code(1, 9000), "x/y": b"y"},
            {"x": code(1, 9000) + b"!"},
        ),
        "directory and file swapped": ({"x": b"1", "y/z": b"2"}, {"x/z": b"2", "y": b"1"}),
        "case-only renames": (
            filled(["a.js", "B.js", "dir/c.js"]),
            dict(zip(["A.js", "b.js", "DIR/c.js"], filled(["a.js", "B.js", "dir/c.js"]).values())),
        ),
        "case-only renames, changed": (filled(["a.js", "dir/c.js"]), filled(["A.js", "DIR/C.JS"], "!")),
        "another case and another file": (
            {"a.js": code(1, 900), "b.js": code(2, 900)},
            {"A.js": code(2, 900), "B.js": code(1, 900)},
        ),
        "10,000 tiny files": (tiny, changed),
        "10,000 tiny files, all new": ({}, tiny),
        "10,000 tiny files, all moved": (tiny, {f"to/{path}": data for path, data in tiny.items()}),
        "incompressible, changed in the middle": (
            {"n": noise(1, 300_000)},
            {"n": noise(1, 150_000) + b"new" + noise(1, 300_000)[150_003:]},
        ),
        "incompressible, all new": ({"n": noise(1, 300_000)}, {"n": noise(2, 300_000)}),
        "incompressible, small": (
            {"n": noise(1, 40)},
            {"n": noise(2, 40), "m": noise(3, 2047), "o": noise(4, 2048)},
        ),
        "Unicode names": (filled(letters), filled(letters, "!") | filled(["\u00e9t\u00e9.js"])),
        "Unicode renames": (
            filled(letters),
            {path[:-1] + "\u00fc": data for path, data in filled(letters).items()},
        ),
        "spaces and quotes": (filled(names), filled(names, "!")),
        "spaces and quotes, renamed": (
            filled(names),
            {f"q/{path}": data for path, data in filled(names).items()},
        ),
        "odd bytes": (
            {"a": bytes(range(256)) * 40},
            {"a": bytes(reversed(range(256))) * 40, "b": bytes(5000)},
        ),
        "zeros": ({"z": bytes(100_000)}, {"z": bytes(100_001), "y": bytes(70_000)}),
        "one letter": ({"z": b"a" * 100_000}, {"z": b"a" * 99_999 + b"b"}),
        "a source map": (
            {"a.js.map": b'{"mappings":"' + b"AAAA,SAASA,CAAC;" * 900 + b'"}'},
            {"a.js.map": b'{"mappings":"' + b"AAAA,SAASC,CAAC;" * 950 + b'"}'},
        ),
        "a broken source map": ({"a.map": code(1, 9000)}, {"a.map": noise(1, 100) + code(1, 9000)}),
        "deep directories": ({"/".join("d" * 30) + "/f": b"1"}, {"/".join("d" * 30) + "/f": code(1, 3000)}),
        "long names": ({"n" * 255: b"1"}, {"n" * 255: b"2", "m" * 255: code(2, 3000)}),
        "named as a delta's own parts": (
            filled(["delta.json", "files/a", "patches/0"]),
            filled(["delta.json", "files/a", "patches/0", "patches/1"], "!")
            | {"files/delta.json": noise(1, 3000)},
        ),
        "3 MB, cut in two": ({"big.js": big}, {"a.js": big[: len(big) // 2], "b.js": big[len(big) // 2 :]}),
    }


def extremes():
    """For the long form: several streams for one file, a dictionary of a part of the old one, limits.

    Each is created when needed, because it takes much memory.
    """
    def big():
        half = b"".join(noise(n, 1 << 20) + code(n, 1 << 20) for n in range(BIG >> 22))
        return half, half[::-1]

    def edited():
        half, back = big()
        return {"big.bin": half + back}, {
            "big.bin": half[:99] + b"edit" + half[120:] + b"longer" + back[:-9] + b"cut"
        }

    def swapped():
        half, back = big()
        return {"big.bin": half + back}, {"big.bin": back + half}

    def emptied():
        files = {f"{n}.js": code(n, 1 << 20) for n in range(12)}
        return {name: data * 30 for name, data in files.items()}, {
            name: data[:9000] + b"!" for name, data in files.items()
        }

    few = {"a": b"1"}
    return {
        # Below files/ in the delta, these paths are deeper and longer than a package allows.
        "the deepest path, sent whole": lambda: (few, few | {"d/" * 31 + "f": noise(1, 3000)}),
        "the longest path, sent whole": lambda: (few, few | {("n" * 203 + "/") * 5 + "mmmm": noise(1, 3000)}),
        "200 MB, new": lambda: (few, few | {"big.bin": b"".join(big())}),
        "200 MB, gone": lambda: (few | {"big.bin": b"".join(big())}, few),
        "200 MB, edited": edited, "200 MB, halves swapped": swapped,
        "twelve of 30 MB, nearly emptied": emptied,
    }


class Generator:
    """Random edits of random trees."""

    WORDS = ["app", "vendor", "main", "caf\u00e9", "img", "a b", "static", "x"]
    ENDS = [".js", ".css", ".html", ".json", ".js.map", ".png", ".svg", ""]

    def __init__(self, seed):
        self.random = random.Random(seed)

    def path(self):
        parts = [self.random.choice(self.WORDS) + str(self.random.randrange(9))
                 for _ in range(self.random.choice([1, 1, 2, 2, 3]))]
        middle = (
            "." + "".join(self.random.choices("0123456789abcdef", k=10)) if self.random.random() < 0.4 else ""
        )
        return "/".join(parts) + middle + self.random.choice(self.ENDS)

    def content(self):
        size = int(2 ** self.random.uniform(0, 14)) - 1
        kind = self.random.randrange(6)
        if kind == 0:
            return self.random.randbytes(size)
        if kind == 1:
            return bytes([self.random.randrange(256)]) * size
        if kind == 2:
            pieces = ",;AAAACCEGSUgB"
            return ("{\"mappings\":\"" + "".join(self.random.choices(pieces, k=size)) + "\"}").encode()
        if kind == 3:
            return "\u00e9\u4e2d\r\n".encode() * (size // 7)
        return code(self.random.random(), size)

    def free(self, files, path):
        """Whether the path can be added: no duplicate ignoring case, and none both file and directory."""
        folded = {other.casefold() for other in files}
        wanted = path.casefold()
        directories = {
            "/".join(other.split("/")[:n]) for other in folded for n in range(1, other.count("/") + 1)
        }
        above = {"/".join(wanted.split("/")[:n]) for n in range(1, wanted.count("/") + 1)}
        # A directory in another case would be a collision; these names have only one case.
        return wanted not in folded | directories and not above & folded

    def edit(self, files):
        """One edit; returns the tree unchanged if it is not possible."""
        path = self.random.choice(sorted(files)) if files else None
        kind = self.random.choices(
            ["add", "delete", "rename", "copy", "insert", "cut", "replace", "flip", "append", "move text",
             "rename word", "swap", "new content", "empty", "to directory"],
            [4, 2, 4, 1, 4, 3, 4, 2, 1, 2, 3, 1, 1, 1, 1])[0]
        files = dict(files)
        if kind == "add" or path is None:
            name = self.path()
            if self.free(files, name):
                files[name] = self.content()
            return files
        data = files[path]
        at = self.random.randrange(len(data) + 1)
        end = min(len(data), at + self.random.randrange(1, 400))
        if kind == "delete":
            del files[path]
        elif kind in ("rename", "to directory"):
            del files[path]
            name = f"{path}/{self.random.choice(self.WORDS)}" if kind == "to directory" else self.path()
            if name.count("/") > 25 or not self.free(files, name):
                name = path
            files[name] = data
        elif kind == "copy":
            name = self.path()
            if self.free(files, name):
                files[name] = data
        elif kind == "insert":
            files[path] = data[:at] + self.content()[:500] + data[at:]
        elif kind == "cut":
            files[path] = data[:at] + data[end:]
        elif kind == "replace":
            files[path] = data[:at] + self.random.randbytes(end - at) + data[end:]
        elif kind == "flip" and data:
            at = min(at, len(data) - 1)
            files[path] = data[:at] + bytes([data[at] ^ 1 << self.random.randrange(8)]) + data[at + 1:]
        elif kind == "append":
            files[path] = data + b"\n"
        elif kind == "move text":
            other = self.random.choice(sorted(files))
            files[path] = data[:at] + data[end:]
            files[other] = files[other] + data[at:end]
        elif kind == "rename word":
            old = self.random.choice(string.ascii_lowercase) + str(self.random.randrange(99))
            for name in files:
                files[name] = files[name].replace(old.encode(), b"Renamed")
        elif kind == "swap":
            other = self.random.choice(sorted(files))
            files[path], files[other] = files[other], data
        elif kind == "new content":
            files[path] = self.content()
        elif kind == "empty":
            files[path] = b""
        return files

    def tree(self):
        files = {}
        for _ in range(self.random.randrange(1, 12)):
            name = self.path()
            if self.free(files, name):
                files[name] = self.content()
        return files

    def edits(self, files):
        for _ in range(self.random.choice([1, 1, 2, 3, 5, 9])):
            files = self.edit(files)
        return files


def same(one, other):
    """The differences of two trees on disk, without loading whole files; empty directories count."""
    def names(root):
        return {os.path.relpath(os.path.join(folder, name), root)
                for folder, folders, files in os.walk(root) for name in folders + files}

    left, right = names(one), names(other)
    odd = sorted(left ^ right)
    odd += [name for name in sorted(left & right) if (one / name).is_file() != (other / name).is_file()
            or (one / name).is_file() and not filecmp.cmp(one / name, other / name, shallow=False)]
    return [f"the tree differs in {len(odd)} places: {odd[:4]}"] if odd else []


def round_trip(room, old, new):
    """Makes and applies one delta between two trees on disk: problems, and how it ended."""
    delta, target = room / "delta.zip", room / "out"
    made = trial.run(["delta", old, new, "-o", delta, "--json"], timeout=3600)
    if not same(old, new):
        refused = made.status == 2 and "same-release" in made.stdout
        return [] if refused else [f"equal trees: {made.brief()}"], "equal trees, refused"
    if not any(old.iterdir()) or not any(new.iterdir()):
        # A build without files is not a release.
        refused = made.status == 2 and "contains no files" in made.stderr and not delta.exists()
        return trial.judge_end(made) + ([] if refused else [f"no files: {made.brief()}"]), "no files, refused"
    if made.status != 0:
        return [f"delta: {made.brief()}"], "failed"
    stated = json.loads(made.stdout)["memory"]
    held = sum(path.stat().st_size for path in old.rglob("*") if path.is_file())
    done = trial.run(["apply", old, delta, "-o", target, "--json"], timeout=3600)
    if done.status != 0:
        return trial.judge_end(done) + [f"apply: {done.brief()}"], "failed"
    problems = same(new, target)
    said = json.loads(done.stdout)
    counted = subprocess.run(["sh", "-c", LISTING], cwd=target, capture_output=True, text=True)
    if counted.stdout[:64] != said["packageHash"] or said["version"] != counted.stdout[:20]:
        problems.append(f"coreutils count {counted.stdout[:64]}, apply says {said['packageHash']}")
    if done.peak > stated + held + SLACK + idle_peak():
        problems.append(
            f"apply took {done.peak >> 20} MiB; {stated >> 20} are stated, the old tree has {held >> 20}"
        )
    if said["memory"] != stated:
        problems.append(f"apply says that it needs {said['memory']} bytes of memory, delta said {stated}")
    return problems, "applied"


def apart(root, name, make):
    room = root / "".join(letter if letter.isalnum() else "-" for letter in name)
    # In a separate process: the peak memory of this one would count as the tool's.
    child = os.fork()
    if child == 0:
        for part, files in zip(("old", "new"), make()):
            trial.write(files, room / part)
        os._exit(0)
    if os.waitpid(child, 0)[1]:
        return [(name, ["the trees could not be written"], "failed", f"--only '{name}'")]
    return finished(room, name)


def finished(room, name):
    try:
        return [(name, *round_trip(room, room / "old", room / "new"), f"--only '{name}'")]
    finally:
        shutil.rmtree(room)


def written(root, name, old, new):
    room = root / "".join(letter if letter.isalnum() else "-" for letter in name)
    trial.write(old, room / "old")
    trial.write(new, room / "new")
    return finished(room, name)


def walk(root, number, length):
    """Successive edits: each tree is derived from the previously applied one."""
    generator = Generator(number)
    files, results = generator.tree(), []
    room = root / f"walk-{number}"
    trial.write(files, room / "old")
    for step in range(length):
        files = generator.edits(files) if generator.random.random() < 0.95 else generator.tree()
        files = files or generator.tree()
        trial.write(files, room / "new")
        problems, how = round_trip(room, room / "old", room / "new")
        results.append((f"walk {number} step {step}", problems, how, f"--walk {number}"))
        shutil.rmtree(room / "old")
        (room / "delta.zip").unlink(missing_ok=True)
        follow = room / ("out" if how == "applied" else "new")
        if problems:
            break
        follow.rename(room / "old")
        shutil.rmtree(room / "new", ignore_errors=True)
    shutil.rmtree(room)
    return results


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    trial.add_options(parser)
    parser.add_argument("--edits", type=int, help="how many random steps (500; with --long 5,000)")
    parser.add_argument("--only", help="only the kind of tree of this name")
    parser.add_argument("--walk", type=int, help="only the random walk of this number")
    given = parser.parse_args()
    trial.use(given.packtool)
    report = trial.Report("trees", given.json)
    length = 10
    count = given.edits if given.edits is not None else 5000 if given.long else 500
    tasks = []
    with trial.Scratch(given.scratch, given.keep) as root:
        if given.walk is None:
            tasks += [
                lambda name=name, pair=pair: written(root, name, *pair)
                for name, pair in kinds().items()
                if given.only in (None, name)
            ]
        if given.only is None:
            numbers = range(count // length) if given.walk is None else [given.walk]
            tasks += [lambda number=number: walk(root, number, length) for number in numbers]

        def work(task):
            return [] if given.fail_fast and report.violations else task()

        def note(results):
            for name, problems, how, words in results:
                report.counts["random edits" if name.startswith("walk") else "kinds of trees"] += 1
                report.ends[how] += 1
                if problems:
                    report.violation(
                        name, problems, f"trees.py {words}{' --long' if given.long else ''} --keep"
                    )

        with concurrent.futures.ThreadPoolExecutor(given.jobs) as pool:
            for results in pool.map(work, tasks):
                note(results)
        if given.long and given.walk is None:
            # One at a time, because they take much memory.
            for name, make in extremes().items():
                if given.only in (None, name):
                    note(apart(root, name, make))
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
