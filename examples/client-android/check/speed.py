#!/usr/bin/env python3
"""The processor time for applying deltas between real builds: packtool and the client of the JVM.

The user time of whole processes, the best of five; that of a JVM that does nothing is subtracted. Also the
time in a JVM that has applied the delta four times before.

    speed.py CLASSES WORK CORPUS NAME:OLD:NEW …
"""

import argparse
import json
import os
import pathlib
import resource
import shutil
import subprocess
import sys

import support

JAVA = ["java", "-XX:+UseSerialGC"]


def user(command, out=None, times=5):
    """The best user time of a command that writes a directory, in seconds."""
    best = None
    for _ in range(times):
        if out is not None:
            shutil.rmtree(out, ignore_errors=True)
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        subprocess.run(
            command,
            check=True,
            stdout=subprocess.DEVNULL,
            env=dict(os.environ, PACKTOOL_JOBS="1", LC_ALL="C.UTF-8"),
        )
        spent = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
        best = spent if best is None else min(best, spent)
    return best


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("classes")
    parser.add_argument("work", type=pathlib.Path)
    parser.add_argument("corpus", type=pathlib.Path)
    parser.add_argument("pairs", nargs="+")
    arguments = parser.parse_args()
    harness = ["-cp", arguments.classes, "packtool.client.Harness"]
    idle = user([*JAVA, *harness, "bucket", "a", "b", "c", "d"])
    wrong = 0
    print(f"start of the JVM: {idle:.2f} s")
    for pair in arguments.pairs:
        name, old, new = pair.split(":")
        work = arguments.work / pair.replace(":", "-")
        for version in (old, new):
            if (
                not (work / "cdn").exists()
                or version == new
                and not list(work.glob("cdn/releases/*/delta-*"))
            ):
                support.publish(work / "cdn", arguments.corpus / name / version, version, "--level", "fast")
        delta = next(work.glob("cdn/releases/*/delta-*.zip"))
        out = work / "out"

        base = arguments.corpus / name / old
        swift = user([support.TOOL, "apply", base, delta, "-o", out, "--quiet"], out)
        expected = support.hashes(out)
        command = ["apply", base, delta, out]
        jvm = user([*JAVA, *harness, *command], out) - idle
        simple = user([*JAVA, "-XX:TieredStopAtLevel=1", *harness, *command], out) - idle
        same = support.hashes(out) == expected
        wrong += not same
        warm = json.loads(
            subprocess.run([*JAVA, *harness, *command, "5"], check=True, capture_output=True).stdout
        )
        best = min(warm[f"hashing {n}"] + warm[f"applying {n}"] for n in range(1, 6)) / 1000
        print(
            f"{pair}: delta {delta.stat().st_size:,} bytes, packtool {swift:.2f} s, JVM {jvm:.2f} s "
            f"({jvm / swift:.2f}), with the simple compiler {simple:.2f} s ({simple / swift:.2f}), "
            f"warm {best:.2f} s ({best / swift:.2f}), {'same' if same else 'OTHER'} bytes",
            flush=True,
        )
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
