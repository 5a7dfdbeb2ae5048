"""What a device gets, by docs/formats.md alone: the witness for packtool's selection.

    select_model.py buckets    a bucket for each device on standard input (app shop, channel beta, salt ring)
    select_model.py select     the entry that is chosen for every list of four entries, one character each
    select_model.py platforms  for each two releases for a device on standard input: the chosen one, that of a
                               client before there were platforms, and the last one that any device can get
"""
import hashlib
import itertools
import sys

RANGES = [(None, None), ("3.2", None), (None, "3.4")]
SHARES = [0, 10, 50, 100]
NATIVES = [None, "3.1", "3.4.9", "4"]


def bucket(app, channel, salt, device):
    text = f"packtool rollout 1\n{app}\n{channel}\n{salt}\n{device}"
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big") % 10000


def padded(version):
    numbers = [int(part) for part in version.split(".")]
    return numbers + [0] * (4 - len(numbers))


def is_within(native, lowest, highest):
    if lowest is None and highest is None:
        return True
    if native is None:
        return False
    if lowest is not None and padded(native) < padded(lowest):
        return False
    if highest is None:
        return True
    limit = [int(part) for part in highest.split(".")]
    return padded(native)[:len(limit)] <= limit


def choose(entries, native, device, installed):
    for index, (package_hash, (lowest, highest), share) in enumerate(entries):
        if not is_within(native, lowest, highest):
            continue
        if bucket("shop", "production", package_hash, device) >= 100 * share and package_hash != installed:
            continue
        return str(index)
    return "-"


HIGHEST = "999999999.999999999.999999999.999999999"
# Versions at, below and above every limit in the test.
EDGES = [None, HIGHEST] + [f"{major}.{minor}.{patch}" for major in (0, 2, 3, 4, 103, 104, 105, 106)
                           for minor in (0, 1, 2, 3, 4, 5, 9, 10, 11) for patch in (0, 8, 9, 10)]


def strictest(one, other):
    """The versions in two ranges."""
    lowest = max((low for low, _ in (one, other) if low), key=padded, default=None)
    # The end of all versions that start with a maximum.
    highest = min((high for _, high in (one, other) if high), default=None,
                  key=lambda text: [int(part) for part in text.split(".")] + [10**9] * (3 - text.count(".")))
    return (HIGHEST, None) if lowest and not is_within(lowest, None, highest) else (lowest, highest)


def is_inside(one, other):
    """Whether every version of one range is in the other."""
    return all(is_within(version, *other) for version in EDGES if is_within(version, *one))


def platforms(line):
    words = [None if word == "-" else word for word in line.split()]
    ranges = [{"ios": tuple(words[at:at + 2]), "android": tuple(words[at + 2:at + 4])} for at in (0, 4)]
    for one in ranges:
        one[None] = strictest(one["ios"], one["android"])
    platform, native = words[8:]
    chosen = [next((str(index) for index, one in enumerate(ranges) if is_within(native, *one[name])), "-")
              for name in (platform, None)]
    is_covered = all(is_inside(ranges[1][name], ranges[0][name]) for name in ranges[0])
    return "".join(chosen) + ("0" if is_covered else "1")


def main():
    if sys.argv[1] == "platforms":
        for line in sys.stdin:
            print(platforms(line))
        return
    if sys.argv[1] == "buckets":
        for line in sys.stdin.read().split("\n"):
            print(bucket("shop", "beta", "ring", line))
        return
    hashes = [hashlib.sha256(f"release {number}".encode()).hexdigest() for number in range(4)]
    kinds = list(itertools.product(RANGES, SHARES))
    chosen = []
    for number, kind in enumerate(itertools.product(kinds, repeat=4)):
        entries = [(package_hash, *one) for package_hash, one in zip(hashes, kind, strict=True)]
        for installed in (None, hashes[number // 4 % 4]):
            chosen.append(choose(entries, NATIVES[number % 4], f"device {number % 97}", installed))
    print("".join(chosen))


if __name__ == "__main__":
    main()
