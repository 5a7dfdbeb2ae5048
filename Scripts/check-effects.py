#!/usr/bin/env python3
"""Checks that the libraries have no effects of their own: they print nothing, and read no clock, environment
or random numbers. Such values are arguments.

    Scripts/check-effects.py              checks Sources
    Scripts/check-effects.py --self-test  tests the check itself

Package.swift lists the modules of the package that a module may import. This check adds what SwiftPM cannot
hold: the outside modules that each folder may import, and names with effects that need no import.
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

# The outside modules that the files of a folder may import; the longest matching folder counts.
IMPORTS = {
    "PackCore/Archive": {"CArchive", "CFiles", "Dispatch"},
    "PackCore/Check": {"CRulePages"},
    "PackCore/Client": {"libc"},
    "PackCore/Client/Pages": set(),
    "PackCore/Client/WebKit": {"Foundation", "WebKit"},
    "PackCore/Client/URLSession": {"Foundation", "FoundationNetworking"},
    "PackCore/Delta": set(),
    "PackCore/Delta/Codec": set(),
    "PackCore/Engine": set(),
    "PackCore/Feeds": set(),
    "PackCore/Ground": {
        "CFiles", "Crypto", "Foundation", "FoundationEssentials", "libc"},
    "PackCore/Net": {"CArchive"},
    "PackCore/Origin": set(),
    "PackCore/Origin/Store/S3": {"Crypto"},
    "PackCore/Publish": set(),
    "PackCore/Release": set(),
    "PackCore/Serve": set(),
    "PackCore/Trust": set(),
    "PackCore/Trust/Keys": {"CFiles", "Crypto"},
    "PackCore/Trust/Signing": {"CArchive", "Crypto", "CryptoExtras", "libc"},
    "PackCore/Verify": set(),
    "PackCore/Web": set(),
    "PackCore/Zip": {"CFiles"},
    "PackTool/Report": set(),
    "PackTool/Settings": {"CArchive"},
}

# Names with effects, and what a library does instead.
EFFECTS = {
    r"(?<![\w.])(?:print|debugPrint|dump|readLine)\(": "return a value; the command line prints",
    r"(?<![\w.])(?:getenv|setenv|unsetenv|exit|_exit|fatalError)\(": "take an argument, or throw an error",
    r"\b(?:ContinuousClock|SuspendingClock|ProcessInfo|CommandLine|FileManager|FileHandle|URLSession"
    r"|UserDefaults|DateFormatter|NSLog)\b": "take the value as an argument",
    r"(?<![\w.\"])Date(?:\(\)|\.now)"
    r"|(?<![\w.])(?:time|clock_gettime|gettimeofday|localtime)\((?:nil|CLOCK|&)":
        "take `now` or a clock as an argument",
    r"\.(?:random\(in|shuffled\(|randomElement\()|\bSystemRandomNumberGenerator\b":
        "take random numbers as an argument",
    r"\bTask\.(?:sleep|detached)\b": "let the transport or the command line wait",
    r"\btry!|\bas! |@_silgen_name|@_extern": "throw an error",
}

# Lines that may have an effect, by their file.
ALLOWED = {
    # Names of temporary files, which no output depends on.
    "PackCore/Ground/Files/UniqueName.swift":
        r"SystemRandomNumberGenerator|\.random\(in: 0\.\.\.255, using: &generator\)",
    # The library's edge: the clocks of the system, which an app can replace, and the spread of requests.
    "PackCore/Client/API/Conversions.swift": r"\btime\(nil|ContinuousClock",
    "PackCore/Client/API/PackClient.swift": r"\.random\(in",
    # The adapter for WKWebView sends the requests that a core plans, and reads clocks for it.
    "PackCore/Client/WebKit/PageNetwork.swift": r"\bURLSession\b|Date\(\)",
    "PackCore/Client/WebKit/PackReadiness.swift": r"ProcessInfo",
    # The transports' own wait between two attempts.
    "PackCore/Net/CurlTransport.swift": r"Task\.sleep",
    "PackCore/Client/URLSession/Configuration+Directory.swift": r"FileManager",
    "PackCore/Client/URLSession/URLSessionTransport.swift": r"Task\.sleep|\bURLSession\b",
    "PackCore/Client/URLSession/URLSessionEvents.swift": r"\bURLSession\b",
}

IMPORT = re.compile(
    r"^\s*(?:(?:package|public|internal|private|@\w+) )*import (?:struct |class |enum |func )?(\w+)")
STRING = re.compile(r'"(?:[^"\\]|\\.)*"')


def folder(path):
    """The longest folder of the table that a file is in; None for the command line."""
    fitting = [name for name in IMPORTS if path.startswith(name + "/")]
    return max(fitting, key=len, default=None)


def code(text):
    """The lines of a file with their numbers, without comments, strings and text of several lines."""
    quoted = False
    for number, line in enumerate(text.splitlines(), 1):
        was = quoted
        if line.count('"""') % 2:
            quoted = not quoted
        if not was and not quoted and '"""' not in line:
            yield number, STRING.sub('""', line).split("//")[0]


def problems(path, text):
    """What a file below Sources does that its folder may not."""
    name = folder(path)
    if name is None:
        return
    for number, line in code(text):
        if found := IMPORT.match(line):
            module = {"Glibc": "libc", "Darwin": "libc", "Musl": "libc"}.get(found[1], found[1])
            if not module.startswith("Pack") and module not in IMPORTS[name]:
                yield (f"{path}:{number}: {name} may not import {found[1]}",
                       "move the code to a module that may")
        if path in ALLOWED:
            line = re.sub(ALLOWED[path], "", line)
        for pattern, advice in EFFECTS.items():
            if found := re.search(pattern, line):
                yield f"{path}:{number}: '{found[0].strip()}' is an effect", advice


def self_test():
    refused = {
        "PackCore/Release/A.swift": ["import Foundation", "import Glibc", "print(1)", "let x = getenv(name)"],
        "PackCore/Publish/A.swift": [
            "let now = Date()", "let clock = ContinuousClock()", "try await Task.sleep(for: .seconds(1))",
            "exit(1)", "let all = CommandLine.arguments", "let x = Int.random(in: 0..<3)", "let y = try! f()",
            "names.shuffled()", "let z = x as! Int", "package import Crypto", "time(nil)"],
        "PackCore/Web/URL/A.swift": ["import Synchronization", "debugPrint(url)"],
        "PackTool/Settings/A.swift": ["import ArgumentParser"],
    }
    allowed = {
        "PackCore/Release/A.swift": [
            "import PackGround", "// print(1)", 'let text = "print(1)"', "report.print(1)",
            "var date: Date?"],
        "PackCore/Publish/A.swift": [
            "await abort(place, id)", "let now = store.time(clock())"],
        "PackCore/Net/CurlTransport.swift": ["try await Task.sleep(for: .seconds(1))", "import CArchive"],
        "PackTool/Run/Main.swift": ["import Dispatch", "exit(0)"],
    }
    wrong = [f"not refused: {path}: {line}" for path, lines in refused.items() for line in lines
             if not list(problems(path, line))]
    wrong += [f"refused: {path}: {line}" for path, lines in allowed.items() for line in lines
              if list(problems(path, line))]
    print("\n".join(wrong) or "effects: the self-test passes")
    return bool(wrong)


def main():
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    if sys.argv[1:]:
        print(__doc__)
        return 64
    found = [each for path in sorted((ROOT / "Sources").rglob("*.swift"))
             for each in problems(path.relative_to(ROOT / "Sources").as_posix(), path.read_text())]
    for problem, advice in found:
        print(f"error: {problem}\nhelp: {advice}", file=sys.stderr)
    if not found:
        print("effects: none in the libraries")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
