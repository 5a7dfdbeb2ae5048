#!/usr/bin/env python3
"""Kill and errno sweep: one run of packtool for every point at which it could be interrupted.

For each scenario a trace shows the file-system calls of the run. For each call name and each N, a run on a
new copy of the start state is killed at, or gets an errno from, its Nth call of that name. `rig.check`
asserts that a client still finds the complete old or new release, and that running again converges. Power
cuts are covered by crashmodel.py.
"""

import argparse
import concurrent.futures
import itertools
import random
import sys
import time
from collections import namedtuple
from pathlib import Path

from rig import scenarios, strace, tool
from rig.check import Checker, dispose
from rig.report import Report

Point = namedtuple("Point", "scenario name action number")

SHORT = ["first", "second", "feeds", "deltas", "resume-committed", "rollout", "rollback", "promote", "prune",
         "pause", "close", "correct", "commit", "root-first", "root-next", "embed", "pin", "rotate",
         "install-trust", "update", "apply"]
OPENING = {"openat", "open", "creat", "openat2"}
GROWING = OPENING | {"mkdirat", "mkdir", "write", "pwrite64", "writev", "fsync", "fdatasync", "syncfs",
                     "linkat", "link", "renameat", "renameat2", "rename", "symlinkat", "symlink",
                     "ftruncate", "fallocate", "copy_file_range", "close"}
BY_PATH = OPENING | {"mkdirat", "mkdir", "linkat", "link", "renameat", "renameat2", "rename", "unlinkat",
                     "unlink", "symlinkat", "symlink", "newfstatat", "stat", "fchmod", "utimensat"}
# A run whose deletions fail cannot clean up.
REMOVING = {"unlinkat", "unlink", "rmdir", "getdents64", "openat2", "newfstatat", "fstat", "close", "fcntl"}
# These calls are repeated after a signal, so it is not a failure.
REPEATED = {"openat2", "read", "pread64", "write", "pwrite64", "flock", "fsync", "syncfs", "ftruncate"}
SYNCING = {"fsync", "fdatasync", "syncfs", "sync"}
# The call names for which an errno makes sense; None stands for all.
ERRNOS = {"EIO": None, "ENOSPC": GROWING, "EMFILE": OPENING, "ENOSPC+": {"write", "pwrite64", "writev"},
          "EINTR": REPEATED}
MORE_ERRNOS = {"EDQUOT": GROWING, "EACCES": BY_PATH}


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    size = parser.add_mutually_exclusive_group()
    size.add_argument("--short", action="store_true", help="twenty-one scenarios, few points, 95 s")
    size.add_argument("--long", action="store_true", help="every N, more errnos")
    parser.add_argument("--scenario", action="append", choices=scenarios.SCENARIOS, help="only this one")
    parser.add_argument("--points", type=int, help="at most this many N per call name and action")
    parser.add_argument("--only", metavar="NAME:ACTION[:N]", action="append", default=[],
                        help="for example renameat:signal=KILL:3, write:error=EIO, write:error=ENOSPC+:7")
    parser.add_argument("--seconds", type=float, help="stop starting runs after this long")
    parser.add_argument("--fail-fast", action="store_true", help="stop at the first violation")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--keep", action="store_true", help="keep the scratch directory")
    parser.add_argument("--scratch", help="where to work (default: memory)")
    parser.add_argument("--json", metavar="FILE", help="write the summary there too")
    given = parser.parse_args()
    if given.short:
        given.points = given.points or 4
        given.seconds = given.seconds or 95
        given.scenario = given.scenario or SHORT
    elif not given.long:
        given.points = given.points or 12
    given.scenario = given.scenario or scenarios.SCENARIOS
    return given


def spread(numbers, count):
    """First, last and evenly spread ones between; all if `count` is None."""
    numbers = sorted(numbers)
    if count is None or len(numbers) <= count:
        return numbers
    if count == 1:
        return numbers[-1:]
    return sorted({numbers[round(step * (len(numbers) - 1) / (count - 1))] for step in range(count)})


def actions(name, given):
    """The faults for a call. A kill at a reading call gives the state of the next changing call."""
    if name in strace.CHANGING or given.long:
        yield "signal=KILL"
    for errno, names in (ERRNOS | (MORE_ERRNOS if given.long else {})).items():
        if names is None or name in names:
            yield f"error={errno}"


def plan(scenario, calls, room, given):
    """The points of one scenario, kills and errnos in turn."""
    found = []
    for name, numbers in strace.points(calls, room.root).items():
        for action in actions(name, given):
            chosen = list(numbers)
            if "KILL" in action and name in OPENING and not given.long:
                # Opening for reading changes nothing: use the kills for files being created.
                chosen = [
                    n for n, call in numbers.items() if "O_CREAT" in call.text or "O_TMPFILE" in call.text
                ]
            # A kill gets twice as many points as an errno.
            limit = given.points and (2 * given.points if "KILL" in action else given.points)
            found += [Point(scenario.name, name, action, n) for n in spread(chosen, limit)]
    if given.only:
        found = []
        for text in given.only:
            name, action, number = (text.split(":") + [None])[:3]
            numbers = [int(number)] if number else strace.points(calls, room.root).get(name, {})
            found += [Point(scenario.name, name, action, n) for n in numbers]
    # Seeded, so that a time limit drops points of all names evenly, and the same ones each time.
    random.Random(scenario.name).shuffle(found)
    kills = [point for point in found if "KILL" in point.action]
    errnos = [point for point in found if "KILL" not in point.action]
    return [point for pair in itertools.zip_longest(kills, errnos) for point in pair if point]


def examine(room, checker, point, given):
    """One point: new copy, faulted run, checks. Returns the data for the report."""
    case = room.root / "cases" / f"{point.scenario}-{point.name}-{point.action}-{point.number}"
    subject = room.copy(checker.scenario.start, case / "subject")
    outcome, call, counts = strace.inject(checker.scenario.argv(subject), case / "trace", point.name,
                                          point.action, point.number, room.root)
    if call is None or not counts:
        problems = []
        # It ran undisturbed (fewer calls than recorded), or died in start-up without a message.
        if call is None and outcome.status != 0:
            problems = [f"no fault landed, and yet {outcome.brief()}"]
        dispose(case, given.keep)
        return problems, "start-up" if call else "not reached", "", outcome
    # A tool whose standard error is closed, or whose every write fails, cannot print anything.
    mute = point.action.endswith("+") or (call.name in ("write", "writev", "close")
                                          and call.text.startswith(("1<", "2<")))
    # Read now: the checks run the tool again, which removes files left by this run.
    untidy = checker.untidy(subject) if outcome.status in (1, 2, 3) and point.name not in REMOVING else []
    problems = untidy + checker.full(case, outcome, may_be_killed="KILL" in point.action,
                            needs_help="KILL" not in point.action and not mute)
    if "EINTR" in point.action and outcome.status != 0:
        problems.append(f"a signal made it fail: {outcome.brief()}")
    if point.name in SYNCING and "EINTR" not in point.action and outcome.status == 0:
        problems.append("exit 0, though making it durable failed")
    if "EMFILE" in point.action and outcome.status == 1:
        problems.append(f"for want of descriptors it calls a file damaged: {outcome.brief()}")
    dispose(case, given.keep)
    return problems, None, call.brief(), outcome


def prepare(room, name, report, given):
    """Scenario, checker and points; a tool that fails undisturbed is also a violation."""
    try:
        scenario = room.scenario(name)
        checker = Checker(room, scenario)
    except scenarios.SetupFailed as reason:
        report.violation(f"{name} (undisturbed)", [str(reason)], f"sweep.py --scenario {name}")
        return None, []
    if checker.clean_problems:
        report.violation(f"{name} (undisturbed)", checker.clean_problems, f"sweep.py --scenario {name}")
    traces = []
    for attempt in ("a", "b"):
        case = room.root / "record" / f"{name}-{attempt}"
        subject = room.copy(scenario.start, case / "subject")
        traces.append(strace.record(scenario.argv(subject), case / "trace")[1])
    first, second = ({n: len(v) for n, v in strace.points(calls, room.root).items()} for calls in traces)
    if first != second:
        odd = {n: (first.get(n), second.get(n)) for n in first.keys() | second.keys()
               if first.get(n) != second.get(n)}
        report.note(f"{name}: two recordings differ in {odd}; N is approximate there")
    return checker, plan(scenario, max(traces, key=len), room, given)


def main():
    given = arguments()
    tool.command()
    report = Report("sweep", given.json)
    with scenarios.Bench(given.scratch, given.keep) as room:
        prepared = [prepare(room, name, report, given) for name in given.scenario]
        checkers = {checker.scenario.name: checker for checker, _ in prepared if checker}
        # Round robin over the scenarios, so that a time limit reduces them evenly.
        rows = itertools.zip_longest(*(points for _, points in prepared))
        queue = [point for row in rows for point in row if point]
        # Start the clock here: on a busy machine, the recordings alone used all of the time.
        deadline = time.monotonic() + given.seconds if given.seconds else None

        def work(point):
            if deadline and time.monotonic() > deadline or given.fail_fast and report.violations:
                return None
            return examine(room, checkers[point.scenario], point, given)

        with concurrent.futures.ThreadPoolExecutor(given.jobs) as pool:
            for point, result in zip(queue, pool.map(work, queue)):
                if result is None:
                    report.counts["not run: out of time, or --fail-fast"] += 1
                    continue
                problems, skipped, hit, outcome = result
                kind = "KILL" if "KILL" in point.action else "errno"
                report.counts[f"skipped: {skipped}" if skipped else f"{kind} at {point.name}"] += 1
                if not skipped:
                    report.counts[f"all {kind} points"] += 1
                    report.ends[f"{kind}: exit {outcome.status}"] += 1
                if problems:
                    where = f"{point.scenario} {point.name}:{point.action}:{point.number} at {hit}"
                    report.violation(where, problems,
                                     f"{Path(sys.argv[0]).name} --scenario {point.scenario} --keep "
                                     f"--only {point.name}:{point.action}:{point.number}")
        for kind in {"KILL" if "KILL" in point.action else "errno" for point in queue}:
            if not report.counts[f"all {kind} points"]:
                report.violation(
                    kind, ["not one fault landed: this sweep proved nothing"], "strace --version"
                )
        if given.keep:
            report.note(f"kept {room.root}")
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
