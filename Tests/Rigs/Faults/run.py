#!/usr/bin/env python3
"""Runs all fault tests: `--short` for every change, `--long` for a night.

Ends with "N passed, M failed", and with exit status 1 if something failed or could not be tried: a machine on
which strace cannot inject is a failure, not a pass.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from rig import strace, tool

HERE = Path(__file__).resolve().parent
# Programs and their arguments.
SHORT = [("sweep.py", "--short"), ("crashmodel.py", "--short"), ("overtake.py",), ("race.py", "--short"),
         ("damage.py", "--scenario", "update"), ("../Delta/hostile.py",),
         ("../Delta/trees.py", "--edits", "25")]
LONG = [("sweep.py",), ("sweep.py", "--long", "--scenario", "second"),
        ("sweep.py", "--long", "--scenario", "update"), ("crashmodel.py", "--long"), ("overtake.py",),
        ("race.py", "--long"), ("damage.py",), ("mutants/mutants.py",)]


def cases(name, summary):
    """The number of cases tried by a program."""
    if isinstance(summary, list):
        return len(summary), sum(result["verdict"] != "killed" for result in summary)
    counts = summary["counts"]
    if name == "sweep.py":
        tried = counts.get("all KILL points", 0) + counts.get("all errno points", 0)
    elif name == "crashmodel.py":
        tried = sum(count for key, count in counts.items() if key.endswith("distinct states"))
    elif name == "race.py":
        tried = counts.get("rounds", 0)
    else:
        tried = sum(counts.values())
    failed = len(summary["violations"])
    return max(tried, failed), failed


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    size = parser.add_mutually_exclusive_group(required=True)
    size.add_argument("--short", action="store_true", help="under 6 minutes on two cores")
    size.add_argument("--long", action="store_true", help="everything, mutants too: hours")
    given = parser.parse_args()
    tool.command()
    if reason := strace.broken():
        print(f"error: no fault can be injected here: {reason}\n"
              "help: apt-get install strace util-linux, and allow ptrace (docker: --cap-add SYS_PTRACE)",
              file=sys.stderr)
        print("0 passed, 1 failed")
        return 1
    passed = failed = 0
    begun = time.monotonic()
    with tempfile.TemporaryDirectory() as scratch:
        for name, *words in SHORT if given.short else LONG:
            summary = Path(scratch) / "summary.json"
            summary.unlink(missing_ok=True)
            print(f"--- {' '.join([name, *words])}", flush=True)
            status = subprocess.run([sys.executable, HERE / name, *words, "--json", summary]).returncode
            if not summary.exists():
                print(f"{name} broke down with exit {status}")
                failed += 1
                continue
            tried, wrong = cases(name, json.loads(summary.read_text()))
            if status and not wrong or not tried:
                print(f"{name} ended with exit {status} after {tried} cases")
                wrong += 1
            passed, failed = passed + max(0, tried - wrong), failed + wrong
    print(f"fault room: {time.monotonic() - begun:.0f} s")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
