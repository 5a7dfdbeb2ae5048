#!/usr/bin/env python3
"""Records the first minutes with packtool: the commands of README's first screen, run in a terminal.

    record.py PACKTOOL            write docs/first-minutes.svg and docs/first-minutes.txt
    record.py --check PACKTOOL    compare both with the program's output of today, and README with them

The program runs in a pseudo terminal, in a project of a Capacitor app: a copy of the example shop's build
with two planted faults. The same program gives the same bytes. Three rules make it so:

* SOURCE_DATE_EPOCH replaces the clock, because a pointer contains its date.
* Durations are written as '< 1 s'. Recording fails if one is longer; a check accepts any.
* `serve` runs on a free port, which is written as 8080, its default.
"""

import argparse
import difflib
import errno
import fcntl
import json
import os
import re
import select
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time
from html import escape
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SHOP = ROOT / "examples/storefront/dist/1.0.0"
MOVIE = ROOT / "docs/first-minutes.svg"
TRANSCRIPT = ROOT / "docs/first-minutes.txt"
README = ROOT / "README.md"

COLUMNS, ROWS = 100, 30
# Seconds until a command counts as stuck.
PATIENCE = 120

# The commands, in order, each with its exit code.
COMMANDS = {
    "packtool init --app shop --base-url https://cdn.example.com/shop": 0,
    "packtool check": 1,
    """sed -i 's|"/new"|"https://orders.shop.example.com/new"|' dist/pages/checkout.html""": 0,
    "packtool check --fix": 0,
    "packtool publish --to ../cdn --label 1.0.0": 0,
    "packtool serve ../cdn": None,
}
# The planted faults: a file of the build, a text in it, and its replacement. Both are typical: one works on a
# file system that ignores case, and one on a web server.
FAULTS = [
    ("index.html", 'href="./assets/home.', 'href="./assets/Home.'),
    ("pages/checkout.html", 'action="https://orders.shop.example.com/new"', 'action="/new"'),
]
# The last command runs until it is stopped; this line completes its output.
LAST_LINE = re.compile(r"^ *stop\b.*\n", re.MULTILINE)


class Problem(Exception):
    """A failure with the next step."""

    def __init__(self, event, remedy):
        super().__init__(f"error: {event}\nhelp: {remedy}")


# The project


def make_project(place):
    """A project of a Capacitor app whose build has the planted faults."""
    project = place / "shop"
    shutil.copytree(SHOP, project / "dist")
    settings = {"appId": "com.example.shop", "appName": "Shop", "webDir": "dist"}
    (project / "capacitor.config.json").write_text(json.dumps(settings))
    for name, old, new in FAULTS:
        page = project / "dist" / name
        text = page.read_text()
        if text.count(old) != 1:
            raise Problem(f"the example shop's {name} contains {old!r} {text.count(old)} times",
                          "choose a text for the planted fault in Scripts/record.py that occurs once")
        page.write_text(text.replace(old, new))
    return project


# The terminal


def run(command, project, environment):
    """The bytes that a command writes to a terminal, and its exit code; `None` if it was stopped."""
    main, own = os.openpty()
    fcntl.ioctl(own, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
    is_server = command.startswith("packtool serve")
    line = command + " --listen 127.0.0.1:0" if is_server else command
    process = subprocess.Popen(["sh", "-c", "exec " + line], cwd=project, env=environment, stdin=own,
                               stdout=own, stderr=own, start_new_session=True)
    os.close(own)
    shown, end = b"", time.monotonic() + PATIENCE
    try:
        while select.select([main], [], [], max(0, end - time.monotonic()))[0]:
            try:
                read = os.read(main, 65536)
            except OSError as failure:
                if failure.errno != errno.EIO:
                    raise
                # The terminal was closed by its last process.
                return shown, process.wait()
            if not read:
                return shown, process.wait()
            shown += read
            if is_server and LAST_LINE.search(shown.decode(errors="replace").replace("\r", "")):
                return shown, None
        raise Problem(f"'{command}' did not end in {PATIENCE} s",
                      "run it in a terminal and look for a question")
    finally:
        os.close(main)
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


class Screen:
    """The lines that a terminal shows: characters with their style.

    It knows the control characters that packtool writes, and rejects all others.
    """

    CONTROL = re.compile(r"\x1b\[([\d;]*)([mK])|[\r\n]|[^\x00-\x1f\x7f]")

    def __init__(self):
        self.lines, self.column, self.style = [[]], 0, ""

    def write(self, text):
        position = 0
        while position < len(text):
            found = self.CONTROL.match(text, position)
            if not found:
                raise Problem(f"packtool writes {text[position:position + 8]!r} to the terminal",
                              "teach Scripts/record.py (Screen) this control sequence")
            position = found.end()
            line = self.lines[-1]
            if found[2] == "m":
                self.style = "" if found[1] in ("", "0") else found[1]
            elif found[2] == "K":
                del line[self.column if found[1] in ("", "0") else 0:]
            elif found[0] == "\r":
                self.column = 0
            elif found[0] == "\n":
                self.lines.append([])
                self.column = 0
            else:
                line[self.column:self.column + 1] = [(found[0], self.style)]
                self.column += 1

    def runs(self):
        """Each line as pairs of a text and its style, without trailing spaces and empty lines at the end."""
        lines = []
        for cells in self.lines:
            while cells and cells[-1][0] == " ":
                cells = cells[:-1]
            runs = []
            for character, style in cells:
                if runs and runs[-1][1] == style:
                    runs[-1] = (runs[-1][0] + character, style)
                else:
                    runs.append((character, style))
            lines.append(runs)
        while lines and not lines[-1]:
            lines.pop()
        return lines


def plain(runs):
    return "".join(text for text, _ in runs)


def settled(text, is_check):
    """The output with fixed durations and the default port."""
    def duration(found):
        if float(found[2]) >= 1 and not is_check:
            raise Problem(f"a command took {found[2]} s", "record again when the machine is idle")
        return f"{found[1]}< 1 s"
    text = re.sub(r"(?m)^( *time +)(\d[\d.,]*) s\b", duration, text)
    return re.sub(r"\b127\.0\.0\.1:\d+", "127.0.0.1:8080", text)


def record(packtool, is_check):
    """Runs all commands; pairs of a command and the lines of its output."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder).resolve()
        tools = place / "tools"
        tools.mkdir()
        (tools / "packtool").symlink_to(packtool)
        project = make_project(place)
        environment = {"PATH": f"{tools}:/usr/bin:/bin", "HOME": str(place), "TERM": "xterm-256color",
                       "LANG": "C.UTF-8", "SOURCE_DATE_EPOCH": "1767225600"}
        steps = []
        for command, expected in COMMANDS.items():
            written, code = run(command, project, environment)
            screen = Screen()
            screen.write(settled(written.decode(), is_check))
            lines = screen.runs()
            text = "\n".join(map(plain, lines))
            if str(place) in text:
                raise Problem(f"'{command}' prints the temporary directory {place}",
                              "use relative paths in the commands of Scripts/record.py")
            if code != expected:
                raise Problem(f"'{command}' ended with exit code {code}, not {expected}:\n{text}",
                              "correct the command or the planted faults in Scripts/record.py")
            steps.append((command, lines))
        return steps


def transcript(steps):
    return "\n".join("".join(f"{line}\n" for line in [f"$ {command}", *map(plain, lines)])
                     for command, lines in steps)


# The movie

FONT, LINE, MARGIN = 14, 20, 16
# The width of the widest of the usual monospaced fonts, in ems.
ADVANCE = 0.602
WIDTH, HEIGHT = round(COLUMNS * FONT * ADVANCE) + 2 * MARGIN, ROWS * LINE + 2 * MARGIN
# Seconds: before and after a command is typed, for each of its characters, to read a line, and at the end.
THINK, SETTLE, KEY, READ, REST = 0.6, 0.5, 0.035, 0.42, 5
LONGEST = 60

# The colours of packtool's styles on a dark terminal.
CLASSES = {"1": "b", "34": "f", "1;31": "e", "1;33": "w", "1;36": "h"}
STYLE = """\
svg{font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono','Liberation Mono',monospace}
text{fill:#d6deeb;white-space:pre}
.b,.e,.w,.h,.p{font-weight:bold}.b{fill:#fff}.e{fill:#ff7b72}.w{fill:#e3b341}.h{fill:#56d4dd}.f{fill:#79b8ff}\
.p{fill:#7ee787}
"""


class Movie:
    """An SVG in which commands are typed and their output appears, by CSS animations of one common duration.

    Without animations it shows the last frame: attributes describe the end, and keyframes everything before.
    """

    def __init__(self, steps):
        self.row, self.now = 0, 0.0
        # Pairs of a time and the number of rows that have scrolled away.
        self.scrolled = [(0.0, 0)]
        self.body, self.keyframes = [], []
        for number, (command, lines) in enumerate(steps):
            self.step(number, command, lines)
        self.now += REST
        if self.now > LONGEST:
            raise Problem(f"the recording takes {self.now:.0f} s; the limit is {LONGEST} s",
                          "lower READ in Scripts/record.py")

    def step(self, number, command, lines):
        prompt, row = f"p{number}", self.row
        self.appear(prompt, self.now, [[("$ ", "prompt"), (command, "1")]])
        start = self.now + THINK
        end = start + KEY * len(command)
        self.now = end + SETTLE
        self.cover(number, row, len(command), start, end)
        rows = [part for line in lines for part in wrapped(line)]
        self.appear(f"o{number}", self.now, rows + [[]])
        self.now += max(2.5, READ * len(rows))

    def appear(self, name, when, rows):
        """Adds rows that are invisible until a time."""
        texts = [f'<text y="{self.y(self.row + index)}">{spans(runs)}</text>'
                 for index, runs in enumerate(rows) if runs]
        self.body.append(f'<g id="{name}">' + "\n".join(texts) + "</g>")
        if when > 0:
            self.keyframes.append((name, "step-end", [(0, "opacity:0"), (when, "opacity:1")]))
        self.row += len(rows)
        # The row below the output shows the next prompt.
        hidden = max(0, self.row - ROWS)
        if hidden > self.scrolled[-1][1]:
            self.scrolled.append((when, hidden))

    def cover(self, number, row, length, start, end):
        """Hides a command behind the background, which moves to the right with the cursor."""
        name, x = f"c{number}", 2 * FONT * ADVANCE
        # The height of a line, with the parts of letters below it.
        y = self.y(row) - LINE + 5
        self.body.append(
            f'<g id="{name}" opacity="0">'
            f'<rect x="{x:.1f}" y="{y}" width="{WIDTH}" height="{LINE}" class="g"/>'
            f'<rect x="{x:.1f}" y="{y + 2}" width="8" height="{LINE - 3}" class="c"/></g>')
        # It is seen only together with its prompt.
        shown = start - THINK
        frames = [(0, "opacity:0;animation-timing-function:step-end")] if shown > 0 else []
        frames += [(shown, "opacity:1;animation-timing-function:step-end"),
                   (start, f"opacity:1;transform:none;animation-timing-function:steps({length})"),
                   (end, f"opacity:1;transform:translateX({length}ch);animation-timing-function:step-end"),
                   (end + SETTLE, "opacity:0")]
        self.keyframes.append((name, "linear", frames))

    @staticmethod
    def y(row):
        return LINE * row + 15

    def frames(self, frames):
        return "".join(f"{when / self.now * 100:.2f}%{{{style}}}" for when, style in frames)

    def svg(self):
        scroll = [(when, f"transform:translateY({-LINE * rows}px)") for when, rows in self.scrolled]
        keyframes = self.keyframes + [("s", "step-end", scroll)]
        style = STYLE + "".join(
            f"#{name}{{animation:{name} {self.now:.2f}s {timing} infinite}}\n"
            f"@keyframes {name}{{{self.frames(frames)}}}\n" for name, timing, frames in keyframes)
        end = -LINE * self.scrolled[-1][1]
        body = "\n".join(self.body)
        return f"""\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" \
role="img" aria-labelledby="title desc">
<title id="title">{TITLE}</title>
<desc id="desc">{DESCRIPTION}</desc>
<style>
{style}.g{{fill:#0d1117}}.c{{fill:#d6deeb}}
@media(prefers-reduced-motion:reduce){{*{{animation:none!important}}}}
</style>
<rect x=".5" y=".5" width="{WIDTH - 1}" height="{HEIGHT - 1}" rx="8" class="g" stroke="#6e7681"/>
<svg x="{MARGIN}" y="{MARGIN}" width="{WIDTH - 2 * MARGIN}" height="{ROWS * LINE}">
<g id="s" transform="translate(0 {end})" xml:space="preserve">
{body}
</g>
</svg>
</svg>
"""


TITLE = "The first minutes with packtool"
DESCRIPTION = ("A terminal: packtool init writes the settings, check finds two errors in a build, check "
               "--fix corrects them, publish writes the release, and serve answers like a CDN. "
               "first-minutes.txt has the text.")


def wrapped(runs):
    """A line as the rows that it takes on the terminal."""
    rows, column = [[]], 0
    for text, style in runs:
        while text:
            if column == COLUMNS:
                rows.append([])
                column = 0
            part, text = text[:COLUMNS - column], text[COLUMNS - column:]
            rows[-1].append((part, style))
            column += len(part)
    return rows


def spans(runs):
    parts = []
    for text, style in runs:
        if style == "":
            parts.append(escape(text, quote=False))
            continue
        name = "p" if style == "prompt" else CLASSES.get(style)
        if not name:
            raise Problem(f"packtool uses the text style '{style}'", "add it to CLASSES in Scripts/record.py")
        parts.append(f'<tspan class="{name}">{escape(text, quote=False)}</tspan>')
    return "".join(parts)


# README


def quoted():
    """README's quotes, in blocks marked 'console': each command with its line number and its output."""
    quotes, is_quote = [], False
    for number, line in enumerate(README.read_text().splitlines(), 1):
        if line.startswith("```"):
            is_quote = line == "```console"
        elif is_quote and line.startswith("$ "):
            quotes.append((number, line[2:], []))
        elif is_quote:
            quotes[-1][2].append(line)
    return quotes


def compare_readme(steps):
    """Compares README's quotes with the output. A line '…' stands for omitted lines."""
    output = {command: list(map(plain, lines)) for command, lines in steps}
    quotes = quoted()
    if [command for _, command, _ in quotes] != list(output):
        raise Problem("README.md does not quote the commands of the recording in their order",
                      "quote them in blocks marked 'console': " + "; ".join(output))
    for first, command, lines in quotes:
        rest, skips = output[command], False
        # An empty line separates two commands.
        while lines and not lines[-1]:
            lines.pop()
        for number, line in enumerate(lines, first + 1):
            if line == "…":
                skips = True
                continue
            found = rest.index(line) if line in rest else -1
            if found < 0 or (found > 0 and not skips):
                raise Problem(f"README.md:{number}: '{command}' does not print '{line}' here",
                              f"quote {TRANSCRIPT.relative_to(ROOT)}, with '…' for omitted lines")
            rest, skips = rest[found + 1:], False
        if any(rest) and not skips:
            raise Problem(f"README.md:{first}: '{command}' also prints '{next(filter(None, rest))}'",
                          "quote that line, or write '…' for omitted lines")
    return sum(len(lines) for _, _, lines in quotes)


def compare(path, text):
    committed = path.read_text() if path.exists() else ""
    if committed != text:
        shown = "" if path == MOVIE else "\n" + "\n".join(difflib.unified_diff(
            committed.splitlines(), text.splitlines(), "committed", "today", lineterm="", n=1))
        raise Problem(f"{path.relative_to(ROOT)} is not what packtool prints{shown}",
                      "run 'Scripts/record.py PACKTOOL', then adapt README.md and commit the changes")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("packtool", metavar="PACKTOOL", type=Path)
    parser.add_argument("--check", action="store_true", help="only compare with the committed files")
    given = parser.parse_args()
    try:
        if not given.packtool.is_file():
            raise Problem(f"there is no program '{given.packtool}'",
                          "run 'make build', or name another program")
        steps = record(given.packtool.resolve(), given.check)
        movie = Movie(steps)
        texts = [(TRANSCRIPT, transcript(steps)), (MOVIE, movie.svg())]
        for path, text in texts:
            if given.check:
                compare(path, text)
            else:
                path.write_text(text)
        lines = compare_readme(steps)
    except Problem as problem:
        sys.exit(str(problem))
    print(f"recording: {len(steps)} commands, {movie.now:.0f} s, {len(texts[1][1].encode()) / 1000:.0f} kB; "
          f"README quotes {lines} lines")


if __name__ == "__main__":
    main()
