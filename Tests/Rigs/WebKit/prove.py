#!/usr/bin/python3
"""Runs every pair of pages in WebKitGTK and prints the breakage of each rule's bad page.

Exit code 0 if every page matched its expect.json, 1 if one did not, 2 if WebKit is missing.
"""
import argparse
import concurrent.futures
import json
import os
import queue
import sys
import tempfile

import cases
import storefront
from driver import Engine
from network import make_certificate

HERE = os.path.dirname(os.path.abspath(__file__))


def short(url, page):
    base = page.rsplit("/", 1)[0] + "/"
    return url[len(base):] or url if url.startswith(base) else url


def describe_bad(case, report):
    """The failures of a bad page, for the table."""
    parts = []
    failed = [short(url, case.page_address()) for url in cases.failures(report)]
    if failed:
        parts.append("failed: " + ", ".join(failed))
    good = case.expect["good"].get("facts", {})
    facts = [
        f"{name}={json.dumps(value, ensure_ascii=False)}"
        for name, value in report["facts"].items()
        if good.get(name) != value
    ]
    if facts:
        parts.append(", ".join(facts))
    for key, word in (("never", "never asked"), ("asked", "asked")):
        if key in case.expect["bad"]:
            parts.append(
                word
                + ": "
                + ", ".join(short(u.split(" ", 1)[1], case.page_address()) for u in case.expect["bad"][key])
            )
    if "times" in case.expect["bad"]:
        parts.append(
            "asked "
            + ", ".join(
                f"{short(u, case.page_address())} ×{n}" for u, n in case.expect["bad"]["times"].items()
            )
        )
    if not parts and report["console"]:
        parts.append(report["console"][0])
    return "; ".join(parts) or "ends at " + report["address"]


def describe_good(case, report):
    loaded = [
        a
        for a in report["asked"] + report["network"]
        if a.get("answer") == "ok" or a.get("status", 500) < 400
    ]
    facts = "".join(
        f", {name}={json.dumps(value, ensure_ascii=False)}" for name, value in report["facts"].items()
    )
    return f"{len(loaded)} loaded{facts}"


def cell(text, limit=150):
    text = text.replace("|", "\\|").replace("\n", " ")
    return text if len(text) <= limit else text[:limit - 1] + "…"


def run(case, engines, keep):
    engine = engines.get()
    try:
        reports, wrong = {}, []
        for variant in ("bad", "good"):
            # On a busy machine, try once more with a longer wait.
            for patience in (1, 8):
                report = engine.load(dict(case.job(variant, engine.network.address), patience=patience),
                                     case.expect.get("network"), case.roots(variant))
                lines = cases.disagreements(case.expect[variant], report, variant == "good")
                if not lines:
                    break
            reports[variant] = report
            wrong += [f"{variant}: {line}" for line in lines]
            if keep:
                with open(os.path.join(keep, f"{case.name}.{variant}.json"), "w") as file:
                    json.dump(report, file, indent=1, ensure_ascii=False)
        if not case.expect.get("lenient") and not cases.disagreements(
            case.expect["good"], reports["bad"], True
        ):
            wrong.append("bad: it does all that is expected of the good page, so the pair shows nothing")
        return case, reports, wrong
    finally:
        engines.put(engine)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", nargs="*", help="cases to run, 'storefront' among them (default: all)")
    parser.add_argument("--packtool", default=os.path.join(HERE, "../../../.build/debug/packtool"))
    parser.add_argument(
        "--output",
        default=os.path.join(HERE, "../../../.build/webkit-proof"),
        help="where table and reports go",
    )
    parser.add_argument("--cases", default=os.path.join(HERE, "cases"))
    parser.add_argument("--engines", type=int, default=3, help="pages at a time")
    parser.add_argument("--verbose", action="store_true", help="print each wrong page's report")
    options = parser.parse_args()
    os.makedirs(options.output, exist_ok=True)
    names = options.names or sorted(os.listdir(options.cases)) + ["storefront"]
    todo = [cases.Case(os.path.join(options.cases, name)) for name in names if name != "storefront"]
    with tempfile.TemporaryDirectory(prefix="packtool-webkit-", ignore_cleanup_errors=True) as temporary:
        certificate = make_certificate(temporary)
        engines, started = queue.Queue(), []
        for _ in range(max(1, min(options.engines, len(todo)))):
            started.append(Engine(certificate, temporary))
            engines.put(started[-1])
        with concurrent.futures.ThreadPoolExecutor(len(started)) as pool:
            results = list(pool.map(lambda case: run(case, engines, options.output), todo))
        shop = (
            storefront.prove(started[0], os.path.abspath(options.packtool), os.path.abspath(options.output))
            if "storefront" in names
            else ([], [])
        )
        for engine in started:
            engine.stop()
    return conclude(results, shop, started[0].version, options)


def conclude(results, shop, version, options):
    rows, broken, shown, lenient = [], 0, set(), []
    for case, reports, wrong in results:
        if wrong:
            broken += 1
            told = wrong if broken <= 20 else wrong[:1]
            print(f"error: {case.name}", *("  " + line for line in told), sep="\n", file=sys.stderr)
            if options.verbose:
                print(json.dumps(reports, indent=1, ensure_ascii=False), file=sys.stderr)
            continue
        if case.expect.get("lenient"):
            lenient.append(case.name)
        else:
            shown.update(case.rules)
        rows.append(
            [
                ", ".join(case.rules),
                case.expect["shows"],
                describe_bad(case, reports["bad"]),
                describe_good(case, reports["good"]),
                case.expect.get("lenient") or case.expect.get("ios") or "the same",
            ]
        )
    lines = [
        f"WebKitGTK {version}",
        "",
        "| rule | what it shows | bad page | good page | iOS |",
        "|---|---|---|---|---|",
    ]
    lines += ["| " + " | ".join(cell(value) for value in row) + " |" for row in rows]
    lines += ["", *shop[0]]
    for line in shop[1]:
        print("error: " + line, file=sys.stderr)
    lines += [
        "",
        f"{len(results)} pairs, {len(shown)} rules proved; {len(lenient)} pairs that WebKitGTK lets pass: "
        + (", ".join(lenient) or "none"),
        f"{broken} pairs did not do what their expect.json says",
    ]
    text = "\n".join(lines)
    print(text)
    with open(os.path.join(options.output, "table.md"), "w") as file:
        file.write(text + "\n")
    return 1 if broken or shop[1] else 0


sys.exit(main())
