#!/usr/bin/env python3
"""Writes the man pages from the definitions of the commands: packtool.1, and one page for each command.

  Scripts/man-pages.py PACKTOOL DIRECTORY

The options of a command come from the program itself (packtool --experimental-dump-help). The facts that
the program cannot print, such as exit codes and files, are the tables below. A command that is missing
there is an error, so that no page is published without them.
SOURCE_DATE_EPOCH sets the date of the pages.
"""
import datetime
import json
import os
import pathlib
import re
import subprocess
import sys
import textwrap

VERSION_OF_FORMAT = 0

EXIT = {
    "0": "The command did what it was asked to do.",
    "1": "There are findings, or something did not verify.",
    "2": "The command could not do it: a file is missing, unreadable or refused, or the disk is full. "
         "The line that starts with 'help:' says what to do.",
    "3": "Another publisher was at work on the same channel. Run the command again.",
    "64": "The command line or the configuration file is wrong.",
}
# Commands with a more exact text than 'findings, or something did not verify'.
EXIT_1 = {
    "apply": "The base or the delta does not verify. Nothing was written.",
    "check": "There is an error, or there are more warnings than --max-warnings allows.",
    "delta": "A release or the delta does not verify.",
    "explain": "The device would not update.",
    "keys": "A signature is missing or wrong, or the root cannot follow the one before it.",
    "install": "Something at the origin does not verify. The installed release is unchanged.",
    "package": "A package that was given does not verify.",
    "promote": "A file of the release does not verify. Clients still see the release before.",
    "publish": "The check found errors, or something did not verify. Clients still see the release before.",
    "report": "A release does not verify, or --findings found an error or more warnings than "
              "check.max-warnings allows.",
    "rollback": "A file of the release does not verify. Clients still see the release before.",
    "simulate": "The device would serve something else than was published.",
    "status": "A channel has no pointer that can be used.",
    "verify": "The origin is damaged, or the manifest does not describe the build.",
}
ENVIRONMENT = {
    "PACKTOOL_JOBS": "How many files are processed at a time, from 1 to 256. "
                     "The default is the number of processors.",
    "PACKTOOL_PASSPHRASE": "The passphrase of encrypted keys. "
                           "The programs that packtool starts do not get it.",
    "SOURCE_DATE_EPOCH": "The time of the run, in seconds since 1970. "
                         "It replaces the clock in what is written.",
    "PACKTOOL_CLOCK": "The time, in seconds since 1970, by which is judged what has expired. "
                      "It is for tests; the default is the clock.",
    "PACKTOOL_HTTP_TIMEOUT": "Seconds, from 1 to 3600, that a connection may take or be slower than 1 KiB/s. "
                             "The default is 10 for connecting and 30 after that. "
                             "For serve: the time for a request's head, 30 by default.",
    "SSL_CERT_FILE": "Certificates to trust instead of the system's, as PEM.",
    "DISPLAY": "The display of the window.",
    "TMPDIR": "Where temporary files are written. The default is /tmp.",
    "PACKTOOL_CACHE": "The directory for caches, which can be deleted at any time. "
                      "The default is packtool in XDG_CACHE_HOME or ~/.cache.",
    "NO_COLOR": "If it is set, text and progress on a terminal have no colours.",
    "CLICOLOR_FORCE": "If it is set and not 0, text has colours although it goes to no terminal.",
    "COLUMNS": "The width to which excerpts are cut. The default is that of the terminal.",
}
FILES = {
    "packtool.yaml": "The configuration file, in the current directory or where --config says. "
                     "Its keys have the names of the flags, and a flag wins over its key.",
    "packtool.schema.json": "The JSON schema of the configuration file, for editors.",
    "info.json": "The manifest of a release: its version and every file with URL, size and hash.",
    "channels/CHANNEL/pointer.json": "At an origin: says which release of the channel is current.",
    "releases/VERSION/": "At an origin: manifest, package and deltas of a release. They never change.",
    "root/VERSION.json": "At an origin: a trust root, which says whose signatures count. It never changes.",
    "objects/": "At an origin: every file of every release, by content. They never change.",
    ".packtool/": "At an origin: the lock and unfinished work of packtool. Do not serve it.",
    "DIR/current": "In an installation: a link to the installed release.",
    "DIR/state.json": "In an installation: which release is installed and how it arrived.",
}
ORIGIN = ["info.json", "channels/CHANNEL/pointer.json", "releases/VERSION/", "objects/", ".packtool/"]

# Flags that every command takes; commands of commands do not repeat them.
COMMON = {"json", "quiet", "config", "help", "version"}

# For each command: exit codes beside 0, 2 and 64; variables; files; related commands.
COMMANDS = {
    "apply": ("1", ["PACKTOOL_JOBS", "TMPDIR"], [], ["delta", "install"]),
    "channel": ("13", ["PACKTOOL_PASSPHRASE", "SOURCE_DATE_EPOCH"], ORIGIN, ["pause", "prune", "status"]),
    "check": ("1", ["PACKTOOL_JOBS", "TMPDIR", "CLICOLOR_FORCE", "COLUMNS"], [],
              ["rules", "rewrite", "publish"]),
    "delta": ("1", ["PACKTOOL_JOBS", "TMPDIR"], [], ["apply", "diff", "publish"]),
    "diff": ("1", ["PACKTOOL_JOBS"], ["info.json"], ["delta", "simulate"]),
    "embed": ("13", ["PACKTOOL_JOBS", "SOURCE_DATE_EPOCH", "PACKTOOL_HTTP_TIMEOUT", "SSL_CERT_FILE"], ORIGIN,
              ["install", "publish"]),
    "explain": ("1", ["PACKTOOL_CLOCK"], ORIGIN, ["install", "status"]),
    "hash": ("1", ["PACKTOOL_JOBS"], [], ["manifest", "package"]),
    "history": ("", [], ORIGIN, ["status", "rollback"]),
    "init": ("", [], ["packtool.schema.json"], ["schema", "check", "publish"]),
    "install": ("1", ["PACKTOOL_JOBS", "PACKTOOL_CLOCK", "PACKTOOL_HTTP_TIMEOUT", "SSL_CERT_FILE"],
                ["DIR/current", "DIR/state.json"],
                ["publish", "verify"]),
    "keys": ("1", ["PACKTOOL_PASSPHRASE", "SOURCE_DATE_EPOCH", "PACKTOOL_CLOCK"], ["root/VERSION.json"],
             ["publish", "install", "verify"]),
    "manifest": ("1", ["PACKTOOL_JOBS"], ["info.json"], ["hash", "verify"]),
    "open": ("", ["TMPDIR", "DISPLAY"], [], ["check", "serve"]),
    "package": ("1", ["PACKTOOL_JOBS", "TMPDIR"], [], ["hash", "manifest", "publish"]),
    "pause": ("13", ["PACKTOOL_PASSPHRASE", "SOURCE_DATE_EPOCH"], ORIGIN, ["resume", "rollback", "status"]),
    "promote": ("13", ["PACKTOOL_JOBS", "PACKTOOL_PASSPHRASE", "SOURCE_DATE_EPOCH", "TMPDIR"], ORIGIN,
                ["publish", "rollout", "rollback"]),
    "publish": (
        "13", ["PACKTOOL_JOBS", "PACKTOOL_PASSPHRASE", "SOURCE_DATE_EPOCH", "TMPDIR", "PACKTOOL_CACHE"],
        ORIGIN, ["check", "verify", "install"],
    ),
    "prune": ("13", ["PACKTOOL_JOBS"], ORIGIN, ["embed", "rollback", "verify"]),
    "renew": ("13", ["PACKTOOL_PASSPHRASE", "SOURCE_DATE_EPOCH"], ORIGIN, ["publish", "status"]),
    "report": ("1", ["PACKTOOL_JOBS", "TMPDIR"], ["info.json"], ["diff", "check", "delta"]),
    "resume": ("13", ["PACKTOOL_PASSPHRASE", "SOURCE_DATE_EPOCH"], ORIGIN, ["pause", "status"]),
    "rollback": ("13", ["PACKTOOL_JOBS", "PACKTOOL_PASSPHRASE", "SOURCE_DATE_EPOCH"], ORIGIN,
                 ["history", "pause", "rollout"]),
    "rollout": ("13", ["PACKTOOL_PASSPHRASE", "SOURCE_DATE_EPOCH"], ORIGIN,
                ["publish", "promote", "rollback", "status"]),
    "rewrite": ("1", ["PACKTOOL_JOBS"], [], ["check", "publish"]),
    "rules": ("", [], [], ["check"]),
    "schema": ("", [], ["packtool.schema.json"], ["init"]),
    "serve": (
        "", ["PACKTOOL_JOBS", "PACKTOOL_HTTP_TIMEOUT", "SSL_CERT_FILE", "TMPDIR"], ORIGIN,
        ["publish", "install", "verify"],
    ),
    "simulate": ("1", ["PACKTOOL_JOBS"], ["info.json"], ["diff", "install"]),
    "status": ("1", ["PACKTOOL_CLOCK"], ORIGIN, ["history", "explain", "verify"]),
    "verify": (
        "1", ["PACKTOOL_JOBS", "PACKTOOL_CLOCK", "TMPDIR", "PACKTOOL_HTTP_TIMEOUT", "SSL_CERT_FILE"],
        ORIGIN, ["publish", "manifest"]),
}


def text(value):
    """A text as roff prints it: no escapes, and no line that looks like a request."""
    value = value.replace("\\", "\\e").replace("-", "\\-").replace("…", "...")
    value = value.replace("`", "\\(ga").replace("^", "\\(ha").replace("~", "\\(ti")
    return "\n".join("\\&" + line if line[:1] in (".", "'") else line for line in value.split("\n"))


def prose(value):
    """Like text, one sentence a line and at most 80 bytes, as man pages are written."""
    sentences = re.split(r"(?<=[a-z)'][.:]) +(?=[A-Z])", " ".join(value.split()))
    return "\n".join(text(line) for sentence in sentences for line in textwrap.wrap(
        sentence, 70, break_long_words=False, break_on_hyphens=False))


def quoted(value):
    return '"' + text(value).replace('"', "\\(dq") + '"'


def flag(name):
    return ("-" if name["kind"] == "short" else "--") + name["name"]


def of(argument):
    """The arguments and options of a command that people see, each once."""
    return argument.get("shouldDisplay", True)


def synopsis(names, arguments):
    shown = [a for a in arguments if of(a)]
    words = [f".B {' '.join(names)}"]
    optional = False
    for argument in shown:
        if argument["kind"] == "positional":
            continue
        if argument["isOptional"]:
            optional = True
        else:
            words.append(f".B {text(flag(argument['preferredName']))}\n"
                         f".I {text(argument['valueName'])}")
    if optional:
        words.append(".RI [ options ]")
    for argument in shown:
        if argument["kind"] != "positional":
            continue
        dots = " ..." if argument["isRepeating"] else ""
        name = text(argument["valueName"])
        words.append(f".RI [ {name} ]{dots}" if argument["isOptional"] else f".I {name}{dots}")
    return words


def option(argument):
    names = [f"\\fB{text(flag(name))}\\fR" for name in
             sorted(argument["names"], key=lambda name: (name["kind"] != "short", name["name"]))]
    line = ", ".join(names)
    if argument["kind"] == "option":
        line += f" \\fI{text(argument['valueName'])}\\fR"
    about = prose(argument.get("abstract", ""))
    if argument.get("defaultValue"):
        about += f"\nThe default is {text(argument['defaultValue'])}."
    if argument.get("allValues"):
        about += "\n" + prose("One of: " + ", ".join(argument["allValues"]) + ".")
    return [".TP", line, about]


def split(discussion):
    """The discussion of a command: its paragraphs, and its examples with their introductions."""
    paragraphs, caption, examples = [], "", []
    for block in (discussion or "").strip().split("\n\n"):
        if block.startswith("Example"):
            first, *examples = block.split("\n")
            caption = first.removeprefix("Example").strip(" ,:")
        elif not block.startswith(("Exit code", "Exit codes")):
            paragraphs.append(block)
    return paragraphs, caption, [line.strip() for line in examples]


def section(name, lines):
    return [f".SH {name}", *lines] if lines else []


def entries(pairs, style="B"):
    lines = []
    for name, about in pairs:
        lines += [".TP", f".{style} {text(name)}", prose(about)]
    return lines


def page(names, command, version, date):
    name = names[-1]
    title = "-".join(names)
    isTop = len(names) == 1
    if isTop:
        codes, variables, files, related = "13", list(ENVIRONMENT), list(FILES), []
    else:
        if name not in COMMANDS:
            sys.exit(f"error: no facts about 'packtool {name}'\n"
                     f"help: add a line for it to COMMANDS in {pathlib.Path(__file__).name}")
        codes, variables, files, related = COMMANDS[name]
        variables = [*variables, "NO_COLOR"] if variables else []
        files = ["packtool.yaml", *files]
    arguments = [a for a in command.get("arguments", []) if of(a)]
    paragraphs, caption, examples = split(command.get("discussion"))
    abstract = command["abstract"]
    lines = [
        f'.TH {quoted(title.upper())} 1 "{date}" {quoted(version)} "packtool manual"',
        ".nh", ".ad l",
        ".SH NAME",
        f"{text(title)} \\-",
        prose(abstract[0].lower() + abstract[1:].rstrip(".")),
        ".SH SYNOPSIS",
        *(synopsis(names, arguments) if not isTop
          else [".B packtool", ".I command", ".RI [ options ]"]),
        ".SH DESCRIPTION", prose(abstract),
    ]
    for paragraph in paragraphs:
        lines += [".PP", prose(paragraph)]
    if isTop:
        lines += [".SH COMMANDS"]
        for sub in command["subcommands"]:
            if of(sub) and sub["commandName"] != "help":
                lines += [".TP", f".BR packtool\\-{text(sub['commandName'])} (1)", prose(sub["abstract"])]
    positional = [a for a in arguments if a["kind"] == "positional"]
    about = []
    for argument in positional:
        about += [".TP", f".I {text(argument['valueName'])}", prose(argument.get("abstract", ""))]
        values = argument.get("allValues")
        if values:
            about += [prose("One of: " + ", ".join(values) + ".")]
    lines += section("ARGUMENTS", about)
    for sub in [] if isTop else command.get("subcommands", []):
        if of(sub) and sub["commandName"] != "help":
            own = [a for a in sub.get("arguments", []) if of(a)]
            lines += [f".SH {' '.join([*names[1:], sub['commandName']]).upper()}",
                      *synopsis([*names, sub["commandName"]], own), ".PP", prose(sub["abstract"])]
            for paragraph in split(sub.get("discussion"))[0]:
                lines += [".PP", prose(paragraph)]
            lines += [line for a in own if a["kind"] != "positional"
                      and not COMMON.intersection(n["name"] for n in a["names"]) for line in option(a)]
    lines += section("OPTIONS", [line for a in arguments if a["kind"] != "positional" for line in option(a)])
    table = {**EXIT, "1": EXIT_1.get(name, EXIT["1"])}
    lines += section("EXIT STATUS", entries((code, table[code]) for code in EXIT
                                            if code in ("0", "2", "64") or code in codes))
    lines += section("ENVIRONMENT", entries((v, ENVIRONMENT[v]) for v in variables))
    lines += section("FILES", entries(((f, FILES[f]) for f in files), "I"))
    if examples:
        sentence = f"An example, {caption}:" if caption else "For example:"
        lines += section("EXAMPLES", [text(sentence), ".PP", ".RS 4", ".nf",
                                      *map(text, examples), ".fi", ".RE"])
    others = [f"packtool-{r}" for r in related] if not isTop else [
        f"packtool-{s['commandName']}" for s in command["subcommands"]
        if of(s) and s["commandName"] != "help"]
    if not isTop:
        others = ["packtool", *sorted(others)]
    see = [f".BR {text(other)} (1)," for other in others]
    see[-1] = see[-1].rstrip(",")
    return "\n".join(lines + section("SEE ALSO", see)) + "\n"


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    packtool, target = sys.argv[1], pathlib.Path(sys.argv[2])

    def ask(*words):
        return subprocess.run([packtool, *words], check=True, capture_output=True, text=True).stdout

    dump = json.loads(ask("--experimental-dump-help"))
    if dump["serializationVersion"] != VERSION_OF_FORMAT:
        sys.exit(f"error: the help has format {dump['serializationVersion']}; "
                 f"this script reads {VERSION_OF_FORMAT}\nhelp: update Scripts/man-pages.py")
    version = " ".join(ask("--version").split()[:2])
    seconds = os.environ.get("SOURCE_DATE_EPOCH")
    moment = datetime.datetime.fromtimestamp(int(seconds), datetime.UTC) if seconds else \
        datetime.datetime.now(datetime.UTC)
    date = moment.strftime("%Y-%m-%d")
    target.mkdir(parents=True, exist_ok=True)
    top = dump["command"]
    pages = {("packtool",): top}
    for sub in top["subcommands"]:
        if of(sub) and sub["commandName"] != "help":
            pages[("packtool", sub["commandName"])] = sub
    stale = COMMANDS.keys() - {names[-1] for names in pages}
    if stale:
        sys.exit(f"error: no such command: {', '.join(sorted(stale))}\n"
                 "help: remove it from COMMANDS in Scripts/man-pages.py")
    for names, command in pages.items():
        (target / f"{'-'.join(names)}.1").write_text(page(names, command, version, date))
    print(f"man pages: {len(pages)} in {target}")


if __name__ == "__main__":
    main()
