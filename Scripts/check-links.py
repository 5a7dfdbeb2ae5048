#!/usr/bin/env python3
"""Checks that every relative link in the Markdown files leads to a file, and to its heading."""
import pathlib
import re
import subprocess
import sys

FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"`[^`\n]*`")
LINK = re.compile(r"\]\(([^()\s]+)\)")


def prose(path):
    return FENCE.sub("", path.read_text())


def anchors(path):
    """The anchors that GitHub gives to a page's headings, and those that the page sets itself."""
    text = prose(path)
    found = set(re.findall(r'<a (?:id|name)="([^"]+)"', text))
    for heading in re.findall(r"^#+ +(.*)$", text, re.MULTILINE):
        name = re.sub(r"[^\w\- ]", "", heading.replace("`", "").lower()).replace(" ", "-")
        number = 0
        while (anchor := name + (f"-{number}" if number else "")) in found:
            number += 1
        found.add(anchor)
    return found


def main():
    root = pathlib.Path(__file__).resolve().parent.parent
    listed = subprocess.run(
        ["git", "ls-files", "*.md"], cwd=root, capture_output=True, text=True, check=True)
    pages = [root / name for name in listed.stdout.split() if (root / name).exists()]
    wrong, count = [], 0
    for page in pages:
        for target in LINK.findall(CODE.sub("", prose(page))):
            if re.match(r"[a-z]+:", target):
                continue
            count += 1
            name, _, anchor = target.partition("#")
            file = (page.parent / name).resolve() if name else page
            if not file.exists():
                wrong.append(f"{page.relative_to(root)}: no file {target}")
            elif anchor and (file.suffix != ".md" or anchor not in anchors(file)):
                wrong.append(f"{page.relative_to(root)}: no heading {target}")
    if wrong:
        print("error: links that lead nowhere", *wrong, sep="\n  ", file=sys.stderr)
        sys.exit("help: correct the link, or the heading that it names")
    print(f"links: {count} in {len(pages)} pages")


if __name__ == "__main__":
    main()
