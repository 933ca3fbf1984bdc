#!/bin/sh
# Prepares the tests of the package for Python: installs Debian's own Python
# with what tests use, and builds the wheel in build/python. It prints what it
# installs before it does.
#
# Where these cannot be had, it says so and ends well: the tests that need them
# are skipped, each with its reason. A package that does not build is a failure.
set -eu
cd "$(dirname "$0")/.."

missing() {
    echo "=================================================================="
    echo "python: $1, so its tests are SKIPPED, see above"
    echo "=================================================================="
}

# The wheel of before must not be tested in place of one that was not built.
if scripts/deps.sh python; then
    scripts/python.sh
else
    rm -f build/python/*.whl
    missing "the package cannot be built here"
fi
scripts/deps.sh python_tests || missing "what tests it is not there"
