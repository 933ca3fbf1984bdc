#!/bin/sh
# Builds the page: build/web, a folder of static files for any web server.
#
#     web.sh [FOLDER]
#
# The WebAssembly module is compiled twice, with SIMD and without (the presets
# wasm and wasm_plain), and goes beside seenset.mjs in FOLDER/module, which is
# the npm package as well. The page's own files are copied, made smaller.
# files.json lists all of them, with a hash, for the service worker.
set -eu
export LC_ALL=C
cd "$(dirname "$0")/.."
folder=${1:-build/web}
mkdir -p "$folder/module"

# One build at a time: two at once would write the same files.
exec 9>"$folder.lock"
flock 9

# Vectors are not what every wasm-opt expects, so it is told what is there.
features='--enable-bulk-memory --enable-sign-ext
    --enable-nontrapping-float-to-int'

# compile PRESET FILE [FEATURE]: the module, made smaller where wasm-opt is.
compile() {
    [ -f "build/$1/Makefile" ] || cmake --preset "$1" >/dev/null
    cmake --build "build/$1" --parallel "$(nproc)" -- --no-print-directory \
        >"build/$1/log" 2>&1 || {
        cat "build/$1/log"
        exit 1
    }
    made=build/$1/fronts/web/seenset.wasm
    [ "$2" -nt "$made" ] && return
    if command -v wasm-opt >/dev/null; then
        # shellcheck disable=SC2086 # several options
        wasm-opt -O3 -Oz $features ${3:+"$3"} "$made" -o "$2"
    else
        cp "$made" "$2"
    fi
}
compile wasm "$folder/module/seenset.wasm" --enable-simd
compile wasm_plain "$folder/module/seenset-plain.wasm"

cp -R fronts/web/module/. "$folder/module"
cp LICENSE "$folder/module"
cp -R fronts/web/page/. "$folder"

# Comments and long names are for readers of the source. The module is read in
# an editor too, and stays as it is.
if command -v esbuild >/dev/null; then
    (
        cd fronts/web/page
        find . \( -name '*.mjs' -o -name '*.css' \) -print |
            xargs esbuild --minify --charset=utf8 --log-level=warning \
                --outbase=. --outdir="$OLDPWD/$folder" \
                --out-extension:.js=.mjs --allow-overwrite
    )
fi

# What is no longer there goes, so that the folder is what the sources are.
(
    cd "$folder"
    find . -type f ! -name files.json ! -name '*.wasm' ! -path ./module/LICENSE |
        while read -r file; do
            [ -e "$OLDPWD/fronts/web/page/$file" ] ||
                [ -e "$OLDPWD/fronts/web/$file" ] || rm "$file"
        done
    # What the page does not ask for: the types and what npm wants.
    files=$(find . -type f ! -name files.json ! -name '*.d.ts' \
        ! -name README.md ! -name LICENSE ! -name package.json |
        sed 's,^\./,,' | sort)
    version=$(echo "$files" | xargs sha256sum | sha256sum | cut -c 1-16)
    {
        printf '{"version": "%s", "files": ["./"' "$version"
        echo "$files" | grep -v '^service_worker.mjs$' |
            sed 's/.*/, "&"/' | tr -d '\n'
        echo ']}'
    } >files.json
)
