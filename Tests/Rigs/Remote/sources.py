#!/usr/bin/env python3
"""The addresses accepted by each command: tests every cell of the table in docs/guide/origin.md.

One origin is accessed as a directory, a bucket (a strict store) and a web server ('packtool serve').
Supported kinds give the same answer; unsupported ones are refused with exit code 64 and a next step.
"""

import argparse
import asyncio
import json
import os
import pathlib
import re
import shutil
import sys
import tempfile

import bucket as store
from bucket import Bucket
from common import contents, ended

ROOT = pathlib.Path(__file__).resolve().parents[3]
TOOL = os.environ.get("PACKTOOL", str(ROOT / ".build/debug/packtool"))
KINDS = ["build", "package", "installation", "`info.json`", "directory", "`s3://`", "`https://`"]
INFO, DIRECTORY, BUCKET, WEB = KINDS[3:]
ORIGINS = [DIRECTORY, BUCKET, WEB]
REMOTE = [BUCKET, WEB]

# The command line of each row; X is the input, and output is written to the folder of the run.
LINES = {
    "hash": "hash X",
    "manifest": "manifest X --app shop --base-url https://cdn.example.com/shop",
    "package": "package X -o FOLDER/a.zip",
    "publish": "publish X --to FOLDER/new --app shop --base-url https://cdn.example.com/shop --no-check",
    "check": "check X",
    "apply": "apply X update.zip -o FOLDER/now",
    "check --against": "check dist --against X",
    "diff": "diff X dist",
    "diff (new)": "diff dist X",
    "simulate": "simulate X dist --client path-strict",
    "simulate (new)": "simulate dist X --client path-strict",
    "report": "report X dist -o FOLDER/r.html",
    "report (new)": "report X -o FOLDER/r.html",
    "delta": "delta X dist -o FOLDER/d.zip",
    "delta --at": "delta --from 1.0 --at X dist -o FOLDER/d.zip",
    "install": "install X --into FOLDER/phone --device a",
    "embed": "embed X -o FOLDER/app --no-pin",
    "verify": "verify X",
    "status": "status X",
    "history": "history X",
    "pause": "pause X --dry-run",
}


def table() -> dict[str, list[bool]]:
    """The rows of the guide's table; a command with two releases has one for the old and one for the new."""
    rows = {}
    for line in (ROOT / "docs/guide/origin.md").read_text().splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if cells[1:] == KINDS:
            rows = {"": []}
        elif rows and len(cells) == len(KINDS) + 1 and set(cells[1:]) <= {"yes", "–"}:
            for name, which in re.findall(r"`([^`]+)`(?: \((old|new|both)\))?", cells[0]):
                for end in {"new": [" (new)"], "both": ["", " (new)"]}.get(which, [""]):
                    rows[name + end] = [cell == "yes" for cell in cells[1:]]
    return {name: row for name, row in rows.items() if name}


def settled(text: str, place: str) -> str:
    """A run's output without variable parts: the address, notes and times."""
    text = re.sub(r'"notes": \[[^]]*\]|^note: .*$', "", text, flags=re.MULTILINE)
    text = re.sub(r'"(seconds|fetched)": [0-9.]+', "", text)
    text = re.sub(r'"fetches": \{[^}]*\}', "", text)
    return re.sub(r"\d{4}-\d\d-\d\dT[\d:]{8}Z", "TIME", text.replace(f'"{place}"', '"X"'))


async def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--short", action="store_true", help="origins only")
    options = parser.parse_args()
    failures: list[str] = []
    runs = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        async with Bucket() as shop:
            environment = {
                "PATH": os.environ["PATH"], "HOME": name, "TMPDIR": name, "AWS_ACCESS_KEY_ID": store.KEY,
                "AWS_SECRET_ACCESS_KEY": store.SECRET, "AWS_REGION": store.REGION,
                "AWS_ENDPOINT_URL_S3": shop.url, "PACKTOOL_JOBS": "2",
            }  # fmt: skip

            async def run(*words: str) -> tuple[int, str]:
                process = await asyncio.create_subprocess_exec(
                    TOOL, *words, cwd=name, env=environment, stdin=asyncio.subprocess.DEVNULL,
                    stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT,
                )  # fmt: skip
                status, text = await ended(process)
                if store.SECRET in text or "Signature=" in text:
                    failures.append(f"{words}: the output has a secret")
                return status, text

            async def must(line: str) -> None:
                status, text = await run(*line.split())
                assert status == 0, f"{line}: {text}"

            for build, text in (("before", "one"), ("dist", "two")):
                (folder / build).mkdir()
                (folder / build / "index.html").write_text(f"<!doctype html><title>Shop</title>{text}")
                (folder / build / "a.js").write_text(f"// {text}\n" + "let a = 1;\n" * 200)
            shutil.copy(folder / "before/a.js", folder / "before/gone.js")
            identity = "--app shop --base-url https://cdn.example.com/shop --no-check --quiet --label"
            for origin in ("cdn", "s3://shop/app"):
                # The newest release is the old build, so that it differs from 'dist'.
                await must(f"publish dist --to {origin} {identity} 0.9")
                await must(f"publish before --to {origin} {identity} 1.0")
            await must("package before -o before.zip --quiet")
            await must(
                "manifest before -o info.json --app shop --base-url https://cdn.example.com/shop --quiet"
            )
            await must("delta before dist -o update.zip --quiet")
            await must("install cdn --into phone --quiet")
            server = await asyncio.create_subprocess_exec(
                TOOL, "serve", "cdn", "--listen", "127.0.0.1:0", "--json", cwd=name, env=environment,
                stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL,
            )  # fmt: skip
            assert server.stdout
            said = (await server.stdout.readuntil(b"}")).decode()
            places = dict(
                zip(KINDS, ["before", "before.zip", "phone", "info.json", "cdn", "s3://shop/app",
                            json.loads(said)["address"]], strict=True)
            )  # fmt: skip

            async def one(number: int, line: str, place: str, *more: str) -> tuple[int, str]:
                own = folder / f"run{number}"
                own.mkdir()
                words = line.replace("FOLDER", str(own)).split()
                status, text = await run(*[place if word == "X" else word for word in words], *more)
                for path, body in contents(own).items():
                    if path.endswith(".zip"):
                        text += f"{len(body)} bytes"
                return status, text.replace(str(own), "FOLDER")

            rows = table()
            if set(rows) != set(LINES):
                failures.append(f"the guide's table and this rig differ: {set(rows) ^ set(LINES)}")
            for row, line in LINES.items():
                answers: dict[str, tuple[int, str]] = {}
                for kind, works in zip(KINDS, rows.get(row, []), strict=False):
                    if options.short and kind not in ORIGINS:
                        continue
                    # A directory is accepted as a build, regardless of its content.
                    if kind == DIRECTORY and rows[row][0] and not works:
                        continue
                    runs += 1
                    more = ["--build", "before"] if row == "verify" and kind == INFO else []
                    status, text = await one(runs, line, places[kind], "--json", *more)
                    if works and (status not in (0, 1) or '"error"' in text):
                        failures.append(f"{row} {kind}: exit {status}: {text[-600:]}")
                    if not works and (status == 0 or '"help"' not in text):
                        failures.append(f"{row} {kind} is not refused: exit {status}: {text[-600:]}")
                    if not works and kind in REMOTE and status != 64:
                        failures.append(f"{row} {kind}: exit {status}, not 64: {text[-600:]}")
                    if works and kind in ORIGINS:
                        answers[kind] = status, settled(text, places[kind])
                # The verification of a web server has other output than that of a directory.
                if row not in ("verify", "report", "report (new)") and len(answers) > 1:
                    first, *rest = answers.values()
                    for other in rest:
                        if other != first:
                            failures.append(f"{row}: {first}\n  is not {other}")
            # A release by its name, from each kind of origin: version 1.0 is 'before', 0.9 is 'dist'.
            for kind in ORIGINS:
                for release, changed in (("@0.9", 0), ("@1.0", 1)):
                    # Without a path, the text before the '@' would be a user name.
                    slash = "/" if kind == WEB else ""
                    status, text = await run("diff", places[kind] + slash + release, "dist", "--json")
                    value = json.loads(text) if status == 0 else {}
                    if status != 0 or bool(value.get("changed")) != bool(changed):
                        failures.append(f"diff {kind}{release}: exit {status}: {text[-400:]}")
                status, text = await run("diff", f"{places[kind]}{slash}@7", "dist")
                if status != 2 or "'7'" not in text or "help:" not in text:
                    failures.append(f"diff {kind}@7: exit {status}: {text[-400:]}")
            # Pinned in the bucket by 'embed'.
            status, text = await run("embed", "s3://shop/app", "-o", "app", "--json")
            if status != 0 or not any("/pins/" in key for key in shop.files()):
                failures.append(f"embed pins: exit {status}: {text[-400:]} {sorted(shop.files())}")
            # 'serve' of a bucket, and of a web server.
            for kind in REMOTE:
                proxy = await asyncio.create_subprocess_exec(
                    TOOL, "serve", places[kind], "--listen", "127.0.0.1:0", "--json", cwd=name,
                    env=environment, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL,
                )  # fmt: skip
                assert proxy.stdout
                address = json.loads((await proxy.stdout.readuntil(b"}")).decode())["address"]
                phone = f"phone-{KINDS.index(kind)}"
                status, text = await run("install", address, "--into", phone)
                if status != 0 or contents(folder / phone / "current") != contents(folder / "before"):
                    failures.append(f"serve {kind}: exit {status}: {text[-400:]}")
                proxy.terminate()
                if await proxy.wait() != 0:
                    failures.append(f"serve {kind} ends with {proxy.returncode}")
                for flag in ("--watch", "--page"):
                    status, text = await run("serve", places[kind], flag)
                    if status != 64 or "help:" not in text:
                        failures.append(f"serve {kind} {flag}: exit {status}: {text[-400:]}")
            server.terminate()
            await server.wait()
            failures.extend(f"the store refused a request: {problem}" for problem in shop.refused)
    result = "FAILED" if failures else "ok"
    print(f"{result}  {runs} runs: {len(LINES)} commands, {len(KINDS)} kinds of address")
    print("\n".join(failures))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
