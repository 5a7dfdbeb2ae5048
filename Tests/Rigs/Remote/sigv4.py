#!/usr/bin/env python3
"""Compares the signer of bucket.py, which judges packtool's, with botocore's: 10,000 random requests.

botocore comes with moto, or: python3 -m pip install botocore
"""

import datetime
import hashlib
import random
import string
import sys

import bucket

try:
    from botocore.auth import S3SigV4Auth
    from botocore.awsrequest import AWSRequest
    from botocore.credentials import Credentials
except ImportError:
    sys.exit("error: botocore is missing\nhelp: python3 -m pip install botocore")

COUNT = 10_000


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


def main() -> int:
    import botocore.auth

    # The signer asks the clock itself: by one name or the other, as versions differ.
    class Module:
        datetime = Clock

    if hasattr(botocore.auth, "get_current_datetime"):
        botocore.auth.get_current_datetime = lambda remove_tzinfo=True: (
            Clock.moment.replace(tzinfo=None) if remove_tzinfo else Clock.moment
        )
    else:
        botocore.auth.datetime = Module  # type: ignore[attr-defined]
    noise = random.Random(20261124)
    letters = string.ascii_letters + string.digits + " -._~!$&'()*+,;=:@%#?äé漢\"<>|^`{}[]\\"
    wrong = 0
    for _ in range(COUNT):
        Clock.moment = datetime.datetime(2026, 1, 1, tzinfo=datetime.UTC) + datetime.timedelta(
            seconds=noise.randrange(400_000_000)
        )
        secret, region = (
            word(noise, string.ascii_letters + "/+", 40),
            word(noise, string.ascii_lowercase + "-1"),
        )
        path = "/" + "/".join(bucket.quoted(word(noise, letters)) for _ in range(noise.randint(1, 5)))
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
    print(f"{COUNT} signatures, {wrong} differ from botocore's")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
