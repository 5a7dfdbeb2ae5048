#!/usr/bin/env python3
"""Makes the seeds of the delta fuzzer: streams of real deltas from delta/old to variations of it.

usage: seeds.py PACKTOOL OUTPUT-FOLDER
"""
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import zipfile

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parents[1] / "Delta"))
import agree
import apply


def variations(old):
    """Names and trees, as paths and their bytes."""
    rng = random.Random(7)
    js = old["b-0a1b2c3d.js"]
    renamed = {**old}
    del renamed["b-0a1b2c3d.js"]
    renamed["b-99aa88bb.js"] = js.replace(b"0a1b2c3d", b"99aa88bb")
    yield "rename", renamed
    yield "shift", {**old, "a.js": old["a.js"].replace(b"ne", b"re").replace(b"te", b"ne")}
    yield "map", {**old, "b-0a1b2c3d.js.map": old["b-0a1b2c3d.js.map"].replace(b"AACA,", b"AAEA,")}
    yield "new", {**old, "d.txt": bytes(rng.choice(b"abcdef (){};") for _ in range(200))}
    noise = bytearray(js)
    for _ in range(20):
        noise[rng.randrange(len(noise))] = rng.randrange(256)
    yield "noise", {**old, "b-0a1b2c3d.js": bytes(noise)}
    yield "moved", {**old, "b-0a1b2c3d.js": js[len(js) // 2 :] + old["c.css"] + js[: len(js) // 2]}
    copies = {**renamed, "b-99aa88bb.js.map": old["b-0a1b2c3d.js.map"], "k-a.js": old["a.js"]}
    del copies["b-0a1b2c3d.js.map"]
    yield "copies", copies
    yield "empty", {**old, "e.js": b"", "c.css": b"x"}


def main():
    packtool, output = sys.argv[1], pathlib.Path(sys.argv[2])
    output.mkdir(parents=True, exist_ok=True)
    old = {p.name: p.read_bytes() for p in (HERE / "old").iterdir()}
    with tempfile.TemporaryDirectory() as work:
        work = pathlib.Path(work)
        for name, tree in variations(old):
            new = work / name
            new.mkdir()
            for path, content in tree.items():
                (new / path).write_bytes(content)
            delta = work / f"{name}.zip"
            subprocess.run(
                [packtool, "delta", HERE / "old", new, "-o", delta, "--quiet"], check=True)
            with zipfile.ZipFile(delta) as archive:
                for member in archive.namelist():
                    if member.startswith("patches/"):
                        target = output / f"{name}-{member.rsplit('/')[-1]}"
                        target.write_bytes(archive.read(member))
            shutil.rmtree(new)
    cut(output, "moved")
    cut(output, "noise")


def cut(output, name):
    """A seed whose second half is made by LZMA."""
    old, data = apply.Tree.read(HERE / "old"), (output / f"{name}-0").read_bytes()
    stream = apply.Stream(data, old, b"", {})
    stream.decode([], old, 1 << 30)
    (output / f"{name}-both").write_bytes(agree.cut(data, stream, [], old, stream.coded // 2))


main()
