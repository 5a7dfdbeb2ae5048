#!/usr/bin/env python3
"""Runs examples/app-linux under Xvfb, through the life of an app; the pages report what they loaded.

    Tests/Rigs/App/run.py --app examples/app-linux/.build/release/App --packtool .build/release/packtool

Each step starts the app with a real WebKitGTK view, and keeps a screenshot. Needs libwebkitgtk-6.0-4, xvfb,
imagemagick.
"""

import argparse
import http.server
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
PAGES = ROOT / "examples/app-linux/pages"
COLORS = ["", "#2b6cb0", "#2f855a", "#b7791f", "#9b2c2c", "#6b46c1", "#2c7a7b"]


class Wrong(Exception):
    pass


def expect(condition, what):
    if not condition:
        raise Wrong(what)


class Lab:
    def __init__(self, options, place):
        self.options, self.place = options, place
        self.cdn, self.phone, self.embedded = place / "cdn", place / "phone", place / "embedded"
        self.shots = options.keep / "screenshots" if options.keep else place / "screenshots"
        self.shots.mkdir(parents=True, exist_ok=True)
        self.steps = 0
        self.server = None

    # The publisher.

    def packtool(self, *words, status=0):
        done = subprocess.run([self.options.packtool, *map(str, words)], cwd=self.place, text=True,
                              capture_output=True, check=False)
        expect(done.returncode == status, f"packtool {words[0]} ended with {done.returncode}: {done.stderr}")
        return done.stdout

    def build(self, number, broken=False, weight=0):
        """The pages of a release, by replacing their number."""
        build = self.place / f"build-{number}"
        shutil.copytree(PAGES, build)
        for file in build.iterdir():
            text = file.read_text()
            for form in ("Release %d", "release %d", '"release": %d', "release = %d"):
                text = text.replace(form % 1, form % number)
            file.write_text(text.replace(COLORS[1], COLORS[number % len(COLORS)]))
        if broken:
            (build / "release.js").write_text("throw new Error('a mistake');\n")
        if weight:
            (build / "large.bin").write_bytes(os.urandom(weight))
        return build

    def publish(self, number, channel="production", **more):
        self.packtool("publish", self.build(number, **more), "--to", self.cdn, "--app", "shop",
                      "--base-url", "https://cdn.example.com/shop", "--label", number,
                      "--channel", channel, "--no-check", "--quiet")

    # The CDN, which can be slow, or gone.

    def serve(self, port=0, pause=0.0, latency=0.0):
        cdn = self.cdn

        class Handler(http.server.SimpleHTTPRequestHandler):
            def __init__(self, *args):
                super().__init__(*args, directory=str(cdn))

            def log_message(self, *args):
                pass

            def do_GET(self):
                time.sleep(latency)
                super().do_GET()

            def copyfile(self, source, outputfile):
                try:
                    while data := source.read(16384):
                        outputfile.write(data)
                        time.sleep(pause)
                except ConnectionError:
                    pass  # the app was killed

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", port), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self.server.server_address[1]

    def offline(self):
        if self.server:
            self.server.shutdown()
            self.server.server_close()
            self.server = None

    # The app.

    def run(self, name, until, *flags, kill=None, port=None, native="1", seconds=40):
        """Runs the app until an event, and returns all events. `kill`: an event that ends it by SIGKILL."""
        self.steps += 1
        origin = f"http://127.0.0.1:{port or 9}"
        argv = [str(self.options.app), "--origin", origin, "--into", str(self.phone),
                "--embedded", str(self.embedded), "--native", native,
                "--website", f"{origin}/website.html", *flags]
        process = subprocess.Popen(argv, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        events, ends = [], time.monotonic() + seconds
        timer = threading.Timer(seconds, process.kill)
        timer.start()
        try:
            for text in process.stdout:
                event = {**json.loads(text), "at": time.monotonic()}
                events.append(event)
                if kill and kill(event):
                    process.send_signal(signal.SIGKILL)
                    break
                if until and until(events):
                    time.sleep(0.7)
                    self.shoot(name)
                    break
        finally:
            timer.cancel()
            process.kill()
            errors = process.communicate()[1]
        shown = "\n".join(map(json.dumps, events[-12:]))
        expect(kill or until is None or until(events),
               f"{name}: not within {seconds} s (ends {time.monotonic() > ends}):\n{shown}\n{errors[-1500:]}")
        return events

    def shoot(self, name):
        file = self.shots / f"{self.steps:02}-{name}.png"
        subprocess.run(["import", "-window", "root", str(file)], check=True, capture_output=True)


def has(*names):
    """All of these events have happened."""
    return lambda events: all(any(event["event"] == name for event in events) for name in names)


def reports(events):
    return [json.loads(event["report"]) for event in events if event["event"] == "page"]


def page(events):
    found = reports(events)
    expect(found, f"the page reported nothing: {events}")
    return found[-1]


def whole(state, number):
    """A page of one release, with each of its files."""
    rgb = ", ".join(str(int(COLORS[number % len(COLORS)][at:at + 2], 16)) for at in (1, 3, 5))
    expect(state == {"release": number, "data": number, "title": f"Release {number}", "range": 206,
                     "rangeBytes": 10, "picture": 320, "color": f"rgb({rgb})", "missing": 404,
                     "url": "customscheme://shop/index.html"}, f"release {number} is not whole: {state}")


def last(events, name):
    return next((event for event in reversed(events) if event["event"] == name), {})


def life(lab):
    ready = has("page", "ready")
    lab.publish(1)
    lab.packtool("embed", lab.cdn, "-o", lab.embedded, "--native", "1", "--quiet")

    events = lab.run("first-start-offline", lambda all: ready(all) and has("error")(all))
    whole(page(events), 1)
    expect(last(events, "start")["embedded"], "the first start is not from the app")
    yield "the first start works without a network, from the release in the app"

    port = lab.serve()
    (lab.cdn / "website.html").write_text("<title>website</title><h1>The website</h1>")
    lab.publish(2)
    events = lab.run("update", lambda all: ready(all) and has("installed")(all), port=port)
    whole(page(events), 1)
    expect(last(events, "installed")["label"] == "2", events)
    state = json.loads((lab.phone / "state.json").read_text())
    expect(state["trees"][0]["route"] == "delta", f"it came by {state['trees'][0]['route']}")
    expect(any(event["event"] == "downloading" for event in events), "no progress")
    yield "an update comes by delta, with progress, and does not touch the running page"

    events = lab.run("restart", lambda all: ready(all) and has("upToDate")(all), port=port)
    whole(page(events), 2)
    yield "the next start runs it"

    lab.offline()
    lab.publish(3, weight=3_000_000)
    port = lab.serve(pause=0.02)
    events = lab.run("killed-update", None, port=port, kill=lambda event: event["event"] == "downloading"
                     and event["bytes"] > 500_000)
    expect(not has("installed")(events), "it was too fast to be killed")
    lab.offline()
    events = lab.run("after-the-kill", lambda all: ready(all) and has("error")(all))
    whole(page(events), 2)
    port = lab.serve()
    events = lab.run("resumed-update", has("ready", "installed"), port=port)
    whole(page(events), 2)
    events = lab.run("resumed-restart", lambda all: ready(all) and has("upToDate")(all), port=port)
    whole(page(events), 3)
    yield "a killed update changes nothing, and the next one completes"

    lab.publish(4, broken=True)
    lab.run("before-a-broken-release", has("installed"), port=port)
    for time_ in ("first", "second"):
        events = lab.run(f"broken-{time_}", has("loaded"), "--no-update", port=port)
        expect(last(events, "start")["label"] == "4" and not reports(events), f"the {time_} start: {events}")
    events = lab.run("rolled-back", lambda all: ready(all) and has("held")(all), port=port)
    whole(page(events), 3)
    expect(last(events, "held")["reason"] == "failedHere", events)
    yield "a broken release is shown twice; then the one before it runs, and it is not installed again"

    lab.publish(5)
    lab.run("repaired-update", has("ready", "installed"), port=port)
    whole(page(lab.run("repaired", lambda all: ready(all) and has("upToDate")(all), port=port)), 5)
    yield "a repaired release is installed"

    lab.packtool("pause", lab.cdn, "--quiet")
    lab.publish(6, channel="preview")
    events = lab.run("paused", lambda all: ready(all) and has("held")(all), port=port)
    whole(page(events), 5)
    expect(last(events, "held")["reason"] == "paused", events)
    yield "a paused channel keeps its release"

    lab.packtool("pause", lab.cdn, "--bypass", "--quiet")
    lab.run("bypass-seen", has("ready", "held"), port=port)
    events = lab.run("bypassed", has("start", "loaded", "held"), port=port)
    expect(last(events, "start").get("web") and last(events, "loaded")["ok"], events)
    lab.offline()
    events = lab.run("bypassed-offline", has("start", "error"))
    expect(last(events, "start").get("web"), "the kill switch was forgotten")
    port = lab.serve()
    lab.packtool("resume", lab.cdn, "--quiet")
    lab.run("resumed", has("upToDate"), port=port)
    whole(page(lab.run("after-bypass", ready, "--no-update", port=port)), 5)
    yield "the kill switch is obeyed, also offline and after a restart, until it is lifted"

    events = lab.run("preview", lambda all: page_is(all, 6), "--channel", "preview", "--now", port=port)
    whole(page(events), 6)
    events = lab.run("preview-stays", lambda all: ready(all) and has("upToDate")(all), port=port)
    whole(page(events), 6)
    back = ("--channel", "production", "--now")
    events = lab.run("production-again", lambda all: page_is(all, 5), *back, port=port)
    whole(page(events), 5)
    expect(not has("downloading")(events), "the switch back fetched a package")
    yield "a switch to a preview channel and back runs at once, and the way back fetches nothing"


def figures(lab):
    """From the start to the finished page: from the package, and from the network with 100 ms latency."""
    lab.packtool("pause", lab.cdn, "--bypass", "--quiet")
    lab.offline()
    shutil.copytree(PAGES, lab.cdn / "pages")
    port = lab.serve(latency=0.1)
    website = f"http://127.0.0.1:{port}/pages/index.html"
    medians = {}
    for name, flags in (("package", ("--no-update",)), ("network", ("--no-update", "--website", website))):
        if name == "network":
            lab.run("bypass-figures", has("held"), port=port)
        times = []
        for number in range(5):
            events = lab.run(f"{name}-{number}", has("page"), *flags, port=port)
            times.append(last(events, "page")["at"] - last(events, "start")["at"])
        medians[name] = sorted(times)[2] * 1000
    return (f"start to finished page: {medians['package']:.0f} ms from the package, "
            f"{medians['network']:.0f} ms from the network with 100 ms latency (median of 5)")


def page_is(events, number):
    return any(state.get("release") == number for state in reports(events)) and has("ready")(events)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--app", type=Path, required=True)
    parser.add_argument("--packtool", type=Path, required=True)
    parser.add_argument("--keep", type=Path, help="keep the screenshots here")
    parser.add_argument("--figures", action="store_true", help="also measure the time to a finished page")
    options = parser.parse_args()
    options.app, options.packtool = options.app.resolve(), options.packtool.resolve()
    options.keep = options.keep and options.keep.resolve()
    display = subprocess.Popen(["Xvfb", "-displayfd", "1", "-screen", "0", "1000x720x24", "-nolisten", "tcp"],
                               stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    os.environ.update({
        "DISPLAY": ":" + display.stdout.readline().strip(), "GDK_BACKEND": "x11", "GSK_RENDERER": "cairo",
        "WEBKIT_DISABLE_DMABUF_RENDERER": "1", "LIBGL_ALWAYS_SOFTWARE": "1", "NO_AT_BRIDGE": "1",
        "WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS": "1",
    })
    place = Path(tempfile.mkdtemp())
    lab = Lab(options, place)
    begun = time.monotonic()
    try:
        for done in life(lab):
            print(f"ok  {done}", flush=True)
        if options.figures:
            print(figures(lab))
    except Wrong as problem:
        print(f"FAILED  {problem}", file=sys.stderr)
        return 1
    finally:
        lab.offline()
        display.terminate()
        shutil.rmtree(place, ignore_errors=True)
    print(f"{lab.steps} starts of the app, {time.monotonic() - begun:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
