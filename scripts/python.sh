#!/bin/sh
# Builds the package for Python: a wheel in build/python, and a virtual
# environment, build/python/venv, that has it installed.
#
#     python.sh [FOLDER]
#
# PYTHON names the interpreter; without it, it is the system's own, which is not
# always the first on the path. pip gets nothing from a network here.
set -eu
cd "$(dirname "$0")/.."
folder=${1:-build/python}
python=${PYTHON:-/usr/bin/python3}
mkdir -p "$folder"

# One build at a time: two at once would write the same files.
exec 9>"$folder/lock"
flock 9

[ -x "$folder/venv/bin/pip" ] || "$python" -m venv "$folder/venv"
rm -f "$folder"/*.whl
pip() {
    "$folder/venv/bin/pip" --quiet --disable-pip-version-check "$@"
}
pip wheel --no-index --no-deps --wheel-dir "$folder" ./fronts/python
pip install --no-index --no-deps --force-reinstall "$folder"/*.whl
