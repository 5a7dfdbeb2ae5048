#!/usr/bin/env python3
"""Measures packtool's deltas against the usual ways to ship an update, on real releases.

    deltas.py [--quick] [--fresh] [--whole] [--peers-only] [--list FILE] [--only PROJECT] [--runs N]

The releases are as an app ships them, without source maps and precompressed copies; `--whole` measures
those of corpora-whole.txt as the bundler wrote them. Writes DELTAS.md (a full --fresh run; with
--list corpora-more.txt it is DELTAS-more.md, with --whole DELTAS-whole.md) or work/DELTAS-partial.md, and
work/deltas.json. Peers' results are kept in work/delta-cache, so a second run measures packtool
alone; --fresh measures everything again. Exit status: 0 measured, 1 something failed or gave a wrong
result, 2 could not start.
"""

import argparse
import dataclasses
import datetime
import json
import os
import shutil
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

import bench
import delta_pairs
import delta_report
import machine
import trees
from delta_cache import Cache
from delta_pairs import Pair, Release
from delta_peers import (OURS, ZSTD_TREE, FullPackage, LeftOut, Packtool, Stage, peers)
from delta_targets import Judge
from delta_tools import Tools
from runner import BenchmarkError, Command, Results, Runner, say

HERE = Path(__file__).resolve().parent
FULL_RUNS = 3
SHARED_MEMORY = Path("/dev/shm")
SCRATCH_BYTES = 4 << 30  # the releases of one project, and one subject's results
WHOLE_LIST = HERE / "corpora-whole.txt"
QUICK = ("locust", "2.45.0", "2.46.6")
RENAMED = ("prefect", "streamlit")  # the newest release of these, and the same with other hashes


@dataclass
class Entry:
    """One subject's results on one pair."""

    rounds: list = field(default_factory=list)
    left_out: str | None = None
    kept_from: str | None = None  # the run that measured it, if another one


def parse_arguments():
    parser = argparse.ArgumentParser(description="Measures deltas against other updates.")
    parser.add_argument("--quick", action="store_true",
                        help="smoke test: one pair, one round, one peer, nothing is judged")
    parser.add_argument("--fresh", action="store_true",
                        help="measure the peers too, whatever is kept of them")
    parser.add_argument("--peers-only", action="store_true", help="do not run packtool delta")
    parser.add_argument("--whole", action="store_true",
                        help="source maps and precompressed files too, which no app should ship")
    parser.add_argument("--list", type=Path,
                        help="default: corpora.txt; with --whole corpora-whole.txt")
    parser.add_argument("--only", action="append", metavar="PROJECT", help="repeatable")
    parser.add_argument("--runs", type=int, default=FULL_RUNS,
                        help=f"rounds of packtool and of whole-tree zstd (default {FULL_RUNS})")
    parser.add_argument("--corpus", type=Path, default=trees.default_corpus_directory(),
                        help="default: $PACKTOOL_CORPUS or Benchmarks/work/corpus")
    parser.add_argument("--packtool", type=Path, default=bench.default_packtool(),
                        help="default: $PACKTOOL or .build/release/packtool")
    parser.add_argument("--work", type=Path, default=HERE / "work", help="where to work")
    parser.add_argument("--cache", type=Path, help="default: WORK/delta-cache")
    parser.add_argument("--scratch", type=Path,
                        help="where to put releases, updates and results during the run (default: /dev/shm "
                             "where it has 4 GiB, else WORK)")
    parser.add_argument("--report", type=Path, help="where to write the report")
    parser.add_argument("--table", type=Path, metavar="TSV",
                        help="also keep a plain table, rewritten after every measurement")
    parser.add_argument("--tree-minutes", type=float, default=15,
                        help="what a whole-tree peer may take for one step (default 15)")
    parser.add_argument("--file-minutes", type=float, default=60,
                        help="what a per-file peer may take for one step (default 60)")
    parser.add_argument("--peer-memory", type=float, default=12, metavar="GIB",
                        help="address space of a peer (default 12 GiB)")
    arguments = parser.parse_args()
    if arguments.runs < 1:
        parser.error("a measurement needs at least one run")
    arguments.list = arguments.list or (WHOLE_LIST if arguments.whole else trees.DEFAULT_LIST)
    arguments.cache = arguments.cache or arguments.work / "delta-cache"
    arguments.scratch = (arguments.scratch or usual_scratch() or arguments.work).absolute()
    return arguments


def usual_scratch():
    """Memory, so that no file system's past is measured: ext4 passes over each inode of a tree that was
    removed shortly before, which can take longer than writing a new one."""
    try:
        room = shutil.disk_usage(SHARED_MEMORY).free
    except OSError:
        return None
    return SHARED_MEMORY if room >= SCRATCH_BYTES else None


class Session:
    """One run, from the arguments to the report."""

    def __init__(self, arguments, scratch):
        self.arguments = arguments
        self.scratch = scratch
        self.runs = 1 if arguments.quick else arguments.runs
        self.tools = Tools(arguments.work / "delta-tools")
        self.cache = Cache(arguments.cache)
        self.entries = {}  # (project, old, new) -> label -> Entry
        self.pairs, self.failures, self.notes = [], [], []
        self.incomplete = None  # why "all peers" or "all pairs" would be premature
        self.began = time.monotonic()
        self.machine = {**machine.describe(),
                        "releases, updates, results": machine.file_system(scratch)}
        self.origin = f"{now()}, {self.machine['CPU']}"
        self.peers = [p for p in peers() if not arguments.quick or p.label == ZSTD_TREE]
        self.ours = [FullPackage(arguments.packtool.absolute())]
        if not arguments.peers_only:
            self.ours.insert(0, Packtool(arguments.packtool.absolute()))

    # -- which pairs

    def projects(self):
        """Project -> the versions of the list, oldest first, that are there."""
        projects = {}
        for corpus in trees.read_corpora(self.arguments.list):
            if self.arguments.only and corpus.name not in self.arguments.only:
                continue
            if self.arguments.quick and corpus.name != QUICK[0]:
                continue
            root = (self.arguments.corpus / corpus.name / corpus.version).absolute()
            if root.is_dir():
                projects.setdefault(corpus.name, []).append((corpus, root))
            else:
                self.notes.append(f"{corpus.name} {corpus.version} is not there (run `fetch.py`)")
                self.incomplete = "not all corpora are there"
        return projects

    def pairs_of(self, name, versions):
        say(f"{name}: reading {len(versions)} releases")
        releases = []
        for corpus, root in versions:
            tree = trees.Tree(root)
            if corpus.content not in ("-", tree.version):
                self.notes.append(f"{name} {corpus.version} is not the content that its list "
                                  f"names: {tree.version}")
                self.incomplete = "not the content that the list names"
            if not self.arguments.whole:
                place = self.scratch / "shipped" / name / corpus.version
                tree = trees.Tree(trees.make_shipped_copy(root, place))
            releases.append(Release(name, corpus.version, tree))
        for old, new, kind in delta_pairs.kinds_of(releases):
            if not self.arguments.quick or (old.version, new.version) == QUICK[1:]:
                yield Pair(old, new, kind)
        if name in RENAMED and releases and not self.arguments.quick:
            copy, renamed = delta_pairs.make_renamed_copy(releases[-1], self.scratch / "renamed")
            yield Pair(releases[-1], copy, delta_pairs.RENAMES, renamed)

    # -- measuring

    def run(self):
        runner = Runner(self.scratch, Results(), 60)
        floor, start = (runner.measure(Command(str(argv[0]), argv, self.scratch)) for argv in (
            ["true"], [self.arguments.packtool.absolute(), "--version"]))
        self.floor = {"cpu": floor.cpu, "peak": floor.peak, "packtool": start.peak}
        for peer in self.peers:
            if any(self.tools.get(tool) is None for tool in peer.tools):
                self.notes.append(f"without {peer.label}: " + "; ".join(
                    self.tools.missing[tool] for tool in peer.tools if tool in self.tools.missing))
                self.incomplete = "not all peers are there"
        self.peers = [p for p in self.peers if not self._lacks(p)]
        # The smallest first: the largest takes as long as all others, and they need not wait for it.
        for name, versions in sorted(self.projects().items(), key=lambda item: disk_usage(item[1])):
            self._guarded(name, "-", self._run_project, name, versions)

    def _run_project(self, name, versions):
        for pair in self.pairs_of(name, versions):
            self._guarded(pair.name, "-", self._run_pair, pair)

    def _lacks(self, peer):
        return any(tool in self.tools.missing for tool in peer.tools)

    def _run_pair(self, pair):
        if not pair.changed:
            self.notes.append(f"{pair.name} is left out: the new release has no new content")
            return
        if any(peer.family == "per file" for peer in self.peers):
            similar = self.tools.get("similar")
            if similar is None:
                raise BenchmarkError(f"no pairing: {self.tools.missing['similar']}")
            pair.bases = delta_pairs.choose_bases(pair, similar, self.scratch)
        self.pairs.append(pair)
        say(f"{pair.name} ({pair.kind}): {len(pair.changed)} of {len(pair.new.tree.assets)} files, "
            f"{pair.changed_bytes:,} bytes; {len(pair.bases)} have a base")
        entries = self.entries.setdefault(pair.key, {})
        with tempfile.TemporaryDirectory(prefix="pair-", dir=self.scratch) as place:
            stages = {family: self._stage(pair, Path(place), minutes) for family, minutes in (
                ("whole tree", self.arguments.tree_minutes), ("", self.arguments.file_minutes))}
            self._measure(pair, stages, entries)

    def _stage(self, pair, place, minutes):
        ours = Runner(place, Results(), 3600)
        limit = Runner(place, Results(), minutes * 60)
        memory = int(self.arguments.peer_memory * (1 << 30))
        return Stage(pair, place, self.tools, ours, limit, memory)

    def _measure(self, pair, stages, entries):
        """Round by round, so that packtool and whole-tree zstd take turns; other peers run once."""
        subjects = [*self.ours, *(p for p in self.peers if not self._kept(pair, p, entries))]
        for number in range(self.runs):
            for subject in subjects:
                if number > 0 and subject.label not in (OURS, ZSTD_TREE):
                    continue
                entry = entries.setdefault(subject.label, Entry())
                if entry.left_out or (number > 0 and not entry.rounds):
                    continue
                stage = stages.get(subject.family, stages[""])
                self._guarded(pair.name, subject.label, self._round, subject, stage, entry)

    def _round(self, subject, stage, entry):
        try:
            entry.rounds.append(subject.run(stage))
        except LeftOut as reason:
            entry.left_out = str(reason)
        self._tell(subject, entry)
        if subject in self.peers:
            self.cache.put(self._key(stage.pair, subject), stage.pair, subject, entry.rounds,
                           entry.left_out, self.origin)
        self._write_table()

    def _key(self, pair, peer):
        return self.cache.key(peer, pair, self.tools, [
            self.arguments.tree_minutes if peer.family == "whole tree"
            else self.arguments.file_minutes, self.arguments.peer_memory])

    def _kept(self, pair, peer, entries):
        kept = None if self.arguments.fresh else self.cache.get(self._key(pair, peer))
        if kept:
            entries[peer.label] = Entry(*kept)
            self._write_table()
        return kept is not None

    def _guarded(self, place, label, action, *arguments):
        """One failure costs its own cell, not the figures of the hour before."""
        try:
            action(*arguments)
        except (BenchmarkError, OSError, ValueError, KeyError) as error:
            message = str(error) if isinstance(error, BenchmarkError) else repr(error)
            say(f"FAILED {place}, {label}: {message}")
            self.failures.append((place, label, message))

    def _tell(self, subject, entry):
        if entry.left_out:
            say(f"  {subject.label}: left out, {entry.left_out}")
        elif entry.rounds:
            last = entry.rounds[-1]
            say(f"  {subject.label}: {last.size:,} bytes, make {last.make_cpu:.2f} s CPU "
                f"{last.make_peak:.0f} MiB, apply {last.apply_cpu:.2f} s CPU {last.apply_peak:.0f} MiB")

    # -- telling

    def excuse(self):
        """Why nothing is judged although there may be figures; None when everything is there."""
        if self.arguments.quick:
            return "quick run"
        if self.arguments.peers_only:
            return "packtool delta was not run"
        if self.arguments.only:
            return "not all projects"
        return self.incomplete

    def kind(self):
        reasons = [text for flag, text in (
            (self.arguments.quick, "quick"), (self.arguments.peers_only, "peers only"),
            (bool(self.arguments.only), "some projects"),
            (self.arguments.whole != (self.arguments.list.name == WHOLE_LIST.name),
             "with source maps and precompressed files" if self.arguments.whole
             else "without source maps and precompressed files"),
            (not self.arguments.fresh, "peers kept from earlier runs"),
            (not self.arguments.quick and self.runs < FULL_RUNS,
             f"{self.runs} of {FULL_RUNS} rounds")) if flag]
        return ", ".join(reasons)

    def meta(self):
        tools = sorted({tool for peer in self.peers for tool in peer.tools})
        load = " ".join(f"{value:.2f}" for value in os.getloadavg())
        packtool = machine.tool_versions(self.arguments.packtool)["packtool"]
        return {
            "kind": self.kind(), "whole": self.arguments.whole, "date": now(), "commit": machine.commit(),
            "minutes": (time.monotonic() - self.began) / 60, "runs": self.runs,
            "machine": {**self.machine, "load after the run": load},
            "tools": {"packtool": packtool, **{tool: self.tools.identity(tool) for tool in tools}},
            "limits": {"tree_minutes": self.arguments.tree_minutes,
                       "file_minutes": self.arguments.file_minutes,
                       "memory": self.arguments.peer_memory},
            "peers": [peer.label for peer in self.peers], "floor": self.floor,
            "pairs": [delta_pairs.describe(pair) for pair in self.pairs],
            "notes": self.notes, "failures": self.failures,
        }

    def write(self):
        meta, work = self.meta(), self.arguments.work
        verdicts = Judge(self.entries, meta, self.excuse()).verdicts()
        # corpora-more.txt: DELTAS-more.md
        whole = HERE / f"{self.arguments.list.stem.replace('corpora', 'DELTAS')}.md"
        default = work / "DELTAS-partial.md" if meta["kind"] else whole
        target = self.arguments.report or default
        target.write_text(delta_report.render(self.entries, verdicts, meta), encoding="utf-8")
        raw = {"meta": meta, "verdicts": [dataclasses.asdict(v) for v in verdicts],
               "entries": [{"pair": key, "subject": label, **dataclasses.asdict(entry)}
                           for key, found in self.entries.items() for label, entry in found.items()]}
        (work / "deltas.json").write_text(json.dumps(raw, indent=1), encoding="utf-8")
        for v in verdicts:
            say(f"{v.word.strip('*'):<12} {v.figure}: {v.target}: {v.measured} {v.note}".rstrip())
        say(f"written: {target}, {work / 'deltas.json'}")

    def _write_table(self):
        if self.arguments.table:
            unfinished = self.arguments.table.with_name(self.arguments.table.name + ".part")
            unfinished.write_text(delta_report.table(self.entries), encoding="utf-8")
            unfinished.rename(self.arguments.table)


def disk_usage(versions):
    """Bytes of a project's releases, without reading them."""
    return sum(path.stat().st_size for _, root in versions for path in root.rglob("*"))


def now():
    return datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%d %H:%M UTC")


def refuse_to_start(arguments):
    """Reports problems before an hour is spent."""
    if not os.access(arguments.packtool, os.X_OK) or arguments.packtool.is_dir():
        return f"{arguments.packtool} is not there; build it (swift build -c release) or set PACKTOOL"
    if not arguments.corpus.is_dir():
        return f"{arguments.corpus} is not there; run Benchmarks/fetch.py or set PACKTOOL_CORPUS"
    unknown = set(arguments.only or []) - {corpus.name for corpus in trees.read_corpora(arguments.list)}
    if unknown:
        return f"not in {arguments.list.name}: {', '.join(sorted(unknown))}"
    return None


def main():
    arguments = parse_arguments()
    reason = refuse_to_start(arguments)
    if reason:
        say(f"deltas.py: {reason}")
        return 2
    arguments.work.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="deltas-", dir=arguments.scratch) as scratch:
        session = Session(arguments, Path(scratch))
        session.run()
        session.write()
    return 1 if session.failures else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
