#!/bin/sh
# The symbols files of the Debian packages name what the libraries export.
#
#     symbols.sh <build folder> <source folder>
set -eu
build=$1
source=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$source/scripts/symbols.sh" check "$build"

# The planted faults: a name that is missing, and one that is too many.
for fault in '/^ seenset_add@/d' \
    's/^ seenset_add@.*/&\n seenset_ad@SEENSET_1.0 1.0.0/'; do
    cp "$source"/debian/*.symbols "$work"
    sed -i "$fault" "$work/libseenset1.symbols"
    if "$source/scripts/symbols.sh" check "$build" "$work" >"$work/log"; then
        echo "missed a planted fault: $fault"
        exit 1
    fi
done
