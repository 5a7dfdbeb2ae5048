#!/usr/bin/env python3
"""Writes the file-system calls of an undisturbed run of each scenario, comparable between versions.

Compare two folders of such traces with `diff -r`: a change of the code's structure leaves them unchanged.
Descriptor numbers, random names, addresses and the scratch directory are replaced with words; the length of a
message is omitted.
"""

import argparse
import re
import sys
from pathlib import Path

from rig import scenarios, strace

# A descriptor's number before the path added by strace -y.
DESCRIPTOR = re.compile(r"(?<![\w/])\d+(?=<)")
RANDOM = re.compile(r"\b[0-9a-f]{32}\b|\b[0-9a-f]{16}\b(?=[/\"\s>]|\.tmp)")
ADDRESS = re.compile(r"0x[0-9a-f]+")
# Data read or written: the content is checked elsewhere, its times and inodes differ by run.
CONTENT = re.compile(r'"(?:[^"\\]|\\.)*"\.*(?=, \d+)')
STATUS = re.compile(r"\{.*?\}")
CURRENT = re.compile(r"AT_FDCWD<[^>]*>")


def normal(call, root):
    """One line for a call, the same in every equivalent run."""
    text = call.text.replace(root, "ROOT")
    if call.name in ("read", "write", "pread64", "pwrite64", "readv", "writev"):
        text = CONTENT.sub('"…"', text)
    text = CURRENT.sub("AT_FDCWD", STATUS.sub("{…}", text))
    tail = call.tail.replace(root, "ROOT")
    result = "FD" if DESCRIPTOR.match(f"{call.result}{tail}") else call.result
    if "<pipe:" in text:
        return f"{call.name}(message)"
    line = f"{call.name}({DESCRIPTOR.sub('FD', text)}) = {result}{tail}"
    return RANDOM.sub("RANDOM", ADDRESS.sub("ADDRESS", line))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("folder", type=Path, help="where the traces go: one file a scenario")
    parser.add_argument("--scenario", action="append", choices=scenarios.SCENARIOS, help="only this one")
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    with scenarios.Bench() as room:
        for name in given.scenario or scenarios.SCENARIOS:
            scenario = room.scenario(name)
            subject = room.copy(scenario.start, room.root / "cases" / name)
            outcome, calls = strace.record(scenario.argv(subject), room.root / f"{name}.trace")
            if outcome.status != 0:
                sys.exit(f"error: {name}: {outcome.brief()}")
            calls = calls[strace.marker(calls, room.root):]
            lines = [normal(call, str(room.root)) for call in calls]
            (given.folder / f"{name}.txt").write_text("\n".join(lines) + "\n")
            print(f"{name}: {len(lines)} calls")


if __name__ == "__main__":
    main()
