"""The bytes that a Range header selects, by RFC 9110 (section 14) alone: the model for PackPages' ranges.

    range_model.py SEED COUNT    prints COUNT random cases, one a line: the size of the file,
                                 "whole", "none" or "FIRST LAST" for the selected bytes, and the header in
                                 hexadecimal

A server may ignore a header with several ranges (14.2); the model expects this unless none is satisfiable.
It also expects servers to ignore invalid headers.
"""
import random
import re
import sys

SPEC = re.compile(r"(?:(?P<first>[0-9]+)-(?P<last>[0-9]*)|-(?P<suffix>[0-9]+))\Z")


def parse(header):
    """The ranges of a valid header as (first, last) or (None, suffix length); None if it is invalid."""
    unit, equals, rest = header.strip(" \t").partition("=")
    if not equals or unit.lower() != "bytes":
        return None
    specs = []
    for element in rest.split(","):
        element = element.strip(" \t")
        if not element:
            continue
        match = SPEC.match(element)
        if not match:
            return None
        if match["suffix"] is not None:
            specs.append((None, int(match["suffix"])))
            continue
        first, last = int(match["first"]), int(match["last"]) if match["last"] else None
        if last is not None and last < first:
            return None
        specs.append((first, last))
    return specs or None


def satisfiable(spec, size):
    first, other = spec
    return other > 0 if first is None else first < size


def selected(header, size):
    specs = parse(header)
    if specs is None:
        return "whole"
    if not any(satisfiable(spec, size) for spec in specs):
        return "none"
    # Content-Range has no form for a part of an empty file.
    if len(specs) > 1 or size == 0:
        return "whole"
    first, other = specs[0]
    positions = range(size)
    if first is None:
        start = size - min(other, size)
        return f"{positions[start]} {positions[-1]}"
    return f"{first} {positions[-1] if other is None else min(other, positions[-1])}"


def number(noise, size):
    kind = noise.random()
    if kind < 0.5:
        value = noise.randrange(size + 3)
    elif kind < 0.8:
        value = max(0, size + noise.randrange(-2, 3))
    else:
        value = noise.choice([0, 1, 2**31, 2**32, 2**63 - 1, 2**63, 2**64 - 1, 2**64, 2**64 + 1, 10**30])
    return "0" * noise.choice([0, 0, 0, 0, 1, 25]) + str(value)


def spec(noise, size):
    kind = noise.random()
    if kind < 0.35:
        first = number(noise, size)
        last = str(int(first) + noise.randrange(5)) if noise.random() < 0.4 else number(noise, size)
        return f"{first}-{last}"
    if kind < 0.6:
        return number(noise, size) + "-"
    if kind < 0.85:
        return "-" + number(noise, size)
    return noise.choice(["", "-", "--", "1", "a-b", "0x1-2", "1-2-3", "+1-2", "1 -2", "1- 2", "-1-", "٣-٤",
                         "1.0-2", "1-2;3", " ", "\t", "4-\t"])


def header(noise, size):
    unit = noise.choice(["bytes"] * 12 + ["Bytes", "BYTES", "byte", "lines", "", " bytes", "bytes "])
    count = noise.choice([1] * 8 + [2, 3])
    between = noise.choice([",", ", ", " ,\t", ",,"])
    text = unit + "=" + between.join(spec(noise, size) for _ in range(count))
    if noise.random() < 0.05:
        text = text.replace("=", noise.choice(["", " = ", "==", ":"]))
    if noise.random() < 0.1:
        text = noise.choice([" ", "\t", ","]) + text + noise.choice([" ", "\t ", ",", ""])
    return text


def main():
    noise = random.Random(int(sys.argv[1]))
    for _ in range(int(sys.argv[2])):
        size = noise.choice([0, 1, 2, 10, 500, 2**31 + 5, 2**40]) if noise.random() < 0.5 \
            else noise.randrange(2000)
        text = header(noise, size)
        print(size, selected(text, size), text.encode().hex(), sep="\t")


main()
