#!/bin/sh
# scripts/mutants/survivors.txt has a reason for each mutant that no test can
# kill. A reason for a line that was changed or moved since stops `make mutants`
# before it begins, so it is found here.
#
#     survivors.sh project
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
check="$1/scripts/mutants/mutate.py --check"

$check

# A planted fault: a reason for a line that is not there.
{
    cat "$1/scripts/mutants/survivors.txt"
    printf '@ src/log/record.c no_such_function\n- a < b\n+ a <= b\n= planted\n'
} >"$work/planted.txt"
if $check --reasons "$work/planted.txt" >"$work/found" 2>&1; then
    echo "a reason for a line that is not there was not found"
    exit 1
fi
grep -q no_such_function "$work/found"
