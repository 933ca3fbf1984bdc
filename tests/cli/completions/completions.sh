#!/bin/sh
# completions.sh SHELL COMPLETIONS: asks fish or zsh what it offers for
# the command lines of completions/expected.txt, and compares. Exit status 77:
# there is no such shell here, so nothing was tested.
here=$(cd "$(dirname "$0")" && pwd)
shell=$1
completions=$2
if ! command -v "$shell" >/dev/null; then
    echo "$shell is not installed: skipped"
    exit 77
fi
box=$(mktemp -d)
trap 'rm -rf "$box"' EXIT
mkdir "$box/folder" "$box/home"
touch "$box/folder/urls.txt"
HOME=$box/home
export HOME
LC_ALL=C
export LC_ALL
unset XDG_CONFIG_HOME XDG_DATA_HOME ZDOTDIR

# differs FOLDER: prints what the completions in it offer otherwise.
differs()
{
    (cd "$box/folder" && cut -d '|' -f 1 "$here/expected.txt" |
        "$shell" "$here/try.$shell" "$1") >"$box/offered" 2>&1
    status=$?
    [ $status -ne 77 ] || exit 77
    diff "$here/expected.txt" "$box/offered"
}

# The test must see it when one word is not offered.
mkdir "$box/faulty"
for file in _seenset seenset.fish; do
    sed 's/verify/verifi/g' "$completions/$file" >"$box/faulty/$file"
done
if [ "$(differs "$box/faulty" | grep -c '^<.*verify')" -ne 3 ]; then
    echo "a planted fault was not found"
    exit 1
fi
differs "$completions" && echo "$(wc -l <"$here/expected.txt") lines, all as expected"
