#!/usr/bin/env python3
"""Runs check and rewrite on the corpora, compares with known verdicts, and writes Benchmarks/CORPORA.md.

    python3 Tests/Rigs/Corpora/read.py [--packtool FILE] [--corpus FOLDER] [--print RULE]

1. Every version of every project is checked as shipped in its wheel, without settings and as a Capacitor app.
2. The newest of each is rewritten unchanged and, with every loaded URL made an absolute https URL, like a
   build for a web server. Rewriting must not add findings, must change nothing the second time, and must be
   undone byte for byte.
3. The same for the build as served by its server (served.py), with a handler that knows `.mjs`.

Exits with 1 if any of this fails, or if a kind of finding has no verdict in judgements.py. --print shows
findings of a rule instead, for reading.
"""

import argparse
import collections
import concurrent.futures
import filecmp
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from urllib.parse import unquote, urlsplit

import judgements
import served
import table

ROOT = Path(__file__).resolve().parents[3]
# The target profiles of the rewrites.
PROFILES = ["path-strict", "capacitor"]
HOST = "www.example.com"
LOADING = {"subresource"}
SCRIPTS = {"js-static-import", "js-dynamic-import"}


class Runs:
    def __init__(self, packtool):
        self.packtool = packtool
        self.failures = []

    def run(self, *words, codes=(0,)):
        done = subprocess.run([self.packtool, *map(str, words)], capture_output=True)
        if done.returncode not in codes:
            raise SystemExit(f"packtool {' '.join(map(str, words))}: exit code {done.returncode}\n"
                             + done.stderr.decode()[-2000:])
        return done.stdout

    def check(self, build, options):
        output = self.run("check", build, *options, "--format", "json", codes=(0, 1))
        return [f for f in json.loads(output)["findings"] if f["severity"] != "hint"]

    def urls(self, build, options):
        return json.loads(self.run("check", build, *options, "--dump-urls", "--json", codes=(0, 1)))["urls"]

    def must(self, truth, text):
        if not truth:
            self.failures.append(text)


def builtin(profile):
    return ["--profile", profile, "--host", HOST]


def configured(folder, profile):
    """The same app, with a handler that knows types unknown to iOS."""
    path = Path(folder) / f"{profile}.yaml"
    path.write_text(f"host: {HOST}\nprofile:\n  base: {profile}\n  media-types:\n"
                    "    mjs: text/javascript\n    wasm: application/wasm\n")
    return ["--config", path]


def tally(findings):
    return collections.Counter((f["severity"], f["rule"]) for f in findings)


def where(findings):
    return collections.Counter((f["rule"], f["severity"], f["file"]) for f in findings)


def absolute(runs, source, target, options):
    """A copy in which every URL of a packaged file is an absolute https URL; returns their number."""
    shutil.copytree(source, target)
    places = collections.defaultdict(list)
    for url in runs.urls(source, options):
        if url["verdict"] == "file" and url["use"] in LOADING and url["kind"] != "manifest" \
                and (not url["kind"].startswith("js-") or url["kind"] in SCRIPTS) \
                and unquote(urlsplit(url["url"]).path) == "/" + url["target"]:
            places[url["file"]].append(url)
    made = 0
    for name, urls in places.items():
        path = Path(target) / name
        data = path.read_bytes()
        starts = [0] + [m.end() for m in re.finditer(b"\n", data)]
        edits = {}
        for url in urls:
            value = url["value"].encode()
            start = starts[url["line"] - 1] + url["column"] - 1
            if value and data[start:start + len(value)] == value:
                edits[start] = (start + len(value), b"https" + url["url"][url["url"].index(":"):].encode())
        for start in sorted(edits, reverse=True):
            end, value = edits[start]
            data = data[:start] + value + data[end:]
        made += len(edits)
        path.write_bytes(data)
    return made


def same(one, other, ignoring=()):
    left = {p.relative_to(one) for p in Path(one).rglob("*") if p.is_file()} - set(map(Path, ignoring))
    right = {p.relative_to(other) for p in Path(other).rglob("*") if p.is_file()} - set(map(Path, ignoring))
    return left == right and all(filecmp.cmp(Path(one) / p, Path(other) / p, shallow=False) for p in left)


def rewritten(runs, name, source, folder, options, before):
    """Rewrites, undoes and repeats; returns the findings in the result, and the number of changed files."""
    once, twice, back = (Path(folder) / n for n in ("once", "twice", "back"))
    said = json.loads(runs.run("rewrite", source, "-o", once, *options, "--json"))
    runs.run("rewrite", once, "-o", twice, *options)
    runs.run("rewrite", once, "--reverse", "-o", back)
    runs.must(same(source, back), f"{name}: --reverse is not the input")
    runs.must(same(once, twice), f"{name}: rewriting twice changes something")
    after = runs.check(once, options)
    brought = where(after) - where(before)
    # Pages of the same name in two folders may have been equal before their URLs were rewritten.
    brought = {key: count for key, count in brought.items() if key[0] != "basename-cache-names"}
    runs.must(not brought, f"{name}: rewriting brings {dict(brought)}")
    for path in (once, twice, back):
        shutil.rmtree(path)
    return said, after


def newest(runs, project, temporary):
    """All checks of a project's newest version."""
    build = table.versions(project)[-1]
    rows = []
    for profile in PROFILES:
        options = builtin(profile)
        with tempfile.TemporaryDirectory(dir=temporary) as folder:
            name = f"{project.name} {build.name}, {profile}"
            plain = runs.check(build, options)
            rewritten(runs, name + ", as shipped", build, folder, options, plain)
            copy = Path(folder) / "served"
            served.serve(project.name, build, copy)
            options = configured(folder, profile)
            expected = runs.check(copy, options)
            web = Path(folder) / "web"
            made = absolute(runs, copy, web, options)
            said, after = rewritten(runs, name + ", for a web server", web, folder, options, expected)
            left = tally(f for f in after if f["severity"] == "error")
            rows.append((project.name, build.name, profile, made, len(said["changed"]), tally(after), left))
    return rows


def judge(runs, project, findings):
    for severity, rule in tally(findings):
        known = (project, rule) in judgements.ERRORS if severity == "error" else rule in judgements.WARNINGS
        runs.must(known, f"{project}: {severity} {rule} has no judgement")


def counts(tallied, severity):
    parts = [f"{rule} {n}" for (s, rule), n in sorted(tallied.items()) if s == severity]
    total = sum(n for (s, _), n in tallied.items() if s == severity)
    return f"{total}" + (f": {', '.join(parts)}" if parts else "")


def report(checked, rows, temporary_commit):
    lines = [(ROOT / "Tests/Rigs/Corpora/corpora.md").read_text().rstrip(), "", temporary_commit, "",
             "## As the wheels ship them", "",
             "| build | profile | errors | warnings |", "|---|---|---|---|"]
    for (project, version, profile), findings in checked.items():
        t = tally(findings)
        lines.append(f"| {project} {version} | {profile} | {counts(t, 'error')} | {counts(t, 'warning')} |")
    lines += [
        "",
        "### Every kind of error",
        "",
        "| build | rule | profiles | what it is |",
        "|---|---|---|---|",
    ]
    kinds = collections.defaultdict(set)
    for (project, _, profile), findings in checked.items():
        for f in findings:
            if f["severity"] == "error":
                kinds[(project, f["rule"])].add(profile)
    for project, _, profile, _, _, _, left in rows:
        for _, rule in left:
            kinds[(project, rule)].add(profile)
    for key in sorted(kinds):
        lines.append(
            f"| {key[0]} | {key[1]} | {', '.join(sorted(kinds[key]))} | {judgements.ERRORS.get(key, '?')} |"
        )
    lines += [
        "",
        "### Every kind of warning",
        "",
        "| rule | of the newest, capacitor | what it is |",
        "|---|---|---|",
    ]
    warned = collections.Counter()
    rules = set()
    last = {project: version for project, version, _ in checked}
    for (project, version, profile), findings in checked.items():
        for f in findings:
            if f["severity"] == "warning":
                rules.add(f["rule"])
                if profile == "capacitor" and version == last[project]:
                    warned[f["rule"]] += 1
    for rule in sorted(rules):
        lines.append(f"| {rule} | {warned[rule]} | {judgements.WARNINGS.get(rule, '?')} |")
    lines += [
        "",
        "## Rewritten",
        "",
        "The newest of each, as its server would serve it, with every URL that loads a file written as "
        f"`https://{HOST}/…`; then `packtool rewrite`, and `check` of the result. The handler knows "
        "`.mjs` and `.wasm` (`media-types`). Errors that the rewriter brought, or could have mended: **0**. "
        "Undone, each is its input byte for byte; rewritten twice, nothing more changes; "
        "the same holds of the builds as shipped.",
        "",
        "| build | profile | URLs made absolute | files rewritten | errors left | warnings |",
        "|---|---|---|---|---|---|",
    ]
    for project, version, profile, made, files, after, left in rows:
        lines.append(
            f"| {project} {version} | {profile} | {made:,} | {files:,} | {counts(left, 'error')} "
            f"| {counts(after, 'warning')} |"
        )
    lines += ["", "What the servers do, which `Tests/Rigs/Corpora/served.py` does here: "
              + "; ".join(f"{name}: {text}" for name, (text, _) in sorted(served.SERVERS.items())) + "."]
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--packtool", default=os.environ.get("PACKTOOL", ROOT / ".build/release/packtool"))
    parser.add_argument(
        "--corpus", default=os.environ.get("PACKTOOL_CORPUS", ROOT / "Benchmarks/work/corpus")
    )
    parser.add_argument("--print", metavar="RULE")
    parser.add_argument("--without", metavar="PROJECT", action="append", default=[],
                        help="do not rewrite this project; the report says so")
    parser.add_argument("--output", default=ROOT / "Benchmarks/CORPORA.md")
    arguments = parser.parse_args()
    corpus = Path(arguments.corpus)
    projects = sorted(p for p in corpus.iterdir() if p.is_dir()) if corpus.is_dir() else []
    if not projects:
        print(f"SKIPPED, nothing was checked: no builds in {corpus} (Benchmarks/fetch.py)", file=sys.stderr)
        return 0
    runs = Runs(arguments.packtool)
    every = list(table.builds(corpus))
    checked = {
        key: [f for f in findings if f["severity"] != "hint"]
        for key, findings in table.Checks(arguments.packtool).all(every).items()
    }
    if arguments.print:
        table.show(checked, arguments.print)
        return 0
    with tempfile.TemporaryDirectory() as temporary:
        wanted = [p for p in projects if p.name not in arguments.without]
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            rows = [row for found in pool.map(lambda p: newest(runs, p, temporary), wanted) for row in found]
    for (project, _, _), findings in checked.items():
        judge(runs, project, findings)
    for project, _, _, _, _, after, _ in rows:
        judge(runs, project, [{"severity": s, "rule": r} for s, r in after])
    files = sum(1 for _, v in every for f in v.rglob("*") if f.is_file())
    said = (f"{len(checked)} checks of {len(projects)} projects in {len(every)} versions "
            f"({files:,} files), {len(rows)} rewritings"
            + (f", none of {', '.join(arguments.without)}." if arguments.without else "."))
    Path(arguments.output).write_text(report(checked, rows, said))
    for failure in sorted(set(runs.failures)):
        print("FAILED", failure)
    print(said, f"{len(set(runs.failures))} failures; wrote {arguments.output}")
    return 1 if runs.failures else 0


if __name__ == "__main__":
    sys.exit(main())
