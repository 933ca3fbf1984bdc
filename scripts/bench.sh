#!/bin/sh
# Measures everything and refreshes what is made of the figures: the results
# (results.json, and rows-TWIN.json for this kind of processor), the tables in
# docs/performance.md, docs/lab/speed.md and docs/instead.md, and the plots. The
# to-visit queue, keys by field, Python, Scrapy, Redis and filters of other
# systems are printed only.
#
#     bench.sh [--quick]
#
# A quick run leaves the files alone and prints its tables. Peers that cannot
# be installed are left out.
set -eu
cd "$(dirname "$0")/.."
export PYTHONDONTWRITEBYTECODE=1
bench=build/release/bench

scripts/deps.sh bench || echo "bench: without the peers that are missing" >&2
PATH=$PATH:$PWD/build/redis # redis-server, where redis_server.sh puts it
scripts/redis_server.sh >/dev/null || :
scripts/build.sh release

# fields [N [ROUNDS]]: as bench-fields.sh, where its peers are.
fields() {
    if command -v mawk >/dev/null && [ -x $bench/json_parse ]; then
        scripts/bench-fields.sh "$@"
    else
        echo "bench: keys by field are left out: no mawk or no libyajl" >&2
    fi
}

# A key in Python, with the system's own.
in_python() {
    echo
    if scripts/deps.sh python && scripts/python.sh; then
        build/python/venv/bin/python bench/python.py "$@"
    else
        echo "bench: Python is left out: the package cannot be built" >&2
    fi
}

# in_scrapy REQUESTS PAGES ROUNDS: a request in Scrapy's scheduler, and pages a
# second of whole crawls. Both after in_python, which builds the package.
in_scrapy() (
    echo
    source=$PWD
    cd $bench # what they write is in the folder that they run in
    packages=$(echo "$source"/build/python/venv/lib/python3*/site-packages)
    if [ -d "$packages/seenset" ] && /usr/bin/python3 -c 'import scrapy'; then
        PYTHONPATH=$packages /usr/bin/python3 "$source/bench/scrapy_queue.py" \
            "$1"
        echo
        PYTHONPATH=$packages /usr/bin/python3 "$source/bench/scrapy_crawl.py" \
            speed "$2" "$3"
    else
        echo "bench: Scrapy is left out: it is not there, or no package" >&2
    fi
)

# A key in a Redis server with the module.
in_redis() {
    echo
    if scripts/build.sh release seenset_redis && scripts/deps.sh redis; then
        /usr/bin/python3 bench/redis_module.py build/release "$@"
    else
        echo "bench: Redis is left out: there is no server" >&2
    fi
}

# A key in filters of other systems, beside these.
in_foreign() {
    echo
    scripts/deps.sh formats || echo "bench: without the systems above" >&2
    /usr/bin/python3 bench/foreign/foreign.py build/release "$@"
}

# Every layout and twin. What other kinds of processor ran stays in the tables.
rows() {
    $bench/bench --only rows $bench/rows.json
    twin=$(python3 bench/report/rows.py --fastest $bench/rows.json)
    mv $bench/rows.json "bench/report/rows-$twin.json"
    python3 bench/report/rows.py --into docs/performance.md \
        --into docs/lab/speed.md bench/report/rows-*.json
}

if [ "${1:-}" = --quick ]; then
    $bench/bench --quick $bench/quick.json
    python3 bench/report/report.py $bench/quick.json
    echo
    $bench/bench --quick --only rows $bench/rows.json
    python3 bench/report/rows.py $bench/rows.json
    python3 bench/report/plot.py $bench/quick.json $bench
    echo "bench: the plots are in $bench"
    echo
    (cd $bench && ./bench_queue 200000)
    echo
    (cd $bench && ./bench_polite 200000 2000 1)
    echo
    fields 200000 1
    in_python --quick
    in_scrapy 300 300 1
    in_redis --quick
    in_foreign --quick
    python3 bench/report/instead.py build/release --lines 200000 --rounds 1
    exit
fi

$bench/bench $bench/results.json
mv $bench/results.json bench/report/results.json
python3 bench/report/report.py bench/report/results.json
python3 bench/report/report.py bench/report/results.json \
    docs/performance.md docs/lab/speed.md
python3 bench/report/plot.py bench/report/results.json \
    docs/pictures
rows
echo
(cd $bench && ./bench_queue)
echo
(cd $bench && ./bench_polite)
echo
fields
in_python
in_scrapy 2000 3000 5
in_redis
in_foreign
python3 bench/report/instead.py build/release docs/instead.md
