#!/usr/bin/env python3
"""Random states and pointers, of which packtool and the client of the JVM must make the same.

scenarios.py CLASSES WORK [--seed N] [--count N]
"""

import argparse
import copy as copies
import json
import pathlib
import random
import shutil
import sys

import support
from support import packtool

PLATFORMS = [None, "ios", "android"]
NATIVE = [None, "1.0", "2.3", "2.3.0", "3.2.1", "3.10"]
CLOCK = 1_795_248_000


def releases(work):
    """An origin with five releases, and their entries."""
    origin, entries = work / "cdn", []
    # Varied, so that a delta is smaller than the package and some files stay.
    for number in range(5):
        files = {
            "index.html": f"<script src=app.js></script>{number}",
            "empty.txt": "",
            "data/a.json": json.dumps(list(range(400))),
        }
        # Their order as UTF-8 is not that of UTF-16.
        files.update({"données/é.txt": "é", "\uffee.txt": "a", "\U0001f600 +&.txt": str(number)})
        noise = random.Random(7)
        words = ["".join(noise.choice("abcdefghijklmnop") for _ in range(7)) for _ in range(3000)]
        words[number * 11] = f"changed{number}"
        files["app.js"] = ";".join(words)
        files[f"assets/chunk.{number:04x}.js"] = ";".join(words[:800])
        dist = support.build(work / f"dist{number}", files)
        support.publish(origin, dist, f"1.{number}")
        pointer = support.payload(origin / "channels/production/pointer.json")
        names = [
            "version",
            "packageHash",
            "tree",
            "label",
            "launch",
            "info",
            "package",
            "deltas",
            "rollout",
            "rolloutSalt",
            "minNativeVersion",
            "maxNativeVersion",
            "platforms",
        ]
        entries.append({name: pointer.get(name) for name in names})
    return origin, entries, pointer


def embedded_releases(work, origin):
    """Two releases for apps, with the sequences 9 and 12."""
    pointer = support.payload(origin / "channels/production/pointer.json")
    bundles = []
    for sequence, log in ((9, 2), (12, 5)):
        value = dict(
            support.payload(origin / f"channels/production/log/{log}.json"), sequence=sequence, previous=None
        )
        support.put(origin, value)
        bundles.append(work / f"bundle{sequence}")
        packtool("embed", origin, "-o", bundles[-1], "--no-pin")
    support.put(origin, pointer)
    return bundles


def folding(tally, client):
    """Case folding of all letters, as far as the Unicode versions of Python and Java agree."""
    import unicodedata

    for point in range(0x80, 0x20000):
        letter = chr(point)
        if 0xD800 <= point < 0xE000 or letter.casefold() == letter or unicodedata.category(letter) == "Cn":
            continue
        expected = unicodedata.normalize("NFC", letter.casefold())
        found = client("fold", letter)
        if found["isKnown"]:
            tally.same(f"folded U+{point:04X}", expected, found["folded"])


def random_range(dice):
    low, high = dice.choice([(None, None)] * 4 + [("2", None), (None, "3"), ("2.3", "3.2"), ("3.3", None)])
    return {"minNativeVersion": low, "maxNativeVersion": high}


def random_pointer(dice, entries, last, sequence, channel):
    pointer = copies.deepcopy(last)
    pointer.update(copies.deepcopy(dice.choice(entries)))
    pointer.update(sequence=sequence, channel=channel, previous=None, root=None)
    pointer["fallbacks"] = [copies.deepcopy(dice.choice(entries)) for _ in range(dice.choice([0, 0, 1, 2]))]
    for entry in [pointer, *pointer["fallbacks"]]:
        entry["rollout"] = dice.choice([100, 100, 100, 0, 5, 50, 95])
        entry["rolloutSalt"] = dice.choice([None, "ring", "ring-1"])
        entry.update(random_range(dice))
        names = dice.choice([[], [], ["ios", "android"], ["ios", "android", "later"], ["android"]])
        entry["platforms"] = {name: random_range(dice) for name in names} or dice.choice([None, {}])
    pointer["enabled"] = dice.random() < 0.9
    pointer["bypass"] = dice.random() < 0.08
    pointer["expires"] = dice.choice([None, None, None, "2026-11-21T07:59:59Z", "2026-11-21T08:00:01Z"])
    pointer["mandatory"] = dice.random() < 0.2
    pointer["mandatorySequence"] = dice.choice([None, None, 1, sequence])
    if dice.random() < 0.06:
        pointer.update(closed=True, enabled=False, expires=None)
    return pointer


def installs(tally, client, work, dice, count):
    """Histories of runs on one device: after each run, both directories must be equal."""
    origin, entries, last = releases(work)
    shutil.copytree(origin, work / "plain")
    bundles = embedded_releases(work, origin)
    for number in range(count):
        one, other = work / "one", work / "other"
        support.copy(None, one)
        support.copy(None, other)
        platform = dice.choice(PLATFORMS)
        sequence, device, bundle = 10, f"device-{number}", dice.choice([None, *bundles])
        for step in range(dice.choice([1, 2, 3, 4])):
            channel = dice.choice(["production", "production", "production", "beta"])
            sequence += dice.choice([0, 1, 1, 1, 2, -1])
            pointer = random_pointer(dice, entries, last, sequence, channel)
            support.put(origin, pointer, channel)
            native = dice.choice(NATIVE)
            bundle = dice.choice([bundle, bundle, bundle, dice.choice(bundles)])
            arguments = ["install", origin, "--device", device, "--channel", channel]
            arguments += ["--embedded", bundle] if bundle else []
            if native is not None:
                arguments += ["--native", native]
            if platform is not None:
                arguments += ["--platform", platform]
            expected = packtool(*arguments, "--into", one, clock=CLOCK, check=False)
            found = client(
                "install",
                origin=origin,
                device=device,
                channel=channel,
                native=native,
                platform=platform,
                into=other,
                embedded=bundle,
                now="2026-11-21T08:00:00Z",
            )
            name = f"history {number}.{step}"
            tally.same(name, support.compared(expected), support.compared(found))
            tally.same(
                f"{name}, files",
                support.snapshot(one) if one.exists() else None,
                support.snapshot(other) if other.exists() else None,
            )
            act(tally, client, dice, name, one, other, native, bundle)


def act(tally, client, dice, name, one, other, native, bundle):
    """What happens between two runs: a start, readiness, damage, or the clients change places."""
    if not (one / "state.json").exists() or not (other / "state.json").exists():
        return
    arguments = ["explain", "--start", one] + (["--native", native] if native is not None else [])
    arguments += ["--embedded", bundle] if bundle else []
    expected = packtool(*arguments, clock=CLOCK, check=False)
    found = client("preview", into=other, native=native, embedded=bundle, now="2026-11-21T08:00:00Z")
    names = ("starts", "version", "mustUpdate")
    tally.same(f"{name}, start", {n: expected.get(n) for n in names}, {n: found.get(n) for n in names})
    kind = dice.choice(["start", "ready", "nothing", "exchange", "damage"])
    if kind == "start":
        # packtool has no command for it, so the JVM's state goes to both.
        client("start", into=other, native=native, embedded=bundle, now="2026-11-21T08:00:00Z")
        support.copy(other, one)
    elif kind == "ready" and expected["starts"] == "tree":
        packtool("install", "--ready", "--into", one)
        client("ready", other)
        tally.same(f"{name}, ready", support.state(one), support.state(other))
    elif kind == "exchange":
        middle = one.parent / "middle"
        support.copy(one, middle)
        support.copy(other, one)
        support.copy(middle, other)
    elif kind == "damage" and expected["starts"] == "tree":
        for directory in (one, other):
            file = directory / "versions" / expected["version"] / "index.html"
            file.chmod(0o644)
            file.write_text("damaged")


def two_steps(tally, client, work):
    """Devices two and three releases behind: two deltas in a row, found through the log."""
    origin = work / "steps"
    pointer = origin / "channels/production/pointer.json"
    noise = random.Random(5)
    words = ["".join(noise.choice("abcdefghijklmnop") for _ in range(9)) for _ in range(9000)]
    pointers = []
    for number in range(4):
        words[number * 7] = f"changed{number}"
        dist = support.build(work / f"step{number}", {"index.html": "x", "app.js": ";".join(words)})
        support.publish(origin, dist, f"2.{number}", "--deltas", "1")
        pointers.append(pointer.read_bytes())
    for behind in (1, 2, 3):
        one, other = support.copy(None, work / "one"), support.copy(None, work / "other")
        for data in (pointers[3 - behind], pointers[3]):
            pointer.write_bytes(data)
            expected = packtool("install", origin, "--device", "d", "--into", one, clock=CLOCK)
            found = client("install", origin=origin, device="d", into=other, now="2026-11-21T08:00:00Z")
        name = f"{behind} releases behind"
        tally.same(name, support.compared(expected), support.compared(found))
        tally.same(f"{name}, files", support.snapshot(one), support.snapshot(other))
        tally.same(f"{name}, route", "package" if behind == 3 else "delta", found["route"])


def starts(tally, client, work, dice, count):
    """Random states: what starts, by packtool's preview, and what is stored, by the model."""
    sys.path.insert(0, str(support.HERE.parents[2] / "Tests/Support/Python"))
    import start_model

    versions = [f"{number:020x}" for number in range(1, 6)]
    for number in range(count):
        directory = support.copy(None, work / "start")
        trees = []
        for version in dice.sample(versions, dice.choice([1, 2, 3])):
            confirmed = dice.random() < 0.4
            low, high = dice.choice([(None, None)] * 3 + [("2", None), (None, "3"), ("2.3", "3.2")])
            tree = {
                "version": version,
                "packageHash": version + "0" * 44,
                "channel": dice.choice(["production", "production", "beta"]),
                "sequence": dice.randrange(1, 5),
                "route": "package",
                "installedAt": "2026-11-21T08:00:00Z",
                "confirmed": confirmed,
                "attempts": 0 if confirmed else dice.choice([0, 1, 2]),
                "minNativeVersion": low,
                "maxNativeVersion": high,
            }
            if dice.random() < 0.3:
                tree["epoch"] = dice.choice([1, 2])
            if dice.random() < 0.3:
                tree["launch"] = dice.choice(["index.html", "missing.html"])
            trees.append({key: value for key, value in tree.items() if value is not None})
            support.build(directory / "versions" / version, {"index.html": "x"})
        last = dice.choice(NATIVE)
        channel = {
            "channel": "production",
            "sequence": 7,
            "payloadHash": "0" * 64,
            "enabled": True,
            "bypass": dice.random() < 0.1,
            "mandatorySequence": dice.choice([1, 4, 6]),
            "offered": dice.choice(versions),
        }
        value = {
            "schema": 2,
            "kind": "packtool-installation",
            "app": "shop",
            "channel": "production",
            "device": "x",
            "channels": [channel],
            "trees": trees,
            "failed": dice.sample(versions, dice.choice([0, 0, 1, 2])),
            "nativeVersion": last,
        }
        value = {key: one for key, one in value.items() if one is not None}
        (directory / "state.json").write_text(json.dumps(value))
        (directory / ".lock").write_text("packtool installation\n")
        native = dice.choice([last, dice.choice(NATIVE)])
        arguments = ["explain", "--start", directory] + (["--native", native] if native is not None else [])
        expected = packtool(*arguments, clock=CLOCK, check=False)
        found = client("preview", into=directory, native=native, now="2026-11-21T08:00:00Z")
        names = ("starts", "version", "mustUpdate", "launch")
        tally.same(f"start {number}", {n: expected.get(n) for n in names}, {n: found.get(n) for n in names})
        case = {
            "native": native,
            "lastNative": last,
            "bypass": channel["bypass"],
            "embedded": None,
            "failed": list(value["failed"]),
            "trees": [
                {
                    "version": tree["version"],
                    "onChannel": tree["channel"] == "production",
                    "epoch": tree.get("epoch", 0),
                    "sequence": tree["sequence"],
                    "min": tree.get("minNativeVersion"),
                    "max": tree.get("maxNativeVersion"),
                    "confirmed": tree["confirmed"],
                    "attempts": tree["attempts"],
                }
                for tree in trees
                if tree.get("launch") != "missing.html"
            ],
        }
        runs = start_model.start(case)
        client("start", into=directory, native=native, now="2026-11-21T08:00:00Z")
        stored = json.loads((directory / "state.json").read_bytes())
        model = {
            "runs": runs if runs not in ("web", "nothing") else None,
            "failed": sorted(case["failed"]),
            "attempts": {tree["version"]: tree["attempts"] for tree in case["trees"]},
            "native": case["lastNative"],
        }
        tally.same(
            f"start {number}, stored",
            model,
            {
                "runs": stored.get("started"),
                "failed": sorted(stored["failed"]),
                "attempts": {tree["version"]: tree["attempts"] for tree in stored["trees"]},
                "native": stored.get("nativeVersion"),
            },
        )


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("classes")
    parser.add_argument("work", type=pathlib.Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=40)
    arguments = parser.parse_args()
    arguments.work.mkdir(parents=True, exist_ok=True)
    dice, tally, client = random.Random(arguments.seed), support.Tally(), support.Client(arguments.classes)
    folding(tally, client)
    installs(tally, client, arguments.work, dice, arguments.count)
    two_steps(tally, client, arguments.work)
    starts(tally, client, arguments.work, dice, arguments.count)
    client.close()
    print(f"{tally.count} comparisons of histories and starts, {tally.wrong} differences")
    sys.exit(1 if tally.wrong else 0)


if __name__ == "__main__":
    main()
