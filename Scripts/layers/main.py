"""The command."""

import sys
from pathlib import Path

from .resolve import Project
from .source import Source
from .table import Table, TableError
from .tokens import SourceError

ROOT = Path(__file__).resolve().parents[2]


def read(root: Path) -> Project:
    table = Table((root / "Sources/layers.toml").read_text())
    sources = []
    for path in sorted((root / "Sources").rglob("*.swift")):
        name = path.relative_to(root).as_posix()
        sources.append(Source(name, path.read_text()))
    return Project(table, sources)


def main(arguments: list[str]) -> int:
    project = read(ROOT)
    refusals = project.check()
    for refusal in refusals:
        print(refusal, file=sys.stderr)
    if refusals:
        return 1
    print("layers: sound")
    return 0
