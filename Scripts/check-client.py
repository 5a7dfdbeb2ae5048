#!/usr/bin/env python3
"""Checks what an app that links PackClient and PackClientURLSession gets: no C code but CFiles, no product
but Crypto, no declaration of the standard library that iOS 16 lacks, and only Foundation for the network.

    Scripts/check-client.py              checks Package.swift and the sources of these modules
    Scripts/check-client.py --self-test  tests the check itself

Only a build with Apple's SDK can show the last one fully; the table has declarations that were used here.
"""

import re
import runpy
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
OUTSIDE = {"CFiles", "Crypto"}
TRANSPORT = "PackClientURLSession"
# Modules from outside that the transport may import.
IMPORTED = {"Foundation", "FoundationNetworking"}
IMPORT = re.compile(
    r"^\s*(?:(?:package|public|internal|private|@\w+) )*import (?:struct |class |enum |func )?(\w+)")

# Declarations with the first iOS that has them.
NEWER = {
    r"\bimport Synchronization\b|\bMutex[<(]|\bAtomic[<(]": "18; use Locked",
    r"\bString\(validating:": "18; use String(utf8:)",
    r"\bU?Int128\b": "18",
    r"\bRangeSet\b|\bDiscontiguousSlice\b|\bremovingSubranges\b": "18",
    r"\bwith(?:Throwing)?DiscardingTaskGroup\b": "17",
    r"\bTaskExecutor\b|\bwithTaskExecutorPreference\b": "18",
    r"\b(?:any|some) AsyncSequence<": "18; use AsyncStream",
    r"\bInlineArray\b|\bUTF8Span\b|\butf8\.span\b": "26",
}


def closure(targets, name):
    """The modules of the package, and other names, that a target depends on."""
    inside, outside, rest = set(), set(), [name]
    while rest:
        one = rest.pop()
        if one in inside or one in outside:
            continue
        if one not in targets or targets[one]["module_type"] != "SwiftTarget":
            outside.add(one)
            continue
        inside.add(one)
        rest += targets[one].get("target_dependencies", []) + targets[one].get("product_dependencies", [])
    return inside, outside


def newer(text):
    """The lines of a source with a declaration that iOS 16 lacks."""
    for number, line in enumerate(text.splitlines(), 1):
        if not line.lstrip().startswith("//"):
            for pattern, version in NEWER.items():
                if found := re.search(pattern, line):
                    yield number, f"'{found[0]}' needs iOS {version}"


def imports(text, allowed):
    """The lines of a source that import another module from outside."""
    for number, line in enumerate(text.splitlines(), 1):
        found = IMPORT.match(line)
        if found and not found[1].startswith("Pack") and found[1] not in allowed:
            yield number, f"{TRANSPORT} may not import {found[1]}"


def self_test():
    refused = ["let a = Mutex(1)", "import Synchronization", "String(validating: x, as: UTF8.self)"]
    allowed = ["/// As Mutex(1)", "let a = Locked(1)", "String(decoding: x, as: UTF8.self)"]
    wrong = [line for line in refused if not list(newer(line))]
    wrong += [line for line in allowed if list(newer(line))]
    source = "import Foundation\npackage import PackOrigin\n#if true\n    import FoundationNetworking\n"
    wrong += [text for _, text in imports(source, IMPORTED)]
    if [number for number, _ in imports(source + "public import Dispatch\n", IMPORTED)] != [5]:
        wrong.append("imports")
    targets = {"A": {"module_type": "SwiftTarget", "target_dependencies": ["B", "C"]},
               "B": {"module_type": "SwiftTarget", "product_dependencies": ["P"]},
               "C": {"module_type": "ClangTarget"}}
    if closure(targets, "A") != ({"A", "B"}, {"C", "P"}):
        wrong.append("closure")
    print("\n".join(wrong) or "client: the self-test passes")
    return bool(wrong)


def main():
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    targets = runpy.run_path(str(ROOT / "Scripts/target-graph.py"))["described"]()
    found = [closure(targets, name) for name in ("PackClient", "PackPages")]
    inside, outside = (set().union(*sets) for sets in zip(*found))
    problems = [f"PackClient depends on {name}" for name in sorted(outside - OUTSIDE)]
    if TRANSPORT in inside:
        problems.append(f"PackClient depends on {TRANSPORT}: an app may have another transport")
    besides, outside = closure(targets, TRANSPORT)
    problems += [f"{TRANSPORT} depends on {name}" for name in sorted(outside - OUTSIDE)]
    inside |= besides
    for name in sorted(inside):
        for source in targets[name]["sources"]:
            path = Path(targets[name]["path"], source)
            text = (ROOT / path).read_text()
            found = [*newer(text), *(imports(text, IMPORTED) if name == TRANSPORT else [])]
            problems += [f"{path}:{number}: {problem}" for number, problem in found]
    for problem in problems:
        print(f"error: {problem}", file=sys.stderr)
    if not problems:
        print(f"client: {len(inside)} modules, with {' and '.join(sorted(outside))}")
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main())
