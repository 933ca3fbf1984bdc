#!/bin/bash
# Every loop of README.md, docs/ and the manual, taken out of the page and run
# by sh against a site, a feed or files of this machine, while things happen to
# it. What its user would lose is counted: pages never fetched, lines never
# printed, files never processed; and what is done twice, which the pages allow
# for what was under way at a kill.
#
#     loops.sh BUILD_FOLDER SOURCE_FOLDER [ROUNDS [SEED]]
#
# Only the site's address and the sizes are replaced. A loop that no test here
# runs fails. ROUNDS (1) is how often to try what chance decides.
set -eu
build=$(cd "$1" && pwd)
source=$(cd "$2" && pwd)
rounds=${3:-1}
seed=${4:-1}
RANDOM=$seed
export LC_ALL=C LOOP_SEENSET=$build/seenset
export LOOP_CLOCK=$build/tests/libtestclock.so
export LOOP_FAULTY=$build/tests/libfaulty.so
work=$(mktemp -d)
blocks=$work/blocks
name=start running='' site_pid='' looker='' mounted=''
pages=$((rounds > 1 ? 63 : 15)) # of a site: a binary tree, each level whole
mkdir "$blocks"

fail()
{
    echo "test_loops: $name: $1 (seed $seed)" >&2
    [[ -z ${box:-} ]] || tail -n 3 "$box/err" >&2
    exit 1
}

# stop: ends what a loop has left running.
stop()
{
    [[ -z $running ]] || send KILL || :
    [[ -z $site_pid ]] || kill -9 "$site_pid" 2>/dev/null || :
    [[ -z $looker ]] || kill -9 "$looker" 2>/dev/null || :
    [[ -z $mounted ]] || umount -l "$mounted"
    wait
    running='' site_pid='' looker='' mounted=''
}

end()
{
    stop
    rm -rf "$work"
}
trap end EXIT
trap 'exit 1' INT TERM

# shellcheck source=tests/faults/loops/pages.sh
. "$source/tests/faults/loops/pages.sh"
# shellcheck source=tests/faults/loops/box.sh
. "$source/tests/faults/loops/box.sh"
# shellcheck source=tests/faults/loops/work.sh
. "$source/tests/faults/loops/work.sh"
# shellcheck source=tests/faults/loops/trouble.sh
. "$source/tests/faults/loops/trouble.sh"

for page in "$source"/*.md "$source"/docs/*.md "$source"/docs/man/*.1; do
    blocks_of "$page"
done
crawl_of_readme=$(find_block 'queue pop' 'curl -sL |')
crawl_of_guide=$(find_block 'queue pop' 'curl -sL --max-time')
crawl_of_manual=$(find_block 'queue pop' visit)
feeds=$(grep -lF 'feed | seenset' "$blocks"/*)
files_of_manual=$(find_block 'find ' 'xargs' process)
console_of_readme=$(find_block 'dedup --set seen.set' '| wc -l')
known="$crawl_of_readme $crawl_of_guide $crawl_of_manual"
known="$known $files_of_manual $console_of_readme ${feeds//$'\n'/ }"
for block in "$blocks"/*; do
    ! is_loop "$block" || [[ " $known " == *" $block "* ]] ||
        fail "no test runs this loop: $(cat "$block")"
done

# try WORK BLOCK TROUBLE...: one loop in each kind of trouble.
try()
{
    local kind=$1 block=$2 trouble
    for trouble in "${@:3}"; do
        name="$(basename "$block"), $trouble"
        interrupted=0
        "work_$kind" "$(basename "$block")-$trouble" "$block"
        "$trouble"
        stop 2>/dev/null
        echo "ok    $name: $counted"
    done
}

# caught COMPLAINT WORK BLOCK TROUBLE SED: a loop made wrong by sed fails so.
caught()
{
    local planted=$work/planted complaint
    sed -e "$5" "$3" >"$planted"
    name="planted in $(basename "$3")"
    complaint=$(trap stop EXIT && try "$2" "$planted" "$4" 2>&1 >/dev/null) &&
        fail "$4 does not see $5"
    [[ $complaint == *"$1"* ]] || fail "$4 sees something else: $complaint"
    rm -rf "$work/planted"*
    echo "ok    $name: caught"
}

any='undisturbed killed_between killed signalled full_disk_in_seenset'
crawling="$any full_disk with_a_second_worker looked_at rebooted"
# shellcheck disable=SC2086 # words
{
    try console "$console_of_readme" shown
    for block in $feeds; do
        try feed "$block" $any
    done
    try files "$files_of_manual" $any
    try list "$crawl_of_manual" $crawling
    try site "$crawl_of_readme" $crawling
    try site "$crawl_of_guide" $crawling
    FAILING=5 try site "$crawl_of_guide" refused_at_first killed
}

# It acks before it pushes; it takes an error for the end; it acks what it only
# printed; it remembers files that it did not process.
# shellcheck disable=SC2016 # the dollars are the loops'
{
    caught ' lost, ' site "$crawl_of_guide" killed_between \
        's/^    code=.*/&; seenset queue ack crawl "$lease"/
         s/seenset queue ack crawl "$lease" ;;/: ;;/'
    caught 'as if all were well' site "$crawl_of_readme" full_disk_in_seenset \
        's/^\[ "$status" = 1 \].*/:/'
    caught ' lost, ' list "$crawl_of_manual" killed_between \
        's/queue pop/queue pop --ack/; s/ && seenset queue ack crawl < batch//
         s/cut -f 2 batch/seenset version; cat batch/'
    caught ' lost, ' files "$files_of_manual" killed_between \
        's/^xargs.*/seenset add -0 done.set <todo; seenset version\n&/
         s/ && .*//'
}
