"""Reads uses: which name is used where, and what is before it."""

from .source import Declaration, Scope, Source, Use
from .tokens import NUMBER, SIGN, STRING, WORD, Token
from .words import BEFORE_BRACKET, CONTEXTUAL, IMPLICIT, OPEN, RESERVED


class Uses:
    """The part of the reader that handles uses."""

    source: Source
    found: list[Token]
    count: int
    scope: Scope
    closing: dict[int, int]

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
        self.source.attributes.append((name, token.start))
        if self.found[index + 1].text == "(" and name != "escaping":
            return self.closing[index + 1] + 1
        return index + 1

    def _member(self, index: int) -> None:
        """A name behind a dot."""
        token = self.found[index]
        if token.text in {"self", "Type", "Protocol"} or token.text[0] == "$":
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
        if text == "set" and after.text == "(" and self.found[self.closing[index + 1] + 1].text != "{":
            self._record(index, "bare", ())
            return
        if text in CONTEXTUAL and (after.text != "(" or text in BEFORE_BRACKET):
            if after.kind in (WORD, STRING, NUMBER) or after.text in {
                "(", "{", "}", "[", ".", "->", ":", ")", "&",
            }:
                return
        if after.text == ":" and self._is_label(index, brackets):
            return
        if text in IMPLICIT and after.text != "(":
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
                "label", self.found[index].text, self.source.top, self.found[index].start, "package",
                file=self.source))
        return bracket == "("
