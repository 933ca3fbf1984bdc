"""Builds the wheel of seenset, as PEP 517 asks for it, without any package.

pip calls the functions at the end. The extension module is built by cmake, for
the stable ABI of Python 3.11, so that one wheel is for every later Python. A
source distribution has the library's sources in a folder `library`; a checkout
has them two folders up.
"""

import base64
import csv
import hashlib
import io
import os
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
PACKAGE = HERE / "seenset"
MODULE = "_native.abi3.so"
# What the library is built of, for a source distribution.
SOURCES = ["CMakeLists.txt", "LICENSE", "cmake", "docs/man",
           "docs/python.md", "fronts/figures", "include", "src"]
# A file of 1980, the first year that a zip can have, is the same every day.
DATE = (1980, 1, 1, 0, 0, 0)


def library() -> Path:
    """The folder that has the library's CMakeLists.txt."""
    packed = HERE / "library"
    return packed if packed.is_dir() else HERE.parent.parent


def version() -> str:
    header = (library() / "include/seenset/base.h").read_text()
    found = re.search(r'^#define SEENSET_VERSION "(.*)"', header, re.M)
    assert found is not None
    return found[1]


def tag() -> str:
    """SEENSET_WHEEL_PLATFORM in the environment: what an index takes, such as
    manylinux_2_34_x86_64. fronts/python/dist.sh checks that it is true."""
    platform = os.environ.get("SEENSET_WHEEL_PLATFORM",
                              re.sub(r"[-.]", "_", sysconfig.get_platform()))
    return f"cp311-abi3-{platform}"


KEYWORDS = ("bloom filter", "crawler", "deduplication", "probabilistic",
            "queue", "scrapy")
CLASSIFIERS = ("Intended Audience :: Developers",
               "Intended Audience :: Science/Research",
               "Operating System :: POSIX :: Linux",
               "Programming Language :: C",
               "Programming Language :: Python :: 3",
               "Programming Language :: Python :: 3.11",
               "Programming Language :: Python :: 3.12",
               "Programming Language :: Python :: 3.13",
               "Programming Language :: Python :: Implementation :: CPython",
               "Topic :: Internet :: WWW/HTTP :: Indexing/Search",
               "Topic :: Software Development :: Libraries",
               "Typing :: Typed")


def readme() -> str:
    """The page of the package. A link into the repository is its text there."""
    text = (library() / "docs/python.md").read_text()
    return re.sub(r"\[([^]]+)\]\((?!https?:)[^)]+\)", r"\1", text)


def metadata() -> str:
    """Core metadata 2.4 (packaging.python.org)."""
    classifiers = "\n".join(f"Classifier: {name}" for name in CLASSIFIERS)
    return f"""Metadata-Version: 2.4
Name: seenset
Version: {version()}
Summary: Have I seen this before? In little memory, at any scale
Author: The seenset maintainers
Keywords: {",".join(KEYWORDS)}
License-Expression: Apache-2.0
License-File: LICENSE
Requires-Python: >=3.11
{classifiers}
Description-Content-Type: text/markdown

{readme()}"""


def wheel_file() -> str:
    return f"""Wheel-Version: 1.0
Generator: seenset_build
Root-Is-Purelib: false
Tag: {tag()}
"""


def run(*command: str) -> None:
    """Runs a command, and shows what it printed only if it fails."""
    if shutil.which(command[0]) is None:
        sys.exit(f"seenset: {command[0]} is needed to build this package, and "
                 f"was not found. On Debian: apt install {command[0]}")
    done = subprocess.run(command, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        sys.exit(f"{done.stdout}\nseenset: this failed: {' '.join(command)}")


def build_folder() -> Path:
    """Kept between builds, so that the next one is quick."""
    return Path(os.environ.get("SEENSET_PYTHON_BUILD",
                               library() / "build" / "python" / "cmake"))


def refuse_without_gil() -> None:
    """Python without the GIL has no stable ABI, and gate.h rests on the GIL."""
    if sysconfig.get_config_var("Py_GIL_DISABLED"):
        sys.exit("seenset: this Python is a free-threaded build, which seenset "
                 "does not support; use an ordinary build of this version")


def compile_module() -> Path:
    """Where the extension module is, when it was built: a release, unless
    CMAKE_BUILD_TYPE in the environment says otherwise. CMAKE_ARGS there are
    options for cmake."""
    refuse_without_gil()
    folder = build_folder()
    run("cmake", "-S", str(library()), "-B", str(folder),
        f"-DSEENSET_PYTHON={sys.executable}",
        f"-DSEENSET_PYTHON_FRONT={HERE}", "-DSEENSET_COMMAND=OFF",
        "-DSEENSET_TESTS=OFF", "-DSEENSET_REDIS=OFF",
        "-DSEENSET_WERROR=OFF", *shlex.split(os.environ.get("CMAKE_ARGS", "")))
    run("cmake", "--build", str(folder), "--target", "seenset_python",
        "--parallel", str(os.cpu_count() or 1))
    found = list(folder.rglob(MODULE))
    assert len(found) == 1, found
    return found[0]


def package_files() -> dict[str, bytes]:
    """What is in the package besides the extension module, by its place."""
    return {f"seenset/{path.relative_to(PACKAGE).as_posix()}": path.read_bytes()
            for path in sorted(PACKAGE.rglob("*"))
            if path.suffix in (".py", ".pyi", ".typed")}


def about_files(folder: str) -> dict[str, bytes]:
    return {f"{folder}/METADATA": metadata().encode(),
            f"{folder}/WHEEL": wheel_file().encode(),
            f"{folder}/licenses/LICENSE": (library() / "LICENSE").read_bytes()}


def record(files: dict[str, bytes], place: str) -> bytes:
    """The list of all files, with the hash and the length of each."""
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    for name, content in files.items():
        digest = hashlib.sha256(content).digest()
        shown = base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
        rows.writerow([name, f"sha256={shown}", len(content)])
    rows.writerow([place, "", ""])
    return text.getvalue().encode()


def write_zip(path: Path, files: dict[str, bytes]) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, content in files.items():
            info = zipfile.ZipInfo(name, DATE)
            mode = 0o755 if name.endswith(".so") else 0o644
            info.external_attr = (0o100000 | mode) << 16
            info.compress_type = zipfile.ZIP_DEFLATED
            packed.writestr(info, content)


# ---- what pip calls ----


def build_wheel(wheel_directory: str, config_settings: object = None,
                metadata_directory: str | None = None) -> str:
    about = f"seenset-{version()}.dist-info"
    files = package_files()
    files[f"seenset/{MODULE}"] = compile_module().read_bytes()
    files |= about_files(about)
    files[f"{about}/RECORD"] = record(files, f"{about}/RECORD")
    name = f"seenset-{version()}-{tag()}.whl"
    write_zip(Path(wheel_directory) / name, files)
    return name


def build_sdist(sdist_directory: str, config_settings: object = None) -> str:
    top = f"seenset-{version()}"
    name = f"{top}.tar.gz"
    with tarfile.open(Path(sdist_directory) / name, "w:gz",
                      format=tarfile.PAX_FORMAT) as packed:
        for part in ("pyproject.toml", "seenset_build.py", "CMakeLists.txt",
                     "native", "seenset"):
            packed.add(HERE / part, f"{top}/{part}", filter=without_builds)
        for part in SOURCES:
            packed.add(library() / part, f"{top}/library/{part}")
        packed.add(library() / "LICENSE", f"{top}/LICENSE")
        for place, text in (("PKG-INFO", metadata()), ("README.md", readme())):
            info = tarfile.TarInfo(f"{top}/{place}")
            info.size = len(text.encode())
            packed.addfile(info, io.BytesIO(text.encode()))
    return name


def without_builds(info: tarfile.TarInfo) -> tarfile.TarInfo | None:
    built = "__pycache__" in info.name or info.name.endswith(".so")
    return None if built else info
