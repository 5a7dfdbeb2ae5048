#!/usr/bin/env python3
"""Measures the seconds from the start of a GitHub job to its first finding, for ROUTES.md.

    routes.py TARBALL NAME=BUILD … [--runs N]

TARBALL is one of 'make dist'. The steps of action.yml run as in Tests/Rigs/Pipeline, up to the check, which
prints the findings; a server on this machine stands in for GitHub's releases. It prints a row for each speed
of the download. A cell has the medians of N runs: until the program is there, and until the findings are.
"""
import argparse
import pathlib
import statistics
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "Tests/Rigs/Pipeline"))
import get  # noqa: E402

CHECK = "Check the pages and write the report"
# The download in bytes per second, by its name in the table.
RATES = {"loopback": None, "20 MB/s": 20_000_000, "5 MB/s": 5_000_000}


def job(rig, build, data, **more):
    """The seconds until the program is there, and until the check has ended."""
    rig.release(f"{get.digest(data)}  {rig.name}", files={rig.path: data})
    run = rig.run(build=build, config=rig.work / "packtool.yaml", **more)
    began = time.monotonic()
    run.go(last=get.STEP)
    assert not run.failed, run.log
    there = time.monotonic() - began
    run.action["runs"]["steps"] = run.action["runs"]["steps"][1:]
    run.go(last=CHECK)
    assert run.log[CHECK]["code"] in (0, 1), run.log
    return there, time.monotonic() - began


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tarball", type=pathlib.Path)
    parser.add_argument("builds", nargs="+")
    parser.add_argument("--runs", type=int, default=5)
    given = parser.parse_args()
    data = given.tarball.read_bytes()
    builds = {name: pathlib.Path(path).resolve()
              for name, path in (word.split("=", 1) for word in given.builds)}
    print("| route | size | " + " | ".join(f"{name}: program, findings" for name in builds) + " |")
    print("|---|--:|" + "--:|" * len(builds))
    with tempfile.TemporaryDirectory() as folder:
        for number, (name, rate) in enumerate([*RATES.items(), ("from the cache", None)]):
            rig = get.Get(None, pathlib.Path(folder, str(number)), rate)
            (rig.work / "packtool.yaml").write_text("app: shop\nbase-url: https://cdn.example.com/shop\n")
            cells = []
            for build in builds.values():
                more = {"cache": rig.work / "cache"} if "cache" in name else {}
                if more:
                    job(rig, build, data, **more)
                times = [job(rig, build, data, **more) for _ in range(given.runs)]
                cells.append(", ".join(f"{statistics.median(column):.2f}" for column in zip(*times)))
            print(f"| action, {name} | {len(data) / 1e6:.1f} MB | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
