"""Reads one Swift file: what it imports, what it declares, and which names it uses where.

This is no compiler. It knows scopes, so that a local variable is not taken for a function of the C library,
and it knows the context of every name (the type around it, the name before a dot); `resolve.py` decides
what the names mean.
"""

from bisect import bisect_right
from dataclasses import dataclass, field

from .tokens import ATTRIBUTE, DIRECTIVE, NUMBER, SIGN, STRING, WORD, Token, tokens

TYPE_WORDS = {"struct", "enum", "class", "actor", "protocol"}
ACCESS = {"public", "package", "internal", "private", "fileprivate"}
MODIFIERS = ACCESS | {
    "static", "final", "mutating", "nonmutating", "override", "lazy", "weak", "unowned", "nonisolated",
    "consuming", "borrowing", "indirect", "convenience", "required", "optional", "dynamic",
}
# Words of the language wherever they appear.
RESERVED = {
    "as", "await", "break", "case", "catch", "class", "continue", "default", "defer", "deinit", "do",
    "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for", "func", "guard", "if",
    "import", "in", "init", "inout", "internal", "is", "let", "nil", "operator", "package",
    "precedencegroup", "private", "protocol", "public", "repeat", "rethrows", "return", "self",
    "static", "struct", "subscript", "super", "switch", "throw", "throws", "true", "try", "typealias",
    "associatedtype", "var", "where", "while", "yield", "Self", "Any", "_",
}
# Words of the language in certain places; a call of one is a call of a function.
CONTEXTUAL = MODIFIERS | {
    "actor", "any", "async", "copy", "didSet", "discard", "each", "get", "isolated", "sending", "set",
    "some", "unsafe", "willSet", "consume", "of", "safe", "every", "then",
}
BEFORE_BRACKET = {
    "any", "some", "async", "unsafe", "unowned", "nonisolated", "set", "sending", "consuming",
    "borrowing", "isolated", "repeat", "each", "copy", "consume",
}
# Names that the compiler declares.
IMPLICIT = {"error", "newValue", "oldValue"}
OPEN = {"(": ")", "[": "]", "{": "}"}
CLOSE = {")", "]", "}"}


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
    access: str = ""
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
        # Types declared in a function.
        self.local_types: list[Declaration] = []
        self.uses: list[Use] = []
        self.top = Scope("file", None)
        self.extensions: list[Scope] = []
        self._lines = [0] + [index + 1 for index, sign in enumerate(text) if sign == "\n"]
        _Reader(self, tokens(text)).read()

    def line(self, start: int) -> int:
        return bisect_right(self._lines, start)


class _Reader:
    """Goes over the tokens once."""

    def __init__(self, source: Source, found: list[Token]):
        self.source = source
        self.found = found + [Token(SIGN, "\n", len(source.text))] * 3
        self.count = len(found)
        self.scope = source.top
        self.closing = self._match_brackets()
        # Tokens that are labels or names of declarations, not uses.
        self.taken: set[int] = set()

    def _match_brackets(self) -> dict[int, int]:
        stack, closing = [], {}
        for index, token in enumerate(self.found):
            if token.kind != SIGN:
                continue
            if token.text in OPEN:
                stack.append(index)
            elif token.text in CLOSE and stack:
                closing[stack.pop()] = index
        return closing

    # The loop

    def read(self) -> None:
        found = self.found
        brackets: list[tuple[str, Scope, int]] = []
        modifiers: list[str] = []
        index = 0
        while index < self.count:
            kind, text, start = found[index]
            if kind == SIGN:
                modifiers = []
                if text == "{":
                    brackets.append((text, self.scope, index))
                    if self.scope.kind == "header" and len(brackets) == self.scope.depth + 1:
                        self.scope.kind = "type" if self.scope.keyword != "func" else "body"
                        brackets[-1] = (text, self.scope.parent, index)
                    else:
                        self.scope = Scope("body", self.scope)
                    self._closure_signature(index)
                elif text in OPEN:
                    brackets.append((text, self.scope, index))
                elif text in CLOSE and brackets:
                    opened = brackets.pop()
                    if text == "}":
                        self.scope = opened[1]
                index += 1
                continue
            if kind == DIRECTIVE:
                index = self._directive(index)
                continue
            if kind == ATTRIBUTE:
                index = self._attribute(index)
                continue
            if kind != WORD or index in self.taken:
                index += 1
                continue
            before = found[index - 1] if index else Token(SIGN, "\n", -1)
            if before.text == "." and before.kind == SIGN:
                self._member(index)
                modifiers = []
                index += 1
                continue
            after = found[index + 1]
            label = after.text == ":" and before.kind == SIGN and before.text in "(,"
            if text in MODIFIERS and not label and self._modifies(index):
                if not (after.text == "(" and found[index + 2].text == "set"):
                    modifiers.append(text)
                if after.text == "(":
                    index = self.closing[index + 1]
                self._end_header(len(brackets))
                index += 1
                continue
            if not label and self._declares(index):
                self._end_header(len(brackets))
                index = self._declaration(index, modifiers, len(brackets))
                modifiers = []
                continue
            modifiers = []
            self._use(index, brackets)
            index += 1

    def _end_header(self, depth: int) -> None:
        """A declaration ends the header of one without a body (a protocol's requirement)."""
        if self.scope.kind == "header" and depth == self.scope.depth:
            self.scope = self.scope.parent

    def _modifies(self, index: int) -> bool:
        """Whether a modifier's word is one here: a declaration or another modifier follows."""
        after = self.found[index + 1]
        if after.text == "(" and self.found[index].text in ACCESS | {"unowned", "nonisolated"}:
            inside = self.found[index + 2].text
            return inside in {"set", "safe", "unsafe"}
        if self.found[index].text in {"consuming", "borrowing"}:
            return after.text == "func"
        return after.kind in (WORD, ATTRIBUTE) and (
            after.text in MODIFIERS | TYPE_WORDS | {
                "func", "var", "let", "init", "subscript", "typealias", "extension", "case", "import",
                "associatedtype",
            } or after.kind == ATTRIBUTE)

    def _declares(self, index: int) -> bool:
        text = self.found[index].text
        after = self.found[index + 1]
        if text == "extension" and after.text == "[":
            return True
        if text in TYPE_WORDS or text == "extension":
            return after.kind == WORD and after.text not in {"func", "var", "let"} | MODIFIERS
        if text in {"func", "typealias", "associatedtype", "import", "let", "var", "for"}:
            return True
        if text in {"init", "subscript"}:
            return after.text in {"(", "?", "<", "!"} and self.scope.kind in {"type", "header"}
        if text == "case":
            return True
        return False

    # Declarations

    def _declaration(self, index: int, modifiers: list[str], depth: int) -> int:
        text = self.found[index].text
        access = next((word for word in modifiers if word in ACCESS), self.scope.access)
        if text == "import":
            return self._import(index)
        if text == "class" and self.found[index + 1].text in {"func", "var"}:
            return index + 1
        if text in TYPE_WORDS:
            return self._type(index, access, depth)
        if text == "extension":
            return self._extension(index, access, depth)
        if text in {"func", "init", "subscript"}:
            return self._function(index, access, depth)
        if text in {"typealias", "associatedtype"}:
            return self._alias(index, access)
        if text == "case":
            return self._case(index, access)
        if text == "for":
            return self._for(index)
        return self._variable(index, access)

    def _declare(self, kind: str, index: int, access: str, **rest) -> Declaration:
        token = self.found[index]
        self.taken.add(index)
        declaration = Declaration(
            kind, token.text, self.scope, token.start, access, file=self.source, **rest)
        if self.scope.kind in {"file", "type"}:
            self.source.declarations.append(declaration)
        else:
            self.scope.declare(token.text, declaration.target)
            if kind == "type":
                self.source.local_types.append(declaration)
        return declaration

    def _import(self, index: int) -> int:
        index += 1
        if self.found[index].text in TYPE_WORDS | {"func", "var", "let", "typealias"}:
            index += 1
        self.source.imports.append((self.found[index].text, self.found[index].start))
        index += 1
        while self.found[index].text == ".":
            index += 2
        return index

    def _type(self, index: int, access: str, depth: int) -> int:
        keyword = self.found[index].text
        inner = Scope("header", self.scope, keyword=keyword, depth=depth)
        inner.chain = (self.found[index + 1].text,)
        self._declare("type", index + 1, access, body=inner)
        self.scope = inner
        index = self._generics(index + 2)
        self._inheritance(index)
        if keyword == "protocol":
            inner.access = access
        return index

    def _extension(self, index: int, access: str, depth: int) -> int:
        inner = Scope("header", self.scope, keyword="extension", access=access, depth=depth)
        index += 1
        if self.found[index].text == "[":
            # `[Element]` and `[Key: Value]`; what is in the brackets is used.
            colon = any(
                self.found[at].text == ":" for at in range(index, self.closing[index]))
            inner.chain = ("Dictionary",) if colon else ("Array",)
            self.source.extensions.append(inner)
            self.scope = inner
            self._inheritance(self.closing[index] + 1)
            return index + 1
        start = self.found[index].start
        chain = [self.found[index].text]
        while self.found[index + 1].text == ".":
            index += 2
            chain.append(self.found[index].text)
        inner.chain = tuple(chain)
        self.source.uses.append(Use(chain[0], start, self.scope, "bare", tuple(chain)))
        self.source.extensions.append(inner)
        self.scope = inner
        self._inheritance(index + 1)
        return index + 1

    def _inheritance(self, index: int) -> None:
        """Notes the first name of each inherited type; the names themselves are uses like others."""
        if self.found[index].text != ":":
            return
        index += 1
        while index < self.count and self.found[index].text not in {"{", "where"}:
            token = self.found[index]
            if token.kind == WORD and self.found[index - 1].text in {":", ",", "&"}:
                chain = [token.text]
                while self.found[index + 1].text == ".":
                    index += 2
                    chain.append(self.found[index].text)
                self.scope.inherits.append(tuple(chain))
            index += 1

    def _generics(self, index: int) -> int:
        """Declares generic parameters in the current scope; what they inherit is used there."""
        if self.found[index].text != "<":
            return index
        depth, previous = 0, "<"
        while index < self.count:
            text = self.found[index].text
            if text == "<":
                depth += 1
            elif text == ">":
                depth -= 1
                if depth == 0:
                    return index + 1
            elif self.found[index].kind == WORD:
                if depth == 1 and previous in {"<", ",", "let", "each"}:
                    self.scope.declare(text)
                    self.taken.add(index)
                elif text[0].isupper() and self.found[index - 1].text != ".":
                    self._use(index, [])
                    self.taken.add(index)
            previous = text
            index += 1
        return index

    def _function(self, index: int, access: str, depth: int) -> int:
        keyword = self.found[index].text
        inner = Scope("header", self.scope, keyword="func", depth=depth)
        if keyword == "func":
            index += 1
            if self.found[index].kind == WORD:
                declaration = self._declare("func", index, access)
                index += 1
            else:
                declaration = None
                while self.found[index].text not in {"(", "<"} or (
                    self.found[index].text == "<" and self.found[index + 1].text in {"(", "<"}
                ):
                    index += 1
        else:
            declaration = self._declare("func", index, access)
            index += 1
            if self.found[index].text in {"?", "!"}:
                index += 1
        self.scope = inner
        index = self._generics(index)
        if self.found[index].text == "(":
            labels = self._parameters(index)
            if declaration:
                declaration.labels = labels
        return index

    def _parameters(self, index: int) -> tuple:
        """Takes the labels and names of parameters; types and defaults stay uses."""
        end = self.closing[index]
        labels: list[str] = []
        expects = True
        index += 1
        while index < end:
            token = self.found[index]
            if token.text in OPEN and token.kind == SIGN:
                index = self.closing[index] + 1
                continue
            if expects and token.kind == WORD:
                self.taken.add(index)
                name = token.text
                label = name
                if self.found[index + 1].kind == WORD:
                    index += 1
                    self.taken.add(index)
                    name = self.found[index].text
                self.scope.declare(name, self._annotation(index + 1))
                labels.append(label)
                expects = False
            elif token.text == "," and self._at_depth(index):
                expects = True
            index += 1
        return tuple(labels)

    def _at_depth(self, index: int) -> bool:
        """Whether a comma separates parameters and not generic arguments: `Dictionary<A, B>`."""
        depth = 0
        while index > 0:
            index -= 1
            text = self.found[index].text
            if text == ">":
                depth += 1
            elif text == "<":
                if depth == 0:
                    return False
                depth -= 1
            elif text in {":", "("} and depth == 0:
                return True
        return True

    def _alias(self, index: int, access: str) -> int:
        is_alias = self.found[index].text == "typealias"
        declaration = self._declare("alias", index + 1, access)
        index += 2
        if is_alias and self.found[index].text == "<":
            inner = self.scope
            index = self._generics(index)
            self.scope = inner
        if is_alias and self.found[index].text == "=":
            index += 1
            chain = []
            at = index
            while self.found[at].kind == WORD:
                chain.append(self.found[at].text)
                if self.found[at + 1].text != ".":
                    break
                at += 2
            declaration.target = tuple(chain)
        return index

    def _case(self, index: int, access: str) -> int:
        if self.scope.kind == "type" and self.scope.keyword == "enum":
            index += 1
            while True:
                self._declare("case", index, access)
                at = index + 1
                if self.found[at].text == "(":
                    labels = self._case_labels(at)
                    self.source.declarations[-1].labels = labels
                    at = self.closing[at] + 1
                if self.found[at].text == "=":
                    at += 2 if self.found[at + 1].text != "-" else 3
                if self.found[at].text != ",":
                    return index + 1
                # Go on behind the comma; what is between is read again by the loop.
                index = at + 1
        following = self.found[index + 1].text
        if following in {"let", "var"}:
            self._pattern(index + 2)
            return index + 2
        return index + 1

    def _case_labels(self, index: int) -> tuple:
        end, labels = self.closing[index], []
        index += 1
        while index < end:
            if self.found[index].text in OPEN:
                index = self.closing[index]
            elif self.found[index].kind == WORD and self.found[index + 1].text == ":":
                self.taken.add(index)
                labels.append(self.found[index].text)
            index += 1
        return tuple(labels)

    def _pattern(self, index: int) -> None:
        """Declares every bare name up to the end of a pattern behind `case let`."""
        depth = 0
        while index < self.count:
            token = self.found[index]
            if token.kind == SIGN:
                if token.text in "([":
                    depth += 1
                elif token.text in ")]":
                    depth -= 1
                    if depth < 0:
                        return
                elif depth == 0 and token.text in {":", "=", "{"}:
                    return
            elif token.kind == WORD:
                if depth == 0 and token.text in {"where", "in"}:
                    return
                before = self.found[index - 1].text
                label = self.found[index + 1].text == ":" and depth > 0
                if label:
                    self.taken.add(index)
                elif before != "." and token.text not in RESERVED and token.text[0].islower():
                    self.scope.declare(token.text)
                    self.taken.add(index)
            index += 1

    def _for(self, index: int) -> int:
        at = index + 1
        while self.found[at].text in {"try", "await", "unsafe"}:
            at += 1
        if self.found[at].text == "case":
            return at
        if self.found[at].text in {"let", "var"}:
            at += 1
        self._pattern(at)
        return at

    def _variable(self, index: int, access: str) -> int:
        index += 1
        while True:
            token = self.found[index]
            if token.text == "(":
                for at in range(index, self.closing[index]):
                    inner = self.found[at]
                    if inner.kind == WORD and inner.text not in RESERVED:
                        self._declare("var", at, access)
                return self.closing[index] + 1
            if token.kind != WORD:
                return index
            if token.text != "_":
                # `if let x {` and `guard let x,` use the x outside as well.
                if self.found[index + 1].text in {"{", ","} or self.found[index + 1].text == "else":
                    self.source.uses.append(Use(token.text, token.start, self.scope, "bare"))
                self._declare("var", index, access, target=self._annotation(index + 1))
            # `let width, height: Int`
            if self.found[index + 1].text == "," and self.found[index + 2].kind == WORD and (
                self.found[index + 3].text in {":", ","}
            ) and self.scope.kind in {"type", "file"}:
                index += 2
                continue
            return index + 1

    def _annotation(self, index: int) -> tuple:
        """The type's names behind a variable: `: Name`, or `= try Name(`; nothing where it is no such type."""
        sign = self.found[index].text
        if sign not in {":", "="}:
            return ()
        index += 1
        while self.found[index].text in {
            "borrowing", "consuming", "inout", "sending", "try", "await", "unsafe",
        }:
            index += 1
        chain = []
        while self.found[index].kind == WORD and self.found[index].text[0].isupper():
            chain.append(self.found[index].text)
            index += 1
            if self.found[index].text != ".":
                break
            index += 1
        after = self.found[index].text
        if sign == "=" and after != "(" or after in {"?", "<", "!"} or self.found[index - 1].text == ".":
            return ()
        return tuple(chain)

    def _closure_signature(self, index: int) -> None:
        """Declares the parameters of a closure, and what its capture list renames."""
        at = index + 1
        found = self.found
        while found[at].kind == ATTRIBUTE:
            at += 1
        captures = None
        if found[at].text == "[":
            captures = at
            at = self.closing[at] + 1
        names: list[int] = []
        if found[at].text == "(":
            end = self.closing[at]
            expects, inner = True, at + 1
            while inner < end:
                token = found[inner]
                if token.text in OPEN and token.kind == SIGN:
                    inner = self.closing[inner] + 1
                    continue
                if expects and token.kind == WORD:
                    if found[inner + 1].kind == WORD and found[inner + 1].text not in RESERVED:
                        names.append(inner)
                        inner += 1
                    names.append(inner)
                    expects = False
                elif token.text == "," and self._at_depth(inner):
                    expects = True
                inner += 1
            at = end + 1
        else:
            while found[at].kind == WORD and (found[at].text not in RESERVED or found[at].text == "_"):
                names.append(at)
                at += 1
                if found[at].text != ",":
                    break
                at += 1
        # Then `async throws(E) -> Type in`.
        limit = at + 40
        while at < min(limit, self.count) and found[at].text != "in":
            token = found[at]
            if token.text in {"(", "["}:
                at = self.closing[at]
            elif token.kind == WORD and token.text in {"async", "throws", "any", "some"}:
                pass
            elif token.kind == WORD and found[at - 1].text in {"->", ".", "<", ",", "any", "some"}:
                pass
            elif token.text not in {"->", ".", "<", ">", "?", ",", "throws"}:
                return
            at += 1
        if found[at].text != "in" or (not names and captures is None and found[index + 1].text != "("):
            return
        for name in names:
            self.scope.declare(found[name].text)
            self.taken.add(name)
        if captures is not None:
            for inner in range(captures + 1, self.closing[captures]):
                if found[inner].kind == WORD and found[inner + 1].text == "=":
                    self.scope.declare(found[inner].text)
                    self.taken.add(inner)

    # Uses

    def _directive(self, index: int) -> int:
        """Skips the condition of `#if`; other directives are uses of nothing."""
        if self.found[index].text not in {"#if", "#elseif"}:
            return index + 1
        line = self.source.line(self.found[index].start)
        while index < self.count and self.source.line(self.found[index].start) == line:
            index += 1
        return index

    def _attribute(self, index: int) -> int:
        token = self.found[index]
        name = token.text[1:]
        if name[0].isupper():
            self.source.uses.append(Use(name, token.start, self.scope, "bare", (name,)))
            return index + 1
        if self.found[index + 1].text == "(" and name != "escaping":
            return self.closing[index + 1] + 1
        return index + 1

    def _member(self, index: int) -> None:
        """A name behind a dot."""
        token = self.found[index]
        if token.text in {"self", "init", "Type", "Protocol"} or token.text[0] == "$":
            return
        at = index - 1  # the dot
        base = "member"
        before = self.found[at - 1] if at else Token(SIGN, "\n", 0)
        if before.kind == WORD and before.text in {"self", "Self"} and self.found[at - 2].text != ".":
            base = "self"
        elif before.kind == WORD and before.text[0].isupper():
            # The chain was recorded with its first name.
            chain = self._chain_before(at)
            if chain and all(word[0].isupper() for word in chain):
                if token.text[0].isupper():
                    return
                self._record(index, "type", chain)
                return
        owner = ""
        if before.kind == WORD and self.found[at - 2].text != "." and base == "member":
            owner = before.text
        self._record(index, base, (), owner)

    def _chain_before(self, dot: int) -> tuple:
        chain = []
        while self.found[dot].text == "." and self.found[dot - 1].kind == WORD:
            chain.append(self.found[dot - 1].text)
            dot -= 2
        if dot >= 0 and self.found[dot].text == ".":
            return ()
        return tuple(reversed(chain))

    def _record(self, index: int, base: str, chain: tuple, owner: str = "") -> None:
        token = self.found[index]
        self.source.uses.append(
            Use(
                token.text, token.start, self.scope, base, chain, self._call_labels(index + 1), owner))

    def _call_labels(self, index: int) -> tuple | None:
        """The labels of a call; `None` where nothing is called."""
        if self.found[index].text != "(":
            return None
        end, labels, expects = self.closing[index], [], True
        index += 1
        while index < end:
            token = self.found[index]
            if token.text in OPEN and token.kind == SIGN:
                if expects:
                    labels.append("_")
                    expects = False
                index = self.closing[index] + 1
                continue
            if token.text == ",":
                expects = True
            elif expects:
                labels.append(
                    token.text
                    if token.kind == WORD and self.found[index + 1].text == ":" else "_")
                expects = False
            index += 1
        return tuple(labels)

    def _use(self, index: int, brackets: list) -> None:
        token = self.found[index]
        text = token.text
        after = self.found[index + 1]
        if text in RESERVED or text[0] == "$" or text == "unsafe":
            return
        if text in CONTEXTUAL and (after.text != "(" or text in BEFORE_BRACKET):
            if after.kind in (WORD, STRING, NUMBER) or after.text in {
                "(", "{", "}", "[", ".", "->", ":", ")", "&",
            }:
                return
        if after.text == ":" and self._is_label(index, brackets) or text in IMPLICIT:
            return
        if text[0].isupper():
            chain, at = [text], index
            while self.found[at + 1].text == "." and self.found[at + 2].kind == WORD and (
                self.found[at + 2].text[0].isupper()
            ):
                at += 2
                chain.append(self.found[at].text)
            self.source.uses.append(Use(
                text, token.start, self.scope, "bare", tuple(chain), self._call_labels(at + 1)))
            return
        self._record(index, "bare", ())

    def _is_label(self, index: int, brackets: list) -> bool:
        before = self.found[index - 1]
        # A label of a closure behind the brackets: `} emit: {`.
        if before.text in {"}", "_"}:
            return True
        # A label of a statement: `outer: while`.
        if self.found[index + 2].text in {"while", "for", "repeat", "switch", "do"}:
            self.scope.declare(self.found[index].text)
            return True
        if not brackets or before.kind != SIGN or before.text not in {"(", ",", "["}:
            return False
        bracket, _, opening = brackets[-1]
        callee = self.found[opening - 1]
        if bracket == "[":
            # A subscript's label, not the key of a dictionary.
            return callee.kind == WORD or callee.text in {")", "]"}
        if bracket == "(" and (callee.kind == SIGN and callee.text not in {")", "]", ">", "?", "!"}
                               or callee.text in RESERVED):
            # A tuple: its labels are members.
            self.source.declarations.append(Declaration(
                "label", self.found[index].text, self.source.top, self.found[index].start, "",
                file=self.source))
        return bracket == "("
