#!/usr/bin/env python3
"""Random pointers and the release for each device: `install --trust`, `explain` and client.py agree.

client.py was written from docs/formats.md and shares no code with packtool. Half of the devices are chosen so
that their bucket is the last one of a share, or the first one outside it.
  selections.py [--cases N] [--seed N] [--fail-fast] [--json FILE]
"""
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
from agree import Releases
from conformance import Shop
from lab import NOW, arguments, code, run, status

ENTRY = ("version", "packageHash", "tree", "label", "launch", "info", "package", "deltas", "rollout",
         "rolloutSalt", "minNativeVersion", "maxNativeVersion", "platforms")
VERSIONS = ("2", "3", "3.0.0.0", "3.2", "3.4", "3.4.0", "3.4.9", "3.10", "3.10.0.1", "4", "999999999.1")
SALTS = (None, None, "", "ring-1", "é" * 32)


def share(dice):
    return dice.choice([0, 1, dice.randint(2, 98), dice.randint(2, 98), dice.randint(2, 98), 99, 100])


def native_range(dice):
    while True:
        lowest, highest = (dice.choice([None, None, *VERSIONS]) for _ in range(2))
        if not lowest or not highest or not client.is_above(
                client.native_version(lowest), client.native_version(highest)):
            return {"minNativeVersion": lowest, "maxNativeVersion": highest}


def entry(dice, releases):
    """One release with random conditions."""
    payload = dice.choice(releases.payloads)
    platforms = dice.choice([(), (), ("ios", "android"), ("android",), ("android", "later")])
    return {**{name: payload.get(name) for name in ENTRY}, "deltas": [], "rollout": share(dice),
            "rolloutSalt": dice.choice(SALTS), **native_range(dice),
            "platforms": {name: native_range(dice) for name in platforms} or None}


def at_the_edge(dice, one, channel):
    """A device whose bucket is the last in the entry's share, or the first outside it."""
    salt = client.salt(one)
    wanted = 100 * one["rollout"] - dice.randint(0, 1)
    number = dice.getrandbits(60)
    while client.bucket("shop", channel, salt, f"device-{number}") != wanted % 10_000:
        number += 1
    return f"device-{number}"


class Devices:
    """Initial installations: by the index of their release, None for a fresh device."""

    def __init__(self, releases, place):
        self.places, self.states = {None: None}, {None: client.State()}
        for number in range(len(releases.payloads)):
            here = place / f"device{number}"
            here.mkdir()
            shop = Shop(releases, here)
            shop.offer(1, release=number)
            shop.must_install()
            self.places[number], self.states[number] = shop.phone, shop.state


def witness(shop, state, device, native, platform, pointer):
    """The result of client.py: the code of a refusal, the installed release, and if it is offered."""
    try:
        value = client.decide(state, client.own_root(shop.pin.read_bytes()), NOW, "production", pointer,
                              lambda n: None)
        chosen = client.choose(value, native, device, state.installed, platform)
    except client.Refused as refusal:
        return str(refusal), state.installed, False
    if chosen is None:
        return "" if state.installed else "install.not-offered", state.installed, False
    return "", chosen["packageHash"], True


def said(result):
    """The result of `explain`: its verdict or error code, and the installed release afterwards."""
    value = json.loads(result.stdout)
    return value["verdict"] if "verdict" in value else code(result), value.get("version")


def one_case(dice, shop, devices, counts):
    """Returns the differences."""
    entries = [entry(dice, shop.releases) for _ in range(dice.randint(1, 4))]
    native = dice.choice([None, *VERSIONS])
    platform = dice.choice([None, *client.PLATFORMS])
    number = dice.choice([None, None, *range(len(shop.releases.payloads))])
    edges = [one for one in entries if 0 < one["rollout"] < 100]
    is_edge = bool(edges) and dice.random() < 0.6
    device = at_the_edge(dice, dice.choice(edges), "production") if is_edge else f"{dice.getrandbits(99):x}"
    switches = dice.choice([{}] * 12 + [{"enabled": False}, {"enabled": False, "bypass": True},
                                        {"enabled": False, "closed": True, "expires": None}])
    shop.offer(2, **entries[0], fallbacks=entries[1:], **switches)
    pointer = (shop.origin / "channels/production/pointer.json").read_bytes()
    before = devices.states[number]
    state = client.State(**vars(before))
    wanted, has, is_offered = witness(shop, state, device, native, platform, pointer)
    shutil.rmtree(shop.phone, ignore_errors=True)
    if number is not None:
        shutil.copytree(devices.places[number], shop.phone, symlinks=True)
    words = ["--device", device, *(["--native", native] if native else []),
             *(["--platform", platform] if platform else [])]
    # Before the install: `explain` changes nothing.
    told = run("explain", shop.origin, *words, "--trust", shop.pin, "--json",
               *(["--installed", before.installed[:20]] if before.installed else []))
    result = run("install", shop.origin, "--into", shop.phone, "--trust", shop.pin, *words, "--json")
    page = shop.phone / "current/index.html"
    found = shop.hashes[page.read_text()] if page.exists() else None
    counts["at an edge"] += is_edge
    counts[wanted or ("kept" if has == before.installed else "got a release")] += 1
    problems = []
    if code(result) != wanted or found != has:
        problems.append(f"install: '{code(result)}' and {found}, client.py: '{wanted}' and {has}")
    verdict, version = said(told)
    is_same = has == before.installed
    expected = ("refused" if wanted else "updates" if not is_same
                else "installed" if is_offered else "kept")
    if verdict != expected or verdict == "updates" and version != has[:20]:
        problems.append(f"explain: '{verdict}' {version}, client.py: '{expected}' {has}")
    return [f"{problem}\n  device {device}, native {native} {platform}, installed {before.installed}\n"
            + "".join(f"  {({k: one[k] for k in ENTRY[8:]} | {'release': one['packageHash'][:8]})}\n"
                      for one in entries) + f"  {switches}" for problem in problems]


def main():
    parser = arguments(__doc__)
    parser.add_argument("--cases", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    dice, wrong, counts = random.Random(options.seed), [], collections.Counter()
    with tempfile.TemporaryDirectory(prefix="packtool-selections-") as name:
        here = pathlib.Path(name)
        releases = Releases(here)
        devices = Devices(releases, here)
        place = here / "shop"
        place.mkdir()
        shop = Shop(releases, place)
        shop.hashes = {(here / f"build{n}/index.html").read_text(): p["packageHash"]
                       for n, p in enumerate(releases.payloads)}
        for number in range(options.cases):
            for problem in one_case(dice, shop, devices, counts):
                wrong.append(f"case {number} of seed {options.seed}: {problem}")
                print("WRONG", wrong[-1], flush=True)
            if wrong and options.fail_fast:
                break
    shown = ", ".join(f"{count} {what}" for what, count in sorted(counts.items()))
    print(f"selections: {options.cases} pointers ({shown}), {len(wrong)} wrong")
    return status(wrong, options.json)


if __name__ == "__main__":
    sys.exit(main())
