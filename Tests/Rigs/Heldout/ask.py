#!/usr/bin/env python3
"""ask.py BATCH PACKTOOL [--show] [--json FILE]: asks packtool about a frozen batch of held-out pages.

Prints rates and counts only; with --show also the names, the findings and the right answers (then the batch is
no longer unseen). Refuses a batch whose files differ from FROZEN.
  silent   the page breaks, and check reports neither error nor warning
  false    the page works, and check reports an error, or a warning where none is fair (latent, advice)
"""
import argparse, collections, concurrent.futures, hashlib, json, os, shutil, subprocess, sys, tempfile

HELD = os.path.dirname(os.path.abspath(__file__))
OTHER = {"unhashed-mutable", "fallback-plain-http", "query-only-version", "sourcemap-shipped", "sourcemap-comment", "large-file",
         "large-image", "unreferenced-file", "duplicate-content", "os-junk", "dotfile", "basename-cache-names", "hash-not-content", "package-too-large"}


def digest(folder):
    """Of all bundles and verdicts."""
    total = hashlib.sha256()
    for where, dirs, names in os.walk(os.path.join(folder, "bundles")):
        dirs.sort()
        for name in sorted(names):
            path = os.path.join(where, name)
            with open(path, "rb") as file:
                total.update(os.path.relpath(path, folder).encode() + b"\0" + hashlib.sha256(file.read()).digest())
    with open(os.path.join(folder, "verdicts.json"), "rb") as file:
        total.update(file.read())
    return total.hexdigest()


def check(packtool, folder, extra):
    # A copy: packtool may write beside its settings.
    with tempfile.TemporaryDirectory() as copy:
        shutil.copytree(os.path.join(folder, "dist"), copy + "/dist")
        shutil.copy(os.path.join(folder, "packtool.yaml"), copy)
        run = subprocess.run([packtool, "check", "dist", "--config", "packtool.yaml", "--format", "json", "--hints", *extra],
                             cwd=copy, capture_output=True, text=True)
    try:
        answer = json.loads(run.stdout)
        return answer["findings"], answer
    except (ValueError, KeyError):
        return [{"severity": "error", "rule": "check-failed", "file": "", "message": run.stderr[-300:]}], {}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("batch")
    parser.add_argument("packtool")
    parser.add_argument("--show", action="store_true", help="also names, findings and answers")
    parser.add_argument("--json", help="write the answers to this file")
    parser.add_argument("--thawed", action="store_true", help="accept a batch that is not frozen")
    parser.add_argument("--engine", action="store_true", help="ask with check --engine")
    options = parser.parse_args()
    folder, packtool = os.path.join(HELD, options.batch), os.path.abspath(options.packtool)
    frozen = {}
    if os.path.exists(os.path.join(HELD, "FROZEN")):
        with open(os.path.join(HELD, "FROZEN")) as file:
            frozen = dict(line.split()[:2] for line in file if line.strip() and not line.startswith("#"))
    if frozen.get(options.batch) != digest(folder) and not options.thawed:
        sys.exit(f"error: batch {options.batch} is not what was frozen")
    with open(os.path.join(folder, "verdicts.json")) as file:
        verdicts = json.load(file)
    rows = []
    names = sorted(os.listdir(os.path.join(folder, "bundles")))
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        work = {name: pool.submit(check, packtool, os.path.join(folder, "bundles", name), ["--engine"] if options.engine else []) for name in names}
        for name in names:
            with open(os.path.join(folder, "bundles", name, "case.json")) as file:
                case = json.load(file)
            findings, whole = work[name].result()
            findings = [one for one in findings if one["rule"] not in OTHER]
            works = case["ios"] == "work" if case.get("ios") else verdicts[name]["works"]
            loud = [one for one in findings if one["severity"] in ("error", "warning")]
            error = any(one["severity"] == "error" for one in loud)
            if not works:
                cell = ("found: error" if error else "found: warning") if loud else "silent, another host" if case.get("external") else "silent"
            elif not loud:
                cell = "quiet"
            elif case.get("latent") or case.get("advice") and not error:
                cell = "fair warning" if not error else "false error (latent)"
            else:
                cell = "false error" if error else "false warning"
            rows.append((name, case, cell, findings, works, whole))
    cells = collections.Counter(row[2] for row in rows)
    breaks = sum(not row[4] for row in rows)
    works = len(rows) - breaks
    silent = cells["silent"] + cells["silent, another host"]
    errors = cells["false error"] + cells["false error (latent)"]
    print(f"batch {options.batch}: {len(rows)} pages, {breaks} break, {works} work")
    print(f"  silent on breaking   {silent:3} = {100 * silent / breaks:.1f} %   (another host alone: {cells['silent, another host']})")
    print(f"  false errors         {errors:3} = {100 * errors / works:.1f} % of working   (of them where a warning were fair: {cells['false error (latent)']})")
    print(f"  false warnings       {cells['false warning']:3} = {100 * cells['false warning'] / works:.1f} % of working")
    print("  cells:", ", ".join(f"{count} {cell}" for cell, count in sorted(cells.items())))
    kinds = collections.defaultdict(collections.Counter)
    for _, case, cell, _, works, _ in rows:
        kinds[case["kind"]]["breaks" if not works else "works"] += 1
        kinds[case["kind"]][cell.split(",")[0].split(" (")[0]] += 1
    print(f"  {'kind':10} breaks silent | works  false errors  false warnings")
    for kind, count in sorted(kinds.items()):
        print(f"  {kind:10} {count['breaks']:6} {count['silent']:6} | {count['works']:5} {count['false error']:13} {count['false warning']:15}")
    if options.show:
        for name, case, cell, findings, _works, _ in rows:
            if cell.startswith(("silent", "false")):
                print(f"--- {name} [{case['kind']}] {cell}: {case.get('answer', '')}")
                for one in findings:
                    print("     ", one["severity"], one["rule"], one.get("file"), one.get("line"), one.get("column"), "|", one["message"][:160])
    if options.json:
        with open(options.json, "w") as file:
            json.dump({row[0]: {"cell": row[2], "findings": row[3]} for row in rows}, file, indent=1)


if __name__ == "__main__":
    main()
