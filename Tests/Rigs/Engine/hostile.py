"""Pages that run for ever, allocate, open dialogs or crash; signals; the examples of the rules; a window.

Every run has a temporary directory of its own, and must leave nothing in it and no process.
"""
import json
import os
import re
import signal
import shutil
import subprocess
import tempfile
import time

PAGE = "<!doctype html><meta charset=utf-8><title>Shop</title><p>Shop</p>"
PROFILE = ["--profile", "path-strict", "--host", "shop.example.com"]
# Name: the page, the rule, and a part of the message.
PAGES = {
    "endless-loop": ("<script>for (;;) {}</script>", "engine-stopped", "did not return"),
    "endless-loop-later": ("<script>setTimeout(() => { for (;;) {} }, 700)</script>", "engine-stopped",
                           "did not return"),
    "alert-storm": ("<script>for (;;) alert('x')</script>", "engine-stopped", "'alert' dialogs"),
    "prompt-storm": ("<script>while (!prompt('x')) {}</script>", "engine-stopped", "'prompt' dialogs"),
    "print-storm": ("<script>setInterval(() => print(), 20)</script>", "engine-stopped", "'print' dialogs"),
    "one-alert": ("<script>alert('x')</script>", "engine-stopped", "dialog"),
    "beforeunload": ("<script>onbeforeunload = () => 'stay';"
                     "setTimeout(() => location = 'b.html', 300)</script>", None, ""),
    "allocation": ("<script>const all = []; setTimeout(() => { for (;;) { const a = new Uint8Array(2e8);"
                   " for (let i = 0; i < a.length; i += 4096) a[i] = 1; all.push(a); } }, 50)</script>",
                   "engine-stopped", "memory"),
    "close": ("<script>window.open('', '_self'); window.close()</script>", None, ""),
    "windows": ("<script>for (let i = 0; i < 200; i++) open('b.html?' + i)</script>", None, ""),
    "away": ("<script>location = 'https://www.example.org/'</script>", "engine-stopped", "by itself"),
    "redirect-loop": ("<script>location.replace('index.html?' + Math.random())</script>", "engine-stopped",
                      "again and again"),
    "reload-loop": ("<script>setTimeout(() => location.reload(), 50)</script>", "engine-stopped",
                    "again and again"),
    "console": ("<script>for (let i = 0; i < 10000; i++) console.error('error ' + i)</script>",
                "engine-exception", "console"),
    "exceptions": ("<script>for (let i = 0; i < 10000; i++) setTimeout(() => { throw Error(i) })</script>",
                   "engine-exception", "not caught"),
    "requests": ("<script>setInterval(() => fetch('x' + Math.random()).catch(() => {}), 1)</script>",
                 "engine-missing", "not in the package"),
    "messages": ("<script>setInterval(() => { for (let i = 0; i < 50; i++) webkit.messageHandlers.packtool"
                 ".postMessage('x'.repeat(100000)) }, 1)</script>",
                 "engine-stopped", "requests and messages"),
    "forged": ("<script>webkit.messageHandlers.packtool.postMessage('{\"kind\":\"rested\",\"kind\":1}');"
               "webkit.messageHandlers.packtool.postMessage('\\ud800{')</script>", None, ""),
    "huge-document": ("<script>for (let i = 0; i < 200000; i++) document.body.append("
                      "document.createElement('i'))</script>", None, ""),
    "deep-frames": ("<iframe src=index.html></iframe>", None, ""),
    "workers": ("<script>for (let i = 0; i < 30; i++) new Worker(URL.createObjectURL("
                "new Blob(['for(;;);'])))</script>", None, ""),
    "download": ("<a id=a href=b.zip download>b</a><script>a.click()</script>", None, ""),
    "exit": ("<script>location = 'mailto:a@example.com'</script>", None, ""),
}


def environment(directory):
    return dict(os.environ, TMPDIR=directory)


def default_signals():
    """A shell makes programs in the background ignore SIGINT, and their children inherit it."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def processes(directory):
    """The processes with a directory in their variables or arguments, by number."""
    found = {}
    for name in os.listdir("/proc"):
        if not name.isdigit() or int(name) == os.getpid():
            continue
        try:
            with open(f"/proc/{name}/environ", "rb") as file:
                text = file.read()
            with open(f"/proc/{name}/cmdline", "rb") as file:
                arguments = file.read()
            with open(f"/proc/{name}/stat") as file:
                state = file.read().rpartition(")")[2].split()[0]
        except OSError:
            continue
        if directory.encode() in text + arguments and state != "Z":
            found[int(name)] = arguments.replace(b"\0", b" ").decode()[:80]
    return found


def left(directory):
    """The processes and files that a run left behind."""
    return list(processes(directory).values()) + os.listdir(directory)


def wait_until_empty(directory, seconds):
    end = time.monotonic() + seconds
    while left(directory) and time.monotonic() < end:
        time.sleep(0.1)
    return left(directory)


def build(folder, page, others=()):
    os.makedirs(os.path.join(folder, "dist"))
    for name, text in {"index.html": page, **dict(others)}.items():
        with open(os.path.join(folder, "dist", name), "w") as file:
            file.write(text)


def hostile_pages(packtool, root, failures):
    for name, (body, rule, text) in PAGES.items():
        folder, temporary = os.path.join(root, name), os.path.join(root, name + "-tmp")
        build(folder, PAGE + body, {"b.html": PAGE + "<a href=index.html>back</a>", "b.zip": "x"})
        os.mkdir(temporary)
        started = time.monotonic()
        run = subprocess.run([packtool, "check", "dist", "--engine", "--json", "--hints", *PROFILE],
                             cwd=folder, capture_output=True, text=True, env=environment(temporary),
                             timeout=300)
        document = json.loads(run.stdout)
        engine = [one for one in document.get("findings", []) if one["rule"].startswith("engine")]
        opened = [page["file"] for page in document.get("opened", {}).get("pages", [])]
        problem = ""
        if rule and not any(one["rule"] == rule and text in one["message"] for one in engine):
            problem = f"no {rule} with '{text}': {[(one['rule'], one['message']) for one in engine]}"
        if opened[:1] != ["index.html"] or "b.html" not in opened:
            problem += f" opened only {opened}: {document.get('error')}"
        rest = wait_until_empty(temporary, 5)
        if rest:
            problem += f" left behind: {rest}"
        report(name, time.monotonic() - started, problem, failures,
               "; ".join(sorted({one["message"][:70] for one in engine})[:2]))


def report(name, seconds, problem, failures, note=""):
    print(f"{'FAILS' if problem else 'ok':5} {name:22} {seconds:5.1f} s  {problem or note}", flush=True)
    if problem:
        failures.append(name)


def crash(packtool, root, failures):
    """Kills WebKit's process of the page, and then the engine's own."""
    for victim in ("WebKitWebProcess", "engine-process"):
        folder, temporary = os.path.join(root, "crash" + victim), os.path.join(root, "crash-tmp" + victim)
        build(folder, PAGE + "<script>setInterval(() => fetch('b.html'), 50)</script>", {"b.html": PAGE})
        os.mkdir(temporary)
        started = time.monotonic()
        run = subprocess.Popen([packtool, "check", "dist", "--engine", "--json", *PROFILE], cwd=folder,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                               env=environment(temporary))
        killed = False
        while not killed and time.monotonic() - started < 30:
            every = processes(temporary)
            victims = [number for number, arguments in every.items() if victim in arguments]
            if victims and any("WebKitWebProcess" in arguments for arguments in every.values()):
                time.sleep(0.5)
                os.kill(victims[0], signal.SIGKILL)
                killed = True
            time.sleep(0.05)
        output, _ = run.communicate(timeout=120)
        document = json.loads(output)
        stopped = [one["message"] for one in document["findings"] if one["rule"] == "engine-stopped"]
        opened = [page["file"] for page in document["opened"]["pages"]]
        problem = "" if stopped and "b.html" in opened else f"{stopped} {opened}"
        rest = wait_until_empty(temporary, 5)
        report("crash of " + victim, time.monotonic() - started, problem + (f" left: {rest}" if rest else ""),
               failures, "; ".join(stopped))


def signals(packtool, root, failures):
    """A run that a signal ends leaves nothing."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGKILL):
        for delay in (0.1, 0.6, 2.5):
            name = f"{number.name} after {delay} s"
            folder, temporary = os.path.join(root, name), os.path.join(root, name + "-tmp")
            build(folder, PAGE + "<script>setTimeout(() => { for (;;) {} }, 100)</script>")
            os.mkdir(temporary)
            started = time.monotonic()
            run = subprocess.Popen([packtool, "check", "dist", "--engine", *PROFILE], cwd=folder,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment(temporary),
                                   preexec_fn=default_signals)  # noqa: PLW1509 (no thread runs)
            time.sleep(delay)
            run.send_signal(number)
            run.communicate(timeout=30)
            rest = wait_until_empty(temporary, 5)
            problem = f"left behind: {rest}" if rest else ""
            if run.returncode != -number:
                problem += f" ended with {run.returncode}"
            report(name, time.monotonic() - started, problem, failures)


def examples(packtool, root, failures):
    """The bad examples of the engine's rules have their finding, the good ones none."""
    for rule in ("missing", "refused", "exception", "blank", "stopped"):
        page = os.path.join(os.path.dirname(__file__), "../../../Sources/PackCore/Check/Rules/Pages",
                            f"engine-{rule}.md")
        with open(page) as file:
            parts = re.split(r"^## (Bad|Good)$", file.read(), flags=re.M)[1:]
        for kind, text in zip(parts[::2], parts[1::2]):
            folder, started = os.path.join(root, rule + kind), time.monotonic()
            os.makedirs(os.path.join(folder, "dist"))
            for name, content in re.findall(r"`([^`]+)`:\n```\w+\n(.*?)```", text, flags=re.S):
                with open(os.path.join(folder, "dist", name), "w") as file:
                    file.write(content)
            run = subprocess.run([packtool, "check", "dist", "--engine", "--json", *PROFILE], cwd=folder,
                                 capture_output=True, text=True)
            found = {one["rule"] for one in json.loads(run.stdout)["findings"] if "engine" in one["rule"]}
            wanted = {"engine-" + rule} if kind == "Bad" else set()
            report(f"{rule}, {kind.lower()}", time.monotonic() - started,
                   "" if found == wanted else f"found {sorted(found)}", failures)


def window(packtool, root, failures):
    """`packtool open` under a display of its own, closed by a signal."""
    folder, temporary = os.path.join(root, "window"), os.path.join(root, "window-tmp")
    build(folder, PAGE + "<img src=gone.png>")
    os.mkdir(temporary)
    started = time.monotonic()
    run = subprocess.run([packtool, "open", "dist"], cwd=folder, capture_output=True, text=True,
                         env={key: value for key, value in environment(temporary).items()
                              if key not in ("DISPLAY", "WAYLAND_DISPLAY")})
    problem = "" if run.returncode == 2 and "xvfb-run" in run.stderr else f"without a display: {run.stderr}"
    report("open, no display", time.monotonic() - started, problem, failures)
    read, write = os.pipe()
    display = subprocess.Popen(["Xvfb", "-displayfd", str(write), "-nolisten", "tcp"], pass_fds=[write],
                               stderr=subprocess.DEVNULL)
    os.close(write)
    number = os.read(read, 16).decode().strip()
    try:
        run = subprocess.Popen([packtool, "open", "dist", *PROFILE], cwd=folder, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True,
                               env=dict(environment(temporary), DISPLAY=":" + number),
                               preexec_fn=default_signals)  # noqa: PLW1509 (no thread runs)
        line = run.stdout.readline()
        time.sleep(2)
        run.send_signal(signal.SIGINT)
        run.communicate(timeout=30)
        is_shown = "showing customscheme://" in line and run.returncode == 0
        problem = "" if is_shown else f"{line} {run.returncode}"
        rest = wait_until_empty(temporary, 5)
        report("open", time.monotonic() - started, problem + (f" left: {rest}" if rest else ""), failures)
    finally:
        display.terminate()
        display.wait()


def run(packtool):
    root, failures = tempfile.mkdtemp(prefix="packtool-engine-"), []
    try:
        for part in (examples, hostile_pages, crash, signals, window):
            part(packtool, root, failures)
    finally:
        shutil.rmtree(root, ignore_errors=True)
    print(f"{len(failures)} failures", *failures)
    return 1 if failures else 0
