#!/usr/bin/env python3
"""Measures the cost of signatures in `install`: the same release, unsigned and signed; writes TRUST.md.

    trust.py [--runs N]        100 rounds by default; fewer write work/TRUST-partial.md

The commands run in turn (A B C A B C …), each as a process of its own, started by launch.py; once with all
files in memory, which shows the program's own cost, and once on disk, when an install with a root waits for
a few more writes. The origin is a directory, so a request costs next to nothing: over a network, an
install with a root requests the next root once a day. PACKTOOL is the measured binary (default
.build/release/packtool).
"""

import argparse
import datetime
import math
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import machine
import trees
from runner import BenchmarkError, Command, Results, Runner

HERE = Path(__file__).resolve().parent
BUILD = trees.REPOSITORY / "examples/storefront/dist/1.0.0"
FULL_RUNS = 100
GOAL = 10.0  # ms
CASES = ("unsigned", "signed", "signed, a newer root")
TOPICS = ("first install", "nothing new")
MEMORY = Path("/dev/shm")


def make_origins(packtool, work):
    """An unsigned and two signed origins of one release, and an installation of each."""
    def run(*words):
        subprocess.run([packtool, *map(str, words), "--quiet"], cwd=work, check=True,
                       env=os.environ | {"PACKTOOL_PASSPHRASE": "benchmark"})

    publish = ["--app", "shop", "--base-url", "https://cdn.example.com/shop", "--no-check"]
    run("publish", BUILD, "--to", "unsigned", *publish)
    run("keys", "init", "--app", "shop", "--dir", "keys")
    run("keys", "publish", "keys/1.root.json", "--to", "signed")
    run("publish", BUILD, "--to", "signed", *publish, "--sign-key", "keys/release.key")
    shutil.copytree(work / "signed", work / "newer")
    run("keys", "root", "keys/1.root.json", "-o", "2.root.json")
    run("keys", "sign", "2.root.json", "--sign-key", "keys/root.key")
    run("keys", "publish", "2.root.json", "--to", "newer")
    run("renew", "newer", "--sign-key", "keys/release.key")


def commands(packtool, work):
    """The commands of each topic."""
    trust = ["--trust", "keys/1.root.json"]
    cases = list(zip(CASES, ("unsigned", "signed", "newer"), ([], trust, trust)))
    found = {topic: [] for topic in TOPICS}
    for label, origin, more in cases:
        fresh, kept = work / f"fresh-{origin}", work / f"kept-{origin}"
        install = [packtool, "install", origin, "--into"]
        found["first install"].append(Command(
            label, [*install, fresh, *more], work,
            prepare=lambda fresh=fresh: shutil.rmtree(fresh, ignore_errors=True)))
        subprocess.run([*install, kept, *more, "--quiet"], cwd=work, check=True)
        # Later runs enforce the root without the flag.
        found["nothing new"].append(Command(label, [*install, kept], work))
    return found


def sync_time(work):
    """Milliseconds until a small file is on the disk, the median of 21."""
    times = []
    for _ in range(21):
        with open(work / "probe", "wb") as file:
            file.write(b"x")
            file.flush()
            begun = time.monotonic()
            os.fsync(file.fileno())
            times.append((time.monotonic() - begun) * 1000)
    return statistics.median(times)


def syncs(command, work):
    """How often a command waits for the disk; None without strace."""
    if not shutil.which("strace"):
        return None
    command.prepare()
    log = work / "strace"
    subprocess.run(["strace", "-f", "-qq", "-e", "trace=fsync,fdatasync,syncfs", "-o", log, *command.argv],
                   cwd=work, check=True, capture_output=True)
    return sum("sync" in line and "resumed" not in line for line in log.read_text().splitlines())


def measure(packtool, place, runs):
    """The results of one directory, and the time of a sync before and after them."""
    results = Results()
    with tempfile.TemporaryDirectory(dir=place) as name:
        work = Path(name)
        make_origins(packtool, work)
        runner, before = Runner(work, results, timeout=60), sync_time(work)
        found = commands(packtool, work)
        for topic, alternatives in found.items():
            runner.interleave(topic, "install", alternatives, runs, method="spawn")
        counts = [syncs(command, work) for command in found["first install"]]
        return results, (before + sync_time(work)) / 2, counts


def table(results):
    """The rows of one directory, and for each signed case the interval that ends highest."""
    lines = [
        "| install | origin | median | minimum | CPU | more than unsigned: median | minimum | CPU "
        "| rounds: median | 95 % interval |",
        "|---|---|---|---|---|---|---|---|---|---|",
    ]
    worst = {}
    for topic in TOPICS:
        base = results.get(topic, "install", CASES[0])
        for label in CASES:
            samples = results.get(topic, "install", label)
            own, other = figures(samples), figures(base)
            row = f"| {topic} | {label} | " + " | ".join(f"{value:.1f}" for value in own)
            if label == CASES[0]:
                lines.append(row + " | | | | | |")
                continue
            rounds = [(s.wall - b.wall) * 1000 for s, b in zip(samples, base)]
            low, middle, high = interval(rounds)
            more = " | ".join(f"{a - b:+.1f}" for a, b in zip(own, other))
            lines.append(f"{row} | {more} | {middle:+.1f} | {low:+.1f} to {high:+.1f} |")
            worst[label] = max(worst.get(label, (low, middle, high)), (low, middle, high), key=lambda i: i[2])
    return lines, worst


def interval(values):
    """The median, and between which values that of more rounds would be, with 95 % confidence."""
    values, half = sorted(values), 0.98 * len(values) ** 0.5
    low, high = math.floor(len(values) / 2 - half), math.ceil(len(values) / 2 + half)
    return values[max(0, low)], statistics.median(values), values[min(len(values) - 1, high)]


def figures(samples):
    """Milliseconds: median and minimum of the wall clock, median of the CPU time."""
    wall = [s.wall * 1000 for s in samples]
    return statistics.median(wall), min(wall), statistics.median(s.cpu * 1000 for s in samples)


def judged(worst):
    signed, newer = (worst[label] for label in CASES[1:])
    verdict = ("met" if signed[2] <= GOAL else "not met" if signed[0] > GOAL
               else "met or not: the machine was too busy to say")
    return (f"{verdict}. With a root, `install` takes {signed[1]:+.1f} ms more ({signed[0]:+.1f} to "
            f"{signed[2]:+.1f}), and {newer[1]:+.1f} ms ({newer[0]:+.1f} to {newer[2]:+.1f}) where it also "
            "fetches a newer root")


def main():
    parser = argparse.ArgumentParser(description="Measures what install pays for signatures.")
    parser.add_argument("--runs", type=int, default=FULL_RUNS, help=f"rounds (default {FULL_RUNS})")
    runs = parser.parse_args().runs
    packtool = Path(os.environ.get("PACKTOOL") or trees.REPOSITORY / ".build/release/packtool").absolute()
    lines = [
        "# What install pays for signatures",
        "",
        "Written by `python3 Benchmarks/trust.py`; do not edit.",
        f"The goal: `install` with a trust root costs at most {GOAL:.0f} ms more than without one.",
        "",
        f"Measured on {datetime.date.today()} at commit {machine.commit()}; "
        + "; ".join(f"{key} {value}" for key, value in machine.describe().items()) + ".",
        f"{runs} rounds; in each, the three commands of a topic run one after the other.",
        "Milliseconds of whole processes, start included, with a warm page cache.",
        "*rounds* is about the differences within each round: their median, and the interval in which that "
        "of many more rounds would be.",
        "The verdict goes by the interval that ends highest.",
    ]
    if os.sched_getscheduler(0) != os.SCHED_OTHER:
        lines.append("The processes ran with a real-time priority, because the machine was busy.")
    (HERE / "work").mkdir(exist_ok=True)
    for title, place in (("In memory", MEMORY), ("On disk", HERE / "work")):
        if not place.is_dir():
            continue
        try:
            results, sync, counts = measure(packtool, place, runs)
        except (BenchmarkError, subprocess.CalledProcessError) as error:
            sys.exit(f"error: {error}")
        rows, worst = table(results)
        lines += ["", f"## {title}", "", f"The goal is {judged(worst)}.", "", *rows]
        if place != MEMORY:
            lines += ["", f"The files are on {machine.file_system(place)}; a small file took {sync:.1f} ms "
                          "to be on the disk (`fsync`, median, before and after the runs)."]
            if None not in counts:
                lines += [f"A first install waits for the disk {counts[0]} times unsigned, {counts[1]} times "
                          f"signed, and {counts[2]} times with a newer root: what a device trusts is stored "
                          "durably before it acts on it."]
        print(f"{title}: {judged(worst)}")
    lines += [
        "",
        "## The rows",
        "",
        "* *signed*: the origin has one root, and the installation gets it with `--trust`. In *nothing new*, "
        "it enforces the root that it has stored.",
        "* *signed, a newer root*: the first install is given root 1, and fetches root 2, verifies it and "
        "stores it before it continues. In *nothing new* it has root 2 already.",
        "* Both make the same requests, except for roots.",
    ]
    place = HERE / ("TRUST.md" if runs >= FULL_RUNS else "work/TRUST-partial.md")
    place.write_text("\n".join(lines) + "\n")
    print(place)


if __name__ == "__main__":
    main()
