#!/usr/bin/env python3
"""Measures packtool against the usual tools on public front-end builds.

    bench.py [--quick] [--only TOPIC] [--keep RESULTS.json] [--runs N]

Writes RESULTS.md and work/results.json. A quick, short or partial run writes its report below work/, so
that it never replaces the full one. Exit status: 0 measured, 1 a command failed or gave a wrong
result, 2 could not start.
"""

import argparse
import dataclasses
import datetime
import json
import os
import shlex
import shutil
import sys
import tempfile
import time
from pathlib import Path

import machine
import report
import topics
import trees
from runner import BenchmarkError, Command, Results, Runner, say
from targets import Judge

HERE = Path(__file__).resolve().parent
FULL_RUNS = 5  # with fewer rounds a median is not worth writing down
QUICK_CORPORA = ("locust", "prefect")
PACKAGERS = {"default": topics.package_default, "max": topics.package_max,
             "fast": topics.package_fast, "hash": topics.hash_tree}


def parse_arguments():
    parser = argparse.ArgumentParser(description="Measures packtool against the usual tools.")
    parser.add_argument("--quick", action="store_true",
                        help="smoke test: one run, two small corpora, nothing is judged")
    parser.add_argument("--only", action="append", choices=topics.TOPICS, metavar="TOPIC",
                        help=f"repeatable; one of {', '.join(topics.TOPICS)}")
    parser.add_argument("--keep", type=Path, metavar="RESULTS.json",
                        help="with --only: take the other topics from an earlier run, and say so")
    parser.add_argument("--runs", type=int, default=FULL_RUNS, help="runs of each command (default 5)")
    parser.add_argument("--starts", type=int, default=50, help="runs of --version (default 50)")
    parser.add_argument("--corpus", type=Path, default=trees.default_corpus_directory(),
                        help="default: $PACKTOOL_CORPUS or Benchmarks/work/corpus")
    parser.add_argument("--packtool", type=Path, default=default_packtool(),
                        help="default: $PACKTOOL or .build/release/packtool")
    parser.add_argument(
        "--publish-args",
        default="--no-check",
        metavar="'ARGS'",
        help="more arguments for publish, named in the report "
        "(default: --no-check; make corpora measures the check)",
    )
    parser.add_argument("--work", type=Path, default=HERE / "work", help="where to work")
    parser.add_argument("--report", type=Path, help="where to write the report")
    parser.add_argument("--timeout", type=float, default=3600, help="seconds for one command")
    arguments = parser.parse_args()
    if arguments.runs < 1 or arguments.starts < 1:
        parser.error("a measurement needs at least one run")
    if arguments.keep and not arguments.only:
        parser.error("--keep needs --only: what is to be measured anew")
    return arguments


def default_packtool():
    return Path(os.environ.get("PACKTOOL") or trees.REPOSITORY / ".build/release/packtool")


class Session:
    """One run of the benchmarks, from the arguments to the report."""

    def __init__(self, arguments, scratch):
        self.arguments = arguments
        self.topics = arguments.only or topics.TOPICS
        self.runs = 1 if arguments.quick else arguments.runs
        self.starts = min(10, arguments.starts) if arguments.quick else arguments.starts
        self.results = Results()
        self.runner = Runner(scratch, self.results, arguments.timeout)
        packtool = arguments.packtool.absolute()
        self.bench = topics.Bench(packtool, self.runner, scratch, self.runs,
                                  shlex.split(arguments.publish_args))
        self.wanted = self._wanted_corpora()
        self.missing_corpora = [f"{c.name} {c.version}" for c in self.wanted
                                if not self._root(c).is_dir()]
        self.other_content = {}
        self.corpora = []
        self.changes = {}
        self.kept = self._keep()
        self.began = time.monotonic()
        self.machine = machine.describe()

    def _keep(self):
        """Topics taken over from an earlier run."""
        if not self.arguments.keep:
            return None
        raw = read_kept(self.arguments.keep)
        # Topics that run had itself kept have another date.
        older = (raw["meta"].get("kept") or {}).get("topics", [])
        kept = {sample["topic"] for sample in raw["samples"]} - set(self.topics) - set(older)
        self.results.keep(raw, kept)
        self.corpora += raw["meta"]["corpora"]
        if "republish" in kept:
            self.changes = raw["meta"]["changes"]
        return {"topics": [name for name in topics.TOPICS if name in kept],
                "lacks": bool(raw["meta"]["missing_corpora"] or raw["meta"]["other_content"]
                              or raw["failures"]),
                **{key: raw["meta"][key] for key in ("date", "commit", "runs")}}

    def _wanted_corpora(self):
        newest = trees.newest_versions(trees.read_corpora())
        return [c for c in newest if not self.arguments.quick or c.name in QUICK_CORPORA]

    def _root(self, corpus):
        return (self.arguments.corpus / corpus.name / corpus.version).absolute()

    def run(self):
        self.floor = self.runner.measure(Command("true", ["true"], self.bench.nowhere)).peak
        if "startup" in self.topics:
            self._guarded("startup", "-", topics.start_up, self.bench, self.starts)
        for corpus in self.wanted:
            if self._root(corpus).is_dir() and self._needed(corpus):
                self._run_corpus(corpus)

    def _needed(self, corpus):
        """Not worth reading a tree that no chosen topic looks at."""
        return any(name in PACKAGERS for name in self.topics) or self._publishes(corpus)

    def _publishes(self, corpus):
        """Publishing is measured on one tree: the largest, or the last of a quick run."""
        tree = QUICK_CORPORA[-1] if self.arguments.quick else topics.TREE_FOR_PUBLISH
        return "republish" in self.topics and corpus.name == tree

    def _run_corpus(self, corpus):
        say(f"{corpus.name} {corpus.version}: reading")
        tree = trees.Tree(self._root(corpus))
        if corpus.content not in ("-", tree.version):
            self.other_content[f"{corpus.name} {corpus.version}"] = tree.version
        entry = {"name": corpus.name, "version": corpus.version, "bytes": tree.size,
                 "files": len(tree.assets), "content": tree.version}
        if entry not in self.corpora:
            self.corpora.append(entry)
        for topic in self.topics:
            if topic in PACKAGERS:
                self._guarded(topic, corpus.name, PACKAGERS[topic], self.bench, corpus.name, tree)
        if self._publishes(corpus):
            change = self._guarded("republish", corpus.name, topics.republish, self.bench,
                                   corpus.name, tree)
            if change:
                self.changes[corpus.name] = {**dataclasses.asdict(change), "share": change.share}

    def _guarded(self, topic, corpus, action, *arguments):
        """One failure costs its own table, not the figures of the hour before."""
        try:
            return action(*arguments)
        except (BenchmarkError, OSError, ValueError, KeyError) as error:
            message = str(error) if isinstance(error, BenchmarkError) else repr(error)
            say(f"FAILED {topic}, {corpus}: {message}")
            self.results.failures.append((topic, corpus, message))
            shutil.rmtree(self.bench.scratch / "republish", ignore_errors=True)
            return None

    def excuses(self):
        """Why a topic cannot be judged, although there may be figures."""
        reasons = {}
        for topic in topics.TOPICS:
            if topic not in self.topics and topic not in (self.kept or {}).get("topics", []):
                reasons[topic] = "not measured in this run"
            elif self.arguments.quick:
                reasons[topic] = "quick run"
            elif topic in PACKAGERS and (self.missing_corpora or self.other_content):
                reasons[topic] = "not all corpora are there"
        return reasons

    def kind(self):
        if self.arguments.quick:
            return "A quick run (one round, small corpora)"
        if self.arguments.only and not self._is_completed():
            return f"A partial run ({', '.join(self.topics)})"
        return f"A short run ({self.runs} of {FULL_RUNS} rounds)" if self.runs < FULL_RUNS else ""

    def _is_completed(self):
        """Whether all topics not measured in this run were kept from a full run."""
        return (self.kept and not self.kept["lacks"] and self.kept["runs"] >= FULL_RUNS
                and set(self.topics) | set(self.kept["topics"]) == set(topics.TOPICS))

    def meta(self):
        load = " ".join(f"{value:.2f}" for value in os.getloadavg())
        return {
            "kind": self.kind(),
            "kept": self.kept,
            "date": datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%d %H:%M UTC"),
            "commit": machine.commit(),
            "minutes": (time.monotonic() - self.began) / 60,
            "machine": {**self.machine, "load after the run": load},
            "tools": machine.tool_versions(self.bench.packtool),
            "runs": self.runs,
            "floor": self.floor,
            "publish": shlex.join(["packtool", "publish", "DIR", "--to", "ORIGIN", "--base-url",
                                   "https://cdn.example.com/app", "--app", "app",
                                   *self.bench.publish_arguments]),
            "missing_peers": self.bench.missing,
            "missing_corpora": self.missing_corpora,
            "other_content": self.other_content,
            "corpora": self.corpora,
            "changes": self.changes,
        }

    def write(self):
        meta = self.meta()
        verdicts = Judge(self.results, self.excuses()).verdicts()
        work = self.arguments.work
        default = work / "RESULTS-partial.md" if meta["kind"] else HERE / "RESULTS.md"
        target = self.arguments.report or default
        target.write_text(report.render(self.results, verdicts, meta), encoding="utf-8")
        raw = {"meta": meta, "samples": self.results.raw(), "failures": self.results.failures,
               "verdicts": [dataclasses.asdict(verdict) for verdict in verdicts]}
        (work / "results.json").write_text(json.dumps(raw, indent=1), encoding="utf-8")
        for v in verdicts:
            say(f"{v.word.strip('*'):<12} {v.figure}: {v.target}: {v.measured} {v.note}".rstrip())
        say(f"written: {target}, {work / 'results.json'}")


def read_kept(path):
    return json.loads(path.read_text(encoding="utf-8"))


def refuse_to_start(arguments):
    """Reports problems before an hour is spent."""
    if not os.access(arguments.packtool, os.X_OK) or arguments.packtool.is_dir():
        return f"{arguments.packtool} is not there; build it (swift build -c release) or set PACKTOOL"
    if not arguments.corpus.is_dir():
        return f"{arguments.corpus} is not there; run Benchmarks/fetch.py or set PACKTOOL_CORPUS"
    if arguments.keep:
        try:
            measured = {(c["name"], c["version"], c["content"])
                        for c in read_kept(arguments.keep)["meta"]["corpora"]}
        except (OSError, ValueError, KeyError, TypeError) as error:
            return f"{arguments.keep} holds no results of an earlier run: {error!r}"
        wanted = {(c.name, c.version): c.content for c in trees.newest_versions(trees.read_corpora())}
        if others := sorted(name for name, version, content in measured
                            if wanted.get((name, version)) not in ("-", content)):
            return f"{arguments.keep} measured other content of {', '.join(others)} than corpora.txt names"
    if not shutil.which("unzip"):
        return "unzip is needed to check the packages; please install it"
    return None


def main():
    arguments = parse_arguments()
    reason = refuse_to_start(arguments)
    if reason:
        say(f"bench.py: {reason}")
        return 2
    arguments.work.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="run-", dir=arguments.work.absolute()) as scratch:
        session = Session(arguments, Path(scratch))
        session.run()
        session.write()
    return 1 if session.results.failures else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
