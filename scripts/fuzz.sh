#!/bin/sh
# Runs every fuzzer of a build for some seconds each, and ends with a table of
# what that came to. It fails if anything was found.
#
#     fuzz.sh fuzz|afl SECONDS [NAME...]
#
# "fuzz" is the preset that libFuzzer runs, "afl" that of AFL++. What a fuzzer
# learns is kept in build/<preset>/fuzz/learned/, what it finds in found/. The
# corpora in the repository are the fewest inputs that reach every edge:
#
#     build/fuzz/fuzz/fuzz_url -set_cover_merge=1 -use_counters=0 \
#         fuzz/corpus/url build/fuzz/fuzz/learned/url
set -eu
cd "$(dirname "$0")/.."
preset=$1
seconds=$2
shift 2
folder=$PWD/build/$preset/fuzz
[ $# != 0 ] || set -- foreign open journal queue operations twins options url
mkdir -p "$folder/found"

by_libfuzzer() {
    mkdir -p "$folder/learned/$1"
    "$folder/fuzz_$1" -max_total_time="$seconds" -print_final_stats=1 \
        -timeout=60 -artifact_prefix="$folder/found/$1-" \
        "$folder/learned/$1" "fuzz/corpus/$1" \
        >"$folder/$1.log" 2>&1 </dev/null || true
    executions=$(sed -n 's/^stat::number_of_executed_units: *//p' \
        "$folder/$1.log")
    edges=$(grep -ao ' cov: [0-9]*' "$folder/$1.log" | tail -n 1 | tr -dc 0-9)
    found=$(find "$folder/found" -name "$1-*" ! -name "$1-slow-unit-*" |
        wc -l)
}

by_afl() {
    asan=abort_on_error=1:symbolize=0:detect_leaks=0
    rm -rf "$folder/learned/$1"
    mkdir -p "$folder/learned"
    AFL_NO_UI=1 AFL_SKIP_CPUFREQ=1 AFL_NO_AFFINITY=1 \
        AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES=1 ASAN_OPTIONS=$asan \
        afl-fuzz -V "$seconds" -t 60000 -i "fuzz/corpus/$1" \
        -o "$folder/learned/$1" -- "$folder/fuzz_$1" \
        >"$folder/$1.log" 2>&1 </dev/null || true
    stats=$folder/learned/$1/default/fuzzer_stats
    executions=$(sed -n 's/^execs_done *: //p' "$stats")
    edges=$(sed -n 's/^edges_found *: //p' "$stats")
    found=$(sed -n 's/^saved_crashes *: //p' "$stats")
}
table=$folder/table
all_found=0
: >"$table"
for name; do
    echo "fuzz_$name: $seconds s, log in build/$preset/fuzz/$name.log"
    executions='' edges='' found=''
    case $preset in
    fuzz) by_libfuzzer "$name" ;;
    afl) by_afl "$name" ;;
    esac
    [ "${found:-1}" = 0 ] || all_found=1
    printf '%-14s %12s %8s %6s\n' "fuzz_$name" "${executions:-failed}" \
        "${edges:--}" "${found:--}" >>"$table"
done
printf '\n%-14s %12s %8s %6s\n' fuzzer executions edges found
cat "$table"
exit "$all_found"
