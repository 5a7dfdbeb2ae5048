#!/usr/bin/env python3
"""Every set of seven holders against 14 attacks: the results of `install` and `verify` against a model.

The holders are three root keys (two sign a root), two production keys (both sign), one beta key, and the
storage. The model only contains rules: the set of holders decides whether an attack can succeed. client.py,
which was written only from docs/formats.md, also decides, and must refuse for the same reason as `install`.
  compromise.py [--every N]     every Nth of the 1,792 cases (default: all)
"""
import collections
import copy
import itertools
import json
import pathlib
import shutil
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import client
from lab import NOW, Key, arguments, code, envelope, payload, root, run, status, text

ROOTS, PRODUCTION, BETA, EVIL = [Key(1), Key(2), Key(5)], [Key(3), Key(10)], Key(4), Key(6)
HOLDERS = ["root1", "root2", "root3", "production1", "production2", "beta", "storage"]
KEYS = dict(zip(HOLDERS, [*ROOTS, *PRODUCTION, BETA]))
ROLES = {"root": (ROOTS, 2), "release:production": (PRODUCTION, 2), "release:beta": ([BETA], 1)}
BASE = "https://cdn.example.com/shop"


class OwnerRefused(Exception):
    """A refused action of the keys' owner, which is a failure even without an attack."""


class World:
    """An origin with two releases on production and one on beta, a client of each, and an evil release."""

    def __init__(self, place):
        self.place = place
        keys = [key.write(place / f"{key.number}.key") for key in (*PRODUCTION, BETA)]
        self.root = envelope(client.ROOT, root(1, ROLES), ROOTS[:2])
        (place / "pin.json").write_bytes(self.root)
        self.origin, self.evil = place / "origin", place / "evil-origin"
        # The state of client.py, like the phone of each channel.
        self.states = {}
        for name, origin, words in [
                ("old", self.origin, "production"), ("new", self.origin, "production"),
                ("new", self.origin, "beta"), ("evil", self.evil, "production")]:
            build = place / name
            build.mkdir(exist_ok=True)
            (build / "index.html").write_text(f"<!doctype html><title>{name}</title><p>{name}\n" * 20)
            if origin == self.origin:
                (origin / "root").mkdir(parents=True, exist_ok=True)
                (origin / "root/1.json").write_bytes(self.root)
            sign = [] if origin == self.evil else \
                [w for k in (keys[:2] if words == "production" else keys[2:]) for w in ("--sign-key", k)]
            self.must(run("publish", build, "--to", origin, "--app", "shop", "--base-url", BASE,
                          "--channel", words, "--no-check", *sign, "--json"))
            if name == "new":
                self.must(run("install", origin, "--into", place / f"phone-{words}", "--channel", words,
                              "--trust", place / "pin.json", "--json"))
                self.states[words] = client.State()
                if reason := self.decide(origin, words, self.states[words], NOW):
                    raise OwnerRefused(f"client.py: {reason}")
        self.good = self.version("phone-production")
        self.bad = payload((self.evil / "channels/production/pointer.json").read_bytes())

    def must(self, result):
        if result.returncode:
            raise OwnerRefused(result.stdout + result.stderr)

    def decide(self, origin, channel, state, clock):
        """The decision of client.py: the code of its refusal, or nothing."""
        def read(name):
            file = origin / name
            return file.read_bytes() if file.is_file() else None

        try:
            value = client.decide(state, client.own_root(self.root), clock, channel,
                                  read(f"channels/{channel}/pointer.json"), lambda n: read(f"root/{n}.json"))
            client.receive(state, value, read)
        except client.Refused as refusal:
            return str(refusal)
        return ""

    def version(self, phone):
        return json.loads((self.place / phone / "state.json").read_text()).get("current")

    def pointer(self, channel, **changes):
        """A pointer to the evil release."""
        return {**self.bad, "channel": channel, "root": 1, "sequence": 3, "createdAt": text_now(),
                "expires": None, **changes}


def text_now():
    return text(NOW)


class Attempt:
    """One attack on a copy of the origin by an attacker with some keys and the storage."""

    def __init__(self, world, held, place):
        self.world, self.held, self.origin = world, held, place / "origin"
        shutil.copytree(world.origin, self.origin, symlinks=True)
        for channel in ("production", "beta"):
            shutil.copytree(world.place / f"phone-{channel}", place / f"phone-{channel}", symlinks=True)
        self.place, self.channel, self.fresh, self.clock = place, "production", False, NOW

    def keys(self, *names):
        return [KEYS[name] for name in names if name in self.held]

    def everything(self):
        return self.keys(*KEYS) + [EVIL]

    def put(self, pointer, signers, follow=True):
        """Writes a pointer with its log entry, the evil release, and the files following production."""
        data = envelope(client.POINTER, pointer, signers) if isinstance(pointer, dict) else pointer
        sequence = payload(data)["sequence"]
        for part in ("objects", "releases"):
            shutil.copytree(self.world.evil / part, self.origin / part, dirs_exist_ok=True)
        home = self.origin / "channels" / self.channel
        (home / "pointer.json").write_bytes(data)
        log = home / f"log/{sequence}.json"
        log.unlink(missing_ok=True)
        log.write_bytes(data)
        if follow and self.channel == "production":
            info = self.origin / "releases" / payload(data)["version"] / "info.json"
            manifest = json.loads(info.read_text())
            (self.origin / "info.json").unlink()
            (self.origin / "info.json").write_bytes(info.read_bytes())
            for asset in manifest["assets"]:
                site = self.origin / "site" / asset["path"]
                site.unlink(missing_ok=True)
                site.write_bytes((self.origin / asset["url"].removeprefix(BASE + "/")).read_bytes())

    # The attacks. Each returns nothing; the model below defines the expected result.

    def forge_production(self):
        self.put(self.world.pointer("production"), self.everything())

    def forge_beta(self):
        self.channel = "beta"
        self.put(self.world.pointer("beta"), self.everything())

    def replay(self):
        self.put((self.origin / "channels/production/log/1.json").read_bytes(), [])

    def highest_sequence(self):
        self.put(self.world.pointer("production", sequence=2**53 - 1), self.everything())

    def unsigned(self):
        self.put(self.world.pointer("production", root=None), [])

    def own_root(self):
        # The beta role stays, so that only production looks different.
        new = root(2, {"root": ([EVIL], 1), "release": ([EVIL], 1), "release:beta": ([BETA], 1)})
        self.write_root(2, envelope(client.ROOT, new, self.everything()))
        self.put(self.world.pointer("production", root=2), [EVIL])

    def other_channel(self):
        self.put(self.world.pointer("beta"), self.everything())

    def other_app(self):
        self.put(self.world.pointer("production", app="other"), self.everything())

    def expired(self):
        self.put(self.world.pointer("production", expires=text_now()), self.everything())

    def split_view(self):
        self.put(self.world.pointer("production", sequence=2), self.everything())

    def package(self):
        self.fresh = True
        package = self.origin / "releases" / self.world.good / "package.zip"
        data = bytearray(package.read_bytes())
        data[len(data) // 2] ^= 1
        package.unlink()
        package.write_bytes(data)

    def skip_a_root(self):
        new = root(3, {"root": ([EVIL], 1), "release": ([EVIL], 1)})
        self.write_root(2, envelope(client.ROOT, new, self.everything()))
        self.put(self.world.pointer("production", root=2), [EVIL])

    def one_key_twice(self):
        self.put(self.world.pointer("production"), (self.keys("production1") or [EVIL]) * 3
                 + self.keys("production2"))

    def seed_files(self):
        (self.origin / "info.json").unlink()
        (self.origin / "info.json").write_text("{}")

    def write_root(self, version, data):
        (self.origin / f"root/{version}.json").write_bytes(data)


ATTACKS = ["forge_production", "forge_beta", "replay", "highest_sequence", "unsigned", "own_root",
           "other_channel", "other_app", "expired", "split_view", "package", "skip_a_root", "one_key_twice",
           "seed_files"]


def model(held, attack):
    """The expected results of `install` and `verify`: (verdict, whether the origin verifies)."""
    if "storage" not in held:
        return "unchanged", True
    production = {"production1", "production2"} <= held
    roots = len({"root1", "root2", "root3"} & held) >= 2
    succeeds = {"forge_production": production, "forge_beta": "beta" in held, "highest_sequence": production,
                "one_key_twice": production, "own_root": roots}
    if attack in succeeds:
        return ("evil", True) if succeeds[attack] else ("refused", False)
    # Only detected by a client that has seen a newer pointer, or another payload.
    if attack == "replay":
        return "refused", True
    if attack == "split_view":
        return "refused", production
    if attack == "seed_files":
        return "unchanged", False
    return "refused", False


def verdict(world, attempt):
    phone = attempt.place / ("fresh" if attempt.fresh else f"phone-{attempt.channel}")
    theirs = client.State() if attempt.fresh else copy.deepcopy(world.states[attempt.channel])
    other = world.decide(attempt.origin, attempt.channel, theirs, attempt.clock)
    result = run("install", attempt.origin, "--into", phone, "--channel", attempt.channel, "--trust",
                 world.place / "pin.json", "--json", now=attempt.clock)
    differs = "" if other == code(result) else f"client.py: '{other}', packtool: '{code(result)}'"
    state = phone / "state.json"
    version = json.loads(state.read_text()).get("current") if state.exists() else None
    if not differs and version != (theirs.installed and theirs.installed[:20]):
        differs = f"client.py has {theirs.installed}, packtool {version}"
    if result.returncode == 0:
        return ("evil" if version == world.bad["version"] else "unchanged"), differs, ""
    assert result.returncode == 1, result.stdout + result.stderr
    assert version in (None, world.good), "a refused run changed what is installed"
    return "refused", differs, code(result)


def main():
    parser = arguments(__doc__)
    parser.add_argument("--every", type=int, default=1, metavar="N")
    parser.add_argument("--only", metavar="ATTACK")
    options = parser.parse_args()
    cases = [(set(held), attack) for count in range(len(HOLDERS) + 1)
             for held in itertools.combinations(HOLDERS, count) for attack in ATTACKS]
    assert len(cases) == 1792
    wrong, counts, reasons = [], {}, collections.Counter()
    with tempfile.TemporaryDirectory(prefix="packtool-trust-") as name:
        world_place = pathlib.Path(name) / "world"
        world_place.mkdir()
        chosen = [c for c in cases if not options.only or c[1] == options.only][::options.every]
        try:
            world = World(world_place)
        except OwnerRefused as reason:
            wrong.append(f"the owner: {reason}")
            print("WRONG", wrong[-1], flush=True)
            chosen = []
        for held, attack in chosen:
            place = pathlib.Path(name) / "case"
            place.mkdir()
            attempt = Attempt(world, held, place)
            if "storage" in held:
                getattr(attempt, attack)()
            elif attack == "forge_beta":
                attempt.channel = "beta"
            found, differs, why = verdict(world, attempt)
            checked = run("verify", attempt.origin, "--trust", world.place / "pin.json", "--json")
            expected = model(held, attack)
            seen = (found, checked.returncode == 0)
            counts[found] = counts.get(found, 0) + 1
            reasons[why or "accepted"] += 1
            if seen != expected or differs:
                wrong.append(f"{attack} by {sorted(held)}: {seen} {why}, expected {expected}; {differs}\n"
                             f"{checked.stdout[:600]}")
                print("WRONG", wrong[-1], flush=True)
                if options.fail_fast:
                    break
            shutil.rmtree(place)
    print(f"compromise: {len(chosen)} cases, {counts}, client.py beside them {dict(reasons)}, "
          f"{len(wrong)} wrong")
    return status(wrong, options.json)


if __name__ == "__main__":
    sys.exit(main())
