"""The types: mypy --strict of the package and of a program that uses it, and
stubs that are what the module is."""

import os
import subprocess
import sys
from pathlib import Path

import seenset

HERE = Path(__file__).parent
FRONT = Path(os.environ["SEENSET_SOURCE"], "fronts/python")

WRONG = """
from seenset import Queue, SeenSet
SeenSet(capacity="many")
SeenSet(layout="round")
SeenSet().add(5.5)
a: str = SeenSet().add("a")
item = Queue().pop()
item.url
Queue().push_many(["a"], prority=1)
"""


def mypy(*arguments, folder):
    return subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--cache-dir",
         str(folder / "cache"), *map(str, arguments)],
        capture_output=True, text=True,
        env=os.environ | {"MYPYPATH": str(FRONT)})


def test_the_package_and_its_build(tmp_path):
    done = mypy(FRONT / "seenset", FRONT / "seenset_build.py", folder=tmp_path)
    assert done.returncode == 0, done.stdout


def test_a_program(tmp_path):
    done = mypy(HERE / "typed_program.py", folder=tmp_path)
    assert done.returncode == 0, done.stdout
    program = {}
    exec((HERE / "typed_program.py").read_text(), program)
    assert program["run"](tmp_path) == 2


def test_mistakes_are_found(tmp_path):
    program = tmp_path / "wrong.py"
    program.write_text(WRONG)
    done = mypy(program, folder=tmp_path)
    lines = {int(line.split(":")[1]) for line in done.stdout.splitlines()
             if ": error:" in line}
    assert lines == {3, 4, 5, 6, 8, 9}, done.stdout


def test_stubs_are_what_the_module_is(tmp_path):
    done = subprocess.run([sys.executable, "-m", "mypy.stubtest", "--concise",
                           "seenset._native"], capture_output=True, text=True,
                          cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr


def test_it_says_that_it_is_typed():
    assert Path(seenset.__file__).with_name("py.typed").exists()


def test_all_names_are_there():
    for name in seenset.__all__:
        assert hasattr(seenset, name)
    public = {name for name in vars(seenset._native) if name[0] != "_"}
    assert public - {"QueueIterator"} <= set(seenset.__all__)


