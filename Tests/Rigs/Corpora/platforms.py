#!/usr/bin/env python3
"""Checks real builds for both platforms of Capacitor, and writes Benchmarks/ANDROID.md.

    platforms.py [--packtool FILE] [--corpus FOLDER] [--cells FILE] [--write]

The builds are the newest of each project in the corpus (`Benchmarks/fetch.py`). The cells are those of
`Tests/Rigs/Pages/compare.py --engine chromium --json FILE`. Every error that only Android has is listed,
with its verdict below; exits with 1 if one has none.
"""

import argparse
import collections
import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
PAGE = ROOT / "Benchmarks/ANDROID.md"
PROFILES = ("capacitor", "capacitor-android")
# Project, rule -> why it is right.
JUDGEMENTS = {
    ("luigi", "mixed-content-active"): "a page of tests loads QUnit over http",
    ("nautobot", "nav-target-missing"): "a link `...` in an example, for which iOS opens the start page",
    ("mopidy-musicbox-webclient", "mixed-content-active"): "a demo of jQuery Mobile loads fonts over http",
}


def check(packtool, build, profile):
    """The findings of a build, as (rule, severity, file, line)."""
    command = [packtool, "check", build, "--profile", profile, "--hints", "--format", "json"]
    run = subprocess.run(command, capture_output=True, text=True, cwd="/")
    return [(one["rule"], one["severity"], one.get("file"), one.get("line"))
            for one in json.loads(run.stdout)["findings"]]


def number(folder):
    return [int(part) if part.isdigit() else -1 for part in folder.name.split(".")]


def builds(corpus):
    for project in sorted(path for path in corpus.iterdir() if path.is_dir()):
        versions = sorted((path for path in project.iterdir() if path.is_dir()), key=number)
        if versions:
            yield project.name, versions[-1]


def row(name, version, found):
    counts = [" / ".join(str(sum(one[1] == severity for one in found[profile]))
                         for severity in ("error", "warning", "hint")) for profile in PROFILES]
    return f"| {name} {version} | {counts[0]} | {counts[1]} |"


def pages(cells):
    """The table of agreement with Chromium, by profile."""
    table = collections.defaultdict(collections.Counter)
    for cell in cells.values():
        table[cell["profile"]][cell["cell"]] += 1
    names = sorted({cell for counts in table.values() for cell in counts})
    lines = ["| profile | " + " | ".join(names) + " |", "|---" * (len(names) + 1) + "|"]
    for profile in sorted(table):
        lines.append(f"| {profile} | " + " | ".join(str(table[profile][cell]) for cell in names) + " |")
    return lines


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--packtool", default=str(ROOT / ".build/release/packtool"))
    parser.add_argument("--corpus", type=Path, default=ROOT / "Benchmarks/work/corpus")
    parser.add_argument("--cells", type=Path, help="written by compare.py --json")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    rows, only, rules, unjudged = [], [], collections.defaultdict(collections.Counter), []
    for name, folder in builds(options.corpus):
        found = {profile: check(options.packtool, folder, profile) for profile in PROFILES}
        rows.append(row(name, folder.name, found))
        for profile in PROFILES:
            for rule, severity, _, _ in found[profile]:
                if severity == "error":
                    rules[rule][profile] += 1
        for rule, severity, file, line in sorted(set(found[PROFILES[1]]) - set(found[PROFILES[0]]), key=str):
            if severity == "error":
                why = JUDGEMENTS.get((name, rule))
                only.append(f"| {name} | {rule} | `{file}:{line}` | {why or '?'} |")
                if why is None:
                    unjudged.append(f"{name} {rule} {file}:{line}")
    text = ["# Pages of Android", "",
            "Written by `python3 Tests/Rigs/Corpora/platforms.py --write`; do not edit.", ""]
    if options.cells:
        text += ["## Agreement with Chromium", "",
                 "Pages opened in headless Chromium "
                 "([Tests/Rigs/Chromium](../Tests/Rigs/Chromium/README.md)), by profile.",
                 "The cells are explained in [compare.py](../Tests/Rigs/Pages/compare.py).", ""]
        text += pages(json.loads(options.cells.read_text())) + [""]
    text += ["## Real builds on both platforms", "",
             f"{len(rows)} builds, checked without settings: errors / warnings / hints.", "",
             "| rule | errors with `capacitor` | errors with `capacitor-android` |", "|---|---:|---:|"]
    text += [f"| {rule} | {rules[rule][PROFILES[0]]} | {rules[rule][PROFILES[1]]} |"
             for rule in sorted(rules)]
    text += ["", "Errors of Android alone:", "", "| build | rule | file | verdict |", "|---|---|---|---|"]
    text += [*only, "", "| build | `capacitor` | `capacitor-android` |", "|---|---|---|", *rows]
    page = "\n".join(text) + "\n"
    if options.write:
        PAGE.write_text(page)
    else:
        print(page)
    for one in unjudged:
        print(f"error: no verdict for {one}", file=sys.stderr)
    return 1 if unjudged else 0


if __name__ == "__main__":
    raise SystemExit(main())
