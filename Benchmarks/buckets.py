#!/usr/bin/env python3
"""Compares publishing to a bucket with aws s3 sync, rclone and s5cmd; writes BUCKETS.md.

    python3 Benchmarks/buckets.py                 # on radosgw of this machine, 30 ms away; half an hour
    python3 Benchmarks/buckets.py --rounds 1 --no-growth --output Benchmarks/work/BUCKETS.md
    python3 Benchmarks/buckets.py --before PACKTOOL   # another packtool beside it, in "Round trips"

Everything is measured in one run: each round does every flow of every tool once, in its own prefix.
A proxy (Tests/Rigs/Remote/delay.py) makes the store as far away as one on the Internet, and counts bytes;
requests are counted in the store's own log. The peers upload the tree that packtool publishes into a
directory, with new modification times, as a CI job does.
"""

import argparse
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

import machine

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "Tests/Rigs/Remote"))
from delay import Delay  # noqa: E402

CORPUS = pathlib.Path(os.environ.get("PACKTOOL_CORPUS", ROOT / "Benchmarks/work/corpus"))
TOOL = os.environ.get("PACKTOOL", str(ROOT / ".build/release/packtool"))
PORT, BUCKET = 8437, "bench"
PEERS = ROOT / "Benchmarks/work/bucket-tools"
KEYS = {"AWS_ACCESS_KEY_ID": "AKID", "AWS_SECRET_ACCESS_KEY": "SECRET", "AWS_REGION": "us-east-1",
        "AWS_DEFAULT_REGION": "us-east-1", "AWS_EC2_METADATA_DISABLED": "true"}
REQUEST = re.compile(r'"(GET|PUT|HEAD|POST|DELETE) (\S+) HTTP/1\.1" (\d+) ')
FLOWS = ["first publish", "nothing new", "second publish", "nothing new after it", "rollback"]


class Gateway:
    """radosgw, with its log."""

    def __init__(self, folder):
        self.folder, self.log, self.place = folder, folder / "log/client.admin.log", 0

    def __enter__(self):
        command = [str(ROOT / "Tests/Rigs/Remote/radosgw.sh"), str(self.folder), str(PORT)]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, start_new_session=True)
        line = self.process.stdout.readline()
        if line.strip() != "ready":
            sys.exit("error: radosgw does not start\nhelp: Scripts/install.sh bucket")
        import boto3
        from botocore.config import Config
        self.client = boto3.client(
            "s3", endpoint_url=f"http://127.0.0.1:{PORT}", aws_access_key_id="AKID",
            aws_secret_access_key="SECRET", region_name="us-east-1",
            config=Config(s3={"addressing_style": "path"}))
        self.client.create_bucket(Bucket=BUCKET)
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()

    def requests(self):
        """The requests since the last call, by method."""
        time.sleep(0.3)
        counts = {}
        with open(self.log) as file:
            file.seek(self.place)
            for line in file:
                found = REQUEST.search(line)
                if found and " beast: " in line:
                    counts[found[1]] = counts.get(found[1], 0) + 1
            self.place = file.tell()
        return counts


class Run:
    """The cost of a command."""

    def __init__(self, seconds, processor, memory, requests, sent, received, connections, commit):
        self.seconds, self.processor = seconds, processor
        self.memory, self.requests = memory, requests
        self.sent, self.received, self.connections, self.commit = sent, received, connections, commit

    @property
    def count(self):
        return sum(self.requests.values())


def measured(gateway, delay, command, environment):
    gateway.requests()
    delay.clear()
    started = time.monotonic()
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, env=os.environ | KEYS | environment)
    text = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.monotonic() - started
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"error: {' '.join(command)} ended with {process.returncode}:\n{text.decode()[-2000:]}")
    commit = delay.marks[0] - started if delay.marks else None
    return Run(seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024, gateway.requests(),
               delay.sent, delay.received, delay.connections, commit)


def packtool(prefix, delay, builds, extra, cache, tool=TOOL):
    """The commands of packtool, by flow."""
    environment = {"AWS_ENDPOINT_URL_S3": delay.url}
    if cache:
        environment["PACKTOOL_CACHE"] = str(cache)
    to = f"s3://{BUCKET}/{prefix}"

    def publish(build):
        return [tool, "publish", str(build), "--to", to, "--app", "bench", "--base-url",
                "https://cdn.example.com/app", "--no-check", "--quiet", *extra]
    return environment, {
        "first publish": publish(builds[0]), "nothing new": publish(builds[0]),
        "second publish": publish(builds[1]),
        "nothing new after it": publish(builds[1]),
        "rollback": [tool, "rollback", to, "--quiet"],
        "status": [tool, "status", to]}


def peers(prefix, delay, trees):
    to = f"{BUCKET}/{prefix}"
    found = {}
    aws = shutil.which("aws", path=f"{PEERS}/bin") or shutil.which("aws")
    if aws:
        found["aws s3 sync"] = {}, lambda tree: [
            aws, "s3", "sync", str(tree), f"s3://{to}", "--endpoint-url", delay.url, "--only-show-errors"]
    rclone = shutil.which("rclone", path=f"{PEERS}/bin") or shutil.which("rclone")
    if rclone:
        remote = {"type": "s3", "provider": "Ceph", "env_auth": "true", "endpoint": delay.url,
                  "force_path_style": "true"}
        found["rclone copy --checksum"] = {f"RCLONE_CONFIG_R_{k.upper()}": v for k, v in remote.items()}, \
            lambda tree: [rclone, "copy", "--checksum", "--transfers", "16", "--checkers", "16",
                          "--config", "/dev/null", str(tree), f"r:{to}"]
    s5cmd = shutil.which("s5cmd", path=f"{PEERS}/bin") or shutil.which("s5cmd")
    if s5cmd:
        found["s5cmd sync"] = {}, lambda tree: [
            s5cmd, "--endpoint-url", delay.url, "--log", "error", "sync", f"{tree}/", f"s3://{to}/"]
    return {name: (environment, {"first publish": (trees[0], command(trees[0])),
                                 "nothing new": (trees[0], command(trees[0])),
                                 "second publish": (trees[1], command(trees[1])),
                                 "nothing new after it": (trees[1], command(trees[1]))})
            for name, (environment, command) in found.items()}


def origins(folder, builds):
    """packtool's origin in a directory: a copy after each publish, for the peers."""
    trees = []
    folder.mkdir(parents=True, exist_ok=True)
    for number, build in enumerate([builds[0], builds[1]]):
        subprocess.run([TOOL, "publish", str(build), "--to", str(folder / "origin"), "--app", "bench",
                        "--base-url", "https://cdn.example.com/app", "--no-check", "--quiet"],
                       check=True, capture_output=True)
        tree = folder / f"tree-{number}"
        shutil.copytree(folder / "origin", tree)
        trees.append(tree)
    return trees


def touch(tree):
    """A CI job has a new checkout: every file is newer than its copy in the bucket."""
    later = time.time() + 2
    for path in tree.rglob("*"):
        os.utime(path, (later, later))


def compare(gateway, rounds, round_trip, folder, builds):
    trees = origins(folder, builds)
    results = {}
    with Delay(PORT, round_trip, b"PUT ", b"/pointer.json HTTP/1.1") as delay:
        for number in range(rounds):
            own = {"packtool publish": ([], None),
                   "packtool publish --cache": ([], folder / f"cache-{number}"),
                   "packtool publish --deltas 0": (["--deltas", "0"], None)}
            for name, (extra, cache) in own.items():
                prefix = f"{number}/{len(extra)}-{bool(cache)}"
                environment, commands = packtool(prefix, delay, builds, extra, cache)
                for flow in FLOWS:
                    run = measured(gateway, delay, commands[flow], environment)
                    results.setdefault((name, flow), []).append(run)
                    print(f"{number} {name}, {flow}: {run.seconds:.2f} s, CPU {run.processor:.2f} s, "
                          f"{run.count} {run.requests}, {run.sent / 1e6:.1f} MB up, "
                          f"{run.received / 1e6:.1f} MB down, "
                          f"{run.memory >> 20} MiB, {run.connections} connections, "
                          f"commit {run.commit or 0:.2f} s", flush=True)
            for name, (environment, commands) in peers(f"{number}/peer", delay, trees).items():
                for flow, (tree, words) in commands.items():
                    words = [word.replace("/peer", f"/{name.split()[0]}") for word in words]
                    touch(tree)
                    run = measured(gateway, delay, words, environment)
                    results.setdefault((name, flow), []).append(run)
                    print(f"{number} {name}, {flow}: {run.seconds:.2f} s, {run.count} {run.requests}, "
                          f"{run.sent / 1e6:.1f} MB up", flush=True)
    return results


def many(folder, count, changed):
    """Two builds of many small files."""
    builds = []
    for number in (0, 1):
        build = folder / f"many-{count}-{number}"
        for index in range(count):
            path = build / f"d{index % 50}" / f"file-{index}.js"
            path.parent.mkdir(parents=True, exist_ok=True)
            edit = number if index % (count // changed) == 0 else 0
            path.write_text(f"// {edit}\nexport const n{index} = {index};\n" * 20)
        (build / "index.html").write_text(f"<!doctype html><title>{number}</title>\n")
        builds.append(build)
    return builds


def growth(gateway, folder, count):
    builds = many(folder, count, 50)
    rows = []
    for round_trip in (0, 0.03, 0.2):
        with Delay(PORT, round_trip, b"PUT ", b"/pointer.json HTTP/1.1") as delay:
            environment, commands = packtool(f"many-{count}-{round_trip}", delay, builds, [], None)
            row = [measured(gateway, delay, commands[flow], environment) for flow in FLOWS]
            rows.append((round_trip, row))
            print(f"{count} files, {round_trip} s: " + ", ".join(
                f"{flow} {run.seconds:.1f} s {run.count}" for flow, run in zip(FLOWS, row)), flush=True)
    return rows


FAR = ["first publish", "nothing new", "second publish", "nothing new after it", "status", "rollback"]


def distant(gateway, folder, builds, before):
    """Runs over long round trips: of packtool, of an earlier one, and of the fastest peer."""
    rows = []
    for build, round_trip in [(name, seconds) for name in builds for seconds in (1, 0.03)]:
        trees = origins(folder / f"{build}-{round_trip}", builds[build])
        with Delay(PORT, round_trip, b"PUT ", b"/pointer.json HTTP/1.1") as delay:
            tools = {"packtool before": before, "packtool": TOOL} if before else {"packtool": TOOL}
            for name, tool in tools.items():
                prefix = f"far-{build}-{round_trip}-{name.split()[-1]}"
                environment, commands = packtool(prefix, delay, builds[build], [], None, tool)
                row = {flow: measured(gateway, delay, commands[flow], environment) for flow in FAR}
                rows.append((build, round_trip, name, row))
            for name, (environment, commands) in peers(f"far-{build}-{round_trip}", delay, trees).items():
                if not name.startswith("s5cmd"):
                    continue
                row = {}
                for flow, (tree, words) in commands.items():
                    touch(tree)
                    row[flow] = measured(gateway, delay, words, environment)
                rows.append((build, round_trip, name, row))
        for _, _, name, row in rows[-3:]:
            print(f"{build}, {round_trip} s, {name}: "
                  + ", ".join(f"{flow} {run.seconds:.2f} s" for flow, run in row.items()), flush=True)
    return rows


def far_table(rows, load):
    def cell(name, run):
        if run is None:
            return "–"
        commit = f" ({run.commit:.2f})" if run.commit and name.startswith("packtool") else ""
        return f"{run.seconds:.2f}{commit}, {run.count}"
    text = ["## Round trips", "",
            "One run over round trips of 1 s and 30 ms; opening a connection takes one more.",
            "Each cell has seconds, those to the commit in parentheses, and requests.",
            "docs/architecture.md explains each round trip of packtool.",
            f"Load before the run {load}; commit {machine.commit()}.", "",
            "| build | round trip | tool | " + " | ".join(FAR) + " |", "|---" * (len(FAR) + 3) + "|"]
    return text + [f"| {build} | {round_trip * 1000:.0f} ms | {name} | "
                   + " | ".join(cell(name, row.get(flow)) for flow in FAR) + " |"
                   for build, round_trip, name, row in rows] + [""]


def median(runs, value):
    return statistics.median(value(run) for run in runs)


def goals(results):
    """The goals of a publish, and whether it met them: rows of a table."""
    def worst(flow, value):
        return max(median(results[name, flow], value) for name, _ in results
                   if name.startswith("packtool") and (name, flow) in results)

    def met(found, most, unit=""):
        return f"{found:,.2f}{unit}".replace(".00", ""), "yes" if found <= most else "no"

    second = median(results["packtool publish", "second publish"], lambda r: r.seconds)
    rows = []
    for flow, what, most, unit, value in [
            ("first publish", "seconds", 4.5, " s", lambda r: r.seconds),
            ("second publish", "seconds", 2.0, " s", lambda r: r.seconds),
            ("second publish", "requests", 340, "", lambda r: r.count),
            ("second publish", "sent", 25, " MB", lambda r: r.sent / 1e6),
            ("nothing new", "requests", 8, "", lambda r: r.count),
            ("rollback", "requests", 22, "", lambda r: r.count),
            ("rollback", "to the commit", 1.0, " s", lambda r: r.commit or 0)]:
        found, verdict = met(worst(flow, value), most, unit)
        rows.append(f"| {flow}, {what} | at most {most:g}{unit} | {found} | {verdict} |")
    memory = max(run.memory for (name, _), runs in results.items() if name.startswith("packtool")
                 for run in runs) / 2**20
    rows.append("| memory | at most 128 MiB | %s | %s |" % met(memory, 128, " MiB"))
    for (name, flow), runs in results.items():
        if flow == "second publish" and not name.startswith("packtool"):
            ratio = second / median(runs, lambda r: r.seconds)
            rows.append(f"| second publish beside {name} | less time | {ratio:.2f} of it "
                        f"| {'yes' if ratio < 1 else 'no'} |")
    return rows


def report(results, grown, far, options):
    facts = machine.describe()
    text = ["# Publishing to a bucket", "",
            "Written by `Benchmarks/buckets.py` (`make bench-buckets`).", "",
            f"radosgw 16.2 in memory on the same machine, {options.round_trip:.0f} ms a round trip, "
            f"{facts['cores']} cores ({facts['CPU']}), {options.rounds} rounds, medians; "
            f"load before the run {facts['load before the run']}; commit {machine.commit()}.",
            "Where that load is above the number of cores, other work on the machine took part of every "
            "second; requests, bytes, CPU seconds and memory do not depend on it.",
            "The build is streamlit 1.66.0 (347 files, 23.3 MB), then 1.66.1.",
            "The peers copy the origin that packtool makes of it, with new modification times: they make no "
            "package and no delta, read nothing back, and order nothing.", ""]
    text += ["## Goals", "", "Of the ways to publish, the one that takes most.", "",
             "| what | goal | found | met |", "|---|---|---|---|", *goals(results), ""]
    names = list(dict.fromkeys(name for name, _ in results))
    for flow in FLOWS:
        text += [f"## {flow.capitalize()}", "",
                 "| tool | seconds | least | CPU seconds | requests | MB up | MB down | MiB of memory "
                 "| seconds to the commit |",
                 "|---|---|---|---|---|---|---|---|---|"]
        for name in names:
            runs = results.get((name, flow))
            if not runs:
                continue
            commits = [run.commit for run in runs if run.commit and name.startswith("packtool")]
            text.append(
                f"| {name} | {median(runs, lambda r: r.seconds):.2f} | {min(r.seconds for r in runs):.2f} "
                f"| {median(runs, lambda r: r.processor):.2f} "
                f"| {median(runs, lambda r: r.count):.0f} | {median(runs, lambda r: r.sent) / 1e6:.1f} "
                f"| {median(runs, lambda r: r.received) / 1e6:.1f} "
                f"| {median(runs, lambda r: r.memory) / 2**20:.0f} "
                f"| {f'{statistics.median(commits):.2f}' if commits else '–'} |")
        text.append("")
    if far:
        text += far_table(far, facts["load before the run"])
    if grown:
        text += ["## How it grows", "",
                 "Files of about 700 bytes, of which the second publish changes 51.",
                 "Each cell has seconds and requests; the last column has the most memory of the five.", "",
                 "| files | round trip | " + " | ".join(FLOWS) + " | MiB |", "|---" * (len(FLOWS) + 3) + "|"]
        text += [f"| {count:,} | {round_trip * 1000:.0f} ms | "
                 + " | ".join(f"{run.seconds:.1f} s, {run.count:,}" for run in row)
                 + f" | {max(run.memory for run in row) >> 20} |"
                 for count, rows in grown.items() for round_trip, row in rows]
        text.append("")
    missing = {"aws s3 sync", "rclone copy --checksum", "s5cmd sync"} - set(names)
    if missing:
        text += [f"Not measured, because not installed: {', '.join(sorted(missing))}.", ""]
    return "\n".join(text)


def find(name, versions):
    """The builds of a corpus; none if one of them is missing."""
    builds = []
    for version in versions:
        pages = sorted((CORPUS / name / version).rglob("index.html"), key=lambda p: len(p.parts))
        if not pages:
            return []
        builds.append(pages[0].parent)
    return builds


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--round-trip", type=float, default=30, help="milliseconds")
    parser.add_argument("--files", type=int, nargs="+", default=[5000, 50_000],
                        help="of the builds that show how it grows; the larger one takes 15 minutes")
    parser.add_argument("--no-growth", action="store_true")
    parser.add_argument("--before", type=pathlib.Path, help="an earlier packtool to compare with")
    parser.add_argument("--output", type=pathlib.Path, default=ROOT / "Benchmarks/BUCKETS.md")
    options = parser.parse_args()
    builds = find("streamlit", ("1.66.0", "1.66.1"))
    if not builds:
        sys.exit(f"error: no streamlit in {CORPUS}\nhelp: python3 Benchmarks/fetch.py")
    # label-studio is larger, and its second publish changes three files; measured where it was fetched.
    far = {"streamlit": builds, "label-studio": find("label-studio", ("1.23.1", "1.23.2"))}
    far = {name: found for name, found in far.items() if found}
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        with Gateway(folder / "radosgw") as gateway:
            results = compare(gateway, options.rounds, options.round_trip / 1000, folder, builds)
            far = distant(gateway, folder, far, options.before)
            grown = {} if options.no_growth else {
                count: growth(gateway, folder, count) for count in options.files}
    options.output.parent.mkdir(parents=True, exist_ok=True)
    options.output.write_text(report(results, grown, far, options))
    print(f"wrote {options.output}")


if __name__ == "__main__":
    main()
