"""What a module of C needs of the system that it runs on.

    floor.py MODULE.so [LIBRARY...]     prints the least version of glibc

PEP 600 has the rule: a wheel is manylinux_2_N if it needs no symbol of a later
glibc than 2.N, and no library but those of its list. LIBRARY: allowed, too.
Exit status 1: it needs another one.
"""

import re
import subprocess
import sys

# Of the list of PEP 513 and its successors, what C alone may need.
SYSTEM = {"libc.so.6", "libm.so.6", "libdl.so.2", "librt.so.1",
          "libpthread.so.0", "ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1"}


def read(option: str, path: str) -> str:
    return subprocess.run(["readelf", "--wide", option, path], check=True,
                          capture_output=True, text=True).stdout


def floor(path: str) -> tuple[int, ...]:
    found = re.findall(r"Name: GLIBC_([0-9.]+) ", read("-V", path))
    assert found, f"{path}: needs no glibc at all"
    return max(tuple(map(int, text.split("."))) for text in found)


def libraries(path: str) -> set[str]:
    return set(re.findall(r"NEEDED.*\[(.*)\]", read("-d", path)))


def main(path: str, *allowed: str) -> int:
    others = libraries(path) - SYSTEM - set(allowed)
    print(".".join(map(str, floor(path))))
    if others:
        print(f"{path}: needs {', '.join(sorted(others))}", file=sys.stderr)
    return 1 if others else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
