#!/usr/bin/env python3
"""Applies damaged and hostile deltas, and requires a clean refusal.

A refusal is exit 1 or 2 with `error:` and `help:`, no trap, no output, no other files left or changed, and
the base unchanged. If the damage is harmless, the correct tree may be written. The first cases are damages by
networks and disks; the others are forged deltas with correct checksums, so that each check after the
checksums is tested on its own; `forge.py` writes them.
"""

import argparse
import concurrent.futures
import hashlib
import json
import os
import random
import sys
import threading
from collections import namedtuple

import trial
from forge import ENOUGH, Delta, Listing, Stream, aligned, archive, leb128
from rig import builds

# `codes` are the accepted error codes; none: any. `harmless`: the correct tree is also accepted.
# `info`: the manifest is also requested.
Case = namedtuple("Case", "kind label data codes harmless base info")
STREAM, MANIFEST, MEMBER = "delta.invalid-stream", "delta.invalid-manifest", "delta.unexpected-member"
INFO = "delta.no-info"
BASE, RESULT = "delta.wrong-base", "delta.wrong-result"
MEMORY, WORK = "delta.too-much-memory", "delta.too-much-work"


def case(kind, label, data, *codes, harmless=False, base="base", info=False):
    return Case(kind, label, data, codes, harmless, base, info)


def script(seed, names):
    """A small script with a minifier's short names."""
    source = random.Random(seed)
    lines = [
        f"function {source.choice(names)}(e,t){{return {source.choice(names)}(e)+t[{n}]}}" for n in range(24)
    ]
    return "\n".join(lines).encode() + b"\n"


def trees():
    """The old release and the new one: small, with content for every part of a delta."""
    noise = random.Random(7).randbytes
    image, font = noise(600), noise(300)

    def build(names, extra):
        code = script("main", names) + extra
        name = f"main.{hashlib.sha256(code).hexdigest()[:10]}.js"
        page = f'<!doctype html><title>Shop</title><script src="js/{name}"></script>\n'
        chart = b'{"version":3,"names":[],"mappings":"' + b"AAAA,SAASA,CAAC;" * (9 + len(extra)) + b'"}'
        return {"index.html": page.encode(), f"js/{name}": code, f"js/{name}.map": chart,
                "css/style.css": b"body{margin:0}\n" * 9 + extra, "img/kept.png": image}

    old = build("abcdef", b"") | {"img/old.svg": b"<svg id='o'/>", "img/a.woff": font}
    new = build("abcxyz", b"// new\n") | {"fonts/a.woff": font, "img/new.bin": noise(2200)}
    return old, new


# Random damage.

def corruptions(data, given):
    source = random.Random("bytes")
    for at in range(0, len(data), 1 if given.long else 53):
        for change in (1 << source.randrange(8), source.randrange(1, 256))[: 2 if given.long else 1]:
            yield case("corrupted byte", f"byte {at} xor {change}",
                       data[:at] + bytes([data[at] ^ change]) + data[at + 1:], harmless=True)


def truncations(data, given):
    for length in range(0, len(data), 1 if given.long else 41):
        yield case("truncated", f"{length} of {len(data)} bytes", data[:length])


def lengthened(data, _):
    for label, tail in {"a zero": b"\0", "a line feed": b"\n", "an end record": data[-22:], "itself": data,
                        "64 KiB": bytes(65536)}.items():
        yield case("lengthened", f"{label} behind", data + tail)
        yield case("lengthened", f"{label} in front", tail + data)


# Forged, with correct checksums.

def bases(delta, old, wrong):
    for name, hurt in wrong.items():
        yield case("wrong base", name, delta.bytes(), BASE, base=name)
        forged = delta.copy().base(builds.listing_hash(hurt)).bytes()
        codes = [RESULT] if "unused" in name else [RESULT, STREAM]
        yield case("wrong base", f"{name}, and fromHash is its own", forged, *codes, base=name)
    other = builds.listing_hash(old | {"x": b""})
    yield case("hashes", "fromHash of another tree", delta.copy().base(other).bytes(), BASE)
    yield case("hashes", "toHash of another tree", delta.copy().target(other).bytes(), RESULT)
    for key in ("from", "to", "fromHash", "toHash"):
        for text in (other[1:21], "", "Z" * 20, other.upper(), delta.manifest[key] + "0"):
            forged = delta.copy()
            forged.manifest[key] = text
            yield case("hashes", f"{key} is {text!r}", forged.bytes(), MANIFEST)


BAD_PATHS = [
    "../x",
    "../../x",
    "/x",
    "a/../../x",
    "a/./b",
    "",
    ".",
    "..",
    "a//b",
    "a/",
    "a\0b",
    "a\nb",
    "a\\..\\x",
    "\u0085",
    "x" * 256,
    "a/" * 40 + "b",
    "a:b",
    "con",
    "com1.txt",
    "a.",
    "a ",
    "e\u0301",
    "\ud800",
]


def paths(delta, old, new, room):
    """In each delta, only the name is wrong: without it, the tree would match toHash."""
    for path in [*BAD_PATHS, f"{room}/x"]:
        shown = ascii(path[:40])
        forged = still(delta, old, [])
        forged.manifest["copy"][path] = "img/kept.png"
        if "\ud800" not in path:
            # The result matches toHash: only the name is wrong.
            forged.target(builds.listing_hash(old | {path: old["img/kept.png"]}))
        yield case("bad path", f"copy to {shown}", forged.bytes())
        forged = delta.copy()
        forged.manifest["add"].append(path)
        if "\ud800" not in path:
            forged.members[f"files/{path}"] = b"x"
        yield case("bad path", f"add {shown}", forged.bytes())
        for key in ("delete", "add"):
            forged = delta.copy()
            forged.manifest[key].append(path)
            yield case("bad path", f"{key} {shown}, without content", forged.bytes())
        forged = delta.copy()
        forged.manifest["copy"]["y"] = path
        yield case("bad path", f"copy from {shown}", forged.bytes())
        raw = path.encode("utf-8", "surrogatepass")
        files = Listing().segments(0).files(1).new(raw, 0)
        yield case("bad path", f"a stream makes {shown}", still(delta, old, [aligned(files)]).bytes())
        drop = len(min(old).encode())
        files = Listing().segments(0).files(0).copies(1).copy(0, raw, drop, keeps=True)
        yield case("bad path", f"a listing copies to {shown}", still(delta, old, [aligned(files)]).bytes())
    for path in ("INDEX.HTML", "index.html/x", "img", "IMG/kept.png", "img/kept.png"):
        content = old["img/kept.png"]
        forged = still(delta, old, [])
        forged.manifest["copy"][path] = "img/kept.png"
        goal = old | {path: content}
        yield case("collision", f"copy to {path}", forged.target(builds.listing_hash(goal)).bytes(),
                   harmless="old" if path == "img/kept.png" else False)
        if path != "img/kept.png":
            files = Listing().segments(0).files(1).new(path.encode(), 0)
            forged = still(delta, old, [aligned(files)]).target(builds.listing_hash(old | {path: b""}))
            yield case("collision", f"a stream makes {path}", forged.bytes())
    double = Listing().segments(0).files(2).new(b"twice", 0).new(b"twice", 0, drop=5)
    goal = builds.listing_hash(old | {"twice": b""})
    yield case("collision", "a stream makes one path twice",
               still(delta, old, [aligned(double)]).target(goal).bytes(), MANIFEST)
    first = min(old)
    drop = len(first.encode())
    copies = Listing().segments(0).files(0).copies(2)
    copies.copy(0, b"twice", drop, keeps=True).copy(-1, b"twice", drop, keeps=True)
    goal = builds.listing_hash(old | {"twice": old[first]})
    yield case("collision", "a listing copies to one path twice",
               still(delta, old, [aligned(copies)]).target(goal).bytes(), MANIFEST)
    copies = Listing().segments(0).files(1).new(b"twice", 0).copies(1).copy(0, b"twice", drop, keeps=True)
    yield case("collision", "a stream makes and copies to one path",
               still(delta, old, [aligned(copies)]).target(goal).bytes(), MANIFEST)
    single = aligned(Listing().segments(0).files(1).new(b"twice", 0))
    yield case("collision", "two streams make one path",
               still(delta, old, [single, single]).target(goal).bytes(), MANIFEST)
    onward = aligned(Listing().segments(0).files(1).new(b"twice", 0, continued=True))
    for label, streams in {"the first stream": [onward], "another file's stream": [
            aligned(Listing().segments(0).files(1).new(b"other", 0)), onward]}.items():
        yield case("collision", f"{label} goes on with no file", still(delta, old, streams).bytes(), MANIFEST)


def still(delta, old, streams):
    """A delta that changes nothing except the files made by its streams."""
    forged = delta.copy().target(builds.listing_hash(old)).streams(streams)
    forged.manifest |= {"delete": [], "add": [], "copy": {}}
    forged.members = {name: data for name, data in forged.members.items() if name.startswith("patches/")}
    return forged


def members_of(delta, old):
    """A delta.json that contradicts itself, the base or the archive."""
    changes = {
        "schema 2": {"schema": 2},
        "schema 0": {"schema": 0},
        "schema text": {"schema": "1"},
        "unknown codec": {"codec": "aligned/2"},
        "no codec": {"codec": None},
        "codec of another case": {"codec": "Aligned/1"},
        "delete what is not there": {"delete": ["nothing"]},
        "delete twice": {"delete": ["img/old.svg"] * 2},
        "delete a number": {"delete": [1]},
        "delete is no list": {"delete": "img/old.svg"},
        "copy of what is not there": {"copy": {"a": "nothing"}},
        "copy is a list": {"copy": ["a"]},
        "no copy": {"copy": None},
        "no patch": {"patch": None},
        "patch is a number": {"patch": 1},
        "add twice": {"add": delta.manifest["add"] * 2},
        "200,001 deletes": {"delete": ["a"] * 200_001},
        "10,001 streams": {"patch": [{"stream": f"patches/{n}", "memory": 1} for n in range(10_001)]},
        "streams out of order": {"patch": delta.manifest["patch"][::-1]},
    }
    for label, change in changes.items():
        forged = delta.copy()
        forged.manifest |= change
        forged.manifest = {key: value for key, value in forged.manifest.items() if value is not None}
        yield case("manifest", label, forged.bytes(), MANIFEST, MEMBER)
    text = delta.pairs()[0][1]
    tails = list(delta.members.items())
    spoiled = {
        "a member twice in JSON": text.replace(b'"schema"', b'"schema": 1, "schema"', 1), "empty": b"",
        "a list": b"[]", "bytes behind": text + b"{}", "byte order mark": b"\xef\xbb\xbf" + text,
        "cut": text[:-1], "NUL behind": text + b"\0", "nested 100,000 deep": b"[" * 100_000,
        "half a UTF-8 letter": text.replace(b'"codec": "', b'"codec": "\xc3', 1),
        "a number beyond all bounds": text.replace(b'"schema": 1', b'"schema": 1e999', 1),
        "a fraction": text.replace(b'"schema": 1', b'"schema": 1.5', 1),
    }
    for label, bad in spoiled.items():
        yield case("manifest", label, archive([("delta.json", bad), *tails]), MANIFEST)
    yield case("manifest", "65 MiB of spaces, deflated",
               archive([("delta.json", text + b" " * (65 << 20)), *tails], 8))
    for number, entry in enumerate(delta.manifest["patch"]):
        for memory in (
            0,
            1,
            entry["memory"] - 1,
            entry["memory"] + 1,
            1 << 40,
            (1 << 40) + 1,
            1 << 62,
            -1,
            0.5,
            "1",
        ):
            forged = delta.copy()
            forged.manifest["patch"][number]["memory"] = memory
            fits = isinstance(memory, int) and entry["memory"] <= memory <= ENOUGH
            yield case("memory", f"stream {number} states {memory}", forged.bytes(),
                       *([] if fits else [STREAM, MANIFEST, MEMORY]), harmless=fits)
    for whole in (-1, 0.5, "1", (1 << 40) + 1, 513 << 20):
        forged = delta.copy()
        forged.manifest["memory"] = whole
        yield case("memory", f"the delta states {whole}", forged.bytes(), MANIFEST, MEMORY)
    for whole in (None, 0, 1, 64 << 20):
        forged = delta.copy()
        forged.manifest["memory"] = whole
        yield case("memory", f"the delta states {whole}, allowed", forged.bytes(), harmless=True)
    pairs = delta.pairs()
    for index, (name, content) in enumerate(pairs):
        yield case("members", f"{name} missing", archive(pairs[:index] + pairs[index + 1:]))
        yield case("members", f"{name} twice", archive(pairs + [(name, content)]))
        yield case("members", f"{name} empty", archive(pairs[:index] + [(name, b"")] + pairs[index + 1:]))
    for name in (
        "extra",
        "files/extra",
        f"patches/{len(delta.manifest['patch'])}",
        "patches/00",
        "Delta.json",
        "files",
        "../x",
        "/x",
        "patches/0/x",
        ".DS_Store",
    ):
        yield case("members", f"{name} too much", archive(pairs + [(name, b"x")]))
    yield case("members", "delta.json last", archive(pairs[1:] + pairs[:1]))
    yield case("members", "none", archive([]))
    yield case("members", "other order, which is allowed", archive(pairs[:1] + pairs[:0:-1]), harmless=True)
    yield case("members", "deflated, which is allowed", archive(pairs, 8), harmless=True)


def streams_of(delta, given):
    """Real streams with a single change; the declared memory is sufficient."""
    names = [patch["stream"] for patch in delta.manifest["patch"]]
    real = [delta.members[name] for name in names]

    def put(index, data):
        forged = delta.copy()
        for patch in forged.manifest["patch"]:
            patch["memory"] = ENOUGH
        forged.members[names[index]] = data
        return forged.bytes()

    def wrong(label, index, data, harmless=False):
        # Content that decodes by chance is rejected by its hash or names.
        codes = [] if harmless else [STREAM, RESULT, MANIFEST, MEMBER]
        return case("stream", f"{index}: {label}", put(index, data), *codes, harmless=harmless)

    source = random.Random("streams")
    for index, data in enumerate(real):
        for tail in (b"\0", b"\1", b"\xff"):
            # The decoder reads four bytes ahead: other content can end here by chance.
            yield wrong(f"a byte {tail[0]} behind", index, data + tail)
        for tail in (bytes(100), b"\xff" * 100, data):
            yield case("stream", f"{index}: {len(tail)} bytes behind", put(index, data + tail), STREAM)
        for length in range(0, len(data), 1 if given.long else 23):
            # The rest can be a valid stream of other content by chance.
            yield wrong(f"{length} of {len(data)} bytes", index, data[:length])
        for at in range(0, len(data), 1 if given.long else 37):
            for change in [1 << source.randrange(8), *((source.randrange(1, 256),) if given.long else ())]:
                yield case("stream", f"{index}: byte {at} xor {change}",
                           put(index, data[:at] + bytes([data[at] ^ change]) + data[at + 1:]), harmless=True)
        stream = Stream(data)
        for _ in range(200 if given.long else 2):
            yield wrong("random content", index, stream.bytes(content=source.randbytes(len(stream.content))))
            yield wrong("random listing", index, stream.bytes(listing=source.randbytes(len(stream.listing))))
            yield wrong("random LZMA", index, stream.bytes(
                method=1, fields=b"\x5d", content=b"\0" + source.randbytes(len(stream.content))))
        yield wrong("everything random", index, source.randbytes(len(data)))
        yield wrong("no content", index, stream.bytes(content=b""))
        yield wrong("no listing", index, stream.bytes(listing=b""))
        for first in (4, 5, 128, 255):
            yield wrong(f"method {first}", index, stream.bytes(first=first))
        first = stream.method | stream.copies
        yield wrong("the other method", index, stream.bytes(first=first ^ 1))
        yield wrong("copies, or none", index, stream.bytes(first=first ^ 2))
        for properties in (0x5d, 0, 3, 4, 5, 44, 45, 224, 225, 255):
            yield wrong(
                f"LZMA properties {properties}", index, stream.bytes(method=1, fields=bytes([properties]))
            )
        literal, slots = stream.fields
        for label, fields in {
            "literal bits 0": (0, slots),
            "literal bits 3": (3, slots),
            "literal bits 16": (16, slots),
            "index bits 0": (literal, 0),
            "index bits 7": (literal, 7),
            "index bits 21": (literal, 21),
            "index bits 255": (literal, 255),
        }.items():
            yield case("stream", f"{index}: {label}", put(index, stream.bytes(fields=bytes(fields))), STREAM)
        for label, fields in {
            "literal bits 4": (4, slots),
            "literal bits 15": (15, slots),
            "index bits 8": (literal, 8),
            "index bits 20": (literal, 20),
        }.items():
            # Within the limits, but different from the encoder's values; this may be harmless.
            yield wrong(label, index, stream.bytes(fields=bytes(fields)), harmless=True)
        size = 1 << 12
        for label, output, start, content in (
            ("no output", 0, len(stream.content), stream.content),
            ("a part", size, len(stream.content), stream.content),
            ("a part, after nothing", size, 0, stream.content),
            ("too much output", (1 << 32) - 1, len(stream.content), stream.content),
            ("content beyond the end", size, len(stream.content) + 1, stream.content),
            ("random content", size, 4, stream.content[:4] + b"\0" + source.randbytes(64)),
        ):
            rest = b"\3" + leb128(output) + leb128(start)
            yield wrong(f"LZMA goes on, {label}", index, stream.bytes(method=4, rest=rest, content=content))
        for coded in (0, stream.coded - 1, stream.coded + 1):
            if coded != stream.coded and coded >= 0:
                yield wrong(f"{coded} coded bytes", index, stream.bytes(coded=coded))
        most = stream.bytes(coded=(1 << 35) - 1)
        yield case("stream", f"{index}: 2^35 - 1 coded bytes", put(index, most), WORK)
        for label, raw in {
            "2^35": leb128(1 << 35),
            "2^40": leb128(1 << 40),
            "2^63": leb128(1 << 63),
            "2^70": leb128(1 << 70),
            "in longer form": leb128(stream.coded | 1 << 7)[:-1] + b"\x80\0",
            "without an end": b"\x80" * 12,
        }.items():
            yield wrong(f"coded bytes {label}", index, stream.bytes(coded=raw))
        for length in (
            0,
            len(stream.listing) - 1,
            len(stream.listing) + 1,
            len(data),
            1 << 34,
            leb128(1 << 40),
            leb128(1 << 64),
        ):
            yield wrong(f"listing of {length!r} bytes", index, stream.bytes(length=length))
    if len(real) > 1:
        forged = delta.copy()
        for name, data in zip(names, reversed(real)):
            forged.members[name] = data
        yield case("stream", "all in reverse order", forged.bytes())
        for patch in forged.manifest["patch"]:
            patch["memory"] = ENOUGH
        # Both make files of their own names, from the same base: the order does not matter.
        yield case("stream", "in reverse order, with memory enough", forged.bytes(), harmless=True)
        yield case("stream", "one of them twice", put(1, real[0]))


def listings_of(delta, old):
    """Listings that no encoder writes, coded as usual."""
    sizes = [len(old[path]) for path in sorted(old)]
    size, count = sizes[0], len(sizes)
    empty = Listing().segments(0).files(0)
    yield case("listing", "changes nothing", still(delta, old, [aligned(empty)]).bytes(), harmless="old")
    yield case("listing", "a piece of no bytes at the end", still(delta, old, [
        aligned(Listing().segments(1).segment(1, size, 0).files(0))]).bytes(), harmless="old")
    bad = {
        "200,001 segments": Listing().segments(200_001),
        "2^56 segments": Listing().segments((1 << 56) - 1),
        "segments without an end": Listing().segments(200_000),
        "a segment of file -1": Listing().segments(1).segment(0).files(0),
        "a segment of a file too many": Listing().segments(1).segment(count + 1).files(0),
        "a segment of file 2^56": Listing().segments(1).segment((1 << 56) - 1).files(0),
        "a second segment of a file too many": Listing().segments(2).segment(count).segment(1).files(0),
        "a segment one byte too far": Listing().segments(1).segment(1, size + 1, 0).files(0),
        "a segment one byte too long": Listing().segments(1).segment(1, 0, size + 1).files(0),
        "a later segment one byte too long": Listing().segments(1).segment(1, size, 1).files(0),
        "a segment from 2^56": Listing().segments(1).segment(1, (1 << 56) - 1, 0).files(0),
        "a segment of 2^56 bytes": Listing().segments(1).segment(1, 1, (1 << 56) - 1).files(0),
        "200,001 files": Listing().segments(0).files(200_001),
        "2^56 files": Listing().segments(0).files((1 << 56) - 1),
        "a file of 2^25 + 1 bytes": Listing().segments(0).files(1).new(b"x", (1 << 25) + 1),
        "a file of 2^31 bytes": Listing().segments(0).files(1).new(b"x", 1 << 31),
        "a file of 2^56 bytes": Listing().segments(0).files(1).new(b"x", (1 << 56) - 1),
        "files of 2^25 + 1 bytes": Listing().segments(0).files(2).new(b"x", 1 << 25).new(b"y", 1, drop=1),
        "a file of less than no bytes": Listing().segments(0).files(1).same(0, -size - 1),
        "a file of -2^55 bytes": Listing().segments(0).files(1).same(0, -(1 << 55)),
        "a base before the first": Listing().segments(0).files(1).same(-1, 0),
        "a base behind the last": Listing().segments(0).files(1).same(count, 0),
        "a base of 2^55": Listing().segments(0).files(1).same((1 << 55) - 1, 0),
        "a base of -2^55": Listing().segments(0).files(1).same(-(1 << 55), 0),
        "a second file that goes on": Listing()
        .segments(0)
        .files(2)
        .new(b"x", 0)
        .new(b"y", 0, continued=True),
        "200,001 copies": Listing().segments(0).files(0).copies(200_001),
        "2^56 copies": Listing().segments(0).files(0).copies((1 << 56) - 1),
        "200,001 files and copies": Listing().segments(0).files(1).new(b"x", 0).copies(200_000),
        "copies without an end": Listing().segments(0).files(0).copies(200_000),
        "a copy of the file before the first": Listing().segments(0).files(0).copies(1).copy(-1, b"x", 0),
        "a copy of the file behind the last": Listing().segments(0).files(0).copies(1).copy(count, b"x", 0),
        "a copy to its own path": Listing().segments(0).files(0).copies(1).copy(0, b"", 0),
        "a copy that drops more than there is": Listing().segments(0).files(0).copies(1).copy(0, b"x", 999),
        "a path that keeps more than there is": Listing().segments(0).files(1).new(b"x", 0, keep=1),
        "a path that drops more than there is": Listing().segments(0).files(1).new(b"x", 0, drop=1),
        "a path that keeps 2^56 bytes": Listing().segments(0).files(1).new(b"x", 0, keep=(1 << 56) - 1),
        "a path of 1,025 bytes": Listing().segments(0).files(1).new(b"a/" * 512 + b"b", 0),
        "a path of 2^50 bytes": Listing()
        .segments(0)
        .files(1)
        .flag("continued", 0)
        .flag("has base", 0)
        .number("suffix", 0)
        .number("drop", 0)
        .signed("middle", 1 << 50),
        "a path of -1 bytes": Listing()
        .segments(0)
        .files(1)
        .flag("continued", 0)
        .flag("has base", 0)
        .number("suffix", 0)
        .number("drop", 0)
        .signed("middle", -1),
        "content for files of no bytes": Listing().segments(0).files(1).new(b"x", 0),
    }
    for label, listing in bad.items():
        content = b"\1" if label.startswith("content") else b""
        yield case("listing", label, still(delta, old, [aligned(listing, content)]).bytes(), STREAM)
    honest = Listing().segments(1).segment(1).files(0).bytes()
    for label, data in {"a byte behind": honest + b"\1", "a zero behind": honest + b"\0",
                        "cut": honest[:-1]}.items():
        yield case("listing", label, still(delta, old, [aligned(data)]).bytes(), STREAM)
    # The maximum size without content: time and memory stay bounded.
    for size in (1 << 16, 1 << 25):
        for label, content, coded in (
            ("no", b"", (1 << 35) - 1),
            ("random", random.Random(size).randbytes(500), 1 << 16),
        ):
            stream = aligned(Listing().segments(0).files(1).new(b"x", size), content, coded)
            yield case(
                "bomb",
                f"{size} bytes out of {label} content",
                still(delta, old, [stream]).bytes(),
                STREAM,
                RESULT,
                WORK,
            )
    heavy = Listing().segments(200_000)
    for n in range(200_000):
        heavy.segment(count if n == 0 else 0)
    yield case("bomb", "one file 200,000 times in the dictionary",
               still(delta, old, [aligned(heavy.files(0))]).bytes(), STREAM)
    yield from bombs(delta, old)


def bombs(delta, old):
    """Small deltas with much work or memory: each is refused within seconds, whatever it declares."""
    text = json.dumps(delta.manifest).encode()
    empty = Listing().segments(0).files(0)
    twice = Listing().segments(2).segment(1).segment(0).files(0)
    yield case("bomb", "a file twice in the dictionary", still(delta, old, [aligned(twice)]).bytes(), STREAM)
    long = Listing().segments(0).files(200_000).new(b"x" * 200, 0)
    for _ in range(199_999):
        long.new(b"", 0, keep=200)
    long = aligned(long)
    for mebibytes in (8, 400):
        yield case("bomb", f"20 streams of 200,000 files, which state {mebibytes} MiB",
                   still(delta, old, [long] * 20).stated(mebibytes << 20).bytes(), STREAM)
    tables = aligned(empty, fields=bytes([15, 20]))
    yield case("bomb", "1,000 streams with the largest tables",
               still(delta, old, [tables] * 1000).stated(64 << 20).bytes(), WORK)
    yield case("bomb", "8,000,001 bytes that are coded one by one",
               still(delta, old, [aligned(empty, coded=8_000_001)]).bytes(), WORK)
    streams = []
    for number in range(1600):
        names = Listing().segments(0).files(20)
        for index in range(20):
            name = b"d%05d/%05d" % (number, index)
            names.new(name.ljust(120, b"x"), 0, drop=120 if index else 0)
        streams.append(aligned(names))
    yield case("bomb", "1,600 streams, each with the names of all", still(delta, old, streams).bytes(), WORK)
    for memory in (1 << 40, 513 << 20):
        yield case("bomb", f"a stream that states {memory} bytes",
                   still(delta, old, [aligned(empty)]).stated(memory).bytes(), MEMORY)
    for label, bad in {"lists": b"[]," * (1 << 20), "names": b"0," * (1 << 20)}.items():
        yield case(
            "bomb",
            f"delta.json with 2^20 unknown {label}",
            archive([("delta.json", text[:-1] + b', "x": [' + bad + b"0]}"), *delta.members.items()], 8),
            MANIFEST,
        )
    yield case("bomb", "delta.json that takes more memory than is stated",
               archive([("delta.json", text + b" " * (8 << 20)), *delta.members.items()], 8), MANIFEST)
    spoiled = delta.copy()
    spoiled.manifest["add"].append("huge")
    spoiled.members["files/huge"] = bytes(32 << 20)
    yield case("bomb", "32 MiB of zeros that no release has", archive(spoiled.pairs(), 8))


def infos_of(delta):
    """The part of info.json in a delta, in another format or of another release."""
    right = {"app": "shop", "baseURL": "https://cdn.example.com/shop", "scheme": "app",
             "build": {"tool": "x"}}
    package = {"sha256": "0" * 64, "size": 1}

    def forged(info):
        copy = delta.copy()
        copy.manifest["info"] = info
        return copy.bytes()

    for label, info in {"the least": right, "a page": right | {"launch": "index.html"},
                        "a package": right | {"package": package}, "types": right | {"types": {"": "a/b"}},
                        "members that are not known": right | {"x": 1}, "null": None}.items():
        yield case("info", f"{label}, allowed", forged(info), harmless=True)
        if info:
            yield case("info", f"{label}, asked for, allowed", forged(info), harmless=True, info=True)
    yield case("info", "none, and asked for", delta.bytes(), INFO, info=True)
    yield case("info", "a page that is not there", forged(right | {"launch": "x.html"}), INFO, info=True)
    bad = {
        "a list": [], "a text": "x", "empty": {}, "app with a space": right | {"app": "a b"},
        "app of 65 letters": right | {"app": "a" * 65}, "app is a number": right | {"app": 1},
        "build without a tool": right | {"build": {}}, "build is a text": right | {"build": "x"},
        "launch is absolute": right | {"launch": "/index.html"},
        "launch leads out": right | {"launch": "../x"},
        "package is a text": right | {"package": "x"}, "package of no size": right | {"package": {"size": 1}},
        "package of -1 bytes": right | {"package": package | {"size": -1}},
        "package of 2^53 bytes": right | {"package": package | {"size": 1 << 53}},
        "package with half a hash": right | {"package": package | {"sha256": "0" * 32}},
        "types is a list": right | {"types": ["js"]}, "a type is a number": right | {"types": {"js": 1}},
        "1,001 types": right | {"types": {str(n): "a/b" for n in range(1001)}},
        "a base URL of 70,000 bytes": right | {"baseURL": "https://e.example/" + "x" * 70_000},
    }
    bad |= {f"no {name}": {key: value for key, value in right.items() if key != name} for name in right}
    bad |= {f"base URL {url!r}": right | {"baseURL": url} for url in (
        "", "ftp://e.example", "https://", "https://e.example/", "https://e.example//a", "https://u@e.example",
        "https://e.example/?q", "https://e.example/../a", "https://e.example/%2e", "https://e.example/%zz",
        "https://e.example/a b", "//e.example", "https://e.example/\u00e4")}
    for label, info in bad.items():
        yield case("info", label, forged(info), MANIFEST)


def long_infos(delta, old):
    """Many files and a long base URL: a manifest of more than 64 MiB from a delta of some kilobytes."""
    source = next(path for path in old if old[path])
    names = [f"x/{n}" for n in range(1500)]
    forged = delta.copy()
    forged.manifest |= {"copy": forged.manifest["copy"] | dict.fromkeys(names, source), "memory": 256 << 20}
    forged.manifest["info"] = {"app": "shop", "baseURL": "https://e.example/" + "x" * 60_000, "scheme": "app",
                               "build": {"tool": "x"}}
    return forged, dict.fromkeys(names, old[source])


class Rooms:
    """A directory with bases for each worker, in which only the output may change."""

    def __init__(self, root, bases, expected):
        self.root, self.bases, self.expected = root, bases, expected
        self.mine, self.lock, self.count = threading.local(), threading.Lock(), 0

    def room(self):
        if not hasattr(self.mine, "room"):
            with self.lock:
                self.count += 1
                room = self.root / f"room-{self.count}"
            for name, files in self.bases.items():
                trial.write(files, room / name)
            self.mine.room = room
            self.mine.stamps = self.stamps(room)
        return self.mine.room, self.mine.stamps

    @staticmethod
    def stamps(room):
        """All files in the directory; the change time of a file shows writes."""
        found = {}
        for folder, folders, files in os.walk(room):
            for name in files + folders:
                status = os.lstat(os.path.join(folder, name))
                stamp = (status.st_ino, status.st_size, status.st_ctime_ns) if name in files else None
                found[os.path.relpath(os.path.join(folder, name), room)] = stamp
        return found

    def examine(self, item):
        """Examines one delta: returns the problems, and how it ended."""
        room, stamps = self.room()
        delta, target = room.parent / f"{room.name}.zip", room / "out"
        delta.write_bytes(item.data)
        info = room / "info.json"
        outcome = trial.run(["apply", room / item.base, delta, "-o", target, "--json",
                             *(["--info", info] if item.info else [])])
        if info.exists() != (item.info and outcome.status == 0):
            problems = ["info.json was written, or is missing"]
        else:
            problems = []
        if info.exists():
            info.unlink()
        problems += trial.judge_end(outcome)
        if outcome.status == 0:
            if item.harmless:
                problems += trial.judge_tree(target, self.expected[item.harmless])
            else:
                problems.append("it was applied")
        elif target.exists() or target.is_symlink():
            problems.append("something lies at the output's place")
        elif item.codes and not any(f'"code": "{code}"' in outcome.stdout for code in item.codes):
            problems.append(f"it should say {' or '.join(item.codes)}: {outcome.stdout.strip()}")
        if item.harmless and not item.codes and outcome.status != 0 and "allowed" in item.label:
            problems.append(f"it was refused: {outcome.brief()}")
        if target.exists():
            trial.shutil.rmtree(target)
        after = self.stamps(room)
        odd = sorted(path for path in after.keys() | stamps.keys() if after.get(path) != stamps.get(path))
        if odd:
            problems.append(f"left or changed beside the output: {odd[:4]}")
            self.mine.__dict__.clear()
        return problems, outcome

    def unharmed(self):
        """Compares the bases byte for byte after all cases."""
        return [problem for room in self.root.glob("room-?") for name, files in self.bases.items()
                for problem in trial.judge_tree(room / name, files)]


def cases(data, old, new, wrong, root, given):
    delta = Delta(data)
    parts = [corruptions(data, given), truncations(data, given), lengthened(data, given),
             bases(delta, old, wrong), paths(delta, old, new, root), members_of(delta, old),
             streams_of(delta, given), listings_of(delta, old), infos_of(delta)]
    for part in parts:
        yield from part
    forged, more = long_infos(delta, old)
    forged.target(builds.listing_hash(new | more))
    yield case("info", "more than 64 MiB", forged.bytes(), INFO, info=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    trial.add_options(parser)
    parser.add_argument("--kind", action="append", help="only cases of this kind")
    parser.add_argument("--only", help="only cases with this in their label")
    given = parser.parse_args()
    trial.use(given.packtool)
    report = trial.Report("hostile", given.json)
    old, new = trees()
    used = next(path for path in old if path.endswith(".js"))
    wrong = {f"base-{kind}": old | {path: bytes([old[path][0] ^ 1]) + old[path][1:]}
             for kind, path in (("unused", "img/kept.png"), ("used", used))}
    with trial.Scratch(given.scratch, given.keep) as root:
        trial.write(old, root / "old")
        trial.write(new, root / "new")
        made = trial.run(["delta", root / "old", root / "new", "-o", root / "delta.zip"])
        if made.status != 0:
            report.violation("making the delta", [made.brief()], "hostile.py")
            return report.finish()
        data = (root / "delta.zip").read_bytes()
        print(
            f"a delta of {len(data)} bytes: {', '.join(name for name, _ in Delta(data).pairs())}", flush=True
        )
        rooms = Rooms(root, {"base": old, **wrong}, {True: new, "old": old})
        problems, outcome = rooms.examine(case("", "undamaged, allowed", data, harmless=True))
        if problems or outcome.status:
            report.violation("undamaged", problems + [outcome.brief()], "hostile.py")
            return report.finish()

        def work(item):
            return None if given.fail_fast and report.violations else rooms.examine(item)

        chosen = [item for item in cases(data, old, new, wrong, root, given)
                  if (not given.kind or item.kind in given.kind) and (given.only or "") in item.label]
        with concurrent.futures.ThreadPoolExecutor(given.jobs) as pool:
            for item, result in zip(chosen, pool.map(work, chosen)):
                if result is None:
                    continue
                problems, outcome = result
                report.counts[item.kind] += 1
                report.ends[
                    f"exit {outcome.status}" + (", the right tree" if outcome.status == 0 else "")
                ] += 1
                if problems:
                    report.violation(f"{item.kind}: {item.label}", problems,
                                     f"hostile.py --kind '{item.kind}' --only '{item.label}' --long --keep")
        for problem in rooms.unharmed():
            report.violation("the bases afterwards", [problem], "hostile.py")
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
