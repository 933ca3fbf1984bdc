#!/bin/sh
# Installs a build, or takes away what was installed:
#
#     install.sh install BUILD PREFIX
#     install.sh uninstall PREFIX
#
# DESTDIR is put before every path, as packagers want it, and no more is done.
# Without it, a list of all that was put under PREFIX is kept there, in
# share/seenset/installed: files, and folders (ending in a slash) that were not
# there before. That list is all that `uninstall` goes by, so that it needs no
# build, takes away nothing else, and knows of files that an older version
# installed.
#
# The loader finds libraries by a cache, which is made again where PREFIX has
# its library in a folder that the cache is made of.
set -eu
export LC_ALL=C
PATH=$PATH:/usr/sbin:/sbin # of ldconfig, for who is not root
umask 022

# The path of the list.
list_of() {
    echo "$1/share/seenset/installed"
}

# The folder of the libraries on a list.
libraries_in() {
    dirname "$(grep '/libseenset\.so$' "$1")"
}

# Does the loader look through the folder $1?
is_searched() {
    ldconfig -v -N -X 2>/dev/null | grep -q "^$1:"
}

# Has the loader look anew; or says what is left to do.
refresh_loader() {
    ldconfig 2>/dev/null ||
        echo "The loader's cache is not up to date. Please run: sudo ldconfig"
}

# tell_loader FOLDER: of the library that is now there.
tell_loader() {
    if is_searched "$1"; then
        refresh_loader
    elif command -v ldconfig >/dev/null; then
        cat <<END
The loader does not look into $1. To run a program that uses
libseenset.so, link it with -Wl,-rpath,$1 or set LD_LIBRARY_PATH=$1.
END
    fi
}

# copy_tree FROM TO: copies all that is in the folder FROM into TO, and prints
# each file, and each folder that it had to make, as paths below TO.
copy_tree() {
    (cd "$1" && find . -mindepth 1 \( -type d -printf '/%P/\n' \) -o \
        -printf '/%P\n') | sort | while IFS= read -r entry; do
        case $entry in
        */)
            [ -d "$2$entry" ] || {
                mkdir "$2$entry" || exit 1
                echo "$entry"
            }
            ;;
        *)
            echo "$entry"
            cp -Pp --remove-destination "$1$entry" "$2$entry" || exit 1
            ;;
        esac
    done
}

install_build() {
    stage=$(mktemp -d)
    trap 'rm -rf "$stage"' EXIT
    mkdir "$stage/root"
    DESTDIR=$stage/root cmake --install "$1" --prefix "$2" >"$stage/log" || {
        cat "$stage/log" >&2
        exit 1
    }
    [ -z "${DESTDIR:-}" ] || {
        mkdir -p "$DESTDIR"
        copy_tree "$stage/root" "$DESTDIR" >"$stage/made"
        echo "seenset: $(grep -c -v '/$' "$stage/made") files in $DESTDIR$2"
        return 0
    }
    list=$(list_of "$2")
    # What an earlier version put there is ours as well.
    : >"$stage/before"
    [ ! -f "$list" ] || cp "$list" "$stage/before"
    mkdir -p "$stage/root$(dirname "$list")"
    : >"$stage/root$list"
    status=0
    copy_tree "$stage/root" "" >"$stage/made" || status=1
    [ $status = 0 ] || echo "install: not everything was installed" >&2
    [ -d "$(dirname "$list")" ] || exit 1
    sort -u "$stage/before" "$stage/made" >"$list"
    [ $status = 0 ] || exit 1
    echo "seenset: $(grep -c -v '/$' "$stage/made") files in $2"
    tell_loader "$(libraries_in "$list")"
}

uninstall() {
    list=$(list_of "$1")
    [ -z "${DESTDIR:-}" ] || {
        echo "uninstall: what is under DESTDIR is not listed; remove" >&2
        echo "$DESTDIR" >&2
        exit 1
    }
    [ -f "$list" ] || {
        echo "uninstall: there is no $list, which 'make install' writes;" >&2
        echo "was it another PREFIX? To install again makes the list." >&2
        exit 1
    }
    all=$(mktemp)
    trap 'rm -f "$all"' EXIT
    # Backwards: what is in a folder comes before it.
    sort -r "$list" >"$all"
    is_refreshed=0
    ! is_searched "$(libraries_in "$all")" || is_refreshed=1
    while IFS= read -r entry; do
        case $entry in
        */) rmdir "$entry" 2>/dev/null || : ;; # somebody else's files are there
        *) rm -f "$entry" ;;
        esac
    done <"$all"
    echo "seenset: $(grep -c -v '/$' "$all") files taken out of $1"
    [ $is_refreshed = 0 ] || refresh_loader
}

# An absolute path without a slash at its end.
absolute() {
    case $1 in
    /*) path=$1 ;;
    *) path=$PWD/$1 ;;
    esac
    echo "$path" | sed 's|//*|/|g; s|\(.\)/$|\1|'
}

case $1 in
install) install_build "$2" "$(absolute "$3")" ;;
uninstall) uninstall "$(absolute "$2")" ;;
*)
    echo "install.sh: install or uninstall, not '$1'" >&2
    exit 2
    ;;
esac
