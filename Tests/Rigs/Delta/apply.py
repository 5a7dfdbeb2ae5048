#!/usr/bin/env python3
"""Applies a delta of packtool: python3 apply.py BASE DELTA -o DIR [--info FILE]

Written only from docs/formats.md and with the standard library, to prove that the document is sufficient; it
shares no code and no author's knowledge with Sources/PackCore. The headings below are those of the document.
It is slow (some thousand coded bytes a second) and meant for tests.
"""

import argparse
import hashlib
import json
import os
import re
import shutil
import struct
import sys
import tempfile
import unicodedata
import zlib
from itertools import chain
from operator import mul

M32 = 0xFFFFFFFF
M64 = 0xFFFFFFFFFFFFFFFF


class Refused(Exception):
    """Input that must be refused according to the document."""


def require(condition, message):
    if not condition:
        raise Refused(message)


# --- Names --------------------------------------------------------------------------------------

JUNK = {b".DS_Store", b"Thumbs.db", b"desktop.ini", b"__MACOSX", b".git", b".svn", b".hg",
        b".Spotlight-V100", b".Trashes", b".fseventsd"}
TEMPORARY = re.compile(rb"\.[0-9a-f]{32}\.packtool\Z")
DEVICES = re.compile(r"(con|prn|aux|nul|conin\$|conout\$|com[0-9]|lpt[0-9])\Z", re.I | re.A)


class Names:
    """The rules for paths, which are bytes."""

    @staticmethod
    def is_junk(component):
        return (component in JUNK or TEMPORARY.match(component) is not None
                or component.startswith((b"._", b".#"))
                or component.endswith(b"~")
                or component.startswith(b"#") and component.endswith(b"#")
                or component.startswith(b".") and component.endswith((b".swp", b".swo", b".swx")))

    @staticmethod
    def check(path, portable=True):
        """Refuses a path not allowed in a build, or with `portable` in a package."""
        try:
            text = path.decode("utf-8")
        except UnicodeDecodeError:
            raise Refused(f"a path is not UTF-8: {path!r}") from None
        parts = path.split(b"/")
        require(not any(part in (b"", b".", b"..") for part in parts), f"unsafe path {text!r}")
        require(not any(c < " " or "\x7f" <= c <= "\x9f" or c == "\\" for c in text),
                f"a control character or backslash in {text!r}")
        require(all(len(part) <= 255 for part in parts), f"a long name in {text!r}")
        if not portable:
            return
        require(len(path) <= 1024 and len(parts) <= 32, f"a long path: {text!r}")
        require(b":" not in path, f"a colon in {text!r}")
        for part in text.split("/"):
            require(not part.endswith((".", " ")), f"a dot or space ends a name in {text!r}")
            require(not DEVICES.match(part.split(".")[0]), f"a device name in {text!r}")
        require(unicodedata.is_normalized("NFC", text), f"not in normal form C: {text!r}")

    @staticmethod
    def check_collisions(paths):
        """Refuses two paths that are the same on some file systems, and a file that is also a directory."""
        def fold(path):
            return unicodedata.normalize("NFC", path.decode("utf-8").casefold())

        files = set()
        for path in paths:
            require(fold(path) not in files, f"two paths collide: {path!r}")
            files.add(fold(path))
        for path in paths:
            parts = path.split(b"/")
            for depth in range(1, len(parts)):
                require(fold(b"/".join(parts[:depth])) not in files, f"a file and directory: {path!r}")


# --- Listing and version ------------------------------------------------------------------------

class Tree:
    """The assets of a release: path to content, both bytes."""

    def __init__(self, files):
        Names.check_collisions(list(files))
        self.files = dict(sorted(files.items()))
        self.paths = list(self.files)
        self.contents = list(self.files.values())

    @classmethod
    def read(cls, place):
        if not os.path.isdir(place):
            with open(place, "rb") as file:
                return cls(Archive(file.read()).members)
        files = {}
        cls._walk(os.fsencode(place), b"", files)
        return cls(files)

    @classmethod
    def _walk(cls, directory, prefix, files):
        for entry in os.scandir(directory):
            if Names.is_junk(entry.name):
                continue
            path = prefix + entry.name
            Names.check(path, portable=False)
            if entry.is_dir(follow_symlinks=False):
                cls._walk(entry.path, path + b"/", files)
            else:
                require(entry.is_file(follow_symlinks=False), f"not a regular file: {path!r}")
                with open(entry.path, "rb") as file:
                    files[path] = file.read()

    def write(self, place):
        """Writes to a new directory, which must not exist."""
        os.mkdir(place)
        for path, content in self.files.items():
            target = os.path.join(os.fsencode(place), path)
            os.makedirs(os.path.dirname(target), exist_ok=True)
            with open(target, "xb") as file:
                file.write(content)

    def package_hash(self):
        listing = hashlib.sha256()
        for path, content in self.files.items():
            digest = hashlib.sha256(content).hexdigest()
            listing.update(digest.encode() + b"  " + path + b"\n")
        return listing.hexdigest()


# --- JSON by the rules of info.json -------------------------------------------------------------

def parse_json(data):
    def members(pairs):
        names = [name for name, _ in pairs]
        require(len(set(names)) == len(names), "a JSON object has a name twice")
        return dict(pairs)

    def integer(text):
        require(len(text) <= 17 and abs(int(text)) < 1 << 53, "a JSON integer is too large")
        return int(text)

    def constant(text):
        raise Refused(f"not JSON: {text}")

    def depth(value):
        if isinstance(value, dict):
            value = list(value.values())
        return 1 + max(map(depth, value), default=0) if isinstance(value, list) else 0

    require(len(data) <= 64 << 20 and not data.startswith(b"\xef\xbb\xbf"), "not the JSON expected")
    try:
        value = json.loads(data.decode("utf-8"), object_pairs_hook=members, parse_int=integer,
                           parse_constant=constant)
        json.dumps(value, ensure_ascii=False).encode("utf-8")       # no lone surrogates
    except (ValueError, RecursionError) as error:
        raise Refused(f"not JSON: {error}") from None
    require(depth(value) <= 16, "JSON is nested too deeply")
    return value


# --- The strict zip profile ---------------------------------------------------------------------

class Archive:
    """A zip read by the strict profile: members as a dictionary in the order of the directory."""

    IGNORED = {0x5455, 0x5878, 0x7875, 0x5855, 0x7855, 0x000A}

    def __init__(self, data):
        self.data = data
        start, end, count = self._directory()
        self.members, directories, at, expected = {}, [], start, 0
        for _ in range(count):
            at, name, is_directory, content, expected = self._entry(at, end, expected)
            Names.check(name)
            require(name not in self.members and name not in directories, f"{name!r} twice")
            if is_directory:
                require(content == b"", "a directory with content")
                directories.append(name)
            else:
                self.members[name] = content
        require(at == end, "the central directory has another size")
        require(expected == start, "something between the last entry and the directory")
        Names.check_collisions(list(self.members) + directories)

    def _directory(self):
        data = self.data
        found = data.rfind(b"PK\5\6")
        require(found >= 0 and found + 22 <= len(data), "no zip: no end record")
        (disk, directory_disk, here, count, size, offset,
         comment) = struct.unpack_from("<HHHHIIH", data, found + 4)
        require(found + 22 + comment == len(data), "something behind the end record")
        require(disk == directory_disk == 0 and here == count, "more than one disk")
        end = found
        if count == 0xFFFF or M32 in (size, offset):
            require(found >= 76 and data[found - 20:found - 16] == b"PK\6\7", "no zip64 locator")
            disk, place, disks = struct.unpack_from("<IQI", data, found - 16)
            end = found - 76
            require(disk == 0 and disks == 1 and place == end, "a wrong zip64 locator")
            require(data[end:end + 4] == b"PK\6\6", "no zip64 end record")
            (record, _, needed, disk, directory_disk, here64, count64, size64,
             offset64) = struct.unpack_from("<QHHIIQQQQ", data, end + 4)
            require(record == 44 and needed <= 45 and disk == directory_disk == 0
                    and here64 == count64, "a wrong zip64 end record")
            for plain, full, wide in ((count, 0xFFFF, count64), (size, M32, size64),
                                      (offset, M32, offset64)):
                require(plain == (wide if wide < full else full), "zip64 where it is not needed")
            count, size, offset = count64, size64, offset64
        else:
            require(data[max(0, found - 20):found][:4] != b"PK\6\7", "zip64 where it is not needed")
        require(count <= 200000 and offset + size == end, "gaps around the central directory")
        return offset, end, count

    def _extra(self, field, wanted):
        """The values of a zip64 field, one for each True in `wanted`."""
        seen, values = set(), None
        while field:
            require(len(field) >= 4, "a broken extra field")
            kind, length = struct.unpack_from("<HH", field)
            body, field = field[4:4 + length], field[4 + length:]
            require(len(body) == length and kind not in seen, "a broken extra field")
            seen.add(kind)
            require(kind == 1 or kind in self.IGNORED, f"extra field {kind:04x}")
            if kind == 1:
                require(length == 8 * sum(wanted), "a wrong zip64 field")
                values = list(struct.unpack(f"<{sum(wanted)}Q", body))
        require((values is not None) == any(wanted), "zip64 not where it is needed")
        return values or []

    def _entry(self, at, end, expected):
        data = self.data
        require(at + 46 <= end and data[at:at + 4] == b"PK\1\2", "a broken central directory")
        (_, needed, flags, method, _, _, crc, packed, size, name_length, extra_length, comment,
         disk, _, external, offset) = struct.unpack_from("<HHHHHHIIIHHHHHII", data, at + 4)
        name = data[at + 46:at + 46 + name_length]
        extra = data[at + 46 + name_length:at + 46 + name_length + extra_length]
        at += 46 + name_length + extra_length
        require(at <= end and comment == 0 and disk == 0, "a broken central directory")
        wanted = [value == M32 for value in (size, packed, offset)]
        wide = self._extra(extra, wanted)
        true_size, true_packed, true_offset = (
            wide.pop(0) if full else plain for full, plain in zip(wanted, (size, packed, offset)))
        require(flags & ~0x806 == 0 and method in (0, 8) and needed & 0xFF <= 45, "unknown features")
        require(flags & 0x800 or name.isascii(), "a name that is not flagged as UTF-8")
        is_directory = name.endswith(b"/")
        require(external >> 28 in (0, 4 if is_directory else 8)
                and (is_directory or not external & 0x10), "not a regular file")

        require(true_offset == expected and expected + 30 <= len(data)
                and data[expected:expected + 4] == b"PK\3\4", "entries do not tile the file")
        local = struct.unpack_from("<HHHHHIIIHH", data, expected + 4)
        require(local[1:3] == (flags, method) and local[5:8] == (crc, packed, size)
                and local[0] & 0xFF <= 45, "two headers of an entry differ")
        body = expected + 30
        require(data[body:body + local[8]] == name, "two names of an entry differ")
        body += local[8]
        wide = self._extra(data[body:body + local[9]], [size == M32, packed == M32])
        require(not wide or wide[:1] == [true_size], "two sizes of an entry differ")
        body += local[9]
        stop = body + true_packed
        require(stop <= end, "an entry is cut off")
        require(true_size <= true_packed * 1032, "an entry claims to inflate too much")
        content = data[body:stop]
        if method == 8:
            content = self._inflate(content, true_size)
        require(len(content) == true_size and zlib.crc32(content) == crc, f"damaged: {name!r}")
        return at, name.rstrip(b"/") if is_directory else name, is_directory, content, stop

    @staticmethod
    def _inflate(content, size):
        inflater = zlib.decompressobj(-15)
        try:
            result = inflater.decompress(content, size + 1)
        except zlib.error as error:
            raise Refused(f"damaged: {error}") from None
        require(inflater.eof and not inflater.unused_data and len(result) == size, "damaged deflate")
        return result


# --- Probabilities, arithmetic coder ------------------------------------------------------------

def _tables():
    e, squash = 1 << 62, []
    for _ in range(3073):
        squash.append(min(65535, (1 << 48) // ((1 << 32) + (e >> 30))))
        e = e * 4593706758521714574 >> 62
    squash = [max(1, 65536 - squash[-x]) if x < 0 else squash[x] for x in range(-3072, 3072)]
    stretch, x = [], 0
    for p in range(4096):
        while x + 1 < 6144 and squash[x + 1] <= 16 * p + 8:
            x += 1
        stretch.append(x - 3072)
    return squash, stretch


SQUASH, STRETCH = _tables()                 # by x + 3072; by p >> 4, which is counter >> 20
RECIPROCAL = [655360 // (10 * n + 16) for n in range(1024)]
HALF = 1 << 31                              # a counter: 22 bits of probability, 10 bits n


def updated(counter, bit, limit):
    probability, n = counter >> 10, counter & 1023
    probability += (((bit << 22) - probability) >> 3) * RECIPROCAL[n] >> 13
    if probability > 0x3FFFFF:
        probability = 0x3FFFFF
    return probability << 10 | (n + 1 if n < limit else n)


class ArithmeticDecoder:
    def __init__(self, data):
        self.data = data
        self.low, self.high = 0, M32
        self.value = int.from_bytes(data[:4].ljust(4, b"\0"), "big")
        self.at = 4

    def bit(self, probability):
        low, high = self.low, self.high
        middle = low + ((high - low) * probability >> 16)
        if self.value <= middle:
            bit, high = 1, middle
        else:
            bit, low = 0, middle + 1
        while (low ^ high) < 1 << 24:
            low = low << 8 & M32
            high = high << 8 & M32 | 255
            byte = self.data[self.at] if self.at < len(self.data) else 0
            self.value = self.value << 8 & M32 | byte
            self.at += 1
        self.low, self.high = low, high
        return bit

    def code(self, counters, place, limit):
        counter = counters[place]
        bit = self.bit(max(1, counter >> 16))
        counters[place] = updated(counter, bit, limit)
        return bit

    def finish(self):
        expected = ((self.low >> 24) + 1) << 24 if self.low else 0
        require(self.value == expected, "a coded part ends wrongly")
        require(self.at >= len(self.data), "something behind a coded part")
        require(not self.data or self.data[-1] != 0, "a coded part ends in a zero")


# --- Listing of a stream ------------------------------------------------------------------------

class NewFile:
    """A file made by a stream, a part of one, or a copy of a whole old file."""

    def __init__(self, path, base, keeps_base, size, continued, edit):
        self.path, self.base, self.keeps_base, self.size = path, base, keeps_base, size
        self.continued, self.edit = continued, edit     # edit: None, or (start, old length, new length)


class Listing:
    """The dictionary's segments, (file, offset, length), the files and the copies of a stream.

    `known` contains replacements for pieces of a base's path; it is shared by successive listings.
    """

    def __init__(self, data, old, last_path, known, has_copies):
        self.coder, self.counters, self.old, self.known = ArithmeticDecoder(data), {}, old, known
        self.segments = self._segments()
        self.files = self._files(last_path)
        self.copies = self._copies() if has_copies else []
        self.coder.finish()

    def _bit(self, *place):
        self.counters.setdefault(place, HALF)
        return self.coder.code(self.counters, place, 60)

    def _number(self, kind):
        ones = 0
        while ones < 56 and self._bit(kind, "ones", ones):
            ones += 1
        value = 1
        for place in range(ones):
            bit = self._bit(kind, ones, value) if place < 3 else self.coder.bit(32768)
            value = value << 1 | bit
        return value - 1

    def _signed(self, kind):
        value = self._number(kind)
        return -(value >> 1) - 1 if value & 1 else value >> 1

    def _segments(self):
        segments, index = [], -1
        for _ in range(self._number("segments")):
            gap = self._number("segment file")
            index += gap
            require(gap > 0 and index < len(self.old.paths), "a segment of no file that comes behind")
            size = len(self.old.contents[index])
            offset, length = 0, size
            if not self._bit("whole"):
                offset, length = self._number("offset"), self._number("length")
            require(offset + length <= size, "a segment beyond its file")
            segments.append((index, offset, length))
        return segments

    def _files(self, last_path):
        files, path, expected = [], b"", 0
        for number in range(self._number("files")):
            continued = self._bit("continued") == 1
            require(number == 0 or not continued, "a file goes on that is not the first")
            base, edit, keeps_base = None, None, False
            if self._bit("has base"):
                base = self._base(expected)
                expected = base + 1
                if self._bit("base's path"):
                    path = self.old.paths[base]
                else:
                    path, edit = self._renamed(base)
                    keeps_base = self._bit("keeps base") == 1
                size = len(self.old.contents[base]) + self._signed("size by base")
            else:
                path, _ = self._edited(path)
                size = self._number("size")
            require(0 <= size < 1 << 32, "a size out of bounds")
            require(not continued or path == last_path, "a file goes on that was not begun")
            Names.check(path)
            files.append(NewFile(path, base, keeps_base, size, continued, edit))
        return files

    def _copies(self):
        copies, expected = [], 0
        for _ in range(self._number("copies") + 1):
            base = self._base(expected)
            expected = base + 1
            path, edit = self._renamed(base)
            require(path != self.old.paths[base], "a file is copied to itself")
            keeps_base = self._bit("keeps base") == 1
            Names.check(path)
            copies.append(NewFile(path, base, keeps_base, len(self.old.contents[base]), False, edit))
        return copies

    def _base(self, expected):
        base = expected + self._signed("base")
        require(0 <= base < len(self.old.paths), "a base that is not there")
        return base

    def _renamed(self, base):
        """A path derived from its base's path, and the edit."""
        before = self.old.paths[base]
        guess = self._known_edit(before)
        if guess and self._bit("known edit"):
            return guess
        path, edit = self._edited(before)
        start, go, count = edit
        if 4 <= go <= 64 and count >= 1 and len(self.known) < 1024:
            self.known.setdefault(before[start:start + go], path[start:start + count])
        return path, edit

    def _known_edit(self, before):
        end = len(before)
        for start in reversed(range(end)):
            if before[start] in b"./":
                end = start                 # a piece stops before it
            if start and before[start - 1] not in b"-._/":
                continue
            new = self.known.get(before[start:end])
            if new is not None:
                return before[:start] + new + before[end:], (start, end - start, len(new))
        return None

    def _edited(self, before):
        stay, go = self._number("stay"), self._number("go")
        require(stay + go <= len(before), "an edit beyond a path")
        count = go + self._signed("new")
        require(0 <= count <= 1024, "an edit without end")
        new, tree = bytearray(), "first byte"
        for _ in range(count):
            node = 1
            for _ in range(8):
                node = node << 1 | self._bit(tree, node)
            new.append(node & 255)
            tree = "byte"
        start = len(before) - stay - go
        return before[:start] + new + before[start + go:], (start, go, count)


class Text:
    """Padding, dictionary, names, space for the output, zeros: one array of bytes."""

    def __init__(self, listing, others, old):
        text, self.bases = bytearray(64), {}
        for index, offset, length in listing.segments:
            start, size = self.bases.get(index, (len(text), 0))
            self.bases[index] = start, size + length
            text += old.contents[index][offset:offset + length]
        self.seeds = []                     # (old piece, position of the new one, its length)
        for file in chain(*(each.files + each.copies for each in (listing, *others))):
            if file.edit and file.edit[1] >= 4 and file.edit[2] >= 1 and len(self.seeds) < 65536:
                start, go, count = file.edit
                piece = old.paths[file.base][start:start + go]
                text += piece + b"\n"
                self.seeds.append((piece, len(text) + start, count))
            text += file.path + b"\n"
        self.out = len(text)
        self.out_end = self.out + sum(file.size for file in listing.files)
        self.bytes = text + bytes(self.out_end - self.out + 192)

    def base(self, file):
        """The position of a file's base, and its length."""
        return self.bases.get(file.base, (0, 0))


# --- The aligned coder: shared definitions ------------------------------------------------------

def _kind(byte):
    character = chr(byte)
    if byte >= 0x80:
        return 5
    if byte < 0x20:
        return 4
    for kind, characters in enumerate((
            "abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "0123456789", "_$", "", "",
            "\"'`", ".", ",", "()", "{}", " ", "=:", "-/")):
        if character in characters:
            return kind
    return 14


KIND = [_kind(byte) for byte in range(256)]
TOKEN = [kind in (0, 1, 2, 3, 5) for kind in KIND]
SEPARATOR = [chr(byte) in "-._/" for byte in range(256)]


def mix(a, b, c):
    """The document's hash(a, b, c)."""
    return a * 0x2F0B4A27 + b * 0x9E3779B1 + c * 0x85EBCA6B & M32


GOLDEN, FACTOR = 0x9E3779B97F4A7C15, 0xD6E8FEB86659FD93


def token_hash(token):
    value = int.from_bytes(token[:8], "little")
    if len(token) > 8:
        value ^= (int.from_bytes(token[-8:], "little") + len(token)) * FACTOR & M64
    return (value * GOLDEN & M64) >> 32 or 1


INPUT = [max(-2047, min(2047, x)) for x in STRETCH]


SHORT_HALF = 0x8000                         # a short counter: 12 bits of probability, 4 bits n
PACE = [655360 // (10 * n + 13) for n in range(16)]


def short_updated(counter, bit, limit):
    end = 0xFFF0 if bit else 0
    distance, n = (counter ^ end) & 0xFFF0, counter & 15
    distance = distance - (distance * PACE[n] >> 16) & 0xFFF0
    return distance ^ end | (n + 1 if n < limit else n)


def weighted(weights, inputs):
    return sum(map(mul, weights, inputs))


def clamp(value):
    return max(-3071, min(3071, value))


def adjusted(weights, inputs, mixed, bit, rate):
    """The weights of a set after a bit."""
    step = max(-32767, min(32767, ((bit << 16) - SQUASH[mixed + 3072]) * rate >> 4))
    if step:
        weights = [w + (x * step + 0x8000 >> 16) for w, x in zip(weights, inputs)]
        if max(weights) > 31743 or min(weights) < -31743:
            weights = [max(-31743, min(31743, w)) for w in weights]
    return weights


# The depth of the leaf of each byte.
DEPTHS = (
    "aaaaabbbba7bbbbbbbbbbbcccccccccc77789988567756677666666666788688"
    "99888889989988888887899999978997766664677677665677555678888777bb"
    "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"
    "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbcccc"
)


def tree(leaves, depth, children):
    """Takes the leaves of one subtree, and appends its inner nodes: each one before its subtrees."""
    if leaves[0][0] == depth:
        return "leaf", leaves.pop(0)[1]
    number = len(children)
    children.append(None)
    left = tree(leaves, depth + 1, children)
    children[number] = left, tree(leaves, depth + 1, children)
    return "node", number


CHILDREN = []                                           # both children of each inner node
tree([(int(digit, 16), byte) for byte, digit in enumerate(DEPTHS)], 0, CHILDREN)
WAYS = {}                                               # the nodes and bits that lead to a byte


def walk(node, way):
    for bit, (kind, child) in enumerate(CHILDREN[node]):
        if kind == "leaf":
            WAYS[child] = [*way, (node, bit)]
        else:
            walk(child, [*way, (node, bit)])


walk(0, [])


class Literals:
    def __init__(self, coder, text, literal_bits):
        self.text = text
        self.coder = coder
        self.groups = [[[1500] * 7 for _ in range(count)] for count in (255, 128)]
        self.order0 = [SHORT_HALF] * 255
        self.mask = (1 << literal_bits) - 1
        self.slots = [{} for _ in range(7)]             # a slot: its check, then 15 counters

    def _slot(self, context, h):
        slots, f, check = self.slots[context], h >> 16 & self.mask, h & 0xFFFF | 1
        first, second = slots.get(f), slots.get(f ^ 1)
        if first and first[0] == check:
            return first
        if second and second[0] == check:
            return second
        n, m = (slot[1] & 15 if slot else 0 for slot in (first, second))
        fresh = slots[f ^ 1 if m < n else f] = [check] + [SHORT_HALF] * 15
        return fresh

    @staticmethod
    def _at_node(h, node):
        return h ^ node * 0x9E3779B1 & 0x7FFFFF

    def code(self, at, refused, state, token_context):
        last = self.text[at - 1]
        word, before = word_before(self.text, at)
        hist = history(self.text, at)
        hashes = [mix(1, last, 0), mix(2, hist & 0xFFFF, 0), mix(3, hist & 0xFFFFFF, 0),
                  mix(4, word, before), mix(5, refused, state), mix(6, token_context, word)]
        kind, node, depth = "node", 0, 0
        while kind == "node":
            if depth % 4 == 0:
                inner = 1
                tables = [self.order0] + [
                    self._slot(k, self._at_node(h, node)) for k, h in enumerate(hashes, 1)]
            bit = self._bit(tables, [node] + [inner] * 6, (node, KIND[last] * 8 + min(depth, 7)))
            kind, node = CHILDREN[node][bit]
            inner, depth = inner << 1 | bit, depth + 1
        return node

    def _bit(self, tables, places, sets):
        """Codes a bit; the counter of context k is tables[k][places[k]]."""
        inputs = [INPUT[table[place] >> 4] for table, place in zip(tables, places)]
        mixed = clamp(sum(weighted(group[s], inputs) for group, s in zip(self.groups, sets)) >> 14)
        bit = self.coder.bit(SQUASH[mixed + 3072])
        for group, s in zip(self.groups, sets):
            group[s] = adjusted(group[s], inputs, mixed, bit, 9)
        for table, place in zip(tables, places):
            table[place] = short_updated(table[place], bit, 10)
        return bit

    def learn(self, byte, at):
        hist, way = history(self.text, at), WAYS[byte]
        for depth in range(0, len(way), 4):
            for context, h in (2, mix(2, hist & 0xFFFF, 0)), (3, mix(3, hist & 0xFFFFFF, 0)):
                slot, inner = self._slot(context, self._at_node(h, way[depth][0])), 1
                for _, bit in way[depth:depth + 4]:
                    slot[inner] = short_updated(slot[inner], bit, 10)
                    inner = inner << 1 | bit


def word_before(text, at):
    start = at
    while start > at - 16 and TOKEN[text[start - 1]]:
        start -= 1
    middle = max(start, at - 8)
    value = int.from_bytes(text[middle:at], "little")
    value ^= int.from_bytes(text[start:middle], "little") * FACTOR & M64
    return (value * GOLDEN & M64) >> 32, text[start - 1]


def history(text, at):
    return int.from_bytes(text[at - 4:at], "big")


class Flags:
    def __init__(self, coder):
        self.coder = coder
        self.tables = [[SHORT_HALF] * 65536 for _ in range(6)]
        self.weights = [[1700] * 6 for _ in range(64)]

    def code(self, hashes, s):
        inputs = [INPUT[table[h >> 16] >> 4] for table, h in zip(self.tables, hashes)]
        mixed = clamp(weighted(self.weights[s], inputs) >> 13)
        bit = self.coder.bit(SQUASH[mixed + 3072])
        self.weights[s] = adjusted(self.weights[s], inputs, mixed, bit, 5)
        for table, h in zip(self.tables, hashes):
            table[h >> 16] = short_updated(table[h >> 16], bit, 15)
        return bit


class Positions:
    """The last end positions of the last 6 and 4 bytes."""

    def __init__(self, text, index_bits):
        self.text, self.shift, self.shift4 = text, 64 - index_bits, 32 - min(index_bits, 18)
        self.bits = len(text).bit_length()              # bits of a position; the others contain a check
        self.tables = {6: {}, 4: {}}

    def _place(self, count, q):
        """The table slot of a position, and the check in its entry."""
        h = int.from_bytes(self.text[q - count:q], "little")
        if count == 4:
            return (h * 2654435761 & M32) >> self.shift4, 0
        h = h * GOLDEN & M64
        return h >> self.shift, (h >> 8 & M32) >> self.bits

    def insert(self, q):
        for count, table in self.tables.items():
            place, check = self._place(count, q)
            table[place] = check, q

    def __getitem__(self, key):
        count, q = key
        place, wanted = self._place(count, q)
        check, found = self.tables[count].get(place, (0, 0))
        return found if check == wanted else 0


# --- Names that shift, source maps --------------------------------------------------------------

KEYWORDS = set(b"if in do of as for new var let try get set NaN null this void else case true from "
               b"with".split())


class NameShift:
    """A minifier's sequence of names, and the shifts in it."""

    def __init__(self, text):
        self.text, self.letters, self.learnt, self.moves = text, None, False, {}
        self.base = 0, 0

    def begin_file(self, base):
        self.base, self.letters, self.learnt = base, None, False

    def is_name(self, s, n):
        text = self.text
        return (2 <= n <= 4 and text[s - 1] not in b".-#"
                and (text[s + n] != 0x3A or text[s - 1] == 0x3F)
                and bytes(text[s:s + n]) not in KEYWORDS)

    @staticmethod
    def key(name):
        return len(name) << 24 | int.from_bytes(name[1:], "little")

    def predict(self, s, n):
        """The expected replacement of the name text[s ..< s+n], or None."""
        if not self.letters or self.text[s] not in self.letters or not self.is_name(s, n):
            return None
        key = self.key(self.text[s:s + n])
        for old, suffix, distance in self.moves.get((key * 2654435761 & M32) >> 20, ()):
            letter = self.letters[self.text[s]] + distance
            if old == key and 0 <= letter < len(self.letters):
                return bytes([self.order[letter]]) + suffix
        return None

    def note(self, s, n, s2, n2):
        text = self.text
        if not 2 <= n2 <= 4 or not self.is_name(s, n):
            return
        new = bytes(text[s2:s2 + n2])
        if not self.letters:
            if new == text[s:s + n] or self.learnt:
                return
            self.learnt = True
            self._learn()
            if not self.letters:
                return
        if text[s] not in self.letters or new[0] not in self.letters:
            return
        key = self.key(text[s:s + n])
        move = (key, new[1:], self.letters[new[0]] - self.letters[text[s]])
        pair = self.moves.setdefault((key * 2654435761 & M32) >> 20, [])
        if move in pair:
            at = pair.index(move)
            pair[0], pair[at] = pair[at], pair[0]
        else:
            pair[:] = [move] + pair[:1]

    def _learn(self):
        start, length = self.base
        if length < 5000:
            return
        self.moves = {}
        votes = self._votes(start, start + min(length, 256 << 10))
        after, before = {}, {}
        ranked = sorted((-count, a, b) for (a, b), count in votes.items()
                        if count > 3 and a != b and 36 <= a <= 127 and 36 <= b <= 127)
        for _ in range(64):
            for _, a, b in ranked:
                if a in after or b in before:
                    continue
                end = b
                while end in after:
                    end = after[end]
                if end != a:
                    after[a], before[b] = b, a
                    break
            else:
                break
        chains = []
        for first in sorted(after):
            if first not in before:
                chain = [first]
                while chain[-1] in after:
                    chain.append(after[chain[-1]])
                chains.append(chain)
        order = max(chains, key=len, default=[])
        if len(order) >= 20:
            self.order = order
            self.letters = {byte: place for place, byte in enumerate(order)}

    def _votes(self, at, end):
        text, seen, last, votes = self.text, {}, {}, {}
        while at < end:
            stop = at
            while stop < end and TOKEN[text[stop]]:
                stop += 1
            name = bytes(text[at:stop])
            if len(name) in (2, 3) and name[0] < 0x80 and KIND[name[0]] != 2 and self.is_name(
                    at, len(name)):
                h = 0
                for byte in name:
                    h = h * 257 + byte + 1 & M32
                h = h * 2654435761 & M32 | 1
                if seen.get(h >> 17) != h:
                    seen[h >> 17] = h
                    f = (self.key(name) * 2654435761 & M32) >> 18
                    if f in last:
                        pair = last[f], name[0]
                        votes[pair] = votes.get(pair, 0) + 1
                    last[f] = name[0]
            at = stop + 1
        return votes


DIGITS = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
DIGIT = {byte: value for value, byte in enumerate(DIGITS)}


class Fields:
    """Reads the fields of mappings digit by digit, and sums the fifth ones."""

    def __init__(self):
        self.number = self.field = self.shift = self.value = 0

    def take(self, byte):
        """True after the last digit of a fifth field."""
        digit = DIGIT.get(byte)
        if digit is None:
            self.field = self.shift = self.value = 0
            return False
        if self.shift < 50:
            self.value |= (digit & 31) << self.shift
        self.shift += 5
        if digit & 32:
            return False
        counts = self.field == 4
        if counts:
            self.number += -(self.value >> 1) if self.value & 1 else self.value >> 1
        self.field += 1
        self.shift = self.value = 0
        return counts

    @property
    def before_number(self):
        return self.field == 4 and self.shift == 0


class SourceMap:
    """The name indices in the mappings of a base, and their replacements in the new text."""

    START = re.compile(rb'[{,]"mappings":"')

    def __init__(self, text, base):
        start, length = base
        self.text, self.fields = text, {}               # start of a field: (number, digits)
        self.became, self.change, self.pending, self.new = {}, 0, None, None
        found = self.START.search(text, start, start + length)
        self.start = self.end = 0
        if found:
            self.start = found.end()
            self.end = text.find(b'"', self.start, start + length)
            if self.end < 0:
                self.end = start + length
            self._read()

    def __contains__(self, q):
        return self.start <= q < self.end

    def _read(self):
        reader, begin = Fields(), 0
        for q in range(self.start, self.end):
            if reader.shift == 0:
                begin = q
            if reader.take(self.text[q]):
                if not 0 <= reader.number < 1 << 24:
                    self.end = q + 1
                    return
                self.fields[begin] = reader.number, q + 1 - begin

    def count(self, at, origin):
        """Counts the byte at `at`, which is already written and comes from `origin`."""
        byte = self.text[at]
        if self.new is None:
            if byte == 0x22 and self.START.fullmatch(self.text, at - 12, at + 1):
                self.new = Fields()
        elif byte == 0x22:
            self.new = None
        else:
            if self.new.before_number and byte in DIGIT:
                self.pending = self.fields.get(origin, (None,))[0]
            if self.new.take(byte) and self.pending is not None and 0 <= self.new.number < 1 << 24:
                self.became[self.pending] = self.new.number
                self.change = self.new.number - self.pending

    def number_at(self, q):
        """The expected digits of the field at q, and its old length; or None."""
        if q not in self.fields or self.new is None or not self.new.before_number:
            return None
        old, length = self.fields[q]
        difference = self.became.get(old, old + self.change) - self.new.number
        value, digits = abs(difference) << 1 | (difference < 0), b""
        while True:
            digits += DIGITS[value & 31 | (32 if value > 31 else 0):][:1]
            value >>= 5
            if not value or len(digits) == 8:
                return digits, min(length, 8)


# --- The aligned coder: suspects, tokens, the walk ----------------------------------------------

class Suspect:
    """The expected replacement of an old token: text[position ..< position + new_length]."""

    def __init__(self, kind, old_length, position, new_length, hash_, confidence):
        self.kind, self.old_length, self.position = kind, old_length, position
        self.new_length, self.hash, self.confidence = new_length, hash_, confidence


class Token:
    """A token in progress."""

    def __init__(self, is_seed, origin, old_start, old_end, new_start, hash_, predicted, length):
        self.follows, self.is_seed, self.origin = True, is_seed, origin
        self.old_start, self.old_end, self.new_start = old_start, old_end, new_start
        self.hash, self.predicted, self.length = hash_, predicted, length


COPIED, MISSED, STOPPED = range(3)
NEITHER, DICTIONARY, ITSELF = range(3)


class AlignedDecoder:
    """Methods 0 and 4: fills the output of a text, or its first part."""

    def __init__(self, data, text, files, literal_bits, index_bits, limit):
        self.whole, self.files, self.limit = text, files, limit
        self.text, self.out, self.scratch = text.bytes, text.out, text.out_end + 128
        self.coder = ArithmeticDecoder(data)
        self.literals = Literals(self.coder, self.text, literal_bits)
        self.flags = Flags(self.coder)
        self.positions = Positions(self.text, index_bits)
        self.runs = {}                                              # the counters R
        self.names = NameShift(self.text)
        self.seeds, self.seed_lengths = {}, []
        for piece, position, length in text.seeds:
            self.seeds.setdefault(piece, (position, length))
        self.seed_lengths = sorted({len(piece) for piece in self.seeds}, reverse=True)
        self.candidate_history = self.trained_to = self.coded = 0
        self.stopped = False                                        # one more byte is to be coded than stated
        self.recorded = set()                                       # blocks of old text
        self.map_fields = 0                                         # the maximum of all bases

    def decode(self):
        """Returns the position where LZMA goes on: the end of the output if everything is made."""
        self.i = self.out
        for file in self.files:
            self._file(file)
            if self.stopped:
                break
        self.coder.finish()
        require(self.coded == self.limit, "a stream codes another number of bytes than it states")
        return self.i

    def _file(self, file):
        base = self.whole.base(file)
        self.end = self.i + file.size
        self.renames = {}
        self.names.begin_file(base)
        self.map = None
        if file.path.endswith(b".map") and base[1] > 12:
            source_map = SourceMap(self.text, base)
            self.map = source_map if source_map.start else None
            if file.size:
                self.map_fields = max(self.map_fields, len(source_map.fields))
        self.token = self.match6 = self.match4 = None
        self.lost = False
        self.misses_since_lost = self.miss_history = self.rename_history = self.anchor = 0
        self.p, self.run = (base[0], 6) if base[1] else (0, 0)
        while self.i < self.end:
            refused = False
            if self.run >= 6 and self.p > 0 and not self.token:
                result = self._run()
                if result == COPIED:
                    continue
                refused = result == MISSED
            if self.coded == self.limit:
                self.stopped = True
                return
            self._byte(refused)

    def _write(self, data):
        """Stores a predicted name or number for tokens to refer to."""
        self.text[self.scratch:self.scratch + 8] = data.ljust(8, b"\0")
        return self.scratch

    def _token_length(self, s, limit=64):
        end, at, text = min(s + limit, self.i), s, self.text
        while at < end and TOKEN[text[at]]:
            at += 1
        return at - s

    def _agreement(self, a, b, limit):
        text, n = self.text, 0
        limit = min(limit, a, b)
        while n < limit and text[a - 1 - n] == text[b - 1 - n]:
            n += 1
        return n

    # Seeds, renames, suspects.

    def _seed_at(self, q):
        if not SEPARATOR[self.text[q - 1]]:
            return None
        end = self.out if q < self.out else self.i
        for length in self.seed_lengths:
            if q + length <= end:
                seed = self.seeds.get(bytes(self.text[q:q + length]))
                if seed:
                    return (length, *seed)
        return None

    def _entry(self, h, n):
        entry = self.renames.get(h >> 18)
        return entry if entry and entry[0] == h and entry[5] == n else None

    def _note(self, h, q, old_length, position, length):
        entry, confidence, text = self._entry(h, old_length), 0, self.text
        if entry and text[entry[1]:entry[1] + entry[2]] == text[position:position + length]:
            confidence = entry[3] + 1
            if confidence == 8:
                return
        same = text[q:q + old_length] == text[position:position + length]
        self.renames[h >> 18] = h, position, length, confidence, same, old_length

    def _suspect_at(self, q):
        text = self.text
        seed = self._seed_at(q)
        if seed:
            return Suspect(2, seed[0], seed[1], seed[2], seed[1] | 1, 0)
        if TOKEN[text[q]] and not TOKEN[text[q - 1]]:
            return self._suspect_token(q)
        return None

    def _suspect_token(self, q):
        text, n = self.text, self._token_length(q)
        if n == 0:
            return None
        h = token_hash(text[q:q + n])
        entry = self._entry(h, n)
        if entry:
            _, position, length, confidence, same, _ = entry
            if same:
                return None
            return Suspect(0, n, position, length, h, confidence)
        name = self.names.predict(q, n)
        if name is None or name == text[q:q + n]:
            return None
        return Suspect(1, n, self._write(name), len(name), h, 0)

    def _suspect_number(self):
        found = self.map.number_at(self.p)
        if not found:
            return None
        digits, length = found
        if digits == self.text[self.p:self.p + length]:
            return None
        return Suspect(3, length, self._write(digits), len(digits), 8 * len(digits) + length, 0)

    # Runs.

    def _run(self):
        p, run, n, suspect = self.p, self.run, 0, None
        limit = min(4096 if run >= 8192 else 256 if run >= 512 else 32, self.end - self.i,
                    self.out - p if p < self.out else self.i - p)
        while n < limit:
            if self.map and p + n in self.map:
                if p + n in self.map.fields and self.map.new:
                    if n > 0:
                        break
                    suspect = self._suspect_number()
            else:
                suspect = self._suspect_at(p + n)
            if suspect:
                break
            n += 1
        if n > 0:
            m = self._stretch(n)
            self._copy(m)
            if m < n:
                self._begin_miss()
                return MISSED
        return self._suspect(suspect) if suspect else COPIED

    def _copy(self, m):
        text, p, i = self.text, self.p, self.i
        text[i:i + m] = text[p:p + m]
        if self.map:
            for k in range(m):
                self.map.count(i + k, p + k)
        self.i, self.p, self.run = i + m, p + m, self.run + m

    def _stretch(self, n):
        runs, text, code = self.runs, self.text, self._code_run
        run_class = min(12, max(0, self.run.bit_length() - 5))
        length_class = (11 if n >= 4096 else 10 if n > 256 else 9 if n == 256 else 8 if n > 32
                        else 7 if n == 32 else 6 if n >= 24 else 5 if n >= 16 else 4 if n >= 8
                        else 3 if n >= 4 else n - 1)
        if code(run_class << 4 | length_class):
            return n
        start, rest = 0, n
        for size in 256, 32:
            while rest > size:
                if code(512 + size):
                    start, rest = start + size, rest - size
                else:
                    rest = size
        for k in range(rest - 1):
            q = self.p + start + k
            first = TOKEN[text[q]] and not TOKEN[text[q - 1]]
            a = 65536 + (KIND[text[q]] * 16 + KIND[text[q - 1]]) * 16
            if first:
                a += self._token_length(q, 9)
            b = 131072 + (mix(text[q], text[q + 1], 1 if first else 0) >> 16)
            ra, rb = runs.get(a, 0xF0000002), runs.get(b, 0xF0000002)
            total = 2 * STRETCH[ra >> 20] + STRETCH[rb >> 20]
            bit = self.coder.bit(SQUASH[(total // 3 if total >= 0 else -(-total // 3)) + 3072])
            runs[a], runs[b] = updated(ra, bit, 60), updated(rb, bit, 60)
            if not bit:
                return start + k
        return start + rest - 1

    def _code_run(self, place):
        self.runs.setdefault(place, 0xF0000002)
        return self.coder.code(self.runs, place, 255)

    def _begin_miss(self):
        self._learn_before()
        text, p, i = self.text, self.p, self.i
        if self.map and p in self.map or not (TOKEN[text[p]] or TOKEN[text[p - 1]]):
            return
        s = p
        while s > p - 64 and s > 64 and TOKEN[text[s - 1]] and text[s - 1] == text[i - (p - s) - 1]:
            s -= 1
        self._begin_token(s, i - (p - s), ITSELF)

    def _learn_before(self):
        for q in range(max(self.i - 2, self.trained_to, self.out), self.i):
            self.literals.learn(self.text[q], q)
        self.trained_to = self.i
        self.match6 = self.match4 = None

    def _suspect(self, suspect):
        left, text, p = self.end - self.i, self.text, self.p
        if suspect.new_length <= left:
            expected = self._rename_flag(suspect, 21)
            self.rename_history = (self.rename_history << 1 | expected) & M32
            if expected:
                self._take(suspect, text[suspect.position:suspect.position + suspect.new_length])
                return COPIED
        if suspect.old_length <= left and self._rename_flag(suspect, 41):
            self._take(suspect, text[p:p + suspect.old_length])
            return COPIED
        self.run = 0
        self._learn_before()
        if suspect.kind >= 2:
            self.lost, self.anchor = True, p
        else:
            self._begin_token(p, self.i, NEITHER)
        return STOPPED

    def _take(self, suspect, data):
        i, n, p = self.i, len(data), self.p
        self.text[i:i + n] = data
        if self.map:
            for k in range(n):
                self.map.count(i + k, p + k if suspect.kind == 3 else 0)
        self.i += n
        if suspect.kind < 2:
            self._note(suspect.hash, p, suspect.old_length, i, n)
            self.names.note(p, suspect.old_length, i, n)
        self.p += suspect.old_length
        self.run += 1

    def _rename_flag(self, s, salt):
        text, i = self.text, self.i
        origin = s.kind * 8 + s.confidence
        lengths = min(s.old_length, 7) * 8 + min(s.new_length, 7)
        last, next_ = text[i - 1], text[self.p + s.old_length]
        return self.flags.code(
            [mix(salt, origin, lengths), mix(salt + 2, s.hash, last << 8 | text[i - 2]),
             mix(salt + 4, last << 8 | next_, origin), mix(salt + 5, s.hash, s.position),
             mix(salt + 6, self.rename_history & 3, lengths << 8 | origin),
             mix(salt + 7, history(text, i), next_)],
            48 + 2 * s.kind + (salt != 21))

    # Tokens in progress.

    def _begin_token(self, s, new_start, by):
        n = self._token_length(s)
        self.token = Token(False, 6 if by == NEITHER else 0, s, s + n, new_start,
                           token_hash(self.text[s:s + n]), s, n)
        suspect = self._suspect_token(s) if by == DICTIONARY and n > 0 else None
        if suspect:
            self.token.predicted, self.token.length = suspect.position, suspect.new_length
            self.token.origin = 7 if suspect.kind == 1 else 1 + min(4, suspect.confidence)

    def _begin_here(self):
        text, p, i = self.text, self.p, self.i
        if self.map and p in self.map:
            suspect = self._suspect_number()
            if suspect:
                self.token = Token(True, 5, p, p + suspect.old_length, i, suspect.hash,
                                   suspect.position, suspect.new_length)
            return
        seed = self._seed_at(p) if SEPARATOR[text[i - 1]] else None
        if seed:
            self.token = Token(True, 4, p, p + seed[0], i, seed[1] | 1, seed[1], seed[2])
        elif TOKEN[text[p]] and not TOKEN[text[p - 1]] and not TOKEN[text[i - 1]]:
            self._begin_token(p, i, DICTIONARY)

    # Single bytes.

    def _byte(self, refused):
        text, i = self.text, self.i
        self._record_positions()
        self.coded += 1
        if not refused and not self.token and self.p > 0:
            self._begin_here()
        token, p = self.token, self.p
        k = i - token.new_start if token else 0
        expected = p
        if token:
            expected = (token.predicted + k if token.follows and k < token.length
                        else token.old_end)
        prediction = text[expected] if token or p > 0 else 256
        self._find_matches()
        after6, after4 = (text[m[0]] if m else 256 for m in (self.match6, self.match4))
        l6, l4 = (min(15, m[1]) if m else 0 for m in (self.match6, self.match4))
        word, before = word_before(text, i)
        hist = history(text, i)
        hit = (prediction < 256 and not refused
               and self._hit_flag(prediction, k, after6, after4, l6, l4, word, before, hist) == 1)
        candidate, c = 0, after6 if self.match6 else after4
        byte = prediction
        state = 0 if prediction == 256 else 3 if not token else 1 if token.follows else 2
        if not hit:
            if c < 256 and c != prediction:
                candidate = self._candidate_flag(c, state, prediction, after6 == after4, l6, l4,
                                                 word, hist)
                self.candidate_history = (self.candidate_history << 1 | candidate) & M32
                byte = c
            if not candidate:
                if token:
                    context = mix(8, token.hash, word + k & M32)
                else:
                    context = mix(88, text[p] | text[p + 1] << 8 if p > 0 else 0, hist & 255)
                byte = self.literals.code(
                    i, prediction, 0 if not token else 3 if token.follows else 1, context)
        text[i] = byte
        if self.map:
            self.map.count(i, p if not token else token.old_start if k == 0 else 0)
        if i % 4 == 0:
            self.positions.insert(i)
        self.match6, self.match4 = (
            (m[0] + 1, min(16, m[1] + 1)) if m and text[m[0]] == byte else None
            for m in (self.match6, self.match4))
        self.i = self.trained_to = i + 1
        self.miss_history = (self.miss_history << 1 | (not hit)) & M32
        self.misses_since_lost = self.misses_since_lost + (not hit) if self.lost else 0
        self._advance(byte, hit, k)
        if self.p >= self.i:
            self.p = 0
        if self.p == 0:
            self.run = 0
        if not self.token and self.run < 6:
            self._resynchronize()

    def _record_positions(self):
        if 0 < self.p < self.out:
            block = self.p >> 10
            for near in range(max(0, block - 1), block + 2):
                if near not in self.recorded:
                    self.recorded.add(near)
                    for q in range(max(near << 10, 88), min(self.out, (near << 10) + 1023) + 1, 2):
                        self.positions.insert(q)

    def _find_matches(self):
        i = self.i
        if not self.match6:
            q = self.positions[6, i]
            length = self._agreement(q, i, 16)
            self.match6 = (q, length) if q > 0 and length >= 4 else None
        if not self.match4:
            q = self.positions[4, i]
            length = self._agreement(q, i, 16)
            self.match4 = (q, length) if q > 0 and length >= 3 else None

    def _hit_flag(self, prediction, k, after6, after4, l6, l4, word, before, hist):
        token, misses = self.token, self.miss_history
        run_class = min(15, self.run) if self.p > 0 else 0
        agrees6, agrees4 = (0 if c == 256 else 1 if c == prediction else 2 for c in (after6, after4))
        state = follows = at_end = origin = length = 0
        old_length, k_class = 9, min(7, k)
        if token:
            follows, origin = int(token.follows), token.origin
            state = (1 if follows else 2) + (2 if origin > 0 else 0)
            at_end = int(not follows or k >= token.length)
            length, old_length = token.length, min(7, token.old_end - token.old_start)
        return self.flags.code(
            [mix(1, run_class, state * 8 + k_class + agrees6 * 1024 + at_end * 4096),
             mix(4, agrees6 * 4 + agrees4, l6 * 16 + l4),
             mix(5, misses & 255, state * 16 + at_end),
             mix(6, prediction * 256 + (hist & 255), state * 2 + at_end),
             mix(7, origin * 8 + min(7, length),
                 old_length * 256 + k_class * 4 + follows + agrees6 * 16384),
             mix(prediction, word, before + 0x7900)],
            state * 2 + at_end + 16 * agrees6)

    def _candidate_flag(self, c, state, prediction, same, l6, l4, word, hist):
        past, last = self.candidate_history, hist & 255
        return self.flags.code(
            [mix(62, c, last << 8 | prediction), mix(63, c, hist & 0xFFFF), mix(64, c, hist & 0xFFFFFF),
             mix(67, past & 255, l6 << 5 | l4 << 1 | same), mix(68, c, word),
             mix(70, self.token.hash if self.token else 0, c)],
            56 + state * 2 + same)

    # The walk.

    def _advance(self, byte, hit, k):
        text, token = self.text, self.token
        if token and token.is_seed:
            if text[token.predicted + k] == byte:
                self.run += hit
                if k + 1 == token.length:
                    self.token, self.p = None, token.old_end
            else:
                token.is_seed = token.follows = False
                self.run = 0
                if not TOKEN[byte]:
                    self._lose()
        elif token and TOKEN[byte]:
            if not (k < token.length and text[token.predicted + k] == byte):
                token.follows = False
            self.run = self.run + 1 if hit else 0
            if self.i - token.new_start > 64:
                self.run = 0
                self._lose()
        elif token:
            n = self.i - 1 - token.new_start
            end = byte == text[token.old_end]
            if end and n > 0 and token.old_end > token.old_start:
                self._note(token.hash, token.old_start, token.old_end - token.old_start,
                           token.new_start, n)
                self.names.note(token.old_start, token.old_end - token.old_start,
                                token.new_start, n)
            self.anchor = token.old_end
            self.p = token.old_end + end
            self.token = None
            if end:
                self.run = self.run + 1 if hit else 0
                if self.run < 4:
                    self.lost = False
            else:
                self.run, self.lost = 0, True
        elif self.p > 0:
            if hit:
                self.run += 1
            else:
                if not self.lost:
                    self.anchor = self.p
                self.run, self.lost = 0, True
            self.p += 1

    def _lose(self):
        self.anchor = self.p = self.token.old_end
        self.lost, self.token = True, None

    def _resynchronize(self):
        i, p = self.i, self.p
        if self.run > 0:
            if (not self.lost or self.misses_since_lost >= 1) and self._agreement(p, i, 8) < 8:
                q = self.positions[6, i]
                if q > 0 and self._agreement(q, i, 32) == 32:
                    self.p, self.run = q, 6
            return
        n = self._agreement(p, i, 32) if p > 0 else 0
        if self.lost and self.anchor > 0 and n < 8:
            q, m = self._search_nearby()
            if q == 0:
                q = self.positions[4, i]
                m = self._agreement(q, i, 32) if q > 0 and abs(q - self.anchor) <= 500 else 0
                m = m if m >= 4 else 0
            if m > n:
                self.p, n = q, m
        if n < 24 and (not self.lost or self.p == 0 or self.misses_since_lost >= 1):
            q = self.positions[6, i]
            m = self._agreement(q, i, 32)
            if m >= 20 and m > n:
                self.p, self.run = q, 6
                return
        if (self.lost or self.p == 0) and n < 16 and i < self.end:
            self._jump(n)

    def _jump(self, n):
        text, i, runs, code = self.text, self.i, self.runs, self._code_run
        a = (2048 + (0 if self.p else 64) + 4 * min(7, self.misses_since_lost)
             + (0 if n == 0 else 1 if n < 3 else 2 if n < 6 else 3))
        b = 2304 + KIND[text[i - 1]] * 16 + KIND[text[i - 2]]
        ra, rb = runs.get(a, 0xF0000002), runs.get(b, 0xF0000002)
        total = STRETCH[ra >> 20] + STRETCH[rb >> 20]
        stays = self.coder.bit(SQUASH[(total // 2 if total >= 0 else -(-total // 2)) + 3072])
        runs[a], runs[b] = updated(ra, stays, 255), updated(rb, stays, 255)
        if stays:
            return
        bits, value = 1, 1
        while bits < 34 and code(2560 + bits):
            bits += 1
        for k in range(bits - 1):
            if k == 0:
                value = 2 | code(2624 + 4 * bits + 1)
            elif k == 1:
                value = value << 1 | code(2624 + 4 * bits + 2 + (value & 1))
            else:
                value = value << 1 | self.coder.bit(32768)
        value -= 1
        self.p = (self.anchor or self.out) + (value >> 1 ^ -(value & 1))
        if not 64 <= self.p < i:
            self.p = 0
        if self.p:
            self.run, self.lost, self.misses_since_lost = 6, False, 0

    def _search_nearby(self):
        text, i, anchor = self.text, self.i, self.anchor
        pair, best = bytes(text[i - 2:i]), (0, 0, 0, 0, 0)
        low, high = max(64, anchor - 100), min(i - 1, anchor + 100)
        at = text.find(pair, low - 2, high)
        while at >= 0:
            q = at + 2
            m, d = self._agreement(q, i, 32), abs(q - anchor)
            if m >= (2 if d < 4 else 3 if d < 16 else 4 if d < 64 else 5):
                best = max(best, (4 * m - 2 * d.bit_length(), -d, -q, q, m)) if best[4] else (
                    4 * m - 2 * d.bit_length(), -d, -q, q, m)
            at = text.find(pair, at + 1, high)
        return best[3], best[4]


# --- LZMA ---------------------------------------------------------------------------------------

class LZMADecoder:
    """Methods 1 and 4: a raw LZMA stream with end marker, as in the LZMA SDK's lzma-specification."""

    def __init__(self, data, text, properties, start):
        require(properties < 225, "wrong LZMA properties")
        self.lc, rest = properties % 9, properties // 9
        self.lp, self.pb = rest % 5, rest // 5
        require(self.lc + self.lp <= 4, "wrong LZMA properties")
        self.data, self.text, self.out, self.out_end = data, text.bytes, start, text.out_end
        require(len(data) >= 5 and data[0] == 0, "no LZMA stream")
        self.range, self.code, self.at = M32, int.from_bytes(data[1:5], "big"), 5
        self.counters = {}

    def _bit(self, *place):
        probability = self.counters.get(place, 1024)
        bound = (self.range >> 11) * probability
        if self.code < bound:
            bit, self.range = 0, bound
            probability += 2048 - probability >> 5
        else:
            bit, self.range = 1, self.range - bound
            self.code -= bound
            probability -= probability >> 5
        self.counters[place] = probability
        self._normalize()
        return bit

    def _normalize(self):
        if self.range < 1 << 24:
            require(self.at < len(self.data), "an LZMA stream is cut off")
            self.range = self.range << 8
            self.code = self.code << 8 & M32 | self.data[self.at]
            self.at += 1

    def _direct(self, count):
        value = 0
        for _ in range(count):
            self.range >>= 1
            bit = 1 if self.code >= self.range else 0
            self.code -= bit * self.range
            value = value << 1 | bit
            self._normalize()
        return value

    def _tree(self, bits, *place):
        node = 1
        for _ in range(bits):
            node = node << 1 | self._bit(*place, node)
        return node - (1 << bits)

    def _reverse(self, bits, *place):
        node, value = 1, 0
        for k in range(bits):
            bit = self._bit(*place, node)
            node, value = node << 1 | bit, value | bit << k
        return value

    def _length(self, name, position):
        if not self._bit(name, "choice"):
            return 2 + self._tree(3, name, "low", position)
        if not self._bit(name, "choice 2"):
            return 10 + self._tree(3, name, "mid", position)
        return 18 + self._tree(8, name, "high")

    def _distance(self, length):
        slot = self._tree(6, "slot", min(length - 2, 3))
        if slot < 4:
            return slot
        bits = (slot >> 1) - 1
        distance = (2 | slot & 1) << bits
        if slot < 14:
            return distance + self._reverse(bits, "distance", slot)
        return distance + (self._direct(bits - 4) << 4) + self._reverse(4, "align")

    def _literal(self, at, state, distance):
        text = self.text
        low = at & (1 << self.lp) - 1
        context = low << self.lc | text[self._at - 1] >> 8 - self.lc
        node = 1
        if state >= 7:
            match = text[self._at - distance - 1]
            while node < 256:
                expected = match >> 7
                match = match << 1 & 255
                bit = self._bit("literal", context, 1 + expected, node)
                node = node << 1 | bit
                if bit != expected:
                    break
        while node < 256:
            node = node << 1 | self._bit("literal", context, 0, node)
        return node & 255

    def decode(self):
        text, state, distances = self.text, 0, [0, 0, 0, 0]
        self._at = self.out
        while True:
            at = self._at - 64                          # positions include the dictionary
            position = at & (1 << self.pb) - 1
            if not self._bit("match", state, position):
                require(self._at < self.out_end, "an LZMA stream makes too much")
                text[self._at] = self._literal(at, state, distances[0])
                self._at += 1
                state = 0 if state < 4 else state - 3 if state < 10 else state - 6
                continue
            if not self._bit("rep", state):
                distances[1:] = distances[:3]
                length = self._length("length", position)
                state = 7 if state < 7 else 10
                distances[0] = self._distance(length)
                if distances[0] == M32:
                    break
            else:
                if not self._bit("rep 0", state):
                    if not self._bit("rep 0 long", state, position):
                        state = 9 if state < 7 else 11
                        self._repeat(distances[0], 1)
                        continue
                else:
                    which = 1
                    if self._bit("rep 1", state):
                        which = 2 + self._bit("rep 2", state)
                    distances.insert(0, distances.pop(which))
                length = self._length("rep length", position)
                state = 8 if state < 7 else 11
            self._repeat(distances[0], length)
        require(self._at == self.out_end, "an LZMA stream makes too little")
        require(self.code == 0 and self.at == len(self.data), "an LZMA stream ends wrongly")

    def _repeat(self, distance, length):
        text, at = self.text, self._at
        require(distance < at - 64, "an LZMA stream reaches before its dictionary")
        require(length <= self.out_end - at, "an LZMA stream makes too much")
        for k in range(at, at + length):
            text[k] = text[k - distance - 1]
        self._at = at + length


# --- Streams, delta -----------------------------------------------------------------------------

class Stream:
    """One stream: its files, its method and the number of coded bytes."""

    def __init__(self, data, old, last_path, known):
        self.data, self.at = data, 0
        first = self._byte()
        has_copies = first & 2 == 2
        require(first & ~2 in (0, 1, 4), "an unknown method")
        self.method = {0: "aligned", 1: "lzma", 4: "both"}[first & ~2]
        self.tables = self.stated = 0
        if self.method != "lzma":
            self.parameters = bits, index_bits = self._byte(), self._byte()
            require(4 <= bits <= 15 and 8 <= index_bits <= 20, "a stream's tables are out of bounds")
            self.stated = self._leb128()
            self.tables += ((192 << bits) + (12 << 16) + (4 << index_bits)
                            + (4 << min(index_bits, 18)) + (3 << 20))
        if self.method != "aligned":
            self.properties = self._byte()
            self.tables += 1 << 16
        if self.method == "both":
            self.unpacked, border = self._leb128(), self._leb128()
        length = self._leb128()
        require(self.at + length <= len(data), "a listing is cut off")
        self.listing = Listing(data[self.at:self.at + length], old, last_path, known, has_copies)
        self.files, self.copies = self.listing.files, self.listing.copies
        self.segments = self.listing.segments
        content = data[self.at + length:]
        output = sum(file.size for file in self.files)
        if self.method != "both":
            border = len(content) if self.method == "aligned" else 0
            self.unpacked = 0 if self.method == "aligned" else output
        else:
            require(1 <= self.unpacked <= output and border <= len(content), "parts out of bounds")
        self.content = content[:border], content[border:]

    def decode(self, others, old, memory):
        """The content of each file; `others` are the other streams of the delta, in order."""
        text = Text(self.listing, [other.listing for other in others], old)
        taken, position = len(text.bytes) + len(self.data) + self.tables, text.out
        if self.method != "lzma":
            aligned = AlignedDecoder(self.content[0], text, self.files, *self.parameters, self.stated)
            position = aligned.decode()
            taken += 16 * max(0, aligned.map_fields - (1 << 18))
        require(text.out_end - position == self.unpacked, "LZMA has another part than a stream states")
        if self.method != "aligned":
            LZMADecoder(self.content[1], text, self.properties, position).decode()
        self.coded = self.stated
        require(taken <= memory, "a stream takes more memory than it states")
        self.contents, at = [], text.out
        for file in self.files:
            self.contents.append(bytes(text.bytes[at:at + file.size]))
            at += file.size

    def _byte(self):
        require(self.at < len(self.data), "a stream is cut off")
        self.at += 1
        return self.data[self.at - 1]

    def _leb128(self):
        value = 0
        for place in range(5):
            byte = self._byte()
            value |= (byte & 127) << 7 * place
            if byte < 128:
                require(byte or not place, "a number is not in its shortest form")
                require(value < 1 << 32, "a number is too large")
                return value
        raise Refused("a number is too long")


class Info:
    """The member `info` of a delta: the content of info.json except the files."""

    LIMIT = 64 << 20
    TABLE = {ending: kind for kind, endings in {
        "text/html": "html htm", "application/xhtml+xml": "xhtml", "text/javascript": "js mjs cjs",
        "text/css": "css", "application/json": "json map",
        "application/manifest+json": "webmanifest", "application/xml": "xml", "text/plain": "txt",
        "text/markdown": "md", "text/csv": "csv", "text/calendar": "ics", "text/vtt": "vtt",
        "application/wasm": "wasm", "application/pdf": "pdf", "application/zip": "zip",
        "application/gzip": "gz", "image/svg+xml": "svg", "image/png": "png", "image/apng": "apng",
        "image/jpeg": "jpg jpeg", "image/gif": "gif", "image/webp": "webp", "image/avif": "avif",
        "image/heic": "heic", "image/vnd.microsoft.icon": "ico", "image/bmp": "bmp",
        "font/woff": "woff", "font/woff2": "woff2", "font/ttf": "ttf", "font/otf": "otf",
        "application/vnd.ms-fontobject": "eot", "audio/mpeg": "mp3", "audio/mp4": "m4a",
        "audio/aac": "aac", "audio/ogg": "ogg oga", "audio/wav": "wav", "audio/flac": "flac",
        "video/mp4": "mp4 m4v", "video/webm": "webm", "video/quicktime": "mov",
        "application/vnd.apple.mpegurl": "m3u8", "video/mp2t": "ts", "model/gltf-binary": "glb",
        "model/gltf+json": "gltf"}.items() for ending in endings.split()}
    STAY = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~!$&'()*+,;=:@/")
    APP = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9._-]{0,62}[A-Za-z0-9_-])?\Z")
    BASE = re.compile(r"https?://[^/:][^/]*(?:/[^/]+)*\Z")

    def __init__(self, value):
        require(type(value) is dict, "info is no object")

        def member(of, name, kind, optional=False):
            item = of.get(name)
            if item is None and optional:
                return None
            require(type(item) is kind, f"info: {name} is missing or of another type")
            return item

        self.app, self.scheme = member(value, "app", str), member(value, "scheme", str)
        require(self.APP.match(self.app), "info: not the name of an app")
        self.launch, self.base = member(value, "launch", str, True), member(value, "baseURL", str)
        if self.launch is not None:
            Names.check(self.launch.encode(), portable=False)
        host = self.base.split("/")[2:3]
        require(self.BASE.match(self.base) and all(" " < c < "\x7f" for c in self.base)
                and not set(self.base) & set('?#\\<>"^`{}|') and "@" not in host[0],
                "info: not a base URL")
        for part in self.base.split("/")[3:]:
            require(not re.search(r"%(?![0-9A-Fa-f]{2})", part), "info: not a base URL")
            part = re.sub(r"%(..)", lambda digits: chr(int(digits[1], 16)), part)
            require(part not in (".", "..") and "/" not in part, "info: not a base URL")
        self.package = member(value, "package", dict, True)
        if self.package is not None:
            size = self.package.get("size")
            require(type(size) is int and 0 <= size < 1 << 53
                    and Delta.HASH.match(member(self.package, "sha256", str)), "info: an odd package")
        build = member(value, "build", dict)
        self.commit, self.tool = member(build, "commit", str, True), member(build, "tool", str)
        self.types = member(value, "types", dict, True) or {}
        require(len(self.types) <= 1000 and all(type(kind) is str for kind in self.types.values()),
                "info: odd types")

    def manifest(self, tree):
        """The bytes of info.json for a tree."""
        require(self.launch is None or self.launch.encode() in tree.files,
                "info: the launch page is not in the tree")
        files, assets, size = [], [], 0
        for path, content in tree.files.items():
            digest = hashlib.sha256(content).hexdigest()
            name = path.rsplit(b"/", 1)[-1]
            encoded = "".join(chr(byte) if byte in self.STAY else "%%%02X" % byte for byte in name)
            url = f"{self.base}/objects/{digest}/{encoded}"
            files.append("\n    " + self._text(url))
            assets.append('\n    {"path": %s, "url": %s, "sha256": "%s", "size": %d, "type": %s}' % (
                self._text(path.decode()), self._text(url), digest, len(content),
                self._text(self._type(name))))
            size += len(files[-1]) + len(assets[-1])
            require(size <= self.LIMIT, "info: too large a manifest")
        whole = tree.package_hash()
        build = [("commit", self.commit)] if self.commit is not None else []
        members = [
            ("version", self._text(whole[:20])), ("files", self._list(files)), ("schema", "1"),
            ("app", self._text(self.app)), ("packageHash", self._text(whole)),
            ("launch", None if self.launch is None else self._text(self.launch)),
            ("scheme", self._text(self.scheme)), ("assets", self._list(assets)),
            ("package", None if self.package is None else self._object([
                ("url", self._text(f"{self.base}/releases/{whole[:20]}/package.zip")),
                ("sha256", self._text(self.package["sha256"])), ("size", str(self.package["size"]))])),
            ("build", self._object([(name, self._text(value))
                                    for name, value in [*build, ("tool", self.tool)]]))]
        lines = [f'  "{name}": {value}' for name, value in members if value is not None]
        data = ("{\n" + ",\n".join(lines) + "\n}\n").encode()
        require(len(data) <= self.LIMIT, "info: too large a manifest")
        return data

    def _type(self, name):
        ending = name.rsplit(b".", 1)[1] if b"." in name else b""
        ending = ending.lower().decode()
        return self.types.get(ending, self.TABLE.get(ending, "application/octet-stream"))

    @staticmethod
    def _text(text):
        return '"' + re.sub(r'["\\\x00-\x1f]', lambda found: (
            "\\" + found[0] if found[0] in '"\\' else "\\u%04x" % ord(found[0])), text) + '"'

    @staticmethod
    def _list(items):
        return "[" + ",".join(items) + "\n  ]" if items else "[]"

    @staticmethod
    def _object(members):
        return "{\n" + ",\n".join(f'    "{name}": {value}' for name, value in members) + "\n  }"


class Delta:
    """A delta: its manifest, the included files, its streams."""

    HASH = re.compile(r"[0-9a-f]{64}\Z")

    def __init__(self, data):
        self.members = Archive(data).members
        require(next(iter(self.members), None) == b"delta.json", "delta.json is not first")
        manifest = parse_json(self.members[b"delta.json"])
        require(isinstance(manifest, dict), "delta.json is no object")

        def member(name, kind, values=None):
            value = manifest.get(name)
            require(type(value) is kind, f"delta.json: {name} is missing or of another type")
            if values is not None:
                inner = value.values() if kind is dict else value
                require(all(type(item) is values for item in inner), f"delta.json: {name} is wrong")
            return value

        require(member("schema", int) == 1, "another schema")
        require(member("codec", str) == "aligned/1", "another codec")
        self.from_hash, self.to_hash = member("fromHash", str), member("toHash", str)
        for hash_, version in (self.from_hash, "from"), (self.to_hash, "to"):
            require(self.HASH.match(hash_) and member(version, str) == hash_[:20], "a wrong version")
        self.delete = [path.encode() for path in member("delete", list, str)]
        self.add = [path.encode() for path in member("add", list, str)]
        self.copy = {new.encode(): old.encode() for new, old in member("copy", dict, str).items()}
        for path in self.delete + self.add + [*self.copy, *self.copy.values()]:
            Names.check(path)
        self.patches = []
        for number, patch in enumerate(member("patch", list, dict)):
            require(patch.get("stream") == f"patches/{number}", "streams are out of order")
            memory = patch.get("memory")
            require(type(memory) is int and 0 <= memory <= 1 << 40, "a stream without memory")
            self.patches.append((b"patches/%d" % number, memory))
        largest = max((memory for _, memory in self.patches), default=0)
        whole = manifest.get("memory")
        require(whole is None or type(whole) is int and 0 <= whole <= 1 << 40, "an odd memory")
        self.info = None if manifest.get("info") is None else Info(manifest["info"])
        self.memory = max(largest + (4 << 20), whole or 0)
        self.least = largest + (2 << 20) + 4 * len(self.members[b"delta.json"])
        expected = [b"delta.json", *(b"files/" + path for path in self.add),
                    *(name for name, _ in self.patches)]
        require(len(set(expected)) == len(expected) == len(self.members)
                and set(expected) == set(self.members), "other members than delta.json says")
        self.streams = []

    def apply(self, old):
        """The new tree."""
        require(old.package_hash() == self.from_hash, "the base is another release")
        require(len(set(self.delete)) == len(self.delete), "a path is deleted twice")
        require(all(path in old.files for path in self.delete), "deletes what is not there")
        new, gone, last, known = {}, set(self.delete), None, {}

        def put(path, content):
            require(path not in new, f"{path!r} is made twice")
            new[path] = content

        for path in self.add:
            put(path, self.members[b"files/" + path])
        for path, source in self.copy.items():
            require(source in old.files, "copies what is not there")
            put(path, old.files[source])
        for name, _ in self.patches:
            self.streams.append(Stream(self.members[name], old, last, known))
            for file in self.streams[-1].files:
                last = file.path
            for copy in self.streams[-1].copies:
                put(copy.path, old.contents[copy.base])
        for number, stream in enumerate(self.streams):
            stream.decode(self.streams[:number] + self.streams[number + 1:], old,
                          self.patches[number][1])
            for file, content in zip(stream.files, stream.contents):
                if file.continued:
                    new[file.path] += content
                else:
                    put(file.path, content)
            for file in stream.files + stream.copies:
                if file.base is not None and old.paths[file.base] != file.path and not file.keeps_base:
                    gone.add(old.paths[file.base])
        for path, content in old.files.items():
            if path not in new and path not in gone:
                new[path] = content
        for path in new:
            Names.check(path)
        tree = Tree(new)
        require(self.least + self._names(old) + self._names(tree) <= self.memory,
                "the delta takes more memory than it states")
        require(tree.package_hash() == self.to_hash, "the result is another release")
        return tree

    @staticmethod
    def _names(tree):
        """The names of a tree's files and directories."""
        names = set(tree.paths)
        for path in tree.paths:
            names |= {path[:at] for at, byte in enumerate(path) if byte == 0x2F}
        return sum(320 + 4 * len(name) for name in names)


def apply(base, delta, output, info=None):
    """Applies the delta to a base and writes a directory; returns the delta for further inspection.

    With `info` it also writes the new release's info.json to that file.
    """
    require(not os.path.lexists(output), f"{output} exists")
    with open(delta, "rb") as file:
        delta = Delta(file.read())
    tree = delta.apply(Tree.read(base))
    if info is not None:
        require(delta.info is not None, "the delta carries no info.json")
        manifest = delta.info.manifest(tree)
    staging = tempfile.mkdtemp(prefix=".apply-", dir=os.path.dirname(os.path.abspath(output)))
    try:
        tree.write(os.path.join(staging, "tree"))
        require(Tree.read(os.path.join(staging, "tree")).package_hash() == delta.to_hash,
                "the written tree is another release")
        os.rename(os.path.join(staging, "tree"), output)
        if info is not None:
            with open(info, "wb") as file:
                file.write(manifest)
    finally:
        shutil.rmtree(staging)
    return delta


def main():
    parser = argparse.ArgumentParser(description="Applies a delta of packtool.")
    parser.add_argument("base", help="the old release: a directory or a package")
    parser.add_argument("delta")
    parser.add_argument("-o", "--output", required=True, help="the directory to write")
    parser.add_argument("--info", help="also write the new release's info.json")
    options = parser.parse_args()
    try:
        apply(options.base, options.delta, options.output, options.info)
    except (Refused, OSError) as error:
        print(f"refused: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
