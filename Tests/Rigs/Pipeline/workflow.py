"""Runs the steps of a GitHub action on this machine: its 'run' blocks, with GitHub's files and variables.

It supports the expressions used in action.yml, and rejects all others.
"""
import os
import pathlib
import re
import subprocess

import yaml

EXPRESSION = re.compile(r"\$\{\{(.*?)\}\}", re.DOTALL)
TOKEN = re.compile(r"\s*('[^']*'|[A-Za-z_][\w.-]*(?:\(\))?|&&|\|\||!=|==|!|\(|\))")
STATUS = {"cancelled()", "always()", "failure()", "success()"}


class Run:
    """One run of an action: the output and the result of each step."""

    def __init__(self, action, inputs, github, work, path, variables=None):
        self.action = yaml.safe_load(pathlib.Path(action).read_text())
        unknown = inputs.keys() - self.action["inputs"].keys()
        assert not unknown, f"the action has no input {unknown}"
        self.values = {f"inputs.{name}": inputs.get(name, spec.get("default", ""))
                       for name, spec in self.action["inputs"].items()}
        github = {"action_repository": "", **github}
        self.values |= {f"github.{name}": value for name, value in github.items()}
        self.work, self.path, self.failed = work, path, False
        # Variables set by the runner, the job, or the step using the action.
        self.variables = {"GITHUB_WORKSPACE": github.get("workspace", str(work)),
                          "GITHUB_ACTION_PATH": str(pathlib.Path(action).parent), **(variables or {})}
        self.log, self.uploads = {}, []
        for name in ("temp", "state"):
            (work / name).mkdir(parents=True, exist_ok=True)
        self.summary = work / "state" / "summary"
        self.summary.touch()

    def value(self, expression):
        """The value of an expression, computed like GitHub does for the operators below."""
        words, at = [], 0
        expression = expression.strip()
        while at < len(expression):
            match = TOKEN.match(expression, at)
            assert match, f"not an expression this runner knows: {expression}"
            words.append(match[1])
            at = match.end()
        python = []
        for word in words:
            if word in ("&&", "||", "!", "==", "!=", "(", ")"):
                python.append({"&&": "and", "||": "or", "!": "not"}.get(word, word))
            elif word.startswith("'"):
                python.append(repr(word[1:-1]))
            elif word in STATUS:
                python.append(repr({"cancelled()": False, "always()": True, "failure()": self.failed,
                                    "success()": not self.failed}[word]))
            else:
                known = word in self.values or word.startswith("steps.")
                assert known, f"the action refers to {word}, which is not there"
                python.append(repr(self.values.get(word, "")))
        return eval(" ".join(python), {"__builtins__": {}})

    def text(self, template):
        return EXPRESSION.sub(lambda match: str(self.value(match[1])), str(template))

    def runs(self, step):
        condition = step.get("if")
        if condition is None:
            return not self.failed
        match = EXPRESSION.fullmatch(condition.strip())
        condition = match[1] if match else condition
        if not any(word in condition for word in STATUS) and self.failed:
            return False
        return bool(self.value(condition))

    def go(self, last=None):
        """Runs the steps, up to the one with the name `last`."""
        for step in self.action["runs"]["steps"]:
            name, key = step["name"], step.get("id")
            if self.runs(step):
                outcome = self.upload(step) if "uses" in step else self.shell(step)
            else:
                outcome = "skipped"
            if key:
                self.values[f"steps.{key}.outcome"] = outcome
            self.log.setdefault(name, {})["outcome"] = outcome
            self.failed |= outcome == "failure"
            if name == last:
                break
        return self

    def upload(self, step):
        assert step["uses"].startswith("actions/upload-artifact@"), step["uses"]
        given = {name: self.text(value) for name, value in step["with"].items()}
        self.uploads.append(given)
        there = [pathlib.Path(name).is_file() for name in given["path"].split("\n") if name]
        return "success" if there and all(there) else "failure"

    def shell(self, step):
        assert step["shell"] == "bash"
        assert "${{" not in step["run"], f"{step['name']}: pass values by env, or they can inject commands"
        files = {name: self.work / "state" / name.lower() for name in ("GITHUB_OUTPUT", "GITHUB_PATH")}
        for file in files.values():
            file.write_text("")
        environment = {
            "HOME": os.environ.get("HOME", "/"), "CI": "true", "GITHUB_ACTIONS": "true",
            **self.variables, "PATH": self.path, "RUNNER_TEMP": str(self.work / "temp"),
            "GITHUB_STEP_SUMMARY": str(self.summary),
            **{name: str(file) for name, file in files.items()},
            **{name: self.text(value) for name, value in step.get("env", {}).items()},
        }
        directory = self.text(step.get("working-directory", "."))
        place = pathlib.Path(self.variables["GITHUB_WORKSPACE"], directory)
        done = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]], cwd=place,
            env=environment, capture_output=True, text=True, timeout=300)
        self.log[step["name"]] = {"out": done.stdout, "err": done.stderr, "code": done.returncode}
        for line in files["GITHUB_OUTPUT"].read_text().splitlines():
            name, _, value = line.partition("=")
            self.values[f"steps.{step['id']}.outputs.{name}"] = value
        for line in reversed(files["GITHUB_PATH"].read_text().splitlines()):
            self.path = f"{line}:{self.path}"
        return "success" if done.returncode == 0 else "failure"

    def outputs(self):
        return {name: self.text(spec["value"]) for name, spec in self.action["outputs"].items()}
