#!/bin/sh
# Installs the Debian packages that are missing; silent and instant when none
# is. A group of packages is named by what it is for:
#
#     deps.sh build | clang | afl | coverage | mutants | abi | format | bench |
#         foreign | lists
#
# "lists" fetches the package lists that the demo reads its URLs from.
set -eu

# One package a line, with why.
packages() {
    case $1 in
    build)
        echo gcc               # the compiler
        echo libc6-dev         # the C library, whose argp reads the options
        echo make              # what CMake's build files are for
        echo cmake             # the build
        echo pkg-config        # finds the libraries
        echo libxxhash-dev     # the hash, XXH3
        echo liburiparser-dev  # URLs
        echo libidn2-dev       # international host names
        echo libsodium-dev     # SipHash, for keyed sets
        echo libmd-dev         # MD5, for filters that were made with it
        echo libpng-dev        # pictures of sets
        echo libcmocka-dev     # the tests
        echo libcurl4-gnutls-dev # the crawler of examples/, which is tested
        ;;
    clang)
        echo clang # fuzzers, and a second opinion on warnings
        ;;
    afl)
        echo afl++ # the same fuzzers, run by another engine
        ;;
    coverage)
        echo gcovr # turns gcc's counts into a report
        ;;
    mutants)
        echo python3 # makes the mutants, and judges them
        ;;
    abi)
        echo abigail-tools # describes and compares a library's interface
        ;;
    format)
        echo clang-format # lays out the source, by .clang-format
        ;;
    foreign)
        echo gcc-aarch64-linux-gnu # compiles for another processor,
        echo qemu-user             # which this one plays
        ;;
    bench)
        echo libbloom-dev   # the peers: a classic Bloom filter,
        echo libglib2.0-dev # a hash table of strings,
        echo libhts-dev     # another, khash,
        echo redis-server   # a set in another process,
        echo libsqlite3-dev # queues: a table with a UNIQUE column,
        echo python3-scrapy # a crawler's own,
        echo mawk           # and what one-liners use
        echo python3        # the same; makes the tables and plots
        ;;
    *)
        echo "deps: nothing is called $1" >&2
        return 1
        ;;
    esac
}

is_installed() {
    dpkg-query -W -f '${db:Status-Status}\n' "$1" 2>/dev/null |
        grep -qx installed
}

# A program that is found serves as well as the package it usually is in.
is_there() {
    is_installed "$1" || case $1 in
    abigail-tools) command -v abidiff >/dev/null ;;
    libc6-dev) [ -f /usr/include/argp.h ] ;;
    *-dev) pkg-config --exists "$(library_of "$1")" 2>/dev/null ;;
    *) command -v "$1" >/dev/null ;;
    esac
}

# libxxhash-dev -> libxxhash, libcmocka-dev -> cmocka: their pkg-config names.
library_of() {
    case $1 in
    libcmocka-dev) echo cmocka ;;
    libcurl4-gnutls-dev) echo libcurl ;; # libcurl4-openssl-dev does as well
    libglib2.0-dev) echo glib-2.0 ;;
    libhts-dev) echo htslib ;;
    libsqlite3-dev) echo sqlite3 ;;
    *) echo "${1%-dev}" ;;
    esac
}

# update, or update and install what is named after it.
apt_get() {
    export DEBIAN_FRONTEND=noninteractive
    sudo=
    if [ "$(id -u)" != 0 ]; then
        sudo=sudo
        sudo -n true 2>/dev/null || stop_for_root "$@"
    fi
    $sudo apt-get update -q </dev/null
    [ $# = 0 ] ||
        $sudo apt-get install -q -y --no-install-recommends "$@" </dev/null
}

stop_for_root() {
    command="sudo apt-get update"
    [ $# = 0 ] || command="$command && sudo apt-get install $*"
    echo "deps: this needs root. Please run" >&2
    echo "    $command" >&2
    exit 1
}

stop_for_apt() {
    echo "deps: there is no apt-get here. Please install what these Debian" >&2
    echo "packages hold, and try again: $*" >&2
    exit 1
}

install_missing() {
    missing=
    for package in $1; do
        is_there "$package" || missing="$missing $package"
    done
    [ -n "$missing" ] || return 0
    # shellcheck disable=SC2086 # a list of words is meant
    command -v apt-get >/dev/null || stop_for_apt $missing
    echo "deps: missing:$missing"
    # shellcheck disable=SC2086
    apt_get $missing
}

case ${1:-build} in
lists)
    command -v apt-get >/dev/null || stop_for_apt apt
    apt_get
    ;;
*)
    wanted=$(packages "${1:-build}")
    install_missing "$wanted"
    ;;
esac
