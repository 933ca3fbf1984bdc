#!/bin/bash
# Each figure of the library is in every front. A member of a public struct that
# has no row in fronts/figures/figures.h, a type that was not written from the
# rows, a row that the command does not print, or that the pages do not name:
# each is a failure.
#
#     figures.sh SOURCE_DIR COMMAND
set -u
cd "$1" || exit
command=$2
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
failed=0
fail() {
    echo "$*"
    failed=1
}

${CC:-cc} -std=c11 -I fronts -o "$here/types" fronts/figures/types.c || exit
"$here/types" rows >"$here/rows"

# ---- members of structs ----

# members STRUCT FILE...: a name on each line, without what is reserved.
members() {
    local name=$1
    shift
    cat "$@" | awk -v name="$name" '
        $0 == "typedef struct " name " {" { is_in = 1; next }
        $0 == "} " name ";" { is_in = 0 }
        is_in { text = text " " $0 }
        END {
            while ((from = index(text, "/*")) > 0)
                text = substr(text, 1, from - 1) \
                    substr(text, from + index(substr(text, from), "*/") + 1)
            gsub(/\[[^]]*\]/, "", text)
            gsub(/\*/, " ", text)
            count = split(text, lines, ";")
            for (i = 1; i <= count; i++) {
                each = split(lines[i], names, ",")
                for (j = 1; j <= each; j++) {
                    words = split(names[j], word, " ")
                    if (words > 0 && word[words] !~ /^reserved/)
                        print word[words]
                }
            }
        }'
}

# How many seeds there are goes with them.
without_row() {
    local name=$1
    members "$@" | grep -vx seed_count | sort -u >"$here/members"
    [ -s "$here/members" ] || echo "$name: no members found"
    awk -v name="$name" '$1 == name { print $3 }' "$here/rows" |
        sort -u >"$here/shown"
    comm -23 "$here/members" "$here/shown"
}

structs=$(cut -d' ' -f1 "$here/rows" | sort -u)
[ "$(echo "$structs" | wc -l)" -eq 10 ] || fail "not ten structs: $structs"
for name in $structs; do
    for member in $(without_row "$name" include/seenset/*.h); do
        fail "$name.$member has no row in fronts/figures/figures.h"
    done
done

# Planted: a member more.
sed 's/^    uint64_t set_bits;.*/    uint64_t set_bits, planted_items;/' \
    include/seenset/info.h >"$here/info.h"
sed -i '/planted/,/^    double fill/ { /planted/b; /^    double fill/b; d }' \
    "$here/info.h"
[ "$(without_row seenset_stats "$here/info.h")" = planted_items ] ||
    fail "a planted member was not found"

# ---- types ----

fronts/figures/types.sh --check || fail "the types are not those of the rows"

# ---- what the command prints ----

# missing FILE FORMAT STRUCT: the names of the struct's rows that FILE lacks.
missing() {
    awk -v name="$3" '$1 == name { print $4 }' "$here/rows" |
        while read -r it; do
            # shellcheck disable=SC2059
            grep -qF -e "$(printf "$2" "$it")" "$1" || echo "$it"
        done
}
(
    cd "$here" || exit
    seq 1000 | "$command" new --from-file=- a.set 2>/dev/null ||
        { "$command" new -n 1000 a.set && seq 1000 | "$command" add a.set; }
    "$command" info --json a.set >set.json
    "$command" overlap --json a.set a.set >overlap.json
    "$command" info --format=prometheus a.set >set.prom
    echo http://example.com/ | "$command" queue push q
    "$command" queue stat --json q >queue.json
    "$command" info --format=prometheus q >queue.prom
) >"$here/output" 2>&1 || fail "$(cat "$here/output")"
for name in info stats table_info uniformity; do
    found=$(missing "$here/set.json" '"%s":' "seenset_$name")
    [ -z "$found" ] || fail "info --json lacks of seenset_$name:" $found
done
found=$(missing "$here/overlap.json" '"%s":' seenset_overlap)
[ -z "$found" ] || fail "overlap --json lacks:" $found

# What a queue's files show; the rest is of an open handle.
of_handle=$(printf '%s\n' seconds_to_full durability unsynced_bytes \
    failed_checkpoints)
found=$(missing "$here/queue.json" '"%s":' seenset_queue_stats |
    grep -vxF "$of_handle")
[ -z "$found" ] || fail "queue stat --json lacks:" $found

# gauges STRUCT: those rows that are one number.
gauges() {
    awk -v name="$1" '$1 == name &&
        $2 ~ /^(U32|U64|REAL|FLAG|SLIDING|SHARED)$/ { print $4 }' "$here/rows"
}
for it in $(gauges seenset_info) $(gauges seenset_stats); do
    grep -q "^seenset_$it{" "$here/set.prom" || fail "no gauge seenset_$it"
done
for it in $(gauges seenset_queue_stats | grep -vxF "$of_handle" |
    grep -vx -e is_wrong_at_least -e memory_bytes -e seconds_to_due); do
    grep -q "^seenset_queue_$it{" "$here/queue.prom" ||
        fail "no gauge seenset_queue_$it"
done

# ---- what the pages name ----

for name in info stats table_info overlap queue_stats; do
    found=$(missing docs/json.md '`%s`' "seenset_$name" |
        grep -vxF "$of_handle")
    [ -z "$found" ] || fail "docs/json.md lacks of seenset_$name:" $found
done
for it in $(awk '$6 != "-" { print $6 }' "$here/rows" | sort -u); do
    grep -qF "\`$it\`" docs/redis.md || fail "docs/redis.md lacks $it"
done
exit $failed
