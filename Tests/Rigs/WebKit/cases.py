"""The pairs of pages, and their expected behavior."""
import json
import os
import re

# The keys of an expectation for one page, and for both.
PAGE_KEYS = {"failed", "loaded", "asked", "never", "times", "console", "facts", "address"}
CASE_KEYS = {"rule", "shows", "page", "scheme", "client", "handler", "agent", "network", "deployed",
             "lenient", "ios", "bad", "good"}


class Case:
    """One directory of cases/: bad/, good/, optionally web/<host>/, and expect.json.

      shows     the purpose of the pair, in one sentence
      page      the URL of the page (default customscheme://shop.test/index.html)
      scheme    the scheme the app registers
      client    the profile of the app, with its settings as in packtool.yaml (clients.py)
      handler   other differences in the app (handler.py)
      network   answers by URL; web/<host>/ contains further files
      deployed  the page's directory is also served at https://shop.test/
      lenient   why WebKitGTK shows no breakage but iOS does: such a pair proves nothing
      ios       differences on iOS

    For each page:

      failed    exactly the URLs that failed: an element's error event, no answer, a refused answer
      loaded    URLs that were answered and used
      asked     "METHOD URL" that must be requested; never: must not be requested
      times     the required number of requests for a URL
      console   patterns that match messages; on the good page all errors and warnings must match one
      facts     exactly the results of the page's own checks
      address   the final URL of the view
    """

    def __init__(self, directory):
        self.directory, self.name = directory, os.path.basename(directory)
        with open(os.path.join(directory, "expect.json")) as file:
            self.expect = json.load(file)
        unknown = set(self.expect) - CASE_KEYS
        for page in ("bad", "good"):
            unknown |= set(self.expect.get(page, {"?": 0})) - PAGE_KEYS
        if unknown or not self.expect.get("shows"):
            raise SystemExit(
                f"error: {directory}/expect.json: unknown or missing: {sorted(unknown) or 'shows'}"
            )
        if not self.expect["bad"] or not self.expect["good"]:
            raise SystemExit(f"error: {directory}/expect.json expects nothing of a page")

    @property
    def rules(self):
        """The rules tested by the pair."""
        return self.expect.get("rule", self.name).split()

    def page_address(self):
        return self.expect.get("page", self.expect.get("scheme", "customscheme") + "://shop.test/index.html")

    def roots(self, variant):
        """Directories that answer for hosts of the network."""
        web, own = os.path.join(self.directory, "web"), os.path.join(self.directory, variant)
        roots = {host: os.path.join(web, host) for host in (os.listdir(web) if os.path.isdir(web) else [])}
        if self.expect.get("deployed") or self.page_address().startswith("https:"):
            roots.setdefault("shop.test", own)
        return roots

    def job(self, variant, proxy):
        return {"page": self.page_address(), "scheme": self.expect.get("scheme", "customscheme"),
                "package": os.path.join(self.directory, variant), "proxy": proxy,
                "handler": self.expect.get("handler", {}), "client": self.expect.get("client", {}),
                "agent": self.expect.get("agent")}


def failures(report):
    """The URLs that failed on a page, in order."""
    found = [a["url"] for a in report["asked"] if a.get("answer") != "ok"]
    found += [r["url"] for r in report["resources"] if r["state"] == "failed"]
    found += [n["url"] for n in report["network"] if n["status"] >= 400]
    found += [e["url"] for e in report["events"] if e["event"] in ("element", "csp", "load") and e.get("url")]
    return list(dict.fromkeys(found))


def requests(report):
    return [f"{r['method']} {r['url']}" for r in report["asked"] + report["network"]]


def disagreements(expected, report, is_good):
    """The differences of a page from the expectation, one line each."""
    if report.get("failure"):
        return ["the page failed: " + report["failure"]]
    wrong, failed, asked = [], set(failures(report)), requests(report)
    wanted = set(expected.get("failed", []))
    wrong += [f"should fail, but did not: {url}" for url in sorted(wanted - failed)]
    wrong += [f"failed unexpectedly: {url}" for url in sorted(failed - wanted)]
    for url in expected.get("loaded", []):
        if "GET " + url not in asked:
            wrong.append(f"was never asked for: {url}")
        elif url in failed:
            wrong.append(f"should load, but failed: {url}")
    for line in expected.get("asked", []):
        if line not in asked:
            wrong.append(f"was never asked for: {line}")
    for line in expected.get("never", []):
        if line in asked:
            wrong.append(f"should not be asked for: {line}")
    for url, count in expected.get("times", {}).items():
        if asked.count("GET " + url) != count:
            wrong.append(f"asked {asked.count('GET ' + url)} times instead of {count}: {url}")
    wrong += console_disagreements(expected.get("console", []), report["console"], is_good)
    if report["facts"] != expected.get("facts", {}):
        wrong.append(f"facts are {json.dumps(report['facts'], ensure_ascii=False)}, "
                     f"not {json.dumps(expected.get('facts', {}), ensure_ascii=False)}")
    if "address" in expected and report["address"] != expected["address"]:
        wrong.append(f"the view ends at {report['address']}, not at {expected['address']}")
    return wrong


def console_disagreements(patterns, messages, is_good):
    wrong = [f"no console message matches: {pattern}" for pattern in patterns
             if not any(re.search(pattern, message) for message in messages)]
    if is_good:
        wrong += [
            f"unexpected console message: {message}"
            for message in messages
            if ("ERROR" in message or "WARN" in message) and not any(re.search(p, message) for p in patterns)
        ]
    return wrong
