"""Two tags, as in CI: each in its own workspace, which only contains the checkout.

The examples for copying are run unchanged: those of README.md, docs/guide/pipeline.md and examples/ci. Their
bucket is the strict store of Tests/Rigs/Remote on this machine.
"""
import asyncio
import contextlib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import threading

import yaml

sys.path.insert(0, str(pathlib.Path(__file__).parent))
sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "Remote"))
import bucket as store
from workflow import Run

ROOT = pathlib.Path(__file__).resolve().parents[3]
SHOP = ROOT / "examples/storefront"
CI = ROOT / "examples/ci"
TAGS = (("v1", "1.0.0"), ("v2", "1.1.0"))


def same(first, second):
    return subprocess.run(["diff", "-r", first, f"{second}/"], capture_output=True).returncode == 0


@contextlib.contextmanager
def bucket(name):
    """A bucket, and the variables for accessing it."""
    loop, began, server = asyncio.new_event_loop(), threading.Event(), store.Bucket(name=name)

    async def serve():
        async with server:
            began.set()
            await over.wait()

    over = asyncio.Event()
    thread = threading.Thread(target=loop.run_until_complete, args=(serve(),))
    thread.start()
    assert began.wait(30)
    try:
        yield {"AWS_ACCESS_KEY_ID": store.KEY, "AWS_SECRET_ACCESS_KEY": store.SECRET,
               "AWS_REGION": store.REGION, "AWS_ENDPOINT_URL_S3": server.url}
        assert not server.refused, server.refused
    finally:
        loop.call_soon_threadsafe(over.set)
        thread.join()


def blocks(page):
    """The steps in the YAML blocks of a page that use the action."""
    found = re.findall(r"^```yaml\n(.*?)^```", page.read_text(), re.MULTILINE | re.DOTALL)
    return [yaml.safe_load(block) for block in found if "uses: OWNER/packtool@" in block]


class Tags:
    def __init__(self, packtool, work):
        self.packtool, self.work, self.number = packtool, work, 0

    def project(self, build):
        """The checkout of a job: a project with a finished build."""
        self.number += 1
        place = self.work / f"job-{self.number}"
        place.mkdir(parents=True)
        shutil.copytree(SHOP / "dist" / build, place / "dist")
        (place / "packtool.yaml").write_text(
            "app: shop\nbase-url: https://cdn.example.com/shop\nbuild: dist\n")
        subprocess.run([self.packtool, "manifest", "-o", "info.json", "--quiet"], cwd=place, check=True)
        (place / "copy-origin.sh").symlink_to(CI / "copy-origin.sh")
        return place

    def action(self, place, tag, inputs, **variables):
        """The action in its own job; the variables are those of the step."""
        github = {"ref_type": "tag", "ref_name": tag, "sha": "0" * 39 + "1", "workspace": str(place)}
        inputs = {"packtool": str(self.packtool), **{name: str(value) for name, value in inputs.items()}}
        return Run(ROOT / "action.yml", inputs, github, place / "runner", os.environ["PATH"],
                   variables).go()

    def steps(self, steps, place, tag, values, more, **variables):
        """Runs the steps of a workflow; `values` are the values of its expressions, `more` further inputs."""
        def text(value):
            return re.sub(r"\$\{\{ *([\w.]+) *\}\}", lambda match: values[match[1]], str(value))

        for step in steps:
            given = {**variables, **{name: text(value) for name, value in step.get("env", {}).items()}}
            if "run" in step:
                done = subprocess.run(["bash", "-eo", "pipefail", "-c", text(step["run"])], cwd=place,
                                      capture_output=True, text=True, env={**os.environ, **given})
                if done.returncode:
                    return done
                continue
            inputs = {name: text(value) for name, value in step["with"].items()} | more
            # The example's address does not exist; the bucket also contains the devices' state.
            if inputs.get("against", "").startswith("https://"):
                inputs["against"] = inputs["origin"]
            run = self.action(place, tag, inputs, **given)
            if run.failed:
                return run
        return run if "uses" in steps[-1] else done

    def installed(self, origin, phone, build, variables=None):
        """Checks the content of a device after an update: the same device after each tag."""
        done = subprocess.run([self.packtool, "install", origin, "--into", phone, "--quiet"],
                              capture_output=True, text=True, env={**os.environ, **(variables or {})})
        assert done.returncode == 0, done.stderr
        assert same(SHOP / "dist" / build, phone / "current"), f"{phone} has not {build}"

    # The examples.

    def example(self, steps, name):
        """An example that publishes to a bucket: the first publish creates the origin."""
        with bucket("shop-cdn") as reach:
            origin, phone = "s3://shop-cdn/shop", self.work / f"phone-{name}"
            values = {"secrets.AWS_ACCESS_KEY_ID": store.KEY, "secrets.AWS_SECRET_ACCESS_KEY": store.SECRET,
                      "vars.ORIGIN": origin}
            refused = self.steps(steps, self.project("1.0.0"), "v1", values, {}, **reach)
            assert refused.failed and "new-origin: true" in refused.log["Publish"]["err"], refused.log
            assert "there is no origin at" in refused.log["Publish"]["out"], refused.log
            for tag, build in TAGS:
                more = {"new-origin": "true"} if tag == "v1" else {}
                run = self.steps(steps, self.project(build), tag, values, more, **reach)
                assert not run.failed and run.outputs()["outcome"] == "published", run.log
                self.installed(origin, phone, build, reach)
            return run

    def documented(self):
        for page in (ROOT / "README.md", ROOT / "docs/guide/pipeline.md"):
            steps = blocks(page)[0]
            run = self.example(steps, page.stem)
            if "against" in steps[0]["with"]:
                assert "Cost of an update" in pathlib.Path(run.outputs()["report"]).read_text()

    def workflow(self):
        """The action step of examples/ci/github.yml, for the two releases of the example shop."""
        jobs = yaml.safe_load((CI / "github.yml").read_text())["jobs"]
        step = next(s for s in jobs["shop"]["steps"] if "with" in s)
        step["with"] = {name: value for name, value in step["with"].items()
                        if name in ("against", "publish", "origin")}
        step["with"]["against"] = SHOP / "dist/1.0.0"
        self.example([step], "workflow")

    def directory(self):
        """An origin that is fetched from the web server, and copied back."""
        steps = blocks(ROOT / "docs/guide/pipeline.md")[1]
        server, phone = self.work / "server", self.work / "phone-server"
        server.mkdir()
        variables = {"TARGET": str(server), "PATH": f"{self.packtool.parent}:{os.environ['PATH']}"}
        for tag, build in TAGS:
            place = self.project(build)
            more = {"new-origin": "true"} if tag == "v1" else {}
            done = self.steps(steps, place, tag, {"github.workspace": str(place)}, more, **variables)
            assert getattr(done, "returncode", 1) == 0, getattr(done, "log", done)
            self.installed(server, phone, build)
        self.refused_copies(steps, server, variables)
        self.installed(server, phone, "1.1.0")

    def refused_copies(self, steps, server, variables):
        """Regression: a job without the first step replaced the devices' origin with its own new one."""
        before = {file: file.read_bytes() for file in server.rglob("*") if file.is_file()}
        for tag, build in (("v3", "1.0.0"), ("v1", "1.0.0")):
            place = self.project(build)
            values = {"github.workspace": str(place)}
            run = self.steps(steps[1:], place, tag, values, {}, **variables)
            assert run.failed and "there is no origin at" in run.log["Publish"]["out"], run
            done = self.steps(steps[1:], place, tag, values, {"new-origin": "true"}, **variables)
            assert done.returncode == 3 and "not the origin that devices know" in done.stderr, done
        # An origin with newer entries elsewhere, and one whose log has another entry.
        old, script = self.work / "old", CI / "copy-origin.sh"
        shutil.copytree(server, old)
        (old / "channels/production/log/2.json").unlink()
        shutil.copy(old / "channels/production/log/1.json", old / "channels/production/pointer.json")
        log = server / "channels/production/log/1.json"
        for what in ("not in the log", "has other bytes"):
            done = subprocess.run([script, old, server], capture_output=True, text=True)
            assert done.returncode == 3 and what in done.stderr, done
            if what == "not in the log":
                shutil.copytree(server, old, dirs_exist_ok=True)
                (old / "channels/production/log/1.json").write_bytes(log.read_bytes() + b"\n")
        assert before == {file: file.read_bytes() for file in server.rglob("*") if file.is_file()}

    def paused_for_a_moment(self):
        """Regression: rsync skipped a pointer with the same size and modification second."""
        origin, server, phone = self.work / "moment", self.work / "moment-server", self.work / "phone-moment"
        tool = [self.packtool, "publish", SHOP / "dist/1.0.0", "--to", origin, "--app", "shop", "--quiet",
                "--base-url", "https://cdn.example.com/shop"]
        subprocess.run(tool, check=True)
        for command in ("pause", "resume"):
            subprocess.run([self.packtool, command, origin, "--quiet"], check=True)
            # Like a file system with whole seconds, and an older version of the tool.
            for file in origin.glob("channels/*/pointer.json"):
                os.utime(file, (1_800_000_000, 1_800_000_000))
            subprocess.run([CI / "copy-origin.sh", origin, server], check=True)
        pointer = "channels/production/pointer.json"
        assert (origin / pointer).read_bytes() == (server / pointer).read_bytes()
        self.installed(server, phone, "1.0.0")

    def templates(self):
        """examples/ci/pipeline.sh and gitlab-ci.yml: a directory must exist or be created explicitly."""
        for name in ("pipeline", "gitlab"):
            origin, phone = self.work / f"cdn-{name}", self.work / f"phone-of-{name}"
            for new, (tag, build) in (("false", TAGS[0]), ("true", TAGS[0]), ("false", TAGS[1])):
                variables = {"BUILD": str(SHOP / "dist" / build), "ORIGIN": str(origin), "NEW_ORIGIN": new,
                             "AGAINST": str(origin)}
                done = self.template(name, tag, variables)
                if new == "false" and tag == "v1":
                    assert done.returncode == 2 and "--require-origin" in done.stderr, done
                    assert not origin.exists()
                    continue
                assert done.returncode == 0, done.stderr
                self.installed(origin, phone, build)

    def template(self, name, tag, variables):
        place = self.project("1.0.0")
        tools = {"PATH": f"{place}/tools:{os.environ['PATH']}", "HOME": str(place)}
        (place / "tools").mkdir()
        (place / "tools/packtool").symlink_to(self.packtool)
        if name == "pipeline":
            # The manifest belongs to one build, and is tested in another rig.
            manifest = place / "manifest.json"
            subprocess.run([self.packtool, "manifest", variables["BUILD"], "-o", manifest, "--quiet",
                            "--config", SHOP / "packtool.yaml"], check=True)
            return subprocess.run([CI / "pipeline.sh", "publish", tag], cwd=place, capture_output=True,
                                  text=True, env=tools | variables | {"MANIFEST": str(manifest)})
        template = yaml.safe_load((CI / "gitlab-ci.yml").read_text())
        given = template["variables"] | variables | {"SHOP": str(SHOP), "CI_COMMIT_TAG": tag,
                                                     "CI_COMMIT_SHA": "abc1234"}
        return subprocess.run(["bash", "-eo", "pipefail", "-c", "\n".join(template["publish"]["script"])],
                              cwd=place, capture_output=True, text=True, env=tools | given)

    # Other inputs passed on by the action.

    def signed(self):
        """A key reaches packtool in a variable: it is in no argument and no line of a log."""
        keys, origin = self.work / "keys", self.work / "cdn-signed"
        secret = self.work / "pass.txt"
        secret.touch(0o600)
        secret.write_text("correct horse battery")
        subprocess.run([self.packtool, "keys", "init", "--app", "shop", "--dir", keys, "--quiet",
                        "--passphrase-file", secret], check=True)
        subprocess.run([self.packtool, "keys", "publish", keys / "1.root.json", "--to", origin, "--quiet"],
                       check=True)
        place = self.project("1.0.0")
        spy, seen = place / "spy", place / "seen.txt"
        spy.write_text(f'#!/bin/sh\nprintf "%s\\n" "$@" >> "{seen}"\nexec "{self.packtool}" "$@"\n')
        spy.chmod(0o755)
        key = (keys / "release.key").read_text()
        inputs = {"packtool": spy, "publish": "tags", "origin": origin}
        run = self.action(place, "v1", inputs)
        assert run.failed and "sign" in run.log["Publish"]["out"], run.log
        run = self.action(place, "v1", inputs | {"sign-key": key, "sign-passphrase": secret.read_text(),
                                                 "rollout": "10", "min-native": "ios=3 android=3.2",
                                                 "max-native": "9"})
        assert not run.failed, run.log
        said = str(run.log) + run.summary.read_text() + seen.read_text()
        assert "env:PACKTOOL_SIGN_KEY" in said
        assert key.splitlines()[1] not in said and secret.read_text() not in said
        status = subprocess.run([self.packtool, "status", origin, "--json"], capture_output=True,
                                text=True).stdout
        for text in ('"rollout": 10', '"minNativeVersion": "3"', '"minNativeVersion": "3.2"',
                     '"maxNativeVersion": "9"', '"root": 1'):
            assert text in status, status

    def folder_of_the_repository(self):
        """A project in a folder: findings use paths relative to the repository, and 'to:' is the origin."""
        place = self.project("1.0.0")
        frontend = place / "frontend"
        frontend.mkdir()
        for name in ("dist", "packtool.yaml", "info.json"):
            (place / name).rename(frontend / name)
        with open(frontend / "packtool.yaml", "a") as file:
            file.write("to: ../../cdn-folder\n")
        inputs = {"working-directory": frontend, "publish": "tags", "against": "cdn", "new-origin": "true"}
        run = self.action(place, "v1", inputs)
        assert not run.failed and run.outputs()["outcome"] == "published", run.log
        check = run.log["Check the pages and write the report"]
        assert "nothing to compare with yet: there is no 'cdn'" in check["err"], check
        (frontend / "dist/about.html").write_text("<!doctype html><title>A</title><img src=gone.png>")
        run = self.action(place, "v2", inputs | {"new-origin": "false", "against": "../../cdn-folder"})
        check = run.log["Check the pages and write the report"]
        assert run.failed and "::error file=frontend/dist/about.html" in check["out"], check
        assert '"frontend/dist/about.html"' in pathlib.Path(run.outputs()["sarif"]).read_text()

    def verified(self):
        """A live release whose address does not answer: the step fails with a known outcome."""
        origin = self.work / "cdn-verified"
        inputs = {"publish": "tags", "origin": origin, "new-origin": "true", "verify-cdn": "true"}
        place = self.project("1.0.0")
        (place / "packtool.yaml").write_text("app: shop\nbase-url: http://127.0.0.1:9/shop\nbuild: dist\n")
        run = self.action(place, "v1", inputs)
        assert run.failed and run.outputs()["outcome"] == "published", run.log
        assert "could not be read at" in run.log["Publish"]["err"], run.log

    def sudo(self):
        """A non-root user, as on a hosted runner: packages are installed with a sudo that does not prompt."""
        tools = self.work / "sudo-tools"
        tools.mkdir()
        for name, body in (("id", "echo 1000"), ("dpkg-query", "exit 1"), ("apt-get", "exit 1"),
                           ("sudo", f'echo "$@" >> "{tools}/asked"; [ ! -e "{tools}/denied" ]')):
            (tools / name).write_text(f"#!/bin/sh\n{body}\n")
            (tools / name).chmod(0o755)
        script = [ROOT / "Scripts/install.sh", "build"]
        variables = {"PATH": f"{tools}:{os.environ['PATH']}"}
        done = subprocess.run(script, capture_output=True, text=True, env=variables)
        assert done.returncode == 0 and "installing with sudo:" in done.stderr, done
        assert "apt-get install" in (tools / "asked").read_text()
        (tools / "denied").touch()
        done = subprocess.run(script, capture_output=True, text=True, env=variables)
        assert done.returncode == 2 and "help: sudo apt-get" in done.stderr, done

    @property
    def all(self):
        return [self.documented, self.workflow, self.directory, self.paused_for_a_moment, self.templates,
                self.signed, self.folder_of_the_repository, self.verified, self.sudo]
