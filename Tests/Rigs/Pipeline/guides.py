#!/usr/bin/env python3
"""Runs the commands of the guides in order, in a project like the reader's.

  Tests/Rigs/Pipeline/guides.py PACKTOOL

Every fenced block marked 'sh' in docs/guide/pipeline.md is run in three projects, and every indented block in
docs/guide/first-package.md and docs/guide/releases.md in one. Those of findings.md, baselines.md and sizes.md
are run in a project with two releases of the example shop. trust_guides.py runs docs/trust.md and the
sections of releases.md about keys, remote_guides.py runs s3.md and cdn.md.
There is no registry of Node packages here: 'npm run build' is a script that writes a bundler's output.
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from trust_guides import trust_guides

ROOT = pathlib.Path(__file__).resolve().parents[3]
SHOP = ROOT / "examples/storefront/dist"
GUIDES = ROOT / "docs/guide"

PAGE = ('<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>Shop</title>\n{}\n</head>\n'
        '<body>{}</body></html>\n')


def vite(build, number):
    """The output of Vite with base './': module scripts, preloads, hashed names in assets/."""
    (build / "assets").mkdir(parents=True)
    (build / f"assets/index-Bq3{number}aWx1.js").write_text(
        f'document.getElementById("app").textContent="release {number}";\n'
        f'import("./detail-C0{number}dKq2.js").then(m=>m.show());\n')
    (build / f"assets/detail-C0{number}dKq2.js").write_text("export function show(){}\n" + "//\n" * number)
    (build / f"assets/index-D4{number}fPz3.css").write_text(f"body{{margin:{number}px}}\n")
    (build / "index.html").write_text(PAGE.format(
        f'<script type="module" crossorigin src="./assets/index-Bq3{number}aWx1.js"></script>\n'
        f'<link rel="stylesheet" crossorigin href="./assets/index-D4{number}fPz3.css">',
        '<div id="app"></div>'))


def webpack(build, number):
    """The output of webpack with HtmlWebpackPlugin: deferred classic scripts, hashes with dots."""
    build.mkdir(parents=True)
    (build / f"main.{number}f3a9c27d1e05b6a8c4d.js").write_text(
        f'(()=>{{document.body.append("release {number}")}})();\n')
    (build / f"main.{number}07b1d3e5f7a9c2b4d6e.css").write_text(f"body{{margin:{number}px}}\n")
    (build / "index.html").write_text(PAGE.format(
        f'<script defer="defer" src="main.{number}f3a9c27d1e05b6a8c4d.js"></script>'
        f'<link href="main.{number}07b1d3e5f7a9c2b4d6e.css" rel="stylesheet">', ""))


def site(build, number):
    """A multi-page site: the example shop."""
    shutil.copytree(SHOP / ("1.0.0" if number == 1 else "1.1.0"), build)


BUILDERS = {"vite": vite, "webpack": webpack, "site": site}


def fenced(page):
    return re.findall(r"^```sh\n(.*?)^```", page, re.MULTILINE | re.DOTALL)


def indented(page):
    """The indented blocks, outside fences and lists."""
    page = re.sub(r"^```.*?^```", "", page, flags=re.MULTILINE | re.DOTALL)
    return re.findall(r"(?:^    .*\n)+", page, re.MULTILINE)


def run(script, place, tools, **more):
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", script], cwd=place, capture_output=True, text=True, timeout=300,
        env={"PATH": f"{tools}:{os.environ['PATH']}", "HOME": str(place)} | more)
    if done.returncode != 0:
        sys.exit(f"error: a command of a guide failed with exit code {done.returncode}\n"
                 f"{script}\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return done


def pipeline_guide(packtool, work):
    blocks = fenced((GUIDES / "pipeline.md").read_text())
    assert len(blocks) >= 6, "the guide has lost its commands"
    count = 0
    for name, builder in BUILDERS.items():
        place = work / name / "project"
        tools = work / name / "tools"
        place.mkdir(parents=True)
        tools.mkdir()
        (tools / "packtool").symlink_to(packtool)
        releases = work / name / "releases"
        for number in (1, 2):
            builder(releases / str(number), number)
        # The first 'npm run build' gives the first release, every later one the second.
        (tools / "npm").write_text(
            '#!/bin/sh\nset -eu\n[ "$*" = "run build" ]\n'
            'if [ -e dist ]; then number=2; else number=1; fi\nrm -rf dist\n'
            f'cp -R "{releases}/$number" dist\n')
        (tools / "npm").chmod(0o755)
        subprocess.run(["git", "init", "--quiet", str(place)], check=True)
        for block in blocks:
            run(block, place, tools)
            count += sum(1 for line in block.splitlines() if line.strip())
        phone = f"{place.parent}/phone/current/"
        assert subprocess.run(["diff", "-r", releases / "2", phone]).returncode == 0
        staged = subprocess.run(["git", "-C", place, "diff", "--cached", "--name-only"],
                                capture_output=True, text=True).stdout.split()
        wanted = ["info.json", "packtool-baseline.json", "packtool.schema.json", "packtool.yaml"]
        assert staged == wanted, staged
    return count


def first_package(packtool, work):
    page = (GUIDES / "first-package.md").read_text()
    tools = work / "first/tools"
    tools.mkdir(parents=True)
    (tools / "packtool").symlink_to(packtool)
    shutil.copytree(SHOP, work / "first/examples/storefront/dist")
    place, count = work / "first", 0
    for section in re.split(r"^(?=## )", page, flags=re.MULTILINE):
        if section.startswith("## 6."):  # "Build again"
            shutil.rmtree(place / "dist")
            shutil.copytree(SHOP / "1.1.0", place / "dist")
        if section.startswith("## 7."):  # another build for another channel
            (place / "dist/robots.txt").write_text("User-agent: *\n")
        for block in indented(section):
            script = re.sub(r"^    ", "", block, flags=re.MULTILINE)
            run(script, place, tools)
            count += len(script.splitlines())
            if "cd my-project" in script:
                place /= "my-project"
    assert (place.parent / "phone-beta/current/index.html").is_file()
    assert subprocess.run(["diff", "-r", SHOP / "1.1.0", f"{place.parent}/phone/current/"]).returncode == 0
    app = place.parent / "app-resources"
    version = json.loads((app / "state.json").read_text())["current"]
    assert subprocess.run(["diff", "-r", SHOP / "1.1.0", f"{app}/versions/{version}/"]).returncode == 0
    return count


def small_guides(packtool, work):
    """Guides that inspect a build: 'dist', and its successor 'next'."""
    count = 0
    for name in ("findings.md", "baselines.md", "sizes.md"):
        place, tools = work / name / "project", work / name / "tools"
        tools.mkdir(parents=True)
        (tools / "packtool").symlink_to(packtool)
        shutil.copytree(SHOP / "1.0.0", place / "dist")
        shutil.copytree(SHOP / "1.1.0", place / "next")
        # Add a warning, so that there is a finding, and a source map.
        page = next((place / "dist").glob("index.html"))
        page.write_text(page.read_text() + '<a href="http://www.example.org/">x</a>\n')
        (place / "dist/app.js.map").write_text("{}")
        subprocess.run(["git", "init", "--quiet", str(place)], check=True)
        blocks = fenced((GUIDES / name).read_text())
        assert len(blocks) >= 3, f"{name} has lost its commands"
        for block in blocks:
            done = run(block, place, tools)
            assert "report" in block or "git" in block or done.stdout, block
            count += len(block.splitlines())
    return count


def releases(packtool, work):
    page = (GUIDES / "releases.md").read_text()
    page, _ = page.split("## With keys\n")  # trust_guides.py runs the rest
    place, tools = work / "releases/project", work / "releases/tools"
    place.mkdir(parents=True)
    tools.mkdir()
    (tools / "packtool").symlink_to(packtool)
    for number, name in enumerate(("old", "dist", "plugin", "next"), 1):
        vite(place / name, number)
    (place / "packtool.yaml").write_text("app: shop\nbase-url: https://wrong.example/shop\n")
    run("packtool publish old --to cdn --label 1.0 --quiet", place, tools)
    count = 0
    for block in indented(page):
        script = re.sub(r"^    ", "", block, flags=re.MULTILINE)
        if "--min-native 3.2" in script:
            # The canary has become the release of every device.
            status = run("packtool status cdn --json", place, tools).stdout
            assert '"label": "2.0"' in status and '"fallbacks"' not in status
        run(script, place, tools)
        count += len(script.splitlines())
        run("packtool verify cdn --quiet", place, tools)
    assert count >= 15, "the guide has lost its commands"
    done = run("packtool install cdn --into phone && packtool history cdn", place, tools)
    assert "rollback" in done.stdout and "promote" in done.stdout
    return count


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    packtool = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as name:
        work = pathlib.Path(name)
        count = (pipeline_guide(packtool, work) + first_package(packtool, work)
                 + small_guides(packtool, work) + releases(packtool, work)
                 + trust_guides(packtool, work / "trust"))
    print(f"guides: {count} commands ran")


if __name__ == "__main__":
    main()
