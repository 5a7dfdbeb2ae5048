#!/usr/bin/env python3
"""Compares signatures with botocore's: packtool's own, and those of bucket.py, which checks packtool's.

  sigv4.py            10,000 different requests of packtool, and 10,000 random ones
  sigv4.py --short    some hundreds of each, for make test

packtool publishes builds with unusual names to the strict store of bucket.py, lists, verifies and installs
them. botocore signs each request again from its method, address, headers, body and time; the Authorization
header and the encoding of path and query must be the same.
"""

import argparse
import asyncio
import datetime
import hashlib
import pathlib
import random
import string
import sys
import tempfile
import urllib.parse

import bucket
import s3
from common import PACKAGES

sys.path.append(str(PACKAGES))
try:
    import botocore.auth
    from botocore.auth import S3SigV4Auth
    from botocore.awsrequest import AWSRequest
    from botocore.credentials import Credentials
    from botocore.utils import percent_encode
except ImportError:
    sys.exit("error: botocore is missing\nhelp: Scripts/install.sh stores")

# Random requests; the minimum number of packtool's requests; files of a build, three requests each.
LONG, SHORT = (10_000, 10_000, 2_700), (500, 500, 150)
# The maximum number of files of one build, so that no run takes minutes.
MOST = 900
PIECES = [
    " ", "+", "%", "%41", "%2F", "~", "@", "(", ")", "=", "&", ",", ";", "'", "!", "$", "[", "]", "{", "}",
    "^", "`", "-", "..", "_", "\u00fc", "\u6f22\u5b57", "\U0001f600", "a", "B", "0",
]  # fmt: skip


class Clock(datetime.datetime):
    moment = datetime.datetime(2026, 11, 24, tzinfo=datetime.UTC)

    @classmethod
    def utcnow(cls) -> datetime.datetime:
        return cls.moment.replace(tzinfo=None)

    @classmethod
    def now(cls, tz: datetime.tzinfo | None = None) -> datetime.datetime:
        return cls.moment.astimezone(tz) if tz else cls.moment.replace(tzinfo=None)


def word(noise: random.Random, letters: str, longest: int = 12) -> str:
    return "".join(noise.choice(letters) for _ in range(noise.randint(1, longest)))


def set_clock() -> None:
    """The signer reads the clock itself, by one name or the other, depending on the version."""

    class Module:
        datetime = Clock

    if hasattr(botocore.auth, "get_current_datetime"):
        botocore.auth.get_current_datetime = lambda remove_tzinfo=True: (
            Clock.moment.replace(tzinfo=None) if remove_tzinfo else Clock.moment
        )
    else:
        botocore.auth.datetime = Module  # type: ignore[attr-defined]


def by_botocore(method: str, url: str, headers: dict[str, str], body: bytes, token: str) -> str:
    """The Authorization header made by botocore."""
    request = AWSRequest(method, url, headers, body)
    keys = Credentials(bucket.KEY, bucket.SECRET, token or None)
    S3SigV4Auth(keys, "s3", bucket.REGION).add_auth(request)
    return request.headers["Authorization"]


def same(text: str) -> str:
    """An Authorization header without optional spaces."""
    return text.replace(", ", ",")


Seen = tuple[str, str, dict[str, str], bytes]
# Headers added by botocore itself.
OWN = ("host", "x-amz-date", "x-amz-content-sha256", "x-amz-security-token")


def again(seen: Seen) -> str:
    """botocore's signature of a request of packtool, with the headers listed as signed by packtool."""
    method, target, headers, body = seen
    fields = dict(part.strip().split("=", 1) for part in headers["authorization"].split(" ", 1)[1].split(","))
    signed = fields["SignedHeaders"].split(";")
    Clock.moment = datetime.datetime.strptime(headers["x-amz-date"], "%Y%m%dT%H%M%SZ").replace(
        tzinfo=datetime.UTC)
    kept = {name: headers[name] for name in signed if name not in OWN}
    url = f"http://{headers['host']}{target}"
    return by_botocore(method, url, kept, body, headers.get("x-amz-security-token", ""))


def encoded(target: str) -> str:
    """The target of a request with path and query encoded by botocore."""
    path, mark, query = target.partition("?")
    pairs = [[percent_encode(urllib.parse.unquote(text), safe="-_.~") for text in pair.split("=", 1)]
             for pair in query.split("&")]
    return percent_encode(urllib.parse.unquote(path), safe="/~") + mark + "&".join(map("=".join, pairs))


def odd_build(source: random.Random, root: pathlib.Path, files: int) -> None:
    root.mkdir()
    (root / "index.html").write_text("<!doctype html><title>odd</title>\n")
    for number in range(files):
        name = "".join(source.choice(PIECES) for _ in range(source.choice([1, 2, 3, 5, 8])))
        if number % 40 == 0:
            name = "long " + "x" * 180
        folder = "".join(source.choice(PIECES) for _ in range(2))
        # Avoid folders with a trailing dot or space, which are refused because some systems drop them.
        place = root / f"d{number % 17}{folder}_" / f"n{number}{name}.txt"
        place.parent.mkdir(exist_ok=True)
        place.write_text(f"{number}\n")


async def sent(lab: s3.Lab, source: random.Random, files: int) -> list[Seen]:
    """Requests of packtool, of all kinds."""
    found: list[Seen] = []
    small = lab.folder / "small"
    odd_build(source, small, 20)
    (small / "film+%~\u00fc.bin").write_bytes(source.randbytes(150_000))
    runs: list[tuple[int, str, pathlib.Path, dict[str, str]]] = []
    for number, first in enumerate(range(0, files, MOST)):
        odd = lab.folder / f"odd-{number}"
        odd_build(source, odd, min(MOST, files - first))
        runs.append((1000, f"app-{number}", odd, {}))
    runs += [
        (3, "app", small, {"AWS_SESSION_TOKEN": "a/token+with=odd&parts=="}),
        (7, "a b+c%41~/\u00fc (d)", small, {}),
    ]
    for page, prefix, build, more in runs:
        async with bucket.Bucket(page=page) as store:
            store.seen = []
            store.token = more.get("AWS_SESSION_TOKEN", "")
            address = f"s3://shop/{prefix}"
            publish = lab.publishing(0, "--deltas", "0")
            publish[1], publish[3] = str(build), address
            for words in (
                publish,
                ["verify", address],
                ["install", address, "--into", str(lab.place("phone"))],
                ["renew", address, "--expires-in-days", "9"],
            ):
                status, text = await lab.run(store, *words, PACKTOOL_HTTP_TIMEOUT="20", **more)
                lab.expect(f"{words[0]} {address}", status == 0, text)
            for problem in store.refused:
                lab.expect(address, False, problem)
            found += store.seen
    return found


async def packtools(files: int, least: int) -> int:
    """The number of packtool's signatures that differ from botocore's."""
    source = random.Random(20261127)
    with tempfile.TemporaryDirectory() as folder:
        lab = s3.Lab(pathlib.Path(folder), False)
        seen = await sent(lab, source, files)
    different: dict[tuple, Seen] = {}
    for method, target, headers, body in seen:
        rest = sorted((name, value) for name, value in headers.items()
                      if name not in ("authorization", "x-amz-date"))
        key = method, target, *rest, hashlib.sha256(body).digest()
        different.setdefault(key, (method, target, headers, body))
    wrong = 0
    for one in different.values():
        if same(again(one)) != same(one[2]["authorization"]) or encoded(one[1]) != one[1]:
            wrong += 1
            print("differs:", one[0], one[1], one[2]["authorization"])
    # The comparison detects a change of each part.
    method, target, headers, body = next(one for one in different.values() if one[0] == "PUT" and one[3])
    for other in (
        ("POST", target, headers, body), (method, target + "x", headers, body),
        (method, target + "?acl=", headers, body), (method, target, headers, body + b"x"),
        (method, target, headers | {"content-type": "text/odd"}, body),
        (method, target, headers | {"x-amz-date": "20260101T000000Z"}, body),
    ):  # fmt: skip
        right = same(headers["authorization"])
        lab.expect("a changed request has another signature", same(again(other)) != right)
    lab.expect("different requests", len(different) >= least, f"{len(different)}, not {least}")
    for failure in lab.failures[:20]:
        print("FAILED", failure)
    kinds: dict[str, int] = {}
    for method, target, headers, _ in different.values():
        kind = f"{method} copy" if "x-amz-copy-source" in headers else method
        kind += " query" if "?" in target else ""
        kinds[kind] = kinds.get(kind, 0) + 1
    print(f"packtool sent {len(seen)} requests, {len(different)} different: {kinds}")
    print(f"{len(different)} signatures of packtool, {wrong} differ from botocore's")
    return wrong + len(lab.failures)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--short", action="store_true")
    count, least, files = SHORT if parser.parse_args().short else LONG
    set_clock()
    wrong = of_the_rig(count) + asyncio.run(packtools(files, least))
    return 1 if wrong else 0


def of_the_rig(count: int) -> int:
    """The number of random requests for which bucket.py's signature differs from botocore's."""
    noise = random.Random(20261124)
    letters = string.ascii_letters + string.digits + " -._~!$&'()*+,;=:@%#?äé漢\"<>|^`{}[]\\"
    wrong = 0
    for _ in range(count):
        Clock.moment = datetime.datetime(2026, 1, 1, tzinfo=datetime.UTC) + datetime.timedelta(
            seconds=noise.randrange(400_000_000)
        )
        secret, region = (
            word(noise, string.ascii_letters + "/+", 40),
            word(noise, string.ascii_lowercase + "-1"),
        )
        # Also empty names: packtool refuses an address with '//', but a store may have such keys.
        path = "/" + "/".join(
            "" if noise.random() < 0.05 else bucket.quoted(word(noise, letters))
            for _ in range(noise.randint(1, 5))
        )
        pairs = sorted(
            {word(noise, letters): word(noise, letters) for _ in range(noise.randrange(4))}.items()
        )
        query = "&".join(f"{bucket.quoted(k)}={bucket.quoted(v)}" for k, v in pairs)
        body = noise.randbytes(noise.randrange(40))
        payload = hashlib.sha256(body).hexdigest()
        headers = {"x-amz-content-sha256": payload}
        if noise.random() < 0.5:
            headers[f"x-amz-meta-{word(noise, string.ascii_lowercase)}"] = (
                word(noise, letters[:70]).strip() or "x"
            )
        if noise.random() < 0.3:
            headers["If-None-Match"] = "*"
        if noise.random() < 0.3:
            headers["Range"] = f"bytes={noise.randrange(100)}-"
        method = noise.choice(["GET", "PUT", "HEAD", "DELETE"])
        request = AWSRequest(
            method, f"https://shop.example.com{path}" + (f"?{query}" if query else ""), headers, body
        )
        S3SigV4Auth(Credentials("AKID", secret), "s3", region).add_auth(request)
        fields = dict(
            p.strip().split("=", 1) for p in request.headers["Authorization"].split(" ", 1)[1].split(",")
        )
        sent = {name.lower(): value for name, value in request.headers.items()} | {"host": "shop.example.com"}
        ours = bucket.signature(
            method,
            path,
            query,
            sent,
            fields["SignedHeaders"].split(";"),
            payload,
            sent["x-amz-date"],
            fields["Credential"].split("/", 1)[1],
            secret,
        )
        if ours != fields["Signature"]:
            wrong += 1
            print("differs:", method, path, query, fields["SignedHeaders"])
    print(f"{count} signatures of the rig, {wrong} differ from botocore's")
    return wrong


if __name__ == "__main__":
    sys.exit(main())
