#!/usr/bin/env python3
"""Breaks packtool on purpose, one way at a time, and requires that the fault tooling notices.

A sweep without findings proves little until it has found known faults. For each mutant, the table
(`mutants.toml`) defines the replacement of some text in a source file, and the commands that must detect it.
This runs in a copy of the repository, with a copy of its `.build`, so that only changed files are compiled
again.

A mutant with `tests` instead of `found_by` must be found by the Swift tests selected by that filter. Its
replacements contain `$M`, an expression that is true while the mutant is on: all such mutants of a table are
compiled together, and a file selects the active one.
"""

import argparse
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from pathlib import Path

HERE = Path(__file__).resolve().parent
FAULTS = HERE.parent
# A mutant can keep a test from ending.
TEST_SECONDS = 240


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--table", type=Path, default=HERE / "mutants.toml")
    parser.add_argument("--scratch", type=Path, default=Path(tempfile.gettempdir()) / "packtool-mutants",
                        help="the copy; kept, so that the next call compiles less")
    parser.add_argument("--only", action="append", help="only the mutant of this name")
    parser.add_argument("--no-baseline", action="store_true", help="trust that the unbroken tool passes")
    parser.add_argument("--check", action="store_true", help="only see whether every search text is found, "
                             "and every name of a replacement occurs in the sources")
    parser.add_argument("--json", metavar="FILE")
    return parser.parse_args()


class Failed(Exception):
    pass


def edit(root, mutant, known=None, switch="true"):
    """Applies the edits of one mutant; each search text must occur exactly once.

    `known` contains the texts of files already changed by other mutants.
    """
    edits = mutant.get("edits", [])
    if not edits or not all(change["search"] for change in edits):
        raise Failed("not filled in yet: no search text")
    texts = {}
    for change in edits:
        path = root / change["file"]
        if not path.is_file():
            raise Failed(f"no such file: {change['file']}")
        text = texts.get(path) or (known or {}).get(path) or path.read_text()
        if text.count(change["search"]) != 1:
            raise Failed(f"{change['file']}: the search text is there {text.count(change['search'])} times, "
                         f"not once: {change['search'].strip()[:80]!r}")
        texts[path] = text.replace(change["search"], change["replace"].replace("$M", switch))
    return texts


COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
NAME = re.compile(r"(?<![\w$#@])[A-Za-z_]\w*")
DECLARED = re.compile(r"\b(?:let|var|for|func|case)\s+(\w+)|[({,]\s*(\w+)(?=[\w,\s]*\bin\b)")


def names(text):
    """The words of a code outside comments; those of its strings count, because they can be interpolated."""
    return set(NAME.findall(COMMENT.sub("", text)))


def source_names(root):
    """The words of all sources."""
    files = (path for path in (root / "Sources").rglob("*") if path.suffix in (".swift", ".c", ".h"))
    return set().union(*(names(path.read_text()) for path in files))


def unknown(mutant, known):
    """The names that a mutant's replacements use, and neither they nor the sources declare."""
    replacements = "\n".join(change["replace"].replace("$M", "") for change in mutant["edits"])
    declared = {name for pair in DECLARED.findall(replacements) for name in pair}
    return names(replacements) - declared - known


def together(root, mutants):
    """The source texts of a build with every mutant, and the mutants whose edits fail."""
    texts, failed = {}, {}
    for number, mutant in enumerate(mutants):
        try:
            if not all("$M" in change["replace"] for change in mutant.get("edits", [])):
                raise Failed("a replacement without $M")
            texts |= edit(root, mutant, texts, f"isMutant({number})")
        except Failed as reason:
            failed[mutant["name"]] = str(reason)
    for path in texts:
        if path.suffix == ".c":
            texts[path] = "_Bool isMutant(int);\n" + texts[path]
        else:
            texts[path] += '\n@_silgen_name("isMutant") private func isMutant(_: Int32) -> Bool\n'
    return texts, failed


def switch(scratch):
    """The source of `isMutant`, which reads a file, because some tests set the tool's environment."""
    path = scratch / "Sources/CArchive/Mutant.c"
    path.write_text(f"""#include <stdio.h>
_Bool isMutant(int);
_Bool isMutant(int number) {{
    static int on = -2;
    if (on == -2) {{
        FILE *file = fopen("{scratch}/mutant", "r");
        int found = -1;
        if (file != NULL && fscanf(file, "%d", &found) != 1) found = -1;
        if (file != NULL) fclose(file);
        on = found;
    }}
    return number == on;
}}
""")
    return path


def test(scratch, number, tests, seconds=TEST_SECONDS):
    """Runs the tests of one mutant, or of none (-1). Returns the reason for a failure, or None."""
    (scratch / "mutant").write_text(f"{number}\n")
    words = ["swift", "test", "--skip-build", "--filter", tests]
    try:
        done = subprocess.run(words, cwd=scratch, capture_output=True, text=True, timeout=seconds)
    except subprocess.TimeoutExpired:
        return f"no end within {seconds} s"
    lines = (done.stdout + done.stderr).splitlines()
    if done.returncode == 0:
        if not any("Test run with" in line and "with 0 tests" not in line for line in lines):
            raise Failed(f"no test is called {tests}")
        return None
    return next((line.strip() for line in lines if "recorded an issue" in line or "Fatal error" in line),
                lines[-1] if lines else "no output")


def judge_tests(mutants, target, scratch, is_baseline, say):
    """Builds the mutants with tests, and runs the tests of each."""
    texts, failed = together(scratch, mutants)
    for name, reason in failed.items():
        say(name, "failed", reason)
    added, before = switch(scratch), write(texts)
    try:
        build(target | {"build": "swift build --build-tests"}, scratch)
        whole = "|".join(sorted({part for mutant in mutants for part in mutant["tests"].split("|")}))
        if is_baseline and (found := test(scratch, -1, whole)):
            raise Failed(f"the unbroken tool does not pass {whole}: {found}")
        for number, mutant in enumerate(mutants):
            if mutant["name"] not in failed:
                found = test(scratch, number, mutant["tests"])
                say(mutant["name"], "killed" if found else "survived", f"{mutant['tests']}: {found}")
    finally:
        write(before)
        added.unlink()


def write(texts):
    """Writes files and returns their old texts; the time stamps must change for the build system."""
    before = {path: path.read_text() for path in texts}
    for path, text in texts.items():
        path.write_text(text)
        os.utime(path)
    return before


def copy(repository, target, scratch):
    """Updates the copy without touching unchanged files."""
    wanted = set()
    scratch.mkdir(parents=True, exist_ok=True)
    for name in target["copy"]:
        source = repository / name
        for path in [source] if source.is_file() else sorted(source.rglob("*")):
            if path.is_dir() or "__pycache__" in path.parts:
                continue
            copied = scratch / path.relative_to(repository)
            wanted.add(copied)
            if not copied.exists() or copied.read_bytes() != path.read_bytes():
                copied.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(path, copied)
        # Files removed from the repository must not be compiled either.
        for copied in (scratch / name).rglob("*"):
            if copied.is_file() and copied not in wanted:
                copied.unlink()


def build(target, scratch):
    if not target["build"]:
        return
    done = subprocess.run(shlex.split(target["build"]), cwd=scratch, capture_output=True, text=True)
    if done.returncode:
        errors = [line for line in (done.stdout + done.stderr).splitlines() if "error:" in line]
        raise Failed("does not build: " + " | ".join(errors[:20] or ["no message"]))


def hunt(command, target, scratch):
    """Runs one finder. Returns its first finding, or None; a crashing finder has found nothing."""
    summary = scratch / "finder.json"
    summary.unlink(missing_ok=True)
    words = shlex.split(command)
    done = subprocess.run([sys.executable, FAULTS / words[0], *words[1:], "--fail-fast", "--json", summary],
                          env=os.environ | {"PACKTOOL": str(scratch / target["binary"])},
                          capture_output=True, text=True)
    if not summary.exists():
        raise Failed(f"{command} broke down: {done.stderr.strip()[-300:]}")
    violations = json.loads(summary.read_text())["violations"]
    summary.unlink()
    return violations[0] if violations else None


def judge(mutant, target, scratch):
    """'killed' or 'survived', and the finder."""
    before = write(edit(scratch, mutant))
    try:
        build(target, scratch)
        for command in mutant["found_by"]:
            if found := hunt(command, target, scratch):
                return "killed", f"{command}: {found['where']}: {found['problems'][0]}"
        return "survived", "; ".join(mutant["found_by"])
    finally:
        write(before)


def main():
    given = arguments()
    table = tomllib.loads(given.table.read_text())
    target = table["target"]
    repository = (given.table.parent / target["repository"]).resolve()
    mutants = [mutant for mutant in table["mutant"] if not given.only or mutant["name"] in given.only]
    results = []

    def say(name, verdict, detail):
        results.append({"name": name, "verdict": verdict, "detail": detail})
        print(f"{verdict:9} {name:28} {detail[:300]}", flush=True)

    if given.check:
        # The copy does not build if one of its targets is missing.
        for folder in sorted((repository / "Tests").iterdir()):
            if folder.is_dir() and folder.name != "Rigs" and f"Tests/{folder.name}" not in target["copy"]:
                say("(the copy)", "failed", f"Tests/{folder.name} is missing in 'copy' of {given.table.name}")
        known = source_names(repository)
        for mutant in mutants:
            try:
                edit(repository, mutant)
                if gone := unknown(mutant, known):
                    raise Failed(f"the sources have no {', '.join(sorted(gone))}")
                say(mutant["name"], "ready", mutant["why"])
            except Failed as reason:
                say(mutant["name"], "failed", str(reason))
        _, failed = together(repository, [mutant for mutant in mutants if "tests" in mutant])
        for name, reason in failed.items():
            say(name, "failed", f"together with the others: {reason}")
    else:
        copy(repository, target, given.scratch)
        hunted = [mutant for mutant in mutants if "found_by" in mutant]
        tested = [mutant for mutant in mutants if "tests" in mutant]
        try:
            if hunted:
                build(target, given.scratch)
            for command in [] if given.no_baseline else sorted({c for m in hunted for c in m["found_by"]}):
                if found := hunt(command, target, given.scratch):
                    raise Failed(f"{command}: {found['where']}: {found['problems'][0]}")
            if tested:
                judge_tests(tested, target, given.scratch, not given.no_baseline, say)
        except Failed as reason:
            print(f"error: the unbroken tool does not pass, so kills would mean nothing: {reason}\n"
                  "help: mend that first", file=sys.stderr)
            return 2
        for mutant in hunted:
            begun = time.monotonic()
            try:
                verdict, detail = judge(mutant, target, given.scratch)
            except Failed as reason:
                verdict, detail = "failed", str(reason)
            say(mutant["name"], verdict, f"{time.monotonic() - begun:.0f} s; {detail}")
    bad = [result["name"] for result in results if result["verdict"] not in ("killed", "ready")]
    print(f"{len(results)} mutants, {len(bad)} not killed" + (": " + ", ".join(bad) if bad else ""))
    if given.json:
        Path(given.json).write_text(json.dumps(results, indent=1) + "\n")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
