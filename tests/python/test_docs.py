"""docs/python.md: its examples run, and it names all that is there."""

import os
import re
from pathlib import Path

import pytest
import seenset

PAGE = Path(os.environ["SEENSET_SOURCE"], "docs/python.md").read_text()
EXAMPLES = re.findall(r"^```python\n(.*?)^```$", PAGE, re.M | re.S)


@pytest.mark.parametrize("example", EXAMPLES)
def test_examples_run(example, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    exec(compile(example, "docs/python.md", "exec"), {})


def test_the_examples_do_what_the_page_says(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    names = {}
    exec(EXAMPLES[0], names)
    assert capsys.readouterr().out == "visit https://example.com/\n"
    exec(EXAMPLES[1], names)
    assert 7 in names["seen"] and names["visit"] in names["seen"]
    assert len(names["visit"]) == 24
    exec(EXAMPLES[2], names)
    assert list(names["new"]) == [1, 2, 3]


def test_comments_of_answers_are_true(tmp_path, monkeypatch):
    """Each line `CALL  # True: ...` of the first example."""
    monkeypatch.chdir(tmp_path)
    names, checked = {"seenset": seenset}, 0
    exec("seen = seenset.SeenSet(1_000_000, 1e-6)", names)
    for call, said in re.findall(r"^(\S.*?) +# (True|False)\b", EXAMPLES[0],
                                 re.M):
        assert eval(call, names) is (said == "True"), call
        checked += 1
    assert checked == 3


def test_every_exception_and_method_is_named():
    exceptions = [name for name in seenset.__all__ if name.endswith("Error")]
    for name in exceptions:
        assert f"`{name}`" in PAGE, name
    names = {name for kind in (seenset.SeenSet, seenset.Queue)
             for name in vars(kind) if not name.startswith("_")}
    known = {"clear", "count", "issuperset", "info", "closed", "path", "secret",
             "set_info", "set_stats", "save_leases", "peek", "stats",
             "ack_many"}  # help() is enough
    assert not [name for name in sorted(names - known)
                if not re.search(rf"\b{name}\b", PAGE)]
