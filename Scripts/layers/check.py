"""Compares every use with the table, and every entry of the table with the uses."""

from dataclasses import dataclass, field

from .project import Project
from .source import Source
from .table import find_circle
from .use import FileCheck

TABLE = "Sources/layers.toml"


@dataclass(frozen=True)
class Refusal:
    """A use that the table does not list, or an entry of it that nothing uses."""

    path: str
    line: int
    message: str
    help: str

    def __str__(self) -> str:
        place = f"{self.path}:{self.line}" if self.line else self.path
        return f"{place}: error: {self.message}\n  help: {self.help}"


@dataclass
class Check:
    """One comparison of a project with its table."""

    project: Project
    refusals: set[Refusal] = field(default_factory=set)
    # Which room uses which for certain: not by a member that another room may have declared.
    edges: set[tuple[str, str]] = field(default_factory=set)
    imports: set[tuple[str, str]] = field(default_factory=set)
    # Room, module ("" for the standard library) and pattern of an entry that was needed.
    names: set[tuple[str, str, str]] = field(default_factory=set)

    def run(self, paths: set[str] | None = None) -> list[Refusal]:
        """What is refused in all files and in the table; with some paths, in these files alone."""
        for source in self.project.stray:
            self.refuse(
                source, 0, f"the file is in no room of {TABLE}",
                "move it into a room, or add a room to the table")
        for source in self.project.sources:
            if paths is None or source.path in paths:
                FileCheck(self, source).run()
        if paths is None:
            self._entries()
        return sorted(self.refusals, key=lambda each: (each.path, each.line, each.message))

    def refuse(self, source: Source, start: int, message: str, advice: str) -> None:
        self.refusals.add(Refusal(source.path, source.line(start), message, advice))

    def circle(self, user: str, used: str) -> list[str] | None:
        """The circle that one more entry would close."""
        graph = self.project.table.edges()
        graph[user] = graph[user] | {used}
        return find_circle(graph)

    def _entries(self) -> None:
        """Refuses entries of the table that nothing uses."""
        for room in self.project.table.rooms.values():
            for used in sorted(room.uses):
                if not any(
                    user == room.name and used in {target, target.split("/")[0] + "/*"}
                    for user, target in self.edges
                ):
                    self._entry(room.name, f"'{used}' in 'uses', and nothing there uses it")
            for module, names in sorted(room.imports.items()):
                if (room.name, module) not in self.imports:
                    self._entry(room.name, f"the import of {module}, and nothing there imports it")
                for name in names:
                    if (room.name, module, name) not in self.names:
                        self._entry(room.name, f"'{name}' of {module}, and nothing there uses it")
            for name in room.names:
                if (room.name, "", name) not in self.names:
                    self._entry(room.name, f"'{name}' in 'names', and nothing there uses it")

        table = self.project.table
        uses = [use for source in self.project.sources for use in source.uses]
        names = {name for use in uses for name in (use.name, *use.chain)}
        attributes = {name for source in self.project.sources for name, _ in source.attributes}
        labels = {label for use in uses for label in use.labels or ()}
        for name in sorted(
            (table.types | table.functions | table.members) - names | table.labels - labels
            | table.attributes - attributes):
            self._entry("outside", f"'{name}', and nothing uses it")

    def _entry(self, room: str, problem: str) -> None:
        self.refusals.add(Refusal(TABLE, 0, f"[{room}] lists {problem}", "remove it from the table"))
