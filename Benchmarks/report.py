"""Writes the report."""

import statistics

import topics as t
from runner import MOST_STOLEN, MOST_TRIES

# The base of a table's rows: our command, its name in the columns, the figures.
ALL = ("net_size", "cpu", "wall")
BASES = {
    **{topic: [(label, "ours", ALL)] for topic, label in t.PACKAGE_TOPICS.items()},
    "hash": [(t.OURS_HASH, "ours", ALL[1:])],
    "republish": [(t.REPUBLISH, "republish", ALL[1:]), (t.OURS_REUSE, "--reuse", ALL)],
}
NAMES = {"net_size": "size", "cpu": "CPU", "wall": "wall"}
DIGITS = {"net_size": 4, "cpu": 3, "wall": 3}

HEADINGS = {
    "default": "Package, default level",
    "max": "Package, `--level max`",
    "fast": "Package, `--level fast` (for information)",
    "hash": "Hash of a tree",
    "republish": "First publish and republish",
}

METHOD = """\
* Every figure is that of a whole process with its children: user and system CPU, wall clock, \
and peak resident memory (of the largest single process), from `wait4`.
* Commands run in turn (A B C A B C …), {runs} run(s) each.
  Cells show the median (lowest–highest).
  "ours ÷ it" is the ratio of the medians of this run, followed by the lowest and highest \
ratio of a single round; below 1, packtool needs less.
* If the host of this virtual machine gave more than {most:.0%} of a run's time to others (the \
"steal" of `/proc/stat`), the command was run again, at most {tries} times, and the run that \
lost least counts.
  This applies to every tool: {again} of {all} runs; {disturbed} lost more in all tries.
* The tree was read once before (warm page cache).
  `sync` ran before every measured command, outside the measured time, so that no command pays \
for the write-back of another.
* Peak memory: each command is started by a fresh small process (`launch.py`), because on \
Linux `ru_maxrss` starts at the size of the process that called fork.
  `true`, measured in this way, takes {floor:.1f} MiB; smaller processes show the same.
* Sizes are those of the files.
  packtool stores no entries for directories and the other tools do; if a target compares \
sizes, the bytes of those entries are subtracted first ("net").
* Every zip was compared with the tree (names, sizes, CRCs), packtool's also by `unzip -t`; \
`hash` with the version computed in Python; the origins with the tree, object by object.
* Variables that change the tools' options are unset; `LC_ALL=C.UTF-8`, `TZ=UTC`.
"""


def render(results, verdicts, meta):
    parts = [_head(meta), _method(results, meta), _targets(verdicts), _problems(results, meta)]
    parts += [_topic(results, topic, meta) for topic in HEADINGS if results.corpora(topic)]
    if results.corpora("startup"):
        parts.append(_start_up(results))
    parts.append(_corpora(meta))
    return "\n".join(part for part in parts if part)


def _head(meta):
    lines = ["# Benchmark results", ""]
    if meta["kind"]:
        lines += [f"**{meta['kind']}: do not quote these figures.**", ""]
    lines += [f"Written by `Benchmarks/bench.py`; do not edit. {meta['date']}, "
              f"commit {meta['commit']}, {meta['minutes']:.0f} minutes.", ""]
    if meta["kept"]:
        kept = meta["kept"]
        lines += [f"Kept from the run of {kept['date']}, commit {kept['commit']}: "
                  f"{', '.join(kept['topics'])}.", ""]
    lines += ["| machine | |", "|---|---|"]
    lines += [f"| {key} | {value} |" for key, value in {**meta["machine"], **meta["tools"]}.items()]
    return "\n".join(lines) + "\n"


def _method(results, meta):
    kept = (meta["kept"] or {}).get("topics", [])
    samples = [s for s in results.samples if s.topic not in kept]
    return "## How it was measured\n\n" + METHOD.format(
        runs=meta["runs"], floor=meta["floor"], most=MOST_STOLEN, tries=MOST_TRIES,
        again=sum(s.tries > 1 for s in samples), all=len(samples),
        disturbed=sum(s.stolen > MOST_STOLEN for s in samples))


def _targets(verdicts):
    rows = ["## Targets", "", "| figure | target | measured | |", "|---|---|---|---|"]
    for v in verdicts:
        rows.append(f"| {v.figure} | {v.target} | {v.measured} | {v.word}"
                    + (f" ({v.note})" if v.note else "") + " |")
    return "\n".join(rows) + "\n"


def _problems(results, meta):
    lines = [f"* not compared with {label}: `{program}` is not installed"
             for label, program in meta["missing_peers"].items()]
    lines += [f"* corpus {name} is missing (run `fetch.py`)" for name in meta["missing_corpora"]]
    lines += [f"* {corpus} has other content than corpora.txt names: {found}"
              for corpus, found in meta["other_content"].items()]
    for topic, corpus, message in results.failures:
        indented = message.replace("\n", "\n  ")
        lines.append(f"* FAILED: {topic}, {corpus}\n\n  ```\n  {indented}\n  ```")
    return "## Missing and failed\n\n" + "\n".join(lines) + "\n" if lines else ""


def _topic(results, topic, meta):
    lines = [f"## {HEADINGS[topic]}", ""]
    if topic == "republish":
        lines += _republish_notes(results, meta)
    sized = any(s.size is not None for s in results.samples if s.topic == topic)
    ratios = [f"{word} ÷ it: {NAMES[name]}" for _, word, names in BASES[topic] for name in names]
    figures = ["size", "net"] * sized + ["CPU s", "wall s", "peak MiB"] + ratios
    lines += [_cells("corpus", "command", *figures), "|---|---|" + "---:|" * len(figures)]
    for corpus in results.corpora(topic):
        for label in results.labels(topic, corpus):
            lines.append(_row(results, topic, corpus, label, sized))
    return "\n".join(lines) + "\n"


def _cells(*cells):
    return "| " + " | ".join(cells) + " |"


def _republish_notes(results, meta):
    lines = [
        f"Publish is run as `{meta['publish']}`.",
        "All packages are of the changed tree; the first publish is of the unchanged one.",
    ]
    for corpus, change in meta["changes"].items():
        lines.append(f"{corpus}: {change['files']} text file(s) of {change['bytes']:,} bytes in all got "
                     f"a comment line: {change['share']:.2%} of the tree.")
    return lines + [""]


def _row(results, topic, corpus, label, sized):
    def values(name):
        return results.values(topic, corpus, label, name)

    cells = [corpus, label]
    if sized:
        cells += [_bytes(values("size")), _bytes(values("net_size"))]
    cells += [_spread(values("cpu"), 3), _spread(values("wall"), 3), _spread(values("peak"), 1)]
    for base, _, names in BASES[topic]:
        cells += [_ratio(results, topic, corpus, base, label, name) for name in names]
    return _cells(*cells)


def _ratio(results, topic, corpus, base, label, name):
    """The base ÷ this row; empty for the base itself and if one of the two has no such figure."""
    ours = results.values(topic, corpus, base, name)
    theirs = results.values(topic, corpus, label, name)
    if label == base or not ours or not theirs or 0 in theirs:
        return ""
    rounds = [a / b for a, b in zip(ours, theirs)]
    ratio = statistics.median(ours) / statistics.median(theirs)
    return f"{ratio:.{DIGITS[name]}f}" + _range(rounds, DIGITS[name])


def _spread(values, digits):
    return f"{statistics.median(values):.{digits}f}" + _range(values, digits) if values else ""


def _range(values, digits):
    low, high = f"{min(values):.{digits}f}", f"{max(values):.{digits}f}"
    return "" if low == high else f" ({low}–{high})"


def _bytes(values):
    return f"{statistics.median(values):,.0f}" if values else ""


def _start_up(results):
    lines = ["## Start-up", "",
             "`true` shows what starting any process costs here; it is included in packtool's figure.",
             "Measured with `posix_spawn`, wall clock.", "",
             "| command | runs | wall ms | CPU ms |", "|---|---:|---:|---:|"]
    for label in results.labels("startup", "-"):
        wall, cpu = (results.values("startup", "-", label, name) for name in ("wall", "cpu"))
        cells = (_spread([v * 1000 for v in series], 2) for series in (wall, cpu))
        lines.append(_cells(label, str(len(wall)), *cells))
    return "\n".join(lines) + "\n"


def _corpora(meta):
    lines = ["## Corpora", "", "| corpus | version | files | bytes | content |", "|---|---|---:|---:|---|"]
    for c in meta["corpora"]:
        lines.append(f"| {c['name']} | {c['version']} | {c['files']:,} | {c['bytes']:,} "
                     f"| `{c['content']}` |")
    return "\n".join(lines) + "\n"
