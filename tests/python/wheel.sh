#!/bin/sh
# The wheel in a virtual environment that has nothing else: it installs, works
# and goes away. So does the source distribution, which is built without a
# network; and a wheel is the same bytes, whenever it is built.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
wheel=$(ls "$SEENSET_WHEELS"/seenset-*-cp311-abi3-*.whl)

"$SEENSET_PYTHON" -m venv "$work/venv"
python=$work/venv/bin/python
pip() {
    "$python" -m pip --quiet --disable-pip-version-check "$@"
}
cd "$work"

pip install --no-index "$wheel"
pip show seenset >/dev/null
"$python" -I "$SEENSET_SOURCE/tests/python/bare.py"
# Each file is as RECORD has it.
"$python" -I - <<'END'
import base64, hashlib, importlib.metadata as metadata
files = metadata.files("seenset")
checked = 0
for file in files:
    if file.hash and file.name.endswith((".py", ".pyi", ".so", "METADATA")):
        digest = hashlib.sha256(file.read_binary()).digest()
        assert base64.urlsafe_b64encode(digest).rstrip(b"=").decode() == \
            file.hash.value, file
        checked += 1
assert checked >= 4, checked
END
# An index shows a page, the licence and what it is for.
"$python" -I - <<'END'
import importlib.metadata as metadata
about = metadata.metadata("seenset")
assert about["License-Expression"] == "Apache-2.0", about.items()
assert about["Description-Content-Type"] == "text/markdown"
assert "SeenSet" in about.get_payload() and "](" not in about.get_payload()
assert len(about.get_all("Classifier")) > 5 and about["Keywords"]
assert about["Author"] and about["Summary"]
files = [str(file) for file in metadata.files("seenset")]
assert any(file.endswith(f"licenses/{about['License-File']}") for file in files)
END
pip uninstall --yes seenset
! "$python" -I -c 'import seenset' 2>/dev/null

# From the source distribution, whose library is built in a folder of its own;
# quickly, as it is not the one that people get.
mkdir sdist
(
    cd "$SEENSET_SOURCE/fronts/python"
    "$python" -B -c 'import seenset_build, sys
print(seenset_build.build_sdist(sys.argv[1]))' "$work/sdist"
)
for file in README.md LICENSE PKG-INFO; do
    tar -tzf sdist/*.tar.gz | grep -q "^seenset-[0-9.]*/$file\$"
done
SEENSET_PYTHON_BUILD=$work/build CMAKE_BUILD_TYPE=Debug \
    pip install --no-index sdist/*.tar.gz
"$python" -I "$SEENSET_SOURCE/tests/python/bare.py"

# No name of the module is visible but its init function.
names=$(nm -D --defined-only "$(find "$work/venv" -name '_native*.so')" |
    sed 's/.* //')
[ "$names" = PyInit__native ] || {
    echo "visible names: $names"
    exit 1
}

# The stable ABI and nothing more: what it needs of Python is in its list.
"$python" -m zipfile -e "$wheel" unpacked
"$python" -I "$SEENSET_SOURCE/tests/python/bare.py" --symbols \
    unpacked/seenset/_native.abi3.so

# What it needs of the system is what docs/python.md says: no library besides
# those three (without them in the list they are noticed), and this glibc.
module=unpacked/seenset/_native.abi3.so
! "$python" -I "$SEENSET_SOURCE/tests/python/floor.py" $module 2>wrong
grep -q 'needs .*liburiparser.so.1' wrong
floor=$("$python" -I "$SEENSET_SOURCE/tests/python/floor.py" $module \
    libidn2.so.0 libpsl.so.5 liburiparser.so.1)
printf '%s\n' "$floor" 2.34 | sort -CV || {
    echo "the wheel needs glibc $floor, and docs/python.md says 2.34"
    exit 1
}
