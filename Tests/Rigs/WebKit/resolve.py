#!/usr/bin/env python3
"""Compares `packtool resolve` with clients.py and ../Chromium/android.py, written from the clients' sources.

  resolve.py --packtool BIN

Random URLs for a package with unusual names, in every profile; each answer must name the same file.
"""
import argparse
import json
import os
import random
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../Chromium"))

import android
from clients import SCHEMES, App, client, split

FILES = [
    "index.html", "start.html", "x.js", "a/x.js", "a/b/y.css", "a/index.html", "LICENSE", "a/LICENSE",
    "v1.2/z.js",
    "v1.2/index.html", "cordova.js", "a/cordova.js", "my-cordova.js.txt", "en/logo.png", ".hidden", "a.b.c/d",
    "b c.png", "ä.png", "%41.js", "x.js.map", "dot./e.js", "e.", "A/X.js", "plugins/p/www/p.js", "~t.js",
    "f;g.js",
    "h&i.js", "j=k.js", "l,m.js", "n+o.js", "@p/q.js",
]
PIECES = [
    "a", "b", "x.js", "y.css", "index.html", "LICENSE", "v1.2", "cordova.js", "cordova.js.txt", ".hidden",
    "..", ".",
    "%2e%2e", "%2E", "%2f", "%2Fx.js", "b%20c.png", "b c.png", "%C3%A4.png", "ä.png", "a%CC%88.png",
    "%E4.png",
    "%41.js", "%2541.js", "X.JS", "e.", "d", "a.b.c", "dot.", "x.js.map", "", "start.html", "z.js", "en",
    "logo.png",
    "gone.js", "my-cordova.js.txt", "_capacitor_file_", "_app_file_", "A", "X.js", "plugins", "p", "www",
    "p.js",
    "~t.js", "%7Et.js", "f;g.js", "h&i.js", "j=k.js", "l,m.js", "n+o.js", "@p", "q.js", "x.js ", "x.j s",
    "x.%20js",
    "\\x.js", "|", "%00", "%zz", "%",
]
ENDS = ["", "", "", "/", "//", "?v=1", "?a=/x.js", "#i", "?v=1#/x.js", "/?v=1", "?", "#", "?#", "#?v",
        "?u=https://h/x.js"]
HOSTS = ("h", "h", "localhost", "appassets.androidplatform.net")
# `intercept` has no host of its own.
OWN_HOSTS = ["h", "localhost"]
STARTS = [("cordova", {"launch": "start.html"}), ("capacitor", {"launch": "start.html"})]


def url(scheme, chance):
    path = "/".join(chance.choice(PIECES) for _ in range(chance.choice((1, 1, 2, 2, 3))))
    root = "assets/" if scheme == "https" and chance.random() < 0.3 else ""
    return f"{scheme}://{chance.choice(HOSTS)}/{root}{path}{chance.choice(ENDS)}"


def profiles(packtool):
    """The built-in profiles by packtool's schema, and two with another first page."""
    schema = json.loads(subprocess.run([packtool, "schema"], capture_output=True, check=True).stdout)
    names = schema["properties"]["profile"]["oneOf"][0]["enum"]
    return [(name, {}) for name in names] + STARTS


def scheme_of(profile):
    return "https" if profile in android.CLIENTS else SCHEMES.get(profile, "customscheme")


def app_of(profile, more, build):
    if profile not in android.CLIENTS:
        return App(build, client(profile, **more))
    how = android.client(profile, **more)
    return android.App(build, how, "https", [how.host] if how.host else OWN_HOSTS)


def answers(packtool, build, profile, more, urls):
    command = [packtool, "resolve", build, "--json", "--profile", profile,
               "--scheme", scheme_of(profile)]
    for key, value in more.items():
        command += ["--" + key, value]
    with tempfile.NamedTemporaryFile("w", suffix=".yaml") as config:
        config.write(f"host: {json.dumps(OWN_HOSTS)}\n" if profile == "intercept" else "")
        config.flush()
        run = subprocess.run(command + ["--config", config.name, "--"] + urls, capture_output=True, text=True)
    if not run.stdout:
        raise SystemExit(run.stderr)
    return json.loads(run.stdout)["answers"]


def serialized(url):
    """A URL serialized by the URL standard, as far as needed for the URLs generated here."""
    start, rest = url.strip().split("://", 1)
    if start == "https":
        path = re.split("[?#]", rest, maxsplit=1)[0]
        rest = path.replace("\\", "/") + rest[len(path):]
    host, _, path = rest.partition("/")
    path, fragment = split(path, "#")
    path, query = split(path, "?")
    parts = path.split("/")
    kept = []
    for index, part in enumerate(parts):
        dots = part.lower().replace("%2e", ".")
        if dots == "..":
            kept = kept[:-1]
        elif dots != ".":
            kept.append("".join(
                f"%{byte:02X}" if byte <= 0x20 or byte > 0x7E else chr(byte) for byte in part.encode()))
        if dots in ("..", ".") and index == len(parts) - 1:
            kept.append("")
    query = "" if query is None else "?" + query
    fragment = "" if fragment is None else "#" + fragment
    return f"{start}://{host}/" + "/".join(kept) + query + fragment


def expected(app, url, build):
    """The path of the file, "empty" for an empty answer, or None."""
    if isinstance(app, android.App):
        path = app.find(serialized(url))[0]
        return "empty" if path == os.devnull else path
    path, _, reason = app.find(serialized(url))
    if reason is not None:
        return None
    return "empty" if path == os.devnull else os.path.relpath(path, build)


def ours(answer):
    if answer["outcome"] == "not-a-request" or answer.get("reason") == "reads-directory":
        return "empty"
    return answer.get("path")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--packtool", required=True)
    parser.add_argument("--urls", type=int, default=500, help="for each profile")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    chance, differ, compared = random.Random(options.seed), 0, 0
    with tempfile.TemporaryDirectory() as build:
        for name in FILES:
            os.makedirs(os.path.dirname(os.path.join(build, name)), exist_ok=True)
            with open(os.path.join(build, name), "w") as file:
                file.write(name)
        for profile, more in profiles(options.packtool):
            app = app_of(profile, more, build)
            urls = [url(scheme_of(profile), chance) for _ in range(options.urls)]
            for one, answer in zip(urls, answers(options.packtool, build, profile, more, urls), strict=True):
                compared += 1
                right, found = expected(app, one, build), ours(answer)
                # A flat directory has one of several files of the same name, depending on the update.
                flat = getattr(app.client, "flat", False)
                if flat and os.path.basename(right or "r") == os.path.basename(found or "f"):
                    continue
                # The framework's own answers are not in the package.
                opens = getattr(app.client, "opens", "") == "start-page" or profile == "capacitor-android"
                if opens and "_file_" in one and found == "empty":
                    continue
                if found != right:
                    differ += 1
                    print(f"{profile} {more or ''} {one!r}: {found!r}, and the client {right!r}")
    print(f"{compared} URLs, {differ} that packtool and the clients answer otherwise")
    return 1 if differ else 0


if __name__ == "__main__":
    raise SystemExit(main())
