#!/usr/bin/env python3
"""Repeats the attacks of an independent security review, and checks that each ends as a user would expect.

Every attack must end with a named error or a success, in bounded time and memory, without a signal, a hang or
a loss.
The tool is $PACKTOOL, or the debug build of this checkout. Ends with "N passed, M failed".
"""

import argparse
import concurrent.futures
import importlib
import json
import os
import sys
import time
import traceback
from pathlib import Path

sys.dont_write_bytecode = True
import lab

ROOMS = ["foreign_lengths", "resources", "order", "damage", "packages", "paths", "terminal"]


def attempt(tool, is_long, number, title, function):
    """Runs one attack in its own directory, and prints the result."""
    begun, problem = time.monotonic(), None
    with lab.room(None) as place:
        here = lab.Lab(tool, place, is_long)
        try:
            function(here)
        except lab.Wrong as reason:
            problem = str(reason)
        except Exception:
            problem = traceback.format_exc(limit=-3)
    return {
        "fault": number,
        "attack": function.__name__,
        "title": title,
        "problem": problem,
        "runs": len(here.runs),
        "ends": sorted({"hung" if run.hung else str(run.status) for run in here.runs}),
        "slowest": round(max((run.seconds for run in here.runs), default=0), 2),
        "mebibytes": round(max((run.mebibytes for run in here.runs), default=0), 1),
        "last": [f"{run}\n        {run.err[-500:]}" for run in here.runs[-3:]],
        "seconds": round(time.monotonic() - begun),
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--long", action="store_true", help="full sizes; needs a release build")
    parser.add_argument(
        "--only", action="append", metavar="WORD", help="the number of a fault, or a function's name"
    )
    parser.add_argument("--jobs", type=int, default=2, help="attacks at a time (default: 2)")
    parser.add_argument("--keep", action="store_true", help="print the last runs of an attack that failed")
    parser.add_argument(
        "--json", metavar="FILE", help="write exit codes, longest time and highest peak memory of each attack"
    )
    given = parser.parse_args()
    tool = Path(os.environ.get("PACKTOOL", lab.REPOSITORY / ".build/debug/packtool")).resolve()
    if not tool.exists():
        sys.exit(f"error: no tool at {tool}\nhelp: run `swift build`, or set PACKTOOL")
    for name in ROOMS:
        importlib.import_module(name)
    chosen = [entry for entry in lab.ATTACKS
              if not given.only or {str(entry[0]), entry[3].__name__} & set(given.only)]
    skipped = [title for _, title, needs_root, _ in chosen if needs_root and not lab.is_root()]
    for title in skipped:
        print(f"skipped    {title}: it mounts file systems or makes devices, which needs root")
    rows = []
    with concurrent.futures.ThreadPoolExecutor(given.jobs) as pool:
        tried = [pool.submit(attempt, tool, given.long, number, title, function)
                 for number, title, needs_root, function in chosen if lab.is_root() or not needs_root]
        for future in concurrent.futures.as_completed(tried):
            row = future.result()
            rows.append(row)
            print(
                f"{'FAILED ' if row['problem'] else 'ok     '} {row['fault']:2} {row['title']}: "
                f"{row['runs']} runs, exit {', '.join(row['ends'])}, "
                f"at most {row['slowest']:.1f} s and {row['mebibytes']:.0f} MiB ({row['seconds']} s)",
                flush=True,
            )
            if row["problem"]:
                print(
                    "        " + row["problem"],
                    *(row["last"] if given.keep else []),
                    sep="\n        ",
                    flush=True,
                )
    if given.json:
        rows.sort(key=lambda row: (row["fault"], row["attack"]))
        Path(given.json).write_text(json.dumps(rows, indent=1) + "\n")
    failed = sum(bool(row["problem"]) for row in rows)
    print(f"{len(rows) - failed} passed, {failed} failed" + (f", {len(skipped)} skipped" if skipped else ""))
    return 1 if failed or not rows else 0


if __name__ == "__main__":
    sys.exit(main())
