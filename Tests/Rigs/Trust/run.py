#!/usr/bin/env python3
"""Runs all trust rigs: keys and signatures, decisions of clients, limits, and prunes of signed origins.

They are the compromise model, the independent client, signed commands, the selection of releases, prunes, the
documented limits, the scenarios of tuf-conformance, OpenSSL, and the programs of examples/signing.

  run.py            a short form, for make test
  run.py --long     all 1,792 verdicts, 10,000 histories of a client (2 h of CPU), 5,000 signed commands
"""
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
LONG = "--long" in sys.argv[1:]


def main():
    status = 0
    histories = ["--histories", "10000", "--jobs", "2"] if LONG else ["--histories", "24"]
    for name, words in [("compromise.py", [] if LONG else ["--every", "13"]), ("agree.py", histories),
                        ("operations.py", ["--steps", "5000" if LONG else "100"]),
                        ("selections.py", ["--cases", "20736" if LONG else "60"]),
                        ("prunes.py", ["--schedules", "300" if LONG else "6"]),
                        ("conformance.py", []), ("limits.py", []), ("keys.py", []), ("signing.py", [])]:
        status |= subprocess.run([sys.executable, HERE / name, *words]).returncode
    return status


if __name__ == "__main__":
    sys.exit(main())
