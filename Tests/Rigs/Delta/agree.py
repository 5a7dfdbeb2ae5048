#!/usr/bin/env python3
"""Compares packtool with apply.py: python3 agree.py PACKTOOL [--quick] [--seed N] [--only WORD]

Creates pairs of trees of many kinds, writes a delta with packtool, applies it with packtool and with
apply.py, and compares both with the new tree byte for byte. Streams of the aligned coder are also cut, so
that LZMA makes the rest of their output. Then it damages two small deltas and a cut one, in the archive and
(with correct checksums) within a stream: both appliers must refuse, or produce the same correct tree.
Prints a table; exits with 1 on any difference.
"""

import argparse
import itertools
import json
import lzma
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
import zlib
import zipfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import apply as independent
import forge

SEQUENCE = "etnraioslchufdpmgvbyxwEkTSNAIRCLOPDMUHBFVjGzWXYK$_"
RESERVED = {"if", "in", "do", "of", "as", "for", "new", "var", "let", "try", "get", "set", "NaN"}
WORDS = ("render update state props return function value index length children component "
         "dispatch reducer effect memo context provider router history location params").split()


class Recorder(independent.ArithmeticDecoder):
    """Collects the bits and their probabilities, so that they can be coded again."""

    def __init__(self, data):
        super().__init__(data)
        self.bits = []

    def bit(self, probability):
        bit = super().bit(probability)
        self.bits.append((bit, probability))
        return bit

    def finish(self):
        """Does not require the end: decoding stops before it."""

    def encoded(self):
        coder = forge.Listing()
        for bit, probability in self.bits:
            coder.code(bit, probability)
        return coder.bytes()


def cut(data, stream, others, old, coded):
    """A decoded stream with fewer bytes coded one by one and the rest of the output by LZMA (method 4)."""
    text = independent.Text(stream.listing, [other.listing for other in others], old)
    usual, independent.ArithmeticDecoder = independent.ArithmeticDecoder, Recorder
    try:
        decoder = independent.AlignedDecoder(
            stream.content[0], text, stream.files, *stream.parameters, coded)
    finally:
        independent.ArithmeticDecoder = usual
    position = decoder.decode()
    rest = b"".join(stream.contents)[position - text.out:]
    # Positions count from the start of the dictionary, and the coder of Python has none.
    bits = 2 if (position - 64) % 4 == 0 else 0
    packed = lzma.compress(rest, lzma.FORMAT_RAW, filters=[
        {"id": lzma.FILTER_LZMA1, "lc": 0, "lp": bits, "pb": bits, "dict_size": 1 << 16}])
    aligned = decoder.coder.encoded()
    return forge.Stream(data).bytes(
        method=4, coded=coded, content=aligned + packed,
        rest=bytes([(bits * 5 + bits) * 9]) + forge.leb128(len(rest)) + forge.leb128(len(aligned)))


class Build:
    """Generates content from a seed."""

    def __init__(self, seed):
        self.random = random.Random(seed)

    def names(self, skip):
        """Names in a minifier's sequence, with some omitted: this renames all following ones."""
        names = list(SEQUENCE) + [b + a for a in "etnraio" for b in SEQUENCE]
        return [name for k, name in enumerate(names) if name not in RESERVED and k not in skip]

    def script(self, lines, skip=(), edits=0, seed=1):
        """Minified code: the same program for a seed, with other names and some edits."""
        fixed, names, out = random.Random(seed), self.names(set(skip)), []
        for k in range(lines):
            a, b, c, d = (names[fixed.randrange(min(k + 8, 300))] for _ in range(4))
            word, other, n = fixed.choice(WORDS), fixed.choice(WORDS), fixed.randrange(1000)
            if edits and self.random.random() < edits:
                other, n = "changed" + other, n + 1
            out.append(fixed.choice((
                f"function {a}({b},{c}){{return {b}.{word}({c},{n})}}", f"var {a}={b}({c}),{d}={n};",
                f"{a}.{other}={b}?{c}:{d},", f'if({a}&&!{b})for(let {c} of {d}){c}.{word}("{other}");',
                f"const {{{word}:{a},{other}:{b}}}={c};")))
        return "".join(out)

    def source_map(self, shift):
        """A source map whose name indices shift."""
        fixed, out, last = random.Random(5), "", 0
        for k in range(700):
            number = fixed.randrange(200)
            number += shift if number > 60 else 0
            out += self.vlq(fixed.randrange(9)) + "A" + self.vlq(fixed.randrange(3)) + self.vlq(4)
            out += self.vlq(number - last) if k % 3 else ""
            last = number if k % 3 else last
            out += ";" if k % 40 == 39 else ","
        names = ",".join(f'"name{k}"' for k in range(200 + shift))
        return f'{{"version":3,"sources":["a.ts"],"names":[{names}],"mappings":"{out}"}}'

    @staticmethod
    def vlq(value):
        value, out = abs(value) << 1 | (value < 0), ""
        while True:
            digit, value = value & 31, value >> 5
            out += independent.DIGITS.decode()[digit | (32 if value else 0)]
            if not value:
                return out

    def hash(self):
        return "%08x" % self.random.getrandbits(32)

    def noise(self, count):
        return self.random.randbytes(count)

    def page(self, hashes, extra=""):
        links = "".join(f'<script src="/assets/{name}"></script>\n' for name in hashes)
        return f"<!doctype html><title>Shop</title>\n{links}<main>{extra}</main>\n" * 3


def pairs(seed, quick):
    """Yields (name, old tree, new tree), trees as dictionaries of path and content."""
    build = Build(seed)
    scale = 1 if quick else 3

    def chunks(skip, edits):
        files, names = {}, []
        for k in range(3):
            name = f"{('main', 'vendor', 'shop')[k]}-{build.hash()}.js"
            names.append(name)
            files["assets/" + name] = build.script(130 * scale, skip, edits, seed=k)
        for name in names:
            files["assets/" + name] += f'import("./{names[0]}");import("./{names[2]}")\n'
        return files | {"index.html": build.page(names), "sw.js": repr(names)}

    yield "renamed names", {"app.js": build.script(240)}, {"app.js": build.script(240, (3, 40))}
    yield "content hashes", chunks((), 0), chunks((), 0.02)
    yield "hashes and names", chunks((), 0), chunks((2, 61), 0.01)
    yield ("source map", {"a.js.map": build.source_map(0), "b.css.map": "{}"},
           {"a.js.map": build.source_map(3), "b.css.map": '{"mappings":";"}'})
    maps = [{f"m{k}.js": f"export let f{k}={k}\n//# sourceMappingURL=m{k}.{stem}.js.map\n",
             f"m{k}.{stem}.js.map": build.source_map(shift).replace("a.ts", f"{k}.ts")}
            for shift in (0, 2) for k, stem in enumerate(build.hash() for _ in range(3))]
    yield ("names of another stream", maps[0] | maps[1] | maps[2], maps[3] | maps[4] | maps[5])
    css = "".join(f".c{k}{{margin:{k % 7}px;color:#{k * 7919 % 4096:03x}}}\n" for k in range(300))
    yield ("css, html, json", {"a.css": css, "i.html": build.page(["a.js"]), "d.json": '{"a": 1}'},
           {"a.css": css.replace("margin:3", "padding:4"), "i.html": build.page(["b.js"], "new"),
            "d.json": '{"a": 2, "b": [1]}'})
    noise = build.noise(3000)
    yield ("noise, empty, one byte", {"n.bin": noise, "empty": "", "one": "1", "gone": "x"},
           {"n.bin": noise[:1500] + b"new" + noise[1600:], "empty": "", "one": "2", "void": ""})
    yield "all new", {"a.txt": "a"}, {"b.js": build.script(30, seed=8), "c.bin": build.noise(300)}
    yield "all deleted", {"a.txt": "a", "b/c.txt": "c"}, {"z": ""}
    code = [build.script(40, seed=k) for k in range(4)]
    yield ("all renamed", {f"o/{k}.js": text for k, text in enumerate(code)},
           {f"n/{k}x.js": text.replace("render", "paint") for k, text in enumerate(code)})
    yield ("file and directory", {"a": code[0], "b/c": code[1]}, {"a/x": code[0] + ";", "b": code[1]})
    yield ("Unicode, CRLF, high bytes",
           {"größe/日本.txt": "Zeile äöü\r\n" * 50, "l1": bytes(range(256)) * 4},
           {"größe/日本語.txt": "Zeile äöü\r\n" * 30 + "neu ß\r\n" * 9, "l1": bytes(range(255, -1, -1)) * 4})
    endings = {f"{k}/x.{ending}": "1" for k, ending in enumerate(independent.Info.TABLE)}
    names = {"no dot": "", "odd/a+b;c=@d'(e).JS": "x", "größe.txt": "y", "a.b.Html": "h", "q.ß": "s"}
    yield "names and types", {"index.html": "1"}, {"index.html": "2"} | endings | names
    yield "one hash in many names", *many_names(build)
    # The hash of a token is that of its first and last eight bytes and its length.
    one, two = "abcdefghZbxxxxxxx", "abcdefghZZaxxxxxxx"
    lines = "".join(f"function call{k}(alpha, beta) {{ return {one}(alpha) + {two}(beta, 2); }}\n"
                    for k in range(200))
    yield "tokens with one hash", {"a.js": lines}, {"a.js": lines.replace(one, "renamed")}
    yield "copies alone", *copied(build, 9)
    yield "copies beside changes", *(tree | {"z.js": build.script(20 + k, (3,))}
                                     for k, tree in enumerate(copied(build, 40)))
    hashes = [(build.hash(), build.hash()) for _ in range(12)]
    yield "copies beside two streams", *(
        {f"c/{k}-{pair[side]}.{ending}": (f"text {k} " * 30 if k % 2 else build.source_map(side)
                                          if ending == "js.map" else f"let a={k + side}")
         for k, pair in enumerate(hashes) for ending in ("js", "js.map", "css")} for side in (0, 1))
    yield ("one base, many files", {"a-11111111.js": code[2]},
           {"a-22222222.js": code[2] + "1", "a-33333333.js": code[2].replace("state", "States"),
            "a-11111111.js": code[2]})
    if quick:
        return
    new = "".join(f"export const {build.random.choice(WORDS)}{build.random.randrange(900)}="
                  f"{build.random.choice(WORDS)}.{build.random.choice(WORDS)}();\n" for _ in range(800))
    yield "30 KB of new code", {"app.js": code[0]}, {"app.js": code[0], "new.js": new[:30000]}
    moved = [build.script(60, seed=20 + k) for k in range(8)]
    yield ("moved chunks", {"a.js": "".join(moved[:4]), "b.js": "".join(moved[4:])},
           {"a.js": "".join(moved[:2] + moved[5:]), "b.js": "".join(moved[2:5][::-1])})
    yield "repeats", {"r": "abc" * 5000}, {"r": "abc" * 4000 + "abd" * 5000, "s": "\0" * 20000}
    yield "noise all new", {"a": "a"}, {"n.bin": build.noise(20000)}
    for k in range(12):
        parts = [build.script(build.random.randrange(5, 60), seed=k * 100 + n) for n in range(12)]
        edited = []
        for part in parts:
            at = build.random.randrange(len(part))
            edited.append(build.random.choice((
                part, part[:at], part[at:] + part[:at], part.replace("return", "yield"),
                part[:at] + "/* ü */" + part[at:], part.upper(), part * 2)))
        names = [f"f{n}-{build.hash()}.js" for n in range(12)]
        other = [build.random.choice((name, f"f{n}-{build.hash()}.js")) for n, name in enumerate(names)]
        yield f"random {k}", dict(zip(names, parts)), dict(zip(other, edited))
    yield ("large", {"app.js": build.script(1800)}, {"app.js": build.script(1800, (9, 70), 0.01)})


def many_names(build):
    """Trees whose names share hashes, some of which are not predictable from the edit of another name."""
    trees = {}, {}
    for k in range(40):
        hashes = build.hash(), build.hash()
        piece = build.random.choice(("", "", "x" * 70, "a", "u.v"))
        for number, (tree, digits) in enumerate(zip(trees, hashes)):
            for folder in ("a", "b/c", "d.e", "f", "g", "h"):
                text = f"{folder} {k} {'text ' * (k % 7)}"
                # Two folders keep their names, one has other hashes; some names have two pieces.
                own = digits
                if folder in ("d.e", "h"):
                    own = hashes[0]
                elif folder == "f" and k % 3 < 2 and number >= k % 3:
                    own = build.hash()
                twice = f".{digits}" if k % 5 == 0 else ""
                tree[f"{folder}/n{k}-{piece}{own}{twice}.js"] = text + (" new" * number if k % 4 == 0 else "")
                if k % 2:
                    tree[f"{folder}/n{k}-{piece}{own}{twice}.js.LICENSE.txt"] = "licence"
    return trees


def copied(build, count):
    """Trees with files that are only renamed: by hash, folder, or both, some of them twice."""
    old, new = {}, {}
    folders = build.hash(), build.hash()
    for k in range(count):
        text, digits = build.noise(50 + k), (build.hash(), build.hash())
        stem = ("s/{0}/n{2}.js", "n{2}-{1}.js", "v.{0}/n{2}.{1}.css", "plain{2}")[k % 4]
        old[stem.format(folders[0], digits[0], k)] = text
        new[stem.format(folders[1], digits[1], f"{k}b" if k % 8 == 7 else k)] = text
        if k % 3 == 0:
            new[f"twin/{k}-{digits[1]}.js"] = text
        if k % 5 == 0:                      # another file takes the old name
            new[stem.format(folders[0], digits[0], k)] = build.noise(60)
        if k % 7 == 0:
            old[f"same/{k}"] = text         # one content under two names
    return old, new


def large(seed):
    """Pairs whose files are spread over streams, with pieces of old files as dictionaries.

    A stream makes at most 16 MiB. A piece of a spread file, and a file whose base has more than 32 MiB, is
    coded against a part of its base. There are few edits, because apply.py takes some seconds per mebibyte.
    """
    build = Build(seed)
    line = build.script(700)
    text = "".join(f"{line[k % 900:]}\n//{k}\n" for k in range(1 + (18 << 20) // (len(line) - 450)))

    def edited(data, *places):
        for at in sorted(places, reverse=True):
            word = "changed" + build.hash()
            data = data[:at] + (word if isinstance(data, str) else word.encode()) + data[at + 9:]
        return data

    yield ("spread over two streams", {"a.js": "a()", "big.js": text, "z.js": "z()"},
           {"a.js": "b()", "big.js": edited(text, 99, 5 << 20, (16 << 20) - 4, 17 << 20), "z.js": "z(1)"})
    noise = build.noise(1 << 20)
    wide = b"".join(bytes([k]) + noise[k:] for k in range(34))
    yield ("a part of a large base", {"n.bin": wide}, {"n.bin": edited(wide[3 << 20:9 << 20], 1 << 20)})
    yield ("spread over three, renamed", {"n-1111111a.bin": wide},
           {"n-2222222b.bin": edited(wide, 7, 16 << 20, 20 << 20, (32 << 20) + 5)})
    words = ["".join(build.random.choices(SEQUENCE, k=build.random.randrange(4, 11))) for _ in range(900)]
    fresh = " ".join(build.random.choice(words) for _ in range(17 << 17))
    yield ("new words, spread, LZMA", {"a.txt": fresh[:900]}, {"a.txt": fresh[:17 << 20]})
    yield ("spread, and longer than its base", {"n.bin": wide[:9 << 20], "m.bin": noise},
           {"n.bin": wide[:9 << 20] + edited(wide[:8 << 20], 5 << 20), "m.bin": noise[::-1][:3000] + noise})


class Agreement:
    def __init__(self, packtool, root):
        self.packtool, self.root = os.path.abspath(packtool), root
        self.failed = self.made = self.cuts = 0
        self.deltas, self.halves = [], []

    def path(self, name):
        return os.path.join(self.root, name)

    def run(self, *arguments):
        return subprocess.run([self.packtool, *arguments, "--quiet"], capture_output=True, text=True,
                              cwd=self.root, check=False)

    @staticmethod
    def content(content):
        return content.encode() if isinstance(content, str) else content

    @staticmethod
    def write(place, files):
        os.makedirs(place)
        for path, content in files.items():
            target = os.path.join(place, path)
            os.makedirs(os.path.dirname(target), exist_ok=True)
            with open(target, "wb") as file:
                file.write(Agreement.content(content))

    @staticmethod
    def read(place):
        return independent.Tree.read(place).files if os.path.isdir(place) else None

    def pair(self, name, old, new):
        started = time.monotonic()
        for place in "old", "new", "ours", "theirs":
            shutil.rmtree(self.path(place), ignore_errors=True)
        self.write(self.path("old"), old)
        self.write(self.path("new"), new)
        delta = self.path(f"{self.made}.zip")
        manifest = self.manifest()
        made = self.run("delta", "old", "new", "-o", delta, "--info", "info.json")
        if made.returncode:
            return self.report(name, started, "no delta: " + made.stderr.strip())
        wanted, about, problems = self.read(self.path("new")), None, []
        try:
            about = independent.apply(self.path("old"), delta, self.path("ours"), self.path("ours.json"))
        except Exception as error:                  # a crash of apply.py is also a difference
            problems.append(f"apply.py: {type(error).__name__}: {error}")
        if about and sum(map(len, old.values())) > 4 << 20:
            sizes = [len(content) for _, content in sorted((path.encode(), self.content(content))
                                                           for path, content in old.items())]
            continued = sum(file.continued for stream in about.streams for file in stream.files)
            partial = sum(length < sizes[file] for stream in about.streams
                          for file, _, length in stream.segments)
            print(
                f"  {continued} pieces go on with a file, {partial} segments are parts of theirs", flush=True
            )
            if not continued + partial:
                problems.append("no file is spread, none coded along a part")
        theirs = self.run("apply", "old", delta, "-o", "theirs", "--info", "theirs.json")
        if not problems and self.read(self.path("ours")) != wanted:
            problems.append("apply.py: other bytes")
        if theirs.returncode or self.read(self.path("theirs")) != wanted:
            problems.append("packtool apply: other bytes " + theirs.stderr.strip())
        for info in "ours.json", "theirs.json":
            if not problems and self.take(info) != manifest:
                problems.append(f"{info}: another info.json")
        if sum(map(len, new.values())) < 1 << 20:
            self.deltas.append((delta, old))
            if not problems:
                problems += self.cut_streams(delta, about, wanted)
        self.made += 1
        return self.report(name, started, "; ".join(problems), about, new, os.path.getsize(delta))

    def cut_streams(self, path, about, wanted):
        """Applies the delta with streams cut at the start, in the middle and before the end."""
        old, problems = independent.Tree.read(self.path("old")), []
        with open(path, "rb") as file:
            delta = forge.Delta(file.read())
        for part in 0, 0.5, 1:
            forged = delta.copy().stated(forge.ENOUGH)
            for index, stream in enumerate(about.streams):
                if stream.method == "aligned" and stream.coded > 1 and len(stream.content[0]) < 40_000:
                    name = f"patches/{index}"
                    others = about.streams[:index] + about.streams[index + 1:]
                    coded = int(part * (stream.coded - 1))
                    forged.members[name] = cut(delta.members[name], stream, others, old, coded)
            if forged.members == delta.members:
                continue
            other = self.path(f"{self.made}-cut.zip")
            with open(other, "wb") as file:
                file.write(forged.bytes())
            for place in "ours", "theirs":
                shutil.rmtree(self.path(place), ignore_errors=True)
            try:
                independent.apply(self.path("old"), other, self.path("ours"))
            except Exception as error:
                problems.append(f"cut at {part}: apply.py: {type(error).__name__}: {error}")
            theirs = self.run("apply", "old", other, "-o", "theirs")
            if theirs.returncode or self.read(self.path("theirs")) != wanted:
                problems.append(f"cut at {part}: packtool: other bytes {theirs.stderr.strip()}")
            if self.read(self.path("ours")) != wanted:
                problems.append(f"cut at {part}: apply.py: other bytes")
            self.cuts += 1
            if part == 0.5:
                self.halves.append((other, self.deltas[-1][1]))
        return problems

    def take(self, name):
        """Removes a file, and returns its bytes."""
        with open(self.path(name), "rb") as file:
            data = file.read()
        os.remove(self.path(name))
        return data

    def manifest(self):
        """Writes info.json of the new tree: in turn like packtool, with a package, and with other types."""
        made = self.run("manifest", "new", "--app", "shop", "--base-url", "https://cdn.example.com/a%20b/shop",
                        "-o", "info.json", *(["--commit", "c0ffee"] if self.made % 2 else []))
        if made.returncode:
            raise SystemExit(made.stderr)
        text = self.take("info.json").decode()
        if self.made % 3:
            version = json.loads(text)["version"]
            text = text.replace(
                '\n  "build": {',
                '\n  "package": {\n    "url": "https://cdn.example.com/a%20b/shop/releases/' + version
                + '/package.zip",\n    "sha256": "' + "0123456789abcdef" * 4
                + '",\n    "size": 12345\n  },\n  "build": {')
        if self.made % 3 == 2:
            text = text.replace('"text/javascript"', '"application/\\"javascript\\""')
            text = text.replace('"application/octet-stream"', '"x/y"')
        with open(self.path("info.json"), "w", encoding="utf-8") as file:
            file.write(text)
        return text.encode()

    def report(self, name, started, problem, about=None, new=(), size=0):
        self.failed += bool(problem)
        streams = about.streams if about else []
        print(f"{name:27}{len(new):6}{size:9}{sum(s.coded for s in streams):9}  "
              f"{' '.join(s.method for s in streams) or '-':16}{time.monotonic() - started:6.1f} s  "
              f"{problem or 'same'}", flush=True)

    def damaged(self, delta, old, step):
        """Changes every step-th byte, in the archive, then in the streams with a correct CRC-32."""
        shutil.rmtree(self.path("old"))
        self.write(self.path("old"), old)
        with open(delta, "rb") as file:
            data = file.read()
        versions = [(f"byte {at}", data[:at] + bytes([data[at] ^ 1 << at % 8]) + data[at + 1:])
                    for at in range(0, len(data), step)]
        with zipfile.ZipFile(delta) as archive:
            members = [(info.filename, archive.read(info)) for info in archive.infolist()]
        for name, content in members:
            if name.startswith("patches/"):
                for at in [*range(min(10, len(content))), *range(10, len(content), step), len(content) - 1]:
                    changed = content[:at] + bytes([content[at] ^ 1 << at % 7]) + content[at + 1:]
                    versions.append((f"{name} byte {at}", self.archive(members, name, changed)))
                versions.append((f"{name} and a zero", self.archive(members, name, content + b"\0")))
                versions.append((f"{name} and a one", self.archive(members, name, content + b"\1")))
                versions.append((f"{name} cut", self.archive(members, name, content[:-1])))
        refused = memory = 0
        for what, version in versions:
            for place in "ours", "theirs":
                shutil.rmtree(self.path(place), ignore_errors=True)
            with open(self.path("damaged.zip"), "wb") as file:
                file.write(version)
            try:
                independent.apply(self.path("old"), self.path("damaged.zip"), self.path("ours"))
                ours = ""
            except independent.Refused as error:
                ours = str(error)
            except Exception as error:              # a crash is not a refusal
                ours = f"CRASH {type(error).__name__}: {error}"
            theirs = self.run("apply", "old", "damaged.zip", "-o", "theirs")
            same = self.read(self.path("ours")) == self.read(self.path("theirs"))
            # The memory of a stream is packtool's own count: the document gives no formula.
            if "more memory than is allowed" in theirs.stderr:
                memory += 1
            elif bool(ours) != bool(theirs.returncode) or not same or "CRASH" in ours:
                self.failed += 1
                print(f"damage at {what}: apply.py: {ours or 'applied'}; packtool: "
                      f"{theirs.stderr.strip() or 'applied'}", flush=True)
            else:
                refused += bool(ours)
        print(f"damage: {len(versions)} versions of {os.path.basename(delta)}: {refused} refused by both, "
              f"{memory} by packtool for their memory, the others applied by both or listed above",
              flush=True)

    @staticmethod
    def archive(members, name, changed):
        """The members in a strict zip, all stored."""
        body = directory = b""
        for path, content in members:
            content = changed if path == name else content
            common = independent.struct.pack("<HHHHIIIHH", 0, 0, 0, 0x21, zlib.crc32(content),
                                             len(content), len(content), len(path), 0)
            directory += (b"PK\1\2" + b"\x14\x03\x0a\0" + common + bytes(8)
                          + independent.struct.pack("<HI", 0x81A4, len(body)) + path.encode())
            body += b"PK\3\4" + b"\x0a\0" + common + path.encode() + content
        return body + directory + b"PK\5\6" + independent.struct.pack(
            "<HHHHIIH", 0, 0, len(members), len(members), len(directory), len(body), 0)


def main():
    parser = argparse.ArgumentParser(description="Has packtool and apply.py agree.")
    parser.add_argument("packtool")
    parser.add_argument("--quick", action="store_true", help="a dozen pairs, less than a minute")
    parser.add_argument("--long", action="store_true", help="files spread over streams, too: minutes")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="only pairs whose name has this")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as root:
        agreement, count = Agreement(options.packtool, root), 0
        print(f"{'pair':27}{'files':>6}{'delta B':>9}{'coded B':>9}  {'method':16}{'time':>8}")
        for name, old, new in itertools.chain(pairs(options.seed, options.quick),
                                              large(options.seed) if options.long else ()):
            if options.only in name:
                agreement.pair(name, old, new)
                count += 1
        smallest = sorted(agreement.deltas, key=lambda pair: os.path.getsize(pair[0]))
        chosen = [pair for pair in smallest if os.path.getsize(pair[0]) > (450 if options.quick else 600)]
        halves = sorted(agreement.halves, key=lambda pair: os.path.getsize(pair[0]))
        for delta, old in chosen[:2] + halves[len(halves) // 2:][:1]:
            agreement.damaged(delta, old, 50)
    print(f"{count} pairs and {agreement.cuts} cut deltas, {agreement.failed} differences")
    return 1 if agreement.failed or not count else 0


if __name__ == "__main__":
    sys.exit(main())
