#!/usr/bin/env python3
"""A client in one file: installs the current release of an origin, over HTTP, from its package.

It follows "Writing a client" in docs/formats.md step by step and needs nothing but Python 3.9.
Everything that arrives is checked against the forms and limits of that page before it is used.
Features that it leaves out are listed in docs/guide/clients.md.

    client.py BASE_URL APP DIRECTORY
"""
import base64
import collections
import datetime
import hashlib
import http.client
import json
import os
import pathlib
import re
import shutil
import struct
import sys
import time
import unicodedata
import urllib.parse
import zlib

CHANNEL = "production"

# The limits of docs/formats.md. None of them comes from the network.
POINTER_LIMIT = 64 << 10
TREE_LIMIT, FILE_LIMIT, INFLATION = 16 << 30, 2 << 30, 1032
ASSETS, DELTAS, FALLBACKS, SIGNATURES, DEPTH = 200_000, 100, 8, 64, 16
BIGGEST = 2**53 - 1
# The state has a pointer in base64, an address and an ETag.
STATE_LIMIT = 128 << 10
# How many bytes more than the file itself may arrive: headers, chunk sizes, trailers.
OVERHEAD = 64 << 10
# Seconds without a byte, seconds for a whole answer, and bytes per second beyond that.
PATIENCE, ANSWER, SLOWEST = 30, 60, 10_000
# After this many seconds the pointer is read once more; a newer one starts over, this many times at most.
SECOND_LOOK, RESTARTS = 300, 3
PIECE = 256 << 10
# The mark in the file by which the client recognises its own directory.
KIND = "packtool-example-client"


class Refused(Exception):
    """The origin offers something that must not be installed."""


def require(condition, reason):
    if not condition:
        raise Refused(reason)


def sha256(data):
    return hashlib.sha256(data).hexdigest()


# Reading from the network.

class Limited:
    """What arrives of one answer: never more than `limit` bytes, headers included, and not for ever."""

    def __init__(self, file, limit):
        self.file, self.left, self.limit = file, limit, limit
        self.deadline = time.monotonic() + ANSWER + limit / SLOWEST

    def count(self, data):
        self.left -= len(data)
        require(self.left >= 0, f"the server sent more than {self.limit} bytes for one file")
        require(time.monotonic() < self.deadline, "the server is too slow")
        return data

    def read(self, size=-1):
        # Piece by piece: an endless answer ends at the limit, a slow one at the deadline.
        data, size = bytearray(), BIGGEST if size is None or size < 0 else size
        while len(data) < size:
            piece = self.file.read1(min(PIECE, self.left + 1, size - len(data)))
            if not piece:
                break
            data += self.count(piece)
        return bytes(data)

    def readinto(self, buffer):
        data = self.read(len(buffer))
        buffer[:len(data)] = data
        return len(data)

    def readline(self, limit=-1):
        most = self.left + 1 if limit < 0 else min(limit, self.left + 1)
        return self.count(self.file.readline(most))

    def flush(self):
        pass

    def close(self):
        self.file.close()


class Answer(http.client.HTTPResponse):
    """An answer whose every byte is counted."""

    def __init__(self, sock, limit, **more):
        super().__init__(sock, **more)
        self.fp = Limited(self.fp, limit)


def pieces(url, limit, known=None):
    """The content of a URL, in pieces of together at most `limit` bytes. Redirects are not followed.

    `known` may have the `tag` and `bytes` of the last answer, which 304 stands for; another answer sets its
    own tag.
    """
    parts = urllib.parse.urlsplit(url)
    kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
    connection = kind(parts.netloc, timeout=PATIENCE)
    connection.response_class = lambda sock, **more: Answer(sock, limit + OVERHEAD, **more)
    # Without keep-alive, a server has no reason to send chunks.
    headers = {"Accept-Encoding": "identity", "Connection": "close"}
    if known:
        headers["If-None-Match"] = known["tag"]
    try:
        connection.request("GET", parts.path or "/", headers=headers)
        answer = connection.getresponse()
        if known and answer.status == 304:
            yield known["bytes"]
            return
        require(answer.status == 200, f"{url} is answered with status {answer.status}")
        encoding = answer.getheader("Content-Encoding", "identity").lower()
        require(encoding == "identity", f"{url} arrives with Content-Encoding {encoding}")
        if known is not None:
            known["tag"] = answer.getheader("ETag")
        while data := answer.read(PIECE):
            limit -= len(data)
            require(limit >= 0, f"{url} has more bytes than expected")
            yield data
    except http.client.HTTPException as error:
        raise Refused(f"{url} is not answered as HTTP says: {error!r}") from error
    finally:
        connection.close()


def proved(reference, write):
    """Fetches a file that a pointer names by URL, size and hash, and gives its pieces to `write`."""
    size, hasher = 0, hashlib.sha256()
    for data in pieces(reference["url"], reference["size"]):
        size += len(data)
        hasher.update(data)
        write(data)
    require(size == reference["size"], f"{reference['url']} has another size than expected")
    require(hasher.hexdigest() == reference["sha256"], f"{reference['url']} does not match its hash")


# JSON, more strictly than Python reads it.

class Fraction(str):
    """A number with a fraction or an exponent: harmless where nothing asks for it, and no integer."""


class Members(dict):
    """An object. Its members are asked for with the form that they must have."""

    def must(self, name, form, *how):
        require(self.get(name) is not None, f"'{name}' is missing")
        try:
            return form(self[name], *how)
        except Refused as error:
            raise Refused(f"'{name}': {error}") from error

    def may(self, name, form, *how):
        return None if self.get(name) is None else self.must(name, form, *how)


def parse(data):
    def unique(pairs):
        require(len(dict(pairs)) == len(pairs), "a name appears twice in an object")
        return Members(pairs)

    def integer(digits):
        require(len(digits) <= 17 and abs(int(digits)) <= BIGGEST, "an integer beyond 2^53 - 1")
        return int(digits)

    def refuse(word):
        raise Refused(f"{word} is not JSON")

    try:
        value = json.loads(data.decode("utf-8"), object_pairs_hook=unique, parse_int=integer,
                           parse_float=Fraction, parse_constant=refuse)
        check_nesting(value)
    except (ValueError, RecursionError) as error:
        raise Refused(f"not valid JSON: {type(error).__name__}") from error
    return members(value)


def check_nesting(value):
    """Refuses deep nesting, and half a surrogate pair, which has no UTF-8."""
    level = [value]
    for _ in range(DEPTH):
        below = []
        for one in level:
            if isinstance(one, str):
                one.encode("utf-8")
            elif isinstance(one, dict):
                for name in one:
                    name.encode("utf-8")
                below += one.values()
            elif isinstance(one, list):
                below += one
        level = below
    require(not level, f"nested deeper than {DEPTH}")


def members(value):
    require(isinstance(value, Members), "not an object")
    require(len({unicodedata.normalize("NFC", name) for name in value}) == len(value),
            "two names in an object are the same text")
    return value


def elements(value, most):
    require(isinstance(value, list) and len(value) <= most, f"not a list of at most {most}")
    return value


def text(value, most=None):
    require(type(value) is str and (most is None or len(value.encode()) <= most), "not such a text")
    return value


def flag(value):
    require(type(value) is bool, "neither true nor false")
    return value


def whole(value, low, high=BIGGEST):
    require(type(value) is int and low <= value <= high, f"not an integer from {low} to {high}")
    return value


def matching(value, form, what):
    require(type(value) is str and re.fullmatch(form, value, re.ASCII) is not None, f"not {what}")
    return value


def app_name(value):
    return matching(value, r"[A-Za-z0-9](?:[A-Za-z0-9._-]{0,62}[A-Za-z0-9_-])?", "an app name")


def channel_name(value):
    return matching(value, r"[a-z0-9](?:[a-z0-9._-]{0,62}[a-z0-9_-])?", "a channel name")


def digest(value):
    return matching(value, "[0-9a-f]{64}", "64 hexadecimal digits")


def version(value):
    """A version is the name of a directory here: nothing else may ever become one."""
    return matching(value, "[0-9a-f]{20}", "a version of 20 hexadecimal digits")


def moment(value):
    matching(value, r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z", "a time")
    try:
        # Python has no year 0; the calendar repeats after 400 years.
        datetime.datetime.fromisoformat(("0400" + value[4:] if value < "0001" else value)[:-1])
    except ValueError as error:
        raise Refused("not a time") from error
    return value


def native_version(value):
    matching(value, r"\d{1,9}(?:\.\d{1,9}){0,3}", "a native version")
    return [int(number) for number in value.split(".")]


def decoded(value):
    try:
        data = base64.b64decode(text(value), validate=True)
    except ValueError as error:
        raise Refused("not base64") from error
    require(base64.b64encode(data).decode() == value, "not the canonical base64")
    return data


def content(value):
    members(value).must("url", text)
    value.must("sha256", digest)
    value.must("size", whole, 0)
    return value


# Names that may become files, by "Names" in docs/formats.md.

JUNK = {".DS_Store", "Thumbs.db", "desktop.ini", "__MACOSX", ".git", ".svn", ".hg", ".Spotlight-V100",
        ".Trashes", ".fseventsd", ".packtool-rewrite.json"}
JUNK_FORM = re.compile(r"\._.*|\.#.*|.*~|#.*#|\.(?:.*\.)?sw[pox]|\.[0-9a-f]{32}\.packtool", re.DOTALL)
DEVICE = re.compile(r"(?:con|prn|aux|nul|conin\$|conout\$|com[0-9]|lpt[0-9])(?:\..*)?",
                    re.DOTALL | re.IGNORECASE | re.ASCII)
CONTROL = re.compile("[\0-\x1f\x7f-\x9f\\\\:]")


def check_path(path):
    parts = text(path).split("/")
    require(len(path.encode()) <= 1024 and len(parts) <= 32, "a path longer than 1,024 or deeper than 32")
    require(not CONTROL.search(path), f"the path {path!r}")
    require(unicodedata.normalize("NFC", path) == path, f"the path {path!r} is not in normal form C")
    for part in parts:
        require(part and len(part.encode()) <= 255 and part[-1] not in ". ", f"the path {path!r}")
        require(not DEVICE.fullmatch(part), f"the path {path!r} is a device on Windows")
        require(part not in JUNK and not JUNK_FORM.fullmatch(part), f"the path {path!r} is junk")
    return path


def folded(path):
    return unicodedata.normalize("NFC", path.casefold())


def check_collisions(paths):
    """Refuses two names that are one on a disk that ignores case, and a file that is also a directory."""
    names = {folded(path) for path in paths}
    folders = {folded(path[:at]) for path in paths for at, letter in enumerate(path) if letter == "/"}
    require(len(names) == len(paths) and not names & folders, "names that collide")


# The steps of "Writing a client".

def check_range(value):
    """The app versions that can run a release."""
    lowest, highest = (value.may(name, native_version) for name in ("minNativeVersion", "maxNativeVersion"))
    if lowest and highest:
        require((lowest + [0] * 4)[:len(highest)] <= highest, "no native version is in the range")


def check_entry(value):
    """One release that a pointer offers: the pointer's own, or a fallback."""
    require(value.must("packageHash", digest).startswith(value.must("version", version)),
            "version and packageHash disagree")
    tree = value.must("tree", members)
    tree.must("assets", whole, 0, ASSETS)
    tree.must("size", whole, 0)
    value.may("label", text)
    value.may("launch", check_path)
    for name in ("info", "package"):
        value.must(name, content)
    for delta in value.must("deltas", elements, DELTAS):
        content(delta)
        delta.must("from", version)
        delta.must("fromHash", digest)
        delta.must("memory", whole, 0)
        delta.may("coded", whole, 0)
        delta.may("copied", whole, 0)
    value.must("rollout", whole, 0, 100)
    value.may("rolloutSalt", text, 64)
    check_range(value)
    platforms = value.may("platforms", members) or Members()
    for name in ("ios", "android"):
        platforms.may(name, lambda one: check_range(members(one)))


def check_pointer(value, app):
    require(value.must("schema", whole, 0) == 1, "a pointer of another schema")
    require(value.must("app", app_name) == app, "a pointer of another app")
    require(value.must("channel", channel_name) == CHANNEL, "a pointer of another channel")
    sequence = value.must("sequence", whole, 1)
    value.may("previous", whole, 1, sequence - 1)
    value.may("root", whole, 1)
    value.may("operation", text)
    value.may("by", text, 200)
    if (source := value.may("source", members)) is not None:
        source.must("channel", channel_name)
        source.must("sequence", whole, 1)
    value.must("createdAt", moment)
    value.may("expires", moment)
    value.must("mandatory", flag)
    value.may("mandatorySequence", whole, 1, sequence)
    value.must("enabled", flag)
    value.may("bypass", flag)
    value.may("proposed", flag)
    if value.may("closed", flag):
        require(not value["enabled"] and value.get("expires") is None,
                "a closed pointer is enabled or expires")
    for entry in [value, *(value.may("fallbacks", elements, FALLBACKS) or [])]:
        check_entry(members(entry))


def check_places(value, base):
    """The URLs of the release that is used: below this origin, and nowhere else in it than its places."""
    release, info = f"{base}/releases/{value['version']}", value["info"]
    require(info["url"] in (f"{release}/info.json", f"{release}/info-{info['sha256'][:16]}.json"),
            f"{info['url']} is not a place of the origin")
    require(value["package"]["url"] == f"{release}/package.zip",
            f"{value['package']['url']} is not a place of the origin")
    require(value["tree"]["size"] <= TREE_LIMIT, "a release larger than 16 GiB")
    # A stored file is as large in the zip as outside of it; names and records come on top.
    most = value["tree"]["size"] + 4096 * (value["tree"]["assets"] + 1)
    require(value["package"]["size"] <= most, "a package larger than its content")


def read_pointer(base, app, root):
    """Step 1: the pointer. An older one is refused; this one is stored before anything is done by it."""
    seen, url = last_seen(root), f"{base}/channels/{CHANNEL}/pointer.json"
    known = seen.get("answer") or {}
    if known.get("url") != url:
        known = {}
    envelope = b"".join(pieces(url, POINTER_LIMIT, known))
    outer = parse(envelope)
    require(outer.must("payloadType", text) == "application/vnd.packtool.pointer+json", "no pointer")
    for signature in outer.must("signatures", elements, SIGNATURES):
        members(signature).must("keyid", text)
        signature.must("sig", decoded)
    payload = outer.must("payload", decoded)
    digested = sha256(payload)
    require(outer.may("digest", digest) in (None, digested), "the pointer is damaged")
    pointer = parse(payload)
    check_pointer(pointer, app)
    check_places(pointer, base)
    sequence = pointer["sequence"]
    require(sequence >= seen["sequence"], "an older pointer than the last one")
    require(sequence > seen["sequence"] or digested == seen["payload"], "two pointers with one sequence")
    state = {"kind": KIND, "sequence": sequence, "payload": digested}
    # A tag of another form could not be sent back.
    if re.fullmatch(r'(?:W/)?"[!#-~]{1,200}"', known.get("tag") or ""):
        state["answer"] = {"url": url, "tag": known["tag"], "bytes": base64.b64encode(envelope).decode()}
    with open(root / "seen.new", "w", encoding="utf-8") as new:
        json.dump(state, new)
        new.flush()
        os.fsync(new.fileno())
    os.replace(root / "seen.new", root / "seen.json")
    return pointer


def last_seen(root):
    """What this client has seen. Its file is also the mark by which it recognises its own directory."""
    file = root / "seen.json"
    if not file.exists():
        # A first run that was killed may have left its temporary file.
        require(all(path.name == "seen.new" for path in root.iterdir()),
                f"{str(root)!r} is not empty, and was not made by this client")
        return {"sequence": 0, "payload": None}
    require(file.stat().st_size <= STATE_LIMIT, "seen.json is too large")
    seen = parse(file.read_bytes())
    require(seen.must("kind", text) == KIND, f"{str(root)!r} was not made by this client")
    seen.must("sequence", whole, 1)
    seen.must("payload", digest)
    if (answer := seen.may("answer", members)) is not None:
        answer.must("url", text)
        answer.must("tag", text)
        answer["bytes"] = answer.must("bytes", decoded)
    return seen


def check_start(pointer, now):
    require(not pointer.get("bypass"), "the app has to load its https pages")
    require(not pointer.get("closed"), f"the channel was closed at {pointer['createdAt']}")
    require(pointer["enabled"], "updates are switched off")
    require(pointer.get("expires") is None or now < pointer["expires"], "the pointer has expired")


# The package: a zip by the strict profile of docs/formats.md, in the form that packtool writes. That form has
# the files in listing order and no directories, no comments, and no extra fields but those of zip64.

END, END64, LOCATOR, CENTRAL, LOCAL = map(struct.Struct, (
    "<4s4H2IH", "<4sQ2H2I4Q", "<4sIQI", "<4s6H3I5H2I", "<4s5H3I2H"))
FULL, FULL_COUNT, UTF8 = 0xFFFFFFFF, 0xFFFF, 0x0800
File = collections.namedtuple("File", "path flags method crc size packed offset")


def record(package, at, form, mark):
    """The fields of the record at an offset, after the mark that it begins with."""
    require(at >= 0, "the package is too short")
    package.seek(at)
    data = package.read(form.size)
    require(len(data) == form.size and data[:4] == mark, f"the package has no record {mark!r} at {at}")
    return form.unpack(data)[1:]


def find_directory(package):
    """The number of files, and the start and the end of the central directory, by the records at the end."""
    end = package.seek(0, os.SEEK_END) - END.size
    disk, first, here, count, size, start, comment = record(package, end, END, b"PK\5\6")
    require((disk, first, here, comment) == (0, 0, count, 0), "the end record has a comment or disks")
    if count == FULL_COUNT or FULL in (size, start):
        plain, end = (count, size, start), end - LOCATOR.size - END64.size
        length, _, needed, disk, first, here, count, size, start = record(package, end, END64, b"PK\6\6")
        place = record(package, end + END64.size, LOCATOR, b"PK\6\7")
        require(plain == (min(count, FULL_COUNT), min(size, FULL), min(start, FULL)) and needed & 255 <= 45
                and place == (0, end, 1) and (length, disk, first, here) == (44, 0, 0, count),
                "the zip64 records disagree")
    require(start + size == end, "bytes before or after the central directory")
    return count, start, end


def wide(field, *plain):
    """Sizes and offset of a header: each one that is full is in the zip64 field, the only one allowed."""
    count = plain.count(FULL)
    require(len(field) == (4 + 8 * count if count else 0)
            and field[:4] == struct.pack("<2H", 1, 8 * count)[:len(field)], "an extra field")
    values = iter(struct.unpack_from(f"<{count}Q", field, 4) if count else ())
    return tuple(next(values) if value == FULL else value for value in plain)


def read_directory(package, pointer):
    """Step 4: the files of the package, and where its directory begins. Everything is checked but content."""
    count, start, end = find_directory(package)
    require(count == pointer["tree"]["assets"], "another number of files than the pointer has")
    files, at, last = [], start, b""
    for _ in range(count):
        (_, needed, flags, method, _, _, crc, packed, size, length, extra, comment, disk, _, attributes,
         offset) = record(package, at, CENTRAL, b"PK\1\2")
        name, field = package.read(length), package.read(extra)
        at += CENTRAL.size + length + extra
        require(name.isascii() or flags & UTF8, f"the name {name!r} is not flagged as UTF-8")
        try:
            path = check_path(name.decode("utf-8"))
        except UnicodeDecodeError as error:
            raise Refused(f"the path {name!r} is not UTF-8") from error
        require(name > last, f"{path!r} appears twice, or out of order")
        # A mode of another kind would be a link, a device or a directory.
        require(needed & 255 <= 45 and not flags & ~0x0806 and method in (0, 8) and comment == disk == 0
                and attributes >> 28 in (0, 8) and not attributes & 0x10, f"the entry of {path!r}")
        size, packed, offset = wide(field, size, packed, offset)
        require(size <= FILE_LIMIT and size <= packed * INFLATION and (method == 8 or packed == size),
                f"the size of {path!r}")
        files.append(File(path, flags, method, crc, size, packed, offset))
        last = name
    require(at == end, "the central directory has another size than stated")
    check_collisions([file.path for file in files])
    require(sum(file.size for file in files) == pointer["tree"]["size"], "a tree of another size")
    launch = pointer.get("launch")
    require(launch is None or any(file.path == launch for file in files), "'launch' is not one of the files")
    return files, start


def inflated(package, method, size, most):
    """The content of one entry in pieces: of exactly `size` bytes in the zip, and at most `most` outside."""
    inflater = zlib.decompressobj(-15) if method == 8 else None
    try:
        while size or inflater and not inflater.eof:
            data = package.read(min(size, PIECE))
            require(data or not size, "the package ends too early")
            size -= len(data)
            while True:
                piece, data = data, b""
                if inflater:
                    piece = inflater.decompress(piece, PIECE)
                    data = inflater.unconsumed_tail
                most -= len(piece)
                require(most >= 0, "a file is larger than its entry states")
                require(not (inflater and inflater.unused_data), "an entry goes on after its end")
                yield piece
                if not data:
                    break
            require(size or piece or not inflater or inflater.eof, "an entry has no end")
    except zlib.error as error:
        raise Refused(f"an entry cannot be inflated: {error}") from error


def unpack(package, pointer, tree):
    """Step 5: the local headers must agree with the directory, and fill the package up to it without gaps."""
    files, start = read_directory(package, pointer)
    at = 0
    for path, flags, method, crc, size, packed, offset in files:
        require(offset == at, f"the package has a gap or an overlap at {path!r}")
        needed, *same, plain_packed, plain_size, length, extra = record(package, at, LOCAL, b"PK\3\4")
        name, field = package.read(length), package.read(extra)
        at += LOCAL.size + length + extra + packed
        require(name == path.encode() and needed & 255 <= 45
                and wide(field, plain_size, plain_packed) == (size, packed)
                and (same[0], same[1], same[4]) == (flags, method, crc), f"two headers of {path!r} differ")
        target = tree.joinpath(*path.split("/"))
        target.parent.mkdir(parents=True, exist_ok=True)
        check, count = 0, 0
        # Never through or over anything that is there.
        with open(target, "xb") as file:
            for piece in inflated(package, method, packed, size):
                check, count = zlib.crc32(piece, check), count + len(piece)
                file.write(piece)
        require((count, check) == (size, crc), f"{path!r} does not match its checksum")
    require(at == start, "the package has bytes that belong to no file")


def listed(tree):
    """Step 6: the package hash of what is on the disk. It verifies every name and every byte."""
    files = []
    for folder, _, names in os.walk(os.fsencode(tree)):
        files += [os.path.join(folder, name) for name in names]
    top, listing = len(os.fsencode(tree)) + 1, hashlib.sha256()
    for file in sorted(files, key=lambda file: file[top:]):
        hasher = hashlib.sha256()
        with open(file, "rb") as opened:
            while data := opened.read(PIECE):
                hasher.update(data)
        listing.update(hasher.hexdigest().encode() + b"  " + file[top:] + b"\n")
    return listing.hexdigest()


def switch(tree, name, root):
    """Step 8: durable first, then one rename decides, then the previous release is removed."""
    os.sync()
    versions = root / "versions"
    versions.mkdir(exist_ok=True)
    if (versions / name).exists():
        shutil.rmtree(versions / name)
    os.rename(tree, versions / name)
    (root / "next").unlink(missing_ok=True)
    (root / "next").symlink_to(f"versions/{name}")
    os.replace(root / "next", root / "current")
    os.sync()
    for previous in versions.iterdir():
        if previous.name != name and re.fullmatch("[0-9a-f]{20}", previous.name):
            shutil.rmtree(previous)


def prepare(pointer, root):
    """Steps 4 to 6: a proved tree in a directory of its own."""
    needed = pointer["package"]["size"] + pointer["tree"]["size"] + (1 << 20)
    require(shutil.disk_usage(root).free >= needed, f"{needed} bytes are needed, and the disk has less")
    tree, archive = root / "fresh", root / "package.zip"
    shutil.rmtree(tree, ignore_errors=True)
    try:
        with open(archive, "w+b") as package:
            proved(pointer["package"], package.write)
            package.seek(0)
            tree.mkdir()
            unpack(package, pointer, tree)
        require(listed(tree) == pointer["packageHash"], "another tree than promised")
    except BaseException:
        shutil.rmtree(tree, ignore_errors=True)
        raise
    finally:
        archive.unlink(missing_ok=True)
    return tree


def main(base, app, root):
    begun, now = time.monotonic(), time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    require(re.fullmatch(r"https?://[^/@?#:]+(?::[0-9]+)?(?:/[^/?#@]+)*", base), f"{base!r} is no base URL")
    root.mkdir(parents=True, exist_ok=True)
    pointer = read_pointer(base, app, root)
    for restart in range(RESTARTS + 1):
        if pointer.get("closed") and (root / "current").is_symlink():
            print(f"closed: the channel ended at {pointer['createdAt']}; the installed release stays")
            return
        check_start(pointer, now)
        # Step 2: nothing to do if this release is installed.
        name, current = pointer["version"], root / "current"
        if current.is_symlink() and os.readlink(current) == f"versions/{name}":
            print(f"unchanged: {name}")
            return
        tree = prepare(pointer, root)
        # Step 7: a slow run looks again, because the release may have been taken back.
        if time.monotonic() - begun <= SECOND_LOOK or restart == RESTARTS:
            break
        begun = time.monotonic()
        try:
            later = read_pointer(base, app, root)
        except (Refused, OSError):
            break
        pointer, same = later, later["packageHash"] == pointer["packageHash"]
        if same and not pointer.get("closed"):
            check_start(pointer, now)
            break
    switch(tree, name, root)
    print(f"installed: {name}")


if __name__ == "__main__":
    try:
        main(sys.argv[1].rstrip("/"), sys.argv[2], pathlib.Path(sys.argv[3]))
    except (Refused, OSError) as error:
        sys.exit(f"error: {error!r}; unaffected: the installed release")
