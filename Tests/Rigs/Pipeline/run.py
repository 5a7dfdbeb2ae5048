#!/usr/bin/env python3
"""Runs the pipelines offered by packtool: the GitHub action, the GitLab template and the shell script.

  Tests/Rigs/Pipeline/run.py PACKTOOL

The steps are read from the files themselves. The example shop is checked unchanged, and with a file missing.
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import yaml

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from get import Get
from tags import Tags
from workflow import Run

ROOT = pathlib.Path(__file__).resolve().parents[3]
SHOP = ROOT / "examples/storefront"
CI = ROOT / "examples/ci"
CONFIG = SHOP / "packtool.yaml"


def same(first, second):
    return subprocess.run(["diff", "-r", first, f"{second}/"], capture_output=True).returncode == 0


def damaged(work):
    """The shop without one of its style sheets, which breaks a page."""
    copy = work / "damaged"
    shutil.copytree(SHOP / "dist/1.1.0", copy)
    next(copy.glob("assets/base.*.css")).unlink()
    return copy


class Pipelines:
    def __init__(self, packtool, work):
        self.packtool, self.work, self.number = packtool, work, 0
        tools = work / "tools"
        tools.mkdir()
        (tools / "packtool").symlink_to(packtool)
        self.path = f"{tools}:{os.environ['PATH']}"

    def place(self):
        self.number += 1
        place = self.work / f"run-{self.number}"
        place.mkdir()
        return place

    def install(self, origin, place):
        subprocess.run([self.packtool, "install", origin, "--into", place / "phone", "--quiet"], check=True)
        return place / "phone/current"

    # The GitHub action.

    def github(self, tag=None, **inputs):
        place = self.place()
        inputs = {"packtool": str(self.packtool), "working-directory": str(place),
                  "config": str(CONFIG), **{name.replace("_", "-"): str(v) for name, v in inputs.items()}}
        github = {"ref_type": "tag" if tag else "branch", "ref_name": tag or "main", "sha": "0" * 39 + "1",
                  "workspace": str(place)}
        # Without packtool on the path: the action itself must add it.
        return place, Run(ROOT / "action.yml", inputs, github, place / "runner", os.environ["PATH"]).go()

    def pull_request(self):
        _, run = self.github(build=SHOP / "dist/1.1.0", against=SHOP / "dist/1.0.0",
                                 manifest=CI / "info.json", publish="tags", origin=self.work / "none")
        assert not run.failed, run.log
        assert run.log["Publish"]["outcome"] == "skipped"
        assert not (self.work / "none").exists()
        outputs = run.outputs()
        assert outputs["version"] == json.loads((CI / "info.json").read_text())["version"]
        assert outputs["outcome"] == ""
        sarif = json.loads(pathlib.Path(outputs["sarif"]).read_text())
        assert sarif["version"] == "2.1.0" and sarif["runs"][0]["tool"]["driver"]["name"] == "packtool"
        assert [upload["path"].split() for upload in run.uploads] == [[outputs["sarif"], outputs["report"]]]
        assert "Cost of an update" in pathlib.Path(outputs["report"]).read_text()
        summary = run.summary.read_text()
        for text in ("no errors", outputs["version"], "info.json`: success", "gift-note", "| delta |"):
            assert text in summary, summary
        assert len(summary.splitlines()) < 260 and len(summary) < 1 << 20

    def broken_pull_request(self):
        _, run = self.github(build=damaged(self.place()), publish="always", origin=self.work / "none")
        assert run.failed
        assert run.log["Check the pages and write the report"]["code"] == 1
        assert "::error file=" in run.log["Check the pages and write the report"]["out"]
        # The findings are uploaded although the check failed, and nothing is published.
        assert run.log["Keep findings and report"]["outcome"] == "success"
        sarif = json.loads(pathlib.Path(run.outputs()["sarif"]).read_text())
        assert any(result["level"] == "error" for result in sarif["runs"][0]["results"])
        assert "error" in run.summary.read_text()
        assert run.log["Publish"]["outcome"] == "skipped"
        assert not (self.work / "none").exists()

    def old_manifest(self):
        _, run = self.github(build=SHOP / "dist/1.0.0", manifest=CI / "info.json")
        assert run.failed
        assert run.log["Check the pages and write the report"]["outcome"] == "success"
        assert run.log["Verify the committed manifest"]["outcome"] == "failure"
        assert "info.json`: failure" in run.summary.read_text()

    def tag(self):
        _, run = self.github("1.1.0", build=SHOP / "dist/1.1.0", publish="tags",
                                 origin=self.work / "cdn-github", channel="beta", new_origin="true")
        assert not run.failed, run.log
        assert run.outputs()["outcome"] == "published"
        assert "label `1.1.0`" in run.summary.read_text()
        pointer = self.work / "cdn-github/channels/beta/pointer.json"
        assert pointer.is_file()
        _, again = self.github("1.1.0", build=SHOP / "dist/1.1.0", publish="tags",
                               origin=self.work / "cdn-github", channel="beta")
        assert not again.failed and again.outputs()["outcome"] == "unchanged", again.log

    def wrong_use(self):
        _, run = self.github("1.1.0", build=SHOP / "dist/1.1.0", publish="always")
        assert run.failed and "::error::the origin is missing" in run.log["Publish"]["out"], run.log

    def example_workflow(self):
        """The example only uses existing inputs of the action, in a directory with the paths it names."""
        jobs = yaml.safe_load((CI / "github.yml").read_text())["jobs"]
        step = next(s for s in jobs["shop"]["steps"] if "with" in s)
        assert step["uses"].startswith("OWNER/packtool@v"), step
        inputs = yaml.safe_load((ROOT / "action.yml").read_text())["inputs"]
        given = step["with"]
        assert given.keys() <= inputs.keys(), given.keys() - inputs.keys()
        base = ROOT / given["working-directory"]
        for name in ("build", "against", "manifest"):
            assert (base / given[name]).exists(), given[name]
        commands = [s["run"].split()[0] for s in jobs["shop"]["steps"] if "run" in s]
        assert all((ROOT / command).is_file() for command in commands), commands

    # The GitLab template.

    def gitlab(self, job, **variables):
        template = yaml.safe_load((CI / "gitlab-ci.yml").read_text())
        place = self.place()
        # Like the runner: the job starts in the clone, and every line must succeed.
        shutil.copytree(ROOT / "examples", place / "examples", ignore=shutil.ignore_patterns("src"))
        given = {name: variables.get(name, value) for name, value in template["variables"].items()}
        # A stand-in for npm. Tests/Rigs/Npm installs the package.
        tools = place / "tools"
        tools.mkdir()
        (tools / "npm").write_text(
            '#!/bin/sh\nset -eu\n[ "$1 $2 $5" = "install --global packtool@1.0.0" ]\n'
            f'ln -s "{self.packtool}" "{tools}/packtool"\n')
        (tools / "npm").chmod(0o755)
        environment = {"PATH": f"{tools}:{os.environ['PATH']}", "HOME": str(place), **given, **variables}
        lines = [*template["default"].get("before_script", []), *template[job]["script"]]
        done = subprocess.run(["bash", "-eo", "pipefail", "-c", "\n".join(lines)], env=environment,
                              cwd=place, capture_output=True, text=True, timeout=300)
        return place, template[job], done

    def gitlab_check(self):
        place, job, done = self.gitlab("check")
        assert done.returncode == 0, done.stderr
        for name in [*job["artifacts"]["paths"], job["artifacts"]["reports"]["junit"]]:
            assert (place / name).stat().st_size > 0, name
        place, job, done = self.gitlab("check", BUILD=str(damaged(self.place())))
        assert done.returncode == 1, done
        assert "<failure" in (place / job["artifacts"]["reports"]["junit"]).read_text()

    def gitlab_publish(self):
        origin = self.work / "cdn-gitlab"
        place, _, done = self.gitlab("publish", ORIGIN=str(origin), NEW_ORIGIN="true", CI_COMMIT_TAG="1.1.0",
                                     CI_COMMIT_SHA="abc1234")
        assert done.returncode == 0, done.stderr
        assert same(SHOP / "dist/1.1.0", self.install(origin, place))

    # The shell script.

    def shell(self, *words, **variables):
        place = self.place()
        return place, subprocess.run(
            [CI / "pipeline.sh", *words], cwd=place, capture_output=True, text=True, timeout=300,
            env={"PATH": self.path, "HOME": str(place), **{n: str(v) for n, v in variables.items()}})

    def shell_script(self):
        place, done = self.shell("check")
        assert done.returncode == 0, done.stderr
        for name in ("packtool.sarif", "packtool-junit.xml", "packtool-report.html"):
            assert (place / name).is_file(), name
        place, done = self.shell("check", BUILD=damaged(self.place()))
        assert done.returncode == 1 and (place / "packtool.sarif").is_file(), done
        place, done = self.shell("publish", "1.1.0", BUILD=damaged(self.place()), ORIGIN=self.work / "none")
        assert done.returncode == 1 and not (self.work / "none").exists(), done
        place, done = self.shell("publish", "1.1.0", ORIGIN=self.work / "cdn-shell", NEW_ORIGIN="true")
        assert done.returncode == 0, done.stderr
        assert same(SHOP / "dist/1.1.0", self.install(self.work / "cdn-shell", place))
        _, done = self.shell("publish")
        assert done.returncode not in (0, 1) or "needs a label" in done.stderr

    def copied_origin(self):
        place, done = self.shell("publish", "1.1.0", ORIGIN=self.work / "cdn-copied", NEW_ORIGIN="true")
        assert done.returncode == 0, done.stderr
        script = [CI / "copy-origin.sh", self.work / "cdn-copied", place / "served"]
        subprocess.run(script, check=True)
        assert not (place / "served/.packtool").exists()
        assert same(SHOP / "dist/1.1.0", self.install(place / "served", place))
        assert subprocess.run([*script[:2], ""], capture_output=True).returncode == 64


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    with tempfile.TemporaryDirectory() as work:
        packtool = pathlib.Path(sys.argv[1]).resolve()
        pipelines = Pipelines(packtool, pathlib.Path(work))
        tests = [pipelines.pull_request, pipelines.broken_pull_request, pipelines.old_manifest,
                 pipelines.tag, pipelines.wrong_use, pipelines.example_workflow,
                 pipelines.gitlab_check, pipelines.gitlab_publish, pipelines.shell_script,
                 pipelines.copied_origin, *Get(packtool, pathlib.Path(work, "get")).all,
                 *Tags(packtool, pathlib.Path(work, "tags")).all]
        for test in tests:
            try:
                test()
            except Exception:
                print(f"error: pipeline test '{test.__name__}' failed", file=sys.stderr)
                raise
    print(f"pipelines: {len(tests)} tests passed")


if __name__ == "__main__":
    main()
