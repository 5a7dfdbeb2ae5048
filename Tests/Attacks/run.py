#!/usr/bin/env python3
"""Attacks packtool as an independent examination did, and demands the end that a user would expect.

Every attack ends with a named error or a success, in bounded time and memory, without a signal, a hang or a loss.
The tool is $PACKTOOL, or the debug build of this checkout. Ends with "N passed, M failed".
"""

import argparse
import importlib
import json
import os
import sys
import time
import traceback
from pathlib import Path

sys.dont_write_bytecode = True
import lab  # noqa: E402

ROOMS = ["foreign_lengths", "resources", "order", "damage", "paths", "terminal"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--long", action="store_true", help="full sizes; needs a release build")
    parser.add_argument("--only", action="append", metavar="WORD", help="the number of a fault, or a function's name")
    parser.add_argument("--keep", action="store_true", help="tell a failure's last runs")
    parser.add_argument("--json", metavar="FILE", help="write exit code, time and peak memory of every run")
    given = parser.parse_args()
    tool = Path(os.environ.get("PACKTOOL", lab.REPOSITORY / ".build/debug/packtool")).resolve()
    if not tool.exists():
        sys.exit(f"error: no tool at {tool}\nhelp: run `swift build`, or set PACKTOOL")
    for name in ROOMS:
        importlib.import_module(name)
    passed, failed, skipped, rows = 0, 0, 0, []
    for number, title, needs_root, function in lab.ATTACKS:
        if given.only and not {str(number), function.__name__} & set(given.only):
            continue
        if needs_root and not lab.is_root():
            print(f"skipped {number:2} {title}: it mounts or makes devices, which needs root")
            skipped += 1
            continue
        begun, problem = time.monotonic(), None
        with lab.room(None) as place:
            here = lab.Lab(tool, place, given.long)
            try:
                function(here)
            except lab.Wrong as reason:
                problem = str(reason)
            except Exception:
                problem = traceback.format_exc(limit=-3)
            seconds = time.monotonic() - begun
            worst = max((run.mebibytes for run in here.runs), default=0)
            slowest = max((run.seconds for run in here.runs), default=0)
            ends = sorted({"hung" if run.hung else str(run.status) for run in here.runs})
            rows.append({"fault": number, "attack": function.__name__, "title": title, "problem": problem,
                         "runs": len(here.runs), "ends": ends, "slowest": round(slowest, 2), "mebibytes": round(worst, 1)})
        verdict = "ok     " if problem is None else "FAILED "
        print(f"{verdict} {number:2} {title}: {len(here.runs)} runs, exit {', '.join(ends)}, "
              f"at most {slowest:.1f} s and {worst:.0f} MiB ({seconds:.0f} s)", flush=True)
        if problem:
            failed += 1
            print(f"        {problem}", flush=True)
            if given.keep:
                for run in here.runs[-3:]:
                    print(f"        {run}\n        {run.err[-500:]}")
        else:
            passed += 1
    if given.json:
        Path(given.json).write_text(json.dumps(rows, indent=1) + "\n")
    print(f"{passed} passed, {failed} failed" + (f", {skipped} skipped" if skipped else ""))
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
