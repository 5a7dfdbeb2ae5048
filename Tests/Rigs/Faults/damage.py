#!/usr/bin/env python3
"""Installs from a corrupt origin: one byte flipped, a file truncated, a file missing, or all at once.

Kills and power cuts never make an installer read wrong bytes, so they cannot show whether it verifies before
it switches `current`. This rig can: after every damage the client has the complete old or new tree; if there
is no route to the new one, it must report that and keep the old.
"""

import argparse
import sys

from rig import origin, scenarios, tool, tree
from rig.check import Checker, dispose
from rig.report import Report


def flipped(data, at=None):
    at = len(data) // 2 if at is None else at
    return data[:at] + bytes([data[at] ^ 1]) + data[at + 1:] if data else b"x"


DAMAGES = {"flipped": flipped, "cut": lambda data: data[: len(data) // 2], "gone": lambda data: None,
           "longer": lambda data: data + b"\n"}


def headers(package):
    """Offsets in a package's structure: they change the package's hash, but no file's bytes."""
    central = package.index(b"PK\x01\x02")
    end = package.rindex(b"PK\x05\x06")
    return [*range(4, 16, 2), *(central + offset for offset in (4, 5, 8, 12, 14, 36, 38, 40)), end + 8]


def fresh_names(before, after):
    """The files added by the newest release, which are all that an update needs."""
    mutable = (origin.POINTER,)
    return sorted(path for path, content in after.items() if isinstance(content, bytes)
                  and path.startswith(("objects/", "releases/", *mutable))
                  and (path in mutable or path not in before))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--scenario", action="append", choices=("install", "update"))
    parser.add_argument("--fail-fast", action="store_true")
    parser.add_argument("--scratch")
    parser.add_argument("--json", metavar="FILE")
    given = parser.parse_args()
    tool.command()
    report = Report("damage", given.json)
    with scenarios.Bench(given.scratch) as room:
        for name in given.scenario or ("install", "update"):
            try:
                scenario = room.scenario(name)
                checker = Checker(room, scenario)
            except scenarios.SetupFailed as reason:
                report.violation(f"{name} (undisturbed)", [str(reason)], f"damage.py --scenario {name}")
                continue
            before = tree.read(room.origin(scenario.old)) if scenario.old else {}
            after = tree.read(scenario.origin)
            names = fresh_names(before, after)
            cases = [(f"{kind} {path}", [path], kind) for path in names for kind in DAMAGES
                     if DAMAGES[kind](after[path]) != after[path]]
            cases += [(f"{kind} everything but the pointer",
                       [path for path in names if path != origin.POINTER], kind) for kind in DAMAGES]
            package = f"releases/{scenario.new.version}/package.zip"
            cases += [(f"byte {at} of {package}", [package], at) for at in headers(after[package])]
            for label, paths, kind in cases:
                if report.violations and given.fail_fast:
                    break
                problems = examine(room, checker, after, label, paths, kind, report)
                if problems:
                    report.violation(f"{name}: {label}", problems, f"damage.py --scenario {name}")
    return report.finish()


def checker_routes(checker, after):
    """The files with which the scenario's client can reach the newest release."""
    release = f"releases/{checker.scenario.new.version}/"
    old = checker.scenario.old
    delta = f"{release}delta-{old.version}.zip" if old else None
    return [path for path in (f"{release}package.zip", delta) if path in after]


def examine(room, checker, after, label, paths, kind, report):
    case = room.root / "damage"
    spoiled = dict(after)
    for path in paths:
        # A kind of damage, or the byte to flip.
        spoiled[path] = flipped(after[path], kind) if isinstance(kind, int) else DAMAGES[kind](after[path])
        if spoiled[path] is None:
            del spoiled[path]
    tree.write(spoiled, case / "origin")
    client = room.copy(checker.scenario.start, case / "client")
    outcome = tool.run(tool.install_argv(case / "origin", client))
    report.counts["header byte" if isinstance(kind, int) else kind] += 1
    report.ends[f"exit {outcome.status}"] += 1
    problems = tool.complaints(outcome)
    found = tree.read(client)
    problems += checker.quick(found, must_be_new=outcome.status == 0)
    # An update has two routes, the delta and the package: one of them may be damaged.
    routes = [path for path in checker_routes(checker, after) if path not in paths]
    hopeless = len(paths) > 1 or not routes or paths == [origin.POINTER] and kind != "longer"
    if hopeless and outcome.status == 0:
        problems.append("exit 0, though no whole copy of the new release was left")
    verdict = tool.run(tool.verify_argv(case / "origin"))
    problems += tool.complaints(verdict)
    # A log entry without its pointer is the state after a publish killed just before the commit, and an
    # additional line feed is harmless in JSON.
    if verdict.status == 0 and not (paths == [origin.POINTER] and kind in ("gone", "longer")):
        problems.append("verify calls this origin good")
    dispose(case, False)
    return problems


if __name__ == "__main__":
    sys.exit(main())
