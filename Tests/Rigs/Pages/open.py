#!/usr/bin/python3
"""Opens the pages in an engine and writes verdicts.json or verdicts-chromium.json: open.py [NAME or TOPIC …]

The app is Tests/Rigs/WebKit/clients.py, or Tests/Rigs/Chromium/android.py with --engine chromium; both are
written from the clients' sources. Other hosts do not answer, unless a page has files for them. A page whose
result differs from that of its author or the last run is opened twice more, with more patience, and the
majority decides.
"""
import argparse
import concurrent.futures
import json
import os
import queue
import re
import tempfile

import pages
import chromium
import driver
from network import make_certificate



class WebKit:
    """WebKitGTK, with the app's handler and the network of one page."""

    def __init__(self, storage):
        if not hasattr(WebKit, "certificate"):
            WebKit.certificate = make_certificate(storage)
        self.engine = driver.Engine(WebKit.certificate, storage)

    def open(self, page, patience):
        settings = dict(page.profile) if isinstance(page.profile, dict) else {"base": page.profile}
        origin = page.address().split("://", 1)[0]
        scheme = pages.clients.SCHEMES.get(page.base, "customscheme") if origin == "https" else origin
        job = job_of(page, patience) | {"scheme": scheme, "proxy": self.engine.network.address,
                                        "client": settings, "shared": True}
        found = roots(page)
        if page.more.get("page-origin") == "https":
            found.setdefault(pages.HOST, os.path.join(page.directory, "dist"))
        return self.engine.load(job, None, found, offline=True)

    def stop(self):
        self.engine.stop()


class Chromium:
    """Headless Chromium as Android's WebView."""

    def __init__(self, storage):
        self.engine = chromium.Engine(storage)

    def open(self, page, patience):
        return self.engine.load(job_of(page, patience) | {"client": page.profile, "hosts": page.hosts},
                                roots(page))

    def stop(self):
        self.engine.stop()


ENGINES = {"webkit": WebKit, "chromium": Chromium}


def job_of(page, patience):
    return {"page": page.address(), "package": os.path.join(page.directory, "dist"), "launch": page.file,
            "probe": page.probe, "action": page.action, "size": [390, 700], "helpers": pages.HELPERS,
            "patience": patience}


def roots(page):
    net = os.path.join(page.directory, "net")
    return {host: os.path.join(net, host) for host in os.listdir(net)}


def judge(page, report):
    """The page's behavior: {"works": …, and the failures}."""
    asked = report.get("asked", [])
    # Without the time of day, which some pages add to addresses.
    missed = sorted({re.sub(r"\b1\d{12}\b", "0", one["url"]) for one in asked if one.get("answer") != "ok"})
    verdict = {"works": report.get("probe") == "true", "page": page.digest()}
    for part in page.needs:
        answers = [one.get("answer") for one in asked if part in one["url"]]
        if not answers or any(answer != "ok" for answer in answers):
            verdict["works"] = False
            verdict.setdefault("unanswered", []).append(part)
    if missed:
        verdict["missed"] = missed
    network = sorted({one["url"] for one in report.get("network", []) if one["status"] >= 400})
    if network:
        verdict["network"] = network
    if report.get("failure") and len(report.get("navigations", [])) > 9:
        verdict["loads"] = "again and again"
    elif report.get("failure"):
        verdict.update(works=None, failure=report["failure"])
    if not verdict["works"] and report.get("probe") not in ("true", "false"):
        verdict["probe"] = report.get("probe")
    return verdict


def open_page(page, engines, known):
    engine, verdicts = engines.get(), []
    try:
        for patience in (1, 2, 3):
            verdicts.append(judge(page, engine.open(page, patience)))
            ends = [verdict["works"] for verdict in verdicts]
            if patience == 1 and ends[0] in (page.expect == "work", known) and ends[0] is not None:
                break
            if patience == 2 and ends[0] == ends[1]:
                break
        return page, max(verdicts, key=lambda verdict: ends.count(verdict["works"]))
    finally:
        engines.put(engine)


def save(engine, verdicts):
    with open(pages.VERDICTS[engine], "w") as file:
        json.dump(verdicts, file, indent=1, ensure_ascii=False, sort_keys=True)
        file.write("\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help="pages, beginnings of names, or topics (default: all)")
    parser.add_argument("--engine", choices=ENGINES, default="webkit")
    parser.add_argument("--engines", type=int, default=3, help="pages at a time")
    parser.add_argument("--new", action="store_true", help="only pages without a verdict, or changed since")
    options = parser.parse_args()
    every = pages.load(options.engine)
    todo = [page for page in every.values() if not options.names or any(
        page.name.startswith(name) or page.topic == name for name in options.names)]
    verdicts = {name: value for name, value in pages.verdicts(options.engine).items() if name in every}
    if options.new:
        todo = [page for page in todo if verdicts.get(page.name, {}).get("works") is None
                or verdicts[page.name].get("page") != page.digest()]
    for page in todo:
        page.build()
    with tempfile.TemporaryDirectory(prefix="packtool-pages-", ignore_cleanup_errors=True) as temporary:
        engines, started = queue.Queue(), []
        for _ in range(max(1, min(options.engines, len(todo)))):
            started.append(ENGINES[options.engine](temporary))
            engines.put(started[-1])
        with concurrent.futures.ThreadPoolExecutor(len(started)) as pool:
            work = [pool.submit(open_page, page, engines, verdicts.get(page.name, {}).get("works"))
                    for page in todo]
            for count, done in enumerate(concurrent.futures.as_completed(work), 1):
                page, verdict = done.result()
                before = verdicts.get(page.name, {})
                # A result from a busy machine does not replace that of an unchanged page.
                if verdict["works"] is not None or before.get("page") != verdict["page"]:
                    verdicts[page.name] = verdict
                end = {True: "work", False: "break", None: "?"}[verdict["works"]]
                if end != page.expect:
                    print(f"{page.name}: {end}, not {page.expect}", json.dumps(verdict)[:400], flush=True)
                if count % 50 == 0:
                    print(f"{count} of {len(todo)}", flush=True)
                    save(options.engine, verdicts)
        for engine in started:
            engine.stop()
    save(options.engine, verdicts)
    ends = [verdict["works"] for verdict in verdicts.values()]
    print(f"{len(ends)} pages: {ends.count(True)} work, {ends.count(False)} break, "
          f"{ends.count(None)} could not be judged")
    return 1 if None in ends else 0


if __name__ == "__main__":
    raise SystemExit(main())
