#!/bin/sh
# Installs the Debian packages that are missing. It prints which ones, and the
# command it runs, before it runs it; when nothing is missing it prints nothing.
# Without root, and without a sudo that asks for no password, it installs
# nothing: it prints the command for the user to run, and fails.
#
# A group of packages is named by what it is for:
#
#     deps.sh build | test | amalgamation | clang | afl | coverage | mutants |
#         abi | format | bench | foreign | musl | windows | deb | web |
#         browsers | redis | node | python | python_tests | python_dist |
#         formats | bare | lists
#
# "lists" fetches the package lists that the demo reads its URLs from.
set -eu

# One package a line, with what it is for.
packages() {
    case $1 in
    build)
        cat <<END
gcc                     the compiler
libc6-dev               the C library
make                    runs CMake's build files
cmake                   the build
pkg-config              finds the libraries
libxxhash-dev           the hash, XXH3
liburiparser-dev        URLs
libidn2-dev             international host names
libpsl-dev              registrable domains
libpng-dev              pictures of sets
zlib1g-dev              input that gzip compressed
libzstd-dev             input that zstd compressed; URLs in Redis
liblzma-dev             input that xz compressed
libyajl-dev             keys in lines of JSON
libhiredis-dev          crawls in Redis
libssl-dev              the same, by TLS
libcmocka-dev           the tests
libsodium-dev           SipHash, as a second opinion
libmd-dev               MD5, as a second opinion
libcurl4-gnutls-dev     the crawler of examples/, which is tested
gzip                    makes what the tests of compressed input read
zstd                    the same
xz-utils                the same
END
        ;;
    test)
        cat <<END
fish                    a shell, whose completions are tried in it
zsh                     the same
curl                    fetches pages, in the loops that the pages have
git                     the sources of a commit
g++                     callers in C++
iproute2                a network between two servers
man-db                  reads the manual page
meson                   builds the core, as a part of another project
mount                   a small disk, to fill it
musl-tools              another C library
procps                  who waits for a lock
python3                 a second opinion on figures
sqlite3                 the alternative that the guide measures
END
        ;;
    amalgamation)
        cat <<END
python3                 makes two files of all
END
        ;;
    clang)
        cat <<END
clang                   the fuzzers, and a second opinion on warnings
END
        ;;
    afl)
        cat <<END
afl++                   the same fuzzers, run by another engine
END
        ;;
    coverage)
        cat <<END
gcovr                   turns gcc's counts into a report
END
        ;;
    mutants)
        cat <<END
python3                 makes the mutants, and judges them
END
        ;;
    abi)
        cat <<END
abigail-tools           describes and compares a library's interface
END
        ;;
    format)
        cat <<END
clang-format            lays out the source, by .clang-format
END
        ;;
    foreign)
        cat <<END
gcc-aarch64-linux-gnu   compiles for 64-bit ARM
gcc-arm-linux-gnueabihf for 32-bit ARM
gcc-i686-linux-gnu      for i386
gcc-riscv64-linux-gnu   for RISC-V
gcc-s390x-linux-gnu     for s390x, which is big-endian
libc6-dev-arm64-cross   their C libraries
libc6-dev-armhf-cross   the same
libc6-dev-i386-cross    the same
libc6-dev-riscv64-cross the same
libc6-dev-s390x-cross   the same
qemu-user               runs what was compiled for them
END
        ;;
    musl)
        cat <<END
musl-tools              compiles for musl
END
        ;;
    windows)
        cat <<END
gcc-mingw-w64-x86-64    compiles for Windows
binutils-mingw-w64-x86-64 says what its programs need
libz-mingw-w64-dev      input of the command that gzip compressed
wine64                  runs what was compiled for it
libxxhash-dev           the hash, XXH3
cmake                   the build
pkg-config              finds the libraries
python3                 makes two files of the core
END
        ;;
    deb)
        cat <<END
build-essential         what every Debian package is built with
debhelper               the steps of building a package
lintian                 checks the packages
cmake                   the build
pkg-config              finds the libraries
libxxhash-dev           the hash, XXH3
liburiparser-dev        URLs
libidn2-dev             international host names
libpsl-dev              registrable domains
libpng-dev              pictures of sets
zlib1g-dev              input that gzip compressed
libzstd-dev             input that zstd compressed
liblzma-dev             input that xz compressed
libyajl-dev             keys in lines of JSON
libhiredis-dev          crawls in Redis
libssl-dev              the same, by TLS
END
        ;;
    web)
        cat <<END
clang                   compiles to WebAssembly
lld                     links it
wasi-libc               its C library
libclang-rt-14-dev-wasm32 its arithmetic
binaryen                makes the module smaller
esbuild                 makes one small script of many
libxxhash-dev           the hash, XXH3
cmake                   the build
nodejs                  serves the page on this machine, and tests it
END
        ;;
    browsers)
        cat <<END
chromium-headless-shell drives the page in tests
firefox-esr             the same, another browser
nodejs                  runs these tests
npm                     fetches what they drive the browsers with
END
        ;;
    redis)
        cat <<END
redis-tools             the server, without a service; talks to it
python3                 drives the tests
python3-redis           a client, whose calls for RedisBloom are tried
openssl                 certificates for servers that speak TLS
END
        ;;
    node)
        cat <<END
nodejs                  runs a client for Redis
npm                     fetches it
END
        ;;
    python)
        cat <<END
python3                 the interpreter
python3-dev             its headers
python3-venv            where the package is installed, with pip
gcc                     the compiler
make                    runs CMake's build files
cmake                   the build
pkg-config              finds the libraries
libxxhash-dev           the hash, XXH3
liburiparser-dev        URLs
libidn2-dev             international host names
libpsl-dev              registrable domains
END
        ;;
    python_tests)
        cat <<END
python3-pytest          runs the tests
python3-hypothesis      makes histories at random
python3-numpy           arrays of keys
python3-matplotlib      draws the figures of a set
mypy                    checks the types
binutils                lists the names of the module
python3-scrapy          crawls, by seenset's scheduler
END
        ;;
    python_dist)
        cat <<END
twine                   reads packages as an index does
END
        ;;
    formats)
        cat <<END
npm                     fetches DuckDB and hyparquet, for Parquet
python3                 runs what follows
python3-flor            writes files of DCSO's bloom
libguava-java           writes files of Guava's BloomFilter
default-jdk-headless    runs it
python3-plyvel          writes tables of LevelDB
libleveldb-dev          answers as LevelDB does
g++                     compiles what asks it
librocksdb-dev          writes tables of RocksDB, and answers
python3-bitcoinlib      has filters of Bitcoin
END
        ;;
    bare)
        cat <<END
debootstrap             makes a Debian in a folder
npm                     knows this machine's registry
python3                 the way to the registries, and to nothing else
END
        ;;
    bench)
        cat <<END
libbloom-dev            a peer: a classic Bloom filter
libglib2.0-dev          a peer: a hash table of strings
libhts-dev              a peer: khash, another hash table
golang-github-dcso-bloom-cli a peer: another command with filters
redis-tools             a peer: a set in another process
sqlite3                 a peer: a table, asked by its command
libsqlite3-dev          a peer of the queue: a table with a UNIQUE column
python3-scrapy          a peer of the queue: a crawler's own
mawk                    what one-liners use
python3                 the same; makes the tables and plots
END
        ;;
    *)
        echo "deps: there is no group called $1" >&2
        return 1
        ;;
    esac
}

is_installed() {
    dpkg-query -W -f '${db:Status-Status}\n' "$1" 2>/dev/null |
        grep -qx installed
}

# A program that is found is as good as the package it usually is in.
is_there() {
    is_installed "$1" || case $1 in
    abigail-tools) command -v abidiff >/dev/null ;;
    binaryen) command -v wasm-opt >/dev/null ;;
    chromium-headless-shell) [ -x "/usr/bin/$1" ] || [ -x /usr/bin/chromium ] ;;
    default-jdk-headless) command -v javac >/dev/null ;;
    golang-github-dcso-bloom-cli) command -v bloom >/dev/null ;;
    libc6-dev) [ -f /usr/include/stdio.h ] ;;
    libclang-rt-*-wasm32) has_wasm_arithmetic ;;
    lld) command -v wasm-ld >/dev/null ;;
    iproute2) command -v ip >/dev/null ;;
    musl-tools) command -v musl-gcc >/dev/null ;;
    man-db) command -v man >/dev/null ;;
    nodejs) command -v node >/dev/null ;;
    procps) command -v ps >/dev/null ;;
    binutils) command -v nm >/dev/null ;;
    python3 | python3-venv) is_debian_python "$1" ;;
    redis-tools) has_redis ;;
    wine64) command -v wine64 >/dev/null || [ -x /usr/lib/wine/wine64 ] ;;
    wasi-libc) [ -f /usr/lib/wasm32-wasi/libc.a ] ;;
    xz-utils) command -v xz >/dev/null ;;
    *-dev) pkg-config --exists "$(library_of "$1")" 2>/dev/null ;;
    *) command -v "$1" >/dev/null ;;
    esac
}

# The system's own, whatever is first on the path; only it sees python3-*.
is_debian_python() {
    [ "$1" = python3 ] && [ -x /usr/bin/python3 ] ||
        { [ "$1" != python3 ] && /usr/bin/python3 -m ensurepip --version; }
} >/dev/null 2>&1

# The server is redis-check-rdb by another name, as redis_server.sh has it.
has_redis() {
    command -v redis-cli &&
        { command -v redis-server || command -v redis-check-rdb; }
} >/dev/null

# Where clang looks for it.
has_wasm_arithmetic() {
    command -v clang >/dev/null &&
        [ -f "$(clang --target=wasm32-wasi --rtlib=compiler-rt \
            -print-libgcc-file-name)" ]
}

# libxxhash-dev -> libxxhash, libcmocka-dev -> cmocka: their pkg-config names.
library_of() {
    case $1 in
    libcmocka-dev) echo cmocka ;;
    libcurl4-gnutls-dev) echo libcurl ;; # libcurl4-openssl-dev does as well
    libglib2.0-dev) echo glib-2.0 ;;
    libhts-dev) echo htslib ;;
    libsqlite3-dev) echo sqlite3 ;;
    zlib1g-dev) echo zlib ;;
    libyajl-dev) echo yajl ;;
    libhiredis-dev) echo hiredis ;;
    libssl-dev) echo openssl ;;
    *) echo "${1%-dev}" ;;
    esac
}

# "" for root, "sudo " for a user whom sudo asks for no password, else a
# failure.
prefix_for_root() {
    [ "$(id -u)" != 0 ] || return 0
    sudo -n true 2>/dev/null || return 1
    echo "sudo "
}

# By what the user becomes root; without sudo the advice says "as root".
advised_prefix() {
    ! command -v sudo >/dev/null || echo "sudo "
}

# command_line PREFIX [PACKAGE...]: updates the lists, installs the packages. A
# machine that has just started may be installing updates: it waits for these.
command_line() {
    line="$1apt-get update -q"
    install="$1apt-get install -q -y --no-install-recommends"
    install="$install -o DPkg::Lock::Timeout=600"
    shift
    [ $# = 0 ] || line="$line && $install $*"
    echo "$line"
}

# Updates the package lists and installs the packages named, if any are.
apt_get() {
    prefix=$(prefix_for_root) || stop_for_root "$@"
    line=$(command_line "$prefix" "$@")
    echo "deps: running: $line"
    DEBIAN_FRONTEND=noninteractive sh -c "$line" </dev/null || {
        echo "deps: that failed, see above; nothing was built" >&2
        exit 1
    }
}

stop_for_root() {
    prefix=$(advised_prefix)
    as=
    [ -n "$prefix" ] || as=" as root"
    echo "deps: that needs root. Please run this$as, then try again:" >&2
    echo "    $(command_line "$prefix" "$@")" >&2
    exit 1
}

stop_for_apt() {
    echo "deps: there is no apt-get here, so nothing was installed. Please" >&2
    echo "install what these Debian packages hold, then try again." >&2
    exit 1
}

install_missing() {
    missing=
    described=
    while read -r package purpose; do
        is_there "$package" && continue
        missing="$missing $package"
        described="$described$(printf '    %-23s %s' "$package" "$purpose")
"
    done <<END
$1
END
    [ -n "$missing" ] || return 0
    echo "deps: these packages are missing:"
    printf '%s' "$described"
    command -v apt-get >/dev/null || stop_for_apt
    # shellcheck disable=SC2086 # a list of words is meant
    apt_get $missing
}

fetch_lists() {
    command -v apt-get >/dev/null || {
        echo "deps: there is no apt-get here, which has the lists" >&2
        exit 1
    }
    apt_get
}

case ${1:-build} in
lists) fetch_lists ;;
*)
    wanted=$(packages "${1:-build}")
    install_missing "$wanted"
    ;;
esac
