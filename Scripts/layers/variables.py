"""Reads what names a value: variables, patterns, and the parameters of closures."""

from .source import Scope, Source, Use
from .tokens import ATTRIBUTE, SIGN, WORD, Token
from .words import OPEN, RESERVED


class Variables:
    """The part of the reader that handles variables."""

    source: Source
    found: list[Token]
    count: int
    scope: Scope
    closing: dict[int, int]
    # Tokens that are labels or names of declarations, not uses.
    taken: set[int]

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
        """The type's names behind a variable: `: Name`, or `= try Name(`; nothing where it is none."""
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
