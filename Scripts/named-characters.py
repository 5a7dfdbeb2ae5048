#!/usr/bin/env python3
"""Writes Sources/PackCore/Web/HTML/NamedCharacters.swift from Python's own table of HTML's names.

It is one string literal and not an array of 2,231 elements, because array literals of that size are slow to
type-check.
"""
import pathlib
import textwrap
from html.entities import html5

names = sorted({name.rstrip(";") for name in html5})
words = []
for name in names:
    characters = html5[name + ";"]
    # '!' marks the names that work without their semicolon, ':' the others.
    mark = "!" if name in html5 else ":"
    if mark == "!":
        assert html5[name] == characters, name
    words.append(name + mark + "+".join(f"{ord(character):X}" for character in characters))

lines = textwrap.wrap(" ".join(words), 88, break_long_words=False, break_on_hyphens=False)
text = f'''\
// Written by Scripts/named-characters.py from Python's html.entities; not to be edited by hand.

extension NamedCharacterTable {{
    /// The standard's {len(html5):,} named character references, as {len(names):,} names in byte order.
    ///
    /// `name:hex` where the semicolon is required, `name!hex` where it is not; `+` between scalars.
    static let source = """
''' + "".join(f"        {line} \\\n" for line in lines[:-1]) + f'''        {lines[-1]}
        """
}}
'''
path = pathlib.Path(__file__).parent.parent / "Sources/PackCore/Web/HTML/NamedCharacters.swift"
path.write_text(text)
print(f"{path}: {len(html5)} references, {len(names)} names, {len(text)} bytes")
