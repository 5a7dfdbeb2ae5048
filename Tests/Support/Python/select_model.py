"""What a device gets, by docs/formats.md alone: the witness for packtool's selection.

    select_model.py buckets    a bucket for each device on standard input (app shop, channel beta, salt ring)
    select_model.py select     the entry that is chosen for every list of four entries, one character each
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


def main():
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
