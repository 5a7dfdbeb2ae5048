#!/usr/bin/env python3
"""Writes Sources/PackCore/Web/Encodings/Indexes/ from the index files of the Encoding standard.

    git clone https://github.com/whatwg/encoding && Scripts/encoding-indexes.py encoding

An index maps pointers to characters. It is written as text, because array literals of that size are slow
to type-check: three characters of `ALPHABET` for a code point (18 bits), `!` and three for so many pointers
without a character, `+` and three for so many code points that follow the last one.
"""
import pathlib
import sys

ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
SINGLE = """ibm866 iso-8859-2 iso-8859-3 iso-8859-4 iso-8859-5 iso-8859-6 iso-8859-7 iso-8859-8 iso-8859-10
    iso-8859-13 iso-8859-14 iso-8859-15 iso-8859-16 koi8-r koi8-u macintosh windows-874 windows-1250
    windows-1251 windows-1252 windows-1253 windows-1254 windows-1255 windows-1256 windows-1257 windows-1258
    x-mac-cyrillic""".split()
MULTIPLE = {"gb18030": "GB18030", "big5": "Big5", "jis0208": "JIS0208", "jis0212": "JIS0212",
            "euc-kr": "EUCKR"}
TARGET = pathlib.Path(__file__).parent.parent / "Sources/PackCore/Web/Encodings/Indexes"
HEADER = "// Written by Scripts/encoding-indexes.py from the Encoding standard; not to be edited by hand.\n"


def number(value):
    assert 0 <= value < 1 << 18, value
    return ALPHABET[value >> 12] + ALPHABET[value >> 6 & 63] + ALPHABET[value & 63]


def index(source, name):
    """[code point or None], by pointer."""
    found = {}
    for line in (source / f"index-{name}.txt").read_text().split("\n"):
        if line.strip() and not line.startswith("#"):
            pointer, code = line.split()[:2]
            found[int(pointer)] = int(code, 16)
    return [found.get(pointer) for pointer in range(max(found) + 1)]


def packed(codes):
    text, position = [], 0
    while position < len(codes):
        end, code = position, codes[position]
        while end < len(codes) and codes[end] == (code if code is None else code + end - position):
            end += 1
        if code is None:
            text.append("!" + number(end - position))
        elif end - position > 2:
            text.append(number(code) + "+" + number(end - position - 1))
        else:
            text.append("".join(number(one) for one in codes[position:end]))
        position = end
    return "".join(text)


def literal(text, indent):
    width = 96 - indent
    lines = [text[start:start + width] for start in range(0, len(text), width)]
    return '"""\n' + "".join(f"{' ' * indent}{line}\\\n" for line in lines[:-1]) \
        + f"{' ' * indent}{lines[-1]}\n{' ' * indent}\"\"\"\n"


def write(name, text):
    path = TARGET / f"EncodingIndex+{name}.swift"
    path.write_text(HEADER + "\n" + text)
    print(f"{path}: {len(text)} bytes")


def main():
    source = pathlib.Path(sys.argv[1])
    TARGET.mkdir(exist_ok=True)
    rows = []
    for name in SINGLE:
        codes = index(source, name)
        rows.append(f"{name} {packed(codes + [None] * (128 - len(codes)))}")
    lines = []
    for row in rows:
        parts = [row[start:start + 86] for start in range(0, len(row), 86)]
        lines += [f"        {part}\\\n" for part in parts[:-1]] + [f"        {parts[-1]}\n"]
    write("SingleByte", "extension EncodingIndex {\n"
          f"    /// The upper halves of {len(SINGLE)} encodings with one byte a character: a line for each.\n"
          '    static let singleByte = """\n' + "".join(lines) + '        """\n}\n')
    for file, name in MULTIPLE.items():
        codes = index(source, file)
        write(name, "extension EncodingIndex {\n"
              f"    /// Index {file}: {sum(code is not None for code in codes):,} characters.\n"
              f"    static let {file.replace('-', '')} = EncodingIndex(\n        "
              + literal(packed(codes), 8).rstrip("\n") + ")\n}\n")
    ranges = []
    for line in (source / "index-gb18030-ranges.txt").read_text().split("\n"):
        if line.strip() and not line.startswith("#"):
            pointer, code = line.split()[:2]
            ranges.append((int(pointer), int(code, 16)))
    text = "".join(number(pointer) + number(code) for pointer, code in ranges)
    write("GB18030Ranges", "extension EncodingIndex {\n"
          f"    /// Index gb18030 ranges: {len(ranges)} pairs of a pointer and a code point.\n"
          "    static let gb18030Ranges = EncodingIndex(\n        "
          + literal(text, 8).rstrip("\n") + ")\n}\n")


if __name__ == "__main__":
    main()
