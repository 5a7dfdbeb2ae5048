#!/usr/bin/env python3
"""Random publishes, shares, rollbacks and pins, then prunes: releases used by clients stay complete.

The checker reads the origin's files like a client, and shares no code with packtool. Every pointer replaced
within the grace period, the last releases of each channel and pins lead to a package, manifest, deltas and
objects with the hashes in them; no other files are left, except those that the documentation lists as kept. A
prune uses the machine's clock, so the history is in the past, and ends now.
Every second history is signed, and an attacker with write access but no key adds log entries that name valid
releases with other bytes, or missing releases: nothing changes for clients.
  prunes.py [--schedules N] [--seed N] [--fail-fast] [--json FILE]
"""
import collections
import copy
import hashlib
import json
import pathlib
import random
import sys
import tempfile
import time
import urllib.parse

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import client
from lab import Key, arguments, code, envelope, payload, root, run, status

BASE = "https://cdn.example.com/shop"
DAY = 86400
CHANNELS = ("production", "beta")
STEPS = 14
OWNER, RELEASE, STRANGER = Key(1), Key(2), Key(3)
LIFE = 365


class Wrong(Exception):
    """A file required by a client is missing, or an unused one is left."""


class Held:
    """A pointer as read by a client."""

    def __init__(self, value, since):
        self.value, self.replaced, self.since = value, None, since
        self.entries = [value, *(value.get("fallbacks") or [])]


class Shop:
    def __init__(self, dice, place, clock, is_signed):
        self.dice, self.place, self.origin, self.clock = dice, place, place / "cdn", clock
        self.is_signed, self.keys = is_signed, []
        if is_signed:
            self.sign()
        self.held = {channel: [] for channel in CHANNELS}
        # By version and channel: each has its own pins.
        self.pins = {}
        self.builds = [self.build(number) for number in range(7)]

    def build(self, number):
        place = self.place / f"build{number}"
        place.mkdir()
        (place / "index.html").write_text(f"<!doctype html><title>{number}</title>")
        (place / "app.js").write_text(f"app({number % 3})\n")
        (place / f"chunk-{number % 4}.js").write_text(f"chunk({number % 4})\n")
        (place / "logo.svg").write_text("<svg xmlns='http://www.w3.org/2000/svg'/>\n")
        return place

    def sign(self):
        """Adds a root to the origin, and the key to every command."""
        value = root(1, {"root": ([OWNER], 1), "release": ([RELEASE], 1)}, created=self.clock, days=3 * LIFE)
        (self.origin / "root").mkdir(parents=True)
        (self.origin / "root/1.json").write_bytes(envelope(client.ROOT, value, [OWNER]))
        self.keys = ["--sign-key", RELEASE.write(self.place / "release.key"), "--expires-in-days", LIFE]

    def forge(self, channel):
        """Log entries by an attacker with the storage and no key: no client accepts them."""
        dice, log = self.dice, self.origin / f"channels/{channel}/log"
        taken = {int(place.stem) for place in log.iterdir()}
        sequence = dice.choice([n for n in range(1, max(taken) + 4) if n not in taken])
        value = copy.deepcopy(dice.choice(self.held[channel]).value)
        value.update(sequence=sequence, root=dice.choice([None, 1]),
                     previous=dice.choice([None, sequence - 1 or None]))
        if dice.random() < 0.3:
            gone = hashlib.sha256(b"%d" % sequence).hexdigest()
            text = json.dumps(value["info"]) + "\n" + json.dumps(value["package"])
            info, package = text.replace(value["version"], gone[:20]).split("\n")
            value.update(version=gone[:20], packageHash=gone, info=json.loads(info),
                         package=json.loads(package), deltas=[], fallbacks=[])
        else:
            value[dice.choice(["info", "package"])]["sha256"] = "0" * 64
        (log / f"{sequence}.json").write_bytes(
            envelope(client.POINTER, value, dice.choice([[], [STRANGER]])))
        return f"forge {sequence} of {channel}", ""

    def pack(self, *words):
        return run(*words, "--json", now=self.clock)

    # Commands

    def change(self, channel):
        dice, held = self.dice, self.held[channel]
        changes = ["publish"] * 5 + ["rollout", "rollback", "renew", "promote", "close"]
        what = dice.choice(changes) if held else "publish"
        is_closed = bool(held) and held[-1].value.get("closed")
        again = ["--reopen"] if is_closed and dice.random() < 0.7 else []
        if what == "publish":
            share = dice.choice([[], [], ["--rollout", "20"]]) if held else []
            result = self.pack("publish", dice.choice(self.builds), "--to", self.origin, "--app", "shop",
                               "--base-url", BASE, "--no-check", "--channel", channel, "--deltas",
                               str(dice.choice([0, 1, 2])), *share, *again, *self.keys)
        elif what == "rollout":
            result = self.pack("rollout", self.origin, str(dice.choice([10, 50, 100])), "--channel", channel,
                               *self.keys)
        elif what == "rollback":
            result = self.pack("rollback", self.origin, "--channel", channel, *self.keys)
        elif what == "close":
            # The keys' option for the pointer's lifetime does not apply to this command.
            result = self.pack("channel", "close", self.origin, channel, "--default-channel", *self.keys[:2])
        elif what == "renew":
            result = self.pack("renew", self.origin, "--channel", channel, *self.keys)
        else:
            result = self.pack("promote", self.origin, "--from", "beta", "--channel", "production",
                               *self.keys)
            channel = "production"
        self.look(channel)
        return f"{what} of {channel}", code(result)

    def look(self, channel):
        """The pointer read by a client now."""
        place = self.origin / f"channels/{channel}/pointer.json"
        if not place.exists():
            return
        value, held = payload(place.read_bytes()), self.held[channel]
        if not held or held[-1].value != value:
            if held:
                held[-1].replaced = self.clock
            held.append(Held(value, self.clock))

    def pin(self):
        channel = self.dice.choice([c for c in CHANNELS if self.held[c]])
        version = self.held[channel][-1].value["version"]
        if self.pins and self.dice.random() < 0.5:
            gone = self.dice.choice(sorted(self.pins))
            result = self.pack("prune", self.origin, "--unpin", gone[0], "--channel", gone[1])
            if result.returncode == 0:
                del self.pins[gone]
            return "unpin", code(result)
        result = self.pack("prune", self.origin, "--pin", version, "--channel", channel)
        if result.returncode == 0 and (version, channel) not in self.pins:
            self.pins[version, channel] = self.held[channel][-1].value
        return "pin", code(result)

    def prune(self, keep, grace, delay):
        result = self.pack("prune", self.origin, "--keep", keep, "--grace-days", grace,
                           "--delay-hours", delay, "--yes")
        if result.returncode:
            raise Wrong(f"prune was refused: {code(result)}")

    # Content of the origin

    def read(self, url):
        file = self.origin / urllib.parse.unquote(url.removeprefix(f"{BASE}/"))
        return file.read_bytes() if file.is_file() else None

    def proved(self, reference, why):
        data = self.read(reference["url"])
        if data is None:
            raise Wrong(f"{reference['url']} is gone: {why}")
        if len(data) != reference["size"] or hashlib.sha256(data).hexdigest() != reference["sha256"]:
            raise Wrong(f"{reference['url']} has other bytes: {why}")
        return data

    def whole(self, entry, why):
        """Checks all files of an entry that a client fetches; returns the keys of its objects."""
        info = json.loads(self.proved(entry["info"], why))
        self.proved(entry["package"], why)
        for delta in entry["deltas"]:
            self.proved(delta, why)
        places = set()
        for asset in info["assets"]:
            place = self.origin / "objects" / asset["sha256"] / asset["path"].rpartition("/")[2]
            if not place.is_file():
                raise Wrong(f"{place} is gone: {why}")
            if hashlib.sha256(place.read_bytes()).hexdigest() != asset["sha256"]:
                raise Wrong(f"{place} has other bytes: {why}")
            places.add(place)
        return places

    def kept(self, keep, grace):
        """The entries to keep, each with the reason."""
        kept = []
        for channel, held in self.held.items():
            versions, lowest = set(), None
            # A closed channel has no last releases; its pointer counts as replaced when it was closed.
            closed = held[-1] if held and held[-1].value.get("closed") else None
            # info.json and site/ show the newest release available to every device.
            is_shown = channel != "production"
            for number, one in reversed(list(enumerate(held))):
                versions |= {entry["version"] for entry in one.entries}
                ended = one.since if one is closed else one.replaced
                is_fresh = ended is None or ended > self.now - grace * DAY
                if is_fresh or not closed and len(versions) <= keep or not is_shown:
                    lowest = number
                is_shown = is_shown or any(self.is_for_all(entry) for entry in one.entries)
            for one in held[lowest:] if lowest is not None else []:
                age = "is current" if one.replaced is None else (
                    f"was replaced {(self.now - one.replaced) / DAY:.1f} days ago")
                why = f"pointer {one.value['sequence']} of {channel} {age}"
                kept += [(entry, why) for entry in one.entries]
        return kept + [(value, "it is pinned") for value in self.pins.values()]

    @staticmethod
    def is_for_all(entry):
        limits = "minNativeVersion", "maxNativeVersion", "platforms"
        return entry["rollout"] == 100 and not any(entry.get(limit) for limit in limits)

    def check(self, keep, grace, is_done):
        objects, releases = set(), set()
        for entry, why in self.kept(keep, grace):
            objects |= self.whole(entry, why)
            releases.add(entry["version"])
        if not is_done:
            return
        left = {place.name for place in (self.origin / "releases").iterdir()} - releases
        left |= {str(p) for p in (self.origin / "objects").rglob("*") if p.is_file() and p not in objects}
        if left:
            raise Wrong(f"{sorted(left)} are left although nothing needs them")

    def files(self):
        return {str(p): p.stat().st_size for p in self.origin.rglob("*")
                if p.is_file() and ".packtool" not in p.parts}


def schedule(dice, place, counts, is_signed):
    gaps = [dice.choice([60, 3600, DAY, DAY + 1, 4 * DAY, 20 * DAY]) for _ in range(STEPS)]
    now = int(time.time())
    shop, told = Shop(dice, place, now - sum(gaps), is_signed), []
    shop.now = now
    keep, grace = dice.choice([1, 1, 2, 2, 4]), dice.choice([0, 0, 0, 1, 3, 10])
    try:
        for gap in gaps:
            kinds = ["change"] * 6 + ["pin"] + ["forge"] * 3 * is_signed
            kind = dice.choice(kinds) if any(shop.held.values()) else "change"
            if kind == "forge":
                what = shop.forge(dice.choice([c for c in CHANNELS if shop.held[c]]))
            else:
                what = shop.change(dice.choice(CHANNELS)) if kind == "change" else shop.pin()
            told.append((f"{(now - shop.clock) / DAY:.1f} days ago: {what[0]}", what[1]))
            counts[what[0].split(" ")[0], "refused" if what[1] else "done"] += 1
            shop.clock += gap
        before = shop.files()
        shop.prune(keep, grace, 24)
        if shop.files() != before:
            raise Wrong("the first prune deleted something")
        for is_done in (False, True):
            shop.prune(keep, grace, 0)
            shop.check(keep, grace, is_done)
        after = shop.files()
        counts["file", "deleted"] += len(before.keys() - after.keys())
        counts["file", "kept"] += len(after)
        result = run("verify", shop.origin, "--json")
        if result.returncode:
            raise Wrong(f"verify after the prune: {result.stdout[:600]}")
    except Wrong as wrong:
        return [f"{wrong}\n  keep {keep}, grace {grace}\n"
                + "".join(f"  {name}: {refusal or 'done'}\n" for name, refusal in told)]
    return []


def main():
    parser = arguments(__doc__)
    parser.add_argument("--schedules", type=int, default=6)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    wrong, counts = [], collections.Counter()
    for number in range(options.seed, options.seed + options.schedules):
        with tempfile.TemporaryDirectory(prefix="packtool-prunes-") as name:
            for problem in schedule(random.Random(number), pathlib.Path(name), counts, number % 2 == 0):
                wrong.append(f"schedule {number}: {problem}")
                print("WRONG", wrong[-1], flush=True)
        if wrong and options.fail_fast:
            break
    if not wrong and not counts["file", "deleted"]:
        wrong.append("prunes: nothing was deleted")
        print("WRONG", wrong[-1])
    shown = ", ".join(f"{count} {what} {how}" for (what, how), count in sorted(counts.items()))
    print(f"prunes: {options.schedules} schedules ({shown}), {len(wrong)} wrong")
    return status(wrong, options.json)


if __name__ == "__main__":
    sys.exit(main())
