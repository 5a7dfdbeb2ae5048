#!/usr/bin/env python3
"""Compares the patterns of `exclude` with git's interpretation of the same lines.

    python3 Tests/Rigs/Exclude/compare_git.py [--packtool FILE] [--rounds N] [--seed N]

Every round creates a random tree and random patterns, and compares the files in `packtool hash --listing`
with those listed by `git ls-files --others --exclude-from`. Patterns rejected by packtool are skipped and
counted: git ignores such lines or never matches them. Exits with 1 at the first difference, or if fewer than
a third of the rounds excluded anything.
"""

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
NAMES = [
    "a", "b", "ab", "a.js", "a.js.map", "b.map", "maps", "keep", "x-1", "#a", "!b", "a*", "[x]", "é", "a b",
]
PARTS = [
    "a", "b", "*", "**", "?", "*.map", "*.js", "[ab]", "[!a]", "[^b]*", "[]x]", "a*b", "*a*", "maps", "keep",
    "[[:alpha:]]", "[[:punct:]]a", "x-[0-9]", "[a-]", "\\#a", "\\!b", "a\\*", "\\[x]", "é", "??", "***",
    "a**", "**b", "[[:]", "[x[:alpha:]-z]", "a b", "[\\]x]", "A", "[A-Z]", "[--0]", "[a-c-e]",
]


def make_tree(root, generator):
    for _ in range(generator.randint(3, 25)):
        path = root
        for _ in range(generator.randint(0, 3)):
            path = path / generator.choice(NAMES)
        try:
            path.mkdir(parents=True, exist_ok=True)
            file = path / generator.choice(NAMES)
            if not file.exists():
                file.write_text("x")
        except (FileExistsError, NotADirectoryError):
            continue


def make_pattern(generator):
    parts = [generator.choice(PARTS) for _ in range(generator.choice([1, 1, 1, 2, 2, 3, 4]))]
    # git compares the literal prefix separately, and then treats the '**' in 'a**/b' as a whole component,
    # although its documentation describes it as an ordinary star.
    if len(parts) > 1:
        parts = [part for part in parts if part not in ("a**", "**b")] or ["a"]
    text = "/".join(parts)
    if generator.random() < 0.2:
        text = "/" + text
    if generator.random() < 0.25:
        text += "/"
    if generator.random() < 0.2:
        text = "!" + text
    if generator.random() < 0.03:
        text = generator.choice(["[", "[a", "a\\", "[[:foo:]]", "a//b", "./a", "!", "/"])
    return text


def git_files(tree, patterns, work):
    lines = work / "patterns"
    lines.write_text("".join(pattern + "\n" for pattern in patterns))
    command = ["git", "--git-dir", str(work / "git"), "--work-tree", str(tree), "-c", "core.quotePath=false",
               "ls-files", "-z", "--others", f"--exclude-from={lines}"]
    output = subprocess.run(command, capture_output=True, check=True, cwd=tree).stdout
    return sorted(name for name in output.split(b"\0") if name)


def packtool_files(packtool, tree, patterns):
    flags = [f"--exclude={pattern}" for pattern in patterns]
    done = subprocess.run([packtool, "hash", str(tree), "--listing", "--json", *flags], capture_output=True)
    result = json.loads(done.stdout)
    if done.returncode == 0:
        return sorted(asset["path"].encode() for asset in result["assets"]), None
    return [], result["error"]["code"]


def usable(packtool, tree, patterns):
    """The patterns accepted by packtool, which stops at an invalid one."""
    kept = []
    for pattern in patterns:
        _, code = packtool_files(packtool, tree, [pattern])
        if code in (None, "build.all-excluded"):
            kept.append(pattern)
        elif code != "usage.pattern":
            raise SystemExit(f"packtool hash --exclude={pattern!r}: {code}")
    return kept


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--packtool", default=str(ROOT / ".build/debug/packtool"))
    parser.add_argument("--rounds", type=int, default=150)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    generator = random.Random(options.seed)
    refused = excluding = compared = 0
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        subprocess.run(["git", "init", "-q", "--bare", str(work / "git")], check=True)
        os.environ["GIT_CONFIG_NOSYSTEM"] = "1"
        os.environ["HOME"] = folder
        for number in range(options.rounds):
            tree = work / f"tree{number}"
            tree.mkdir()
            make_tree(tree, generator)
            wanted = [make_pattern(generator) for _ in range(generator.choice([1, 1, 2, 3, 5]))]
            patterns = usable(options.packtool, tree, wanted)
            refused += len(wanted) - len(patterns)
            theirs = git_files(tree, patterns, work)
            ours, code = packtool_files(options.packtool, tree, patterns)
            every = git_files(tree, [], work)
            compared += 1
            excluding += theirs != every
            if ours != theirs or (code not in (None, "build.all-excluded")):
                print(f"round {number}: {patterns}\n  git      {theirs}\n  packtool {ours} {code}")
                print(f"  of       {every}")
                return 1
    print(f"{compared} rounds agree with git; {excluding} excluded something; {refused} patterns refused")
    return 0 if excluding * 3 > compared else 1


if __name__ == "__main__":
    sys.exit(main())
