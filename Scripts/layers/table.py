"""The table of layers: reads `Sources/layers.toml` and answers what a room may use."""

import re
import tomllib
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath

FIELDS = {"path", "files", "about", "uses", "imports", "names"}
_TARGET = re.compile(r'\.(target|executableTarget|testTarget|systemLibrary)\(\s*name: "(\w+)"')
_PATH = re.compile(r'[(,]\s*path: "([^"]+)"')


class TableError(Exception):
    """The table contradicts itself, or the sources beside it."""


@dataclass
class Room:
    """A wing, or a room of one."""

    name: str
    path: str
    files: str
    about: str
    module: str
    uses: set[str]
    imports: dict[str, list[str]] = field(default_factory=dict)
    names: list[str] = field(default_factory=list)

    @property
    def wing(self) -> str:
        return self.name.split("/")[0]


class Table:
    """The rooms in the order of the file, and what every one of them may use of the outside."""

    def __init__(self, text: str, root: Path):
        self.root = root
        try:
            data = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            raise TableError(f"Sources/layers.toml: {error}") from None
        self.targets = read_targets((root / "Package.swift").read_text())
        outside = data.pop("outside", {})
        self.types = set(outside.get("types", []))
        self.functions = set(outside.get("functions", []))
        self.members = set(outside.get("members", []))
        self.attributes = set(outside.get("attributes", []))
        self.labels = set(outside.get("labels", []))
        self.rooms: dict[str, Room] = {}
        for name, entry in data.items():
            self.rooms[name] = self._room(name, entry)
        self._check()

    def _room(self, name: str, entry: dict) -> Room:
        if unknown := set(entry) - FIELDS:
            raise TableError(f"[{name}] has unknown keys: {', '.join(sorted(unknown))}")
        if not entry.get("about", "").endswith("."):
            raise TableError(f"[{name}] needs a sentence in 'about'")
        wing = self.rooms.get(name.split("/")[0])
        if "/" in name and wing is None:
            raise TableError(f"[{name}] comes before its wing")
        if "/" in name:
            path = entry.get("path", wing.path + name[len(wing.name):])
        else:
            path = entry.get("path", f"Sources/PackCore/{name}")
        if "files" in entry and wing:
            path = wing.path
        return Room(
            name=name, path=path, files=entry.get("files", "*"), about=entry["about"],
            module=self._module(path),
            uses=set(entry.get("uses", [])), imports=entry.get("imports", {}),
            names=entry.get("names", []))

    def _module(self, path: str) -> str:
        """The target whose folder a room is in; the innermost one, for they are nested."""
        folders = [folder for folder in self.targets if (path + "/").startswith(folder + "/")]
        if not folders:
            raise TableError(f"no target of Package.swift has the folder {path}")
        return self.targets[max(folders, key=len)]

    def _check(self) -> None:
        for room in self.rooms.values():
            for used in room.uses:
                if used.removesuffix("/*") not in self.rooms:
                    raise TableError(f"[{room.name}] uses '{used}', which the table does not have")
        for graph, what in ((self.edges(), "rooms"), (self.wing_edges(), "wings")):
            if circle := find_circle(graph):
                raise TableError(f"the table has a circle of {what}: {' → '.join(circle)}")

    def edges(self) -> dict[str, set[str]]:
        return {
            room.name: {used for used in self.rooms if self.allows(room.name, used)} - {room.name}
            for room in self.rooms.values()}

    def wing_edges(self) -> dict[str, set[str]]:
        graph: dict[str, set[str]] = {room.wing: set() for room in self.rooms.values()}
        for room in self.rooms.values():
            graph[room.wing] |= {used.split("/")[0] for used in room.uses} - {room.wing}
        return graph

    def allows(self, user: str, used: str) -> bool:
        """Whether a room may use another: it names the room, or all rooms of its wing."""
        if user == used:
            return True
        return not self.rooms[user].uses.isdisjoint({used, used.split("/")[0] + "/*"})

    def has_files(self, wing: str) -> bool:
        """Whether a wing has files of its own beside its rooms."""
        return any((self.root / self.rooms[wing].path).glob("*.swift"))

    def room_of(self, path: str) -> Room | None:
        """The room of a file: the longest path that fits, one with a pattern of names before the others."""
        best = None
        for room in self.rooms.values():
            if not path.startswith(room.path + "/"):
                continue
            if room.files != "*" and not fnmatchcase(PurePosixPath(path).name, room.files):
                continue
            rank = (len(room.path), room.files != "*")
            if best is None or rank > best[0]:
                best = (rank, room)
        return best[1] if best else None


def read_targets(package: str) -> dict[str, str]:
    """The targets of a package by their folders, without those of tests."""
    targets = {}
    starts = list(_TARGET.finditer(package))
    for number, start in enumerate(starts):
        end = starts[number + 1].start() if number + 1 < len(starts) else len(package)
        path = _PATH.search(package, start.end(), end)
        kind, name = start.groups()
        if kind in {"target", "executableTarget"}:
            targets[path.group(1) if path else f"Sources/{name}"] = name
    return targets


def read_table(root: Path) -> Table:
    """The table beside some sources."""
    return Table((root / "Sources/layers.toml").read_text(), root)


def find_circle(graph: dict[str, set[str]]) -> list[str] | None:
    """A circle of a graph, its first name at both ends; `None` where there is none."""
    state: dict[str, int] = {}
    way: list[str] = []

    def visit(name: str) -> list[str] | None:
        state[name] = 1
        way.append(name)
        for used in sorted(graph.get(name, ())):
            if state.get(used) == 1:
                return way[way.index(used):] + [used]
            if used not in state and (found := visit(used)):
                return found
        state[name] = 2
        way.pop()
        return None

    for name in graph:
        if name not in state and (found := visit(name)):
            return found
    return None
