#!/usr/bin/env python3
"""Measures publishes of a large build of which little or nothing changed; writes UNCHANGED.md.

    unchanged.py [--files 100000] [--output FILE]

PACKTOOL is the measured binary (default .build/release/packtool); PACKTOOL_BEFORE one to compare it with.
Everything is in memory (/dev/shm): what is measured is the work of the processor.
"""

import argparse
import datetime
import os
import random
import subprocess
import tempfile
import time
from pathlib import Path

import machine
import trees

HERE = Path(__file__).resolve().parent
ENDINGS = ("js", "css", "svg", "png")


def make(root, count):
    """Writes small files of random words, 500 to a directory."""
    noise = random.Random(47)
    words = ["".join(noise.choices("abcdefghijklmnopqrstuvwxyz", k=noise.randrange(3, 9)))
             for _ in range(500)]
    for index in range(count):
        folder = root / f"d{index // 500:03}"
        folder.mkdir(parents=True, exist_ok=True)
        text = " ".join(noise.choices(words, k=100))
        (folder / f"file-{index}.{ENDINGS[index % 4]}").write_text(f"/* {text} {index} */")
    (root / "index.html").write_text("<!doctype html><meta charset=utf-8><title>x</title>")


def run(packtool, *arguments, cache):
    """CPU seconds, wall seconds and peak memory in MiB of a run."""
    environment = {"PATH": os.environ["PATH"], "XDG_CACHE_HOME": str(cache)}
    started = time.monotonic()
    child = subprocess.Popen([packtool, *map(str, arguments)], env=environment,
                             stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        raise SystemExit(f"packtool {' '.join(map(str, arguments))} ended with {child.returncode}")
    return usage.ru_utime + usage.ru_stime, time.monotonic() - started, usage.ru_maxrss / 1024


def measure(packtool, count, folder):
    build, cdn, cache = folder / "build", folder / "cdn", folder / "cache"
    make(build, count)
    time.sleep(3)  # a build is rarely published within a tick of its files' times
    publish = ["publish", build, "--to", cdn, "--app", "shop",
               "--base-url", "https://cdn.example.com/shop", "--quiet"]
    rows = [("`hash`", run(packtool, "hash", build, cache=cache)),
            ("the first publish", run(packtool, *publish, "--no-check", cache=cache))]
    run(packtool, *publish, "--no-check", cache=cache)
    rows += [("nothing new, `--no-check`", run(packtool, *publish, "--no-check", cache=cache)),
             ("nothing new", run(packtool, *publish, cache=cache))]
    if b"--no-cache" in subprocess.run([packtool, "publish", "--help"], capture_output=True).stdout:
        rows.append(("nothing new, `--no-check --no-cache`",
                     run(packtool, *publish, "--no-check", "--no-cache", cache=cache)))
    with open(build / "d000/file-1.css", "a") as file:
        file.write("/* changed */")
    rows.append(("one changed file, `--no-check`", run(packtool, *publish, "--no-check", cache=cache)))
    return rows


def table(rows):
    lines = ["| | CPU | time | memory |", "|---|---|---|---|"]
    lines += [f"| {name} | {cpu:.1f} s | {wall:.1f} s | {memory:.0f} MiB |"
              for name, (cpu, wall, memory) in rows]
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--files", type=int, default=100_000)
    parser.add_argument("--output", type=Path, default=HERE / "UNCHANGED.md")
    arguments = parser.parse_args()
    text = [
        "# Publishing what did not change", "",
        "Written by `python3 Benchmarks/unchanged.py`; do not edit.",
        f"A build of {arguments.files:,} files of 0.7 kB is published to a directory in memory.", "",
        f"Measured on {datetime.date.today()} at commit {machine.commit()}; "
        + "; ".join(f"{name} {value}" for name, value in machine.describe().items()) + ".", "",
    ]
    programs = [("packtool", os.environ.get("PACKTOOL", trees.REPOSITORY / ".build/release/packtool")),
                ("Before", os.environ.get("PACKTOOL_BEFORE"))]
    for title, packtool in programs:
        if packtool is None:
            continue
        with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
            text += [f"## {title}", "", table(measure(str(packtool), arguments.files, Path(folder))), ""]
    arguments.output.write_text("\n".join(text))
    print("\n".join(text))


if __name__ == "__main__":
    main()
