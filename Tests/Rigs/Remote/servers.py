#!/usr/bin/env python3
"""Publishes to a real S3 server and lets boto3, which shares no code with packtool, read what is there.

  servers.py ENDPOINT BUCKET [--rounds N]     the key is in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY
  servers.py --radosgw [--rounds N]           starts Ceph's gateway here (radosgw.sh)
  servers.py --openstack                      starts OpenStack Swift here (openstack.sh)

The bucket must exist; everything below its prefix rig-… is written anew. A journey (publish, the same again,
an update, channel commands, prune, verify, install), a file that is uploaded in parts, then N rounds of eight
publishers at once: one wins each, none mixes, none is lost. moto and Ceph's radosgw are what it was written
with. A server that knows no condition, as Swift, must be refused by each command, with nothing left there;
then all but the rounds go by --force-unsafe.
"""

import argparse
import asyncio
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import time

import s3
from common import contents
from rig import origin as judge
from rig import tool

try:
    import boto3
    from botocore.config import Config
except ImportError:
    sys.exit("error: boto3 is missing\nhelp: python3 -m pip install boto3")


class Server(s3.Lab):
    def __init__(self, folder: pathlib.Path, endpoint: str, bucket: str):
        super().__init__(folder, False)
        self.endpoint, self.bucket, self.prefix = endpoint, bucket, f"rig-{time.time_ns()}"
        self.client = boto3.client(
            "s3",
            endpoint_url=endpoint,
            config=Config(s3={"addressing_style": "path"}, retries={"max_attempts": 9}),
        )

    @property
    def address(self) -> str:
        return f"s3://{self.bucket}/{self.prefix}"

    def files(self) -> dict[str, bytes]:
        found = {}
        pages = self.client.get_paginator("list_objects_v2").paginate(
            Bucket=self.bucket, Prefix=f"{self.prefix}/"
        )
        for page in pages:
            for it in page.get("Contents", []):
                body = self.client.get_object(Bucket=self.bucket, Key=it["Key"])["Body"].read()
                found[it["Key"][len(self.prefix) + 1 :]] = body
        return found

    async def do(self, *words: str, **more: str) -> tuple[int, str]:
        process = await asyncio.create_subprocess_exec(
            s3.TOOL, *words, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT,
            env=os.environ | {"AWS_ENDPOINT_URL_S3": self.endpoint} | more,
        )  # fmt: skip
        return await self.end(process)

    async def publishes(self, number: int, *more: str) -> tuple[int, str]:
        return await self.publishes_build(self.builds[number].path, *more)

    async def publishes_build(self, build: pathlib.Path, *words: str, **more: str) -> tuple[int, str]:
        return await self.do(
            "publish", str(build), "--to", self.address, "--app", "shop", "--base-url",
            tool.BASE_URL, "--no-check", "--quiet", *words, **more,
        )  # fmt: skip

    def begun(self) -> list[str]:
        """Uploads in parts that nobody ended."""
        found = self.client.list_multipart_uploads(Bucket=self.bucket).get("Uploads", [])
        return [it["Key"] for it in found if it["Key"].startswith(f"{self.prefix}/")]

    async def live_version(self) -> str:
        _, text = await self.do("status", self.address, "--json")
        return json.loads(text)["channels"][0]["offers"][0]["version"]

    def holds(self, name: str, before: dict[str, bytes], text: str, live: set[int]) -> dict[str, bytes]:
        files = self.files()
        for problem in judge.judge(files) + judge.rewritten(before, files) + judge.off_chain(before, files):
            self.expect(name, False, f"{problem}\n{text}")
        self.expect(f"{name}: live", self.live(files) in live, text)
        return files


async def journey(lab: Server, *force: str) -> None:
    files: dict[str, bytes] = {}
    for number, more in ((0, []), (0, []), (1, ["--deltas", "1"]), (2, ["--deltas", "1", "--rollout", "50"])):
        status, text = await lab.publishes(number, *more, *force)
        lab.expect("publish", status == 0, text)
        files = lab.holds("publish", files, text, {number})
    offered = {1, 2}
    for words, live in (
        (["rollout", "80"], offered),
        (["pause"], offered),
        (["resume"], offered),
        (["rollback"], {1}),
        (["rollback", "--read-back-all"], {0}),
        (["renew"], {0}),
    ):
        status, text = await lab.do(words[0], lab.address, *words[1:], *force)
        lab.expect(words[0], status == 0, text)
        files = lab.holds(words[0], files, text, live)
    for words in (["--pin", (await lab.live_version())], ["--yes", "--delay-hours", "0", "--keep", "9"]):
        status, text = await lab.do("prune", lab.address, *words, *force)
        lab.expect(f"prune {words[0]}", status == 0, text)
    for words in (["verify", lab.address], ["install", lab.address, "--into", str(lab.folder / "phone")]):
        status, text = await lab.do(*words)
        lab.expect(words[0], status == 0, text)
    found = contents(lab.folder / "phone/current")
    lab.expect("installed", found == lab.builds[lab.live(files) or 0].tree)
    lab.expect("nothing left", not judge.leftovers(files), judge.leftovers(files).__repr__())


async def parts(lab: Server, *force: str) -> None:
    """A file that takes three requests, and then nothing."""
    build, size = lab.folder / "large", 11 << 20
    build.mkdir()
    (build / "index.html").write_text("<!doctype html><title>large</title>\n")
    (build / "film.bin").write_bytes(random.Random(1).randbytes(size))
    limit = {"PACKTOOL_UPLOAD_LIMIT": "5 MiB"}
    lab.prefix += "-parts"
    status, text = await lab.publishes_build(build, *force, **limit)
    if status and not force and "--force-unsafe" in text:
        # Ceph's gateway joins parts over what is there; a package so large needs the flag then.
        lab.expect("parts: nothing is left", not lab.begun())
        status, text = await lab.publishes_build(build, "--force-unsafe", **limit)
    lab.expect("parts", status == 0, text)
    files = lab.files()
    film = (build / "film.bin").read_bytes()
    same = [place for place, body in files.items() if body == film]
    lab.expect("parts: object and site", sorted(place.split("/")[0] for place in same) == ["objects", "site"])
    heads = [lab.client.head_object(Bucket=lab.bucket, Key=f"{lab.prefix}/{place}") for place in same]
    lab.expect("parts: several", all("-" in head["ETag"] for head in heads), str([h["ETag"] for h in heads]))
    lab.expect("parts: nothing is left", not lab.begun())
    status, text = await lab.do("verify", lab.address)
    lab.expect("parts: verify", status == 0, text)
    status, text = await lab.publishes_build(build, *(force or ["--force-unsafe"]), **limit)
    lab.expect("parts: the same again", status == 0, text)


async def refused(lab: Server) -> None:
    """A store without conditions: every command that writes says so, and leaves nothing there."""
    status, text = await lab.publishes(0)
    named = "does not know the condition" in text and "--force-unsafe" in text
    lab.expect("publish is refused", status == 2 and named, text)
    lab.expect("publish leaves nothing", not lab.files(), str(list(lab.files())))
    for number in (0, 1):
        status, text = await lab.publishes(number, "--force-unsafe")
        lab.expect("publish", status == 0, text)
    before = lab.files()
    for words in (
        ["rollback"],
        ["rollout", "50"],
        ["pause"],
        ["renew", "--expires-in-days", "9"],
        ["prune", "--yes"],
    ):
        status, text = await lab.do(words[0], lab.address, *words[1:])
        named = "does not know the condition" in text and "--force-unsafe" in text
        lab.expect(f"{words[0]} is refused", status == 2 and named, text)
        lab.expect(f"{words[0]} leaves nothing", lab.files() == before)


async def race(lab: Server, rounds: int) -> None:
    files = lab.files()
    for number in range(rounds):
        ends = await asyncio.gather(*[lab.publishes(n, "--renew") for n in (0, 1, 2, number % 3) * 2])
        texts = "\n".join(text for _, text in ends)
        lab.expect("race: status", all(status in (0, 3) for status, _ in ends), texts)
        lab.expect("race: one wins", any(status == 0 for status, _ in ends), texts)
        files = lab.holds("race", files, texts, {0, 1, 2})
    status, text = await lab.publishes(0)
    lab.expect("after the race", status == 0, text)
    lab.holds("after the race", files, text, {0})


def started(script: str, folder: str, port: int, key: str) -> subprocess.Popen:
    """A server of this machine."""
    gateway = subprocess.Popen(
        [str(pathlib.Path(__file__).parent / script), f"{folder}/server", str(port)],
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert gateway.stdout
    if gateway.stdout.readline().strip() != "ready":
        sys.exit(f"error: {script} does not start\nhelp: Scripts/install.sh bucket openstack")
    os.environ |= {
        "AWS_ACCESS_KEY_ID": key,
        "AWS_SECRET_ACCESS_KEY": "SECRET",
        "AWS_REGION": "us-east-1",
        "AWS_DEFAULT_REGION": "us-east-1",
    }
    return gateway


async def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("endpoint", nargs="?")
    parser.add_argument("bucket", nargs="?", default="rig")
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--radosgw", action="store_true")
    parser.add_argument("--openstack", action="store_true")
    options = parser.parse_args()
    if [options.radosgw, options.openstack, bool(options.endpoint)].count(True) != 1:
        parser.error("give an endpoint and a bucket, or --radosgw, or --openstack")
    with tempfile.TemporaryDirectory() as folder:
        if options.endpoint:
            lab = Server(pathlib.Path(folder), options.endpoint, options.bucket)
            return await judged(lab, options)
        if options.radosgw:
            gateway = started("radosgw.sh", folder, 8537, "AKID")
            options.endpoint = "http://127.0.0.1:8537"
        else:
            gateway = started("openstack.sh", folder, 8547, "rig:rig")
            options.endpoint = "http://127.0.0.1:8547"
        lab = Server(pathlib.Path(folder), options.endpoint, options.bucket)
        lab.client.create_bucket(Bucket=options.bucket)
        try:
            return await judged(lab, options)
        finally:
            gateway.terminate()
            gateway.wait()


async def judged(lab: Server, options: argparse.Namespace) -> int:
    what = f"a journey, an upload in parts and {options.rounds} rounds"
    if options.openstack:
        what = "refusals, a journey and an upload in parts"
        await refused(lab)
        lab.prefix += "-journey"
        await journey(lab, "--force-unsafe")
        await parts(lab, "--force-unsafe")
    else:
        await journey(lab)
        await race(lab, options.rounds)
        await parts(lab)
    for failure in lab.failures[:20]:
        print("FAILED", failure)
    print(f"{options.endpoint}: {what}, {len(lab.failures)} failures")
    return 1 if lab.failures else 0


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
