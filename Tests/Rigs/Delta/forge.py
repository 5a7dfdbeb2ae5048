"""Makes deltas that no encoder would: zips with correct checksums and wrong content.

Written from `docs/formats.md`. The damage passes every checksum, and so reaches the later checks.
"""

import io
import json
import struct
import zipfile
import zlib

# The memory a stream may declare: no applier uses more than 512 MiB for a delta.
ENOUGH = 256 << 20


def archive(members, method=0):
    """A zip by the strict profile, of (name, content) in order; also with duplicate or unusual names."""
    body, directory = b"", b""
    for name, content in members:
        name = name.encode("utf-8", "surrogateescape")
        packed = content
        if method == 8:
            deflate = zlib.compressobj(9, zlib.DEFLATED, -15)
            packed = deflate.compress(content) + deflate.flush()
        fields = struct.pack("<HHHHHIIIHH", 20 if method else 10, 0x800 if max(name, default=0) > 127 else 0,
                             method, 0, 0x21, zlib.crc32(content), len(packed), len(content), len(name), 0)
        directory += (b"PK\x01\x02\x14\x03" + fields + struct.pack("<HHHII", 0, 0, 0, 0x81A40000, len(body))
                      + name)
        body += b"PK\x03\x04" + fields + name + packed
    count = len(members)
    return body + directory + b"PK\x05\x06" + struct.pack(
        "<HHHHIIH", 0, 0, count, count, len(directory), len(body), 0)


class Delta:
    """A parsed delta: the manifest as a dictionary, the other members by name."""

    def __init__(self, data):
        with zipfile.ZipFile(io.BytesIO(data)) as zipped:
            members = [(name, zipped.read(name)) for name in zipped.namelist()]
        self.manifest = json.loads(members[0][1])
        self.members = dict(members[1:])

    def copy(self):
        other = object.__new__(Delta)
        other.manifest, other.members = json.loads(json.dumps(self.manifest)), dict(self.members)
        return other

    def target(self, package_hash):
        """Sets the resulting release."""
        self.manifest |= {"toHash": package_hash, "to": package_hash[:20]}
        return self

    def base(self, package_hash):
        self.manifest |= {"fromHash": package_hash, "from": package_hash[:20]}
        return self

    def streams(self, streams, memory=ENOUGH):
        """Replaces all streams."""
        self.members = {name: data for name, data in self.members.items() if name.startswith("files/")}
        self.members |= {f"patches/{n}": data for n, data in enumerate(streams)}
        self.manifest["patch"] = [{"stream": f"patches/{n}", "memory": memory} for n in range(len(streams))]
        return self

    def stated(self, memory):
        """Makes every stream declare this much memory."""
        for patch in self.manifest["patch"]:
            patch["memory"] = memory
        return self

    def pairs(self):
        text = json.dumps(self.manifest, ensure_ascii=False).encode("utf-8", "surrogatepass")
        return [("delta.json", text), *self.members.items()]

    def bytes(self):
        return archive(self.pairs())


def leb128(number):
    result = bytearray()
    while number >= 0x80:
        result.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes(result) + bytes([number])


class Stream:
    """A parsed stream: header fields, listing, content."""

    def __init__(self, data):
        self.method, self.copies = data[0] & ~2, data[0] & 2
        position = 2 if self.method == 1 else 3
        self.fields, self.rest = data[1:position], b""
        self.coded, position = self._number(data, position) if self.method != 1 else (None, position)
        if self.method == 4:
            start = position
            position = self._number(data, self._number(data, position + 1)[1])[1]
            self.rest = data[start:position]
        length, position = self._number(data, position)
        self.listing, self.content = data[position:position + length], data[position + length:]

    @staticmethod
    def _number(data, position):
        value = shift = 0
        while True:
            byte = data[position]
            value |= (byte & 0x7F) << shift
            position, shift = position + 1, shift + 7
            if byte < 0x80:
                return value, position

    def bytes(self, **other):
        """The stream with some parts replaced; `coded` and `length` may be raw bytes, `first` is a byte.

        `rest` are the properties and both numbers of method 4."""
        part = vars(self) | {"length": None, "first": None} | other
        numbers = [] if part["method"] == 1 or part["coded"] is None else [part["coded"]]
        numbers.append(part["rest"])
        numbers.append(len(part["listing"]) if part["length"] is None else part["length"])
        packed = b"".join(n if isinstance(n, bytes) else leb128(n) for n in numbers)
        first = part["method"] | self.copies if part["first"] is None else part["first"]
        return bytes([first]) + part["fields"] + packed + part["listing"] + part["content"]


class Listing:
    """Writes a listing number by number, including listings that an encoder refuses."""

    def __init__(self):
        self.low, self.high, self.output = 0, 2**32 - 1, bytearray()
        self.counters, self.has_copies = {}, False

    def code(self, bit, probability):
        middle = self.low + ((self.high - self.low) * probability >> 16)
        if bit:
            self.high = middle
        else:
            self.low = middle + 1
        while (self.low ^ self.high) >> 24 == 0:
            self.output.append(self.high >> 24)
            self.low = self.low << 8 & 0xFFFFFFFF
            self.high = self.high << 8 & 0xFFFFFFFF | 255

    def _bit(self, bit, *place):
        chance, seen = self.counters.get(place, (1 << 21, 0))
        self.code(bit, max(1, chance >> 6))
        chance += ((bit << 22) - chance >> 3) * (655360 // (10 * seen + 16)) >> 13
        self.counters[place] = min(chance, 2**22 - 1), min(seen + 1, 60)

    def number(self, kind, value):
        bits = (value + 1).bit_length()
        for place in range(1, min(bits, 56) + 1):
            self._bit(int(place < bits), kind, "bits", place)
        node = 1
        for index in reversed(range(bits - 1)):
            bit = value + 1 >> index & 1
            if bits - 2 - index < 3:
                self._bit(bit, kind, "top", bits, node)
                node = node << 1 | bit
            else:
                self.code(bit, 32768)
        return self

    def signed(self, kind, value):
        return self.number(kind, 2 * value if value >= 0 else -2 * value - 1)

    def flag(self, kind, value):
        self._bit(int(value), kind, "flag")
        return self

    def text(self, data):
        for index, byte in enumerate(data):
            node = 1
            for place in reversed(range(8)):
                self._bit(byte >> place & 1, "byte", index > 0, node)
                node = node << 1 | byte >> place & 1
        return self

    # The parts of a listing.

    def segments(self, count):
        return self.number("segments", count)

    def segment(self, gap, offset=None, length=None):
        """A piece of an old file, or the whole file."""
        self.number("gap", gap).flag("whole", offset is None)
        return self if offset is None else self.number("offset", offset).number("length", length)

    def files(self, count):
        return self.number("files", count)

    def new(self, path, size, continued=False, keep=0, drop=0):
        """A file without a base; its path keeps and drops bytes at the end of the previous path."""
        self.flag("continued", continued).flag("has base", False)
        return self.path(path, keep, drop).number("size", size)

    def same(self, step, change):
        """A file coded against the old one with the same path."""
        self.flag("continued", False).flag("has base", True).signed("base", step)
        return self.flag("same", True).signed("change", change)

    def renamed(self, step, path, drop, change, keeps=False):
        self.flag("continued", False).flag("has base", True).signed("base", step).flag("same", False)
        return self.path(path, 0, drop).flag("keeps", keeps).signed("change", change)

    def copies(self, count):
        self.has_copies = True
        return self.number("copies", count - 1)

    def copy(self, step, path, drop, keeps=False):
        """A copy of a whole old file with another path."""
        return self.signed("base", step).path(path, 0, drop).flag("keeps", keeps)

    def path(self, middle, keep, drop):
        self.number("suffix", keep).number("drop", drop).signed("middle", len(middle) - drop)
        return self.text(middle)

    def bytes(self):
        result = bytes(self.output) + (bytes([(self.low >> 24) + 1]) if self.low else b"")
        return result.rstrip(b"\0")


def aligned(listing, content=b"", coded=0, fields=b"\4\x08"):
    """A stream of the aligned coder; without content it can only make empty files."""
    data = listing.bytes() if isinstance(listing, Listing) else listing
    method = bytes([2 if isinstance(listing, Listing) and listing.has_copies else 0])
    return method + fields + leb128(coded) + leb128(len(data)) + data + content
