#!/usr/bin/env python3
"""Checks an Xcode project file written by hand: it parses, each reference has an object and each object a
reference, the sources exist, and the scheme names the target. Xcode itself is not here.

    check_project.py examples/app-ios/App.xcodeproj
"""

import re
import sys
from pathlib import Path

TOKEN = re.compile(r'\s+|//[^\n]*|/\*.*?\*/|("(?:[^"\\]|\\.)*")|([A-Za-z0-9_./$]+)|([{}()=;,])', re.DOTALL)
ID = re.compile(r"[0-9A-F]{24}")


def tokens(text):
    at = 0
    while at < len(text):
        found = TOKEN.match(text, at)
        if not found:
            raise ValueError(f"line {text.count(chr(10), 0, at) + 1}: unexpected {text[at]!r}")
        at = found.end()
        if found.lastindex:
            yield found[found.lastindex]


def value(rest):
    """Parses one value of a property list in OpenStep's form."""
    token = next(rest)
    if token == "{":
        result = {}
        while (key := next(rest)) != "}":
            expect(rest, "=")
            if key in result:
                raise ValueError(f"{key} is twice in a dictionary")
            result[key] = value(rest)
            expect(rest, ";")
        return result
    if token == "(":
        result = []
        while True:
            item = value(rest)
            if item is None:
                return result
            result.append(item)
            expect(rest, ",")
    return None if token == ")" else token.strip('"')


def expect(rest, wanted):
    if (token := next(rest)) != wanted:
        raise ValueError(f"{token!r} instead of {wanted!r}")


def references(item):
    if isinstance(item, str):
        return [item] if ID.fullmatch(item) else []
    return [one for part in (item.values() if isinstance(item, dict) else item) for one in references(part)]


def paths(objects, group, folder):
    """The files of a group and the groups in it."""
    folder = folder / objects[group].get("path", "")
    for child in objects[group]["children"]:
        if "children" in objects[child]:
            yield from paths(objects, child, folder)
        elif objects[child]["sourceTree"] == "<group>":
            yield folder / objects[child]["path"]


def problems(project):
    document = value(tokens((project / "project.pbxproj").read_text()))
    objects, root = document["objects"], document["rootObject"]
    named = {root, *references(list(objects.values()))}
    yield from (f"no object {one}" for one in sorted(named - objects.keys()))
    yield from (f"object {one} is unused" for one in sorted(objects.keys() - named))
    files = set(paths(objects, objects[root]["mainGroup"], project.parent))
    # The app's owner makes 'offline' by packtool embed.
    wanted = {*project.parent.rglob("*.swift"), project.parent / "offline"}
    yield from (f"{file} is not in the project" for file in sorted(wanted - files))
    yield from (f"{file} does not exist" for file in sorted(files - wanted))
    built = {objects[one]["fileRef"] for one in objects if "fileRef" in objects[one]}
    for one, item in sorted(objects.items()):
        if item["isa"] == "PBXFileReference" and item["sourceTree"] == "<group>" and one not in built:
            yield f"{item['path']} is not built"
    for scheme in project.glob("xcshareddata/xcschemes/*.xcscheme"):
        for target in re.findall(r'BlueprintIdentifier = "(\w+)"', scheme.read_text()):
            if target not in objects[root]["targets"]:
                yield f"{scheme.name}: no target {target}"


def main():
    try:
        found = list(problems(Path(sys.argv[1])))
    except ValueError as error:
        found = [f"{sys.argv[1]}: {error}"]
    for problem in found:
        print(f"error: {problem}", file=sys.stderr)
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
