"""Decides what each name means and which room it comes from, and compares that with the table."""

from dataclasses import dataclass
from fnmatch import fnmatchcase

from .source import Declaration, Scope, Source, Use
from .table import Room, Table, find_circle

# The C library has one name a platform.
SAME_MODULE = {"Glibc": "libc", "Darwin": "libc", "Musl": "libc"}


@dataclass(frozen=True)
class Refusal:
    """A use that the table does not list."""

    path: str
    line: int
    message: str
    help: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: error: {self.message}\n  help: {self.help}"


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


class Project:
    """All files, with tables of what they declare."""

    def __init__(self, table: Table, sources: list[Source]):
        self.table = table
        self.sources = sources
        self.rooms: dict[str, Room] = {}
        self.refusals: list[Refusal] = []
        self.used: set[tuple[str, str]] = set()
        self.used_imports: set[tuple[str, str]] = set()
        self.used_names: set[tuple[str, str, str]] = set()
        self.ambiguous: dict = {}
        self.modules: set[str] = {room.module for room in table.rooms.values()}
        # Names that stand for a module: `Swift.min`.
        self.namespaces = {"Swift", *SAME_MODULE, *self.modules} | {
            module for room in table.rooms.values() for module in room.imports}
        self.globals: dict[str, list[Declaration]] = {}
        self.types: dict[str, list[Declaration]] = {}
        self.type_of: dict[int, Type] = {}
        self.outside_types: dict[str, Type] = {}
        self.by_member: dict[str, list[Declaration]] = {}
        for source in sources:
            room = table.room_of(source.path)
            if room is None:
                self.refuse(
                    source, 0, "the file is in no room of Sources/layers.toml",
                    "move it into a room, or add a room to the table")
            else:
                self.rooms[source.path] = room
        self.sources = [source for source in sources if source.path in self.rooms]
        self._collect()

    def refuse(self, source: Source, start: int, message: str, help_text: str) -> None:
        self.refusals.append(Refusal(source.path, source.line(start), message, help_text))

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
        for scope, source in todo:
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
        for found in self.declared(chain, scope, source):
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
        found = getattr(owner, "_parents", None)
        if found is None:
            owner._parents = []
            found = []
            for chain, scope, source in owner.inherits:
                parent = self.type_named(chain, scope.parent, source)
                if parent is not None and parent is not owner:
                    found.append(parent)
            owner._parents = found
        return found

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

    # What the table says of it

    def check(self) -> list[Refusal]:
        for source in self.sources:
            room = self.rooms[source.path]
            modules = self._imports(source, room)
            for use in source.uses:
                self._use(use, source, room, modules)
        self._unused()
        return sorted(set(self.refusals), key=lambda each: (each.path, each.line, each.message))

    def _imports(self, source: Source, room: Room) -> set[str]:
        allowed = room.imports
        modules = set()
        for name, start in source.imports:
            module = SAME_MODULE.get(name, name)
            modules.add(module)
            if module in self.modules:
                self._import_of_ours(module, source, room, start)
            elif module in allowed:
                self.used_imports.add((room.name, module))
            else:
                others = sorted(
                    each.name for each in self.table.rooms.values()
                    if module in each.imports)
                self.refuse(
                    source, start,
                    f"{room.name} imports {name}; the table does not list it among its imports",
                    f"move the code to a room that may import {name} ({', '.join(others) or 'none may'})")
        return modules

    def _import_of_ours(self, module: str, source: Source, room: Room, start: int) -> None:
        if not any(
            self.table.allows(room.name, each.name)
            for each in self.table.rooms.values() if each.module == module
        ):
            self.refuse(
                source, start, f"{room.name} imports {module}, of which it may use no room",
                "remove the import")

    def _use(self, use: Use, source: Source, room: Room, modules: set[str]) -> None:
        if use.base == "bare" and use.chain:
            self._type_use(use, source, room, modules)
        elif use.base == "bare":
            self._bare(use, source, room, modules)
        elif use.base == "type":
            self._static(use, source, room, modules)
        elif use.base == "self":
            owner = self._owner(use.scope)
            found = self.member(owner, use.name, source) if owner else []
            if found:
                self._edge_to_any(found, use, source, room)
            else:
                self._any_member(use, source, room, modules)
        else:
            owner = self._variable(use, source) if use.owner else None
            found = self.member(owner, use.name, source) if owner else []
            if found:
                self._edge_to_any(self._fitting(found, use), use, source, room)
            else:
                self._any_member(use, source, room, modules)

    def _variable(self, use: Use, source: Source) -> Type | None:
        """The type of the variable before a dot, where its declaration names it."""
        scope = use.scope
        while scope is not None:
            if use.owner in scope.names:
                chain = scope.names[use.owner]
                return self.type_named(chain, scope, source) if chain else None
            if isinstance(scope.path, Type):
                found = self.member(scope.path, use.owner, source)
                if found:
                    target = found[0].target
                    return self.type_named(target, found[0].scope, found[0].file) if target else None
            scope = scope.parent
        return None

    def _owner(self, scope: Scope | None) -> Type | None:
        while scope is not None:
            if isinstance(scope.path, Type):
                return scope.path
            scope = scope.parent
        return None

    def _type_use(self, use: Use, source: Source, room: Room, modules: set[str]) -> None:
        for number, found in enumerate(self.declared(use.chain, use.scope, source)):
            if isinstance(found, Declaration):
                self._edge(found, ".".join(use.chain[: number + 1]), use, source, room)
            elif found == "outside":
                name = use.chain[0]
                if name in self.namespaces and len(use.chain) > 1:
                    name = use.chain[1]
                self._outside(name, use, source, room, modules, "type")
                self._labels(use, source, room, modules)

    def _bare(self, use: Use, source: Source, room: Room, modules: set[str]) -> None:
        scope, outside_members = use.scope, False
        while scope is not None:
            if use.name in scope.names:
                return
            if isinstance(scope.path, Type):
                found = self.member(scope.path, use.name, source)
                if found:
                    self._edge_to_any(self._fitting(found, use), use, source, room)
                    return
                outside_members = outside_members or self.may_have_outside_members(scope.path)
            scope = scope.parent
        found = [each for each in self.globals.get(use.name, []) if self.visible(each, source)]
        if found:
            found.sort(key=lambda each: each.file is not source)
            self._edge_to_any(self._fitting(found, use), use, source, room)
            return
        if outside_members and use.name in self.table.members:
            return
        self._outside(use.name, use, source, room, modules, "function or variable")

    def _static(self, use: Use, source: Source, room: Room, modules: set[str]) -> None:
        """A member of a named type: `OriginLayout.info`, or a name in a module: `Glibc.open`."""
        found = list(self.declared(use.chain, use.scope, source))
        if found[-1] == "outside":
            if use.chain[0] in self.namespaces:
                self._outside(use.name, use, source, room, modules, "function or variable")
            else:
                outside = self.outside_types.get(".".join(use.chain))
                members = self.member(outside, use.name, source) if outside else []
                self._edge_to_any(self._fitting(members, use), use, source, room)
                if not members:
                    self._outside_member(use, source, room, modules)
            return
        if len(found) < len(use.chain) or not isinstance(found[-1], Declaration):
            self._any_member(use, source, room, modules)
            return
        members = self.member(self.meaning(found[-1]), use.name, source)
        if members:
            self._edge_to_any(self._fitting(members, use), use, source, room)
        else:
            self._any_member(use, source, room, modules)

    def _any_member(self, use: Use, source: Source, room: Room, modules: set[str]) -> None:
        """A member of a value whose type is not known here: all that have its name and labels count."""
        found = [each for each in self.by_member.get(use.name, []) if self.visible(each, source)]
        # What our extensions add to an outside type is told from that type's own members by its labels.
        added = [
            each for each in found
            if each.owner and each.owner.declaration is None and each.labels == use.labels]
        if self._listed(use, room, modules) or not found or (
            use.name in self.table.members and not added
        ):
            self._outside_member(use, source, room, modules)
            return
        if use.name in self.table.members:
            found = [each for each in found if each.labels == use.labels]
        if "Foundation" in modules and use.labels is not None and not any(
            fits(each, use.labels) for each in found
        ):
            self._outside_member(use, source, room, modules)
            return
        self._edge_to_any(self._fitting(found, use), use, source, room)

    def _outside_member(self, use: Use, source: Source, room: Room, modules: set[str]) -> None:
        """Foundation adds members to the types of the standard library: its users list theirs."""
        if self._listed(use, room, modules):
            return
        if "Foundation" in modules and use.name not in self.table.members:
            self.refuse(
                source, use.start,
                f"'.{use.name}' may be Foundation's, and {room.name} lists no such name",
                "use the standard library; or list the name with the import in Sources/layers.toml")

    def _listed(self, use: Use, room: Room, modules: set[str]) -> bool:
        """Whether the table lists a member with an import of the file."""
        allowed = room.imports
        for module in modules:
            if "." + use.name in allowed.get(module, []):
                self.used_names.add((room.name, module, "." + use.name))
                return True
        if "." + use.name in room.names:
            self.used_names.add((room.name, "", "." + use.name))
            return True
        return False

    def _labels(self, use: Use, source: Source, room: Room, modules: set[str]) -> None:
        """Foundation adds initializers, too: `String(contentsOfFile:)`."""
        if "Foundation" not in modules:
            return
        listed = room.imports.get("Foundation", [])
        for label in use.labels or ():
            if label + ":" in listed:
                self.used_names.add((room.name, "Foundation", label + ":"))
            elif label != "_" and label not in self.table.labels:
                self.refuse(
                    source, use.start,
                    f"'{use.name}({label}:)' may be Foundation's, and {room.name} lists no such label",
                    "use the standard library; or list the label with the import in Sources/layers.toml")

    def _fitting(self, found: list[Declaration], use: Use) -> list[Declaration]:
        """Those whose labels fit a call; all of them where that says nothing."""
        if use.labels is None:
            return found
        return [each for each in found if fits(each, use.labels)] or found

    def _edge_to_any(
        self, found: list[Declaration], use: Use, source: Source, room: Room
    ) -> None:
        if not found:
            return
        rooms = {self.room(each).name for each in found}
        if room.name in rooms:
            return
        allowed = [each for each in found if self.table.allows(room.name, self.room(each).name)]
        if allowed:
            # Only one that it can be shows that the table's entry is needed.
            if len(rooms) == 1:
                self.used.add((room.name, self.room(allowed[0]).name))
            return
        self._edge(found[0], use.name, use, source, room)

    def _edge(
        self, found: Declaration, name: str, use: Use, source: Source, room: Room
    ) -> None:
        target = self.room(found)
        if target.name == room.name:
            return
        self.used.add((room.name, target.name))
        if self.table.allows(room.name, target.name):
            return
        place = f"{found.file.path}:{found.file.line(found.start)}"
        graph = self.table.edges()
        graph[room.name] = graph[room.name] | {target.name}
        circle = find_circle(graph)
        if circle:
            advice = (
                f"{target.name} uses {room.name} already ({' → '.join(circle)} would be a circle): pass the "
                "value in, or move the code that both need to a room below both")
        else:
            advice = (
                f"pass the value in, or move the code; if {room.name} is to know {target.name}, add it to "
                f"'uses' of [{room.name}] in Sources/layers.toml and say why in the commit")
        self.refuse(
            source, use.start,
            f"{room.name} → {target.name}: '{name}' is declared in {target.name} ({place})", advice)

    def _outside(
        self, name: str, use: Use, source: Source, room: Room, modules: set[str], kind: str
    ) -> None:
        """A name that the project does not declare has to be in an allowlist."""
        allowed = room.imports
        for module in modules:
            for pattern in allowed.get(module, []):
                if fnmatchcase(name, pattern):
                    self.used_names.add((room.name, module, pattern))
                    return
        if name in self.table.types or name in self.table.functions or name in self.namespaces:
            return
        for pattern in room.names:
            if fnmatchcase(name, pattern):
                self.used_names.add((room.name, "", pattern))
                return
        others = sorted({
            each.name for each in self.table.rooms.values()
            if any(
                fnmatchcase(name, pattern)
                for names in [each.names, *each.imports.values()] for pattern in names)})
        advice = f"only {', '.join(others)} may use it" if others else "no room may use it"
        self.refuse(
            source, use.start,
            f"{room.name} uses '{name}', a {kind} from outside that the table does not list",
            f"{advice}; take the value as an argument, or list the name in Sources/layers.toml")

    # What the table lists and nothing uses

    def _unused(self) -> None:
        for room in self.table.rooms.values():
            for used in sorted(room.uses):
                if not any(
                    user == room.name and used in {target, target.split("/")[0] + "/*"}
                    for user, target in self.used
                ):
                    self.refusals.append(Refusal(
                        "Sources/layers.toml", 0,
                        f"[{room.name}] lists '{used}' in 'uses', and nothing there uses it",
                        "remove it from the table"))
            for module in sorted(room.imports):
                if (room.name, module) not in self.used_imports:
                    self.refusals.append(Refusal(
                        "Sources/layers.toml", 0,
                        f"[{room.name}] lists the import of {module}, and nothing there imports it",
                        "remove it from the table"))
                for name in room.imports[module]:
                    if (room.name, module, name) not in self.used_names:
                        self.refusals.append(Refusal(
                            "Sources/layers.toml", 0,
                            f"[{room.name}] lists '{name}' of {module}, and nothing there uses it",
                            "remove it from the table"))
            for name in room.names:
                if (room.name, "", name) not in self.used_names:
                    self.refusals.append(Refusal(
                        "Sources/layers.toml", 0,
                        f"[{room.name}] lists '{name}' in 'names', and nothing there uses it",
                        "remove it from the table"))


def fits(declaration: Declaration, call: tuple) -> bool:
    """Whether a call's labels are those of a declaration, less the parameters with a default and the closures
    behind the brackets."""
    if declaration.labels is None or declaration.kind == "case" and set(call) <= {"_"}:
        return True
    rest = iter(declaration.labels)
    return all(any(label == each for each in rest) for label in call)
