#!/usr/bin/env python3
"""Random histories of an origin, with a clock that jumps: `install --trust` and client.py agree on each step.

client.py was written from docs/formats.md and shares no code with packtool. Each history has one client;
after each step both decide about the same origin, with what they stored, and their verdicts are compared by
code.
  agree.py [--steps N] [--seed N]
"""
import argparse
import collections
import json
import pathlib
import random
import shutil
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import client
from lab import NOW, Key, code, envelope, payload, root, run, status, text

POOL = [Key(n) for n in range(1, 13)]
BASE = "https://cdn.example.com/shop"
DAY = 86400


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
        self.values, self.past = [], []
        self.rotate()
        self.pin = client.own_root(self.roots[1])
        (place / "pin.json").write_bytes(self.roots[1])
        self.state, self.phone, self.origin = client.State(), place / "phone", place / "origin"
        shutil.copytree(releases.origin, self.origin)
        self.publish()

    # What a publisher does

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
        self.roots[value["version"]] = data
        if not break_it:
            self.values.append(value)

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

    # What can happen

    def step(self):
        dice = self.dice
        what = dice.choice(["publish", "publish", "publish", "rotate", "rotate", "replay", "clock", "back",
                            "hide", "show", "unsigned", "too few", "stranger", "split", "bad root",
                            "other app", "channel", "nothing", "future root", "renew", "asleep"])
        if what in ("publish", "renew"):
            self.publish()
        elif what == "rotate":
            self.rotate()
            if dice.random() < 0.7:
                self.publish()
        elif what == "asleep":
            # The client is away for so long that a root that it has to pass has expired.
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

    def compare(self):
        (self.origin / "channels/production/pointer.json").write_bytes(self.current)
        roots = self.origin / "root"
        shutil.rmtree(roots, ignore_errors=True)
        roots.mkdir()
        for version, data in self.roots.items():
            if version not in self.hidden:
                (roots / f"{version}.json").write_bytes(data)
        pinned = self.dice.random() < 0.2 or self.state.root is None
        try:
            client.decide(self.state, self.pin if pinned else None, self.clock, "production", self.current,
                          lambda version: None if version in self.hidden else self.roots.get(version))
            ours = ""
        except client.Refused as refusal:
            ours = str(refusal)
        trust = ("--trust", self.place / "pin.json") if pinned else ()
        result = run("install", self.origin, "--into", self.phone, *trust, "--json", now=self.clock)
        theirs = code(result)
        stored = json.loads((self.phone / "state.json").read_text()) if ours == theirs == "" else None
        if stored and (stored["sequence"], stored["epoch"], stored["root"]) != (
                self.state.sequence, self.state.epoch, self.state.root.version):
            return ours, f"stored {stored}"
        kept = self.phone / "trust/root.json"
        if kept.exists() and kept.read_bytes() != self.state.root.data:
            return ours, "another root is stored"
        return ours, theirs


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--steps", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--fail-fast", action="store_true")
    parser.add_argument("--json", metavar="FILE", help="write what was found, for mutants.py")
    options = parser.parse_args()
    counts, wrong, done, seed = collections.Counter(), [], 0, options.seed
    with tempfile.TemporaryDirectory(prefix="packtool-trust-") as name:
        here = pathlib.Path(name)
        releases = Releases(here)
        while done < options.steps:
            place = here / "history"
            place.mkdir()
            history = History(random.Random(seed), releases, place)
            story = ["publish"]
            for _ in range(25):
                ours, theirs = history.compare()
                counts[ours or "accepted"] += 1
                done += 1
                if ours != theirs:
                    wrong.append(f"seed {seed}: client.py says '{ours}', packtool '{theirs}' after {story}")
                    print(wrong[-1], flush=True)
                    break
                story.append(history.step())
            shutil.rmtree(place)
            seed += 1
            if wrong and options.fail_fast:
                break
    print(f"agree: {done} steps, {dict(counts)}, {len(wrong)} disagreements")
    return status(wrong, options.json)


if __name__ == "__main__":
    sys.exit(main())
