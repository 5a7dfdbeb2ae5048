#!/bin/sh
# Compares Sources/unsafe.md, the list of every use of `unsafe` in the libraries, with the sources.
#
#   Scripts/check-unsafe.sh           fails if a number differs, or a row is missing, left over or unfinished
#   Scripts/check-unsafe.sh --update  writes the numbers, and adds a row to fill in for a new file
set -eu
cd "$(dirname "$0")/.."
exec python3 - "$@" <<'END'
import pathlib, re, sys

page, root = pathlib.Path("Sources/unsafe.md"), pathlib.Path("Sources/PackCore")
settings = pathlib.Path("Sources/PackTool/Settings")
# `unsafe` before an expression or a declaration, not in a string, a comment or an enum's case.
use = re.compile(r"(?<![\w.'\"-])(?:@?unsafe(?=\s+[\w(!&~.\[])|\w+\(unsafe\))")
row = re.compile(r"^\| `([\w+/]+\.swift)` \| (\d+) \|")
uses = {}
for path in sorted([*root.rglob("*.swift"), *settings.rglob("*.swift")]):
    lines = path.read_text().splitlines()
    count = sum(len(use.findall(line + " _")) for line in lines if not re.match(r"\s*(//|case )", line))
    if count:
        uses[path.relative_to(root if root in path.parents else root.parent).as_posix()] = count
lines = page.read_text().splitlines()
listed = {m[1]: int(m[2]) for m in map(row.match, lines) if m}
if sys.argv[1:] == ["--update"]:
    lines = [row.sub(lambda m: f"| `{m[1]}` | {uses.get(m[1])} |", line) for line in lines
             if not (m := row.match(line)) or m[1] in uses]
    lines += [f"| `{name}` | {uses[name]} | TODO | TODO |" for name in uses if name not in listed]
    page.write_text("\n".join(lines) + "\n")
    sys.exit()
found = [f"{name}: {uses.get(name, 0)} uses, {listed.get(name, 'none')} in the table"
         for name in sorted(uses.keys() | listed.keys()) if uses.get(name) != listed.get(name)]
found += [f"line {number}: unfinished" for number, line in enumerate(lines, 1) if "TODO" in line]
if found:
    print("error: Sources/unsafe.md differs from the sources:", *found, sep="\n  ", file=sys.stderr)
    sys.exit("help: find out what bounds each new access, write it there, then run Scripts/check-unsafe.sh --update")
print(f"unsafe: {sum(uses.values())} uses in {len(uses)} files, all listed")
END
