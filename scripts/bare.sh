#!/bin/bash
# Two commands on a fresh machine, `make demo` and `make test`, in a Debian
# that has nothing: debootstrap's smallest system in build/bare/root, with git,
# make, ca-certificates and sudo in it and one user, who has this commit as a
# clone and may use sudo without a password, as on a new machine in a cloud.
#
#     bare.sh [demo | test]      both, without an argument
#
# There is no network but the package registries, those that apt and npm use on
# this machine, with the same configuration, which is copied into the root.
# No other host can be reached (only_hosts.py). The root has devices, processes
# and a /dev/shm of its own, and it is the root of its own mounts, not a chroot:
# in one, the kernel gives nobody a namespace, and tests use them. All of that
# ends with the last process in it.
#
# SUITE names another Debian than 12 (bookworm). It ends with a report, which is
# build/bare/report.txt too: counts, times, and each skipped test's reason. It
# needs root.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
source=$(dirname "$here")
work=$source/build/bare
root=$work/root
suite=${SUITE:-bookworm}
home=/home/user
project=$home/seenset

stop() {
    echo "bare: $1" >&2
    exit 1
}

# ---- the root ----

# The part of this machine's lists that has this Debian.
mirror() {
    apt-get indextargets --format '$(SITE)' "Codename: $suite" \
        "Component: main" | head -n 1
}

make_root() {
    rm -rf "$work"
    mkdir -p "$work"
    echo "bare: debootstrap $suite (its output: build/bare/debootstrap.log)"
    debootstrap --variant=minbase --include=git,make,ca-certificates,sudo \
        "$suite" "$root" "$(mirror)" >"$work/debootstrap.log" 2>&1 || {
        tail -n 5 "$work/debootstrap.log" >&2
        stop "debootstrap failed, see above"
    }
}

# into_root FILE...: where it is here, if it is here.
into_root() {
    local file
    for file; do
        [[ ! -e $file ]] || tar -cP "$file" | tar -xP -C "$root" \
            --transform "s,^/,$root/,"
    done
}

# What apt is told about its sources and the way to them, and no more: other
# settings are this machine's own business.
configure_apt() {
    rm -f "$root"/etc/apt/sources.list
    into_root /etc/apt/sources.list /etc/apt/sources.list.d \
        /etc/apt/auth.conf /etc/apt/auth.conf.d /etc/apt/trusted.gpg \
        /etc/apt/trusted.gpg.d /etc/apt/keyrings \
        /usr/local/share/ca-certificates
    apt-config dump | grep '^Acquire::' >"$root/etc/apt/apt.conf.d/90host" || :
    chroot "$root" update-ca-certificates >/dev/null 2>&1
}

# npm's configuration is the user's own, with the certificates that it names.
configure_npm() {
    local authority
    authority=$(npm config get cafile 2>/dev/null)
    [[ $authority == null ]] || into_root "$authority"
    cat "$(npm config get globalconfig 2>/dev/null)" \
        "$(npm config get userconfig 2>/dev/null)" \
        >"$root$home/.npmrc" 2>/dev/null || :
    chmod 600 "$root$home/.npmrc"
}

add_user() {
    echo bare >"$root/etc/hostname"
    printf '127.0.0.1 localhost\n127.0.1.1 bare\n' >"$root/etc/hosts"
    : >"$root/etc/resolv.conf"
    chroot "$root" useradd --create-home --shell /bin/bash user
    echo 'user ALL=(ALL) NOPASSWD: ALL' >"$root/etc/sudoers.d/user"
}

clone() {
    [[ -z $(git -C "$source" status --porcelain) ]] ||
        echo "bare: changes that are not committed are left out" >&2
    git clone --quiet --no-local "$source" "$root$project"
}

# The hosts that apt and npm use here, each once.
registries() {
    {
        apt-get indextargets --format '$(SITE)'
        npm config get registry 2>/dev/null
    } | grep -E '^https?://' | sort -u
}

# ---- inside ----

# devices: what a program finds in /dev.
devices() {
    local name
    mount -t tmpfs -o mode=755 none dev
    mkdir dev/pts dev/shm
    for name in null:1:3 zero:1:5 full:1:7 random:1:8 urandom:1:9 tty:5:0; do
        IFS=: read -r name major minor <<<"$name"
        mknod -m 666 "dev/$name" c "$major" "$minor"
    done
    mount -t devpts -o newinstance,ptmxmode=0666,mode=620,gid=5 none dev/pts
    ln -s pts/ptmx dev/ptmx
    ln -s /proc/self/fd dev/fd
    for name in 0:stdin 1:stdout 2:stderr; do
        ln -s "/proc/self/fd/${name%:*}" "dev/${name#*:}"
    done
    mount -t tmpfs -o mode=1777 none dev/shm
}

# inside COMMAND: the user's command line, in the root. The mounts are seen by
# this process and its children alone.
inside() {
    hostname bare
    mount --bind "$root" "$root"
    cd "$root"
    mount -t proc none proc
    mount -t sysfs -o ro none sys
    devices
    pivot_root . mnt
    exec chroot . /bin/sh -c '
        umount -l /mnt && exec runuser --login user -c "$1"' sh "$1"
}

# as_user COMMAND: it, with no network but the registries.
as_user() {
    # shellcheck disable=SC2046 # a list of words is meant
    "$here/only_hosts.py" "$root/etc/hosts" $(registries) -- \
        unshare --mount --uts --ipc --pid --fork --kill-child \
        --propagation private "$here/bare.sh" --inside "$1"
}

# ---- the report ----

say() {
    printf '%s\n' "$1" | tee -a "$work/report.txt"
}

# run TARGET: one of the commands, with its time.
failed=0
run() {
    local seconds=$SECONDS result=done
    echo "bare: make $1 (its output: build/bare/$1.log)"
    as_user "cd seenset && make $1" >"$work/$1.log" 2>&1 </dev/null || {
        result=FAILED failed=1
        tail -n 30 "$work/$1.log"
    }
    seconds=$((SECONDS - seconds))
    say "make $1: $result in $((seconds / 60)) min $((seconds % 60)) s"
    [[ $1 != test ]] || report_tests
}

# Counts, and what the report of the tests has about each skipped one.
report_tests() {
    local tests=$root$project/build/release/tests.xml
    [[ -f $tests ]] || return 0
    say "$("$here/count.sh" "$tests" | tr '\n' ' ')"
    "$here/skips.sh" "$tests" | tee -a "$work/report.txt"
}

if [[ ${1:-} == --inside ]]; then
    inside "$2"
fi
[[ $(id -u) = 0 ]] || stop "that needs root. Please run: sudo make bare"
"$here/deps.sh" bare
[[ -n $(mirror) ]] || stop "apt knows no Debian $suite here; see SUITE"
trap 'rm -rf "$root"' EXIT
[[ -z ${KEEP:-} ]] || trap - EXIT
make_root
add_user
configure_apt
configure_npm
clone
chroot "$root" chown -R user: "$home"
say "Debian $(cat "$root/etc/debian_version"), $(nproc) processors, commit \
$(git -C "$source" rev-parse --short HEAD)"
for target in ${1:-demo test}; do
    run "$target"
done
exit $failed
