#!/usr/bin/env python3
"""Counts the bytes fetched by a client to update between real releases; writes Benchmarks/UPDATES.md.

    updates.py [--packtool FILE] [--corpus FOLDER] [--build PROJECT] [--far] [--write]

For each two neighbouring releases (--far: any two) of a project, runs 'init --yes' on the old one, 'publish',
an installation, 'publish' of the new one with the same settings, and an update. All bytes fetched by the
client count, and the installed tree is compared with the build. The figure of the best other tool is that of
Benchmarks/DELTAS.md or DELTAS-more.md: only the patch, without a pointer, names or hashes.
"""
import argparse
import collections
import json
import os
import re
import sys
import tempfile
from pathlib import Path

import device
from first_publish import Build, size
from table import ROOT, builds

sys.path.insert(0, str(ROOT / "Benchmarks"))

from trees import NOT_SHIPPED

HEAD = """# What an update fetches

Written by `Tests/Rigs/Corpora/updates.py --write`; do not edit.

Two releases of a real front end, without source maps and compressed copies, published one after the other.
An app with the first one updates; the bytes include all its downloads: pointer and delta.
The last column is the smallest patch of eight other tools ([Deltas](DELTAS.md)).
It is a patch alone: no pointer, no names, no hashes.
Those tools got no source maps or copies: if the old release's settings ship them, the figure is left out.

| project | from | to | release | package | delta | pointer | fetched | best other tool |
|---|---|---|---|---|---|---|---|---|
"""


def peers():
    """The best peer's bytes by project, old and new release: the bold figure of its row."""
    reports = [ROOT / "Benchmarks" / name for name in ("DELTAS.md", "DELTAS-more.md")]
    text = "\n".join(report.read_text() for report in reports if report.exists())
    rows = re.findall(r"^\| (\S+) (\S+) → (\S+) \|.*\*\*([\d,]+)\*\*", text, re.MULTILINE)
    return {(project, old, new): int(count.replace(",", "")) for project, old, new, count in rows}


def row(packtool, old, new, best):
    with tempfile.TemporaryDirectory() as name:
        build = Build(packtool, old, Path(name))
        build.run("init", "--yes", "--app", "app", "--base-url", "https://cdn.example.com/app")
        publish = ("publish", "--to", "cdn", "--no-check", "--json")
        build.run(*publish)
        build.run("install", "cdn", "--into", "phone")
        build.replace(new)
        made = json.loads(build.run(*publish).stdout)
        update = build.installed(True)
        assert update["route"] == "delta", update
        delta = made["deltas"][0]["size"]
        shipped = json.loads(build.run("hash", "--json").stdout)
        peer = best.get((old.parent.name, old.name, new.name))
        if shipped["bytes"] > 1.02 * sum(path.stat().st_size for path in new.rglob("*")
                                         if path.is_file() and path.suffix not in NOT_SHIPPED):
            peer = None
        return (f"| {old.parent.name} | {old.name} | {new.name} | {size(shipped['bytes'])} | "
                f"{made['package']['size']:,} | {delta:,} | {update['fetched'] - delta:,} | "
                f"{update['fetched']:,} | {f'{peer:,}' if peer else ''} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--packtool", default=ROOT / ".build/release/packtool")
    parser.add_argument("--corpus", default=os.environ.get("PACKTOOL_CORPUS", ROOT / ".build/corpora"))
    parser.add_argument("--build", action="append", default=[])
    parser.add_argument("--far", action="store_true")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    projects = collections.defaultdict(list)
    for project, version in builds(options.corpus, names=options.build):
        projects[project].append(version)
    pairs = [(old, new) for versions in projects.values() for place, old in enumerate(versions)
             for new in (versions[place + 1:] if options.far else versions[place + 1:place + 2])]
    if not pairs:
        sys.exit(f"error: no two releases of a project in {options.corpus}")
    best, rows = peers(), []
    for old, new in pairs:
        rows.append(row(Path(options.packtool).resolve(), old, new, best))
        print(rows[-1], flush=True)
    if options.write:
        _, title, measured = device.REPORT.read_text().partition(f"\n{device.TITLE}")
        device.REPORT.write_text(HEAD + "\n".join(rows) + "\n" + title + measured)


if __name__ == "__main__":
    main()
