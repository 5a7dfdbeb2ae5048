"""Which release a start of the app runs, by docs/formats.md alone: the witness for the client's decision.

    start_model.py    prints the outcome of each case, a line of JSON, on standard input
"""
import json
import sys

ATTEMPTS = 2


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


def rank(release, embedded):
    return (not release["onChannel"], -release["epoch"], -release["sequence"], release is embedded)


def start(case):
    """What runs. The case becomes the state after the start."""
    native, trees, embedded = case["native"], case["trees"], case["embedded"]
    if case["bypass"]:
        return "web"
    releases = trees + ([embedded] if embedded is not None else [])
    if native != case["lastNative"]:
        case["failed"] = []
        for release in releases:
            if not release["confirmed"]:
                release["attempts"] = 0
        case["lastNative"] = native
    for release in sorted(releases, key=lambda one: rank(one, embedded)):
        if not release["confirmed"] and release["version"] in case["failed"]:
            continue
        if release is not embedded and not is_within(native, release["min"], release["max"]):
            continue
        if not release["confirmed"]:
            if release["attempts"] >= ATTEMPTS:
                case["failed"].append(release["version"])
                continue
            release["attempts"] += 1
        return "embedded" if release is embedded else release["version"]
    return "nothing"


def main():
    for line in sys.stdin:
        case = json.loads(line)
        runs = start(case)
        embedded = case["embedded"]
        print(json.dumps({
            "runs": runs,
            "failed": sorted(case["failed"]),
            "attempts": [tree["attempts"] for tree in case["trees"]],
            "embedded": None if embedded is None else embedded["attempts"],
            "lastNative": case["lastNative"],
        }, separators=(",", ":")))


if __name__ == "__main__":
    main()
