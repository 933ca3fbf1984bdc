#!/bin/bash
# What keys by field cost: dedup by a field beside dedup by line, awk, and the
# JSON parser alone, on the same records, in one run.
#
#     bench-fields.sh [N [ROUNDS]]     N records (default 5,000,000), best of
#                                      ROUNDS (default 5)
#
# Needs a build (release) in build/release. The files are in memory, the output
# goes to /dev/null, and the commands take turns, round after round.
set -eu
cd "$(dirname "$0")/.."
export LC_ALL=C
count=${1:-5000000}
rounds=${2:-5}
PATH=$PWD/build/release:$PWD/build/release/bench:$PATH
work=$(mktemp -d "${BENCH_FOLDER:-/dev/shm}/fields-XXXXXX")
trap 'rm -rf "$work"' EXIT

# A third of the keys are new. Half of the fields of CSV are in quotes, and some
# of those have a separator or a doubled quote in them.
make() {
    mawk -v count="$count" -v form="$1" 'BEGIN {
        srand(3)
        for (i = 0; i < count; i++) {
            url = sprintf("http://www.example.com/path/%d/page",
                          int(rand() * count / 3))
            if (form == "tsv")
                printf "%d\tGET\t%s\t200\t%d\n", i, url, i * 7
            else if (form == "json")
                printf "{\"id\":%d,\"user\":{\"url\":\"%s\",\"n\":%d}," \
                       "\"code\":200}\n", i, url, i * 7
            else if (i % 2)
                printf "%d,GET,%s,200,%d\n", i, url, i * 7
            else
                printf "%d,\"GET, \"\"x\"\"\",\"%s\",200,%d\n", i, url, i * 7
        }
    }'
}
echo n,method,url,code,m >"$work/csv"
make tsv >"$work/tsv"
make csv >>"$work/csv"
make json >"$work/json"

dedup="seenset dedup -n $count -p 1e-6"
names=() commands=() best=()
add() {
    names+=("$1")
    commands+=("$2")
    best+=(999999)
}
for threads in 1 2; do
    for form in tsv csv json; do
        add "$form by line, threads $threads" \
            "$dedup --threads $threads $work/$form"
    done
    add "tsv -f 3, threads $threads" "$dedup --threads $threads -f 3 $work/tsv"
    add "csv -f url, threads $threads" \
        "$dedup --threads $threads --csv -f url $work/csv"
    add "json -f .user.url, threads $threads" \
        "$dedup --threads $threads --from-format json -f .user.url $work/json"
done
add "mawk !s[\$3]++" "mawk -F '\t' '!s[\$3]++' $work/tsv"
add "the JSON parser alone" "json_parse $work/json"

# time_of COMMAND: seconds by the wall clock.
time_of() {
    local from=$EPOCHREALTIME
    bash -c "exec $1" >/dev/null 2>&1
    mawk -v a="$from" -v b="$EPOCHREALTIME" 'BEGIN { printf "%.3f", b - a }'
}

for ((round = 0; round < rounds; round++)); do
    for i in "${!commands[@]}"; do
        now=$(time_of "${commands[i]}")
        best[i]=$(mawk -v a="$now" -v b="${best[i]}" \
            'BEGIN { print a < b ? a : b }')
    done
done

of() {
    for i in "${!names[@]}"; do
        [[ ${names[i]} == "$1" ]] && echo "${best[i]}"
    done
}
ratio() {
    printf '%-46s %s\n' "$1" \
        "$(mawk -v a="$(of "$2")" -v b="$(of "$3")" \
            'BEGIN { printf "%.2f", a / b }')"
}
lscpu | sed -n 's/^Model name: */processor: /p'
echo "$count records, best of $rounds, seconds"
for i in "${!names[@]}"; do
    printf '%-34s %s\n' "${names[i]}" "${best[i]}"
done
echo
for n in 1 2; do
    ratio "TSV by field / by line, threads $n" "tsv -f 3, threads $n" \
        "tsv by line, threads $n"
    ratio "CSV by field / by line, threads $n" "csv -f url, threads $n" \
        "csv by line, threads $n"
    ratio "JSON by field / the parser alone, threads $n" \
        "json -f .user.url, threads $n" "the JSON parser alone"
    ratio "mawk / TSV by field, threads $n" "mawk !s[\$3]++" \
        "tsv -f 3, threads $n"
done
