#!/bin/sh
# Builds the page: build/web, a folder of static files for any web server.
#
#     web.sh [FOLDER]
#
# The WebAssembly module is compiled twice, with SIMD and without (the presets
# wasm and wasm_plain), and goes beside seenset.mjs in FOLDER/module, which is
# the npm package as well. The page's own files become a few and small ones.
# files.json lists all of them, with a hash, for the service worker.
set -eu
export LC_ALL=C
cd "$(dirname "$0")/.."
folder=${1:-build/web}
mkdir -p "$folder/module"
folder=$(cd "$folder" && pwd)

# One build at a time: two at once would write the same files.
exec 9>"$folder.lock"
flock 9

# Vectors are not what every wasm-opt expects, so it is told what is there.
features='--enable-bulk-memory --enable-sign-ext
    --enable-nontrapping-float-to-int'

# compile PRESET FILE [FEATURE]: all modules of a preset.
compile() {
    [ -f "build/$1/Makefile" ] || cmake --preset "$1" >/dev/null
    cmake --build "build/$1" --parallel "$(nproc)" -- --no-print-directory \
        >"build/$1/log" 2>&1 || {
        cat "build/$1/log"
        exit 1
    }
    take "build/$1/fronts/web/seenset.wasm" "$2" ${3:+"$3"}
}

# take MADE FILE [FEATURE]: a module, made smaller where wasm-opt is.
take() {
    made=$1
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
take build/wasm_plain/fronts/web/seenset-foreign.wasm \
    "$folder/module/seenset-foreign.wasm"

# All that is not compiled is made in $new first.
new=$folder.new
rm -rf "$new"
mkdir "$new"
cp -R fronts/web/page/. "$new"
cp -R fronts/web/module "$new"
cp LICENSE "$new/module"
# packed MODULE: a module as a script, gzipped and in base64.
packed() {
    printf "/* %s, for packed.mjs. */\nexport const packed = '" "$1"
    gzip -9 -n -c "$folder/module/$1" | base64 -w 0
    echo "';"
}
packed seenset.wasm >"$new/module/inline_bytes.mjs"
packed seenset-foreign.wasm >"$new/module/foreign_inline_bytes.mjs"

# A browser asks for each file, so many small ones become a few, without
# comments, indentation and long names, which are for readers of the source. A
# panel keeps its file, which is fetched when it is shown; what several of them
# use goes to ui, and that of the first two is fetched at once with the page.
# The package for npm is read in an editor too, and stays as it is.
bundle() {
    made=$folder.made
    small='--bundle --minify --charset=utf8 --log-level=warning'
    rm -rf "$made"
    # shellcheck disable=SC2086 # several options
    (
        cd "$new"
        esbuild app.mjs start/start.mjs see/see.mjs see/documents.mjs \
            see/fill.mjs size/size.mjs use/use.mjs use/foreign.mjs $small \
            --format=esm \
            --splitting --chunk-names='ui/[hash]' --outdir="$made" \
            --out-extension:.js=.mjs
        for file in use/worker.mjs service_worker.mjs style.css \
            start/start.css see/see.css size/size.css use/use.css; do
            esbuild "$file" $small --format=esm --outfile="$made/$file"
        done
        rm -r ui start see size use ./*.mjs ./*.css
    )
    cp -R "$made/." "$new"
    rm -r "$made"
    find "$new/text" -type f -exec sed -i 's/^ *//; s/": /":/' {} +
    find "$new/text" -type f -exec sed -i -z 's/\n//g' {} +
    shared=$(cd "$new" && grep -oh 'ui/[A-Z0-9]*\.mjs' app.mjs \
        start/start.mjs see/see.mjs | sort -u |
        sed 's,.*,<link rel="modulepreload" href="&">,' | tr -d '\n')
    sed -i "s,<script type=\"module\",$shared&," "$new/index.html"
}
asked='*.mjs' # of the package, by the page
if command -v esbuild >/dev/null; then
    bundle
    asked=''
fi

# What is no longer there goes, and the folder is what the sources are.
(
    cd "$folder"
    find . -type f ! -name files.json ! -name '*.wasm' |
        while read -r file; do
            [ -e "$new/$file" ] || rm "$file"
        done
    cp -R "$new/." .
    rm -r "$new"
    find . -type d -empty -delete
    # What the page asks for.
    files=$(find . -type f ! -name files.json \
        \( ! -path './module/*' -o -name '*.wasm' -o -name "$asked" \) \
        ! -name '*inline*' |
        sed 's,^\./,,' | sort)
    version=$(echo "$files" | xargs sha256sum | sha256sum | cut -c 1-16)
    {
        printf '{"version": "%s", "files": ["./"' "$version"
        echo "$files" | grep -v '^service_worker.mjs$' |
            sed 's/.*/, "&"/' | tr -d '\n'
        echo ']}'
    } >files.json
)
