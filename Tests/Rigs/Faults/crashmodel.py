#!/usr/bin/env python3
"""Power-cut model: derives the possible trees on disk after a power failure, and checks each of them.

A kill keeps all written data; a power cut loses everything not made durable by a barrier. The trace of a
publish or an install becomes a list of operations (`rig.crashfs`); from every prefix of that list this
program derives states that lose some of the data not yet durable, and checks each in memory. A sample of
them, and every suspicious one, is also tested with packtool itself: verify, install, run again.
"""

import argparse
import concurrent.futures
import random
import sys
import tempfile
from pathlib import Path

from rig import scenarios, strace, tool, tree
from rig.check import Checker, dispose
from rig.crashfs import Disk, Unmodelled, settle, state
from rig.replay import CALLS, Reader
from rig.report import Report

DEFAULT = ["first", "second", "resume-staged", "resume-logged", "resume-committed", "resume-info",
           "resume-site", "install", "update", "update-resumed", "update-flipped", "repair", "apply"]
SIZES = {
    "short": (
        2,
        15,
        ["first", "second", "resume-committed", "prune", "root-first", "embed", "install-trust", "update",
         "update-flipped"],
    ),  # random states per prefix, full checks, scenarios
    "default": (6, 250, DEFAULT),
    "long": (40, 2000, scenarios.SCENARIOS),
}


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    size = parser.add_mutually_exclusive_group()
    size.add_argument("--short", dest="size", action="store_const", const="short", default="default")
    size.add_argument("--long", dest="size", action="store_const", const="long")
    parser.add_argument("--scenario", action="append", choices=scenarios.SCENARIOS)
    parser.add_argument("--random", type=int, help="random subsets per prefix")
    parser.add_argument("--full", type=int, help="how many states per scenario packtool itself gets to see")
    parser.add_argument("--state", metavar="LABEL", help="only the state of this label, kept on disk")
    parser.add_argument(
        "--fail-fast", action="store_true", help="stop at the first scenario with a violation"
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--scratch")
    parser.add_argument("--list", action="store_true", help="print the operations and stop")
    parser.add_argument("--json", metavar="FILE")
    given = parser.parse_args()
    randoms, full, names = SIZES[given.size]
    given.random = randoms if given.random is None else given.random
    given.full = full if given.full is None else given.full
    given.scenario = given.scenario or names
    return given


def trace(room, scenario):
    """One undisturbed run as a Disk with its operations."""
    case = room.root / "model" / scenario.name
    killed = scenario.killed
    start, subject = killed.basis if killed else scenario.start, case / "subject"
    disk = Disk(str(subject)).load(tree.read(start))
    if killed:
        room.kill(scenario.name, killed, subject, case / "killed", traced=CALLS, strings=8 << 20)
        Reader(disk).run(strace.parse(case / "killed"))
    else:
        room.copy(start, subject)
    disk.begin = len(disk.ops)
    outcome, calls = strace.record(scenario.argv(subject), case / "trace", CALLS, strings=8 << 20)
    if outcome.status != 0:
        raise scenarios.SetupFailed(f"{scenario.name}: {outcome.brief()}")
    Reader(disk).run(calls)
    predicted, found = state(disk, range(len(disk.ops))), tree.read(subject)
    if predicted != found:
        odd = sorted(
            path for path in predicted.keys() | found.keys() if predicted.get(path) != found.get(path)
        )
        raise Unmodelled(f"the model ends in another tree than the run: {odd[:5]}")
    return disk


def public_step(disk, op):
    """Whether this operation changes a public name, which is any outside `.packtool`."""
    hidden = disk.initial[1].get(".packtool") or disk.entries[1].get(".packtool")
    return op.kind in ("add", "move", "swap", "drop") and not (hidden and within(disk, hidden, op.inode))


def within(disk, top, inode):
    """Whether the directory is or ever was below `top`, in the start state or in the end state."""
    if inode == top:
        return True
    return any(op.child == inode and op.kind in ("add", "move", "swap") and within(disk, top, op.inode)
               for op in disk.ops) or any(
        inode in names.values() and within(disk, top, folder)
        for folder, names in disk.initial.items() if folder != 1)


def states(disk, given):
    """(label, must be new, kept, torn) of every relevant crash state; labels can be requested again."""
    source = random.Random(given.seed)
    count = len(disk.ops)
    barriers = ("file", "folder", "all")
    ops, safe = disk.ops, set()
    for cut in range(count + 1):
        if cut and ops[cut - 1].kind in barriers:
            settle(ops, cut - 1, safe)
        if cut < disk.begin:
            # Cuts of the previously killed run are tested in a separate scenario.
            continue
        pending = [i for i in range(cut) if i not in safe and ops[i].kind not in barriers]
        data = [i for i in pending if ops[i].kind in ("data", "cut")]
        names = [i for i in pending if i not in data]
        end = cut == count

        def one(label, lost, torn=(), cut=cut, end=end):
            lost = set(lost)
            return f"{cut}:{label}", end, [i for i in range(cut) if i not in lost], torn

        yield one("all-kept", ())
        yield one("all-lost", pending)
        yield one("bytes-lost", data)
        yield one("names-lost", names)
        # Single losses: just before a barrier, after a publicly visible step, and at the end.
        kept_bytes = {ops[i].inode for i in safe if ops[i].kind in ("data", "cut")}
        inodes = list(dict.fromkeys(ops[i].inode for i in data))
        tearable = [inode for inode in inodes if inode not in kept_bytes]
        if end or ops[cut].kind in barriers or (cut and public_step(disk, ops[cut - 1])):
            for i in names:
                same = [
                    j for j in names if j >= i and (ops[j].inode, ops[j].name) == (ops[i].inode, ops[i].name)
                ]
                yield one(f"lost-{i}", same)
            for inode in tearable:
                for tear in ("half", "empty", "zeros"):
                    yield one(f"torn-{inode}-{tear}", (), ((inode, tear),))
        for number in range(given.random if pending else 0):
            # Each directory loses a suffix of its pending steps, each file some of its bytes.
            lost = set()
            for folder in {ops[i].inode for i in names}:
                mine = [i for i in names if ops[i].inode == folder]
                lost.update(mine[source.randint(0, len(mine)):])
            for inode in inodes:
                mine = [i for i in data if ops[i].inode == inode]
                lost.update(mine[source.randint(0, len(mine)):])
            torn = tuple((inode, source.choice(("half", "empty", "zeros"))) for inode in tearable
                         if source.random() < 0.1)
            yield one(f"random-{number}", lost, torn)


def judge(room, checker, disk, given, report):
    """Checks every state in memory, then a sample on disk, suspicious ones first."""
    name = checker.scenario.name
    seen, wrong, fine = set(), [], []
    for label, end, kept, torn in states(disk, given):
        if given.state and label != given.state:
            continue
        found = state(disk, kept, torn)
        key = (end, frozenset((path, tree.sha256(content) if isinstance(content, bytes) else content)
                              for path, content in found.items()))
        report.counts[f"{name}: states"] += 1
        if key in seen:
            continue
        seen.add(key)
        problems = checker.quick(found, must_be_new=end)
        (wrong if problems else fine).append((label, end, found, problems))
    report.counts[f"{name}: distinct states"] += len(seen)
    for label, _, _, problems in wrong:
        describe(report, given, disk, name, label, problems)
    source = random.Random(given.seed)
    sample = wrong[:5] + source.sample(fine, min(given.full, len(fine)))

    def full(item):
        label, _, found, _ = item
        case = room.root / "crash" / f"{name}-{label.replace(':', '-')}"
        tree.write(found, case / "subject")
        problems = checker.full(case)
        if given.state:
            place = Path(tempfile.mkdtemp(prefix="packtool-crash-state-"))
            tree.write(found, place)
            report.note(f"{label} lies in {place}")
        dispose(case, False)
        return problems

    with concurrent.futures.ThreadPoolExecutor(given.jobs) as pool:
        for (label, _, _, known), problems in zip(sample, pool.map(full, sample)):
            report.counts[f"{name}: states shown to packtool"] += 1
            if problems and not known:
                describe(report, given, disk, name, label, problems)


def describe(report, given, disk, name, label, problems):
    cut = int(label.split(":")[0])
    last = disk.ops[cut - 1].call if cut else "nothing yet"
    kind = label.split(":")[1].split("-")
    told = f"{name}, power cut after step {cut} ({last}), {label.split(':')[1]}"
    if kind[0] == "lost":
        told += f" = {disk.ops[int(kind[1])].call}"
    report.violation(told, problems, f"crashmodel.py --scenario {name} --seed {given.seed} "
                     f"--random {given.random} --state {label}")


def main():
    given = arguments()
    tool.command()
    report = Report("crash model", given.json)
    with scenarios.Bench(given.scratch) as room:
        for name in given.scenario:
            try:
                scenario = room.scenario(name)
                checker = Checker(room, scenario)
                if scenario.killed:
                    # Data written by that run may also be lost, so it guarantees nothing.
                    checker.before = tree.read(scenario.killed.basis)
                disk = trace(room, scenario)
            except (scenarios.SetupFailed, Unmodelled) as reason:
                report.violation(f"{name} (undisturbed)", [f"{type(reason).__name__}: {reason}"],
                                 f"crashmodel.py --scenario {name}")
                continue
            report.counts[f"{name}: steps"] = len(disk.ops)
            if given.list:
                for number, op in enumerate(disk.ops):
                    print(f"{number:4} {op.kind:6} {op.call.replace(str(room.root), '')}")
                continue
            judge(room, checker, disk, given, report)
            if report.violations and given.fail_fast:
                break
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
