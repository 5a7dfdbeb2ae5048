#!/usr/bin/env python3
"""client.py against hostile origins: each case changes one thing of an origin that is in order.

Every one must be refused with the reason given here, and leave the user's files and the installed release as
they were; the answers of `FLOODS` must also end before they cost a device more than a few hundred kilobytes.
"""
import base64
import contextlib
import copy
import hashlib
import io
import json
import os
import pathlib
import socket
import struct
import sys
import tempfile
import threading
import time
import zlib

sys.dont_write_bytecode = True
import client  # noqa: E402

FILES = {"index.html": b"<!doctype html>", "js/main.js": b"let a = 1\n" * 2000}


def sha256(data):
    return hashlib.sha256(data).hexdigest()


MISSING = b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"


class Origin:
    """A server in a thread; `files` are its answers: bytes, or a function of connection and request."""

    def __init__(self):
        self.files, self.sent = {}, 0
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.base = f"http://127.0.0.1:{self.listener.getsockname()[1]}"
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while True:
            connection, _ = self.listener.accept()
            threading.Thread(target=self.answer, args=(connection,), daemon=True).start()

    def send(self, connection, data):
        connection.sendall(data)
        self.sent += len(data)

    def answer(self, connection):
        with contextlib.suppress(OSError), connection:
            head = b""
            while b"\r\n\r\n" not in head:
                head += connection.recv(4096) or b"\r\n\r\n"
            what = self.files.get(head.split(b" ")[1].decode(), MISSING)
            if callable(what):
                return what(connection, head)
            if not what.startswith(b"HTTP/"):
                what = b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(what) + what
            self.send(connection, what)


class Entry:
    """A file of a package, whose every field a case may change in each of its two headers."""

    def __init__(self, path, content):
        deflate = zlib.compressobj(9, zlib.DEFLATED, -15)
        self.data = deflate.compress(content) + deflate.flush()
        name = path.encode("utf-8", "surrogatepass")
        self.local = {
            "needed": 20, "flags": 0 if name.isascii() else 0x800, "method": 8, "time": 0, "date": 0x21,
            "crc": zlib.crc32(content), "packed": len(self.data), "size": len(content), "name": name,
            "extra": b""}
        self.central = self.local | {"comment": b"", "disk": 0, "attributes": 0x81A40000}
        # Bytes after this entry.
        self.gap = b""

    def set(self, **changes):
        self.local |= changes
        self.central |= changes


def packed(entries, end, tail):
    """A package with these entries, changes of its end record, and bytes between directory and end record."""
    body, directory = b"", b""
    for entry in entries:
        local, central = entry.local, {"offset": len(body)} | entry.central
        body += struct.pack(
            "<4s5H3I2H", b"PK\3\4", *(local[name] for name in HEADER), len(local["name"]), len(local["extra"])
        ) + local["name"] + local["extra"] + entry.data + entry.gap
        directory += struct.pack(
            "<4s6H3I5H2I", b"PK\1\2", 0x314, *(central[name] for name in HEADER), len(central["name"]),
            len(central["extra"]), len(central["comment"]), central["disk"], 0, central["attributes"],
            central["offset"]) + central["name"] + central["extra"] + central["comment"]
    directory += tail
    end = {"disk": 0, "first": 0, "here": len(entries), "count": len(entries), "size": len(directory),
           "start": len(body), "comment": b""} | end
    return body + directory + struct.pack(
        "<4s4H2IH", b"PK\5\6", *list(end.values())[:-1], len(end["comment"])) + end["comment"]


HEADER = "needed", "flags", "method", "time", "date", "crc", "packed", "size"


class Release:
    """A release whose every part a case may change before it is put on the origin, without info.json."""

    def __init__(self, base, files=None):
        self.base = base
        self.fill(files or FILES)
        self.pointer, self.envelope, self.end, self.tail, self.change = {}, {}, {}, b"", bytes
        # Texts that no JSON writer makes, by what stands for them in the payload.
        self.raw = {}

    def fill(self, files):
        """The files of pointer and package alike."""
        self.files = {path.encode("utf-8", "surrogatepass"): data for path, data in files.items()}
        self.entries = [Entry(path, data) for path, data in sorted(
            files.items(), key=lambda one: one[0].encode("utf-8", "surrogatepass"))]

    def put(self, origin, sequence):
        listing = b"".join(sha256(data).encode() + b"  " + path + b"\n"
                           for path, data in sorted(self.files.items()))
        package_hash, package = sha256(listing), self.change(packed(self.entries, self.end, self.tail))
        name = package_hash[:20]
        place = f"{self.base}/releases/{name}"
        pointer = {"schema": 1, "app": "shop", "channel": "production", "sequence": sequence,
                   "previous": None, "root": None, "createdAt": "2026-11-21T08:00:00Z",
                   "expires": None, "version": name, "packageHash": package_hash,
                   "tree": {"assets": len(self.files), "size": sum(map(len, self.files.values()))},
                   "label": "1.0", "launch": None,
                   "info": {"url": f"{place}/info.json", "sha256": "0" * 64, "size": 1},
                   "package": {"url": f"{place}/package.zip", "sha256": sha256(package),
                               "size": len(package)},
                   "deltas": [], "rollout": 100, "mandatory": False,
                   "mandatorySequence": None, "enabled": True, "bypass": False, "fallbacks": []}
        for member, value in self.pointer.items():
            pointer[member] = value(pointer[member]) if callable(value) else value
        text = json.dumps(pointer)
        for stands, words in self.raw.items():
            text = text.replace(json.dumps(stands), words)
        envelope = json.dumps({"payloadType": "application/vnd.packtool.pointer+json",
                               "payload": base64.b64encode(text.encode()).decode(),
                               "digest": sha256(text.encode()), "signatures": []} | self.envelope).encode()
        origin.files = {"/channels/production/pointer.json": envelope,
                        f"/releases/{name}/package.zip": package}


CASES = []


def case(name, reason, change):
    CASES.append((name, reason, change))


def pointer(reason, **members):
    case(f"pointer: {members}"[:90], reason, lambda r: r.pointer.update(members))


def part(reason, member, **changes):
    case(f"pointer: {member} {changes}"[:90], reason,
         lambda r: r.pointer.update({member: lambda old: old | changes}))


def named(reason, path):
    """A file of this name, on which pointer and package agree."""
    case(f"file {path!r}"[:90], reason, lambda r: r.fill({path: b"x", "js/main.js": b"y"}))


def package(name, reason, change):
    case(f"package: {name}", reason, change)


def header(what, reason, **fields):
    """Another value in both headers of the first file."""
    package(what, reason, lambda r: r.entries[0].set(**fields))


def central(what, reason, **fields):
    """Another value in the central directory alone."""
    package(f"{what} in the directory", reason, lambda r: r.entries[0].central.update(fields))


def end(what, reason, **fields):
    package(f"end record, {what}", reason, lambda r: r.end.update(fields))


def rewritten(name, reason, change):
    """Other bytes of the whole package, for which the pointer has the right hash."""
    package(name, reason, lambda r: setattr(r, "change", change))


# The reproducer: a version that leads out of the directory, relative and absolute, and what looks like one.
for name in ("../../../.ssh", "/tmp/x", "..", ".", "", "a" * 19, "A" * 20, "a" * 20 + "\n", "٠" * 20,
             "a/../../../b/c/d/e12"):
    pointer("a version of 20", version=name)
for value in (None, 5, ["a" * 20], True):
    pointer("version", version=value)
pointer("disagree", version="a" * 20)
for value in (10**60, 2**53):
    pointer("2^53", sequence=value)
for value in (0, -1, 1.0, "1", True, None):
    pointer("sequence", sequence=value)
pointer("previous", previous=10**6)
pointer("another app", app="other")
pointer("app", app="../x")
pointer("another channel", channel="beta")
pointer("channel", channel="Production")
pointer("another schema", schema=2)
pointer("expired", expires="2020-01-01T00:00:00Z")
for moment in ("9999", "2026-11-31T08:00:00Z", "2026-11-21T08:00:00+00:00", "٢٠٢٦-11-21T08:00:00Z", 5):
    pointer("expires", expires=moment)
pointer("createdAt", createdAt="yesterday")
pointer("switched off", enabled=False)
pointer("enabled", enabled=1)
pointer("https pages", bypass=True)
pointer("closed", closed=True)
pointer("closed", closed=1)
pointer("not an object", tree=[1])
pointer("packageHash", packageHash="a" * 63)
pointer("rollout", rollout=101)
pointer("rolloutSalt", rolloutSalt="a" * 65)
pointer("by", by="a" * 201)
pointer("native", minNativeVersion="3.5", maxNativeVersion="3.4.9")
pointer("native", minNativeVersion="1." * 4 + "1")
pointer("native", platforms={"ios": {"minNativeVersion": "3.5", "maxNativeVersion": "3.4.9"}})
pointer("fallbacks", fallbacks=[{}] * 9)
pointer("packageHash", fallbacks=[{}])
pointer("deltas", deltas=[{}] * 101)
pointer("url", deltas=[{"from": "a" * 20}])
for member in "memory", "coded", "copied":
    delta = {"url": "x", "sha256": "a" * 64, "size": 1, "from": "a" * 20, "fromHash": "a" * 64, "memory": 1}
    pointer(f"'{member}': ", deltas=[delta | {member: -1}])
pointer("mandatorySequence", mandatorySequence=10**6)
part("200000", "tree", assets=200_001)
part("tree of another size", "tree", size=1)
part("16 GiB", "tree", size=16 << 30 | 1)
part("another number of files", "tree", assets=3)
part("larger than its content", "package", size=2**52)
for url in ("http://127.0.0.1:1/x.zip", "file:///etc/passwd", "package.zip", "http://a@127.0.0.1/x", ""):
    part("not a place", "package", url=url)
    part("not a place", "info", url=url)
part("does not match its hash", "package", sha256="0" * 64)
part("another size", "package", size=1 << 12)
part("more bytes than expected", "package", size=5)
for launch in "", "/index.html", "../index.html", "js\\main.js", "a/.git", 5, ["index.html"], False:
    pointer("'launch': ", launch=launch)
pointer("not one of the files", launch="other.html")
for reason, words in {"twice": '1, "later": 2', "2^53": "1" + "0" * 5000, "JSON": "NaN",
                      "nested": "[" * 16 + "]" * 16, "not valid": '"\\ud800"'}.items():
    def change(release, words=words):
        release.pointer["later"], release.raw["@"] = "@", words
    case(f"payload: later {words[:20]}", reason, change)
case("payload: names that are one text", "same text", lambda r: r.pointer.update({"é": 1, "e\u0301": 2}))
case("envelope: another type", "no pointer", lambda r: r.envelope.update(payloadType="application/json"))
case("envelope: 65 signatures", "signatures",
     lambda r: r.envelope.update(signatures=[{"keyid": "", "sig": ""}] * 65))
case("envelope: another payload", "damaged", lambda r: r.envelope.update(payload="e30="))
case("envelope: another digest", "damaged", lambda r: r.envelope.update(digest="0" * 64))
case("envelope: a digest of another form", "'digest'", lambda r: r.envelope.update(digest="x"))
case("envelope: other base64", "payload", lambda r: r.envelope.update(payload="e31="))

for path in ("../x", "/x", "a//b", "a/./b", "a/..", "..", "a\\b", "a\0b", "a\nb", "a\x85b", "C:x", "a.", "a ",
             "nul", "COM1.txt", "a/aux.js", "e\u0301", "x" * 256, "a/" * 32 + "b", "/".join(["y" * 200] * 6),
             ".git/config",
             "a~", "._a", "#a#", ".a.swp", ".packtool-rewrite.json", "." + "0" * 32 + ".packtool"):
    named("path", path)
named("is not UTF-8", "\ud800")
named("collide", "JS/MAIN.js")
named("collide", "js")
named("path", "js/")
named("path", "z/")

# The end of the package, by the strict zip profile.
rewritten("empty", "too short", lambda _: b"")
rewritten("no zip", "no record", lambda _: b"x" * 500)
rewritten("cut", "no record", lambda data: data[:-1])
rewritten("a byte more", "no record", lambda data: data + b"x")
rewritten("a second end record", "before or after", lambda data: data + data[-22:])
rewritten("bytes in front", "before or after", lambda data: b"MZ" + data)
end("a comment", "no record", comment=b"hello")
end("the first disk is another", "disks", disk=1)
end("another disk of the directory", "disks", first=1)
end("files on another disk", "disks", here=1)
end("a file less", "another number of files", here=1, count=1)
end("a smaller directory", "before or after", size=50)
end("a later start", "before or after", start=200)
end("zip64 without its records", "no record", here=0xFFFF, count=0xFFFF)


def zip64(here=2, mark=b"PK\6\7", **plain):
    """Both records of zip64 in front of the end record."""
    def change(release):
        def with_records(data):
            *_, size, start = struct.unpack("<4s4H2I", data[-22:-2])
            at = len(data) - 22
            records = struct.pack("<4sQ2H2I4Q4sIQI", b"PK\6\6", 44, 0x32D, 45, 0, 0, here, 2, size, start,
                                  mark, 0, at, 1)
            return data[:-22] + records + data[-22:]
        release.change = lambda data: patched(with_records(data), **plain)
    return change


def patched(data, count=None):
    return data if count is None else data[:-14] + struct.pack("<2H", count, count) + data[-10:]


package("zip64 without need", "before or after", zip64())
package("zip64 for a count that is not full", "disagree", zip64(count=0xFFFF))
package("zip64 with another count", "disagree", zip64(here=3, count=0xFFFF))
package("zip64 without its locator", "no record", zip64(mark=b"PK\0\0", count=0xFFFF))

# The central directory, and the headers that must agree with it.
package("a longer directory", "another size than stated", lambda r: setattr(r, "tail", b"x"))
package("a file twice", "appears twice", lambda r: r.entries.__setitem__(1, r.entries[0]))
package("files out of order", "out of order", lambda r: r.entries.reverse())
package("bytes between files", "a gap", lambda r: setattr(r.entries[0], "gap", b"x"))
package("bytes behind the files", "belong to no file", lambda r: setattr(r.entries[1], "gap", b"x"))
package("overlapping files", "an overlap", lambda r: r.entries[1].central.update(offset=0))
central("another name", "differ", name=b"aaaaa.html")
central("a name outside", "path", name=b"../../x")
central("a longer name", "differ", name=b"index.html5")
central("another checksum", "differ", crc=1)
central("another method", "the size of", method=0)
central("another flag", "differ", flags=2)
central("more compressed bytes", "differ", packed=40)
central("a comment", "the entry of", comment=b"x")
central("another disk", "the entry of", disk=1)
central("an unknown field", "an extra field", extra=b"\1\x99\0\0")
central("zip64 without need", "an extra field", extra=struct.pack("<2HQ", 1, 8, 14))
central("zip64 of two values for one", "an extra field", size=0xFFFFFFFF,
        extra=struct.pack("<2H2Q", 1, 16, 15, 15))
central("a full size without zip64", "an extra field", size=0xFFFFFFFF)
central("zip64 of another size", "differ", packed=0xFFFFFFFF, extra=struct.pack("<2HQ", 1, 8, 40))
for kind, mode in {"link": 0xA1FF, "directory": 0x41ED, "device": 0x21B6, "pipe": 0x11B6}.items():
    central(f"a {kind}", "the entry of", attributes=mode << 16)
central("a directory of DOS", "the entry of", attributes=0x81A40010)
header("encrypted", "the entry of", flags=1)
header("a data descriptor", "the entry of", flags=8)
header("bzip2", "the entry of", method=12)
header("a later version", "the entry of", needed=46)
package("a later version in one header", "differ", lambda r: r.entries[0].local.update(needed=46))
header("an extra field", "an extra field", extra=b"\1\x99\0\0")
package("a name in Latin 1", "not flagged", lambda r: (r.fill({"\xe9": b"x"}), r.entries[0].set(flags=0)))
package("a name that is not UTF-8", "is not UTF-8", lambda r: r.entries[0].set(name=b"\xff", flags=0x800))

# The content.
header("a wrong checksum", "checksum", crc=1)
header("more than 2 GiB", "the size of", size=(2 << 30) + 1, packed=1 << 22)
header("more compressed bytes than there are", "goes on after its end", packed=1 << 22)
header("1,033-fold", "the size of", size=1033 * len(Entry("", FILES["index.html"]).data))
header("a stored file of another size", "the size of", method=0)
header("a larger file", "a tree of another size", size=16)


def replaced(content, **fields):
    """Another content of the first file, with fields that do not tell."""
    def change(release):
        other = Entry("index.html", content)
        other.set(size=release.entries[0].local["size"], **fields)
        release.entries[0] = other
    return change


package("a bomb", "larger than its entry", replaced(bytes(1 << 22)))
package("a shorter file", "checksum", replaced(b"<!doctype"))
package("other content", "another tree", replaced(b"<!doctype htmL>"))
package("another name for the same content", "another tree", lambda r: r.entries[0].set(name=b"index.htm"))


def deflated(name, reason, change):
    """Other compressed bytes of the first file."""
    def altered(release):
        entry = release.entries[0]
        entry.data = change(entry.data)
        entry.set(packed=len(entry.data))
    package(name, reason, altered)


deflated("a broken stream", "inflated", lambda data: b"\xff" * len(data))
deflated("bytes after a stream", "goes on after its end", lambda data: data + b"x")
deflated("a stream without end", "has no end", lambda data: data[:-1])

OK = b"HTTP/1.1 200 OK\r\n"
CHUNKED = OK + b"Transfer-Encoding: chunked\r\n\r\n"
# What a server may send without end before, in, and after a pointer.
FLOODS = {
    "body": (OK + b"\r\n", b" " * 8000),
    "headers": (OK, b"X-A: " + b"a" * 1000 + b"\r\n"),
    "one header": (OK + b"X-A: ", b"a" * 8000),
    "100 Continue": (b"", b"HTTP/1.1 100 Continue\r\nX-A: aaaaaaaaaaaaaaaaaaaaaaaaaaaaa\r\n\r\n" * 100),
    "103 Early Hints": (b"", b"HTTP/1.1 103 Early Hints\r\nLink: <a>\r\n\r\n" * 100),
    "chunks": (CHUNKED, b"1\r\n \r\n" * 1000),
    "chunk extension": (CHUNKED + b"1;", b"a" * 8000),
    "chunk extensions": (CHUNKED, b"1;" + b"a" * 8000 + b"\r\n \r\n"),
    "chunk size": (CHUNKED, b"0" * 8000),
    "trailers": (CHUNKED + b"1\r\n{\r\n0\r\n", b"X-T: " + b"a" * 1000 + b"\r\n"),
    "no HTTP": (b"", b"a" * 8000),
}


def flood(origin, head, unit):
    def answer(connection, _):
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
        origin.send(connection, head)
        while True:
            origin.send(connection, unit)
    return answer


def answered(head, body):
    return head + b"Content-Length: %d\r\n\r\n" % len(body) + body


def flipped(body):
    return body[:50] + bytes([body[50] ^ 1]) + body[51:]


# What is answered instead of a file that is in order, and the reason why it is refused.
ANSWERS = {
    "a redirect": ("status 302", lambda body: answered(
        b"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\n", body)),
    "a redirect to a file": ("status 302", lambda _: b"HTTP/1.1 302 Found\r\nLocation: file:///etc/passwd\r\n\r\n"),
    "gzip": ("Content-Encoding gzip", lambda body: answered(OK + b"Content-Encoding: gzip\r\n", body)),
    "206": ("status 206", lambda body: answered(b"HTTP/1.1 206 Partial Content\r\n", body)),
    "304": ("status 304", lambda _: b"HTTP/1.1 304 Not Modified\r\n\r\n"),
    "a shorter body": ("", lambda _: OK + b"Content-Length: 9\r\n\r\nhello"),
    "BOM": ("", lambda _: b"\xef\xbb\xbf{}"),
    "no JSON": ("", lambda _: b"hello"),
    "deep": ("", lambda _: b"[" * 60_000),
    "more than its limit": ("more bytes than expected", lambda body: body.ljust(65_540)),
}


def drip(origin):
    """A byte now and then, so that no pause is too long."""
    def answer(connection, _):
        for byte in OK + b"Content-Length: 9999\r\n\r\n" + b" " * 9999:
            origin.send(connection, bytes([byte]))
            time.sleep(0.01)
    return answer


def snapshot(home):
    def content(path):
        return os.readlink(path) if path.is_symlink() else path.is_file() and path.read_bytes()
    return {str(path): content(path) for path in home.rglob("*") if path.name != "seen.json"}


def run(origin, root):
    """What client.py says: the reason of its refusal, or nothing."""
    with contextlib.redirect_stdout(io.StringIO()):
        try:
            client.main(origin.base, "shop", root)
        except (client.Refused, OSError) as error:
            return str(error)
    return ""


def check_conditions(origin, root):
    """What is wrong with requests under a stored ETag; the origin answers them like a server with ETags."""
    place, seen, wrong = "/channels/production/pointer.json", root / "seen.json", []

    def serve(tag, **members):
        release = Release(origin.base)
        release.pointer.update(members)
        release.put(origin, 9)
        body = origin.files[place]

        def answer(connection, head):
            heads.append(head)
            same = b"If-None-Match: " + tag.encode() in head
            origin.send(connection, b"HTTP/1.1 304 Not Modified\r\n\r\n" if same else answered(
                OK + b"ETag: " + tag.encode() + b"\r\n", body))
        origin.files[place] = answer

    for tag, is_sent in {'"a"': True, 'W/"b"': True, "c": False, '""': False, '"d" e': False,
                         f'"{"f" * 201}"': False}.items():
        heads = []
        serve(tag)
        said = [run(origin, root) for _ in range(2)]
        if any(said) or (b"If-None-Match" in heads[1]) != is_sent:
            wrong.append(f"ETag {tag[:9]}: {said} {heads}")
        seen.unlink()
        seen.write_text(json.dumps({"kind": client.KIND, "sequence": 5, "payload": "0" * 64}))
    # The stored answer is checked like a fetched one, and used for its own address alone.
    serve('"g"', expires="2020-01-01T00:00:00Z")
    if any("expired" not in run(origin, root) for _ in range(2)):
        wrong.append("304 for an expired pointer is accepted")
    heads = []
    seen.write_text(seen.read_text().replace(origin.base, "http://127.0.0.1:1"))
    run(origin, root)
    if b"If-None-Match" in heads[0]:
        wrong.append("an ETag is sent to another address")
    return wrong


def main():
    origin, wrong = Origin(), []
    client.PATIENCE = 5
    with tempfile.TemporaryDirectory() as work:
        home = pathlib.Path(work, "home")
        root = home / "app/pages"
        for name in (".ssh/id_ed25519", "app/notes.txt"):
            (home / name).parent.mkdir(parents=True, exist_ok=True)
            (home / name).write_text("precious\n")
        # A directory of the user with the names that this client uses.
        (home / "mine/versions/1.0").mkdir(parents=True)
        Release(origin.base, {"index.html": b"old"}).put(origin, 5)
        if run(origin, root) or "was not made by this client" not in run(origin, home / "mine"):
            wrong.append("a good release is refused, or a directory of the user is taken")
        seen = (root / "seen.json").read_bytes()
        for name, reason, content in [
                ("state of another program", "was not made by this client", b'{"kind": "x"}'),
                ("large state", "too large", seen + b" " * client.STATE_LIMIT)]:
            (home / name).mkdir()
            (home / name / "seen.json").write_bytes(content)
            if reason not in (said := run(origin, home / name)):
                wrong.append(f"{name}: '{reason}' was expected, and client.py says '{said}'")
        before = snapshot(home)

        def check(name, reason, prepare, root=root):
            release = Release(origin.base, copy.deepcopy(FILES))
            prepare(release)
            origin.sent = 0
            said = run(origin, root)
            if reason not in said or not said:
                wrong.append(f"{name}: '{reason}' was expected, and client.py says '{said[:200]}'")
            if root.is_relative_to(home) and snapshot(home) != before:
                changes = snapshot(home).items() ^ before.items()
                wrong.append(f"{name}: files changed: {changes}"[:300])
            if root.is_relative_to(home):
                (root / "seen.json").write_bytes(seen)

        for name, reason, change in CASES:
            def prepare(release, change=change):
                change(release)
                release.put(origin, 9)
            check(name, reason, prepare)
        for sequence, reason in (4, "an older pointer"), (5, "two pointers with one sequence"):
            check(f"sequence {sequence}", reason, lambda release, last=sequence: release.put(origin, last))

        def closed(release):
            release.pointer.update(closed=True, enabled=False)
            release.put(origin, 9)
        check("a closed channel, and nothing is installed", "was closed", closed, pathlib.Path(work, "new"))

        answers = [(place, *one) for place in ("pointer", "package") for one in [
            *((name, reason, change) for name, (reason, change) in ANSWERS.items()),
            *((name, "", lambda _, f=f: flood(origin, *f)) for name, f in FLOODS.items())]]
        answers.append(("package", "another byte", "does not match its hash", flipped))
        for place, name, reason, change in answers:
            def prepare(release, place=place, change=change):
                release.put(origin, 9)
                for url, body in origin.files.items():
                    if place in url:
                        origin.files[url] = change(body)
            check(f"{place}: {name}", reason, prepare)
            # What is in the sockets' buffers was sent, and not received.
            if name in FLOODS and origin.sent > (4 << 20):
                wrong.append(f"{place}: {name}: {origin.sent} bytes were taken")

        def slow(release):
            release.put(origin, 9)
            origin.files["/channels/production/pointer.json"] = drip(origin)
        usual = client.ANSWER, client.SLOWEST
        client.ANSWER, client.SLOWEST = 0, client.BIGGEST
        check("a server that drips", "too slow", slow)
        client.ANSWER, client.SLOWEST = usual
        # The same origin in order is installed: each refusal was for what its case changed.
        Release(origin.base).put(origin, 9)
        if run(origin, root) or (root / "current/js/main.js").read_bytes() != FILES["js/main.js"]:
            wrong.append("the good release is refused at the end")
        wrong += check_conditions(origin, root)
    count = len(CASES) + len(answers) + 6
    print("\n".join(wrong) or f"client: refuses {count} hostile answers, and leaves the user's files alone")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
