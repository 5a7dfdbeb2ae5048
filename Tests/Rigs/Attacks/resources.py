"""Resource use matches the declared use: deltas, findings, manifests, large files."""

import hashlib
import json
import os
import random
import shutil

import forge
from lab import EMPTY, Pointer, attack, encoded, expect, listing_hash

BASE = {"path": "a.txt", "sha256": hashlib.sha256(b"hello\n").hexdigest()}


def base(lab):
    lab.write("base/a.txt", b"hello\n")
    return listing_hash([BASE])


def stated(stream):
    """The memory declared by a stream with the smallest tables, according to `docs/formats.md`."""
    return 64 + 192 + len(stream) + 8 * 32 * 16 + 8 * 2 * 65536 + 3 * 4 * 256 + 4 * (1 << 18) + 3 * (1 << 20)


def delta(streams, old, new, memory):
    manifest = {
        "schema": 1,
        "from": old[:20],
        "fromHash": old,
        "to": new[:20],
        "toHash": new,
        "codec": "aligned/1",
        "delete": [],
        "copy": {},
        "add": [],
        "patch": [{"stream": f"patches/{n}", "memory": memory} for n in range(len(streams))],
    }
    return forge.archive([("delta.json", json.dumps(manifest).encode()),
                          *((f"patches/{n}", stream) for n, stream in enumerate(streams))], 8)


def empty_segments(count):
    listing = forge.Listing().segments(count)
    for index in range(count):
        listing.segment(int(index == 0), 0, 0)
    return forge.aligned(listing.files(0))


@attack(2, "a delta whose streams list many empty dictionary segments")
def segments_bomb(lab):
    old, stream = base(lab), empty_segments(lab.size(20_000, 200_000))
    lab.write("bomb.zip", delta([stream] * lab.size(40, 100), old, old, stated(stream)))
    lab.run("apply", "base", "bomb.zip", "-o", "out").ends(1, within=30, mebibytes=150)


@attack(2, "the same by way of an origin: the client takes the package")
def install_bomb(lab):
    _, second = lab.origin(1, 2)
    lab.run("install", "cdn", "--into", "phone").ends(0)
    lab.copy("cdn", "old")
    lab.publish(lab.build(3), "cdn").ends(0)
    pointer = Pointer.read(lab / "cdn")
    known = next(entry for entry in pointer.deltas if entry["from"] == second)
    pointer.payload["deltas"] = [known]
    stream = empty_segments(lab.size(20_000, 200_000))
    bomb = delta([stream] * lab.size(40, 100), known["fromHash"], pointer.packageHash, stated(stream))
    pointer.payload["package"]["size"] = max(pointer.package["size"], len(bomb) + 1)
    pointer.replace_delta(bomb, memory=stated(stream) + (4 << 20))
    # Only the delta is under attack: restore the original package.
    pointer.set(package=Pointer.read(lab / "cdn", "log/3.json").package).write()
    lab.run("install", "cdn", "--into", "phone").ends(0, within=40, mebibytes=200)
    expect(lab.installed("phone") == pointer.version, "the new release is not installed")
    expect(lab.tree("phone/current") == lab.tree("v3"), "another tree is installed")


@attack(2, "a delta whose streams make many empty files of one name")
def files_bomb(lab):
    old, count = base(lab), lab.size(20_000, 200_000)
    listing = forge.Listing().segments(0).files(count)
    for index in range(count):
        if index:
            listing.new(b"", 0, keep=200, drop=0)
        else:
            listing.new(b"x" * 200, 0)
    stream = forge.aligned(listing)
    for memory, limit in ((1 << 40, 100), (500 << 20, 200), (stated(stream), 100)):
        lab.write("bomb.zip", delta([stream] * 20, old, old, memory))
        lab.run("apply", "base", "bomb.zip", "-o", "out").ends(1, 2, within=30, mebibytes=limit)


@attack(2, "a delta of many streams, each of which knows the names of all the others")
def names_bomb(lab):
    old, streams, files, length = base(lab), lab.size(400, 1600), 20, 120
    assets, made = [BASE], []
    for stream in range(streams):
        listing = forge.Listing().segments(0).files(files)
        for index in range(files):
            name = f"d{stream:05d}/{index:05d}".encode()
            name += b"x" * (length - len(name))
            assets.append({"path": name.decode(), "sha256": EMPTY})
            listing.new(name, 0, keep=0, drop=length if index else 0)
        made.append(forge.aligned(listing))
    for memory in (1 << 40, *lab.size([], [500 << 20, 40 << 20]), stated(made[0])):
        lab.write("bomb.zip", delta(made, old, listing_hash(assets), memory))
        lab.run("apply", "base", "bomb.zip", "-o", "out").ends(0, 1, 2, within=60, mebibytes=300)
        shutil.rmtree(lab / "out", ignore_errors=True)


def source_map(numbers, changed):
    digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

    def vlq(value):
        value, text = (-value << 1 | 1 if value < 0 else value << 1), ""
        while True:
            digit, value = value & 31, value >> 5
            text += digits[digit | (32 if value else 0)]
            if not value:
                return text

    fields, last = [], 0
    for index, number in enumerate(numbers):
        fields.append("AAAA" + vlq(number - last))
        last = number
        if changed and index == len(numbers) // 2:
            fields += ["AAAAC"] * 7
    names = ",".join(f'"n{index}"' for index in range(min(max(numbers) + 1, 20_000)))
    return '{"version":3,"sources":["a"],"names":[' + names + '],"mappings":"' + ",".join(fields) + '"}'


@attack(8, "applying takes no more memory than the delta states")
def stated_memory(lab):
    source = random.Random(5)
    pairs = {"huge name index": [source_map([0] * 50 + [(1 << 24) - 2], new) for new in (False, True)]}
    numbers = [source.randrange(20_000) for _ in range(lab.size(60_000, 1_500_000))]
    pairs["source map"] = [source_map(numbers, new) for new in (False, True)]
    for label, texts in pairs.items():
        for side, text in zip(("old", "new"), texts):
            lab.write(f"{label}/{side}/a.js.map", text)
    for count, label in ((lab.size(4_000, 100_000), "many files"), (lab.size(3_000, 60_000), "many renames")):
        for side, letter in (("old", "aaaaaaaa"), ("new", "bbbbbbbb")):
            for index in range(count):
                name = f"chunk-{letter}{index:06d}.js" if "renames" in label else f"file-{index}.js"
                lab.write(f"{label}/{side}/d{index // 500}/{name}", f"import 'x{index}'")
        pairs[label] = None
    lab.write("many files/new/d0/file-1.js", "changed")
    lab.write("one/a.txt", "a")
    idle = max(lab.run("hash", "one").mebibytes for _ in range(3))
    for label in pairs:
        made = lab.run("delta", f"{label}/old", f"{label}/new", "-o", "delta.zip", "--json").ends(0)
        states = json.loads(made.out)["memory"] / 2**20
        # The number of resident library pages differs by some hundred KiB from run to run, so use the
        # minimum.
        for _ in range(3):
            shutil.rmtree(lab / label / "out", ignore_errors=True)
            words = ["apply", f"{label}/old", "delta.zip", "-o", f"{label}/out"]
            over = lab.run(*words, PACKTOOL_JOBS="1").ends(0).mebibytes - idle - states
            if over <= 0:
                break
        expect(over <= 0, f"{label}: {over:.1f} MiB more than the {states:.1f} MiB that are stated")
        expect(lab.tree(f"{label}/out") == lab.tree(f"{label}/new"), f"{label}: another tree")
        os.unlink(lab / "delta.zip")


@attack(8, "a pointer that states another memory than its delta")
def pointer_memory(lab):
    lab.origin(1)
    lab.run("install", "cdn", "--into", "phone0").ends(0)
    lab.publish(lab.build(2), "cdn").ends(0)
    for memory, route in ((0, "package"), (1, "package"), (2**53 - 1, "package")):
        lab.copy("cdn", "origin")
        lab.copy("phone0", "phone")
        pointer = Pointer.read(lab / "origin").set(sequence=3)
        pointer.payload["deltas"][0]["memory"] = memory
        pointer.write()
        lab.run("install", "origin", "--into", "phone").ends(0)
        state = json.loads((lab / "phone/state.json").read_text())
        taken = state["trees"][0]["route"]
        expect(taken == route, f"memory {memory}: it came by {taken}")
        lab.run("verify", "origin").ends(1)


def pages(size):
    head = "<!doctype html><html><head><meta charset=utf-8><title>x</title></head><body>"
    ignored = "<!-- packtool-ignore missing-file -- x -->\n"
    yield 15, "ignore comments, used", "index.html", head + (ignored + "<img src=a.png>\n") * (size // 58)
    yield 15, "ignore comments, unused", "index.html", head + ignored * (size // 43)
    yield (
        15,
        "ignore comments of CSS",
        "x.css",
        "/* packtool-ignore missing-file -- x */a{b:url(q.png)}\n" * (size // 54),
    )
    yield 16, "candidates of a srcset", "index.html", head + '<img srcset="' + ", ".join(
        f"a{n}.png {n + 1}w" for n in range(size // 16)) + '">'
    yield 16, "missing images", "index.html", head + "".join(f"<img src=i{n}.png>" for n in range(size // 17))
    yield (
        16,
        "missing style images",
        "x.css",
        "a{background:" + ",".join(f"url(i{n}.png)" for n in range(size // 12)) + "}",
    )


@attack(15, "ignore comments and findings by the hundred thousand")
def findings(lab):
    for _, label, name, text in pages(lab.size(100_000, 16_000_000)):
        if name != "index.html":
            lab.write(f"{label}/index.html", "<!doctype html><link rel=stylesheet href=x.css>")
        lab.write(f"{label}/{name}", text)
        for form in ("json", "text"):
            run = lab.run("check", label, "--profile", "basename-cache", "--host", "a.b", "--format", form)
            run.ends(0, 1, within=60, mebibytes=lab.size(300, 1000))
            expect(len(run.out) < 3_000_000, f"{label}: {len(run.out)} bytes of {form}")
        lab.run("rewrite", label, "-o", f"{label} rewritten", "--host", "a.b").ends(
            0, 1, within=60, mebibytes=lab.size(300, 1000))


@attack(17, "publishing with deltas does not hold a large changed file")
def large_file(lab):
    size = lab.size(96 << 20, 1200 << 20)
    for number in (1, 2):
        lab.build(number)
        with open(lab / f"v{number}/data.bin", "wb") as file:
            noise = random.Random(1)
            for _ in range(size >> 20):
                file.write(noise.randbytes(1 << 10) * 1024)
            file.write(str(number).encode())
    lab.publish("v1", "cdn").ends(0)
    lab.publish("v2", "cdn", timeout=900).ends(0, within=900, mebibytes=lab.size(250, 800))


@attack(18, "a manifest of many deep paths")
def large_manifest(lab):
    count = lab.size(20_000, 190_000)
    assets = [{"path": f"{n:05x}/" + "a/" * 30 + "f", "url": "f", "sha256": EMPTY, "size": 0, "type": "x"}
              for n in range(count)]
    packed = listing_hash(assets)
    content = encoded({"version": packed[:20], "files": ["f"] * count, "schema": 1, "app": "shop",
                       "packageHash": packed, "scheme": "x", "assets": assets, "build": {"tool": "x"}})
    lab.write("info.json", content)
    lab.build(1)
    limit = 60 + 12 * len(content) / 2**20
    lab.run("diff", "info.json", "v1").ends(0, within=60, mebibytes=limit)


@attack(19, "a delta that unpacks to far more than the release that it makes")
def disk_bomb(lab):
    lab.origin(1)
    lab.run("install", "cdn", "--into", "phone").ends(0)
    lab.publish(lab.build(2), "cdn").ends(0)
    pointer = Pointer.read(lab / "cdn")
    known = pointer.deltas[0]
    manifest = {"schema": 1, "from": known["from"], "fromHash": known["fromHash"], "to": pointer.version,
                "toHash": pointer.packageHash, "codec": "aligned/1", "delete": [], "copy": {},
                "add": ["assets/zzz.js"], "patch": []}
    bomb = forge.archive(
        [("delta.json", json.dumps(manifest).encode()), ("files/assets/zzz.js", bytes(20 << 20))], 8
    )
    expect(
        len(bomb) < pointer.package["size"], "the fixture itself is wrong: the package is the cheaper route"
    )
    pointer.replace_delta(bomb, memory=1 << 23)
    # A kernel limit on the file size shows whether more was ever written: no file of a valid update is larger
    # than the tree declared by the pointer, or than the package.
    limit = max(pointer.tree["size"], pointer.package["size"])
    expect(limit < 1 << 20, f"the fixture itself is wrong: {limit} bytes are no tight limit")
    run = lab.run("install", "cdn", "--into", "phone", under=["prlimit", f"--fsize={limit}"]).ends(0)
    expect("note:" in run.err, f"it is not told that the delta failed: {run.err}")
    expect("File too large" not in run.err, f"it wrote more than {limit} bytes: {run.err}")
    expect(lab.tree("phone/current") == lab.tree("v2"), "another tree is installed")
