"""Reads declarations: what they declare in which scope, with labels and, where it is named, the type."""

from .source import Declaration, Scope, Use
from .tokens import SIGN, WORD
from .variables import Variables
from .words import ACCESS, OPEN, TYPE_WORDS


class Declarations(Variables):
    """The part of the reader that handles types, functions and cases."""

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
        # Cases and requirements are as visible as their type.
        inner.own_access = access
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
            elif token.text == "..." and labels[-1][-1] != "*":
                # Takes any number of values.
                labels[-1] += "*"
            index += 1
        return tuple(labels)

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
            first = index
            while True:
                self._declare("case", index, self.scope.own_access)
                at = index + 1
                if self.found[at].text == "(":
                    labels = self._case_labels(at)
                    self.source.declarations[-1].labels = labels
                    at = self.closing[at] + 1
                if self.found[at].text == "=":
                    at += 2 if self.found[at + 1].text != "-" else 3
                if self.found[at].text != ",":
                    # The loop reads what is in the brackets.
                    return first + 1
                index = at + 1
        following = self.found[index + 1].text
        if following in {"let", "var"}:
            self._pattern(index + 2)
            return index + 2
        return index + 1

    def _case_labels(self, index: int) -> tuple:
        end, labels, expects = self.closing[index], [], True
        index += 1
        while index < end:
            token = self.found[index]
            if expects:
                is_label = token.kind == WORD and self.found[index + 1].text in {":", "_"}
                labels.append(token.text if is_label else "_")
                if is_label:
                    self.taken.add(index)
                expects = False
            elif token.text == "," and self._at_depth(index):
                expects = True
            if token.text in OPEN and token.kind == SIGN:
                index = self.closing[index]
            index += 1
        return tuple(labels)
