"""Splits Swift source into tokens: comments and the text of strings are gone, interpolations are not."""

import re
from typing import NamedTuple

WORD = "word"
NUMBER = "number"
STRING = "string"
SIGN = "sign"
DIRECTIVE = "directive"
ATTRIBUTE = "attribute"


class Token(NamedTuple):
    """One token, with its position in the file."""

    kind: str
    text: str
    start: int


_NEXT = re.compile(
    r"""
    (?P<space>\s+|//[^\n]*)
  | (?P<comment>/\*)
  | (?P<string>\#*")
  | (?P<word>[^\W\d]\w*|`[^`\n]+`|\$\w+)
  | (?P<number>0[xob][\w]+|\d[\d_]*(?:\.\d[\d_]*)?(?:[eE][+-]?\d+)?)
  | (?P<directive>\#[a-zA-Z]\w*)
  | (?P<attribute>@[a-zA-Z_]\w*)
  | (?P<sign>\.\.\.|\.\.<|->|===|!==|==|!=|<=|>=|&&|\|\||\?\?|\+=|-=|\*=|/=|%=|\|=|&=|\^=|.)
    """,
    re.VERBOSE | re.DOTALL,
)
# Three quotes open a multi-line literal at the end of a line only: #"""# is a literal of one quote.
_LONG_QUOTE = re.compile(r'"""[ \t]*\n')
_COMMENT_EDGE = re.compile(r"/\*|\*/")


class SourceError(Exception):
    """Source that cannot be split: the position and what is wrong."""

    def __init__(self, start: int, problem: str):
        super().__init__(problem)
        self.start = start


def tokens(text: str) -> list[Token]:
    """All tokens of a file."""
    found: list[Token] = []
    _scan(text, 0, found, nested=False)
    return found


def _scan(text: str, position: int, found: list[Token], nested: bool) -> int:
    """Reads tokens to the end, or to the bracket that ends an interpolation; returns where it ended."""
    depth = 0
    match = _NEXT.match
    while found_here := match(text, position):
        kind = found_here.lastgroup
        start, position = position, found_here.end()
        if kind == "space":
            continue
        if kind == "comment":
            position = _after_comment(text, start)
        elif kind == "string":
            position = _string(text, start, position - start - 1, found)
        else:
            word = found_here.group()
            if nested and kind == SIGN:
                if word == "(":
                    depth += 1
                elif word == ")":
                    if depth == 0:
                        return position
                    depth -= 1
            if kind == WORD and word[0] == "`":
                word = word[1:-1]
            found.append(Token(kind, word, start))
    if nested:
        raise SourceError(position, "an interpolation has no end")
    return position


def _after_comment(text: str, start: int) -> int:
    """The end of a block comment; they nest."""
    depth = 0
    for edge in _COMMENT_EDGE.finditer(text, start):
        depth += 1 if edge.group() == "/*" else -1
        if depth == 0:
            return edge.end()
    raise SourceError(start, "a comment has no end")


def _string(text: str, start: int, hashes: int, found: list[Token]) -> int:
    """Reads a literal of any form; an interpolation becomes its tokens in brackets after the literal."""
    fence = "#" * hashes
    quote = start + hashes
    long = _LONG_QUOTE.match(text, quote) is not None
    end = ('"""' if long else '"') + fence
    escape = "\\" + fence
    stop = re.compile(re.escape(escape) + "|" + re.escape(end) + ("" if long else "|\n"))
    found.append(Token(STRING, "", start))
    position = quote + (3 if long else 1)
    while edge := stop.search(text, position):
        position = edge.end()
        if edge.group() == end:
            return position
        if edge.group() == "\n":
            break
        if text.startswith("(", position):
            found.append(Token(SIGN, "(", position))
            position = _scan(text, position + 1, found, nested=True)
            found.append(Token(SIGN, ")", position - 1))
        else:
            position += 1
    raise SourceError(start, "a string has no end")
