"""An origin with HTTP/1.1 and injected faults, for testing 'install https://…'.

It shares no code with packtool and knows nothing about releases: files of a directory, and faults by request.
"""

import asyncio
import hashlib
import pathlib
import ssl
import urllib.parse
from collections.abc import Callable

from common import Listener

TYPES = {
    ".json": "application/json",
    ".zip": "application/zip",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
}
CHUNKED = b"HTTP/1.1 200 X\r\nTransfer-Encoding: chunked\r\n\r\n"
# Endless data around, not in, the content of an answer.
FLOODS = {
    "flood-extension": (CHUNKED + b"1;", b"a" * 8000),
    "flood-extensions": (CHUNKED, b"1;" + b"a" * 8000 + b"\r\n{\r\n"),
    "flood-size": (CHUNKED, b"0" * 8000),
    "flood-trailers": (CHUNKED + b"1\r\n{\r\n0\r\n", b"X-T: " + b"a" * 4000 + b"\r\n"),
    "flood-headers": (b"HTTP/1.1 200 X\r\n", b"X-A: " + b"a" * 4000 + b"\r\n"),
    "flood-100": (b"", b"HTTP/1.1 103 Early Hints\r\nX-A: aaaa\r\n\r\n" * 100),
}
PAGE = b"<!doctype html><title>Sign in</title>" + b" " * 400


class Fault:
    """The fault of one answer. 'times' is the number of affected matching requests; None for all of them."""

    def __init__(self, kind: str, at: int | None = None, path: str = "", times: int | None = 1):
        self.kind, self.at, self.path, self.left = kind, at, path, times

    def hits(self, number: int, path: str) -> bool:
        if self.left == 0 or (self.at is not None and number < self.at) or self.path not in path:
            return False
        if self.left is not None:
            self.left -= 1
        return True


class Origin(Listener):
    """A server of one directory. 'log' contains every request: method, target, headers, status."""

    def __init__(
        self,
        root: pathlib.Path,
        fault: Fault | None = None,
        context: ssl.SSLContext | None = None,
        password: str | None = None,
    ):
        super().__init__(context)
        self.root, self.fault, self.password = root, fault, password
        self.log: list[tuple[str, str, dict[str, str], int]] = []
        # Bytes of content in answers.
        self.sent = 0
        self.etags = "hash"
        self.elsewhere = ""
        self.before: Callable[[int], None] = lambda number: None
        self.after: Callable[[int], None] = lambda number: None

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        method, target, _ = head[0].split(" ", 2)
        headers = {
            name.lower(): value.strip()
            for name, _, value in (line.partition(":") for line in head[1:] if line)
        }
        path, _, query = target.partition("?")
        path = urllib.parse.unquote(path).lstrip("/")
        number = len(self.log)
        kind = self.fault.kind if self.fault and self.fault.hits(number, path) else ""
        if kind in ("kept-404", "wrong-cached", "stale") and "packtool=" in query:
            kind = ""
        status, fields, body = self.changed(path, query, headers, *self.file(method, path, headers, kind))
        self.log.append((method, target, headers, status))
        self.sent += 0 if method == "HEAD" else len(body)
        self.before(number)
        keeps = await self.send(writer, method, status, fields, body, kind)
        self.after(number)
        return keeps

    def file(
        self, method: str, path: str, headers: dict[str, str], kind: str
    ) -> tuple[int, dict[str, str], bytes]:
        """The answer of a correct server, or of one with a content fault."""
        place = self.root / path
        if self.password and headers.get("authorization") != f"Basic {self.password}":
            return 401, {}, b"who are you?"
        if kind == "stale":
            place = self.root.with_name(self.root.name + ".old") / path
        if kind in ("404", "kept-404") or ".." in path.split("/") or not place.is_file():
            if kind == "page":
                return 200, {"Content-Type": "text/html"}, PAGE
            return 404, {"Content-Type": "text/plain"}, b"nothing here"
        body = place.read_bytes()
        etag = hashlib.md5(body).hexdigest() if self.etags == "hash" else f"{len(body):x}-1"
        fields = {
            "Content-Type": TYPES.get(place.suffix, "application/octet-stream"),
            "ETag": f'"{etag}"',
            "Accept-Ranges": "bytes",
        }
        if kind in ("429", "500", "503", "408", "502", "504", "425", "400", "403"):
            return int(kind), {"Retry-After": "1"} if kind in ("429", "503") else {}, b"not now"
        if kind == "page":
            return 200, {"Content-Type": "text/html"}, PAGE
        if kind == "304":
            return 304, {}, b""
        if kind in ("redirect", "redirect-loop", "redirect-file", "redirect-host"):
            to = {
                "redirect": f"/{path}?again",
                "redirect-loop": f"/{path}",
                "redirect-file": "file:///etc/passwd",
                "redirect-host": f"{self.elsewhere}/{path}",
            }[kind]
            return 302, {"Location": to}, b""
        if headers.get("if-none-match") == fields["ETag"]:
            return 304, {"ETag": fields["ETag"]}, b""
        if kind == "gzip":
            import gzip

            return 200, fields | {"Content-Encoding": "gzip"}, gzip.compress(body)
        if kind in ("flip", "wrong-cached") and body:
            body = body[: len(body) // 2] + bytes([body[len(body) // 2] ^ 1]) + body[len(body) // 2 + 1 :]
        if kind == "short":
            body = body[:-1]
        if kind == "long":
            body += b"x" * 1000
        if kind == "endless":
            body += bytes(1 << 20)
        if kind == "empty":
            body = b""
        first, _, last = headers.get("range", "").removeprefix("bytes=").partition("-")
        if first.isdigit() and kind != "no-range":
            start = int(first)
            end = min(int(last), len(body) - 1) if last.isdigit() else len(body) - 1
            if kind == "wrong-range":
                start = max(0, start - 1)
            if start >= len(body):
                return 416, {"Content-Range": f"bytes */{len(body)}"}, b""
            part = {"Content-Range": f"bytes {start}-{end}/{len(body)}"}
            return 206, fields | part, body[start : end + 1]
        return 200, fields, body

    def changed(
        self, path: str, query: str, headers: dict[str, str], status: int, fields: dict[str, str], body: bytes
    ) -> tuple[int, dict[str, str], bytes]:
        """The change of an answer by a CDN in front; 'cdn.py' overrides it."""
        return status, fields, body

    async def send(
        self,
        writer: asyncio.StreamWriter,
        method: str,
        status: int,
        fields: dict[str, str],
        body: bytes,
        kind: str,
    ) -> bool:
        if kind == "refuse":
            return False
        if kind in FLOODS:
            start, unit = FLOODS[kind]
            writer.write(start)
            while True:
                writer.write(unit)
                await writer.drain()
                self.sent += len(unit)
        text = f"HTTP/1.1 {status} X\r\n" + "".join(f"{k}: {v}\r\n" for k, v in fields.items())
        if kind == "garbage":
            writer.write(b"\x00\x01 not http at all\r\n\r\n")
            await writer.drain()
            return False
        if kind == "half-head":
            writer.write(text[:20].encode())
            await writer.drain()
            return False
        if kind == "chunked":
            writer.write(f"{text}Transfer-Encoding: chunked\r\n\r\n".encode())
            for start in range(0, len(body), 1000):
                piece = body[start : start + 1000]
                writer.write(f"{len(piece):x}\r\n".encode() + piece + b"\r\n")
            writer.write(b"0\r\n\r\n")
            await writer.drain()
            return True
        writer.write(f"{text}Content-Length: {len(body)}\r\n\r\n".encode())
        if method == "HEAD" or status == 304:
            await writer.drain()
            return True
        if kind == "cut":
            writer.write(body[: len(body) // 2])
            await writer.drain()
            return False
        if kind == "stall":
            writer.write(body[: len(body) // 2])
            await writer.drain()
            await asyncio.sleep(3600)
        if kind == "mute":
            await asyncio.sleep(3600)
        if kind == "drip":
            for start in range(0, len(body), max(1, len(body) // 20)):
                writer.write(body[start : start + max(1, len(body) // 20)])
                await writer.drain()
                await asyncio.sleep(0.01)
            return True
        writer.write(body)
        await writer.drain()
        return True
