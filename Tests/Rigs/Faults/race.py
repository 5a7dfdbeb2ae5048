#!/usr/bin/env python3
"""Two concurrent publishers, and a continuous reader.

Each round starts publishers of different builds at the same moment on one origin. At least one must succeed;
the others succeed or report "conflict" (3). At the same time a reader polls like a CDN's clients: pointer,
log entry, manifests and all files named by them must always exist and be complete, and the sequence must
never go back. No fault is injected here: the subject is order, locking and names.
"""

import argparse
import random
import shutil
import subprocess
import sys
import threading
import time
from collections import Counter
from pathlib import Path

from rig import builds, origin, scenarios, tool, tree
from rig.report import Report


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--rounds", type=int, default=50)
    parser.add_argument("--short", action="store_true", help="10 rounds")
    parser.add_argument("--long", action="store_true", help="400 rounds, 4 publishers")
    parser.add_argument("--publishers", type=int)
    parser.add_argument("--gaps", action="store_true", help="accept sequence numbers that nobody published")
    parser.add_argument("--fail-fast", action="store_true", help="stop at the first violation")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--scratch")
    parser.add_argument("--keep", action="store_true")
    parser.add_argument("--json", metavar="FILE")
    given = parser.parse_args()
    given.rounds = 10 if given.short else 400 if given.long else given.rounds
    given.publishers = given.publishers or (4 if given.long else 2)
    return given


class Lazy(dict):
    """An origin read from disk on demand; immutable names are read once."""

    def __init__(self, root):
        super().__init__()
        self.root = Path(root)

    def get(self, path, default=None):
        fixed = path.startswith(("objects/", "releases/")) or "/log/" in path
        if fixed and path in self:
            # If it still exists; its bytes are compared again at the end of the round.
            return self[path] if (self.root / path).exists() else default
        try:
            content = (self.root / path).read_bytes()
        except FileNotFoundError:
            return default
        if fixed:
            self[path] = content
        return content


class Reader(threading.Thread):
    """Polls until stopped; collects complaints."""

    def __init__(self, root):
        super().__init__(daemon=True)
        self.tree, self.stop = Lazy(root), threading.Event()
        self.looks, self.sequence, self.problems = 0, 0, []

    def run(self):
        while not self.stop.is_set():
            try:
                self.look()
            except origin.Broken as reason:
                self.problems.append(f"reader, look {self.looks}: {reason}")
            self.looks += 1
            # Yield the processor: with two cores, the publishers come first.
            time.sleep(0.001)

    def look(self):
        envelope = self.tree.get(origin.POINTER)
        if envelope is not None:
            pointer = origin.payload(envelope)
            if pointer["sequence"] < self.sequence:
                raise origin.Broken(f"sequence went back: {self.sequence} to {pointer['sequence']}")
            self.sequence = pointer["sequence"]
            entry = self.tree.get(f"{origin.LOG}/{pointer['sequence']}.json")
            if entry != envelope:
                raise origin.Broken(f"log entry {pointer['sequence']} "
                                    + ("is missing" if entry is None else "differs from the pointer"))
            origin.check_pointer(self.tree, pointer, "pointer")
        info = self.tree.get("info.json")
        if info is not None:
            origin.check_info(self.tree, info, "info.json")


class Visitor(threading.Thread):
    """packtool as another process: verifies and updates while publishers are at work."""

    def __init__(self, path, client):
        super().__init__(daemon=True)
        self.path, self.client = path, client
        self.stop, self.problems, self.visits = threading.Event(), [], Counter()

    def run(self):
        while not self.stop.is_set():
            if not (self.path / origin.POINTER).exists():
                time.sleep(0.01)
                continue
            for argv in (tool.verify_argv(self.path), tool.install_argv(self.path, self.client)):
                outcome = tool.run(argv)
                self.visits[self.name_of(argv)] += 1
                self.problems += tool.complaints(outcome)
                if outcome.status != 0:
                    self.problems.append(f"visitor, {self.name_of(argv)}: {outcome.brief()} "
                                         + outcome.stdout.strip().replace("\n", " | ")[-300:])

    @staticmethod
    def name_of(argv):
        return "install" if "--into" in argv else "verify"


def start(build, path, delay):
    time.sleep(delay)
    return subprocess.Popen(tool.publish_argv(build.path, path), env=tool.environment(),
                            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def end(process):
    try:
        out, err = process.communicate(timeout=120)
        hung = False
    except subprocess.TimeoutExpired:
        process.kill()
        out, err = process.communicate()
        hung = True
    return tool.Outcome(process.args, process.returncode, out.decode("utf-8", "replace"),
                        err.decode("utf-8", "replace"), hung)


def play(number, path, makers, delays, report, given):
    """One round; returns the problems found."""
    before, wrong = tree.read(path), []
    start_at = (origin.current(before) or {"sequence": 0})["sequence"]
    running = [start(build, path, delay) for build, delay in zip(makers, delays)]
    outcomes = [end(process) for process in running]
    winners = [build for build, outcome in zip(makers, outcomes) if outcome.status == 0]
    for outcome in outcomes:
        report.ends[f"exit {outcome.status}"] += 1
        wrong += tool.complaints(outcome)
        if outcome.status not in (0, 3):
            wrong.append(f"a publisher neither won nor met a conflict: {outcome.brief()}")
    if not winners:
        wrong.append("nobody won")
    after = tree.read(path)
    wrong += origin.judge(after) + origin.rewritten(before, after) + origin.leftovers(after)
    try:
        pointer, entries = origin.current(after), origin.log_entries(after)
        fresh = [origin.payload(entries[n])["version"] for n in sorted(entries) if n > start_at]
    except origin.Broken as reason:
        return wrong + [str(reason)]
    if pointer is None:
        return wrong + ["nothing is published"]
    if sorted(set(fresh)) != sorted({build.version for build in winners}) and not given.gaps:
        wrong.append(f"the log names {fresh}, exit 0 was said for {[b.version for b in winners]}")
    if pointer["sequence"] - start_at != len(winners) and not given.gaps:
        wrong.append(f"{len(winners)} published, the sequence grew by {pointer['sequence'] - start_at}")
    current = [build for build in winners if build.version == pointer["version"]]
    if not current:
        wrong.append(f"the pointer names {pointer['version']}, which no winner published")
    elif tree.below(after, "site") and origin.judge_site(
            {"site/" + p: after.get("site/" + p) for p in current[0].tree}, current, current[0]):
        wrong.append("site/ and pointer show different releases")
    return wrong


def main():
    given = arguments()
    report = Report("race", given.json)
    source = random.Random(given.seed)
    with scenarios.Bench(given.scratch, given.keep) as room:
        path = room.root / "origin"
        path.mkdir()
        reader = Reader(path)
        visitor = Visitor(path, room.root / "visitor")
        reader.start()
        visitor.start()
        for number in range(given.rounds):
            makers = [builds.make(room.root / "builds", 100 + number * given.publishers + which)
                      for which in range(given.publishers)]
            # Usually at once; sometimes one starts while the other is at work.
            delays = [0.0] + [source.choice((0, 0, 0.01, 0.03)) for _ in makers[1:]]
            wrong = play(number, path, makers, delays, report, given)
            told, reader.problems = list(dict.fromkeys(reader.problems + visitor.problems)), []
            visitor.problems = []
            wrong += told
            report.counts["rounds"] += 1
            if wrong:
                report.violation(f"round {number}", wrong,
                                 f"{Path(sys.argv[0])} --seed {given.seed} --rounds {number + 1} --keep")
            for build in makers:
                shutil.rmtree(build.path)
            if wrong and given.fail_fast:
                break
        for watcher in (reader, visitor):
            watcher.stop.set()
            watcher.join()
        report.counts["looks of the reader"] = reader.looks
        for command, count in visitor.visits.items():
            report.counts[f"runs of {command} meanwhile"] = count
        outcome = tool.run(tool.verify_argv(path), timeout=300)
        if outcome.status != 0:
            report.violation("at the end", [f"verify: {outcome.brief()}"], "race.py --keep")
        stored = tree.read(path)
        changed = [name for name, content in reader.tree.items() if stored.get(name) != content]
        if changed:
            report.violation(
                "at the end", [f"bytes changed under an immutable name: {changed[:5]}"], "race.py --keep"
            )
        if given.keep:
            report.note(f"kept {room.root}")
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
