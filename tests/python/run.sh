#!/bin/sh
# Runs one file of the tests of the package for Python, test_NAME.py beside this
# one, or NAME.sh:
#
#     run.sh NAME SOURCE_FOLDER NATIVE_BUILD_FOLDER
#
# `make test` prepares what they need first (scripts/python_tests.sh). Exit
# status 77: something is not there, so nothing was tested; it prints what.
set -eu
name=$1
source=$2
SEENSET_COMMAND=$3/seenset
SEENSET_SOURCE=$source
SEENSET_PYTHON=${PYTHON:-/usr/bin/python3}
SEENSET_WHEELS=${SEENSET_WHEELS:-$source/build/python}
export SEENSET_COMMAND SEENSET_SOURCE SEENSET_PYTHON SEENSET_WHEELS
# Nothing is written into the source.
export PYTHONDONTWRITEBYTECODE=1 HYPOTHESIS_STORAGE_DIRECTORY="${TMPDIR:-/tmp}"

skip() {
    echo "SKIPPED: $name was not tested: $1. Please run: make test"
    exit 77
}

[ -x "$SEENSET_PYTHON" ] || skip "there is no $SEENSET_PYTHON"
ls "$SEENSET_WHEELS"/seenset-*.whl >/dev/null 2>&1 ||
    skip "the wheel is not built in $SEENSET_WHEELS"
[ ! -f "$source/tests/python/$name.sh" ] ||
    exec "$source/tests/python/$name.sh"
modules="pytest hypothesis numpy mypy"
[ "$name" != plot ] || modules="$modules matplotlib"
for module in $modules; do
    "$SEENSET_PYTHON" -c "import $module" 2>/dev/null ||
        skip "$SEENSET_PYTHON has no $module"
done
PYTHONPATH=$(echo "$SEENSET_WHEELS"/venv/lib/python3*/site-packages)
export PYTHONPATH
cd "${TMPDIR:-/tmp}"
exec "$SEENSET_PYTHON" -m pytest --quiet -p no:cacheprovider \
    --override-ini=addopts= --rootdir="$source/tests/python" \
    "$source/tests/python/test_$name.py"
