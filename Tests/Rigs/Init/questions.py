#!/usr/bin/env python3
"""Answers the questions of 'packtool init' in a pseudo terminal, and checks the file that it writes.

    questions.py [--packtool FILE]

Each case waits for a prompt before it types: yes, no, Enter, a part of a list, wrong answers, the end of the
input, and Ctrl-C at each question, after which no file may be left. A file with all settings chosen must then
be published.
"""

import argparse
import os
import pty
import re
import select
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[3]
PROMPT = re.compile(rb"\[[^\]\n]*\]: $|: $")
PAGE = """<!doctype html><meta charset=utf-8><title>a</title>
<link rel=stylesheet href="https://fonts.googleapis.com/css2?family=Inter">
<script src="https://cdn.example.net/x.js"></script><script src="{root}a.js"></script>
"""
SCRIPT = 'fetch("/api/users"); fetch("/auth/me")\n'
INIT = ["init", "--app", "shop", "--base-url", "https://a.example", "--profile", "path-strict"]
API, HOST, FONTS = "/api/", "cdn.example.net", "fonts.googleapis.com"
EOF, CTRL_C = b"\x04", b"\x03"

# Answers in order, and the settings of the file: check.api, check.external, profile.root.
CASES = {
    # By default, warnings stay.
    "enter": ([b"\n"] * 3, [API, "/auth/"], [HOST], None),
    "yes": ([b"y\n", b"YES\n", b"yes\n"], [API, "/auth/"], [HOST, FONTS], None),
    "no": ([b"n\n", b"no\n", b"N\n"], None, None, None),
    "one of several": ([b"/auth/\n", b"y\n", b"n\n"], ["/auth/"], [HOST], None),
    "several with commas": ([b"/auth/, /api/\n", b"n\n", b"y\n"], [API, "/auth/"], [FONTS], None),
    "wrong, then yes": ([b"maybe\n", b"\xff\xfe[;\n", b"y\n", b"n\n", b"n\n"], [API, "/auth/"], None, None),
    "end of the input": ([EOF], None, None, None),
    "yes, then the end": ([b"y\n", EOF], [API, "/auth/"], None, None),
    "with a root": ([b"\n"] * 4, [API, "/auth/"], [HOST], "/shop/"),
    # Without its root, the page does not find its script; the check still reads it.
    "without a root": ([b"n\n"] * 4, None, None, None),
}


class Terminal:
    """packtool in a pseudo terminal."""

    def __init__(self, packtool, words, folder):
        self.process, self.shown = None, b""
        child, self.end = pty.fork()
        if child == 0:
            os.chdir(folder)
            os.environ["TERM"] = "xterm"
            os.execv(packtool, [packtool, *words])
        self.process = child

    def read(self, seconds=60):
        """Reads until a prompt; False at the end of the program."""
        last, deadline = b"", time.monotonic() + seconds
        while time.monotonic() < deadline:
            if select.select([self.end], [], [], 0.2)[0]:
                try:
                    piece = os.read(self.end, 65536)
                except OSError:
                    return False
                if not piece:
                    return False
                last += piece
                self.shown += piece
            elif PROMPT.search(last):
                return True
        raise AssertionError(f"no prompt and no end: {self.shown!r}")

    def type(self, text):
        os.write(self.end, text)

    def status(self):
        """The exit code, or the negative number of a signal."""
        return os.waitstatus_to_exitcode(os.waitpid(self.process, 0)[1])


def build(folder, root):
    (folder / "dist").mkdir()
    (folder / "dist/index.html").write_text(PAGE.format(root=root))
    (folder / "dist/a.js").write_text(SCRIPT)


def answer(packtool, folder, answers):
    terminal, left = Terminal(packtool, INIT, folder), list(answers)
    while terminal.read():
        assert left, f"a question without an answer: {terminal.shown.decode(errors='replace')}"
        terminal.type(left.pop(0))
    return terminal, left


def value(settings, key):
    name, last = key.split(".")
    block = settings.get(name)
    return block.get(last) if isinstance(block, dict) else None


def check(packtool, name, answers, api, external, root):
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        build(folder, "/shop/" if "root" in name else "")
        terminal, left = answer(packtool, folder, answers)
        shown = terminal.shown.decode(errors="replace")
        assert terminal.status() == 0 and not left, f"{left} {shown}"
        settings = yaml.safe_load((folder / "packtool.yaml").read_text())
        found = [value(settings, key) for key in ("check.api", "check.external", "profile.root")]
        assert found == [api, external, root], f"{found}\n{shown}"
        # Each question shows its reason with file, line and URL.
        assert re.search(r"error\[js-relative-ajax\]: '/api/users'.*\r\n  --> a.js:1:8", shown), shown
        done = subprocess.run([packtool, "publish", "--to", "cdn"], cwd=folder, capture_output=True,
                              text=True)
        passes = api == [API, "/auth/"] and external is not None and HOST in external
        assert done.returncode == (0 if passes else 1), done.stderr


def refuses(packtool):
    """The third wrong answer ends the command, and nothing is written."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        build(folder, "")
        terminal, _ = answer(packtool, folder, [b"a\n", b"b\n", b"c\n"])
        assert terminal.status() == 64, terminal.shown
        assert os.listdir(folder) == ["dist"], os.listdir(folder)


def interrupts(packtool, number, text):
    """A signal at each question leaves nothing behind."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        build(folder, "/shop/")
        terminal = Terminal(packtool, INIT, folder)
        for _ in range(number):
            assert terminal.read(), terminal.shown
            terminal.type(b"\n")
        assert terminal.read(), terminal.shown
        if text:
            terminal.type(text)
        else:
            os.kill(terminal.process, signal.SIGTERM)
        assert not terminal.read(), terminal.shown
        assert terminal.status() == (-signal.SIGINT if text else -signal.SIGTERM), terminal.shown
        assert b"interrupted by SIG" in terminal.shown, terminal.shown
        assert os.listdir(folder) == ["dist"], os.listdir(folder)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--packtool", default=ROOT / ".build/release/packtool")
    packtool = str(Path(parser.parse_args().packtool).resolve())
    cases = {name: lambda name=name, case=case: check(packtool, name, *case) for name, case in CASES.items()}
    cases["three wrong answers"] = lambda: refuses(packtool)
    for number in range(3):
        cases[f"Ctrl-C at question {number + 1}"] = lambda number=number: interrupts(packtool, number, CTRL_C)
    cases["Ctrl-C after some letters"] = lambda: interrupts(packtool, 0, b"ye" + CTRL_C)
    cases["SIGTERM at a question"] = lambda: interrupts(packtool, 1, b"")
    failed = 0
    for name, case in cases.items():
        try:
            case()
            print(f"ok    {name}")
        except AssertionError as error:
            failed += 1
            print(f"FAIL  {name}: {error}")
    print(f"{len(cases) - failed} of {len(cases)} cases")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
