"""The package in several interpreters of one process, and in a Python without
the GIL, which it refuses with its reason."""

import importlib.util
import os
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest
import seenset

SOURCE = Path(os.environ["SEENSET_SOURCE"])
PACKAGES = str(Path(seenset.__file__).parent.parent)

# Each interpreter has its own types and errors, and its own keys. An
# interpreter that ends takes nothing with it.
WORK = """
import sys
sys.path.insert(0, {path!r})
import seenset
seen = seenset.SeenSet(1000, 1e-9)
assert seen.add({key!r}) and {key!r} in seen and "other" not in seen
assert sum(seen.add_many([str(i) for i in range(500)])) == 500
try:
    seen.remove("a")
except seenset.SeensetError as error:
    assert type(error) is seenset.UnsupportedError
else:
    raise AssertionError("nothing was raised")
print({key!r}, id(seenset.SeenSet))
"""

# Python 3.11 and 3.12 have one module for it, 3.13 another.
RUN = """
import sys
try:
    import _interpreters as api
except ImportError:
    import _xxsubinterpreters as api
works = {works!r}
made = [api.create() for _ in works]
for one, work in zip(made, works):
    failure = api.run_string(one, work)
    assert failure is None, failure
for one in made:
    api.destroy(one)
exec(works[0])
"""


def run_in_interpreters(python):
    works = [WORK.format(path=PACKAGES, key=key) for key in ("a", "b", "c")]
    done = subprocess.run(
        [python, "-c", RUN.format(works=works)],
        capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return [line.split() for line in done.stdout.splitlines()]


def test_each_interpreter_has_its_own():
    lines = run_in_interpreters(sys.executable)
    assert [key for key, _ in lines] == ["a", "b", "c", "a"]
    assert len({place for _, place in lines[:3]}) == 3


# A second Python, whose version has interpreters with a GIL of their own.
NEWER = os.environ.get("SEENSET_NEWER_PYTHON")


@pytest.mark.skipif(NEWER is None, reason="SEENSET_NEWER_PYTHON is not given: "
                    "a Python from 3.12 on")
def test_each_interpreter_has_its_own_gil():
    lines = run_in_interpreters(NEWER)
    assert [key for key, _ in lines] == ["a", "b", "c", "a"]


def load_build():
    spec = importlib.util.spec_from_file_location(
        "seenset_build", SOURCE / "fronts/python/seenset_build.py")
    build = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(build)
    return build


def test_python_without_the_gil_is_refused(monkeypatch):
    build = load_build()
    build.refuse_without_gil()
    monkeypatch.setattr(sysconfig, "get_config_var",
                        lambda name: name == "Py_GIL_DISABLED")
    with pytest.raises(SystemExit, match="free-threaded build"):
        build.refuse_without_gil()
