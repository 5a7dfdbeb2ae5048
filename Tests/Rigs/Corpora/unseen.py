#!/usr/bin/env python3
"""Checks builds that were not used while the rules were written, and writes Benchmarks/UNSEEN.md.

    unseen.py [--packtool FILE] [--corpus FOLDER] [--write]

The builds are those in unseen.txt, as shipped in their wheels. Like a new user, it runs 'packtool init', sets
the proposed root, then runs 'packtool check' with these settings. Every error has a verdict below, based on
reading the code; exits with 1 if one has none, or if a verdict has no error any more.
"""

import argparse
import collections
import concurrent.futures
import json
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "Benchmarks"))

import trees

PAGE = ROOT / "Benchmarks/UNSEEN.md"
SERVER = "its server fills in a template"
# Project, rule -> the defect.
JUDGEMENTS = {
    ("apache-airflow-core", "js-dynamic-import"): "a module that the bundler did not copy",
    ("apache-airflow-core", "unresolved-placeholder"): SERVER,
    ("apache-airflow-core", "root-mismatch"): "its server serves the build below `/static/`",
    ("autogenstudio", "directory-url"): "links to `/build/`, for which a handler needs index files",
    ("chainlit", "mime-unknown"): "a module worker in an `.mjs` file, for which iOS has no type",
    ("chainlit", "external-subresource"): "a style sheet of another host",
    ("comfyui-frontend-package", "css-missing-file"): "fonts and pictures that the wheel lacks",
    ("comfyui-frontend-package", "js-relative-ajax"): "requests to its server",
    ("comfyui-frontend-package", "missing-file"): "style sheets that its server makes",
    ("feast", "js-relative-ajax"): "requests to its server",
    ("fiftyone", "mime-unknown"): "modules in `.mjs` files, for which iOS has no type",
    ("flet-web", "mime-unknown"): "modules in `.mjs` files, for which iOS has no type",
    ("gradio", "unresolved-placeholder"): SERVER,
    ("kedro-viz", "js-relative-ajax"): "requests to its server",
    ("kedro-viz", "unresolved-placeholder"): SERVER,
    ("label-studio", "js-relative-ajax"): "requests to its server",
    ("label-studio", "css-missing-file"): "fonts that its server has elsewhere",
    ("litellm", "js-relative-ajax"): "requests to its server",
    ("litellm", "directory-url"): "a link to `/ui/`, for which a handler needs index files",
    ("litellm", "missing-file"): "a picture that its server makes",
    ("mopidy-iris", "root-mismatch"): "its server serves the build below `/iris/`",
    ("mopidy-iris", "js-relative-ajax"): "a module of Emscripten that the wheel lacks",
    ("sematic", "js-relative-ajax"): "requests to its server",
    # The second time.
    ("aqt", "mime-unknown"): "modules in `.mjs` files, for which iOS has no type",
    ("doccano", "js-relative-ajax"): "requests to its server",
    ("flexget", "unresolved-placeholder"): SERVER,
    ("khoj", "js-relative-ajax"): "requests to its server",
    ("khoj", "directory-url"): "a link to `/`, for which a handler needs index files",
    ("mage-ai", "css-missing-file"): "fonts whose names have another ending in the wheel",
    ("mopidy-muse", "directory-url"): "a link to `./`, for which a handler needs index files",
    ("mopidy-muse", "js-relative-ajax"): "requests to its server",
    ("mopidy-musicbox-webclient", "directory-url"): "links to its server, and to examples of jQuery Mobile",
    ("mopidy-musicbox-webclient", "js-relative-ajax"): "requests to its server",
    ("mopidy-musicbox-webclient", "meta-refresh-target"): "examples of jQuery Mobile that the wheel lacks",
    ("mopidy-musicbox-webclient", "missing-file"): "files of these examples",
    ("nautobot", "directory-url"): "links to `.`, for which a handler needs index files",
    ("nautobot", "unresolved-placeholder"): "partial templates that the site ships as pages",
    ("nautobot", "nav-target-missing"): "links to `...` in an example that was not escaped",
    ("pixano", "js-relative-ajax"): "requests to its server",
    ("viztracer", "js-relative-ajax"): "requests to its server",
    ("xinference", "directory-url"): "a link to `/`, for which a handler needs index files",
    # The third time.
    ("chainforge", "js-relative-ajax"): "requests to its server",
    ("chainforge", "mime-unknown"): "a module in an `.mjs` file, for which iOS has no type",
    ("dbt-core", "protocol-relative-third-party"): "a script of another host, for its statistics",
    ("latentscope", "js-relative-ajax"): "requests to its server",
    ("luigi", "css-missing-file"): "fonts and a picture of Bootstrap and AdminLTE that the wheel lacks",
    ("mitmproxy", "missing-file"): "a style sheet that the bundler left in the page",
    ("mopidy-mobile", "unresolved-placeholder"): SERVER,
    ("playwright", "css-missing-file"): "the page that is served at the root",
    ("playwright", "js-chunk-missing"): "the page that is served at the root",
    ("playwright", "missing-file"): "the page that is served at the root",
    ("tensorhive", "css-missing-file"): "fonts and a picture of Bootstrap and AdminLTE that the wheel lacks",
    ("writer", "js-relative-ajax"): "requests to its server",
    ("writer", "mime-unknown"): "a module worker in an `.mjs` file, for which iOS has no type",
}


def run(packtool, *words, folder):
    return subprocess.run([packtool, *map(str, words)], cwd=folder, capture_output=True, text=True,
                          stdin=subprocess.DEVNULL)


def findings(packtool, build):
    """The findings of a build with the settings written by init, and these settings."""
    with tempfile.TemporaryDirectory() as folder:
        init = run(packtool, "init", "--json", "--app", "app", "--base-url", "https://cdn.example.com/app",
                   build, folder=folder)
        if init.returncode:
            raise SystemExit(f"init {build}: {init.stderr}")
        # Other proposed settings would end the errors that are counted here.
        for root in json.loads(init.stdout)["proposed"].get("profile.root", []):
            with open(Path(folder, "packtool.yaml"), "a", encoding="utf-8") as file:
                file.write(f"profile.root: {root}\n")
        done = run(packtool, "check", build, "--hints", "--json", folder=folder)
        if done.returncode not in (0, 1):
            raise SystemExit(f"check {build}: {done.stderr}")
        return json.loads(done.stdout)["findings"], json.loads(init.stdout)


def row(corpus, found, init):
    counts = collections.Counter(f["severity"] for f in found)
    errors = collections.Counter(f["rule"] for f in found if f["severity"] == "error")
    told = "; ".join(f"{number} × {rule}: {JUDGEMENTS.get((corpus.name, rule), '**no judgement**')}"
                     for rule, number in errors.items())
    return (f"| {corpus.name} {corpus.version} | {init.get('bundler') or '–'} | {counts['error']} "
            f"| {counts['warning']} | {counts['hint']} | {told or '–'} |")


def main():
    parser = argparse.ArgumentParser(description="Checks builds that nobody looked at before.")
    parser.add_argument("--packtool", type=Path, default=ROOT / ".build/release/packtool")
    parser.add_argument("--corpus", type=Path, default=trees.default_corpus_directory())
    parser.add_argument("--write", action="store_true", help="write Benchmarks/UNSEEN.md, else print it")
    arguments = parser.parse_args()
    packtool = str(arguments.packtool.absolute())
    corpora = trees.read_corpora(Path(__file__).with_name("unseen.txt"))
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        told = list(pool.map(
            lambda c: findings(packtool, (arguments.corpus / c.name / c.version).absolute()), corpora))
    rows = [row(corpus, *found) for corpus, found in zip(corpora, told)]
    errors = {(corpus.name, f["rule"]) for corpus, (found, _) in zip(corpora, told)
              for f in found if f["severity"] == "error"}
    false = sum(f["severity"] == "error" and "false" in JUDGEMENTS.get((corpus.name, f["rule"]), "")
                for corpus, (found, _) in zip(corpora, told) for f in found)
    total = sum(f["severity"] == "error" for found, _ in told for f in found)
    text = Path(__file__).with_name("unseen.md").read_text().format(
        rows="\n".join(rows), builds=len(corpora), errors=total, false=false)
    if arguments.write:
        PAGE.write_text(text)
    else:
        print(text)
    for project, rule in sorted(errors - set(JUDGEMENTS)):
        print(f"error: {project} has an error of {rule} that nobody judged", file=sys.stderr)
    for project, rule in sorted(set(JUDGEMENTS) - errors):
        print(f"error: {project} has no error of {rule} any more; remove its judgement", file=sys.stderr)
    return 1 if errors != set(JUDGEMENTS) else 0


if __name__ == "__main__":
    sys.exit(main())
