#!/bin/sh
# Builds one preset of CMakePresets.json, in build/<preset>, with the compiler
# that CC names (cc without one). A build folder made with another compiler is
# started afresh: CMake can't change it in place.
#
#     build.sh PRESET [TARGET...]
set -eu
cd "$(dirname "$0")/.."
preset=$1
shift

compiler=$(command -v "${CC:-cc}") || {
    echo "build: there is no compiler called ${CC:-cc}" >&2
    exit 1
}
fresh=
cache=build/$preset/CMakeCache.txt
if [ -f "$cache" ] &&
    ! grep -q "^CMAKE_C_COMPILER:[A-Z]*=$compiler\$" "$cache"; then
    fresh=--fresh
fi

cmake --preset "$preset" $fresh -DCMAKE_C_COMPILER="$compiler" >/dev/null
cmake --build "build/$preset" --parallel "$(nproc)" ${1:+--target "$@"} \
    -- --no-print-directory
