#!/usr/bin/env python3
"""Runs the parts of 'make test', and stops at the first part that fails.

    Scripts/test.py                 everything
    Scripts/test.py faults trust    only these parts, with the existing build
    Scripts/test.py --list          the parts

Most rigs start one process after the other, or wait for a network, and leave a core idle. So they run in two
lanes, beside the Swift tests in a third one; the lanes take about the same time. Each part writes to
.build/test/<part>.log; a part that fails is printed.
"""

import argparse
import os
import queue
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LOGS = ROOT / ".build/test"
TOOL = ".build/release/packtool"
# packtool with the transport of apps.
APP_TOOL = ".build/release/PackToolURLSession"
# One optimized build for the tests and the rigs: a debug build would take four times the CPU.
SWIFT = "-c release -Xswiftc -enable-testing"
MUTANTS = "python3 Tests/Rigs/Faults/mutants/mutants.py --check"

# Each stage has lanes that run at the same time; each lane runs its parts in order.
STAGES = [
    [[("install", "Scripts/install.sh build test pipeline stores dist release")]],
    [
        [("lint", "make --no-print-directory lint")],
        [("build", f"swift build --build-tests {SWIFT} && Scripts/licences.sh .build/licences")],
    ],
    [
        [
            # Unlimited, they keep more than a thousand files open at once, and Foundation's Process crashes.
            ("swift", f"SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=32 swift test --skip-build {SWIFT}"),
            ("bucket", "python3 Tests/Rigs/Remote/s3.py"),
            ("stores", "python3 Tests/Rigs/Remote/servers.py --short"
                       " && python3 Tests/Rigs/Remote/sigv4.py --short"),
        ],
        [
            ("mutants", f"{MUTANTS} && {MUTANTS} --table Tests/Rigs/Faults/mutants/decisions.toml"
                        f" && {MUTANTS} --table Tests/Rigs/Trust/mutants.toml"
                        f" && {MUTANTS} --table Tests/Rigs/Remote/mutants.toml"),
            ("fuzz", "Tests/Rigs/Fuzz/run.sh --check"),
            ("commands", "python3 Tests/Rigs/Commands/run.py"),
            ("questions", f"python3 Tests/Rigs/Init/questions.py --packtool {TOOL}"),
            ("javascript", "Tests/Rigs/JavaScript/compare-acorn.sh"),
            ("exclude", f"python3 Tests/Rigs/Exclude/compare_git.py --packtool {TOOL}"),
            ("resolver", f"python3 Tests/Rigs/WebKit/resolve.py --packtool {TOOL}"),
            ("example", f"examples/storefront/check.sh && examples/client/check.sh {TOOL}"
                        f" && Scripts/demo.sh {TOOL} .build/demo && Scripts/record.py --check {TOOL}"),
            ("pipeline", f"Scripts/check-pipeline.sh {TOOL}"),
            ("reproducibility", f"python3 Tests/Rigs/Reproducibility/matrix.py --short --binary {TOOL}"),
            ("trust", "python3 Tests/Rigs/Trust/run.py"),
            ("release", f"python3 Tests/Rigs/Release/run.py {TOOL}"),
        ],
        [
            ("attacks", "python3 Tests/Rigs/Attacks/run.py"),
            ("deltas", f"python3 Tests/Rigs/Delta/agree.py {TOOL} --quick"),
            ("faults", "python3 Tests/Rigs/Faults/run.py --short"),
            ("http", "python3 Tests/Rigs/Remote/run.py --short"),
            ("http-app", f"PACKTOOL_CLIENT={APP_TOOL} python3 Tests/Rigs/Remote/run.py --short"),
            ("serve", "python3 Tests/Rigs/Remote/serve.py && python3 Tests/Rigs/Remote/heads.py"),
            ("sources", "python3 Tests/Rigs/Remote/sources.py --short"
                        " && python3 Tests/Rigs/Remote/authorities.py"),
            ("feeds", f"python3 Tests/Rigs/Feeds/run.py --packtool {TOOL}"),
        ],
    ],
]


class Runner:
    """Runs parts as process groups, so that all of them end when one fails."""

    def __init__(self):
        self.begun = time.monotonic()
        self.running = set()
        self.lock = threading.Lock()
        self.ended = queue.Queue()
        self.stopped = False

    def run(self, name, command):
        """Runs one part; False if it failed."""
        with self.lock:
            if self.stopped:
                return False
            begun = time.monotonic()
            with open(LOGS / f"{name}.log", "wb") as log:
                process = subprocess.Popen(["sh", "-c", command], cwd=ROOT, stdin=subprocess.DEVNULL,
                                           stdout=log, stderr=subprocess.STDOUT, start_new_session=True,
                                           env=os.environ | {"PACKTOOL": str(ROOT / TOOL)})
            self.running.add(process)
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        with self.lock:
            self.running.discard(process)
            if self.stopped:
                return False
            seconds = time.monotonic() - begun
            verdict = "ok" if status == 0 else "FAILED"
            print(f"{verdict:7}{seconds:5.0f} s  {used.ru_utime + used.ru_stime:5.0f} s CPU  "
                  f"{name:16}{closing(name)}", flush=True)
        return status == 0

    def lane(self, parts):
        for name, command in parts:
            if not self.run(name, command):
                self.ended.put(name)
                return
        self.ended.put(None)

    def stage(self, lanes):
        """Runs lanes side by side; the name of the part that failed first, or None."""
        for parts in lanes:
            threading.Thread(target=self.lane, args=(parts,), daemon=True).start()
        for _ in lanes:
            if failed := self.ended.get():
                self.stop()
                return failed
        return None

    def stop(self):
        with self.lock:
            self.stopped = True
            for process in self.running:
                os.killpg(process.pid, signal.SIGTERM)


def lines(name):
    return (LOGS / f"{name}.log").read_text(errors="replace").splitlines()


def closing(name):
    """The last line that a part printed, or the summary of the Swift tests."""
    text = [line for line in lines(name) if line.strip()]
    if name == "swift":
        text = [line for line in text if "Test run with" in line] or text
    return text[-1].strip()[:110] if text else ""


def explain(name):
    """Prints the end of a failed part's output, and the path of its log."""
    text = lines(name)
    if name == "swift":
        text = [line for line in text if line.startswith("✘")] + text[-20:]
    print(f"\n== {name}")
    print("\n".join(text[-120:]))
    print(f"\nerror: the part '{name}' of the tests failed\n"
          f"help: read .build/test/{name}.log, and run it again with 'Scripts/test.py {name}'")


def chosen(names):
    """The stages with only these parts."""
    known = [part for stage in STAGES for lane in stage for part, _ in lane]
    if unknown := set(names) - set(known):
        sys.exit(f"error: there is no part '{min(unknown)}'\nhelp: the parts are {', '.join(known)}")
    return [lanes for stage in STAGES
            if (lanes := [kept for lane in stage if (kept := [part for part in lane if part[0] in names])])]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("parts", nargs="*", metavar="PART", help="only these (default: all)")
    parser.add_argument("--list", action="store_true", help="print the parts with their commands")
    given = parser.parse_args()
    if given.list:
        for name, command in (part for stage in STAGES for lane in stage for part in lane):
            print(f"{name:16}{command}")
        return 0
    LOGS.mkdir(parents=True, exist_ok=True)
    runner = Runner()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda number, _: (runner.stop(), sys.exit(128 + number)))
    for stage in chosen(given.parts) if given.parts else STAGES:
        if failed := runner.stage(stage):
            explain(failed)
            return 1
    # The line that CI reads the number of tests from.
    if not given.parts or "swift" in given.parts:
        print(closing("swift"))
    print(f"all passed in {time.monotonic() - runner.begun:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
