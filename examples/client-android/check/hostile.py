#!/usr/bin/env python3
"""Mutated pointers, manifests, packages and deltas: nothing is written elsewhere, nothing crashes.

Whether a mutant is refused is compared with packtool.
    hostile.py CLASSES WORK [--seed N] [--count N]
"""

import argparse
import copy as copies
import hashlib
import json
import os
import pathlib
import random
import shutil
import sys
import warnings
import zipfile

import support
from support import packtool

CLOCK, NOW = 1_795_248_000, "2026-11-21T08:00:00Z"
VALUES = [
    None,
    True,
    0,
    -1,
    1.5,
    2**53,
    "",
    "x",
    "../x",
    "/etc",
    "é" * 300,
    [],
    {},
    [1],
    {"a": 1},
    "2026-13-01T00:00:00Z",
    "0" * 64,
    "9" * 20,
    "1.2.3.4.5",
    "a\u0000b",
    10**30,
]


def mutated_json(dice, value):
    """One change somewhere in a document."""
    value = copies.deepcopy(value)
    place = value
    while True:
        if isinstance(place, dict) and place:
            key = dice.choice(list(place))
        elif isinstance(place, list) and place:
            key = dice.randrange(len(place))
        else:
            return value
        if isinstance(place[key], (dict, list)) and place[key] and dice.random() < 0.7:
            place = place[key]
            continue
        kind = dice.choice(["replace", "replace", "delete", "swap", "add"])
        if kind == "replace":
            place[key] = dice.choice(VALUES)
        elif kind == "delete":
            del place[key]
        elif kind == "swap" and isinstance(place[key], int):
            place[key] += dice.choice([-1, 1, 1000])
        elif isinstance(place, dict):
            place[dice.choice(["unknown", "launch", "bypass", "closed"])] = dice.choice(VALUES)
        return value


def mutated_bytes(dice, data):
    data = bytearray(data)
    for _ in range(dice.choice([1, 1, 2, 5])):
        kind = dice.choice(["flip", "flip", "flip", "cut", "insert", "end"])
        at = dice.randrange(len(data))
        if kind == "flip":
            data[at] ^= 1 << dice.randrange(8)
        elif kind == "end":
            data[-1 - dice.randrange(min(len(data), 200))] = dice.randrange(256)
        elif kind == "cut":
            del data[at : at + dice.choice([1, 4, 100])]
        else:
            data[at:at] = bytes(dice.randrange(256) for _ in range(dice.choice([1, 4, 30])))
    return bytes(data) or b"x"


def delta_members(dice, data, work):
    """The delta with one member changed, in an intact zip."""
    source = work / "delta.zip"
    source.write_bytes(data)
    members = {}
    with zipfile.ZipFile(source) as archive:
        for name in archive.namelist():
            members[name] = archive.read(name)
    name = dice.choice(list(members))
    if name == "delta.json" and dice.random() < 0.7:
        members[name] = json.dumps(mutated_json(dice, json.loads(members[name]))).encode()
    elif members[name]:
        members[name] = mutated_bytes(dice, members[name])
    with zipfile.ZipFile(source, "w") as archive:
        for name, content in members.items():
            info = zipfile.ZipInfo(name)
            info.external_attr = 0o100644 << 16
            info.create_system = 3
            archive.writestr(
                info, content, zipfile.ZIP_DEFLATED if dice.random() < 0.5 else zipfile.ZIP_STORED
            )
    return source.read_bytes()


def hostile_zip(dice, data, work):
    """A package with a hostile name, or an entry too many."""
    source = work / "package.zip"
    source.write_bytes(data)
    with zipfile.ZipFile(source, "a") as archive:
        name = dice.choice(
            [
                "../out",
                "/abs",
                "a/../../out",
                "A" * 300,
                "index.html",
                "INDEX.HTML",
                "con",
                "x\\y",
                "a:b",
                "index.html/x",
                ".DS_Store",
                "ok.txt",
                "link",
            ]
        )
        info = zipfile.ZipInfo(name)
        info.create_system = 3
        info.external_attr = (0o120777 if name == "link" else 0o100644) << 16
        archive.writestr(info, b"../../out" if name == "link" else b"out")
    return source.read_bytes()


def run(tally, client, work, name, origin, start, counts):
    """Both clients, from the same directory; the rest of the disk must stay as it is."""
    answers = []
    for kind in ("one", "other"):
        at = support.copy(start, work / "devices" / kind)
        if kind == "one":
            answers.append(
                packtool("install", origin, "--into", at, "--device", "d", clock=CLOCK, check=False)
            )
        else:
            answers.append(client("install", origin=origin, into=at, device="d", now=NOW))
    expected, found = map(support.compared, answers)
    tally.same(f"{name}: refused", "refused" in expected, "refused" in found)
    tally.true(
        f"{name}: nothing else was written",
        sorted(path.name for path in (work / "devices").iterdir())
        in (["one", "other"], ["one"], ["other"], []),
    )
    if "refused" in expected and "refused" in found:
        counts["same code" if expected == found else "other code"] += 1
    elif "refused" not in expected:
        tally.same(f"{name}: installed", expected, found)
        one, other = (support.snapshot(work / "devices" / kind) for kind in ("one", "other"))
        tally.same(f"{name}: files", one, other)


def archives(tally, client):
    """Odd archives of others, if they are there: the same ones are refused."""
    shared = pathlib.Path(os.environ.get("PACKTOOL_SHARED", support.HERE.parents[3] / "shared"))
    for file in sorted((shared / "oracles/zips").glob("*.zip")):
        expected, found = packtool("hash", file, check=False), client("zip", file)
        tally.same(file.name, "error" in expected, "refused" in found)


def hostile(tally, client, work, dice, count):
    from scenarios import releases

    origin, _, last = releases(work)
    second, first = last, support.payload(origin / "channels/production/log/4.json")
    support.put(origin, first)
    installed = work / "installed"
    packtool("install", origin, "--into", installed, "--device", "d", clock=CLOCK)
    package = origin / "releases" / second["version"] / "package.zip"
    one = next(one for one in second["deltas"] if one["from"] == first["version"])
    delta = origin / "releases" / second["version"] / f"delta-{one['from']}.zip"
    intact = {path: path.read_bytes() for path in (package, delta)}
    info = origin / "releases" / second["version"] / "info.json"
    intact[info] = info.read_bytes()
    counts = {"same code": 0, "other code": 0}
    for number in range(count):
        for path, data in intact.items():
            path.write_bytes(data)
        pointer, start = copies.deepcopy(second), installed
        limits = {"minNativeVersion": None, "maxNativeVersion": None}
        pointer["platforms"] = {"ios": limits, "android": dict(limits)}
        kind = dice.choice(["pointer", "envelope", "package", "names", "delta", "members", "members", "info"])
        if kind == "pointer":
            pointer = mutated_json(dice, pointer)
        elif kind in ("package", "names"):
            start = None
            data = (
                mutated_bytes(dice, intact[package])
                if kind == "package"
                else hostile_zip(dice, intact[package], work)
            )
            package.write_bytes(data)
            pointer["package"].update(sha256=hashlib.sha256(data).hexdigest(), size=len(data))
            if kind == "names" and dice.random() < 0.7:
                pointer["tree"]["assets"] += 1
                pointer["tree"]["size"] += 3
        elif kind in ("delta", "members"):
            data = (
                mutated_bytes(dice, intact[delta])
                if kind == "delta"
                else delta_members(dice, intact[delta], work)
            )
            delta.write_bytes(data)
            for other in pointer["deltas"]:
                if other["from"] == first["version"]:
                    other.update(sha256=hashlib.sha256(data).hexdigest(), size=len(data))
        elif kind == "info":
            pointer["deltas"] = []
            document = mutated_json(dice, json.loads(intact[info]))
            data = json.dumps(document).encode()
            info.write_bytes(data)
            pointer["info"].update(sha256=hashlib.sha256(data).hexdigest(), size=len(data))
            pointer["package"]["size"] = 20 * len(data) if dice.random() < 0.5 else pointer["package"]["size"]
        support.put(origin, pointer)
        if kind == "envelope":
            file = origin / "channels/production/pointer.json"
            file.write_bytes(mutated_bytes(dice, file.read_bytes()))
            (origin / f"channels/production/log/{second['sequence']}.json").write_bytes(file.read_bytes())
        run(tally, client, work, f"mutant {number}, {kind}", origin, start, counts)
    print(f"refusals: {counts}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("classes")
    parser.add_argument("work", type=pathlib.Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=60)
    arguments = parser.parse_args()
    shutil.rmtree(arguments.work, ignore_errors=True)
    (arguments.work / "devices").mkdir(parents=True)
    # A name twice in an archive is one of the attacks.
    warnings.filterwarnings("ignore", "Duplicate name")
    dice, tally, client = random.Random(arguments.seed), support.Tally(), support.Client(arguments.classes)
    archives(tally, client)
    hostile(tally, client, arguments.work, dice, arguments.count)
    client.close()
    print(f"{tally.count} checks of hostile files, {tally.wrong} differences")
    sys.exit(1 if tally.wrong else 0)


if __name__ == "__main__":
    main()
