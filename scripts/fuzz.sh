#!/bin/sh
# Runs every fuzzer in a folder for some seconds each. What it learns is kept
# in <folder>/corpus; an input that breaks something is kept beside it.
set -eu
folder=$1
seconds=$2

find "$folder" -maxdepth 1 -name "fuzz_*" -type f -perm -u+x | sort |
while read -r fuzzer; do
    name=$(basename "$fuzzer")
    echo "== $name, $seconds s"
    mkdir -p "$folder/corpus/$name"
    "$fuzzer" -max_total_time="$seconds" -print_final_stats=1 \
        -artifact_prefix="$folder/$name-" "$folder/corpus/$name" </dev/null
done
