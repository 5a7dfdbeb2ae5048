#!/usr/bin/env python3
"""Random histories of signed commands: publish, promote, rollback, rollout, pause, renew, close, new keys.

packtool makes the pointers; client.py, which shares no code with it, decides about each like a device. After
a refused command every public file is unchanged. After a successful command, enough keys of the newest root
have signed the pointer, and it only offers releases published in the present epoch: releases of an attacker
with stolen keys from earlier epochs never return, because they are indistinguishable from the others.

  operations.py [--steps N] [--seed N]
"""
import collections
import pathlib
import random
import shutil
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import client
from lab import NOW, Key, arguments, code, envelope, payload, root, run, status

OWNER = Key(1)
BASE = "https://cdn.example.com/shop"
DAY = 86400
CHANNELS = ("production", "beta")
KEEPING = ("rollout", "pause", "resume", "renew", "close")


class Wrong(Exception):
    """packtool did something forbidden, or failed to do something required."""


class History:
    def __init__(self, dice, place):
        self.dice, self.place, self.origin = dice, place, place / "cdn"
        self.clock, self.version, self.epoch, self.builds, self.fresh = NOW, 0, 1, 0, 2
        # The package hashes published in this epoch.
        self.vouched = set()
        # By channel: the live releases with the epochs of their pointers; the current one is the last.
        self.live = {channel: [] for channel in CHANNELS}
        self.rotate(new_epoch=False)
        self.pin = client.own_root((self.origin / "root/1.json").read_bytes())
        self.devices = {channel: client.State() for channel in CHANNELS}

    # Keys

    def rotate(self, new_epoch):
        self.version += 1
        self.epoch += new_epoch
        kept = [] if new_epoch or self.version == 1 else self.dice.sample(self.keys, 1)
        count = self.dice.randint(1, 3)
        self.keys = kept + [Key(self.fresh + n) for n in range(count)]
        self.fresh += count
        self.threshold = self.dice.randint(1, len(self.keys))
        floors = {}
        if new_epoch:
            floors = {channel: self.pointer(channel)["sequence"] + 1 for channel in CHANNELS
                      if self.pointer(channel)}
            self.vouched = set()
        value = root(self.version, {"root": ([OWNER], 1), "release": (self.keys, self.threshold)},
                     epoch=self.epoch, created=self.clock, days=400, floors=floors)
        place = self.origin / f"root/{self.version}.json"
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(envelope(client.ROOT, value, [OWNER]))

    def signers(self, keys):
        words = []
        for key in keys:
            path = self.place / f"{key.number}.key"
            if not path.exists():
                key.write(path)
            words += ["--sign-key", path]
        return words

    def hands(self):
        """The signers, and whether they are sufficient."""
        enough = self.dice.sample(self.keys, self.threshold)
        kind = self.dice.choice(["enough"] * 6 + ["too few", "twice", "stranger", "owner", "none"])
        few = enough[:-1]
        return {"enough": (enough, True), "too few": (few, False), "twice": (few + few[:1], False),
                "stranger": (few + [Key(99)], False), "owner": (few + [OWNER], False),
                "none": ([], False)}[kind]

    # State of the origin

    def pointer(self, channel):
        place = self.origin / f"channels/{channel}/pointer.json"
        return payload(place.read_bytes()) if place.exists() else None

    def public(self):
        return {p.relative_to(self.origin): p.read_bytes() for p in self.origin.rglob("*")
                if p.is_file() and ".packtool" not in p.parts}

    def offered(self, pointer):
        return [pointer["packageHash"], *(f["packageHash"] for f in pointer.get("fallbacks") or [])]

    # Commands

    def build(self):
        if self.builds and self.dice.random() < 0.3:
            return self.place / f"dist{self.dice.randint(1, self.builds)}"
        self.builds += 1
        place = self.place / f"dist{self.builds}"
        place.mkdir()
        (place / "index.html").write_text(f"<!doctype html><title>{self.dice.random()}</title>")
        (place / "app.js").write_text(f"go({self.builds})\n")
        return place

    def command(self):
        """The words of a random command, its channel, and its kind."""
        dice = self.dice
        channel = dice.choice(CHANNELS)
        kind = dice.choice(["publish", "publish", "rollout", "pause", "resume", "renew", "rollback",
                            "rollback", "promote", "close"])
        where = ["--channel", channel]
        if kind == "publish":
            words = ["publish", self.build(), "--to", self.origin, "--app", "shop", "--base-url", BASE,
                     "--no-check", *dice.choice([[], ["--resume"], ["--stay-paused"]]),
                     *dice.choice([[], ["--rollout", "10"], ["--rollout", "100"]]),
                     *dice.choice([[], ["--mandatory"], ["--min-native", "android=3"]]),
                     *dice.choice([[], ["--reopen"]])]
        elif kind == "rollout":
            words = ["rollout", self.origin, str(dice.choice([5, 40, 100])), *dice.choice([[], ["--shrink"]])]
        elif kind == "rollback":
            words = ["rollback", self.origin]
            past = [version for version, _ in self.live[channel]]
            if past and dice.random() < 0.7:
                words += ["--to-release", dice.choice(past)]
        elif kind == "promote":
            other = CHANNELS[channel == CHANNELS[0]]
            words = ["promote", self.origin, "--from", other, "--stay-paused",
                     "--deltas", dice.choice([0, 1]), *dice.choice([[], ["--reopen"]])]
        elif kind == "close":
            return ["channel", "close", self.origin, channel, "--default-channel"], channel, kind
        elif kind == "renew":
            words = ["renew", self.origin, "--expires-in-days", dice.randint(20, 90)]
        else:
            words = [kind, self.origin]
        return words + where, channel, kind

    def step(self):
        dice = self.dice
        what = dice.random()
        if what < 0.06:
            self.rotate(new_epoch=False)
            return "rotate"
        if what < 0.1:
            self.rotate(new_epoch=True)
            return "new epoch"
        self.clock += dice.choice([1, 60, 3600])
        words, channel, kind = self.command()
        keys, are_enough = self.hands()
        before, old = self.public(), self.pointer(channel)
        if dice.random() < 0.3:
            result = run(*words, *self.signers(keys), "--dry-run", "--json", now=self.clock)
            if self.public() != before:
                raise Wrong("a dry run wrote")
        result = run(*words, *self.signers(keys), "--json", now=self.clock)
        found, new = code(result), self.pointer(channel)
        if result.returncode not in (0, 1, 2, 64):
            raise Wrong(f"exit {result.returncode}: {result.stderr}")
        if found:
            if self.public() != before:
                raise Wrong(f"'{found}' and something was written")
            self.judge_refusal(found, kind, channel, old, are_enough)
        elif not are_enough:
            raise Wrong("done without enough keys")
        elif new != old:
            was, closed = bool(old and old.get("closed")), bool(new.get("closed"))
            # A channel closed with earlier keys stays open to the owner of a new epoch.
            is_bound = was and self.live[channel][-1][1] == self.epoch
            if closed != (kind == "close" or kind == "renew" and was) or (
                    is_bound and not closed and "--reopen" not in words):
                raise Wrong(f"{kind} made a channel of closed {was} one of closed {closed}")
            self.judge(kind, channel, old, new)
        return f"{kind} {channel} {found or 'done'}"

    def judge_refusal(self, found, kind, channel, old, are_enough):
        if not are_enough:
            if not found.startswith("signing."):
                raise Wrong(f"'{found}', not for the keys")
            return
        is_ours = old is not None and self.live[channel][-1][1] == self.epoch
        if kind in KEEPING and is_ours and found not in ("channel.would-shrink", "channel.closed"):
            raise Wrong(f"'{found}', although everything is the owner's")
        if found in ("signing.unauthorized", "channel.unauthorized"):
            theirs = [e for live in self.live.values() for _, e in live if e != self.epoch]
            if not theirs:
                raise Wrong(f"'{found}', and nothing of another epoch is there")
        elif found.startswith(("signing.", "trust.", "origin.invalid", "file-system.")):
            raise Wrong(f"'{found}' with enough keys")

    def judge(self, kind, channel, old, new):
        place = self.origin / f"channels/{channel}"
        data = (place / "pointer.json").read_bytes()
        if (place / f"log/{new['sequence']}.json").read_bytes() != data:
            raise Wrong("the log has another pointer")
        if new["root"] != self.version or new["sequence"] <= (old["sequence"] if old else 0):
            raise Wrong(f"root {new['root']}, sequence {new['sequence']}")
        if kind == "publish":
            self.vouched.add(new["packageHash"])
        self.live[channel].append((new["version"], self.epoch))
        if not self.vouched.issuperset(self.offered(new)):
            raise Wrong("what was published in an earlier epoch is offered again")
        try:
            accepted = client.decide(self.devices[channel], self.pin, self.clock, channel, data, self.root)
        except client.Refused as refusal:
            raise Wrong(f"client.py refuses it: {refusal}") from refusal
        if accepted != new:
            raise Wrong("client.py reads another pointer")

    def root(self, version):
        place = self.origin / f"root/{version}.json"
        return place.read_bytes() if place.exists() else None


def main():
    parser = arguments(__doc__)
    parser.add_argument("--steps", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    counts, wrong, done, seed = collections.Counter(), [], 0, options.seed
    with tempfile.TemporaryDirectory(prefix="packtool-operations-") as name:
        while done < options.steps:
            place = pathlib.Path(name) / "history"
            place.mkdir()
            history, story = History(random.Random(seed), place), []
            for _ in range(40):
                done += 1
                try:
                    story.append(history.step())
                except Wrong as error:
                    wrong.append(f"seed {seed}: {error}, after {story[-8:]}")
                    print(wrong[-1], flush=True)
                    break
                counts[story[-1].split()[-1]] += 1
            shutil.rmtree(place)
            seed += 1
            if wrong and options.fail_fast:
                break
    print(f"operations: {done} steps, {dict(counts)}, {len(wrong)} violations")
    return status(wrong, options.json)


if __name__ == "__main__":
    sys.exit(main())
