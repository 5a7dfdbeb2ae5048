#!/usr/bin/env python3
"""Checks that a baseline is still valid for the next release: real builds with their predecessors.

    baselines.py [--packtool FILE] [--corpus FOLDER] [--build NAME] [--print]

For each pair of releases of a project, the old one is set up with 'init --yes', its findings (including
hints) are written to a baseline, and the new one is checked with the same settings and that baseline. Each
remaining finding is either new or lost by the baseline. It is lost if the old release had a finding of the
same rule with the same text or the same line of code, compared without the parts that a bundler changes
(hashes, numbers, minified names).
Exit status: 0 none was lost, 1 some were, 2 no builds.
"""

import argparse
import collections
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from table import ROOT, builds


def plain(text):
    """A text without the parts that change from build to build."""
    text = re.sub(r"[0-9a-fA-F]{6,}|\d+", "#", text)
    # Hashes by Vite and Rollup: eight characters after a hyphen, with a digit or capitals.
    text = re.sub(r"-(?=[\w-]{8}\b)(?=[\w-]*[A-Z#])[\w-]{8}\b", "-#", text)
    return re.sub(r"\s+", " ", text)


def core(text):
    """Additionally removes names of one or two letters, which minifiers reassign."""
    return re.sub(r"\b[A-Za-z_$]{1,2}\b", "_", plain(text))


def keys(finding):
    """The identity of a finding, independent of packtool's own baseline."""
    rule, file = finding["rule"], plain(finding["file"])
    yield rule, "message", file, plain(finding["message"])
    excerpt = finding.get("excerpt")
    if excerpt and len(excerpt) < 400:
        yield rule, "line", core(excerpt)


def link(source, target):
    """Creates a hard link if supported, which needs no space; builds are never modified here."""
    try:
        os.link(source, target)
    except OSError:
        shutil.copy2(source, target)


class Project:
    def __init__(self, packtool, work):
        self.packtool, self.work = packtool, work

    def run(self, *words, ok=(0,)):
        done = subprocess.run([self.packtool, *map(str, words)], cwd=self.work, capture_output=True,
                              text=True, timeout=3000, env={**os.environ, "LC_ALL": "C.UTF-8"})
        assert done.returncode in ok, (words, done.returncode, done.stderr[-2000:])
        return done

    def findings(self, build, *words):
        done = self.run("check", build, "--json", "--hints", *words, ok=(0, 1))
        return json.loads(done.stdout)["findings"]


def pair(packtool, old, new, show):
    with tempfile.TemporaryDirectory() as name:
        project = Project(packtool, Path(name))
        for folder, source in (("dist", old), ("next", new)):
            shutil.copytree(source, project.work / folder, copy_function=link)
        project.run("init", "--yes", "--app", "app")
        project.run("check", "--update-baseline", "--baseline", "accepted.json")
        same = project.findings("dist", "--baseline", "accepted.json")
        assert not same, (old, same[:3])
        before = project.findings("dist")
        left = project.findings("next", "--baseline", "accepted.json")
        # As many as there were, or fewer: of a fifth finding like four old ones, one is new.
        known = collections.Counter(key for finding in before for key in keys(finding))
        now = collections.Counter(key for finding in project.findings("next") for key in keys(finding))
        lost = [finding for finding in left if any(0 < now[key] <= known[key] for key in keys(finding))]
        counts = collections.Counter(f["severity"] for f in left)
        print(f"{old.parent.name} {old.name} -> {new.name}: {len(before)} accepted; left "
              f"{counts['error']} errors, {counts['warning']} warnings, {counts['hint']} hints; "
              f"{len(lost)} of them were there before", flush=True)
        for finding in lost if not show else left:
            mark = "LOST" if finding in lost else "new"
            place = f"{finding['file']}:{finding.get('line', '')}"
            print(f"  {mark} {finding['severity']}[{finding['rule']}] {finding['message'][:160]} {place}")
        return len(lost)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--packtool", default=ROOT / ".build/release/packtool")
    parser.add_argument("--corpus", default=os.environ.get("PACKTOOL_CORPUS", ROOT / ".build/corpora"))
    parser.add_argument("--build", action="append", default=[])
    parser.add_argument("--print", action="store_true")
    options = parser.parse_args()
    packtool = Path(shutil.which(options.packtool) or options.packtool).resolve()
    projects = collections.defaultdict(list)
    for project, version in builds(options.corpus, names=options.build):
        projects[project].append(version)
    pairs = [(old, new) for versions in projects.values()
             for place, old in enumerate(versions) for new in versions[place + 1:]]
    if not pairs:
        print(f"error: no two releases of a project in {options.corpus}", file=sys.stderr)
        sys.exit(2)
    lost = sum(pair(packtool, old, new, options.print) for old, new in pairs)
    print(f"{len(pairs)} pairs, {lost} findings lost")
    sys.exit(1 if lost else 0)


if __name__ == "__main__":
    main()
