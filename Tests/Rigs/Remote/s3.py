#!/usr/bin/env python3
"""Publishes to a strict, faulty S3 store: every fault at every request, kills, concurrent publishers.

  s3.py             a sample of the pairs of fault and request, for make test: other ones each day
  s3.py --seed 20261127
                    the sample of that day
  s3.py --long      all of them, and 100 rounds of eight concurrent publishers for each kind of store
  s3.py --only CASE one case; with --fail-fast it ends with the first failure (for mutants.toml)
  s3.py --only sweep --point 'pause, 404 at 13'
                    one point of the sweep or the pairs, by the name in its failure, with packtool's
                    full output

The content of the store is checked by rig.origin, which shares no code with packtool: after any fault, the
complete old or new release is live; `verify` confirms it, and a device installs it. Repeating the command
without the fault ends with the new release and no leftovers.
"""

import argparse
import asyncio
import datetime
import hashlib
import json
import os
import pathlib
import random
import re
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable

import bucket as store
import front
from bucket import Bucket, Fault, Faults, Object
from common import contents, ended

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "Tests/Rigs/Faults"))
import rivals
from rig import builds, tool
from rig import origin as judge

TOOL = os.environ.get("PACKTOOL", str(ROOT / ".build/debug/packtool"))
FAULTS = [
    "refuse", "reset-before", "reset-in-body", "reset-after", "half-head", "cut", "stall", "twice", "late",
    "429", "503", "500", "500-after", "409", "false-412", "200-error", "403", "expired", "page", "redirect",
    "404", "flip", "rot",
]  # fmt: skip
# A request that always fails, however often it is repeated.
LASTING = ["refuse", "reset-before", "reset-after", "503", "403", "cut"]

# Faults that a repeated or verified request survives.
PASSING = ["reset-before", "reset-after", "429", "503", "500", "500-after", "409", "false-412", "twice"]

# Everything except the live release, immediately.
PRUNE = "prune s3://shop/app --yes --keep 1 --grace-days 0 --delay-hours 0 --quiet".split()


def environment(bucket: Bucket, **more: str) -> dict[str, str]:
    kept = {
        name: value
        for name, value in os.environ.items()
        if "proxy" not in name.lower() and not name.startswith(("AWS_", "PACKTOOL_", "SSL_"))
    }
    return (
        kept
        | {
            "AWS_ACCESS_KEY_ID": store.KEY,
            "AWS_SECRET_ACCESS_KEY": store.SECRET,
            "AWS_REGION": store.REGION,
            "AWS_ENDPOINT_URL_S3": bucket.url,
            "PACKTOOL_HTTP_TIMEOUT": "1",
            "PACKTOOL_JOBS": "1",
            "SWIFT_BACKTRACE": "enable=no",
            "HOME": "/nonexistent",
        }
        | more
    )


class Lab:
    def __init__(self, folder: pathlib.Path, long: bool, point: str | None = None):
        self.folder, self.long, self.point = folder, long, point
        self.builds = [builds.make(folder / "builds", number) for number in (1, 2, 3)]
        self.rivals = rivals.make(folder)
        self.rounds = self.rounds_done = self.places = 0
        self.seed = ""
        self.known: list[Operation] = []
        self.failures: list[str] = []
        self.points = 0

    def expect(self, what: str, condition: object, text: str = "") -> None:
        if not condition:
            self.failures.append(f"{what}: {text.strip()[:2500]}")
            print(f"     FAILED {what}", flush=True)

    async def start(self, bucket: Bucket, *words: str, **more: str) -> asyncio.subprocess.Process:
        return await asyncio.create_subprocess_exec(
            TOOL,
            *words,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
            env=environment(bucket, **more),
            start_new_session=True,
        )

    async def run(self, bucket: Bucket, *words: str, **more: str) -> tuple[int, str]:
        return await self.end(await self.start(bucket, *words, **more))

    def place(self, name: str) -> pathlib.Path:
        """A path that does not exist yet."""
        self.places += 1
        return self.folder / f"{name}-{self.places}"

    def placed(self, words: list[str]) -> tuple[list[str], pathlib.Path]:
        """The words of an operation, with a path for its local output."""
        out = self.place("out")
        return [word.replace("{out}", str(out)) for word in words], out

    async def does(
        self, operation: "Operation", bucket: Bucket, words: list[str] | None = None
    ) -> tuple[int, str]:
        """Runs an operation, and checks its other results if it succeeds."""
        placed, out = self.placed(words or operation.words)
        status, text = await self.run(bucket, *placed)
        wrong = operation.made(bucket.files(), out) if status == 0 else ""
        self.expect(f"{operation.name}: made", not wrong, f"{wrong} {text}")
        if out.is_dir():
            shutil.rmtree(out)
        return status, text

    async def end(self, process: asyncio.subprocess.Process) -> tuple[int, str]:
        status, text = await ended(process)
        if self.point:
            print(f"--- exit {status}\n{text}")
        for secret in (store.SECRET, "hunter2", "AWS4-HMAC", "Signature="):
            self.expect("the output has a secret", secret not in text, text)
        return status, text

    async def together(self, points: list, one: Callable[[int, tuple], Awaitable[None]]) -> None:
        """Runs `one` for every point. A long run waits for many at once, because a request that fails
        permanently takes a minute; progress is printed from time to time."""
        gate = asyncio.Semaphore(16 if self.long else 3)
        done, said = 0, time.monotonic()

        async def next_one(number: int, point: tuple) -> None:
            nonlocal done, said
            async with gate:
                try:
                    await one(number, point)
                except Exception as reason:
                    self.expect(f"{number} {point}", False, repr(reason))
            done += 1
            if time.monotonic() - said > 60:
                said = time.monotonic()
                print(f"     {done} of {len(points)}, {len(self.failures)} failures", flush=True)

        await asyncio.gather(*[next_one(*each) for each in enumerate(points)])

    def publishing(self, number: int, *more: str) -> list[str]:
        return [
            "publish",
            str(self.builds[number].path),
            "--to",
            "s3://shop/app",
            "--app",
            "shop",
            "--base-url",
            tool.BASE_URL,
            "--no-check",
            "--quiet",
            *more,
        ]

    async def publish(self, bucket: Bucket, number: int, *more: str, **env: str) -> tuple[int, str]:
        return await self.run(bucket, *self.publishing(number, *more), **env)

    def live(self, files: dict[str, bytes]) -> int | None:
        """The index of the build offered by the pointer; None for no pointer, -1 for another release."""
        pointer = judge.current(files)
        if pointer is None:
            return None
        return next((n for n, b in enumerate(self.builds) if b.version == pointer["version"]), -1)

    def judged(
        self, name: str, bucket: Bucket, before: dict[str, bytes], text: str, prunes: bool = False
    ) -> None:
        """Invariants at every moment; only a prune may delete a release."""
        files = bucket.files()
        found = judge.judge(files) + judge.rewritten(before, files, may_vanish=prunes)
        for problem in found + judge.off_chain(before, files) + judge.ahead(before, files):
            self.expect(name, False, f"{problem}\n{text}")
        for problem in bucket.refused:
            self.expect(f"{name}: the store refused a request", False, problem)

    def half_done(self, name: str, operation: "Operation", files: dict[str, bytes], text: str) -> None:
        """Invariants of `site/` during a command: complete files, and the new launch page last."""
        for problem in judge.judge_site(files, self.builds, self.builds[operation.new]):
            self.expect(name, False, f"{problem}\n{text}")

    def offered(self, name: str, files: dict[str, bytes], text: str) -> None:
        """Offered files are complete; a file named by no pointer may be corrupt."""
        pointer = judge.current(files)
        try:
            if pointer:
                judge.check_pointer(files, pointer, "pointer")
        except judge.Broken as problem:
            self.expect(name, False, f"{problem}\n{text}")

    def settled(
        self, name: str, bucket: Bucket, new: int, text: str, earlier: dict[str, bytes] | None = None
    ) -> None:
        """Invariants after a successful command.

        `earlier` is the previous state: without a lock, a killed run's intent looks like that of an active
        one, and stays.
        """
        files = bucket.files()
        self.expect(f"{name}: live", self.live(files) == new, text)
        info = json.loads(files["info.json"]) if "info.json" in files else {}
        self.expect(f"{name}: info.json", info.get("version") == self.builds[new].version, text)
        site = {path[5:]: body for path, body in files.items() if path.startswith("site/")}
        wrong = [path for path, body in self.builds[new].tree.items() if site.get(path) != body]
        self.expect(f"{name}: site", not wrong, f"{wrong} {text}")
        own = {path: body for path, body in files.items() if path not in (earlier or {})}
        for problem in judge.leftovers(own):
            self.expect(name, False, f"{problem}\n{text}")


class Operation:
    """A command whose requests are each made to fail, and the initial state of its store.

    In its words, '{out}' is a path that does not exist yet. `moves`: it makes a new pointer. `made` returns
    the problem with other results of a successful run, in the store and at that path.
    """

    def __init__(
        self, name: str, words: list[str], new: int, objects: dict, moves: bool = True,
        made: Callable[[dict[str, bytes], pathlib.Path], str] = lambda files, out: "",
    ):  # fmt: skip
        self.name, self.words, self.new, self.objects = name, words, new, objects
        self.moves, self.made = moves, made
        self.log: list[tuple[str, str, int]] = []
        self.prunes = "prune" in words

    def __repr__(self) -> str:
        return self.name

    @property
    def requests(self) -> int:
        return len(self.log)

    def bucket(self, fault: Fault | Faults | None = None, **options: object) -> Bucket:
        bucket = Bucket(fault, **options)  # type: ignore[arg-type]
        bucket.objects = dict(self.objects)
        return bucket

    def again(self, moved: bool) -> list[str]:
        """The command after a failed one. Repeating a rollback that went live would roll back once more."""
        return ["resume", "s3://shop/app", "--quiet"] if self.name == "rollback" and moved else self.words


def sequence(files: dict[str, bytes]) -> int:
    return (judge.current(files) or {}).get("sequence", 0)


APP = "s3://shop/app"
# The first operations of the sweep; `--point` accepts the points of all.
FIRST = ("first publish", "second publish", "rollback", "pause", "prune")


async def operations(lab: Lab) -> list[Operation]:
    if lab.known:
        return lab.known
    states: list[dict] = [{}]
    async with Bucket() as bucket:
        for number in (0, 1, 2):
            status, text = await lab.publish(bucket, number, "--deltas", "1")
            assert status == 0, text
            lab.judged("publish", bucket, {}, text)
            lab.settled("publish", bucket, number, text)
            states.append(dict(bucket.objects))
    found = [
        Operation("first publish", lab.publishing(0, "--deltas", "1"), 0, states[0]),
        Operation("second publish", lab.publishing(1, "--deltas", "1"), 1, states[1]),
        Operation("rollback", ["rollback", APP, "--quiet"], 0, states[2]),
        Operation("pause", ["pause", APP, "--quiet"], 1, states[2]),
        Operation("prune", PRUNE, 2, states[3], False),
        *await channel_operations(lab, states),
        *await signed_operations(lab),
    ]
    for operation in found:
        async with operation.bucket() as bucket:
            status, text = await lab.does(operation, bucket)
            assert status == 0, text
            operation.log = list(bucket.log)
            lab.judged(operation.name, bucket, {}, text)
            lab.settled(operation.name, bucket, operation.new, text)
            if operation.prunes:
                gone = operation.objects.keys() - bucket.objects.keys()
                lab.expect("prune: deletes", any("/releases/" in key for key in gone), text)
    print("     " + ", ".join(f"{it.name}: {it.requests} requests" for it in found))
    lab.known = found
    return found


async def reached(lab: Lab, objects: dict, *steps: list[str]) -> dict:
    """The state of a store after some commands."""
    async with Bucket() as bucket:
        bucket.objects = dict(objects)
        for words in steps:
            status, text = await lab.run(bucket, *words)
            assert status == 0, f"{words}: {text}"
        return dict(bucket.objects)


async def channel_operations(lab: Lab, states: list[dict]) -> list[Operation]:
    """Commands that change a channel, or the content shipped with apps."""
    beta = await reached(lab, states[1], lab.publishing(1, "--channel", "beta", "--deltas", "1"))
    half = await reached(lab, states[1], lab.publishing(1, "--deltas", "1", "--rollout", "50"))
    paused = await reached(lab, states[2], ["pause", APP, "--quiet"])
    build = lab.builds[1]

    def embedded(files: dict[str, bytes], out: pathlib.Path) -> str:
        if f".packtool/pins/production.{build.version}.json" not in files:
            return "there is no pin"
        same = contents(out / "versions" / build.version) == build.tree
        return "" if same else "the directory is not the release"

    return [
        Operation("promote", ["promote", APP, "--from=beta", "--channel=production", "--quiet"], 1, beta),
        Operation("rollout", ["rollout", APP, "100", "--quiet"], 1, half),
        Operation("resume", ["resume", APP, "--quiet"], 1, paused),
        Operation("renew", ["renew", APP, "--expires-in-days", "9", "--quiet"], 1, states[2]),
        Operation("embed", ["embed", APP, "-o", "{out}", "--quiet"], 1, states[2], False, embedded),
    ]


async def signed_operations(lab: Lab) -> list[Operation]:
    """A new trust root, and a release of two people: one proposes it, the other one signs and commits."""
    keys, word = lab.folder / "keys", lab.folder / "passphrase"
    word.touch(0o600)
    word.write_text("a word\n")
    key = ["--passphrase-file", str(word), "--sign-key"]
    one, two, next_ = (str(keys / name) for name in ("1.root.json", "2.root.json", "next.json"))
    base = await reached(
        lab, {},
        ["keys", "init", "--app", "shop", "--dir", str(keys), "--quiet", *key[:2]],
        ["keys", "publish", one, "--to", APP, "--base-url", tool.BASE_URL, "--no-wait", "--quiet"],
        lab.publishing(0, *key, str(keys / "release.key")),
        ["keys", "root", one, "-o", two, "--expires-in-days", "300", "--quiet"],
        ["keys", "sign", two, "--quiet", *key, str(keys / "root.key")],
    )  # fmt: skip
    proposed = await reached(
        lab, base,
        lab.publishing(1, "--deltas", "1", "--propose", next_),
        ["keys", "sign", next_, "--trust", one, "--quiet", *key, str(keys / "release.key")],
    )  # fmt: skip
    root = pathlib.Path(two).read_bytes()

    def published(files: dict[str, bytes], out: pathlib.Path) -> str:
        return "" if files.get("root/2.json") == root else "root/2.json is not the root"

    def proposes(files: dict[str, bytes], out: pathlib.Path) -> str:
        try:
            found = judge.payload(out.read_bytes())["version"]
        except (OSError, judge.Broken) as reason:
            return f"no proposal: {reason}"
        return "" if found == lab.builds[1].version else f"the proposal is of {found}"

    return [
        Operation("keys publish", ["keys", "publish", two, "--to", APP, "--no-wait", "--quiet"], 0, base,
                  False, published),
        Operation("propose", lab.publishing(1, "--deltas", "1", "--propose", "{out}"), 0, base,
                  False, proposes),
        Operation("commit", ["publish", "--pointer", next_, "--to", APP, "--quiet"], 1, proposed),
    ]  # fmt: skip


def described(operation: Operation, kind: str | int, at: int | str | bool, times: int = 1) -> str:
    """The name of a point: of a fault, or, with a request and whether it takes effect, of a kill."""
    if isinstance(kind, int):
        return f"{operation.name}, killed {'after' if at else 'before'} {kind}"
    return f"{operation.name}, {kind} at {at}{'' if times == 1 else f', {times} times'}"


async def faulty(lab: Lab, operation: Operation, kind: str, at: int | str, times: int) -> None:
    """A fault at a request: its number, or its method and target, which must then occur."""
    fault = Fault(kind, 0, times, wanted=at) if isinstance(at, str) else Fault(kind, at, times)
    name = described(operation, kind, at, times)
    await disturbed(lab, operation, fault, name, kind == "rot", isinstance(at, str))


async def faulty_twice(
    lab: Lab, operation: Operation, first: tuple[str, int], second: tuple[str, int]
) -> None:
    """Two faults in one run."""
    fault, name = Faults(Fault(*first), Fault(*second)), described_pair(operation, first, second)
    await disturbed(lab, operation, fault, name, "rot" in (first[0], second[0]), False)


def described_pair(operation: Operation, first: tuple[str, int], second: tuple[str, int]) -> str:
    return f"{operation.name}, {first[0]} at {first[1]} and {second[0]} at {second[1]}"


async def disturbed(
    lab: Lab, operation: Operation, fault: Fault | Faults, name: str, rots: bool, must: bool
) -> None:
    """A run with a fault, which must occur with `must`, and the same command without it."""
    lab.points += 1
    async with operation.bucket(fault) as bucket:
        before = bucket.files()
        status, text = await lab.does(operation, bucket)
        lab.expect(f"{name}: happens", not must or fault.left == 0, text)
        lab.expect(f"{name}: status", status in (0, 1, 2, 3), f"{status} {text}")
        lab.expect(f"{name}: says what next", status == 0 or "help:" in text, text)
        lab.expect(
            f"{name}: bounded", len(bucket.log) < operation.requests + 160, f"{len(bucket.log)} requests"
        )
        if status == 0:
            lab.settled(name, bucket, operation.new, text, before)
        await followed(lab, operation, bucket, name, before, text, rots)


async def killed(lab: Lab, operation: Operation, at: int, after: bool) -> None:
    """The process is killed at a request: before or after the store has applied it."""
    lab.points += 1
    name = described(operation, at, after)
    async with operation.bucket() as bucket:
        before = bucket.files()
        process = await lab.start(bucket, *lab.placed(operation.words)[0])

        def kill(number: int) -> None:
            if number == at and process.returncode is None:
                os.killpg(process.pid, signal.SIGKILL)

        bucket.after, bucket.before = (kill, bucket.before) if after else (bucket.after, kill)
        await lab.end(process)
        bucket.before = bucket.after = lambda number: None
        await followed(lab, operation, bucket, name, before, "", False)


async def followed(
    lab: Lab, operation: Operation, bucket: Bucket, name: str, before: dict[str, bytes], text: str, rots: bool
) -> None:
    """Checks the state after a failure with rig.origin, `verify` and a device, then the repeated command."""

    def whole() -> None:
        # A file named by no pointer may be corrupt.
        if rots:
            lab.offered(name, bucket.files(), text)
        else:
            lab.judged(name, bucket, before, text, operation.prunes)
        lab.half_done(name, operation, bucket.files(), text)

    whole()
    if bucket.fault:
        bucket.fault.end()
    if bucket.late:
        bucket.deliver()
        whole()
    phone = lab.place("phone")
    await looked(lab, bucket, name, phone, rots)
    middle = bucket.files()
    words = operation.again(judge.current(middle) != judge.current(before))
    status, text = await once_more(lab, operation, bucket, words, rots)
    again = f"{name}, again"
    lab.judged(again, bucket, before if rots else middle, text, operation.prunes)
    lab.expect(again, status == 0, f"{status} {text}")
    if status == 0:
        lab.settled(again, bucket, operation.new, text, middle)
        if operation.moves:
            lab.expect(f"{again}: moves", sequence(bucket.files()) > sequence(before), text)
    # In the short form, one check is enough for most operations.
    if lab.long or lab.point or operation.name in FIRST:
        await looked(lab, bucket, again, phone)
    shutil.rmtree(phone, ignore_errors=True)


async def looked(lab: Lab, bucket: Bucket, name: str, phone: pathlib.Path, rots: bool = False) -> None:
    """Runs `verify` on a store, and a first install and an update from it."""
    files = bucket.files()
    live = judge.current(files)
    offered = [entry["version"] for entry in [live, *live["fallbacks"]]] if live else []
    trees = [build.tree for build in lab.builds if build.version in offered]
    status, text = await lab.run(bucket, "verify", APP)
    # `verify` also finds corrupt files of a release named by no pointer.
    right = (0,) if live and not rots else (0, 1) if live else (2,)
    lab.expect(f"{name}: verify", status in right, f"{status} {text}")
    had = contents(phone / "current")
    status, text = await lab.run(bucket, "install", APP, "--into", str(phone), "--quiet")
    got = contents(phone / "current")
    # A new device gets nothing from a paused channel; one with a release keeps it.
    if live and live["enabled"]:
        lab.expect(f"{name}: install", status == 0, f"{status} {text}")
        lab.expect(f"{name}: installed", got in trees, f"{sorted(got)} {text}")
    else:
        lab.expect(f"{name}: install", status in (1, 2) and "help:" in text, f"{status} {text}")
        lab.expect(f"{name}: kept", got == had, f"{sorted(got)} {text}")


async def once_more(
    lab: Lab, operation: Operation, bucket: Bucket, words: list[str], rot: bool = False
) -> tuple[int, str]:
    """The same command without the fault; an hour later if an earlier prune is still effective."""
    status, text = await lab.does(operation, bucket, words)
    rotten = re.search(r"'s3://shop/(app/releases/\w+/info\.json)' is already published, but", text)
    if rot and status == 1 and rotten:
        # It is not referenced, so it may be removed, as packtool recommends.
        lab.expect(f"{operation.name}: says what to do", "remove it and publish again" in text, text)
        del bucket.objects[rotten[1]]
        return await lab.does(operation, bucket, words)
    if status != 3 or "another prune" not in text:
        return status, text
    marks = [key for key in bucket.objects if "/intents/+prune." in key]
    lab.expect(f"{operation.name}: only a prune waits for a prune", operation.prunes and marks, text)
    for key in marks:
        bucket.objects[key] = store.Object(b'{"startedAt": "2026-01-01T00:00:00Z"}', {})
    return await lab.does(operation, bucket, words)


async def overtaken(lab: Lab) -> None:
    """a publisher delayed before its pointer or info.json does not change the one that overtook it"""
    for place in ("channels/production/pointer.json", "/app/info.json"):
        for conditions in ("quoted", "unquoted", "create", "create-blind"):
            # A store without If-Match cannot protect info.json from being replaced: the delayed publisher
            # repairs it.
            async with Bucket(conditions=conditions) as bucket:
                await lab.publish(bucket, 0)
                bucket.hold = place
                sleeper = await lab.start(bucket, *lab.publishing(1), PACKTOOL_HTTP_TIMEOUT="100")
                await asyncio.wait_for(bucket.held.wait(), 60)
                middle = bucket.files()
                status, text = await lab.publish(bucket, 2)
                lab.expect(f"{place}: the second publisher", status == 0, text)
                lab.judged(place, bucket, middle, text)
                lab.settled(place, bucket, 2, text, middle)
                before = bucket.files()
                bucket.release.set()
                status, text = await lab.end(sleeper)
                lab.expect(
                    f"{place}: the sleeper", status == (3 if "pointer" in place else 0), f"{status} {text}"
                )
                lab.judged(place, bucket, before, text)
                # If the pointer is replaced unconditionally, the delayed write may still arrive.
                lab.settled(place, bucket, 2, text, before if status and "create" in conditions else None)


async def crossing(lab: Lab) -> None:
    """a command delayed at any request while another runs loses nothing, and reports the result"""
    prune = next(it for it in await operations(lab) if it.prunes)
    # The first live release is published again, while a prune is about to delete it.
    publish = Operation("publish", lab.publishing(0, "--deltas", "1"), 0, prune.objects)
    second = Operation("second publish", lab.publishing(1, "--deltas", "1"), 1, prune.objects)
    # Back to the previously live release, regardless of the current one.
    rollback = Operation("rollback", ["rollback", "s3://shop/app", "--quiet"], 1, prune.objects)
    sleepers = ((publish, prune), (prune, publish), (publish, second), (rollback, second))
    for operation in (publish, rollback):
        async with operation.bucket() as bucket:
            await lab.run(bucket, *operation.words)
            operation.log = list(bucket.log)
    points = [(sleeper, other, at) for sleeper, other in sleepers for at in range(sleeper.requests)]
    if not lab.long:
        points = noise(lab, "crossing").sample(points, 10)

    async def one(_: int, point: tuple) -> None:
        sleeper, other, at = point
        name = f"a {sleeper.name} sleeps at {at} while a {other.name} runs"
        async with sleeper.bucket() as bucket:
            bucket.hold_at = at
            process = await lab.start(bucket, *sleeper.words, PACKTOOL_HTTP_TIMEOUT="100")
            await asyncio.wait_for(bucket.held.wait(), 60)
            # The clock advances: files written by the other command are newer than the start of the delayed
            # one.
            await asyncio.sleep(1.1)
            before = bucket.files()
            status, text = await lab.run(bucket, *other.words)
            lab.expect(f"{name}: {other.name}", status in (0, 3), text)
            lab.judged(f"{name}: {other.name}", bucket, before, text, prunes=True)
            # The delayed command may already be live.
            first = lab.live(before)
            middle, live = bucket.files(), {first}
            if status == 0 and not other.prunes:
                live = {other.new}
            lab.expect(f"{name}: live", lab.live(middle) in live, text)
            bucket.release.set()
            ended, text = await lab.end(process)
            lab.expect(f"{name}: it", ended in (0, 3), f"{ended} {text}")
            lab.expect(f"{name}: one of them ends", 0 in (status, ended), text)
            lab.judged(f"{name}: both", bucket, middle, text, prunes=True)
            if ended == 0 and not sleeper.prunes and first == 2:
                live = {1, 2} if sleeper is rollback else {sleeper.new}
            lab.expect(f"{name}: live at the end", lab.live(bucket.files()) in live, text)
            status, text = await lab.run(bucket, "verify", "s3://shop/app")
            lab.expect(f"{name}: verify", status == 0, text)
            before = bucket.files()
            status, text = await lab.run(bucket, *publish.words)
            lab.expect(f"{name}: again", status == 0, text)
            lab.judged(f"{name}: again", bucket, before, text)
            lab.settled(f"{name}: again", bucket, 0, text, before)

    await lab.together(points, one)
    print(f"{len(points)} points")


async def far(lab: Lab) -> None:
    """the higher the latency of a bucket, the more requests run at once"""
    build = lab.folder / "many"
    build.mkdir(exist_ok=True)
    (build / "index.html").write_text("<!doctype html><title>many</title>\n")
    for number in range(200):
        (build / f"{number}.txt").write_text(f"file {number}\n" * 40)
    for delay, least, most in ((0.01, 2, 40), (0.2, 100, 196)):
        async with Bucket() as bucket:
            bucket.delay = delay
            words = lab.publishing(0)
            words[1] = str(build)
            status, text = await lab.run(bucket, *words, PACKTOOL_HTTP_TIMEOUT="20")
            lab.expect(f"{delay} s away", status == 0, text)
            lab.expect(f"{delay} s away: at once", least <= bucket.most <= most, str(bucket.most))
            print(f"     {delay} s away: {bucket.most} requests at once")


async def long_log(lab: Lab) -> None:
    """a long log is read concurrently, each entry once, and a short look requests no more than needed"""
    async with Bucket() as bucket:
        status, text = await lab.run(bucket, *lab.publishing(0))
        lab.expect("the first publish", status == 0, text)
        for number in range(14):
            command = "resume" if number % 2 else "pause"
            status, text = await lab.run(bucket, command, "s3://shop/app", "--quiet")
            lab.expect(f"{command} {number}", status == 0, text)
        bucket.delay = 0.05
        for limit, read, least, most in ((0, 15, 4, 34), (2, 2, 1, 3)):
            bucket.most, begun = 0, len(bucket.log)
            status, text = await lab.run(
                bucket, "history", "s3://shop/app", "--limit", str(limit), PACKTOOL_HTTP_TIMEOUT="20")
            lines = [line.split()[0] for line in text.splitlines()]
            wanted = [str(15 - index) for index in range(read)]
            lab.expect(f"{limit}: each pointer", status == 0 and lines == wanted, text)
            targets = [target for _, target, _ in bucket.log[begun:]]
            asked = [target for target in targets if "/log/" in target and "list-type" not in target]
            # The pointer's own entry is part of its verification.
            lab.expect(f"{limit}: each entry once", len(asked) <= read + 1, str(asked))
            lab.expect(f"{limit}: at once", least <= bucket.most <= most, str(bucket.most))


def noise(lab: Lab, name: str) -> random.Random:
    """Other points each day; a printed seed reproduces them."""
    print(f"     {name}: --seed {lab.seed}")
    return random.Random(f"{lab.seed} {name}")


async def sweep(lab: Lab) -> None:
    """every fault at every request, and kills"""
    points: list = []
    known = await operations(lab)
    for operation in known:
        for at in range(operation.requests):
            points += [(faulty, operation, kind, at, 1) for kind in FAULTS]
            points += [(faulty, operation, kind, at, 1000) for kind in LASTING]
            points += [(killed, operation, at, False), (killed, operation, at, True)]
    if lab.point:
        points = [point for point in points if lab.point == described(*point[1:])]
    elif not lab.long:
        source = noise(lab, "sweep")
        some = source.sample([point for point in points if point[1].name in FIRST], 40)
        # For the other commands, each request with one fault or one kill.
        others = [(operation, at) for operation in known if operation.name not in FIRST
                  for at in range(operation.requests)]
        for operation, at in others:
            kind = source.choice([*FAULTS, True, False])
            some.append((killed, operation, at, kind) if isinstance(kind, bool)
                        else (faulty, operation, kind, at, 1))
        points = some

    async def one(_: int, point: tuple) -> None:
        await point[0](lab, *point[1:])

    await lab.together(points, one)
    print(f"     {lab.points} points, each with verify and an install before the run again, and after it")


async def pairs(lab: Lab) -> None:
    """two faults in one run"""
    known = await operations(lab)
    source = noise(lab, "pairs")
    # A file exists but is not shown: a condition without a value was signed, and not sent.
    points: list = [(known[1], ("reset-after", 1), ("404", 4))]
    while len(points) < 10_000:
        operation = source.choice(known)
        # The second one may also be at a request caused by the first one.
        points.append((operation, *((source.choice(FAULTS), source.randrange(operation.requests + 10 * later))
                                    for later in (0, 1))))
    if lab.point:
        points = [point for point in points if lab.point == described_pair(*point)]
    elif not lab.long:
        points = points[:20]

    async def one(_: int, point: tuple) -> None:
        await faulty_twice(lab, *point)

    await lab.together(points, one)


async def commits(lab: Lab) -> None:
    """a transient fault at a commit is neither a failure nor another publisher's write"""
    places = re.compile(r"/(pointer|app/info|log/\d+|pruned|root/\d+|pins/[^/]+)\.json$")
    points: list = []
    source = noise(lab, "commits")
    for operation in await operations(lab):
        wanted = {f"{method} {target}" for method, target, _ in operation.log
                  if method == "PUT" and places.search(target)}
        found = [(operation, kind, request) for request in sorted(wanted) for kind in PASSING]
        if not lab.long and operation.name not in FIRST:
            found = source.sample(found, min(len(found), 4))
        points += found

    async def one(_: int, point: tuple) -> None:
        operation, kind, request = point
        fault = Fault(kind, 0, wanted=request)
        async with operation.bucket(fault) as bucket:
            before = bucket.files()
            status, text = await lab.does(operation, bucket)
            name = f"{operation.name}, {kind} at {request}"
            lab.expect(f"{name}: happens", fault.left == 0, text)
            lab.expect(f"{name}: status", status == 0, f"{status} {text}")
            lab.judged(name, bucket, before, text, operation.prunes)
            if status == 0:
                lab.settled(name, bucket, operation.new, text, before)

    await lab.together(points, one)
    print(f"{len(points)} points")


async def proofs(lab: Lab) -> None:
    """content that a store has corrupted is detected before it is referenced"""
    points = [
        (operation, f"{method} {target}")
        for operation in await operations(lab)
        for method, target, _ in operation.log
        if method == "PUT" and re.search(r"/app/(objects|releases)/", target)
    ]

    async def one(_: int, point: tuple) -> None:
        operation, request = point
        await faulty(lab, operation, "rot", request, 1)

    await lab.together(points, one)
    print(f"{len(points)} points")


# Other writing commands, and the release that is live afterwards.
OTHER_WRITERS = (
    (["pause"], 1),
    (["resume"], 1),
    (["renew"], 1),
    (["rollback"], 0),
    (["rollback", "--to-release", "v1", "--verify-all"], 1),
    (["promote", "--from", "production", "--channel", "beta"], 1),
    (["prune", "--pin", "v1"], 1),
    (["prune", "--yes"], 1),
)


async def levels(lab: Lab) -> None:
    """a store with working conditions is used, and others are refused with a code, by all writing commands"""
    known = ["quoted", "unquoted", "create", "create-blind"]
    for conditions, code in [(name, 0) for name in known] + [("ignored", 2), ("none", 2)]:
        async with Bucket(conditions=conditions) as bucket:
            bucket.delay = 0.02 if conditions == "ignored" else 0
            status, text = await lab.run(bucket, "verify", "s3://shop/app", "--conditional-writes", "--json")
            lab.expect(f"{conditions}: tried", status == code and not bucket.objects, text)
            if code:
                lab.expect(f"{conditions}: tried, named", "--no-conditional-writes" in text, text)
            else:
                found = json.loads(text)
                kept = conditions if "create" not in conditions else None
                what = (found["create"], found["replace"])
                lab.expect(f"{conditions}: what was seen", what == (True, kept), text)
            status, text = await lab.publish(bucket, 0)
            lab.expect(f"{conditions}: status", status == code, text)
            if code:
                told = "--no-conditional-writes" in text and "help:" in text
                lab.expect(f"{conditions}: named", told, text)
                lab.expect(f"{conditions}: nothing written", not bucket.objects, str(list(bucket.objects)))
                status, text = await lab.publish(bucket, 0, "--no-conditional-writes")
                lab.expect(f"{conditions}: one publisher", status == 0, text)
            lab.judged(conditions, bucket, {}, text)
            lab.settled(conditions, bucket, 0, text)
            if not code:
                words = lab.publishing(0, "--renew")
                words.remove("--quiet")
                status, text = await lab.run(bucket, *words)
                named = "only if it is unchanged" in text
                lab.expect(f"{conditions}: what is left is said", named == ("create" in conditions), text)
            force = ["--no-conditional-writes"] if code else []
            status, text = await lab.publish(bucket, 1, "--label", "v1", *force)
            lab.expect(f"{conditions}: second", status == 0, text)
            lab.judged(conditions, bucket, {}, text)
            lab.settled(conditions, bucket, 1, text)
            for words, live in OTHER_WRITERS:
                name = f"{conditions}: {' '.join(words)}"
                words = [words[0], "s3://shop/app", *words[1:]]
                before = bucket.files()
                if code:
                    status, text = await lab.run(bucket, *words)
                    lab.expect(f"{name}: named", status == 2 and "--no-conditional-writes" in text, text)
                    lab.expect(f"{name}: nothing written", bucket.files() == before, text)
                status, text = await lab.run(bucket, *words, *force)
                lab.expect(name, status == 0, text)
                lab.judged(name, bucket, before, text)
                lab.settled(name, bucket, live, text, before)
            # rclone's server keeps listing keys written by two concurrent requests and deleted by another.
            lab.expect(f"{conditions}: one write at a time", not bucket.collided, str(bucket.collided))


async def pages(lab: Lab) -> None:
    """listings of many pages, sorted or not"""
    # Every size ends a page elsewhere: within a channel's log, the objects, between two folders.
    for is_sorted in (True, False):
        for size in range(1, 30) if lab.long else (3, 4, 12) if is_sorted else (1, 3):
            what = f"pages of {size}" + (" in no order" if not is_sorted else "")
            async with Bucket(page=size) as bucket:
                bucket.is_sorted = is_sorted
                for number in (0, 1, 0):
                    status, text = await lab.publish(bucket, number)
                    lab.expect(what, status == 0, text)
                    lab.settled(what, bucket, number, text)
                lab.judged(what, bucket, {}, text)
                status, text = await lab.run(bucket, "verify", "s3://shop/app")
                lab.expect(f"{what}: verify", status == 0, text)
                status, text = await lab.run(bucket, *PRUNE)
                lab.expect(f"{what}: prune", status == 0, text)
                lab.judged(f"{what}: pruned", bucket, {}, text)


async def same(lab: Lab) -> None:
    """publishing the same content again uploads nothing"""
    async with Bucket() as bucket:
        await lab.publish(bucket, 0)
        before, count = bucket.files(), len(bucket.log)
        status, text = await lab.publish(bucket, 0)
        lab.expect("same: status", status == 0, text)
        lab.expect("same: nothing changed", bucket.files() == before, text)
        new = [(method, target) for method, target, _ in bucket.log[count:]]
        print(f"     nothing new: {len(new)} requests")
        lab.expect("same: no uploads", all(m in ("GET", "HEAD") for m, _ in new), str(new))


async def requests(lab: Lab) -> None:
    """the number of requests of each command is bounded, and each writing run tests the conditions"""
    for conditions in ("quoted", "unquoted", "create"):
        async with Bucket(conditions=conditions) as bucket:
            if conditions == "unquoted":
                bucket.request_id = "tx0000"
            for words, most in (
                (lab.publishing(0), 24 + 3 * 8),
                (lab.publishing(0), 8),
                (lab.publishing(1, "--deltas", "1"), 28 + 3 * 4),
                (lab.publishing(1, "--deltas", "1"), 8),
                # The package, to verify the offered release.
                (["rollback", "s3://shop/app", "--quiet"], 20 + 4),
                (["pause", "s3://shop/app", "--quiet"], 17),
                (["resume", "s3://shop/app", "--quiet"], 17),
                (["renew", "s3://shop/app", "--quiet"], 17),
                (["promote", "s3://shop/app", "--from", "production", "--channel", "beta", "--quiet"], 17),
                # Two files of the other channel, and the package.
                (lab.publishing(0, "--deltas", "0"), 9),
            ):
                # A check of the log and one of the pointer, twice; both forms of If-Match are refused. Each
                # commit looks for a new root, in parallel to another request; in other cases that is within
                # the bounds.
                most += 8 if conditions == "create" else 0
                count, uploads = len(bucket.log), dict(bucket.objects)
                status, text = await lab.run(bucket, *words)
                new = bucket.log[count:]
                name = f"{conditions}: {words[0]}: {len(new)} requests, at most {most}"
                lab.expect(name, status == 0 and len(new) <= most, f"{text} {new}")
                # Objects and package are uploaded and read back before the manifest, in parallel to other
                # work.
                order = [f"{m} {t}" for m, t, _ in new]
                named = [n for n, r in enumerate(order) if r.startswith("PUT") and "/releases/" in r]
                named = [n for n in named if "/info" in order[n]]
                manifest = named[0] if named else 0
                late = [r for r in order[manifest:] if "/objects/" in r or "/package.zip" in r]
                lab.expect(f"{name}: early", words[0] != "publish" or not manifest or not late, str(late))
                probes = [s for m, t, s in new if m == "PUT" and "/intents/" in t]
                written = {key for key, it in bucket.objects.items() if uploads.get(key) is not it}
                lab.expect(f"{name}: proved", not written or (412 in probes and len(probes) >= 3), str(new))


async def unproved(lab: Lab) -> None:
    """an object possibly left by a failed run is read before it is used, and replaced if it is damaged"""
    known = set(lab.builds[0].tree.values())
    tree = {path: body for path, body in lab.builds[1].tree.items() if body not in known}
    for path, body in tree.items():
        key = f"app/objects/{hashlib.sha256(body).hexdigest()}/{path.rsplit('/', 1)[-1]}"
        for left in (bytes([body[0] ^ 1]) + body[1:], body):
            async with Bucket() as bucket:
                await lab.publish(bucket, 0)
                bucket.objects[key] = store.Object(left, {"content-type": "text/plain"})
                count = len(bucket.log)
                status, text = await lab.publish(bucket, 1)
                lab.expect(f"unproved {path}", status == 0, text)
                lab.judged(f"unproved {path}", bucket, {}, text)
                lab.settled(f"unproved {path}", bucket, 1, text)
                puts = [t for m, t, _ in bucket.log[count:] if m == "PUT" and t.endswith(f"/{key}")]
                lab.expect(f"unproved {path}: uploads", len(puts) == (2 if left != body else 0), str(puts))


async def left(lab: Lab) -> None:
    """a package of a killed publish is used if it is complete, at any level, and replaced otherwise"""
    async with Bucket() as bucket:
        await lab.publish(bucket, 0)
        bucket.hold = "/info.json"
        process = await lab.start(bucket, *lab.publishing(1), "--level", "fast")
        await asyncio.wait_for(bucket.held.wait(), 60)
        os.kill(process.pid, signal.SIGKILL)
        bucket.release.set()
        await lab.end(process)
        live = judge.current(bucket.files())["version"]
        key = next(key for key in bucket.objects if key.endswith("/package.zip") and live not in key)
        # The held request was applied; and the intent of a killed run is valid for a day.
        state = {name: it for name, it in bucket.objects.items() if "/intents/" not in name
                 and not (name.endswith("/info.json") and live not in name and "/releases/" in name)}
        whole = bucket.objects[key].body
        for body in (whole, whole[:-1], whole + b"!", whole[:60] + bytes([whole[60] ^ 1]) + whole[61:]):
            bucket.objects = dict(state)
            bucket.objects[key] = store.Object(body, state[key].fields)
            count = len(bucket.log)
            status, text = await lab.publish(bucket, 1)
            lab.expect("left", status == 0, text)
            lab.judged("left", bucket, {}, text)
            lab.settled("left", bucket, 1, text)
            puts = [s for m, t, s in bucket.log[count:] if m == "PUT" and t.endswith("/package.zip")]
            lab.expect("left: uploads", puts == ([] if body == whole else [412, 200]), str(puts))


async def crashes(lab: Lab) -> None:
    """a crash prints no secret, with and without a backtrace"""
    for number in (signal.SIGSEGV, signal.SIGABRT):
        # Not `registers=all`: it prints the first bytes of whatever a register points to.
        for trace in ("enable=no", "enable=yes,color=no,limit=none"):
            async with Bucket() as bucket:
                bucket.hold = "info.json"
                process = await lab.start(bucket, *lab.publishing(0), SWIFT_BACKTRACE=trace)
                await asyncio.wait_for(bucket.held.wait(), 60)
                os.kill(process.pid, number)
                # The backtrace of an external signal is printed, and the run continues.
                bucket.release.set()
                _, text = await lab.end(process)
                lab.expect(f"{number.name}, {trace}: no ID of a key", store.KEY not in text, text)


async def damage(lab: Lab) -> None:
    """verify reports missing, changed, truncated and foreign files in a bucket"""
    async with Bucket() as bucket:
        await lab.publish(bucket, 0)
        whole = dict(bucket.objects)
        for key in sorted(whole):
            if "/.packtool/" in key or "/site/" in key:
                continue
            for damaged in (None, b"", whole[key].body[:-1], b"x" + whole[key].body[1:]):
                bucket.objects = dict(whole)
                if damaged is None:
                    del bucket.objects[key]
                elif damaged == whole[key].body:
                    continue
                else:
                    bucket.objects[key] = store.Object(damaged, whole[key].fields)
                status, text = await lab.run(bucket, "verify", "s3://shop/app")
                lab.expect(f"damage of {key}", status == 1, f"exit {status}: {text}")


async def headers_verified(lab: Lab) -> None:
    """verify reports files of a bucket whose headers differ from those set by a publish"""

    def changed(name: str, value: str | None, *places: str) -> dict[str, Object]:
        objects = dict(whole)
        for key in whole:
            place = key.removeprefix("app/")
            if any(place.startswith(each) or place.endswith(each) for each in places):
                fields = {k: v for k, v in whole[key].fields.items() if k != name}
                objects[key] = Object(whole[key].body, fields)
                # A store returns the headers it received unchanged.
                objects[key].fields = fields | ({name: value} if value else {})
        return objects

    control, kind = "cache-control", "content-type"
    async with Bucket() as bucket:
        await lab.publish(bucket, 0, "--label", "1.0")
        whole = dict(bucket.objects)
        for name, value, places, expected, severity in (
            (control, "no-store", ["objects/"], "http.not-cached", "warning"),
            (control, "public, max-age=86400", ["pointer.json"], "http.cached-too-long", "error"),
            (control, "public, max-age=600", ["site/"], "http.cached-too-long", "warning"),
            (kind, "text/html", [".js"], "http.wrong-type", "error"),
            (kind, "binary/octet-stream", ["package.zip"], "http.wrong-type", "warning"),
            ("content-encoding", "gzip", ["objects/"], "http.transformed", "error"),
            (control, None, [""], None, None),
            (kind, None, [""], None, None),
            (kind, "text/html", ["nothing"], None, None),
        ):  # fmt: skip
            what = f"{name} '{value}' of {places[0]}"
            bucket.objects = changed(name, value, *places)
            wrong = sorted(
                key.removeprefix("app/") for key in whole
                if bucket.objects[key] is not whole[key] and "/.packtool/" not in key
            )  # fmt: skip
            status, text = await lab.run(bucket, "verify", "s3://shop/app", "--json", "--quiet")
            report = json.loads(text[text.index("{") :])
            found = report["findings"]
            if expected is None:
                lab.expect(what, status == 0 and not found, f"exit {status}: {text}")
                lab.expect(f"{what}: one note", len(report["notes"]) == (0 if value else 1), text)
                continue
            lab.expect(what, status == (1 if severity == "error" else 0), f"exit {status}: {text}")
            lab.expect(f"{what}: ok", report["ok"] == (status == 0) and not report["failures"], text)
            right = {(each["code"], each["severity"]) for each in found} == {(expected, severity)}
            lab.expect(f"{what}: the finding", right, text)
            places = sorted(place for each in found for place in each["paths"])
            lab.expect(f"{what}: places", places == wrong, text)
            lab.expect(f"{what}: members", all(f["help"] and f["answer"] == "" for f in found), text)
            status, text = await lab.run(bucket, "verify", "s3://shop/app")
            lab.expect(f"{what}: text", f"{severity}[{expected}]: " in text and "help: " in text, text)
        # The advice of the finding.
        bucket.objects = changed(control, "public, max-age=86400", "pointer.json")
        status, text = await lab.publish(bucket, 0, "--renew")
        lab.expect("renew", status == 0, text)
        status, text = await lab.run(bucket, "verify", "s3://shop/app")
        lab.expect("renew wrote the pointer's headers", status == 0 and "cached-too-long" not in text, text)
        bucket.objects = changed(kind, "binary/octet-stream", "")
        before = bucket.files()
        status, text = await lab.publish(bucket, 0, "--repair")
        lab.expect("repair", status == 0 and bucket.files() == before, text)
        lost = [key for key in whole if bucket.objects[key].fields != whole[key].fields]
        lab.expect("repair restores all headers", not lost, f"{lost} {text}")
        count = len(bucket.log)
        status, text = await lab.publish(bucket, 0, "--repair")
        copied = [target for method, target, _ in bucket.log[count:]
                  if method == "PUT" and "/intents/" not in target]
        lab.expect("a second repair changes nothing", status == 0 and not copied, f"{copied} {text}")


async def same_size(lab: Lab) -> None:
    """a file damaged without a change of size is neither offered nor copied to site/"""

    def object_of(path: str, number: int) -> str:
        name = hashlib.sha256(lab.builds[number].tree[path]).hexdigest()
        return f"app/objects/{name}/{path.rsplit('/', 1)[-1]}"

    shared = next(path for path, body in sorted(lab.builds[0].tree.items())
                  if body and all(build.tree.get(path) == body for build in lab.builds))
    for is_encrypted in (False, True):
        Object.is_encrypted = is_encrypted
        try:
            async with Bucket() as bucket:
                for number in (0, 1):
                    await lab.publish(bucket, number)
                whole = dict(bucket.objects)

                def damage(key: str) -> None:
                    body = bucket.objects[key].body
                    bucket.objects[key] = Object(bytes([body[0] ^ 1]) + body[1:], bucket.objects[key].fields)

                # The build has the correct bytes.
                for words in (lab.publishing(1), lab.publishing(2)):
                    bucket.objects = dict(whole)
                    damage(object_of(shared, 1))
                    number = 1 if words == lab.publishing(1) else 2
                    status, text = await lab.run(bucket, *words)
                    lab.expect(f"publish {number}", status == 0, text)
                    lab.judged(f"publish {number}", bucket, {}, text)
                    lab.settled(f"publish {number}", bucket, number, text)
                # No local file has the correct bytes.
                version = lab.builds[0].version
                for key in (f"app/releases/{version}/package.zip", object_of("index.html", 0)):
                    bucket.objects = dict(whole)
                    damage(key)
                    before = bucket.files()
                    status, text = await lab.run(bucket, "rollback", APP)
                    lab.expect(f"rollback over {key}", status == 1 and key in text, f"{status} {text}")
                    lab.expect(f"rollback over {key}: nothing changes", bucket.files() == before, text)
                # A command that offers nothing new, but must complete an interrupted one.
                bucket.objects = dict(whole)
                damage(object_of("index.html", 1))
                del bucket.objects["app/site/index.html"]
                status, text = await lab.run(bucket, "renew", APP)
                lab.expect("renew", status == 1 and "app/site/index.html" not in bucket.objects, text)
        finally:
            Object.is_encrypted = False


async def installs(lab: Lab) -> None:
    """a bucket works for installs and updates"""
    async with Bucket() as bucket:
        phone = lab.folder / "s3-phone"
        for number in (0, 1):
            await lab.publish(bucket, number, "--deltas", "1")
            status, text = await lab.run(bucket, "install", "s3://shop/app", "--into", str(phone))
            found = contents(phone / "current")
            lab.expect("install", status == 0 and found == lab.builds[number].tree, text)


async def channels(lab: Lab) -> None:
    """channel commands, status, history and explain answer for a bucket"""
    async with Bucket() as bucket:
        await lab.publish(bucket, 0, "--label", "1.0")
        await lab.publish(bucket, 1, "--label", "2.0", "--rollout", "10")
        for words in (
            ["rollout", "s3://shop/app", "50"], ["pause", "s3://shop/app"], ["resume", "s3://shop/app"],
            ["rollback", "s3://shop/app", "--to-release", "1.0"],
            ["promote", "s3://shop/app", "--from", "production", "--channel", "beta"],
            ["renew", "s3://shop/app"], ["status", "s3://shop/app"],
            ["history", "s3://shop/app"], ["explain", "s3://shop/app", "--device", "phone-1"],
        ):  # fmt: skip
            status, text = await lab.run(bucket, *words)
            lab.expect(" ".join(words), status == 0, text)
            lab.judged(" ".join(words), bucket, {}, text)


LASTS = "public, max-age=31536000, immutable, no-transform"
CHANGES = "public, max-age=60, must-revalidate, no-transform"


async def headers(lab: Lab) -> None:
    """each file has the headers of docs/formats.md, and its SHA-256"""
    async with Bucket() as bucket:
        await lab.publish(bucket, 0)
        for key, it in bucket.objects.items():
            place = key.removeprefix("app/")
            lasting = place.startswith(("objects/", "releases/")) or "/log/" in place
            wanted = {
                "cache-control": LASTS if lasting else CHANGES,
                "x-amz-meta-sha256": hashlib.sha256(it.body).hexdigest(),
                "content-type": {
                    "json": "application/json",
                    "zip": "application/zip",
                    "svg": "image/svg+xml",
                    "js": "text/javascript",
                    "css": "text/css",
                    "html": "text/html",
                }[place.rsplit(".", 1)[1]]
                + (
                    "; charset=utf-8"
                    if place.startswith("site/") and place.endswith(("js", "css", "html"))
                    else ""
                ),
            }
            lab.expect(f"headers of {place}", it.fields == wanted, f"{it.fields} {wanted}")


async def names(lab: Lab) -> None:
    """file names that are hard to sign, list and copy are stored unchanged"""
    odd = [
        "a b",
        "a+b",
        "100%",
        "%41",
        "a@b",
        "(a)",
        "~a",
        "a=b",
        "a&b",
        "\u00fc",
        "a,b",
        "a;b",
        "a'b",
        "a!b",
        "a$b",
        "[a]",
        "{a}",
        "a^b`",
        "\u6f22\u5b57",
        "\U0001f600",
        "-a",
        "a..b",
        "x" * 200,
    ]
    build = lab.folder / "odd"
    build.mkdir()
    tree = {"index.html": b"<!doctype html><title>odd</title>"} | {
        f"{'n%d' % n}/{name}.txt": f"{n}\n".encode() for n, name in enumerate(odd)
    }
    for path, body in tree.items():
        (build / path).parent.mkdir(exist_ok=True)
        (build / path).write_bytes(body)
    async with Bucket(page=7) as bucket:
        words = lab.publishing(0)
        words[1] = str(build)
        for _ in range(2):
            status, text = await lab.run(bucket, *words)
            lab.expect("names: publish", status == 0, text)
            lab.judged("names", bucket, {}, text)
        files = bucket.files()
        site = {path[5:]: body for path, body in files.items() if path.startswith("site/")}
        lab.expect("names: site", site == tree, str(sorted(set(site) ^ set(tree))))
        status, text = await lab.run(bucket, "verify", "s3://shop/app")
        lab.expect("names: verify", status == 0, text)
        phone = lab.folder / "odd-phone"
        status, text = await lab.run(bucket, "install", "s3://shop/app", "--into", str(phone))
        found = contents(phone / "current")
        lab.expect("names: install", status == 0 and found == tree, text)


async def flags(lab: Lab) -> None:
    """--endpoint and --region act on every command; --cache saves downloads; --verify-all reads more"""
    async with Bucket() as bucket:
        await lab.publish(bucket, 0)
        lost = {"AWS_ENDPOINT_URL_S3": "http://127.0.0.1:9", "AWS_REGION": "us-east-1"}
        right = ["--endpoint", bucket.url, "--region", store.REGION]
        for words in (
            lab.publishing(1), ["status", "s3://shop/app"], ["history", "s3://shop/app"],
            ["explain", "s3://shop/app"], ["verify", "s3://shop/app"],
            ["install", "s3://shop/app", "--into", str(lab.folder / "flags-phone")],
            ["pause", "s3://shop/app"], ["resume", "s3://shop/app"], ["renew", "s3://shop/app"],
            ["rollback", "s3://shop/app"], ["publish", *lab.publishing(1)[1:], "--rollout", "5"],
            ["rollout", "s3://shop/app", "10"],
            ["promote", "s3://shop/app", "--from", "production", "--channel", "b"],
        ):  # fmt: skip
            status, text = await lab.run(bucket, *words, *right[:2], **lost)
            lab.expect(f"{words[0]} without --region", status == 2, text)
            bucket.refused.clear()
            status, text = await lab.run(bucket, *words, *right, **lost)
            lab.expect(f"{words[0]} with --endpoint and --region", status == 0, text)
    reads = {}
    for how in ([], ["--cache", str(lab.folder / "cache")], ["--verify-all"]):
        async with Bucket() as bucket:
            await lab.publish(bucket, 0, *how)
            count = len(bucket.log)
            status, text = await lab.publish(bucket, 1, "--deltas", "1", *how)
            lab.expect(f"second publish {how}", status == 0, text)
            lab.settled(f"second publish {how}", bucket, 1, text)
            reads[" ".join(how[:1])] = sum(
                method == "GET" and "list-type" not in t for method, t, _ in bucket.log[count:]
            )
    print(f"     downloads of a second publish: {reads}")
    lab.expect("--cache saves downloads", reads["--cache"] < reads[""], str(reads))
    lab.expect("--verify-all reads more", reads["--verify-all"] > reads[""], str(reads))


async def refusals(lab: Lab) -> None:
    """errors of credentials, rights, region, clock and address contain help"""
    async with Bucket() as bucket:
        await lab.publish(bucket, 0)
        whole = bucket.files()

        async def refused(code: str, *more: str, words: list[str] | None = None, **env: str) -> None:
            bucket.refused.clear()
            status, text = await lab.run(bucket, *(words or lab.publishing(1)), "--json", *more, **env)
            lab.expect(code, status in (2, 64) and f'"{code}"' in text, f"{status} {text}")
            lab.expect(f"{code}: help", '"help"' in text, text)
            lab.expect(f"{code}: nothing changed", bucket.files() == whole, text)

        await refused("s3.credentials-refused", AWS_SECRET_ACCESS_KEY="wrong")
        await refused("s3.credentials-refused", AWS_ACCESS_KEY_ID="AKIDNOBODY")
        await refused("s3.no-credentials", AWS_ACCESS_KEY_ID="")
        await refused("s3.no-profile", AWS_ACCESS_KEY_ID="", AWS_PROFILE="nobody")
        await refused("s3.wrong-region", AWS_REGION="us-east-1")
        await refused("s3.unreachable", AWS_ENDPOINT_URL_S3="http://127.0.0.1:9")
        await refused("s3.unencrypted", AWS_ENDPOINT_URL_S3="http://203.0.113.7")
        words = [word.replace("s3://shop/", "s3://nobody/") for word in lab.publishing(1)]
        await refused("s3.no-bucket", words=words)
        # A prune depends on the time: with a clock 40 days ahead, it would delete releases of today.
        bucket.skew = -40 * 86400
        await refused("s3.clock")
        for words in (PRUNE, PRUNE[:2]):
            await refused("s3.clock", words=words)
        bucket.skew = 0
        bucket.refused.clear()
        bucket.denied = lambda method, key: method == "PUT" and "/objects/" in key
        status, text = await lab.publish(bucket, 1)
        lab.expect("denied", status == 2 and "may not PutObject" in text and "RIG" in text, text)
        bucket.denied = lambda method, key: False
        lab.judged("denied", bucket, whole, text)
        lab.expect("denied: no intent is left", not judge.leftovers(bucket.files()), text)
        bucket.skew = 3600
        status, text = await lab.publish(bucket, 1)
        lab.expect("a clock that is off is made up for", status == 0, text)
        lab.settled("skew", bucket, 1, text)
        # By this machine's clock, which is two hours ahead, the prune that has just begun is over.
        bucket.skew = -7200
        began = datetime.datetime.fromtimestamp(time.time() - 7200, datetime.UTC)
        intent = "app/.packtool/intents/+prune." + "0" * 32
        bucket.objects[intent] = Object(
            json.dumps({"startedAt": began.strftime("%Y-%m-%dT%H:%M:%SZ")}).encode(), {})
        status, text = await lab.publish(bucket, 0)
        lab.expect("a prune at work by the store's clock", status == 3 and "prun" in text, f"{status} {text}")
        del bucket.objects[intent]
        # By this machine's clock, which is eleven hours ahead, the release was replaced at that time.
        bucket.skew = -11 * 3600
        before = bucket.files()
        status, text = await lab.run(bucket, *PRUNE)
        kept = bucket.files() == before
        lab.expect("a prune by a clock that is ahead", status == 0 and kept, f"{status} {text}")
        bucket.skew = 0
        bucket.denied = lambda method, key: method == "DELETE" and "/.packtool/" not in key
        status, text = await lab.run(bucket, *PRUNE)
        named = "may not DeleteObject" in text and "prune with an identity that may delete" in text
        lab.expect("a prune that may not delete", status == 2 and named, text)
        lab.judged("a prune that may not delete", bucket, before, text, prunes=True)
        bucket.denied = lambda method, key: False
        status, text = await lab.run(bucket, *PRUNE)
        lab.expect("a prune that may", status == 0, text)
        status, text = await lab.publish(bucket, 0)
        lab.expect("and a publish", status == 0, text)


async def marks(lab: Lab) -> None:
    """a run refused or cancelled while it writes its intents leaves none that others wait for"""
    known = {it.name: it for it in await operations(lab)}
    for operation in (known["prune"], known["pause"], known["keys publish"]):
        marks = sum(method == "PUT" and "/intents/" in target for method, target, _ in operation.log)
        # Not by the number of a request, because the order of concurrent requests varies.
        for at in range(1, marks + 1):
            for how in ("denied", "SIGTERM"):
                name = f"{operation.name}, {how} at upload {at} of its mark"
                async with operation.bucket() as bucket:
                    await one_mark(lab, operation, bucket, name, at, how == "denied")


async def one_mark(
    lab: Lab, operation: Operation, bucket: Bucket, name: str, at: int, denied: bool
) -> None:
    """A run that is denied or cancelled at the upload of an intent."""
    seen = 0

    def hits(method: str, target: str) -> bool:
        nonlocal seen
        seen += method == "PUT" and "/intents/" in target
        return method == "PUT" and "/intents/" in target and seen == at

    def end(number: int) -> None:
        if hits(*bucket.log[number][:2]) and process.returncode is None:
            process.terminate()
            # The signal arrives before the answer, after which the run may go on to its log entry.
            bucket.delay = 0.5

    process = await lab.start(bucket, *operation.words)
    if denied:
        bucket.denied = hits
    else:
        bucket.before = end
    status, text = await lab.end(process)
    lab.expect(f"{name}: ends", status == (2 if denied else -15), f"{status} {text}")
    for problem in judge.leftovers(bucket.files()):
        lab.expect(name, False, f"{problem} {text}")


async def roots(lab: Lab) -> None:
    """a root arriving during a publish waits, or the publish ends; no pointer goes live that it refuses"""
    keys, word = lab.folder / "root-keys", lab.folder / "root-passphrase"
    word.touch(0o600)
    word.write_text("a word\n")
    key = ["--passphrase-file", str(word), "--sign-key"]
    one, two, new = (str(keys / name) for name in ("1.root.json", "2.root.json", "new.key"))
    release = str(keys / "release.key")
    publish = ["keys", "publish", one, "--to", APP, "--no-wait", "--quiet"]
    base = await reached(
        lab, {},
        ["keys", "init", "--app", "shop", "--dir", str(keys), "--quiet", *key[:2], "--floor", "production=2"],
        lab.publishing(0),
    )  # fmt: skip
    signed = await reached(
        lab, base, publish, lab.publishing(1, *key, release),
        ["keys", "new", new, "--quiet", *key[:2]],
        ["keys", "root", one, "-o", two, "--key", f"new={new}.pub", "--role", "release=new", "--quiet"],
        ["keys", "sign", two, "--quiet", *key, str(keys / "root.key")],
    )  # fmt: skip
    cases = (
        ("an unsigned publish", base, 2, one, lab.publishing(1)),
        ("a publish", signed, 3, two, lab.publishing(2, *key, release)),
    )
    for name, objects, sequence, root, words in cases:
        # The publish has written its intent: the root waits.
        async with Bucket() as bucket:
            bucket.objects = dict(objects)
            bucket.hold = f"log/{sequence}.json"
            process = await lab.start(bucket, *words, PACKTOOL_HTTP_TIMEOUT="100")
            await asyncio.wait_for(bucket.held.wait(), 60)
            rooting = [*publish[:2], root, *publish[3:]]
            status, text = await lab.run(bucket, *rooting)
            lab.expect(f"{name}: the root waits", status == 3 and "help:" in text, f"{status} {text}")
            bucket.release.set()
            status, text = await lab.end(process)
            lab.expect(f"{name}: ends", status == 0, text)
            status, text = await lab.run(bucket, "verify", APP)
            lab.expect(f"{name}: verify", status == 0, text)
            if root == two:
                status, text = await lab.run(bucket, *rooting)
                lab.expect(f"{name}: the root again", status == 0, text)
                lab.expect(f"{name}: nothing is left", not judge.leftovers(bucket.files()), text)
        # Another tool than packtool writes it.
        async with Bucket() as bucket:
            bucket.objects = dict(objects)
            bucket.hold = "/package.zip"
            process = await lab.start(bucket, *words, PACKTOOL_HTTP_TIMEOUT="100")
            await asyncio.wait_for(bucket.held.wait(), 60)
            place = f"app/root/{1 if root == one else 2}.json"
            bucket.objects[place] = Object(pathlib.Path(root).read_bytes(), {})
            live = bucket.files()["channels/production/pointer.json"]
            bucket.release.set()
            status, text = await lab.end(process)
            lab.expect(f"{name}: sees the root", status == 3 and "root" in text, f"{status} {text}")
            lab.expect(f"{name}: nothing changes",
                       bucket.files()["channels/production/pointer.json"] == live, text)
            number = 1 if root == one else 2
            signer = release if root == one else new
            status, text = await lab.run(bucket, *lab.publishing(number, *key, signer))
            lab.expect(f"{name}: again", status == 0, text)
            status, text = await lab.run(bucket, "install", APP, "--into", str(lab.place("rooted")),
                                         "--trust", one, "--quiet")
            lab.expect(f"{name}: install", status == 0, text)


async def manifest_race(lab: Lab) -> None:
    """two publishers of one build whose manifests differ: the losing one runs again, and succeeds"""
    for hold in ("/package.zip", "/info.json"):
        async with Bucket() as bucket:
            await lab.publish(bucket, 0)
            bucket.hold = hold
            words = lab.publishing(1, "--channel", "beta", "--commit", "bbbb")
            process = await lab.start(bucket, *words, PACKTOOL_HTTP_TIMEOUT="100")
            await asyncio.wait_for(bucket.held.wait(), 60)
            status, text = await lab.publish(bucket, 1, "--commit", "aaaa")
            lab.expect(f"{hold}: the first", status == 0, text)
            bucket.release.set()
            status, text = await lab.end(process)
            lab.expect(f"{hold}: the loser", status == 3 and "remove" not in text, f"{status} {text}")
            status, text = await lab.run(bucket, *words)
            lab.expect(f"{hold}: again", status == 0, text)
            status, text = await lab.run(bucket, "verify", APP)
            lab.expect(f"{hold}: verify", status == 0, text)


async def tokens(lab: Lab) -> None:
    """credentials of a program; a token that expires during the run is read again"""
    async with Bucket() as bucket:
        state = lab.folder / "token"
        state.write_text("first")
        script = lab.folder / "credentials.sh"
        script.write_text(
            f"#!/bin/sh\necho RUN-MARK >>{lab.folder}/started\nenv >>{lab.folder}/started\n"
            f't=$(cat {state})\nprintf \'{{"Version": 1, "AccessKeyId": "{store.KEY}", '
            f'"SecretAccessKey": "{store.SECRET}", "SessionToken": "%s"}}\' "$t"\n'
        )
        script.chmod(0o755)
        config = lab.folder / "aws.config"
        config.write_text(f"[profile ci]\nregion = {store.REGION}\ncredential_process = {script}\n")
        bucket.token = "first"

        def rotate(number: int) -> None:
            if number == 9:
                state.write_text("second")
                bucket.token = "second"

        bucket.before = rotate
        env = {"AWS_ACCESS_KEY_ID": "", "AWS_REGION": "", "AWS_PROFILE": "ci", "AWS_CONFIG_FILE": str(config)}
        secret = {"KEY": "-----BEGIN PRIVATE KEY-----\nhidden\n-----END PRIVATE KEY-----"}
        status, text = await lab.publish(bucket, 0, **env, **secret)
        lab.expect("tokens", status == 0, text)
        lab.settled("tokens", bucket, 0, text)
        started = (lab.folder / "started").read_text()
        lab.expect("each token is read once", started.count("RUN-MARK") == 2, started)
        lab.expect("no key reaches the program", "hidden" not in started, started)
        script.write_text(
            "#!/bin/sh\necho 'Loading.' >&2\necho 'The session has expired: log in.' >&2\nexit 7\n")
        status, text = await lab.publish(bucket, 0, **env)
        said = "exit code 7: The session has expired: log in." in text and "Loading" not in text
        lab.expect("what the program says", status == 2 and said, text)
    # The login tool writes a file; the new token is read from it.
    async with Bucket() as bucket:
        file = lab.folder / "aws.credentials"

        def log_in(token: str) -> None:
            bucket.token = token
            file.write_text(
                f"[default]\naws_access_key_id = {store.KEY}\naws_secret_access_key = {store.SECRET}\n"
                f"aws_session_token = {token}\n")

        log_in("first")
        bucket.before = lambda number: log_in("second") if number == 9 else None
        env = {"AWS_ACCESS_KEY_ID": "", "AWS_SHARED_CREDENTIALS_FILE": str(file)}
        status, text = await lab.publish(bucket, 0, **env)
        lab.expect("a renewed file", status == 0, text)


async def encrypted(lab: Lab) -> None:
    """if ETags are not hashes, identical content is still recognized"""
    Object.is_encrypted = True
    try:
        async with Bucket() as bucket:
            for number in (0, 1):
                status, text = await lab.publish(bucket, number)
                lab.expect(f"publish {number}", status == 0, text)
                lab.settled(f"publish {number}", bucket, number, text)
            bucket.log.clear()
            words = [word for word in lab.publishing(1) if word != "--quiet"]
            status, text = await lab.run(bucket, *words)
            lab.expect("nothing new", status == 0 and "finished" not in text, text)
            copied = [target for method, target, _ in bucket.log if method == "PUT" and "/site/" in target]
            lab.expect("nothing is copied again", not copied, str(copied))
            before = len(bucket.files())
            status, text = await lab.run(bucket, *PRUNE)
            lab.expect("a prune deletes", status == 0 and len(bucket.files()) < before, text)
            lab.judged("a prune", bucket, {}, text, prunes=True)
    finally:
        Object.is_encrypted = False


async def manifests(lab: Lab) -> None:
    """only the manifest's own bytes become info.json, regardless of the answers about it"""
    async with Bucket() as bucket:
        await lab.publish(bucket, 0)
        wanted = bucket.files()["info.json"]
        reads = [at for at, (method, target, _) in enumerate(bucket.log)
                 if method == "GET" and target.endswith("/info.json")]
    for kind in ("half-head", "cut", "flip"):
        # The order of concurrent requests varies.
        for at in range(min(reads) - 2, max(reads) + 3):
            async with Bucket(Fault(kind, at)) as bucket:
                _, text = await lab.publish(bucket, 0)
                found = bucket.files().get("info.json", wanted)
                lab.expect(f"info.json, {kind} at {at}", found == wanted, f"{found[:80]!r}\n{text}")


async def round_of(lab: Lab, bucket: Bucket) -> tuple[list[str], str]:
    """Eight concurrent publishers of different builds: the problems, and the output."""
    before = bucket.files()
    known = rivals.chosen(lab.rivals, (judge.current(before) or {}).get("version"))
    words = [word for word in lab.publishing(0, "--json", "--deltas", "0") if word != "--quiet"]
    ends = await asyncio.gather(
        *[lab.run(bucket, words[0], str(build.path), *words[2:]) for build in known]
    )
    return rivals.problems(before, bucket.files(), known, ends), "\n".join(text for _, text in ends)


async def publishers(lab: Lab) -> None:
    """eight concurrent publishers: exactly those reporting success are in the log; none is lost"""
    won = 0
    for conditions in ("quoted", "unquoted", "create", "create-blind"):
        for _ in range(lab.rounds or (100 if lab.long else 1)):
            async with Bucket(conditions=conditions) as bucket:
                await lab.publish(bucket, 0)
                before = bucket.files()
                found, texts = await round_of(lab, bucket)
                left = bucket.files()
                won += len(rivals.chain(before, left))
                for problem in found:
                    lab.expect(f"publishers, {conditions}", False, f"{problem}\n{texts}")
                lab.judged(f"publishers, {conditions}", bucket, before, texts)
                if "create" not in conditions:
                    lab.expect("publishers: who loses leaves no intent", not judge.leftovers(left), texts)
                status, text = await lab.run(bucket, "verify", "s3://shop/app")
                lab.expect(f"publishers, {conditions}: verify", status == 0, text)
                status, text = await lab.publish(bucket, 2)
                lab.expect("publishers: again", status == 0, text)
                lab.settled("publishers", bucket, 2, text, left)
                lab.rounds_done += 1
    print(f"     {lab.rounds_done} rounds of {rivals.COUNT}, {won} published")


async def losing(lab: Lab) -> None:
    """a store that ignores its tested conditions at the commit loses publishers, and this is detected"""
    # If only the pointer's condition is ignored, the log decides, as in a store without If-Match.
    for forgets, seen in (("/log/",), "pointer and log entry"), (("/log/", "/pointer.json"), "lost:"):
        found: list[str] = []
        for _ in range(9):
            async with Bucket() as bucket:
                await lab.publish(bucket, 0)
                bucket.forgets = lambda key, forgets=forgets: any(part in key for part in forgets)
                found, _ = await round_of(lab, bucket)
                found += judge.judge(bucket.files())
            if any(problem.startswith(seen) for problem in found):
                break
        else:
            lab.expect(f"a store that forgets conditions of {forgets}: '{seen}'", False, str(found))


CASES = [
    levels,
    pages,
    same,
    requests,
    headers,
    headers_verified,
    same_size,
    names,
    unproved,
    left,
    flags,
    damage,
    installs,
    channels,
    refusals,
    tokens,
    crashes,
    encrypted,
    manifests,
    publishers,
    losing,
    overtaken,
    crossing,
    manifest_race,
    marks,
    roots,
    far,
    long_log,
    commits,
    proofs,
    front.verified,
    sweep,
    pairs,
]


async def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--long", action="store_true")
    parser.add_argument("--only", action="append", help="a case; can be repeated")
    parser.add_argument("--point", help="one point of the sweep or the pairs, by its name")
    parser.add_argument("--rounds", type=int, default=0, help="of publishers at once, for each kind of store")
    parser.add_argument("--seed", default=os.environ.get("PACKTOOL_SEED", f"{datetime.date.today():%Y%m%d}"),
                        help="of the samples (default: the day)")
    parser.add_argument("--fail-fast", action="store_true")
    parser.add_argument("--json", metavar="FILE", help="write what was found there")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        lab = Lab(pathlib.Path(folder), options.long, options.point)
        lab.rounds, lab.seed = options.rounds, options.seed
        for case in CASES:
            if lab.failures and options.fail_fast:
                break
            if options.only is None or case.__name__ in options.only:
                before = len(lab.failures)
                await case(lab)
                print(f"{'ok' if len(lab.failures) == before else 'FAILED'}  {case.__doc__}", flush=True)
        for failure in lab.failures[:60]:
            print("FAILED", failure)
        print(json.dumps({"points": lab.points, "failures": len(lab.failures)}))
        if options.json:
            found = [dict(zip(("where", "problems"), (text[:200], [text[200:400]]))) for text in lab.failures]
            pathlib.Path(options.json).write_text(json.dumps({"violations": found}))
        return 1 if lab.failures else 0


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
