"""Reads one Swift file: what it imports, what it declares, and which names it uses where.

This is no compiler. It knows scopes, so that a local variable is not taken for a function of the C library,
and it knows the context of every name (the type around it, the name before a dot); `resolve.py` decides
what the names mean.
"""

from bisect import bisect_right
from dataclasses import dataclass, field


@dataclass(slots=True)
class Scope:
    """A region of the file in which names are declared."""

    kind: str  # file, type, header, body
    parent: "Scope | None"
    # Each with the chain of its type's names, where the source says it.
    names: dict[str, tuple] = field(default_factory=dict)
    # For a type or an extension: the words of its name as written, and which keyword opened it.
    chain: tuple = ()
    keyword: str = ""
    inherits: list = field(default_factory=list)
    # The access of members that name none, and of the type itself.
    access: str = ""
    own_access: str = ""
    # How many brackets were open where a header started.
    depth: int = 0
    # Filled in by resolve.py: the type that this scope declares or extends.
    path: object = None

    def declare(self, name: str, kind: tuple = ()) -> None:
        # A second variable of the name may have another type.
        self.names[name] = () if name in self.names else kind


@dataclass(slots=True)
class Declaration:
    """A type, function, variable or case that a file declares."""

    kind: str  # type, alias, func, var, case
    name: str
    scope: Scope
    start: int
    access: str
    labels: tuple | None = None
    body: Scope | None = None
    target: tuple = ()
    file: object = None
    owner: object = None


@dataclass(slots=True)
class Use:
    """A name that is used.

    `base` says what is before it: nothing (`bare`), a chain of type names (`type`), `self`, or any other
    expression (`member`).
    """

    name: str
    start: int
    scope: Scope
    base: str
    chain: tuple = ()
    labels: tuple | None = None
    # For a member: the variable before the dot.
    owner: str = ""


class Source:
    """One file, read."""

    def __init__(self, path: str, text: str):
        self.path = path
        self.text = text
        self.imports: list[tuple[str, int]] = []
        self.declarations: list[Declaration] = []
        # Attributes of the language: `@escaping`.
        self.attributes: list[tuple[str, int]] = []
        # `try!` and `as!`.
        self.traps: list[tuple[str, int]] = []
        # Types declared in a function.
        self.local_types: list[Declaration] = []
        self.uses: list[Use] = []
        self.top = Scope("file", None)
        self.extensions: list[Scope] = []
        self._lines = [0] + [index + 1 for index, sign in enumerate(text) if sign == "\n"]

    def line(self, start: int) -> int:
        return bisect_right(self._lines, start)
