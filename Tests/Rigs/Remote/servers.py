#!/usr/bin/env python3
"""Publishes to a real S3 server and lets boto3, which shares no code with packtool, read what is there.

  servers.py ENDPOINT BUCKET [--rounds N]     the key is in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY
  servers.py --radosgw [--rounds N]           starts Ceph's gateway here (radosgw.sh)

The bucket must exist; everything below its prefix rig-… is written anew. A journey (publish, the same again,
an update, channel commands, verify, install), then N rounds of eight publishers at once: one wins each, none
mixes, none is lost. moto and Ceph's radosgw are what it was written with.
"""

import argparse
import asyncio
import os
import pathlib
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

    async def do(self, *words: str) -> tuple[int, str]:
        process = await asyncio.create_subprocess_exec(
            s3.TOOL, *words, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT,
            env=os.environ | {"AWS_ENDPOINT_URL_S3": self.endpoint},
        )  # fmt: skip
        return await self.end(process)

    async def publishes(self, number: int, *more: str) -> tuple[int, str]:
        return await self.do(
            "publish", str(self.builds[number].path), "--to", self.address, "--app", "shop", "--base-url",
            tool.BASE_URL, "--no-check", "--quiet", *more,
        )  # fmt: skip

    def holds(self, name: str, before: dict[str, bytes], text: str, live: set[int]) -> dict[str, bytes]:
        files = self.files()
        for problem in judge.judge(files) + judge.rewritten(before, files) + judge.off_chain(before, files):
            self.expect(name, False, f"{problem}\n{text}")
        self.expect(f"{name}: live", self.live(files) in live, text)
        return files


async def journey(lab: Server) -> None:
    files: dict[str, bytes] = {}
    for number, more in ((0, []), (0, []), (1, ["--deltas", "1"]), (2, ["--deltas", "1", "--rollout", "50"])):
        status, text = await lab.publishes(number, *more)
        lab.expect("publish", status == 0, text)
        files = lab.holds("publish", files, text, {number})
    for words in (["rollout", "80"], ["pause"], ["resume"], ["rollback"], ["renew"]):
        status, text = await lab.do(words[0], lab.address, *words[1:])
        lab.expect(words[0], status == 0, text)
        files = lab.holds(words[0], files, text, {1, 2})
    for words in (["verify", lab.address], ["install", lab.address, "--into", str(lab.folder / "phone")]):
        status, text = await lab.do(*words)
        lab.expect(words[0], status == 0, text)
    found = contents(lab.folder / "phone/current")
    lab.expect("installed", found == lab.builds[lab.live(files) or 0].tree)
    lab.expect("nothing left", not judge.leftovers(files), judge.leftovers(files).__repr__())


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


def started(folder: str, port: int) -> subprocess.Popen:
    """Ceph's gateway, with a bucket 'rig'."""
    gateway = subprocess.Popen(
        [str(pathlib.Path(__file__).parent / "radosgw.sh"), f"{folder}/radosgw", str(port)],
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert gateway.stdout
    if gateway.stdout.readline().strip() != "ready":
        sys.exit("error: radosgw does not start\nhelp: Scripts/install.sh bucket")
    os.environ |= {
        "AWS_ACCESS_KEY_ID": "AKID",
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
    options = parser.parse_args()
    if options.radosgw == bool(options.endpoint):
        parser.error("give an endpoint and a bucket, or --radosgw")
    with tempfile.TemporaryDirectory() as folder:
        if options.radosgw:
            gateway = started(folder, 8537)
            options.endpoint = "http://127.0.0.1:8537"
            lab = Server(pathlib.Path(folder), options.endpoint, options.bucket)
            lab.client.create_bucket(Bucket=options.bucket)
            try:
                return await judged(lab, options)
            finally:
                gateway.terminate()
                gateway.wait()
        lab = Server(pathlib.Path(folder), options.endpoint, options.bucket)
        return await judged(lab, options)


async def judged(lab: Server, options: argparse.Namespace) -> int:
    await journey(lab)
    await race(lab, options.rounds)
    for failure in lab.failures[:20]:
        print("FAILED", failure)
    print(f"{options.endpoint}: a journey and {options.rounds} rounds, {len(lab.failures)} failures")
    return 1 if lab.failures else 0


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
