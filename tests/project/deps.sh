#!/bin/sh
# scripts/deps.sh says what it installs before it does, and asks where it may
# not. It runs here with a PATH of its own, where apt-get, sudo, id and the
# package database are small scripts that record their calls.
#
#     deps.sh <source folder>
set -eu
source=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# fake NAME: the program NAME of the next run, its text read from input.
fake() {
    { echo "#!/bin/sh" && cat; } >"$work/bin/$1"
    chmod +x "$work/bin/$1"
}

# A Debian on which nothing is installed, used by root.
new_machine() {
    rm -rf "${work:?}/bin"
    mkdir "$work/bin"
    for tool in sh cat grep; do
        ln -s "$(command -v $tool)" "$work/bin/$tool"
    done
    echo 'echo 0' | fake id
    echo 'exit 1' | fake dpkg-query
    echo 'exit 1' | fake pkg-config
    echo 'echo "called: apt-get $*"' | fake apt-get
}

# A user who is not root; sudo asks for a password, or not.
without_root() {
    echo 'echo 1000' | fake id
}
with_sudo() {
    fake sudo <<END
[ "\$1" != -n ] || exit $1
echo "called: sudo"
"\$@"
END
}

# run GROUP: what the script prints, and its status at the end.
run() {
    status=0
    PATH=$work/bin "$script" "$1" >"$work/said" 2>&1 || status=$?
    echo "status $status" >>"$work/said"
}

# expect NAME: the script printed exactly what is read from input.
expect() {
    cat >"$work/expected"
    diff "$work/expected" "$work/said" >"$work/difference" || {
        echo "$1:"
        cat "$work/difference"
        return 1
    }
}

install="apt-get install -q -y --no-install-recommends"
install="$install -o DPkg::Lock::Timeout=600"
foreign="gcc-aarch64-linux-gnu gcc-arm-linux-gnueabihf gcc-i686-linux-gnu"
foreign="$foreign gcc-riscv64-linux-gnu gcc-s390x-linux-gnu libc6-dev-arm64-cross libc6-dev-armhf-cross libc6-dev-i386-cross libc6-dev-riscv64-cross libc6-dev-s390x-cross qemu-user"

check_root() {
    new_machine
    run foreign
    expect "root" <<END
deps: these packages are missing:
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
deps: running: apt-get update -q && $install $foreign
called: apt-get update -q
called: apt-get ${install#apt-get } $foreign
status 0
END
}

check_nothing_missing() {
    new_machine
    echo 'echo installed' | fake dpkg-query
    run build
    expect "nothing is missing" <<END
status 0
END
}

check_some_missing() {
    new_machine
    # shellcheck disable=SC2016 # the fake's own $4
    echo '[ "$4" != cmake ] && echo installed' | fake dpkg-query
    run build
    expect "one is missing" <<END
deps: these packages are missing:
    cmake                   the build
deps: running: apt-get update -q && $install cmake
called: apt-get update -q
called: apt-get ${install#apt-get } cmake
status 0
END
}

check_program_is_enough() {
    new_machine
    echo 'exit 0' | fake clang
    run clang
    expect "a program without its package" <<END
status 0
END
}

check_sudo_with_password() {
    new_machine
    without_root
    with_sudo 1
    run clang
    expect "sudo asks for a password" <<END
deps: these packages are missing:
    clang                   the fuzzers, and a second opinion on warnings
deps: that needs root. Please run this, then try again:
    sudo apt-get update -q && sudo $install clang
status 1
END
}

check_sudo_without_password() {
    new_machine
    without_root
    with_sudo 0
    run clang
    expect "sudo asks for nothing" <<END
deps: these packages are missing:
    clang                   the fuzzers, and a second opinion on warnings
deps: running: sudo apt-get update -q && sudo $install clang
called: sudo
called: apt-get update -q
called: sudo
called: apt-get ${install#apt-get } clang
status 0
END
}

check_no_sudo() {
    new_machine
    without_root
    run lists
    expect "neither root nor sudo" <<END
deps: that needs root. Please run this as root, then try again:
    apt-get update -q
status 1
END
}

check_no_apt() {
    new_machine
    rm "$work/bin/apt-get" "$work/bin/dpkg-query"
    run clang
    expect "not a Debian" <<END
deps: these packages are missing:
    clang                   the fuzzers, and a second opinion on warnings
deps: there is no apt-get here, so nothing was installed. Please
install what these Debian packages hold, then try again.
status 1
END
}

check_apt_fails() {
    new_machine
    echo 'echo "no network"; exit 100' | fake apt-get
    run clang
    expect "apt-get fails" <<END
deps: these packages are missing:
    clang                   the fuzzers, and a second opinion on warnings
deps: running: apt-get update -q && $install clang
no network
deps: that failed, see above; nothing was built
status 1
END
}

check_unknown() {
    new_machine
    run nonsense
    expect "an unknown group" <<END
deps: there is no group called nonsense
status 1
END
}

check_all() {
    check_root && check_nothing_missing && check_some_missing &&
        check_program_is_enough && check_sudo_with_password &&
        check_sudo_without_password && check_no_sudo && check_no_apt &&
        check_apt_fails && check_unknown
}

# planted NAME SED: a script with this fault in it must be noticed.
planted() {
    sed "$2" "$source/scripts/deps.sh" >"$work/faulty.sh"
    chmod +x "$work/faulty.sh"
    if cmp -s "$source/scripts/deps.sh" "$work/faulty.sh"; then
        echo "the planted fault '$1' changed nothing"
        exit 1
    fi
    script=$work/faulty.sh
    if check_all >"$work/log"; then
        echo "a planted fault was not noticed: $1"
        exit 1
    fi
}

planted "sudo, unasked" 's/sudo -n true 2>.*|| return 1/:/'
planted "installs before it says so" '/echo "deps: running/d'
script=$source/scripts/deps.sh
check_all
