#!/usr/bin/python3
"""Loads pages in WebKitGTK, one by one, like an app's WebView.

Reads jobs as JSON lines from stdin, and answers each with one JSON line on the descriptor given by --answers.
It is a separate process, because a page can crash WebKit; prove.py restarts it.

A job is {"page": URL, "scheme": name, "package": directory, "handler": {...}, "proxy": host:port, "agent":
user agent, "size": [w, h], "snapshot": file, "checks": JavaScript after the load, "patience": factor,
"shared": whether the page may share its context with other pages of the scheme}. With a "probe", an
expression, the page stays open until it is true, or until nothing has happened for a while; "action" is
JavaScript to run once the page is idle, such as a click, and "helpers" JavaScript that runs before the page.
The report of a page contains

  asked     every request received by the scheme handler: method, url, body length, answer
  resources WebKit's report on each resource: state, status
  events    events in the page: errors of elements, of scripts, refused by CSP
  facts     results of the page's own check(name, function) calls
  console   messages on WebKit's console
  probe     the final value of the probe

Needs Debian's gir1.2-webkit2-4.1, python3-gi, python3-gi-cairo, xvfb (Scripts/packages.txt).
"""
import argparse
import ctypes
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time

from handler import Handler

os.environ.update({
    "GDK_BACKEND": "x11", "NO_AT_BRIDGE": "1", "LIBGL_ALWAYS_SOFTWARE": "1",
    "WEBKIT_DISABLE_COMPOSITING_MODE": "1", "WEBKIT_DISABLE_DMABUF_RENDERER": "1",
})
os.environ.setdefault("XDG_RUNTIME_DIR", tempfile.gettempdir())

# Runs in every frame before the page. A page reports results with check(): the value of a function or
# promise, or the name of the error it threw.
OBSERVER = """(() => {
  const port = window.webkit && webkit.messageHandlers && webkit.messageHandlers.observer;
  if (!port) return;
  const post = value => port.postMessage(JSON.stringify(value));
  addEventListener('error', event => {
    const element = event.target;
    if (element && element !== window && element.tagName) {
      const url = element.currentSrc || element.src || element.href || element.data || '';
      post({event: 'element', tag: element.tagName.toLowerCase(), url: String(url.baseVal || url)});
    } else post({event: 'script', message: event.message});
  }, true);
  addEventListener('unhandledrejection', event => post({event: 'rejection', message: String(event.reason)}));
  addEventListener('securitypolicyviolation', event =>
    post({event: 'csp', directive: event.effectiveDirective, url: event.blockedURI}));
  if (window === top) addEventListener('load', () => setTimeout(() => post({rested: true})));
  window.check = (name, work) => {
    post({begin: name});
    const limit = new Promise(done => setTimeout(() => done('timeout'), 5000));
    Promise.race([Promise.resolve().then(work), limit])
      .then(value => post({fact: name, value}),
            error => post({fact: name, value: error.name || String(error)}));
  };
})();"""

# A page is finished when its load event is over, every check has a result, and nothing has happened for this
# many seconds; a job's "patience" multiplies them.
QUIET = 0.35
LIMIT = 20
# How long a false probe is repeated after the last event.
PROBE_WAIT = 2
PROBE = "(() => { try { return String(!!(%s)) } catch (error) { return 'threw ' + error } })()"


def start_display():
    """Starts Xvfb, which ends with this process even if it crashes."""
    if os.environ.get("DISPLAY"):
        return None
    read, write = os.pipe()

    def end_with_parent():
        ctypes.CDLL(None).prctl(1, 15)

    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(write), "-screen", "0", "1280x1024x24", "-nolisten", "tcp"],
        pass_fds=[write], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        preexec_fn=end_with_parent)  # noqa: PLW1509 (no thread runs yet)
    os.close(write)
    number = b""
    while not number.endswith(b"\n"):
        piece = os.read(read, 16)
        if not piece:
            sys.exit("error: Xvfb did not start")
        number += piece
    os.environ["DISPLAY"] = ":" + number.decode().strip()
    return server


class Console:
    """Collects output of this process and WebKit's own processes while a page is open.

    A terminal, not a pipe or a file: otherwise WebKit buffers its console messages and loses them.
    """

    def __init__(self):
        self.pieces = []
        reader, self.writer = os.openpty()
        self.kept = [os.dup(1), os.dup(2)]
        for number in (1, 2):
            os.dup2(self.writer, number)
        self.thread = threading.Thread(target=self.collect, args=(reader,), daemon=True)
        self.thread.start()

    def collect(self, reader):
        try:
            while piece := os.read(reader, 65536):
                self.pieces.append(piece)
        except OSError:  # the last writer has gone
            pass
        os.close(reader)

    def close(self):
        for number, descriptor in zip((1, 2), self.kept):
            os.dup2(descriptor, number)
            os.close(descriptor)
        os.close(self.writer)
        self.thread.join(timeout=0.3)
        return b"".join(self.pieces).decode("utf-8", "replace").splitlines()


class Page:
    """One page in its own web context: nothing is shared, unless the job allows it."""

    def __init__(self, job, gi, storage):
        self.job, self.gi, self.storage = job, gi, tempfile.mkdtemp(dir=storage)
        self.report = {
            "asked": [],
            "resources": [],
            "events": [],
            "facts": {},
            "navigations": [],
            "console": [],
        }
        self.limit = LIMIT * min(job.get("patience", 1), 3)
        self.open_checks, self.finished, self.rested, self.failure = 0, False, False, None
        self.acted, self.asking, self.ended = not job.get("action"), False, False
        self.started = self.last = time.monotonic()
        self.loop = gi.GLib.MainLoop()
        self.handler = Handler(job, gi, self.report, self.touch)

    def touch(self):
        self.last = time.monotonic()

    def run(self):
        console = Console()
        try:
            self.open_view()
            self.view.load_uri(self.job["page"])
            self.gi.GLib.timeout_add(50, self.try_probe) if "probe" in self.job \
                else self.gi.GLib.timeout_add(25, self.tick)
            self.loop.run()
        finally:
            self.window.destroy()
            lines = console.close()
            shutil.rmtree(
                self.storage, ignore_errors=True
            )  # WebKit may still be writing: the caller removes the rest
        self.report["console"] = [line[line.index("CONSOLE ") + 8:] for line in lines if "CONSOLE " in line]
        self.report["warnings"] = [line for line in lines if "WARNING" in line or "CRITICAL" in line]
        self.report["address"] = self.view.get_uri()
        self.report["seconds"] = round(time.monotonic() - self.started, 2)
        return self.report

    def shared_context(self):
        """One context for all pages of a scheme: each page still has its own web process."""
        contexts, scheme = self.gi.contexts, self.job["scheme"]
        if scheme not in contexts:
            contexts[scheme] = self.make_context(tempfile.mkdtemp(dir=os.path.dirname(self.storage)), False)
            contexts[scheme].set_cache_model(self.gi.WebKit.CacheModel.DOCUMENT_VIEWER)
        self.gi.handlers[scheme] = self.handler
        return contexts[scheme]

    def make_context(self, storage, sandbox):
        WebKit, scheme, handlers = self.gi.WebKit, self.job["scheme"], self.gi.handlers
        # Not ephemeral: a private session writes nothing to the console.
        data = WebKit.WebsiteDataManager(base_data_directory=storage, base_cache_directory=storage)
        data.set_tls_errors_policy(WebKit.TLSErrorsPolicy.IGNORE)
        if self.job.get("proxy"):
            data.set_network_proxy_settings(
                WebKit.NetworkProxyMode.CUSTOM,
                WebKit.NetworkProxySettings.new("http://" + self.job["proxy"], None))
        context = WebKit.WebContext.new_with_website_data_manager(data)
        context.set_sandbox_enabled(sandbox)
        handlers[scheme] = self.handler
        context.register_uri_scheme(scheme, lambda request, *_: handlers[scheme].answer(request))
        return context

    def open_view(self):
        WebKit, Gtk = self.gi.WebKit, self.gi.Gtk
        context = self.shared_context() if self.job.get("shared") else self.make_context(self.storage, True)
        manager = WebKit.UserContentManager()
        manager.add_script(WebKit.UserScript.new(
            OBSERVER, WebKit.UserContentInjectedFrames.ALL_FRAMES,
            WebKit.UserScriptInjectionTime.START, None, None))
        if self.job.get("helpers"):
            manager.add_script(WebKit.UserScript.new(
                self.job["helpers"], WebKit.UserContentInjectedFrames.TOP_FRAME,
                WebKit.UserScriptInjectionTime.START, None, None))
        if self.job.get("checks"):
            manager.add_script(WebKit.UserScript.new(
                "addEventListener('load', () => {" + self.job["checks"] + "});",
                WebKit.UserContentInjectedFrames.TOP_FRAME, WebKit.UserScriptInjectionTime.START, None, None))
        manager.connect("script-message-received::observer", self.on_message)
        manager.register_script_message_handler("observer")
        settings = WebKit.Settings()
        settings.set_enable_write_console_messages_to_stdout(True)
        settings.set_hardware_acceleration_policy(WebKit.HardwareAccelerationPolicy.NEVER)
        if self.job.get("agent"):
            settings.set_user_agent(self.job["agent"])
        self.view = WebKit.WebView(user_content_manager=manager, settings=settings, web_context=context)
        self.view.connect("resource-load-started", self.on_resource)
        self.view.connect("load-changed", self.on_load)
        self.view.connect("load-failed", self.on_failure)
        self.view.connect("web-process-terminated", self.on_end_of_process)
        self.window = Gtk.Window()
        self.window.set_default_size(*self.job.get("size", [800, 600]))
        self.window.add(self.view)
        self.window.show_all()

    def on_message(self, _manager, result):
        self.touch()
        message = json.loads(result.get_js_value().to_string())
        if "rested" in message:
            self.rested = True
        elif "begin" in message:
            self.open_checks += 1
        elif "fact" in message:
            self.open_checks -= 1
            self.report["facts"][message["fact"]] = message.get("value")
        else:
            self.report["events"].append(message)

    def on_resource(self, _view, resource, request):
        self.touch()
        record = {"url": request.get_uri(), "state": "started"}
        self.report["resources"].append(record)

        def finished(resource):
            self.touch()
            if record["state"] == "started":
                record["state"] = "finished"
            response = resource.get_response()
            if response:
                record["status"] = response.get_status_code()

        def failed(_resource, error):
            self.touch()
            record.update(state="failed", error=error.message)

        resource.connect("finished", finished)
        resource.connect("failed", failed)

    def on_load(self, view, event):
        self.touch()
        if event == self.gi.WebKit.LoadEvent.COMMITTED:
            self.rested = False
            self.report["navigations"].append(view.get_uri())
        self.finished = event == self.gi.WebKit.LoadEvent.FINISHED

    def on_failure(self, _view, _event, url, error):
        self.touch()
        self.report["events"].append({"event": "load", "url": url, "message": error.message})
        self.rested = True  # no further events of this document
        return True

    def on_end_of_process(self, _view, reason):
        self.failure = "the web process ended: " + reason.value_nick

    def tick(self):
        now = time.monotonic()
        patience = QUIET * self.job.get("patience", 1)
        quiet = self.finished and self.rested and not self.open_checks and now - self.last > patience
        if not (quiet or self.failure or now - self.started > self.limit):
            return True
        if self.failure or not quiet:
            self.report["failure"] = self.failure or "the page did not come to rest"
        if self.job.get("snapshot") and not self.failure:
            self.view.get_snapshot(
                self.gi.WebKit.SnapshotRegion.FULL_DOCUMENT,
                self.gi.WebKit.SnapshotOptions.NONE,
                None,
                self.on_snapshot,
            )
        else:
            self.loop.quit()
        return False

    def try_probe(self):
        """Evaluates the probe of a page until it is true or times out."""
        if self.ended:
            return False
        if self.failure or time.monotonic() - self.started > self.limit:
            self.end(self.failure or "the page did not come to rest")
        elif self.finished and not self.asking:
            if self.acted:
                self.evaluate(PROBE % self.job["probe"], self.on_probe)
            elif time.monotonic() - self.last > QUIET:
                self.acted = True
                self.touch()
                self.evaluate(self.job["action"] + ";''", lambda _: None)
        return True

    def evaluate(self, script, then):
        self.asking = True

        def done(view, result):
            self.asking = False
            try:
                value = view.evaluate_javascript_finish(result).to_string()
            except self.gi.GLib.Error as error:
                value = error.message
            then(value)

        self.view.evaluate_javascript(script, -1, None, None, None, done)

    def on_probe(self, value):
        self.report["probe"] = value
        rest = time.monotonic() - self.last
        if value == "true" and rest > QUIET or rest > PROBE_WAIT * self.job.get("patience", 1):
            self.end(None)

    def end(self, failure):
        if failure:
            self.report["failure"] = failure
        self.ended = True
        self.loop.quit()

    def on_snapshot(self, view, result):
        try:
            view.get_snapshot_finish(result).write_to_png(self.job["snapshot"])
        except self.gi.GLib.Error as error:
            self.report["failure"] = "no snapshot: " + error.message
        self.loop.quit()


def load_bindings():
    """The GObject bindings in one namespace; imported after the display is available."""
    import gi
    gi.require_version("Gtk", "3.0")
    gi.require_version("Soup", "3.0")
    gi.require_version("WebKit2", "4.1")
    from gi.repository import Gio, GLib, Gtk, Soup, WebKit2
    return argparse.Namespace(Gio=Gio, GLib=GLib, Gtk=Gtk, Soup=Soup, WebKit=WebKit2, contexts={},
                              handlers={})


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--answers", type=int, required=True, help="the descriptor to answer on")
    parser.add_argument(
        "--storage", required=True, help="a directory for what WebKit keeps, which the caller removes"
    )
    options = parser.parse_args()
    answers = os.fdopen(options.answers, "w")
    os.set_inheritable(answers.fileno(), False)
    display = start_display()
    gi = load_bindings()
    version = "%d.%d.%d" % (
        gi.WebKit.get_major_version(),
        gi.WebKit.get_minor_version(),
        gi.WebKit.get_micro_version(),
    )
    print(json.dumps({"webkit": version}), file=answers, flush=True)
    for line in sys.stdin:
        print(json.dumps(Page(json.loads(line), gi, options.storage).run()), file=answers, flush=True)
    if display:
        display.terminate()
        display.wait()
    os._exit(0)


main()
