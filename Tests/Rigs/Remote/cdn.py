"""Faults of CDNs and servers, each with a similar but correct counterpart.

'verify https://…' must report the wrong one by its code, and nothing for the counterpart; 'install' must end
with a complete release in any case.
"""

import asyncio
import contextlib
import dataclasses
import functools
import gzip
import pathlib
import random
from collections.abc import Callable

from common import IS_URLSESSION
from origin import PAGE, Origin

SHORT = "public, max-age=60, must-revalidate, no-transform"
LONG = "public, max-age=31536000, immutable, no-transform"
NOW = 1795248000
HOUR = 3600

Reply = tuple[int, dict[str, str], bytes]


@dataclasses.dataclass
class Request:
    path: str
    fresh: bool
    headers: dict[str, str]
    root: pathlib.Path

    def old(self) -> bytes | None:
        """The file of the previous release."""
        place = self.root.with_name(self.root.name + ".old") / self.path
        return place.read_bytes() if place.is_file() else None

    @property
    def takes_gzip(self) -> bool:
        return "gzip" in self.headers.get("accept-encoding", "")


Change = Callable[[Request, Reply], Reply]


class CDN(Origin):
    """An origin with the headers of docs/guide/origin.md, and a change applied to its answers."""

    change: Change | None = None

    def changed(
        self, path: str, query: str, headers: dict[str, str], status: int, fields: dict[str, str], body: bytes
    ) -> Reply:
        mutable = path == "info.json" or path.endswith("pointer.json") or path.startswith("site/")
        kept = (SHORT if mutable else LONG) if status in (200, 206, 304) else "no-store"
        fields = fields | {"Cache-Control": kept, "Access-Control-Allow-Origin": "*"}
        reply = (status, fields, body)
        if self.change:
            reply = self.change(Request(path, "packtool=" in query, headers, self.root), reply)
        return reply


@dataclasses.dataclass
class Case:
    name: str
    code: str
    bad: Change
    good: Change
    level: str = "error"
    now: int = NOW + HOUR
    """The clocks of the bad server and of its counterpart."""
    twin_now: int = NOW + HOUR
    flags: tuple[str, ...] = ()
    twin_flags: tuple[str, ...] | None = None
    """The flags of the counterpart, if they differ."""


def at(part: str, change: Change) -> Change:
    """Applies a change to keys containing 'part'."""
    return lambda request, reply: change(request, reply) if part in request.path else reply


def cached(change: Change) -> Change:
    """Applies a change to cached content: a request bypassing the cache gets the correct answer."""
    return lambda request, reply: reply if request.fresh else change(request, reply)


def old(request: Request, reply: Reply) -> Reply:
    before = request.old() if reply[0] == 200 else None
    return (200, reply[1] | {"Age": "5310", "X-Cache": "HIT"}, before) if before else reply


def header(name: str, value: str) -> Change:
    return lambda request, reply: (reply[0], reply[1] | {name: value}, reply[2])


def without(name: str) -> Change:
    return lambda request, reply: (
        reply[0],
        {k: v for k, v in reply[1].items() if k.lower() != name.lower()},
        reply[2],
    )


def body(make: Callable[[bytes], bytes]) -> Change:
    return lambda request, reply: (reply[0], reply[1], make(reply[2])) if reply[0] == 200 else reply


def page(request: Request, reply: Reply) -> Reply:
    return 200, {"Content-Type": "text/html", "CF-Ray": "7d3-FRA"}, PAGE


def denied(request: Request, reply: Reply) -> Reply:
    return 403, {"Content-Type": "application/xml", "X-Cache": "Error from cloudfront"}, b"<Error/>"


def missing(request: Request, reply: Reply) -> Reply:
    return 404, {"Content-Type": "text/plain", "Age": "77"}, b"nothing here"


@functools.cache
def compressed(content: bytes) -> bytes:
    """Compresses quickly, because this blocks all other answers on a busy machine."""
    return gzip.compress(content, 1)


def zipped(always: bool, make: Callable[[bytes], bytes] = bytes) -> Change:
    """Compresses always, or only for clients that accept it."""

    def change(request: Request, reply: Reply) -> Reply:
        if reply[0] != 200 or not (always or request.takes_gzip):
            return reply
        return 200, reply[1] | {"Content-Encoding": "gzip"}, compressed(make(reply[2]))

    return change


def ranges(request: Request, reply: Reply) -> Reply:
    """Answers a Range with the whole file."""
    if reply[0] != 206:
        return reply
    fields = {k: v for k, v in reply[1].items() if k != "Content-Range"}
    return 200, fields, (request.root / request.path).read_bytes()


def shifted(request: Request, reply: Reply) -> Reply:
    return (206, reply[1], reply[2][1:] + b"x") if reply[0] == 206 else reply


def unknown(change: Change) -> Change:
    """Applies a change to answers for missing files."""
    return lambda request, reply: reply if (request.root / request.path).is_file() else change(request, reply)


def redirect(request: Request, reply: Reply) -> Reply:
    """Redirects clients to the same server under its other name."""
    host, _, port = request.headers["host"].partition(":")
    if host == "localhost":
        return reply
    return 302, {"Location": f"http://localhost:{port}/{request.path}"}, b""


def same(request: Request, reply: Reply) -> Reply:
    return reply


def minify(text: bytes) -> bytes:
    return text.replace(b"\n", b" ").rstrip()


def uncached(change):
    """The same answer from the server itself, without a cache."""

    def answer(request, reply):
        status, fields, content = change(request, reply)
        return status, {k: v for k, v in fields.items() if k not in ("Age", "X-Cache")}, content

    return answer


def short(text: bytes) -> bytes:
    return text[:-1]


POINTER, SCRIPT, PACKAGE = "pointer.json", "a.js", "package.zip"

CASES = [
    Case(
        "a cache keeps a pointer too long",
        "http.stale",
        at(POINTER, cached(old)),
        at(POINTER, cached(old)),
        twin_now=NOW + 90,
    ),
    Case(
        "a cache answers past itself, because its key is the path alone",
        "http.stale",
        old,
        old,
        twin_now=NOW + 90,
        flags=("--against", "{cdn}"),
    ),
    Case(
        "the server has an older pointer than the origin",
        "http.outdated",
        uncached(old),
        uncached(old),
        twin_now=NOW + 90,
        flags=("--against", "{cdn}"),
    ),
    Case(
        "a cache keeps info.json too long",
        "http.stale",
        lambda q, r: cached(old)(q, r) if q.path == "info.json" else r,
        same,
    ),
    Case(
        "a cache keeps a page too long",
        "http.stale",
        at("site/index.html", cached(old)),
        at("site/index.html", cached(old)),
        twin_now=NOW + 90,
    ),
    Case(
        "site/ was not copied",
        "http.outdated",
        at("site/index.html", uncached(old)),
        at("site/index.html", header("Age", "20")),
    ),
    Case(
        "a cache answers past itself with a page, because its key is the path alone",
        "http.stale",
        at("site/index.html", old),
        at("site/index.html", old),
        twin_now=NOW + 90,
    ),
    Case(
        "such a cache does not say that it is one, but the server behind it does",
        "http.stale",
        uncached(old),
        uncached(old),
        twin_now=NOW + 90,
        flags=("--against", "{server}"),
    ),
    Case(
        "nobody may read it",
        "http.missing",
        denied,
        same,
        flags=("--against", "{cdn}"),
    ),
    Case(
        "the origin has another history",
        "http.differs",
        same,
        same,
        flags=("--against", "{other}"),
        twin_flags=("--against", "{cdn}"),
    ),
    Case(
        "compresses unasked",
        "http.transformed",
        at(SCRIPT, zipped(True)),
        at(SCRIPT, header("Content-Encoding", "identity")),
    ),
    Case("compresses", "http.compressed", zipped(False), same, level="warning"),
    Case("compresses and minifies", "http.transformed", at(SCRIPT, zipped(False, minify)), same),
    Case("minifies", "http.differs", at(SCRIPT, body(minify)), at(SCRIPT, body(bytes))),
    Case("cuts a byte off", "http.differs", at(SCRIPT, body(short)), same),
    Case("answers a page for what is missing", "http.page-for-file", unknown(page), unknown(missing)),
    Case("asks to sign in", "http.page-for-file", at(PACKAGE, page), same),
    Case("keeps a 404", "http.negative-cached", at(PACKAGE, cached(missing)), same),
    Case(
        "lets caches keep a 404",
        "http.negative-cached",
        unknown(header("Cache-Control", "max-age=86400")),
        unknown(header("Cache-Control", "max-age=10")),
        level="warning",
    ),
    Case("keeps wrong bytes", "http.wrong-cached", at("objects/", at(SCRIPT, cached(body(short)))), same),
    Case("lost a file", "http.missing", at("delta-", missing), at("nothing-", missing)),
    Case(
        "forbids caching",
        "http.not-cached",
        at("objects/", at(SCRIPT, header("Cache-Control", "no-cache"))),
        at("objects/", at(SCRIPT, header("Cache-Control", "max-age=31536000"))),
        level="warning",
    ),
    Case(
        "keeps pointers for a day",
        "http.cached-too-long",
        at(POINTER, header("Cache-Control", "max-age=86400")),
        at(POINTER, header("Cache-Control", "max-age=30")),
    ),
    Case(
        "calls scripts text",
        "http.wrong-type",
        at(SCRIPT, header("Content-Type", "text/plain")),
        at(SCRIPT, header("Content-Type", "application/javascript")),
    ),
    Case(
        "overrides the encoding",
        "http.wrong-type",
        at(".html", header("Content-Type", "text/html; charset=ISO-8859-1")),
        at(".html", header("Content-Type", "text/html;charset=UTF-8")),
        level="warning",
    ),
    Case("ignores ranges", "http.no-range", ranges, same, level="warning"),
    Case("answers other ranges", "http.no-range", shifted, same),
    Case(
        "redirects to another host",
        "http.redirect",
        at(PACKAGE, redirect),
        same,
    ),
    Case(
        "has no CORS",
        "http.no-cors",
        without("Access-Control-Allow-Origin"),
        header("Access-Control-Allow-Origin", "customscheme://shop.example.com"),
        level="warning",
        flags=("--config", "{config}"),
    ),
]


async def check(lab, case: Case, wrong: bool) -> None:
    """One server, wrong or correct: verify, then install."""
    change = case.bad if wrong else case.good
    what = f"{case.name}{'' if wrong else ', the twin'}"
    async with CDN(lab.cdn) as origin, CDN(lab.cdn) as server:
        origin.change = change
        given = case.flags if wrong or case.twin_flags is None else case.twin_flags
        names = {
            "cdn": lab.cdn,
            "config": lab.folder / "hosts.yaml",
            "other": lab.folder / "other",
            "server": server.url,
        }
        flags = [flag.format(**names) for flag in given]
        status, report = await lab.verify(origin.url, case.now if wrong else case.twin_now, *flags)
        found = {(f["code"], f["severity"]) for f in report.get("findings", [])}
        text = str(report)
        if wrong:
            lab.expect(what, (case.code, case.level) in found, text)
            # There is one fault, so one finding; compressed scripts, for example, also break ranges.
            lab.expect(f"{what}: alone", len(found) == 1, text)
            lab.expect(f"{what}: status", status == (1 if case.level == "error" else 0), text)
        else:
            lab.expect(what, status == 0 and not found, text)
        lab.expect(f"{what}: polite", polite(origin, lab), str([e[1] for e in origin.log if e[3] == 404]))
        for installed in (False, True) if lab.long else (False,) if wrong else ():
            phone = lab.phone(installed)
            status, text = await lab.install(origin.url, phone)
            state = lab.state(phone)
            right = status == 2 and change is denied or status == 0 and state in (0, 1)
            lab.expect(f"{what}: installs", right, f"{status} {state} {text}")
        lab.cdns += 1


def polite(origin: CDN, lab) -> bool:
    """No file was requested without a pointer naming it, except one random name, because of cached 404s."""
    lost = [path.partition("?")[0] for _, path, _, status in origin.log if status == 404]
    return all("packtool-verify" in path or (lab.cdn / path.lstrip("/")).exists() for path in lost)


async def run(lab, only: str | None = None) -> None:
    (lab.folder / "hosts.yaml").write_text("host: [shop.example.com]\nscheme: customscheme\n")
    # The same releases in reverse order, and one more.
    for name in ("two", "one", "two"):
        lab.publish(name, to=lab.folder / "other")
    gate = asyncio.Semaphore(4)

    async def one(case: Case, wrong: bool) -> None:
        async with gate:
            with contextlib.suppress(asyncio.CancelledError):
                await check(lab, case, wrong)

    cases = [c for c in CASES if only is None or only in c.name]
    if IS_URLSESSION:
        cases = [c for c in cases if c.name != "compresses"]
    random.Random(1).shuffle(cases)
    await asyncio.gather(*[one(case, wrong) for case in cases for wrong in (True, False)])
    print(f"{lab.cdns} servers, {len(cases)} of them wrong: verify and install")
