"""A CDN in front of the bucket: the results of 'publish --verify-cdn' for a live release."""

import json
import pathlib
import time

import cdn
from bucket import Bucket

POINTER = "channels/production/pointer.json"


class Front(cdn.CDN):
    """Serves the content of a bucket; `change` is applied by the CDN."""

    def __init__(self, bucket: Bucket, change: cdn.Change | None = None, prefix: str = "app/"):
        super().__init__(pathlib.Path("/nonexistent"))
        self.bucket, self.change, self.prefix = bucket, change, prefix

    def file(
        self, method: str, path: str, headers: dict[str, str], kind: str
    ) -> tuple[int, dict[str, str], bytes]:
        it = self.bucket.objects.get(self.prefix + path)
        if it is None or path.startswith(".packtool/"):
            return 404, {"Content-Type": "text/plain"}, b"nothing here"
        fields = {"Content-Type": it.fields["content-type"], "ETag": it.etag, "Accept-Ranges": "bytes"}
        first, _, last = headers.get("range", "").removeprefix("bytes=").partition("-")
        if not first.isdigit():
            return 200, fields, it.body
        part = it.body[int(first) : int(last) + 1]
        size = len(it.body)
        return 206, fields | {"Content-Range": f"bytes {first}-{int(first) + len(part) - 1}/{size}"}, part


def kept(old: dict[str, bytes], places: str, times: int = 1 << 30) -> cdn.Change:
    """A cache that continues to serve previous content for a number of requests."""
    left = [times]

    def change(request: cdn.Request, reply: cdn.Reply) -> cdn.Reply:
        if request.fresh or places not in request.path or request.path not in old or left[0] <= 0:
            return reply
        left[0] -= 1
        return 200, reply[1] | {"Age": "5310", "X-Cache": "HIT"}, old[request.path]

    return change


async def verified(lab) -> None:
    """--verify-cdn reports the content received by clients; the release is live in any case"""
    async with Bucket() as bucket, Front(bucket) as front:

        async def publish(number: int, *more: str, wait: str = "1") -> tuple[int, dict, str]:
            words = lab.publishing(number, "--json", *more)
            words[words.index("--base-url") + 1] = front.url
            if "--verify-cdn" in more:
                words += ["--cdn-wait", wait]
            status, text = await lab.run(bucket, *words)
            start = text.find("{")
            report, _ = json.JSONDecoder().raw_decode(text[start:]) if start >= 0 else ({}, 0)
            return status, report, text

        status, report, text = await publish(0, "--verify-cdn")
        lab.expect("a good CDN", status == 0 and report["cdn"]["ok"] and not report["cdn"]["findings"], text)
        lab.settled("a good CDN", bucket, 0, text)
        lost = [path for _, path, _, code in front.log if code == 404 and "packtool-verify" not in path]
        lab.expect("nothing is asked for that is not there yet", not lost, str(lost))
        status, report, text = await publish(0, "--verify-cdn")
        lab.expect("the same again", status == 0 and report["outcome"] == "unchanged", text)

        start, old = dict(bucket.objects), bucket.files()
        cases = (
            ("a slow cache", kept(old, POINTER, 2), "", "9"),
            ("a cache that keeps pointers", kept(old, POINTER), "http.stale", "1"),
            ("a CDN that compresses", cdn.at("objects/", cdn.zipped(True)), "http.transformed", "1"),
            ("a CDN that minifies", cdn.at(".js", cdn.body(cdn.minify)), "http.differs", "1"),
            ("a CDN that asks to sign in", cdn.at("package.zip", cdn.page), "http.page-for-file", "1"),
            (
                "a cache that keeps a 404",
                cdn.at("package.zip", cdn.cached(cdn.missing)),
                "http.negative-cached",
                "1",
            ),
            ("a CDN that may not read the bucket", cdn.denied, "http.missing", "1"),
        )
        for name, change, code, wait in cases:
            bucket.objects, front.change = dict(start), change
            began = time.monotonic()
            status, report, text = await publish(1, "--verify-cdn", wait=wait)
            found = {f["code"] for f in report.get("cdn", {}).get("findings", []) if f["severity"] == "error"}
            lab.expect(name, found == ({code} if code else set()), text)
            lab.expect(f"{name}: status", status == (1 if code else 0), text)
            lab.expect(f"{name}: live is said", not code or "is live, but" in text and "help:" in text, text)
            lab.expect(f"{name}: bounded", time.monotonic() - began < 60, text)
            lab.settled(name, bucket, 1, text)

        bucket.objects, front.change = dict(start), None
        # The base URL changes on purpose.
        words = lab.publishing(1, "--verify-cdn", "--allow-identity-change")
        words[words.index("--base-url") + 1] = "http://127.0.0.1:9/app"
        status, text = await lab.run(bucket, *words)
        lab.expect("a CDN that is down", status == 1 and "could not be read at" in text, text)
        lab.settled("a CDN that is down", bucket, 1, text)
        for flag in ("--dry-run", "--propose=next.json"):
            status, _, text = await publish(1, "--verify-cdn", flag)
            lab.expect(f"{flag} has nothing to look at", status == 64, text)
