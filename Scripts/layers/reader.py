"""Goes over the tokens of a file and keeps account of its scopes."""

from pathlib import Path

from .declarations import Declarations
from .source import Scope, Source
from .tokens import ATTRIBUTE, DIRECTIVE, SIGN, WORD, SourceError, Token, tokens
from .uses import Uses
from .words import ACCESS, CLOSE, MODIFIERS, OPEN, TYPE_WORDS


def read_source(path: str, text: str) -> Source:
    """Reads one file."""
    source = Source(path, text)
    try:
        Reader(source, tokens(text)).read()
    except SourceError as error:
        raise SourceError(error.start, f"{path}:{source.line(error.start)}: {error}") from None
    return source


def read_sources(root: Path) -> list[Source]:
    """All Swift files below a directory's `Sources`, in the order of their names."""
    return [
        read_source(path.relative_to(root).as_posix(), path.read_text())
        for path in sorted((root / "Sources").rglob("*.swift"))]


class Reader(Declarations, Uses):
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
            if text in {"try", "as"} and after.text == "!" and after.start == start + len(text):
                self.source.traps.append((text + "!", start))
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
