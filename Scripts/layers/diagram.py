"""Draws the table for docs/architecture.md."""

from pathlib import Path

from .table import Table

START = "<!-- layers: printed by Scripts/check-layers.py --diagram -->\n"
END = "<!-- end of layers -->\n"


def levels(graph: dict[str, set[str]]) -> list[list[str]]:
    """The names of a graph without circles, the highest level first; each uses lower levels only."""
    heights: dict[str, int] = {}

    def height(name: str) -> int:
        if name not in heights:
            heights[name] = 1 + max((height(used) for used in graph[name]), default=0)
        return heights[name]

    for name in graph:
        height(name)
    rows: list[list[str]] = [[] for _ in range(max(heights.values(), default=0))]
    for name in graph:
        rows[-heights[name]].append(name)
    return rows


def drawing(graph: dict[str, set[str]]) -> list[str]:
    """One line a name with what it uses, and a rule between levels."""
    width = max(len(name) for name in graph) + 3
    order = [name for row in levels(graph) for name in row]
    lines: list[str] = []
    for row in levels(graph):
        if lines:
            lines.append("")
        for name in row:
            used = [other for other in order if other in graph[name]]
            lines.append((name.ljust(width) + ("→ " + "  ".join(used) if used else "")).rstrip())
    length = max(len(line) for line in lines)
    return [line or "─" * length for line in lines]


def rooms_of(table: Table, wing: str) -> dict[str, set[str]]:
    """What the rooms of a wing use of one another."""
    edges = table.edges()
    return {
        short(name): {
            short(used)
            for used in edges[name] if used.split("/")[0] == wing}
        for name, room in table.rooms.items()
        if room.wing == wing and (name != wing or table.has_files(wing))}


def page(table: Table) -> str:
    """The part of docs/architecture.md between the markers, markers included."""
    wings = table.wing_edges()
    lines = ["```", *drawing(wings), "```", ""]
    for wing in wings:
        rooms = [room for room in table.rooms.values() if room.wing == wing and room.name != wing]
        lines.append(f"* **{wing}**: {lower(table.rooms[wing].about)}")
        lines += [f"  * *{short(room.name)}*: {lower(room.about)}" for room in rooms]
    lines.append("")
    for wing in wings:
        graph = rooms_of(table, wing)
        if len(graph) > 2:
            lines += [f"Inside {wing}:", "", "```", *drawing(graph), "```", ""]
    return START + "\n" + "\n".join(lines) + "\n" + END


def short(name: str) -> str:
    """The name of a room within its wing; that of the wing itself stays."""
    return name.partition("/")[2] or name


def lower(sentence: str) -> str:
    """A sentence that goes on behind a colon, unless it starts with a name."""
    first = sentence.split()[0].strip(":,.")
    is_name = first[1:] != first[1:].lower() or "-" in first
    return sentence if is_name else sentence[0].lower() + sentence[1:]


def replaced(text: str, table: Table) -> str:
    """A document with the part between the markers drawn anew."""
    before, start, rest = text.partition(START)
    _, end, after = rest.partition(END)
    if not start or not end:
        raise ValueError("the markers of the layers are missing")
    return before + page(table) + after


def difference(path: Path, table: Table) -> bool:
    """Whether a document's part differs from the table."""
    text = path.read_text()
    return replaced(text, table) != text
