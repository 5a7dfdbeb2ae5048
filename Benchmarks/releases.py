#!/usr/bin/env python3
"""Measures the cost of commands on a bucket with many releases; writes RELEASES.md.

    releases.py [--releases 10,50,200] [--milliseconds 30] [--output FILE]

The bucket is the strict store of Tests/Rigs/Remote in memory, which makes each answer wait. PACKTOOL is the
measured binary (default .build/release/packtool); PACKTOOL_BEFORE one to compare it with.
"""

import argparse
import asyncio
import datetime
import os
import sys
import tempfile
import time
from pathlib import Path

import machine
import trees

sys.path.insert(0, str(trees.REPOSITORY / "Tests/Rigs/Remote"))
from bucket import Bucket
from s3 import environment

HERE = Path(__file__).resolve().parent
PLACE = "s3://shop/app"


def commands():
    """The timed commands, in this order, with their names."""
    publish = ["publish", "dist", "--to", PLACE, "--app", "shop",
               "--base-url", "https://cdn.example.com/shop", "--no-check", "--quiet"]
    return [
        ("a new release", [*publish, "--label", "new"]),
        ("nothing new", [*publish, "--label", "new"]),
        ("`rollback`", ["rollback", PLACE, "--quiet"]),
        ("`status`", ["status", PLACE]),
        ("`history --limit 0`", ["history", PLACE, "--limit", "0"]),
        ("`prune`, the plan", ["prune", PLACE]),
        ("`verify`", ["verify", PLACE, "--quiet"]),
    ]


class Shop:
    """A build that changes, and a bucket that it is published to."""

    def __init__(self, folder, bucket, packtool):
        self.folder, self.bucket, self.packtool = folder, bucket, packtool
        (folder / "dist").mkdir()

    def change(self, number):
        (self.folder / "dist/index.html").write_text(f"<!doctype html><title>{number}</title>\n")

    async def run(self, *words):
        """Runs packtool; returns seconds and requests."""
        begun, asked = time.monotonic(), len(self.bucket.log)
        process = await asyncio.create_subprocess_exec(
            self.packtool, *words, cwd=self.folder, stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
            env=environment(self.bucket, PACKTOOL_HTTP_TIMEOUT="60", PACKTOOL_JOBS="2"))
        text, _ = await process.communicate()
        if process.returncode:
            sys.exit(f"packtool {' '.join(words)}: exit code {process.returncode}: {text.decode()}")
        return time.monotonic() - begun, len(self.bucket.log) - asked


async def measure(packtool, releases, delay):
    """Seconds and requests of each command after some releases."""
    with tempfile.TemporaryDirectory() as folder:
        async with Bucket() as bucket:
            shop = Shop(Path(folder), bucket, packtool)
            for number in range(1, releases + 1):
                shop.change(number)
                await shop.run(*commands()[0][1][:-1], str(number), "--deltas", "1")
            shop.change("new")
            bucket.delay = delay
            return [await shop.run(*words) for _, words in commands()]


def table(title, sizes, found):
    heads = " | ".join(f"{size} releases | requests" for size in sizes)
    lines = [f"## {title}", "", f"| | {heads} |", "|---" * (1 + 2 * len(sizes)) + "|"]
    for row, (name, _) in enumerate(commands()):
        cells = [f"{found[size][row][0]:.2f} s | {found[size][row][1]}" for size in sizes]
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    return [*lines, ""]


async def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--releases", default="10,50,200")
    parser.add_argument("--milliseconds", type=int, default=30, help="that each answer takes")
    parser.add_argument("--output", type=Path, default=HERE / "RELEASES.md")
    given = parser.parse_args()
    sizes = [int(size) for size in given.releases.split(",")]
    built = str(trees.REPOSITORY / ".build/release/packtool")
    tools = [("packtool", os.environ.get("PACKTOOL", built))]
    if before := os.environ.get("PACKTOOL_BEFORE"):
        tools.append(("Before", before))
    lines = ["# A bucket with many releases", "",
             "Written by `python3 Benchmarks/releases.py`; do not edit.",
             f"Each answer of the store takes {given.milliseconds} ms, none of the releases was pruned, and "
             "each is of one small page: what is measured is how many requests follow each other.", "",
             f"Measured on {datetime.date.today()} at commit {machine.commit()}; "
             + "; ".join(f"{key} {value}" for key, value in machine.describe().items()) + ".", ""]
    for title, packtool in tools:
        found = {size: await measure(packtool, size, given.milliseconds / 1000) for size in sizes}
        lines += table(title, sizes, found)
    given.output.write_text("\n".join(lines).rstrip() + "\n")


asyncio.run(main())
