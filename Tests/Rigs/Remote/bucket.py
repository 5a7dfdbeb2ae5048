"""A strict S3 store in memory with injected faults, for testing 's3://' origins.

It shares no code with packtool. Every request with a wrong signature (computed here from AWS's
documentation), payload hash, Content-MD5 or time is refused. `files()` returns the stored files, for checks
by rig.origin.
"""

import asyncio
import base64
import email.utils
import hashlib
import hmac
import os
import time
import urllib.parse
from collections.abc import Callable
from xml.sax.saxutils import escape

from common import Listener

KEY, SECRET, REGION = "AKIDRIGEXAMPLE", "hunter2/geheim+secret", "eu-rig-1"
EMPTY = hashlib.sha256(b"").hexdigest()


def quoted(text: str) -> str:
    return urllib.parse.quote(text, safe="-._~")


def signature(
    method: str,
    path: str,
    query: str,
    headers: dict[str, str],
    signed: list[str],
    payload: str,
    date: str,
    scope: str,
    secret: str,
) -> str:
    """The signature from AWS's documentation: 'Authenticating Requests (AWS Signature Version 4)'."""
    canonical = "/".join(quoted(urllib.parse.unquote(name)) for name in path.split("/"))
    pairs = sorted(
        tuple(quoted(urllib.parse.unquote(x)) for x in pair.partition("=")[::2])
        for pair in query.split("&")
        if pair
    )
    text = "\n".join(
        [
            method,
            canonical,
            "&".join(f"{k}={v}" for k, v in pairs),
            *[f"{name}:{' '.join(headers[name].split())}" for name in signed],
            "",
            ";".join(signed),
            payload,
        ]
    )
    day, region, service, end = scope.split("/")
    key = f"AWS4{secret}".encode()
    for part in (day, region, service, end):
        key = hmac.new(key, part.encode(), hashlib.sha256).digest()
    to_sign = f"AWS4-HMAC-SHA256\n{date}\n{scope}\n{hashlib.sha256(text.encode()).hexdigest()}"
    return hmac.new(key, to_sign.encode(), hashlib.sha256).hexdigest()


class Object:
    def __init__(self, body: bytes, headers: dict[str, str]):
        self.body = body
        self.fields = {
            name: value
            for name, value in headers.items()
            if name in ("content-type", "cache-control") or name.startswith("x-amz-meta-")
        }
        # With server-side encryption, an ETag looks like a hash but is none.
        salt = os.urandom(8) if Object.is_encrypted else b""
        self.etag = f'"{hashlib.md5(body + salt).hexdigest()}"'

    is_encrypted = False


class Answer(Exception):
    """An answer; raised if it is an error."""

    def __init__(
        self, status: int, body: bytes = b"", fields: dict[str, str] | None = None, length: int = -1
    ):
        super().__init__(status)
        self.status, self.body, self.fields = status, body, fields or {}
        self.length = len(body) if length < 0 else length


def error(status: int, code: str, more: str = "") -> Answer:
    text = f"<?xml version='1.0'?><Error><Code>{code}</Code><Message>it says {code}</Message>{more}</Error>"
    return Answer(status, text.encode(), {"Content-Type": "application/xml"})


class Fault:
    """A fault at request `at`, or at the first later one that is `wanted`; repeated `times` in a row.

    wanted: the method and target of a request, such as 'PUT /shop/app/info.json'; '' for any.
    """

    def __init__(self, kind: str, at: int, times: int = 1, wanted: str = ""):
        self.kind, self.at, self.left, self.wanted = kind, at, times, wanted

    def hits(self, number: int, request: str) -> bool:
        if self.left <= 0 or number < self.at or self.wanted not in ("", request):
            return False
        self.left -= 1
        return True

    def end(self) -> None:
        self.left = 0


class Faults:
    """Several faults in one run."""

    def __init__(self, *faults: Fault):
        self.faults, self.kind = faults, ""

    @property
    def left(self) -> int:
        return sum(fault.left for fault in self.faults)

    def end(self) -> None:
        for fault in self.faults:
            fault.end()

    def hits(self, number: int, request: str) -> bool:
        for fault in self.faults:
            if fault.hits(number, request):
                self.kind = fault.kind
                return True
        return False


class Bucket(Listener):
    """A server with one bucket. `log` contains (method, target, status) of every request.

    conditions: 'quoted' like AWS; 'unquoted' like Ceph's radosgw; 'create' only supports If-None-Match and
    answers If-Match with 501, 'create-blind' ignores it; 'ignored'; 'none' answers 501 to both.
    """

    def __init__(
        self,
        fault: Fault | Faults | None = None,
        conditions: str = "quoted",
        page: int = 1000,
        name: str = "shop",
    ):
        super().__init__()
        self.fault, self.conditions, self.page, self.name = fault, conditions, page, name
        self.objects: dict[str, Object] = {}
        self.log: list[tuple[str, str, int]] = []
        self.refused: list[str] = []
        # Method, target, headers and body of each request, if requested by a test.
        self.seen: list[tuple[str, str, dict[str, str], bytes]] | None = None
        # Some stores list keys unsorted, like S3 Express One Zone.
        self.is_sorted = True
        self.skew = 0
        self.request_id = "RIG"
        self.token = ""
        self.denied: Callable[[str, str], bool] = lambda method, key: False
        # A key whose conditions this store ignores, although it has honored others.
        self.forgets: Callable[[str], bool] = lambda key: False
        self.before: Callable[[int], None] = lambda number: None
        self.after: Callable[[int], None] = lambda number: None
        self.late: list[tuple] = []
        # A write to this key waits once until `release` is set; `held` is set when it waits. An upload by its
        # key, or any request by number, waits for `release` before taking effect.
        self.hold, self.hold_at = "", -1
        # The delay of each answer in seconds, and the maximum number of concurrently waiting requests.
        self.delay, self.waiting, self.most = 0.0, 0, 0
        # Uploads in progress by target, and the targets written by two requests at the same time.
        self.writing: dict[str, int] = {}
        self.collided: list[str] = []
        self.held, self.release = asyncio.Event(), asyncio.Event()

    def files(self, prefix: str = "app/") -> dict[str, bytes]:
        return {key[len(prefix) :]: it.body for key, it in self.objects.items() if key.startswith(prefix)}

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        method, target, _ = head[0].split(" ", 2)
        headers: dict[str, str] = {}
        for line in filter(None, head[1:]):
            name, _, value = line.partition(":")
            if name.lower() in headers:
                self.refused.append(f"{name} is there twice")
            headers[name.lower()] = value.strip()
        number = len(self.log)
        self.log.append((method, target, 0))
        kind = self.fault.kind if self.fault and self.fault.hits(number, f"{method} {target}") else ""
        self.before(number)
        if kind == "refuse":
            return False
        if headers.get("expect", "").lower() == "100-continue":
            writer.write(b"HTTP/1.1 100 Continue\r\n\r\n")
        length = int(headers.get("content-length", "0"))
        if kind == "reset-in-body":
            await reader.readexactly(length // 2)
            return False
        body = await reader.readexactly(length)
        if self.seen is not None:
            self.seen.append((method, target, headers, body))
        if number == self.hold_at or self.hold and method == "PUT" and target.endswith(self.hold):
            self.hold = ""
            self.held.set()
            await self.release.wait()
        answer = self.faulty(kind, method, target, headers, body)
        status = answer.status if answer else 0
        self.log[number] = (method, target, status)
        self.after(number)
        if self.delay:
            self.waiting += 1
            self.most = max(self.most, self.waiting)
            if method == "PUT" and status < 300:
                if self.writing.get(target):
                    self.collided.append(target)
                self.writing[target] = self.writing.get(target, 0) + 1
            await asyncio.sleep(self.delay)
            self.waiting -= 1
            if method == "PUT" and status < 300:
                self.writing[target] -= 1
        return answer is not None and await self.send(writer, method, answer, kind)

    def faulty(
        self, kind: str, method: str, target: str, headers: dict[str, str], body: bytes
    ) -> Answer | None:
        """The answer, possibly changed by a fault; None to close the connection."""
        late, self.late = self.late, []
        request = (method, target, headers, body)
        if kind == "late":
            self.late = [request]
            answer = None
        elif kind == "reset-before":
            answer = None
        elif kind == "rot":
            # The stored bytes differ from those sent. A pointer has no second copy, so never that.
            answer = self.answered(*request)
            key = urllib.parse.unquote(target.split("?")[0])[len(f"/{self.name}/") :]
            hidden = key.removeprefix("app/").startswith(("objects/", "releases/"))
            if method == "PUT" and answer.status == 200 and hidden and body:
                self.objects[key] = Object(bytes([body[0] ^ 1]) + body[1:], headers)
        elif kind == "reset-after":
            self.answered(*request)
            answer = None
        elif kind == "twice":
            self.answered(*request)
            answer = self.answered(*request)
        elif kind == "500-after":
            self.answered(*request)
            answer = error(500, "InternalError")
        elif kind in ("429", "503"):
            answer = error(int(kind), "SlowDown")
            answer.fields["Retry-After"] = "0"
        elif kind == "500":
            answer = error(500, "InternalError")
        elif kind == "409":
            answer = error(409, "ConditionalRequestConflict")
        elif kind == "false-412":
            answer = error(412, "PreconditionFailed")
        elif kind == "200-error":
            answer = error(200, "InternalError")
        elif kind == "403":
            answer = error(403, "AccessDenied")
        elif kind == "expired":
            answer = error(400, "ExpiredToken")
        elif kind == "page":
            answer = Answer(200, b"<!doctype html><title>Sign in</title>", {"Content-Type": "text/html"})
        elif kind == "redirect":
            answer = Answer(307, b"", {"Location": "http://127.0.0.1:9/elsewhere"})
        elif kind == "404":
            answer = error(404, "NoSuchKey")
        else:
            answer = self.answered(*request)
        for waiting in late:
            self.answered(*waiting)
        if answer and kind == "flip" and answer.body and method == "GET" and "list-type" not in target:
            answer.body = bytes([answer.body[0] ^ 1]) + answer.body[1:]
        return answer

    def deliver(self) -> None:
        """Delivers requests still in transit when the client gave up."""
        late, self.late = self.late, []
        for request in late:
            self.answered(*request)

    async def send(self, writer: asyncio.StreamWriter, method: str, answer: Answer, kind: str) -> bool:
        date = email.utils.formatdate(time.time() + self.skew, usegmt=True)
        request_id = f"{self.request_id}{len(self.log)}"
        text = f"HTTP/1.1 {answer.status} X\r\nDate: {date}\r\nx-amz-request-id: {request_id}\r\n"
        text += "".join(f"{name}: {value}\r\n" for name, value in answer.fields.items())
        text += f"Content-Length: {answer.length}\r\n\r\n"
        if kind == "half-head":
            writer.write(text[: len(text) // 2].encode())
            await writer.drain()
            return False
        writer.write(text.encode())
        if method == "HEAD" or answer.status == 304:
            await writer.drain()
            return True
        if kind in ("cut", "stall"):
            writer.write(answer.body[: len(answer.body) // 2])
            await writer.drain()
            if kind == "stall":
                await asyncio.sleep(3600)
            return False
        writer.write(answer.body)
        await writer.drain()
        return True

    # The answers of a correct store.

    def answered(self, method: str, target: str, headers: dict[str, str], body: bytes) -> Answer:
        path, _, query = target.partition("?")
        try:
            self.check(method, path, query, headers, body)
            _, bucket, *rest = path.split("/", 2)
            if bucket != self.name:
                raise error(404, "NoSuchBucket")
            key = urllib.parse.unquote("".join(rest))
            if self.denied(method, key):
                raise error(403, "AccessDenied")
            return self.act(method, key, query, headers, body)
        except Answer as answer:
            return answer

    def check(self, method: str, path: str, query: str, headers: dict[str, str], body: bytes) -> None:
        kind, _, rest = headers.get("authorization", "").partition(" ")
        if kind != "AWS4-HMAC-SHA256":
            raise error(403, "AccessDenied")
        fields = dict(part.strip().split("=", 1) for part in rest.split(","))
        key, _, scope = fields["Credential"].partition("/")
        if key != KEY:
            raise error(403, "InvalidAccessKeyId")
        if self.token and headers.get("x-amz-security-token") != self.token:
            raise error(400, "ExpiredToken")
        date = headers["x-amz-date"]
        when = time.mktime(time.strptime(date, "%Y%m%dT%H%M%SZ")) - time.timezone
        if abs(when - time.time() - self.skew) > 900:
            raise error(403, "RequestTimeTooSkewed")
        if scope.split("/")[1] != REGION:
            raise error(400, "AuthorizationHeaderMalformed", f"<Region>{REGION}</Region>")
        signed = fields["SignedHeaders"].split(";")
        must = {"host", "x-amz-content-sha256", "x-amz-date"} | {
            name
            for name in headers
            if name.startswith(("x-amz-", "if-")) or name in ("content-type", "range")
        }
        if signed != sorted(set(signed)) or not must <= set(signed):
            self.refused.append(f"signed are {signed}, not all of {sorted(must)}")
            raise error(403, "SignatureDoesNotMatch")
        if missing := [name for name in signed if name not in headers]:
            self.refused.append(f"signed are {missing}, which were not sent")
            raise error(403, "SignatureDoesNotMatch")
        payload = headers["x-amz-content-sha256"]
        right = signature(method, path, query, headers, signed, payload, date, scope, SECRET)
        if fields["Signature"] != right:
            if kind:
                self.refused.append(f"signature of {method} {path}?{query}")
            raise error(403, "SignatureDoesNotMatch")
        if hashlib.sha256(body).hexdigest() != payload:
            self.refused.append(f"payload hash of {path}")
            raise error(400, "XAmzContentSHA256Mismatch")
        md5 = headers.get("content-md5")
        if md5 and base64.b64decode(md5) != hashlib.md5(body).digest():
            self.refused.append(f"MD5 of {path}")
            raise error(400, "BadDigest")

    def holds(self, key: str, headers: dict[str, str]) -> None:
        present = self.objects.get(key)
        none, match = headers.get("if-none-match"), headers.get("if-match")
        if self.conditions == "ignored" or self.forgets(key) or none is None and match is None:
            return
        if self.conditions == "none":
            raise error(501, "NotImplemented")
        if none == "*" and present:
            raise error(412, "PreconditionFailed")
        if match is not None and self.conditions.startswith("create"):
            if self.conditions == "create":
                raise error(501, "NotImplemented")
            return
        if match is not None:
            if not present:
                raise error(404, "NoSuchKey")
            tag = present.etag if self.conditions == "quoted" else present.etag.strip('"')
            if match != tag:
                raise error(412, "PreconditionFailed")

    def act(self, method: str, key: str, query: str, headers: dict[str, str], body: bytes) -> Answer:
        if not key:
            return self.listing(dict(urllib.parse.parse_qsl(query, keep_blank_values=True)))
        if method == "PUT":
            source = headers.get("x-amz-copy-source")
            if source is None:
                self.holds(key, headers)
                self.objects[key] = Object(body, headers)
                return Answer(200, b"", {"ETag": self.objects[key].etag})
            name, _, other = urllib.parse.unquote(source.lstrip("/")).partition("/")
            if name != self.name or other not in self.objects:
                raise error(404, "NoSuchKey")
            self.objects[key] = Object(self.objects[other].body, headers)
            return Answer(
                200, f"<CopyObjectResult><ETag>{self.objects[key].etag}</ETag></CopyObjectResult>".encode()
            )
        if method == "DELETE":
            self.objects.pop(key, None)
            return Answer(204)
        if method not in ("GET", "HEAD"):
            raise error(405, "MethodNotAllowed")
        it = self.objects.get(key)
        if it is None:
            raise Answer(404) if method == "HEAD" else error(404, "NoSuchKey")
        fields = it.fields | {"ETag": it.etag}
        if headers.get("if-none-match") == it.etag:
            return Answer(304, b"", fields)
        first, _, last = headers.get("range", "").removeprefix("bytes=").partition("-")
        if first.isdigit() and method == "GET":
            start, end = int(first), int(last) if last.isdigit() else len(it.body) - 1
            if start >= len(it.body):
                raise error(416, "InvalidRange")
            fields["Content-Range"] = f"bytes {start}-{end}/{len(it.body)}"
            return Answer(206, it.body[start : end + 1], fields)
        return Answer(200, b"" if method == "HEAD" else it.body, fields, len(it.body))

    def listing(self, query: dict[str, str]) -> Answer:
        if query.get("list-type") != "2":
            raise error(400, "InvalidArgument")
        prefix, delimiter = query.get("prefix", ""), query.get("delimiter", "")
        start = (
            base64.b64decode(query["continuation-token"]).decode() if "continuation-token" in query else ""
        )
        size = min(int(query.get("max-keys", "1000")), self.page)
        encode = urllib.parse.quote_plus if query.get("encoding-type") == "url" else escape
        rows: list[str] = []
        folders: list[str] = []
        last = ""
        cut = False

        def order(key: str) -> bytes:
            name = key.encode()
            return name if self.is_sorted or delimiter else hashlib.md5(name).digest() + name

        for key in sorted(self.objects, key=order):
            if not key.startswith(prefix) or start and order(key) <= order(start):
                continue
            rest = key[len(prefix) :]
            folder = prefix + rest.split(delimiter)[0] + delimiter if delimiter and delimiter in rest else ""
            if folder and folder in folders or start and folder and start.startswith(folder):
                continue
            if len(rows) + len(folders) == size:
                cut = True
                break
            last = folder + "\U0010ffff" if folder else key
            if folder:
                folders.append(folder)
            else:
                it = self.objects[key]
                rows.append(
                    f"<Contents><Key>{encode(key)}</Key><LastModified>2026-11-24T00:00:00.000Z</LastModified>"
                    f"<ETag>{escape(it.etag)}</ETag><Size>{len(it.body)}</Size></Contents>"
                )
        token = base64.b64encode(last.encode()).decode()
        return Answer(
            200,
            (
                "<?xml version='1.0'?><ListBucketResult xmlns='http://s3.amazonaws.com/doc/2006-03-01/'>"
                f"<IsTruncated>{'true' if cut else 'false'}</IsTruncated>"
                + (f"<NextContinuationToken>{escape(token)}</NextContinuationToken>" if cut else "")
                + ("<EncodingType>url</EncodingType>" if query.get("encoding-type") == "url" else "")
                + "".join(rows)
                + "".join(f"<CommonPrefixes><Prefix>{encode(x)}</Prefix></CommonPrefixes>" for x in folders)
                + "</ListBucketResult>"
            ).encode(),
            {"Content-Type": "application/xml"},
        )
