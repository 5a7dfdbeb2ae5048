#!/usr/bin/env python3
"""Build the shop: esbuild for scripts and styles, a few lines of Python for the pages.

    ./build.py [--out DIR] [VERSION...]        DIR is dist, VERSION is 1.0.0 and 1.1.0

esbuild hashes everything that scripts and styles name; its metafile tells us the new names, and
the pages are written with them. Nothing here depends on time, user or directory: the same source
and the same esbuild give the same bytes.
"""
import argparse
import base64
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
VERSIONS = ["1.0.0", "1.1.0"]


def fail(message):
    sys.exit(f"error: {message}")


def source_tree(version, work):
    """src/ is 1.0.0. A later version is src/ plus new files (versions/V/) plus changed lines (V.patch)."""
    shutil.copytree(HERE / "src", work)
    patch = HERE / "versions" / f"{version}.patch"
    if version == VERSIONS[0]:
        return
    if not patch.exists():
        fail(f"no such version: {version} (known: {', '.join(VERSIONS)})")
    shutil.copytree(HERE / "versions" / version, work, dirs_exist_ok=True)
    if not shutil.which("patch"):
        fail("the program 'patch' is missing (apt-get install patch)")
    # --fuzz=0: a patch that only nearly fits must stop the build, not guess.
    subprocess.run(["patch", "-p1", "--fuzz=0", "--quiet", "--no-backup-if-mismatch", "-E", "-i", patch],
                   cwd=work, check=True)


def bundle(work, out):
    """Run esbuild in work; return {source path: output path}, {script: [scripts it imports]}."""
    entries = sorted(p.name for p in work.glob("*.ts") if not p.name.endswith(".d.ts"))
    entries += sorted(f"styles/{p.name}" for p in work.glob("styles/*.css") if p.name != "tokens.css")
    meta_file = work / "meta.json"
    # Run inside the tree, so that no absolute path gets near a hash.
    subprocess.run(
        [
            "esbuild",
            *entries,
            "--bundle",
            "--splitting",
            "--format=esm",
            "--minify",
            "--target=es2020,safari14",
            "--charset=utf8",
            "--legal-comments=none",
            "--log-level=warning",
            f"--outdir={out}",
            f"--metafile={meta_file}",
            "--entry-names=assets/[name].[hash]",
            "--chunk-names=assets/[name].[hash]",
            "--asset-names=assets/[name].[hash]",
            "--loader:.woff2=file",
            "--loader:.png=file",
            "--loader:.svg=file",
            "--loader:.data.json=file",
        ],
        cwd=work,
        check=True,
    )
    names, imports = {}, {}
    for path, output in json.loads(meta_file.read_text())["outputs"].items():
        name = "assets/" + Path(path).name
        if output.get("entryPoint"):
            names[output["entryPoint"]] = name
        elif not name.endswith(".js"):  # a picture or font: exactly one source
            names[next(iter(output["inputs"]))] = name
        imports[name] = ["assets/" + Path(i["path"]).name for i in output.get("imports", [])
                         if i["kind"] == "import-statement"]
    return names, imports


def hashed_copy(work, out, source, names):
    """A file that only pages name: give it the same kind of name that esbuild gives to its own."""
    data = (work / source).read_bytes()
    digest = base64.b32encode(hashlib.sha256(data).digest())[:8].decode()
    stem, dot, end = Path(source).name.partition(".")
    names[source] = f"assets/{stem}.{digest}{dot}{end}"
    (out / names[source]).write_bytes(data)


def page(work, out, path, layout, names, imports):
    up = "../" * path.count("/") or "./"
    text = (work / path).read_text()
    head = dict(re.findall(r"<!-- (\w+): (.*) -->\n", text))
    main = re.sub(r"<!-- \w+: .* -->\n", "", text).rstrip("\n")
    head.update(main=main, up=up, path="" if path == "index.html" else path)
    html = re.sub(r"\{\{(\w+)\}\}", lambda m: head[m[1]], layout)
    html = re.sub(r' data-nav="(\w+)"', lambda m: ' aria-current="page"' if m[1] == head["nav"] else "", html)

    def renamed(reference):
        if not reference.startswith(("./", "../")) or reference.endswith(".html"):
            return reference
        source = os.path.normpath(os.path.join(os.path.dirname(path), reference))
        if (work / "public" / source).is_file():
            return reference  # copied as it is
        if not (work / source).is_file():
            fail(f"{path} names {reference}, which does not exist")
        if source not in names:
            hashed_copy(work, out, source, names)
        return up + names[source]

    def attribute(m):
        if m[1] == "srcset":
            value = ", ".join(" ".join([renamed(c.split()[0]), *c.split()[1:]]) for c in m[2].split(","))
        else:
            value = renamed(m[2])
        return f'{m[1]}="{value}"'

    html = re.sub(r'\b(src|href|srcset)="([^"]*)"', attribute, html)
    # Chunks that the page's script imports at once: ask for them early, not one after the other.
    chunks = imports[names[head["script"] + ".ts"]]
    hints = "".join(f'  <link rel="modulepreload" href="{up}{c}">\n' for c in chunks)
    html = html.replace('  <script type="module"', hints + '  <script type="module"', 1)
    (out / path).parent.mkdir(parents=True, exist_ok=True)
    (out / path).write_text(html)


def build(version, out):
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    with tempfile.TemporaryDirectory() as temporary:
        work = Path(temporary).resolve() / "shop"
        source_tree(version, work)
        # esbuild writes inside the tree as well: then its metafile holds short relative paths.
        names, imports = bundle(work, "out")
        shutil.copytree(work / "out", out, dirs_exist_ok=True)
        layout = (work / "layout.html").read_text()
        for path in ["index.html", *sorted(f"pages/{p.name}" for p in work.glob("pages/*.html"))]:
            page(work, out, path, layout, names, imports)
        shutil.copytree(work / "public", out, dirs_exist_ok=True)
        # The fonts' licence asks to travel with the fonts.
        shutil.copy(work / "fonts" / "fonts-OFL.txt", out / "assets" / "fonts-OFL.txt")
    for p in [out, *out.rglob("*")]:
        p.chmod(0o755 if p.is_dir() else 0o644)
    files = [p for p in out.rglob("*") if p.is_file()]
    print(f"{version}: {len(files)} files, {sum(p.stat().st_size for p in files)} bytes")


def main():
    parser = argparse.ArgumentParser(description="Build the example shop.")
    parser.add_argument("--out", type=Path, default=HERE / "dist")
    parser.add_argument("version", nargs="*", default=VERSIONS)
    options = parser.parse_args()
    if not shutil.which("esbuild"):
        fail("esbuild is missing (apt-get install esbuild)")
    wanted = (HERE / "esbuild.version").read_text().strip()
    found = subprocess.run(["esbuild", "--version"], capture_output=True, text=True).stdout.strip()
    if found != wanted:
        print(
            f"build.py: warning: esbuild is {found}, dist/ was made with {wanted}: names will differ",
            file=sys.stderr,
        )
    for version in options.version:
        build(version, options.out.resolve() / version)


if __name__ == "__main__":
    main()
