#!/bin/sh
# Runs one file of the tests of seenset.scrapy, test_NAME.py beside this one:
#
#     run.sh NAME SOURCE_FOLDER NATIVE_BUILD_FOLDER
#
# `make test` prepares what they need first (scripts/python_tests.sh). Exit
# status 77: something is not there, so nothing was tested; it prints what.
# SEENSET_SCRAPY names a folder with another Scrapy than Debian's.
set -eu
name=$1
SEENSET_SOURCE=$2
python=${PYTHON:-/usr/bin/python3}
wheels=${SEENSET_WHEELS:-$SEENSET_SOURCE/build/python}
build=$3
SEENSET_REDIS_MODULE=${SEENSET_REDIS_MODULE:-$build/seenset-redis.so}
SEENSET_COMMAND=${SEENSET_COMMAND:-$build/seenset}
export SEENSET_SOURCE SEENSET_REDIS_MODULE SEENSET_COMMAND
export PYTHONDONTWRITEBYTECODE=1

skip() {
    echo "SKIPPED: $name was not tested: $1. Please run: make test"
    exit 77
}

[ -x "$python" ] || skip "there is no $python"
ls "$wheels"/seenset-*.whl >/dev/null 2>&1 ||
    skip "the wheel is not built in $wheels"
PYTHONPATH=$(echo "$wheels"/venv/lib/python3*/site-packages)
PYTHONPATH=$PYTHONPATH${SEENSET_SCRAPY:+:$SEENSET_SCRAPY}
export PYTHONPATH
for module in pytest scrapy; do
    "$python" -c "import $module" 2>/dev/null ||
        skip "$python has no $module"
done
if [ "$name" = redis ]; then
    script=$SEENSET_SOURCE/scripts/redis_server.sh
    REDIS_SERVER=${REDIS_SERVER:-$("$script" || :)}
    export REDIS_SERVER
    command -v "$REDIS_SERVER" >/dev/null ||
        skip "redis-server is not installed"
    [ -f "$SEENSET_REDIS_MODULE" ] || skip "the module is not built"
    "$python" -c "import redis" 2>/dev/null ||
        skip "python3-redis is not installed"
fi
[ "$name" != replies ] || "$python" -c "import redis" 2>/dev/null ||
    skip "python3-redis is not installed"
cd "${TMPDIR:-/tmp}"
exec "$python" -m pytest --quiet -p no:cacheprovider --override-ini=addopts= \
    --rootdir="$SEENSET_SOURCE/tests/scrapy" -W "ignore::DeprecationWarning" \
    "$SEENSET_SOURCE/tests/scrapy/test_$name.py"
