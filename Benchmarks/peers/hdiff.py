"""The peer HDiffPatch, through the Python package hdiffpatch, for a list of files in one process.

    python -I -S hdiff.py PACKAGES make|apply LIST

PACKAGES is where pip put the package. LIST holds three paths ended by NUL for each file: old, new,
patch (make) or old, patch, new (apply). One process for all: starting Python for every file would
cost more than the work.
"""

import sys

sys.path.insert(0, sys.argv[1])

import hdiffpatch

WINDOW = 25  # 32 MiB, more than any of these patches


def read(path):
    with open(path, "rb") as file:
        return file.read()


def main():
    action, names = sys.argv[2], read(sys.argv[3]).split(b"\0")[:-1]
    # The benchmark decodes and compares; the package need not do it while its time is taken.
    compression = hdiffpatch.Lzma2Config(level=9, window=WINDOW)
    for old, given, wanted in zip(*[iter(names)] * 3):
        if action == "make":
            result = hdiffpatch.diff(read(old), read(given), compression, validate=False)
        else:
            result = hdiffpatch.apply(read(old), read(given))
        with open(wanted, "wb") as file:
            file.write(result)


main()
