#!/usr/bin/env python3
"""Kills the client of the JVM within updates: the old or the new release is whole, and packtool continues.

crash.py CLASSES WORK [--seed N] [--count N]
"""

import argparse
import json
import os
import pathlib
import random
import subprocess
import sys
import time

import support
from support import packtool


def whole(tally, name, directory, trees):
    """The state names only trees that are there and have their files."""
    file = directory / "state.json"
    if not file.exists():
        return
    value = json.loads(file.read_bytes())
    for tree in value["trees"]:
        at = directory / "versions" / tree["version"]
        tally.true(f"{name}: {tree['version']} is whole", support.hashes(at) == trees[tree["version"]])


def crash(tally, classes, work, dice, count):
    origin, trees = work / "cdn", {}
    pointers = []
    for number in range(3):
        files = {f"f{n % 40}/{n}.js": f"{n} {number if n % 9 == 0 else ''} " * 200 for n in range(400)}
        files["index.html"] = str(number)
        dist = support.build(work / f"dist{number}", files)
        version = support.publish(origin, dist, str(number))["version"]
        trees[version] = support.hashes(dist)
        pointers.append((origin / "channels/production/pointer.json").read_bytes())
    pointer = origin / "channels/production/pointer.json"
    kills = 0
    for number in range(count):
        at = support.copy(None, work / "phone")
        for step, data in enumerate(pointers):
            pointer.write_bytes(data)
            command = [
                "java",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                classes,
                "packtool.client.Harness",
                "install",
                "origin",
                str(origin),
                "into",
                str(at),
                "device",
                "d",
            ]
            process = subprocess.Popen(
                command, stdout=subprocess.DEVNULL, env=dict(os.environ, LC_ALL="C.UTF-8")
            )
            try:
                process.wait(dice.choice([dice.uniform(0.2, 1), dice.uniform(0.5, 3)]))
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
                kills += 1
            name = f"kill {number}.{step}"
            whole(tally, name, at, trees)
        # packtool continues what the other client left.
        answer = packtool("install", origin, "--into", at, "--device", "d")
        tally.true(f"{name}: packtool continues", answer["outcome"] in ("installed", "updated", "unchanged"))
        whole(tally, name, at, trees)
        left = {path.name for path in at.iterdir()}
        tally.true(
            f"{name}: nothing is left over",
            left <= {".lock", ".state.lock", "current", "state.json", "versions"},
        )
        versions = {path.name for path in (at / "versions").iterdir()}
        tally.true(
            f"{name}: no other trees", versions == {tree["version"] for tree in support.state(at)["trees"]}
        )
    print(f"{kills} kills")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("classes")
    parser.add_argument("work", type=pathlib.Path)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--count", type=int, default=2)
    arguments = parser.parse_args()
    tally = support.Tally()
    arguments.work.mkdir(parents=True, exist_ok=True)
    crash(tally, arguments.classes, arguments.work, random.Random(arguments.seed), arguments.count)
    print(f"{tally.count} checks after kills, {tally.wrong} wrong")
    sys.exit(1 if tally.wrong else 0)


if __name__ == "__main__":
    main()
