#!/usr/bin/env python3
"""Prints the modules of packtool and what each imports, from 'swift package describe'.

    Scripts/target-graph.py          prints the graph
    Scripts/target-graph.py --write  writes it into docs/architecture.md
    Scripts/target-graph.py --check  fails if docs/architecture.md has another one, or if a source imports a
                                     module that its target does not list: some build orders accept that

A module is printed above the modules it may import. Imports that another import implies are left out.
"""

import json
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs/architecture.md"
BEGIN, END = "<!-- target graph: Scripts/target-graph.py --write -->\n", "<!-- end of target graph -->\n"

IMPORT = re.compile(
    r"^(?:@testable |package |public |internal |private )*import (?:struct |enum |func )?(\w+)", re.M)


def described():
    """All targets of the package by name, as SwiftPM describes them."""
    command = ["swift", "package", "--ignore-lock", "describe", "--type", "json"]
    text = subprocess.run(
        command, cwd=ROOT, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
    return {target["name"]: target for target in json.loads(text)["targets"]}


def unlisted(targets):
    """Imports of modules of the package that the importing target does not list."""
    for name, target in targets.items():
        listed = set(target.get("target_dependencies", [])) | {name}
        for source in target["sources"]:
            path = Path(target["path"], source)
            if path.suffix == ".swift":
                imported = set(IMPORT.findall((ROOT / path).read_text()))
                for module in sorted(imported & targets.keys() - listed):
                    yield f"{path}: error: '{name}' does not list '{module}' in Package.swift"


def graph(targets):
    """The Swift modules below Sources with the modules that they may import."""
    found = {name: target.get("target_dependencies", []) for name, target in targets.items()
             if target["path"].startswith("Sources/") and target["module_type"] == "SwiftTarget"}
    direct = {name: [one for one in needs if one in found] for name, needs in found.items()}
    reached = {}

    def reach(name):
        if name not in reached:
            reached[name] = set(direct[name]).union(*[reach(one) for one in direct[name]])
        return reached[name]

    def depth(name):
        return 1 + max([depth(one) for one in direct[name]], default=0)

    width = max(map(len, direct))
    lines = []
    for name in sorted(direct, key=lambda name: (-depth(name), name)):
        reach(name)
        shown = [one for one in direct[name] if not any(one in reach(other) for other in direct[name])]
        lines.append(f"{name:{width}} → {'  '.join(sorted(shown))}" if shown else name)
    return "```\n" + "\n".join(lines) + "\n```\n"


def main():
    targets = described()
    printed = graph(targets)
    if sys.argv[1:] not in (["--write"], ["--check"]):
        print(printed, end="")
        return 0
    page = PAGE.read_text()
    before, rest = page.split(BEGIN)
    old, after = rest.split(END)
    new = f"\n{printed}\n"
    if sys.argv[1] == "--write":
        PAGE.write_text(before + BEGIN + new + END + after)
    elif problems := list(unlisted(targets)):
        print(*problems, sep="\n", file=sys.stderr)
        print("help: list the module if the graph allows it, or move the code", file=sys.stderr)
        return 1
    elif old != new:
        print("docs/architecture.md: error: the target graph differs from Package.swift\n"
              "help: run Scripts/target-graph.py --write", file=sys.stderr)
        return 1
    else:
        print(f"the target graph has {printed.count(chr(10)) - 2} modules")
    return 0


if __name__ == "__main__":
    sys.exit(main())
