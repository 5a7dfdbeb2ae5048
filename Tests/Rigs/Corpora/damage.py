#!/usr/bin/env python3
"""Damages builds of the corpora, and counts the damages detected by check.

    damage.py [--packtool FILE] [--corpus FOLDER] [--newest] [--build NAME] [--kind NAME] [--salt TEXT]
              [-v]

Each build is prepared as by its server (served.py), without source maps and compressed copies. The targets
are chosen by reading the build without packtool (references.py), the same in every run; the kinds of damage
are in removals.py and plants.py. check runs before and after. A damage is *found* if there is a new error or
warning in a file that refers to the target, and on the same line unless the file is minified. A new error or
warning elsewhere is *extra*. A harmless damage is correct if there are no new findings above hint.

--newest only takes the newest version of each project. --salt chooses other targets. -v lists the missed
damages, with the code referring to the target, and all extra findings. Exits with 1 below --least percent.
"""

import argparse
import collections
import concurrent.futures
import json
import os
import queue
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

import plants  # noqa: F401 its kinds register themselves
import removals  # noqa: F401
import served
import victims
from references import Build
from table import builds

ROOT = Path(__file__).resolve().parents[3]
# No app ships these files, and check reports them.
DROPPED = (".map", ".gz", ".br")


class Tree:
    """A copy of a build with hard links, to which damage can be applied and reverted."""

    def __init__(self, source, target):
        self.source, self.root = Path(source), Path(target)
        shutil.copytree(source, target, copy_function=os.link)

    def apply(self, edits):
        for name, data in edits.items():
            path = self.root / name
            path.unlink(missing_ok=True)
            if data is not None:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(data)

    def restore(self, edits):
        for name in edits:
            path = self.root / name
            path.unlink(missing_ok=True)
            if (self.source / name).exists():
                os.link(self.source / name, path)
            elif not any(path.parent.iterdir()):
                path.parent.rmdir()


def check(packtool, tree, profile, options):
    words = [packtool, "check", tree.root, "--profile", profile, "--host", "localhost", *options, "--json"]
    done = subprocess.run(list(map(str, words)), capture_output=True, cwd=tree.root.parent)
    if done.returncode in (0, 1):
        return [f for f in json.loads(done.stdout)["findings"] if f["severity"] != "hint"]
    # A build refused with a message also counts as detected.
    lines = done.stderr.decode().strip().splitlines() or [f"exit code {done.returncode}"]
    return [{"rule": "refused", "severity": "error", "file": ".", "message": lines[0]}]


def mark(finding):
    return finding["rule"], finding["severity"], finding["file"], finding["message"]


def new_findings(before, after, victim):
    """The new findings, including old ones whose notes only now name the target.

    A merged finding is reported at its first location: if that file is renamed or deleted, it moves to
    another one.
    """
    known = collections.Counter(map(mark, before))
    gone = known - collections.Counter(map(mark, after))
    moved = collections.Counter()
    for rule, severity, file, message in gone.elements():
        if file in victim.split(" → "):
            moved[rule, severity, message] += 1
    notes = collections.defaultdict(str)
    for finding in before:
        notes[mark(finding)] += " ".join(finding.get("notes") or [])
    parts = [Path(part).name for part in victim.split(" → ") if part]
    names = ["planted", *parts]
    for finding in after:
        key = mark(finding)
        known[key] -= 1
        said = " ".join(finding.get("notes") or [])
        if known[key] < 0 and moved[key[:2] + key[3:]] > 0 and not any(name in said for name in names):
            moved[key[:2] + key[3:]] -= 1
            continue
        # A finding about the file itself follows a renamed file.
        follows = len(parts) == 2 and parts[0] in notes[key]
        if known[key] < 0 or not follows and any(n in said and n not in notes[key] for n in names):
            yield finding


def judge(build, damage, before, after):
    """Whether the damage is found, and the unexpected findings."""
    fresh = list(new_findings(before, after, damage.victim))
    if damage.places is None:
        return not fresh, fresh
    allowed = {file for file, _ in damage.places} | set(damage.edits)
    for name in (name for name, data in damage.edits.items() if data is None):
        allowed |= build.mentions(Path(name).name) | build.mentions(Path(name).stem)
    # Files of the same name were equal until one of them was changed.
    changed = {Path(name).name for name, data in damage.edits.items() if data is not None}
    fresh = [f for f in fresh if f["rule"] != "basename-cache-names" or Path(f["file"]).name not in changed]
    def is_named(f):
        """A merged finding is only reported at the first of its locations."""
        return any(f"{name}:" in note for note in f.get("notes") or [] for name in allowed)

    found = any(file in ("*", f["file"]) and (line is None or f.get("line") in (None, line))
                for f in fresh for file, line in damage.places)
    extra = [f for f in fresh if f["file"] not in allowed and "*" not in allowed and not is_named(f)
             and not any(word in f["rule"] for word in damage.elsewhere)]
    return found, extra


class Outcome(NamedTuple):
    kind: str
    damage: victims.Damage
    found: bool
    extra: list


def laid_out(project, version, folder):
    """The build as served by its server."""
    target = Path(folder) / "served"
    served.serve(project, version, target)
    for path in sorted(target.rglob("*")):
        if path.suffix in DROPPED and path.is_file():
            path.unlink()
    return target


def damaged(arguments, project, version, wanted):
    """The results of every kind of damage with a target in one build."""
    with tempfile.TemporaryDirectory(dir=arguments.work) as folder:
        source = laid_out(project, version, folder)
        build = Build(source)
        plans = [(name, victims.KINDS[name](build)) for name in wanted]
        plans = [(name, damage) for name, damage in plans if damage and damage.places != []]
        trees = queue.SimpleQueue()
        for number in range(arguments.jobs):
            trees.put(Tree(source, Path(folder) / f"tree{number}" / "dist"))

        def run(options, edits):
            tree = trees.get()
            try:
                tree.apply(edits)
                return check(arguments.packtool, tree, arguments.profile, options)
            finally:
                tree.restore(edits)
                trees.put(tree)

        with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
            options = sorted({damage.options for _, damage in plans})
            before = dict(zip(options, pool.map(lambda words: run(words, {}), options)))
            after = list(pool.map(lambda plan: run(plan[1].options, plan[1].edits), plans))
        return [Outcome(name, damage, *judge(build, damage, before[damage.options], findings))
                for (name, damage), findings in zip(plans, after)]


def show(name, outcomes, verbose):
    missed = [o for o in outcomes if not o.found]
    extra = sum(len(o.extra) for o in outcomes)
    said = f"{name}: {len(outcomes) - len(missed)} of {len(outcomes)} found, {extra} extra"
    print(said + (f"; missed: {', '.join(o.kind for o in missed)}" if missed else ""), flush=True)
    for outcome in outcomes if verbose else []:
        damage = outcome.damage
        if not outcome.found:
            where = " or ".join(f"{file}:{line or ''}" for file, line in (damage.places or [])[:4])
            print(f"  missed {outcome.kind}: {damage.victim[:160]}")
            print(f"    expected at {where or 'nothing, it is harmless'}")
            print(f"    {damage.code[:300]}")
        for f in outcome.extra[:20]:
            place = f"{f['file']}:{f.get('line') or ''}"
            print(f"  extra {outcome.kind}: {f['severity']} {f['rule']} {place}: {f['message'][:110]}")


def totals(results, wanted):
    print(f"\n{'kind':38} found missed extra  builds without a victim")
    all_of = [o for outcomes in results.values() for o in outcomes]
    for name in wanted:
        of_kind = [o for o in all_of if o.kind == name]
        found = sum(o.found for o in of_kind)
        extra = sum(len(o.extra) for o in of_kind)
        print(f"{name:38} {found:5} {len(of_kind) - found:6} {extra:5} {len(results) - len(of_kind):7}")
    found = sum(o.found for o in all_of)
    share = 100 * found / len(all_of) if all_of else 0
    print(f"\n{len(all_of)} times damaged in {len(results)} builds: {found} found ({share:.1f} %), "
          f"{sum(len(o.extra) for o in all_of)} findings extra")
    return share


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--packtool", default=os.environ.get("PACKTOOL", ROOT / ".build/release/packtool"))
    parser.add_argument(
        "--corpus", default=os.environ.get("PACKTOOL_CORPUS", ROOT / "Benchmarks/work/corpus")
    )
    parser.add_argument("--work", help="where the copies are made (default: the temporary directory)")
    parser.add_argument("--newest", action="store_true", help="the newest version of each project alone")
    parser.add_argument("--build", action="append", default=[], metavar="NAME", help="PROJECT[/VERSION]")
    parser.add_argument("--kind", action="append", default=[], choices=sorted(victims.KINDS), metavar="NAME")
    parser.add_argument("--salt", default="", metavar="TEXT", help="choose other victims")
    parser.add_argument("--profile", default="capacitor")
    parser.add_argument("--jobs", type=int, default=2, choices=(1, 2))
    parser.add_argument("--least", type=float, default=95, help="the percentage that is asked for")
    parser.add_argument("-v", "--verbose", action="store_true")
    arguments = parser.parse_args()
    victims.SALT = arguments.salt
    wanted = arguments.kind or list(victims.KINDS)
    results = {}
    for project, version in builds(arguments.corpus, arguments.newest, arguments.build):
        start = time.monotonic()
        name = f"{project.name} {version.name}"
        results[name] = damaged(arguments, project.name, version, wanted)
        show(f"{name} ({time.monotonic() - start:.0f} s)", results[name], arguments.verbose)
    if not results:
        print(f"SKIPPED, nothing was damaged: no builds in {arguments.corpus} (Benchmarks/fetch.py)",
              file=sys.stderr)
        return 0
    return 0 if totals(results, wanted) >= arguments.least else 1


if __name__ == "__main__":
    sys.exit(main())
