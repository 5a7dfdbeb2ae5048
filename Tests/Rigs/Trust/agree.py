#!/usr/bin/env python3
"""Random histories of an origin, with clock jumps and kills: `install --trust` and client.py agree.

client.py was written from docs/formats.md and shares no code with packtool. Each history has one client;
after each step both decide about the same origin with their stored state, and their results are compared by
code. Some installs are killed, after a random time or at a random system call. After each of them, killed or
not, the installation's recorded state never goes back, and the installed release is complete. At the end, a
valid newer pointer is accepted.
  agree.py [--histories N] [--seed N] [--jobs N]
"""
import collections
import concurrent.futures
import copy
import functools
import hashlib
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import client
from lab import NOW, TOOL, Key, arguments, code, envelope, environment, payload, root, run, status, text

POOL = [Key(n) for n in range(1, 13)]
BASE = "https://cdn.example.com/shop"
DAY = 86400
STEPS = 25
# Where strace kills an install: at the Nth call of one of these, the first and the last N.
CALLS = {"openat2": (1, 45), "mkdirat": (2, 6), "fsync": (1, 14), "renameat": (1, 9), "unlinkat": (1, 6),
         "symlinkat": (1, 1), "syncfs": (1, 1), "flock": (2, 2)}
# The possible progress of a killed install.
PLACES = ("nothing new", "a new root", "seen", "installed")


class Wrong(Exception):
    """Forbidden behavior of packtool."""


class Releases:
    """Three releases in one origin, without pointers: every pointer is written here."""

    def __init__(self, place):
        self.origin, self.payloads = place / "releases", []
        for number in range(3):
            build = place / f"build{number}"
            build.mkdir()
            (build / "index.html").write_text(f"<!doctype html><title>{number}</title>")
            result = run("publish", build, "--to", self.origin, "--app", "shop", "--base-url", BASE,
                         "--no-check", "--json")
            assert result.returncode == 0, result.stderr
            self.payloads.append(payload((self.origin / "channels/production/pointer.json").read_bytes()))
        shutil.rmtree(self.origin / "channels")
        (self.origin / "channels/production/log").mkdir(parents=True)


class History:
    def __init__(self, dice, releases, place):
        self.dice, self.releases, self.place = dice, releases, place
        self.clock, self.sequence, self.roots, self.hidden = NOW, 0, {}, set()
        self.values, self.past, self.counts = [], [], collections.Counter()
        self.is_killed, self.seconds = False, 0.03
        self.trees = {p["version"]: p["packageHash"] for p in releases.payloads}
        self.rotate()
        self.pin = client.own_root(self.roots[1])
        (place / "pin.json").write_bytes(self.roots[1])
        self.state, self.phone, self.origin = client.State(), place / "phone", place / "origin"
        shutil.copytree(releases.origin, self.origin, copy_function=os.link)
        self.publish()

    # Actions of a publisher

    def rotate(self, *, break_it=False):
        old = self.values[-1] if self.values else None
        keys = self.dice.sample(POOL, self.dice.randint(1, 4))
        release = self.dice.sample(POOL, self.dice.randint(1, 3))
        roles = {"root": (keys, self.dice.randint(1, len(keys))),
                 "release": (release, self.dice.randint(1, len(release)))}
        if self.dice.random() < 0.3:
            own = self.dice.sample(POOL, 2)
            roles["release:production"] = (own, self.dice.randint(1, 2))
        epoch = (old["epoch"] if old else 1) + (self.dice.random() < 0.3)
        floors = {"production": self.sequence + 1} if self.dice.random() < 0.3 else {}
        value = {"version": len(self.values) + 1, "roles": roles, "epoch": epoch,
                 "created": self.clock if not break_it else self.clock - DAY,
                 "days": self.dice.choice([2, 30, 400]), "floors": floors}
        signers = keys[:roles["root"][1]]
        if old:
            before, threshold = old["roles"]["root"]
            signers = list({k.id: k for k in signers + before[:threshold]}.values())
        if break_it:
            signers = signers[1:]
        data = envelope(client.ROOT, root(**value), signers)
        if break_it and self.can_follow(data):
            # The other signatures were enough. Two valid roots of one version would split the clients
            # permanently.
            data = envelope(client.ROOT, root(**value), [])
        self.roots[value["version"]] = data
        if not break_it:
            self.values.append(value)

    def can_follow(self, data):
        try:
            client.next_root(client.own_root(self.roots[len(self.values)]), data)
        except client.Refused:
            return False
        return True

    def signers(self, count=None):
        roles = self.values[-1]["roles"]
        keys, threshold = roles.get("release:production") or roles["release"]
        return keys[:threshold if count is None else max(0, threshold + count)]

    def pointer(self, **changes):
        release = self.dice.choice(self.releases.payloads)
        return {**release, "sequence": self.sequence, "previous": None, "createdAt": text(self.clock),
                "deltas": [],
                "expires": text(self.clock + self.dice.choice([1, 20, 300]) * DAY),
                "root": len(self.values), **changes}

    def publish(self):
        self.sequence = max([self.sequence + 1, *self.values[-1]["floors"].values()])
        self.current = envelope(client.POINTER, self.pointer(), self.signers())
        self.past.append(self.current)

    # Events

    def step(self):
        dice = self.dice
        what = dice.choice(["publish", "publish", "publish", "rotate", "rotate", "replay", "clock", "back",
                            "hide", "show", "unsigned", "too few", "stranger", "split", "bad root",
                            "other app", "channel", "nothing", "future root", "renew", "asleep",
                            "kill", "kill"])
        if what in ("publish", "renew"):
            self.publish()
        elif what == "kill":
            # The next install is killed while it has something to do.
            for _ in range(dice.choice([0, 0, 1, 3])):
                self.rotate()
            self.publish()
            self.is_killed = True
        elif what == "rotate":
            self.rotate()
            if dice.random() < 0.7:
                self.publish()
        elif what == "asleep":
            # The client is offline until a required root has expired.
            self.rotate()
            self.clock += 500 * DAY
            self.rotate()
            self.publish()
        elif what == "replay":
            self.current = dice.choice(self.past)
        elif what == "clock":
            self.clock += dice.choice([3600, DAY - 1, DAY, 40 * DAY, 400 * DAY])
        elif what == "back":
            self.clock -= dice.choice([1, DAY, 800 * DAY, 3650 * DAY])
            self.clock = max(self.clock, 0)
        elif what == "hide":
            self.hidden = {dice.randint(2, len(self.values) + 1)}
        elif what == "show":
            self.hidden = set()
        elif what == "unsigned":
            self.current = envelope(client.POINTER, self.pointer(), [])
        elif what == "too few":
            self.current = envelope(client.POINTER, self.pointer(), self.signers(-1) * 2)
        elif what == "stranger":
            self.current = envelope(client.POINTER, self.pointer(), [Key(99)])
        elif what == "split":
            self.current = envelope(client.POINTER, self.pointer(label=str(dice.random())), self.signers())
        elif what == "bad root":
            self.rotate(break_it=True)
        elif what == "other app":
            self.current = envelope(client.POINTER, self.pointer(app="other"), self.signers())
        elif what == "channel":
            self.current = envelope(client.POINTER, self.pointer(channel="beta"), self.signers())
        elif what == "future root":
            self.current = envelope(client.POINTER, self.pointer(root=len(self.values) + 3), self.signers())
        return what

    def finish(self):
        """A publish with valid keys reaches the client, whatever happened before."""
        self.hidden = set()
        newest = self.values[-1]
        if (len(self.values) + 1 in self.roots or self.dice.random() < 0.3
                or not newest["created"] <= self.clock < newest["created"] + newest["days"] * DAY):
            self.rotate()
        self.publish()
        # A run follows 32 roots at most, and the next one continues.
        for _ in range(1 + len(self.values) // client.STEPS):
            verdict = self.compare()
            if not verdict:
                return
        raise Wrong(f"'{verdict}': the last pointer, which is valid, does not get through")

    # The client

    def compare(self):
        """Lets both clients decide; returns the code on which they agree."""
        self.write()
        before, self.state = self.state, copy.copy(self.state)
        pinned = self.dice.random() < 0.2 or before.root is None
        # Each root stored by the client on its way.
        passed = [before.root]

        def fetch(version):
            passed.append(self.state.root)
            return None if version in self.hidden else self.roots.get(version)

        try:
            client.decide(self.state, self.pin if pinned else None, self.clock, "production", self.current,
                          fetch)
            ours = ""
        except client.Refused as refusal:
            ours = str(refusal)
        passed.append(self.state.root)
        trust = ("--trust", self.place / "pin.json") if pinned else ()
        words = ("install", self.origin, "--into", self.phone, *trust, "--json")
        had = self.stored()
        is_killed, self.is_killed = self.is_killed, False
        if is_killed:
            theirs = self.kill(words)
        else:
            begun = time.monotonic()
            theirs = code(run(*words, now=self.clock))
            self.seconds = time.monotonic() - begun
        has = self.stored()
        self.check_not_lower(had, has)
        if theirs is None:
            self.adopt(before, passed, ours, had, has)
            return "killed"
        self.counts[ours or "accepted"] += 1
        if ours != theirs:
            raise Wrong(f"client.py says '{ours}', packtool '{theirs}'")
        if has.root != (self.state.root and self.state.root.data):
            raise Wrong("another root is stored")
        if has.seen != seen(self.state):
            raise Wrong(f"stored {has.seen}, client.py has {seen(self.state)}")
        wanted = had.installed if ours else payload(self.current)["version"]
        if has.installed != wanted:
            raise Wrong(f"'{ours}', and {has.installed} is installed instead of {wanted}")
        return ours

    def write(self):
        """Writes the pointer and the available roots to the origin."""
        (self.origin / "channels/production/pointer.json").write_bytes(self.current)
        roots = self.origin / "root"
        shutil.rmtree(roots, ignore_errors=True)
        roots.mkdir()
        for version, data in self.roots.items():
            if version not in self.hidden:
                (roots / f"{version}.json").write_bytes(data)

    def kill(self, words):
        """Runs packtool and kills it; returns its code if it ended earlier, else None."""
        dice, argv = self.dice, [TOOL, *map(str, words)]
        by_call = dice.random() < 0.5
        if by_call:
            name = dice.choice(list(CALLS))
            argv = ["strace", "-f", "-qq", "-o", "/dev/null", "-e", "signal=none", "-e", f"trace={name}",
                    "-e", f"inject={name}:signal=KILL:when={dice.randint(*CALLS[name])}", "--", *argv]
        process = subprocess.Popen(argv, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                   env=environment(self.clock))
        try:
            out, err = process.communicate(timeout=120 if by_call else dice.uniform(0.4, 1.1) * self.seconds)
        except subprocess.TimeoutExpired:
            process.kill()
            out, err = process.communicate()
        if process.returncode == -9:
            return None
        self.counts["not killed: ended before"] += 1
        return code(subprocess.CompletedProcess(argv, process.returncode, out, err))

    def stored(self):
        """The content of the installation's files, which are complete."""
        root, state = self.phone / "trust/root.json", self.phone / "state.json"
        data = root.read_bytes() if root.exists() else None
        value = json.loads(state.read_text()) if state.exists() else {}
        seen = value["channels"][0] if value else {}
        for tree in (self.phone / "versions").glob("*"):
            files = {str(p.relative_to(tree)): p.read_bytes() for p in tree.rglob("*") if p.is_file()}
            listing = "".join(f"{hashlib.sha256(data).hexdigest()}  {path}\n"
                              for path, data in sorted(files.items()))
            if hashlib.sha256(listing.encode()).hexdigest() != self.trees.get(tree.name):
                raise Wrong(f"versions/{tree.name} is not whole: {sorted(files)}")
        current = self.phone / "current"
        if current.is_symlink() and not current.is_dir():
            raise Wrong(f"current leads nowhere: {os.readlink(current)}")
        try:
            version = client.own_root(data).version if data else 0
        except client.Refused as refusal:
            raise Wrong(f"the stored root is torn: {refusal}") from refusal
        checked = value.get("rootCheckedAt")
        return Stored(data, version, current.resolve().name if current.exists() else None,
                      (seen.get("epoch"), seen.get("sequence", 0), seen.get("payloadHash"),
                       client.moment(checked) if checked else None))

    def check_not_lower(self, had, has):
        if has.version < had.version:
            raise Wrong(f"root {had.version} was stored, and now {has.version}")
        (old, low, *_), (new, high, *_) = had.seen, has.seen
        if (new or 0) < (old or 0):
            raise Wrong(f"epoch {old} was stored, and now {new}")
        if new == old and high < low:
            raise Wrong(f"sequence {low} was stored, and now {high}, both of epoch {new}")

    def adopt(self, before, passed, ours, had, has):
        """The state of a killed install: one of those passed by client.py."""
        after = self.state
        if has.root not in [root and root.data for root in passed]:
            raise Wrong("killed, and a root is stored that the client did not pass")
        if has.seen == seen(after) and not ours and has.root == after.root.data:
            where = "installed" if has.installed == payload(self.current)["version"] else "seen"
        elif has.seen == seen(before):
            where = "nothing new" if has.version == had.version else "a new root"
            self.state = copy.copy(before)
            self.state.root = next(r for r in passed if (r and r.data) == has.root)
        else:
            raise Wrong(f"killed, and stored {has.seen}; client.py went from {seen(before)} to "
                        f"{seen(after)}, and says '{ours}'")
        if has.installed != had.installed and where != "installed":
            raise Wrong(f"killed, and {has.installed} is installed before that was stored")
        self.counts[f"killed: {where}"] += 1


Stored = collections.namedtuple("Stored", "root version installed seen")


def seen(state):
    """The state stored by client.py, as `Stored.seen`."""
    return state.epoch, state.sequence, state.payload, state.checked if state.epoch else None


def history(releases, seed):
    """One history: counts of events, and the failure, if any."""
    with tempfile.TemporaryDirectory(prefix="history-", dir=releases.origin.parent) as name:
        story, one = ["publish"], History(random.Random(seed), releases, pathlib.Path(name))
        try:
            for _ in range(STEPS):
                one.compare()
                story.append(one.step())
            one.is_killed = False
            story.append("finish")
            one.finish()
        except Wrong as problem:
            return one.counts, f"seed {seed}: {problem}; after {story}"
    return one.counts, None


def main():
    parser = arguments(__doc__)
    parser.add_argument("--histories", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args()
    counts, wrong, begun, done = collections.Counter(), [], time.monotonic(), 0
    with tempfile.TemporaryDirectory(prefix="packtool-trust-") as name:
        releases = Releases(pathlib.Path(name))
        seeds = range(options.seed, options.seed + options.histories)
        with concurrent.futures.ProcessPoolExecutor(options.jobs) as pool:
            for seen_there, problem in pool.map(functools.partial(history, releases), seeds):
                done += 1
                counts += seen_there
                if problem:
                    wrong.append(problem)
                    print(problem, flush=True)
                    if options.fail_fast:
                        pool.shutdown(cancel_futures=True)
                        break
    kills = sum(counts[f"killed: {place}"] for place in PLACES)
    late = counts.pop("not killed: ended before", 0)
    landed = [bool(counts[f"killed: {place}"]) for place in PLACES]
    if done >= 20 and not wrong and not (all(landed) if done >= 200 else any(landed[1:])):
        wrong.append("kills: not one landed where it could do harm")
        print(wrong[-1])
    seconds = time.monotonic() - begun
    print(f"agree: {done} histories in {seconds:.0f} s, {sum(counts.values())} installs, {kills} killed, "
          f"{late} kills too late, {dict(sorted(counts.items()))}, {len(wrong)} wrong")
    return status(wrong, options.json)


if __name__ == "__main__":
    sys.exit(main())
