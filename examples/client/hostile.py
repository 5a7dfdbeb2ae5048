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
import urllib.parse
import zipfile

sys.dont_write_bytecode = True
import client  # noqa: E402

FILES = {"index.html": b"<!doctype html>", "js/main.js": b"let a = 1\n" * 2000}


def sha256(data):
    return hashlib.sha256(data).hexdigest()


MISSING = b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"


class Origin:
    """A server in a thread; `files` are its answers: bytes, or a function that gets the connection."""

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
                return what(connection)
            if not what.startswith(b"HTTP/"):
                what = b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(what) + what
            self.send(connection, what)


class Release:
    """A release whose every part a case may change before it is put on the origin."""

    def __init__(self, base, files=None):
        self.base, self.files = base, files or FILES
        self.assets = [{"path": path, "url": f"{base}/objects/{sha256(data)}/{path.rpartition('/')[2]}",
                        "sha256": sha256(data), "size": len(data), "type": "text/html"}
                       for path, data in sorted(self.files.items())]
        self.zip = packed(self.files)
        self.pointer, self.manifest, self.envelope = {}, {}, {}
        # Texts that no JSON writer makes, by what stands for them in the payload.
        self.raw = {}

    def put(self, origin, sequence):
        listing = "".join(f"{a['sha256']}  {a['path']}\n" for a in self.assets)
        package_hash = sha256(listing.encode("utf-8", "surrogatepass"))
        name = package_hash[:20]
        place = f"{self.base}/releases/{name}"
        package = {"url": f"{place}/package.zip", "sha256": sha256(self.zip), "size": len(self.zip)}
        manifest = {"version": name, "files": [a["url"] for a in self.assets], "schema": 1, "app": "shop",
                    "packageHash": package_hash, "scheme": "customscheme", "assets": self.assets,
                    "package": package, "build": {"tool": "test"}} | self.manifest
        info = json.dumps(manifest).encode()
        pointer = {"schema": 1, "app": "shop", "channel": "production", "sequence": sequence,
                   "previous": None, "root": None, "createdAt": "2026-11-21T08:00:00Z",
                   "expires": None, "version": name,
                   "packageHash": package_hash,
                   "tree": {"assets": len(self.assets), "size": sum(a["size"] for a in self.assets)},
                   "label": "1.0",
                   "info": {"url": f"{place}/info.json", "sha256": sha256(info), "size": len(info)},
                   "package": package, "deltas": [], "rollout": 100, "mandatory": False,
                   "mandatorySequence": None, "enabled": True, "bypass": False, "fallbacks": []}
        for member, value in self.pointer.items():
            pointer[member] = value(pointer[member]) if callable(value) else value
        text = json.dumps(pointer)
        for stands, words in self.raw.items():
            text = text.replace(json.dumps(stands), words)
        envelope = json.dumps({"payloadType": "application/vnd.packtool.pointer+json",
                               "payload": base64.b64encode(text.encode()).decode(), "signatures": []}
                              | self.envelope).encode()
        origin.files = {"/channels/production/pointer.json": envelope,
                        f"/channels/production/log/{pointer['sequence']}.json": envelope,
                        f"/releases/{name}/info.json": info, f"/releases/{name}/package.zip": self.zip}


def packed(files, method=zipfile.ZIP_DEFLATED):
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", method) as package:
        for path, content in sorted(files.items()):
            package.writestr(zipfile.ZipInfo(path), content, method)
    return data.getvalue()


CASES = []


def case(name, reason, change):
    CASES.append((name, reason, change))


def pointer(reason, **members):
    case(f"pointer: {members}"[:90], reason, lambda r: r.pointer.update(members))


def part(reason, member, **changes):
    case(f"pointer: {member} {changes}"[:90], reason,
         lambda r: r.pointer.update({member: lambda old: old | changes}))


def asset(reason, path):
    """A name in the manifest, and the same one in the package."""
    def change(release):
        release.assets[0]["path"] = path
        name = urllib.parse.quote(path.rpartition("/")[2], errors="surrogatepass")
        release.assets[0]["url"] = f"{release.base}/{name}"
        release.assets.sort(key=lambda one: one["path"].encode("utf-8", "surrogatepass"))
    case(f"asset {path!r}"[:90], reason, change)


def manifest(reason, **members):
    case(f"manifest: {members}"[:90], reason, lambda r: r.manifest.update(members))


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
pointer("fallbacks", fallbacks=[{}] * 9)
pointer("packageHash", fallbacks=[{}])
pointer("deltas", deltas=[{}] * 101)
pointer("url", deltas=[{"from": "a" * 20}])
pointer("mandatorySequence", mandatorySequence=10**6)
part("200000", "tree", assets=200_001)
part("tree of another size", "tree", size=1)
part("64 GiB", "tree", size=64 << 30 | 1)
part("64 MiB", "info", size=64 << 20 | 1)
part("larger than its content", "package", size=2**52)
for url in ("http://127.0.0.1:1/x.zip", "file:///etc/passwd", "package.zip", "http://a@127.0.0.1/x", ""):
    part("not a place", "package", url=url)
    part("not a place", "info", url=url)
part("differ", "package", sha256="0" * 64)
part("another size", "info", size=1 << 20)
part("more bytes than expected", "info", size=5)
for reason, words in {"twice": '1, "later": 2', "2^53": "1" + "0" * 5000, "JSON": "NaN",
                      "nested": "[" * 16 + "]" * 16, "not valid": '"\\ud800"'}.items():
    def change(release, words=words):
        release.pointer["later"], release.raw["@"] = "@", words
    case(f"payload: later {words[:20]}", reason, change)
case("payload: names that are one text", "same text", lambda r: r.pointer.update({"é": 1, "e\u0301": 2}))
case("envelope: another type", "no pointer", lambda r: r.envelope.update(payloadType="application/json"))
case("envelope: 65 signatures", "signatures",
     lambda r: r.envelope.update(signatures=[{"keyid": "", "sig": ""}] * 65))
case("envelope: other base64", "payload", lambda r: r.envelope.update(payload="e31="))

for path in ("../x", "/x", "a//b", "a/./b", "a/..", "..", "a\\b", "a\0b", "a\nb", "a\x85b", "C:x", "a.", "a ",
             "nul", "COM1.txt", "a/aux.js", "e\u0301", "x" * 256, "a/" * 32 + "b", "/".join(["y" * 200] * 6),
             ".git/config",
             "a~", "._a", "#a#", ".a.swp", ".packtool-rewrite.json", "." + "0" * 32 + ".packtool"):
    asset("path", path)
asset("not valid JSON", "\ud800")
asset("collide", "JS/MAIN.js")
asset("collide", "js")
asset("out of order", "js/main.js")
manifest("another schema", schema=2)
manifest("'files' and 'assets'", files=[])
manifest("launch", launch="other.html")
manifest("package", package=None)
manifest("packageHash", packageHash="a" * 64)
manifest("version", version="a" * 20)
manifest("differ", app="other")
manifest("build", build=None)
manifest("not an object", build=[])


def address(release):
    release.assets[0]["url"] = f"{release.base}/objects/other.html"


def listing(release):
    """Assets that are not those of the package hash that the manifest and the pointer have."""
    release.manifest["assets"] = [one | {"sha256": sha256(b"")} for one in release.assets]


case("asset: a URL of another name", "the URL of", address)
case("manifest: other assets than packageHash", "not that of the assets", listing)


def entry(name, reason, make):
    def change(release):
        release.zip = make(release)
    case(f"package: {name}", reason, change)


def patched(at, form, value):
    def make(release):
        data = bytearray(release.zip)
        struct.pack_into(form, data, at, value)
        return bytes(data)
    return make


entry("empty", "too early", lambda r: b"")
entry("no zip", "entry", lambda r: b"x" * 500)
entry("cut", "too early", lambda r: r.zip[:60])
entry("another name", "another entry", lambda r: packed({"../../x": b"", **FILES}))
entry("a file missing", "another entry", lambda r: packed({"js/main.js": FILES["js/main.js"]}))
entry("a file more", "more entries", lambda r: packed({**FILES, "zzz": b"x"}))
entry("other content", "hash", lambda r: packed({**FILES, "index.html": b"<!doctype htmL>"}))
entry("more content", "another size", lambda r: packed({**FILES, "index.html": b"x" * 10**6}))
entry("a bomb", "larger than", lambda r: patched(22, "<I", 15)(
    type("Bomb", (), {"zip": packed({**FILES, "index.html": bytes(1 << 22)})})))
entry("encrypted", "entry", patched(6, "<H", 1))
entry("a data descriptor", "entry", patched(6, "<H", 8))
entry("bzip2", "entry", patched(8, "<H", 12))
entry("broken deflate", "inflated", patched(40, "<I", 0xFFFFFFFF))
entry("cut in an entry", "too early", lambda r: r.zip[:45])
entry("zip64 without sizes", "the sizes of", patched(18, "<I", 0xFFFFFFFF))
for reason, more in ("goes on after its end", 2), ("has no end", -1):
    def repacked(release, more=more):
        size, = struct.unpack_from("<I", release.zip, 18)
        return patched(18, "<I", size + more)(release)
    entry(f"{more} bytes of deflate", reason, repacked)

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
    def answer(connection):
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
    def answer(connection):
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
                ("large state", "too large", seen + b" " * 65_536)]:
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
        answers += [("pointer", "another than in the log", "differs from its log", lambda body: body + b" "),
                    ("package", "another byte", "does not match its hash", flipped),
                    ("info", "another byte", "does not match its hash", flipped)]
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
    count = len(CASES) + len(answers) + 6
    print("\n".join(wrong) or f"client: refuses {count} hostile answers, and leaves the user's files alone")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
