#!/usr/bin/env python3
"""Checks the English of comments, documents, messages and rules against limits for words.

  (no mode)         fail if an area uses a word more often than its limit
  --table           print the figures of every area
  --worst AREA      print the 40 worst sentences of an area
  --self-test       run the checker on sentences with known counts

CONTRIBUTING.md ("How to write") explains the patterns behind these words.
"""

import io
import re
import sys
import tempfile
import tokenize
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]

# Uses per 1,000 words in comparison: desync, ripgrep and go-tuf stay below the limits of FINISHED.
WORDS = {
    "what": r"what", "where": r"where", "that": r"that", "say": r"says?|said", "place": r"places?",
    "too": r"too(?=[.,;:)]|$)",
    "nobody": r"nobody|somebody|anew|whoever|told|meanwhile",
    "metaphor":
        r"witness(?:es)?|forsaken|condemned|struck|thief|thieves|judges?|shelf|shelves|roads?|houses?",
    "before": r"(?:of|the one) before",
}

# The limits of each area, in uses per 1,000 words. An area that has not been rewritten yet has limits just
# above its figures: lower them after a rewrite, never raise them.
FINISHED = (2, 2, 15, 0.2, 0.5, 0.5, 0, 0, 0)
LIMITS = {  # in the order of WORDS
    "comments of Sources": (2.3, 1, 15, 0.4, 0.6, 0.1, 0.3, 0.1, 0.1),
    "comments of Tests": (2, 2, 15, 0.2, 0.5, 0.5, 0.1, 0.1, 0),
    "comments of scripts": (4.3, 2, 19.9, 0.5, 0.5, 0.5, 0.2, 0, 0),
    "messages": (0.6, 0.4, 5, 0.2, 0.2, 0.1, 0.2, 0.1, 0.1),
    "rules": (0.5, 0.4, 15, 0.1, 0.2, 0.2, 0.2, 0, 0),
    "guide": FINISHED,
    "formats": FINISHED,
    "json": FINISHED,
    "reference": (2.9, 2, 15, 0.4, 0.5, 0.5, 0.2, 0.2, 0),
    "benchmarks": FINISHED,
}

# How the files of each area are read, and which they are.
AREAS = {
    "comments of Sources": ("comments", ["Sources/**/*.swift"]),
    "comments of Tests": ("comments", ["Tests/**/*.swift", "Tests/**/*.py", "Tests/**/*.sh"]),
    "comments of scripts": ("comments", [
        "Scripts/**/*.py", "Scripts/*.sh", "Benchmarks/*.py", "examples/**/*.sh"]),
    "messages": ("messages", ["Sources/**/*.swift"]),
    "rules": ("prose", ["Sources/**/Rules/Pages/*.md"]),
    "guide": ("prose", [
        "README.md", "CHANGELOG.md", "CONTRIBUTING.md", "docs/guide/*.md", "examples/**/*.md"]),
    "formats": ("prose", ["docs/formats*.md"]),
    "json": ("prose", ["docs/json.md"]),
    "reference": ("prose", [
        "docs/architecture.md", "docs/defaults.md", "docs/sources.md", "docs/third-party.md",
        "docs/trust.md"]),
    "benchmarks": ("prose", ["Benchmarks/*.md", "Sources/*.md"]),
}

# Pages that programs write.
GENERATED = {
    "Benchmarks/BUCKETS.md", "Benchmarks/CORPORA.md", "Benchmarks/DELTAS.md",
    "Benchmarks/DELTAS-more.md", "Benchmarks/DELTAS-whole.md", "Benchmarks/FIRST-PUBLISHES.md",
    "Benchmarks/READERS.md", "Benchmarks/RELEASES.md", "Benchmarks/RESULTS.md", "Benchmarks/TRUST.md",
    "Benchmarks/UNCHANGED.md", "Benchmarks/UNSEEN.md", "Benchmarks/UPDATES.md",
}


def swift_texts(source):
    """The comments and string literals of a Swift file: (kind, offset, text) with kind // or \"."""
    start = re.compile(r'//[^\n]*|/\*|(#*)("""|")')
    position = 0
    while found := start.search(source, position):
        if found[0].startswith("//"):
            yield "//", found.start(), found[0]
            position = found.end()
        elif found[0] == "/*":
            end = source.find("*/", found.end())
            position = len(source) if end < 0 else end + 2
            yield "//", found.start(), source[found.start():position]
        else:
            text, position = swift_string(source, found.end(), found[1], found[2])
            yield '"', found.start(), text


def swift_string(source, position, hashes, quote):
    """The text of a string literal, interpolations as `…`, and the offset behind it."""
    pieces, escape = [], "\\" + hashes
    stop = re.compile("|".join(map(re.escape, (quote + hashes, escape))) + ("" if len(quote) > 1 else r"|\n"))
    while found := stop.search(source, position):
        pieces.append(source[position:found.start()])
        position = found.end()
        if found[0] != escape:
            break
        if source.startswith("(", position):
            position = interpolation_end(source, position + 1)
            pieces.append("…")
        else:
            # An escaped line break joins two lines; it is kept to count lines.
            pieces.append("\n" if source.startswith("\n", position) else " ")
            position += 1
    return "".join(pieces), position if found else len(source)


def interpolation_end(source, position):
    depth = 1
    while depth and position < len(source):
        character = source[position]
        position += 1
        depth += (character == "(") - (character == ")")
        if character == '"':
            quote = '"""' if source.startswith('""', position) else '"'
            # An empty literal is two quotes and no third.
            if quote == '"""' and not source.startswith('"""', position - 1):
                position += 1
                continue
            _, position = swift_string(source, position + len(quote) - 1, "", quote)
    return position


def swift_comments(source):
    lines = ((source.count("\n", 0, offset) + 1, re.sub(r"^[/*!\s]+", "", text))
             for kind, offset, text in swift_texts(source) if kind == "//")
    return joined(lines)


def swift_messages(source):
    for kind, offset, text in swift_texts(source):
        # Shorter literals are names and values.
        if kind == '"' and len(text.split()) >= 4:
            yield source.count("\n", 0, offset) + 1, text


def python_comments(source):
    lines, last = [], None
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            lines.append((token.start[0], token.string.lstrip("#! ")))
        elif token.type == tokenize.STRING and last in (None, tokenize.INDENT, tokenize.NEWLINE):
            lines += [(token.start[0] + number, line)
                      for number, line in enumerate(token.string.strip("rbf\"'").split("\n"))]
        if token.type not in (tokenize.NL, tokenize.COMMENT):
            last = token.type
    return joined(sorted(lines))


def shell_comments(source):
    return joined((number, match[1]) for number, line in enumerate(source.splitlines(), 1)
                  if (match := re.match(r"\s*#(?!!)\s?(.*)", line)))


def markdown(source):
    """The prose of a page: no code, tables' rules, headings or quoted blocks."""
    fenced = False
    for number, line in enumerate(source.splitlines(), 1):
        if line.lstrip().startswith("```"):
            fenced = not fenced
        elif not fenced and not line.startswith(("    ", "#", "|--", "<")):
            yield number, line


def joined(lines):
    """Lines that follow each other as one text."""
    first, last, texts = 0, -1, []
    for number, text in lines:
        if texts and number == last + 1:
            texts.append(text)
        else:
            if texts:
                yield first, "\n".join(texts)
            first, texts = number, [text]
        last = number
    if texts:
        yield first, "\n".join(texts)


def readable(text):
    """Without names in code spans and targets of links."""
    return re.sub(r"``?[^`\n]*``?", "…", re.sub(r"\]\([^)\n]*\)", "]", text))


READERS = {"comments": {".swift": swift_comments, ".py": python_comments, ".sh": shell_comments},
           "messages": {".swift": swift_messages}, "prose": {".md": markdown}}


class Area:
    """The words and sentences of one area."""

    def __init__(self, root, name, kind, patterns, limits):
        self.name, self.limits = name, dict(zip(WORDS, limits))
        self.words, self.counts, self.sentences = 0, dict.fromkeys(WORDS, 0), []
        files = {file for pattern in patterns for file in root.glob(pattern)
                 if file.is_file() and ".build" not in file.parts}
        for file in sorted(files):
            path = file.relative_to(root).as_posix()
            reader = READERS[kind].get(file.suffix)
            if reader and path not in GENERATED:
                for line, text in reader(file.read_text()):
                    self.count(path, line, readable(text))

    def count(self, path, line, text):
        for sentence in re.finditer(r"\S.*?(?:[.!?](?=\s)|\Z)", text, re.DOTALL):
            self.words += len(re.findall(r"[A-Za-z']+", sentence[0]))
            hits = {word: len(re.findall(rf"\b(?:{pattern})\b" if word != "too" else rf"\b{pattern}",
                                         sentence[0], re.IGNORECASE)) for word, pattern in WORDS.items()}
            if any(hits.values()):
                for word in WORDS:
                    self.counts[word] += hits[word]
                at = line + text.count("\n", 0, sentence.start())
                self.sentences.append((hits, f"{path}:{at}: {' '.join(sentence[0].split())[:150]}"))

    def rate(self, word):
        return 1000 * self.counts[word] / max(self.words, 1)

    def exceeded(self):
        return [word for word in WORDS if self.rate(word) > self.limits[word]]

    def worst(self, words, count):
        ranked = sorted(self.sentences, key=lambda one: -sum(one[0][word] for word in words))
        return [text for hits, text in ranked[:count] if any(hits[word] for word in words)]


def areas(root):
    return [Area(root, name, kind, patterns, LIMITS[name]) for name, (kind, patterns) in AREAS.items()]


def check(found):
    """The lines to print for areas above their limits."""
    lines = []
    for area in found:
        if not area.words:
            lines.append(f"error: {area.name}: no file is read; correct AREAS")
            continue
        words = area.exceeded()
        for word in words:
            lines.append(f"error: {area.name}: '{WORDS[word]}' {area.rate(word):.2f} times in 1,000 words; "
                         f"the limit is {area.limits[word]}")
        lines += [f"  {text}" for text in area.worst(words, 8)]
    return lines


def show(found):
    print("| area | words |" + "".join(f" {word} |" for word in WORDS))
    print("|---|--:|" + "--:|" * len(WORDS))
    for area in found:
        print(f"| {area.name} | {area.words} |" + "".join(f" {area.rate(word):.2f} |" for word in WORDS))


def self_test():
    swift = '''/// What `what` says, too.
    /// Nobody knows `nobody`.
    let a = "what comes \\(f("where" + g("")) ) from that place" // where
    let b = "what" + #"what is "what" here now"#
    let c = """
        what is on this line \\
        is said
        """
    '''
    page = "# what\n\nSays what.\n\n```sh\nwhat\n```\n    what\n`what` [x](what)\n"
    python = '"""What is it."""\nx = "what"  # the road\ndef f():\n    """Where?"""\n'
    expected = {
        "a.swift": ("comments", {"what": 1, "say": 1, "too": 1, "nobody": 1, "where": 1}),
        "b.swift": ("messages", {"what": 4, "that": 1, "place": 1, "say": 1}),
        "c.md": ("prose", {"what": 1, "say": 1}),
        "d.py": ("comments", {"what": 1, "where": 1, "metaphor": 1}),
        "e.sh": ("comments", {"what": 1}),
    }
    wrong = []
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        for name, text in zip(expected, (swift, swift, page, python, "#!/what\n# what\nwhat=1\n")):
            (root / name).write_text(text)
        for name, (kind, counts) in expected.items():
            area = Area(root, name, kind, [name], [0] * len(WORDS))
            if (found := {word: count for word, count in area.counts.items() if count}) != counts:
                wrong.append(f"{name}: counted {found}, expected {counts}")
            if set(area.exceeded()) != set(counts) or not check([area]):
                wrong.append(f"{name}: does not fail for {sorted(counts)}")
            if check([Area(root, name, kind, [name], [1000] * len(WORDS))]):
                wrong.append(f"{name}: fails below its limits")
        place = Area(root, "a", "comments", ["a.swift"], [0] * len(WORDS)).worst(["nobody"], 1)
        if place != ["a.swift:2: Nobody knows …."]:
            wrong.append(f"the place of a sentence: {place}")
    if wrong:
        print("error: Scripts/check-dialect.py counts wrong:", *wrong, sep="\n  ", file=sys.stderr)
        return 1
    print("dialect: the checker counts right")
    return 0


def main(arguments):
    match arguments:
        case ["--self-test"]:
            return self_test()
        case ["--table"]:
            show(areas(ROOT))
        case ["--worst", name] if name in AREAS:
            print(*Area(ROOT, name, *AREAS[name], LIMITS[name]).worst(list(WORDS), 40), sep="\n")
        case []:
            found = areas(ROOT)
            if lines := check(found):
                print(*lines, sep="\n", file=sys.stderr)
                print("help: rewrite these sentences; 'How to write' in CONTRIBUTING.md has the patterns",
                      file=sys.stderr)
                return 1
            print(f"dialect: {len(found)} areas, {sum(area.words for area in found):,} words, within limits")
        case _:
            print(__doc__.strip(), file=sys.stderr)
            return 0 if arguments == ["--help"] else 64
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
