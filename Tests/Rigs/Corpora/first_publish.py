#!/usr/bin/env python3
"""Publishes every build of the corpora like a new user, and writes Benchmarks/FIRST-PUBLISHES.md.

    first_publish.py [--packtool FILE] [--corpus FOLDER] [--newest] [--build NAME] [--write]

Runs 'init --yes' and 'publish' for each build. If that is refused, the settings proposed by the findings are
added to packtool.yaml, and it is published again. Then one file changes, and the build is published again,
with an installation before and after to count the downloaded bytes. A build refused in spite of all settings
is listed with its causes. The installed trees are compared with the builds by 'diff -r'.
"""
import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import yaml

from table import ROOT, builds

HEAD = """# First publishes of real builds

Written by `Tests/Rigs/Corpora/first_publish.py --write`; do not edit.

Each build is published as a new user would: `packtool init --yes`, then `packtool publish`.
If it is refused, the settings proposed by its findings go into `packtool.yaml`, and it is published again.
Then one file changes, and an app with the first release updates; the bytes include all its downloads.
None of these front ends was made for an app.

| build | shipped | first publish | settings that ended errors | remaining errors | update |
|---|---|---|---|---|---|
"""


class Build:
    def __init__(self, packtool, source, work):
        self.packtool, self.work = packtool, work
        shutil.copytree(source, work / "dist")

    def replace(self, source):
        """Replaces the build with the next one."""
        shutil.rmtree(self.work / "dist")
        shutil.copytree(source, self.work / "dist")

    def run(self, *words, ok=(0,)):
        done = subprocess.run([self.packtool, *map(str, words)], cwd=self.work, capture_output=True,
                              text=True, timeout=3000, env={**os.environ, "LC_ALL": "C.UTF-8"})
        assert done.returncode in ok, (words, done.returncode, done.stderr[-2000:])
        return done

    def errors(self):
        done = self.run("check", "--json", ok=(0, 1))
        return [f for f in json.loads(done.stdout)["findings"] if f["severity"] == "error"]

    def add(self, findings):
        """Adds the proposed settings to packtool.yaml; returns the added keys."""
        path = self.work / "packtool.yaml"
        settings, added = yaml.safe_load(path.read_text()) or {}, set()
        for proposal in (f["setting"] for f in findings if "setting" in f):
            *parents, last = proposal["key"].split(".")
            place = settings
            for name in parents:
                if isinstance(place.get(name), str):  # 'profile: capacitor' is short for 'profile: {base: …}'
                    place[name] = {"base": place[name]}
                place = place.setdefault(name, {})
            value = proposal["value"]
            if isinstance(value, list):
                value = sorted({*place.get(last, []), *value})
            elif isinstance(value, dict):
                value = {**place.get(last, {}), **value}
            place[last] = value
            added.add(proposal["key"])
        path.write_text(yaml.safe_dump(settings))
        return sorted(added)

    def change(self):
        """Appends a line to the largest script, or to a page."""
        files = [f for f in (self.work / "dist").rglob("*") if f.is_file()]
        scripts = [f for f in files if f.suffix in (".js", ".mjs")]
        file = max(scripts or [f for f in files if f.suffix == ".html"], key=lambda f: f.stat().st_size)
        with file.open("ab") as end:
            end.write(b"\n// one line more\n")

    def installed(self, origin_settings):
        report = json.loads(self.run("install", "cdn", "--into", "phone", "--json").stdout)
        shipped = origin_settings
        extra = subprocess.run(["diff", "-rq", "dist", "phone/current/"], cwd=self.work, capture_output=True,
                               text=True).stdout.splitlines()
        # Only excluded files may be missing from the installation.
        wrong = [line for line in extra if not line.startswith("Only in dist")]
        assert not wrong and (shipped or not extra), extra[:5]
        return report


def size(count):
    for unit in ("B", "kB", "MB", "GB"):
        if count < 1000:
            return f"{count:.1f} {unit}" if unit != "B" else f"{count} B"
        count /= 1000


def row(packtool, source):
    with tempfile.TemporaryDirectory() as name:
        build = Build(packtool, source, Path(name))
        build.run("init", "--yes", "--app", "app", "--base-url", "https://cdn.example.com/app")
        excluded = "exclude" in (yaml.safe_load((build.work / "packtool.yaml").read_text()) or {})
        first = build.run("publish", "--to", "cdn", "--label", "1", ok=(0, 1))
        outcome, added, rest = "passes", [], ""
        if first.returncode:
            causes = re.findall(r"^error\[([a-z-]+)\]", first.stderr, re.MULTILINE)
            assert 1 <= len(causes) <= 5, first.stderr
            outcome = "refused: " + ", ".join(dict.fromkeys(causes))
            for _ in range(3):
                errors = build.errors()
                new = build.add(errors)
                added = sorted({*added, *new})
                if not any("setting" in f for f in errors):
                    break
            left = build.errors()
            rest = "; ".join(dict.fromkeys(f"{f['rule']}: {f['message']}" for f in left))
            again = build.run("publish", "--to", "cdn", "--label", "1", ok=(0, 1))
            assert (again.returncode == 0) == (not left), again.stderr[-1000:]
            if left:  # the build itself must change: the rest is measured without the check
                build.run("publish", "--to", "cdn", "--label", "1", "--no-check")
        before = build.installed(excluded)
        build.change()
        build.run("publish", "--to", "cdn", "--label", "2", *(["--no-check"] if rest else []))
        after = build.installed(excluded)
        files = json.loads(build.run("hash", "--json").stdout)
        update = f"{size(after['fetched'])} (install {size(before['fetched'])})"
        shown = rest.replace("|", "\\|").replace("\n", " ")[:400]
        shipped = f"{files['files']:,} files, {size(files['bytes'])}" if "bytes" in files else str(files)
        return (f"| {source.parent.name} {source.name} | {shipped} | {outcome} | "
                f"{', '.join(f'`{key}`' for key in added)} | {shown} | {update} |")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--packtool", default=ROOT / ".build/release/packtool")
    parser.add_argument("--corpus", default=ROOT / ".build/corpora")
    parser.add_argument("--newest", action="store_true")
    parser.add_argument("--build", action="append", default=[])
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    rows = []
    for _, source in builds(options.corpus, options.newest, options.build):
        rows.append(row(Path(options.packtool).resolve(), source))
        print(rows[-1], flush=True)
    if not rows:
        sys.exit(f"error: no builds in {options.corpus}")
    if options.write:
        (ROOT / "Benchmarks/FIRST-PUBLISHES.md").write_text(HEAD + "\n".join(rows) + "\n")


if __name__ == "__main__":
    main()
