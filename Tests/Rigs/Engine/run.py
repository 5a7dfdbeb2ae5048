#!/usr/bin/env python3
"""Compares `packtool check --engine` with the verdicts of another program, and opens hostile pages.

    run.py --packtool BIN [--sample N | --all] [--bundles DIR] [--json FILE] [-v] [NAME …]
    run.py --packtool BIN --hostile        hostile pages, signals, examples of the rules, `packtool open`

The verdicts are ../Pages/verdicts.json, and results/engine.json beside the folder of --bundles. Python
programs open the same pages in WebKitGTK for them, click, and compare the content of pages; packtool does
neither.

Needs the Debian packages libwebkit2gtk-4.1-0 and xvfb.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import random
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../Pages"))

import pages
from compare import OTHER


class Case:
    """A page and its verdict."""

    def __init__(self, name, directory, works, note, latent=False):
        self.name, self.directory, self.works, self.note, self.latent = name, directory, works, note, latent


def bundled(folder):
    """The pages of a folder of bundles."""
    with open(os.path.join(folder, "../results/engine.json")) as file:
        verdicts = json.load(file)
    for name in sorted(os.listdir(folder)):
        with open(os.path.join(folder, name, "case.json")) as file:
            case = json.load(file)
        works = {"work": True, "break": False}.get(case.get("ios"), verdicts[name]["works"])
        if works is not None and case.get("page_origin") != "https":
            note = "action" if case.get("action") else "pixels" if case.get("pixels") else ""
            yield Case(name, os.path.join(folder, name), works, note, bool(case.get("latent")))


def generated(sample, seed):
    """The pages of Tests/Rigs/Pages, or some of them."""
    verdicts = pages.verdicts("webkit")
    found = [page for name, page in sorted(pages.load().items())
             if verdicts.get(name, {}).get("works") is not None and page.more.get("page-origin") != "https"]
    if sample:
        found = random.Random(seed).sample(found, min(sample, len(found)))
    for page in found:
        page.build()
        works = page.ios == "work" if page.ios else verdicts[page.name]["works"]
        note = "action" if page.action else "another host" if page.external or page.net else ""
        yield Case(page.name, page.directory, works, note, bool(page.latent))


def children():
    """The parent and resident bytes of every process."""
    table = {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                with open(f"/proc/{name}/stat") as file:
                    fields = file.read().rpartition(")")[2].split()
            except OSError:
                continue
            table[int(name)] = (int(fields[1]), int(fields[21]) * os.sysconf("SC_PAGESIZE"))
    return table


def memory(root):
    """The resident memory of a process and its descendants."""
    table, family = children(), {root}
    for _ in range(6):
        family |= {number for number, (parent, _) in table.items() if parent in family}
    return sum(table[number][1] for number in family if number in table)


def check(packtool, case, *flags):
    """The JSON of a run, its seconds, and the largest memory."""
    command = [packtool, "check", "dist", "--config", "packtool.yaml", "--format", "json", "--hints", *flags]
    started, most = time.monotonic(), 0
    run = subprocess.Popen(command, cwd=case.directory, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                           text=True)
    while True:
        try:
            output, errors = run.communicate(timeout=0.5)
            break
        except subprocess.TimeoutExpired:
            most = max(most, memory(run.pid))
    try:
        return json.loads(output), time.monotonic() - started, most
    except ValueError:
        raise SystemExit(f"error: {case.name}: {errors}") from None


def loud(findings, level):
    return [one for one in findings if one["severity"] in level and one["rule"] not in OTHER]


def measure(packtool, case):
    static, _, _ = check(packtool, case)
    opened, seconds, most = check(packtool, case, "--engine", "--pages", "5", "--engine-time", "90")
    return case, static["findings"], opened, seconds, most


def compare(options, cases):
    rows, cells, before = [], collections.Counter(), collections.Counter()
    seconds = []
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for count, (case, static, opened, _, most) in enumerate(
                pool.map(lambda case: measure(options.packtool, case), cases), 1):
            findings = opened["findings"]
            for where, found in ((before, static), (cells, findings)):
                errors, warnings = loud(found, ["error"]), loud(found, ["error", "warning"])
                end = "works" if case.works else "breaks"
                if case.works and case.latent:
                    end = "works without a named file"
                where[f"{end}: " + ("error" if errors else "warning" if warnings else "silent")] += 1
            seconds += [page["milliseconds"] / 1000 for page in opened["opened"]["pages"]]
            wrong = case.works and not case.latent and loud(findings, ["error"]) \
                or not case.works and not loud(findings, ["error"])
            rows.append({"name": case.name, "works": case.works, "note": case.note, "latent": case.latent,
                         "wrong": bool(wrong), "memory": most, "static": static, "findings": findings,
                         "opened": opened["opened"]})
            if wrong and options.verbose:
                print(f"--- {case.name} | {'works' if case.works else 'breaks'} | {case.note}")
                for one in loud(findings, ["error", "warning"]):
                    print("   ", one["severity"], one["rule"], one["file"], "|", one.get("engine"), "|",
                          one["message"][:110], one["notes"][:2])
            if count % 100 == 0:
                print(count, "pages", flush=True)
            if options.json and count % 50 == 0:
                save(options.json, rows)
    if options.json:
        save(options.json, rows)
    breaks, works = [row for row in rows if not row["works"]], [row for row in rows if row["works"]]
    print(f"{len(rows)} pages: {len(breaks)} break, {len(works)} work")
    for cell in sorted(set(cells) | set(before)):
        print(f"  {before[cell]:5} before {cells[cell]:5} with the engine  {cell}")
    missed = [row for row in breaks if row["wrong"]]
    quiet = [row for row in missed if not row["note"]]
    false = [row for row in works if row["wrong"]]
    print("breaking pages without an error:", share(missed, breaks), f"({len(quiet)} of them need no click,"
          " other host or pixels)")
    print("working pages with an error:", share(false, works))
    if seconds:
        seconds.sort()
        print(f"seconds a page: {seconds[len(seconds) // 2]:.1f} in the middle, {seconds[-1]:.1f} at most; "
              f"memory at most {max(row['memory'] for row in rows) / 1e6:.0f} MB")
    return 0


def share(some, every):
    return f"{len(some)} of {len(every)}, {100 * len(some) / max(1, len(every)):.1f} %"


def save(path, rows):
    with open(path, "w") as file:
        json.dump(rows, file, indent=1)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help="beginnings of names (default: all of the sample)")
    parser.add_argument("--packtool", default=os.path.join(pages.ROOT, ".build/release/packtool"))
    parser.add_argument("--sample", type=int, default=60, help="pages of Tests/Rigs/Pages")
    parser.add_argument("--all", action="store_true", help="every page of Tests/Rigs/Pages")
    parser.add_argument("--seed", type=int, default=49)
    parser.add_argument("--bundles", help="a folder of bundles with results/engine.json beside it")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--json", help="write all findings to this file")
    parser.add_argument("--hostile", action="store_true", help="hostile pages instead")
    parser.add_argument("-v", "--verbose", action="store_true", help="print each disagreement")
    options = parser.parse_args()
    options.packtool = os.path.abspath(options.packtool)
    if options.hostile:
        import hostile
        return hostile.run(options.packtool)
    every = list(bundled(options.bundles)) if options.bundles else []
    if not options.bundles or options.all:
        every += generated(0 if options.all or options.names else options.sample, options.seed)
    if options.names:
        every = [case for case in every if case.name.startswith(tuple(options.names))]
    return compare(options, every)


if __name__ == "__main__":
    raise SystemExit(main())
