"""Opens pages in headless Chromium as an Android app's WebView does; ../Pages/open.py uses it.

Every request is intercepted and answered by android.py, or by the files of other hosts, or fails: nothing
leaves the machine. README.md lists the differences from WebView.
"""
import base64
import os
import shutil
import tempfile
import time
import urllib.parse

import android
from devtools import DevTools, Gone

# A page is finished when its probe is true and nothing has happened for this many seconds.
QUIET = 0.35
LIMIT = 20
# How long a false probe is repeated after the last event.
PROBE_WAIT = 1.5
PROBE = "(() => { try { return String(!!(%s)) } catch (error) { return 'threw ' + error } })()"
CONTEXTS_PER_PROCESS = 60
# APIs that WebView does not have (MDN's browser-compat-data: webview_android).
LACKING = "delete window.Notification; delete window.PushManager;"
# As WebView's settings are without any call: no mixed content, one window, UTF-8.
SETTINGS = "strictMixedContentChecking=true,supportsMultipleWindows=false,defaultTextEncodingName=UTF-8"
AGENT = ("Mozilla/5.0 (Linux; Android 14; Pixel 8; wv) AppleWebKit/537.36 (KHTML, like Gecko) "
         "Version/4.0 Chrome/156.0.0.0 Mobile Safari/537.36")
FLAGS = [
    "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe", "--host-resolver-rules=MAP * ~NOTFOUND",
    "--disable-background-networking", "--disable-component-update", "--no-first-run", "--disable-extensions",
    "--disable-dev-shm-usage", "--disable-site-isolation-trials", "--blink-settings=" + SETTINGS,
    "--user-agent=" + AGENT,
    "--disable-features=IsolateOrigins,site-per-process,AutoupgradeMixedContent,MixedContentAutoupgrade",
]
PROGRAMS = ("chromium-headless-shell", "chromium")


class Engine:
    """A browser process that opens one page at a time, each in its own context."""

    def __init__(self, storage):
        self.storage, self.browser = storage, None
        self.start()

    def start(self):
        program = next(filter(None, map(shutil.which, PROGRAMS)), None)
        if program is None:
            raise SystemExit("error: no Chromium\nhelp: Scripts/install.sh chromium")
        self.directory = tempfile.mkdtemp(dir=self.storage)
        self.browser = DevTools([program, *(["--headless"] if program.endswith("chromium") else []), *FLAGS,
                                 "--user-data-dir=" + self.directory])
        self.opened = 0
        self.version = self.browser.call("Browser.getVersion")["product"]
        self.browser.call("Fetch.enable", patterns=[{"urlPattern": "*"}])

    def stop(self):
        self.browser.close()
        shutil.rmtree(self.directory, ignore_errors=True)

    def load(self, job, roots):
        """Loads a page and reports its behavior; `roots` has the files of other hosts."""
        if self.opened == CONTEXTS_PER_PROCESS:
            self.stop()
            self.start()
        self.opened += 1
        page = Page(self.browser, job, roots)
        try:
            return page.run()
        except (Gone, ValueError) as error:
            self.stop()
            self.start()
            return page.report | {"failure": f"the engine ended {error}"}


class Page:
    """One page in its own browser context."""

    def __init__(self, browser, job, roots):
        self.browser, self.job, self.roots = browser, job, roots
        self.app = android.App(job["package"], android.client(job["client"], job["launch"]),
                               job["page"].split(":")[0], job["hosts"])
        self.report = {"asked": [], "network": [], "navigations": [], "console": []}
        self.loaded = False
        self.started = self.last = time.monotonic()

    def run(self):
        browser = self.browser
        browser.events.clear()
        context = browser.call("Target.createBrowserContext", disposeOnDetach=True)["browserContextId"]
        try:
            browser.call("Browser.setDownloadBehavior", behavior="deny", browserContextId=context)
            target = browser.call("Target.createTarget", url="about:blank", browserContextId=context)
            self.session = browser.call("Target.attachToTarget", targetId=target["targetId"],
                                        flatten=True)["sessionId"]
            width, height = self.job["size"]
            for method in ("Page.enable", "Runtime.enable", "Log.enable"):
                browser.call(method, self.session)
            browser.call("Emulation.setDeviceMetricsOverride", self.session, width=width, height=height,
                         deviceScaleFactor=1, mobile=True)
            browser.call("Page.addScriptToEvaluateOnNewDocument", self.session,
                         source=self.job["helpers"] + LACKING)
            browser.send("Page.navigate", self.session, url=self.job["page"])
            self.watch()
        finally:
            browser.call("Target.disposeBrowserContext", browserContextId=context)
        return self.report

    def watch(self):
        """Answers requests until the probe is true or nothing happens any more."""
        patience = self.job.get("patience", 1)
        acted, asking = not self.job.get("action"), None
        while True:
            self.browser.pump(0.05)
            for event in self.take_events():
                self.handle(event)
            now = time.monotonic()
            if now - self.started > LIMIT * patience or len(self.report["navigations"]) > 30:
                self.report["failure"] = "the page did not come to rest"
                return
            if asking is not None:
                if asking in self.browser.results:
                    answer, asking = self.browser.results.pop(asking), None
                    if acted and self.is_over(answer, now - self.last, patience):
                        return
                    acted = True
            elif self.loaded and acted:
                asking = self.evaluate(PROBE % self.job["probe"])
            elif self.loaded and now - self.last > QUIET:
                self.last = now
                asking = self.evaluate(self.job["action"] + ";''")

    def is_over(self, answer, rest, patience):
        """Whether the probe's value is final."""
        found = answer.get("result", {}).get("result", {})
        self.report["probe"] = found.get("value", answer.get("error", {}).get("message"))
        return self.report["probe"] == "true" and rest > QUIET or rest > PROBE_WAIT * patience

    def evaluate(self, script):
        return self.browser.send("Runtime.evaluate", self.session, expression=script, returnByValue=True,
                                 userGesture=True)

    def take_events(self):
        events = self.browser.events[:]
        self.browser.events.clear()
        return events

    def handle(self, event):
        method, values = event["method"], event["params"]
        if method == "Fetch.requestPaused":
            self.last = time.monotonic()
            self.answer(values)
        elif event.get("sessionId") != self.session:
            return
        elif method == "Page.loadEventFired":
            self.last, self.loaded = time.monotonic(), True
        elif method == "Page.frameNavigated":
            self.last = time.monotonic()
            if "parentId" not in values["frame"]:
                self.report["navigations"].append(values["frame"]["url"])
        elif method == "Page.javascriptDialogOpening":
            self.browser.send("Page.handleJavaScriptDialog", self.session, accept=True)
        elif method == "Runtime.exceptionThrown":
            details = values["exceptionDetails"]
            self.report["console"].append(details.get("exception", {}).get("description") or details["text"])
        elif method == "Log.entryAdded":
            self.report["console"].append(values["entry"]["text"])

    def answer(self, paused):
        """Answers a request: from the app, from another host's files, or by an error."""
        request, number = paused["request"], paused["requestId"]
        url = request["url"].partition("#")[0]
        headers = {name.lower(): value for name, value in request["headers"].items()}
        if not url.startswith(("http:", "https:")):
            self.browser.send("Fetch.continueRequest", requestId=number)
            return
        answer = self.app.answer(url, headers)
        own = urllib.parse.urlsplit(url).netloc in self.app.hosts
        if answer is None:
            answer = self.from_network(url, headers)
            status = answer.status if answer else 502
            if own:
                self.report["asked"].append({"url": url, "answer": "ok" if status == 200 else "network"})
            else:
                self.report["network"].append({"url": url, "status": status})
        else:
            self.report["asked"].append({"url": url, "answer": answer.reason or "ok"})
        if answer is None:
            self.browser.send("Fetch.failRequest", requestId=number, errorReason="NameNotResolved")
            return
        self.browser.send(
            "Fetch.fulfillRequest", requestId=number, responseCode=answer.status,
            responseHeaders=[{"name": name, "value": value} for name, value in answer.headers.items()],
            body=base64.b64encode(answer.content).decode())

    def from_network(self, url, headers):
        """The answer of a server that expects pages of apps, if the page has files for its host."""
        parts = urllib.parse.urlsplit(url)
        root = self.roots.get(parts.hostname)
        if root is None:
            return None
        fields = {"Access-Control-Allow-Origin": "*", "Access-Control-Allow-Headers": "*"}
        name = os.path.join(root, urllib.parse.unquote(parts.path).lstrip("/"))
        if not os.path.isfile(name):
            return android.Answer(404, b"nothing here", fields | {"Content-Type": "text/plain"})
        with open(name, "rb") as file:
            kind = android.TYPES.get(name.rsplit(".", 1)[-1], android.UNKNOWN)
            return android.Answer(200, file.read(), fields | {"Content-Type": kind})
