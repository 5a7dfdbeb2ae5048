#!/usr/bin/env python3
"""Publishes to a real S3 server and reads the result with boto3, which shares no code with packtool.

  servers.py ENDPOINT BUCKET [--rounds N]     the key is in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY
  servers.py --moto [--rounds N]              starts moto here
  servers.py --radosgw [--rounds N]           starts Ceph's gateway here (radosgw.sh)
  servers.py --openstack                      starts OpenStack Swift here (openstack.sh)
  servers.py --rclone                         starts 'rclone serve s3' here
  servers.py --short                          moto and rclone without rounds, for make test

The bucket must exist; everything below its prefix rig-… is overwritten. The test is a sequence (publish, the
same again, an update, channel commands, prune, verify, install), then N rounds of eight concurrent publishers
of different builds: exactly those reporting success are in the log (rivals.py). A server without conditional
writes, like Swift, or one that ignores them, like rclone, must be refused by each command without leaving
files; then everything except the rounds runs with --no-conditional-writes.
"""

import argparse
import asyncio
import contextlib
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator

import s3
import rivals  # after s3, which makes 'rig' known
from common import PACKAGES, contents
from rig import origin as judge
from rig import tool

sys.path.append(str(PACKAGES))
try:
    import boto3
    from botocore.config import Config
except ImportError:
    sys.exit("error: boto3 is missing\nhelp: Scripts/install.sh stores")


class Server(s3.Lab):
    def __init__(self, folder: pathlib.Path, endpoint: str, bucket: str):
        super().__init__(folder, False)
        self.endpoint, self.bucket, self.prefix = endpoint, bucket, f"rig-{time.time_ns()}"
        self.client = boto3.client(
            "s3",
            endpoint_url=endpoint,
            region_name=os.environ.get("AWS_REGION"),
            config=Config(s3={"addressing_style": "path"}, retries={"max_attempts": 9}),
        )

    @property
    def address(self) -> str:
        return f"s3://{self.bucket}/{self.prefix}"

    def files(self) -> dict[str, bytes]:
        """The stored files; lists again if rclone lists a file but then has no such key."""
        for _ in range(4):
            try:
                return self.read()
            except self.client.exceptions.NoSuchKey:
                time.sleep(0.5)
        return self.read()

    def read(self) -> dict[str, bytes]:
        found = {}
        pages = self.client.get_paginator("list_objects_v2").paginate(
            Bucket=self.bucket, Prefix=f"{self.prefix}/"
        )
        for page in pages:
            for it in page.get("Contents", []):
                try:
                    body = self.client.get_object(Bucket=self.bucket, Key=it["Key"])["Body"].read()
                except self.client.exceptions.NoSuchKey:
                    print(f"listed, and not there: {it['Key']}", flush=True)
                    raise
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
            tool.BASE_URL, "--no-check", *([] if "--json" in words else ["--quiet"]), *words, **more,
        )  # fmt: skip

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
        (["rollback", "--verify-all"], {0}),
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


# The messages of each command about a server that answers 501 to a condition, and about one that ignores it.
UNKNOWN, IGNORED = "does not know the condition", "despite the condition"


async def refused(lab: Server, says: str) -> None:
    """A store without conditions: every writing command reports it, and leaves no files."""
    status, text = await lab.publishes(0)
    lab.expect("publish is refused", status == 2 and says in text and "--no-conditional-writes" in text, text)
    lab.expect("publish leaves nothing", not lab.files(), str(list(lab.files())))
    for number in (0, 1):
        status, text = await lab.publishes(number, "--no-conditional-writes")
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
        named = says in text and "--no-conditional-writes" in text
        lab.expect(f"{words[0]} is refused", status == 2 and named, text)
        lab.expect(f"{words[0]} leaves nothing", lab.files() == before)


async def race(lab: Server, rounds: int) -> None:
    """Rounds of eight concurrent publishers, each of another build than the others and the live one."""
    files, won = lab.files(), 0
    for _ in range(rounds):
        known = rivals.chosen(lab.rivals, (judge.current(files) or {}).get("version"))
        ends = await asyncio.gather(
            *[lab.publishes_build(build.path, "--json", "--deltas", "0") for build in known]
        )
        texts = "\n".join(text for _, text in ends)
        after = lab.files()
        for problem in rivals.problems(files, after, known, ends) + judge.judge(after):
            lab.expect("race", False, f"{problem}\n{texts}")
        for problem in judge.rewritten(files, after) + judge.off_chain(files, after):
            lab.expect("race", False, f"{problem}\n{texts}")
        won += len(rivals.chain(files, after))
        files = after
        status, text = await lab.do("verify", lab.address)
        lab.expect("race: verify", status == 0, text)
    status, text = await lab.publishes(0)
    lab.expect("after the race", status == 0, text)
    lab.holds("after the race", files, text, {0})
    print(f"{rounds} rounds of {rivals.COUNT} publishers, {won} published")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def rclone() -> str:
    """A version that can serve S3: Debian 12's cannot."""
    beside = str(pathlib.Path(sys.executable).parent)
    for folder in (str(PACKAGES / "bin"), beside, None):
        place = shutil.which("rclone", path=folder)
        if place and subprocess.run([place, "serve", "s3", "--help"], capture_output=True).returncode == 0:
            return place
    sys.exit("error: there is no rclone that serves S3\nhelp: Scripts/install.sh stores")


MOTO = "import sys\nfrom moto.server import main\nmain(sys.argv[1:])"


def command(kind: str, folder: str, port: int) -> list[str]:
    """The command to start a local server, with its files in a folder."""
    if kind == "moto":
        return [sys.executable, "-c", MOTO, "--host", "127.0.0.1", "--port", str(port)]
    if kind == "rclone":
        pathlib.Path(folder).mkdir()
        return [rclone(), "serve", "s3", "--config", os.devnull, "--addr", f"127.0.0.1:{port}", "--auth-key",
                "AKID,SECRET", "--vfs-cache-mode", "off", folder]
    return [str(pathlib.Path(__file__).parent / f"{kind}.sh"), folder, str(port)]


def wait_for(server: subprocess.Popen, kind: str, port: int, log: pathlib.Path) -> None:
    """Waits until the server answers, for up to two minutes."""
    for _ in range(1200):
        if server.poll() is not None:
            break
        if kind in ("moto", "rclone"):
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
                return
        elif "ready" in log.read_text(errors="replace").splitlines():
            return
        time.sleep(0.1)
    sys.exit(f"error: {kind} does not start\n{log.read_text(errors='replace')[-2000:]}\n"
             "help: Scripts/install.sh stores bucket openstack")


@contextlib.contextmanager
def started(kind: str, folder: str) -> Iterator[str]:
    """Starts a local server; yields its address."""
    # Ceph's and Swift's servers also use some following ports.
    port = {"radosgw": 8537, "openstack": 8547}.get(kind) or free_port()
    log = pathlib.Path(folder) / f"{kind}.log"
    packages = os.pathsep.join(filter(None, [os.environ.get("PYTHONPATH"), str(PACKAGES)]))
    with open(log, "wb") as output:
        server = subprocess.Popen(command(kind, f"{folder}/server-{kind}", port), stdin=subprocess.DEVNULL,
                                  stdout=output, stderr=subprocess.STDOUT, start_new_session=True,
                                  env=os.environ | {"PYTHONPATH": packages})
    try:
        wait_for(server, kind, port, log)
        os.environ |= {
            "AWS_ACCESS_KEY_ID": "rig:rig" if kind == "openstack" else "AKID",
            "AWS_SECRET_ACCESS_KEY": "SECRET",
            "AWS_REGION": "us-east-1",
            "AWS_DEFAULT_REGION": "us-east-1",
        }
        yield f"http://127.0.0.1:{port}"
    finally:
        server.terminate()
        server.wait()


async def judged(lab: Server, name: str, rounds: int, short: bool) -> int:
    """The number of failures with one server. Swift and rclone support no conditions."""
    began = time.monotonic()
    says = {"openstack": UNKNOWN, "rclone": IGNORED}.get(name)
    force = ["--no-conditional-writes"] if says else []
    what = ["a journey"]
    if says:
        what.insert(0, "refusals")
        await refused(lab, says)
        lab.prefix += "-journey"
    await journey(lab, *force)
    if not says and rounds:
        what.append(f"{rounds} rounds")
        await race(lab, rounds)
    for failure in lab.failures[:20]:
        print("FAILED", failure)
    took = time.monotonic() - began
    print(f"{name}: {', '.join(what)}, {len(lab.failures)} failures, {took:.0f} s", flush=True)
    return len(lab.failures)


async def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("endpoint", nargs="?")
    parser.add_argument("bucket", nargs="?", default="rig")
    parser.add_argument("--rounds", type=int)
    parser.add_argument("--short", action="store_true", help="moto and rclone, without rounds")
    kinds = ("moto", "radosgw", "openstack", "rclone")
    for kind in kinds:
        parser.add_argument(f"--{kind}", action="store_true")
    options = parser.parse_args()
    chosen = [kind for kind in kinds if getattr(options, kind)]
    if options.short and not chosen and not options.endpoint:
        chosen = ["moto", "rclone"]
    if bool(chosen) == bool(options.endpoint):
        parser.error("give an endpoint and a bucket, or --short, or " + ", or ".join(f"--{k}" for k in kinds))
    # Scripts/test.py ends parts with SIGTERM: the server started here must not outlive it.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    rounds = (0 if options.short else 10) if options.rounds is None else options.rounds
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        if options.endpoint:
            lab = Server(pathlib.Path(folder), options.endpoint, options.bucket)
            return 1 if await judged(lab, options.endpoint, rounds, options.short) else 0
        for kind in chosen:
            with started(kind, folder) as endpoint:
                place = pathlib.Path(folder) / kind
                place.mkdir()
                lab = Server(place, endpoint, options.bucket)
                lab.client.create_bucket(Bucket=options.bucket)
                failures += await judged(lab, kind, rounds, options.short)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
