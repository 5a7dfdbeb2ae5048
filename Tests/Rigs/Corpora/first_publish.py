#!/usr/bin/env python3
"""Publishes every build of the corpora like a new user, and writes Benchmarks/FIRST-PUBLISHES.md.

    first_publish.py [--packtool FILE] [--corpus FOLDER] [--newest] [--build NAME] [--quick] [--write]

Runs 'init' without a terminal and 'publish' for each build. If that is refused, the lines of the error are
pasted: settings into packtool.yaml, else the command that accepts the errors; then it is published again. The
same with 'init --yes', which accepts the proposed settings. Then one file changes, and the build is published
again, with an installation before and after to count the downloaded bytes. The installed trees are compared
with the builds by 'diff -r'. --quick leaves out the update.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import yaml

from table import ROOT, builds

HEAD = """# First publishes of real builds

Written by `Tests/Rigs/Corpora/first_publish.py --write`; do not edit.

Each build is published as a new user would: `packtool init`, then `packtool publish`.
If it is refused, the lines of the error are pasted as they are, and it is published again:

* *pasted*: settings into `packtool.yaml`, once if no number is given.
* *fixed*: `packtool check --fix` made the safe fixes that the error names.
* *accepted*: settings do not end all errors; the command of the error accepts the others in a baseline.

The column `--yes` has the result after `packtool init --yes`, which accepts the proposed settings.
Then one file changes, and an app with the first release updates; the bytes include all its downloads.
None of these front ends was made for an app.

{summary}

| build | shipped | `init` | settings | `init --yes` | accepted errors | update |
|---|---|---|---|---|---|---|
"""
MOST_PASTES = 8


class Build:
    def __init__(self, packtool, source, work):
        self.packtool, self.source, self.work, self.flags = packtool, source, work, []
        shutil.copytree(source, work / "dist")

    def replace(self, source):
        """Replaces the build with the next one."""
        shutil.rmtree(self.work / "dist")
        shutil.copytree(source, self.work / "dist")

    def run(self, *words, ok=(0,)):
        done = subprocess.run([self.packtool, *map(str, words)], cwd=self.work, capture_output=True,
                              stdin=subprocess.DEVNULL, text=True, timeout=3000,
                              env={**os.environ, "LC_ALL": "C.UTF-8"})
        assert done.returncode in ok, (words, done.returncode, done.stderr[-2000:])
        return done

    def settings(self):
        return yaml.safe_load((self.work / "packtool.yaml").read_text()) or {}

    def paste(self, message):
        """Pastes the settings of an error into packtool.yaml; returns their keys."""
        path, keys = self.work / "packtool.yaml", []
        lines = message.splitlines()
        for index, line in enumerate(lines):
            if re.fullmatch(r"if this is intentional, add to packtool.yaml:", line):
                block = []
                for added in lines[index + 2:]:
                    if not added:
                        break
                    block.append(added)
                path.write_text(path.read_text() + "\n".join(block) + "\n")
                keys += [added.split(":")[0] for added in block if not added.startswith("#")]
            if match := re.fullmatch(r"in packtool.yaml:(\d+), replace the value of '(.*)' by: (.*)", line):
                number, key, value = match.groups()
                text = path.read_text().splitlines()
                old = text[int(number) - 1]
                text[int(number) - 1] = old[:old.index(":") + 1] + " " + value
                path.write_text("\n".join(text) + "\n")
                keys.append(key)
        return keys

    def fix(self, message):
        """Runs the command that makes the safe fixes; returns whether the error names it."""
        named = "fix (packtool check --fix)" in message
        if named:
            self.run("check", "--fix", ok=(0, 1))
        return named

    def accept(self, message):
        """Runs the command of an error that accepts the errors; returns whether there is one."""
        match = re.search(r"'packtool (check [^']*--update-baseline)', with '(check.baseline: [^']*)'",
                          message)
        if match:
            self.run(*shlex.split(match[1]))
            path = self.work / "packtool.yaml"
            path.write_text(path.read_text() + match[2] + "\n")
        return match is not None

    def first_publish(self, *init):
        """Publishes until it succeeds: the number of pastes, their keys, and the errors accepted, if any."""
        (self.work / "packtool.yaml").unlink(missing_ok=True)
        self.replace(self.source)  # without the fixes
        self.run("init", *init, "--app", "app", "--base-url", "https://cdn.example.com/app")
        pastes, keys, accepted, fixed = 0, [], [], False
        while True:
            done = self.run("publish", "--to", "cdn", "--label", "1", *self.flags, ok=(0, 1))
            if done.returncode == 0:
                return pastes, keys, accepted, True
            new = self.paste(done.stderr)
            if not new and not fixed and self.fix(done.stderr):
                keys.append("check --fix")
                fixed = True
                continue
            if not new:
                if accepted or not self.accept(done.stderr):
                    return pastes, keys, accepted or causes(done.stderr), False
                accepted = causes(done.stderr)
                continue
            keys += new
            pastes += 1
            assert pastes < MOST_PASTES, done.stderr

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


def causes(message):
    """The shown errors of a refusal."""
    found = re.findall(r"^error\[([a-z-]+)\]: (.*)", message, re.MULTILINE)
    assert 1 <= len(found) <= 5, message
    return [f"{rule}: {text}" for rule, text in dict.fromkeys(found)]


def outcome(pastes, keys, accepted, done):
    if not done:
        return "never"
    pasted = "" if not pastes else "pasted" if pastes == 1 else f"pasted {pastes} times"
    fixed = "fixed" if "check --fix" in keys else ""
    return ", ".join(filter(None, [pasted, fixed, "accepted" if accepted else ""])) or "at once"


def update(build, source, accepted):
    """Published and installed before and after a change: the downloaded bytes."""
    excluded = "exclude" in build.settings()
    check = ["--no-check"] if accepted else []
    before = build.installed(excluded)
    build.change()
    build.run("publish", "--to", "cdn", "--label", "2", *check)
    after = build.installed(excluded)
    return f"{size(after['fetched'])} (install {size(before['fetched'])})"


def row(packtool, source, quick):
    with tempfile.TemporaryDirectory() as name:
        build = Build(packtool, source, Path(name))
        build.flags = ["--dry-run", "--level", "fast"]
        *yes, yes_done = build.first_publish("--yes")
        if not quick:
            build.flags = []
        pastes, keys, accepted, done = build.first_publish()
        results = outcome(pastes, keys, accepted, done), outcome(*yes, yes_done)
        files = json.loads(build.run("hash", "--json").stdout)
        told = ""
        if not quick:
            if not done:
                build.run("publish", "--to", "cdn", "--label", "1", "--no-check")
            told = update(build, source, accepted)
        rest = "; ".join(accepted).replace("|", "\\|")[:400]
        shipped = f"{files['files']:,} files, {size(files['bytes'])}" if "bytes" in files else str(files)
        settings = ", ".join(f"`{key}`" for key in dict.fromkeys(keys))
        return results, (f"| {source.parent.name} {source.name} | {shipped} | {results[0]} | {settings} "
                         f"| {results[1]} | {rest} | {told} |")


def summary(results):
    lines = ["| | " + " | ".join(order := sorted({r for both in results for r in both})) + " |",
             "|---|" + "---:|" * len(order)]
    for column, name in enumerate(("`init`", "`init --yes`")):
        counts = collections.Counter(both[column] for both in results)
        lines.append(f"| {name} | " + " | ".join(str(counts[o]) for o in order) + " |")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--packtool", default=ROOT / ".build/release/packtool")
    parser.add_argument("--corpus", default=ROOT / ".build/corpora")
    parser.add_argument("--newest", action="store_true")
    parser.add_argument("--build", action="append", default=[])
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    packtool = Path(options.packtool).resolve()
    results, rows = [], []
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        sources = [source for _, source in builds(options.corpus, options.newest, options.build)]
        for both, text in pool.map(lambda source: row(packtool, source, options.quick), sources):
            results.append(both)
            rows.append(text)
            print(text, flush=True)
    if not rows:
        sys.exit(f"error: no builds in {options.corpus}")
    print(summary(results))
    if options.write:
        text = HEAD.format(summary=summary(results)) + "\n".join(rows) + "\n"
        (ROOT / "Benchmarks/FIRST-PUBLISHES.md").write_text(text)


if __name__ == "__main__":
    main()
