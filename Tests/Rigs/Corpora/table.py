#!/usr/bin/env python3
"""Checks every build of the corpora as an app without settings and as a Capacitor app; prints one table.

    table.py [--packtool FILE] [--corpus FOLDER] [--newest] [--build NAME] [--keep FOLDER] [--print RULE]

A line for each build and profile: errors, warnings and hints by rule. Two checks run concurrently. --keep
caches the findings of a build in a folder. --print shows the findings of a rule instead, each text once per
project, for reading.
"""

import argparse
import collections
import concurrent.futures
import hashlib
import json
import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
PROFILES = {"default": [], "capacitor": ["--profile", "capacitor"]}
LEVELS = ("error", "warning", "hint")


def versions(project):
    return sorted((v for v in project.iterdir() if v.is_dir()),
                  key=lambda v: [int(n) for n in re.findall(r"\d+", v.name)])


def builds(corpus, newest=False, names=()):
    """(project, version) of every available build, as folders."""
    corpus = Path(corpus)
    for project in sorted(p for p in corpus.iterdir() if p.is_dir()) if corpus.is_dir() else []:
        for version in versions(project)[-1:] if newest else versions(project):
            if not names or {project.name, f"{project.name}/{version.name}"} & set(names):
                yield project, version


class Checks:
    def __init__(self, packtool, keep=None):
        self.packtool = packtool
        self.keep = keep and Path(keep) / hashlib.sha256(Path(packtool).read_bytes()).hexdigest()[:16]
        if self.keep:
            self.keep.mkdir(parents=True, exist_ok=True)

    def findings(self, build, profile):
        """All findings of a build, including hints."""
        kept = self.keep and self.keep / f"{build.parent.name}-{build.name}-{profile}.json"
        if kept and kept.exists():
            return json.loads(kept.read_bytes())["findings"]
        done = subprocess.run([self.packtool, "check", build, *PROFILES[profile], "--hints", "--json"],
                              capture_output=True, cwd=build)
        if done.returncode not in (0, 1):
            raise SystemExit(f"check {build}: exit code {done.returncode}\n{done.stderr.decode()[-2000:]}")
        if kept:
            kept.write_bytes(done.stdout)
        return json.loads(done.stdout)["findings"]

    def all(self, chosen):
        """{(project, version, profile): findings}, two checks at a time."""
        keys = [(version, profile) for _, version in chosen for profile in PROFILES]
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            found = pool.map(lambda key: self.findings(*key), keys)
            return {(v.parent.name, v.name, profile): f for (v, profile), f in zip(keys, found)}


def by_rule(findings, level):
    counts = collections.Counter(f["rule"] for f in findings if f["severity"] == level)
    parts = [f"{rule} {n}" for rule, n in sorted(counts.items(), key=lambda c: (-c[1], c[0]))]
    return f"{counts.total()}" + (f": {', '.join(parts)}" if parts else "")


def table(checked):
    yield "| build | profile | errors | warnings | hints |"
    yield "|---|---|---|---|---|"
    for (project, version, profile), findings in checked.items():
        cells = " | ".join(by_rule(findings, level) for level in LEVELS)
        yield f"| {project} {version} | {profile} | {cells} |"


def show(checked, rule):
    seen = set()
    for (project, version, profile), findings in checked.items():
        for f in findings:
            mark = (project, f["message"], (f.get("excerpt") or "")[-60:])
            if f["rule"] == rule and mark not in seen:
                seen.add(mark)
                place = f"{f['file']}:{f.get('line') or ''}:{f.get('column') or ''}"
                print(f"{project} {version}, {profile}: {place} {f['severity']}: {f['message']}")
                print("   ", f.get("excerpt") or "", *(f.get("notes") or []), sep="\n    ")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--packtool", default=os.environ.get("PACKTOOL", ROOT / ".build/release/packtool"))
    parser.add_argument(
        "--corpus", default=os.environ.get("PACKTOOL_CORPUS", ROOT / "Benchmarks/work/corpus")
    )
    parser.add_argument("--newest", action="store_true", help="the newest version of each project alone")
    parser.add_argument("--build", action="append", default=[], metavar="NAME", help="PROJECT[/VERSION]")
    parser.add_argument("--keep", metavar="FOLDER")
    parser.add_argument("--print", metavar="RULE")
    arguments = parser.parse_args()
    chosen = list(builds(arguments.corpus, arguments.newest, arguments.build))
    if not chosen:
        print(f"SKIPPED, nothing was checked: no builds in {arguments.corpus} (Benchmarks/fetch.py)",
              file=sys.stderr)
        return 0
    checked = Checks(arguments.packtool, arguments.keep).all(chosen)
    if arguments.print:
        show(checked, arguments.print)
        return 0
    print(*table(checked), sep="\n")
    most = max(checked.items(), key=lambda c: sum(f["severity"] != "hint" for f in c[1]))
    print(f"\n{len(checked)} checks of {len(chosen)} builds; most findings above hint: "
          f"{sum(f['severity'] != 'hint' for f in most[1])} in {' '.join(most[0])}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
