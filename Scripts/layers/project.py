"""All files together: what they declare, and what a name means in a place."""

from .source import Declaration, Scope, Source
from .table import Room, Table

# The C library has one name a platform.
SAME_MODULE = {"Glibc": "libc", "Darwin": "libc", "Musl": "libc"}


class Type:
    """A type of the project: what is declared in it, wherever it is extended."""

    def __init__(self, declaration: Declaration | None):
        self.declaration = declaration
        self.nested: dict[str, list[Declaration]] = {}
        self.members: dict[str, list[Declaration]] = {}
        self.inherits: list[tuple[tuple, Scope, Source]] = []
        self.generics: dict[str, tuple] = {}
        # A superclass or protocol that the project does not declare: members may come from there.
        self.has_outside_parent = False
        # The types that it inherits from, once they have been looked up.
        self.parents: list[Type] | None = None


class Project:
    """All files, with tables of what they declare."""

    def __init__(self, table: Table, sources: list[Source]):
        self.table = table
        rooms = {source.path: table.room_of(source.path) for source in sources}
        self.rooms: dict[str, Room] = {path: room for path, room in rooms.items() if room}
        self.sources = [source for source in sources if source.path in self.rooms]
        # Files in no room.
        self.stray = [source for source in sources if source.path not in self.rooms]
        self.modules: set[str] = {room.module for room in table.rooms.values()}
        # Names that stand for a module: `Swift.min`.
        self.namespaces = {"Swift", *SAME_MODULE, *self.modules} | {
            module for room in table.rooms.values() for module in room.imports}
        self.globals: dict[str, list[Declaration]] = {}
        self.types: dict[str, list[Declaration]] = {}
        self.type_of: dict[int, Type] = {}
        self.outside_types: dict[str, Type] = {}
        self.by_member: dict[str, list[Declaration]] = {}
        self._collect()

    def room(self, declaration: Declaration) -> Room:
        return self.rooms[declaration.file.path]

    # What is declared

    def _collect(self) -> None:
        nested = []
        for source in self.sources:
            for declaration in source.local_types:
                self._add_type(declaration)
            for declaration in source.declarations:
                if declaration.kind in {"type", "alias"}:
                    self._add_type(declaration)
                if declaration.kind == "label":
                    self.by_member.setdefault(declaration.name, []).append(declaration)
                elif declaration.scope.kind == "file":
                    table = self.types if declaration.kind in {"type", "alias"} else self.globals
                    table.setdefault(declaration.name, []).append(declaration)
                else:
                    nested.append(declaration)
        # Types nested in types, so that extensions of them are found; then extensions; then members.
        for declaration in nested:
            if declaration.kind in {"type", "alias"} and declaration.scope.keyword != "extension":
                self._nest(declaration, declaration.scope.path)
        todo = [(scope, source) for source in self.sources for scope in source.extensions]
        for _ in range(3):
            rest = []
            for scope, source in todo:
                found = self.type_named(scope.chain, scope.parent, source)
                if found is None:
                    rest.append((scope, source))
                    continue
                scope.path = found
                found.inherits += [(chain, scope, source) for chain in scope.inherits]
                for declaration in nested:
                    if declaration.scope is scope and declaration.kind in {"type", "alias"}:
                        self._nest(declaration, found)
            todo = rest
        for scope, _ in todo:
            name = ".".join(scope.chain)
            outside = self.outside_types.setdefault(name, Type(None))
            outside.has_outside_parent = True
            scope.path = outside
            for declaration in nested:
                if declaration.scope is scope and declaration.kind in {"type", "alias"}:
                    self._nest(declaration, outside)
        for declaration in nested:
            owner = declaration.scope.path
            declaration.owner = owner
            if declaration.kind not in {"type", "alias"}:
                owner.members.setdefault(declaration.name, []).append(declaration)
                self.by_member.setdefault(declaration.name, []).append(declaration)
        for found in list(self.type_of.values()):
            for chain, scope, source in found.inherits:
                if chain[0] not in scope.names and self.type_named(chain, scope.parent, source) is None:
                    found.has_outside_parent = True

    def _add_type(self, declaration: Declaration) -> None:
        found = Type(declaration)
        self.type_of[id(declaration)] = found
        if declaration.body is not None:
            declaration.body.path = found
            found.generics = declaration.body.names
            found.inherits = [
                (chain, declaration.body, declaration.file) for chain in declaration.body.inherits]

    def _nest(self, declaration: Declaration, owner: Type) -> None:
        owner.nested.setdefault(declaration.name, []).append(declaration)

    # What a name means

    def visible(self, declaration: Declaration, source: Source) -> bool:
        if declaration.file is source:
            return True
        if declaration.access in {"private", "fileprivate"}:
            return False
        if declaration.access in {"public", "package"}:
            return True
        return self.room(declaration).module == self.rooms[source.path].module

    def type_named(self, chain: tuple, scope: Scope, source: Source) -> Type | None:
        """The type of the project that a chain of names means in a scope; `None` for any other."""
        found = None
        for found in self.declared(chain, scope, source):  # noqa: B007 (the last one counts)
            pass
        return self.meaning(found) if isinstance(found, Declaration) else None

    def meaning(self, declaration: Declaration) -> Type:
        """The type of a declaration, through a typealias where the project declares what it names."""
        seen = 0
        while declaration.kind == "alias" and declaration.target and seen < 8:
            seen += 1
            found = list(self.declared(
                declaration.target, declaration.scope, declaration.file, skip=declaration))
            if not found or not isinstance(found[-1], Declaration):
                break
            declaration = found[-1]
        return self.type_of[id(declaration)]

    def declared(self, chain: tuple, scope: Scope, source: Source, skip=None):
        """Yields what each name of a chain means: a declaration, or a word saying why there is none.

        `local` is a generic parameter or a local type, `outside` a name that the project does not declare.
        """
        first = self._first(chain[0], scope, source, skip)
        rest = chain[1:]
        if first == "outside" and chain[0] in self.modules and rest:
            candidates = [
                each for each in self.types.get(rest[0], [])
                if self.room(each).module == chain[0] and self.visible(each, source)]
            first = candidates[0] if candidates else "outside"
            rest = rest[1:]
        yield first
        while rest and isinstance(first, Declaration):
            first = self._nested(self.meaning(first), rest[0], source)
            if first is None:
                return
            yield first
            rest = rest[1:]

    def _first(self, name: str, scope: Scope | None, source: Source, skip=None):
        while scope is not None:
            if name in scope.names:
                return "local"
            if scope.kind in {"type", "header"} and isinstance(scope.path, Type):
                if name in scope.path.generics:
                    return "local"
                found = self._nested(scope.path, name, source)
                if found is not None and found is not skip:
                    return found
            scope = scope.parent
        module = self.rooms[source.path].module
        candidates = [
            each for each in self.types.get(name, []) if each is not skip and self.visible(each, source)]
        if not candidates:
            return "outside"
        # The file's own declaration, then the module's, then what is imported.
        candidates.sort(key=lambda each: (each.file is not source, self.room(each).module != module))
        return candidates[0]

    def _nested(self, owner: Type, name: str, source: Source, seen: frozenset = frozenset()):
        for declaration in owner.nested.get(name, []):
            if self.visible(declaration, source):
                return declaration
        for parent in self.parents(owner):
            if id(parent) not in seen:
                found = self._nested(parent, name, source, seen | {id(owner)})
                if found is not None:
                    return found
        return None

    def parents(self, owner: Type) -> list[Type]:
        """The types of the project that a type inherits from or conforms to."""
        if owner.parents is None:
            # Empty while they are looked for, since the search may come back here.
            owner.parents = []
            found = []
            for chain, scope, source in owner.inherits:
                parent = self.type_named(chain, scope.parent, source)
                if parent is not None and parent is not owner:
                    found.append(parent)
            owner.parents = found
        return owner.parents

    def member(self, owner: Type, name: str, source: Source, seen: frozenset = frozenset()):
        """The declarations of a member of a type, inherited ones last."""
        found = [each for each in owner.members.get(name, []) if self.visible(each, source)]
        for parent in self.parents(owner):
            if id(parent) not in seen:
                found += self.member(parent, name, source, seen | {id(owner)})
        return found

    def may_have_outside_members(self, owner: Type, seen: frozenset = frozenset()) -> bool:
        if owner.has_outside_parent:
            return True
        return any(
            self.may_have_outside_members(parent, seen | {id(owner)})
            for parent in self.parents(owner) if id(parent) not in seen)
