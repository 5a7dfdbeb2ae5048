"""The command line of Scripts/check-layers.py."""

import sys
from pathlib import Path

from . import diagram, selftest
from .check import Check
from .project import Project
from .reader import read_sources
from .table import TableError, read_table
from .tokens import SourceError

ROOT = Path(__file__).resolve().parents[2]
PAGE = "docs/architecture.md"
USAGE = """usage: Scripts/check-layers.py [MODE]

Compares the sources with the table of layers, Sources/layers.toml.

  (no mode)         refuse every use that the table does not list
  --diagram         print the part of docs/architecture.md that is drawn from the table
  --check-diagram   fail where docs/architecture.md differs from it
  --update          write it into docs/architecture.md
  --self-test       see that forbidden uses in a copy of the sources are refused, and other code is not
"""


def check() -> int:
    refusals = Check(Project(read_table(ROOT), read_sources(ROOT))).run()
    for refusal in refusals:
        print(refusal, file=sys.stderr)
    if refusals:
        count = len(refusals)
        print(f"layers: {count} {'use' if count == 1 else 'uses'} refused", file=sys.stderr)
        return 1
    print("layers: sound")
    return 0


def main(arguments: list[str]) -> int:
    try:
        match arguments:
            case []:
                return check()
            case ["--diagram"]:
                print(diagram.page(read_table(ROOT)), end="")
            case ["--check-diagram"]:
                if diagram.difference(ROOT / PAGE, read_table(ROOT)):
                    print(
                        f"error: {PAGE} differs from Sources/layers.toml\n"
                        "help: run Scripts/check-layers.py --update", file=sys.stderr)
                    return 1
                print("diagram: up to date")
            case ["--update"]:
                text = (ROOT / PAGE).read_text()
                (ROOT / PAGE).write_text(diagram.replaced(text, read_table(ROOT)))
            case ["--self-test"]:
                return selftest.run(ROOT)
            case ["--help"]:
                print(USAGE, end="")
            case _:
                print(USAGE, end="", file=sys.stderr)
                return 64
    except (TableError, SourceError, ValueError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0
