#!/usr/bin/env python3
"""Tests the npm package with Node 18, 20 and 24 and with Debian's rollup, webpack, esbuild and TypeScript.

run.py --packtool FILE [--node VERSION] [--only CASE] [-v]

It builds the packages, installs their tarballs offline into a project, and uses them there.
tools.sh fetches the tools into .build/npm; the run itself needs no network.
"""

import argparse
import contextlib
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import traceback

ROOT = pathlib.Path(__file__).resolve().parents[3]
HERE = pathlib.Path(__file__).resolve().parent
TOOLS = ROOT / ".build/npm"
DEBIAN = TOOLS / "debian/usr/share/nodejs"
PACKAGE = ROOT / "packaging/npm/packtool"
STOREFRONT = ROOT / "examples/storefront/dist/1.0.0"
# The position of '/api/orders' in project/src/orders.js.
LINE, COLUMN = 3, 51
FINDING = "'/api/orders' is requested from the handler, which has no such file (js-relative-ajax)"
RULE = "check.api"


def platform():
    if sys.platform == "darwin":
        return "darwin-universal"
    return "linux-" + {"x86_64": "x64", "aarch64": "arm64"}[os.uname().machine]


class Lab:
    def __init__(self, version, tool, folder, verbose):
        self.version, self.tool, self.folder, self.verbose = version, tool, folder, verbose
        home = next((TOOLS / f"node-{version}").glob("nodejs*/bin"))
        self.node = home / "node"
        self.npm = home.parent / "lib/node_modules/npm/bin"
        # npm starts 'node', and scripts with '#!/usr/bin/env node'.
        self.bin = folder / "bin"
        self.bin.mkdir()
        (self.bin / "node").symlink_to(self.node)
        for name in ("npm", "npx"):
            (self.bin / name).symlink_to(self.npm / f"{name}-cli.js")
            (self.npm / f"{name}-cli.js").chmod(0o755)
        self.env = {
            name: value for name, value in os.environ.items()
            if not name.startswith(("npm_", "PACKTOOL_", "NODE_"))
        } | {
            "PATH": f"{self.bin}:{os.environ['PATH']}", "HOME": str(folder), "NO_COLOR": "1",
            "npm_config_cache": str(folder / "cache"), "npm_config_offline": "true",
            "npm_config_audit": "false", "npm_config_fund": "false", "npm_config_update_notifier": "false",
            "ESBUILD_BINARY_PATH": shutil.which("esbuild") or "",
        }  # fmt: skip
        self.project = folder / "project"

    def run(self, *words, status=0, cwd=None, env=None, **options):
        words = [str(word) for word in words]
        done = subprocess.run(
            words, cwd=cwd or self.project, env=self.env | (env or {}), capture_output=True, text=True,
            timeout=300, check=False, **options,
        )  # fmt: skip
        if self.verbose:
            print("$", *words, f"→ {done.returncode}\n{done.stdout}{done.stderr}")
        assert status is None or done.returncode == status, (
            f"{words}: {done.returncode}, not {status}\n{done.stdout}{done.stderr}")
        return done

    def install(self):
        """Packs the packages and installs them in the project, and links it to Debian's bundlers."""
        # Packing a debug build takes minutes.
        program = self.folder / "packtool"
        subprocess.run(["strip", "-o", program, self.tool], check=True)
        packed = self.run(
            self.node, ROOT / "packaging/npm/build.js", "--out", self.folder / "packages", "1.2.3",
            f"{platform()}={program}", cwd=ROOT,
        ).stdout.split()  # fmt: skip
        shutil.copytree(HERE / "project", self.project)
        (self.project / "package.json").write_text('{"name": "orders", "private": true}\n')
        self.run("npm", "install", "--offline", "--no-audit", "--save-dev", *packed)
        modules = self.project / "node_modules"
        libraries = pathlib.Path("/usr/lib")
        for name, path in {
            "esbuild": next(libraries.glob("*/nodejs/esbuild"), libraries), "rollup": DEBIAN / "rollup",
        }.items():  # fmt: skip
            (modules / name).symlink_to(path)
        return packed


@contextlib.contextmanager
def started(words, **options):
    """Starts a program in a process group of its own, and ends the group."""
    options = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT} | options
    with subprocess.Popen([str(word) for word in words], text=True, process_group=0, **options) as running:
        try:
            yield running
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(running.pid, signal.SIGKILL)


def packages(lab):
    packed = lab.install()
    manifest = json.loads((lab.project / "node_modules/packtool/package.json").read_text())
    assert manifest["optionalDependencies"] == {f"@packtool/{platform()}": "1.2.3"}, manifest
    assert "dependencies" not in manifest and "scripts" not in manifest, manifest
    other = json.loads((lab.project / f"node_modules/@packtool/{platform()}/package.json").read_text())
    assert other["os"] and other["cpu"] and other["version"] == "1.2.3", other
    assert len(packed) == 2, packed
    for name in ("LICENSE", "README.md"):
        assert (lab.project / "node_modules/packtool" / name).is_file(), name
    # A tarball of 'make dist', and names of another owner.
    tree = lab.folder / "packtool-1.2.3-linux-x86_64"
    for name, mode in (("share/bash-completion/completions/packtool", 0o644), ("bin/packtool", 0o755)):
        (tree / name).parent.mkdir(parents=True)
        (tree / name).write_text(f"#!/bin/sh\necho {name}\n")
        (tree / name).chmod(mode)
    (tree / "licenses").mkdir()
    (tree / "licenses/zlib.txt").write_text("zlib\n")
    tarball = f"{tree}.tar.gz"
    lab.run("tar", "-czf", tarball, "-C", lab.folder, tree.name)
    build = ROOT / "packaging/npm/build.js"
    names = ("--name", "@shop/tool", "--scope", "@shop")
    made = lab.run(lab.node, build, "--out", lab.folder / "other", *names, "2.0.0", tarball).stdout.split()
    listing = lab.run("tar", "-tzf", made[0]).stdout.split()
    assert {"package/bin/packtool", "package/licenses/zlib.txt", "package/LICENSE"} <= set(listing), listing
    assert "bin/packtool" in lab.run("tar", "-xzOf", made[0], "package/bin/packtool").stdout
    written = json.loads(lab.run("tar", "-xzOf", made[1], "package/package.json").stdout)
    assert written["name"] == "@shop/tool" and written["optionalDependencies"] == {"@shop/linux-x64": "2.0.0"}
    lab.run(lab.node, build, "2.0.0", "sparc=x", status=64)
    lab.run(lab.node, build, status=64)


def launcher(lab):
    version = lab.run(lab.tool, "--version").stdout
    assert lab.run("npx", "--no-install", "packtool", "--version").stdout == version
    lab.run("npx", "--no-install", "packtool", "init", "--app", "orders", "--yes", "good",
            "--base-url", "https://cdn.example.com/orders", "--config", "init.yaml")
    assert "app: orders" in (lab.project / "init.yaml").read_text()
    program = lab.project / "node_modules/.bin/packtool"
    for word, status in (("good", 0), ("bad", 1), ("nowhere", 2), ("--nonsense", 64)):
        words = ["check", word]
        own, direct = lab.run(program, *words, status=status), lab.run(lab.tool, *words, status=status)
        assert (own.stdout, own.stderr) == (direct.stdout, direct.stderr), words
    echo = lab.folder / "echo"
    echo.write_text("#!/bin/sh\nprintf '<%s>' \"$@\"\ncat\nexit 7\n")
    echo.chmod(0o755)
    override = {"PACKTOOL_BINARY": str(echo)}
    given = lab.run(program, "a b", "", "*", status=7, env=override, input="from standard input")
    assert given.stdout == "<a b><><*>from standard input", given.stdout
    missing = lab.run(program, "check", status=2, env={"PACKTOOL_BINARY": "/nowhere/packtool"})
    assert "cannot start '/nowhere/packtool'" in missing.stderr and "help: " in missing.stderr, missing.stderr
    package = lab.project / f"node_modules/@packtool/{platform()}"
    package.rename(lab.folder / "away")
    missing = lab.run(program, "check", status=2)
    assert f"the package '@packtool/{platform()}' is not installed" in missing.stderr, missing.stderr
    (lab.folder / "away").rename(package)


def signals(lab):
    program = lab.project / "node_modules/.bin/packtool"
    waiting = lab.folder / "waiting"
    waiting.write_text("#!/bin/sh\necho ready\nexec sleep 60\n")
    waiting.chmod(0o755)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        with started([program], env=lab.env | {"PACKTOOL_BINARY": str(waiting)}) as running:
            running.stdout.readline()
            running.send_signal(number)
            assert running.wait(10) == -number, (number, running.returncode)
    # The program ends a service by itself, with exit code 0.
    words = [program, "serve", "good", "--listen", "127.0.0.1:0"]
    with started(words, env=lab.env, cwd=lab.project) as running:
        first = running.stdout.readline()
        assert first, "serve printed nothing"
        time.sleep(0.3)
        running.send_signal(signal.SIGTERM)
        assert running.wait(10) == 0, running.returncode
        assert "stopped" in running.stdout.read()
    # On a terminal, Ctrl-C reaches the program once; a second signal would end it at once.
    counting = lab.folder / "counting"
    counting.write_text(
        "#!/usr/bin/env python3\n"
        "import signal, time\n"
        "count = 0\n"
        "def receive(number, frame):\n"
        "    global count\n"
        "    count += 1\n"
        "signal.signal(signal.SIGINT, receive)\n"
        "print('ready', flush=True)\n"
        "while not count: time.sleep(0.05)\n"
        "time.sleep(0.5)\n"
        "print(f'signals={count}', flush=True)\n"
    )
    counting.chmod(0o755)
    leader, follower = os.openpty()
    words = ["setsid", "--wait", "--ctty", program]
    streams = {"stdin": follower, "stdout": follower, "stderr": follower}
    with started(words, env=lab.env | {"PACKTOOL_BINARY": str(counting)}, **streams):
        os.close(follower)
        text = b""
        while b"ready" not in text:
            text += os.read(leader, 1000)
        os.write(leader, b"\x03")
        while b"signals=" not in text:
            text += os.read(leader, 1000)
        assert b"signals=1" in text, text
    os.close(leader)


def api(lab):
    result = json.loads(lab.run(lab.node, "api.mjs").stdout)
    exits = {name: value["exitCode"] for name, value in result.items() if "document" in value}
    found = {name for name, code in exits.items() if code == 1}
    assert len(exits) == 12 and found == {"bad", "verifyManifest"}, exits
    document = {name: value["document"] for name, value in result.items() if "document" in value}
    assert document["good"]["errors"] == 0 and document["good"]["findings"] == []
    assert document["bad"]["profiles"] == ["capacitor", "capacitor-android"], document["bad"]
    assert [finding["rule"] for finding in document["bad"]["findings"]] == ["js-relative-ajax"]
    assert document["dryRun"]["dryRun"] and not document["publish"]["dryRun"]
    assert document["publish"]["label"] == "1.0.0" and document["publish"]["newOrigin"]
    assert "creates a new origin" in result["publish"]["messages"], result["publish"]["messages"]
    assert document["publish"]["mandatory"] and not document["optional"]["mandatory"]
    assert document["verify"]["ok"] and document["verify"]["releases"] == 1
    assert document["report"]["old"]["version"] == document["report"]["new"]["version"]
    assert "<svg" in (lab.project / "report.html").read_text()
    assert document["pause"]["enabled"] is False
    errors = {name: value for name, value in result.items() if "document" not in value}
    expected = {
        "refused": ("check.errors", 1), "missing": ("file-system.open", 2),
        "usage": ("usage.command-line", 64), "words": ("npm.no-document", 2),
        "aborted": ("ABORT_ERR", None), "start": ("npm.start", 2),
    }  # fmt: skip
    assert errors.keys() == expected.keys(), errors
    for name, (code, exit_code) in expected.items():
        assert isinstance(errors[name], dict), (name, errors[name])
        assert errors[name]["code"] == code, (name, errors[name])
        assert exit_code is None or errors[name]["exitCode"] == exit_code, (name, errors[name])
    assert errors["refused"]["unaffected"] == "the origin" and errors["refused"]["help"], errors["refused"]
    assert errors["missing"]["message"].startswith("cannot open 'nowhere': "), errors["missing"]
    assert errors["missing"]["isPacktoolError"], errors["missing"]
    assert errors["aborted"]["name"] == "AbortError", errors["aborted"]
    script = (
        "const { check } = require('packtool'); const vite = require('packtool/vite');"
        "check({ build: 'bad' }).then(({ exitCode }) => console.log(exitCode, typeof vite))"
    )
    assert lab.run(lab.node, "-e", script).stdout == "1 function\n"
    # TypeScript compares the documents with their types.
    kinds = {
        "check": ["good", "bad"], "init": ["init"], "publish": ["dryRun", "publish", "optional"],
        "report": ["report"], "verifyOrigin": ["verify"], "verifyManifest": ["verifyManifest"],
    }  # fmt: skip
    lines = ["import * as packtool from 'packtool';"]
    for kind, names in kinds.items():
        for name in names:
            type_name = f"packtool.Result<packtool.{kind[0].upper()}{kind[1:]}Document>"
            lines.append(f"export const {name}: {type_name} = {json.dumps(result[name])};")
    (lab.project / "documents.mts").write_text("\n".join(lines) + "\n")


def types(lab):
    if not (lab.project / "documents.mts").exists():
        api(lab)
    lab.run(lab.node, DEBIAN / "typescript/bin/tsc", "-p", ".")
    # Every flag has an option with a type, and every option is a flag.
    text = (PACKAGE / "lib/index.d.ts").read_text()
    members, bases = {}, {}
    interface = re.compile(r"export interface (\w+)(?: extends ([^{]+))? \{\n(.*?)^\}", re.M | re.S)
    for name, base, body in interface.findall(text):
        members[name] = set(re.findall(r"^  (\w+)\??:", body, re.M))
        bases[name] = re.findall(r"\w+", base)

    def options(name):
        return members[name].union(*(options(base) for base in bases[name]))

    # With --json, these are refused, or print another document.
    left_out = {"json", "help", "version", "format", "color", "dump-urls", "output", "policy"}
    own = {"cwd", "env", "signal", "old", "new", "target", "directory"}
    for command in ("check", "publish", "report", "verify", "init"):
        listed = lab.run(lab.tool, command, "--help").stdout
        flags = set(re.findall(r"^  (?:-\w, )?--([\w-]+)", listed, re.M)) - left_out
        typed = {
            re.sub(r"[A-Z]", lambda letter: "-" + letter[0].lower(), name)
            for name in options(f"{command.capitalize()}Options") - own
        }
        if command in ("check", "publish"):
            typed -= {"build"}
        assert flags == typed, (command, "flags alone", flags - typed, "types alone", typed - flags)


def build(lab, words, status, options=None, sourcemap=False, **more):
    shutil.rmtree(lab.project / "dist", ignore_errors=True)
    # packtool.yaml would be that of an earlier case.
    (lab.project / "packtool.yaml").unlink(missing_ok=True)
    settings = json.dumps({"options": options or {}, "sourcemap": sourcemap} | more)
    done = lab.run(*words, env={"RIG": settings}, status=status)
    return done.stdout + done.stderr


def bundler(lab, words, shown, built, maps, zero_maps):
    """Tests a plugin: `shown` is the source position in the bundler's form, `built` that without a map."""
    for sourcemap in maps:
        text = build(lab, words, 1, sourcemap=sourcemap)
        assert FINDING in text and shown in text, (sourcemap, shown, text)
        assert "in the build: dist/main.js:" in text, text
        assert 'await fetch("/api/orders")' in text, text
        assert RULE in text and re.search("the check failed: 1 error, [01] warning", text), text
    text = build(lab, words, 1, sourcemap=zero_maps)
    lines = (lab.project / "dist/main.js").read_text().split("\n")
    line, column = next((n, text.index("/api/")) for n, text in enumerate(lines, 1) if "/api/" in text)
    assert FINDING in text and "orders.js" not in text, text
    assert built.format(line=line, column=column) in text, (line, column, text)
    # Findings that are no errors do not fail the build.
    text = build(lab, words, 0, options={"ignore": ["js-relative-ajax"]})
    assert "js-relative-ajax" not in text, text
    text = build(lab, words, 1, options={"config": "nowhere.yaml"})
    assert "nowhere.yaml" in text and "help: " in text, text
    text = build(lab, words, 1, options={"profiles": ["capacitor", "capacitor-android"]})
    assert FINDING in text, text
    # A publish on demand, and none of a build with errors.
    origin = lab.folder / f"origin-{words[1].name if len(words) > 1 else ''}"
    shutil.rmtree(origin, ignore_errors=True)
    publish = {"to": str(origin), "label": "1.0.0", "app": "orders", "baseUrl": "https://cdn.example.com/orders"}
    build(lab, words, 1, options={"publish": publish})
    assert not origin.exists()
    good = {"ignore": ["js-relative-ajax"], "exclude": ["**/*.map"], "level": "max"}
    text = build(lab, words, 0, options=good | {"publish": publish}, sourcemap=maps[0])
    assert re.search(r"packtool: published [0-9a-f]{20} \(1\.0\.0\) in ", text), text
    lab.run(lab.tool, "verify", origin)
    listed = {path.name.split(".")[-1] for path in (origin / "objects").rglob("*") if path.is_file()}
    assert listed == {"html", "js"}, listed
    text = build(lab, words, 1, options=good | {"publish": {"to": str(origin), "app": "other"}})
    assert "help: " in text, text


def rollup(lab):
    words = (lab.node, DEBIAN / "rollup/dist/bin/rollup", "-c")
    bundler(lab, words, f"src/orders.js: ({LINE}:{COLUMN})", "dist/main.js: ({line}:{column})",
            ["hidden", True, "inline"], False)
    # The map that rollup has is enough.
    text = build(lab, words, 1, sourcemap="hidden", moveMaps=True)
    assert f"src/orders.js: ({LINE}:{COLUMN})" in text and "0 warnings" in text, text


def webpack(lab):
    words = (lab.node, DEBIAN / "webpack-cli/bin/cli.js", "--no-color")
    bundler(lab, words, f"src/orders.js\n{LINE}:{COLUMN}-62\n", "dist/main.js\n{line}:{column}-",
            ["hidden-source-map", "source-map", "inline-source-map"], False)
    # The map is in another directory, and no comment names it.
    text = build(lab, words, 1, sourcemap="hidden-source-map", moveMaps=True)
    assert f"src/orders.js\n{LINE}:{COLUMN}-" in text and "0 warnings" in text, text


def vite(lab):
    """Vite is no Debian package, so this is its part of the plugin, called as Vite does."""
    words = (lab.node, DEBIAN / "rollup/dist/bin/rollup", "-c")
    # The page is in the directory above.
    text = build(lab, words, 1, options={"build": "dist"}, vite={}, sourcemap="hidden")
    # Vite drops the position and the frame of a plugin's warning, so both are in the message.
    assert re.search(rf"error: {re.escape(FINDING)}\n  src/orders\.js:{LINE}:{COLUMN + 1}\n", text), text
    assert 'await fetch("/api/orders")' in text and "in the build: dist/assets/main.js:" in text, text
    assert "'gone.png' is not in the package" in text and "  dist/index.html:5:" in text, text
    text = build(lab, words, 0, vite={"ssr": "src/main.js"})
    assert "packtool" not in text, text


def sourcemaps(lab):
    module = lab.project / "node_modules/packtool/lib/sourcemap.js"
    lab.run(lab.node, HERE / "sourcemaps.cjs", module, lab.folder)


def watch(lab):
    """A watching bundler checks each build, goes on after errors, and publishes nothing."""
    origin = lab.folder / "watched"
    publish = {"to": str(origin), "app": "orders", "baseUrl": "https://cdn.example.com/orders"}
    for words, ready in (
        ((DEBIAN / "rollup/dist/bin/rollup", "-c", "--watch"), "created dist"),
        ((DEBIAN / "webpack-cli/bin/cli.js", "--watch", "--no-color"), "compiled"),
    ):  # fmt: skip
        for ignore in (["js-relative-ajax"], []):
            shutil.rmtree(lab.project / "dist", ignore_errors=True)
            settings = {"options": {"ignore": ignore, "publish": publish}, "sourcemap": False}
            environment = lab.env | {"RIG": json.dumps(settings)}
            # rollup stops watching at the end of its standard input.
            with started(
                [lab.node, *words], cwd=lab.project, env=environment, stdin=subprocess.PIPE
            ) as running:
                lines = []
                for line in running.stdout:
                    lines.append(line)
                    if ready in line:
                        break
                time.sleep(1)
                assert running.poll() is None, lines
                os.killpg(running.pid, signal.SIGKILL)
                text = "".join(lines) + running.stdout.read()
            assert ("the check failed" in text) == (not ignore), text
            assert (lab.project / "dist/index.html").exists() and not origin.exists(), words


def esbuild(lab):
    words = (lab.node, lab.project / "esbuild.mjs")
    # It prints columns of bytes, and the line has three letters of two bytes.
    bundler(lab, words, f"src/orders.js:{LINE}:{COLUMN + 3}", "dist/main.js:{line}:{column}",
            ["external", True, "inline"], False)


CASES = [packages, launcher, signals, api, types, sourcemaps, rollup, vite, webpack, esbuild, watch]


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--packtool", required=True)
    parser.add_argument("--node", action="append")
    parser.add_argument("--only", action="append", help="a case beside 'packages'")
    parser.add_argument("-v", action="store_true")
    arguments = parser.parse_args()
    failed = 0
    for version in arguments.node or ["18", "20", "24"]:
        with tempfile.TemporaryDirectory(prefix="packtool-npm-") as name:
            folder = pathlib.Path(name).resolve()
            lab = Lab(version, pathlib.Path(arguments.packtool).resolve(), folder, arguments.v)
            for case in CASES:
                if arguments.only and case is not packages and case.__name__ not in arguments.only:
                    continue
                begun = time.monotonic()
                try:
                    case(lab)
                    seconds = time.monotonic() - begun
                    print(f"ok      node {version}  {case.__name__}  {seconds:.1f} s", flush=True)
                except (AssertionError, OSError, subprocess.SubprocessError) as error:
                    failed += 1
                    print(f"FAILED  node {version}  {case.__name__}: {error}", flush=True)
                    traceback.print_exc(limit=-1, file=sys.stdout)
                if case is packages:
                    prepare(lab)
    return 1 if failed else 0


def prepare(lab):
    shutil.copytree(STOREFRONT, lab.project / "good")
    (lab.project / "bad").mkdir()
    (lab.project / "bad/index.html").write_text("<!doctype html><title>Bad</title><script src=a.js></script>")
    (lab.project / "bad/a.js").write_text('fetch("/api/orders");\n')


if __name__ == "__main__":
    sys.exit(main())
