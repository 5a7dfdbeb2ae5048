#!/usr/bin/env python3
"""Changes operators, conditions and statements at random, and lists the changes that no Swift test finds.

The tables in this folder pair each mutant with its test by hand. This script samples lines of Publish,
Client, Trust, Check and Web instead; the date is the seed. All mutants of a run are compiled together (see
`mutants.py`), and each is on while the tests of its module run. A survivor is a missing test or a change
without effect: the list is for people, so only a failed build is an error.

    sample.py                          24 mutants of today
    sample.py --seed 20420 --count 5   other ones
    sample.py --list                   print them and stop
"""

import argparse
import datetime
import random
import re
import sys
import tempfile
import tomllib
from pathlib import Path

import mutants

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[3]
# A module's folder below Sources/PackCore, and the tests that must find its mutants.
MODULES = {
    "Publish": "PackPublishTests", "Client": "PackClientTests", "Trust": "PackTrustTests",
    "Check": "PackCheckTests", "Web": "PackWebTests|PackCheckTests",
}
OPERATORS = [(" == ", " != "), (" != ", " == "), (" <= ", " < "), (" >= ", " > "), (" < ", " <= "),
             (" > ", " >= "), (" && ", " || "), (" || ", " && "), (" + ", " - "), (" - ", " + ")]
VERBS = r"append|insert|remove\w*|check\w*|refuse\w*|sync|write\w*"
CALL = re.compile(rf"^\s+(?:try )?(?:await )?[a-z][\w.?]*\.(?:{VERBS})\(.*\)$")
TEST_SECONDS = 900


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    days = (datetime.datetime.now(datetime.UTC) - datetime.datetime(1970, 1, 1, tzinfo=datetime.UTC)).days
    parser.add_argument("--seed", type=int, default=days, help="default: the days since 1970")
    parser.add_argument("--count", type=int, default=24)
    parser.add_argument("--module", choices=MODULES, help="only this one")
    parser.add_argument("--scratch", type=Path, default=Path(tempfile.gettempdir()) / "packtool-mutants",
                        help="the copy; kept, so that the next call compiles less")
    parser.add_argument("--list", action="store_true", help="print the mutants and stop")
    return parser.parse_args()


def splits(text):
    """Positions of commas outside brackets and strings."""
    depth, quoted = 0, False
    for place, letter in enumerate(text):
        if letter == '"':
            quoted = not quoted
        elif not quoted and letter in "([{":
            depth += 1
        elif not quoted and letter in ")]}":
            depth -= 1
        elif letter == "," and depth == 0 and not quoted:
            yield place


def conditions(text):
    """The comma-separated conditions of a line that are plain expressions."""
    ends = [*splits(text), len(text)]
    for start, end in zip([0, *(place + 1 for place in ends)], ends):
        part = text[start:end].strip()
        if part and text.count(part) == 1 and '"' not in part and not re.search(
                r"\b(let|var|case|try|await|is|as)\b|#|\?|\{|\.allSatisfy|\.contains \{", part):
            yield part


def changed(expression):
    """The expression with one other operator, or None."""
    found = [(old, new) for old, new in OPERATORS if expression.count(old) == 1]
    return expression.replace(*found[0]) if found else None


def variants(line):
    """The possible replacements of one line, each with its kind."""
    if match := re.match(r"^(\s+return )(true|false)$", line):
        yield "return", f"{match[1]}{'!$M' if match[2] == 'true' else '$M'}"
    if CALL.match(line):
        yield "statement", re.sub(r"^(\s+)(.*)$", r"\1if !$M { \2 }", line)
    for pattern, never in ((r"^\s+guard (.*) else \{(?: return.*\})?$", "$M || ({})"),
                           (r"^\s+(?:\} else )?if (.*) \{$", "!$M && ({})")):
        if match := re.match(pattern, line):
            for part in conditions(match[1]):
                yield "condition", line.replace(part, never.format(part))
                if other := changed(part):
                    yield "operator", line.replace(part, f"($M ? {other} : {part})")


def candidates(module):
    """The mutants of a module by file, in a stable order."""
    for path in sorted((ROOT / "Sources/PackCore" / module).rglob("*.swift")):
        text = path.read_text()
        lines = text.split("\n")
        for number, line in enumerate(lines, 1):
            # The table's machinery finds a line by its text.
            if text.count(line + "\n") != 1 or line.lstrip().startswith("//"):
                continue
            for kind, other in variants(line):
                yield {"name": f"{path.relative_to(ROOT / 'Sources/PackCore')}:{number} {kind}",
                       "file": str(path.relative_to(ROOT)), "search": line + "\n", "replace": other + "\n"}


def sample(given):
    """As many mutants from each module, at most one a line."""
    chosen = []
    modules = [given.module] if given.module else list(MODULES)
    for place, module in enumerate(modules):
        dice = random.Random(f"{given.seed} {module}")
        found = list(candidates(module))
        dice.shuffle(found)
        lines = set()
        for mutant in found:
            if len(lines) == given.count // len(modules) + (place < given.count % len(modules)):
                break
            if (line := (mutant["file"], mutant["search"])) not in lines:
                lines.add(line)
                chosen.append({"name": mutant["name"], "tests": MODULES[module], "edits": [mutant]})
    return chosen


def build(chosen, target, scratch):
    """Builds the copy with all mutants that compile, and returns them with the old texts of the files."""
    while chosen:
        texts, failed = mutants.together(scratch, chosen)
        chosen = [mutant for mutant in chosen if mutant["name"] not in failed]
        if failed:
            continue
        before = mutants.write(texts)
        try:
            mutants.build(target, scratch)
            return chosen, before
        except mutants.Failed as reason:
            wrong = set()
            for file, line in re.findall(r"(/\S+\.swift):(\d+):\d+: error:", str(reason)):
                text = Path(file).read_text().split("\n")[int(line) - 1]
                wrong |= {int(number) for number in re.findall(r"isMutant\((\d+)\)", text)}
            mutants.write(before)
            if not wrong:
                raise
            for number in sorted(wrong):
                print(f"dropped   {chosen[number]['name']} (does not compile)", flush=True)
            chosen = [mutant for number, mutant in enumerate(chosen) if number not in wrong]
    raise mutants.Failed("no mutant compiles")


def show(mutant):
    edit = mutant["edits"][0]
    print(f"{mutant['name']}\n    {edit['search'].strip()}\n    {edit['replace'].strip()}")


def main():
    given = arguments()
    chosen = sample(given)
    if given.list:
        for mutant in chosen:
            show(mutant)
        return 0
    target = tomllib.loads((HERE / "decisions.toml").read_text())["target"]
    target["build"] = "swift build --build-tests"
    mutants.copy(ROOT, target, given.scratch)
    added, before, survivors = mutants.switch(given.scratch), {}, []
    try:
        chosen, before = build(chosen, target, given.scratch)
        for tests in sorted({mutant["tests"] for mutant in chosen}):
            if found := mutants.test(given.scratch, -1, tests, TEST_SECONDS):
                raise mutants.Failed(f"the unbroken tool does not pass {tests}: {found}")
        for number, mutant in enumerate(chosen):
            found = mutants.test(given.scratch, number, mutant["tests"], TEST_SECONDS)
            verdict = f"killed    {mutant['name']}: {found[:200]}" if found else f"survived  {mutant['name']}"
            print(verdict, flush=True)
            if not found:
                survivors.append(mutant)
    except mutants.Failed as reason:
        print(f"error: {reason}", file=sys.stderr)
        return 2
    finally:
        mutants.write(before)
        added.unlink()
    print(f"{len(chosen)} mutants of seed {given.seed}, {len(survivors)} survived")
    for mutant in survivors:
        show(mutant)
    return 0


if __name__ == "__main__":
    sys.exit(main())
