"""Keys that are appended to a file, in its journal."""

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest
import seenset
from seenset import SeenSet


@pytest.fixture
def path(tmp_path):
    seen = SeenSet(2_000_000)
    seen.update(str(i) for i in range(1000))
    seen.save(tmp_path / "a.set")
    return tmp_path / "a.set"


def journal_of(path):
    return Path(f"{path}.log")


def test_a_key_is_appended_and_the_file_stays(path):
    before = path.read_bytes()
    seen = SeenSet.open(path, append=True)
    assert seen.add("new") and not seen.add("new") and not seen.add("7")
    assert "new" not in SeenSet.open(path)
    assert seen.append(path) is None
    assert journal_of(path).exists()
    assert path.read_bytes()[4096:] == before[4096:]
    opened = SeenSet.open(path)
    assert "new" in opened and opened.info().journal_items == 1
    assert seen.add("more") and seen.append(path) is None
    assert "more" in SeenSet.open(path)
    assert seen.append(path) is None  # nothing was added


def test_a_set_has_what_other_processes_appended(path):
    seen = SeenSet.open(path, append=True)
    subprocess.run([sys.executable, "-c",
                    "import sys, seenset\n"
                    "seen = seenset.SeenSet.open(sys.argv[1], append=True)\n"
                    "assert seen.add('theirs')\n"
                    "seen.append(sys.argv[1])", path], check=True)
    assert seen.add("ours") and seen.append(path) is None
    assert "theirs" in seen
    assert all(SeenSet.open(path).has_many(["ours", "theirs", "999"]))


def test_threads_take_turns(path):
    seen = SeenSet.open(path, append=True)
    wrong = []

    def work(number):
        for i in range(200):
            key = f"{number} {i}"
            if not seen.add(key) or key not in seen:
                wrong.append(key)
            if i % 50 == 0:
                seen.estimate()
                seen.append(path)

    threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    seen.append(path)
    keys = [f"{number} {i}" for number in range(4) for i in range(200)]
    assert not wrong
    assert all(SeenSet.open(path).has_many(keys))
    assert seen.overlap(seen).jaccard > 0.99


def test_what_goes_wrong_has_a_reason(path, tmp_path):
    seen = SeenSet.open(path, append=True)
    seen.add("new")
    with pytest.raises(seenset.UnsupportedError, match="append=True"):
        SeenSet.open(path).append(path)
    with pytest.raises(ValueError, match="one of them"):
        SeenSet.open(path, append=True, copy=True)
    other = SeenSet.open(path, copy=True)
    other.add("another")
    other.save(path)
    with pytest.raises(seenset.MismatchError, match="open it again"):
        seen.append(path)
    os.remove(path)
    with pytest.raises(OSError):
        SeenSet.open(path, append=True)
    assert not list(tmp_path.iterdir())


def test_a_set_of_its_own_is_asked_at_once_again(path):
    seen = SeenSet.open(path, append=True)
    seen.__init__(100)
    assert seen.add("a") and seen.info().capacity == 100
    with pytest.raises(seenset.UnsupportedError):
        seen.append(path)
