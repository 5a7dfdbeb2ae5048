#!/usr/bin/env python3
"""A publisher that ignores the lock: the files it writes first must stay.

flock does not work on every network file system, so the protocol must be safe without it: immutable names are
linked, never replaced, and the log entry decides. strace delays the publisher just before it links a name,
and the name is taken during the delay.
"""

import argparse
import shutil
import sys
import threading
import time

from rig import origin, scenarios, strace, tool, tree
from rig.report import Report

DELAY = 3_000_000  # microseconds


def is_held_up(log, call, target):
    """Whether the call that links the name was entered: strace logs it before the delay."""
    return log.exists() and any(
        entered.name == call and scenarios.given(entered).endswith(target) for entered in strace.parse(log))


def hold_up(room, name, target, intrude):
    """Publishes the second build; `intrude(path)` runs while the link or rename to `target` is delayed."""
    case = room.root / "overtake" / name
    argv = lambda path: tool.publish_argv(room.two.path, path)  # noqa: E731
    _, calls = strace.record(argv(room.copy(room.origin(room.one), case / "subject")), case / "trace")
    _, call, number = scenarios.at(("link", "rename"), target)(strace.places(calls, room.root), calls)
    shutil.rmtree(case / "subject")
    log = case / "held"
    path = room.copy(room.origin(room.one), case / "subject")
    results = []
    runner = threading.Thread(target=lambda: results.append(strace.inject(
        argv(path), log, call, f"delay_enter={DELAY}", number, room.root)))
    runner.start()
    while runner.is_alive() and not is_held_up(log, call, target):
        time.sleep(0.02)
    intrude(path)
    in_time = runner.is_alive()
    runner.join()
    outcome, hit, _ = results[0]
    if hit is None or not in_time:
        raise scenarios.SetupFailed(f"{name}: the publisher was not held up: {outcome.brief()}")
    return path, outcome


def put(path, files):
    """Links files to names, like another publisher, without writing in place."""
    for name, data in files.items():
        target = path / name
        target.parent.mkdir(parents=True, exist_ok=True)
        fresh = target.with_name(".fresh")
        fresh.write_bytes(data)
        fresh.rename(target)


def verdict(room, path, outcome, status, files, pointer):
    """Checks the result, and that every file put there is unchanged."""
    wrong = tool.complaints(outcome)
    if outcome.status != status:
        wrong.append(f"not exit {status}: {outcome.brief()}")
    after = tree.read(path)
    wrong += [f"replaced: {name}" for name, data in files.items() if after.get(name) != data]
    if pointer and after[origin.POINTER] != pointer:
        wrong.append("the pointer changed")
    return wrong


def converges(room, path):
    outcome = tool.run(tool.publish_argv(room.two.path, path))
    if outcome.status != 0:
        return [f"running again: {outcome.brief()}"]
    after = tree.read(path)
    version = origin.current(after)["version"]
    return origin.judge(after) + origin.leftovers(after) + (
        [] if version == room.two.version else [f"running again: the pointer names {version}"])


def log_entry(room):
    """Another publisher commits the same sequence: conflict, and the next run uses another one."""
    theirs = tree.read(room.origin(room.one, room.three))
    files = {name: data for name, data in theirs.items() if isinstance(data, bytes)
             and name.startswith(("objects/", "releases/", origin.LOG))}
    before = tree.read(room.origin(room.one))[origin.POINTER]
    path, outcome = hold_up(room, "log", "log/2.json", lambda path: put(path, files))
    return verdict(room, path, outcome, 3, files, before) + converges(room, path)


def new_object(room):
    """The name and bytes of an object that only the second build has."""
    old, new = (tree.read(room.origin(*of)) for of in ((room.one,), (room.one, room.two)))
    return next((name, data) for name, data in new.items()
                if name.startswith("objects/") and name.endswith("/vendor.js") and name not in old)


def same_object(room):
    """Another publisher writes the same object: it is equivalent, and stays."""
    name, data = new_object(room)
    inodes = []

    def intrude(path):
        put(path, {name: data})
        inodes.append((path / name).stat().st_ino)

    path, outcome = hold_up(room, "same-object", name, intrude)
    wrong = verdict(room, path, outcome, 0, {name: data}, None)
    if (path / name).stat().st_ino != inodes[0]:
        wrong.append(f"replaced: {name}")
    return wrong + origin.judge(tree.read(path))


def other_object(room):
    """Other bytes under an object's name: refused and left unchanged, and the old release stays."""
    name, data = new_object(room)
    files = {name: data[:-1] + b"!"}
    before = tree.read(room.origin(room.one))[origin.POINTER]
    path, outcome = hold_up(room, "other-object", name, lambda path: put(path, files))
    return verdict(room, path, outcome, 1, files, before)


def package(room):
    """Another publisher compresses the same release differently: its package is bound, ours is a conflict."""
    start = room.state("fast", room.origin(room.one), [
        lambda path: tool.publish_argv(room.two.path, path, "--level", "fast")])
    files = {name: data for name, data in tree.read(start).items() if isinstance(data, bytes)
             and name.startswith(f"releases/{room.two.version}/")}
    before = tree.read(room.origin(room.one))[origin.POINTER]
    path, outcome = hold_up(room, "package", "/package.zip", lambda path: put(path, files))
    return verdict(room, path, outcome, 3, files, before) + converges(room, path)


def site(room):
    """Another publisher commits while this one, whose pointer was live, is about to replace `info.json`
    and `site/`: it stops, and leaves both to the live release."""
    theirs = tree.read(room.origin(room.one, room.two, room.three))
    page = {f"site/{path}": content for path, content in room.three.files}
    live = page | {name: theirs[name] for name in ("info.json", origin.POINTER)}

    def intrude(path):
        there = tree.read(path)
        put(path, live | {name: data for name, data in theirs.items() if isinstance(data, bytes)
                          and not name.startswith((".packtool/", "site/")) and name not in there | live})

    path, outcome = hold_up(room, "site", "subject/info.json", intrude)
    after = tree.read(path)
    gone = [f"site/{path}" for path, _ in room.two.files if f"site/{path}" not in page
            and path not in room.one.tree]
    return (verdict(room, path, outcome, 0, live, theirs[origin.POINTER]) + origin.judge(after)
            + origin.leftovers(after)
            + [f"it did not stop, and wrote {name}" for name in gone if name in after])


CASES = {"log": log_entry, "same-object": same_object, "other-object": other_object, "package": package,
         "site": site}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--case", action="append", choices=CASES)
    parser.add_argument("--fail-fast", action="store_true")
    parser.add_argument("--scratch")
    parser.add_argument("--keep", action="store_true")
    parser.add_argument("--json", metavar="FILE")
    given = parser.parse_args()
    tool.command()
    report = Report("overtake", given.json)
    with scenarios.Bench(given.scratch, given.keep) as room:
        for name in given.case or CASES:
            try:
                wrong = CASES[name](room)
            except (scenarios.SetupFailed, origin.Broken) as reason:
                wrong = [f"{type(reason).__name__}: {reason}"]
            report.counts["cases"] += 1
            if wrong:
                report.violation(name, wrong, f"overtake.py --case {name}")
                if given.fail_fast:
                    break
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
