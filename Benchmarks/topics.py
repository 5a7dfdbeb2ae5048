"""The measured topics: for each the commands, side by side with their peers."""

import shutil
import subprocess
import sys
from pathlib import Path

import changes
import trees
import verify
from runner import Command, available, say

HERE = Path(__file__).resolve().parent

# Labels occur in the tables and in the targets; one spelling each.
OURS = "packtool package"
OURS_MAX = "packtool package --level max"
OURS_FAST = "packtool package --level fast"
OURS_REUSE = "packtool package --reuse"
OURS_HASH = "packtool hash"
FIRST_PUBLISH = "packtool publish, first"
REPUBLISH = "packtool publish --deltas 0, 1 % changed"
REPUBLISH_DELTA = "packtool publish, 1 % changed, with its delta"
START = "packtool --version"
ZIP9, ZIP1, SEVEN5, SEVEN9 = "zip -9", "zip -1", "7z -mx=5", "7z -mx=9"
BSDTAR, PYTHON = "bsdtar, level 9", "Python zipfile, level 9"
OPENSSL, SHA256SUM, PIPELINE = "openssl dgst -sha256", "sha256sum", "coreutils pipeline"
NOTHING = "true (the floor)"

TREE_FOR_PUBLISH = "open-webui"
PACKAGE_TOPICS = {"default": OURS, "max": OURS_MAX, "fast": OURS_FAST}
TOPICS = [*PACKAGE_TOPICS, "hash", "republish", "startup"]

# The definition of the package hash, docs/formats.md#listing-and-version.
PIPELINE_SHELL = (r"find . -type f -printf '%P\0' | LC_ALL=C sort -z | xargs -0 sha256sum"
                  " | sha256sum")

# Without -s, xargs would start openssl several times and the start-ups would count against it.
XARGS = ["xargs", "-0", "-s", "1000000"]


class Bench:
    """The data shared by all topics."""

    def __init__(self, packtool, runner, scratch, runs, publish_arguments):
        self.packtool = packtool
        self.runner = runner
        self.scratch = Path(scratch)
        self.runs = runs
        self.publish_arguments = publish_arguments
        self.missing = {}  # label of a peer -> the program that is not installed
        # packtool reads packtool.yaml from its working directory: run it in one without it.
        self.nowhere = self.scratch / "nowhere"
        self.nowhere.mkdir()

    def present(self, commands):
        """Drops peers that are not installed, and remembers them for the report."""
        for command in commands:
            if not available(command):
                self.missing[command.label] = command.needs
        return [command for command in commands if available(command)]

    def run(self, topic, corpus, commands, runs=None, method="fork"):
        self.runner.interleave(topic, corpus, self.present(commands), runs or self.runs, method)

    def package(self, label, tree, *flags):
        out = self.scratch / "ours.zip"
        return Command(label, [self.packtool, "package", tree.root, "-o", out, *flags],
                       self.nowhere, out, discount=verify.directory_bytes,
                       check=lambda _: verify.check_zip(out, tree))

    def peer(self, label, name, argv, tree):
        """A peer packs the current directory, which is the build."""
        out = self.scratch / f"{name}.zip"
        return Command(label, [*argv(out)], tree.root, out, discount=verify.directory_bytes,
                       check=lambda _: verify.check_members(out, tree))

    def zip(self, label, tree, level):
        return self.peer(label, "zip", lambda out: ["zip", level, "-q", "-r", "-X", out, "."], tree)

    def seven(self, label, tree, level):
        quiet = ["-bd", "-bso0", "-bsp0"]
        return self.peer(label, "7z", lambda out: ["7z", "a", "-tzip", level, *quiet, out, "."], tree)

    def publish(self, label, root, origin, tree, prepare, *more):
        argv = [self.packtool, "publish", root, "--to", origin, "--base-url",
                "https://cdn.example.com/app", "--app", "app", *self.publish_arguments, *more]
        return Command(label, argv, self.nowhere, prepare=prepare,
                       check=lambda _: verify.check_origin(origin, tree))


def package_default(bench, name, tree):
    bsdtar = ["bsdtar", "-a", "--options", "zip:compression-level=9", "-cf"]
    python = [sys.executable, "-I", "-S", HERE / "zip_python.py"]
    bench.run("default", name, [
        bench.package(OURS, tree),
        bench.zip(ZIP9, tree, "-9"),
        bench.seven(SEVEN5, tree, "-mx=5"),
        bench.peer(BSDTAR, "bsdtar", lambda out: [*bsdtar, out, "."], tree),
        bench.peer(PYTHON, "python", lambda out: [*python, out], tree),
    ])


def package_max(bench, name, tree):
    bench.run("max", name, [bench.package(OURS_MAX, tree, "--level", "max"),
                            bench.seven(SEVEN9, tree, "-mx=9")])


def package_fast(bench, name, tree):
    bench.run("fast", name, [bench.package(OURS_FAST, tree, "--level", "fast"),
                             bench.zip(ZIP1, tree, "-1")])


def hash_tree(bench, name, tree):
    """All commands read exactly the same files."""
    files = bench.scratch / "files"
    files.write_bytes(b"".join(a.path.encode() + b"\0" for a in tree.assets))

    def count(stdout):
        verify.check_digest_count(stdout, tree)

    bench.run("hash", name, [
        Command(OURS_HASH, [bench.packtool, "hash", tree.root], bench.nowhere,
                check=lambda stdout: verify.check_version_line(stdout, tree)),
        Command(OPENSSL, [*XARGS, "openssl", "dgst", "-sha256"], tree.root, stdin=files,
                check=count, program="openssl"),
        Command(SHA256SUM, [*XARGS, "sha256sum"], tree.root, stdin=files, check=count,
                program="sha256sum"),
        Command(PIPELINE, ["sh", "-c", PIPELINE_SHELL], tree.root,
                check=lambda stdout: verify.check_pipeline(stdout, tree), program="sha256sum"),
    ])


def republish(bench, name, tree):
    """Publishes a build, changes 1 % of it, publishes again. Returns the size of the change."""
    place = bench.scratch / "republish"
    place.mkdir()
    change = changes.make_changed_copy(tree, place / "changed")
    changed = trees.Tree(place / "changed")
    base, origin, first, old = (place / n for n in ("base", "origin", "first", "old.zip"))
    say(f"  republish · {name}: {change.files} files changed, {change.share:.2%} of the bytes")

    # The state before the measurement: an origin with one release, and its package.
    empty_directory(base)
    bench.runner.measure(bench.publish("the base origin", tree.root, base, tree, None))
    bench.runner.measure(Command("the old package", [bench.packtool, "package", tree.root, "-o", old],
                                 bench.nowhere, old))
    bench.run("republish", name, [
        bench.publish(FIRST_PUBLISH, tree.root, first, tree, lambda: empty_directory(first)),
        bench.publish(REPUBLISH, changed.root, origin, changed, lambda: copy_tree(base, origin),
                      "--deltas", "0"),
        bench.publish(REPUBLISH_DELTA, changed.root, origin, changed,
                      lambda: copy_tree(base, origin)),
        bench.package(OURS_REUSE, changed, "--reuse", old),
        bench.package(OURS, changed),
        bench.zip(ZIP9, changed, "-9"),
    ])
    shutil.rmtree(place)
    return change


def start_up(bench, runs):
    bench.run("startup", "-", [Command(START, [bench.packtool, "--version"], bench.nowhere),
                               Command(NOTHING, ["true"], bench.nowhere)], runs, "spawn")


def remove_tree(path):
    if path.exists():
        shutil.rmtree(path)


def empty_directory(path):
    remove_tree(path)
    path.mkdir()


def copy_tree(source, destination):
    """cp -a keeps hard links within the tree, and the copy shares no file with the source."""
    remove_tree(destination)
    subprocess.run(["cp", "-a", str(source), str(destination)], check=True)
