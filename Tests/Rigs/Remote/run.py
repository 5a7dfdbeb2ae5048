#!/usr/bin/env python3
"""Installs over HTTP from a faulty server: every fault at every request, then checks of the invariants.

  run.py [--short]   every fifth pair of fault and request, for make test
  run.py --long      each fault at every request

PACKTOOL_CLIENT is the program that installs and verifies. .build/release/PackToolURLSession has the transport
of apps; its short form has fewer cases and pairs, and no CDNs.

After each run: the complete old or new release is installed, according to this script's own hashes; a second
run without the fault installs the new one; no output contains a secret.
"""

import argparse
import asyncio
import hashlib
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile

import cdn
from cases import CASES, TRANSPORT_CASES
from common import IS_URLSESSION, TOOL, TRAP, ended, invocation
from origin import Fault, Origin

SECRET = "hunter2-geheim"
FAULTS = [
    "refuse",
    "garbage",
    "half-head",
    "cut",
    "stall",
    "mute",
    "drip",
    "chunked",
    "404",
    "kept-404",
    "403",
    "400",
    "408",
    "425",
    "429",
    "500",
    "502",
    "503",
    "504",
    "flip",
    "wrong-cached",
    "short",
    "long",
    "empty",
    "endless",
    "gzip",
    "page",
    "redirect",
    "redirect-loop",
    "redirect-file",
    "no-range",
    "wrong-range",
]


def environment() -> dict[str, str]:
    kept = {k: v for k, v in os.environ.items() if "proxy" not in k.lower() and k != "SSL_CERT_FILE"}
    times = {"SOURCE_DATE_EPOCH": "1795248000", "PACKTOOL_CLOCK": "1795248000"}
    return kept | times | {"PACKTOOL_HTTP_TIMEOUT": "1", "PACKTOOL_JOBS": "1"}


class Lab:
    """Two releases of one app, and the expected trees on a client."""

    def __init__(self, folder: pathlib.Path):
        self.folder = folder
        self.count = 0
        self.faults = 0
        self.cdns = 0
        self.long = False
        self.failures: list[str] = []
        noise = random.Random(1)
        script = "".join(f"let v{i} = {noise.random()};\n" for i in range(60_000))
        self.script = script
        self.builds = [self.build("one", script), self.build("two", script.replace("v77 ", "v78x "))]
        self.cdn = folder / "cdn"
        self.publish("one")
        shutil.copytree(self.cdn, folder / "cdn.old")
        self.publish("two", "--deltas", "3")

    def build(self, name: str, script: str) -> dict[str, str]:
        root = self.folder / name
        (root / "assets").mkdir(parents=True)
        (root / "index.html").write_text(
            f"<!doctype html><title>{name}</title><script src=assets/a.js></script>"
        )
        (root / "assets/a.js").write_text(script)
        (root / "assets/süß +.css").write_text("b{}")
        return tree(root)

    def publish(self, name: str, *more: str, to: pathlib.Path | None = None) -> None:
        done = subprocess.run(
            [
                TOOL,
                "publish",
                str(self.folder / name),
                "--to",
                str(to or self.cdn),
                "--app",
                "shop",
                "--base-url",
                "https://cdn.example.com/shop",
                "--quiet",
                "--no-check",
                *more,
            ],
            capture_output=True,
            text=True,
            env=environment(),
        )
        assert done.returncode == 0, done.stderr

    def phone(self, installed: bool) -> pathlib.Path:
        self.count += 1
        phone = self.folder / f"phone{self.count}"
        if installed:
            shutil.copytree(self.folder / "first-phone", phone, symlinks=True)
        return phone

    async def install(self, url: str, phone: pathlib.Path, *more: str) -> tuple[int, str]:
        process = await asyncio.create_subprocess_exec(
            *invocation("install", url, "--into", str(phone), *more),
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
            env=environment(),
        )
        status, text = await ended(process)
        if SECRET in text:
            self.failures.append(f"the output has the secret: {text}")
        return status, text

    async def verify(self, url: str, now: int, *more: str) -> tuple[int, dict]:
        """The status and the JSON of 'packtool verify'."""
        process = await asyncio.create_subprocess_exec(
            *invocation("verify", url, "--json", *more),
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            env=environment() | {"PACKTOOL_CLOCK": str(now)},
        )
        output, errors = await asyncio.wait_for(process.communicate(), 120)
        if SECRET.encode() in output + errors:
            self.failures.append(f"the output has the secret: {output + errors}")
        try:
            return process.returncode or 0, json.loads(output)
        except ValueError:
            return process.returncode or 0, {"output": (output + errors).decode(errors="replace")}

    def state(self, phone: pathlib.Path) -> int | None:
        """0, 1, …: the completely installed release; None for none; -1 for anything else."""
        if not (phone / "current").exists():
            return None
        found = tree(phone / "current")
        return self.builds.index(found) if found in self.builds else -1

    def expect(self, what: str, condition: bool, text: str = "") -> None:
        if not condition:
            self.failures.append(f"{what}: {text.strip()[:600]}")


def tree(root: pathlib.Path) -> dict[str, str]:
    return {
        str(p.relative_to(root)): hashlib.sha256(p.read_bytes()).hexdigest()
        for p in root.rglob("*")
        if p.is_file()
    }


async def faulty(lab: Lab, fault: Fault, installed: bool, name: str) -> None:
    """One run with a fault, its result, and another run without it."""
    phone = lab.phone(installed)
    lab.faults += 1
    async with Origin(lab.cdn, fault) as origin:
        status, text = await lab.install(origin.url, phone)
        state = lab.state(phone)
        lab.expect(f"{name}: whole", state in ([0, 1] if installed else [None, 1]), text)
        is_trap = IS_URLSESSION and fault.kind == "half-head" and TRAP in text
        lab.expect(
            f"{name}: status",
            is_trap or status in (0, 1, 2) and (status == 0) == (state == 1),
            f"{status} {text}",
        )
        lab.expect(f"{name}: says what next", is_trap or status == 0 or "help:" in text, text)
        lab.expect(f"{name}: bounded", len(origin.log) < 120, f"{len(origin.log)} requests")
        origin.fault = None
        status, text = await lab.install(origin.url, phone)
        lab.expect(f"{name}: again", status == 0 and lab.state(phone) == 1, text)
        lab.expect(f"{name}: nothing left", not (phone / ".parts").exists(), str(list(phone.iterdir())))
    shutil.rmtree(phone)


async def sweep(lab: Lab, step: int) -> None:
    for installed in (False, True):
        async with Origin(lab.cdn) as origin:
            phone = lab.phone(installed)
            await lab.install(origin.url, phone)
            requests = len(origin.log)
            print(
                f"{'update' if installed else 'install'}: {requests} requests:",
                *[r[1].rsplit("/", 1)[-1] for r in origin.log],
            )
        points = [(kind, at) for kind in FAULTS for at in range(requests)]
        # A step coprime to the number of requests covers each request.
        points = points[::step]
        gate = asyncio.Semaphore(4)

        async def one(
            kind: str, at: int, installed: bool = installed, gate: asyncio.Semaphore = gate
        ) -> None:
            async with gate:
                await faulty(
                    lab, Fault(kind, at), installed, f"{kind} at {at}, {'update' if installed else 'first'}"
                )

        await asyncio.gather(*[one(*point) for point in points])


async def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--short", action="store_true")
    parser.add_argument("--long", action="store_true")
    parser.add_argument("--only", help="one case, or cdn")
    parser.add_argument("--case", help="of cdn: those whose names contain this")
    options = parser.parse_args()
    # Certificates are given by flags.
    os.environ.pop("SSL_CERT_FILE", None)
    with tempfile.TemporaryDirectory() as folder:
        lab = Lab(pathlib.Path(folder))
        lab.long = options.long
        async with Origin(lab.folder / "cdn.old") as origin:
            status, text = await lab.install(origin.url, lab.folder / "first-phone")
            assert status == 0, text
        is_brief = IS_URLSESSION and not options.long
        cases = TRANSPORT_CASES if is_brief and not options.only else CASES
        for case in cases:
            if options.only in (None, case.__name__):
                before = len(lab.failures)
                await case(lab)
                print(f"{'ok' if len(lab.failures) == before else 'FAILED'}  {case.__doc__}")
        if options.only == "cdn" or not (options.only or is_brief):
            await cdn.run(lab, options.case)
        if not options.only:
            await sweep(lab, 1 if options.long else 25 if is_brief else 5)
            print(f"{lab.faults} faulty installs")
        for failure in lab.failures:
            print("FAILED", failure)
        print(
            json.dumps(
                {"cases": len(cases), "cdns": lab.cdns, "faulty": lab.faults, "failures": len(lab.failures)}
            )
        )
        return 1 if lab.failures else 0


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
