#!/bin/sh
# Checks the files shipped with the program: man pages, completions, pipelines and guides.
#   Scripts/check-pipeline.sh PACKTOOL
set -eu
packtool=$(readlink -f "$1")
cd "$(dirname "$0")/.."
Scripts/check-man.sh "$packtool"
Scripts/check-completions.sh "$packtool"
Scripts/lint-pipeline.sh
# The rigs read YAML. A Python other than Debian's takes the module from the directory above.
python3 -c 'import yaml' 2>/dev/null || export PYTHONPATH="$PWD"/.build/pipeline-lint
python3 Tests/Rigs/Pipeline/run.py "$packtool"
python3 Tests/Rigs/Pipeline/guides.py "$packtool"
python3 Tests/Rigs/Pipeline/origin.py "$packtool"
python3 Tests/Rigs/Pipeline/remote_guides.py "$packtool"
Scripts/formats-check.sh "$packtool"
