"""Writes the report on deltas, and the plain table."""

import statistics

import delta_targets as t
from delta_pairs import BETTER_THAN_THE_NAME, FAR, NEAR
from delta_peers import CODEPUSH, MIB, OURS, PACKAGE, ZSTD_TREE

METHOD = """\
* An update turns an installed old release into the new one.
  Its bytes are those of the file that would be downloaded.
  Every update was applied and the result compared with the new release, byte for byte: \
packtool's and the package's as whole trees, those of the other tools ("peers") as the files \
they contain.
* The peers get for free what packtool has to pay for.
  packtool's bytes are its whole delta file, including names, hashes and directory.
  Its CPU is that of the whole command, which finds the bases, makes the delta and proves it.
  A peer's file names, pairing and lists of copied and deleted files count 0 bytes; finding \
the bases, joining the files for the whole-tree peers and splitting them again cost them \
nothing.
  Only the zips are counted as they are.
* Only the full package contains contents that the old release has under any name.
  A content that occurs twice is sent once.
* **file:** peers patch each changed file by a base: the old file with the same path, \
otherwise with the same name without its hash, otherwise with the most similar content.
  Another old file is preferred to the one with the right name if it shares at least {better} \
times as much content (`peers/similar.c`).
  If the whole file, deflated by level 9, is smaller than the patch, or there is no base, the \
whole file is counted instead, and deflating costs nothing.
  There is one process for each file, as those tools work; HDiffPatch runs as one Python \
process for all files.
* **tree:** peers code all changed files as one stream with all old files as dictionary, both \
in the order of the listing.
  zstd: `-19 --patch-from`, which turns on long mode by itself.
  brotli: quality 11, with a large window if the standard one does not reach the whole \
dictionary.
  LZMA: preset 9e, raw LZMA1, a dictionary that fits both trees.
  Checksums that can be turned off are off (zstd, xdelta3).
* CPU is user + system of all processes, and peak memory that of the largest one; both are \
from `wait4`.
  `true`, measured in the same way, takes {floor_cpu:.1f} ms and {floor_peak:.1f} MiB.
  `sync` ran before each step.
  Releases, updates and results are where the table above shows: in memory if there is room, \
because a file system works on after a tree was removed.
  packtool and whole-tree zstd took turns, {runs} round(s) each, of which the tables show the \
median; the other peers ran once.
* A peer may take {memory:g} GiB of address space, and {tree:g} minutes for making or applying \
an update by the whole tree, {file:g} minutes for all patches by file.
  What needs more is left out and listed.
* "near": the last two releases of `corpora.txt`, adjacent or nearly so upstream.
  "far": the first of the three, a few releases before them, to each of them.
  "renames": the newest release against itself with other hashes in the names and wherever \
they are mentioned, made by the benchmark; these pairs count only for the targets that name \
them.
"""


def render(entries, verdicts, meta):
    parts = [_head(meta), _method(meta), _targets(verdicts), _problems(entries, meta), _pairs(meta),
             _bytes(entries, meta), _ratios(entries, meta)]
    for title, name, digits in (("CPU to make, seconds", "make_cpu", 2),
                                ("CPU to apply, seconds", "apply_cpu", 3),
                                ("Peak memory to make, MiB", "make_peak", 0),
                                ("Peak memory to apply, MiB", "apply_peak", 0)):
        parts.append(_figures(entries, meta, title, name, digits))
    parts += [_fetched(entries, meta), _ours(entries, meta), _kept(entries, meta)]
    return "\n".join(part for part in parts if part)


def table(entries):
    """Tab-separated: one line for each pair and subject, medians of the rounds."""
    lines = ["project\told\tnew\tpeer\tbytes\tmake CPU s\tapply CPU s\tpeak MiB"]
    for key, found in entries.items():
        for label in found:
            values = [t.median(entries, key, label, name)
                      for name in ("size", "make_cpu", "apply_cpu", "make_peak")]
            if None not in values:
                shown = [f"{values[0]:.0f}", f"{values[1]:.3f}", f"{values[2]:.3f}", f"{values[3]:.1f}"]
            elif found[label].left_out:
                shown = ["-"] * 4
            else:
                continue
            lines.append("\t".join([*key, label, *shown]))
    return "\n".join(lines) + "\n"


# -- sections


def _head(meta):
    lines = ["# Deltas of builds with source maps and compressed copies" if meta["whole"] else "# Deltas", ""]
    if meta["kind"]:
        lines += [f"**A partial run ({meta['kind']}): do not quote these figures.**", ""]
    lines += [f"Written by `Benchmarks/deltas.py`; do not edit. {meta['date']}, commit {meta['commit']}, "
              f"{meta['minutes']:.0f} minutes.", "", "| machine | |", "|---|---|"]
    lines += [f"| {key} | {value} |" for key, value in {**meta["machine"], **meta["tools"]}.items()]
    return "\n".join(lines) + "\n"


def _method(meta):
    limits, floor = meta["limits"], meta["floor"]
    return "## How it was measured\n\n" + METHOD.format(
        runs=meta["runs"], memory=limits["memory"], tree=limits["tree_minutes"],
        file=limits["file_minutes"], better=BETTER_THAN_THE_NAME, floor_cpu=floor["cpu"] * 1000,
        floor_peak=floor["peak"])


def _targets(verdicts):
    rows = ["## Targets", "", "| figure | target | measured | |", "|---|---|---|---|"]
    rows += [f"| {v.figure} | {v.target} | {v.measured} | {v.word}"
             + (f" ({v.note})" if v.note else "") + " |" for v in verdicts]
    return "\n".join(rows) + "\n"


def _problems(entries, meta):
    lines = [f"* {note}" for note in meta["notes"]]
    for key, found in entries.items():
        lines += [f"* left out: {label} on {' '.join(key)}: {entry.left_out}"
                  for label, entry in found.items() if entry.left_out]
    for place, label, message in meta["failures"]:
        indented = message.replace("\n", "\n  ")
        lines.append(f"* FAILED: {label}, {place}\n\n  ```\n  {indented}\n  ```")
    return "## Missing and failed\n\n" + "\n".join(lines) + "\n" if lines else ""


def _pairs(meta):
    lines = [
        "## Pairs",
        "",
        "Changed: files with new content, which an update has to contain. Base: how many of them have one.",
        "",
        "| project | old | new | kind | old files | old bytes | new files | new bytes | changed "
        "| changed bytes | base |",
        "|---|---|---|---|" + "---:|" * 7,
    ]
    for p in meta["pairs"]:
        lines.append(_cells(p["project"], p["old"], p["new"], p["kind"], *(
            f"{p[name]:,}" for name in ("old_files", "old_bytes", "new_files", "new_bytes",
                                        "changed_files", "changed_bytes", "based"))))
    return "\n".join(lines) + "\n"


def _bytes(entries, meta):
    labels = _labels(entries, meta)
    lines = ["## Update bytes", "", "The best peer of each pair is in bold.", "",
             _cells("pair", "kind", *labels), "|---|---|" + "---:|" * len(labels)]
    for p, key in _keys(meta):
        best, _ = t.best_peer(entries, key)
        cells = []
        for label in labels:
            value = t.size(entries, key, label)
            shown = _missing(entries, key, label) if value is None else f"{value:,.0f}"
            cells.append(f"**{shown}**" if label == best else shown)
        lines.append(_cells(_short(p), p["kind"], *cells))
    return "\n".join(lines) + "\n"


RATIOS = [("best peer", t.best_ratio),
          ("tree: zstd -19", lambda e, k: t.size_ratio(e, k, ZSTD_TREE)),
          ("changed files", lambda e, k: t.size_ratio(e, k, CODEPUSH)),
          ("full package", lambda e, k: t.size_ratio(e, k, PACKAGE)),
          ("CPU to make, tree: zstd -19", t.cpu_ratio)]


def _ratios(entries, meta):
    """Ours ÷ theirs, with the medians of the real pairs."""
    if not any(OURS in found for found in entries.values()):
        return ""
    lines = ["## packtool ÷ peers", "",
             "Bytes of the update, except in the last column.",
             f"In brackets: pairs for which the best peer needs no more than {t.SMALL:,} bytes; the median "
             "against the best peer leaves them out.",
             "", _cells("pair", "kind", "best peer is", *(name for name, _ in RATIOS)),
             "|---|---|---|" + "---:|" * len(RATIOS)]
    columns = {kinds: [[] for _ in RATIOS] for kinds in ((NEAR,), (FAR,), (NEAR, FAR))}
    for p, key in _keys(meta):
        cells = []
        for number, (_, ratio) in enumerate(RATIOS):
            value = ratio(entries, key)
            small = number == 0 and (t.best_peer(entries, key)[1] or 0) <= t.SMALL
            cells.append("" if value is None else f"({value:.3f})" if small else f"{value:.3f}")
            for kinds, found in columns.items():
                if p["kind"] in kinds and value is not None and not small:
                    found[number].append(value)
        lines.append(_cells(_short(p), p["kind"], t.best_peer(entries, key)[0] or "", *cells))
    for kinds, found in columns.items():
        medians = [f"**{statistics.median(values):.3f}**" if values else "" for values in found]
        lines.append(_cells(f"**median, {' and '.join(kinds)}**", "", "", *medians))
    return "\n".join(lines) + "\n"


def _figures(entries, meta, title, name, digits):
    labels = _labels(entries, meta)
    lines = [f"## {title}", "", _cells("pair", *labels), "|---|" + "---:|" * len(labels)]
    for p, key in _keys(meta):
        cells = []
        for label in labels:
            value = t.median(entries, key, label, name)
            cells.append(_missing(entries, key, label) if value is None else f"{value:,.{digits}f}")
        lines.append(_cells(_short(p), *cells))
    return "\n".join(lines) + "\n"


def _fetched(entries, meta):
    """All that a client reads for an update."""
    rows = []
    for p, key in _keys(meta):
        size, fetched, polled = (t.median(entries, key, OURS, name) for name in ("size", "fetched", "polled"))
        if fetched is None:
            continue
        rows.append(_cells(_short(p), p["kind"], *(_number(value, ",.0f") for value in (
            size, polled, fetched - polled, fetched))))
    if not rows:
        return ""
    return "\n".join([
        "## What a client fetches", "",
        "Every byte that `packtool install` reads from an origin for the update, at one delta a release: "
        "the pointer, which every client polls, and the delta.",
        "A published delta also has the part of `info.json` that does not follow from the files.", "",
        _cells("pair", "kind", "delta alone", "pointer", "published delta", "all"),
        "|---|---|" + "---:|" * 4, *rows]) + "\n"


def _ours(entries, meta):
    """Figures of packtool's deltas only: coded bytes, stated memory, speed."""
    rows, start = [], meta["floor"]["packtool"]
    for p, key in _keys(meta):
        cpu = t.median(entries, key, OURS, "apply_cpu")
        peak = t.worst(entries, key, OURS, "apply_peak")
        if cpu is None:
            continue
        coded, stated = (t.median(entries, key, OURS, name) for name in ("coded", "memory"))
        rows.append(_cells(
            _short(p), p["kind"], f"{p['changed_bytes'] / cpu / 1e6:.1f}",
            f"{p['new_bytes'] / cpu / 1e6:.1f}", _number(coded, ",.0f"),
            _number(cpu / coded * 1e6 if coded else None, ".2f"), f"{peak:.1f}",
            f"{peak - p['old_bytes'] / MIB:.1f}",
            f"{peak - p['old_bytes'] / MIB - start:.1f}", _number(stated / MIB if stated else None, ".1f")))
    if not rows:
        return ""
    return "\n".join([
        "## Applying packtool's deltas", "",
        "MB (10⁶ bytes) per second of CPU of the whole command, which checks the base, decodes, writes and "
        "checks the new tree.",
        "Coded bytes and stated memory are as packtool reports them; a cell is empty if it does not.",
        "Memory beyond the old tree is the highest peak minus the old tree's bytes, whether or not they were "
        f"all in memory; the next column also subtracts the {start:.1f} MiB of `packtool --version`.", "",
        _cells("pair", "kind", "changed MB/s", "tree MB/s", "coded bytes", "µs a coded byte",
               "peak MiB", "beyond the old tree", "and the process", "stated MiB"),
        "|---|---|" + "---:|" * 8, *rows]) + "\n"


def _kept(entries, meta):
    """Which figures are not of this run."""
    kept = {}
    for found in entries.values():
        for label, entry in found.items():
            if entry.kept_from:
                kept.setdefault(entry.kept_from, []).append(label)
    if not kept:
        return ""
    lines = [
        "## Figures from earlier runs",
        "",
        "Bytes cannot change as long as tools, options and inputs do not.",
        "CPU and memory are those of the run that measured them, and not comparable with this run's.",
        "",
    ]
    lines += [f"* {origin}: {len(labels)} figures of {', '.join(sorted(set(labels)))}"
              for origin, labels in kept.items()]
    return "\n".join(lines) + "\n"


# -- small things


def _labels(entries, meta):
    """The columns: packtool and the package, then the peers in the order of their list."""
    seen = {label for found in entries.values() for label in found}
    return [label for label in (OURS, PACKAGE, *meta["peers"]) if label in seen]


def _keys(meta):
    return [(p, (p["project"], p["old"], p["new"])) for p in meta["pairs"]]


def _short(p):
    return f"{p['project']} {p['old']} → {p['new']}"


def _missing(entries, key, label):
    entry = entries.get(key, {}).get(label)
    return "left out" if entry and entry.left_out else "—"


def _number(value, form):
    return "" if value is None else format(value, form)


def _cells(*cells):
    return "| " + " | ".join(cells) + " |"
