#!/usr/bin/env python3
"""Runs the whole fault tooling against a toy publisher, and against the toy broken in fifteen ways.

Needs neither Swift nor a build: it says whether the tooling itself still sees.
"""

import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent

if __name__ == "__main__":
    sys.exit(subprocess.run([sys.executable, HERE.parent / "mutants/mutants.py",
                             "--table", HERE / "toy-mutants.toml",
                             "--scratch", "/tmp/packtool-toy-mutants", *sys.argv[1:]]).returncode)
