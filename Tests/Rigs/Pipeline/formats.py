#!/usr/bin/env python3
"""Reads the output formats of 'packtool check' for other tools with readers that share no code with it.

  formats.py PACKTOOL JUNIT-XSD

Four builds: a clean one, one with a few findings, one with more of each level than GitHub shows, and one with
names and lines that need all escapes. For each, SARIF is read by sarif-tools, JUnit is validated with
Jenkins' schema, and annotations are decoded like the runner does and compared with GitHub's limits. The
results must match --json.
"""
import collections
import csv
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from urllib.parse import unquote

from lxml import etree

# https://docs.github.com/en/rest/checks/runs and the runner: annotations of one level in a step, the bytes of
# a message and the characters of a title.
MOST_ANNOTATIONS, MOST_MESSAGE, MOST_TITLE = 10, 64 << 10, 255
MOST_MARKDOWN = 60_000
HEAD = "<!doctype html><html lang=en><head><meta charset=utf-8><title>x</title></head>"
PAGE = HEAD + "<body>{}</body></html>\n"


def builds():
    """The files of each build, by its name."""
    yield "clean", {"index.html": PAGE.format("<p>nothing")}
    yield "few", {"index.html": PAGE.format('<img src="gone.png" alt="">'),
                  "a.js": "x = 1\n//# sourceMappingURL=b.map"}
    many = {f"page-{i:02}.html": PAGE.format(f'<img src="gone-{i}.png" alt="">') for i in range(12)}
    many |= {f"s{i:02}.js": f"x = 1\n//# sourceMappingURL=other-{i}.map" for i in range(12)}
    many |= {f"t{i:02}.js": f'window.open("/help-{i}", "_blank")' for i in range(12)}
    yield "many", {"index.html": PAGE.format(""), **many}
    hostile = '\n\n<p>\U0001F600 é<img src="{}gone,%0A::error::x<&amp;>\U0001F600\'.png" alt="">'
    names = ["a,b:c=d.html", "100%25.html", "ünï \U0001F600.html", "a&b'<>.html", "sub dir/x].html"]
    pages = {name: PAGE.format(hostile.format(number)) for number, name in enumerate(names)}
    yield "hostile", {"index.html": PAGE.format(""), **pages}


class Check:
    """The output of 'check' for a build, in each format."""

    def __init__(self, packtool, work):
        self.packtool, self.work = packtool, work
        self.json = json.loads(self.run("json"))
        self.levels = collections.Counter(f["severity"] for f in self.json["findings"])

    def run(self, form):
        done = subprocess.run([self.packtool, "check", "dist", "--hints", "--format", form], cwd=self.work,
                              capture_output=True, timeout=300)
        assert done.returncode in (0, 1), done.stderr
        return done.stdout.decode()

    def line(self, finding):
        """The line of a finding, read from the build."""
        return (self.work / "dist" / finding["file"]).read_bytes().split(b"\n")[finding["line"] - 1]


def sarif(check):
    path = check.work / "out.sarif"
    path.write_text(check.run("sarif"))
    tool = [sys.executable, "-m", "sarif"]
    table = check.work / "out.csv"
    subprocess.run([*tool, "csv", "-o", table, path], check=True, capture_output=True)
    with table.open(newline="") as file:
        rows = list(csv.DictReader(file))
    # A relative URI by RFC 3986, which decodes to the path.
    assert all(re.fullmatch(r"(?:[\w.~!$&'()*+,;=@/-]|%[0-9A-F]{2})+", row["Location"], re.ASCII)
               for row in rows), rows
    read = collections.Counter(
        (row["Severity"], row["Code"], unquote(row["Location"]), row["Line"]) for row in rows)
    level = {"error": "error", "warning": "warning", "hint": "note"}
    said = collections.Counter(
        (level[f["severity"]], f["rule"], place(f), str(f.get("line", 1)))
        for f in check.json["findings"])
    assert read == said, (read - said, said - read)
    # It fails if and only if there is an error.
    done = subprocess.run([*tool, "--check", "error", "summary", path], capture_output=True)
    assert (done.returncode != 0) == (check.levels["error"] > 0), done
    quality = check.work / "out.json"
    subprocess.run([*tool, "codeclimate", "-o", quality, path], check=True, capture_output=True)
    assert len(json.loads(quality.read_text())) == len(check.json["findings"])


def place(finding):
    """The path in the repository."""
    return "dist" if finding["file"] == "." else f"dist/{finding['file']}"


def junit(check, schema):
    document = etree.fromstring(check.run("junit").encode())
    schema.assertValid(document)
    assert len(document.findall(".//failure")) == check.levels["error"]
    assert len(document.findall(".//testcase")) == max(1, len(check.json["findings"]))
    suite = document.find("testsuite")
    assert int(suite.get("failures")) == check.levels["error"]
    assert int(suite.get("tests")) == len(document.findall(".//testcase"))


def decoded(text, colons):
    """Decodes a value like the runner: actions/runner, ActionCommand."""
    codes = [("%0D", "\r"), ("%0A", "\n"), *([("%3A", ":"), ("%2C", ",")] if colons else []), ("%25", "%")]
    for code, char in codes:
        text = text.replace(code, char)
    return text


def github(check):
    lines = check.run("github").splitlines()
    counts, found = collections.Counter(), []
    for line in lines:
        parts = re.fullmatch(r"::(error|warning|notice)((?: [a-z]+=[^:]*)?)::(.*)", line)
        assert parts, line
        level, given, message = parts.groups()
        values = dict(pair.split("=", 1) for pair in given.strip().split(","))
        values = {name: decoded(value, True) for name, value in values.items()}
        counts[level] += 1
        assert len(decoded(message, False).encode()) <= MOST_MESSAGE and len(values["title"]) <= MOST_TITLE
        assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f]", line), line
        if "file" in values:
            found.append((level, values))
    assert all(count <= MOST_ANNOTATIONS for count in counts.values()), counts
    assert lines[-1].startswith("::notice title=packtool check::"), lines[-1]
    level = {"error": "error", "warning": "warning", "hint": "notice"}
    said = collections.defaultdict(list)
    for finding in check.json["findings"]:
        said[level[finding["severity"]], "packtool " + finding["rule"], place(finding)].append(finding)
    for level_, values in found:
        candidates = said[level_, values["title"], values["file"]]
        assert any(columns(check, f) == (values.get("line"), values.get("col")) for f in candidates), values
    # No finding is omitted unless the limit is reached.
    for severity, word in level.items():
        room = MOST_ANNOTATIONS - (word == "notice")
        shown = sum(found_level == word for found_level, _ in found)
        assert shown == min(room, check.levels[severity]), (word, found)


def columns(check, finding):
    """The line, and the column in code points."""
    if "line" not in finding:
        return None, None
    before = check.line(finding)[:finding["column"] - 1]
    return str(finding["line"]), str(len(before.decode()) + 1)


def main():
    packtool, schema = Path(sys.argv[1]).resolve(), etree.XMLSchema(etree.parse(sys.argv[2]))
    total = 0
    for name, files in builds():
        with tempfile.TemporaryDirectory() as folder:
            work = Path(folder)
            for path, content in files.items():
                target = work / "dist" / path
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_text(content)
            check = Check(packtool, work)
            wanted = {"clean": 0, "few": 1, "many": 12, "hostile": 5}[name]
            errors = check.levels["error"]
            assert errors >= wanted and (errors > 0) == (wanted > 0), check.levels
            assert name != "many" or min(check.levels.values()) > MOST_ANNOTATIONS, check.levels
            sarif(check)
            junit(check, schema)
            github(check)
            assert len(check.run("markdown")) <= MOST_MARKDOWN
            total += len(check.json["findings"])
    print(f"formats: {total} findings, read by sarif-tools, the schema of JUnit and GitHub's limits")


if __name__ == "__main__":
    main()
