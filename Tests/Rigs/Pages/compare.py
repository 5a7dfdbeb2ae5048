#!/usr/bin/env python3
"""Compares `packtool check` with the engine's behavior: compare.py --packtool BIN [-v] [NAME or TOPIC …]

With --engine chromium, the pages for Android.

  TP  the page breaks, and check reports an error or a warning     FN  it breaks, and check reports none
  TN  the page works, and check reports none                       FP  it works, but check reports one
"""
import argparse
import collections
import concurrent.futures
import json
import os
import subprocess

import pages

# Rules about updates, size and policy, which are independent of whether the page works now.
OTHER = {"unhashed-mutable", "fallback-plain-http", "query-only-version", "sourcemap-shipped",
         "sourcemap-comment", "large-file", "large-image", "unreferenced-file", "duplicate-content",
         "os-junk", "dotfile", "basename-cache-names", "hash-not-content", "package-too-large"}
PLACES = ["exact", "line", "file", "other"]


def check(packtool, page):
    """The findings of a page, or the reason why there are none."""
    page.build()
    command = [packtool, "check", "dist", "--config", "packtool.yaml", "--format", "json", "--hints"]
    run = subprocess.run(command, cwd=page.directory, capture_output=True, text=True)
    try:
        return page, json.loads(run.stdout)["findings"]
    except (ValueError, KeyError):
        return page, [{"severity": "error", "rule": "check-failed", "file": "", "message": run.stderr[-300:]}]


def place(page, findings):
    """The distance of the nearest finding from an expected location."""
    best = "other"
    for finding in findings:
        for name, line, column in page.places():
            near = "other"
            if finding.get("file") == name:
                near = "file"
                if finding.get("line") == line:
                    # On the quote before the text, or on the text.
                    near = "exact" if finding.get("column") in (column, column - 1) else "line"
            best = min(best, near, key=PLACES.index)
    return best


def classify(page, verdict, findings):
    """The cell of the table, and the location of a true positive."""
    works = verdict["works"] if not page.ios else page.ios == "work"
    loud = [one for one in findings if one["severity"] in ("error", "warning")]
    errors = [one for one in loud if one["severity"] == "error"]
    where = ""
    if not works:
        cell = "TP" if loud else "FN, a hint" if findings else "FN"
        if page.external and not loud:
            cell += ", only another host"
        elif page.base == "intercept" and verdict.get("missed") and not loud:
            cell += ", left to the network"
        if loud and page.at:
            where = place(page, loud)
    elif not loud:
        cell = "TN"
    else:
        cell = "FP error" if errors else "FP warning"
        # The form of a page for iOS, in which other branches run.
        if page.latent or "@" in page.name and verdict.get("missed"):
            cell = "latent error" if errors else "latent warning"
        elif page.advice and not errors:
            cell = "advice"
    return cell, where


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help="pages, beginnings of names, or topics (default: all)")
    parser.add_argument("--packtool", default=os.path.join(pages.ROOT, ".build/debug/packtool"))
    parser.add_argument("--engine", choices=pages.VERDICTS, default="webkit")
    parser.add_argument("-v", "--verbose", action="store_true", help="print each disagreement")
    parser.add_argument("--json", help="write cells and findings to this file")
    options = parser.parse_args()
    verdicts = pages.verdicts(options.engine)
    todo = [page for page in pages.load(options.engine).values() if page.name in verdicts and (
        not options.names or any(page.name.startswith(name) or page.topic == name for name in options.names))]
    stale = [page.name for page in todo if verdicts[page.name].get("page") != page.digest()]
    if stale:
        print(f"{len(stale)} pages have changed since they were opened, run open.py --new:", *stale[:5])
        todo = [page for page in todo if page.name not in stale]
    packtool, rows = os.path.abspath(options.packtool), []
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for page, findings in pool.map(lambda page: check(packtool, page), todo):
            findings = [one for one in findings if one["rule"] not in OTHER]
            if verdicts[page.name]["works"] is not None:
                rows.append((page, findings, *classify(page, verdicts[page.name], findings)))
    cells = collections.Counter(cell for _, _, cell, _ in rows)
    places = collections.Counter(where for _, _, _, where in rows if where)
    crowded = [page.name for page, findings, _, _ in rows
               if page.most and sum(one["severity"] in ("error", "warning") for one in findings) > page.most]
    if options.verbose:
        for page, findings, cell, where in rows:
            if cell.startswith(("FN", "FP", "latent e")) or where in PLACES[1:] or page.name in crowded:
                print_row(page, findings, cell, where, verdicts[page.name])
    breaks = sum(cell.startswith(("TP", "FN")) for _, _, cell, _ in rows)
    print(f"{len(rows)} pages: {breaks} break, {len(rows) - breaks} work")
    for cell in sorted(cells):
        print(f"{cells[cell]:5}  {cell}")
    print("place of what was found:", ", ".join(f"{places[one]} {one}" for one in PLACES))
    print(f"{len(crowded)} pages with more findings than causes")
    topics = collections.defaultdict(collections.Counter)
    for page, _, cell, _ in rows:
        topics[page.topic][cell.split(",")[0]] += 1
    for topic in sorted(topics):
        print(f"  {topic:12}", ", ".join(f"{count} {cell}" for cell, count in sorted(topics[topic].items())))
    if options.json:
        with open(options.json, "w") as file:
            json.dump({page.name: {"cell": cell, "place": where, "profile": page.base, "findings": findings}
                       for page, findings, cell, where in rows}, file, indent=1)


def print_row(page, findings, cell, where, verdict):
    print(f"--- {page.name} | {page.base} | {cell} {where} | {page.latent or page.why}")
    print("    expected at", page.places(), "missed", [url[-60:] for url in verdict.get("missed", [])][:4])
    for one in findings:
        print("   ", one["severity"], one["rule"], one["file"], one.get("line"), one.get("column"), "|",
              one["message"][:140])


if __name__ == "__main__":
    main()
