"""Sets in files, as bytes, and pickled; and what damage does."""

import errno
import os
import pickle
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import pytest
import seenset
from seenset import SeenSet


def made(count=5000, **options):
    seen = SeenSet(10_000, 1e-6, **options)
    seen.update(str(i) for i in range(count))
    return seen


@pytest.fixture
def path(tmp_path):
    return tmp_path / "seen.set"


def test_save_and_open(path):
    seen = made()
    assert seen.save(path) is None
    assert path.read_bytes() == seen.to_bytes()
    view = SeenSet.open(path)
    assert all(view.has_many([str(i) for i in range(5000)]))
    assert view.info().is_read_only and view.info().format_version > 0
    assert view.info().added == 5000
    copy = SeenSet.open(str(path), copy=True)
    assert copy.add("new") and "new" not in view
    os.fsencode(path)
    assert "1" in SeenSet.open(os.fsencode(path))
    assert SeenSet.verify(path) is None


def test_a_set_is_opened_without_its_journal_on_request(path):
    command = os.environ.get("SEENSET_COMMAND", "")
    if not os.access(command, os.X_OK):
        pytest.skip("SEENSET_COMMAND does not name the command")
    subprocess.run([command, "new", "-n", "4M", path], check=True)
    subprocess.run([command, "add", path, "one"], check=True)
    assert "one" in SeenSet.open(path, without_journal=True)
    path.with_name(path.name + ".log").unlink()
    with pytest.raises(seenset.JournalError, match="is missing"):
        SeenSet.open(path)
    for copy in (False, True):
        seen = SeenSet.open(path, copy=copy, without_journal=True)
        assert "one" not in seen and 1 <= seen.info().missing <= 65536


def test_a_view_cannot_be_changed(path):
    made().save(path)
    view = SeenSet.open(path)
    for call in (lambda: view.add("x"), lambda: view.add_many(["x"]),
                 view.clear, lambda: view.update(["x"]),
                 lambda: view.__ior__(made())):
        with pytest.raises(seenset.ReadOnlyError, match="copy=True"):
            call()
    grown = view.copy()
    assert grown.add("x")


def test_the_command_reads_it(path):
    command = os.environ.get("SEENSET_COMMAND", "")
    if not os.access(command, os.X_OK):
        pytest.skip("SEENSET_COMMAND does not name the command")
    made().save(path)
    done = subprocess.run([command, "has", path, "17", "none"],
                          capture_output=True, text=True)
    assert done.stdout == "17\n"


def test_missing_files_are_os_errors(path, tmp_path):
    for call in (SeenSet.open, SeenSet.verify):
        with pytest.raises(FileNotFoundError) as caught:
            call(path)
        assert caught.value.filename == path
        assert caught.value.errno == errno.ENOENT
    with pytest.raises(FileNotFoundError):
        made().save(tmp_path / "no" / "folder")
    with pytest.raises(IsADirectoryError):
        made().save(tmp_path)
    for wrong in (None, 5, "a\0b"):
        with pytest.raises((TypeError, ValueError)):
            SeenSet.open(wrong)


def test_damage_is_told_with_its_place(path):
    made().save(path)
    whole = bytearray(path.read_bytes())
    whole[len(whole) // 2] ^= 4
    path.write_bytes(whole)
    for call in (lambda: SeenSet.open(path, copy=True),
                 lambda: SeenSet.verify(path)):
        with pytest.raises(seenset.DamagedError) as caught:
            call()
        error = caught.value
        assert error.name == "ECORRUPT" and error.code == -13
        assert error.file == path and error.reason
        assert 0 < error.offset <= len(whole)
        assert f"at byte {error.offset}" in str(error)
        assert str(path) in str(error)
    with pytest.raises(seenset.DamagedError) as caught:
        SeenSet.from_bytes(whole)
    assert caught.value.file is None and caught.value.offset > 0
    view = SeenSet.open(path)
    with pytest.raises(seenset.DamagedError):
        view.has_many([str(i) for i in range(5000)])
    with pytest.raises(seenset.DamagedError):
        view.stats()


def test_every_kind_of_bad_file():
    whole = made().to_bytes()
    with pytest.raises(seenset.TruncatedError):
        SeenSet.from_bytes(whole[:-1])
    with pytest.raises(seenset.FormatError):
        SeenSet.from_bytes(b"not a set at all" * 100)
    with pytest.raises(seenset.FormatError):
        SeenSet.from_bytes(b"")
    with pytest.raises(seenset.DamagedError):
        SeenSet.from_bytes(whole + b"\0")
    newer = bytearray(whole)
    newer[8] = 99
    with pytest.raises(seenset.VersionError):
        SeenSet.from_bytes(newer)
    with pytest.raises(TypeError):
        SeenSet.from_bytes("text")


def test_secrets(path):
    seen = made(keyed=True)
    seen.save(path)
    with pytest.raises(seenset.SecretError, match="keyed=secret"):
        SeenSet.open(path)
    with pytest.raises(seenset.SecretError):
        SeenSet.open(path, keyed=bytes(16))
    with pytest.raises(TypeError, match="the secret"):
        SeenSet.open(path, keyed=True)
    with pytest.raises(ValueError, match="16 bytes"):
        SeenSet.open(path, keyed=b"short")
    opened = SeenSet.open(path, keyed=seen.secret)
    assert "17" in opened and opened.secret == seen.secret
    with pytest.raises(seenset.SecretError):
        SeenSet.from_bytes(made().to_bytes(), bytes(16))


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_pickles(protocol):
    for seen in (made(), made(keyed=True), made(layout="counting"),
                 made(on_full="refuse"), seenset.seal(["17"])):
        again = pickle.loads(pickle.dumps(seen, protocol))
        assert type(again) is SeenSet and "17" in again
        assert again.to_bytes() == seen.to_bytes()
        assert again.secret == seen.secret


class Named(SeenSet):
    name = ""


def test_pickles_of_ones_own_class():
    seen = Named(100)
    seen.name = "mine"
    seen.add("a")
    again = pickle.loads(pickle.dumps(seen))
    assert type(again) is Named and again.name == "mine" and "a" in again


def test_a_view_pickles_as_a_copy(path):
    made().save(path)
    again = pickle.loads(pickle.dumps(SeenSet.open(path)))
    assert again.add("new")


def has_all(seen, keys):
    return all(seen.has_many(keys)), seen


def test_pickles_across_processes():
    keys = [str(i) for i in range(5000)]
    with ProcessPoolExecutor(2) as pool:
        for seen in (made(), made(keyed=True)):
            answer, again = pool.submit(has_all, seen, keys).result(60)
            assert answer and again.to_bytes() == seen.to_bytes()


def test_pickles_of_figures_and_errors():
    figures = [made().stats(), made().info(), seenset.plan(1000, 0.01),
               made().overlap(made())]
    assert pickle.loads(pickle.dumps(figures)) == figures
    try:
        SeenSet.from_bytes(made().to_bytes()[:-1])
    except seenset.TruncatedError as error:
        again = pickle.loads(pickle.dumps(error))
        assert (again.name, again.offset, str(again)) == (
            error.name, error.offset, str(error))


def test_the_same_bytes_in_another_process(path):
    made().save(path)
    code = ("import sys, seenset; s = seenset.SeenSet(10_000, 1e-6); "
            "s.update(map(str, range(5000))); "
            "sys.stdout.buffer.write(s.to_bytes())")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True,
                          check=True)
    assert done.stdout == Path(path).read_bytes()


def test_the_module_shows_what_is_in_a_file(tmp_path):
    def run(*words):
        return subprocess.run([sys.executable, "-m", "seenset", *words],
                              capture_output=True, text=True)

    made = SeenSet(1234, 1e-3)
    made.add("a")
    made.save(tmp_path / "a.set")
    shown = run("info", str(tmp_path / "a.set"))
    assert shown.returncode == 0 and shown.stderr == ""
    figures = dict(line.split(maxsplit=1)
                   for line in shown.stdout.splitlines()[1:])
    assert figures["layout"] == "blocked" and figures["added"] == "1"
    assert figures["set_bits"] == str(made.stats().set_bits)
    assert seenset.__version__ in run().stdout
    (tmp_path / "b.set").write_bytes(b"not a set")
    refused = run("info", str(tmp_path / "b.set"), str(tmp_path / "a.set"))
    assert refused.returncode == 2 and "b.set" in refused.stderr
    assert "added" in refused.stdout
    assert run("nothing").returncode == 2
