#!/bin/sh
# Makes what an index of Python packages takes, a wheel and a source
# distribution, and checks them as an index does:
#
#     dist.sh FOLDER
#
# The wheel needs glibc 2.34 and no other library, so it has no normal forms of
# URLs; tests/python/floor.py reads that from its module.
#
# The check is that of twine: the metadata is whole, and the description can be
# rendered. Debian 12's twine knows metadata up to version 2.2, so it reads
# copies that call themselves that, and are otherwise the same. The fields that
# came later are checked by tests/python/wheel.sh.
set -eu
mkdir -p "$1"
folder=$(cd "$1" && pwd)
cd "$(dirname "$0")/../.."
python=${PYTHON:-/usr/bin/python3}
work=$(mktemp -d "${TMPDIR:-/tmp}/seenset-python.XXXXXX")
trap 'rm -rf "$work"' EXIT

rm -f "$folder"/seenset-*.whl "$folder"/seenset-*.tar.gz
platform=manylinux_2_34_$(uname -m)
(
    cd fronts/python
    SEENSET_PYTHON_BUILD=$folder/cmake CMAKE_ARGS=-DSEENSET_URLS=OFF \
        SEENSET_WHEEL_PLATFORM=$platform "$python" -B -c '
import seenset_build, sys
seenset_build.build_wheel(sys.argv[1])
seenset_build.build_sdist(sys.argv[1])' "$folder"
)

# PEP 600: no symbol of a later glibc than the name says, no other library.
"$python" -m zipfile -e "$folder"/seenset-*.whl "$work/unpacked"
floor=$("$python" tests/python/floor.py \
    "$work/unpacked/seenset/_native.abi3.so")
printf '%s\n' "$floor" 2.34 | sort -CV || {
    echo "python-dist: the wheel needs glibc $floor, and is called $platform" >&2
    exit 1
}
rm -r "$work/unpacked"

# It works where nothing else is.
"$python" -m venv "$work/venv"
"$work/venv/bin/pip" --quiet --disable-pip-version-check install --no-index \
    "$folder"/seenset-*.whl
"$work/venv/bin/python" -I tests/python/bare.py
rm -r "$work/venv"

# older IN... FOLDER: the metadata alone, of version 2.2.
older() {
    "$python" - "$@" <<'END'
import io, pathlib, sys, tarfile, zipfile
*files, folder = map(pathlib.Path, sys.argv[1:])
for file in files:
    made, is_wheel = folder / file.name, file.suffix == ".whl"
    packed = zipfile.ZipFile(file) if is_wheel else tarfile.open(file)
    names = packed.namelist() if is_wheel else packed.getnames()
    [name] = [one for one in names if one.count("/") == 1 and
              one.endswith(("/METADATA", "/PKG-INFO"))]
    text = (packed.read(name) if is_wheel else packed.extractfile(name).read())
    text = text.replace(b"Metadata-Version: 2.4", b"Metadata-Version: 2.2", 1)
    if is_wheel:
        zipfile.ZipFile(made, "w").writestr(name, text)
        continue
    info = tarfile.TarInfo(name)
    info.size = len(text)
    with tarfile.open(made, "w:gz") as out:
        out.addfile(info, io.BytesIO(text))
END
}

check() {
    twine --no-color check --strict "$@" || {
        echo "python-dist: an index would refuse it, see above" >&2
        exit 1
    }
}
older "$folder"/seenset-*.whl "$folder"/seenset-*.tar.gz "$work"
check "$work"/*

# The check finds a field that is missing, and a description that an index
# cannot render.
mkdir "$work/wrong"
cp "$work"/*.tar.gz "$work/wrong"
"$python" - "$work/wrong"/*.tar.gz <<'END'
import io, sys, tarfile
[path] = sys.argv[1:]
with tarfile.open(path) as packed:
    [name] = packed.getnames()
text = b"Metadata-Version: 2.2\nName: seenset\nVersion: 1\n" \
    b"Description-Content-Type: text/x-rst\n\n``no end\n"
info = tarfile.TarInfo(name)
info.size = len(text)
with tarfile.open(path, "w:gz") as out:
    out.addfile(info, io.BytesIO(text))
END
! twine --no-color check --strict "$work/wrong"/* >/dev/null 2>&1 || {
    echo "python-dist: twine finds no mistake where there is one" >&2
    exit 1
}
(cd "$folder" && sha256sum seenset-*.whl seenset-*.tar.gz)
