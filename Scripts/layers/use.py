"""Compares the uses of one file with the table."""

from fnmatch import fnmatchcase

from .project import SAME_MODULE, Type
from .source import Declaration, Scope, Source, Use

FUNCTION = "function or variable"


class FileCheck:
    """One file: its room, what it imports, and what each of its names means."""

    def __init__(self, check, source: Source):
        self.check = check
        self.project = check.project
        self.table = check.project.table
        self.source = source
        self.room = self.project.rooms[source.path]
        self.modules: set[str] = set()

    def run(self) -> None:
        for name, start in self.source.imports:
            self._import(name, start)
        for use in self.source.uses:
            if use.name == "init":
                self._initializer(use)
            elif use.base == "type":
                self._static(use)
            elif use.base == "self":
                self._member_of(self._around(use.scope), use)
            elif use.base == "member":
                self._member_of(self._variable(use) if use.owner else None, use)
            elif use.chain:
                self._type(use)
            else:
                self._bare(use)
        for name, start in self.source.attributes:
            if name not in self.table.attributes:
                self._refuse(
                    start, f"{self.room.name} uses '@{name}', an attribute that the table does not list",
                    "do without it; or list it in 'attributes' of [outside] in Sources/layers.toml")
        for trap, start in self.source.traps:
            self._refuse(start, f"'{trap}' traps where the input is not as expected", "throw an error")

    def _refuse(self, start: int, message: str, advice: str) -> None:
        self.check.refuse(self.source, start, message, advice)

    # Imports

    def _import(self, name: str, start: int) -> None:
        module = SAME_MODULE.get(name, name)
        self.modules.add(module)
        rooms = self.table.rooms.values()
        if module in self.project.modules:
            if not any(
                self.table.allows(self.room.name, each.name) for each in rooms if each.module == module
            ):
                self._refuse(
                    start, f"{self.room.name} imports {module}, of which it may use no room",
                    "remove the import")
        elif module in self.room.imports:
            self.check.imports.add((self.room.name, module))
        else:
            others = ", ".join(each.name for each in rooms if module in each.imports)
            self._refuse(
                start, f"{self.room.name} imports {name}; the table does not list it among its imports",
                f"move the code to a room that may import {name} ({others or 'none may'})")

    # Names of the project

    def _type(self, use: Use) -> None:
        """A type, or the first names of a nested one."""
        for number, found in enumerate(self.project.declared(use.chain, use.scope, self.source)):
            if isinstance(found, Declaration):
                self._edge(found, ".".join(use.chain[: number + 1]), use)
            elif found == "outside":
                name = use.chain[0]
                if name in self.project.namespaces and len(use.chain) > 1:
                    name = use.chain[1]
                self._outside(name, use, "type")
                self._labels(use)
        self._initializer(use)

    def _initializer(self, use: Use) -> None:
        """An initializer that another room adds: `Digest(of: publisher)`, `.init(of: publisher)`."""
        if not set(use.labels or ()) - {"_"}:
            return
        found = list(self.project.declared(use.chain, use.scope, self.source)) if use.chain else []
        if found and len(found) == len(use.chain) and isinstance(found[-1], Declaration):
            owner = self.project.meaning(found[-1])
        else:
            owner = self.project.outside_types.get(".".join(use.chain))
        if owner:
            known = self.project.member(owner, "init", self.source)
        elif use.chain:
            return
        else:
            known = [
                each for each in self.project.by_member.get("init", [])
                if self.project.visible(each, self.source)]
        fitting = [each for each in known if each.labels == use.labels]
        if fitting and all(each.scope.keyword == "extension" for each in fitting):
            self._any(fitting, use)

    def _bare(self, use: Use) -> None:
        """A name with nothing before it: a local one, a member of the type around it, or a global one."""
        scope, is_outside_type = use.scope, False
        while scope is not None:
            if use.name in scope.names:
                return
            if isinstance(scope.path, Type):
                if found := self.project.member(scope.path, use.name, self.source):
                    self._any(self._fitting(found, use), use)
                    return
                is_outside_type |= self.project.may_have_outside_members(scope.path)
            scope = scope.parent
        found = [
            each for each in self.project.globals.get(use.name, [])
            if self.project.visible(each, self.source)]
        if found:
            found.sort(key=lambda each: each.file is not self.source)
            self._any(self._fitting(found, use), use)
        elif not (is_outside_type and use.name in self.table.members):
            self._outside(use.name, use, FUNCTION)

    def _static(self, use: Use) -> None:
        """A member of a named type: `OriginLayout.info`; or a name in a module: `Glibc.open`."""
        found = list(self.project.declared(use.chain, use.scope, self.source))
        if found[-1] == "outside" and use.chain[0] in self.project.namespaces:
            self._outside(use.name, use, FUNCTION)
        elif found[-1] == "outside":
            extended = self.project.outside_types.get(".".join(use.chain))
            members = self.project.member(extended, use.name, self.source) if extended else []
            if members:
                self._any(self._fitting(members, use), use)
            else:
                self._outside_member(use)
        elif len(found) == len(use.chain) and isinstance(found[-1], Declaration):
            self._member_of(self.project.meaning(found[-1]), use)
        else:
            self._member_of(None, use)

    def _member_of(self, owner: Type | None, use: Use) -> None:
        """A member of a type, if it is known and has one; of any type otherwise."""
        found = self.project.member(owner, use.name, self.source) if owner else []
        if found:
            self._any(self._fitting(found, use), use)
        else:
            self._member(use)

    def _member(self, use: Use) -> None:
        """A member of a value whose type the source does not name: all that its name and labels fit count."""
        found = [
            each for each in self.project.by_member.get(use.name, [])
            if self.project.visible(each, self.source)]
        if self._listed(use):
            return
        if use.name in self.table.members:
            # An outside type has such a member, too; only labels tell them apart.
            labels = use.labels if set(use.labels or ()) - {"_"} else None
            found = [each for each in found if labels and each.labels == labels]
            if not found:
                return
        elif use.labels is not None:
            found = [each for each in found if fits(each, use.labels)]
        if found:
            self._any(found, use)
        else:
            self._outside_member(use)

    def _variable(self, use: Use) -> Type | None:
        """The type of the variable before a dot, if its declaration names it."""
        scope = use.scope
        while scope is not None:
            if use.owner in scope.names:
                chain = scope.names[use.owner]
                return self.project.type_named(chain, scope, self.source) if chain else None
            if isinstance(scope.path, Type):
                if found := self.project.member(scope.path, use.owner, self.source):
                    target, file = found[0].target, found[0].file
                    return self.project.type_named(target, found[0].scope, file) if target else None
            scope = scope.parent
        return None

    def _around(self, scope: Scope | None) -> Type | None:
        """The type around a scope."""
        while scope is not None and not isinstance(scope.path, Type):
            scope = scope.parent
        return scope.path if scope else None

    def _fitting(self, found: list[Declaration], use: Use) -> list[Declaration]:
        """Those whose labels fit a call; all of them if that tells nothing."""
        if use.labels is None:
            return found
        return [each for each in found if fits(each, use.labels)] or found

    # Edges

    def _any(self, found: list[Declaration], use: Use) -> None:
        """A use of one of several declarations."""
        rooms = {self.project.room(each).name for each in found}
        if self.room.name in rooms:
            return
        allowed = [name for name in rooms if self.table.allows(self.room.name, name)]
        if not allowed:
            self._edge(found[0], use.name, use)
        elif len(rooms) == 1:
            self.check.edges.add((self.room.name, allowed[0]))

    def _edge(self, found: Declaration, name: str, use: Use) -> None:
        target = self.project.room(found).name
        if target == self.room.name:
            return
        self.check.edges.add((self.room.name, target))
        if self.table.allows(self.room.name, target):
            return
        if circle := self.check.circle(self.room.name, target):
            advice = (
                f"{' → '.join(circle)} would be a circle: pass the value in, or move what both need to a "
                "room below both")
        else:
            advice = (
                f"pass the value in, or move the code; if {self.room.name} has to know {target}, add it to "
                f"'uses' of [{self.room.name}] in Sources/layers.toml and give the reason in the commit")
        self._refuse(
            use.start,
            f"{self.room.name} → {target}: '{name}' is declared in {target} ({place(found)})", advice)

    # Names from outside

    def _outside(self, name: str, use: Use, kind: str) -> None:
        """A name that no file declares, or none that shows it to this one: the allowlist has to have it."""
        if name in self.table.types or name in self.table.functions or name in self.project.namespaces:
            return
        if self._matches(name):
            return
        if hidden := self.project.types.get(name, []) + self.project.globals.get(name, []):
            target = self.project.room(hidden[0]).name
            self._refuse(
                use.start,
                f"{self.room.name} → {target}: '{name}' is declared in {target} ({place(hidden[0])}), which "
                "does not show it to this file",
                "use what that room shows; or make the declaration visible")
            return
        others = ", ".join(sorted(
            each.name for each in self.table.rooms.values()
            if any(
                fnmatchcase(name, pattern)
                for names in [each.names, *each.imports.values()] for pattern in names)))
        self._refuse(
            use.start, f"{self.room.name} uses '{name}', a {kind} from outside that the table does not list",
            (f"only {others} may use it" if others else "no room may use it")
            + "; take the value as an argument, or list the name in Sources/layers.toml")

    def _outside_member(self, use: Use) -> None:
        """A member that no file declares: the allowlist has to have it."""
        if use.name in self.table.members or self._listed(use):
            return
        self._refuse(
            use.start,
            f"{self.room.name} uses '.{use.name}', a member from outside that the table does not list",
            "use what the table lists; or list the name in Sources/layers.toml, in 'members' of [outside] or "
            "with the import of this room")

    def _labels(self, use: Use) -> None:
        """Foundation adds initializers to the types of the standard library: `String(contentsOfFile:)`."""
        for label in use.labels or () if "Foundation" in self.modules else ():
            if label != "_" and label not in self.table.labels and not self._matches(label + ":"):
                self._refuse(
                    use.start,
                    f"'{use.name}({label}:)' may be Foundation's, and {self.room.name} lists no such label",
                    "use the standard library; or list the label with the import in Sources/layers.toml")

    def _listed(self, use: Use) -> bool:
        """Whether the room lists a member."""
        return self._matches("." + use.name)

    def _matches(self, name: str) -> bool:
        """Whether the room lists a name, of a module that the file imports or of the standard library."""
        for module in ["", *sorted(self.modules)]:
            for pattern in self.room.imports.get(module, ()) if module else self.room.names:
                if fnmatchcase(name, pattern) and (pattern[0] == ".") == (name[0] == "."):
                    self.check.names.add((self.room.name, module, pattern))
                    return True
        return False


def place(declaration: Declaration) -> str:
    """Where something is declared, as `path:line`."""
    return f"{declaration.file.path}:{declaration.file.line(declaration.start)}"


def fits(declaration: Declaration, call: tuple) -> bool:
    """Whether the labels of a call are a declaration's, without those of parameters with a default and of
    closures behind the brackets."""
    if declaration.labels is None or declaration.kind == "case" and set(call) <= {"_"}:
        return True
    rest = list(declaration.labels)
    for label in call:
        while rest and rest[0].rstrip("*") != label:
            rest.pop(0)
        if not rest:
            return False
        if rest[0][-1] != "*":
            rest.pop(0)
    return True
